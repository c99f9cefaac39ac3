"""Describes how a laid course differs from its template and from the rules. It does not decide
whether the course can be played.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.course.course_places import Places, places_of
from calibration.course.row_words import row_warnings
from calibration.course.template_form import ELSEWHERE, is_about, rows_of
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Line, within_quarter_turn

Array = NDArray[np.float64]

# Chosen: limits, sizes and colours that nothing was measured for.

#: In degrees. A wicket or a door, or a tile in it, that is turned this far gets a warning.
NOTICED_DEG: Final = 10.0


def off_words(places: Places, off_mm: Array) -> str:
    """Describe an offset, for example: `35 mm from its place, 30 mm towards the right endpost and
    18 mm towards wickets 3 and 5`. A direction with less than half of the offset is left out.
    """
    length = float(np.hypot(*off_mm))
    parts = [
        f"{abs(off):.0f} mm {ways[int(off > 0)]}"
        for off, ways in zip(off_mm, _ways(places), strict=True)
        if abs(off) > length / 2
    ]
    return f"{length:.0f} mm from its place, {' and '.join(parts)}"


def _ways(places: Places) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the words for the directions along the course and for those across it, each as
    (backward, forward).
    """
    if "tower-moons" in places.centre_mm:
        return (
            ("towards Suns' castle", "towards Arms' castle"),
            ("towards Moons' castle", "towards Crowns' castle"),
        )
    if "wicket-3-left" not in places.centre_mm:
        return ("to the west", "to the east"), ("to the south", "to the north")
    three_is_up = places.centre_mm["wicket-3-left"][1] > places.centre_mm["wicket-9-left"][1]
    near, far = "towards wickets 8 and 9", "towards wickets 3 and 5"
    along = ("towards the left endpost", "towards the right endpost")
    return along, (near, far) if three_is_up else (far, near)


def course_warnings(course: Course, template: Course, seen: Collection[str]) -> list[str]:
    """Describe where a laid course differs from its template and its game's rules. None of these
    differences is a reason to refuse the course.

    `seen` names the tiles that were measured. The places of the other tiles are derived from their
    partners, so no warning names those tiles.
    """
    places = places_of({n: t for n, t in course.tiles.items() if n in seen}, template)
    if rows_of(template):
        return list(row_warnings(course, places, template, seen))
    return [
        *_misplaced(course, places, seen),
        *_turned(course, places, seen),
        *rule_warnings(course, template),
    ]


def _misplaced(course: Course, places: Places, seen: Collection[str]) -> Iterator[str]:
    """Yield a warning for each wicket, door, stack, gatepost, or single tile of a wicket or door
    that is off its place.
    """
    noticed_mm = ELSEWHERE * course.tile_mm
    for name, tiles in pieces(course).items():
        off = {t: places.off(t, course.tiles[t].centre_mm) for t in tiles if t in seen}
        sizes = sorted(float(np.hypot(*way)) for way in off.values())
        middle = np.mean(list(off.values()), axis=0) if off else np.zeros(2)
        if (
            len(sizes) == len(tiles) <= 2
            and sizes[0] > noticed_mm / 2
            and np.hypot(*middle) > sizes[-1] / 2
        ):
            off = {name: middle}  # the whole wicket or door
        elif abs(_askew_deg(course, places, tiles)) >= NOTICED_DEG and sizes[0] > noticed_mm / 2:
            continue  # its two tiles are off towards different sides: the wicket is turned
        for what, way in off.items():
            if np.hypot(*way) >= noticed_mm:
                yield f"{what} lies {off_words(places, way)} (it is refereed where it lies)"


def _turned(course: Course, places: Places, seen: Collection[str]) -> Iterator[str]:
    """Yield warnings about wickets and doors that are askew in the course, and about tiles that are
    turned relative both to their wicket or door and to the course.
    """
    for name, tiles in pieces(course).items():
        if not all(t in seen for t in tiles):
            continue
        askew = _askew_deg(course, places, tiles)
        if abs(askew) >= NOTICED_DEG:
            yield f"{name} stands {abs(askew):.0f} degrees askew"
        for tile in tiles:
            along = course.tiles[tile].rotation_deg - float(np.degrees(places.turn_rad))
            turn = min(abs(within_quarter_turn(along - own)) for own in (0.0, askew))
            if turn >= NOTICED_DEG:
                yield (
                    f"{tile} is turned by {turn:.0f}"
                    f" degrees{f' in its {_kind(name)}' if len(tiles) == 2 else ''}"
                )


def _askew_deg(course: Course, places: Places, tiles: Sequence[str]) -> float:
    """Return the angle, counter-clockwise, by which a wicket or a door is turned from its direction
    in the template. Its direction is the line from one of its tiles to the other. Return 0 for any
    other part of the course.
    """
    if len(tiles) != 2:
        return 0.0
    laid, wanted = (
        np.subtract(where[tiles[1]], where[tiles[0]])
        for where in ({t: course.tiles[t].centre_mm for t in tiles}, places.centre_mm)
    )
    return float(np.degrees(np.arctan2(wanted[0] * laid[1] - wanted[1] * laid[0], wanted @ laid)))


