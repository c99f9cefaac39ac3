"""Distinguishes a pattern of the table, such as dots as wide as coins, from coins: a pattern looks
the same in many places.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.pieces import COINS
from referee.vision.coins.coin_network import COIN_CELLS, STRIDE

# Chosen: in coin widths, how much of a place's surroundings is compared
_AROUND: Final = 1.5
# Places whose surroundings correlate by more than this look the same. Measured: on four cloths with
# dots as wide as coins, nine of ten dots correlate by 0.94 and more with 20 others. On these and
# eight other printed tables, one of 119 coins correlates with 20 other places by 0.87, the other
# coins by 0.81 and less.
_SAME: Final = 0.9
MOST_ALIKE: Final = 2 * len(COINS)  # Chosen: the number of coins in two sets


def is_repeated(seen: NDArray[np.float32], places: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return (n,) which of the `places` (n, 2; row and column) belong to a pattern: more than
    `MOST_ALIKE` places, this one included, look alike. Places are compared in all colours and with
    their surroundings, because dots are spaced evenly. In `seen` (rows, columns, channels) a coin
    is `COIN_CELLS` wide.
    """
    half = int(_AROUND * COIN_CELLS / 2)
    soft = cv2.GaussianBlur(seen, (0, 0), STRIDE / 2)
    padded = np.pad(soft, ((half, half), (half, half), (0, 0)), mode="edge")
    cut = [padded[y : y + 2 * half, x : x + 2 * half] for y, x in places.tolist()]
    looks = np.array([patch - patch.mean(axis=(0, 1)) for patch in cut]).reshape(len(places), -1)
    looks /= np.linalg.norm(looks, axis=1, keepdims=True) + 1e-6
    return np.asarray((looks @ looks.T > _SAME).sum(axis=1) > MOST_ALIKE)
