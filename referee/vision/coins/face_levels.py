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

AROUND_RADII: Final = 2.2  # Chosen: the radius up to which the table around a coin is measured


@dataclass(frozen=True, slots=True)
class FaceLevels:
    """The grey levels of coins' faces in the small copy. `darkest` and `lightest` are the levels of
    the darkest and of the lightest face. Of the coins that may move, the one most like the table
    differs from the table around it by `faintest`. `less` and `more` are the smallest and the
    largest ratio of a face's level to the level of the table around it. `moving` are the levels of
    the coins that may move.
    """

    darkest: float = 0.0
    lightest: float = FULL
    faintest: float = FULL
    less: float = 1.0
    more: float = 1.0
    moving: tuple[float, ...] = ()

    def hardly_from(self, table: Floats, least: float) -> NDArray[np.bool_]:
        """Return for each level of the table whether some coin that may move would differ from it
        by less than `least`.
        """
        near = [np.abs(table - level) < least for level in self.moving]
        return np.asarray(np.any(near, axis=0) if near else np.zeros(table.shape, np.bool_))

    def darker_than(self, table: Floats, least: float) -> NDArray[np.bool_]:
        """Return for each level of the table whether some coin would be darker by more than
        `least`. A coin may keep its own level (as on a table with squares of several levels) or its
        ratio to the table (as in another light).
        """
        return (table > self.darkest + least) | (table * (1 - self.less) > least)

    def lighter_than(self, table: Floats, least: float) -> NDArray[np.bool_]:
        """Return for each level of the table whether some coin would be lighter by more than
        `least` (see `darker_than`).
        """
        return (table < self.lightest - least) | (table * (self.more - 1) > least)


def face_levels(templates: Sequence[CoinTemplate]) -> FaceLevels:
    """Return the grey levels of the coins' faces. The coins that may move are those that were
    removed from the background.
    """
    levels = [template.level for template in templates]
    if not levels:
        return FaceLevels()
    differences = (abs(t.level - t.table_level) for t in templates if t.lifted)
    shares = [t.level / max(t.table_level, 1.0) for t in templates]
    faintest = min(differences, default=FULL)
    moving = tuple(template.level for template in templates if template.lifted)
    return FaceLevels(min(levels), max(levels), faintest, min(shares), max(shares), moving)


def levels_at(small: Bytes, seen: ProjectionCache, at_mm: Point, radius_mm: float) -> Levels:
    """Return two median grey levels of the small copy: that of the face of a coin that lies at a
    place, and that of the table around the coin. Pixels inside a box twice as wide as the face do
    not count as table.
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