def pieces(course: Course) -> dict[str, tuple[str, ...]]:
    """Return the parts of a course by name, with their tiles' names: one tile for an endpost or a
    tower, two for a wicket or a door, six for a wall, and the four gateposts.
    """
    found: dict[str, tuple[str, ...]] = {}
    for name in course.tiles:
        piece = piece_of(name)
        found[piece] = (*found.get(piece, ()), name)
    return found


def piece_of(tile: str) -> str:
    """Return the wicket, the door or the wall that a tile belongs to, or `gateposts`; for an
    endpost or a tower, its own name.
    """
    if tile.startswith("gatepost-"):
        return "gateposts"
    if tile.startswith("wall"):
        return tile.rpartition("-")[0]
    return tile.removesuffix("-left").removesuffix("-right")


def _kind(piece: str) -> str:
    """Return the kind of a part of the course, such as wicket or door."""
    return piece.partition("-")[0]


def rule_warnings(course: Course, template: Course) -> list[str]:
    """Describe where a laid course of wickets or of castles differs from its rules.

    All lengths are in tile widths, between the tiles' edges. A wicket is about two wide. An endpost
    is three or more from the next wicket. Wickets 1 and 2, and wickets 6 and 7, are 1.5 to 2 apart
    (rules text, Game setup). A gate or a door is about one wide, and gate and door, and door and
    tower, are about one apart (rules text, Setup). The template has the smallest of these lengths.
    """
    middle = _middles(course)
    return [
        *_openings(course, template),
        *_distances(course, middle, template),
        *_in_castles(course, middle),
        *_disorder(middle),
    ]


def _openings(course: Course, template: Course) -> Iterator[str]:
    """Yield warnings about lines that are wider or narrower than the rules say."""
    for name, line in course.lines.items():
        opening, usual = (_long_tiles(one, course.tile_mm) for one in (line, template.lines[name]))
        if not is_about(opening, usual, usual):
            off_mm = abs(opening - usual) * course.tile_mm
            kind = "wide" if opening > usual else "narrow"
            yield (
                f"{name} is {opening:.1f} tile widths open, {off_mm:.0f} mm too {kind}"
                f" (about {usual:.0f} {'is' if round(usual) == 1 else 'are'} usual)"
            )


def _distances(course: Course, middle: Mapping[str, Point], template: Course) -> list[str]:
    """Return warnings about endposts and paired wickets that are too near or too far apart."""
    words, least = [], _middles(template)
    for post, wicket in (("left-endpost", "wicket-1"), ("right-endpost", "wicket-7")):
        if post in course.tiles and wicket in middle:
            gap, usual = (
                distance(laid.tiles[post].centre_mm, at[wicket]) / laid.tile_mm - 1.0
                for laid, at in ((course, middle), (template, least))
            )
            if not is_about(gap, usual, math.inf):
                words.append(
                    f"{post} is only {gap:.1f} tile widths from {wicket} (3 or more are usual)"
                )
    for first, second in (("wicket-1", "wicket-2"), ("wicket-6", "wicket-7")):
        if first in middle and second in middle:
            gap, usual = (
                distance(at[first], at[second]) / course.tile_mm - 1.0 for at in (middle, least)
            )
            if not is_about(gap, usual, 2.0):
                words.append(
                    f"{first} and {second} are {gap:.1f} tile widths apart (1.5 to 2 are usual)"
                )
    return words


def _in_castles(course: Course, middle: Mapping[str, Point]) -> Iterator[str]:
    """Yield warnings about doors that are too near to their gate or too far from it, and about
    towers that are too near to their door or too far from it.
    """
    places = {**middle, **{name: post.centre_mm for name, post in course.posts.items()}}
    castles = [name.removeprefix("gate-") for name in places if name.startswith("gate-")]
    for castle in castles:
        for first, second in pairwise(f"{part}-{castle}" for part in ("gate", "door", "tower")):
            if first in places and second in places:
                gap = distance(places[first], places[second]) / course.tile_mm - 1.0
                if not is_about(gap, 1.0, 1.0):
                    yield f"{second} is {gap:.1f} tile widths from {first} (1 is usual)"


def _long_tiles(line: Line, tile_mm: float) -> float:
    return distance(line.left_mm, line.right_mm) / tile_mm


def _middles(course: Course) -> dict[str, Point]:
    lines = course.lines
    return {
        w: ((ln.left_mm[0] + ln.right_mm[0]) / 2, (ln.left_mm[1] + ln.right_mm[1]) / 2)
        for w, ln in lines.items()
    }


def _disorder(middle: Mapping[str, Point]) -> list[str]:
    """Return a warning for each wicket that stands behind the next one. Wickets 1, 2, 4, 6 and 7
    should stand in this order along the course.
    """
    row = [w for w in ("wicket-1", "wicket-2", "wicket-4", "wicket-6", "wicket-7") if w in middle]
    return [f"{a} stands behind {b}" for a, b in pairwise(row) if middle[a][0] > middle[b][0]]
