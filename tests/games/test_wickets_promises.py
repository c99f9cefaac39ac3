"""What the fold of Wickets promises over random play, legal and not."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee.adjudication import adjudicate, summary
from referee.entry import Ruling
from referee.explaining import explain
from referee.fold import Fold, extend, fold
from referee.games import wickets
from referee.games.wickets.state import State
from referee.record import lines_of, parse_record
from tests.games.wickets_play import Line, entries_of, moved, records, rolled, said, setup_line

CHECKS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def numbered(*lines: Line) -> list[Line]:
    """A match of four balls with these entries, called n1, n2, ..."""
    return [setup_line("wickets-six", "AB"), *({"id": f"n{number}", **line} for number, line in enumerate(lines, start=1))]


DICE = (rolled("die-1", 1), rolled("die-2", 1))
DECLARED_BEFORE_THE_DIE = numbered(
    *DICE, moved("blue", None, [[4, 4], [3, 4]]), *DICE, moved("red", None, [[4, 4], [3, 4]]), said("croquet", pawn="blue", direction="n")
)
CONCEDED_BEFORE_A_DIE = numbered(
    *DICE, {"entry": "ruling", "verdict": "overturned", "on": "n1"},
    {"entry": "ruling", "verdict": "replaced", "on": "n1", "then": "keep", "replacement": said("concede")},
)  # fmt: skip


def result(folded: Fold) -> dict[str, Any]:
    return summary(folded).as_json()


def states_of(folded: Fold) -> list[State]:
    return [folded.begun, *(step.state for step in folded.steps)]


@CHECKS
@given(records())
def test_nothing_raises_and_folding_again_gives_the_same(lines: list[Line]) -> None:
    read = entries_of(lines)
    assert adjudicate(read).as_json() == adjudicate(read).as_json()


@CHECKS
@given(records())
def test_points_only_grow_and_stay_on_the_course(lines: list[Line]) -> None:
    states = states_of(fold(entries_of(lines)))
    most = len(states[0].table.board.course)
    for before, after in pairwise(states):
        assert all(0 <= old.points <= new.points <= most for old, new in zip(before.balls, after.balls, strict=True))
        assert all(new.out or not old.out for old, new in zip(before.balls, after.balls, strict=True))


@CHECKS
@given(records())
def test_every_ball_is_somewhere_it_may_be(lines: list[Line]) -> None:
    """On a space of the board that is no stake, alone but on the start space; not begun; or out."""
    for state in states_of(fold(entries_of(lines))):
        board = state.table.board
        spaces = [ball.at for ball in state.balls if ball.at is not None]
        assert all(board.has(space) and space not in board.stakes for space in spaces)
        assert all(space == board.start or spaces.count(space) == 1 for space in spaces)
        assert not any(ball.out and ball.at is not None for ball in state.balls)


@CHECKS
@given(records())
def test_nobody_is_dead_to_a_rover_to_itself_or_when_out(lines: list[Line]) -> None:
    for state in states_of(fold(entries_of(lines))):
        for ball, seat in zip(state.balls, state.table.seats, strict=True):
            assert seat.pawn not in ball.dead
            assert not any(state.balls[state.table.by_pawn[pawn]].out for pawn in ball.dead)
            if ball.points >= len(state.table.board.course) - 1:
                assert not ball.dead


@CHECKS
@example(DECLARED_BEFORE_THE_DIE)
@example(CONCEDED_BEFORE_A_DIE)
@given(records())
def test_the_turn_is_always_somebodys_who_can_play(lines: list[Line]) -> None:
    """A void shot that stays is played on by whoever played it, also by a player who had conceded before; behind the ruling it is another's turn."""
    folded = fold(entries_of(lines))
    for state in states_of(folded):
        if not state.over:
            assert not state.balls[state.active].out
            assert (state.void and state is not folded.state) or wickets.active_player(state) not in state.conceded
            assert (state.phase == "move") == (len(state.dice) == 2)
            assert not state.met or state.phase in ("choice", "croquet")
        hash(state)


@CHECKS
@given(records())
def test_a_record_written_and_read_again_is_the_same(lines: list[Line]) -> None:
    read = entries_of(lines)
    assert parse_record(b"".join(lines_of(read))) == read
    assert json.loads(json.dumps(adjudicate(read).as_json())) == adjudicate(read).as_json()


@CHECKS
@given(records())
def test_one_entry_at_a_time_comes_to_the_same_and_leaves_the_shorter_fold_alone(lines: list[Line]) -> None:
    first, *rest = entries_of(lines)
    folded = fold([first])
    for entry in rest:
        before = result(folded)
        longer = extend(folded, entry)
        assert result(folded) == before
        folded = longer
    assert result(folded) == adjudicate([first, *rest]).as_json()


@CHECKS
@given(records(), st.data())
def test_overturning_an_overturn_restores(lines: list[Line], data: st.DataObject) -> None:
    read = entries_of(lines)
    named = [str(entry.id) for entry in read[1:] if not isinstance(entry, Ruling)]
    if not named:
        return
    folded = fold(read)
    over = Ruling(id="a", on=data.draw(st.sampled_from(named)), verdict="overturned")
    assert result(extend(extend(folded, over), Ruling(id="b", on="a", verdict="overturned"))) == result(folded)


@CHECKS
@given(records(ruled=False), st.data())
def test_an_overturned_entry_is_as_if_it_had_never_been(lines: list[Line], data: st.DataObject) -> None:
    if len(lines) < 2:
        return
    place = data.draw(st.integers(1, len(lines) - 1))
    if lines[place].get("kind") == "challenge":
        return
    ruled = adjudicate(entries_of([*lines, {"entry": "ruling", "id": "r", "on": lines[place]["id"], "verdict": "overturned"}]))
    without = adjudicate(entries_of([*lines[:place], *lines[place + 1 :]]))
    rows = [[{key: value for key, value in row.items() if key != "challenges_left"} for row in one.standings] for one in (ruled, without)]
    assert (rows[0], ruled.turn, ruled.winner, ruled.calls) == (rows[1], without.turn, without.winner, without.calls)


@CHECKS
@given(records(ruled=False), st.data())
def test_with_keep_every_ball_stays_where_it_lies(lines: list[Line], data: st.DataObject) -> None:
    """Unless no shot was played in between: then all is as if the die had never been thrown. Balls that are out apart."""
    dice = [line["id"] for line in lines if line.get("kind") == "rolled"]
    folded = fold(entries_of(lines))
    if not dice or folded.question is not None:
        return
    on = data.draw(st.sampled_from(dice))
    kept, plain = (extend(folded, Ruling(id="a", on=on, verdict="overturned", then=then)) for then in ("keep", None))
    if any(call.call in ("staked_out", "game_won") for one in (folded, kept, plain) for call in one.told.calls):
        return
    assert wickets.pawns(kept.state) in (wickets.pawns(folded.state), wickets.pawns(plain.state))


@CHECKS
@given(records(), st.data())
def test_every_entry_can_be_explained(lines: list[Line], data: st.DataObject) -> None:
    if len(lines) > 1:
        name = data.draw(st.sampled_from([line["id"] for line in lines[1:]]))
        assert explain(entries_of(lines), name).as_json()["on"] == name
