"""Finds the table's edge, where the table's top ends and the floor begins, as straight sides in the
table frame.

A rough search finds the straight lines beyond which the colours no longer look like the table
around the tiles. A fine search finds, at many places along such a line, the point at which the
brightness across it changes most, and fits a straight line to these points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY, RIM_SIGMA_MM
from calibration.lens.camera import TableView, in_front
from calibration.tiles.bundle import SeenSide, usual_error
from calibration.tiles.lost_tiles import TURNS_DEG
from calibration.tiles.rims import NORMALS, Light
from referee.domain.geometry import Point, add, cross, dot, scale, subtract, unit
from referee.domain.layout import Tile
from referee.domain.sighting import SEEN_SIGMAS
from referee.domain.table_edge import EdgeSide

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

_STEP_MM: Final = 5.0
_BEYOND_MM: Final = 700.0
_BAND_MM: Final = 60.0
_LEAST_DROP: Final = 0.25
# the weight of the colours outside the tiles, because most of that is still table
_DOUBT: Final = 0.15
LEAST_SEEN_MM: Final = 90.0  # a side counts as found only if at least this length of it is seen
_BINS: Final = 24
# Chosen: the axes along which frequencies of colours are smoothed, one after the other. Measured:
# with the lightness only once, a board lighter than all others counted as the floor, so that the
# edge was 87 mm off; on 22 other traced tables three sides fewer were found, and none better.
_SMOOTHED_AXES: Final = (0, 0, 0, 0, 1, 2)
_GUESS_SIGMA_MM: Final = 100.0
_SHORT_SIGMA_MM: Final = 1.0
_LONG_MM: Final = 250.0  # a stretch must be this long to show a direction


@dataclass(frozen=True)
class _Line:
    """A straight line on the table. `point` lies on it, and `outward` is its unit normal away from
    the table. `sigma_mm` is its error across its direction, and `seen_mm` the stretch of it that
    was seen: two distances along the line from `point`.
    """

    point: Point
    outward: Point
    sigma_mm: float
    seen_mm: tuple[float, float]

    @property
    def along(self) -> Point:
        return (-self.outward[1], self.outward[0])


@dataclass(frozen=True)
class _Map:
    """A grid of the table as seen from above; rows follow y. `similarity` says how much each place
    looks like the table, `visible` whether it is in the picture, and `begin_mm` is the place of
    cell (0, 0). `hull` (n, 2) are the corners of an outline around the tiles, mm.
    """

    similarity: NDArray[np.float32]
    visible: NDArray[np.float32]
    begin_mm: Point
    hull: Array


def _similarity(picture: Picture, view: TableView, hull: Array) -> _Map:
    low, high = hull.min(axis=0) - _BEYOND_MM, hull.max(axis=0) + _BEYOND_MM
    x, y = np.meshgrid(np.arange(low[0], high[0], _STEP_MM), np.arange(low[1], high[1], _STEP_MM))
    points = np.column_stack((x.ravel(), y.ravel()))
    pixels = in_front(view, points).astype(np.float32).reshape(*x.shape, 2)
    soft = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 2.0), cv2.COLOR_BGR2LAB)
    seen = cv2.remap(soft, pixels[:, :, 0], pixels[:, :, 1], cv2.INTER_LINEAR)
    visible = (
        (pixels > 2).all(axis=2)
        & (pixels[:, :, 0] < picture.shape[1] - 3)
        & (pixels[:, :, 1] < picture.shape[0] - 3)
    )
    grid = np.column_stack(((hull - low) / _STEP_MM,)).astype(np.float32)
    inside = np.zeros(x.shape, dtype=np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.rint(grid).astype(np.int32)), 1)
    table = _histogram(seen[(inside > 0) & visible])
    ground = _histogram(seen[(inside == 0) & visible])
    bins = np.minimum(seen.astype(int) * _BINS // 256, _BINS - 1)
    mine, other = (
        table[bins[..., 0], bins[..., 1], bins[..., 2]],
        ground[bins[..., 0], bins[..., 1], bins[..., 2]],
    )
    similarity = mine / (mine + _DOUBT * other + 1e-6)
    return _Map(
        similarity.astype(np.float32),
        visible.astype(np.float32),
        (float(low[0]), float(low[1])),
        hull,
    )


def _histogram(colours: NDArray[np.uint8]) -> Array:
    """Return the smoothed frequencies of colours (L, a, b in coarse bins); their sum is 1. They are
    smoothed most along the lightness, because the board beside the tiles may be a little lighter
    than those around them.
    """
    if len(colours) == 0:
        return np.zeros((_BINS,) * 3)
    edges = [np.linspace(0, 256, _BINS + 1)] * 3
    counts, _ = np.histogramdd(colours.astype(np.float64), bins=edges)
    for axis in _SMOOTHED_AXES:
        counts = 0.5 * counts + (np.roll(counts, 1, axis) + np.roll(counts, -1, axis)) / 4
    return np.asarray(counts / counts.sum(), dtype=np.float64)


def _rough_side(seen: _Map, outward: Point) -> tuple[float, Point, Point] | None:
    """Return the line beyond which the table's colours end most clearly, as (drop, point, outward
    normal); None if there is no such line.
    """
    middle = seen.hull.mean(axis=0)
    best: tuple[float, Point, Point] | None = None
    for degrees in TURNS_DEG:
        turn = np.radians(degrees)
        normal = np.array(
            [
                np.cos(turn) * outward[0] - np.sin(turn) * outward[1],
                np.sin(turn) * outward[0] + np.cos(turn) * outward[1],
            ]
        )
        along = np.array([-normal[1], normal[0]])
        begin = float(((seen.hull - middle) @ normal).max())
        span = float(np.abs((seen.hull - middle) @ along).max()) + _BAND_MM
        out, side = np.meshgrid(
            np.arange(0.0, begin + _BEYOND_MM, _STEP_MM),
            np.arange(-span, span, _STEP_MM),
            indexing="ij",
        )
        points = middle + out[..., None] * normal + side[..., None] * along
        where = ((points - np.array(seen.begin_mm)) / _STEP_MM).astype(np.float32)
        similarity = cv2.remap(seen.similarity, where[..., 0], where[..., 1], cv2.INTER_LINEAR)
        visible = cv2.remap(seen.visible, where[..., 0], where[..., 1], cv2.INTER_NEAREST)
        drop, distance = _drop(
            np.asarray(similarity, dtype=np.float32), np.asarray(visible, dtype=np.float32), begin
        )
        if drop > _LEAST_DROP and (best is None or drop > best[0]):
            spot = middle + normal * distance
            best = (drop, (float(spot[0]), float(spot[1])), (float(normal[0]), float(normal[1])))
    return best


def _drop(
    similarity: NDArray[np.float32], visible: NDArray[np.float32], begin_mm: float
) -> tuple[float, float]:
    """Find the clearest fall of the similarity along the first axis beyond `begin_mm`. Return how
    deep it is, weighted by the length of the line that is seen, and where it is, mm.
    """
    band = round(_BAND_MM / _STEP_MM)
    weight, value = visible.cumsum(axis=0), (similarity * visible).cumsum(axis=0)
    rows = np.arange(band, len(similarity) - band)
    inner_weight, inner = weight[rows] - weight[rows - band], value[rows] - value[rows - band]
    outer_weight, outer = weight[rows + band] - weight[rows], value[rows + band] - value[rows]
    both = (inner_weight > band / 2) & (outer_weight > band / 2)
    falls = np.where(
        both, inner / np.maximum(inner_weight, 1) - outer / np.maximum(outer_weight, 1), 0.0
    )
    count = both.sum(axis=1)
    mean = falls.sum(axis=1) / np.maximum(count, 1)
    long_enough = count * _STEP_MM > LEAST_SEEN_MM
    score = np.where(
        long_enough & (rows * _STEP_MM > begin_mm + 2 * _STEP_MM),
        mean * np.sqrt(count / similarity.shape[1]),
        0.0,
    )
    best = int(np.argmax(score))
    return (float(mean[best]) if score[best] > 0 else 0.0), float(rows[best]) * _STEP_MM


def _steps(
    light: Light, view: TableView, point: Point, outward: Point, reach_mm: float, span_mm: float
) -> Array:
    """Find, at n places along a line, where the brightness across the line changes most. Return an
    array (3, n): the distance along the line (mm), the distance outwards from it (mm), and the
    strength of the change.
    """
    normal, along = np.array(outward), np.array((-outward[1], outward[0]))
    step = 0.5
    end_mm = reach_mm + 3 * _STEP_MM
    out = np.arange(-end_mm, end_mm, step)
    places = np.arange(-span_mm, span_mm, _STEP_MM)
    points = np.array(point) + places[:, None, None] * along + out[None, :, None] * normal
    pixels = (
        in_front(view, points.reshape(-1, 2)).astype(np.float32).reshape(len(places), len(out), 2)
    )
    inside = (
        (pixels > 2).all(axis=2)
        & (pixels[..., 0] < light.shape[1] - 3)
        & (pixels[..., 1] < light.shape[0] - 3)
    )
    kept = inside.mean(axis=1) > 0.5
    if not kept.any():
        return np.zeros((3, 0))
    places, pixels, inside = places[kept], pixels[kept], inside[kept]
    seen = np.sqrt(cv2.remap(light, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)).reshape(
        len(places), len(out), -1
    )
    seen = cv2.blur(seen.reshape(len(places), -1), (1, 5)).reshape(
        seen.shape
    )  # averaged along the edge, so that wood grain and carpet do not count
    width = round(_STEP_MM / step)
    sums = np.cumsum(seen, axis=1)
    step_at = np.zeros(seen.shape[:2])
    fall = (sums[:, width:-width] - sums[:, : -2 * width]) - (
        sums[:, 2 * width :] - sums[:, width:-width]
    )
    step_at[:, width:-width] = np.abs(fall / width).sum(axis=2)
    covered = cv2.erode(inside.astype(np.uint8), np.ones((1, 2 * width + 3), dtype=np.uint8)) > 0
    step_at[~(covered & (np.abs(out) <= reach_mm))] = 0.0
    best = step_at.argmax(axis=1)
    strength = step_at[np.arange(len(best)), best]
    clear = strength > 0.5 * float(np.median(strength))
    return np.stack((places[clear], _peaks(step_at, best, out, step)[clear], strength[clear]))


def _peaks(step_at: Array, best: NDArray[np.int64], out: Array, step: float) -> Array:
    rows = np.arange(len(best))
    k = np.clip(best, 1, step_at.shape[1] - 2)
    before, here, after = step_at[rows, k - 1], step_at[rows, k], step_at[rows, k + 1]
    bend = before - 2 * here + after
    share = np.where(bend < -1e-9, 0.5 * (before - after) / np.minimum(bend, -1e-9), 0.0)
    return np.asarray(out[k] + np.clip(share, -1, 1) * step, dtype=np.float64)


def _straight(places: Array, offsets: Array, strength: Array) -> tuple[float, float, float, Array]:
    """Fit a straight line to offsets at places. Return its offset at the place 0, its slope, its
    error, and which places agree with it.

    First the line is found with which most places agree within a few millimetres. Then a line is
    fitted to those places by least squares.
    """
    generator, off_mm = np.random.default_rng(0), SEEN_SIGMAS * RIM_SIGMA_MM
    best = np.zeros(len(places), dtype=bool)
    for _ in range(200):
        i, j = generator.choice(len(places), 2, replace=False)
        slope = (offsets[j] - offsets[i]) / (places[j] - places[i])
        on = np.abs(offsets - offsets[i] - slope * (places - places[i])) < off_mm
        best = on if strength[on].sum() > strength[best].sum() else best
    for _ in range(3):
        slope, offset = np.polyfit(places[best], offsets[best], 1)
        left = offsets - offset - slope * places
        best = np.abs(left) < max(SEEN_SIGMAS * usual_error(left[best]), off_mm)
    noise = float(np.std(left[best]))
    return float(offset), float(slope), float(np.hypot(noise, RIM_SIGMA_MM)), best


def _close_side(light: Light, view: TableView, point: Point, outward: Point) -> _Line | None:
    for times in (4, 8, 16):  # closer each time
        reach_mm = _BAND_MM / times
        places, offsets, strength = _steps(light, view, point, outward, reach_mm, 2 * _BEYOND_MM)
        if len(places) * _STEP_MM < LEAST_SEEN_MM:
            return None
        offset, slope, sigma, on = _straight(places, offsets, strength)
        if on.sum() * _STEP_MM < LEAST_SEEN_MM:
            return None
        turned = unit(subtract(outward, scale((-outward[1], outward[0]), slope)))
        point, outward = add(point, scale(outward, offset)), turned
    seen = places[on]
    return _Line(point, outward, sigma, (float(seen.min()), float(seen.max())))


def _meet(a: _Line, b: _Line) -> Point:
    """Return where two lines cross."""
    way = cross(a.along, b.along)
    share = cross(subtract(b.point, a.point), b.along) / way
    return add(a.point, scale(a.along, share))


def _steadied(lines: dict[int, _Line]) -> dict[int, _Line]:
    """Return the lines. A line that was seen only over a short stretch gets a better direction:
    parallel to the opposite side, or at a right angle to a neighbour.
    """
    long = {k: line for k, line in lines.items() if line.seen_mm[1] - line.seen_mm[0] > _LONG_MM}
    steady = {}
    for k, line in lines.items():
        others = [j for j in ((k + 2) % 4, (k + 1) % 4, (k + 3) % 4) if j in long]
        if k in long or not others:
            steady[k] = line
            continue
        outward = long[others[0]].outward
        for _ in range((k - others[0]) % 4):
            outward = (-outward[1], outward[0])
        half = (line.seen_mm[1] - line.seen_mm[0]) / 2
        middle = add(line.point, scale(line.along, line.seen_mm[0] + half))
        steady[k] = _Line(
            middle, outward, float(np.hypot(line.sigma_mm, _SHORT_SIGMA_MM)), (-half, half)
        )
    return steady


def _guessed(k: int, lines: Mapping[int, _Line], hull: Array) -> _Line:
    """Estimate a side that was not seen: parallel to the opposite side, equally far from the
    course's middle, and outside all tiles.
    """
    middle = (float(hull[:, 0].mean()), float(hull[:, 1].mean()))
    other = lines.get((k + 2) % 4)
    outward = scale(other.outward, -1.0) if other is not None else _outward(k)
    away = (
        0.0
        if other is None
        else (other.point[0] - middle[0]) * other.outward[0]
        + (other.point[1] - middle[1]) * other.outward[1]
    )
    beyond = float(((hull - np.array(middle)) @ np.array(outward)).max()) + _BAND_MM
    return _Line(
        add(middle, scale(outward, max(away, beyond))), outward, _GUESS_SIGMA_MM, (0.0, 0.0)
    )


def _outward(k: int) -> Point:
    """Return the outward direction of the lower (0), right, upper or left side, as if the table lay
    straight in its frame.
    """
    return NORMALS[k - 1]


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


def _lines(picture: Picture, light: Light, view: TableView, hull: Array) -> dict[int, _Line]:
    seen = _similarity(picture, view, hull)
    lines: dict[int, _Line] = {}
    for k in range(len(NORMALS)):
        rough = _rough_side(seen, _outward(k))
        line = None if rough is None else _close_side(light, view, rough[1], rough[2])
        if line is not None and _ends_there(seen, line):
            lines[k] = line
    return lines


def _ends_there(seen: _Map, line: _Line) -> bool:
    """Return whether the table's colours end at a line. If not, the line may be a seam or the
    grain, which also make straight steps of brightness.
    """
    places = np.linspace(*line.seen_mm, 40)
    projections = np.array(line.point) + places[:, None] * np.array(line.along)
    found = []
    for out in (-2 * _STEP_MM, 2 * _STEP_MM):
        where = (
            (projections + out * np.array(line.outward) - np.array(seen.begin_mm)) / _STEP_MM
        ).astype(np.float32)
        similarity = cv2.remap(
            seen.similarity, where[None, :, 0], where[None, :, 1], cv2.INTER_LINEAR
        )
        visible = cv2.remap(seen.visible, where[None, :, 0], where[None, :, 1], cv2.INTER_NEAREST)
        found.append(np.where(visible[0] > 0, similarity[0], np.nan))
    drops = (found[0] - found[1])[np.isfinite(found[0] - found[1])]
    return len(drops) > MAJORITY * len(places) and float(drops.mean()) > _LEAST_DROP


def seen_sides(
    picture: Picture, light: Light, view: TableView, tiles: Sequence[Tile], tile_mm: float
) -> list[SeenSide]:
    """Find the visible stretches of the table's edge. They are given in pixels of the picture."""
    found = []
    for k, line in _lines(picture, light, view, _hull(tiles, tile_mm)).items():
        if line.seen_mm[1] - line.seen_mm[0] > _LONG_MM:
            ends = np.array([add(line.point, scale(line.along, at)) for at in line.seen_mm])
            found.append(SeenSide(k, view.to_image(ends)))
    return found


