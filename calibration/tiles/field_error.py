"""The error of places on a surveyed table: how far a wrong view shows them from where they are.

A wrong view stretches, shears or leans the table (one end appears larger than the other), and its
scale may be wrong. Each is a field of displacements that is known up to one number. Their
covariance gives the error at every place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.domain.geometry import Point

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FieldError:
    """The covariance (4, 4), mm^2, of four fields: stretch, shear, lean along x, lean along y. Each
    is counted in mm at the distance `spread_mm` from `middle_mm`. These two are the tiles' middle
    and their root mean square distance from it along x and y.
    """

    middle_mm: Point = (0.0, 0.0)
    spread_mm: Point = (1.0, 1.0)
    covariance_mm2: tuple[tuple[float, ...], ...] = ((0.0,) * 4,) * 4

    @staticmethod
    def of(places_mm: Array, moved_mm: Array) -> FieldError:
        """Return the error that k possible errors of the view make together. Each moves the places
        (n, 2) by its part of `moved_mm` (n, 2, k). Shift, turn and scale do not count.
        """
        middle, spread = places_mm.mean(axis=0), places_mm.std(axis=0)
        error = FieldError(
            (float(middle[0]), float(middle[1])), (float(spread[0]), float(spread[1]))
        )
        u = (places_mm - middle) / error.reach_mm
        still = [np.ones_like(u) * (1, 0), np.ones_like(u) * (0, 1), u[:, ::-1] * (-1, 1), u]
        fields = np.concatenate((np.stack(still, axis=-1), error.fields(places_mm)), axis=-1)
        strengths, *_ = np.linalg.lstsq(
            fields.reshape(-1, fields.shape[-1]),
            moved_mm.reshape(-1, moved_mm.shape[-1]),
            rcond=None,
        )
        own = strengths[len(still) :]
        rows = tuple(tuple(float(v) for v in row) for row in own @ own.T)
        return FieldError(error.middle_mm, error.spread_mm, rows)

    @property
    def reach_mm(self) -> float:
        """Return how far from the middle a stretch of strength 1 mm moves a place by 1 mm. It is at
        least 1 mm, also for a course of a single tile.
        """
        return max(float(np.hypot(*self.spread_mm)), 1.0)

    def fields(self, places_mm: Array) -> Array:
        """Return the displacements (n, 2, 4) of places (n, 2) by a strength of 1 mm of each field.

        A leaning view moves a place by (u u, u v). Its mean over the tiles is subtracted, because
        a shift of the whole table is no error.
        """
        u, v = ((places_mm - np.array(self.middle_mm)) / self.reach_mm).T
        mean_u, mean_v = (np.array(self.spread_mm) / self.reach_mm) ** 2
        along = np.stack((u, v, u * u - mean_u, u * v), axis=-1)
        across = np.stack((-v, u, u * v, v * v - mean_v), axis=-1)
        return np.stack((along, across), axis=1)

    def sigmas_mm(self, places_mm: Array, scale_sigma: float) -> Array:
        """Return the standard errors (n,) of places (n, 2), mm along one axis, the mean of both,
        where the scale has the error `scale_sigma` (a share).
        """
        fields = self.fields(places_mm)
        variances = np.einsum("nai,ij,naj->n", fields, np.array(self.covariance_mm2), fields)
        away = ((places_mm - np.array(self.middle_mm)) ** 2).sum(axis=1)
        return np.asarray(np.sqrt((variances + scale_sigma**2 * away) / 2), dtype=np.float64)

    def quarter_turned(self) -> FieldError:
        """Return the error of the table turned by a quarter counter-clockwise around its origin:
        (x, y) comes to (-y, x). A stretch or shear becomes its opposite, a lean along x one along
        y, and a lean along y the opposite of one along x.
        """
        turn = np.diag([-1.0, -1.0, 0.0, 0.0])
        turn[2, 3], turn[3, 2] = -1.0, 1.0
        turned = turn @ np.array(self.covariance_mm2) @ turn.T
        (x, y), (across, down) = self.middle_mm, self.spread_mm
        rows = tuple(tuple(float(v) for v in row) for row in turned)
        return FieldError((-y, x), (down, across), rows)

    def scaled(self, factor: float) -> FieldError:
        """Return the error of the table with all places `factor` times as far from its origin."""
        (x, y), (across, down) = self.middle_mm, self.spread_mm
        return FieldError(
            (x * factor, y * factor), (across * factor, down * factor), self.covariance_mm2
        )
