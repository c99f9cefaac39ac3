"""What a page is told of the program's own state."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from referee.entry import Player
from referee.errors import InputError
from referee.feed import Feed
from referee.match import Match
from referee.session.showing import Show
from tests.clips.bundled import true_table


@pytest.fixture
def show() -> Show:
    match = Match("tabletop-croquet", (Player(name="Ann", coin="moons"), Player(name="Ben", coin="suns")))
    return Show(Feed(), match, true_table("pass-and-hit"), "clip.mp4")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InputError("clip.mp4: breaks off after 2.00 s"), "clip.mp4: breaks off after 2.00 s"),
        (KeyboardInterrupt(), "It was ended."),
        (ZeroDivisionError("by zero"), "Something is wrong in the program (ZeroDivisionError)."),
    ],
)
def test_pages_are_told_why_the_program_stops(show: Show, error: BaseException, text: str) -> None:
    show.doing("watching", "Watching.")
    with pytest.raises(type(error)), ExitStack() as stack:
        stack.push(show.failure)
        raise error
    assert (show.feed.snapshot()["doing"]["phase"], show.feed.snapshot()["doing"]["text"]) == ("failed", text)


def test_a_program_that_has_finished_did_not_fail(show: Show) -> None:
    show.doing("finished", "The video has ended.")
    with pytest.raises(KeyboardInterrupt), ExitStack() as stack:
        stack.push(show.failure)
        raise KeyboardInterrupt
    assert show.feed.snapshot()["doing"]["phase"] == "finished"


def test_progress_is_told_twice_a_second_while_it_watches(show: Show) -> None:
    told = []
    show.progress(0.0, 0.0)
    assert "doing" not in show.feed.snapshot()
    show.doing("watching", "Watching.")
    for frame in range(120):
        show.progress(frame / 60, frame / 240)
        told.append(show.feed.snapshot()["doing"]["t_s"])
    assert sorted({t for t in told if t is not None}) == [0.0, 0.5, 1.0, 1.5]
    assert show.feed.snapshot()["doing"]["share"] == pytest.approx(90 / 240)
