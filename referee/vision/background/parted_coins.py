"""Separates coins from a hand's region to which only the hand's shadow joins them. All pixels in
this module are pixels of the small copy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.constants.fitting import MAJORITY
from referee.vision.background.regions import Labels, Region, area_in, regions_of
from referee.vision.image.picture import Bytes, Rect

BY_LEVEL: Final = 1  # By definition: the bit of a pixel that has a coin's grey level
BY_WIDTH: Final = 2  # By definition: the bit of a pixel where what changed is as wide as a coin


def parted_coins(
    light: Bytes, regions: Labels, box: Rect, areas_px: tuple[float, float]
) -> tuple[list[Region], Labels]:
    """Separate the parts of a hand's region that look like a coin and are as large as one: between
    the two areas `areas_px`. Such parts are coins that only a shadow joins to the hand. Return
    these parts, and the labels of all regions, in which each part has a label of its own.

    `light` marks the pixels of the hand's region that look like a coin's, by the bits `BY_LEVEL`
    and `BY_WIDTH`. Parts are first searched for among the pixels with any bit, then among those
    with each single bit. A part that overlaps a part found before is dropped.
    """
    least, most = areas_px
    if cv2.countNonZero(light) <= least:
        return [], regions
    x, y, w, h = cv2.boundingRect(light)
    cut = Rect(x, y, x + w, y + h)
    found: list[Region] = []
    labels, free = regions, int(regions.max()) + 1
    for told in _ways(cut.of(light)):
        parts, own = regions_of(told, (box.left + x, box.top + y), least)
        for part in (p for p in parts if _is_compact(p) and p.area < most):
            if any(area_in(part.box, known, labels, box) for known in found):
                continue
            labels = labels if found else regions.copy()
            cut.of(labels)[own == part.label] = free + len(found)
            found.append(replace(part, label=free + len(found), apart=True))
    return found, labels


def _is_compact(part: Region) -> bool:
    """Return whether a part fills most of its box, as a disc does."""
    width, height = part.box.right - part.box.left, part.box.bottom - part.box.top
    return MAJORITY * width * height < part.area


def _ways(light: Bytes) -> list[Bytes]:
    """Return the pixels that any way of recognising a coin marks, and then, if there are several
    ways, the pixels that each single way marks.
    """
    ways = [light & np.uint8(bit) for bit in (BY_LEVEL, BY_WIDTH)]
    return [light, *ways] if all(cv2.countNonZero(way) for way in ways) else [light]
