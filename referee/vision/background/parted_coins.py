"""Parts coins from a hand's region, to which only the hand's shadow joins them. All pixels in this
module are pixels of the small copy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.constants.fitting import MAJORITY
from referee.vision.background.regions import Labels, Region, area_in, regions_of
from referee.vision.image.picture import Bytes, Rect

BY_LEVEL: Final = 1  # By definition: the bit of a pixel that has a coin's grey level
BY_WIDTH: Final = 2  # By definition: the bit of a pixel where what changed is as wide as a coin
#: A strip of shadow that is narrower than so many widths of the smallest coin does not join a coin
#: to a hand. Measured: on a chequered cloth, a coin is seen seven frames later with 0.6 and 0.7.
OPENED_WIDTHS: Final = 0.8
# Chosen: more parts that only such strips join are a pattern of the table, such as cheques that
# touch at their corners.
MOST_OPENED: Final = 4


def parted_coins(
    light: Bytes, regions: Labels, box: Rect, areas_px: tuple[float, float], coin_px: float
) -> tuple[list[Region], Labels]:
    """Separate the parts of a hand's region that look like a coin and are as large as one: between
    the two areas `areas_px`. These are coins that only a shadow joins to the hand. Return them, and
    the labels of all regions, in which each of them has a label of its own.

    `light` marks the pixels of the hand's region that look like a coin's, by the bits `BY_LEVEL`
    and `BY_WIDTH`, and `coin_px` is the area of the smallest coin. Parts are searched for in
    several ways (see `_ways`). A part that overlaps a part found before is dropped.
    """
    least, most = areas_px
    if cv2.countNonZero(light) <= least:
        return [], regions
    x, y, w, h = cv2.boundingRect(light)
    cut = Rect(x, y, x + w, y + h)
    found: list[Region] = []
    labels, free = regions, int(regions.max()) + 1
    for told, most_parts in _ways(cut.of(light), coin_px):
        parts, own = regions_of(told, (box.left + x, box.top + y), least)
        coins = [part for part in parts if _is_compact(part) and part.area < most]
        for part in coins if len(coins) <= most_parts else ():
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


def _ways(light: Bytes, coin_px: float) -> Iterator[tuple[Bytes, float]]:
    """Yield the pixels in which to search for parts, each time with the largest number of parts
    that may be coins: the pixels that any way of recognising a coin marks; then, if there are
    several ways, those that each single way marks; and at last those of the first without what is
    narrower than a coin, because a strip of shadow may join a coin to the hand.
    """
    yield light, math.inf
    ways = [light & np.uint8(bit) for bit in (BY_LEVEL, BY_WIDTH)]
    if all(cv2.countNonZero(way) for way in ways):
        yield from ((way, math.inf) for way in ways)
    width_px = round(OPENED_WIDTHS * math.sqrt(4 / math.pi * coin_px)) | 1  # even widths shift it
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width_px, width_px))
    yield np.asarray(cv2.morphologyEx(light, cv2.MORPH_OPEN, disc), dtype=np.uint8), MOST_OPENED
