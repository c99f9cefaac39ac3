"""How well the top face of a coin fits a known face, whichever way it is turned and however it is
lit.

A face is compared as *ink*: how much of the coin's own ground colour each place lacks, by channel.
Light of any colour multiplies ground and print alike and so drops out; glare adds to both and only
makes all the ink fainter, which one free factor takes up. The turn is found by correlating rings of
the face (a circular correlation by FFT), the centre by trying many.
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

from calibration.store.piece_store import PATCH_REACH, FacePatch

Pixels = NDArray[np.float32]
Rings = NDArray[np.complex128]

# Tuned on our own clips, except where a comment says what stands behind a number.

_SIDE: Final = 48  # pixels along the side of a patch while it is compared
_TURNS: Final = 72
_RINGS: Final = 14
# in coin radii: what lies further out is the rim, its shadow, or a neighbour's
_FACE_REACH: Final = 0.86
_GROUND_FROM: Final = 0.60
_GROUND_TO: Final = 0.86
_DARKEST_GROUND: Final = 24.0
# sigma of a sharp picture's own blur, in its pixels: sensor, demosaicing, compression
_BLUR_PX: Final = 0.75
_CHROMA_BLUR_PX: Final = 1.3  # the same for colour, which streams keep at half the resolution
# how far off a centre may be, in radii, its own and the known face's together; tried in so many
# steps either way
_OFF: Final = 0.18
_STEPS_OFF: Final = 3
# ink in the frame over ink in the template
_FAINTEST: Final = 0.25
_STRONGEST: Final = 1.6


@dataclass(frozen=True, eq=False)
class InkRings:
    """A face as rings, about one or several centres.

    `spectrum` is the FFT along each ring of the weighted ink (centres, 3 features, rings,
    frequencies); `power` its square sum (centres,).
    """

    spectrum: Rings
    power: NDArray[np.float64]


def ink(patch: FacePatch) -> Pixels:
    """Return the ink of a patch (n, n, 3): lightness, red and blue, each as the share of the coin's
    ground that is missing.
    """
    side = patch.bgr.shape[0]
    ground = np.maximum(np.median(patch.bgr[_ring_mask(side)], axis=0), _DARKEST_GROUND)
    missing = 1 - patch.bgr / ground
    luma = missing @ np.array([0.114, 0.587, 0.299], dtype=np.float32)
    return np.stack((luma, missing[..., 2] - luma, missing[..., 0] - luma), axis=-1).astype(
        np.float32
    )


def blurred_like(face: Pixels, own_px: float, other_px: float) -> Pixels:
    """Return the ink of a face as it would be in a picture in which the coin is `other_px` wide,
    but no sharper than it is at `own_px`.
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
    """Return the rings of an ink patch about centres that are off the patch's by `shifts`, in
    radii.
    """
    per_radius = np.float32(face.shape[0] / (2 * PATCH_REACH))
    at = _polar(face.shape[0]) + per_radius * np.asarray(shifts, dtype=np.float32)[:, None, None, :]
    flat = at.reshape(
        -1, _TURNS, 2
    )  # all centres one below the other: rows and columns of one remapped image
    sampled = cv2.remap(
        face, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).reshape(len(at), _RINGS, _TURNS, 3)
    weighted = sampled.transpose(0, 3, 1, 2) * _ring_weights()[:, None]
    return InkRings(
        np.fft.rfft(weighted, axis=3),
        np.asarray(np.sum(weighted**2, axis=(1, 2, 3)), dtype=np.float64),
    )


def misfit(seen: InkRings, face: InkRings) -> tuple[float, float, float]:
    """Return the least mean square difference between an observed face (about several centres) and
    a known one (about one centre), over all turns and strengths of the ink.

    Returns it with the ink's factor and the turn in degrees.
    """
    power = float(face.power[0])
    overlap = np.fft.irfft(
        np.einsum("cfrt,frt->ct", seen.spectrum, np.conj(face.spectrum[0])), _TURNS
    )
    turn = overlap.argmax(axis=1)
    most = overlap.max(axis=1)
    factor = np.clip(most / power, _FAINTEST, _STRONGEST) if power > 0 else np.ones(len(most))
    left = np.maximum(seen.power - 2 * factor * most + factor**2 * power, 0.0)
    best = int(left.argmin())
    return float(left[best]), float(factor[best]), float(turn[best]) * 360 / _TURNS


def centres() -> list[tuple[float, float]]:
    """Return the centres tried, in radii; the patch's own is in the middle."""
    steps = np.arange(-_STEPS_OFF, _STEPS_OFF + 1) * _OFF / _STEPS_OFF
    return [(float(x), float(y)) for x in steps for y in steps]


@cache
def _ring_mask(side: int) -> NDArray[np.bool_]:
    """Return the pixels of a patch in which a coin's ground is looked for: outside the symbol,
    inside the rim.
    """
    steps = ((np.arange(side) + 0.5) / side * 2 - 1) * PATCH_REACH
    reach = np.hypot(*np.meshgrid(steps, steps))
    return (reach >= _GROUND_FROM) & (reach <= _GROUND_TO)


@cache
def _polar(side: int) -> Pixels:
    """Return where the rings' samples lie in a patch (rings, turns, 2), pixels."""
    reach = (np.arange(_RINGS) + 0.5) / _RINGS * _FACE_REACH
    angle = np.arange(_TURNS) * (2 * np.pi / _TURNS)
    around = np.stack((np.cos(angle), np.sin(angle)), axis=-1)
    return np.asarray(
        (reach[:, None, None] * around / PATCH_REACH + 1) / 2 * side - 0.5, dtype=np.float32
    )


@cache
def _ring_weights() -> NDArray[np.float64]:
    """Return the square root of each ring's share of the face's area over its samples: sums of
    squares are then means over the face.
    """
    area = np.arange(_RINGS) + 0.5
    return np.asarray(np.sqrt(area / area.sum() / _TURNS), dtype=np.float64)
