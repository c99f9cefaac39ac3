"""Finds the connected regions of a binary image, such as a mask of what differs from the
background.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.geometry import Point
from referee.vision.image.picture import Bytes, Rect

# By definition: an image of fewer pixels has no more regions than 16-bit labels can count, because
# regions that do not touch take at least four pixels each. Labelling with 16 bits takes half the
# time.
FEW_PIXELS: Final = 4 * int(np.iinfo(np.uint16).max)

Labels = NDArray[np.uint16] | NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Region:
    """One connected region of the small copy that differs from the background: its area, box and
    middle, in small pixels.
    """

    area: int
    box: Rect
    middle: Point
    label: int
    # The region looks like a coin, and only a shadow joins it to a hand's region.
    apart: bool = False


def regions_of(
    different: Bytes, origin: Point, least_area: float = 0.0
) -> tuple[list[Region], Labels]:
    """Find the connected regions of a binary image (h, w) that are larger than `least_area` pixels.
    Return these regions, and the image of the labels of all regions. `origin` is the place of the
    image's top left pixel: it is added to boxes and middles.
    """
    few = different.size <= FEW_PIXELS
    _, labels, stats, middles = cv2.connectedComponentsWithStats(
        different, connectivity=8, ltype=cv2.CV_16U if few else cv2.CV_32S
    )
    left, top = int(origin[0]), int(origin[1])
    large = np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > least_area) + 1
    regions = []
    for label, (x, y, width, height, area), middle in zip(
        large.tolist(), stats[large].tolist(), middles[large].tolist(), strict=True
    ):
        box = Rect(left + x, top + y, left + x + width, top + y + height)
        regions.append(Region(area, box, (left + middle[0], top + middle[1]), label))
    return regions, (
        np.asarray(labels, dtype=np.uint16) if few else np.asarray(labels, dtype=np.int32)
    )


def area_in(part: Rect, region: Region, labels: Labels, box: Rect) -> int:
    """Return how many pixels of a region lie inside a rectangle."""
    shared = common(part, region.box)
    if shared.empty:
        return 0
    return int(np.count_nonzero(shared.inside(box).of(labels) == region.label))


def common(one: Rect, other: Rect) -> Rect:
    """Return the part that two rectangles share; it is empty if they share none."""
    return Rect(
        max(one.left, other.left),
        max(one.top, other.top),
        min(one.right, other.right),
        min(one.bottom, other.bottom),
    )
