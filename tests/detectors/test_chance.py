"""Shares of a normal distribution, which probabilities are reported, and the frames around an
instant.
"""

from dataclasses import replace

import pytest

from referee.detectors.chance import (
    as_written,
    frame_time_s,
    frames_about,
    normal_share,
    share_between,
    worth_saying,
)
from referee.domain.episode import Episode, Frame
from tests.detectors.scenes import episode


def at(*times_s: float) -> Episode:
    """Return an episode with only frames, at these instants, numbered from 7 on."""
    return replace(episode(), frames=tuple(Frame(7 + k, t) for k, t in enumerate(times_s)))


@pytest.mark.parametrize(
    ("sigmas", "share"), [(0.0, 0.5), (1.0, 0.8413), (-1.0, 0.1587), (2.0, 0.9772), (-3.0, 0.0013)]
)
def test_normal_shares_are_those_of_the_table(sigmas, share):
    assert normal_share(sigmas) == pytest.approx(share, abs=5e-5)


@pytest.mark.parametrize(
    ("low", "high", "mean", "sigma", "share"),
    [(-1.0, 1.0, 0.0, 1.0, 0.6827), (4.0, 6.0, 2.0, 2.0, 0.1359), (-4.0, 0.0, 0.0, 2.0, 0.4772)],
)
def test_the_share_between_two_values_is_that_of_the_table(low, high, mean, sigma, share):
    assert share_between(low, high, mean, sigma) == pytest.approx(share, abs=5e-5)


def test_nothing_in_the_too_close_band_is_left_unsaid_or_certain():
    """The band of the record's format is from 0.05 to 0.95 unless a match sets it differently."""
    for chance in (0.05, 0.5, 0.95):
        assert worth_saying(chance) and as_written(chance) == chance
    assert as_written(1.0) is None and not worth_saying(0.001)


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
