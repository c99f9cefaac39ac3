"""When a tile is moved to where the colours of tiles are seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.tile_places.moved_tiles import where_their_colours_are
from calibration.tiles.rims import even_light
from tests.calibration.tiles.test_template_match import SIZES, TILES, VIEW, picture


@pytest.mark.parametrize("tint", [(60, 0, -60), (0, 0, 0)], ids=["blue", "of the tiles' colour"])
def test_a_tile_that_lies_half_on_a_printed_square_is_moved_off_it(tint) -> None:
    """A printed square as light as the tiles adjoins one. Half of it and half of the tile look much
    like a tile in grey, but one half has another colour.
    """
    grey = picture()
    x, y = TILES["tile-4"].centre_mm
    corners = [(x + dx, y + dy, SIZES.tile_thickness_mm) for dx in (-26, 26) for dy in (25, 77)]
    left, top = np.round(VIEW.to_image(np.array(corners)).min(axis=0)).astype(int)
    right, low = np.round(VIEW.to_image(np.array(corners)).max(axis=0)).astype(int)
    print_ = grey[top:low, left:right]
    print_[:] = 200
    middle = (right - left) // 2
    print_[:, middle - 2 : middle + 2] = 110
    print_[3:6], print_[:, 3:6], print_[:, -6:-3] = 110, 110, 110
    still = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR).astype(np.int16)
    still[top:low, left:right] += np.array(tint, np.int16)
    light = even_light(grey)
    half_on = replace(TILES["tile-4"], centre_mm=(x, y + 25.4))
    tiles = {**TILES, "tile-4": half_on}
    bgr = np.clip(still, 0, 255).astype(np.uint8)
    moved = where_their_colours_are(bgr, light, VIEW, tiles, SIZES, ())
    assert {n: t for n, t in moved.items() if n != "tile-4"} == {
        n: t for n, t in TILES.items() if n != "tile-4"
    }
    # a search by edges is accurate to a millimetre or two
    expected = (x, y) if any(tint) else half_on.centre_mm
    assert moved["tile-4"].centre_mm == pytest.approx(expected, abs=2.0)
    # what shows another face is no reason to move it
    assert where_their_colours_are(bgr, light, VIEW, tiles, SIZES, {"tile-4"}) == tiles


@pytest.mark.parametrize(
    ("aside_mm", "half_mm"), [((-13.0, 13.0), (9.0, 9.0)), ((13.0, 0.0), (12.5, 25.0))]
)
def test_a_tile_with_something_coloured_on_it_stays(
    aside_mm: tuple[float, float], half_mm: tuple[float, float]
) -> None:
    """Half a tile aside, half of its face and the table have no other colour."""
    grey = picture()
    x, y = np.array(TILES["tile-4"].centre_mm) + aside_mm
    corners = [(x + k * half_mm[0], y + k * half_mm[1], 5.0) for k in (-1, 1)]
    (left, low), (right, top) = np.rint(VIEW.to_image(np.array(corners))).astype(int)
    still = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    still[top:low, left:right] = (40, 40, 200)
    light = even_light(still)
    assert where_their_colours_are(still, light, VIEW, TILES, SIZES, ()) == TILES
