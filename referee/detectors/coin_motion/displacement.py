"""`tile_displaced` and `tile_restored`: since the episode began, a tile has moved by at least 2 mm
or turned by at least 2 degrees. If a coin moved a tile by slightly less, the incident is unsure,
because the measured places have errors.
"""

from __future__ import annotations

import math
from collections.abc import Set
from dataclasses import dataclass
from typing import Final, Literal

from referee.detectors.coin_motion.contact import TOUCHED_MM, rim_gap, steps_between
from referee.detectors.coin_motion.hidden_slide import slid_from_s
from referee.detectors.coin_motion.normal_distribution import normal_share
from referee.domain.episode import Episode, frames_about, off_place, was_displaced, was_measured
from referee.domain.geometry import Point, distance
from referee.domain.incident import (
    DISPLACED_DEG,
    DISPLACED_MM,
    LIKELIER,
    SURE,
    TileDisplaced,
    TilePlace,
    TileRestored,
    as_written,
)
from referee.domain.layout import Course, Tile, turned
from referee.domain.path import Path

# Tuned on our own clips, except where a comment gives another source for a number.

# In tile widths. The unseen part of a coin's path that began or ended this close may have led past
# the tile.
UNSEEN_TILES: Final = 3.0
# A tile that neither a coin nor a hand came near was measured wrongly, unless it moved by so many
# standard errors.
NO_CAUSE_SIGMAS: Final = 5.0
# A slide may also explain why something else moved. If a hand moved the coin, that needs one more
# event, which costs as much as a flick by a hand that was seen (`prices.FLICK_PRICE`).
ALSO_EXPLAINED: Final = 8.0


@dataclass(frozen=True, slots=True)
class Cause:
    """What moved a tile, and when."""

    by: Literal["coin", "hand"]
    t_s: float


def displaced_tiles(
    episode: Episode, paths: tuple[Path, ...], home: Course | None = None
) -> list[TileDisplaced | TileRestored]:
    """Find the tiles that moved during the episode, in no particular order.

    `home` is the course as it should be. A tile that was displaced from its place in `home` and is
    back there now is reported as restored, not as displaced.
    """
    found: list[TileDisplaced | TileRestored] = []
    for name, before in episode.course_before.tiles.items():
        if was_measured(episode, name):
            incident = _displaced(
                episode, paths, name, before, episode.course_after.tiles[name], home
            )
            if incident is not None:
                found.append(incident)
    return found


def pushed_near(episode: Episode, at: Point, besides: Set[str] = frozenset()) -> bool:
    """Return whether a tile, other than those in `besides`, was displaced close to this place. A
    coin whose path from or to this place was not seen may have struck such a tile.
    """
    moved = [
        tile
        for name, tile in episode.course_before.tiles.items()
        if name not in besides and was_displaced(episode, name)
    ]
    return any(
        distance(tile.centre_mm, at) < UNSEEN_TILES * episode.course_before.tile_mm
        for tile in moved
    )


def _displaced(
    episode: Episode,
    paths: tuple[Path, ...],
    name: str,
    before: Tile,
    after: Tile,
    home: Course | None,
) -> TileDisplaced | TileRestored | None:
    moved, turn = distance(before.centre_mm, after.centre_mm), turned(before, after)
    sigma = math.hypot(before.sigma_mm, after.sigma_mm)
    # From the tile's middle to its corners. An error of the corners' places turns the tile.
    arm_mm = math.sqrt(0.5) * episode.course_before.tile_mm
    sigma_deg = math.degrees(sigma / arm_mm)
    far = off_place(before, after)
    # A tile measured beyond the limit must really have moved by half the limit: at 2.1 mm it surely
    # moved. A tile measured below the limit must really have moved by the whole limit.
    share = 0.5 if far else 1.0
    chance = max(
        normal_share((moved - share * DISPLACED_MM) / sigma),
        normal_share((abs(turn) - share * DISPLACED_DEG) / sigma_deg),
    )
    if chance < 1 - SURE:
        return None
    cause = cause_of(episode, paths, name, before)
    if cause is None and max(moved / sigma, abs(turn) / sigma_deg) < NO_CAUSE_SIGMAS:
        return None
    cause = cause or Cause("hand", episode.frames[-1].t_s if episode.frames else 0.0)
    if not far and cause.by == "hand":
        return None
    belongs = home.tiles.get(name) if home is not None else None
    back = (
        far and belongs is not None and off_place(belongs, before) and not off_place(belongs, after)
    )
    # Only a hand can put a tile back where it belongs.
    kind = TileRestored if back else TileDisplaced
    if name in episode.lost_tiles:  # it may have been moved in an earlier episode
        chance = min(chance, LIKELIER)
    t_s = cause.t_s
    return kind(
        tile=name,
        moved_mm=round(moved, 2),
        turned_deg=round(turn, 2),
        by="hand" if back else cause.by,
        from_=_place(before),
        to=_place(after),
        t_s=t_s,
        sigma_mm=round(sigma, 3),
        probability=as_written(chance),
        frames=frames_about(episode, t_s),
    )


