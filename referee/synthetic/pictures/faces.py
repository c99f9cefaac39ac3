"""Draws the faces of a set in code: suits, ranks and tile backs as small pictures in linear light.

Pictures are float32 BGR, 0 to 1. A tile's face fills the whole square; a coin's face is the circle
inside it.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.fixed_point import SHIFT, fixed_point
from referee.domain.pieces import COINS

Picture = NDArray[np.float32]

COIN_PX: Final = 160
TILE_PX: Final = 256

_INK: Final = {
    "black": (26, 24, 24),
    "red": (36, 30, 205),
    "blue": (175, 48, 32),
    "yellow": (30, 165, 225),
    "green": (60, 130, 45),
    "brown": (38, 52, 82),
}
_CREAM: Final = {
    "standard": (164, 216, 240),
    "green-crowns": (152, 192, 224),
    "one-colour": (128, 176, 218),
    "walnut": (54, 82, 120),
    "slate": (104, 98, 92),
    "brick": (62, 84, 158),
    "sky": (206, 184, 150),
    "painted": (190, 206, 214),
}
_SUIT_INK: Final = {"moons": "black", "suns": "red", "arms": "blue", "crowns": "yellow"}


def linear(bgr: tuple[float, float, float]) -> NDArray[np.float32]:
    """Convert a display colour (B, G, R of 255) to linear light (3,)."""
    return ((np.array(bgr) / 255.0) ** 2.2).astype(np.float32)


def _poly(mask: NDArray[np.uint8], points: NDArray[np.float64], value: int = 255) -> None:
    cv2.fillPoly(mask, [fixed_point(points)], value, cv2.LINE_AA, SHIFT)


def _ring(centre: float, radius: float, count: int) -> NDArray[np.float64]:
    a = np.arange(count) * 2 * np.pi / count
    return np.column_stack((centre + radius * np.cos(a), centre + radius * np.sin(a)))


def _moons(mask: NDArray[np.uint8], c: float, u: float) -> None:
    _poly(mask, _ring(c, 0.52 * u, 48))
    _poly(mask, _ring(c, 0.44 * u, 48) + np.array([0.24 * u, 0.0]), 0)


def _suns(mask: NDArray[np.uint8], c: float, u: float) -> None:
    _poly(mask, _ring(c, 0.3 * u, 40))
    for k in range(10):
        turn = k * 2 * math.pi / 10
        ray = np.array([[0.3, -0.1], [0.6, 0.0], [0.3, 0.1]]) * u
        spin = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        _poly(mask, ray @ spin.T + c)


def _arms(mask: NDArray[np.uint8], c: float, u: float) -> None:
    petal = np.array(
        [[0, -0.6], [0.13, -0.35], [0.1, -0.05], [0, 0.1], [-0.1, -0.05], [-0.13, -0.35]]
    )
    _poly(mask, petal * u + c)
    for side in (-1, 1):
        curl = np.array(
            [
                [0.08, 0.08],
                [0.2, -0.2],
                [0.42, -0.3],
                [0.52, -0.08],
                [0.4, 0.02],
                [0.3, -0.08],
                [0.24, 0.12],
            ]
        )
        _poly(mask, curl * (side, 1) * u + c)
    _poly(mask, np.array([[-0.3, 0.12], [0.3, 0.12], [0.3, 0.24], [-0.3, 0.24]]) * u + c)
    _poly(
        mask,
        np.array([[-0.08, 0.2], [0.08, 0.2], [0.16, 0.55], [0.0, 0.46], [-0.16, 0.55]]) * u + c,
    )


def _crowns(mask: NDArray[np.uint8], c: float, u: float) -> None:
    crown = np.array(
        [
            [-0.5, 0.38],
            [-0.58, -0.3],
            [-0.26, 0.02],
            [0.0, -0.48],
            [0.26, 0.02],
            [0.58, -0.3],
            [0.5, 0.38],
        ]
    )
    _poly(mask, crown * u + c)


def _ace(mask: NDArray[np.uint8], c: float, u: float) -> None:
    a = np.linspace(0.6, 2 * math.pi * 2.6, 120)
    r = 0.52 * u * a / a[-1]
    line = np.column_stack((c + r * np.cos(a), c + r * np.sin(a)))
    cv2.polylines(
        mask, [fixed_point(line)], False, 255, max(1, round(0.09 * u)), cv2.LINE_AA, SHIFT
    )


def _digit(mask: NDArray[np.uint8], c: float, u: float, text: str) -> None:
    scale, thick = u / 22.0, max(2, round(u * 0.13))
    (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_COMPLEX, scale, thick)
    cv2.putText(
        mask,
        text,
        (round(c - w / 2), round(c + h / 2)),
        cv2.FONT_HERSHEY_COMPLEX,
        scale,
        255,
        thick,
        cv2.LINE_AA,
    )


_SYMBOLS: Final = {"moons": _moons, "suns": _suns, "arms": _arms, "crowns": _crowns, "ace": _ace}


def _symbol(coin: str, size: int, unit: float) -> NDArray[np.uint8]:
    mask = np.zeros((size, size), dtype=np.uint8)
    centre = (size - 1) / 2
    if coin in _SYMBOLS:
        _SYMBOLS[coin](mask, centre, unit)
    elif coin != "null":
        _digit(mask, centre, unit, coin)
    return mask


def ink(coin: str, colours: str) -> NDArray[np.float32]:
    """Return the colour of a coin's symbol in a set with these colours, linear BGR (3,)."""
    if colours == "one-colour":
        return linear(_INK["brown"])
    if coin == "crowns" and colours == "green-crowns":
        return linear(_INK["green"])
    return linear(_INK[_SUIT_INK.get(coin, "black")])


