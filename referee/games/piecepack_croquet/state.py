"""The state of a match of Croquet for piecepack. It is frozen, comparable and hashable."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.entry import Setup
from referee.games.piecepack_croquet.lawn import Point
from referee.games.players import LAWN_ORDER, pawns_of
from referee.games.words import option

GAME: Final = "piecepack-croquet"
#: The suit of each pawn's coins.
SUITS: Final = {"black": "moons", "red": "suns", "blue": "arms", "green": "crowns"}
SPECIAL: Final = ("ace", "2", "3", "4", "5")
LAST_HOOP: Final = 6
#: A straight motion of this many steps always ends off the lawn; more steps make no difference.
LONGEST: Final = 400


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One pawn and who plays it."""

    pawn: str
    player: str
    team: str

    @property
    def suit(self) -> str:
        """Return the suit of the pawn's coins."""
        return SUITS[self.pawn]


class Table(msgspec.Struct, frozen=True, gc=False):
    """What does not change during a match: the pawns and the players in their orders, and the
    options.
    """

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    min_knock_on: int


class Ball(msgspec.Struct, frozen=True, gc=False):
    """One ball. `at` is where it stands; for a ball that left the lawn, the edge point where it
    left; None for a ball that has not entered or is pegged out.

    `shots` are the ranks of the special shots left. `spent` are the ranks of coins that may be
    turned over once: their special shot was declared or taken back, and after that the coin has not
    been seen turned over.
    """

    hoops: int = 0
    state: str = "not_entered"
    at: Point | None = None
    shots: tuple[str, ...] = SPECIAL
    spent: frozenset[str] = frozenset()
    conceded: bool = False

    @property
    def plays(self) -> bool:
        """Whether the ball still has turns."""
        return self.state != "pegged_out" and not self.conceded


class Motion(msgspec.Struct, frozen=True, gc=False):
    """A moving ball and the steps it has left. After `pause` steps a roll decides a misshot's
    direction (None: no such roll).

    `tested`: at hoops entered diagonally, a second roll against `difficulty` decides whether the
    ball goes on; otherwise it stops on them. `meant`: the announced route contains the peg.
    """

    ball: int
    steps: tuple[int, ...]
    pause: int | None = None
    tested: bool = False
    difficulty: int = 0
    meant: bool = False


class Announced(msgspec.Struct, frozen=True, gc=False):
    """A shot as announced: its route, both as directions and as points."""

    steps: tuple[int, ...]
    route: tuple[Point, ...]


class Stroke(msgspec.Struct, frozen=True, gc=False):
    """A croquet as announced: the roqueted ball, its direction and distance, and the own ball's
    direction in a follow-through (None for a stop-shot).
    """

    ball: int
    direction: int
    distance: int
    follow: int | None

    @property
    def follow_distance(self) -> int:
        """Return how far the own ball follows: half the distance, rounded up."""
        return (self.distance + 1) // 2


class State(msgspec.Struct, frozen=True, gc=False):
    """The state of a match at one point of its record.

    `expects` and `roll` say what comes next. `kind` is the kind of the next or current shot
    (`shot`, `bonus`, `continuation`, `play-off`, `croquet`). `said` is what was announced. `moving`
    is the motion of the moving ball, and `following` the motion that the player's own ball makes
    after the croqueted ball's. `roqueted` are the balls that cannot be roqueted again in this go,
    and `struck` is the ball roqueted in this shot. `ran`: the own ball has run a hoop in this shot.
    `doubtful`: the own ball follows only if a roll allows it. `peg_hit`: another ball has hit the
    peg in this croquet. `go` counts the goes. `void` is `shot` (or `go`) if the player has no right
    to this shot (or to the rest of this go), but a ruling keeps the play; otherwise it is empty.
    """

    table: Table
    balls: tuple[Ball, ...]
    active: int = 0
    expects: str = "place"
    roll: str = ""
    kind: str = "shot"
    said: Announced | Stroke | None = None
    moving: Motion | None = None
    following: Motion | None = None
    roqueted: frozenset[int] = frozenset()
    struck: int | None = None
    ran: bool = False
    doubtful: bool = False
    peg_hit: bool = False
    over: bool = False
    winner: tuple[str, ...] = ()
    go: int = 0
    void: Literal["", "shot", "go"] = ""


