"""The laws of an impact of two coins, or of a coin and a tile: by how much the velocities before
and after an impact break these laws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from referee.domain.pieces import PieceSizes
from referee.domain.slide import BOUNCE, RIM_FRICTION
from referee.tracking.trajectory.hypotheses.runs import Floats

# Tuned on our own clips, except where a comment gives another source for a number.

# The weights of two coins of one set differ a little, and a contact takes some time.
MOMENTUM_SIGMA_MM_S: Final = 40.0
# Chosen: a disc of metal weighs up to this many times as much as one of plastic of the same width.
WEIGHT_FACTOR: Final = 6.0


def lost_momentum(
    sizes: PieceSizes, coins: Sequence[str], gain_a: Floats, gain_b: Floats
) -> Floats:
    """Return the momentum that a contact gained or lost, as the velocity (B, 2), mm/s, of a coin of
    the mean weight. The result is 0 if one coin gains what the other loses. Coins of one set weigh
    the same. For discs of unknown material, the ratio of their weights may differ by a factor of up
    to `WEIGHT_FACTOR` from the ratio that their widths suggest; the function uses the ratio that
    explains the contact best.
    """
    if sizes.is_set:
        return gain_a + gain_b
    usual = (sizes.width_mm(coins[1]) / sizes.width_mm(coins[0])) ** 3
    square = (gain_b**2).sum(axis=1, keepdims=True) + 1e-9
    best = -(gain_a * gain_b).sum(axis=1, keepdims=True) / square
    ratio = np.clip(best, usual / WEIGHT_FACTOR, usual * WEIGHT_FACTOR)
    lost: Floats = 2 * (gain_a + ratio * gain_b) / (1 + ratio)
    return lost


def off_line(normal: Floats, came: Floats, left: Floats) -> Floats:
    """Return by how much, (B, 2), mm/s, a contact breaks two laws. The coins push each other along
    the line of centres, apart from the friction of their rims. Along this line they part no faster
    than they approached, and no slower than with half the usual bounce of wood: two coins that go
    on side by side were pushed by one hand. `came` and `left` (B, 2) are the velocities of one coin
    relative to the other before and after, and `normal` (B, 2) points from the one to the other.
    """
    push = came - left
    along = (push * normal).sum(axis=1)
    aside = np.abs(push[:, 0] * normal[:, 1] - push[:, 1] * normal[:, 0])
    closing, going = (came * normal).sum(axis=1), (left * normal).sum(axis=1)
    skew = np.maximum(aside - RIM_FRICTION * np.maximum(along, 0.0), 0.0)
    parting = np.maximum(-going - closing, 0.0) + np.maximum(going + 0.5 * BOUNCE * closing, 0.0)
    return np.stack([skew, parting], axis=1)


def square_gap(corners: Floats, at: Floats) -> Floats:
    """Return how far the points `at` (B, 2) are outside a square with the `corners` (4, 2);
    negative inside.
    """
    centre = corners.mean(axis=0)
    axis = corners[1] - corners[0]
    half = 0.5 * float(np.hypot(*axis))
    axis = axis / (2 * half)
    u, v = (
        np.abs((at - centre) @ axis) - half,
        np.abs((at - centre) @ np.array([-axis[1], axis[0]])) - half,
    )
    gap: Floats = np.hypot(np.maximum(u, 0), np.maximum(v, 0)) + np.minimum(np.maximum(u, v), 0)
    return gap


def off_side(corners: Floats, at: Floats, came: Floats, left: Floats) -> Floats:
    """Return by how much, (B, 2), mm/s, a hit of a tile with the `corners` (4, 2) breaks two laws.
    The coin moves towards the side that it hits and then away from it, so that it does not go
    through the tile. The second law: a tile gives a coin no energy. `at` is the coin's centre,
    `came` and `left` are its velocities before and after, (B, 2) each.
    """
    normal = outward(corners, at)
    through = np.maximum((came * normal).sum(axis=1), 0.0) + np.maximum(
        -(left * normal).sum(axis=1), 0.0
    )
    gained = np.maximum(np.sqrt((left**2).sum(axis=1)) - np.sqrt((came**2).sum(axis=1)), 0.0)
    return np.stack([through, gained], axis=1)


def outward(corners: Floats, at: Floats) -> Floats:
    """Return the unit vectors (B, 2) that point from the nearest point of a square with the
    `corners` (4, 2) to the points `at` (B, 2), or straight out for a point inside.
    """
    centre, side = corners.mean(axis=0), corners[1] - corners[0]
    half = 0.5 * float(np.hypot(*side))
    axes = np.stack([side, [-side[1], side[0]]]) / (2 * half)
    along = (at - centre) @ axes.T
    beyond = np.abs(along) - half
    nearest = beyond.max(axis=1, keepdims=True)
    off = np.sign(along) * np.where(nearest > 0.0, np.maximum(beyond, 0.0), beyond == nearest)
    out = off / np.maximum(np.sqrt((off**2).sum(axis=1, keepdims=True)), 1e-12)
    normals: Floats = out @ axes
    return normals
