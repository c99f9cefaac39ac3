"""Finds squares of any colour in a picture, as quadrilaterals that are accurate to a pixel or
two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Outline = NDArray[np.int32]  # (n, 1, 2) px

# Tuned on our own clips, except where a comment gives another source for a number.

SMALLEST_PX: Final = 14.0  # the shortest side of a square that is found
# as a share of its width: how far apart the corners of two outlines of one row may be
_AGREE_SHARE: Final = 0.08
# Chosen: at an angle, the ratio of length to width of a square or a row changes by up to this
# factor.
MOST_STRETCHED: Final = 2.5
_SOFTENED_PX: Final = 0.8  # a blur that takes most noise away and hardly moves a side
# as a share of its area: how much of an outline its four corners may cut off
_CUT_OFF: Final = 0.12
# as shares of its length: how far an outline may be from the sides of a quadrilateral. They are
# tried in this order
_OFF_SIDES: Final = (0.03, 0.045, 0.06, 0.08)
LARGEST_SHARE: Final = 0.2  # of the picture's height
_LEVELS: Final = 9  # the number of thresholds for each channel
_BLOCKS_PX: Final = (31, 61, 121)  # the block sizes of adaptive thresholds
_MIDDLE_OF_SIDE: Final = 0.7  # a line is fitted to this share of a side
# The number of main colours into which a picture's pixels are sorted, and the weight of lightness
# relative to colour, for two ways of sorting. Lightness counts less, because light varies over a
# table and colours do not. Measured: on two chequered cloths, each way finds four tiles more than
# the other way on one of the cloths.
_SORTED: Final = ((6, 0.3), (8, 0.5))
_COLOUR_PIXELS: Final = 20_000
_ONE: Final = 0.25  # as a share of their size: how far quadrilaterals at one place may differ
_LINE_PX: Final = 3  # lines printed on a tile are narrower than this
SEAMS_PX: Final = (5, 9, 13)  # strips narrower than this may be blurred edges


def softened(picture: Picture) -> Picture:
    """Return a picture with most of its noise blurred away; sides hardly move."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _SOFTENED_PX), dtype=np.uint8)


def _channels(picture: Picture) -> list[Picture]:
    """Return brightness, colourfulness and the two opponent colours. A tile differs from its table
    in at least one of them.
    """
    soft = softened(picture)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    saturation = cv2.cvtColor(soft, cv2.COLOR_BGR2HSV)[:, :, 1]
    return [
        np.asarray(c, dtype=np.uint8)
        for c in (lab[:, :, 0], soft[:, :, 0], saturation, lab[:, :, 1], lab[:, :, 2])
    ]


def _masks(channel: Picture) -> Iterator[Picture]:
    for level in np.unique(np.percentile(channel, np.linspace(15, 98, _LEVELS))):
        above = (channel > level).astype(np.uint8) * 255
        yield above
        yield 255 - above
    for block in _BLOCKS_PX:
        for offset in (-6, 6):
            mask = cv2.adaptiveThreshold(
                channel, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, offset
            )
            yield np.asarray(mask if offset < 0 else 255 - mask, dtype=np.uint8)


def _colour_masks(picture: Picture, number: int, lightness: float) -> Iterator[list[Picture]]:
    """Yield masks of where the picture has each of its `number` main colours, without seams and
    thin lines. They separate a tile from a patterned cloth that has both lighter and darker parts
    than the tile.
    """
    soft = softened(picture).astype(np.float32) / 255
    weights = np.array([lightness, 1, 1], dtype=np.float32)
    lab = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), dtype=np.float32) * weights
    step = max(1, int(np.sqrt(lab.shape[0] * lab.shape[1] / _COLOUR_PIXELS)))
    sample = np.ascontiguousarray(lab[::step, ::step].reshape(-1, 3))
    cv2.setRNGSeed(0)
    no_labels = np.zeros((0, 1), dtype=np.int32)
    _, _, colours = cv2.kmeans(sample, number, no_labels, (3, 20, 0.5), 1, cv2.KMEANS_PP_CENTERS)
    nearest = np.argmin([((lab - each) ** 2).sum(axis=2) for each in colours], axis=0)
    for colour in range(number):
        mask = (nearest == colour).astype(np.uint8) * 255
        whole = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _round(_LINE_PX))
        yield [
            np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _round(seam)), dtype=np.uint8)
            for seam in SEAMS_PX
        ]


def _round(width_px: int) -> Picture:
    shape = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width_px, width_px))
    return np.asarray(shape, dtype=np.uint8)


