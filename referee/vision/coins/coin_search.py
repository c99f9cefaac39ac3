"""Searches the whole table for coins at rest, without knowing where they lie.

The picture is resampled on the plane of the coins' top faces, where all coins look alike, and
`coin_network` says how much each place looks like a coin. `inventory` then measures the rims at the
likely places.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point, distance
from referee.domain.layout import Course, Tile
from referee.domain.pieces import DiscSizes, PieceSizes
from referee.vision.coins.coin_network import COIN_CELLS, coin_log_odds, coins_alike, is_likeliest
from referee.vision.coins.region_fit import measure_coin
from referee.vision.coins.repeated_print import MOST_ALIKE, is_repeated
from referee.vision.coins.rim_fit import FARTHEST_MM, PLAIN_SUPPORT, RimFit
from referee.vision.image.boxes import Box, box_around
from referee.vision.image.picture import Floats, Picture, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

PIXEL_MM: Final = 1.0  # about the size of a picture's pixel at the usual distances of a camera
# A place with lower log odds is not measured. Measured: of 320 coins on 48 rendered tables that the
# network was not trained with, all but one on a tile's corner have 3.1 or more. Drawn coins without
# a mark, eight grey levels darker than their table, have about 0.
LEAST_LOG_ODDS: Final = -1.0
# the most places that are measured: three times as many as any set has coins
MOST_PLACES: Final = 60
RIMS_APART: Final = 0.9  # a share of a coin's width: two rims that are closer belong to one coin
UNKNOWN_EDGE_MM: Final = 150.0  # how far a table of unknown outline reaches beyond its course
# In coin radii. What looks like a coin, and is centred closer than this to a tile's side, is the
# tile's own corner or line.
TILE_KEEP_OUT: Final = 0.6
# In coin widths: the picture is examined this far beyond the searched places, because the network
# needs a coin's rim and surroundings.
SEEN_WITH_WIDTHS: Final = 1.5
# The network sees a coin at most this far from where it lies. Measured: over 158 coins on 30 traced
# tables, half are seen up to 1.1 mm away, 95 % up to 2.6 mm, all up to 4.1 mm. A shadow's edge that
# was taken for the rim was 5.4 mm away, another one 5.6 mm.
NETWORK_OFF_MM: Final = 4.5
# The log odds from which a place surely looks like a coin. Measured: see `LEAST_LOG_ODDS`.
SURE_LOG_ODDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class FoundCoin:
    """A place that looks like a coin, accurate to a few millimetres, and the log odds that a coin
    lies there.
    """

    at_mm: Point
    log_odds: float


@dataclass(frozen=True)
class Floor:
    """The part of the table that is searched: a grid of places. `x_mm` and `y_mm` are the places,
    `map_x_px` and `map_y_px` the pixel at which each one is seen, and `open_` says where a coin's
    middle may lie.
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

    def has(self, at_mm: Point) -> bool:
        """Return whether a coin's centre may lie within a cell of a place."""
        rows, columns = (
            np.flatnonzero(np.abs(at - mm) < 1.5 * PIXEL_MM)
            for at, mm in zip((self.y_mm, self.x_mm), reversed(at_mm), strict=True)
        )
        return bool(self.open_[np.ix_(rows, columns)].any())

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


