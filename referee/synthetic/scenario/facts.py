"""Derives what happened from exact motions: crossings, contacts, falls and near misses, in the
words of the record.

Margins are defined as in the match record. For a crossing, the margin is the smaller of two
lengths: the distance to the line's nearer end, and how far beyond the line the centre went before
it came back or stopped. For a contact, it is how deeply the two paths, extrapolated straight, would
have overlapped. For a fall, it is how far beyond the edge the coin would have slid.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from scipy.optimize import minimize_scalar

from referee.domain.geometry import (
    Point,
    Polygon,
    add,
    crossing_share,
    distance,
    dot,
    nearest_on_outline,
    scale,
    square_corners,
    subtract,
)
from referee.domain.layout import Course, Line, direction_across
from referee.domain.table_edge import outer_sides
from referee.synthetic.physics.meeting import square_gap
from referee.synthetic.physics.motion import Slide
from referee.synthetic.physics.shot import Bump, Fall, Shot

#: What missed happening by less than this is reported as a near miss.
NEAR_MM: Final = 10.0

Fact = dict[str, Any]


def _end_mm(slide: Slide) -> Point:
    return slide.position(slide.end_s)


def _past_mm(line: Line, point: Point, *, outward: bool) -> float:
    side = dot(subtract(point, line.left_mm), line.outward)
    return side if outward else -side


def _got_past_mm(line: Line, later: Sequence[Slide], *, outward: bool) -> float:
    """Return how far beyond the line the centre goes before it comes back. Motions are straight, so
    it is enough to look at their ends.
    """
    furthest = 0.0
    for slide in later:
        past = _past_mm(line, _end_mm(slide), outward=outward)
        if past <= 0.0:
            break
        furthest = max(furthest, past)
    return furthest


def crossings(coin: str, slides: Sequence[Slide], lines: Mapping[str, Line]) -> Iterator[Fact]:
    """Yield each time at which a centre crosses a line of the course between its ends."""
    for number, slide in enumerate(slides):
        for name, line in lines.items():
            share = crossing_share(slide.from_mm, _end_mm(slide), line.left_mm, line.right_mm)
            if share is None or share >= 1.0:
                continue
            travelled = share * distance(slide.from_mm, _end_mm(slide))
            foot = add(slide.from_mm, scale(slide.heading, travelled))
            outward = dot(slide.heading, line.outward) > 0
            margin = min(
                distance(foot, line.left_mm),
                distance(foot, line.right_mm),
                _got_past_mm(line, slides[number:], outward=outward),
            )
            yield {
                "t_s": slide.time_at(travelled),
                "kind": "line_crossed",
                "coin": coin,
                "line": name,
                "direction": direction_across(name, outward=outward),
                "margin_mm": margin,
            }


def pocketings(coin: str, slides: Sequence[Slide], mouths: Mapping[str, Line]) -> Iterator[Fact]:
    """Yield the crossing of a pocket's mouth after which the coin stayed in the pocket, if there is
    one. A coin that bounces and comes back was not pocketed.
    """
    last = max(crossings(coin, slides, mouths), key=lambda c: c["t_s"], default=None)
    if last is not None and last["direction"] == "outward":
        kept = {key: last[key] for key in ("t_s", "coin", "margin_mm")}
        yield {**kept, "kind": "pocketed", "pocket": last["line"]}


def over_walls(shot: Shot, course: Course) -> list[Fact]:
    """Return the falls of coins that went over a wall of Carroms. `at_mm` is where the centre
    crossed the wall's outer side. The margin is the smaller of two lengths: how far beyond that
    side the centre got, and how far from the nearer end of the wall it crossed.
    """
    found = []
    for coin, slides in shot.slides.items():
        over = [
            c for c in crossings(coin, slides, outer_sides(course)) if c["direction"] == "outward"
        ]
        for crossing in over[:1]:
            slide = next(s for s in slides if s.begin_s <= crossing["t_s"] <= s.end_s)
            found.append(
                {
                    "t_s": crossing["t_s"],
                    "kind": "left_table",
                    "coin": coin,
                    "at_mm": list(slide.position(crossing["t_s"])),
                    "margin_mm": crossing["margin_mm"],
                }
            )
    return found


def _closest_mm(a: Slide, b: Slide, from_s: float) -> float:
    """Return the smallest distance of two centres from `from_s` on, both extrapolated straight
    until friction stops them.
    """
    until = max(a.stop_s, b.stop_s, from_s)

    def apart(t_s: float) -> float:
        return distance(a.position(t_s), b.position(t_s))

    steps = [from_s + (until - from_s) * i / 200 for i in range(201)]
    best = min(range(201), key=lambda i: apart(steps[i]))
    low, high = steps[max(0, best - 1)], steps[min(200, best + 1)]
    if high <= low:
        return apart(low)
    return float(
        min(
            apart(steps[best]),
            minimize_scalar(
                apart, bounds=(low, high), method="bounded", options={"xatol": 1e-9}
            ).fun,
        )
    )


def contact_margin_mm(bump: Bump, coin_mm: float) -> float:
    """Return how deeply two coins' paths, extrapolated straight, would have overlapped."""
    return coin_mm - _closest_mm(bump.coin_slide, bump.other, bump.t_s) if bump.other else math.nan


