"""Slides discs of different sizes and masses over a table, in small steps of time."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from referee.domain.geometry import Point
from referee.domain.slide import speed_after_s

STEP_S: Final = 2e-4  # Chosen: a disc at 2.5 m/s goes half a millimetre
BOUNCE: Final = 0.85  # Chosen: of the closing speed, what is left after a hit
LEAST_CLOSING_MM_S: Final = 1.0  # Chosen: slower, discs only touch
KEPT_STEPS: Final = 5  # of the steps, every so many-th place is kept
LONGEST_S: Final = 5.0  # Chosen: longer, no disc slides


@dataclass(frozen=True, slots=True)
class Body:
    """A disc: its radius, mm, and its mass in any unit."""

    radius_mm: float
    mass: float


@dataclass(frozen=True, slots=True)
class Motion:
    """The place of a disc's middle over time. Between successive `times_s`, it moves straight from
    one of the `places_mm` to the next.
    """

    times_s: tuple[float, ...]
    places_mm: tuple[Point, ...]

    @staticmethod
    def at(place_mm: Point) -> Motion:
        """Return the motion of a disc that lies still."""
        return Motion((0.0,), (place_mm,))

    @property
    def last(self) -> Point:
        """Return where the disc comes to rest."""
        return self.places_mm[-1]

    @property
    def end_s(self) -> float:
        """Return when the disc comes to rest."""
        return self.times_s[-1]

    def place(self, t_s: float) -> Point:
        """Return where the disc is at an instant."""
        k = bisect_right(self.times_s, t_s)
        if k == 0 or k == len(self.times_s):
            return self.places_mm[min(k, len(self.times_s) - 1)]
        (a, b), (p, q) = self.times_s[k - 1 : k + 1], self.places_mm[k - 1 : k + 1]
        share = (t_s - a) / (b - a)
        return (p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))

    def still_until(self, from_s: float, until_s: float) -> bool:
        """Return whether the disc lies in the same place at both instants."""
        return math.dist(self.place(from_s - 1e-6), self.place(until_s)) < 1e-6

    def then(self, later: Motion) -> Motion:
        """Return this motion followed by another one."""
        return Motion((*self.times_s, *later.times_s), (*self.places_mm, *later.places_mm))


def slide_all(
    lie: Mapping[str, Point],
    bodies: Mapping[str, Body],
    flicked: str,
    velocity_mm_s: Point,
    slowing_mm_s2: float,
    begin_s: float,
) -> tuple[dict[str, Motion], list[tuple[float, str, str, float]]]:
    """Flick one disc, and simulate until all discs lie still. Return the motion of each disc, and
    the hits: the time, the disc that ran into the other, the other disc, and the speed along the
    line of centres, mm/s.
    """
    at = {name: [*place] for name, place in lie.items()}
    speed = {name: [0.0, 0.0] for name in lie}
    speed[flicked] = [*velocity_mm_s]
    times, ways = [begin_s], {name: [place] for name, place in lie.items()}
    hits: list[tuple[float, str, str, float]] = []
    for step in range(1, round(LONGEST_S / STEP_S)):
        t_s = begin_s + step * STEP_S
        moving = [n for n, v in speed.items() if v != [0.0, 0.0]]
        if not moving:
            break
        for name in moving:
            _slide(at[name], speed[name], slowing_mm_s2)
        for a, b in combinations(at, 2):
            if (a in moving or b in moving) and (hit := _hit(at, speed, bodies, a, b)):
                hits.append((t_s, *hit))
        if step % KEPT_STEPS == 0 or (hits and hits[-1][0] == t_s):
            times.append(t_s)
            for name, place in at.items():
                ways[name].append((place[0], place[1]))
    times.append(times[-1] + KEPT_STEPS * STEP_S)
    return {n: Motion(tuple(times), (*way, (at[n][0], at[n][1]))) for n, way in ways.items()}, hits


def _slide(at: list[float], speed: list[float], slowing_mm_s2: float) -> None:
    fast = math.hypot(*speed)
    left = speed_after_s(STEP_S, fast, slowing_mm_s2)
    for k in (0, 1):
        at[k] += STEP_S * speed[k] * (fast + left) / (2 * fast)
        speed[k] *= left / fast


def _hit(
    at: Mapping[str, list[float]],
    speed: Mapping[str, list[float]],
    bodies: Mapping[str, Body],
    a: str,
    b: str,
) -> tuple[str, str, float] | None:
    """Let two discs bounce if they touch and approach each other. Return the disc that ran into the
    other, the other disc, and the speed; None if they do not bounce.
    """
    gap = [at[b][k] - at[a][k] for k in (0, 1)]
    apart = math.hypot(*gap)
    if apart > bodies[a].radius_mm + bodies[b].radius_mm:
        return None
    line = [g / apart for g in gap]
    towards_a = sum(speed[a][k] * line[k] for k in (0, 1))
    towards_b = -sum(speed[b][k] * line[k] for k in (0, 1))
    closing = towards_a + towards_b
    if closing < LEAST_CLOSING_MM_S:
        return None
    whole = bodies[a].mass + bodies[b].mass
    push = (1 + BOUNCE) * closing * bodies[a].mass * bodies[b].mass / whole
    for k in (0, 1):
        speed[a][k] -= push / bodies[a].mass * line[k]
        speed[b][k] += push / bodies[b].mass * line[k]
    return (a, b, closing) if towards_a >= towards_b else (b, a, closing)
