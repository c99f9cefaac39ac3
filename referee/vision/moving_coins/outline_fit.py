"""Finds a coin of any colours that slides in open view, by the outline of the pixels that differ
from the table.

A coin whose face is like the table shows its print, its side wall and its shadow more plainly than
its rim. None of these is a disc of one brightness, but together they fill the coin's outline. So a
pixel counts by how certainly it differs from the table in any channel, and not by how much it
differs. A pixel that a shadow would explain, because it is darker in all channels, counts little: a
shadow may lie beside the coin.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import MEDIAN_SIGMAS, Point
from referee.domain.pieces import PieceSizes
from referee.vision.coins.local_contrast import SMOOTH_PX, medians
from referee.vision.coins.motion_fit import by_sector, coarse_place, place_of
from referee.vision.image.disc import PixelGrid, ProjectedDisc
from referee.vision.image.picture import NO_COLOUR, Floats, Picture, Rect

# Chosen: a pixel has certainly changed if its squared difference, in standard errors, summed over
# the channels, is this large.
PLAINLY_CHANGED: Final = 12.0
# Chosen: grey levels; rounding and compression change a channel by as much.
LEAST_NOISE: Final = 1.5
# Chosen: the least share of the light that is left in a shadow on a table
DARKEST_SHADOW: Final = 0.4
# Chosen: the weight of a change that a shadow explains; others have the weight 1
SHADOW_COUNTS: Final = 0.25
# Chosen: the least share of the outline's inside that must have changed
LEAST_INSIDE: Final = 0.75
# Chosen: the largest share of each part of a ring around the outline that may have changed in a way
# that no shadow explains.
MOST_OUTSIDE: Final = 0.5
RING: Final = (1.25, 1.7)  # Chosen: in coin radii
# Chosen: in coin radii: the pixels examined around a spot, which is not exact
OUTLINE_RADII: Final = 2.1


def outline_place(
    picture: Picture,
    background: Picture,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    sweeps_mm: Iterable[Point],
) -> Point | None:
    """Return the centre, mm, of a sliding coin in `rect`, near `spot`; None if nothing in `rect`
    has a coin's outline.

    `sweeps_mm` are possible motions during the exposure. These motions are tried in order, until
    the pixels that differ from the background have the outline of a coin with that motion.
    """
    changed, unshaded = _changed(picture.channels(rect), background.channels(rect))
    radius = sizes.coin_mm / 2
    counted = np.maximum(unshaded, np.float32(SHADOW_COUNTS) * changed)
    for sweep_mm in sweeps_mm:
        shift = coarse_place(counted, rect, spot, radius, sweep_mm)
        grid = PixelGrid.of(spot, rect, sweep_mm)
        (inside,) = grid.filled((radius, shift))
        if float((changed * inside).sum() / inside.sum()) < LEAST_INSIDE:
            continue
        inner, outer = grid.filled(*((share * radius, shift) for share in RING))
        ring = outer - inner
        beyond, of_ring = by_sector(np.stack([unshaded * ring, ring]), grid.turn(shift))
        if (beyond <= MOST_OUTSIDE * of_ring).all():
            return place_of(view, spot, shift, sizes.coin_thickness_mm)
    return None


def _changed(seen: Floats, bare: Floats) -> tuple[Floats, Floats]:
    """Return two images (rows, columns), 0 to 1: how certainly each pixel changed, and how
    certainly it changed in a way that no shadow explains. `seen` and `bare` are the channels now
    and in the background (rows, columns, 1 or 3). An even change of light does not count.
    """
    smooth, table = (_planes(cv2.GaussianBlur(v, (0, 0), SMOOTH_PX)) for v in (seen, bare))
    smooth = smooth - _medians(smooth - table)
    light: Floats = np.clip(smooth[0] / np.maximum(table[0], 1.0), DARKEST_SHADOW, 1.0)
    in_shadow = table * light
    in_shadow[1:] += NO_COLOUR * (1.0 - light)
    noise: Floats = np.maximum(np.float32(LEAST_NOISE), _spread(smooth - table))
    changed, unshaded = (
        1.0 - np.exp(_summed_squares((smooth - expected) / noise) / -PLAINLY_CHANGED)
        for expected in (table, in_shadow)
    )
    return np.asarray(changed, dtype=np.float32), np.asarray(unshaded, dtype=np.float32)


def _planes(values: NDArray[Any]) -> Floats:
    """Return pixels (rows, columns[, channels]) with each channel as a plane (channels, rows,
    columns), which makes sums over channels several times faster.
    """
    return np.asarray(cv2.split(values), dtype=np.float32)


def _summed_squares(planes: Floats) -> Floats:
    """Return the sum of the planes' squares (rows, columns). Changes the planes."""
    planes *= planes
    for plane in planes[1:]:
        planes[0] += plane
    return np.asarray(planes[0], dtype=np.float32)


def _spread(differences: Floats) -> Floats:
    """Return the usual spread of each plane's differences (planes, 1, 1), grey levels."""
    even = np.abs(differences - _medians(differences))
    return np.asarray(MEDIAN_SIGMAS * _medians(even), dtype=np.float32)


def _medians(planes: Floats) -> Floats:
    """Return each plane's median (planes, 1, 1)."""
    flat = planes.reshape(len(planes), -1)
    return medians(flat).astype(np.float32)[:, None, None]
