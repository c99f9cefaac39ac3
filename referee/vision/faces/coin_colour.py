"""Compares the colour of things that may be coins with that of the set's coins.

Faces are told apart by their ink, as shares of the ground. That leaves out the colour of the face
as a whole, and a print on the table that is as round as a coin often has another one. The mean
colour of a face depends neither on its rotation nor on how sharp it is seen, and the shares of blue
and red to green do not depend on how much light there is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.store.piece_store import PATCH_REACH, FacePatch

Array = NDArray[np.float64]

# How far a coin's colour on the table is from that in the picture of its set, in natural logarithms
# of the shares: sigma usually, sigma in other light or where the wood's grain differs, and how many
# coins that are. Measured: 148 coins of 45 rendered tables, by maximum likelihood.
_USUAL: Final = 0.05
_OTHERWISE: Final = 0.2
_OTHER_SHARE: Final = 0.2
# Chosen: the same for what is no coin, around the set's mean colour: any colour, pale or bright;
_ANYTHING: Final = 0.5
# and around the colours of the table beside the thing, which may be a knot or a stain, and of each
# other thing on the table, because prints are repeated.
_REPEATED: Final = 0.1
# In coin radii: most of the face, without its rim; beyond, the corners of a patch show the table.
_WITHIN: Final = 0.85
_BEYOND: Final = 1.2
# Chosen: grey levels. Darker channels count as this light: their shares are mostly noise.
_DARKEST: Final = 8.0


def colour_log_odds(
    seen: Sequence[FacePatch], faces: Sequence[FacePatch], likely: Sequence[float]
) -> Array:
    """Return the log-odds (things,), natural logarithm, that a thing of this colour is a coin with
    one of the `faces` to that it is something else. `likely` are the probabilities that the things
    are coins, judged by something else than their colours.
    """
    things, coins = (np.array([_colours(face) for face in some]) for some in (seen, faces))
    beside, things, coins = things[:, 1], things[:, 0], coins[:, 0]
    to_coins = _squares(things, coins)
    as_coin = (1 - _OTHER_SHARE) * _density(to_coins, _USUAL)
    as_coin += _OTHER_SHARE * _density(to_coins, _OTHERWISE)
    middle = _squares(things, coins.mean(axis=0, keepdims=True))[:, 0]
    anything = _density(middle, _ANYTHING)
    others = np.tile(1.0 - np.asarray(likely), (len(things), 1))
    np.fill_diagonal(others, 0.0)
    repeated = (others * _density(_squares(things, things), _REPEATED)).sum(axis=1)
    repeated += _density(((things - beside) ** 2).sum(axis=1), _REPEATED)
    as_other = (anything + repeated) / (2.0 + others.sum(axis=1))
    return np.asarray(np.log(as_coin.mean(axis=1)) - np.log(as_other), dtype=np.float64)


def _colours(face: FacePatch) -> Array:
    """Return the shares of blue and red to green, as logarithms (2, 2), of the mean colours of a
    face and of the table beside it.
    """
    side = face.bgr.shape[0]
    across = ((np.arange(side) + 0.5) / side * 2 - 1) * PATCH_REACH
    radius = np.hypot(across[:, None], across[None, :])
    parts = np.array([face.bgr[part].mean(axis=0) for part in (radius < _WITHIN, radius > _BEYOND)])
    blue, green, red = np.log(np.maximum(parts, _DARKEST)).T
    return np.stack([blue - green, red - green], axis=1)


def _squares(one: Array, other: Array) -> Array:
    """Return the squared distances (n, m) of colours (n, 2) and (m, 2)."""
    return np.asarray(((one[:, None] - other[None]) ** 2).sum(axis=2), dtype=np.float64)


def _density(squares: Array, sigma: float) -> Array:
    """Return the density of a Gaussian in two dimensions at these squared distances."""
    return np.asarray(np.exp(-0.5 * squares / sigma**2) / (2 * math.pi * sigma**2))
