"""Searches for tiles that the first search missed, near their places in the course. It uses only
their straight edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.rims import STRETCHES, Light, top_height_mm
from referee.domain.geometry import Point, distance
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]

# Tuned on our own clips, except where a comment gives another source for a number.

_SEARCH_STEP_MM: Final = 1.0
#: The angles at which a tile is searched for.
TURNS_DEG: Final = np.arange(-14.0, 14.1, 2.0)
# the least strength of four edges together, each counted up to one; a sleeve or a shadow has one or
# two
_ENOUGH: Final = 2.2

#: Chosen: a search by edges finds a place to a millimetre or two, and the sides' middles after a
#: turn as well. Two places farther apart than this count as different; at most `_OUTLINES` are
#: returned.
SEARCHED_MM: Final = 2.0
_OUTLINES: Final = 4


def always(_tile: Tile) -> bool:
    """Call every place likely: the default where only edges count."""
    return True


@dataclass(frozen=True)
class EdgeStrength:
    """The usual strength, in a picture, of an edge of this set's tiles on this table. It says how
    strong an edge must be to count as a whole edge.
    """

    per_mm: float


def _responses(
    light: Light,
    view: TableView,
    centre: Point,
    turn_deg: float,
    height_mm: float,
    reach_mm: float,
    tile_mm: float,
) -> tuple[Array, Array, Array]:
    """Return two grids of mean steps of light across lines of a tile's length, one for up-down
    lines and one for left-right lines, for many centres of the line. Also return the grids' offsets
    in mm (n,).
    """
    half = reach_mm + tile_mm
    at = np.arange(-half, half + 1e-6, _SEARCH_STEP_MM)
    angle = np.radians(turn_deg)
    x, y = np.meshgrid(at, at)
    points = np.column_stack(
        (
            centre[0] + np.cos(angle) * x.ravel() - np.sin(angle) * y.ravel(),
            centre[1] + np.sin(angle) * x.ravel() + np.cos(angle) * y.ravel(),
            np.full(x.size, height_mm),
        )
    )
    where = view.to_image(points).astype(np.float32).reshape(len(at), len(at), 2)
    patch = cv2.remap(
        light, where[:, :, 0], where[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    patch = patch.reshape(len(at), len(at), -1)
    length = int(2 * STRETCHES[-1][-1] * tile_mm / _SEARCH_STEP_MM) | 1
    across, along = np.zeros(patch.shape[:2]), np.zeros(patch.shape[:2])
    for channel in np.moveaxis(patch, 2, 0):
        step_x = cv2.filter2D(
            channel, cv2.CV_32F, np.array([[-1, -1, 0, 1, 1]], dtype=np.float32) / 2
        )
        step_y = cv2.filter2D(
            channel, cv2.CV_32F, np.array([[-1], [-1], [0], [1], [1]], dtype=np.float32) / 2
        )
        across = np.maximum(across, np.abs(cv2.blur(step_x, (1, length))))
        along = np.maximum(along, np.abs(cv2.blur(step_y, (length, 1))))
    return across, along, at


def _at_edges(across: Array, along: Array, tile_mm: float) -> Array:
    """Return the responses of a tile's four edges for every centre of the tile, (4, rows, columns):
    the grids shifted by half a tile.
    """
    shift = round(tile_mm / 2 / _SEARCH_STEP_MM)
    return np.stack(
        (
            np.roll(across, -shift, 1),
            np.roll(across, shift, 1),
            np.roll(along, -shift, 0),
            np.roll(along, shift, 0),
        )
    )


def edge_strength(
    light: Light, view: TableView, tiles: Sequence[Tile], sizes: PieceSizes
) -> EdgeStrength:
    """Measure the usual response of an edge, on tiles whose places are known."""
    found = []
    for tile in tiles:
        across, along, at = _responses(
            light,
            view,
            tile.centre_mm,
            tile.rotation_deg,
            top_height_mm(tile, sizes),
            SEARCHED_MM,
            sizes.tile_mm,
        )
        four = _at_edges(across, along, sizes.tile_mm)
        middle = len(at) // 2
        found.extend(four[:, middle - 2 : middle + 3, middle - 2 : middle + 3].max(axis=(1, 2)))
    return EdgeStrength(max(float(np.median(found)), 1e-4) if found else 1e-4)


def _window(
    light: Light,
    view: TableView,
    near: Tile,
    turn_deg: float,
    sizes: PieceSizes,
    reach_mm: float,
    strength: EdgeStrength,
) -> tuple[float, Tile]:
    across, along, at = _responses(
        light, view, near.centre_mm, turn_deg, top_height_mm(near, sizes), reach_mm, sizes.tile_mm
    )
    four = np.minimum(_at_edges(across, along, sizes.tile_mm) / (0.7 * strength.per_mm), 1.0)
    score = np.where(
        np.minimum(four[:2].max(axis=0), four[2:].max(axis=0)) > 0.6, four.sum(axis=0), 0.0
    )  # at least a corner
    inside = np.abs(at) <= reach_mm
    score = score * np.outer(inside, inside)
    row, column = np.unravel_index(int(np.argmax(score)), score.shape)
    angle = np.radians(turn_deg)
    x, y = at[column], at[row]
    centre = (
        near.centre_mm[0] + np.cos(angle) * x - np.sin(angle) * y,
        near.centre_mm[1] + np.sin(angle) * x + np.cos(angle) * y,
    )
    return float(score[row, column]), Tile(
        (float(centre[0]), float(centre[1])), float(turn_deg), near.stack
    )


def _tries(
    light: Light,
    view: TableView,
    near: Tile,
    sizes: PieceSizes,
    reach_mm: float,
    strength: EdgeStrength,
) -> Iterator[tuple[float, Tile]]:
    for turn in near.rotation_deg + TURNS_DEG:
        score, tile = _window(light, view, near, float(turn), sizes, reach_mm, strength)
        yield score - 0.01 * abs(turn - near.rotation_deg), tile


def best_outline(
    light: Light,
    view: TableView,
    near: Tile,
    sizes: PieceSizes,
    reach_mm: float,
    strength: EdgeStrength,
) -> tuple[float, Tile]:
    """Return how much of a tile's four edges is seen (each counts for at most 1), and the place at
    which its outline is seen best, within `reach_mm` and 14 degrees of its expected place. The
    place is accurate to a millimetre or two.
    """
    return max(_tries(light, view, near, sizes, reach_mm, strength), key=lambda s: s[0])


def outlines(
    light: Light,
    view: TableView,
    near: Tile,
    sizes: PieceSizes,
    reach_mm: float,
    strength: EdgeStrength,
) -> list[Tile]:
    """Return the places at which an outline is seen best, within `reach_mm` and 14 degrees of a
    tile's expected place, the best first. No two of them are close together.
    """
    found: list[Tile] = []
    tries = _tries(light, view, near, sizes, reach_mm, strength)
    for _, tile in sorted(tries, key=lambda tried: -tried[0]):
        if not any(_is_like(tile, other, sizes) for other in found):
            found.append(tile)
    return found[:_OUTLINES]


def _is_like(tile: Tile, other: Tile, sizes: PieceSizes) -> bool:
    """Return whether two places are so close that a search from either finds the same tile."""
    turned_mm = np.radians(abs(tile.rotation_deg - other.rotation_deg)) * sizes.tile_mm / 2
    return bool(max(distance(tile.centre_mm, other.centre_mm), turned_mm) < SEARCHED_MM)


def search_tile(
    light: Light,
    view: TableView,
    near: Tile,
    sizes: PieceSizes,
    reach_mm: float,
    strength: EdgeStrength,
    is_likely: Callable[[Tile], bool] = always,
) -> Tile | None:
    """Search for the tile within `reach_mm` of its expected place. The place found is accurate to a
    millimetre or two. None if too little of the tile is seen. Of the best places for each angle,
    those that `is_likely` accepts come first.

    Two edges that meet are enough, so that a tile half hidden by glare or a hand is still found.
    """
    tries = _tries(light, view, near, sizes, reach_mm, strength)
    seen = [(is_likely(tile), score, tile) for score, tile in tries if score >= _ENOUGH]
    return max(seen, key=lambda tried: tried[:2])[2] if seen else None
