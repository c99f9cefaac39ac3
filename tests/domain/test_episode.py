"""The frames of an episode: those around an instant, and the time between them."""

from dataclasses import replace

import pytest

from referee.domain.episode import Episode, Frame, frame_time_s, frames_about
from tests.detectors.scenes import episode


def at(*times_s: float) -> Episode:
    """Return an episode with only frames, at these instants, numbered from 7 on."""
    return replace(episode(), frames=tuple(Frame(7 + k, t) for k, t in enumerate(times_s)))


@pytest.mark.parametrize(
    ("t_s", "frames"),
    [
        (-1.5, (4, 5)),
        (0.5, (6, 7)),
        (1.0, (7, 8)),
        (1.5, (7, 8)),
        (2.5, (8, 9)),
        (3.0, (9, 9)),
        (9.0, (9, 9)),
    ],
)
def test_an_instant_lies_between_the_frames_before_and_after_it(t_s, frames):
    assert frames_about(at(1.0, 2.0, 3.0), t_s) == frames


def test_without_frames_there_are_none_about_an_instant():
    assert frames_about(at(), 1.0) is None


def test_the_usual_time_between_frames_does_not_mind_a_dropped_one():
    assert frame_time_s(at(0.0, 0.02, 0.04, 0.08, 0.1)) == pytest.approx(0.02)
    assert frame_time_s(at(5.0)) == frame_time_s(at()) == pytest.approx(1 / 30)
