"""Finds the table's edge, where the table's top ends and the floor begins, as straight sides in the
table frame.

A rough search finds the straight lines beyond which the colours no longer look like the table
around the tiles. A fine search finds, at many places along such a line, the point at which the
brightness across it changes most, and fits a straight line to these points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.table_edge.close_side import close_side
from calibration.table_edge.edge_line import LONG_MM, EdgeLine, outward_of
from calibration.table_edge.rough_side import ends_there, rough_side
from calibration.table_edge.table_similarity import similarity_map
from calibration.table_edge.unseen_sides import GUESS_SIGMA_MM, guessed, steadied
from calibration.tiles.bundle import SeenSide
from calibration.tiles.rims import NORMALS, Light
from referee.domain.geometry import Point, add, cross, dot, scale, subtract
from referee.domain.layout import Tile
from referee.domain.table_edge import EdgeSide

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]


def find_edge(
    picture: Picture, light: Light, view: TableView, tiles: Sequence[Tile], tile_mm: float
) -> tuple[EdgeSide, ...]:
    """Find the table's outline, counter-clockwise from the lower side in the table frame.

    `picture` is (h, w, 3) BGR, `light` is `even_light` of it. A side that is not seen at all is
    estimated parallel to the opposite side, with a large error and no seen stretch. The outline is
    empty if no side is seen. The function does not find the edges of round tables.
    """
    hull = _hull(tiles, tile_mm)
    lines = steadied(_lines(picture, light, view, hull))
    if not lines:
        return ()
    whole = [lines.get(k) or guessed(k, lines, hull) for k in range(4)]
    return tuple(
        _side(whole[k], _meet(whole[k - 1], whole[k]), _meet(whole[k], whole[(k + 1) % 4]))
        for k in range(4)
    )


def seen_sides(
    picture: Picture, light: Light, view: TableView, tiles: Sequence[Tile], tile_mm: float
) -> list[SeenSide]:
    """Find the visible stretches of the table's edge. They are given in pixels of the picture."""
    found = []
    for k, line in _lines(picture, light, view, _hull(tiles, tile_mm)).items():
        if line.seen_mm[1] - line.seen_mm[0] > LONG_MM:
            ends = np.array([add(line.point, scale(line.along, at)) for at in line.seen_mm])
            found.append(SeenSide(k, view.to_image(ends)))
    return found


def _lines(picture: Picture, light: Light, view: TableView, hull: Array) -> dict[int, EdgeLine]:
    seen = similarity_map(picture, view, hull)
    lines: dict[int, EdgeLine] = {}
    for k in range(len(NORMALS)):
        rough = rough_side(seen, outward_of(k))
        line = None if rough is None else close_side(light, view, rough[1], rough[2])
        if line is not None:
            lines[k] = line
    between = {k: _between(line, *_beside(lines, k)) for k, line in lines.items()}
    found = {k: lines[k] for k, line in between.items() if ends_there(seen, line)}
    return {k: _between(line, *_beside(found, k)) for k, line in found.items()}


def _beside(lines: Mapping[int, EdgeLine], k: int) -> tuple[EdgeLine | None, EdgeLine | None]:
    """Return the lines of the sides after and before side `k`, as far as they are known."""
    return lines.get((k + 1) % len(NORMALS)), lines.get((k - 1) % len(NORMALS))


def _between(line: EdgeLine, after: EdgeLine | None, before: EdgeLine | None) -> EdgeLine:
    """Return a line whose seen stretch ends at the latest where the lines of the sides before and
    after it, counter-clockwise, cross it.
    """
    low, high = line.seen_mm
    if before is not None:
        low = max(low, dot(subtract(_meet(line, before), line.point), line.along))
    if after is not None:
        high = min(high, dot(subtract(_meet(line, after), line.point), line.along))
    return replace(line, seen_mm=(low, high)) if low < high else line


def _hull(tiles: Sequence[Tile], tile_mm: float) -> Array:
    half = tile_mm / 2
    return np.array(
        [
            (t.centre_mm[0] + dx, t.centre_mm[1] + dy)
            for t in tiles
            for dx in (-half, half)
            for dy in (-half, half)
        ]
    )


def _side(line: EdgeLine, begin: Point, end: Point) -> EdgeSide:
    way = subtract(end, begin)
    length = float(np.hypot(*way))
    projections = (subtract(add(line.point, scale(line.along, at)), begin) for at in line.seen_mm)
    shares = sorted(dot(spot, way) / length**2 for spot in projections)
    low, high = (min(1.0, max(0.0, s)) for s in shares)
    unseen = line.sigma_mm >= GUESS_SIGMA_MM
    return EdgeSide(begin, end, line.sigma_mm, 0.0 if unseen else low, 0.0 if unseen else high)


def _meet(a: EdgeLine, b: EdgeLine) -> Point:
    """Return where two lines cross."""
    way = cross(a.along, b.along)
    share = cross(subtract(b.point, a.point), b.along) / way
    return add(a.point, scale(a.along, share))
