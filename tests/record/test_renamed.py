"""Pieces that were perhaps mistaken for each other: what is asked, and when."""

from __future__ import annotations

from tests.record.matches import asked, play, setup


def test_the_question_names_the_pieces() -> None:
    result = play(setup(2), "rename moons suns probability=0.5", "flick moons")
    assert result.status == "question"
    assert [(one.on, one.answers) for one in result.questions] == [("i1", ("upheld", "overturned"))]
    text = "Did the camera confuse moons and suns? The probability is 0.50."
    assert result.questions[0].text == text


def test_nothing_is_asked_when_the_match_is_over() -> None:
    result = play(setup(2), "concede Ben", "rename moons suns probability=0.5")
    assert (result.status, asked(result)) == ("won", [])
