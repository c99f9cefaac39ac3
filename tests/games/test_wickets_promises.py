"""What the fold of Wickets promises for random play, legal or not."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given

from referee.games import wickets
from referee.games.wickets.state import State
from referee.replay.fold import Fold, fold
from tests.games.promises import Line, Lines, checks, read
from tests.games.wickets_play import moved, records, rolled, said, setup_line

CHECKS = checks(40)


def numbered(*lines: Line) -> Lines:
    """Return a match of four balls with these entries, named n1, n2, ..."""
    return [
        setup_line("wickets-six", "AB"),
        *({"id": f"n{number}", **line} for number, line in enumerate(lines, start=1)),
    ]


DICE = (rolled("die-1", 1), rolled("die-2", 1))
DECLARED_BEFORE_THE_DIE = numbered(
    *DICE,
    moved("blue", None, [[4, 4], [3, 4]]),
    *DICE,
    moved("red", None, [[4, 4], [3, 4]]),
    said("croquet", pawn="blue", direction="n"),
)
CONCEDED_BEFORE_A_DIE = numbered(
    *DICE,
    {"entry": "ruling", "verdict": "overturned", "on": "n1"},
    {
        "entry": "ruling",
        "verdict": "replaced",
        "on": "n1",
        "then": "keep",
        "replacement": said("concede"),
    },
)


def states_of(folded: Fold) -> list[State]:
    return [folded.begun, *(step.state for step in folded.steps)]


@CHECKS
@given(records())
def test_points_only_grow_and_stay_on_the_course(lines: Lines) -> None:
    states = states_of(fold(read(lines)))
    most = len(states[0].table.board.course)
    for before, after in pairwise(states):
        assert all(
            0 <= old.points <= new.points <= most
            for old, new in zip(before.balls, after.balls, strict=True)
        )
        assert all(
            new.out or not old.out for old, new in zip(before.balls, after.balls, strict=True)
        )


@CHECKS
@given(records())
def test_every_ball_is_somewhere_it_may_be(lines: Lines) -> None:
    """A ball is on a space of the board that is not a stake, alone except on the start space. Or it
    has not begun, or it is out.
    """
    for state in states_of(fold(read(lines))):
        board = state.table.board
        spaces = [ball.at for ball in state.balls if ball.at is not None]
        assert all(board.has(space) and space not in board.stakes for space in spaces)
        assert all(space == board.start or spaces.count(space) == 1 for space in spaces)
        assert not any(ball.out and ball.at is not None for ball in state.balls)


@CHECKS
@given(records())
def test_nobody_is_dead_to_a_rover_to_itself_or_when_out(lines: Lines) -> None:
    for state in states_of(fold(read(lines))):
        for ball, seat in zip(state.balls, state.table.seats, strict=True):
            assert seat.pawn not in ball.dead
            assert not any(state.balls[state.table.by_pawn[pawn]].out for pawn in ball.dead)
            if ball.points >= len(state.table.board.course) - 1:
                assert not ball.dead


@CHECKS
@example(DECLARED_BEFORE_THE_DIE)
@example(CONCEDED_BEFORE_A_DIE)
@given(records())
def test_the_turn_is_always_somebodys_who_can_play(lines: Lines) -> None:
    """A void shot that stays is continued by the player who played it, even if that player had
    conceded before. After the ruling it is another player's turn.
    """
    folded = fold(read(lines))
    for state in states_of(folded):
        if not state.over:
            assert not state.balls[state.active].out
            assert (state.void and state is not folded.state) or wickets.active_player(
                state
            ) not in state.conceded
            assert (state.phase == "move") == (len(state.dice) == 2)
            assert not state.met or state.phase in ("choice", "croquet")
        hash(state)
