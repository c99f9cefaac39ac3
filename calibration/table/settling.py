"""The error of tiles that the passes of a refinement still move.

On most tables the last pass moves no tile by more than a few hundredths of a millimetre. But where
the faces of tiles show little, and the table's print runs beside their edges, one pass may move
them by millimetres, and the next one back. How well the edges fit in the end does not show that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from calibration.table.tower_places import CENTRE_SHARE
from calibration.tiles.bundle import Adjusted
from calibration.tiles.plane import FEWEST_TILES
from referee.domain.layout import Tile


def with_last_moves(
    adjusted: Adjusted, before: Mapping[str, Tile], after: Mapping[str, Tile]
) -> Adjusted:
    """Return an adjustment whose tiles' errors include how far the last pass moved them."""
    moved_mm = last_moves_mm(before, after)
    off_mm = {
        name: float(np.hypot(off, moved_mm.get(name, 0.0) / CENTRE_SHARE))
        for name, off in adjusted.off_mm.items()
    }
    return replace(adjusted, off_mm=off_mm)


def last_moves_mm(before: Mapping[str, Tile], after: Mapping[str, Tile]) -> dict[str, float]:
    """Return by how much each tile moved from one pass to the next, mm, apart from the shift, the
    turn and the scale that most tiles share. Tiles that only one pass placed are left out.
    """
    names = [name for name in before if name in after]
    if len(names) < FEWEST_TILES:
        return {}
    was, now = (np.array([tiles[name].centre_mm for name in names]) for tiles in (before, after))
    shared, _ = cv2.estimateAffinePartial2D(was, now, method=cv2.LMEDS)
    if shared is None:  # all tiles lie at one place
        return {}
    moved = np.hypot(*(now - was @ shared[:, :2].T - shared[:, 2]).T)
    return dict(zip(names, moved.tolist(), strict=True))
