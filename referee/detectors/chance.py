"""Computes how certain an incident is, and between which frames an instant lies."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Final

from referee.domain.episode import Episode

# Tuned on our own clips, except where a comment gives another source for a number.

# A less probable incident is not reported. The record treats probabilities from 0.05 to 0.95 as too
# close to call.
LEAST_CHANCE: Final = 0.02
CERTAIN: Final = 0.9995  # above this the probability is left out, which means certain
# The probability of the likelier of two explanations that both remain: it is asked about.
LIKELIER: Final = 0.8
# By definition: the end of the band of what is too close to call. Below 1 minus it, nothing is.
SURE: Final = 0.95
# By definition: of two explanations, neither is likelier.
EITHER: Final = 0.5
# By definition: incidents at one instant are written a microsecond apart, in order of cause and
# effect.
TICK_S: Final = 1e-6
# By definition: two frames in a row are one frame's time apart, give or take half of it.
IN_A_ROW_FRAMES: Final = 1.5


def normal_share(sigmas: float) -> float:
    """Return the share of a normal distribution below `sigmas` standard deviations."""
    return 0.5 * math.erfc(-sigmas / math.sqrt(2.0))


def normal_density(sigmas: float) -> float:
    """Return the density of a normal distribution `sigmas` standard deviations from its mean."""
    return math.exp(-0.5 * sigmas**2) / math.sqrt(2.0 * math.pi)


def share_between(low: float, high: float, mean: float, sigma: float) -> float:
    """Return the share of a normal distribution with this mean and sigma (> 0) between `low` and
    `high`.
    """
    return max(0.0, normal_share((high - mean) / sigma) - normal_share((low - mean) / sigma))


def worth_saying(chance: float) -> bool:
    """Return whether an incident with this probability is reported at all."""
    return chance >= LEAST_CHANCE


def as_written(chance: float) -> float | None:
    """Return the probability in the form in which an incident stores it: four decimals, or None if
    it is certain.
    """
    return None if chance > CERTAIN else round(chance, 4)


def is_vague(episode: Episode, sigma_mm: float) -> bool:
    """Return whether a path with this error shows nothing about lines and rims, because the error
    is larger than a coin. Such a path is reported as unseen.
    """
    return sigma_mm > episode.sizes.coin_mm


def frames_about(episode: Episode, t_s: float) -> tuple[int, int] | None:
    """Return the numbers of the frames before and after `t_s`; None without frames. An instant
    before the first frame lies between earlier frames of the source, which came as evenly. After
    the last frame, both numbers are the last frame's.
    """
    if not episode.frames:
        return None
    first = episode.frames[0]
    if t_s < first.t_s:
        earlier = math.ceil((first.t_s - t_s) / frame_time_s(episode))
        before = max(0, first.number - earlier)
        return before, min(before + 1, first.number)
    k = bisect_right([f.t_s for f in episode.frames], t_s)
    last = len(episode.frames) - 1
    return episode.frames[max(0, k - 1)].number, episode.frames[min(k, last)].number


def frame_time_s(episode: Episode) -> float:
    """Return the median time between frames, s; a thirtieth of a second if there are too few frames
    to measure it.
    """
    steps = sorted(b.t_s - a.t_s for a, b in zip(episode.frames, episode.frames[1:], strict=False))
    return steps[len(steps) // 2] if steps else 1 / 30