def post_margin_mm(slide: Slide, t_s: float, corners: Polygon, coin_mm: float) -> float:
    """Return how deeply a coin's path, extrapolated straight until it stops, would have gone into a
    post: sideways, or as far as it reaches.
    """
    heading, at = slide.heading, slide.position(t_s)
    normal = (-heading[1], heading[0])
    reach = [dot(subtract(c, at), normal) for c in corners]
    sideways = min(coin_mm / 2 + max(reach), coin_mm / 2 - min(reach))
    return min(sideways, slide.travelled_mm(slide.stop_s) - slide.travelled_mm(t_s))


def contacts(shot: Shot, course: Course, coin_mm: float) -> Iterator[Fact]:
    """Yield the contacts of coins with coins, endposts and towers."""
    for bump in shot.bumps:
        if bump.other is not None:
            margin = contact_margin_mm(bump, coin_mm)
        elif bump.with_ in course.posts:
            tile = course.tiles[bump.with_]
            margin = post_margin_mm(
                bump.coin_slide,
                bump.t_s,
                square_corners(tile.centre_mm, course.tile_mm, tile.rotation_deg),
                coin_mm,
            )
        else:
            continue
        fact = {
            "t_s": bump.t_s,
            "kind": "contact",
            "coin": bump.coin,
            "with": bump.with_,
            "closing_mm_s": bump.closing_mm_s,
            "margin_mm": margin,
        }
        yield {**fact, "both_moving": True} if bump.both_moving else fact


def tile_contacts(shot: Shot) -> list[Fact]:
    """Return the contacts of coins with any tile. No rule asks about the tiles of wickets."""
    return [{"t_s": b.t_s, "coin": b.coin, "tile": b.with_} for b in shot.bumps if b.other is None]


def fall(event: Fall, outline: Polygon) -> Fact:
    """Return the fall of a coin that left the table: where it was, and how far beyond the edge it
    would have slid.
    """
    at = event.slide.position(event.t_s)
    inward = nearest_on_outline(outline, at)[1]
    past = -dot(subtract(event.slide.position(event.slide.stop_s), at), inward)
    return {
        "t_s": event.t_s,
        "kind": "left_table",
        "coin": event.coin,
        "at_mm": list(at),
        "margin_mm": past,
    }


def _closest_in_shot(
    a: Sequence[Slide], b: Sequence[Slide], begin_s: float, end_s: float
) -> tuple[float, float]:
    """Return the smallest distance of two centres during a shot, and when."""

    def place(slides: Sequence[Slide], t_s: float) -> Point:
        now = slides[0]
        for slide in slides:
            if slide.begin_s <= t_s:
                now = slide
        return now.position(min(t_s, now.end_s))

    steps = [begin_s + (end_s - begin_s) * i / 600 for i in range(601)]
    best = min(steps, key=lambda t: distance(place(a, t), place(b, t)))
    step = (end_s - begin_s) / 600
    found = minimize_scalar(
        lambda t: distance(place(a, t), place(b, t)),
        bounds=(best - step, best + step),
        method="bounded",
    )
    return float(found.fun), float(found.x)


