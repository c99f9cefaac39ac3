"""Where a match of Tabletop Croquet stands: frozen, comparable, hashable."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.entry import Setup, sizes_of
from referee.domain.geometry import Point
from referee.domain.incident import Contact, LeftTable, LineCrossed
from referee.games.flicking import Displaced, Ground, laid_ground
from referee.games.words import option

GAME = "tabletop-croquet"


class Step(NamedTuple):
    """One step of the course: a wicket with its direction, or an endpost."""

    place: str
    direction: str | None


def _steps() -> tuple[Step, ...]:
    outward = [Step(f"wicket-{n}", "outward") for n in (1, 2, 3, 4, 5, 6, 7)]
    homeward = [Step(f"wicket-{n}", "homeward") for n in (7, 6, 8, 4, 9, 2, 1)]
    return (*outward, Step("right-endpost", None), *homeward, Step("left-endpost", None))


STEPS = _steps()
LAST_WICKET = len(STEPS) - 1
POSTS = ("left-endpost", "right-endpost")
#: The section of the rules that most calls rest on.
TURNS = "Player turns"


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One player at the table."""

    name: str
    coin: str
    team: str | None


class Table(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What does not change during a match: players, sizes and options."""

    seats: tuple[Seat, ...]
    by_coin: dict[str, int]
    coin_mm: float
    tile_mm: float
    teams: bool
    poison: bool
    judged_at_rest: bool
    knocked_endposts_count: bool


class Coin(msgspec.Struct, frozen=True, gc=False):
    """One player's coin. `at_mm` is None where it is not known or not on the table.

    `exit_mm` is where it left the table, until it has been put back (`back`) and the next flick is
    made; `fresh` until it is first flicked or hit; `lift`: killed and still to be lifted off.
    `choice` is "asked", "rover" or "leave" once wicket 1 was passed homeward, which entry
    `asked_on` did.
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
        """Whether the coin has left the table and is still to be put back."""
        return self.exit_mm is not None and not self.back


#: What coins do in a flick; `Held` is what of it waits until all is at rest, with whether a ruling
#: upheld it.
Moving = LineCrossed | Contact | LeftTable
Held = tuple[tuple[Moving, bool], ...]


class Flick(msgspec.Struct, frozen=True, gc=False):
    """A flick under way. `own`: of the active player's own coin, by that player; only then are
    flicks earned. `hits`: its contacts may earn.

    `void_by`: the player who, as the match now reads, had no right to it ("": nobody). `forced`: an
    attempt to force a rover out. `met`: coins of `touching` already touched in it. `hit`: coins
    whose hit earned flicks. `fell`: coins that left the table. `crossed`: every crossing seen, for
    comparison with where the coins come to rest. `lain`: where they lay before. `held`: incidents
    kept back until all is at rest, with whether a ruling upheld them.
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
    """The four actions open after a hit: the coins that were hit, what was declared, and whether
    the own coin has been moved for it.
    """

    coins: frozenset[str]
    option: int | None = None
    coin: str | None = None
    moved: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """A match between two entries. `dead` are the coins that earn nothing this turn; `forced` and
    `passed` belong to rovers, for this turn.
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
#: Why something is worth nothing, and the section of the rules that says so; None where it counts.
Why = tuple[str, str] | None


def begin(setup: Setup) -> State:
    """The state before the first flick."""
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
    """The state with one coin changed."""
    coins = list(state.coins)
    coins[index] = msgspec.structs.replace(coins[index], **changes)
    return msgspec.structs.replace(state, coins=tuple(coins))


def with_flick(state: State, /, **changes: Any) -> State:
    """The state with the flick under way changed. There must be one."""
    assert state.flick is not None
    return msgspec.structs.replace(state, flick=msgspec.structs.replace(state.flick, **changes))


def seat_of(state: State) -> Seat:
    """The active player."""
    return state.table.seats[state.active]


def is_own(state: State, coin: str) -> bool:
    """Whether `coin` is the active player's own, in that player's own flick of it (TC-6)."""
    return state.flick is not None and state.flick.own and coin == state.flick.coin


def is_void(state: State, coin: str) -> bool:
    """Whether a coin does nothing in a void flick: the coin flicked, and its player's own."""
    flick = state.flick
    if flick is None or not flick.void_by:
        return False
    return coin == flick.coin or _plays(state, flick.void_by, coin)


def _plays(state: State, player: str, coin: str) -> bool:
    index = state.table.by_coin.get(coin)
    return index is not None and state.table.seats[index].name == player


def has_right(state: State, coin: str, reasons: Reasons) -> bool:
    """Whether a coin may do anything in the flick: in a void one, what `is_void` is of may not."""
    flick = state.flick
    return not reasons.fails("had_right", is_void(state, coin), flick and flick.void_by)


def is_on_table(state: State, coin: str, reasons: Reasons) -> bool:
    """Whether a coin has not left the table in the flick under way. There must be one."""
    assert state.flick is not None
    return reasons.holds("on_table", coin not in state.flick.fell, coin)


def off_table(name: str) -> tuple[str, str]:
    """Why a coin that has left the table does nothing, with the section that says so."""
    return f"{name}'s coin is off the table.", "Fouls"


def why_void(state: State, coin: str) -> str:
    """Why a coin does nothing in a void flick, in words."""
    assert state.flick is not None
    what = f"{whose(state, coin)} earns, hits and wins nothing in it."
    return f"{state.flick.void_by} had no right to this flick: {what}"


def in_play(coin: Coin) -> bool:
    """Whether the coin can still do anything in the match; one that has not entered yet can."""
    return coin.state not in ("finished", "killed")


def place_name(place: str) -> str:
    """A place in words: `wicket-3` is "wicket 3", `left-endpost` "the left endpost"."""
    return (
        place.replace("-", " ") if place.startswith("wicket") else "the " + place.replace("-", " ")
    )


def call_for(
    state: State, on: str, name: str, index: int, text: str, *, rule: str = TURNS, **more: Any
) -> Call:
    """A call about one player's coin."""
    seat = state.table.seats[index]
    return Call(on=on, call=name, player=seat.name, coin=seat.coin, rule=rule, text=text, **more)


def whose(state: State, coin: str) -> str:
    """A coin in words, by its owner."""
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
    """The state as it is, and a call that says why something players may have expected to count
    does not.
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
    """A coin lies, or was put, where it should not; `text` goes on after the coin's name."""
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
