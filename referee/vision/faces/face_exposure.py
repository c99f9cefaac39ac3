"""Makes pictures of a coin's face and of the table as clear to people as the light allows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import DARK_LEVELS
from calibration.store.piece_store import PATCH_REACH, FacePatch
from referee.vision.image.picture import FULL

Pixels = NDArray[np.float32]

# Chosen: nothing was measured for these, except where a comment says so.

BLEACHED: Final = FULL - DARK_LEVELS
#: A share of a face's pixels. Noise and compression alone may make this share more of the pixels
#: black or bleached.
AS_GOOD: Final = 0.02
#: Grey levels. Ink is made this dark and not darker, so that its colour can still be seen.
INK: Final = 40.0
#: The per cent of the pixels that may become darker than ink. The same per cent may become white.
ENDS: Final = 2.0
#: Greys are stretched by at most this factor, because more would turn the noise of an even face
#: into a pattern.
MOST_GAIN: Final = 12.0
#: Luminance of blue, green and red, BT.601.
WEIGHTS: Final = np.array([0.114, 0.587, 0.299], dtype=np.float32)


def best_exposed(patches: Sequence[FacePatch]) -> Pixels | None:
    """Return a coin's face as people recognise it best, (n, n, 3) float32 in 0..255, blue first;
    None without patches.

    The result is the median of the patches with the fewest black and bleached pixels, so arms over
    the coin and pictures that are too bright or too dark do not count. The greys of this median are
    then stretched: the darkest grey of the face becomes nearly black, the brightest becomes white.
    """
    if not patches:
        return None
    lost = [lost_share(patch.bgr) for patch in patches]
    kept = [p.bgr for p, share in zip(patches, lost, strict=True) if share <= min(lost) + AS_GOOD]
    face = np.median(np.stack(kept), axis=0).astype(np.float32)
    return stretched(face, on_face(len(face)))


def lost_share(bgr: Pixels) -> float:
    """Return the share, 0 to 1, of a face's pixels (n, n, 3) that are black or bleached."""
    grey = _grey(bgr)[on_face(len(bgr))]
    return float(((grey < DARK_LEVELS) | (grey > BLEACHED)).mean())


def stretched(bgr: Pixels, within: NDArray[np.bool_]) -> Pixels:
    """Return a picture (h, w, 3) whose greys are stretched so that those in the part `within` (a
    mask, h, w) reach from `INK` to white. Colours keep their hue. A picture without contrast keeps
    its brightness.
    """
    grey = _grey(bgr)
    low, high = (float(end) for end in np.percentile(grey[within], (ENDS, 100 - ENDS)))
    gain = min((FULL - INK) / max(high - low, 1.0), MOST_GAIN)
    middle, reach = (low + high) / 2, gain * (high - low) / 2
    moved_to = min(max(middle, INK + reach), FULL - reach)
    brighter = np.clip((grey - middle) * gain + moved_to, 0, FULL) / np.maximum(grey, 1.0)
    return np.asarray(np.clip(bgr * brighter[..., None], 0, FULL), dtype=np.float32)


@cache
def on_face(side_px: int) -> NDArray[np.bool_]:
    """Return which pixels of a patch show the coin's face, not what lies around it."""
    steps = ((np.arange(side_px) + 0.5) / side_px * 2 - 1) * PATCH_REACH
    return np.asarray(steps[:, None] ** 2 + steps[None] ** 2 < 1)


def _grey(bgr: Pixels) -> Pixels:
    return np.asarray(bgr @ WEIGHTS, dtype=np.float32)
