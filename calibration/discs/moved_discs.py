"""Finds the discs of a first picture that have moved since. In the difference to a later picture
the table disappears, so even a disc that hardly differs from the table shows its rim.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY, UNLIKE_LEVELS
from calibration.discs.disc_search import LARGEST_OF_HEIGHT, PLAIN_LOG_ODDS, SMALLEST_PX
from calibration.discs.found_disc import FLATTEST, FoundDisc
from calibration.discs.rim_among_edges import rim_among_edges
from calibration.discs.rim_rays import RAY_TURNS
from referee.domain.geometry import MEDIAN_SIGMAS, Point
from referee.vision.coins.local_contrast import SMOOTH_PX

# Chosen: the number of later pictures that are compared together. If one of them shows a place as
# in the first picture, only a hand was there in the others.
TOGETHER: Final = 3
# Chosen: a pixel has changed if it differs by more than this many standard deviations of all
# pixels' differences, and by more than `UNLIKE_LEVELS`.
CHANGED_SIGMAS: Final = 5.0
BESIDE_PX: Final = 2.0  # Chosen: how far from a rim, to each side, colours are compared
# Chosen: a rim is at least this many times as strong in the picture with the disc as in the last
# one
STRONGER: Final = 1.3

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
Outline = NDArray[np.int32]
#: A rough middle and width, px.
Circle = tuple[Point, float]


def moved_discs(first: Bytes, later: Sequence[Bytes]) -> list[FoundDisc]:
    """Find the discs in a `first` picture, uint8 (h, w, 3), that are no longer at their places in
    `later` pictures of the same unmoved camera, which are in order of time. Discs that never moved
    are not found.
    """
    seen = _smooth(first)
    found: list[tuple[bool, FoundDisc]] = []
    for end in {len(later) * k // 3 for k in (1, 2, 3)}:
        some = [_smooth(picture) for picture in later[max(0, end - TOGETHER) : end]]
        if some:
            found += _between(seen, some)
    kept: list[FoundDisc] = []
    # a disc that fills a region of change is certain; one in a part of it may be a hand
    for _, disc in sorted(found, key=lambda one: (one[0], one[1].support), reverse=True):
        if all(math.dist(disc.middle_px, o.middle_px) > o.width_px[0] / 2 for o in kept):
            kept.append(disc)
    return kept


def _between(seen: Floats, later: Sequence[Floats]) -> list[tuple[bool, FoundDisc]]:
    """Return the discs that are at their places in `seen` but in none of the `later` pictures. Also
    say for each whether it is the whole of a region that changed.
    """
    changes = []
    for picture in later:
        change = picture - seen
        changes.append(np.abs(change - np.median(change, axis=(0, 1))).max(axis=2))
    change = np.min(changes, axis=0)
    least = max(UNLIKE_LEVELS, CHANGED_SIGMAS * MEDIAN_SIGMAS * float(np.median(change)))
    mask = cv2.morphologyEx(
        (change > least).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)
    )
    level = np.asarray(np.clip(change, 0, 255), dtype=np.uint8)
    grey = np.asarray(np.dstack((level, level, level)), dtype=np.uint8)
    pictures = (grey, np.asarray(np.clip(seen, 0, 255), dtype=np.uint8))

    def disc_at(middle_px: Point, width_px: float) -> FoundDisc | None:
        for picture in pictures:
            disc = rim_among_edges(picture, middle_px, width_px, PLAIN_LOG_ODDS)
            if disc is not None and _rim(seen, disc) > STRONGER * _rim(later[-1], disc):
                return disc
        return None

    found = []
    for outline in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        points = np.asarray(outline, dtype=np.int32)
        for whole, around in ((True, _whole(points)), (False, _parts(points, mask.shape))):
            discs = [
                disc
                for middle_px, width_px in around
                if SMALLEST_PX < width_px < LARGEST_OF_HEIGHT * seen.shape[0]
                if (disc := disc_at(middle_px, width_px)) is not None
            ]
            found += [(whole, disc) for disc in discs]
            if discs:
                break
    return found


def _whole(outline: Outline) -> list[Circle]:
    """Return a rough disc for a whole region of change, in a list; an empty list if the region is
    not as round as a disc.
    """
    x, y, wide, high = cv2.boundingRect(outline)
    shorter, longer = sorted((wide, high))
    if shorter < max(SMALLEST_PX, FLATTEST * longer):
        return []
    if cv2.contourArea(outline) < MAJORITY * wide * high:
        return []
    return [((x + (wide - 1) / 2, y + (high - 1) / 2), (wide + high) / 2)]


def _parts(outline: Outline, shape: tuple[int, ...]) -> list[Circle]:
    """Return rough discs that may make up a region of change. These are the largest circles that
    fit into it, because a disc may overlap its old place or lie beside another disc; and the circle
    around the region, which may be the crescent that a disc left by moving a little. A region at
    the border of a picture (h, w) gives none: it may be a hand, in which anything may look round.
    """
    x, y, wide, high = cv2.boundingRect(outline)
    at_border = min(x, y, shape[1] - x - wide, shape[0] - y - high) <= 0
    if at_border or max(wide, high) < SMALLEST_PX:
        return []
    (around_x, around_y), radius = cv2.minEnclosingCircle(outline)
    circles: list[Circle] = [((around_x, around_y), 2 * radius)]
    inside = np.zeros((high + 2, wide + 2), np.uint8)
    cv2.drawContours(inside, [outline], -1, 255, cv2.FILLED, offset=(1 - x, 1 - y))
    deep = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    while 2 * (radius := float(deep.max())) > SMALLEST_PX:
        row, column = np.unravel_index(int(deep.argmax()), deep.shape)
        circles.append(((float(x - 1 + column), float(y - 1 + row)), 2 * radius))
        cv2.circle(deep, (int(column), int(row)), round(radius), 0, -1)
    return circles


def _smooth(picture: Bytes) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), SMOOTH_PX), dtype=np.float32)


def _rim(seen: Floats, disc: FoundDisc) -> float:
    """Return the median change of a picture across a disc's rim, grey levels."""
    turn, angles = math.radians(disc.turn_deg), RAY_TURNS
    along, across = np.cos(angles) * disc.width_px[0] / 2, np.sin(angles) * disc.width_px[1] / 2
    rim = np.column_stack(
        (
            math.cos(turn) * along - math.sin(turn) * across,
            math.sin(turn) * along + math.cos(turn) * across,
        )
    )
    away = 2 * BESIDE_PX / disc.width_px[1]
    inner, outer = (
        (np.asarray(disc.middle_px) + share * rim).astype(np.float32)
        for share in (1 - away, 1 + away)
    )
    sides = [cv2.remap(seen, p[:, 0], p[:, 1], cv2.INTER_LINEAR) for p in (inner, outer)]
    return float(
        np.median(np.linalg.norm((sides[1] - sides[0]).reshape(len(RAY_TURNS), -1), axis=1))
    )
