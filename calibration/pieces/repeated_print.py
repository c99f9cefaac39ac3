"""Distinguishes a pattern of the table, such as dots as wide as coins, from coins: a pattern looks
the same in many places.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import ALIKE
from referee.domain.pieces import COINS
from referee.vision.coins.coin_network import COIN_CELLS, STRIDE

# In coin widths: how much of a place's surroundings is compared. Measured: in a picture of a set on
# a table with dots as wide as coins, surroundings of nine of ten dots correlate by `ALIKE` with
# those of 60 to 130 other dots, and those of each coin with 10 to 13 other things.
_AROUND: Final = 1.5
_MOST_ALIKE: Final = 2 * len(COINS)  # Chosen: the number of coins in two sets


def is_repeated(seen: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return (n,) which of the `places` (n, 2), row and column, look like more other places than
    two sets have coins. Places are compared in all colours and with their surroundings, because
    dots are spaced evenly. In `seen` (rows, columns, channels) a coin is `COIN_CELLS` wide.
    """
    half = int(_AROUND * COIN_CELLS / 2)
    soft = cv2.GaussianBlur(seen, (0, 0), STRIDE / 2)
    padded = np.pad(soft, ((half, half), (half, half), (0, 0)), mode="edge")
    cut = [padded[y : y + 2 * half, x : x + 2 * half] for y, x in places.tolist()]
    looks = np.array([patch - patch.mean(axis=(0, 1)) for patch in cut]).reshape(len(places), -1)
    looks /= np.linalg.norm(looks, axis=1, keepdims=True) + 1e-6
    return np.asarray((looks @ looks.T > ALIKE).sum(axis=1) > _MOST_ALIKE)
