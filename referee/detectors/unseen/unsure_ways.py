"""Finds stretches of time in which a coin's motion is unknown, because it is not certain how the
coin began its path: either a hand or a slide may have brought it there, or it seems to have come
too slowly to a tile that was pushed far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from referee.detectors.coin_motion.contact import rim_gap, steps_between
from referee.detectors.coin_motion.displacement import pushed_near
from referee.detectors.hands.hidden_move import carried_there, hidden_since_s, slid_to_run
from referee.domain.episode import COVERED_WIDTHS, CoinTrack, Episode, frame_time_s, was_displaced
from referee.domain.geometry import distance, scale, subtract
from referee.domain.incident import EITHER, SURE, TICK_S, Flicked, Incident, Placed
from referee.domain.layout import Tile
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS
from referee.domain.slide import LAST_CREEP_S, standing_after_mm

# Chosen: no coin is this many times as dense as a tile. Measured: 33 pushes in rendered scenes of
# castles and of Carroms need a ratio of 0.6 to 2.0, and one push by a wrong path needs 18.
DENSEST: Final = 4.0


def until_settled(track: CoinTrack, held: Held) -> tuple[float, float]:
    """Return the beginning and the end of the time in which a hand had a coin, or the coin slid. A
    creeping coin may be seen before it comes to rest, so the time lasts until its place looks as at
    the end, and a little longer.
    """
    settled_s = held.end_s if track.settled_s is None else track.settled_s + LAST_CREEP_S
    return (held.begin_s, max(held.end_s, settled_s))


def perhaps_slid(
    episode: Episode, explaining: Sequence[Incident], path: Path
) -> tuple[float, float] | None:
    """Return the beginning and the end of the time in which a coin was hidden by a hand on its way
    to the place from which it was then seen sliding. If it surely slid there, or the placement in
    `explaining` is not certain, it may have hit something on that way.
    """
    runs = {run.begin_s: run for run in path.runs}
    unsure = [
        i.t_s or 0.0
        for i in explaining
        if isinstance(i, Placed)
        and i.coin == path.coin
        and 1.0 - SURE <= (i.probability or 1.0) <= SURE
    ]
    for held in path.held:
        run = runs.get(held.end_s)
        if run is None:
            continue
        slid = carried_there(episode, path, run) and slid_to_run(episode, path, run) > SURE
        if slid or any(held.begin_s <= t_s <= held.end_s for t_s in unsure):
            return (held.begin_s, held.end_s)
    return None


def hidden_at_first(
    episode: Episode, paths: Sequence[Path], explaining: Sequence[Incident], path: Path
) -> tuple[float, float] | None:
    """Return the time in which a coin slid unseen after a flick in `explaining`, if the next frame
    does not show the coin, and it may have bounced off something in that time: the flick is not
    certain, a tile was pushed near there that no path meets, or the coin may have come off a post
    behind it. In the last case the time in which a hand hid it before the flick counts, too. The
    time ends with the second sighting, because one sighting does not show the direction from which
    the coin came.
    """
    for flick in explaining:
        if not isinstance(flick, Flicked) or flick.coin != path.coin:
            continue
        set_off_s = flick.t_s or 0.0
        unsure = 1.0 - SURE <= (flick.probability or 1.0) <= SURE
        off_post = _may_come_off_post(episode, path, set_off_s)
        if not (unsure or off_post or _pushed_unmet(episode, paths, path)):
            continue
        hidden_s = hidden_since_s(episode, path.coin, set_off_s) if off_post else []
        seen = [s.t_s for s in path.sightings if s.t_s > set_off_s]
        blind_s = (1.0 + EITHER) * frame_time_s(episode)
        if len(seen) > 1 and seen[0] - min((set_off_s, *hidden_s)) > blind_s:
            hidden_s += [h.begin_s for h in path.held if h.begin_s <= set_off_s <= h.end_s]
            return (min((set_off_s, *hidden_s)), seen[1])
    return None


def _may_come_off_post(episode: Episode, path: Path, set_off_s: float) -> bool:
    """Return whether a coin that seems to have slid off at `set_off_s` may instead have been
    flicked at a post behind it, and have bounced back over its own place: under a hand, both look
    alike. If the coin lay against the post, there was no room for that.
    """
    run = next((r for r in path.runs if r.begin_s >= set_off_s - TICK_S), None)
    if run is None or run.met:
        return False
    coin_mm, course = episode.sizes.width_mm(path.coin), episode.course_before

    def gap_mm(post: Tile, way_mm: float) -> float:
        at_mm = subtract(run.from_mm, scale(run.heading, way_mm))
        return rim_gap(post, course.tile_mm, coin_mm, at_mm)

    ways_mm = steps_between(0.0, COVERED_WIDTHS * coin_mm)
    return any(
        gap_mm(post, 0.0) > SEEN_SIGMAS * math.hypot(path.rest_before_sigma_mm, post.sigma_mm)
        and min(gap_mm(post, way_mm) for way_mm in ways_mm) <= 0.0
        for post in course.posts.values()
    )


def _pushed_unmet(episode: Episode, paths: Sequence[Path], path: Path) -> bool:
    """Return whether a tile was pushed near the place from which a coin set off, and no path meets
    that tile.
    """
    met = {name for p in paths for run in p.runs for name in run.met}
    lay_mm = path.rest_before_mm
    return lay_mm is not None and pushed_near(episode, lay_mm, besides=met)


def pushed_too_far(
    episode: Episode, paths: Sequence[Path], path: Path
) -> tuple[float, float] | None:
    """Return the time in which a coin came to a tile on a path that was hardly seen and must be
    wrong, because the tile was moved farther than a coin of that speed can push it. The coin may
    have struck the tile earlier and faster, and hit something else since. The time begins when the
    coin was last seen before that path.
    """
    for before, run in pairwise(path.runs):
        too_far = (
            name in episode.course_before.tiles
            and was_displaced(episode, name)
            and _farthest_push_mm(episode, paths, name) < _moved_mm(episode, name)
            for name in run.met
        )
        if before.sightings < TELLING_SIGHTINGS and any(too_far):
            since_s = hidden_since_s(episode, path.coin, before.begin_s)
            return (min((before.begin_s, *since_s)), run.begin_s)
    return None


def _moved_mm(episode: Episode, name: str) -> float:
    """Return how far a tile has moved during the episode, mm."""
    after = episode.course_after.tiles[name]
    return distance(episode.course_before.tiles[name].centre_mm, after.centre_mm)


def _farthest_push_mm(episode: Episode, paths: Sequence[Path], name: str) -> float:
    """Return the largest distance, mm, by which any coin that hit a tile can have pushed it. The
    tile gets the momentum that the coin loses, and slows down like a coin.
    """
    sizes = episode.sizes
    tile_mm3 = sizes.tile_mm**2 * sizes.tile_thickness_mm * episode.course_before.tiles[name].stack

    def push_mm(path: Path, before: Run, run: Run) -> float:
        coin_mm3 = 0.25 * math.pi * sizes.width_mm(path.coin) ** 2 * sizes.coin_thickness_mm
        lost_mm_s = distance(before.velocity(run.begin_s), scale(run.heading, run.speed_mm_s))
        return standing_after_mm(DENSEST * coin_mm3 / tile_mm3 * lost_mm_s, run.slowing_mm_s2)

    return max(
        (
            push_mm(path, before, run)
            for path in paths
            for before, run in pairwise(path.runs)
            if name in run.met
        ),
        default=math.inf,
    )