def find_edge(
    picture: Picture, light: Light, view: TableView, tiles: Sequence[Tile], tile_mm: float
) -> tuple[EdgeSide, ...]:
    """Find the table's outline, counter-clockwise from the lower side in the table frame.

    `picture` is (h, w, 3) BGR, `light` is `even_light` of it. A side that is not seen at all is
    estimated parallel to the opposite side, with a large error and no seen stretch. The outline is
    empty if no side is seen. The function does not find the edges of round tables.
    """
    hull = _hull(tiles, tile_mm)
    lines = _steadied(_lines(picture, light, view, hull))
    if not lines:
        return ()
    whole = [lines.get(k) or _guessed(k, lines, hull) for k in range(4)]
    return tuple(
        _side(whole[k], _meet(whole[k - 1], whole[k]), _meet(whole[k], whole[(k + 1) % 4]))
        for k in range(4)
    )


def _side(line: _Line, begin: Point, end: Point) -> EdgeSide:
    way = subtract(end, begin)
    length = float(np.hypot(*way))
    projections = (subtract(add(line.point, scale(line.along, at)), begin) for at in line.seen_mm)
    shares = sorted(dot(spot, way) / length**2 for spot in projections)
    low, high = (min(1.0, max(0.0, s)) for s in shares)
    unseen = line.sigma_mm >= _GUESS_SIGMA_MM
    return EdgeSide(begin, end, line.sigma_mm, 0.0 if unseen else low, 0.0 if unseen else high)
