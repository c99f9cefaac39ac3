"""Finding the table's edge in drawn pictures: seams between boards are no edge, and a floor is
found although many of its specks have the table's colour.
"""

import cv2
import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.table_edge.edge_finding import find_edge
from calibration.tiles.rims import even_light
from referee.domain.layout import Tile

HEIGHT_MM = 800.0
TILE_MM = 50.0
VIEW = TableView(
    Camera(1400, 900, HEIGHT_MM, HEIGHT_MM, 700.0, 450.0),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, HEIGHT_MM]),
)  # 1 px per mm, from straight above
TILES = [Tile((x, y), 0.0) for x in (-280.0, 0.0, 280.0) for y in (-200.0, 200.0)]
BOARD_MM = 140
LEFT_MM, RIGHT_MM, HALF_MM = -630, 490, 380  # where the table ends; it is 760 mm deep


def boards(tones: list[float]) -> np.ndarray:
    """Draw a table of eight boards, from left to right as light as `tones` say, on a dark floor."""
    rng = np.random.default_rng(4)
    picture = rng.normal(70.0, 12.0, (900, 1400, 1)) * np.ones(3)
    for k, tone in enumerate(tones):
        low = 700 + LEFT_MM + k * BOARD_MM
        grain = rng.normal(1.0, 0.05, (1, BOARD_MM, 1)) * rng.normal(1.0, 0.02, (760, BOARD_MM, 1))
        board = np.array([126.0, 140.0, 150.0]) * tone * grain
        board[:, :2] *= 0.5  # the seam
        picture[450 - HALF_MM : 450 + HALF_MM, low : low + BOARD_MM] = board
    return photographed(picture)


def speckled_floor() -> np.ndarray:
    """Draw a grey table that is darker towards the right, on a floor of grey specks. A third of
    the specks are as light as a part of the table.
    """
    rng = np.random.default_rng(7)
    specks = cv2.GaussianBlur(rng.normal(0.0, 1.0, (900, 1400)), (0, 0), 3.0)
    picture = (76.0 + 26.0 * specks / specks.std())[..., None] * np.ones(3)
    across = np.linspace(130.0, 90.0, RIGHT_MM - LEFT_MM)[None, :, None] * np.ones((760, 1, 3))
    picture[450 - HALF_MM : 450 + HALF_MM, 700 + LEFT_MM : 700 + RIGHT_MM] = across
    return photographed(picture)


def photographed(table: np.ndarray) -> np.ndarray:
    """Return the picture of a table with the tiles on it."""
    picture = table.copy()
    for tile in TILES:
        x, y = 700 + int(tile.centre_mm[0]), 450 - int(tile.centre_mm[1])
        cv2.rectangle(picture, (x - 25, y - 25), (x + 25, y + 25), (60, 80, 120), -1)
    return cv2.GaussianBlur(picture, (0, 0), 0.8).clip(0, 255).astype(np.uint8)


@pytest.mark.parametrize("outermost", [0.86, 1.0, 1.16])
def test_a_seam_beside_a_lighter_or_darker_board_is_no_edge(outermost: float) -> None:
    picture = boards([outermost, 1.0, 0.97, 1.03, 0.95, 1.02, 0.98, outermost])
    assert {0, 2} <= sides_found(picture)


def test_a_floor_is_found_although_a_third_of_its_specks_look_like_the_table() -> None:
    assert sides_found(speckled_floor()) == {0, 1, 2, 3}


def sides_found(picture: np.ndarray) -> set[int]:
    """Return which sides are found, having asserted that each lies where the table ends."""
    edge = find_edge(picture, even_light(picture), VIEW, TILES, TILE_MM)
    ends = {0: (1, -HALF_MM), 1: (0, RIGHT_MM), 2: (1, HALF_MM), 3: (0, LEFT_MM)}
    found = {k: side for k, side in enumerate(edge) if side.to_share > side.from_share}
    for k, side in found.items():
        axis, true_mm = ends[k]
        assert side.begin_mm[axis] == pytest.approx(true_mm, abs=4.0)
        assert side.end_mm[axis] == pytest.approx(true_mm, abs=4.0)
    return set(found)
