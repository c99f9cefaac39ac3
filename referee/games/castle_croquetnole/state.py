"""The state of a match of Castle Croquetnole. It is frozen, comparable and hashable."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import msgspec

from referee.domain.call import Verdict
from referee.domain.entry import Setup, sizes_of
from referee.domain.geometry import Point
from referee.domain.pieces import GUARDS
from referee.games.ground import Displaced, Ground, laid_ground
from referee.games.words import SUITS, option

GAME: Final = "castle-croquetnole"
KNIGHT: Final = 0
GUARD: Final = 1
SETUP: Final = "Setup"
START: Final = "Starting the Game"
CASTLES: Final = "Entering and Leaving Castles"
SCORING: Final = "Invading Castles and Scoring"
PRISONERS: Final = "Prisoners"
BONUS: Final = "Bonus Flicks"
ERRORS: Final = "Errors and Penalties"
WINNING: Final = "Object of the Game"


class Step(NamedTuple):
    """One step of a knight's course: a gate with its direction, a door or a tower."""

    place: str
    direction: str | None


def _course(own: int) -> tuple[Step, ...]:
    steps = [Step(f"gate-{SUITS[own]}", "out")]
    for k in (1, 2, 3):
        suit = SUITS[(own + k) % 4]
        steps += [
            Step(f"gate-{suit}", "in"),
            Step(f"door-{suit}", None),
            Step(f"tower-{suit}", None),
            Step(f"gate-{suit}", "out"),
        ]
    return (*steps, Step(f"gate-{SUITS[own]}", "in"), Step(f"tower-{SUITS[own]}", None))


#: Each suit's course of 15 steps: out of its own castle, clockwise through the other three, and
#: home to its own tower.
COURSES: Final = {suit: _course(i) for i, suit in enumerate(SUITS)}
LENGTH: Final = 15


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One player at the table. The knight's coin is also the suit of the castle."""

    name: str
    knight: str
    guard: str


