"""The aces on the towers are read although the set's coins are drawn otherwise than its tiles."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.store.piece_store import FacePatch, PieceSet
from calibration.table.castle_order import castle_order
from calibration.table.tower_places import with_towers
from calibration.tiles.bundle import Adjusted
from calibration.tiles.field_error import FieldError
from calibration.tiles.outline_fit import Outlined, unlike_pictures
from calibration.tiles.rim_model import Common
from referee.domain.geometry import distance, square_corners
from referee.domain.layout import Tile
from referee.domain.pieces import GUARDS
from referee.synthetic.scenario.scene import Scene
from referee.vision.faces.builtin_faces import builtin_faces
from referee.vision.faces.tower_tops import order_log_likelihoods
from tests.calibration.table.test_castle_survey import castles, drawn, tops

CREAM = np.array((190.0, 220.0, 232.0), np.float32)


def painted(face: FacePatch) -> FacePatch:
    """Return a coin painted all over in its suit's colour, its mark left cream."""
    off = np.linalg.norm(face.bgr - CREAM, axis=2)
    colour = face.bgr[np.unravel_index(int(off.argmax()), off.shape)]
    mark = (off / off.max())[..., None]
    return replace(face, bgr=np.asarray(mark * CREAM + (1 - mark) * colour, np.float32))


def shown(*pictures: np.ndarray) -> dict[str, tuple[np.ndarray, ...]]:
    """Return pictures of every tower."""
    return dict.fromkeys(GUARDS, pictures)


def on_a_squared_cloth(picture: np.ndarray, scene: Scene, tower: Tile) -> np.ndarray:
    """Return the picture with white lines on the table around a tower, parallel to its sides. They
    are 5 mm wide and a tile apart.
    """
    tile_mm, height, width = scene.sizes.tile_mm, *picture.shape[:2]
    pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    turn = np.radians(tower.rotation_deg)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    at = (scene.view.to_table(pixels.astype(float)) - tower.centre_mm) @ rotation
    lines = ((at - 5.0) % tile_mm < 5.0).any(axis=1) & (np.abs(at) < 2.4 * tile_mm).all(axis=1)
    free = np.ones((height, width), np.uint8)
    for tile in scene.course.tiles.values():
        top_mm = tile.stack * scene.sizes.tile_thickness_mm
        corners = square_corners(tile.centre_mm, tile_mm + 3.0, tile.rotation_deg)
        ends = [(*corner, up) for corner in corners for up in (0.0, top_mm)]
        hull = cv2.convexHull(np.round(scene.view.to_image(np.array(ends))).astype(np.int32))
        cv2.fillConvexPoly(free, hull, 0)
    white = lines.reshape(height, width) & (free > 0)
    return np.where(white[..., None], np.uint8(230), picture)


def test_a_tower_on_a_cloth_of_squares_as_large_as_tiles_is_found_where_the_others_say() -> None:
    """All places at which four edges are seen best are 31 to 45 mm off: the squares' edges are
    clearer than the tower's.
    """
    scene = castles()
    true = tops(scene)["tower-suns"]
    picture = on_a_squared_cloth(drawn(scene), scene, true)
    singles = {name: tile for name, tile in scene.course.tiles.items() if tile.stack == 1}
    adjusted = Adjusted(scene.view, singles, 0.1, dict.fromkeys(singles, 0.1), FieldError())
    x, y = true.centre_mm
    near = {"tower-suns": replace(true, centre_mm=(x + 4.0, y - 3.0))}
    common = Common(0.0, 0.9, 1.8, 0.9)
    found = with_towers([picture], adjusted, {}, near, 40.0, scene.sizes, common)
    assert distance(found.tiles["tower-suns"].centre_mm, true.centre_mm) < 1.5


