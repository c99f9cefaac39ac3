"""Measures how well the top face of a coin fits a known face, in any rotation and any light.

A face is compared as *ink*: for each channel, by what share each place is darker than the coin's
own ground. Coloured light multiplies ground and print by the same factor, so its colour cancels
out. Glare adds the same brightness to ground and print, which only makes the ink fainter; a free
factor for the strength of the ink accounts for that. The rotation is found by correlating rings of
the face (a circular correlation by FFT), and the centre by trying several centres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.piece_rims import SHIFT
from calibration.store.piece_store import PATCH_REACH, FacePatch
from referee.vision.faces.face_patch import GROUND, RINGS, TURNS, polar_places

Pixels = NDArray[np.float32]
Rings = NDArray[np.complex128]

# Tuned on our own clips, except where a comment gives another source for a number.

_DARKEST_GROUND: Final = 24.0
# The blur of a sharp picture, as a sigma in pixels, caused by sensor, demosaicing and compression.
_BLUR_PX: Final = 0.75
_CHROMA_BLUR_PX: Final = 1.3  # the blur of colour, which streams keep at half the resolution
# The number of steps to either side by which the centres of the observed and the known face may be
# apart.
_STEPS_OFF: Final = 3
# The least and the largest factor from the ink of the known face to the ink in the frame.
_FAINTEST: Final = 0.25
_STRONGEST: Final = 1.6


@dataclass(frozen=True, eq=False)
class InkRings:
    """A face as rings, about one or several centres.

    `spectrum` is the FFT of the weighted ink along each ring (centres, 3 features, rings,
    frequencies). `power` is the sum of the squares of the weighted ink (centres,).
    """

    spectrum: Rings
    power: NDArray[np.float64]


def ink(patch: FacePatch) -> Pixels:
    """Return the ink of a patch (n, n, 3): the shares by which lightness, red and blue are lower
    than those of the coin's ground.
    """
    side = patch.bgr.shape[0]
    ground = np.maximum(np.median(patch.bgr[_ring_mask(side)], axis=0), _DARKEST_GROUND)
    missing = (ground - patch.bgr) / np.maximum(ground, patch.bgr)
    luma = cv2.cvtColor(missing.astype(np.float32), cv2.COLOR_BGR2GRAY)
    return np.stack((luma, missing[..., 2] - luma, missing[..., 0] - luma), axis=-1).astype(
        np.float32
    )


def blurred_like(face: Pixels, own_px: float, other_px: float) -> Pixels:
    """Return the ink of a face, blurred as in a picture in which the coin is `other_px` wide. If
    `other_px` is more than the face's own width `own_px`, the ink is returned unchanged.
    """
    per_radius = face.shape[0] / (2 * PATCH_REACH)
    planes = []
    for feature, blur_px in enumerate((_BLUR_PX, _CHROMA_BLUR_PX, _CHROMA_BLUR_PX)):
        wanted, present = (blur_px / (px / 2) * per_radius for px in (other_px, own_px))
        more = math.sqrt(max(0.0, wanted**2 - present**2))
        plane = face[..., feature]
        planes.append(cv2.GaussianBlur(plane, (0, 0), more) if more > 0.3 else plane)
    return np.stack(planes, axis=-1)


def rings_of(face: Pixels, shifts: Sequence[tuple[float, float]] = ((0.0, 0.0),)) -> InkRings:
    """Return the rings of an ink patch about several centres. `shifts` are the centres' distances
    from the middle of the patch, in coin radii.
    """
    per_radius = np.float32(face.shape[0] / (2 * PATCH_REACH))
    at = (
        polar_places(RINGS, TURNS, GROUND[1], face.shape[0])
        + per_radius * np.asarray(shifts, dtype=np.float32)[:, None, None, :]
    )
    flat = at.reshape(
        -1, TURNS, 2
    )  # one remapped image holds the samples of all centres, one below the other
    sampled = cv2.remap(
        face, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).reshape(len(at), RINGS, TURNS, 3)
    weighted = sampled.transpose(0, 3, 1, 2) * _ring_weights()[:, None]
    return InkRings(
        np.fft.rfft(weighted, axis=3),
        np.asarray(np.sum(weighted**2, axis=(1, 2, 3)), dtype=np.float64),
    )


def misfit(seen: InkRings, face: InkRings) -> tuple[float, float, float]:
    """Return the smallest mean square difference between an observed face (rings about several
    centres) and a known face (about one centre), over all centres, rotations and strengths of the
    ink.

    Also return the strength of the ink (a factor) and the rotation in degrees at which the
    difference is smallest.
    """
    power = float(face.power[0])
    overlap = np.fft.irfft(
        np.einsum("cfrt,frt->ct", seen.spectrum, np.conj(face.spectrum[0])), TURNS
    )
    turn = overlap.argmax(axis=1)
    most = overlap.max(axis=1)
    factor = np.clip(most / power, _FAINTEST, _STRONGEST) if power > 0 else np.ones(len(most))
    left = np.maximum(seen.power - 2 * factor * most + factor**2 * power, 0.0)
    best = int(left.argmin())
    return float(left[best]), float(factor[best]), float(turn[best]) * 360 / TURNS


def centres() -> list[tuple[float, float]]:
    """Return the centres tried, in radii. The patch's own centre is in the middle of the list."""
    steps = np.arange(-_STEPS_OFF, _STEPS_OFF + 1) * SHIFT / _STEPS_OFF
    return [(float(x), float(y)) for x in steps for y in steps]


@cache
def _ring_mask(side: int) -> NDArray[np.bool_]:
    """Return a mask of the pixels of a patch that show a coin's ground: outside the symbol, inside
    the rim.
    """
    steps = ((np.arange(side) + 0.5) / side * 2 - 1) * PATCH_REACH
    reach = np.hypot(*np.meshgrid(steps, steps))
    return (reach >= GROUND[0]) & (reach <= GROUND[1])


@cache
def _ring_weights() -> NDArray[np.float64]:
    """Return a weight for each ring's samples: the square root of the share of the face's area that
    one sample stands for. With these weights, sums of squares become means over the face.
    """
    area = np.arange(RINGS) + 0.5
    return np.asarray(np.sqrt(area / area.sum() / TURNS), dtype=np.float64)
