"""Finds every coin at rest on the table, without knowing where to search.

The picture is resampled on the plane of the coins' top faces. There each rim is a circle of known
radius. A place scores by how well the brightness gradients along that circle point along the radius
(a circle Hough transform with gradient direction and known radius). The first search uses luminance
and colour differences together. From the coins it finds, the program learns the channel mix in
which this set stands out best from this table (Fisher's linear discriminant). The second search
uses that mix. So light sets, dark sets and shadows need no special treatment.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

MM_PER_CELL: Final = 1.0  # about the size of a pixel at the distances that the program is made for
# Weights of luminance and the two colour differences in the first search. A shadow has no colour of
# its own.
FIRST_WEIGHTS: Final = (0.5, 3.0, 3.0)
# the first search may find too much: only what most of its finds have in common is used
FIRST_SCORE: Final = 0.40
# Wood grain, weave and compressed colour make slopes everywhere. A rim is steeper than this many
# times the usual slope of the bare table.
GRAIN: Final = 2.0
# Measured: coins score 0.55 to 0.85, stray objects and wood grain below 0.5.
SURE_SCORE: Final = 0.52
SEARCH_NOISE: Final = (
    6.0,
    6.0,
    6.0,
    # Grey levels of noise added to each channel. Otherwise a perfectly even colour would look
    # infinitely certain.
)
# The same for measuring. Colour has half the resolution there and is compressed more.
MEASURE_NOISE: Final = (12.0, 16.0, 16.0)
# A find that scores less than this share of the best is not used for learning, so that false finds
# do not outvote the coins.
FIRST_OF_BEST: Final = 0.65
MOST_TEACHERS: Final = 14  # at most so many coins are used to learn the mix
UNKNOWN_EDGE_MM: Final = 150.0
# In coin radii. A centre closer to a tile's side than this is the tile's own corner or line.
TILE_KEEP_OUT: Final = 0.6


@dataclass(frozen=True, slots=True)
class FoundCoin:
    """A coin that was found: its place to about a millimetre, and a score from 0 (no rim) to 1 (a
    perfect rim).
    """

    at_mm: Point
    score: float


Box = tuple[float, float, float, float]  # left, lower, right and upper bounds, mm


@dataclass(frozen=True)
class Floor:
    """The part of the table that is searched: a grid of places, and the pixel at which each is
    seen.
    """

    x_mm: NDArray[np.float64]
    y_mm: NDArray[np.float64]
    map_x_px: Floats
    map_y_px: Floats
    open_: NDArray[np.bool_]

    @property
    def rect(self) -> Rect:
        """Return the rectangle of pixels in which the floor is seen."""
        low = (int(np.floor(self.map_x_px.min())), int(np.floor(self.map_y_px.min())))
        return Rect(
            *low, int(np.ceil(self.map_x_px.max())) + 2, int(np.ceil(self.map_y_px.max())) + 2
        )

    def part(self, box_mm: Box) -> Floor:
        """Return the part of the floor inside a box."""
        columns, rows = (
            (self.x_mm >= box_mm[0]) & (self.x_mm <= box_mm[2]),
            (self.y_mm >= box_mm[1]) & (self.y_mm <= box_mm[3]),
        )
        cut = np.ix_(rows, columns)
        return Floor(
            self.x_mm[columns],
            self.y_mm[rows],
            self.map_x_px[cut],
            self.map_y_px[cut],
            self.open_[cut],
        )


def box_around(at_mm: Point, reach_mm: float) -> Box:
    """Return the box that reaches a given distance from a place along either axis."""
    return (at_mm[0] - reach_mm, at_mm[1] - reach_mm, at_mm[0] + reach_mm, at_mm[1] + reach_mm)


def merged(boxes_mm: Iterable[Box]) -> list[Box]:
    """Join boxes that overlap, so that no place is searched twice."""
    apart: list[Box] = []
    for box in boxes_mm:
        whole = box
        while touching := next((other for other in apart if _overlap(whole, other)), None):
            apart.remove(touching)
            whole = (
                min(whole[0], touching[0]),
                min(whole[1], touching[1]),
                max(whole[2], touching[2]),
                max(whole[3], touching[3]),
            )
        apart.append(whole)
    return apart


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def lay_floor(
    view: TableView, sizes: PieceSizes, outline: tuple[Point, ...], course: Course
) -> Floor:
    """Make the grid of places where a coin's centre may lie: on the table, inside the picture and
    clear of the tiles.

    Without a known outline, the table is assumed to reach `UNKNOWN_EDGE_MM` beyond the course.
    """
    corners = np.array(outline) if outline else _around(course)
    x = np.arange(corners[:, 0].min(), corners[:, 0].max(), MM_PER_CELL)
    y = np.arange(corners[:, 1].min(), corners[:, 1].max(), MM_PER_CELL)
    map_x, map_y = _map_of(view, x, y, sizes.coin_thickness_mm)
    margin_px = 4
    inside = (
        (map_x > margin_px)
        & (map_x < view.camera.width - 1 - margin_px)
        & (map_y > margin_px)
        & (map_y < view.camera.height - 1 - margin_px)
    )
    table = np.zeros(inside.shape, np.uint8)
    cv2.fillPoly(table, [np.round((corners - (x[0], y[0])) / MM_PER_CELL).astype(np.int32)], 1)
    rim = 2 * round(0.5 * sizes.coin_mm / MM_PER_CELL) + 1
    inside &= cv2.erode(table, np.ones((rim, rim), np.uint8), borderValue=0) > 0
    for tile in course.tiles.values():
        inside &= (
            _from_middle(tile, tile.centre_mm, x, y)
            > sizes.tile_mm / 2 + TILE_KEEP_OUT * sizes.coin_mm / 2
        )
        for level in range(1, tile.stack + 1):
            seen_mm = _seen_behind(
                view, tile.centre_mm, level * sizes.tile_thickness_mm - sizes.coin_thickness_mm
            )
            inside &= _from_middle(tile, seen_mm, x, y) > sizes.tile_mm / 2
    return Floor(x, y, map_x, map_y, inside)


def _from_middle(
    tile: Tile, centre_mm: Point, x_mm: NDArray[np.float64], y_mm: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far each place of the grid is from a tile's middle: the larger of the distances
    along its two sides. That is half a tile's width on its sides.
    """
    turn = np.radians(tile.rotation_deg)
    east, north = x_mm[None, :] - centre_mm[0], y_mm[:, None] - centre_mm[1]
    return np.asarray(
        np.maximum(
            abs(np.cos(turn) * east + np.sin(turn) * north),
            abs(np.cos(turn) * north - np.sin(turn) * east),
        )
    )


