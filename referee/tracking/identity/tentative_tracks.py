"""Tracks discs that belong to no coin yet, until it is clear that they are a sliding coin, and
which coin it must be.

A coin may slide out from under a hand, where it cannot be seen. A single disc does not prove this,
because knuckles and pushed tiles can look like coins for a moment. Three successive discs on one
straight line prove it: they show one of the coins that are out of sight, which lay on the backward
extension of that line. For a fast coin, two discs and the place where it lay are proof enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Final

from referee.domain.episode import MOMENT_S
from referee.domain.frame_observation import Disc
from referee.domain.geometry import Point, cross, distance, dot, scale, subtract, unit
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS
from referee.domain.slide import FASTEST_FLICK_MM_S
from referee.tracking.identity.prediction import GATE_MM, GATE_OF_STEP, LOST_S, through

# Tuned on our own clips, except where a comment gives another source for a number.

AT_HAND_DISCS: Final = 5  # the fewest discs beside a hand that prove a track
LEAST_WAY_MM: Final = 8.0  # the least distance from the first to the last disc that proves a track
STRAIGHT: Final = 0.9  # the least cosine of the angle between two steps of a coin
SLOWING: Final = 1.25  # a step divided by the one before is at most this: friction slows a coin
ASIDE_MM: Final = 2.0  # a coin is seen at most this far beside its path
LEAST_STEP_MM: Final = 0.6  # a shorter step does not count as motion
# The second half of the path is at most this share of the first. With 1, a finger beside a coin
# that a hand carried was taken for the coin (1 of 65 clips).
SLOWER_HALF: Final = 0.8
# Chosen: before a turn, a coin seems to have at least this share of its speed after the turn. The
# coin seems slower than it is, because the straight line between two places is shorter than the
# path around the turn.
TURNED: Final = 0.5
# a coin may have lain at most this far beside the track extended backward,
MOST_ASIDE_MM: Final = 30.0
ASIDE_OF_WAY: Final = 0.15  # plus this share of the length of the extension


@dataclass(frozen=True, slots=True)
class TrackedDisc:
    """One disc of a tentative track: the number of the frame, the time of the middle of its
    exposure, and the disc.
    """

    frame: int
    t_s: float
    disc: Disc


@dataclass
class TentativeTrack:
    """Discs in successive frames that may all be one moving coin."""

    discs_seen: list[TrackedDisc] = field(default_factory=list)

    @property
    def proven(self) -> bool:
        """Whether these discs are certainly a moving coin: there are enough of them, they lie on a
        straight line, and they do not speed up. One of the last three discs may be at the hand that
        the coin has just left.
        """
        if sum(g.disc.at_hand for g in self.discs_seen[-TELLING_SIGHTINGS:]) > 1:
            return self._proven_at_hand()
        last = [g.disc.at_mm for g in self.discs_seen[-TELLING_SIGHTINGS:]]
        if len(last) < TELLING_SIGHTINGS or distance(last[0], last[-1]) < LEAST_WAY_MM:
            return False
        steps = [subtract(b, a) for a, b in pairwise(last)]
        return all(self._follows(a, b) for a, b in pairwise(steps))

    @property
    def proof_s(self) -> float:
        """Return the seconds between the first and the last of the discs that prove the track.

        Discs in consecutive frames are better proof than discs with gaps between them.
        """
        return self.discs_seen[-1].t_s - self.discs_seen[-TELLING_SIGHTINGS:][0].t_s

    @property
    def lies(self) -> bool:
        """Whether the last discs are a coin that lies still, clear of any hand."""
        last = list(
            takewhile(
                lambda g: g.disc.still and not (g.disc.at_hand or g.disc.beside_hand),
                reversed(self.discs_seen),
            )
        )
        return len(last) >= TELLING_SIGHTINGS and last[0].t_s - last[-1].t_s >= MOMENT_S

    @property
    def kept_s(self) -> float:
        """Return how many seconds the track is kept without a new disc. A proven track with no hand
        near its last discs is kept as long as the place of a lost coin is predicted; other tracks
        are kept for a shorter time.
        """
        last = [g.disc for g in self.discs_seen[-TELLING_SIGHTINGS:]]
        clear = not any(d.at_hand or d.beside_hand for d in last)
        return LOST_S if clear and self.proven else MOMENT_S

    def _proven_at_hand(self) -> bool:
        """Return whether discs beside a hand are certainly a moving coin.

        Beside a hand, more discs are needed. All these discs must lie on one line, each farther
        along it than the one before, and they must slow down as friction demands. A hand that
        withdraws speeds up.
        """
        places = [g.disc.at_mm for g in self.discs_seen]
        if len(places) < AT_HAND_DISCS or distance(places[0], places[-1]) < LEAST_WAY_MM:
            return False
        heading = unit(subtract(places[-1], places[0]))
        along = [dot(subtract(p, places[0]), heading) for p in places]
        aside = [abs(cross(heading, subtract(p, places[0]))) for p in places]
        half = len(places) // 2
        slows = along[-1] - along[-1 - half] < SLOWER_HALF * (along[half] - along[0])
        goes = (
            sum(b - a > LEAST_STEP_MM for a, b in pairwise(along)) >= TELLING_SIGHTINGS
        )  # a single jump would be two knuckles, seen one after the other
        return (
            max(aside) < ASIDE_MM
            and all(b > a - LEAST_STEP_MM for a, b in pairwise(along))
            and slows
            and goes
        )

    def _follows(self, step: Point, after: Point) -> bool:
        long, then = distance(step, (0.0, 0.0)), distance(after, (0.0, 0.0))
        return (
            long > 0
            and then > 0
            and dot(step, after) > STRAIGHT * long * then
            and then <= SLOWING * long
        )

    def gap(self, t_s: float, disc: Disc) -> float | None:
        """Return how far a disc is from where this track predicts it, as a multiple of the largest
        distance allowed (the gate). None if the disc cannot belong to the track.
        """
        last = self.discs_seen[-1]
        since = t_s - last.t_s
        if len(self.discs_seen) == 1:
            gap = distance(disc.at_mm, last.disc.at_mm) / (GATE_MM + FASTEST_FLICK_MM_S * since)
        else:
            before = self.discs_seen[-2]
            step = scale(
                subtract(last.disc.at_mm, before.disc.at_mm), since / (last.t_s - before.t_s)
            )
            ahead = (last.disc.at_mm[0] + step[0], last.disc.at_mm[1] + step[1])
            gap = distance(disc.at_mm, ahead) / (
                GATE_MM + GATE_OF_STEP * distance(step, (0.0, 0.0))
            )
        return gap if gap <= 1.0 else None

    def struck(self, place: Point, from_mm: Point, t_s: float, disc: Disc, coin_mm: float) -> bool:
        """Return whether the track's coin, which came from `from_mm`, may have hit a coin that lay
        at `place`, and may itself be this disc now. The track must lead into that coin, and the
        disc must not lie beyond it.
        """
        if any(g.disc.at_hand for g in self.discs_seen) or self.gap(t_s, disc) is None:
            return False
        way_mm = [from_mm, *(g.disc.at_mm for g in self.discs_seen)]
        last = way_mm[-1]
        if distance(last, way_mm[-2]) < LEAST_STEP_MM:
            return False
        heading = unit(subtract(last, way_mm[-2]))
        to_place = subtract(place, last)
        led_into = dot(to_place, heading) > 0.0 and abs(cross(heading, to_place)) < coin_mm
        return led_into and not through(last, disc.at_mm, [place], coin_mm)

    def ahead(self, t_s: float) -> Point:
        """Return the place at which the track, continued in a straight line, is at a time."""
        last = self.discs_seen[-1]
        if len(self.discs_seen) == 1:
            return last.disc.at_mm
        before = self.discs_seen[-2]
        step = scale(
            subtract(last.disc.at_mm, before.disc.at_mm), (t_s - last.t_s) / (last.t_s - before.t_s)
        )
        return (last.disc.at_mm[0] + step[0], last.disc.at_mm[1] + step[1])

    def leads_through(self, place: Point, from_mm: Point, aside_mm: float = ASIDE_MM) -> bool:
        """Return whether a place lies between `from_mm` and the track's first disc, and within
        `aside_mm` of the straight line between them.
        """
        first = self.discs_seen[0].disc.at_mm
        length = distance(from_mm, first)
        if length <= 0.0:
            return False
        heading = unit(subtract(first, from_mm))
        on = dot(subtract(place, from_mm), heading)
        return 0.0 < on < length and abs(cross(heading, subtract(place, from_mm))) < aside_mm

    def shot_from(self, places: Mapping[str, Point], coin_mm: float) -> str | None:
        """Return the coin from whose place the track's two discs lead straight away. The two discs
        must be clear of any hand and more than a coin apart: so fast a coin may be gone before a
        third frame shows it. Return None if there is no such coin, or more than one.
        """
        seen = [g.disc for g in self.discs_seen]
        if len(seen) != TELLING_SIGHTINGS - 1 or any(d.at_hand or d.beside_hand for d in seen):
            return None
        first, last = (d.at_mm for d in seen)
        step_mm = distance(first, last)
        if step_mm < coin_mm:
            return None
        heading = unit(subtract(last, first))
        shot = [
            coin
            for coin, at in places.items()
            for back in [dot(subtract(first, at), heading)]
            if back > coin_mm
            and abs(cross(heading, subtract(at, first))) < ASIDE_MM * (1.0 + back / step_mm)
        ]
        return shot[0] if len(shot) == 1 else None

    def came_from(self, places: Mapping[str, Point]) -> str | None:
        """Return the coin whose place is nearest to the backward extension of this track; None if
        no place is near enough.
        """
        first, last = self.discs_seen[0].disc.at_mm, self.discs_seen[-1].disc.at_mm
        if distance(first, last) < LEAST_STEP_MM:
            return None
        heading = unit(subtract(last, first))
        aside = {}
        for coin, at in places.items():
            back = dot(subtract(first, at), heading)
            off = abs(cross(heading, subtract(at, first)))
            if back > -LEAST_WAY_MM and off <= MOST_ASIDE_MM + ASIDE_OF_WAY * max(back, 0.0):
                aside[coin] = off
        return min(aside, key=lambda coin: aside[coin]) if aside else None


def before_turn(
    track: TentativeTrack, dropped: Iterable[TentativeTrack], from_mm: Point, from_s: float
) -> list[TrackedDisc]:
    """Return the discs of `dropped` tracks, in order of time, that may show the track's coin
    earlier, before it bounced off a tile or another coin. The coin lay at `from_mm` until `from_s`.
    From disc to disc, and to the track's beginning, the coin must slow down and never be faster
    than any flick. Discs at a hand may be fingers, so they do not count.
    """
    free = [g for t in dropped for g in t.discs_seen if not (g.disc.at_hand or g.disc.beside_hand)]
    after, way = track.discs_seen[0], list[TrackedDisc]()
    speed = _speed(after, track.discs_seen[1])
    for seen in sorted(free, key=lambda g: g.t_s, reverse=True):
        since = after.t_s - seen.t_s
        if not 0.0 < since <= MOMENT_S or seen.t_s <= from_s:
            continue
        lay_mm = distance(from_mm, seen.disc.at_mm)
        came = _speed(seen, after)
        if TURNED * speed < came < FASTEST_FLICK_MM_S and lay_mm > LEAST_WAY_MM:
            after, speed = seen, came
            way.insert(0, seen)
    return way


def on_the_way(
    tracks: Iterable[TentativeTrack], from_mm: Point, since_s: float, last: TrackedDisc
) -> list[TentativeTrack]:
    """Return the tracks, in order of time, whose discs lie on the straight line from the place
    where a coin lay to the disc `last`, and that began after `since_s`. These discs must be clear
    of any hand and no faster than any flick. A coin is at one place at a time, so of tracks that
    overlap in time none is returned.
    """
    now = TentativeTrack([last])
    way = [
        track
        for track in tracks
        if track.discs_seen[0].t_s > since_s
        and all(
            not (g.disc.at_hand or g.disc.beside_hand)
            and g.t_s < last.t_s
            and _speed(g, last) < FASTEST_FLICK_MM_S
            and now.leads_through(
                g.disc.at_mm, from_mm, max(ASIDE_MM, SEEN_SIGMAS * g.disc.sigma_mm)
            )
            for g in track.discs_seen
        )
    ]
    alone = [a for a in way if not any(_overlap(a, b) for b in way if b is not a)]
    return sorted(alone, key=lambda track: track.discs_seen[0].t_s)


def _overlap(one: TentativeTrack, other: TentativeTrack) -> bool:
    return (
        one.discs_seen[0].t_s <= other.discs_seen[-1].t_s
        and other.discs_seen[0].t_s <= one.discs_seen[-1].t_s
    )


def _speed(one: TrackedDisc, other: TrackedDisc) -> float:
    """Return the speed between two discs, mm/s."""
    return distance(one.disc.at_mm, other.disc.at_mm) / (other.t_s - one.t_s)


def extended_tracks(
    tracks: list[TentativeTrack], frame: int, t_s: float, discs: Iterable[Disc]
) -> list[TentativeTrack]:
    """Extend the tentative tracks with the discs of a frame that belong to no coin. Return the new
    tracks.
    """
    kept = [w for w in tracks if t_s - w.discs_seen[-1].t_s <= w.kept_s]
    taken: set[int] = set()
    for disc in discs:
        gaps = {
            i: gap
            for i, w in enumerate(kept)
            if i not in taken and (gap := w.gap(t_s, disc)) is not None
        }
        if gaps:
            best = min(gaps, key=lambda i: gaps[i])
            kept[best].discs_seen.append(TrackedDisc(frame, t_s, disc))
            taken.add(best)
        else:
            kept.append(TentativeTrack([TrackedDisc(frame, t_s, disc)]))
            taken.add(len(kept) - 1)
    return kept


def since(tracks: Iterable[TentativeTrack], frame: int) -> list[TentativeTrack]:
    """Return the tracks without the discs of the frames before `frame`."""
    kept = ([g for g in track.discs_seen if g.frame >= frame] for track in tracks)
    return [TentativeTrack(seen) for seen in kept if seen]
