"""Fits a circle to a coin's rim: to the points at which rays from a first estimate of its centre
cross the rim.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes

# Tuned on our own clips, except where a comment gives another source for a number.

RAYS: Final = 64
RIM_SCATTER_MM: Final = 0.4  # a point this far off the circle has half the weight of one on it
# the most rounds in which the rays' weights are recomputed; about three are usually enough
CIRCLE_ROUNDS: Final = 6
SETTLED_MM: Final = 0.02  # the search ends when a round changes the result by less

Array = NDArray[np.float64]
RAY: Final = np.arange(RAYS)
WAYS: Final = np.column_stack((np.cos(RAY * (math.tau / RAYS)), np.sin(RAY * (math.tau / RAYS))))
CIRCLE: Final = np.column_stack((WAYS, np.ones(RAYS)))


def wall_on_rays(view: TableView, at_mm: Point, sizes: PieceSizes) -> Array:
    """Return for each ray how far the visible side wall reaches beyond the rim of the top face, mm
    on the plane of that face; 0 where the wall faces away from the camera.

    The foot of the wall lies on the table. Seen on the plane of the top face, the foot is shifted
    towards the camera: by its horizontal distance from the camera, times the coin's thickness,
    divided by the camera's height.
    """
    camera_mm, radius = view.position_mm, sizes.coin_mm / 2
    nearer = sizes.coin_thickness_mm / float(camera_mm[2])
    x, y = (float(camera_mm[0]) - at_mm[0]) * nearer, (float(camera_mm[1]) - at_mm[1]) * nearer
    aside = WAYS[:, 0] * y - WAYS[:, 1] * x
    foot = (
        WAYS[:, 0] * x
        + WAYS[:, 1] * y
        + np.sqrt(np.maximum((radius * (1 - nearer)) ** 2 - aside**2, 0.0))
    )
    return np.asarray(np.maximum(foot - radius, 0.0), dtype=np.float64)


def fit_circle(
    excess_mm: Array, trust: Array, design: Array, begin: Array, usual: Array, held: Array
) -> tuple[list[float], Array]:
    """Fit the n unknowns of a design matrix (rays, n) to the rim: the shift of the centre, the
    swell of the radius, and, if the design has a column for the wall, the share of the wall. Return
    the unknowns and each ray's residual.

    The swell is needed because worn and bevelled rims look smaller. Each unknown is drawn towards
    its `usual` value, with the weight of `held` rays.
    """
    count, unknown = len(begin), begin
    miss = excess_mm - design @ begin
    # Each ray's share of the normal equations, the right side last.
    sides = np.column_stack((design, excess_mm))
    shares = (design[:, :, None] * sides[:, None, :]).reshape(len(design), -1)
    hold = np.column_stack((np.diag(held), held * usual))
    for _ in range(CIRCLE_ROUNDS):
        weights = trust / (1 + np.square(miss / RIM_SCATTER_MM))
        normal = (weights @ shares).reshape(count, count + 1) + hold
        _, solved = cv2.solve(normal[:, :count], normal[:, count:], flags=cv2.DECOMP_CHOLESKY)
        before, unknown = unknown, np.asarray(solved[:, 0], dtype=np.float64)
        miss = excess_mm - design @ unknown
        if float(np.abs(unknown - before).max()) < SETTLED_MM / 10:
            break
    return unknown.tolist(), miss
