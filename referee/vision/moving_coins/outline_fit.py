"""Finds a coin that slides in open view by the outline of what differs from the table, whatever
its colours are.

A coin whose face is like the table shows its print, its side wall and its shadow more plainly than
its rim, and none of these is a disc of one brightness. Together they fill the coin's outline. So
each pixel counts by how clearly it differs from the table in any channel, and not by how much. What
a shadow explains as well, darker in all channels, counts little: it may lie beside the coin.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from calibration.lens.camera import TableView
from referee.domain.geometry import MEDIAN_SIGMAS, Point
from referee.domain.pieces import PieceSizes
from referee.vision.coins.local_contrast import SMOOTH_PX, medians
from referee.vision.coins.motion_fit import by_sector, coarse_place, place_of
from referee.vision.coins.region_fit import LEAST_NOISE
from referee.vision.image.disc import PixelGrid, ProjectedDisc
from referee.vision.image.picture import NO_COLOUR, Floats, Picture, Rect

# Chosen: so many standard errors, squared, in all channels together, change a pixel plainly.
PLAINLY_CHANGED: Final = 12.0
DARKEST_SHADOW: Final = 0.4  # Chosen: of the light is left in a shadow on a table
SHADOW_COUNTS: Final = 0.25  # Chosen: as much of a change as what no shadow explains
# Chosen: of the outline, so much must have changed,
LEAST_INSIDE: Final = 0.75
# Chosen: and of each part of a ring around it, no more than this by what no shadow explains.
MOST_OUTSIDE: Final = 0.5
RING: Final = (1.25, 1.7)  # Chosen: in coin radii
OUTLINE_RADII: Final = 2.1  # Chosen: of the pixels looked at around a spot that is not exact


def outline_place(
    picture: Picture,
    background: Picture,
    rect: Rect,
    view: TableView,
    spot: ProjectedDisc,
    sizes: PieceSizes,
    sweeps_mm: Iterable[Point],
) -> Point | None:
    """Return the centre, mm, of a sliding coin in `rect`, searched for around `spot`; None where
    nothing has a coin's outline.

    `sweeps_mm` are motions during the exposure. The first one counts with which the pixels that
    differ from the background have the outline of a coin.
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
    """Return how plainly each pixel changed, and how plainly it changed in a way that no shadow
    explains, 0 to 1 (rows, columns) each, given its channels now and before (rows, columns, 1 or
    3). The light may have changed evenly.
    """
    smooth, table = (cv2.GaussianBlur(values, (0, 0), SMOOTH_PX) for values in (seen, bare))
    smooth, table = (v.reshape(seen.shape) for v in (smooth, table))
    smooth = smooth - _medians(smooth - table)
    light = np.clip(smooth[..., 0] / np.maximum(table[..., 0], 1.0), DARKEST_SHADOW, 1.0)
    in_shadow = table * light[..., None]
    in_shadow[..., 1:] += NO_COLOUR * (1.0 - light[..., None])
    noise = np.maximum(LEAST_NOISE, _spread(smooth - table))
    changed, unshaded = (
        1.0 - np.exp(-(((smooth - expected) / noise) ** 2).sum(axis=2) / PLAINLY_CHANGED)
        for expected in (table, in_shadow)
    )
    return np.asarray(changed, dtype=np.float32), np.asarray(unshaded, dtype=np.float32)


def _spread(differences: Floats) -> Floats:
    """Return the usual spread of each channel's differences (channels,), grey levels."""
    even = np.abs(differences - _medians(differences))
    return np.asarray(MEDIAN_SIGMAS * _medians(even), dtype=np.float32)


def _medians(values: Floats) -> Floats:
    """Return each channel's median (channels,) of pixels (rows, columns, channels)."""
    channels = np.ascontiguousarray(values.reshape(-1, values.shape[2]).T)
    return medians(channels).astype(np.float32)
