"""The error of places on a surveyed table: how far a wrong view shows them from their true places.

A wrong view stretches the table, shears it, or leans it (one end then appears larger than the
other), and its scale may be wrong. Each of these is a known field of displacements times an unknown
strength. The covariance of the strengths gives the error at every place.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.domain.geometry import Point

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FieldError:
    """The covariance (4, 4), mm^2, of the strengths of four fields: stretch, shear, lean along x,
    lean along y. A strength is the displacement, mm, at the distance `spread_mm` from `middle_mm`.
    `middle_mm` is the middle of the tiles, and `spread_mm` their root mean square distances from it
    along x and y.
    """

    middle_mm: Point = (0.0, 0.0)
    spread_mm: Point = (1.0, 1.0)
    covariance_mm2: tuple[tuple[float, ...], ...] = ((0.0,) * 4,) * 4

    @staticmethod
    def of(places_mm: Array, moved_mm: Array) -> FieldError:
        """Return the error that k independent errors of the view cause together. Error number i
        moves the places (n, 2) by `moved_mm[..., i]`; `moved_mm` is (n, 2, k). Shift, turn and
        scale do not count.
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
        """Return the distance from the middle, mm, at which a stretch of strength 1 mm moves a
        place by 1 mm. It is at least 1 mm, even for a course of a single tile.
        """
        return max(float(np.hypot(*self.spread_mm)), 1.0)

    def fields(self, places_mm: Array) -> Array:
        """Return the displacements (n, 2, 4) of places (n, 2) by each field with a strength of 1
        mm.

        A view that leans along x moves a place by (u u, u v). The mean of this over the tiles is
        subtracted, because a shift of the whole table is not an error.
        """
        u, v = ((places_mm - np.array(self.middle_mm)) / self.reach_mm).T
        mean_u, mean_v = (np.array(self.spread_mm) / self.reach_mm) ** 2
        along = np.stack((u, v, u * u - mean_u, u * v), axis=-1)
        across = np.stack((-v, u, u * v, v * v - mean_v), axis=-1)
        return np.stack((along, across), axis=1)

    def sigmas_mm(self, places_mm: Array, scale_sigma: float) -> Array:
        """Return the standard errors (n,), mm along one axis (the mean of both axes), of places (n,
        2). `scale_sigma` is the relative error of the scale.
        """
        fields = self.fields(places_mm)
        variances = np.einsum("nai,ij,naj->n", fields, np.array(self.covariance_mm2), fields)
        away = ((places_mm - np.array(self.middle_mm)) ** 2).sum(axis=1)
        return np.asarray(np.sqrt((variances + scale_sigma**2 * away) / 2), dtype=np.float64)

    def quarter_turned(self) -> FieldError:
        """Return the error of the table turned by a quarter counter-clockwise around its origin:
        (x, y) comes to (-y, x). A stretch or a shear changes its sign, a lean along x becomes a
        lean along y, and a lean along y becomes a lean along x with the opposite sign.
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
