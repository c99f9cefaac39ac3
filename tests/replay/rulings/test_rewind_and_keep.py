"""What a ruling's `then` does with the play in between, where a fixture's standings cannot show
it.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.replay.adjudication import adjudicate, summary
from referee.replay.fold import extend, fold
from tests.record.matches import entries, line, odd, play, progress, setup, turn

FLICKED_ON = (
    "flick moons",
    "cross moons 1 out",
    "rest moons 300 0 suns 50 10",
    "flick moons",
    "rest moons 500 0 suns 50 10",
    "flick suns",
    "rest moons 500 0 suns 90 10",
)


def ruling(
    verdict: str, on: str, then: str | None, replacement: str | None = None
) -> dict[str, Any]:
    """Return a ruling with its `then`."""
    row: dict[str, Any] = {
        "entry": "ruling",
        "verdict": verdict,
        "after" if verdict == "added" else "on": on,
        "then": then,
    }
    return row if replacement is None else {**row, "replacement": line(replacement)}


def test_a_denied_turn_says_whose_and_how_many_flicks() -> None:
    """Ann's second flick has two hits more. Wicket 2 and Ben's coin give her three flicks, and she
    has used none when Ben flicks.
    """
    result = play(
        setup(2),
        *FLICKED_ON,
        ruling("added", "i4", None, "cross moons 2 out"),
        ruling("added", "i4", "keep", "hit moons suns"),
    )
    (denied,) = (one for one in result.irregularities if one.what == "denied_entitlement")
    assert (denied.on, denied.player, denied.coin, denied.facts) == (
        "i6",
        "Ann",
        "moons",
        {"flicks": 3},
    )
    ended = next(call for call in result.calls if call.call == "turn_ended" and call.on == "i6")
    assert (ended.player, ended.flicks) == ("Ann", -3)


def test_a_void_flick_is_its_players_and_says_so() -> None:
    result = play(setup(2), *FLICKED_ON, ruling("overturned", "i2", "keep"))
    (void,) = (one for one in result.irregularities if one.what == "void_entitlement")
    assert (void.on, void.player, void.coin) == ("i4", "Ann", "moons")


def test_a_player_who_conceded_in_play_that_is_kept_has_conceded() -> None:
    """The concession names nobody. It was Ann's, in the turn that her wicket had given her. Without
    that turn it would be Ben's.
    """
    played = (
        "flick moons",
        "cross moons 1 out",
        "rest",
        "flick moons",
        "cross moons 2 out",
        "rest",
        "concede",
    )
    result = play(setup(3), *played, ruling("overturned", "i2", "keep"))
    assert [row.get("conceded", False) for row in result.standings] == [True, False, False]
    assert turn(result) == ("suns", 1)


def test_what_is_seen_behind_the_ruling_counts_again() -> None:
    then = ("place moons 300 0", "place suns 50 10", "flick suns", "cross suns 1 out", "rest")
    result = play(setup(2), *FLICKED_ON, ruling("overturned", "i2", "rewind"), *then)
    assert (progress(result), turn(result), odd(result)) == ([0, 1], ("suns", 1), [])


def test_a_doubt_in_a_kept_flick_is_weighed_in_the_turn_it_was_played_in() -> None:
    """Ben's flick follows a turn that was cut short. Whether it passes wicket 1 is too close to
    call and decides who is next.
    """
    result = play(
        setup(2),
        "flick moons",
        "rest",
        "flick suns",
        "cross suns 1 out probability=0.5",
        "rest",
        ruling("added", "i1", "keep", "cross moons 1 out"),
    )
    assert [(question.on, question.what) for question in result.questions] == [("i4", "too_close")]
    assert turn(result) == ("suns", 0)


@pytest.mark.parametrize("then", ["keep", "rewind"])
def test_a_shorter_fold_is_left_alone(then: str) -> None:
    read = entries(setup(2), *FLICKED_ON, ruling("overturned", "i2", then))
    short = fold(read[:-1])
    before = summary(short).as_json()
    longer = extend(short, read[-1])
    assert summary(short).as_json() == before
    assert summary(longer).as_json() == adjudicate(read).as_json()


def test_at_an_entry_that_was_taken_back_nothing_has_happened_since_the_flick() -> None:
    result = play(setup(2), *FLICKED_ON, ruling("overturned", "i2", "rewind"), at="i6")
    assert (progress(result), turn(result)) == ([0, 0], ("suns", 1))
    assert "restore" not in result.turn
