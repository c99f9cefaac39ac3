"""`tile_displaced` and `tile_restored`: a tile lies elsewhere than when the episode began, from 2 mm or 2 degrees on."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.detectors.chance import as_written, frames_about, normal_share
from referee.detectors.contact import rim_gap
from referee.episode import Episode
from referee.geometry import distance
from referee.incident import TileDisplaced, TilePlace, TileRestored
from referee.layout import Course, Tile
from referee.path import Path

DISPLACED_MM = 2.0  # from here on a tile counts as displaced (the record's format)
DISPLACED_DEG = 2.0  # likewise turned
STIRRED_SHARE = 0.5  # half of that must be real for the incident to hold: a tile measured at 2.1 mm surely moved
TURN_ARM_SHARE = 0.6  # of a tile's width: the arm at which an error of its corners turns it (four corners, each at 0.71)
TOUCH_MM = 3.0  # a coin that came so near to a tile may have pushed it
NO_CAUSE_SIGMAS = 5.0  # a tile that neither coin nor hand came near is measured wrong, unless it moved by so much


@dataclass(frozen=True, slots=True)
class Cause:
    """What moved a tile, and when."""

    by: str
    t_s: float


def displaced_tiles(episode: Episode, paths: tuple[Path, ...], home: Course | None = None) -> list[TileDisplaced | TileRestored]:
    """The tiles that lie elsewhere than before, in no particular order.

    `home` is the course as it belongs: a tile that was off its place there and now is back is restored, not displaced.
    """
    found: list[TileDisplaced | TileRestored] = []
    for name, before in episode.course_before.tiles.items():
        after = episode.course_after.tiles.get(name)
        if after is not None and name not in episode.unmeasured_tiles and off_place(before, after):
            incident = _displaced(episode, paths, name, before, after, home)
            if incident is not None:
                found.append(incident)
    return found


def turned(before: Tile, after: Tile) -> float:
    """How far a tile turned counter-clockwise, in (-45, 45] degrees: a square looks the same after a quarter turn."""
    return 45.0 - (45.0 - (after.rotation_deg - before.rotation_deg)) % 90.0


def off_place(before: Tile, after: Tile) -> bool:
    """Whether a tile was moved by 2 mm or turned by 2 degrees."""
    return distance(before.centre_mm, after.centre_mm) >= DISPLACED_MM or abs(turned(before, after)) >= DISPLACED_DEG


def _displaced(
    episode: Episode, paths: tuple[Path, ...], name: str, before: Tile, after: Tile, home: Course | None
) -> TileDisplaced | TileRestored | None:
    moved, turn = distance(before.centre_mm, after.centre_mm), turned(before, after)
    sigma = math.sqrt(2.0) * episode.tile_sigma_mm
    sigma_deg = math.degrees(sigma / (TURN_ARM_SHARE * episode.course_before.tile_mm))
    cause = cause_of(episode, paths, name, before)
    if cause is None and max(moved / sigma, abs(turn) / sigma_deg) < NO_CAUSE_SIGMAS:
        return None
    by, t_s = (cause.by, cause.t_s) if cause else ("hand", episode.frames[-1].t_s if episode.frames else 0.0)
    chance = max(normal_share((moved - STIRRED_SHARE * DISPLACED_MM) / sigma), normal_share((abs(turn) - STIRRED_SHARE * DISPLACED_DEG) / sigma_deg))
    belongs = home.tiles.get(name) if home is not None else None
    restored = by == "hand" and belongs is not None and off_place(belongs, before) and not off_place(belongs, after)
    kind = TileRestored if restored else TileDisplaced
    return kind(
        tile=name, moved_mm=round(moved, 2), turned_deg=round(turn, 2), by="coin" if by == "coin" else "hand",
        from_=_place(before), to=_place(after),
        t_s=t_s, sigma_mm=round(sigma, 3), probability=as_written(chance), frames=frames_about(episode, t_s),
    )  # fmt: skip


def _place(tile: Tile) -> TilePlace:
    return TilePlace(centre_mm=(round(tile.centre_mm[0], 2), round(tile.centre_mm[1], 2)), rotation_deg=round(tile.rotation_deg, 2))


def cause_of(episode: Episode, paths: tuple[Path, ...], name: str, tile: Tile) -> Cause | None:
    """What moved the tile: a coin that bounced off it or slid against it, else a hand; None when neither came near."""
    for path in paths:
        for run in path.runs:
            if name in run.met:
                return Cause("coin", run.begin_s)
    near = [n for p in paths if (n := _nearest(episode, p, tile)) is not None and n[0] < TOUCH_MM]
    if near:
        return Cause("coin", min(near)[1])
    hands = [f.t_s for f in episode.frames if f.number in episode.hand_frames]
    return Cause("hand", hands[-1]) if hands else None


def _nearest(episode: Episode, path: Path, tile: Tile) -> tuple[float, float] | None:
    """The least gap between the coin's rim and the tile while it slid, mm, and when."""
    best: tuple[float, float] | None = None
    for run in path.runs:
        end = min(run.end_s, run.stop_s)
        for k in range(41):
            t = run.begin_s + (end - run.begin_s) * k / 40
            gap = rim_gap(tile, episode.course_before.tile_mm, episode.sizes.coin_mm, run.position(t))
            best = (gap, t) if best is None or gap < best[0] else best
    return best
