"""Faces laid over one another: what all tiles have in common must not wander off."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera import Camera, TableView
from calibration.likeness import align
from calibration.rims import even_light
from referee.layout import Tile
from referee.pieces import PieceSizes

PX_PER_MM = 1.5
HEIGHT_MM = 800.0
SIZES = PieceSizes(50.8, 5.0, 22.0, 4.0)
VIEW = TableView(Camera(1200, 700, PX_PER_MM * HEIGHT_MM, PX_PER_MM * HEIGHT_MM, 600.0, 350.0), np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, HEIGHT_MM]))
#: As they truly lie: turned by no more than hands do, 0.1 degrees on average.
TURNS_DEG = (1.0, -1.5, 0.4, 2.0, -0.9, -0.4)
TILES = {f"tile-{k}": Tile((-250.0 + 250.0 * (k % 3), -80.0 + 160.0 * (k // 3)), turn) for k, turn in enumerate(TURNS_DEG)}


def picture() -> np.ndarray:
    """Tiles' backs from straight above, each with its cross, its border and a smudge of its own."""
    rng = np.random.default_rng(5)
    gray = np.full((700, 1200), 120.0, dtype=np.float32)
    scale = HEIGHT_MM * PX_PER_MM / (HEIGHT_MM - SIZES.tile_thickness_mm)
    for tile in TILES.values():
        side = int(SIZES.tile_mm * 12)
        face = np.full((side, side), 210.0, dtype=np.float32)
        middle, inset = side // 2, (2 * 12)
        face[middle - 6 : middle + 6, :] = face[:, middle - 6 : middle + 6] = 90.0
        cv2.rectangle(face, (inset, inset), (side - inset, side - inset), 90.0, 12)
        x, y = rng.integers(side // 6, side // 2, 2)
        cv2.circle(face, (int(x), int(y)), side // 16, 150.0, -1)
        turn = np.radians(tile.rotation_deg)
        k = scale / 12
        step = np.array([[np.cos(turn) * k, np.sin(turn) * k], [-np.sin(turn) * k, np.cos(turn) * k]])
        there = np.array([600 + tile.centre_mm[0] * scale, 350 - tile.centre_mm[1] * scale])
        cv2.warpAffine(face, np.column_stack((step, there - step @ [middle, middle])), (1200, 700), gray, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return cv2.GaussianBlur(gray + rng.normal(0, 2, gray.shape).astype(np.float32), (0, 0), 0.7).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("wrong_deg", [-2.0, 0.0, 2.0])
def test_a_turn_that_all_tiles_are_wrong_by_is_taken_back_and_does_not_grow(wrong_deg: float) -> None:
    light = even_light(picture())
    tiles = {name: replace(tile, rotation_deg=tile.rotation_deg + wrong_deg) for name, tile in TILES.items()}
    for _ in range(6):
        tiles = align(light, VIEW, tiles, SIZES)
    assert sorted(tiles) == sorted(TILES)
    for name, true in TILES.items():
        assert tiles[name].rotation_deg == pytest.approx(true.rotation_deg, abs=0.5)
        assert tiles[name].centre_mm == pytest.approx(true.centre_mm, abs=0.3)
