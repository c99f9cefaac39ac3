"""Finds out which pictures a converted video has lost, from the motion of sliding discs.

A video that was filmed with 30 pictures a second and stored with 25 lacks every sixth picture,
while its times look even. A disc then seems to move twice as far between two pictures as it does
between the pictures before and after. Comparing the usual rates of cameras with the rate of the
video shows after how many pictures one is missing. Sliding coins show where in the video the
missing pictures belong: friction slows a coin evenly, so a step that is too long shows that a
picture was lost there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.episode import CoinTrack, Episode
from referee.domain.sighting import Sighting

CAMERAS_HZ: Final = (30, 60, 120)  # Chosen: the usual rates of cameras and phones
# Chosen: the fewest pictures kept for each lost one; with 1, all steps would look even
FEWEST_KEPT: Final = 2
# Chosen: two rates are equal if they differ by a smaller share; 29.97 pictures a second are 30
RATE_SHARE: Final = 0.002
FEWEST: Final = 6  # Chosen: the fewest successive sightings that show whether one step is too long
# Chosen: lost pictures are assumed only if they lower chi-square by at least this.
LEAST_CLOCK_GAIN: Final = 25.0
# Chosen: the error of a sighting as a share of the step, because a moving disc is a streak
SIGMA_OF_STEP: Final = 0.03

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LostPictures:
    """Which pictures a video has lost: one after every `every` pictures that it kept. A picture is
    missing before each kept picture whose number, divided by `every`, leaves the remainder `first`.
    """

    every: int
    first: int

    def ticks(self, numbers: Array) -> Array:
        """Return the numbers (n,) that pictures would have if none had been lost."""
        return numbers + np.floor((numbers - self.first) / self.every)

    def times_s(self, numbers: Array, times_s: Array) -> Array:
        """Return the times, s (n,), at which pictures were taken. `times_s` are the pictures'
        evenly spaced times in the video. The returned times have the same rate as these and, over
        `every` pictures, the same mean.
        """
        if len(numbers) < 2:
            return times_s
        frame_s = float((times_s[-1] - times_s[0]) / (numbers[-1] - numbers[0]))
        ahead = self.ticks(numbers) * self.every / (self.every + 1) - numbers
        whole = np.arange(self.every, dtype=np.float64)
        usual = float((self.ticks(whole) * self.every / (self.every + 1) - whole).mean())
        return times_s + frame_s * (ahead - usual)


def lost_pictures(episode: Episode) -> LostPictures | None:
    """Return which pictures are missing in an episode; None if no picture is missing, or if its
    slides do not show which.
    """
    slides = [one for track in episode.tracks for one in _slides(track)]
    if not slides:
        return None
    even = sum(_misfit(numbers, places) for numbers, places in slides)
    ways = [LostPictures(every, first) for every in _kept(episode) for first in range(every)]
    if not ways:
        return None
    misfits = [sum(_misfit(way.ticks(n), places) for n, places in slides) for way in ways]
    best = int(np.argmin(misfits))
    return ways[best] if even - misfits[best] > LEAST_CLOCK_GAIN else None


def retimed(episode: Episode, lost: LostPictures) -> Episode:
    """Return the episode with the times at which its pictures were taken."""
    numbers = np.array([frame.number for frame in episode.frames], dtype=np.float64)
    seen_s = np.array([frame.t_s for frame in episode.frames])
    taken_s = lost.times_s(numbers, seen_s)
    at_s = {f.number: float(t) for f, t in zip(episode.frames, taken_s, strict=True)}

    def moved(t_s: float | None) -> float | None:
        return None if t_s is None else float(np.interp(t_s, seen_s, taken_s))

    def both_moved(times_s: tuple[float, float] | None) -> tuple[float, float] | None:
        if times_s is None:
            return None
        first_s, last_s = np.interp(times_s, seen_s, taken_s).tolist()
        return (first_s, last_s)

    def track_of(track: CoinTrack) -> CoinTrack:
        return replace(
            track,
            sightings=tuple(replace(s, t_s=at_s.get(s.frame, s.t_s)) for s in track.sightings),
            lay_until_s=moved(track.lay_until_s),
            settled_s=moved(track.settled_s),
            moved_within_s=both_moved(track.moved_within_s),
        )

    return replace(
        episode,
        frames=tuple(replace(f, t_s=at_s[f.number]) for f in episode.frames),
        tracks=tuple(track_of(track) for track in episode.tracks),
    )


def _kept(episode: Episode) -> list[int]:
    """Return the possible values of `LostPictures.every`, given the rate of the video and the usual
    rates of cameras.
    """
    first, last = episode.frames[0], episode.frames[-1]
    if last.t_s <= first.t_s:
        return []
    rate_hz = (last.number - first.number) / (last.t_s - first.t_s)
    lost_hz = [camera - rate_hz for camera in CAMERAS_HZ if camera > (1 + RATE_SHARE) * rate_hz]
    kept = sorted({round(rate_hz / lost) for lost in lost_hz})
    return [
        every
        for every in kept
        if every >= FEWEST_KEPT
        and any(abs(every * lost - rate_hz) < RATE_SHARE * rate_hz for lost in lost_hz)
    ]


def _slides(track: CoinTrack) -> Iterator[tuple[Array, Array]]:
    """Yield picture numbers (n,) and distances travelled (n,), mm, for each stretch in which a disc
    was seen in every picture and moved in a straight line.
    """
    for part in _in_a_row(track.sightings):
        if len(part) < FEWEST:
            continue
        places = np.array([s.at_mm for s in part])
        away = places - places[0]
        heading = away[-1] / max(float(np.hypot(*away[-1])), 1e-9)
        aside = np.abs(away @ np.array([-heading[1], heading[0]]))
        along = away @ heading
        onward = np.diff(along) > 0.0
        if onward.all() and aside.max() < SIGMA_OF_STEP * along[-1] + 3 * part[0].sigma_mm:
            yield np.array([s.frame for s in part], dtype=np.float64), along


def _in_a_row(sightings: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """Split sightings into rows of successive pictures in which the disc is seen moving."""
    moving = [
        s
        for before, s in pairwise(sightings)
        if np.hypot(s.at_mm[0] - before.at_mm[0], s.at_mm[1] - before.at_mm[1]) > 3 * s.sigma_mm
    ]
    for _, part in groupby(enumerate(moving), lambda one: one[1].frame - one[0]):
        yield [s for _, s in part]


def _misfit(ticks: Array, along_mm: Array) -> float:
    """Return the misfit, chi-square, of distances travelled with a slide that slows down evenly."""
    since = ticks - ticks[0]
    design = np.column_stack((np.ones_like(since), since, since * since))
    fit, *_ = np.linalg.lstsq(design, along_mm, rcond=None)
    step = float(np.median(np.diff(along_mm)))
    return float((((along_mm - design @ fit) / (SIGMA_OF_STEP * step + 0.3)) ** 2).sum())
