"""Computes, with a small network, how likely a coin's middle is at every place of a table.

The rim alone misleads: a coin across a stripe shows half a rim, and printed cloth shows whole rims.
A network of six convolutions looks at two coins' widths around each place: the face, its mark, the
side wall, the shadow. `benchmarks/train_coin_network.py` trains it on rendered tables with many
coins. The colours of these tables are changed at random, so that the network does not depend on any
colour of table or coin.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.image.picture import NO_COLOUR, Floats

# Chosen: before the network was trained. The network's weights are valid only with these numbers.

WEIGHTS: Final = Path(__file__).with_name("coin_network.onnx")
COIN_CELLS: Final = 14.0  # the width of a coin in the network's cells
# the side of the square whose mean is subtracted, so that only differences count
AROUND_CELLS: Final = 61
UNIT_LEVELS: Final = 32.0  # grey levels for one unit of input
STRIDE: Final = 2  # input cells for each output cell, along both axes
# a share of a coin's width: of two likely places closer than this, only the likelier one counts
PLACES_APART: Final = 0.4


def is_likeliest(log_odds: Floats, coin_cells: float) -> NDArray[np.bool_]:
    """Return for each place (rows, columns) whether no place near it is likelier. Near means within
    `PLACES_APART` times a coin's width, which is `coin_cells` cells.
    """
    reach = 2 * int(PLACES_APART * coin_cells) + 1
    around = cv2.dilate(log_odds, np.ones((reach, reach), np.uint8))
    return np.asarray(around == log_odds)


def coin_log_odds(flat: Floats, coin_mm: float, mm_per_cell: float) -> Floats:
    """Return the network's log odds, as natural logarithms, that a coin's middle is at each place
    (rows, columns).

    `flat` are the picture's channels, resampled on the plane of the coins' faces (rows, columns, 1
    or 3).
    """
    odds = cell_log_odds(coins_alike(flat, coin_mm, mm_per_cell))
    # The input's and the output's grid both begin at the middle of their first cell.
    cells = COIN_CELLS * mm_per_cell / coin_mm
    scale, offset = cells / STRIDE, (0.5 * cells - 0.5) / STRIDE
    to_output = np.array([[scale, 0, offset], [0, scale, offset]], dtype=np.float64)
    spread = cv2.warpAffine(
        odds,
        to_output,
        flat.shape[1::-1],
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(spread, dtype=np.float32)


def cell_log_odds(seen: Floats) -> Floats:
    """Return the network's log odds, as natural logarithms, that a coin's middle is at each place
    (rows / `STRIDE`, columns / `STRIDE`). `seen` are luminance and both colour differences (rows,
    columns, 3) in which coins are `COIN_CELLS` wide.
    """
    network = _network()
    network.setInput(cv2.dnn.blobFromImage(network_input(seen)))
    return np.asarray(network.forward()[0, 0], dtype=np.float32)


def coins_alike(flat: Floats, coin_mm: float, mm_per_cell: float) -> Floats:
    """Return luminance and both colour differences (rows, columns, 3) on a grid on which every coin
    is `COIN_CELLS` wide. Without colour, the colour differences are those of grey.
    """
    if flat.shape[2] == 1:
        grey = np.full((*flat.shape[:2], 2), NO_COLOUR, dtype=np.float32)
        flat = np.concatenate((flat, grey), axis=2)
    cells = COIN_CELLS * mm_per_cell / coin_mm
    scaled = cv2.resize(flat, None, fx=cells, fy=cells, interpolation=cv2.INTER_AREA)
    return np.asarray(scaled, dtype=np.float32)


def network_input(seen: Floats) -> Floats:
    """Return how much each cell differs from the mean of its surroundings (rows, columns, 3), in
    the network's units.
    """
    square = (AROUND_CELLS, AROUND_CELLS)
    around = cv2.blur(seen, square, borderType=cv2.BORDER_REFLECT)
    return np.asarray((seen - around) / np.float32(UNIT_LEVELS), dtype=np.float32)


@cache
def _network() -> cv2.dnn.Net:
    """Return the network with its weights."""
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
