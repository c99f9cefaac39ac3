"""Lists what was close in a scene: everything that happened, or failed to happen, by a few standard
errors at most.

A margin is the smallest change, in mm, that would have made the outcome different. It is positive
if the thing happened. For a crossing it is the smallest of three distances: how far behind the line
the coin began, how far past the line it got, and how far inside the line's ends it crossed. For a
contact it is how deeply the paths would have overlapped, or the gap between the rims. For a fall it
is how far past the edge the coin would have slid.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.domain.geometry import Point, add, distance, dot, scale, subtract, unit
from referee.domain.layout import Course, Line
from referee.synthetic.physics.motion import Slide
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.timeline import Sliding, Timeline

NEAR_MM = 1.5  # three standard errors where a coin is seen to half a millimetre
BEGIN_S = 1e-3  # what is nearest when a flick begins moves away
DIRECTIONS = (("outward", 1.0), ("homeward", -1.0))

Fact = Mapping[str, Any]
Node = tuple[float, Point]  #: An instant, and where the coin was then.


@dataclass(frozen=True, slots=True)
class CloseCall:
    """Something that happened by a small margin, or failed to happen by a small margin. `what` is a
    line with the direction, a coin, or an endpost; empty for a fall.
    """

    kind: str
    coin: str
    what: str
    t_s: float
    margin_mm: float


@dataclass(frozen=True, slots=True)
class Flick:
    """One flick of a timeline, until the next one: the coin, the slides of each coin that moved,
    what else is known about contacts and falls, and the course when it began.
    """

    coin: str
    begin_s: float
    end_s: float
    slides: Mapping[str, Sequence[Slide]]
    facts: Sequence[Fact]
    course: Course

    def close_calls(self) -> list[CloseCall]:
        """Return what was close, in no particular order."""
        found = [call for coin in self.slides for call in self._crossings(coin)]
        return [*found, *self._others()]

    def crossed(self) -> set[tuple[str, str]]:
        """Return each coin that crossed a line, with the line and the direction."""
        return {
            (coin, f"{name} {direction}")
            for coin, slides in self.slides.items()
            for name, line in self.course.lines.items()
            for leg in legs(slides, line)
            for direction, sign in DIRECTIONS
            if crossing_margin(leg, line, sign)[1] > 0.0
        }

    def _crossings(self, coin: str) -> Iterator[CloseCall]:
        for name, line in self.course.lines.items():
            for leg in legs(self.slides[coin], line):
                for direction, sign in DIRECTIONS:
                    t_s, margin = crossing_margin(leg, line, sign)
                    if abs(margin) <= NEAR_MM:
                        yield CloseCall("line_crossed", coin, f"{name} {direction}", t_s, margin)

    def _others(self) -> Iterator[CloseCall]:
        facts: dict[tuple[str, str, str], list[Fact]] = {}
        for fact in self.facts:
            if fact["kind"] in ("contact", "left_table"):
                facts.setdefault((fact["kind"], *pair(fact)), []).append(fact)
        for (kind, coin, other), of in facts.items():
            margins = [margin_of(fact) for fact in of]
            near = [abs(margin) <= NEAR_MM for margin in margins]
            if all(near) and of[0]["t_s"] > self.begin_s + BEGIN_S:
                yield CloseCall(kind, coin, other, float(of[0]["t_s"]), max(margins))


def flicks_of(scene: Scene, timeline: Timeline) -> list[Flick]:
    """Split a timeline into its flicks."""
    begun = [
        (float(f["t_s"]), str(f["coin"])) for f in timeline.incidents if f["kind"] == "flicked"
    ]
    return [
        Flick(
            coin,
            begin,
            end,
            _slides(timeline, begin, end),
            [f for f in (*timeline.incidents, *timeline.near_misses) if begin <= f["t_s"] < end],
            Course({n: timeline.tile(n, begin) for n in timeline.first_tiles}, scene.sizes.tile_mm),
        )
        for (begin, coin), (end, _) in pairwise([*begun, (math.inf, "")])
    ]


def _slides(timeline: Timeline, begin_s: float, end_s: float) -> dict[str, list[Slide]]:
    found = {
        coin: [s.slide for s in of if isinstance(s, Sliding) and begin_s <= s.begin_s < end_s]
        for coin, of in timeline.coins.items()
    }
    return {coin: slides for coin, slides in found.items() if slides}


def ahead_mm(line: Line, at: Point) -> float:
    """Return the distance of a place from a line, positive on the outward side and negative on the
    other.
    """
    return dot(subtract(at, line.left_mm), line.outward)


def legs(slides: Sequence[Slide], line: Line) -> list[list[Node]]:
    """Split a coin's way into parts in which its signed distance from a line only grows or only
    shrinks. Slides are straight, so it is enough to look at their ends.
    """
    nodes = [(slides[0].begin_s, slides[0].from_mm)]
    nodes += [(s.end_s, s.position(s.end_s)) for s in slides]
    found: list[list[Node]] = []
    for a, b in pairwise(nodes):
        step = ahead_mm(line, b[1]) - ahead_mm(line, a[1])
        if found and step * _climb(found[-1], line) >= 0.0:
            found[-1].append(b)
        else:
            found.append([a, b])
    return found


def _climb(leg: Sequence[Node], line: Line) -> float:
    return ahead_mm(line, leg[-1][1]) - ahead_mm(line, leg[0][1])


def crossing_margin(leg: Sequence[Node], line: Line, sign: float) -> tuple[float, float]:
    """Return when a leg came closest to the line, and by how much it crossed it outward (`sign` 1)
    or homeward (-1); negative where it did not.
    """
    behind, past = -sign * ahead_mm(line, leg[0][1]), sign * ahead_mm(line, leg[-1][1])
    if behind + past <= 0.0:  # the coin goes the other way
        return leg[0][0], -math.inf
    t_s, foot = leg[-1] if past <= 0.0 else leg[0]
    for (_, a), (end_s, b) in pairwise(leg):
        from_mm, to_mm = ahead_mm(line, a), ahead_mm(line, b)
        if from_mm * to_mm < 0.0:
            t_s, foot = end_s, add(a, scale(subtract(b, a), from_mm / (from_mm - to_mm)))
    place = dot(subtract(foot, line.left_mm), unit(subtract(line.right_mm, line.left_mm)))
    inside = min(place, distance(line.left_mm, line.right_mm) - place)
    return t_s, min(behind, past, inside)


def pair(fact: Fact) -> tuple[str, str]:
    """Return the coin and what it met; two coins come in alphabetical order. For a fall, return the
    coin and an empty text.
    """
    coin, other = str(fact["coin"]), str(fact.get("with", ""))
    return (other, coin) if other and "endpost" not in other and other < coin else (coin, other)


def margin_of(fact: Fact) -> float:
    """Return the margin of a contact or a fall that happened, or nearly did."""
    if "margin_mm" in fact:
        return float(fact["margin_mm"])
    return -float(fact["gap_mm"] if "gap_mm" in fact else fact["short_by_mm"])
