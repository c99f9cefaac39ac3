"""Compares the colour of things that may be coins with that of the set's coins.

Faces are distinguished by their ink relative to the ground. The ink does not show the colour of the
face as a whole. But a round print on the table often differs from a coin in the colour of the whole
face. The mean colour of a face depends neither on its rotation nor on the sharpness of the picture,
and the shares of blue and red to green do not depend on how much light there is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.store.piece_store import PATCH_REACH, FacePatch
from referee.vision.faces.face_patch import GROUND

Array = NDArray[np.float64]

# The spread of measured colours around the true ones, in natural logarithms of the shares: half of
# all things are within sqrt(2) times this. Measured: 320 coins of 68 rendered tables, against the
# pictures of their sets: 50 % within 0.06, 90 % within 0.17, 99 % within 0.40.
_SPREAD: Final = 0.045
# Chosen: sigma of the colours of things that are no coins, around the set's mean colour: pale or
# bright, of any hue.
_ANY_COLOUR: Final = 0.5
# How much a coin's colour may change from one place on a table to another, in the same units.
# Measured: 28 coins that moved, in 13 clips of another renderer, change by 0.14 at most; a printed
# dot that was taken for a striker differs by 0.46.
_ANOTHER: Final = 0.35
# Chosen: grey levels added to all channels, because the shares of dark colours are mostly noise.
_HAZE: Final = 16.0


def colour_log_odds(
    seen: Sequence[FacePatch], faces: Sequence[FacePatch], likely: Sequence[float]
) -> Array:
    """Return the natural logarithm of the odds (things,) that each thing, judged by its colour, is
    a coin with one of the `faces` and not something else. `likely` are the probabilities that the
    things are coins, judged without their colours.
    """
    things, coins = (np.array([_colours(face) for face in some]) for some in (seen, faces))
    beside, things, coins = things[:, 1], things[:, 0], coins[:, 0]
    as_coin = _same(_squares(things, coins)).mean(axis=1)
    middle = _squares(things, coins.mean(axis=0, keepdims=True))[:, 0]
    any_colour = np.exp(-0.5 * middle / _ANY_COLOUR**2) / (2 * math.pi * _ANY_COLOUR**2)
    others = np.tile(1.0 - np.asarray(likely), (len(things), 1))
    np.fill_diagonal(others, 0.0)
    # A knot or a stain has the colour of the table beside it, and prints are repeated.
    repeated = _same(((things - beside) ** 2).sum(axis=1))
    repeated += (others * _same(_squares(things, things))).sum(axis=1)
    as_other = (any_colour + repeated) / (2.0 + others.sum(axis=1))
    return np.asarray(np.log(as_coin) - np.log(as_other), dtype=np.float64)


def of_another_colour(seen: FacePatch, coin: FacePatch) -> bool:
    """Return whether a thing plainly differs in colour from a coin, both seen on the same table."""
    one, other = _colours(seen)[:1], _colours(coin)[:1]
    return bool(_squares(one, other)[0, 0] > _ANOTHER**2)


def _colours(face: FacePatch) -> Array:
    """Return the shares of blue and red to green, as logarithms (2, 2), of the mean colours of a
    face and of the table beside it.
    """
    side = face.bgr.shape[0]
    across = ((np.arange(side) + 0.5) / side * 2 - 1) * PATCH_REACH
    radius = np.hypot(across[:, None], across[None, :])
    parts = np.array(
        [face.bgr[part].mean(axis=0) for part in (radius < GROUND[1], radius > PATCH_REACH)]
    )
    blue, green, red = np.log(parts + _HAZE).T
    return np.stack([blue - green, red - green], axis=1)


def _squares(one: Array, other: Array) -> Array:
    """Return the squared distances (n, m) of colours (n, 2) and (m, 2)."""
    return np.asarray(((one[:, None] - other[None]) ** 2).sum(axis=2), dtype=np.float64)


def _same(squares: Array) -> Array:
    """Return the density of measured colours at these squared distances from their true colour:
    Student's t in two dimensions with two degrees of freedom, because other light and the grain of
    wood change a few colours much.
    """
    return np.asarray((1 + squares / (2 * _SPREAD**2)) ** -2 / (2 * math.pi * _SPREAD**2))
