"""Draws common coin faces, each in several ways. These faces are used for a set whose own faces
were never learnt.

The suits are a crescent, a sun, a fleur-de-lis, an anchor or a shield, and a crown. Each is drawn
in its usual colour and, for sets of one colour, in black. The null is blank, the ace a spiral or an
A, and the other ranks are numbers in thin and in bold strokes. Real sets differ from all of these,
so a match with them is weaker evidence than a match with a learnt face.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.store.piece_store import PATCH_REACH, STORED_PX, FacePatch

Picture = NDArray[np.uint8]
Stamp = Callable[[Picture], None]
Outline = list[tuple[float, float]]
#: A line, and the width in which it is drawn; None for an outline that is filled.
Part = tuple[Outline, float | None]

# Chosen: limits, sizes and colours that nothing was measured for.

_FINE: Final = 4  # faces are drawn this many times larger, then averaged down
_SIDE: Final = STORED_PX * _FINE
_RADIUS: Final = _SIDE / 2 / PATCH_REACH
# The width, in px of the picture, at which a face counts as seen. This width is less than the
# drawing's own, because real faces differ from it in their details.
_SEEN_PX: Final = 2 * _RADIUS / _FINE * 0.7
_CREAM: Final = (190.0, 220.0, 232.0)
_BLACK: Final = (45, 45, 45)
_GREY: Final = (110, 110, 110)
_RED: Final = (45, 45, 205)
_BLUE: Final = (185, 70, 40)
_GREEN: Final = (70, 140, 40)
_YELLOW: Final = (45, 185, 235)
_REACH: Final = 0.5  # a symbol's half height, in coin radii
_SIZES: Final = (0.8, 1.0, 1.25)


@cache
def builtin_faces() -> Mapping[str, tuple[FacePatch, ...]]:
    """Return several common faces for each coin, as patches of the usual size."""
    suits: dict[str, tuple[tuple[Stamp, ...], tuple[tuple[int, int, int], ...]]] = {
        "moons": ((_moon,), (_BLACK, _GREY)),
        "suns": (tuple(partial(_sun, rays_and_core=one) for one in _SUNS), (_RED, _BLACK)),
        "arms": (
            tuple(partial(_drawing, parts=parts) for parts in (_FLEUR, _ANCHOR, _SHIELD)),
            (_BLUE, _BLACK),
        ),
        "crowns": ((_crown, partial(_crown, points=5)), (_GREEN, _YELLOW, _BLACK)),
        "null": ((partial(_drawing, parts=()),), (_BLACK,)),
        "ace": (
            (partial(_drawing, parts=_SPIRAL), partial(_lines, lines=_LETTER_A, width=_ACE_WIDTH)),
            (_BLACK,),
        ),
    }
    for number, lines in _NUMBERS.items():
        suits[number] = (
            tuple(partial(_lines, lines=lines, width=width) for width in _NUMBER_WIDTHS),
            (_BLACK,),
        )
    return MappingProxyType(
        {
            name: tuple(
                _drawn(stamp, colour, size)
                for stamp in stamps
                for colour in colours
                for size in _SIZES
            )
            for name, (stamps, colours) in suits.items()
        }
    )


def _drawn(stamp: Stamp, colour: tuple[int, int, int], size: float) -> FacePatch:
    """Draw a face: the symbol stamped in a colour on a cream disc."""
    mask = np.zeros((_SIDE, _SIDE), dtype=np.uint8)
    stamp(mask)
    grow = np.array(
        [[size, 0, (1 - size) * _SIDE / 2], [0, size, (1 - size) * _SIDE / 2]], dtype=np.float64
    )
    share = (
        cv2.resize(
            cv2.warpAffine(mask, grow, (_SIDE, _SIDE)),
            (STORED_PX, STORED_PX),
            interpolation=cv2.INTER_AREA,
        ).astype(np.float32)[..., None]
        / 255
    )
    bgr = (
        np.asarray(_CREAM, dtype=np.float32) * (1 - share)
        + np.asarray(colour, dtype=np.float32) * share
    )
    return FacePatch(np.asarray(bgr, dtype=np.float32), _SEEN_PX)


def _fill(mask: Picture, outline: Outline, value: int = 255) -> None:
    """Fill an outline given in units of the symbol's half height, y up."""
    at = np.array(
        [[_SIDE / 2 + x * _REACH * _RADIUS, _SIDE / 2 - y * _REACH * _RADIUS] for x, y in outline]
    )
    cv2.fillPoly(mask, [np.rint(at).astype(np.int32)], value)


def _stroke(mask: Picture, line: Outline, width: float) -> None:
    """Draw a line. The line's points and its width are in units of the symbol's half height."""
    at = np.array(
        [[_SIDE / 2 + x * _REACH * _RADIUS, _SIDE / 2 - y * _REACH * _RADIUS] for x, y in line]
    )
    cv2.polylines(
        mask, [np.rint(at).astype(np.int32)], False, 255, max(1, round(width * _REACH * _RADIUS))
    )


def _arc(x: float, y: float, radius: float, begin_deg: float, end_deg: float) -> Outline:
    """Return points along a circle's arc."""
    angles = np.radians(np.linspace(begin_deg, end_deg, 40))
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


