"""Planes and joint adjustment compared with exactly known geometry."""

import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.tiles.bundle import Rim, SeenSide, adjust
from calibration.tiles.plane import find_planes, guess_camera, size_groups, without_overlaps
from referee.domain.geometry import square_corners
from referee.domain.layout import Tile, template_course
from referee.domain.pieces import PieceSizes

SIZES = PieceSizes(50.8, 5.0, 22.0, 4.0)
LENS = Camera(1280, 720, 914.0, 914.0, 642.7, 357.1, (-0.1, 0.03, 0.0006, -0.0004, 0.0))


def looking_down(tilt_deg: float, camera: Camera = LENS, away_mm: float = 950.0) -> TableView:
    tilt = np.radians(tilt_deg)
    z = np.array([0.0, -np.sin(tilt), -np.cos(tilt)])
    x = np.array([1.0, 0.0, 0.0])
    rotation = np.column_stack((x, np.cross(z, x), z))
    return TableView(
        camera, rotation, np.array([0.0, 0.0, away_mm]) - rotation @ np.array([610.0, 0.0, 0.0])
    )


def faces(view: TableView, height_mm: float = 0.0) -> list[np.ndarray]:
    quads = []
    for k, tile in enumerate(template_course("tabletop-croquet", 50.8).tiles.values()):
        corners = np.array(square_corners(tile.centre_mm, 50.8, 3.0 * (k % 5) - 6.0))[::-1]
        quads.append(view.to_image(np.column_stack((corners, np.full(4, height_mm)))))
    return quads


@pytest.mark.parametrize("tilt", [3.0, 20.0, 45.0])
def test_the_plane_is_where_all_are_squares_of_one_size(tilt: float) -> None:
    view = looking_down(tilt)
    plane = find_planes(faces(view), LENS, 50.8)[0]
    assert len(plane.members) == 20
    assert plane.view.R_camera_table[:, 2] == pytest.approx(view.R_camera_table[:, 2], abs=2e-3)
    assert plane.view.position_mm[2] == pytest.approx(view.position_mm[2], rel=2e-3)


def test_two_squares_are_no_plane() -> None:
    assert find_planes(faces(looking_down(20.0))[:2], LENS, 50.8) == []


def cheques(view: TableView, side_mm: float) -> list[np.ndarray]:
    """Return the squares of a cloth (14 x 8) on the plane of tiles' faces."""
    quads = []
    for x in np.arange(14) * 2 * side_mm - 13 * side_mm:
        for y in np.arange(8) * 2 * side_mm - 7 * side_mm:
            corners = np.array(square_corners((float(x), float(y)), side_mm, 10.0))[::-1]
            quads.append(view.to_image(np.column_stack((corners, np.zeros(4)))))
    return quads


@pytest.mark.parametrize("seen", [3, 12])
def test_the_few_tiles_that_are_seen_on_a_cloth_of_cheques_are_squares_of_another_size(
    seen: int,
) -> None:
    view = looking_down(35.0)
    quads = [*cheques(view, 38.0), *faces(view)[:seen]]
    pattern = find_planes(quads, LENS, 50.8)[0]
    assert len(pattern.members) == 14 * 8
    groups = size_groups(quads, pattern.view, 50.8)
    tiles = tuple(range(14 * 8, 14 * 8 + seen))
    sized = [seen_from for seen_from, members in groups if members == tiles]
    assert sized
    for seen_from in sized:  # a group holds squares that differ from its size by up to 9 %
        assert seen_from.position_mm[2] == pytest.approx(view.position_mm[2], rel=0.09)
    # of a list that holds the tiles alone, the cloth's plane shows the same
    alone = size_groups(faces(view)[:seen], pattern.view, 50.8)
    assert {members for _, members in alone} == {tuple(range(seen))}


def test_of_squares_that_overlap_the_most_regular_one_is_kept() -> None:
    view = looking_down(35.0)
    regular = faces(view)[:4]
    skewed = [quad + np.array([[4.0, 0.0], [0.0, 3.0], [0.0, 0.0], [0.0, 0.0]]) for quad in regular]
    assert without_overlaps([*skewed, *regular], view, 50.8) == (4, 5, 6, 7)