@pytest.mark.parametrize(("outlined_mm", "nearer"), [(1.5, True), (19.0, False)])
def test_a_tower_that_is_not_seen_well_lies_closer_to_where_the_others_say(
    outlined_mm: float, nearer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A square was found 14 mm off: the top's far edge and the foot of the near wall. The outline
    explains the picture a little less well than a tower that is seen well.
    """
    scene = castles()
    true, singles = (
        tops(scene)["tower-suns"],
        {name: tile for name, tile in scene.course.tiles.items() if tile.stack == 1},
    )
    x, y = true.centre_mm
    square, outline = (replace(true, centre_mm=(x + off, y)) for off in (14.0, outlined_mm))
    monkeypatch.setattr(
        "calibration.table.tower_places.laid_by_outline", lambda *_: Outlined(outline, 0.9, 89.0)
    )
    adjusted = Adjusted(scene.view, singles, 0.1, dict.fromkeys(singles, 0.1), FieldError())
    towers = {"tower-suns": square}, {"tower-suns": true}
    common = Common(0.0, 0.9, 1.8, 0.9)
    found = with_towers([drawn(scene)], adjusted, *towers, 40.0, scene.sizes, common)
    assert found.tiles["tower-suns"] == (outline if nearer else square)
    assert found.off_mm["tower-suns"] > 1.2


def test_painted_coins_do_not_hide_which_ace_lies_on_which_tower() -> None:
    scene = castles()
    laid, suits = tops(scene), tuple(GUARDS)
    common = builtin_faces()
    pieces = PieceSet(scene.sizes, {suit: painted(common[suit][0]) for suit in suits})
    towers = {suit: laid[f"tower-{suit}"] for suit in suits}
    likely = order_log_likelihoods(shown(drawn(scene)), scene.view, towers, scene.sizes, pieces)
    right = likely.pop(suits)
    assert right > max(likely.values()) + 2.0


def test_a_tower_is_found_by_its_outline_though_the_other_tiles_are_bleached() -> None:
    """What is brighter than a face is bleached: how much brighter is not known. The single tiles'
    red is 255. No square was found at any tower.
    """
    scene = castles()
    picture, true = drawn(scene), tops(scene)
    singles = {name: tile for name, tile in scene.course.tiles.items() if tile.stack == 1}
    for tile in singles.values():
        x, y = np.round(scene.view.to_image(np.array([[*tile.centre_mm, 0.0]]))[0]).astype(int)
        face = picture[y - 45 : y + 45, x - 45 : x + 45, 2]
        face[face > 150] = 255
    adjusted = Adjusted(scene.view, singles, 0.1, dict.fromkeys(singles, 0.1), FieldError())
    expected = {name: tile for name, tile in true.items() if tile.stack == 2}
    near = {
        name: replace(tile, centre_mm=(tile.centre_mm[0] + 4.0, tile.centre_mm[1] - 3.0))
        for name, tile in expected.items()
    }
    common = Common(0.0, 0.9, 1.8, 0.9)
    found = with_towers([picture], adjusted, {}, near, 40.0, scene.sizes, common)
    for name, tile in expected.items():
        assert distance(found.tiles[name].centre_mm, tile.centre_mm) < 1.5


def test_prisoners_on_two_towers_do_not_hide_how_the_castles_lie() -> None:
    """Arms lies on Crowns' tower and Crowns on Arms'. As aces they would say that these two lie in
    a wrong order, and 1 of 100 tables is laid so (`castle_order`).
    """
    scene, suits = castles(), tuple(GUARDS)
    laid = tops(scene)
    coins = {"crowns": laid["tower-arms"].centre_mm, "arms": laid["tower-crowns"].centre_mm}
    picture = drawn(replace(scene, coins=scene.coins | coins))
    towers = {suit: laid[f"tower-{suit}"] for suit in suits}
    pieces = PieceSet(scene.sizes, {suit: builtin_faces()[suit][0] for suit in suits})
    likely = order_log_likelihoods(shown(picture), scene.view, towers, scene.sizes, pieces)
    order = castle_order(likely, suits, "left", given=False)
    assert order.steps == 0 and order.notes and not order.warnings


def test_prisoners_that_come_later_do_not_hide_what_the_first_picture_showed() -> None:
    """Then Arms lies on Moons' tower, Crowns on Suns', Moons on Crowns' and Suns on Arms'."""
    scene, suits = castles(), tuple(GUARDS)
    laid = tops(scene)
    over = {"moons": "arms", "suns": "crowns", "crowns": "moons", "arms": "suns"}
    coins = {coin: laid[f"tower-{tower}"].centre_mm for tower, coin in over.items()}
    looks = shown(drawn(scene), drawn(replace(scene, coins=scene.coins | coins)))
    towers = {suit: laid[f"tower-{suit}"] for suit in suits}
    likely = order_log_likelihoods(looks, scene.view, towers, scene.sizes, None)
    order = castle_order(likely, suits, "left", given=False)
    assert order.steps == 0 and order.assumed is None


def test_of_pictures_that_show_a_tower_alike_only_the_first_is_searched() -> None:
    """Noise is nothing new. A hand over a part of the tower is, and so is another light."""
    scene = castles()
    picture, tower = drawn(scene), tops(scene)["tower-suns"]
    noise = np.random.default_rng(3).normal(0.0, 3.0, picture.shape)
    alike = np.clip(picture + noise, 0, 255).astype(np.uint8)
    x, y = scene.view.to_image(np.array([[*tower.centre_mm, 10.0]]))[0].astype(int)
    hand, elsewhere = picture.copy(), picture.copy()
    hand[y - 40 : y, x - 6 : x + 6] = (122, 164, 222)
    elsewhere[:40, :40] = (122, 164, 222)
    darker = (picture * 0.9).astype(np.uint8)
    given = [picture, alike, hand, elsewhere, darker]
    kept = unlike_pictures(given, scene.view, [tower], scene.sizes)
    assert [any(each is one for one in kept) for each in given] == [True, False, True, False, True]
