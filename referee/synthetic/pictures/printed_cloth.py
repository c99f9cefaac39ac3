"""Draws a printed cloth that covers a table top: dots, cheques, stripes, flowers, a newspaper or
stone chips, in colours of their own for each scene. Linear BGR float32, drawn once per scene.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.fixed_point import SHIFT, fixed_point
from referee.synthetic.pictures.faces import Picture
from referee.synthetic.pictures.grain import TOP_PX_PER_MM

Colour = tuple[float, float, float]
Drawn = NDArray[np.uint8]

_THREAD_PX: Final = 3  # one thread and its gap
_WEAVE: Final = 0.04  # by how much a thread is lighter, and its gap darker
_WORDS: Final = ("coins", "EVENING", "of", "the", "table", "to", "City", "and", "match", "late")


def printed_cloth(kind: str, size_mm: tuple[float, float], rng: np.random.Generator) -> Picture:
    """Draw a cloth with TOP_PX_PER_MM pixels per millimetre. Row 0 is the far edge, column 0 the
    left edge. Raises KeyError for an unknown kind.
    """
    cols, rows = (round(s * TOP_PX_PER_MM) for s in size_mm)
    ground = _colour(rng, 120, 240) if rng.random() < 0.7 else _colour(rng, 30, 120)
    cloth = np.full((rows, cols, 3), ground, dtype=np.uint8)
    _PRINTS[kind](cloth, rng)
    threads = np.sin(np.arange(max(rows, cols)) * 2 * np.pi / _THREAD_PX)
    weave = 1 + _WEAVE * threads[:rows, None] * threads[None, :cols]
    return np.asarray((cloth / 255.0) ** 2.2 * weave[..., None], dtype=np.float32)


def _colour(rng: np.random.Generator, low: int = 20, high: int = 240) -> Colour:
    blue, green, red = rng.integers(low, high, 3).tolist()
    return (blue, green, red)


def _px(mm: float) -> int:
    return max(1, round(mm * TOP_PX_PER_MM))


def _disc(cloth: Drawn, at: tuple[float, float], radius_mm: float, colour: Colour) -> None:
    """Draw a disc; `at` is in pixels."""
    centre = fixed_point(np.array([at])).ravel().tolist()
    radius = round(radius_mm * TOP_PX_PER_MM * 2**SHIFT)
    cv2.circle(cloth, centre, radius, colour, -1, cv2.LINE_AA, SHIFT)


def _dots(cloth: Drawn, rng: np.random.Generator) -> None:
    """Draw discs as large as coins, in rows, every second row shifted."""
    apart, radius, colour = _px(rng.uniform(30, 55)), rng.uniform(6, 13), _colour(rng)
    for row, y in enumerate(range(0, cloth.shape[0] + apart, apart)):
        for x in range(apart // 2 * (row % 2), cloth.shape[1] + apart, apart):
            _disc(cloth, (x, y), radius, colour)


def _crossing(cloth: Drawn, rng: np.random.Generator, turned: tuple[bool, ...], bands: int) -> None:
    """Lay stripes, half transparent, along each direction."""
    repeat = _px(rng.uniform(24, 90))
    for _ in range(bands):
        colour = np.array(_colour(rng))
        first, width = int(rng.integers(repeat)), _px(rng.uniform(3, 30))
        for along in turned:
            lines = cloth.swapaxes(0, 1) if along else cloth
            here = (np.arange(len(lines)) - first) % repeat < min(width, repeat // 2)
            lines[here] = (0.5 * lines[here] + 0.5 * colour).astype(np.uint8)


def _cheques(cloth: Drawn, rng: np.random.Generator) -> None:
    _crossing(cloth, rng, (False, True), int(rng.integers(1, 4)))


def _stripes(cloth: Drawn, rng: np.random.Generator) -> None:
    _crossing(cloth, rng, (bool(rng.random() < 0.5),), int(rng.integers(1, 4)))


def _scattered(cloth: Drawn, rng: np.random.Generator, each_mm: float) -> NDArray[np.float64]:
    """Return places in pixels, (n, 2), one for each square with sides of `each_mm`."""
    rows, cols = cloth.shape[:2]
    count = round(rows * cols / (each_mm * TOP_PX_PER_MM) ** 2)
    return rng.uniform((0, 0), (cols, rows), (count, 2))


def _flowers(cloth: Drawn, rng: np.random.Generator) -> None:
    heart = _colour(rng)
    for x, y in _scattered(cloth, rng, 55):
        colour, size, turn = _colour(rng), rng.uniform(5, 16), rng.uniform(0, 6)
        for petal in range(5):
            reach, angle = 0.6 * size * TOP_PX_PER_MM, turn + petal * 2 * math.pi / 5
            at = (x + reach * math.cos(angle), y + reach * math.sin(angle))
            _disc(cloth, at, 0.42 * size, colour)
        _disc(cloth, (x, y), 0.3 * size, heart)


def _stones(cloth: Drawn, rng: np.random.Generator) -> None:
    for x, y in _scattered(cloth, rng, 30):
        angles = np.sort(rng.uniform(0, 2 * math.pi, int(rng.integers(5, 9))))
        reach = _px(rng.uniform(2, 13)) * rng.uniform(0.6, 1.0, len(angles))
        corners = np.column_stack((np.cos(angles), np.sin(angles))) * reach[:, None] + (x, y)
        cv2.fillPoly(cloth, [fixed_point(corners)], _colour(rng), cv2.LINE_AA, SHIFT)


def _newspaper(cloth: Drawn, rng: np.random.Generator) -> None:
    """Print columns of lines, headlines and dark pictures."""
    ink, column = (46, 44, 44), _px(60)
    for left in range(0, cloth.shape[1], _px(66)):
        y = 0
        while y < cloth.shape[0]:
            kind = rng.random()
            if kind < 0.06:
                bottom = y + _px(rng.uniform(25, 50))
                cv2.rectangle(cloth, (left, y), (left + column, bottom), _colour(rng), -1)
                y = bottom + _px(3)
                continue
            high = _px(rng.uniform(6, 12)) if kind < 0.15 else _px(2.2)
            text = " ".join(rng.choice(_WORDS, 40))[: max(3, round(1.2 * column / high))]
            font, thick = cv2.FONT_HERSHEY_COMPLEX, max(1, high // 8)
            cv2.putText(cloth, text, (left, y + high), font, high / 30, ink, thick, cv2.LINE_AA)
            y += round(1.7 * high)
        cloth[:, left + column : left + _px(66)] = cloth[0, -1]


_PRINTS: Final[dict[str, Callable[[Drawn, np.random.Generator], None]]] = {
    "dots": _dots,
    "cheques": _cheques,
    "stripes": _stripes,
    "flowers": _flowers,
    "newspaper": _newspaper,
    "stones": _stones,
}
