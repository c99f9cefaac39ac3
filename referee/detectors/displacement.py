"""`tile_displaced` and `tile_restored`: a tile lies elsewhere than when the episode began, by at
least 2 mm or 2 degrees.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal

from referee.detectors.chance import as_written, frames_about, normal_share
from referee.detectors.contact import rim_gap
from referee.domain.episode import Episode, Rest
from referee.domain.geometry import Point, distance, dot, subtract
from referee.domain.incident import TileDisplaced, TilePlace, TileRestored
from referee.domain.layout import Course, Tile, turned
from referee.domain.path import Path, Run

# Tuned on our own clips, except where a comment gives another source for a number.

# Rule: the record's format says from where on a tile counts as displaced.
DISPLACED_MM: Final = 2.0
DISPLACED_DEG: Final = 2.0  # the same for a tile that was turned
# At least this share of that motion must be real for the incident to be true: a tile measured at
# 2.1 mm surely moved.
STIRRED_SHARE: Final = 0.5
# Of a tile's width. The tile's four corners are 0.71 of its width from its middle; an error of
# their places turns the tile as over this arm.
TURN_ARM_SHARE: Final = 0.6
TOUCH_MM: Final = 3.0  # a coin that came this close to a tile may have pushed it
# In tile widths. The unseen path of a coin that started, was picked up or came to rest this close
# may have led past the tile.
UNSEEN_TILES: Final = 3.0
# in tile widths: a coin first seen this close to a tile may have bounced off it,
BESIDE_TILES: Final = 0.5
# and did so where its path turned by this much: fingers release a coin in a straight line.
BENT_DEG: Final = 15.0
LEAST_CAME_MM: Final = 2.0  # a shorter way has no direction
# A coin flicked this close to a tile may have struck it, or the fingers may have.
FLICKED_BESIDE_MM: Final = 15.0
# The probability of the reported cause when a coin moved nearby and its path was not seen.
UNSURE_CAUSE: Final = 0.7
# A tile that neither a coin nor a hand came near was measured wrongly, unless it moved by this
# much.
NO_CAUSE_SIGMAS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Cause:
    """What moved a tile, and when."""

    by: Literal["coin", "hand"]
    t_s: float
    sure: bool = True


def displaced_tiles(
    episode: Episode, paths: tuple[Path, ...], home: Course | None = None
) -> list[TileDisplaced | TileRestored]:
    """Find the tiles that lie elsewhere than before, in no particular order.

    `home` is the course as it should be. A tile that was displaced from there and is back now is
    reported as restored, not as displaced.
    """
    found: list[TileDisplaced | TileRestored] = []
    for name, before in episode.course_before.tiles.items():
        if _was_displaced(episode, name):
            incident = _displaced(
                episode, paths, name, before, episode.course_after.tiles[name], home
            )
            if incident is not None:
                found.append(incident)
    return found


def off_place(before: Tile, after: Tile) -> bool:
    """Return whether a tile was moved by 2 mm or turned by 2 degrees."""
    return (
        distance(before.centre_mm, after.centre_mm) >= DISPLACED_MM
        or abs(turned(before, after)) >= DISPLACED_DEG
    )


def pushed_near(episode: Episode, at: Point) -> bool:
    """Return whether a tile was displaced so close to this place that a coin may have struck it, if
    its path from there or to there was not seen.
    """
    moved = [
        tile for name, tile in episode.course_before.tiles.items() if _was_displaced(episode, name)
    ]
    return any(
        distance(tile.centre_mm, at) < UNSEEN_TILES * episode.course_before.tile_mm
        for tile in moved
    )


def _was_displaced(episode: Episode, name: str) -> bool:
    """Return whether a tile was measured at both ends of the episode and lies elsewhere."""
    after = episode.course_after.tiles.get(name)
    return (
        after is not None
        and name not in episode.unmeasured_tiles
        and off_place(episode.course_before.tiles[name], after)
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
    sigma_deg = math.degrees(sigma / (TURN_ARM_SHARE * episode.course_before.tile_mm))
    cause = cause_of(episode, paths, name, before)
    if cause is None and max(moved / sigma, abs(turn) / sigma_deg) < NO_CAUSE_SIGMAS:
        return None
    cause = cause or Cause("hand", episode.frames[-1].t_s if episode.frames else 0.0)
    cause = (
        replace(cause, sure=False) if name in episode.lost_tiles else cause
    )  # nobody saw whether it still lay there
    belongs = home.tiles.get(name) if home is not None else None
    back = belongs is not None and off_place(belongs, before) and not off_place(belongs, after)
    cause = (
        Cause("hand", cause.t_s) if back and not cause.sure else cause
    )  # only a hand can put a tile back where it belongs
    kind = TileRestored if back and cause.by == "hand" else TileDisplaced
    chance = max(
        normal_share((moved - STIRRED_SHARE * DISPLACED_MM) / sigma),
        normal_share((abs(turn) - STIRRED_SHARE * DISPLACED_DEG) / sigma_deg),
    )
    chance, t_s = chance if cause.sure else min(chance, UNSURE_CAUSE), cause.t_s
    return kind(
        tile=name,
        moved_mm=round(moved, 2),
        turned_deg=round(turn, 2),
        by=cause.by,
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
    """Find what moved the tile: a coin that bounced off it or slid against it, otherwise a hand.
    None when neither came near.

    The cause is not sure where a coin moved beside a hand and its path or its start was not seen:
    it may have hit the tile on the way.
    """
    for path in paths:
        for run in path.runs:
            if name in run.met:
                return Cause("coin", run.begin_s)
    near = [n for p in paths if (n := _nearest(episode, p, tile)) is not None and n[0] < TOUCH_MM]
    if near:
        return Cause("coin", min(near)[1])
    hands = [f.t_s for f in episode.frames if f.number in episode.hand_frames]
    unseen = _unseen(episode, paths, tile) if hands else None
    return unseen or (Cause("hand", hands[-1]) if hands else None)


def _unseen(episode: Episode, paths: tuple[Path, ...], tile: Tile) -> Cause | None:
    """Return the nearest coin that may have moved the tile: it lay elsewhere before, and a part of
    its path was not seen.
    """
    runs = {p.coin: p.runs for p in paths}
    found: list[tuple[float, Cause]] = []
    for track in episode.tracks:
        own, lay, lies = runs.get(track.coin, ()), track.before, track.after
        for run in (r for r in own if not r.sightings):
            near_mm = min(
                distance(tile.centre_mm, run.position(t))
                for t in (run.begin_s, min(run.end_s, run.stop_s))
            )
            found.append((near_mm, Cause("coin", run.begin_s, sure=False)))
        first = next((r for r in own if r.sightings), None)
        if (
            _all_seen(episode, tile, lay, lies, first)
            if lay is not None
            else track.hand_let_go is not False
        ):
            continue
        t_s = own[0].begin_s if own else track.settled_s
        places = (
            lay.at_mm if lay else None,
            first.from_mm if first else None,
            lies.at_mm if lies else None,
        )
        if t_s is not None:
            sure = first is not None and lay is not None and _bounced(episode, tile, lay, first)
            near_mm = min(distance(tile.centre_mm, at) for at in places if at is not None)
            found.append((near_mm, Cause("coin" if own else "hand", t_s, sure)))
    near = [f for f in found if f[0] < UNSEEN_TILES * episode.course_before.tile_mm]
    return min(near, key=lambda f: f[0])[1] if near else None


def _all_seen(
    episode: Episode, tile: Tile, lay: Rest, lies: Rest | None, first: Run | None
) -> bool:
    """Return whether the whole path of a coin is known, from where it lay. Also True for a coin
    that never left. `first` is the first run that was seen.

    The path of a coin that lay right beside the tile is not known, because fingers cover the
    beginning of its flick.
    """
    if first is None:
        return lies is not None and distance(lay.at_mm, lies.at_mm) < DISPLACED_MM
    beside = _rim_gap(episode, tile, lay.at_mm) < FLICKED_BESIDE_MM
    return not beside and distance(first.from_mm, lay.at_mm) < episode.sizes.coin_mm


def _bounced(episode: Episode, tile: Tile, lay: Rest, first: Run) -> bool:
    """Return whether a coin first seen beside a moved tile continues in another direction than it
    came from. Then it bounced off the tile.
    """
    came = subtract(first.from_mm, lay.at_mm)
    way_mm = math.hypot(*came)
    if way_mm < LEAST_CAME_MM:
        return False
    straight = dot(came, first.heading) / way_mm
    beside = _rim_gap(episode, tile, first.from_mm) < BESIDE_TILES * episode.course_before.tile_mm
    return beside and straight < math.cos(math.radians(BENT_DEG))


def _rim_gap(episode: Episode, tile: Tile, at: Point) -> float:
    """Return the gap between a tile and the rim of a coin at a place, mm."""
    return rim_gap(tile, episode.course_before.tile_mm, episode.sizes.coin_mm, at)


def _nearest(episode: Episode, path: Path, tile: Tile) -> tuple[float, float] | None:
    """Return the smallest gap between the coin's rim and the tile while the coin slid, mm, and its
    instant.
    """
    best: tuple[float, float] | None = None
    for run in path.runs:
        end = min(run.end_s, run.stop_s)
        for k in range(41):
            t = run.begin_s + (end - run.begin_s) * k / 40
            gap = _rim_gap(episode, tile, run.position(t))
            best = (gap, t) if best is None or gap < best[0] else best
    return best