def cream(colours: str) -> NDArray[np.float32]:
    """Return the colour of a set's wood, linear BGR (3,)."""
    return linear(_CREAM[colours])


def blotches(size: int, rng: np.random.Generator, coarse: int) -> Picture:
    """Return smooth noise around 0 with features of size / coarse, (size, size)."""
    seed = rng.normal(0, 1, (coarse, coarse)).astype(np.float32)
    return np.asarray(
        cv2.resize(seed, (size, size), interpolation=cv2.INTER_CUBIC), dtype=np.float32
    )


def coin_face(coin: str, colours: str, rng: np.random.Generator) -> Picture:
    """Draw a coin's face (COIN_PX, COIN_PX, 3): the symbol, a tick at the rim, and wood with a
    darker rim. A painted coin has its suit's colour, and its symbol has the colour of the wood.
    Raises KeyError for an unknown coin.
    """
    if coin not in COINS:
        raise KeyError(coin)
    size = COIN_PX
    wood, mark = cream(colours), ink(coin, colours)
    if colours == "painted":
        wood, mark = mark, wood
    ground = wood * (1 + 0.05 * blotches(size, rng, 5) + 0.03 * blotches(size, rng, 40))[..., None]
    y, x = np.mgrid[0:size, 0:size] - (size - 1) / 2
    rim = np.clip((np.hypot(x, y) / (size / 2) - 0.92) / 0.08, 0, 1)[..., None]
    face = ground * (1 - 0.2 * rim)
    mask = _symbol(coin, size, size / 2 * 0.92)
    cv2.line(
        mask,
        (size // 2, round(size * 0.02)),
        (size // 2, round(size * 0.11)),
        255,
        max(2, size // 36),
        cv2.LINE_AA,
    )
    share = (mask.astype(np.float32) / 255)[..., None] * 0.92
    return np.asarray(face * (1 - share) + mark * share, dtype=np.float32)


def tile_back(colours: str, rng: np.random.Generator) -> Picture:
    """Draw a tile's back (TILE_PX, TILE_PX, 3): a border and a cross on spotted wood."""
    size = TILE_PX
    ground = (
        cream(colours)
        * 0.96
        * (
            1
            + 0.045 * blotches(size, rng, 6)
            + 0.03 * blotches(size, rng, 14)
            + 0.02 * blotches(size, rng, 90)
        )[..., None]
    )
    mask = np.zeros((size, size), dtype=np.uint8)
    edge, thin = round(size * 0.03), max(2, round(size / 50.8 * 0.7))
    cv2.rectangle(mask, (edge, edge), (size - 1 - edge, size - 1 - edge), 215, 3)
    cv2.line(mask, (size // 2, edge), (size // 2, size - edge), 255, thin)
    cv2.line(mask, (edge, size // 2), (size - edge, size // 2), 255, thin)
    share = (cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32) / 255)[..., None] * 0.85
    y, x = np.mgrid[0:size, 0:size] - (size - 1) / 2
    rim = np.clip((np.maximum(abs(x), abs(y)) / (size / 2) - 0.98) / 0.02, 0, 1)[..., None]
    face = ground * (1 - 0.15 * rim)
    return np.asarray(face * (1 - share) + linear((40, 52, 70)) * share, dtype=np.float32)


def tile_front(rank: str, suit: str, colours: str, rng: np.random.Generator) -> Picture:
    """Draw a tile's face: the rank in the middle and a small suit mark in a corner, in the suit's
    colour.
    """
    size = TILE_PX
    ground = (
        cream(colours)
        * (1 + 0.05 * blotches(size, rng, 6) + 0.02 * blotches(size, rng, 80))[..., None]
    )
    mask = _symbol(rank, size, size / 2 * 0.7)
    small = _symbol(suit, 64, 30.0)
    mask[size - 88 : size - 24, 24:88] = np.maximum(mask[size - 88 : size - 24, 24:88], small)
    share = (mask.astype(np.float32) / 255)[..., None] * 0.92
    return np.asarray(ground * (1 - share) + ink(suit, colours) * share, dtype=np.float32)


def tower_top(suit: str, colours: str, rng: np.random.Generator) -> Picture:
    """Draw what lies on top of a castle's tower: the suit's ace, face up, with any of its sides
    towards the player. An ace shows its suit's symbol.
    """
    face = tile_front(suit, suit, colours, rng)
    return np.ascontiguousarray(np.rot90(face, int(rng.integers(4))))