def near_hits(
    shot: Shot, rests: Mapping[str, Point], begin_s: float, coin_mm: float
) -> Iterator[Fact]:
    """Yield coins that passed another coin by less than NEAR_MM without touching it."""
    hit = {frozenset((b.coin, b.with_)) for b in shot.bumps}
    every = {c: (Slide(begin_s, at),) for c, at in rests.items()} | dict(shot.slides)
    moved = list(shot.slides)
    for i, coin in enumerate(moved):
        for other in [*moved[i + 1 :], *(c for c in rests if c not in shot.slides)]:
            if frozenset((coin, other)) in hit:
                continue
            apart, t_s = _closest_in_shot(every[coin], every[other], begin_s, shot.end_s)
            if apart - coin_mm < NEAR_MM:
                yield {
                    "t_s": t_s,
                    "kind": "contact",
                    "coin": coin,
                    "with": other,
                    "gap_mm": apart - coin_mm,
                }


def near_posts(shot: Shot, course: Course, coin_mm: float) -> Iterator[Fact]:
    """Yield coins that passed, or stopped, less than NEAR_MM from an endpost or a tower without
    touching it.
    """
    hit = {(b.coin, b.with_) for b in shot.bumps}
    for name, post in course.posts.items():
        for coin, slides in shot.slides.items():
            if (coin, name) in hit:
                continue
            gaps = [
                (square_gap(post, course.tile_mm, s.position(t), coin_mm / 2), t)
                for s in slides
                for t in _instants(s)
            ]
            gap, t_s = min(gaps)
            if gap < NEAR_MM:
                yield {"t_s": t_s, "kind": "contact", "coin": coin, "with": name, "gap_mm": gap}


def _instants(slide: Slide) -> list[float]:
    return [slide.begin_s + (slide.end_s - slide.begin_s) * i / 400 for i in range(401)]


def near_crossings(coin: str, slides: Sequence[Slide], lines: Mapping[str, Line]) -> Iterator[Fact]:
    """Yield lines that a centre came within NEAR_MM of, between their ends, without crossing."""
    crossed = {c["line"] for c in crossings(coin, slides, lines)}
    for name, line in lines.items():
        if name in crossed:
            continue
        width = distance(line.left_mm, line.right_mm)
        along = scale(subtract(line.right_mm, line.left_mm), 1 / width)
        ends = [(slides[0].begin_s, slides[0].from_mm), *((s.end_s, _end_mm(s)) for s in slides)]
        short = [
            (abs(_past_mm(line, at, outward=True)), t)
            for number, (t, at) in enumerate(ends)
            if number and 0 <= dot(subtract(at, line.left_mm), along) <= width
        ]
        if short and min(short)[0] < NEAR_MM:
            yield {
                "t_s": min(short)[1],
                "kind": "line_crossed",
                "coin": coin,
                "line": name,
                "short_by_mm": min(short)[0],
            }


def near_pocketings(
    coin: str, slides: Sequence[Slide], mouths: Mapping[str, Line]
) -> Iterator[Fact]:
    """Yield pockets whose mouth a centre came within NEAR_MM of, without crossing it."""
    for near in near_crossings(coin, slides, mouths):
        kept = {key: near[key] for key in ("t_s", "coin", "short_by_mm")}
        yield {**kept, "kind": "pocketed", "pocket": near["line"]}


def near_falls(shot: Shot, outline: Polygon) -> Iterator[Fact]:
    """Yield coins whose centre came within NEAR_MM of the table's edge and stayed on the table."""
    fallen = {f.coin for f in shot.falls}
    for coin, slides in shot.slides.items():
        if coin in fallen:
            continue
        short, t_s = min(
            (distance(nearest_on_outline(outline, _end_mm(s))[0], _end_mm(s)), s.end_s)
            for s in slides
        )
        if short < NEAR_MM:
            yield {"t_s": t_s, "kind": "left_table", "coin": coin, "short_by_mm": short}
