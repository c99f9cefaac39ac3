"""The facts of an episode that every hypothesis must explain: where coins lay, where coins and
hands were seen, and where the tiles are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Episode, Rest, was_displaced
from referee.domain.geometry import square_corners
from referee.domain.pieces import PieceSizes
from referee.tracking.trajectory.hypotheses.fit import misfit_of
from referee.tracking.trajectory.hypotheses.impacts import square_gap
from referee.tracking.trajectory.hypotheses.prices import END_BOUNCE_MM
from referee.tracking.trajectory.hypotheses.runs import Floats, Seen

# Tuned on our own clips, except where a comment gives another source for a number.

# An event is proposed only if the coin's extrapolated path comes this close to the place of the
# event. This limit only saves fits: the cost decides which hypothesis is used.
REACH_MM: Final = 4.5

# A coin was displaced when it lies at least this many standard uncertainties from where it was. By
# chance, one of three thousand coins at rest seems displaced; with a limit of 3, one of ninety.
DISPLACED_SIGMAS: Final = 4.0


@dataclass(frozen=True, slots=True)
class Scene:
    """An episode in the form that hypotheses need. `squares` are the corners (4, 2) of each tile,
    `hand_s` the times at which a hand was at each coin, and `frames_s` the times of all measured
    frames. `heaps` holds, for each coin that lay against others, all coins of that heap, itself
    included. `pushed` names the tiles that have moved during the episode, and `beside`, for each
    coin, the tiles right beside which it came to rest.
    """

    tracks: Mapping[str, CoinTrack]
    seen: Mapping[str, Seen]
    squares: Mapping[str, Floats]
    hand_s: Mapping[str, Floats]
    sizes: PieceSizes
    exposure_s: float
    frame_s: float
    span_s: tuple[float, float]
    frames_s: Floats
    heaps: Mapping[str, frozenset[str]]
    pushed: frozenset[str]
    beside: Mapping[str, frozenset[str]]

    def hand_at(self, coin: str, from_s: float, to_s: float) -> bool:
        """Return whether a hand was at the coin at any time from `from_s` to `to_s`, or up to two
        frames before or after.
        """
        times, pad = self.hand_s[coin], 2 * self.frame_s
        return bool(((times >= from_s - pad) & (times <= to_s + pad)).any())

    def tile_gaps(self, coin: str, at: Floats) -> dict[str, float]:
        """Return the gap between each tile and the rim of a coin at `at` (2,), mm; negative if they
        overlap.
        """
        return {
            name: float(square_gap(corners, at[None, :])[0]) - 0.5 * self.sizes.width_mm(coin)
            for name, corners in self.squares.items()
        }

    def tile_near(self, coin: str, at: Floats) -> str | None:
        """Return the tile that a coin at `at` (2,) may touch; None if there is none."""
        gaps = self.tile_gaps(coin, at)
        name = min(gaps, key=lambda n: abs(gaps[n]), default=None)
        return name if name is not None and abs(gaps[name]) < 2 * REACH_MM else None

    def near_frames(self, t_s: float) -> tuple[float, float]:
        """Return two times: one frame before `t_s` and one frame after it."""
        return (t_s - self.frame_s, t_s + self.frame_s)

    def lay_until_s(self, coin: str, t_s: float) -> float:
        """Return the last time, up to `t_s`, at which the coin was seen where it lay before the
        episode; minus infinity if there is none.
        """
        track, seen = self.tracks[coin], self.seen[coin]
        if track.before is None:
            return -np.inf
        lay = seen.t_s[(seen.t_s <= t_s) & at_rest(seen, track.before)]
        return max(float(lay[-1]) if len(lay) else -np.inf, track.lay_until_s or -np.inf)


def scene_of(episode: Episode) -> Scene:
    """Return the episode's scene."""
    times = np.array([f.t_s for f in episode.frames])
    course = episode.course_before
    squares = {
        name: np.array(square_corners(tile.centre_mm, course.tile_mm, tile.rotation_deg))
        for name, tile in course.tiles.items()
    }
    return Scene(
        {t.coin: t for t in episode.tracks},
        {t.coin: seen_of(t) for t in episode.tracks},
        squares,
        {
            t.coin: np.array([f.t_s for f in episode.frames if f.number in t.hand_frames])
            for t in episode.tracks
        },
        episode.sizes,
        episode.exposure_s,
        float(np.median(np.diff(times))) if len(times) > 1 else 1 / 30,
        (float(times[0]), float(times[-1])) if len(times) else (0.0, 0.0),
        times,
        heaps_of(episode),
        frozenset(name for name in course.tiles if was_displaced(episode, name)),
        {t.coin: _tiles_beside(t, squares, episode.sizes) for t in episode.tracks},
    )


