"""Tells whether a coin lies on top of a stack of tiles, by what the top looked like without one.

A coin on a tile may look much like the tile, and an ace's mark much like a coin. So the top is not
searched for coins: it is compared with how it looked before. Where a coin lies, the picture differs
in places that one disc of a coin's size holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np

from calibration.lens.camera import TableView
from calibration.tiles.square_grid import square_grid
from referee.domain.episode import Rest
from referee.domain.geometry import Point, add
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import Bytes, Floats, Picture, Rect

# Chosen: limits, sizes and steps that nothing was measured for, except where a comment says so.

STEP_MM: Final = 0.5  # about half a pixel
#: The rim of a tile is a sharp edge, which differs wherever the stack was moved a little.
RIM_MM: Final = 1.5
#: A grey level is another one from this difference on. Measured: with 10, video compression alone
#: changes 3 % of the tops of towers in rendered clips; with 14 less than 0.3 %.
OTHER_LEVEL: Final = 14.0
#: A stack that was struck may lie this far from where it was measured last, along each axis.
MOVED_STEPS: Final = 2
#: Differences narrower than this are edges of marks on a top that was moved a little.
NARROW_MM: Final = 1.0
#: Of a coin's area: a top that differs by less is as it was,
UNCHANGED_SHARE: Final = 0.06
#: and one that holds a coin differs by at least this, however alike coin and tile are.
COIN_SHARE: Final = 0.15
#: At least so much of what differs lies within one disc; the rest is the coin's shadow.
WITHIN_SHARE: Final = 0.85
#: A shadow is cast this far beyond the rim.
BESIDE_MM: Final = 1.0
#: The disc is placed where it holds this share of what any disc can hold.
AS_GOOD_SHARE: Final = 0.97
#: No place on a stack is known better: the coin's shadow differs, too. Measured: three coins on
#: drawn towers were found 1.7 to 2.9 mm off.
LEAST_SIGMA_MM: Final = 2.0


class Top(Enum):
    """What lies on a stack."""

    BARE = "bare"
    COIN = "coin"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class SeenTop:
    """What lies on a stack, and where the coin lies if it is one."""

    top: Top
    rest: Rest | None = None


def top_of(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> Floats | None:
    """Return the top of a stack as seen from straight above, (side, side, channels), without its
    rim, in the plane half a coin's thickness above it; None where it is not completely in the
    picture.
    """
    height_mm = tile.stack * sizes.tile_thickness_mm + sizes.coin_thickness_mm / 2
    steps = _steps(sizes)
    at_px = square_grid(
        view, tile.centre_mm, math.radians(tile.rotation_deg), height_mm, STEP_MM, steps
    )
    (left, top), (right, bottom) = at_px.min(axis=(0, 1)), at_px.max(axis=(0, 1))
    rect = Rect(
        math.floor(left) - 1, math.floor(top) - 1, math.ceil(right) + 2, math.ceil(bottom) + 2
    )
    if rect != rect.within(picture.width, picture.height):
        return None
    channels = picture.channels(rect)
    x, y = at_px[..., 0] - np.float32(rect.left), at_px[..., 1] - np.float32(rect.top)
    seen = cv2.remap(channels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float32).reshape(*x.shape, channels.shape[2])


def _steps(sizes: PieceSizes) -> int:
    return int((sizes.tile_mm / 2 - RIM_MM) / STEP_MM)


def seen_top(now: Floats, bare: Floats, tile: Tile, sizes: PieceSizes) -> SeenTop:
    """Compare the top of a stack (`top_of`), which lies at `tile`, with how it looked without a
    coin.
    """
    shifts = range(-MOVED_STEPS, MOVED_STEPS + 1)
    other = min(
        (_other(now, bare, right, up) for right in shifts for up in shifts), key=np.count_nonzero
    )
    coin_cells = math.pi * (sizes.coin_mm / 2 / STEP_MM) ** 2
    differs = float(np.count_nonzero(other))
    if differs < UNCHANGED_SHARE * coin_cells:
        return SeenTop(Top.BARE)
    held = cv2.filter2D(
        (other > 0).astype(np.float32),
        cv2.CV_32F,
        _disc(sizes.coin_mm / 2 + BESIDE_MM),
        borderType=cv2.BORDER_CONSTANT,
    )
    most = float(held.max())
    if differs < COIN_SHARE * coin_cells or most < WITHIN_SHARE * differs:
        return SeenTop(Top.UNCLEAR)
    rows, columns = np.nonzero(held >= AS_GOOD_SHARE * most)
    middle = (len(held) - 1) / 2
    east = float(columns.mean() - middle) * STEP_MM
    north = float(rows.mean() - middle) * STEP_MM
    spread = STEP_MM * math.sqrt(float(np.var(rows) + np.var(columns)) / 2)
    at_mm = add(tile.centre_mm, _turned((east, north), math.radians(tile.rotation_deg)))
    return SeenTop(Top.COIN, Rest(at_mm, math.hypot(LEAST_SIGMA_MM, spread)))


def _turned(along: Point, turn_rad: float) -> Point:
    cos, sin = math.cos(turn_rad), math.sin(turn_rad)
    return (cos * along[0] - sin * along[1], sin * along[0] + cos * along[1])


def _other(now: Floats, bare: Floats, right: int, up: int) -> Bytes:
    """Return a mask of where a top differs that was moved by so many steps, without a change of all
    its light, and without lines.
    """
    side, edge = len(bare), MOVED_STEPS
    moved = now[edge + up : side - edge + up, edge + right : side - edge + right]
    away = moved - bare[edge : side - edge, edge : side - edge]
    away -= np.median(away, axis=(0, 1), keepdims=True)
    soft = cv2.GaussianBlur(np.abs(away).max(axis=2), (0, 0), 1.0)
    narrow = np.ones((round(NARROW_MM / STEP_MM) + 1,) * 2, np.uint8)
    mask = (soft > OTHER_LEVEL).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, narrow), dtype=np.uint8)


def _disc(radius_mm: float) -> Floats:
    reach = math.ceil(radius_mm / STEP_MM)
    at = np.arange(-reach, reach + 1) * STEP_MM
    return np.asarray(np.hypot(at[:, None], at[None, :]) <= radius_mm, dtype=np.float32)
