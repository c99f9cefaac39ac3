"""The state of a match of Carroms. It is frozen, comparable and hashable."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from referee.domain.call import Call, Verdict
from referee.domain.entry import Setup, course_of, sizes_of
from referee.domain.geometry import Point
from referee.domain.pieces import STRIKER
from referee.games.carroms.board import Board, board_of
from referee.games.ground import Displaced
from referee.games.words import option

GAME: Final = "carroms"
RULE: Final = "Playing the game"
SETUP: Final = "Setting Up The Game"
SUITS: Final = ("suns", "arms")
COLOURS: Final = {"suns": "red", "arms": "blue"}
BLACK: Final = "moons"
OWN_COINS: Final = 6
#: The black stands first because it goes back first when several coins go back (CA-8).
COINS: Final = (
    BLACK,
    *(f"{suit}-{number}" for suit in SUITS for number in range(1, OWN_COINS + 1)),
    STRIKER,
)
PLACE: Final = {coin: i for i, coin in enumerate(COINS)}


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One player at the table. `coin` is the suit that the player plays."""

    name: str
    coin: str


class Table(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What does not change during a match: the players, the sizes and the options."""

    seats: tuple[Seat, ...]
    by_suit: dict[str, int]
    coin_mm: float
    tile_mm: float
    black_same_flick: bool


class Piece(msgspec.Struct, frozen=True, gc=False):
    """One coin. `at_mm` is where it lies; None if that is not known, or if it is not on the board.
    `lifted` says that a hand took the coin off and must put it back; `at_mm` is then where it lay.

    `owed` says why the coin must be put on the board: "off" (it went over a wall), "black" (it fell
    too early), "penalty", "void" (it fell in a flick its player had no right to), or "striker". It
    stays set until the coin was put in its right place and the next flick is made, or until the
    coin is flicked. `back` is True once the coin was put in its right place.
    """

    at_mm: Point | None = None
    owed: str = ""
    back: bool = False
    lifted: bool = False

    @property
    def missing(self) -> bool:
        """Whether the coin must still be put on the board."""
        return self.owed != "" and not self.back


class Flick(msgspec.Struct, frozen=True, gc=False):
    """The current flick, made by player `by`. `counts`: that player had a right to it; otherwise
    nothing is earned, lost or won in it. `takes`: it uses up the turn. `void`: by a ruling the
    player had no right to it, and the player's own coins that fell in it go back.

    `live`: all the player's own coins were down before the flick. `earned`: an own coin fell.
    `gone`: the coins that left the board in the flick. `struck`: "pocketed" or "over" (a wall) for
    a striker that left the board, and `struck_on` is the entry in which it left. `black_on` is the
    entry in which the black fell, and `wins` says whether the black was live at that moment.
    `lain`: where the coins lay before the flick.
    """

    on: str
    coin: str
    by: int
    counts: bool
    takes: bool
    live: bool
    void: bool = False
    earned: bool = False
    gone: frozenset[str] = frozenset()
    struck: str = ""
    struck_on: str = ""
    black_on: str = ""
    wins: bool = False
    lain: tuple[Point | None, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    """The state of a match at one point of its record. `pile` holds the coins in the pockets, in
    the order in which they fell.

    `broken`: the break, the first flick, has been made. `known`: the last `at_rest` said where the
    coins lie. `holds`: the lines of tiles that each player holds down for the next flick.
    """

    table: Table
    board: Board
    pieces: tuple[Piece, ...]
    pile: tuple[str, ...] = ()
    active: int = 0
    broken: bool = False
    known: bool = False
    flick: Flick | None = None
    holds: tuple[tuple[str, ...], ...] = ((), ())
    displaced: Displaced = frozenset()
    conceded: int | None = None
    over: bool = False
    winner: str | None = None


Judged = tuple[State, tuple[Verdict, ...]]


def begin(setup: Setup) -> State:
    """Return the state before the break."""
    seats = tuple(Seat(player.name, player.coin or "") for player in setup.players)
    sizes = sizes_of(setup)
    same_flick = option(setup.options, GAME, "black_same_flick")
    table = Table(
        seats,
        {seat.coin: i for i, seat in enumerate(seats)},
        sizes.coin_mm,
        sizes.tile_mm,
        same_flick,
    )
    return State(table, board_of(course_of(setup)), (Piece(),) * len(COINS))


def piece(state: State, coin: str) -> Piece:
    """Return the coin with this name."""
    return state.pieces[PLACE[coin]]


def with_piece(state: State, coin: str, /, **changes: Any) -> State:
    """Return the state with one coin changed."""
    pieces = list(state.pieces)
    pieces[PLACE[coin]] = msgspec.structs.replace(pieces[PLACE[coin]], **changes)
    return msgspec.structs.replace(state, pieces=tuple(pieces))


def with_flick(state: State, /, **changes: Any) -> State:
    """Return the state with the current flick changed. There must be one."""
    assert state.flick is not None
    return msgspec.structs.replace(state, flick=msgspec.structs.replace(state.flick, **changes))


def on_table(state: State) -> tuple[str, ...]:
    """Return the coins that lie on the board. Before the break, the striker is one of them only
    after it was put there.
    """
    return tuple(coin for coin in COINS if _lies(state, coin))


def off_table(state: State) -> tuple[str, ...]:
    """Return the coins that are not on the board but must be put there. Coins in pockets are out of
    the game.
    """
    return tuple(coin for coin in COINS if not _lies(state, coin) and coin not in state.pile)


def _lies(state: State, coin: str) -> bool:
    now = piece(state, coin)
    if coin == STRIKER and not state.broken and now.at_mm is None:
        return False
    fell = state.flick is not None and coin in state.flick.gone and now.at_mm is None
    return not (coin in state.pile or now.missing or now.lifted or fell)


def seat_of(state: State) -> Seat:
    """Return the active player's seat."""
    return state.table.seats[state.active]


def names(state: State) -> tuple[str, ...]:
    """Return the players' names in order of play."""
    return tuple(seat.name for seat in state.table.seats)


def owner(state: State, coin: str) -> int | None:
    """Return the index of the coin's owner; None for the black, the striker and an unknown coin."""
    return state.table.by_suit.get(coin.partition("-")[0]) if coin in PLACE else None


def owner_name(state: State, coin: str) -> str | None:
    """Return the name of the coin's owner; None if it has no owner."""
    index = owner(state, coin)
    return None if index is None else state.table.seats[index].name


def own_down(state: State, index: int) -> list[str]:
    """Return the player's own coins in the pockets, in the order in which they fell."""
    return [coin for coin in state.pile if owner(state, coin) == index]


def all_down(state: State, index: int) -> bool:
    """Return whether all of the player's own coins are in the pockets."""
    return len(own_down(state, index)) == OWN_COINS


def in_words(coin: str) -> str:
    """Return a coin in words: "red coin 3" for `suns-3`."""
    suit, _, number = coin.partition("-")
    return {STRIKER: "the striker", BLACK: "the black coin"}.get(coin) or (
        f"{COLOURS[suit]} coin {number}" if suit in COLOURS else f"the coin {coin}"
    )


def pocket_in_words(pocket: str) -> str:
    """Return a pocket in words: "the north-east pocket" for `pocket-ne`."""
    corner = pocket.removeprefix("pocket-")
    return (
        f"the {'north' if corner[0] == 'n' else 'south'}-{'east' if corner[1] == 'e' else 'west'}"
        " pocket"
    )


def sentence(text: str) -> str:
    """Return the text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def call_for(
    state: State,
    on: str,
    name: str,
    index: int,
    text: str,
    *,
    coin: str | None = STRIKER,
    **more: Any,
) -> Call:
    """Return a call about one player."""
    return Call(
        on=on,
        call=name,
        player=state.table.seats[index].name,
        coin=coin,
        rule=more.pop("rule", RULE),
        text=text,
        **more,
    )


def no_effect(state: State, on: str, coin: str, reason: str, *, place: str | None = None) -> Judged:
    """Return the unchanged state, and a call that says why something does not count although
    players may expect it to.
    """
    return state, (
        Call(
            on=on,
            call="no_effect",
            player=owner_name(state, coin),
            coin=coin,
            place=place,
            flicks=0,
            rule=RULE,
            text=reason,
        ),
    )
