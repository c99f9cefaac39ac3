"""Names the colour in which a set's marks are printed, in one word. Drawings use it so that players
recognise their coins.

Ink reflects less light than the bare face around it. The shares of blue, green and red that ink
still reflects do not depend on the lamp's colour, and hardly on its strength. Ink that absorbs all
three equally is black, even if a lamp makes it look pale.
"""

from __future__ import annotations

import colorsys
import math
from typing import Final

import numpy as np

from calibration.store.piece_store import PATCH_REACH, FacePatch

# Tuned on our own clips, except where a comment gives another source for a number.

#: How much of the face is examined, from its middle. The rim with its tick and shadow is left out.
_WITHIN: Final = 0.72
#: Ink absorbs at least this share of the strongest absorption on the face, and at least
#: `_LEAST_INK`, in logarithms. Ink has no colour when each channel absorbs as large a share of what
#: the strongest channel absorbs.
_INK_SHARE: Final = 0.6
_LEAST_INK: Final = 0.12
#: The hues that have a word: the degrees up to which each is used.
_HUES: Final = (
    (20.0, "red"),
    (40.0, "orange"),
    (72.0, "yellow"),
    (170.0, "green"),
    (262.0, "blue"),
    (330.0, "purple"),
    (360.0, "red"),
)


def mark_colour_of(face: FacePatch) -> str | None:
    """Return the colour of the mark on a face: `red`, `orange`, `yellow`, `green`, `blue`, `purple`
    or `black`; None if the face has no mark.
    """
    taken = _taken_by_ink(face)
    if taken is None:
        return None
    if taken.min() > _INK_SHARE * taken.max():
        return "black"
    blue, green, red = np.exp(-taken)
    hue_deg = 360 * colorsys.rgb_to_hsv(float(red), float(green), float(blue))[0]
    return next(word for end_deg, word in _HUES if hue_deg <= end_deg)


def _taken_by_ink(face: FacePatch) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    """Return how much blue, green and red the ink absorbs (3,), as logarithms; None if there is
    no ink.
    """
    pixels = np.maximum(_inner(face), 1.0)
    bare = np.median(pixels, axis=0)
    taken = np.log(bare) - np.log(pixels)
    most = taken.max(axis=1)
    peak = float(np.percentile(most, 98))
    if peak < _LEAST_INK or not math.isfinite(peak):
        return None
    return np.asarray(
        np.maximum(taken[most >= _INK_SHARE * peak].mean(axis=0), 0.0), dtype=np.float64
    )


def _inner(face: FacePatch) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the pixels of the face without its rim, (n, 3)."""
    side = face.bgr.shape[0]
    across = (np.arange(side) - (side - 1) / 2) / (side / (2 * PATCH_REACH))
    near = np.hypot(across[:, None], across[None, :]) < _WITHIN
    return np.asarray(face.bgr[near], dtype=np.float64)
