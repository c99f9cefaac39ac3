"""`flicked`: a coin began to slide because of a hand at it, and not because another coin hit it.

A flicked coin leaves the hand and then slows down freely in a straight line. A coin that stays with
the hand is carried, and is reported as `placed` instead (see `placement`).
"""

from __future__ import annotations

import math

import msgspec

from referee.detectors.coin_motion.coins_in_touch import in_touch, touching
from referee.detectors.coin_motion.contact import TOUCHED_MM, rim_gap, shown_by_struck, struck_by
from referee.detectors.coin_motion.hand_near import hand_at, hand_before
from referee.detectors.coin_motion.heap import knocked_through
from referee.detectors.coin_motion.hidden_slide import is_dated, slid_from_s
from referee.detectors.coin_motion.tile_bounce import slid_off_tile
from referee.detectors.hands.hidden_move import (
    carried_there,
    hidden_neighbour,
    pushed_by_tile,
    slid_away_chance,
    slid_to_run,
    slide_chance,
)
from referee.detectors.hands.unsure_flick import is_unsure, way_mm
from referee.domain.episode import HAND_S, Episode, frame_time_s, frames_about
from referee.domain.geometry import distance, dot, subtract
from referee.domain.incident import EITHER, LIKELIER, SURE, TICK_S, Flicked, as_written
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS
from referee.domain.slide import FASTEST_FLICK_MM_S, standing_after_mm


def flicks(episode: Episode, paths: tuple[Path, ...]) -> list[Flicked]:
    """Find the flicks of the episode, in order of time.

    If no hand is at a coin when it begins to slide, and another coin began before it, is hidden by
    a hand, or was touched by a hand and is gone, that coin more likely struck it unseen. In this
    case its flick is only a question.
    """
    found = []
    for track, path in zip(episode.tracks, paths, strict=True):
        for run in path.runs:
            if (
                struck_by(path, run, paths) is None
                and _lay_still(episode, path, run)
                and not knocked_through(episode, path, run, paths)
                and not pushed_by_tile(episode, path, run)
                and (way_mm(path, run) >= TOUCHED_MM or _struck_another(path, paths))
            ):
                flick = _flick(episode, path, run, paths)
                found.append(
                    msgspec.structs.replace(flick, probability=EITHER)
                    if is_unsure(episode, track, path, run, paths)
                    else flick
                )
        slid = slide_chance(episode, paths, path) + slid_away_chance(episode, paths, path)
        chance = slid if _struck_only_tile(episode, paths, path) else LIKELIER * slid
        if chance >= 1.0 - SURE:
            t_s = slid_from_s(episode, path)
            found.append(
                Flicked(
                    coin=path.coin,
                    touching=(),
                    t_s=t_s,
                    sigma_mm=None,
                    probability=as_written(chance),
                    frames=frames_about(episode, t_s),
                )
            )
    found.sort(key=lambda f: f.t_s or 0.0)
    return [
        (
            f
            if _is_sure(episode, paths, f, found[:k])
            and not any(_struck_instead(episode, paths, f, later) for later in found[k + 1 :])
            else msgspec.structs.replace(f, probability=EITHER)
        )
        for k, f in enumerate(found)
    ]


def _struck_only_tile(episode: Episode, paths: tuple[Path, ...], path: Path) -> bool:
    """Return whether a coin that slid unseen was surely flicked. It must have come off a tile, so
    that no hand just pushed it there. No other coin can have struck it: none has moved, lay against
    it or may have been flicked at it. And the time of the flick must be known.
    """
    if path.runs or len(path.held) != 1 or not is_dated(episode, path):
        return False
    others, held = [p for p in paths if p is not path], path.held[0]
    return (
        slid_off_tile(episode, path)
        and not any(p.runs or p.held or in_touch(episode, path, p) for p in others)
        and hidden_neighbour(episode, paths, path, held.begin_s) is None
    )


def _is_sure(
    episode: Episode, paths: tuple[Path, ...], flick: Flicked, earlier: list[Flicked]
) -> bool:
    """Return whether it is certain that no other coin set this coin in motion unseen."""
    t_s = flick.t_s or 0.0
    path = next(p for p in paths if p.coin == flick.coin)
    if (
        any(t_s - (f.t_s or 0.0) < HAND_S for f in earlier)
        or hidden_neighbour(episode, paths, path, t_s) is not None
    ):
        return False
    carried = any(
        h.seen_with_hand and (not p.runs or h.begin_s <= t_s <= h.end_s)
        for p in paths
        if p is not path
        for h in p.held
    )
    alone = not earlier and not carried and not _touched_another(episode, paths, flick.coin, t_s)
    return alone or hand_before(episode, flick.coin, t_s)


