"""A coin's path through one flick: collision-free runs of a sliding disc, joined at the instants
something was met.

A disc that slides under Coulomb friction keeps its direction and loses speed evenly until it stops,
so a run is a straight line covered at a falling speed (`slide`; the same holds for every coin of a
set on one table).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from referee.domain import slide
from referee.domain.geometry import Point, add, scale, subtract
from referee.domain.sighting import Sighting

# Tuned on our own clips, except where a comment says what stands behind a number.

# a coin in a hand is nowhere in particular between sightings further apart than this
HELD_GAP_S: Final = 0.1

#: What no averaging over frames removes: shadows, what is left of side walls; the survey states
#: its own error. Measured: over coins of known place.
SYSTEMATIC_MM: Final = 0.05


@dataclass(frozen=True, slots=True)
class Run:
    """One collision-free stretch, from `begin_s` to `end_s` (the next contact, the end of the
    slide, or the last sight).

    At `begin_s` the centre is at `from_mm` and moves at `speed_mm_s` along the unit vector
    `heading`, slowing by `slowing_mm_s2` until it stands. `sigma_mm`, `sigma_mm_s` are the standard
    uncertainties along each axis of the place at the run's middle and of the velocity; the place's
    uncertainty grows away from the middle accordingly. `sightings` counts the frames the run rests
    on; 0 means nothing but what lies before and after it. `met` names what the coin met at
    `begin_s` (coins, tiles), as far as the fit could tell.
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

    @property
    def stop_s(self) -> float:
        """When the coin stands, if nothing meets it; infinite without friction."""
        return self.begin_s + slide.standing_after_s(self.speed_mm_s, self.slowing_mm_s2)

    def travelled_mm(self, t_s: float) -> float:
        """How far the coin has come since `begin_s`; before it, how far it would have been on its
        way (negative).
        """
        since = min(t_s, self.stop_s) - self.begin_s
        return slide.way_mm(self.speed_mm_s, self.slowing_mm_s2, since)

    def position(self, t_s: float) -> Point:
        """The centre at `t_s`, mm; outside the run the run is carried on straight."""
        return add(self.from_mm, scale(self.heading, self.travelled_mm(t_s)))

    def time_at(self, way_mm: float) -> float | None:
        """When the coin has come `way_mm` since `begin_s`; None before that and where it stops
        short of it.
        """
        moved = self.speed_mm_s > 0.0
        longest_mm = slide.standing_after_mm(self.speed_mm_s, self.slowing_mm_s2)
        if not moved or not 0.0 <= way_mm <= longest_mm:
            return None
        return self.begin_s + slide.time_over_s(way_mm, self.speed_mm_s, self.slowing_mm_s2)

    def velocity(self, t_s: float) -> Point:
        """The velocity at `t_s`, mm/s."""
        since = t_s - self.begin_s
        return scale(self.heading, slide.speed_after_s(since, self.speed_mm_s, self.slowing_mm_s2))

    def sigma_at(self, t_s: float) -> float:
        """The standard uncertainty of the place along each axis at `t_s`, mm."""
        middle_s = 0.5 * (self.begin_s + min(self.end_s, self.stop_s))
        return math.hypot(SYSTEMATIC_MM, self.sigma_mm, self.sigma_mm_s * (t_s - middle_s))


@dataclass(frozen=True, slots=True)
class Held:
    """A stretch in which a hand had the coin, or in which nothing tells how it came from one place
    to the next.

    `seen_with_hand` says whether a hand lay over the coin at all.
    """

    begin_s: float
    end_s: float
    seen_with_hand: bool


@dataclass(frozen=True, slots=True)
class Path:
    """One coin through one flick: where it was in every frame it was seen in, and the runs that
    explain it, in order of time.

    A coin that never moved has no runs: it lies at `rest_before_mm`. `rest_after_mm` is None when
    the coin left the table or was lost. Both rests carry their own sigma. `held` are the stretches
    that no slide explains; within them the coin is where it was seen, and unknown in between.
    """

    coin: str
    runs: tuple[Run, ...]
    sightings: tuple[Sighting, ...]
    rest_before_mm: Point | None
    rest_before_sigma_mm: float
    rest_after_mm: Point | None
    rest_after_sigma_mm: float
    held: tuple[Held, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether the coin slid at all."""
        return bool(self.runs)

    def run_at(self, t_s: float) -> Run | None:
        """The run that holds `t_s`; None before the first and where none does."""
        held = None
        for run in self.runs:
            if run.begin_s <= t_s:
                held = run
        return held

    def held_at(self, t_s: float) -> Held | None:
        """The stretch in which a hand had the coin at `t_s`; None where none did."""
        return next((h for h in self.held if h.begin_s < t_s < h.end_s), None)

    def position_at(self, t_s: float) -> Point | None:
        """The centre at `t_s`, mm; None where it is not known."""
        if self.held_at(t_s) is not None:
            return self._seen_about(t_s)
        run = self.run_at(t_s)
        since = max((h.end_s for h in self.held if h.end_s <= t_s), default=-math.inf)
        if run is None or run.begin_s < since:
            return self.rest_before_mm if since == -math.inf else self.rest_after_mm
        return run.position(min(t_s, run.end_s))

    def velocity_at(self, t_s: float) -> Point:
        """The velocity at `t_s`, mm/s; (0, 0) at rest and in a hand."""
        run = self.run_at(t_s)
        return (
            (0.0, 0.0)
            if run is None or t_s > run.end_s or self.held_at(t_s) is not None
            else run.velocity(t_s)
        )

    def sigma_at(self, t_s: float) -> float:
        """The standard uncertainty of the place along each axis at `t_s`, mm."""
        run = self.run_at(t_s)
        return self.rest_before_sigma_mm if run is None else run.sigma_at(min(t_s, run.end_s))

    def _seen_about(self, t_s: float) -> Point | None:
        """Between the sightings next before and after, if they are at most `HELD_GAP_S` apart."""
        earlier = [s for s in self.sightings if s.t_s <= t_s]
        later = [s for s in self.sightings if s.t_s >= t_s]
        if not earlier or not later or later[0].t_s - earlier[-1].t_s > HELD_GAP_S:
            return None
        a, b = earlier[-1], later[0]
        share = (t_s - a.t_s) / (b.t_s - a.t_s) if b.t_s > a.t_s else 0.0
        return add(a.at_mm, scale(subtract(b.at_mm, a.at_mm), share))
