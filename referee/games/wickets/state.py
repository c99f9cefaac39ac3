"""Where a match of Wickets stands: frozen, comparable, hashable."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.entry import Setup
from referee.games.players import pawns_of
from referee.games.wickets.board import Board, Space, Step, board_from, template_board
from referee.games.words import BOARD_ORDER

#: The sections of the rules text that calls rest on.
BOTH = "Rules applicable to both variations"
OWN_SECTION = {
    "wickets-six": "Rules unique to Six-Wicket Croquet",
    "wickets-nine": "Rules unique to Nine-Wicket Croquet",
}
Phase = Literal["roll", "move", "choice", "croquet"]


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One ball with the player who plays it and the side (an index of `Table.sides`) it belongs
    to.
    """

    pawn: str
    name: str
    side: int


class Side(msgspec.Struct, frozen=True, gc=False):
    """Who wins or loses together: a team's players in their order, or one player."""

    players: tuple[str, ...]
    team: str | None


class Table(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What does not change during a match. `seats` are the balls in order of play, `section` the
    rules of this variation.
    """

    board: Board
    seats: tuple[Seat, ...]
    by_pawn: dict[str, int]
    sides: tuple[Side, ...]
    teams: bool
    section: str


class Ball(msgspec.Struct, frozen=True, gc=False):
    """One ball. `at` is None while it is not on the board; `came` is the heading of its last step
    into that space.

    `points` are the course's steps made; `dead` the balls it may not hit until it scores. `out`:
    taken off the board for good, `finished` when by striking the last stake in turn.
    """

    points: int = 0
    at: Space | None = None
    came: str | None = None
    dead: frozenset[str] = frozenset()
    out: bool = False
    finished: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """A match between two entries. `active` is the ball whose turn it is, `phase` what is awaited.

    `dice` are the dice thrown for the strike (or the croquet) under way; `met` the balls just
    roqueted, of which one may be croqueted; `sent` a croquet declared before its die: the ball and
    the heading. `began` is the active ball as it stood when its turn began. `number` counts the
    turns; `void` says that the player had no right to this shot, or to this turn any more, in play
    that a ruling lets stay.
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
    """The state before the first throw. Balls play in the order of their colours; two balls of one
    player are a side of their own.
    """
    owners = {pawn: player for player in setup.players for pawn in pawns_of(player)}
    pawns = [pawn for pawn in BOARD_ORDER if pawn in owners]
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
    """The state with one ball changed."""
    balls = list(state.balls)
    balls[index] = msgspec.structs.replace(balls[index], **changes)
    return msgspec.structs.replace(state, balls=tuple(balls))


def seat_of(state: State) -> Seat:
    """Whose turn it is."""
    return state.table.seats[state.active]


def next_step(state: State, index: int) -> Step | None:
    """The next step of a ball's course; None when it is out."""
    ball, course = state.balls[index], state.table.board.course
    return None if ball.out or ball.points >= len(course) else course[ball.points]


def is_rover(state: State, index: int) -> bool:
    """Whether a ball has passed the last wicket and has only the last stake before it."""
    return (
        not state.balls[index].out
        and state.balls[index].points == len(state.table.board.course) - 1
    )


def standing_on(state: State, space: Space, but: int) -> tuple[int, ...]:
    """The balls on a space, one (`but`) left out."""
    return tuple(i for i, ball in enumerate(state.balls) if i != but and ball.at == space)


def ball_name(state: State, index: int) -> str:
    """A ball in words: whose it is, and its colour."""
    seat = state.table.seats[index]
    return f"{seat.name}'s {seat.pawn} ball"


def place_name(place: str) -> str:
    """A place of the course in words."""
    return (
        place.replace("-", " ") if place.startswith("wicket-") else f"the {place.replace('-', ' ')}"
    )


def call_for(state: State, on: str, call: str, index: int, text: str, **more: Any) -> Call:
    """A call about one ball; it rests on the rules of both variations unless `rule` says
    otherwise.
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
    """The state as it is, and an irregularity."""
    who = player if player is not None or pawn is not None else seat_of(state).name
    return state, (Irregularity(on=on, what=what, rule=BOTH, text=text, coin=pawn, player=who),)