def _touched_another(episode: Episode, paths: tuple[Path, ...], flicked: str, t_s: float) -> bool:
    """Return whether around `t_s` a hand touched another coin that does not lie where it lay, and
    that no other coin struck. If it seemed to lie there for longer, that may have been a fingertip.
    """
    return any(
        track.before is not None
        and not any(struck_by(path, run, paths) for run in path.runs)
        and (track.after is None or not track.before.is_at(track.after.at_mm, 0.0))
        for track, path in zip(episode.tracks, paths, strict=True)
        if track.coin != flicked and hand_at(episode, track.coin, t_s)
    )


def _struck_instead(
    episode: Episode, paths: tuple[Path, ...], flick: Flicked, later: Flicked
) -> bool:
    """Return whether the hand may instead have flicked the coin of `later`, which then struck the
    coin of `flick`. Both must have set off between the same two frames and in reach of each other.
    A coin that left towards the other coin was not struck by it, unless it may have bounced back
    off a tile before it was seen, or lay against a third coin that passed the blow on.
    """
    frame_s, t_s = frame_time_s(episode), flick.t_s or 0.0
    if later.coin == flick.coin or (later.t_s or 0.0) - t_s >= frame_s:
        return False
    path, other = (next(p for p in paths if p.coin == f.coin) for f in (flick, later))
    run = next((r for r in path.runs if r.begin_s >= t_s - TICK_S), None)
    if run is None or path.rest_before_mm is None or other.rest_before_mm is None:
        return False
    from_other = subtract(path.rest_before_mm, other.rest_before_mm)
    if math.hypot(*from_other) >= FASTEST_FLICK_MM_S * frame_s:
        return False
    if {*flick.touching} - {later.coin}:
        return True
    course, coin_mm = episode.course_before, episode.sizes.width_mm(path.coin)
    gaps_mm = (
        rim_gap(tile, course.tile_mm, coin_mm, path.rest_before_mm)
        for tile in course.tiles.values()
    )
    there_and_back_mm = 2 * min(gaps_mm, default=math.inf)
    return dot(run.heading, from_other) > 0.0 or there_and_back_mm < run.speed_mm_s * frame_s


def _struck_another(path: Path, paths: tuple[Path, ...]) -> bool:
    """Return whether the coin set another coin in motion that was seen sliding. Then a short path
    of its own does not mean that it was not flicked.
    """
    return shown_by_struck(path, paths) >= TELLING_SIGHTINGS


def _lay_still(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether the coin lay still before a run, within the error of its velocity, or came out
    of a hand. A coin had not stopped if it came farther than a coin that stops in that time can
    slide. It had not stopped either if it met a tile, or a coin that did not strike it, as the run
    began: a coin that lies still meets nothing.
    """
    index = path.runs.index(run)
    if index == 0:
        return True
    before = path.runs[index - 1]
    parted = any(before.end_s - 1e-9 <= h.begin_s <= run.begin_s for h in path.held)
    slow = math.hypot(*before.velocity(run.begin_s)) < SEEN_SIGMAS * before.sigma_mm_s
    most_mm_s = before.slowing_mm_s2 * (run.begin_s - before.begin_s + frame_time_s(episode))
    most_mm = standing_after_mm(most_mm_s, before.slowing_mm_s2) + SEEN_SIGMAS * before.sigma_mm
    met = bool(run.met) and before.stop_s > run.begin_s
    still = slow and not met and distance(before.from_mm, run.from_mm) < most_mm
    return parted or (still and run.speed_mm_s > SEEN_SIGMAS * run.sigma_mm_s)


def _flick(episode: Episode, path: Path, run: Run, paths: tuple[Path, ...]) -> Flicked:
    held = path.held_until(run.begin_s)
    slid = slid_to_run(episode, path, run) > SURE
    carried = carried_there(episode, path, run) and not slid
    t_s = run.begin_s if held is None or carried else _left_hand(path, run, held)
    return Flicked(
        coin=path.coin,
        touching=touching(episode, path, run, paths),
        t_s=t_s,
        sigma_mm=None,
        probability=as_written(_hand_chance(episode, t_s)),
        frames=frames_about(episode, t_s),
    )


def _left_hand(path: Path, run: Run, held: Held) -> float:
    """Estimate when a coin that came out from under a hand began to move. It is assumed to have
    moved from where it lay in a straight line and at a constant speed.
    """
    if path.rest_before_mm is None or run.speed_mm_s <= 0.0:
        return held.begin_s
    return max(
        held.begin_s, run.begin_s - distance(path.rest_before_mm, run.from_mm) / run.speed_mm_s
    )


def _hand_chance(episode: Episode, t_s: float) -> float:
    """Return the probability of a flick, given the hands over the table. Without a hand, it may
    have been a stick, a knock at the table, or a hand outside the picture.
    """
    near = (f.number for f in episode.frames if abs(f.t_s - t_s) <= HAND_S)
    return 1.0 if any(n in episode.hand_frames for n in near) else LIKELIER
