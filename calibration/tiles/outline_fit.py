"""Measures how a tile lies by its outline alone: a tile that shows another face than the
others, such as the ace on a castle's tower, cannot be laid over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.rim_model import POWER, Common, is_sound, rim_costs
from calibration.tiles.rims import Light, Profile, even_light, tile_profiles
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# Chosen: nothing was measured for these.

# How far from its expected place a rim is looked for, in mm, and in what steps: first where a tile
# is known to some millimetres, then closer and finer around what was found.
_SEARCHES_MM: Final = ((4.0, 0.4), (1.2, 0.1))
# Where the edges disagree by more, something else lies over them. Measured on footage: 3.5 to 3.9
# under a hand, 0.2 to 1.0 elsewhere.
_MOST_OFF_MM: Final = 2.0
_FEWEST_RIMS: Final = 4  # so many, on two sides that meet, determine a square
# By definition: a square's shift and turn are known where no direction of them is unseen.
_LEAST_SEEN: Final = 0.3


def laid_by_outline(
    pictures: Sequence[Picture], view: TableView, tile: Tile, sizes: PieceSizes, common: Common
) -> tuple[Tile, float] | None:
    """Move and turn a tile by up to four mm until the edges of its top face lie where they are most
    likely seen, in that of the pictures (h, w, 3) BGR in which they agree best: a hand may lie over
    it in others. Also return how far they are off then, root mean square, mm.

    `common` is what the rims of the other tiles share. None where too few edges are seen: two that
    meet are enough.
    """
    found = [
        laid
        for picture in pictures
        if (laid := _laid(even_light(picture, POWER), view, tile, sizes, common)) is not None
    ]
    return min(found, key=lambda laid: laid[1], default=None)


def _laid(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, common: Common
) -> tuple[Tile, float] | None:
    """Return the tile as it is seen best in one picture, and how far its edges are off."""
    off_mm = 0.0
    for reach_mm, step_mm in _SEARCHES_MM:
        profiles = [p for p in tile_profiles(light, view, tile, sizes, reach_mm) if is_sound(p)]
        terms = _terms(profiles, tile, sizes)
        if len(profiles) < _FEWEST_RIMS or np.linalg.eigvalsh(terms.T @ terms)[0] < _LEAST_SEEN:
            return None
        steps = np.arange(-reach_mm, reach_mm + step_mm / 2, step_mm)
        costs = rim_costs(profiles, sizes.tile_mm, common, steps + common.offset_mm)
        moved = _likeliest(terms, costs, steps)
        left = steps[costs.argmin(axis=1)] - terms @ moved
        off_mm = float(np.sqrt(np.mean(left**2)))
        if off_mm > _MOST_OFF_MM:
            return None
        tile = _placed(tile, moved, sizes)
    return tile, off_mm


def _terms(profiles: Sequence[Profile], tile: Tile, sizes: PieceSizes) -> Array:
    """Return by how much each rim (p, 3) moves outwards when the tile moves along x, along y, or
    turns by as much at its sides' middles.
    """
    normals = np.array([profile.normal for profile in profiles]).reshape(-1, 2)
    arms = np.array([profile.middle_mm for profile in profiles]).reshape(-1, 2) - tile.centre_mm
    turning = (normals[:, 1] * arms[:, 0] - normals[:, 0] * arms[:, 1]) / (sizes.tile_mm / 2)
    return np.column_stack((normals, turning))


def _likeliest(terms: Array, costs: Array, steps: Array) -> Array:
    """Return the shift and the turn (3,), mm, at which the rims are seen best in all, given the
    costs (p, n) of each at steps outwards. A rim that something else hides is costly wherever it
    is, so it hardly counts.
    """
    east, north, turned = (a.ravel() for a in np.meshgrid(steps, steps, steps, indexing="ij"))
    moves = np.column_stack((east, north, turned))
    whole = np.zeros(len(moves))
    for term, own in zip(terms, costs, strict=True):
        whole += np.interp(moves @ term, steps, own)
    return np.asarray(moves[int(whole.argmin())], dtype=np.float64)


def _placed(tile: Tile, moved_mm: Array, sizes: PieceSizes) -> Tile:
    x, y = tile.centre_mm
    return replace(
        tile,
        centre_mm=(x + float(moved_mm[0]), y + float(moved_mm[1])),
        rotation_deg=tile.rotation_deg + float(np.degrees(moved_mm[2] / (sizes.tile_mm / 2))),
    )
