"""The state of a match of Tabletop Croquet. It is frozen, comparable and hashable."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.entry import Setup, sizes_of
from referee.domain.geometry import Point
from referee.domain.incident import Contact, LeftTable, LineCrossed
from referee.games.ground import Displaced, Ground, laid_ground
from referee.games.words import option

GAME: Final = "tabletop-croquet"


class Step(NamedTuple):
    """One step of the course: a wicket with its direction, or an endpost."""

    place: str
    direction: str | None


def _steps() -> tuple[Step, ...]:
    outward = [Step(f"wicket-{n}", "outward") for n in (1, 2, 3, 4, 5, 6, 7)]
    homeward = [Step(f"wicket-{n}", "homeward") for n in (7, 6, 8, 4, 9, 2, 1)]
    return (*outward, Step("right-endpost", None), *homeward, Step("left-endpost", None))


STEPS: Final = _steps()
LAST_WICKET: Final = len(STEPS) - 1
POSTS: Final = ("left-endpost", "right-endpost")
#: The section of the rules that most calls rest on.
TURNS: Final = "Player turns"


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One player at the table."""

    name: str
    coin: str
    team: str | None


class Table(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What does not change during a match: the players, the sizes and the options."""

    seats: tuple[Seat, ...]
    by_coin: dict[str, int]
    coin_mm: float
    tile_mm: float
    teams: bool
    poison: bool
    judged_at_rest: bool
    knocked_endposts_count: bool


class Coin(msgspec.Struct, frozen=True, gc=False):
    """One player's coin. `at_mm` is None if its place is not known or it is not on the table.

    `exit_mm` is where it left the table; it stays set until the coin has been put back (`back`) and
    the next flick is made. `fresh` is true until the coin is first flicked or hit. `lift` is True
    for a killed coin that must still be lifted off. `choice` is "asked", "rover" or "leave" once
    the coin has passed wicket 1 homeward, and `asked_on` is the entry of that crossing.
    """

    progress: int = 0
    state: str = "not_entered"
    at_mm: Point | None = None
    exit_mm: Point | None = None
    back: bool = False
    fresh: bool = True
    lift: bool = False
    choice: str = ""
    asked_on: str = "setup"
    conceded: bool = False

    @property
    def owed(self) -> bool:
        """Whether the coin has left the table and has not been put back yet."""
        return self.exit_mm is not None and not self.back


#: The incidents that coins cause in a flick. `Held` are those kept until all is at rest, each with
#: whether a ruling upheld it.
Moving = LineCrossed | Contact | LeftTable
Held = tuple[tuple[Moving, bool], ...]


class Flick(msgspec.Struct, frozen=True, gc=False):
    """The current flick. `own`: the active player flicks that player's own coin; otherwise the
    flick cannot earn flicks. `hits`: contacts in this flick can be hits.

    `void_by`: the player who, under all rulings so far, made the flick without a right to it ("":
    nobody). `forced`: the flick tries to force a rover out. `met`: the coins of `touching` that
    were touched again during the flick. `hit`: the coins that earned flicks by being hit. `fell`:
    the coins that left the table. `crossed`: every crossing seen, to compare with where the coins
    come to rest. `lain`: where the coins lay before the flick. `held`: the incidents that are kept
    until all coins lie still, each with whether a ruling lets it stand.
    """

    on: str
    coin: str
    own: bool
    hits: bool = True
    void_by: str = ""
    forced: bool = False
    touching: frozenset[str] = frozenset()
    met: frozenset[str] = frozenset()
    hit: frozenset[str] = frozenset()
    fell: frozenset[str] = frozenset()
    crossed: tuple[tuple[str, str, int], ...] = ()
    lain: tuple[Point | None, ...] = ()
    held: Held = ()


class Offer(msgspec.Struct, frozen=True, gc=False):
    """The choice of one of the four actions after a hit: the coins that were hit, what the player
    has declared, and whether the player's own coin has been moved for that action.
    """

    coins: frozenset[str]
    option: int | None = None
    coin: str | None = None
    moved: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """The state of a match at one point of its record. `dead` are the coins that earn nothing now
    when they are hit. For this turn, `forced` are the rovers that were flicked to force them out,
    and `passed` the wickets that a rover has passed.
    """

    table: Table
    ground: Ground
    coins: tuple[Coin, ...]
    active: int = 0
    flicks: int = 1
    dead: frozenset[str] = frozenset()
    forced: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    flick: Flick | None = None
    offer: Offer | None = None
    displaced: Displaced = frozenset()
    over: bool = False
    winner: tuple[str, ...] = ()


Judged = tuple[State, tuple[Verdict, ...]]
#: Why something earns nothing, and the section of the rules that says so; None if it earns
#: something.
Why = tuple[str, str] | None


def begin(setup: Setup) -> State:
    """Return the state before the first flick."""
    seats = tuple(Seat(player.name, player.coin or "", player.team) for player in setup.players)
    sizes = sizes_of(setup)

    def chosen(name: str) -> Any:
        return option(setup.options, GAME, name)

    table = Table(
        seats,
        {seat.coin: i for i, seat in enumerate(seats)},
        sizes.coin_mm,
        sizes.tile_mm,
        chosen("teams"),
        chosen("poison"),
        chosen("wicket_credit") == "rest",
        chosen("knocked_endposts_count"),
    )
    coins = tuple(_coin_at(player.progress, table.teams) for player in setup.players)
    return State(table, laid_ground(setup), coins)


def _coin_at(progress: int | None, teams: bool) -> Coin:
    if progress is None:
        return Coin()
    return Coin(
        progress=progress,
        state="playing",
        fresh=False,
        choice="asked" if teams and progress == LAST_WICKET else "",
    )


def with_coin(state: State, index: int, /, **changes: Any) -> State:
    """Return the state with one coin changed."""
    coins = list(state.coins)
    coins[index] = msgspec.structs.replace(coins[index], **changes)
    return msgspec.structs.replace(state, coins=tuple(coins))


def with_flick(state: State, /, **changes: Any) -> State:
    """Return the state with the current flick changed. There must be one."""
    assert state.flick is not None
    return msgspec.structs.replace(state, flick=msgspec.structs.replace(state.flick, **changes))


def seat_of(state: State) -> Seat:
    """Return the active player's seat."""
    return state.table.seats[state.active]


def is_own(state: State, coin: str) -> bool:
    """Return whether `coin` is the active player's own coin and that player flicked it (TC-6)."""
    return state.flick is not None and state.flick.own and coin == state.flick.coin


def is_void(state: State, coin: str) -> bool:
    """Return whether a coin can do nothing because the flick is void: the flicked coin, or the own
    coin of the player who flicked.
    """
    flick = state.flick
    if flick is None or not flick.void_by:
        return False
    return coin == flick.coin or _plays(state, flick.void_by, coin)


def _plays(state: State, player: str, coin: str) -> bool:
    index = state.table.by_coin.get(coin)
    return index is not None and state.table.seats[index].name == player


def has_right(state: State, coin: str, reasons: Reasons) -> bool:
    """Return whether a coin can do anything in this flick: False for the coins of `is_void`."""
    flick = state.flick
    return not reasons.fails("had_right", is_void(state, coin), flick and flick.void_by)


def is_on_table(state: State, coin: str, reasons: Reasons) -> bool:
    """Return whether a coin has not left the table in the current flick. There must be a flick."""
    assert state.flick is not None
    return reasons.holds("on_table", coin not in state.flick.fell, coin)


def off_table(name: str) -> tuple[str, str]:
    """Return why a coin that has left the table can do nothing, with the section that says so."""
    return f"{name}'s coin is off the table.", "Fouls"


def why_void(state: State, coin: str) -> str:
    """Return in words why a coin can do nothing in a void flick."""
    assert state.flick is not None
    what = f"{whose(state, coin)} earns, hits and wins nothing in it."
    return f"{state.flick.void_by} had no right to this flick: {what}"


def in_play(coin: Coin) -> bool:
    """Return whether the coin still takes part in the match, or has not entered yet."""
    return coin.state not in ("finished", "killed")


def place_name(place: str) -> str:
    """Return a place in words: "wicket 3" for `wicket-3`, "the left endpost" for `left-endpost`."""
    return (
        place.replace("-", " ") if place.startswith("wicket") else "the " + place.replace("-", " ")
    )


def call_for(
    state: State, on: str, name: str, index: int, text: str, *, rule: str = TURNS, **more: Any
) -> Call:
    """Return a call about one player's coin."""
    seat = state.table.seats[index]
    return Call(on=on, call=name, player=seat.name, coin=seat.coin, rule=rule, text=text, **more)


def whose(state: State, coin: str) -> str:
    """Return a coin in words, with its owner's name."""
    index = state.table.by_coin.get(coin)
    return f"the coin {coin}" if index is None else f"{state.table.seats[index].name}'s coin"


def no_effect(
    state: State,
    on: str,
    coin: str,
    reason: str,
    *,
    rule: str = TURNS,
    with_: str | None = None,
    place: str | None = None,
) -> Judged:
    """Return the unchanged state, and a call that says why something does not count although
    players may expect it to.
    """
    index = state.table.by_coin.get(coin)
    player = None if index is None else state.table.seats[index].name
    return state, (
        Call(
            on=on,
            call="no_effect",
            player=player,
            coin=coin,
            with_=with_,
            place=place,
            flicks=0,
            rule=rule,
            text=reason,
        ),
    )


def misplaced(
    state: State,
    on: str,
    index: int,
    what: str,
    rule: str,
    text: str,
    facts: dict[str, Any] | None = None,
) -> Irregularity:
    """Return the irregularity of a coin that lies or was put in a wrong place. `text` continues the
    sentence after the coin's name.
    """
    seat = state.table.seats[index]
    return Irregularity(
        on=on,
        what=what,
        rule=rule,
        text=f"{seat.name}'s coin {text}",
        coin=seat.coin,
        player=seat.name,
        facts=facts,
        placement=True,
    )
