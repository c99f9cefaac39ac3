"""The grey levels of coins' faces and of the table around them, in the small copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from referee.domain.geometry import Point
from referee.vision.coins.coin_template import HUE_RADII, CoinTemplate, Levels
from referee.vision.image.picture import FULL, Bytes
from referee.vision.image.projection_cache import ProjectionCache

AROUND_RADII: Final = 2.2  # Chosen: so far reaches the table around a coin that tells its level


@dataclass(frozen=True, slots=True)
class FaceLevels:
    """The grey levels of the darkest and the lightest coin's face in the small copy, and by how
    much the faintest of the coins that may move differs from the table around it.
    """

    darkest: float = 0.0
    lightest: float = FULL
    faintest: float = FULL

    @property
    def range(self) -> Levels:
        """Return the levels of the darkest and of the lightest face."""
        return (self.darkest, self.lightest)


def face_levels(templates: Sequence[CoinTemplate]) -> FaceLevels:
    """Return the grey levels of the coins' faces. Coins that were removed from the background are
    those that may move.
    """
    levels = [template.level for template in templates]
    if not levels:
        return FaceLevels()
    differences = (abs(t.level - t.table_level) for t in templates if t.lifted)
    return FaceLevels(min(levels), max(levels), min(differences, default=FULL))


def levels_at(small: Bytes, seen: ProjectionCache, at_mm: Point, radius_mm: float) -> Levels:
    """Return the median grey levels, in the small copy, of the face of a coin that lies at a place,
    and of the table around it: of the pixels that are not within twice the face.
    """
    face, around = (seen.small_rect(at_mm, radius_mm * r) for r in (HUE_RADII, AROUND_RADII))
    if face.empty or around.empty:
        return (FULL, 0.0)
    table = around.of(small).astype(np.float64)
    high, wide = (face.bottom - face.top + 1) // 2, (face.right - face.left + 1) // 2
    rows = slice(max(0, face.top - high - around.top), face.bottom + high - around.top)
    columns = slice(max(0, face.left - wide - around.left), face.right + wide - around.left)
    table[rows, columns] = np.nan
    return (float(np.median(face.of(small))), float(np.nanmedian(table)))