Judged = tuple[State, tuple[Verdict, ...]]


class Judging(msgspec.Struct, frozen=True, gc=False):
    """The id of the entry that is judged, and the reasons that collect its conditions. `entitled`:
    the player had a right to the entry; this is only false in a void shot that a ruling keeps.
    """

    on: str
    reasons: Reasons
    entitled: bool


def begin(setup: Setup) -> State:
    """Return the state before the first go."""
    owners = {pawn: player for player in setup.players for pawn in pawns_of(player)}
    seats = tuple(
        Seat(pawn, owners[pawn].name, owners[pawn].team or _side_name(pawn)) for pawn in LAWN_ORDER
    )
    order = tuple(dict.fromkeys(seat.player for seat in seats))
    return State(
        Table(seats, order, int(option(setup.options, GAME, "min_knock_on"))),
        tuple(Ball() for _ in seats),
    )


def _side_name(pawn: str) -> str:
    return "black and blue" if pawn in ("black", "blue") else "red and green"


def with_ball(state: State, index: int, /, **changes: Any) -> State:
    """Return the state with one ball changed."""
    balls = list(state.balls)
    balls[index] = msgspec.structs.replace(balls[index], **changes)
    return msgspec.structs.replace(state, balls=tuple(balls))


def seat_of(state: State) -> Seat:
    """Return the active pawn and its player."""
    return state.table.seats[state.active]


def index_of(pawn: str) -> int:
    """Return a pawn's index in the order of play."""
    return LAWN_ORDER.index(pawn)


def of_coin(coin: str) -> tuple[int, str]:
    """Return the index of the pawn that a coin belongs to, and the coin's rank."""
    suit, _, rank = coin.partition("-")
    return list(SUITS.values()).index(suit), rank


def team_mate(index: int) -> int:
    """Return the index of the other ball of the same team."""
    return (index + 2) % 4


def ball_at(state: State, at: Point, besides: int) -> int | None:
    """Return the index of the ball in play on an intersection, not counting the ball `besides`;
    None if there is none. If two balls share the place, return the first in the order of play.
    """
    for index, ball in enumerate(state.balls):
        if ball.at == at and index != besides and ball.state == "in_play":
            return index
    return None


def taken(state: State) -> frozenset[Point]:
    """Return the intersections on which balls stand."""
    return frozenset(
        ball.at for ball in state.balls if ball.state == "in_play" and ball.at is not None
    )


def decider(state: State) -> int:
    """Return the index of the pawn whose player decides a disaster: go back in the order of play
    from the active player to the first opponent who is not pegged out and has not conceded (DS-21).
    """
    before = [(state.active - 1) % 4, (state.active - 3) % 4]
    left = (
        [i for i in before if state.balls[i].plays]
        or [i for i in before if state.balls[i].state != "pegged_out"]
        or before
    )
    return left[0]


def name_of(state: State, index: int) -> str:
    """Return a ball in words: "Ann's black ball"."""
    seat = state.table.seats[index]
    return f"{seat.player}'s {seat.pawn} ball"


def call_for(
    state: State,
    on: str,
    name: str,
    index: int,
    text: str,
    *,
    rule: str,
    facts: dict[str, Any] | None = None,
    **more: Any,
) -> Call:
    """Return a call about one ball, named in `coin` and in `pawn`."""
    seat = state.table.seats[index]
    pawn = {"pawn": seat.pawn}
    return Call(
        on=on,
        call=name,
        player=seat.player,
        coin=seat.pawn,
        rule=rule,
        text=text,
        facts=pawn if facts is None else pawn | facts,
        **more,
    )


def refused(
    state: State,
    on: str,
    what: str,
    rule: str,
    text: str,
    *,
    player: str | None = None,
    facts: dict[str, Any] | None = None,
) -> Judged:
    """Return the unchanged state and an irregularity."""
    return state, (
        Irregularity(on=on, what=what, rule=rule, text=text, player=player, facts=facts),
    )