class Table(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What does not change during a match. `by_coin` gives the index of a coin's owner among the
    seats, and whether the coin is a knight or a guard.
    """

    seats: tuple[Seat, ...]
    by_coin: dict[str, tuple[int, int]]
    coin_mm: float
    tile_mm: float
    own_gate_bonus: bool
    inset: bool


class Owed(msgspec.Struct, frozen=True, gc=False):
    """A place where a coin must be put before the next flick.

    `what` is one of four kinds. "exit": back where it left the table, at `at_mm`. "return": where
    it lay before its flick, at `at_mm` (None if nobody knows). "tower": on the tower of `suit`.
    "start": beside the tower of `suit`. `done` is True once the coin lies there.
    """

    what: str
    at_mm: Point | None = None
    suit: str = ""
    done: bool = False


class Coin(msgspec.Struct, frozen=True, gc=False):
    """One coin. `inside` is the castle it is in (None: the Wasteland). `fresh` is True until the
    coin is first flicked or hit. `laid` is True once the coin was put in its place for the start.
    """

    inside: str | None
    at_mm: Point | None = None
    owed: Owed | None = None
    fresh: bool = True
    laid: bool = False

    @property
    def to_place(self) -> Owed | None:
        """Return where the coin must still be put before the next flick; None if it need not be put
        anywhere.
        """
        return self.owed if self.owed is not None and not self.owed.done else None


class Side(msgspec.Struct, frozen=True, gc=False):
    """One player's progress. `waiting`: the knight was released and sits on its own tower until the
    owner's next turn. `opened`: round one is over for this player.
    """

    progress: int = 0
    prisoner_of: str | None = None
    waiting: bool = False
    conceded: bool = False
    opened: bool = False


class Flick(msgspec.Struct, frozen=True, gc=False):
    """The current flick. `own`: the player flicks the coin in turn; otherwise the flick cannot earn
    flicks. `hits`: contacts in this flick can be strikes.

    `void_by`: the player who, under all rulings so far, made the flick without a right to it ("":
    nobody). `met`: the coins of `touching` that were touched again during the flick. `croquet`: the
    knight hit its own guard. `void`: the coins that can do nothing more in this flick. `fell`: the
    coins that left the table. `crossed`: every crossing seen, to compare with where the coins come
    to rest. `lain`: where the coins lay before the flick.
    """

    on: str
    coin: str
    own: bool
    hits: bool = True
    void_by: str = ""
    touching: frozenset[str] = frozenset()
    met: frozenset[str] = frozenset()
    croquet: bool = False
    void: frozenset[str] = frozenset()
    fell: frozenset[str] = frozenset()
    crossed: tuple[tuple[str, str, int], ...] = ()
    lain: tuple[Point | None, ...] = ()


class Offer(msgspec.Struct, frozen=True, gc=False):
    """The croquet that a player may take after the knight hit its own guard.

    `option` is the kind of croquet that was declared (None: none yet). `moved` says that a hand has
    put the knight beside the guard, as that kind of croquet allows.
    """

    option: Literal[1, 2, 3, 4, 5] | None = None
    moved: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """The state of a match at one point of its record. `role` says which coin is in turn (the
    knight, then the guard), and `played` whether it has been flicked this turn.

    `struck` holds the pairs (striker, struck coin) that earn nothing more this turn. `gates` holds
    the directions ("out", "in") in which the guard has already earned a flick at its own gate this
    turn. `coins` holds the knight and the guard of each seat, in order.
    """

    table: Table
    ground: Ground
    coins: tuple[Coin, ...]
    sides: tuple[Side, ...]
    active: int = 0
    role: int = KNIGHT
    flicks: int = 1
    played: bool = False
    struck: frozenset[tuple[str, str]] = frozenset()
    gates: frozenset[str] = frozenset()
    flick: Flick | None = None
    offer: Offer | None = None
    displaced: Displaced = frozenset()
    over: bool = False
    winner: tuple[str, ...] = ()


Judged = tuple[State, tuple[Verdict, ...]]


def begin(setup: Setup) -> State:
    """Return the state before the first flick: every guard is on duty, and every knight is in its
    own castle.
    """
    seats = tuple(
        Seat(player.name, player.coin or "", GUARDS[player.coin or ""]) for player in setup.players
    )
    sizes = sizes_of(setup)
    by_coin = {
        coin: (i, role)
        for i, seat in enumerate(seats)
        for role, coin in ((KNIGHT, seat.knight), (GUARD, seat.guard))
    }
    table = Table(
        seats,
        by_coin,
        sizes.coin_mm,
        sizes.tile_mm,
        bool(option(setup.options, GAME, "own_gate_bonus")),
        bool(option(setup.options, GAME, "inset")),
    )
    coins = tuple(Coin(inside=seat.knight) for seat in seats for _ in (KNIGHT, GUARD))
    return State(table, laid_ground(setup), coins, tuple(Side() for _ in seats))


def place_of(state: State, coin: str) -> int:
    """Return a coin's index in `coins`."""
    index, role = state.table.by_coin[coin]
    return 2 * index + role


def coin_of(state: State, coin: str) -> Coin:
    """Return the coin with this name."""
    return state.coins[place_of(state, coin)]


def with_coin(state: State, coin: str, /, **changes: Any) -> State:
    """Return the state with one coin changed."""
    coins = list(state.coins)
    place = place_of(state, coin)
    coins[place] = msgspec.structs.replace(coins[place], **changes)
    return msgspec.structs.replace(state, coins=tuple(coins))


def with_side(state: State, index: int, /, **changes: Any) -> State:
    """Return the state with one player's side changed."""
    sides = list(state.sides)
    sides[index] = msgspec.structs.replace(sides[index], **changes)
    return msgspec.structs.replace(state, sides=tuple(sides))


def with_flick(state: State, /, **changes: Any) -> State:
    """Return the state with the current flick changed. There must be one."""
    assert state.flick is not None
    return msgspec.structs.replace(state, flick=msgspec.structs.replace(state.flick, **changes))


def seat_of(state: State) -> Seat:
    """Return the active player's seat."""
    return state.table.seats[state.active]


def owner_of(state: State, coin: str) -> int:
    """Return the index of a coin's owner among the seats."""
    return state.table.by_coin[coin][0]


def is_knight(state: State, coin: str) -> bool:
    """Return whether a coin is a knight."""
    return state.table.by_coin[coin][1] == KNIGHT


def in_turn(state: State) -> str:
    """Return the coin in turn: first the active player's knight, then the guard."""
    return (seat_of(state).knight, seat_of(state).guard)[state.role]


def is_played(state: State, coin: str) -> bool:
    """Return whether `coin` is being played: it is in turn, and its own player flicked it."""
    return state.flick is not None and state.flick.own and coin == state.flick.coin


def is_void(state: State, coin: str) -> bool:
    """Return whether a coin can do nothing because the flick is void: the flicked coin, or one of
    the two own coins of the player who flicked.
    """
    flick = state.flick
    if flick is None or not flick.void_by:
        return False
    return coin == flick.coin or state.table.seats[owner_of(state, coin)].name == flick.void_by


def on_duty(state: State, index: int) -> bool:
    """Return whether a player's guard is on duty: it is inside its own castle. Only a crossing of
    its own gate changes that.
    """
    return state.coins[2 * index + GUARD].inside == state.table.seats[index].knight


def is_guard_on_duty(state: State, coin: str) -> bool:
    """Return whether `coin` is a guard that is on duty."""
    return not is_knight(state, coin) and on_duty(state, owner_of(state, coin))


def may_move(state: State, index: int) -> bool:
    """Return whether a player's knight may be played: it is not a prisoner and does not wait on its
    own tower.
    """
    side = state.sides[index]
    return side.prisoner_of is None and not side.waiting


def is_away(state: State, coin: str) -> bool:
    """Return whether a coin is a knight out of play: a prisoner (on a tower, or still to be put on
    it), or a knight that waits on its own tower.
    """
    return is_knight(state, coin) and not may_move(state, owner_of(state, coin))


def next_step(state: State, index: int) -> Step | None:
    """Return the next step of a player's knight; None after the last one."""
    progress = state.sides[index].progress
    return COURSES[state.table.seats[index].knight][progress] if progress < LENGTH else None
