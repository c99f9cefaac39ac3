"""Finds square things in a picture as quadrilaterals, to a pixel or two, in any colour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Tuned on our own clips, except where a comment gives another source for a number.

_SMALLEST_PX: Final = 14.0
_LARGEST_SHARE: Final = 0.2  # of the picture's height
_LEVELS: Final = 9
_BLOCKS_PX: Final = (31, 61, 121)


def _channels(picture: Picture) -> list[Picture]:
    """Return brightness, colourfulness and the two opponent colours. A tile differs from its table
    in at least one of them.
    """
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
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


def _four_corners(contour: NDArray[np.int32]) -> Array | None:
    """Return the quadrilateral that a contour forms, (4, 2); None where it forms none."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if cv2.contourArea(contour) < 0.86 * area:
        return None
    length = cv2.arcLength(hull, True)
    for share in (0.03, 0.045, 0.06, 0.08):
        corners = cv2.approxPolyDP(hull, share * length, True)
        if len(corners) == 4:
            kept = cv2.contourArea(corners)
            return (
                np.asarray(corners.reshape(4, 2), dtype=np.float64)
                if abs(kept - area) < 0.12 * area
                else None
            )
    return None


def _plausible(corners: Array, height_px: int, width_px: int) -> bool:
    steps = np.roll(corners, -1, axis=0) - corners
    sides = np.hypot(steps[:, 0], steps[:, 1])
    inside = (
        corners.min() > 1
        and corners[:, 0].max() < width_px - 2
        and corners[:, 1].max() < height_px - 2
    )
    return bool(
        inside
        and sides.min() > _SMALLEST_PX
        and sides.max() < _LARGEST_SHARE * height_px
        and sides.max() < 3.0 * sides.min()
    )


def _merge(quads: list[Array]) -> list[Array]:
    """Return one quadrilateral per place. Similar ones become their median, and one inside a larger
    one (a tile's quarter) is dropped.
    """
    order = sorted(quads, key=lambda q: -cv2.contourArea(q.astype(np.float32)))
    groups: list[list[Array]] = []
    for quad in order:
        centre, size = quad.mean(axis=0), np.sqrt(cv2.contourArea(quad.astype(np.float32)))
        for group in groups:
            first = group[0]
            big = np.sqrt(cv2.contourArea(first.astype(np.float32)))
            gap = np.hypot(*(centre - first.mean(axis=0)))
            if gap < 0.2 * big and size > 0.75 * big:
                group.append(_in_step(quad, first))
                break
        else:
            groups.append([quad])
    return [np.median(np.array(group), axis=0) for group in groups if len(group) > 1]


def _in_step(quad: Array, like: Array) -> Array:
    """Return the same corners, starting with the one closest to the first of `like`."""
    turns = [np.roll(quad, -k, axis=0) for k in range(4)]
    return min(turns, key=lambda turned: float(np.abs(turned - like).sum()))


def find_quads(picture: Picture) -> list[Array]:
    """Find quadrilaterals in a picture (h, w, 3) BGR that may be tiles: corners (4, 2) px each,
    clockwise as seen, largest first.

    The function does not decide which of them are tiles. Quarters of a tile's back and printed
    squares may be among them.
    """
    height, width = picture.shape[:2]
    quads: list[Array] = []
    for channel in _channels(picture):
        for mask in _masks(channel):
            contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
            for contour in contours:
                if len(contour) < 4 or cv2.contourArea(contour) < _SMALLEST_PX**2:
                    continue
                corners = _four_corners(np.asarray(contour, dtype=np.int32))
                if corners is not None and _plausible(corners, height, width):
                    quads.append(_clockwise(corners))
    return _merge(quads)


def _clockwise(corners: Array) -> Array:
    """Return corners in clockwise order as seen (v down)."""
    steps = np.roll(corners, -1, axis=0)
    area = float(np.sum(corners[:, 0] * steps[:, 1] - steps[:, 0] * corners[:, 1]))
    return corners if area > 0 else corners[::-1].copy()
