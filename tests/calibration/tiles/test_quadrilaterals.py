"""Squares are found in drawn pictures, also where a cloth's own squares outnumber them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.tiles.quadrilaterals import find_quads, find_quads_by_colour

Picture = NDArray[np.uint8]
Corners = NDArray[np.float64]
SIDE_PX = 42.0
PLACES = ((120, 110, 8.0), (300, 90, -20.0), (480, 150, 33.0), (170, 290, 0.0), (390, 330, 14.0))


def corners_of(x: float, y: float, turn_deg: float) -> Corners:
    return np.asarray(cv2.boxPoints(((x, y), (SIDE_PX, SIDE_PX), turn_deg)), dtype=np.float64)


def with_tiles(
    table: NDArray[np.float64],
    colour: tuple[int, int, int],
    cross: tuple[int, int, int] = (120, 150, 170),
) -> Picture:
    """Draw tiles with a cross upon a table (h, w, 3), blurred and with noise."""
    fine = 4
    picture = cv2.resize(table, None, fx=fine, fy=fine, interpolation=cv2.INTER_NEAREST)
    for place in PLACES:
        corners = corners_of(*place) * fine
        cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], colour)
        for k in (0, 1):
            ends = [(corners[k] + corners[k + 1]) / 2, (corners[k + 2] + corners[(k + 3) % 4]) / 2]
            cv2.line(picture, *(tuple(np.rint(e).astype(int).tolist()) for e in ends), cross, 5)
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.8 * fine)
    small = cv2.resize(blurred, None, fx=1 / fine, fy=1 / fine, interpolation=cv2.INTER_AREA)
    return np.clip(small + np.random.default_rng(5).normal(0, 2, small.shape), 0, 255).astype(
        np.uint8
    )


def cheques() -> NDArray[np.float64]:
    """Return a cloth whose cheques are white, pink and red, about three quarters of a tile wide."""
    y, x = np.mgrid[0:440, 0:620]
    shade = (x // 33) % 2 + (y // 33) % 2
    cloth = np.empty((440, 620, 3))
    for number, colour in enumerate(((228, 228, 230), (140, 140, 215), (40, 35, 175))):
        cloth[shade == number] = colour
    return cloth


def flowers() -> NDArray[np.float64]:
    """Return a pale grey cloth with magenta flowers over a third of it."""
    random = np.random.default_rng(4)
    cloth = np.full((440, 620, 3), (190.0, 195.0, 195.0))
    for x, y, radius in random.uniform((0, 0, 8), (620, 440, 13), (300, 3)).astype(int).tolist():
        cv2.circle(cloth, (x, y), radius, (190, 20, 200), -1, cv2.LINE_AA)
    return cloth


def off_px(found: Corners, true: Corners) -> float:
    """Return how far the corners are off in the mean, in whichever order they come."""
    return float(np.linalg.norm(found[:, None] - true[None], axis=2).min(axis=1).mean())


def at_place(quads: list[Corners], place: tuple[float, float, float]) -> list[Corners]:
    return [q for q in quads if np.hypot(*(q.mean(axis=0) - place[:2])) < 0.3 * SIDE_PX]


@pytest.mark.parametrize("place", PLACES)
def test_a_tile_on_a_plain_table_is_found(place: tuple[float, float, float]) -> None:
    quads = find_quads(with_tiles(np.full((440, 620, 3), (90.0, 130.0, 170.0)), (40, 60, 85)))
    (found,) = at_place(quads, place)
    assert off_px(found, corners_of(*place)) < 2


def test_the_tiles_on_a_chequered_cloth_are_told_from_its_cheques_by_their_colour() -> None:
    lists = find_quads_by_colour(with_tiles(cheques(), (40, 60, 85)))
    tiles = [quads for quads in lists if any(at_place(quads, place) for place in PLACES)]
    best = max(tiles, key=lambda quads: sum(bool(at_place(quads, place)) for place in PLACES))
    for place in PLACES:
        true = corners_of(*place)
        assert min(off_px(found, true) for found in at_place(best, place)) < 4
    # hardly anything else has their colour
    assert sum(not any(at_place([quad], place) for place in PLACES) for quad in best) <= 2