def lay_floor(
    view: TableView, sizes: PieceSizes, outline: tuple[Point, ...], course: Course
) -> Floor:
    """Make the grid of places where a coin's centre may lie: on the table, inside the picture and
    clear of the tiles. The grid reaches a coin's width beyond the table's edge, because a coin may
    lie half over it.

    Without a known outline, the table is assumed to reach `UNKNOWN_EDGE_MM` beyond the course, or,
    without a course, as far as the picture shows it.
    """
    corners = np.array(outline) if outline else _around(course, view)
    (left, bottom), (right, top) = (
        corners.min(axis=0) - sizes.coin_mm,
        corners.max(axis=0) + sizes.coin_mm,
    )
    x, y = np.arange(left, right, PIXEL_MM), np.arange(bottom, top, PIXEL_MM)
    map_x, map_y = _map_of(view, x, y, sizes.coin_thickness_mm)
    margin_px = 4
    inside = (
        (map_x > margin_px)
        & (map_x < view.camera.width - 1 - margin_px)
        & (map_y > margin_px)
        & (map_y < view.camera.height - 1 - margin_px)
    )
    table = np.zeros(inside.shape, np.uint8)
    cv2.fillPoly(table, [np.round((corners - (x[0], y[0])) / PIXEL_MM).astype(np.int32)], 1)
    inside &= table > 0
    keep_out_mm = sizes.tile_mm / 2 + TILE_KEEP_OUT * sizes.coin_mm / 2
    for tile in course.tiles.values():
        _close(inside, x, y, tile, tile.centre_mm, keep_out_mm)
        for level in range(1, tile.stack + 1):
            seen_mm = _seen_behind(
                view, tile.centre_mm, level * sizes.tile_thickness_mm - sizes.coin_thickness_mm
            )
            _close(inside, x, y, tile, seen_mm, sizes.tile_mm / 2)
        # A coin on top of the stack seems to lie on the table behind the stack. Two more cells are
        # closed, because `has` also accepts the cells beside a place.
        height_mm, half_mm = tile.stack * sizes.tile_thickness_mm, sizes.tile_mm / 2
        seen_mm = _seen_behind(view, tile.centre_mm, height_mm)
        wide_mm = half_mm * (1.0 + _farther(view, height_mm))
        _close(inside, x, y, tile, seen_mm, wide_mm + 2 * PIXEL_MM)
    return Floor(x, y, map_x, map_y, inside)


def _close(
    inside: NDArray[np.bool_],
    x_mm: NDArray[np.float64],
    y_mm: NDArray[np.float64],
    tile: Tile,
    centre_mm: Point,
    reach_mm: float,
) -> None:
    """Remove, in place, the places that a tile takes up from the grid `inside`: those within
    `reach_mm` of its middle, measured along its sides. `centre_mm` is where the camera sees that
    middle on the plane of the coins' top faces.

    Only the places around the tile are examined, because the grid is many times as large.
    """
    corner_mm = math.sqrt(2) * reach_mm
    columns, rows = (
        slice(*np.searchsorted(at, (middle - corner_mm, middle + corner_mm)))
        for at, middle in zip((x_mm, y_mm), centre_mm, strict=True)
    )
    turn = np.radians(tile.rotation_deg)
    east, north = x_mm[None, columns] - centre_mm[0], y_mm[rows, None] - centre_mm[1]
    inside[rows, columns] &= (abs(np.cos(turn) * east + np.sin(turn) * north) > reach_mm) | (
        abs(np.cos(turn) * north - np.sin(turn) * east) > reach_mm
    )


def _seen_behind(view: TableView, at_mm: Point, above_mm: float) -> Point:
    """Return the place on the plane of the coins' top faces that the camera sees behind a point
    `above_mm` higher. The top of a stack of tiles hides that place.
    """
    camera_mm, share = view.position_mm, _farther(view, above_mm)
    return (
        at_mm[0] + (at_mm[0] - float(camera_mm[0])) * share,
        at_mm[1] + (at_mm[1] - float(camera_mm[1])) * share,
    )


def _farther(view: TableView, above_mm: float) -> float:
    """Return how much farther from the camera a point seems, as a share of its distance, if it is
    `above_mm` above the plane onto which it is projected.
    """
    return above_mm / (float(view.position_mm[2]) - above_mm)