def _place(tile: Tile) -> TilePlace:
    return TilePlace(
        centre_mm=(round(tile.centre_mm[0], 2), round(tile.centre_mm[1], 2)),
        rotation_deg=round(tile.rotation_deg, 2),
    )


def cause_of(episode: Episode, paths: tuple[Path, ...], name: str, tile: Tile) -> Cause | None:
    """Find what moved the tile: a coin that bounced off it or slid against it, or may have done so
    unseen; otherwise a hand. None if neither a coin nor a hand came near.
    """
    for path in paths:
        for run in path.runs:
            if name in run.met:
                return Cause("coin", run.begin_s)
    near = [n for p in paths if (n := _nearest(episode, p, tile)) is not None and n[0] < TOUCHED_MM]
    if near:
        return Cause("coin", min(near)[1])
    hands = [f.t_s for f in episode.frames if f.number in episode.hand_frames]
    if not hands:
        return None
    unseen = [(distance(tile.centre_mm, at), t_s) for p in paths for at, t_s in _unseen(episode, p)]
    near_mm, t_s = min(unseen, default=(math.inf, 0.0))
    if near_mm < UNSEEN_TILES * episode.course_before.tile_mm:
        return Cause("coin", t_s)
    return Cause("hand", hands[-1])


def _unseen(episode: Episode, path: Path) -> list[tuple[Point, float]]:
    """Return the two end points of each unseen part of a coin's path, each with the time at which
    that part began. Unseen parts are runs without a sighting, the way from where the coin lay to
    where it was first seen, and the whole way of a coin that slid under a hand.
    """
    if not path.runs and len(path.held) == 1 and path.held[0].slide_extra_cost < ALSO_EXPLAINED:
        places = (path.rest_before_mm, path.rest_after_mm)
        from_s = slid_from_s(episode, path)
        return [(at, from_s) for at in places if at is not None]
    ends = [
        (run.position(t_s), run.begin_s)
        for run in path.runs
        if not run.sightings
        for t_s in (run.begin_s, min(run.end_s, run.stop_s))
    ]
    first, lay = next((r for r in path.runs if r.sightings), None), path.rest_before_mm
    if (
        first is None
        or lay is None
        or distance(first.from_mm, lay) < episode.sizes.width_mm(path.coin)
    ):
        return ends
    return [*ends, (lay, first.begin_s), (first.from_mm, first.begin_s)]


def _rim_gap(episode: Episode, tile: Tile, at: Point) -> float:
    """Return the gap between a tile and the rim of a coin at a place, mm."""
    return rim_gap(tile, episode.course_before.tile_mm, episode.sizes.coin_mm, at)


def _nearest(episode: Episode, path: Path, tile: Tile) -> tuple[float, float] | None:
    """Return the smallest gap, mm, between the coin's rim and the tile while the coin slid, and the
    instant of that gap.
    """
    best: tuple[float, float] | None = None
    for run in path.runs:
        for t in steps_between(run.begin_s, min(run.end_s, run.stop_s)):
            gap = _rim_gap(episode, tile, run.position(t))
            best = (gap, t) if best is None or gap < best[0] else best
    return best
