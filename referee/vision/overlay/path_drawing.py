"""Draws the paths of one flick over a picture of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.palette import BLACK, BLUE, GREEN, PINK, RED, SKY, WHITE, YELLOW, Colour
from calibration.lens.fixed_point import SHIFT, fixed_point

Bytes = NDArray[np.uint8]
PointPx = tuple[float, float]

# The colours of the first, the second and each further disc.
COLOURS: Final = (RED, BLUE, GREEN, PINK, YELLOW, SKY)
DARKER: Final = 0.55  # Chosen: the picture is darkened to this share, so that paths stand out


def colour_of(coin_number: int) -> Colour:
    """Return the colour (blue, green, red) of a disc. Discs are numbered from 0."""
    return COLOURS[coin_number % len(COLOURS)]


def draw_paths(
    bgr: Bytes,
    paths_px: Mapping[str, Sequence[tuple[PointPx, bool]]],
    coins: Sequence[str],
    lines_px: Mapping[str, tuple[PointPx, PointPx]],
    radii_px: Mapping[str, float],
    lying_px: Mapping[str, PointPx],
) -> Bytes:
    """Return a picture, uint8 (h, w, 3), with paths drawn over it. A place of a path at which the
    disc was seen is a filled dot, any other place an empty dot. A thin circle marks where a disc
    began, a thick circle where it came to rest. `lying_px` are the places of discs that did not
    move; they get only their letter. `coins` are all discs, in the order of their colours.
    """
    drawn = np.asarray(bgr * DARKER, dtype=np.uint8)
    for begin, end in lines_px.values():
        cv2.line(drawn, _at(begin), _at(end), WHITE, 1, cv2.LINE_AA, SHIFT)
    for coin, places in paths_px.items():
        colour = colour_of(coins.index(coin))
        way = np.array([_at(at) for at, _ in places], dtype=np.int32)
        cv2.polylines(drawn, [way], False, colour, 2, cv2.LINE_AA, SHIFT)
        for at, seen in places:
            fill = cv2.FILLED if seen else 1
            cv2.circle(drawn, _at(at), 3 << SHIFT, colour, fill, cv2.LINE_AA, SHIFT)
        for (at, _), thick in ((places[0], 1), (places[-1], 3)):
            radius = int(fixed_point(radii_px[coin]))
            cv2.circle(drawn, _at(at), radius, colour, thick, cv2.LINE_AA, SHIFT)
        _write(drawn, coin, places[-1][0], radii_px[coin])
    for coin, at in lying_px.items():
        _write(drawn, coin, at, radii_px.get(coin, 0.0))
    return drawn


def save_picture(path: Path, bgr: Bytes) -> None:
    """Write a picture as PNG. Raises OSError if it cannot be written."""
    path.write_bytes(cv2.imencode(".png", bgr)[1].tobytes())


def _write(drawn: Bytes, text: str, at_px: PointPx, radius_px: float) -> None:
    """Write a disc's letter beside it."""
    x, y = round(at_px[0] + 1.2 * radius_px), round(at_px[1] - 0.6 * radius_px)
    for thickness, ink in ((5, BLACK), (2, WHITE)):
        cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.8, ink, thickness, cv2.LINE_AA)


def _at(at_px: PointPx) -> tuple[int, int]:
    x, y = fixed_point(at_px).tolist()
    return x, y