def _seen_behind(view: TableView, at_mm: Point, above_mm: float) -> Point:
    """Return the place on the plane of the coins' top faces that the camera sees behind a point
    `above_mm` higher. The top of a stack of tiles hides that place.
    """
    camera_mm, share = view.position_mm, above_mm / (float(view.position_mm[2]) - above_mm)
    return (
        at_mm[0] + (at_mm[0] - float(camera_mm[0])) * share,
        at_mm[1] + (at_mm[1] - float(camera_mm[1])) * share,
    )


def _around(course: Course) -> NDArray[np.float64]:
    """Return a rectangle around the course (4, 2), mm."""
    centres = np.array([t.centre_mm for t in course.tiles.values()])
    (left, bottom), (right, top) = (
        centres.min(axis=0) - UNKNOWN_EDGE_MM,
        centres.max(axis=0) + UNKNOWN_EDGE_MM,
    )
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top]])


def _map_of(
    view: TableView, x_mm: NDArray[np.float64], y_mm: NDArray[np.float64], height_mm: float
) -> tuple[Floats, Floats]:
    """Return the pixel of every place of the grid.

    Only a coarse grid is projected. Interpolating it is exact to a hundredth of a pixel.
    """
    coarse = 8
    columns, rows = (
        at[0] + coarse * MM_PER_CELL * np.arange(len(at) // coarse + 2) for at in (x_mm, y_mm)
    )
    grid_x, grid_y = np.meshgrid(columns, rows)
    px = (
        view.to_image(
            np.column_stack((grid_x.ravel(), grid_y.ravel(), np.full(grid_x.size, height_mm)))
        )
        .reshape(*grid_x.shape, 2)
        .astype(np.float32)
    )
    to_coarse = np.array([[1 / coarse, 0, 0], [0, 1 / coarse, 0]], dtype=np.float64)
    spread = [
        cv2.warpAffine(
            px[..., k],
            to_coarse,
            (len(x_mm), len(y_mm)),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        )
        for k in (0, 1)
    ]
    return np.asarray(spread[0], dtype=np.float32), np.asarray(spread[1], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Mixtures:
    """The channel mixes in which a set's coins stand out from this table: `search` to find them and
    `measure` to measure them.

    The mix for measuring gives the luminance more weight, because its resolution is twice that of
    the colour differences.
    """

    search: ChannelMix
    measure: ChannelMix


def find_coins(
    picture: Picture, floor: Floor, sizes: PieceSizes, begun_with: ChannelMix | None = None
) -> tuple[list[FoundCoin], Mixtures | None]:
    """Find every coin that lies still and in full view, best first, and learn the channel mixes
    from them (None when no coin was found).

    The first search uses the mix `begun_with` if one is given.
    """
    flat = _laid_flat(picture, floor)
    if flat is None:
        return [], None
    rough = _rough_score(flat, sizes) if begun_with is None else _score_in(begun_with, flat, sizes)
    best = float(rough[floor.open_].max())
    teachers = _peaks(rough, floor, max(FIRST_SCORE, FIRST_OF_BEST * best), sizes)[:MOST_TEACHERS]
    search = _learn_mix(flat, teachers, sizes, SEARCH_NOISE)
    if search is None:
        return [], None
    places, score = _sure_places(search, flat, floor, sizes)
    measure = _learn_mix(flat, places, sizes, MEASURE_NOISE)
    return _found(places, score, floor), (
        None if measure is None else Mixtures(search, measure.plain())
    )


def _rough_score(flat: Floats, sizes: PieceSizes) -> Floats:
    """Score every place by how much it looks like the rim of something lighter or of another
    colour.
    """
    weights = FIRST_WEIGHTS if flat.shape[2] == 3 else (1.0,)
    each = _rim_scores(
        [flat[..., k] * np.float32(w) for k, w in enumerate(weights)], sizes, noise=2.0, blur_mm=1.4
    )
    return np.asarray(np.sqrt(sum(s * s for s in each)), dtype=np.float32)


def find_known(
    picture: Picture, floor: Floor, sizes: PieceSizes, search: ChannelMix
) -> list[FoundCoin]:
    """Find the coins, best first, with a channel mix that was learnt before. This takes half the
    time of `find_coins`.
    """
    flat = _laid_flat(picture, floor)
    return [] if flat is None else _found(*_sure_places(search, flat, floor, sizes), floor)


def _laid_flat(picture: Picture, floor: Floor) -> Floats | None:
    """Sample luminance and colour differences at the places of the floor (rows, columns, 1 or 3).
    None where no open place is in the picture.
    """
    part = floor.rect.within(picture.width, picture.height) if floor.open_.any() else None
    if part is None or part.empty:
        return None
    channels = [picture.mixed(part, ChannelMix(1, 0, 0))]
    if picture.u is not None:
        channels += [
            picture.mixed(part, ChannelMix(0, 1, 0)),
            picture.mixed(part, ChannelMix(0, 0, 1)),
        ]
    map_x, map_y = floor.map_x_px - np.float32(part.left), floor.map_y_px - np.float32(part.top)
    return _stack(
        [
            cv2.remap(c, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for c in channels
        ]
    )


def _sure_places(
    search: ChannelMix, flat: Floats, floor: Floor, sizes: PieceSizes
) -> tuple[list[tuple[int, int]], Floats]:
    """Return the places, row and column, that surely hold a coin according to a channel mix, and
    the score of every place.
    """
    score = _score_in(search, flat, sizes)
    return _peaks(score, floor, SURE_SCORE, sizes), score


def _score_in(search: ChannelMix, flat: Floats, sizes: PieceSizes) -> Floats:
    """Score every place by how much it looks like the rim of something lighter in a channel mix."""
    mixed = flat @ np.array([search.y, search.u, search.v][: flat.shape[2]], dtype=np.float32)
    return -_rim_scores(
        [mixed * np.float32(20.0 / search.contrast)], sizes, noise=1.0, blur_mm=1.0
    )[0]


def _found(places: list[tuple[int, int]], score: Floats, floor: Floor) -> list[FoundCoin]:
    return [
        FoundCoin((float(floor.x_mm[i]), float(floor.y_mm[j])), float(score[j, i]))
        for j, i in places
    ]


def _stack(planes: list[NDArray[np.generic]]) -> Floats:
    """Stack planes (h, w) into one image (h, w, n)."""
    return np.asarray(np.stack(planes, axis=-1), dtype=np.float32)


def _rim_scores(
    channels: list[Floats], sizes: PieceSizes, noise: float, blur_mm: float
) -> list[Floats]:
    """Return for each channel how well the gradients on the rim around every place point outward
    (1) or inward (-1).
    """
    radius = sizes.coin_mm / 2
    smooth = [cv2.GaussianBlur(c, (0, 0), blur_mm / MM_PER_CELL) for c in channels]
    slopes = [
        (cv2.Scharr(c, cv2.CV_32F, 1, 0) / 32, cv2.Scharr(c, cv2.CV_32F, 0, 1) / 32) for c in smooth
    ]
    size = np.sqrt(sum(gx * gx + gy * gy for gx, gy in slopes))
    size += np.float32(max(noise, GRAIN * float(np.median(size))))
    kernel_x, kernel_y = _rim_kernels(radius)
    return [
        np.asarray(
            cv2.filter2D(gx / size, -1, kernel_x) + cv2.filter2D(gy / size, -1, kernel_y),
            dtype=np.float32,
        )
        for gx, gy in slopes
    ]


@lru_cache(maxsize=4)
def _rim_kernels(radius_mm: float) -> tuple[Floats, Floats]:
    """Return two kernels, for the gradients to the right and up. Together they sum how far the
    gradients on a rim around every place point outward. Their sizes are odd numbers.
    """
    reach = int(radius_mm / MM_PER_CELL + 4)
    north, east = np.mgrid[-reach : reach + 1, -reach : reach + 1] * MM_PER_CELL
    gap = np.hypot(east, north)
    ring = np.exp(-0.5 * (gap - radius_mm) ** 2)
    ring /= ring.sum()
    gap[gap == 0] = 1
    return (ring * east / gap).astype(np.float32), (ring * north / gap).astype(np.float32)


def _peaks(score: Floats, floor: Floor, least: float, sizes: PieceSizes) -> list[tuple[int, int]]:
    """Return row and column of the places that score at least `least` and are the best within a
    coin's radius, best first.
    """
    reach = 2 * int(0.4 * sizes.coin_mm / MM_PER_CELL) + 1
    masked = np.where(floor.open_, score, 0)
    best = (masked >= least) & (masked >= cv2.dilate(masked, np.ones((reach, reach), np.uint8)))
    places = [(int(j), int(i)) for j, i in zip(*np.nonzero(best), strict=True)]
    places.sort(key=lambda p: -float(masked[p]))
    return _apart(places, sizes)


def _apart(places: list[tuple[int, int]], sizes: PieceSizes) -> list[tuple[int, int]]:
    """Return the places that do not overlap a better one: two coins cannot lie in one place."""
    kept: list[tuple[int, int]] = []
    for p in places:
        if all(
            np.hypot(p[0] - q[0], p[1] - q[1]) * MM_PER_CELL > 0.9 * sizes.coin_mm for q in kept
        ):
            kept.append(p)
    return kept


def _learn_mix(
    flat: Floats,
    teachers: list[tuple[int, int]],
    sizes: PieceSizes,
    noise: tuple[float, float, float],
) -> ChannelMix | None:
    """Learn the channel mix that separates best the faces of known coins (a ring near the rim) from
    their surroundings.
    """
    radius = 0.5 * sizes.coin_mm / MM_PER_CELL
    reach = int(2.5 * radius)
    gap = np.hypot(*np.mgrid[-reach : reach + 1, -reach : reach + 1])
    face, around = (
        (gap > 0.6 * radius) & (gap < 0.88 * radius),
        (gap > 1.2 * radius) & (gap < 2.0 * radius),
    )
    steps, scatters = [], []
    for j, i in teachers:
        patch = flat[max(0, j - reach) : j + reach + 1, max(0, i - reach) : i + reach + 1]
        if patch.shape[:2] == gap.shape:
            steps.append(patch[face].mean(0) - patch[around].mean(0))
            scatters.append(
                np.atleast_2d(np.cov(patch[face].T)) + np.atleast_2d(np.cov(patch[around].T))
            )
    if not steps:
        return None
    step = np.median(steps, axis=0)
    mix = np.linalg.solve(np.mean(scatters, axis=0) + np.diag(np.square(noise[: len(step)])), step)
    mix /= max(np.abs(mix).max(), 1e-9)
    padded = [float(m) for m in mix] + [0.0] * (3 - len(mix))
    return ChannelMix(padded[0], padded[1], padded[2], max(float(mix @ step), 1.0))
