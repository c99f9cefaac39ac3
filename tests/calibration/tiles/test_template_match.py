"""Aligning faces with each other: an error that all tiles share must not grow."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.lens.camera import Camera, TableView
from calibration.tile_places.common_offset import shifted_alike
from calibration.tile_places.moved_tiles import laid_most_alike, moved_where_alike
from calibration.tiles import template_match
from calibration.tiles.bundle import adjust
from calibration.tiles.rims import even_light
from calibration.tiles.template_match import common_face as face_of
from calibration.tiles.template_match import find_alike, lay_over, lay_over_itself, rims_by_template
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

PX_PER_MM = 1.5
HEIGHT_MM = 800.0
SIZES = PieceSizes(50.8, 5.0, 22.0, 4.0)
VIEW = TableView(
    Camera(1200, 700, PX_PER_MM * HEIGHT_MM, PX_PER_MM * HEIGHT_MM, 600.0, 350.0),
    np.diag([1.0, -1.0, -1.0]),
    np.array([0.0, 0.0, HEIGHT_MM]),
)
#: How the tiles truly lie: turned by at most as much as hands do, 0.1 degrees on average.
TURNS_DEG = (1.0, -1.5, 0.4, 2.0, -0.9, -0.4)
TILES = {
    f"tile-{k}": Tile((-250.0 + 250.0 * (k % 3), -80.0 + 160.0 * (k // 3)), turn)
    for k, turn in enumerate(TURNS_DEG)
}


def picture() -> np.ndarray:
    """Draw tiles' backs from straight above, each with its cross, its border and a spot of its
    own.
    """
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
        step = np.array(
            [[np.cos(turn) * k, np.sin(turn) * k], [-np.sin(turn) * k, np.cos(turn) * k]]
        )
        there = np.array([600 + tile.centre_mm[0] * scale, 350 - tile.centre_mm[1] * scale])
        cv2.warpAffine(
            face,
            np.column_stack((step, there - step @ [middle, middle])),
            (1200, 700),
            gray,
            cv2.INTER_AREA,
            cv2.BORDER_TRANSPARENT,
        )
    return (
        cv2.GaussianBlur(gray + rng.normal(0, 2, gray.shape).astype(np.float32), (0, 0), 0.7)
        .clip(0, 255)
        .astype(np.uint8)
    )


@pytest.mark.parametrize("wrong_deg", [-2.0, 0.0, 2.0])
def test_a_turn_that_all_tiles_are_wrong_by_is_taken_back_and_does_not_grow(
    wrong_deg: float,
) -> None:
    light = even_light(picture())
    tiles = {
        name: replace(tile, rotation_deg=tile.rotation_deg + wrong_deg)
        for name, tile in TILES.items()
    }
    view = VIEW
    for _ in range(6):
        adjusted = adjust(view, tiles, rims_by_template([light], view, tiles, SIZES), SIZES)
        view, tiles = adjusted.view, dict(adjusted.tiles)
    assert sorted(tiles) == sorted(TILES)
    found, true = (
        np.array([complex(*each[name].centre_mm) for name in TILES]) for each in (tiles, TILES)
    )
    frame = np.vdot(true, found) / np.vdot(true, true)  # the whole frame may have turned
    assert found / frame == pytest.approx(true, abs=0.3)
    for name, tile in TILES.items():
        turned_deg = tile.rotation_deg + float(np.degrees(np.angle(frame)))
        assert tiles[name].rotation_deg == pytest.approx(turned_deg, abs=0.5)


def test_where_too_few_tiles_are_seen_none_is_known_to_be_alike() -> None:
    two = dict(list(TILES.items())[:2])
    assert rims_by_template([even_light(picture())], VIEW, two, SIZES) == {}


def leaning_view() -> TableView:
    """Return a camera that is tilted by 40 degrees and has a lens with strong distortion."""
    lean = np.radians(40.0)
    turn = np.array(
        [[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]]
    ) @ np.diag([1.0, -1.0, -1.0])
    return TableView(
        Camera(1200, 800, 1300.0, 1300.0, 600.0, 400.0, (-0.3, 0.15, 0.002, -0.002, 0.0)),
        turn,
        np.array([0.0, 0.0, 900.0]),
    )


@pytest.mark.parametrize("width", [1.0, 3.0])
def test_a_face_is_seen_where_each_of_its_points_is_projected(width: float) -> None:
    view, tile = leaning_view(), Tile((230.0, -90.0), 17.0)
    at = np.arange(-width / 2, width / 2 + 1e-9, 0.01) * SIZES.tile_mm
    x, y = np.meshgrid(at, at)
    cos, sin = np.cos(np.radians(17.0)), np.sin(np.radians(17.0))
    points = np.stack(
        (
            230.0 + cos * x - sin * y,
            -90.0 + sin * x + cos * y,
            np.full(x.shape, SIZES.tile_thickness_mm),
        ),
        axis=-1,
    )
    each = view.to_image(points.reshape(-1, 3)).reshape(*x.shape, 2)
    assert np.abs(template_match._seen_at(view, tile, SIZES, width) - each).max() < 1e-3


def test_a_face_laid_flat_is_right_to_its_corners_also_through_a_bent_lens_and_aslant() -> None:
    """The picture of a tilted camera with a distorting lens is computed pixel by pixel from the
    picture from straight above. The tiles are at the same places.
    """
    bent = leaning_view()
    columns, rows = np.meshgrid(np.arange(1200.0), np.arange(800.0))
    behind = bent.to_table(
        np.column_stack((columns.ravel(), rows.ravel())), SIZES.tile_thickness_mm
    )
    above = (
        VIEW.to_image(np.column_stack((behind, np.full(len(behind), SIZES.tile_thickness_mm))))
        .astype(np.float32)
        .reshape(800, 1200, 2)
    )
    seen = cv2.remap(
        picture(), above[..., 0], above[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    light = even_light(np.asarray(seen, dtype=np.uint8))
    face = face_of(light, bent, TILES, SIZES)
    assert face is not None
    for tile in TILES.values():
        wrong = replace(
            tile,
            centre_mm=(tile.centre_mm[0] + 0.8, tile.centre_mm[1] - 0.6),
            rotation_deg=tile.rotation_deg + 1.0,
        )
        for laid in (
            lay_over(light, bent, wrong, SIZES, face),
            lay_over_itself(light, bent, tile, SIZES),
        ):
            assert laid is not None and laid[1] > 0.8
            assert laid[0].centre_mm == pytest.approx(tile.centre_mm, abs=0.2)
            assert laid[0].rotation_deg == pytest.approx(tile.rotation_deg, abs=0.4)
        far = replace(
            tile,
            centre_mm=(tile.centre_mm[0] + 14.0, tile.centre_mm[1] - 9.0),
            rotation_deg=tile.rotation_deg + 5.0,
        )
        alike, found = find_alike(light, bent, far, SIZES, 16.0, face)
        assert alike > 0.7
        assert found.centre_mm == pytest.approx(tile.centre_mm, abs=1.0)
        assert found.rotation_deg == pytest.approx(tile.rotation_deg, abs=2.5)


@pytest.mark.parametrize("off_mm", [(0.0, 6.0), (0.0, -8.0), (7.0, 7.0), (0.0, -25.4), (25.0, 1.0)])
def test_a_tile_whose_lines_lie_upon_the_wrong_lines_of_the_others_finds_its_place(off_mm) -> None:
    """So far beside its place, a border is matched with another tile's wall or cross."""
    light = even_light(picture())
    face = face_of(light, VIEW, TILES, SIZES)
    assert face is not None
    for tile in TILES.values():
        beside = replace(
            tile, centre_mm=(tile.centre_mm[0] + off_mm[0], tile.centre_mm[1] + off_mm[1])
        )
        found = laid_most_alike(light, VIEW, beside, SIZES, face)
        assert found is not None and found[1] > 0.8
        assert found[0].centre_mm == pytest.approx(tile.centre_mm, abs=0.3)