def _around(course: Course, view: TableView) -> NDArray[np.float64]:
    """Return a rectangle around the course (4, 2), mm, or what the picture shows if no tile lies on
    the table.
    """
    if not course.tiles:
        right, low = view.camera.width - 1.0, view.camera.height - 1.0
        return view.to_table(np.array([[0.0, 0.0], [right, 0.0], [right, low], [0.0, low]]))
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

    Only a coarse grid is projected. The interpolated pixels are accurate to a hundredth of a pixel.
    """
    coarse = 8
    columns, rows = (
        at[0] + coarse * PIXEL_MM * np.arange(len(at) // coarse + 2) for at in (x_mm, y_mm)
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


def find_coins(picture: Picture, floor: Floor, sizes: PieceSizes) -> list[FoundCoin]:
    """Find the places that look like a coin in full view, the most likely first. A pattern of the
    table, such as dots as wide as coins, is left out, except in free play, where any number of
    discs may look alike.
    """
    flat = laid_flat(picture, floor)
    if flat is None:
        return []
    log_odds = coin_log_odds(flat, sizes.coin_mm, PIXEL_MM)
    peaks = _peaks(log_odds, floor, sizes)
    if len(peaks) > MOST_ALIKE and not isinstance(sizes, DiscSizes):
        cells = COIN_CELLS * PIXEL_MM / sizes.coin_mm
        seen = coins_alike(flat, sizes.coin_mm, PIXEL_MM)
        pattern = is_repeated(seen, np.round(np.array(peaks) * cells).astype(np.intp))
        peaks = [peak for peak, repeated in zip(peaks, pattern, strict=True) if not repeated]
    return [
        FoundCoin((float(floor.x_mm[i]), float(floor.y_mm[j])), float(log_odds[j, i]))
        for j, i in peaks[:MOST_PLACES]
    ]


def places_like_coins(
    picture: Picture,
    floor: Floor,
    at_mm: Point,
    within_mm: float,
    sizes: PieceSizes,
    least_log_odds: float = LEAST_LOG_ODDS,
) -> list[Point]:
    """Return the places in a picture that look like a coin whose centre is within `within_mm` of a
    place, with at least these log odds. The network's places are accurate to a few millimetres, so
    places up to `FARTHEST_MM` farther away are returned, too.
    """
    part = floor.part(box_around(at_mm, within_mm + SEEN_WITH_WIDTHS * sizes.coin_mm))
    found = find_coins(picture, part, sizes)
    places = (place.at_mm for place in found if place.log_odds >= least_log_odds)
    return [place for place in places if distance(place, at_mm) < within_mm + FARTHEST_MM]


def measure_by_look(
    picture: Picture,
    view: TableView,
    floor: Floor,
    guess_mm: Point,
    sizes: PieceSizes,
    lying_mm: Sequence[Point] = (),
) -> RimFit | None:
    """Measure the coin at rest near a guess, as `measure_coin` does. But if the rim found is not
    plain, and the nearest place that looks like a coin is too far from it, that rim may be the edge
    of a shadow. In this case, measure the coin at the place that looks like a coin.
    """
    fit = measure_coin(picture, view, guess_mm, sizes, lying_mm)
    if fit is None or fit.support > PLAIN_SUPPORT:
        return fit
    half_mm = sizes.coin_mm / 2
    others = [at for at in lying_mm if distance(at, guess_mm) > half_mm]
    places = [
        at
        for at in places_like_coins(picture, floor, guess_mm, half_mm, sizes, SURE_LOG_ODDS)
        if all(distance(at, other) > half_mm for other in others)
    ]
    looks = min(places, key=partial(distance, guess_mm), default=fit.at_mm)
    if distance(looks, fit.at_mm) < NETWORK_OFF_MM:
        return fit
    there = measure_coin(picture, view, looks, sizes, lying_mm)
    near = there is not None and distance(there.at_mm, looks) < NETWORK_OFF_MM
    return there if near else fit


def laid_flat(picture: Picture, floor: Floor) -> Floats | None:
    """Return luminance and colour differences, sampled at the places of the floor (rows, columns, 1
    or 3); None if no open place is in the picture.
    """
    part = floor.rect.within(picture.width, picture.height) if floor.open_.any() else None
    if part is None or part.empty:
        return None
    map_x, map_y = floor.map_x_px - np.float32(part.left), floor.map_y_px - np.float32(part.top)
    channels = picture.channels(part)
    flat = cv2.remap(channels, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, dtype=np.float32).reshape(*map_x.shape, channels.shape[2])


def _peaks(log_odds: Floats, floor: Floor, sizes: PieceSizes) -> list[tuple[int, int]]:
    """Return row and column of the likeliest places, best first. A place that overlaps a better one
    is left out, because two coins cannot lie in one place.
    """
    masked = np.where(floor.open_, log_odds, LEAST_LOG_ODDS)
    best = is_likeliest(masked, sizes.coin_mm / PIXEL_MM)
    found = np.argwhere(best & (masked > LEAST_LOG_ODDS)).tolist()
    places: list[tuple[int, int]] = [(j, i) for j, i in found]
    places.sort(key=lambda p: -float(masked[p]))
    kept: list[tuple[int, int]] = []
    for p in places:
        if all(math.dist(p, q) * PIXEL_MM > RIMS_APART * sizes.coin_mm for q in kept):
            kept.append(p)
    return kept