def _four_corners(contour: Outline, *, fitted: bool) -> Array | None:
    """Return the quadrilateral that a contour forms, (4, 2); None if it forms none. Its corners are
    points of the contour or, with `fitted`, the points where lines fitted to its sides meet.
    """
    hull = np.asarray(cv2.convexHull(contour), dtype=np.int32)
    area = cv2.contourArea(hull)
    if cv2.contourArea(contour) < (1 - _CUT_OFF) * area:
        return None
    if fitted:
        points = np.asarray(cv2.approxPolyDP(hull, 1.0, True), dtype=np.int32).reshape(-1, 2)
        if len(points) < 4:
            return None
        return _sides_fitted(contour.reshape(-1, 2), _largest_four(points), area)
    length = cv2.arcLength(hull, True)
    for share in _OFF_SIDES:
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            kept = cv2.contourArea(corners)
            return (
                np.asarray(corners.reshape(4, 2), dtype=np.float64)
                if abs(kept - area) < _CUT_OFF * area
                else None
            )
    return None


def _largest_four(points: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return those four points (4, 2) of a convex outline (n, 2) that enclose the largest area, in
    the order of the outline.
    """
    fours = points[list(combinations(range(len(points)), 4))]
    one, other = fours[:, 2] - fours[:, 0], fours[:, 3] - fours[:, 1]
    areas = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
    return np.asarray(fours[int(np.argmax(areas))], dtype=np.int32)


def _sides_fitted(
    outline: NDArray[np.int32], rough: NDArray[np.int32], area: float
) -> Array | None:
    """Return the corners (4, 2) where the lines along an outline's four sides meet; None if they do
    not enclose about the area of the outline. A blurred corner is round, so no point of the outline
    is the corner itself.
    """
    lines = []
    for begin, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = (end - begin).astype(np.float64)
        length = float(np.hypot(*along))
        along /= length
        off = outline - begin
        at, aside = off @ along, off @ np.array([-along[1], along[0]])
        side = outline[
            (np.abs(at / length - 0.5) < _MIDDLE_OF_SIDE / 2) & (np.abs(aside) < 0.1 * length + 1)
        ]
        if len(side) < 2:
            side = np.array([begin, end])
        dx, dy, x, y = cv2.fitLine(side.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((-dy, dx, dx * y - dy * x))
    corners = []
    for first, second in zip([lines[-1], *lines[:-1]], lines, strict=True):
        matrix = np.array([first[:2], second[:2]], dtype=np.float64)
        if np.linalg.det(matrix) == 0:  # two parallel sides
            return None
        corners.append(np.linalg.solve(matrix, np.array([first[2], second[2]])))
    found = np.array(corners)
    kept = cv2.contourArea(found.astype(np.float32))
    return found if abs(kept - area) < _CUT_OFF * area else None


def _plausible(corners: Array, height_px: int, width_px: int, length: int) -> bool:
    """Return whether a quadrilateral (4, 2) px of a picture may be a row of `length` tiles, by its
    size and shape.
    """
    steps = np.roll(corners, -1, axis=0) - corners
    sides = np.hypot(steps[:, 0], steps[:, 1])
    inside = (
        corners.min() > 1
        and corners[:, 0].max() < width_px - 2
        and corners[:, 1].max() < height_px - 2
    )
    if length > 1:
        one, other = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        longer = max(one, other) / min(one, other) / length
        shaped = 1 / MOST_STRETCHED < longer < MOST_STRETCHED
    else:
        shaped = sides.max() < MOST_STRETCHED * sides.min()
    return bool(
        inside
        and sides.min() > SMALLEST_PX
        and sides.max() < length * LARGEST_SHARE * height_px
        and shaped
    )


def _merge(quads: list[Array]) -> list[Array]:
    """Return the quadrilaterals with similar ones at one place replaced by their median. A
    quadrilateral inside a larger one, such as a tile's quarter, is dropped.
    """
    if not quads:
        return []
    areas = np.array([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    order = np.argsort(-areas, kind="stable")
    centres, sizes = np.mean(quads, axis=1)[order], np.sqrt(areas[order])
    free = np.ones(len(quads), dtype=np.bool_)
    groups: list[list[Array]] = []
    for first, size in enumerate(sizes):
        if not free[first]:
            continue
        near = np.hypot(*(centres - centres[first]).T) < _ONE * size
        own = np.flatnonzero(free & near & (sizes > (1 - _ONE) * size))
        free[own] = False
        groups.append([_in_step(quads[order[k]], quads[order[first]]) for k in own])
    return [np.median(np.array(group), axis=0) for group in groups if len(group) > 1]


def _in_step(quad: Array, like: Array) -> Array:
    """Return the same corners, beginning with the corner that is closest to the first corner of
    `like`.
    """
    turns = [np.roll(quad, -k, axis=0) for k in range(4)]
    return min(turns, key=lambda turned: float(np.abs(turned - like).sum()))


def outlines_of(picture: Picture) -> list[Outline]:
    """Return the outlines in a picture (h, w, 3) BGR that are large enough for a tile, at many
    levels of each of its channels.
    """
    masks = (mask for channel in _channels(picture) for mask in _masks(channel))
    return [outline for mask in masks for outline in _outlines(mask)]


def find_quads(picture: Picture, outlines: Sequence[Outline] | None = None) -> list[Array]:
    """Find quadrilaterals in a picture (h, w, 3) BGR that may be tiles, the largest first. Each is
    given by its corners (4, 2) px, clockwise in the picture. `outlines` are those of the picture,
    if they are known already.

    The function does not decide which of them are tiles. Quarters of a tile's back and printed
    squares may be among them.
    """
    outlines = outlines_of(picture) if outlines is None else outlines
    return _merge(_quads_of(outlines, picture, fitted=False))


def find_quads_by_colour(picture: Picture) -> list[list[Array]]:
    """Find quadrilaterals that each have one of the picture's main colours. The result is one list
    for each colour, each like that of `find_quads`, but several quadrilaterals may be at one place.
    On a patterned cloth, only these separate the tiles from the pattern.
    """
    return [
        [quad for mask in masks for quad in _quads_of(_outlines(mask), picture, fitted=True)]
        for number, lightness in _SORTED
        for masks in _colour_masks(picture, number, lightness)
    ]


def find_rows(picture: Picture, outlines: Sequence[Outline], length: int) -> list[Array]:
    """Find quadrilaterals that may be rows of `length` touching tiles among the `outlines` of a
    picture, and return their tiles in the form of `find_quads`.

    A row is divided evenly, as if its outline were that of a flat row. The seams between its tiles
    are not searched for.
    """
    rows = _quads_of(outlines, picture, fitted=True, length=length)
    return [tile for row in _agreeing(rows) for tile in _cut(row, length)]


def _agreeing(rows: list[Array]) -> list[Array]:
    """Return the median of each group of at least two rows whose corners agree. Rows that lie
    inside one another are not joined: a row with its shadow has another outline than the row.
    """
    groups: list[list[Array]] = []
    for row in rows:
        sides = np.hypot(*(np.roll(row, -1, axis=0) - row).T)
        for group in groups:
            own = _in_step(row, group[0])
            if np.abs(own - group[0]).max() < max(_AGREE_SHARE * sides.min(), 1.0):
                group.append(own)
                break
        else:
            groups.append([row])
    return [np.median(np.array(group), axis=0) for group in groups if len(group) > 1]


def _cut(row: Array, length: int) -> list[Array]:
    """Return the quadrilaterals (4, 2) of a row's tiles, computed from the corners of the row."""
    sides = np.hypot(*(np.roll(row, -1, axis=0) - row).T)
    corners = row if sides[0] + sides[2] > sides[1] + sides[3] else np.roll(row, -1, axis=0)
    flat = np.array([[0, 0], [length, 0], [length, 1], [0, 1]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    at = np.arange(length, dtype=np.float64)
    squares = [np.array([[x, 0], [x + 1, 0], [x + 1, 1], [x, 1]]) for x in at]
    return [
        np.asarray(cv2.perspectiveTransform(square[None], matrix)[0], dtype=np.float64)
        for square in squares
    ]


def _outlines(mask: Picture) -> list[Outline]:
    """Return the outlines in a mask that are large enough for a tile."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    area, least = cv2.contourArea, SMALLEST_PX**2
    large = [contour for contour in contours if len(contour) >= 4 and area(contour) >= least]
    return [np.asarray(contour, dtype=np.int32) for contour in large]


def _quads_of(
    outlines: Iterable[Outline], picture: Picture, *, fitted: bool, length: int = 1
) -> list[Array]:
    """Return the quadrilaterals among outlines that may be rows of `length` tiles; see
    `_four_corners`.
    """
    height, width = picture.shape[:2]
    quads = []
    for outline in outlines:
        # an outline longer than one long and one short side, each at its longest, is no row
        if max(cv2.boundingRect(outline)[2:]) > (length + 1) * LARGEST_SHARE * height:
            continue
        corners = _four_corners(outline, fitted=fitted)
        if corners is not None and _plausible(corners, height, width, length):
            quads.append(_clockwise(corners))
    return quads


def _clockwise(corners: Array) -> Array:
    """Return the corners (4, 2) in clockwise order in the picture (v points down)."""
    steps = np.roll(corners, -1, axis=0)
    area = float(np.sum(corners[:, 0] * steps[:, 1] - steps[:, 0] * corners[:, 1]))
    return corners if area > 0 else corners[::-1].copy()
