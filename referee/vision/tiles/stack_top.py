"""Decides whether a coin lies on top of a stack of tiles, by comparing the top with how it looked
without a coin.

A coin on a tile may look much like the tile, and an ace's mark much like a coin. So the top is not
searched for coins, but compared with how it looked before. If a coin lies there, all differences
fit into one disc of a coin's size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final

import cv2
import numpy as np

from calibration.lens.camera import TableView
from referee.domain.episode import Rest
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import Floats, Picture
from referee.vision.tiles.coin_on_stack import (
    STEP_MM,
    covered,
    explained_share,
    face_misfit,
    filled_disc,
    look_above,
    place_on_stack,
)
from referee.vision.tiles.tile_shift import BESIDE_MM

# Chosen: limits, sizes and steps that nothing was measured for, except where a comment says so.

#: The rim of a tile is a sharp edge, which differs wherever the stack was moved a little.
RIM_MM: Final = 1.5
#: A pixel has changed if its grey level differs by at least this. Measured: with 10, video
#: compression alone changes 3 % of the tops of towers in rendered clips; with 14, less than 0.3 %.
OTHER_LEVEL: Final = 14.0
#: A stack that was struck may have moved this many steps along each axis since it was measured.
#: Differences no wider than this may be edges of marks on a top that moved a little.
MOVED_STEPS: Final = 2
#: Shares of a coin's area: a top that differs by less than this has not changed;
UNCHANGED_SHARE: Final = 0.06
#: a top with a coin on it differs by at least this share, even if coin and tile look alike.
COIN_SHARE: Final = 0.15
#: At least this share of the differences lies within one disc if they are a coin. The other
#: differences are the coin's shadow.
WITHIN_SHARE: Final = 0.85


class Top(Enum):
    """What lies on a stack."""

    BARE = "bare"
    COIN = "coin"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class SeenTop:
    """What lies on a stack, and if it is a coin, where the coin lies."""

    top: Top
    rest: Rest | None = None


def top_of(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> Floats | None:
    """Return the top of a stack, without its rim, as seen from straight above (side, side,
    channels), in the plane half a coin's thickness above it; None if it is not completely in the
    picture.
    """
    height_mm = tile.stack * sizes.tile_thickness_mm + sizes.coin_thickness_mm / 2
    half_mm = sizes.tile_mm / 2 - RIM_MM
    turn_rad = math.radians(tile.rotation_deg)
    return look_above(picture, view, tile.centre_mm, turn_rad, height_mm, half_mm)


def seen_top(
    now: Floats, bare: Floats, tile: Tile, sizes: PieceSizes, misfit: Floats | None = None
) -> SeenTop:
    """Compare the top of the stack `tile` as it looks `now` with how it looked `bare`, without a
    coin (both from `top_of`). `misfit` (from `misfit_on`) says how well the coin's face fits at
    each place of the top.
    """
    shifts = range(-MOVED_STEPS, MOVED_STEPS + 1)
    other = min(
        (_other(now, bare, right, up) for right in shifts for up in shifts), key=np.count_nonzero
    )
    coin_cells = math.pi * (sizes.coin_mm / 2 / STEP_MM) ** 2
    differs = float(np.count_nonzero(other))
    if differs < UNCHANGED_SHARE * coin_cells:
        return SeenTop(Top.BARE)
    most = float(covered(other, filled_disc(sizes.coin_mm / 2 + BESIDE_MM)).max())
    if differs < COIN_SHARE * coin_cells or most < WITHIN_SHARE * differs:
        return SeenTop(Top.UNCLEAR)
    return SeenTop(Top.COIN, place_on_stack(other, OTHER_LEVEL, tile, sizes, misfit))


def misfit_on(
    picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes, face: Floats
) -> Floats | None:
    """Return for each place of a stack's top (see `top_of`) what a coin's `face` (see
    `face_above`), with its middle there, leaves unexplained; None if not all of these places are in
    the picture.
    """
    seen = _around_top(picture, view, tile, sizes, len(face) // 2)
    return None if seen is None else _on_top(face_misfit(seen, face), face)


def place_on_top(
    picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes, face: Floats
) -> tuple[float, Rest] | None:
    """Return the place on a stack at which a coin with this `face` would lie, and how much the
    picture there looks like the face (see `explained_share`). The look of the top without a coin
    need not be known. Return None if the top is not completely in the picture.
    """
    seen = _around_top(picture, view, tile, sizes, len(face) // 2)
    if seen is None:
        return None
    misfit = face_misfit(seen, face)
    alike = float(_on_top(explained_share(seen, face, misfit), face).max())
    bare = np.zeros_like(_on_top(misfit, face))
    return alike, place_on_stack(bare, OTHER_LEVEL, tile, sizes, _on_top(misfit, face))


def _around_top(
    picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes, reach: int
) -> Floats | None:
    """Return the picture in the plane of the faces of coins on a stack, up to `reach` steps beyond
    the top on each side.
    """
    height_mm = tile.stack * sizes.tile_thickness_mm + sizes.coin_thickness_mm
    wide_mm = (int((sizes.tile_mm / 2 - RIM_MM) / STEP_MM) + reach + 0.5) * STEP_MM
    turn_rad = math.radians(tile.rotation_deg)
    return look_above(picture, view, tile.centre_mm, turn_rad, height_mm, wide_mm)


def _on_top(around: Floats, face: Floats) -> Floats:
    reach = len(face) // 2
    return around[reach:-reach, reach:-reach]


def _other(now: Floats, bare: Floats, right: int, up: int) -> Floats:
    """Return an image that is 1 where a top, moved by `right` and `up` steps, differs from how it
    looked `bare`, and 0 elsewhere. A change of light on the whole top does not count, and neither
    do thin lines.
    """
    side, edge = len(bare), MOVED_STEPS
    rows = slice(edge + up, side - edge + up)
    columns = slice(edge + right, side - edge + right)
    away = now[rows, columns] - bare[edge : side - edge, edge : side - edge]
    away -= np.median(away, axis=(0, 1), keepdims=True)
    soft = cv2.GaussianBlur(np.abs(away).max(axis=2), (0, 0), 1.0)
    narrow = np.ones((MOVED_STEPS + 1,) * 2, np.uint8)
    other = np.zeros((side, side), dtype=np.float32)
    other[rows, columns] = cv2.morphologyEx(
        (soft > OTHER_LEVEL).astype(np.uint8), cv2.MORPH_OPEN, narrow
    )
    return other