def test_only_a_tile_that_does_not_look_like_the_others_is_moved_to_where_it_does() -> None:
    light = even_light(picture())
    x, y = TILES["tile-2"].centre_mm
    tiles = {**TILES, "tile-2": replace(TILES["tile-2"], centre_mm=(x + 2.0, y - 11.0))}
    moved = moved_where_alike(light, VIEW, tiles, SIZES, {"tile-0"})
    assert moved["tile-2"].centre_mm == pytest.approx((x, y), abs=0.3)
    assert {n: t for n, t in moved.items() if n != "tile-2"} == {
        n: t for n, t in TILES.items() if n != "tile-2"
    }
    # what shows another face is no reason to move it
    assert moved_where_alike(light, VIEW, tiles, SIZES, {"tile-2"}) == tiles


def test_a_tile_is_not_moved_by_half_its_width_onto_another_one() -> None:
    """In a row of tiles that touch, the half of two neighbours looks like a tile."""
    light = even_light(picture())
    face = face_of(light, VIEW, TILES, SIZES)
    assert face is not None
    for tile in TILES.values():
        beside = replace(tile, centre_mm=(tile.centre_mm[0] + 25.4, tile.centre_mm[1]))
        found = laid_most_alike(light, VIEW, beside, SIZES, face, {"neighbour": tile})
        assert found is None or found[0].centre_mm[0] > tile.centre_mm[0] + 12.0


@pytest.mark.parametrize("off_mm", [(0.0, 0.0), (4.5, 0.0), (-3.0, 6.0)])
def test_tiles_that_are_all_off_by_the_same_way_are_found_alike_again(off_mm) -> None:
    """Each is turned a little besides, as hands lay them. A place is tried at every millimetre."""
    light = even_light(picture())
    off = {
        name: replace(
            tile,
            centre_mm=(tile.centre_mm[0] + off_mm[0], tile.centre_mm[1] + off_mm[1]),
            rotation_deg=0.0,
        )
        for name, tile in TILES.items()
    }
    found = shifted_alike(light, VIEW, off, SIZES)
    for name, tile in found.items():
        assert tile.centre_mm == pytest.approx(TILES[name].centre_mm, abs=0.9)


