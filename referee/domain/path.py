"""A coin's path through one flick: a series of straight runs without a collision. One run ends and
the next begins when the coin meets something.

A disc that slides under Coulomb friction keeps its direction and loses speed evenly until it stops.
So a run is a straight line along which the speed falls. The equations are in `slide`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from referee.domain import slide
from referee.domain.geometry import Point, add, scale, subtract
from referee.domain.sighting import Sighting

# Tuned on our own clips, except where a comment gives another source for a number.

# between two sightings further apart than this, the place of a coin in a hand is unknown
HELD_GAP_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class Run:
    """One stretch without a collision, from `begin_s` to `end_s`. At `end_s` the coin meets
    something, stops, or is seen for the last time.

    At `begin_s` the centre is at `from_mm` and moves at `speed_mm_s` along the unit vector
    `heading`. It slows by `slowing_mm_s2` until it stops. The standard uncertainty of the place
    along each axis is `sigma_mm` at the middle of the run and `ends_sigma_mm` at its begin and its
    end; that of the velocity is `sigma_mm_s`. Outside the run, the uncertainty of the place grows
    with the time from its begin or its end. Without `ends_sigma_mm`, it grows with the time from
    the middle. `sightings` is the number of frames in which the coin was seen on this run. If it is
    0, the run was worked out only from what comes before and after it. `met` names the coins and
    tiles that the coin met at `begin_s`, as far as the fit could find them.
    """

    begin_s: float
    end_s: float
    from_mm: Point
    heading: Point
    speed_mm_s: float
    slowing_mm_s2: float
    sigma_mm: float
    sigma_mm_s: float
    sightings: int
    met: tuple[str, ...] = ()
    ends_sigma_mm: tuple[float, float] | None = None

    @property
    def stop_s(self) -> float:
        """Return when the coin stops if it meets nothing; infinite without friction."""
        return self.begin_s + slide.standing_after_s(self.speed_mm_s, self.slowing_mm_s2)

    def travelled_mm(self, t_s: float) -> float:
        """Return how far the coin has come since `begin_s`. For a time before `begin_s` the
        distance is negative.
        """
        since = min(t_s, self.stop_s) - self.begin_s
        return slide.way_mm(self.speed_mm_s, self.slowing_mm_s2, since)

    def position(self, t_s: float) -> Point:
        """Return the centre at `t_s`, mm. Before and after the run, the straight line is
        continued.
        """
        return add(self.from_mm, scale(self.heading, self.travelled_mm(t_s)))

    def time_at(self, way_mm: float) -> float | None:
        """Return when the coin is `way_mm` from `from_mm`; None if `way_mm` is negative, or if the
        coin stops before it has come so far.
        """
        moved = self.speed_mm_s > 0.0
        longest_mm = slide.standing_after_mm(self.speed_mm_s, self.slowing_mm_s2)
        if not moved or not 0.0 <= way_mm <= longest_mm:
            return None
        return self.begin_s + slide.time_over_s(way_mm, self.speed_mm_s, self.slowing_mm_s2)

    def velocity(self, t_s: float) -> Point:
        """Return the velocity at `t_s`, mm/s."""
        since = t_s - self.begin_s
        return scale(self.heading, slide.speed_after_s(since, self.speed_mm_s, self.slowing_mm_s2))

    def sigma_at(self, t_s: float) -> float:
        """Return the standard uncertainty of the place along each axis at `t_s`, mm."""
        end_s = min(self.end_s, self.stop_s)
        half_s, since_s = 0.5 * (end_s - self.begin_s), t_s - 0.5 * (self.begin_s + end_s)
        if self.ends_sigma_mm is None or half_s <= 0.0:
            return math.hypot(self.sigma_mm, self.sigma_mm_s * since_s)
        edge_mm = self.ends_sigma_mm[since_s > 0.0]
        share = min(abs(since_s) / half_s, 1.0) ** 2
        place_mm = math.sqrt((1.0 - share) * self.sigma_mm**2 + share * edge_mm**2)
        beyond_s = max(abs(since_s) - half_s, 0.0)
        return math.hypot(place_mm, self.sigma_mm_s * beyond_s)


@dataclass(frozen=True, slots=True)
class Held:
    """A stretch of time in which a hand moved the coin, or in which nobody knows how the coin got
    from one place to the next.

    `seen_with_hand` says whether a hand was seen over the coin. `slide_extra_cost` compares two
    explanations: the cost of a coin that slid unseen, less the cost of a coin that a hand moved, in
    units of chi-square. It is 0 if neither is more likely.
    """

    begin_s: float
    end_s: float
    seen_with_hand: bool
    slide_extra_cost: float = 0.0


@dataclass(frozen=True, slots=True)
class PossibleHit:
    """A hit at `t_s` on the coin or tile `with_` that the path does not contain, although an
    explanation with this hit is nearly as likely as the path: it costs `extra_cost` more, in units
    of chi-square.
    """

    with_: str
    t_s: float
    extra_cost: float


@dataclass(frozen=True, slots=True)
class Path:
    """One coin's path through one flick: its place in every frame in which it was seen, and the
    runs that explain these places, in order of time.

    A coin that never moved has no runs and lies at `rest_before_mm`. `rest_after_mm` is None when
    the coin left the table or was lost. Each of the two places has its own sigma. `held` are the
    stretches of time that no slide explains. In them the coin's place is known only at the times at
    which it was seen. `possible_hits` are the hits in other explanations that are nearly as likely
    as this path.
    """

    coin: str
    runs: tuple[Run, ...]
    sightings: tuple[Sighting, ...]
    rest_before_mm: Point | None
    rest_before_sigma_mm: float
    rest_after_mm: Point | None
    rest_after_sigma_mm: float
    held: tuple[Held, ...] = ()
    possible_hits: tuple[PossibleHit, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether the coin slid at all."""
        return bool(self.runs)

    def run_at(self, t_s: float) -> Run | None:
        """Return the last run that begins at or before `t_s`; None before the first run."""
        held = None
        for run in self.runs:
            if run.begin_s <= t_s:
                held = run
        return held

    def held_at(self, t_s: float) -> Held | None:
        """Return the `held` stretch that contains `t_s`; None if there is none."""
        return next((h for h in self.held if h.begin_s < t_s < h.end_s), None)

    def held_until(self, t_s: float) -> Held | None:
        """Return the `held` stretch that ends at `t_s`; None if there is none."""
        return next((h for h in self.held if abs(h.end_s - t_s) <= 1e-6), None)

    def position_at(self, t_s: float) -> Point | None:
        """Return the centre at `t_s`, mm; None if it is not known."""
        if self.held_at(t_s) is not None:
            return self._seen_about(t_s)
        at = self._explained_at(t_s)
        if at is None:
            return self.rest_after_mm if self._put_down_by(t_s) else self.rest_before_mm
        run, then_s = at
        return run.position(then_s)

    def velocity_at(self, t_s: float) -> Point:
        """Return the velocity at `t_s`, mm/s; (0, 0) while the coin lies still or a hand holds
        it.
        """
        run = self.run_at(t_s)
        return (
            (0.0, 0.0)
            if run is None or t_s > run.end_s or self.held_at(t_s) is not None
            else run.velocity(t_s)
        )

    def sigma_at(self, t_s: float) -> float:
        """Return the standard uncertainty of the place along each axis at `t_s`, mm."""
        at = self._explained_at(t_s)
        if at is None:
            after = self._put_down_by(t_s)
            return self.rest_after_sigma_mm if after else self.rest_before_sigma_mm
        run, then_s = at
        return run.sigma_at(then_s)

    def _explained_at(self, t_s: float) -> tuple[Run, float] | None:
        """Return the run that says where the coin is at `t_s`, and the time on it at which it is
        there; None if only a place of rest says that. A coin that a hand put down lies where its
        next run begins.
        """
        run = self.run_at(t_s)
        put_down = self._put_down_by(t_s)
        if run is not None and (put_down is None or run.begin_s >= put_down.end_s):
            return run, min(t_s, run.end_s)
        later = next((r for r in self.runs if r.begin_s > t_s), None) if put_down else None
        return None if later is None else (later, later.begin_s)

    def _put_down_by(self, t_s: float) -> Held | None:
        """Return the last `held` stretch that ends by `t_s`; None if there is none."""
        return max((h for h in self.held if h.end_s <= t_s), key=lambda h: h.end_s, default=None)

    def _seen_about(self, t_s: float) -> Point | None:
        """Return the place at `t_s`, interpolated between the sightings just before and just after
        it; None if these are more than `HELD_GAP_S` apart.
        """
        earlier = [s for s in self.sightings if s.t_s <= t_s]
        later = [s for s in self.sightings if s.t_s >= t_s]
        if not earlier or not later or later[0].t_s - earlier[-1].t_s > HELD_GAP_S:
            return None
        a, b = earlier[-1], later[0]
        share = (t_s - a.t_s) / (b.t_s - a.t_s) if b.t_s > a.t_s else 0.0
        return add(a.at_mm, scale(subtract(b.at_mm, a.at_mm), share))