def test_no_quadrilateral_on_the_plane_is_a_square() -> None:
    view = looking_down(35.0)
    assert size_groups([], view, 50.8) == []
    narrow = [quad * np.array([1.0, 0.3]) for quad in faces(view)]
    assert size_groups(narrow, view, 50.8) == []


def test_an_unknown_lens_is_guessed_from_tilted_squares() -> None:
    plain = Camera(1280, 720, 960.0, 960.0, 639.5, 359.5)
    guessed = guess_camera(faces(looking_down(40.0, plain)), 1280, 720)
    assert guessed.fx_px == pytest.approx(960.0, rel=0.2)


def rims_of(view: TableView, seen_from: TableView, tile: Tile) -> list[Rim]:
    """Return points of a tile's true edges, as they would be measured in another, wrong view."""
    height, rims = tile.stack * SIZES.tile_thickness_mm, []
    turn = np.radians(tile.rotation_deg)
    for side in range(4):
        normal = np.array([np.cos(turn + side * np.pi / 2), np.sin(turn + side * np.pi / 2)])
        along = np.array([-normal[1], normal[0]])
        for share in (-12.0, 12.0):
            spot = np.array(tile.centre_mm) + normal * 25.4 + along * share
            there = seen_from.to_table(view.to_image(np.array([[*spot, height]])), height)[0]
            rims.append(Rim(side, (there[0], there[1]), height, 0.9))
    return rims


def test_a_wrong_view_is_put_right_by_rims() -> None:
    view = looking_down(25.0)
    wrong = TableView(
        LENS,
        looking_down(26.5).R_camera_table,
        looking_down(26.5).t_camera_table_mm + np.array([3.0, -5.0, 20.0]),
    )
    course = template_course("tabletop-croquet", 50.8)
    tiles, rims = {}, {}
    for name, tile in course.tiles.items():
        height = tile.stack * SIZES.tile_thickness_mm
        there = wrong.to_table(view.to_image(np.array([[*tile.centre_mm, height]])), height)[0]
        tiles[name] = Tile(
            (float(there[0]) + 0.4, float(there[1]) - 0.3), tile.rotation_deg + 0.5, tile.stack
        )
        rims[name] = rims_of(view, wrong, tile)
    adjusted = adjust(wrong, tiles, rims, SIZES)
    names = list(course.tiles)
    for i, j in ((0, 1), (2, 15), (5, 18)):
        found = np.hypot(
            *np.subtract(adjusted.tiles[names[i]].centre_mm, adjusted.tiles[names[j]].centre_mm)
        )
        true = np.hypot(
            *np.subtract(course.tiles[names[i]].centre_mm, course.tiles[names[j]].centre_mm)
        )
        assert found == pytest.approx(true, abs=0.15)
    assert adjusted.view.position_mm[2] == pytest.approx(view.position_mm[2], abs=0.3)


def test_sides_nearly_square_are_taken_to_be_square() -> None:
    """The rims do not show the tilt, and the view is tilted by a degree. The rectangle corrects
    it.
    """
    view = looking_down(25.0)
    wrong = TableView(LENS, looking_down(25.8).R_camera_table, looking_down(25.8).t_camera_table_mm)
    outline = np.array([[-20.0, -380.0], [1240.0, -380.0], [1240.0, 380.0], [-20.0, 380.0]])
    sides = [SeenSide(k, view.to_image(outline[[k, (k + 1) % 4]])) for k in range(4)]
    tile = Tile((600.0, 0.0))
    rims = {"a": rims_of(wrong, wrong, tile)}
    adjusted = adjust(wrong, {"a": tile}, rims, SIZES, sides=sides)
    corners = adjusted.view.to_table(view.to_image(outline))
    steps = np.roll(corners, -1, axis=0) - corners
    bearings = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
    assert np.diff(bearings) % 360 == pytest.approx([90.0, 90.0, 90.0], abs=0.1)
