"""Builds the first background from several frames of a table on which only a hand moves, and
removes from it a hand that was there from the first frame on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import cv2
import numpy as np

from calibration.constants.fitting import CIRCLE_POINTS, UNLIKE_LEVELS
from referee.domain.geometry import Point
from referee.vision.image.picture import Bytes, Floats, Picture, Rect, shrunk

# Tuned on our own clips, except where a comment gives another source for a number.

SHRINK: Final = 4  # frames are compared shrunk by this factor
# a share of a coin's area; a smaller difference between two frames is not a hand
CHANGE_OF_COIN: Final = 0.25
CLOSED: Final = 5  # Chosen: small pixels; closes holes where a hand looks like the table


def changed_between(frames: Sequence[Picture], coin_px: float) -> Bytes | None:
    """Return a mask (h, w), in pixels of the small copy, of where any earlier frame differs from
    the last one; None if no difference is large enough for a hand.
    """
    last = shrunk(frames[-1].luma, SHRINK)
    most = np.zeros_like(last)
    for frame in frames[:-1]:
        most = np.maximum(most, cv2.absdiff(shrunk(frame.luma, SHRINK), last))
    changed = np.asarray(
        cv2.morphologyEx(
            np.where(most > UNLIKE_LEVELS, 255, 0).astype(np.uint8),
            cv2.MORPH_OPEN,
            np.ones((2, 2), np.uint8),
        ),
        dtype=np.uint8,
    )
    return changed if parts_of(changed, coin_px) else None


def parts_of(changed: Bytes, coin_px: float) -> list[tuple[int, int, int, int]]:
    """Return left, top, width and height of each connected part that is large enough for a hand."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return [
        (int(x), int(y), int(w), int(h))
        for x, y, w, h, area in stats[1:]
        if area > CHANGE_OF_COIN * coin_px
    ]


def median_picture(frames: Sequence[Picture]) -> Picture:
    """Return the median of the frames, pixel by pixel. A hand that passes covers each pixel in few
    frames, so the median does not show the hand.
    """

    def middle(planes: list[Bytes | None]) -> Bytes | None:
        known = [plane for plane in planes if plane is not None]
        return (
            np.partition(np.stack(known), len(known) // 2, axis=0)[len(known) // 2].copy()
            if known
            else None
        )

    luma = middle([frame.luma for frame in frames])
    assert luma is not None
    return Picture(
        luma, middle([frame.u for frame in frames]), middle([frame.v for frame in frames])
    )


def hand_at_start(picture: Picture, bare: Picture, coin_px: float) -> Bytes | None:
    """Return a mask (h, w), in pixels of the small copy, 255 where a picture shows a hand: it
    differs there from the `bare` table, and the part that differs reaches the picture's border.
    None without a hand. `coin_px` is the area of a coin in such pixels.

    A disc that lies elsewhere later differs as well, but does not reach the border.
    """
    small = shrunk(picture.luma, SHRINK)
    height, width = small.shape
    most: Floats = np.zeros((height, width), np.float32)
    for now, was in _pairs(picture, bare):
        there = cv2.resize(now, (width, height), interpolation=cv2.INTER_AREA)
        most = np.maximum(most, cv2.absdiff(there, cv2.resize(was, (width, height))))
    changed = np.where(most > UNLIKE_LEVELS, 255, 0).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    differs = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((CLOSED, CLOSED), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(differs, connectivity=8)
    edge = {*labels[0], *labels[-1], *labels[:, 0], *labels[:, -1]} - {0}
    hands = [label for label in edge if stats[label, cv2.CC_STAT_AREA] > coin_px]
    if not hands:
        return None
    hand = np.where(np.isin(labels, hands), 255, 0).astype(np.uint8)
    return np.asarray(cv2.dilate(hand, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def hand_around(hand: Bytes, middle_px: Point, radius_px: float) -> float:
    """Return the share of a circle's line that a hand covers, 0 to 1. `hand` is the mask of
    `hand_at_start`.
    """
    turns = np.linspace(0, 2 * np.pi, CIRCLE_POINTS, endpoint=False)
    columns, rows = (
        np.clip((middle + radius_px * turn(turns)) / SHRINK, 0, side - 1).astype(int)
        for middle, turn, side in zip(middle_px, (np.cos, np.sin), hand.shape[::-1], strict=True)
    )
    return float((hand[rows, columns] > 0).mean())


def without_hand(picture: Picture, bare: Picture, hand: Bytes, kept: Iterable[Rect]) -> Picture:
    """Return a picture that shows the `bare` table where the mask of `hand_at_start` is not 0,
    except inside the `kept` rectangles, px, in which coins lie.
    """
    mask = cv2.resize(hand, (picture.width, picture.height), interpolation=cv2.INTER_NEAREST)
    for rect in kept:
        rect.within(picture.width, picture.height).of(mask)[...] = 0
    planes = []
    for now, was in _pairs(picture, bare):
        height, width = now.shape
        part = cv2.resize(mask, (width, height), interpolation=cv2.INTER_NEAREST) > 0
        planes.append(np.where(part, cv2.resize(was, (width, height)), now).astype(np.uint8))
    return Picture(*planes)


def _pairs(picture: Picture, bare: Picture) -> list[tuple[Floats, Floats]]:
    """Return pairs of the planes that both pictures have. The planes of `bare` are adapted to the
    light of `picture`: its luminance is multiplied by the median ratio of the two, and its colours
    are shifted by their median difference.
    """
    now, was = picture.luma.astype(np.float32), bare.luma.astype(np.float32)
    few = np.s_[::SHRINK, ::SHRINK]
    gain = float(np.median(now[few] / np.maximum(was[few], 1.0)))
    pairs = [(now, np.clip(gain * was, 0, 255))]
    for plane, other in ((picture.u, bare.u), (picture.v, bare.v)):
        if plane is not None and other is not None:
            colour, before = plane.astype(np.float32), other.astype(np.float32)
            sized = cv2.resize(before, (plane.shape[1], plane.shape[0]))
            shift = np.float32(np.median(colour[few] - sized[few]))
            pairs.append((colour, np.clip(sized + shift, 0, 255)))
    return pairs
