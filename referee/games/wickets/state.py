"""The state of a match of Wickets. It is frozen, comparable and hashable."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.entry import Setup
from referee.games.players import pawns_of
from referee.games.wickets.board import Board, Space, Step, board_from, template_board
from referee.games.words import BOARD_ORDER

#: The sections of the rules text that calls rest on.
BOTH: Final = "Rules applicable to both variations"
OWN_SECTION: Final = {
    "wickets-six": "Rules unique to Six-Wicket Croquet",
    "wickets-nine": "Rules unique to Nine-Wicket Croquet",
}
Phase = Literal["roll", "move", "choice", "croquet"]


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One ball, the player who plays it, and its side, as an index of `Table.sides`."""

    pawn: str
    name: str
    side: int


class Side(msgspec.Struct, frozen=True, gc=False):
    """The players who win or lose together: a team in its order of play, or one player."""

    players: tuple[str, ...]
    team: str | None


class Table(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What does not change during a match. `seats` are the balls in order of play. `section` is the
    section of the rules about this variation.
    """

    board: Board
    seats: tuple[Seat, ...]
    by_pawn: dict[str, int]
    sides: tuple[Side, ...]
    teams: bool
    section: str


class Ball(msgspec.Struct, frozen=True, gc=False):
    """One ball. `at` is None while it is not on the board. `came` is the heading in which it came
    to that space.

    `points` is the number of steps of the course that it has made. `dead` are the balls it may not
    hit until it scores. `out`: the ball was taken off the board for good. `finished`: it is out
    because it has done the whole course.
    """

    points: int = 0
    at: Space | None = None
    came: str | None = None
    dead: frozenset[str] = frozenset()
    out: bool = False
    finished: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """The state of a match at one point of its record. `active` is the ball whose turn it is, and
    `phase` what is expected.

    `dice` are the dice thrown for the current strike or croquet. `met` are the balls just roqueted,
    one of which may be croqueted. `sent` is a croquet declared before its die: the ball and the
    heading. `began` is the active ball as it was when its turn began. `number` counts the turns.
    `void` is set if the player has no right to this shot, or to the rest of this turn, but a ruling
    keeps the play.
    """

    table: Table
    balls: tuple[Ball, ...]
    active: int = 0
    phase: Phase = "roll"
    dice: tuple[tuple[str, int], ...] = ()
    met: tuple[str, ...] = ()
    sent: tuple[str, str] | None = None
    began: Ball = Ball()
    conceded: frozenset[str] = frozenset()
    over: bool = False
    winner: tuple[str, ...] = ()
    number: int = 0
    void: Literal["", "shot", "turn"] = ""


Judged = tuple[State, tuple[Verdict, ...]]


def begin(setup: Setup) -> State:
    """Return the state before the first throw. Balls play in the order of their colours. A player
    without a team forms a side alone, even with several balls.
    """
    owners = {pawn: player for player in setup.players for pawn in pawns_of(player)}
    pawns: list[str] = [pawn for pawn in BOARD_ORDER if pawn in owners]
    six = setup.game == "wickets-six"
    teams = six or any(owners[pawn].team is not None for pawn in pawns)
    keys: list[str] = []
    for pawn in pawns:
        key = (
            ("blue and black" if pawn in ("blue", "black") else "red and yellow")
            if six
            else (owners[pawn].team if teams else owners[pawn].name)
        )
        keys.append(key or "")
    sides = tuple(
        _side(
            key,
            pawns,
            keys,
            {pawn: (owners[pawn].name, owners[pawn].team) for pawn in pawns},
            teams,
        )
        for key in dict.fromkeys(keys)
    )
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    seats = tuple(
        Seat(pawn, owners[pawn].name, numbers[key]) for pawn, key in zip(pawns, keys, strict=True)
    )
    board = template_board(setup.game) if setup.layout is None else board_from(setup.layout)
    table = Table(
        board,
        seats,
        {pawn: i for i, pawn in enumerate(pawns)},
        sides,
        teams,
        OWN_SECTION[setup.game],
    )
    return State(table, tuple(Ball() for _ in pawns))


def _side(
    key: str, pawns: list[str], keys: list[str], who: dict[str, tuple[str, str | None]], teams: bool
) -> Side:
    mine = [who[pawn] for pawn, other in zip(pawns, keys, strict=True) if other == key]
    return Side(
        tuple(dict.fromkeys(name for name, _ in mine)), (mine[0][1] or key) if teams else None
    )


def with_ball(state: State, index: int, /, **changes: Any) -> State:
    """Return the state with one ball changed."""
    balls = list(state.balls)
    balls[index] = msgspec.structs.replace(balls[index], **changes)
    return msgspec.structs.replace(state, balls=tuple(balls))


def seat_of(state: State) -> Seat:
    """Return the active ball with its player."""
    return state.table.seats[state.active]


def next_step(state: State, index: int) -> Step | None:
    """Return the next step of a ball's course; None when the ball is out."""
    ball, course = state.balls[index], state.table.board.course
    return None if ball.out or ball.points >= len(course) else course[ball.points]


def is_rover(state: State, index: int) -> bool:
    """Return whether a ball has passed the last wicket and only has to strike the last stake."""
    return (
        not state.balls[index].out
        and state.balls[index].points == len(state.table.board.course) - 1
    )


def standing_on(state: State, space: Space, besides: int) -> tuple[int, ...]:
    """Return the balls on a space, not counting the ball `besides`."""
    return tuple(i for i, ball in enumerate(state.balls) if i != besides and ball.at == space)


def ball_name(state: State, index: int) -> str:
    """Return a ball in words: "Ann's blue ball"."""
    seat = state.table.seats[index]
    return f"{seat.name}'s {seat.pawn} ball"


def place_name(place: str) -> str:
    """Return a place of the course in words: "wicket 3", "the turning stake"."""
    return (
        place.replace("-", " ") if place.startswith("wicket-") else f"the {place.replace('-', ' ')}"
    )


def call_for(state: State, on: str, call: str, index: int, text: str, **more: Any) -> Call:
    """Return a call about one ball. Without `rule`, the call names the section of the rules that
    applies to both variations.
    """
    seat = state.table.seats[index]
    facts = {"pawn": seat.pawn, **more.pop("facts", {})}
    return Call(
        on=on,
        call=call,
        player=seat.name,
        coin=seat.pawn,
        rule=more.pop("rule", BOTH),
        text=text,
        facts=facts,
        **more,
    )


def refused(
    state: State,
    on: str,
    what: str,
    text: str,
    *,
    player: str | None = None,
    pawn: str | None = None,
) -> Judged:
    """Return the unchanged state and an irregularity."""
    who = player if player is not None or pawn is not None else seat_of(state).name
    return state, (Irregularity(on=on, what=what, rule=BOTH, text=text, coin=pawn, player=who),)