def _drawing(mask: Picture, parts: tuple[Part, ...]) -> None:
    """Draw the parts of a symbol."""
    for line, width in parts:
        if width is None:
            _fill(mask, line)
        else:
            _stroke(mask, line, width)


def _lines(mask: Picture, lines: tuple[Outline, ...], width: float) -> None:
    """Draw a character from strokes of one width."""
    _drawing(mask, tuple((line, width) for line in lines))


def _moon(mask: Picture) -> None:
    """Draw a crescent."""
    _fill(mask, _arc(0, 0, 1, 0, 360))
    _fill(mask, _arc(*_MOON_HOLE, 0, 360), 0)


def _sun(mask: Picture, rays_and_core: tuple[int, float]) -> None:
    """Draw a disc with pointed rays. `_RAYS` says how wide the rays are and how far from the middle
    they begin.
    """
    rays, core = rays_and_core
    _fill(mask, _arc(0, 0, core, 0, 360))
    for number in range(rays):
        angle, half = 2 * math.pi * number / rays, _RAYS[0] * math.pi / rays
        foot = core * _RAYS[1]
        _fill(
            mask,
            [
                (foot * math.cos(angle + side * half), foot * math.sin(angle + side * half))
                for side in (-1, 1)
            ]
            + [(math.cos(angle), math.sin(angle))],
        )


def _crown(mask: Picture, points: int = 3) -> None:
    """Draw a crown: a band, and points above it."""
    (side, high, low), outline = _POINTS, list(_HEAD)
    _fill(mask, _BAND)
    for number in range(points):
        middle = -side + 2 * side * number / (points - 1)
        outline.append((middle, high))
        if number < points - 1:
            outline.append((middle + side / (points - 1), low))
    _fill(mask, outline)


def _spiral() -> Outline:
    """Return a spiral of three turns that ends at a distance of 1."""
    turns = np.linspace(0, 6 * math.pi, 200)
    return [(a / turns[-1] * math.cos(a), a / turns[-1] * math.sin(a)) for a in turns.tolist()]


# The drawings, in units of a symbol's half height. Chosen: as piecepacks show them.

_MOON_HOLE: Final = (0.45, 0.05, 0.82)
_SUNS: Final = ((12, 0.6), (8, 0.5))
_RAYS: Final = (0.55, 1.05)
_FLEUR: Final[tuple[Part, ...]] = (
    # A pointed petal, a curled petal on either side, a foot, and a band.
    (
        [(0, 1), (0.22, 0.55), (0.25, 0.2), (0.1, -0.2), (-0.1, -0.2), (-0.25, 0.2), (-0.22, 0.55)],
        None,
    ),
    ([(-0.1, -0.2), (-0.3, 0.25), (-0.6, 0.4), (-0.78, 0.2), (-0.7, -0.05)], 0.26),
    ([(0, -0.3), (-0.4, -0.75), (-0.05, -0.6), (0, -0.95)], None),
    ([(0.1, -0.2), (0.3, 0.25), (0.6, 0.4), (0.78, 0.2), (0.7, -0.05)], 0.26),
    ([(0, -0.3), (0.4, -0.75), (0.05, -0.6), (0, -0.95)], None),
    ([(-0.45, -0.22), (0.45, -0.22)], 0.16),
)
_ANCHOR: Final[tuple[Part, ...]] = (
    (_arc(0, 0.78, 0.18, 0, 360), 0.12),
    ([(0, 0.6), (0, -0.9)], 0.18),
    ([(-0.42, 0.4), (0.42, 0.4)], 0.16),
    (_arc(0, -0.15, 0.75, 200, 340), 0.18),
)
_SHIELD: Final[tuple[Part, ...]] = (
    ([(-0.8, 0.9), (0.8, 0.9), (0.8, 0.0), (0.5, -0.6), (0, -1), (-0.5, -0.6), (-0.8, 0.0)], None),
)
_BAND: Final[Outline] = [(-0.75, -0.75), (0.75, -0.75), (0.75, -0.5), (-0.75, -0.5)]
_HEAD: Final[Outline] = [(0.7, -0.4), (-0.7, -0.4)]
_POINTS: Final = (0.85, 0.7, 0.05)
_SPIRAL: Final[tuple[Part, ...]] = (([(0.9 * x, 0.9 * y) for x, y in _spiral()], 0.12),)
_ACE_WIDTH: Final = 0.22
_NUMBER_WIDTHS: Final = (0.2, 0.34)
_LETTER_A: Final[tuple[Outline, ...]] = (
    [(-0.7, -0.95), (0, 0.95), (0.7, -0.95)],
    [(-0.45, -0.3), (0.45, -0.3)],
)
_NUMBERS: Final[Mapping[str, tuple[Outline, ...]]] = {
    "2": ([*_arc(0, 0.42, 0.48, 165, -40), (-0.5, -0.88), (0.6, -0.88)],),
    "3": (_arc(0, 0.45, 0.44, 155, -80), _arc(0, -0.42, 0.5, 85, -150)),
    "4": ([(0.25, -0.95), (0.25, 0.9), (-0.65, -0.35), (0.65, -0.35)],),
    "5": ([(0.5, 0.88), (-0.32, 0.88), (-0.4, 0.05), *_arc(0, -0.36, 0.55, 130, -150)],),
}