def bleached(
    view: TableView, tiles: dict[str, Tile], near_wall: int = 40, thick_mm: float = 5.0
) -> np.ndarray:
    """Draw bleached tiles and stacks: faces and walls are white but for the near walls, which lie
    in shadow.
    """
    large = np.full((4 * 700, 4 * 1200), 110, dtype=np.uint8)
    half = SIZES.tile_mm / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    for tile in tiles.values():
        turn = np.radians(tile.rotation_deg)
        way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = half @ way + np.array(tile.centre_mm)
        solid = np.concatenate(
            [np.column_stack((corners, np.full(4, z))) for z in (0.0, tile.stack * thick_mm)]
        )
        seen = (view.to_image(solid) + 0.5) * 4 - 0.5
        for corner_numbers, value in ((range(8), 255), ((0, 1, 4, 5), near_wall)):
            hull = cv2.convexHull(seen[list(corner_numbers)].astype(np.float32))
            cv2.fillConvexPoly(large, np.round(hull * 16).astype(np.int32), value, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(
        cv2.resize(large, (1200, 700), interpolation=cv2.INTER_AREA), (0, 0), 0.8
    )


def slanting_view() -> TableView:
    """The view of a camera 900 mm above the table and 520 mm before its middle."""
    position, ahead = np.array([0.0, -520.0, 900.0]), np.array([0.0, 0.5, -0.866])
    rows = np.stack(((1.0, 0.0, 0.0), np.cross(ahead, (1.0, 0.0, 0.0)), ahead))
    return TableView(Camera(1200, 700, 1200.0, 1200.0, 600.0, 350.0), rows, -rows @ position)


def out_of_shape_mm(tiles: dict[str, Tile]) -> float:
    """How far the tiles lie from where they truly lie, as root mean square, after the shift, the
    turn and the enlargement that fit best.
    """
    found, true = (
        np.array([complex(*of[name].centre_mm) for name in TILES]) for of in (tiles, TILES)
    )
    found, true = found - found.mean(), true - true.mean()
    factor = np.vdot(found, true) / np.vdot(found, found)
    return float(np.sqrt(np.mean(np.abs(true - factor * found) ** 2)))


@pytest.mark.parametrize("lean_deg", [-4.0, 4.0])
def test_tiles_whose_walls_look_like_their_faces_still_show_that_a_view_leans(lean_deg) -> None:
    # Nothing but grain is on the faces, and all walls are about as bright as they are, so that the
    # edges with a wall are not seen. A view in which the table leans puts the tiles out of shape.
    sizes = replace(SIZES, tile_thickness_mm=8.0)
    true = slanting_view()
    lean, _ = cv2.Rodrigues(np.radians([lean_deg, 0.0, 0.0]))
    view = replace(true, R_camera_table=true.R_camera_table @ lean)
    grain = np.random.default_rng(3).normal(0.0, 6.0, (700, 1200))
    walled = bleached(true, TILES, near_wall=250, thick_mm=8.0) * 0.8
    light = even_light((walled + grain).clip(0, 255).astype(np.uint8))
    tiles = {}
    for name, tile in TILES.items():
        x, y = view.to_table(true.to_image(np.array([[*tile.centre_mm, 8.0]])), 8.0)[0]
        tiles[name] = replace(tile, centre_mm=(float(x), float(y)))
    before_mm = out_of_shape_mm(tiles)
    for _ in range(4):
        adjusted = adjust(view, tiles, rims_by_template([light], view, tiles, sizes), sizes)
        view, tiles = adjusted.view, dict(adjusted.tiles)
    assert before_mm > 3.0
    assert out_of_shape_mm(tiles) < 0.7 * before_mm


def test_a_bleached_wall_does_not_draw_a_stack_to_itself() -> None:
    # The camera is 900 mm above the table, 520 mm before its middle. It sees the near walls of
    # all tiles, and of the stack on the left, 420 mm beside it, the right wall as well: 15 mm high
    # and 420/900 of that wide. The stack's silhouette is so much wider than its face.
    view = slanting_view()
    tiles = {"stack": Tile((-420.0, 20.0), 1.0, 3), **TILES}
    light = even_light(bleached(view, tiles))
    edges = rims_by_template([light], view, tiles, SIZES)["stack"]
    turn = np.radians(tiles["stack"].rotation_deg)
    for edge in edges:
        away = np.radians(90 * edge.side) + turn
        beyond = np.subtract(edge.point_mm, tiles["stack"].centre_mm) @ (np.cos(away), np.sin(away))
        assert abs(beyond - SIZES.tile_mm / 2) < 1.0
    assert {edge.side for edge in edges} == {1, 2, 3}
