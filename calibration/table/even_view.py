"""Corrects the view, assuming that the course was laid evenly.

A slightly wrong view shears the table, or shows one end of it too large. The rims of bleached tiles
are too uncertain to show such an error: light has spread over the rims, and walls look like parts
of the faces. But the course shows it, too, because players lay wicket 1 as far out as wicket 7, and
wicket 3 opposite wicket 9. A player's errors differ from tile to tile, and only a wrong view
displaces all tiles by one smooth field (`FieldError`). So `made_even` weighs the stated error of
the view against the accuracy with which this course was laid. If the two contradict each other, the
stated error was too small, by the factor that makes both together most likely.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.constants.fitting import MOST_STEPS
from calibration.course.course_places import PROPORTION_TILES, even_equations
from calibration.lens.camera import TableView
from calibration.tiles.bundle import Adjusted, usual_error
from calibration.tiles.rim_model import TAIL
from calibration.tiles.rims import top_height_mm
from referee.domain.layout import Course, Tile, within_quarter_turn
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]

# Chosen: the error with which players lay a course is taken to be at least this along each axis.
# Measured: with 0.5 mm, one of 11 surveys became worse by 0.7 mm; with 0.7 and 1.0, none by more
# than 0.1 mm.
LEAST_LAID_MM: Final = 1.0
# Chosen: the factors by which the stated error of the view may be too small.
_FACTORS: Final = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
# A factor's prior probability falls with this power of it. Measured: over 44 rendered tables, tiles
# are 0.43 mm off on average with a power of 1, 0.42 with 2, 0.40 with 3 or 4. With 2, a view that
# the table's four sides show well was made 1.1 mm worse, because a factor of 4 was only slightly
# likelier than 1.
_POWER: Final = 3.0
# Chosen: the least stated error of a field's strength, mm, and the error with which the corrected
# view is fitted, mm.
_KNOWN_MM: Final = 0.02
#: The standard error of a focal length that is computed from the tiles, as a share of it. Measured:
#: on clips whose true focal length is known.
GUESSED_FOCAL_SHARE: Final = 0.03


@dataclass(frozen=True)
class _Laid:
    """What a course of n tiles shows about the view.

    `places_mm` (n, 2) are the tiles' places. `rows` (2 n, u) and `ties` are the equations of an
    even course and of its proportions (see `even_equations`). `fields` (2 n, 4) are the
    displacements that a wrong view causes, and `stated` (4, 4) is the stated covariance of their
    strengths.
    """

    places_mm: Array
    rows: Array
    ties: Array
    fields: Array
    stated: Array  # covariance (4, 4), mm^2, of the fields' strengths

    def normal_equations(self) -> tuple[Array, Array]:
        """Return the normal matrix (4, 4) and the slope (4,) for the strengths of the fields. The
        unknowns of the even course are eliminated.
        """
        weight, places = self._weights(), self.places_mm.ravel()
        even = self.rows.T @ (weight[:, None] * self.rows) + self.ties.T @ self.ties
        even += 1e-9 * np.eye(len(even))
        weighted = weight[:, None] * self.fields
        left = weighted - weight[:, None] * (
            self.rows @ np.linalg.solve(even, self.rows.T @ weighted)
        )
        return np.asarray(self.fields.T @ left), np.asarray(left.T @ places)

    def _weights(self) -> Array:
        """Return the weight (2 n,) of each coordinate, 1/mm^2. It follows from how far each tile is
        from its place in the best fit of an even course and a view.
        """
        both = np.hstack((self.rows, self.fields))
        prior = np.zeros((both.shape[1], both.shape[1]))
        split = self.rows.shape[1]
        prior[:split, :split] = self.ties.T @ self.ties
        prior[split:, split:] = np.linalg.inv(self.stated * _FACTORS[-1] ** 2)
        prior += 1e-9 * np.eye(len(prior))
        places, weight = self.places_mm.ravel(), np.full(self.places_mm.size, LEAST_LAID_MM**-2)
        freedom = max(1, len(places) - both.shape[1]) / len(places)
        for _ in range(MOST_STEPS):
            normal = both.T @ (weight[:, None] * both) + prior
            off = places - both @ np.linalg.solve(normal, both.T @ (weight * places))
            laid = max(LEAST_LAID_MM, usual_error(off) / np.sqrt(freedom)) ** 2
            squares = (off.reshape(-1, 2) ** 2).mean(axis=1)
            weight = np.repeat((TAIL + 2) / (TAIL * laid + 2 * squares), 2)
        return np.asarray(weight, dtype=np.float64)


def made_even(
    adjusted: Adjusted, template: Course, sizes: PieceSizes, *, free_focal: bool = False
) -> Adjusted:
    """Return the view, the tiles and the field's error, corrected so that the course is as even as
    is likely.

    The course must lie along x, in `template` and in `adjusted`. Its scale, shift and turn do not
    change.
    """
    names = [name for name in template.tiles if name in adjusted.off_mm]
    laid = _laid(adjusted, template, names)
    normal, slope = laid.normal_equations()
    _, strengths, covariance = max(
        (_weighed(normal, slope, laid.stated, factor) for factor in _FACTORS),
        key=lambda weighed: weighed[0],
    )
    wanted = laid.places_mm - (laid.fields @ strengths).reshape(-1, 2)
    view = _showing(adjusted.view, laid.places_mm, wanted, free_focal=free_focal)
    rows = tuple(tuple(float(v) for v in row) for row in covariance)
    return replace(
        adjusted,
        view=view,
        tiles={n: _seen_by(view, adjusted.view, t, sizes) for n, t in adjusted.tiles.items()},
        field=replace(adjusted.field, covariance_mm2=rows),
    )


def _laid(adjusted: Adjusted, template: Course, names: list[str]) -> _Laid:
    order = {name: k for k, name in enumerate(template.tiles)}
    rows, ties = even_equations(template)
    places = np.array([adjusted.tiles[name].centre_mm for name in names])
    return _Laid(
        places,
        rows[[2 * order[name] + axis for name in names for axis in (0, 1)]],
        ties / (PROPORTION_TILES * template.tile_mm),
        adjusted.field.fields(places).reshape(-1, 4),
        np.array(adjusted.field.covariance_mm2) + _KNOWN_MM**2 * np.eye(4),
    )


def _weighed(
    normal: Array, slope: Array, stated: Array, factor: float
) -> tuple[float, Array, Array]:
    """Assume that the view's true error is `factor` times the stated one. Return the log-likelihood
    of this, given the course, and the mean (4,) and covariance (4, 4) that the strengths of the
    fields then have.

    For strengths s ~ N(0, V), their likelihood given a course, exp(h's - s'Gs/2), integrates to
    exp(h'Qh/2) / sqrt(det(1 + V G)), where Q = (G + V^-1)^-1 is the posterior covariance.
    """
    prior = stated * factor**2
    covariance = np.linalg.inv(normal + np.linalg.inv(prior))
    likely = slope @ covariance @ slope - np.linalg.slogdet(np.eye(4) + prior @ normal)[1]
    return float(likely / 2 - _POWER * np.log(factor)), covariance @ slope, covariance


def _showing(view: TableView, from_mm: Array, to_mm: Array, *, free_focal: bool) -> TableView:
    """Return the view that shows at the places `to_mm` (n, 2) what this view shows at `from_mm` (n,
    2), as nearly as a camera can.
    """
    pixels = view.to_image(from_mm)

    def moved(p: Array) -> TableView:
        turn, _ = cv2.Rodrigues(p[:3] / 1000.0)
        grow = float(np.exp(p[6])) if free_focal else 1.0
        camera = replace(
            view.camera, fx_px=view.camera.fx_px * grow, fy_px=view.camera.fy_px * grow
        )
        return TableView(camera, turn @ view.R_camera_table, view.t_camera_table_mm + p[3:6])

    def off(p: Array) -> Array:
        return np.append(
            (moved(p).to_table(pixels) - to_mm).ravel() / _KNOWN_MM, p[6] / GUESSED_FOCAL_SHARE
        )

    return moved(np.asarray(least_squares(off, np.zeros(7), x_scale="jac").x, dtype=np.float64))


def _seen_by(view: TableView, before: TableView, tile: Tile, sizes: PieceSizes) -> Tile:
    """Return the tile moved to the place at which `view` shows what the view `before` showed at the
    tile's place.
    """
    height, turn = top_height_mm(tile, sizes), np.radians(tile.rotation_deg)
    ahead = np.array(tile.centre_mm) + sizes.tile_mm / 4 * np.array([np.cos(turn), np.sin(turn)])
    pixels = before.to_image(np.array([[*tile.centre_mm, height], [*ahead, height]]))
    (x, y), (u, v) = view.to_table(pixels, height)
    turned = within_quarter_turn(float(np.degrees(np.arctan2(v - y, u - x))))
    return replace(tile, centre_mm=(float(x), float(y)), rotation_deg=turned)
