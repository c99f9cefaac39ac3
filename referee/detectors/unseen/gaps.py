"""Finds the stretches of an episode in which nothing was observed, and what they leave unknown.

Frames may be lost, come twice, or be damaged. A coin that moved during such a gap may have hit
anything. Its motion is known only if one slide without a contact leads through the gap, and nothing
was in its way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from referee.detectors.coin_motion.contact import rim_gap, shown_by_struck, steps_between
from referee.domain.episode import MOST_LOST_FRAMES, Episode, frame_time_s
from referee.domain.geometry import Point, distance
from referee.domain.incident import (
    EITHER,
    TICK_S,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    Pocketed,
)
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of time without an observation, from the last frame before it to the first frame
    after it, and the coins whose motion in it is unknown.
    """

    begin_s: float
    end_s: float
    coins: tuple[str, ...]

    def hides(self, coins: Iterable[str], t_s: float) -> bool:
        """Return whether the motion of any of these coins is unknown at an instant, because of this
        gap.
        """
        return self.begin_s < t_s <= self.end_s and not {*coins}.isdisjoint(self.coins)


def gaps_of(episode: Episode, paths: tuple[Path, ...]) -> tuple[Gap, ...]:
    """Return the episode's gaps in order of time. These are stretches of more than
    `MOST_LOST_FRAMES` lost frames, and stretches in which a hardly seen coin turned, or a coin was
    seen away from its path. Stretches that leave no coin's motion unknown are left out.
    """
    most_s = (MOST_LOST_FRAMES + 1 + 0.5) * frame_time_s(episode)
    found = []
    for a, b in zip(episode.frames, episode.frames[1:], strict=False):
        if b.t_s - a.t_s > most_s:
            coins = tuple(p.coin for p in paths if _unknown(episode, paths, p, a.t_s, b.t_s))
            found += [Gap(a.t_s, b.t_s, coins)] if coins else []
    found += [gap for path in paths for gap in _blind_turns(episode, path, paths, most_s)]
    found += [gap for path in paths for gap in _other_ways(episode, path)]
    return tuple(sorted(found, key=lambda gap: gap.begin_s))


def _blind_turns(episode: Episode, path: Path, paths: tuple[Path, ...], most_s: float) -> list[Gap]:
    """Return a gap for each turn of a coin in a stretch of more than `most_s` in which it was not
    seen. The coin must also have been hardly seen both before and after the turn, so that something
    else may have been taken for it. If it turned at a coin that it set in motion, the sightings of
    that coin count, too.
    """
    found, seen_s = [], [s.t_s for s in path.sightings]
    for run, following in zip(path.runs, path.runs[1:], strict=False):
        turn_s = following.begin_s
        end_s = min(following.end_s, following.stop_s, episode.frames[-1].t_s)
        last_s = max((t for t in seen_s if t <= turn_s), default=run.begin_s)
        next_s = min((t for t in seen_s if t > turn_s), default=end_s)
        told = shown_by_struck(path, paths) if run is path.runs[0] and following.met else 0
        hardly = max(run.sightings, following.sightings, told) < TELLING_SIGHTINGS
        found += (
            [Gap(run.begin_s, end_s, (path.coin,))] if hardly and next_s - last_s > most_s else []
        )
    return found


def _other_ways(episode: Episode, path: Path) -> list[Gap]:
    """Return a gap for each run without a sighting during which the coin was seen, clear of any
    hand, at least half its width off the run. So the coin took another way and hit something there.
    The contact at the end of the run is outside the gap, so it remains certain.
    """
    hands = episode.track_of(path.coin).hand_frames
    off_mm = episode.sizes.width_mm(path.coin) / 2
    return [
        Gap(run.begin_s, min(run.end_s, run.stop_s) - TICK_S, (path.coin,))
        for run in path.runs
        if not run.sightings
        and any(
            run.begin_s < s.t_s < min(run.end_s, run.stop_s)
            and s.frame not in hands
            and distance(s.at_mm, run.position(s.t_s)) >= off_mm
            for s in path.sightings
        )
    ]


def only_seen(incidents: Iterable[Incident], gaps: tuple[Gap, ...]) -> list[Incident]:
    """Return the incidents without those that were only inferred: those of a coin within a gap in
    which its motion is unknown. Flicks and placements in such a gap are kept as questions.
    """
    kept: list[Incident] = []
    for incident in incidents:
        if not any(_within(incident, gap) for gap in gaps):
            kept.append(incident)
        elif isinstance(incident, Flicked | Placed):
            chance = min(EITHER, incident.probability or 1.0)
            kept.append(msgspec.structs.replace(incident, probability=chance))
    return kept


def _within(incident: Incident, gap: Gap) -> bool:
    if not isinstance(incident, Contact | Flicked | LeftTable | LineCrossed | Placed | Pocketed):
        return False
    names = {incident.coin, incident.with_} if isinstance(incident, Contact) else {incident.coin}
    return gap.hides(names, incident.t_s or 0.0)


def _unknown(
    episode: Episode, paths: tuple[Path, ...], path: Path, begin_s: float, end_s: float
) -> bool:
    """Return whether a coin moved in a gap in an unknown way."""
    if any(h.begin_s < end_s and h.end_s > begin_s for h in path.held):
        return path.rest_before_mm != path.rest_after_mm
    runs = [r for r in path.runs if r.begin_s < end_s and min(r.end_s, r.stop_s) >= begin_s]
    if not runs:
        return False
    (run, *others) = runs
    return bool(others) or not (
        _leads_through(path, run, begin_s, end_s)
        and _free_way(episode, paths, path, run, (begin_s, end_s))
    )


def _leads_through(path: Path, run: Run, begin_s: float, end_s: float) -> bool:
    """Return whether a run that was well seen before a gap was also seen after it, or ends where
    the coin lies now.
    """
    if sum(run.begin_s <= s.t_s <= begin_s for s in path.sightings) < TELLING_SIGHTINGS:
        return False
    if any(end_s <= s.t_s <= run.end_s for s in path.sightings):
        return True
    stop_s = min(run.end_s, run.stop_s)
    if run is not path.runs[-1] or path.rest_after_mm is None or stop_s > end_s:
        return False
    near_mm = SEEN_SIGMAS * (run.sigma_at(stop_s) + path.rest_after_sigma_mm)
    return distance(run.position(stop_s), path.rest_after_mm) <= near_mm


def _free_way(
    episode: Episode, paths: tuple[Path, ...], path: Path, run: Run, span_s: tuple[float, float]
) -> bool:
    """Return whether no coin and no tile was in the way of a run between two instants."""
    course = episode.course_before
    for t_s in steps_between(span_s[0], min(span_s[1], run.stop_s)):
        at, reach_mm = run.position(t_s), SEEN_SIGMAS * run.sigma_at(t_s)
        if any(
            rim_gap(tile, course.tile_mm, episode.sizes.coin_mm, at) < reach_mm
            for tile in course.tiles.values()
        ):
            return False
        others = [other for other in paths if other is not path]
        if any(
            distance(at, q) < episode.sizes.reach_mm(path.coin, other.coin) + reach_mm
            for other in others
            for q in _places(other, t_s)
        ):
            return False
    return True


def _places(path: Path, t_s: float) -> list[Point]:
    """Return the places at which another coin may have been at about an instant: where it lay
    before, where it lies now, and where it slid.
    """
    places = (path.rest_before_mm, path.rest_after_mm, path.position_at(t_s))
    return [at for at in places if at is not None]
