"""The grey levels of coins' faces and of the table around them, in the small copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.geometry import Point
from referee.vision.coins.coin_template import HUE_RADII, CoinTemplate, Levels
from referee.vision.image.picture import FULL, Bytes, Floats
from referee.vision.image.projection_cache import ProjectionCache

AROUND_RADII: Final = 2.2  # Chosen: so far reaches the table around a coin that tells its level


@dataclass(frozen=True, slots=True)
class FaceLevels:
    """The grey levels of coins' faces in the small copy. `darkest` and `lightest` are those of the
    darkest and of the lightest coin. `faintest` is by how much the faintest of the coins that may
    move differs from the table around it. `less` and `more` are the least and the largest level of
    a face, as a multiple of that of the table around it.
    """

    darkest: float = 0.0
    lightest: float = FULL
    faintest: float = FULL
    less: float = 1.0
    more: float = 1.0

    def darker_than(self, table: Floats, least: float) -> NDArray[np.bool_]:
        """Return whether some coin would be darker by more than `least` than a table of each level:
        by its own level, as on squares of several levels, or by its share, as in another light.
        """
        return (table > self.darkest + least) | (table * (1 - self.less) > least)

    def lighter_than(self, table: Floats, least: float) -> NDArray[np.bool_]:
        """Return whether some coin would be lighter by more than `least` than a table of each
        level; see `darker_than`.
        """
        return (table < self.lightest - least) | (table * (self.more - 1) > least)


def face_levels(templates: Sequence[CoinTemplate]) -> FaceLevels:
    """Return the grey levels of the coins' faces. Coins that were removed from the background are
    those that may move.
    """
    levels = [template.level for template in templates]
    if not levels:
        return FaceLevels()
    differences = (abs(t.level - t.table_level) for t in templates if t.lifted)
    shares = [t.level / max(t.table_level, 1.0) for t in templates]
    faintest = min(differences, default=FULL)
    return FaceLevels(min(levels), max(levels), faintest, min(shares), max(shares))


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