def _tiles_beside(
    track: CoinTrack, squares: Mapping[str, Floats], sizes: PieceSizes
) -> frozenset[str]:
    """Return the tiles right beside which a coin came to rest."""
    if track.after is None:
        return frozenset()
    at, reach_mm = np.array([track.after.at_mm]), sizes.width_mm(track.coin) / 2 + END_BOUNCE_MM
    return frozenset(n for n, own in squares.items() if float(square_gap(own, at)[0]) < reach_mm)


def heaps_of(episode: Episode) -> dict[str, frozenset[str]]:
    """Return a heap for each coin that lay against another coin: the coin itself and all coins that
    it touches, directly or through others. Two coins touch if the gap between them is within the
    errors of their places.
    """
    lay = {t.coin: t.before for t in episode.tracks if t.before is not None}
    heaps: dict[str, frozenset[str]] = {}
    for (coin, a), (other, b) in combinations(lay.items(), 2):
        gap_mm = float(np.hypot(*np.subtract(a.at_mm, b.at_mm))) - episode.sizes.reach_mm(
            coin, other
        )
        if gap_mm < DISPLACED_SIGMAS * float(np.hypot(a.sigma_mm, b.sigma_mm)):
            heap = heaps.get(coin, frozenset({coin})) | heaps.get(other, frozenset({other}))
            heaps |= dict.fromkeys(heap, heap)
    return heaps


def seen_of(track: CoinTrack) -> Seen:
    """Return a track's sightings as arrays."""
    s = track.sightings
    return Seen(
        np.array([x.t_s for x in s], dtype=np.float64),
        np.array([x.at_mm for x in s], dtype=np.float64).reshape(-1, 2),
        np.array([x.sigma_mm for x in s], dtype=np.float64),
        np.array([x.shared_mm for x in s], dtype=np.float64),
        np.array([x.frame in track.hand_frames for x in s], dtype=np.bool_),
    )


def at_rest(seen: Seen, rest: Rest) -> np.typing.NDArray[np.bool_]:
    """Return which of the n sightings show the coin at `rest`, (n,)."""
    away = np.hypot(*(seen.xy_mm - np.asarray(rest.at_mm)).T)
    result: np.typing.NDArray[np.bool_] = away < 1.0 + 3 * np.hypot(seen.sigma_mm, rest.sigma_mm)
    return result


def rest_misfits(seen: Seen, rest: Rest) -> Floats:
    """Return the misfit of each sighting, (n,), if the coin lies at `rest`."""
    off = (seen.xy_mm - np.asarray(rest.at_mm)) / np.hypot(seen.sigma_mm, rest.sigma_mm)[:, None]
    misfits: Floats = misfit_of(off).sum(axis=1)
    return misfits


def displaced(track: CoinTrack) -> bool:
    """Return whether the coin certainly lies elsewhere at the end than at the beginning, or whether
    its place is known at only one of these times.
    """
    if track.before is None or track.after is None:
        return (track.before is None) != (track.after is None)
    sigma = float(np.hypot(track.before.sigma_mm, track.after.sigma_mm))
    return way_between(track) > DISPLACED_SIGMAS * max(sigma, 0.1)


def way_between(track: CoinTrack) -> float:
    """Return how far a coin lies now from where it lay before; 0 if one of the two places is not
    known.
    """
    if track.before is None or track.after is None:
        return 0.0
    return float(np.hypot(*np.subtract(track.after.at_mm, track.before.at_mm)))
