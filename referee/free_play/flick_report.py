"""What one flick of free play did: each disc's path, what happened, and its figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from statistics import median
from typing import Final

import msgspec

from referee.detectors.coin_motion.contact import closest_approach
from referee.detectors.coin_motion.crossing import crossings_of
from referee.detectors.coin_motion.hand_near import hand_at
from referee.detectors.incidents import in_order, incidents_of
from referee.detectors.unseen.gaps import Gap, gaps_of, only_seen
from referee.domain.episode import HAND_S, Episode, Frame, frame_time_s, frames_about
from referee.domain.geometry import Point, cross, distance, dot
from referee.domain.incident import EITHER, SURE, Contact, Flicked, Incident, LineCrossed, Unseen
from referee.domain.layout import Line
from referee.domain.path import Path, Run
from referee.domain.sighting import TELLING_SIGHTINGS
from referee.free_play.free_lines import between_pairs, without_own
from referee.tracking.trajectory.smooth import smooth_episode

NEAR_WIDTHS: Final = 2.0  # Chosen: in disc widths. A wider gap is not listed as a near miss
UNKNOWN: Final = "?"  # By definition: not a letter. Names what moved but is none of the known discs
# By definition: a contact more likely than this is not listed as a near miss too
LIKELY: Final = 0.5


@dataclass(frozen=True, slots=True)
class PathPoint:
    """Where a disc was at the middle of one frame's exposure. `sigma_mm` is the standard error of
    the place along each axis. If the disc was not `seen` in this frame, the place comes from the
    fitted path.
    """

    frame: int
    t_s: float
    at_mm: Point
    sigma_mm: float
    seen: bool


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two discs that came near each other without touching: the smallest gap between their rims,
    with its standard error.
    """

    coin: str
    other: str
    gap_mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured of one disc in one flick. A value is None if the disc was not seen well
    enough to measure it. `slowing_mm_s2` is the deceleration. `deflection_deg` is the angle from
    the first to the last heading; None if it never turned.
    """

    coin: str
    length_mm: float | None
    top_speed_mm_s: float | None
    slowing_mm_s2: float | None
    deflection_deg: float | None


# Chosen: a disc moves if it goes farther than this from one sighting to the next
MOVED_MM: Final = 0.5
# Chosen: in the last third of its path, a sliding disc has at most this share of the speed that it
# had in the first third
SLOWED: Final = 0.8
# Chosen: a disc is seen in at least this share of the frames of its path. In a video of traffic,
# what was taken for a disc was seen in 0.67 of them; a real ball was seen in 0.94
SEEN_OF_WAY: Final = 0.8


@dataclass(frozen=True)
class FlickReport:
    """One flick of the disc `coin`. `points` holds, for each disc that moved, its place in each
    frame. `start_mm` is where each disc lay when the flick began, as far as it is known. `lines`
    are the lines that a disc could cross.
    """

    number: int
    coin: str
    points: Mapping[str, tuple[PathPoint, ...]]
    incidents: tuple[Incident, ...]
    figures: tuple[Figures, ...]
    near_misses: tuple[NearMiss, ...]
    start_mm: Mapping[str, Point]
    lines: Mapping[str, Line] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()

    @property
    def resting(self) -> dict[str, tuple[PathPoint, ...]]:
        """Return, for each disc that did not move, its place in the first frame of the flick."""
        first = min((ps[0] for ps in self.points.values()), key=lambda p: p.frame, default=None)
        if first is None:
            return {}
        sigmas_mm = {path.coin: path.rest_before_sigma_mm for path in self.paths}
        return {
            coin: (PathPoint(first.frame, first.t_s, at_mm, sigmas_mm[coin], True),)
            for coin, at_mm in self.start_mm.items()
            if coin not in self.points and coin in sigmas_mm
        }

    @property
    def slowed_down(self) -> bool:
        """Whether the flicked disc lay still first, was seen in most frames of its path, and slowed
        down. All that slides or rolls slows down. A car that passes keeps its speed.
        """
        lay = any(p.coin == self.coin and p.rest_before_mm is not None for p in self.paths)
        way = self.points.get(self.coin, ())
        seen = [point for point in way if point.seen]
        steps = [(a, b) for a, b in pairwise(seen) if distance(a.at_mm, b.at_mm) > MOVED_MM]
        third = len(steps) // 3
        if not lay or third < 1 or len(seen) < SEEN_OF_WAY * len(way):
            return False
        first, last = (
            median(distance(a.at_mm, b.at_mm) / (b.t_s - a.t_s) for a, b in part)
            for part in (steps[:third], steps[-third:])
        )
        return last < SLOWED * first

    def place_of(self, coin: str, t_s: float) -> Point | None:
        """Return where a disc was at the time `t_s`, mm; None if it is not known."""
        path = next((p for p in self.paths if p.coin == coin), None)
        return None if path is None else path.position_at(t_s)


def flick_reports(
    episode: Episode,
    lines: Mapping[str, Line] | None,
    first_number: int,
    hands: Sequence[tuple[float, Set[str]]] = (),
) -> tuple[list[FlickReport], list[Incident]]:
    """Return a report on each flick of an episode, and the incidents before the first flick.

    `lines` are the lines that a disc can cross; None for a line between any two discs at rest.
    `hands` are times, s, before and during the episode, each with the discs at which a hand was
    seen. The first report gets the number `first_number`.
    """
    paths = smooth_episode(episode)
    seen = [_perhaps_struck(episode, incident, hands) for incident in incidents_of(episode, paths)]
    found = in_order([*seen, *_unknown(episode, seen)])
    gaps = gaps_of(episode, paths)
    flicks = [i for i in found if isinstance(i, Flicked)]
    # a slide may begin a moment before the time reported for its flick
    early_s = 0.5 * frame_time_s(episode)
    spans_s = list(pairwise([*((f.t_s or 0.0) - early_s for f in flicks), math.inf]))
    reports = [
        _report(episode, paths, found, gaps, number, flick, span_s, lines)
        for number, (flick, span_s) in enumerate(
            zip(flicks, spans_s, strict=True), start=first_number
        )
    ]
    begins_s = spans_s[0][0] if flicks else math.inf
    return reports, [i for i in found if (i.t_s or 0.0) < begins_s]


def _unknown(episode: Episode, reported: Sequence[Incident]) -> Iterator[Unseen]:
    """Yield an incident if something moved that is none of the known discs. Nobody saw what it hit.
    The incident lasts from the first sure flick, or else from the first hand, to the end of the
    episode. An unsure flick does not count: the unknown thing may have struck that disc.
    """
    if not episode.unknown_mm:
        return
    hand_s = (f.t_s for f in episode.frames if f.number in episode.hand_frames)
    flicks = (i for i in reported if isinstance(i, Flicked) and (i.probability or 1.0) > SURE)
    flicked_s = (i.t_s for i in flicks if i.t_s is not None)
    ends_s = episode.frames[-1].t_s
    from_s = min(flicked_s, default=min(hand_s, default=episode.frames[0].t_s))
    yield Unseen(
        pieces=(UNKNOWN,),
        from_s=round(from_s, 4),
        to_s=round(ends_s, 4),
        t_s=from_s,
        frames=frames_about(episode, from_s),
    )


def _perhaps_struck(
    episode: Episode, incident: Incident, hands: Sequence[tuple[float, Set[str]]]
) -> Incident:
    """Return the incident. Make it unsure if it is a flick and no hand was seen at its disc. Nobody
    says how many discs are on the table, so a disc that was not found may have struck this one.
    `hands` reaches back before the episode, because the hand may have left the disc before the
    episode begins.
    """
    if not isinstance(incident, Flicked):
        return incident
    coin, begin_s = incident.coin, incident.t_s or 0.0
    sure = hand_at(episode, coin, begin_s) or any(
        coin in at and abs(t_s - begin_s) <= HAND_S for t_s, at in hands
    )
    return incident if sure else msgspec.structs.replace(incident, probability=EITHER)


def _perhaps_of_another(episode: Episode, reported: Sequence[Incident]) -> list[Incident]:
    """Return the incidents. Make those of a disc unsure if it appeared while another disc was out
    of sight: both may be the same disc.
    """
    lay = {track.coin for track in episode.tracks if track.before is not None}
    unseen = [i for i in reported if isinstance(i, Unseen) and not lay.isdisjoint(i.pieces)]
    newcomers = {
        track.coin
        for track in episode.tracks
        if track.coin not in lay and track.sightings
        if any(i.from_s <= track.sightings[0].t_s <= i.to_s for i in unseen)
    }

    def weighed(incident: Incident) -> Incident:
        own = isinstance(incident, LineCrossed | Contact) and (
            incident.coin in newcomers
            or (isinstance(incident, Contact) and incident.with_ in newcomers)
        )
        sure = own and (incident.probability or 1.0) > EITHER
        return msgspec.structs.replace(incident, probability=EITHER) if sure else incident

    return [weighed(incident) for incident in reported]


def _report(
    episode: Episode,
    paths: Sequence[Path],
    found: Sequence[Incident],
    gaps: tuple[Gap, ...],
    number: int,
    flick: Flicked,
    span_s: tuple[float, float],
    lines: Mapping[str, Line] | None,
) -> FlickReport:
    start_mm = {p.coin: at for p in paths if (at := p.position_at(span_s[0])) is not None}
    part = tuple(_within(path, span_s) for path in paths)
    crossed = lines or {}
    if lines is None:
        sigmas_mm = {t.coin: t.before.sigma_mm for t in episode.tracks if t.before is not None}
        crossed = between_pairs(start_mm, sigmas_mm, flick.coin)
    crossings = [
        crossing
        for path in part
        for name, line in (
            crossed if lines is not None else without_own(crossed, path.coin)
        ).items()
        for crossing in crossings_of(episode, path, name, line)
    ]
    reported = _perhaps_of_another(episode, (*found, *only_seen(crossings, gaps)))
    own = [i for i in reported if span_s[0] <= (i.t_s or 0.0) < span_s[1]]
    return FlickReport(
        number,
        flick.coin,
        {p.coin: points for p in part if (points := _points(episode.frames, p))},
        in_order(own),
        tuple(figures_of(path, gaps) for path in part if path.runs),
        tuple(_near_misses(episode, part, own, gaps)),
        start_mm,
        crossed,
        part,
    )


def _within(path: Path, span_s: tuple[float, float]) -> Path:
    """Return the runs of a path that begin within a span of time, and where the disc lay then."""
    begin_s, end_s = span_s
    return replace(
        path,
        runs=tuple(r for r in path.runs if begin_s <= r.begin_s < end_s),
        held=tuple(h for h in path.held if begin_s <= h.begin_s < end_s),
        sightings=tuple(s for s in path.sightings if begin_s <= s.t_s < end_s),
    )


def _points(frames: Sequence[Frame], path: Path) -> tuple[PathPoint, ...]:
    """Return a disc's place in each frame while it moved, in the last frame before that and in the
    first frame after it. Return no places if it did not move.
    """
    seen = {s.frame: s for s in path.sightings}
    times = [t for r in path.runs for t in (r.begin_s, min(r.end_s, r.stop_s))]
    times += [t for h in path.held for t in (h.begin_s, h.end_s)]
    if not times:
        return ()
    points = []
    for frame in _about(frames, min(times), max(times)):
        sighting = seen.get(frame.number)
        at_mm = sighting.at_mm if sighting else path.position_at(frame.t_s)
        if at_mm is not None:
            sigma_mm = sighting.sigma_mm if sighting else path.sigma_at(frame.t_s)
            points.append(PathPoint(frame.number, frame.t_s, at_mm, sigma_mm, sighting is not None))
    return tuple(points)


def _about(frames: Sequence[Frame], begin_s: float, end_s: float) -> Sequence[Frame]:
    """Return the frames of a span of time, the frame before it and the frame after it."""
    inside = [k for k, frame in enumerate(frames) if begin_s <= frame.t_s <= end_s]
    first = inside[0] if inside else next((k for k, f in enumerate(frames) if f.t_s > end_s), 0)
    last = inside[-1] if inside else first
    return frames[max(0, first - 1) : last + 2]


def figures_of(path: Path, gaps: tuple[Gap, ...]) -> Figures:
    """Return the figures of a disc that slid. A disc is fastest at the start of its path, so its
    top speed is known only if its first run was measured, before the disc hit anything. `gaps` are
    the spans of time in which discs were out of sight.
    """
    first, last = path.runs[0], path.runs[-1]
    end_s = min(last.end_s, last.stop_s)
    unknown = [g for g in gaps if path.coin in g.coins and g.end_s > first.begin_s]
    known = all(gap.begin_s >= end_s for gap in unknown)
    length_mm = sum(r.travelled_mm(min(r.end_s, r.stop_s)) for r in path.runs)
    measured = [r for r in path.runs if r.sightings >= TELLING_SIGHTINGS]
    turned = len(path.runs) > 1 and all(r.sightings >= 2 for r in (first, last))
    turn_rad = math.atan2(cross(first.heading, last.heading), dot(first.heading, last.heading))
    return Figures(
        path.coin,
        length_mm if known else None,
        max(r.speed_mm_s for r in measured) if first in measured else None,
        max(measured, key=_duration_s).slowing_mm_s2 if measured else None,
        math.degrees(turn_rad) if turned else None,
    )


def _duration_s(run: Run) -> float:
    return min(run.end_s, run.stop_s) - run.begin_s


def _near_misses(
    episode: Episode, paths: Sequence[Path], incidents: Sequence[Incident], gaps: tuple[Gap, ...]
) -> Iterator[NearMiss]:
    """Yield any two discs that came near each other without touching, if one of them slid."""
    touched = {
        frozenset((i.coin, i.with_))
        for i in incidents
        if isinstance(i, Contact) and (i.probability is None or i.probability > LIKELY)
    }
    for a, b in combinations(paths, 2):
        if not (a.runs or b.runs) or frozenset((a.coin, b.coin)) in touched:
            continue
        near = closest_approach(episode, a, b)
        if near is None or any(gap.hides((a.coin, b.coin), near.t_s) for gap in gaps):
            continue
        if near.gap_mm < NEAR_WIDTHS * episode.sizes.reach_mm(a.coin, b.coin):
            moving, other = (a, b) if a.runs else (b, a)
            yield NearMiss(moving.coin, other.coin, near.gap_mm, near.sigma_mm)
