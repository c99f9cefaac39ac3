"""Finds tiles beside a row of coins: four-sided shapes of a tile's size, in any colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

# Tuned on our own clips, except where a comment gives another source for a number.

# The least and the largest apparent width of a tile, as shares of its true width. The true width
# follows from the coins, whose width is known to a tenth, and perspective may shorten a side to
# 0.7.
_LEAST_SIDE: Final = 0.8
_MOST_SIDE: Final = 1.15
# The percentiles of the pixels' values that are tried as thresholds.
_LEVELS: Final = range(4, 100, 4)
_ENOUGH_PX: Final = 150.0  # Chosen: a tile that looks wider is searched for in a smaller picture
# the least ratio of the shortest side to the longest, for tilts of up to 45 degrees
_SQUARE: Final = 0.6
# Chosen: if more quads than this are alike, all of them are print: the picture of a set shows a
# tile or a few.
_MOST_TILES: Final = 6
# Chosen: quads are alike if their areas differ by less than this factor, because the camera is
# nearer to some, and their mean colours by less than these grey levels, because light is uneven.
_SAME_AREA: Final = 1.5
_SAME_COLOUR: Final = 25.0
# the least ratio of two opposite sides (a near camera shows 0.93), and the least share of its
# convex hull that an outline fills
_REGULAR: Final = 0.85
_LEAST_FINDS: Final = 3  # a tile is found at many thresholds, a shape in the wood grain at one


@dataclass(frozen=True, slots=True)
class Quad:
    """A tile in a picture: its four corners in order, px."""

    corners_px: tuple[tuple[float, float], ...]

    @property
    def area_px(self) -> float:
        """Return the area, square pixels."""
        return abs(float(cv2.contourArea(np.array(self.corners_px, dtype=np.float32))))

    @property
    def middle_px(self) -> tuple[float, float]:
        """Return the mean of the corners, px."""
        x, y = np.mean(self.corners_px, axis=0)
        return float(x), float(y)


def find_tiles(picture: NDArray[np.uint8], least_px: float, most_px: float) -> list[Quad]:
    """Find the tiles in a BGR picture that are from `least_px` to `most_px` wide, left to right.
    Their corners are accurate to a few pixels.
    """
    shrink = max(1.0, least_px / _ENOUGH_PX)
    small = np.asarray(
        (
            cv2.resize(picture, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
            if shrink > 1
            else picture
        ),
        dtype=np.uint8,
    )
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), dtype=np.uint8)
    groups: list[list[Quad]] = []
    for quad in _quads(soft, _LEAST_SIDE * least_px / shrink, _MOST_SIDE * most_px / shrink):
        near = [
            g for g in groups if math.dist(g[0].middle_px, quad.middle_px) < least_px / shrink / 2
        ]
        if near:
            near[0].append(quad)
        else:
            groups.append([quad])
    tiles = [_middling(group) for group in groups if len(group) >= _LEAST_FINDS]
    tiles = [tile for tile in tiles if _alike(soft, tile, tiles) <= _MOST_TILES]
    grown = [
        Quad(
            tuple(((x + 0.5) * shrink - 0.5, (y + 0.5) * shrink - 0.5) for x, y in quad.corners_px)
        )
        for quad in tiles
    ]
    return sorted(grown, key=lambda quad: quad.middle_px)


def _alike(picture: NDArray[np.uint8], tile: Quad, tiles: Sequence[Quad]) -> int:
    """Return how many of the quads, the tile itself included, have its size and its colour. If
    these are more tiles than people lay beside the coins, they are a pattern of the table, such as
    the squares of a cloth.
    """
    mean = _mean_colour(picture, tile)
    return sum(
        1 / _SAME_AREA < other.area_px / tile.area_px < _SAME_AREA
        and float(np.abs(_mean_colour(picture, other) - mean).max()) < _SAME_COLOUR
        for other in tiles
    )


def _mean_colour(picture: NDArray[np.uint8], tile: Quad) -> NDArray[np.float64]:
    """Return the mean colour of the inner part of a quad, BGR."""
    inner = np.array(tile.middle_px) + 0.7 * (np.array(tile.corners_px) - tile.middle_px)
    mask = np.zeros(picture.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(inner).astype(np.int32), 1)
    return np.array(cv2.mean(picture, mask)[:3])


def _middling(group: list[Quad]) -> Quad:
    """Return, of the quads found at one place, the one with the median area."""
    return sorted(group, key=lambda quad: quad.area_px)[len(group) // 2]


def _quads(picture: NDArray[np.uint8], least_px: float, most_px: float) -> Iterator[Quad]:
    """Yield all four-sided outlines of about a tile's size. They are searched for in lightness,
    both colour axes and saturation, at many thresholds.
    """
    # By the isoperimetric inequality: each step of an outline is at most a diagonal long.
    fewest = math.sqrt(2 * math.pi * _SQUARE) * least_px
    lab, hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    for channel in (*cv2.split(lab), cv2.split(hsv)[1]):
        for level in np.unique(np.percentile(channel, list(_LEVELS)).astype(int)):
            outlines, _ = cv2.findContours(
                (channel > level).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE
            )
            for outline in (outline for outline in outlines if len(outline) >= fewest):
                quad = _as_tile(outline, least_px, most_px)
                if quad is not None:
                    yield quad


def _as_tile(outline: NDArray[np.int32], least_px: float, most_px: float) -> Quad | None:
    """Return the outline as a tile; None if it is not a filled four-sided shape of a tile's
    size.
    """
    area = cv2.contourArea(outline)
    if not _SQUARE * least_px**2 < area < most_px**2:
        return None
    hull = cv2.convexHull(outline)
    corners = (
        cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(float)
    )
    if len(corners) != 4 or area < _REGULAR * cv2.contourArea(hull):
        return None
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    unlike = (np.minimum(sides[:2], sides[2:]) < _REGULAR * np.maximum(sides[:2], sides[2:])).any()
    if unlike or sides.min() < _SQUARE * sides.max() or not least_px < sides.mean() < most_px:
        return None
    return Quad(tuple((float(x), float(y)) for x, y in corners))
