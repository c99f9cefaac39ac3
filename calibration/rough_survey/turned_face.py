"""Correlates a face, turned by several angles, with every place of a picture. All angles share the
Fourier transforms of the picture's parts.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.fft import irfft2, rfft2

Array = NDArray[np.float64]
Patch = NDArray[np.float32]
Spectra = NDArray[np.complex64]

# Measured: of the sides 64, 96, 128, 160, 192 and 256 px, this one takes the least time for faces
# of 21 and 25 px.
_BLOCK_PX: Final = 128
# Chosen: a window whose squared differences from its mean add up to less shows no contrast; one
# pixel that differs by a single grey level gives more than that.
_NO_CONTRAST: Final = 0.5


def best_turns(
    picture: Patch, face: Patch, turns_deg: Array
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return the correlation (h - n + 1, w - n + 1) of each window of a picture (h, w, channels)
    with the face (n, n, channels) in the turn that fits best, up to 1, and the index of that turn.

    The correlation is that of `cv2.TM_CCOEFF_NORMED`: each colour's mean does not count. It is 0
    where the window or the face has no contrast.
    """
    side = len(face)
    colours = np.ascontiguousarray((picture - picture.mean(axis=(0, 1))).transpose(2, 0, 1))
    height, width = (size - side + 1 for size in picture.shape[:2])
    best = np.empty((height, width), dtype=np.float32)
    turn = np.empty((height, width), dtype=np.intp)
    spectra = _spectra(_turned(face, turns_deg))
    step = _BLOCK_PX - side + 1
    for top, left in product(range(0, height, step), range(0, width, step)):
        block = colours[:, top : top + _BLOCK_PX, left : left + _BLOCK_PX]
        found = np.s_[top : top + step, left : left + step]
        products = _products(block, spectra)[:, : best[found].shape[0], : best[found].shape[1]]
        best[found], turn[found] = products.max(axis=0), products.argmax(axis=0)
    contrast = _contrast(colours, side)
    plain = contrast <= _NO_CONTRAST
    best /= np.sqrt(np.where(plain, 1.0, contrast))
    best[plain] = 0.0
    return best, turn


def _turned(face: Patch, turns_deg: Array) -> Patch:
    """Return the face in each turn (turns, channels, n, n), without each colour's mean, with a norm
    of 1.
    """
    middle = (len(face) - 1) / 2
    turned = np.array(
        [
            cv2.warpAffine(
                face,
                cv2.getRotationMatrix2D((middle, middle), degrees, 1.0),
                face.shape[1::-1],
                borderMode=cv2.BORDER_REPLICATE,
            )
            for degrees in turns_deg.tolist()
        ],
        dtype=np.float64,
    )
    turned -= turned.mean(axis=(1, 2), keepdims=True)
    norm = np.sqrt((turned**2).sum(axis=(1, 2, 3), keepdims=True))
    turned /= np.maximum(norm, np.sqrt(_NO_CONTRAST))
    return np.asarray(turned.transpose(0, 3, 1, 2), dtype=np.float32)


def _spectra(turned: Patch) -> Spectra:
    """Return what a block's transform is multiplied by to correlate it with each turned face."""
    return np.asarray(np.conj(rfft2(turned, (_BLOCK_PX, _BLOCK_PX))), dtype=np.complex64)


def _products(block: Patch, spectra: Spectra) -> Patch:
    """Return the scalar product of each turned face with each window of a block (channels, h, w) as
    (turns, `_BLOCK_PX`, `_BLOCK_PX`). Windows that reach beyond the block are wrong.
    """
    shape = (_BLOCK_PX, _BLOCK_PX)
    seen = rfft2(block, shape)
    return np.asarray(irfft2((spectra * seen).sum(axis=1), shape), dtype=np.float32)


def _contrast(colours: Patch, side: int) -> Array:
    """Return, for each window of `side` px, the sum over all colours of the squared differences
    from that colour's mean in the window.
    """
    total = np.zeros([size - side + 1 for size in colours.shape[1:]])
    for colour in colours:
        sums, squares = cv2.integral2(colour)
        total += _window_sums(squares, side) - _window_sums(sums, side) ** 2 / side**2
    return total


def _window_sums(table: cv2.typing.MatLike, side: int) -> Array:
    """Return the sum over each window of `side` px, computed from an integral image."""
    below = np.asarray(table, dtype=np.float64)
    rows = below[side:] - below[:-side]
    return rows[:, side:] - rows[:, :-side]
