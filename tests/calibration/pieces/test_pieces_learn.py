"""Learning a set from a picture: with drawings of known geometry, and with the command."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from calibration.pieces.learning import MEASURED_SHARE, Found, draw, find_pieces, learn
from calibration.pieces.piece_row import Disc, find_row
from calibration.store.picture_file import read_picture
from calibration.store.piece_store import read_pieces
from referee.commands.calibration.pieces import calibrate_pieces, coin_names
from referee.domain.errors import InputError
from referee.domain.pieces import COINS, PieceSizes

CLIPS = Path(__file__).resolve().parents[3] / "fixtures" / "clips"
NAMES = ("moons", "suns", "2", "null", "5")
PX_PER_MM = 2.0
COIN_MM = 21.0
INKS = ((40, 40, 40), (40, 40, 200), (30, 120, 30), (200, 60, 40), (20, 180, 230))


@cache
def drawn(tile: bool = True, same_grey: bool = False, grained: bool = True) -> NDArray[np.uint8]:
    """Draw five coins 21 mm wide and a tile of 50.8 mm, flat, seen straight from above at 2 px/mm,
    on grained wood (which takes long to search for coins) or on plain wood.

    Each coin has a bar in its own colour, so that its patch can be recognised. With `same_grey`,
    the coins are as light as the table.
    """
    rng = np.random.default_rng(7)
    fine = 4
    grain = cv2.GaussianBlur(
        rng.normal(0, 1, (500, 900)).astype(np.float32), (0, 0), sigmaX=25, sigmaY=1.2
    )
    table = np.array([70.0, 110.0, 160.0]) + 25 * grained * (grain / grain.std())[..., None]
    picture = cv2.resize(table, None, fx=fine, fy=fine, interpolation=cv2.INTER_LINEAR).astype(
        np.uint8
    )
    cream = (160, 105, 100) if same_grey else (190, 215, 225)
    for number, ink in enumerate(INKS):
        x, y = (150 + 130 * number) * fine, (330 + 2 * number) * fine
        cv2.circle(picture, (x, y), round(COIN_MM / 2 * PX_PER_MM * fine), cream, -1, cv2.LINE_AA)
        cv2.rectangle(picture, (x - 20, y - 40), (x + 20, y + 40), ink, -1)
    if tile:
        corners = cv2.boxPoints(
            ((430.0 * fine, 140.0 * fine), (50.8 * PX_PER_MM * fine, 50.8 * PX_PER_MM * fine), 12.0)
        )
        cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], (200, 220, 228), cv2.LINE_AA)
    small = cv2.resize(
        cv2.GaussianBlur(picture, (0, 0), 0.7 * fine), (900, 500), interpolation=cv2.INTER_AREA
    ).astype(np.float32)
    return np.clip(small + rng.normal(0, 2, small.shape), 0, 255).astype(np.uint8)


def on_cheques() -> NDArray[np.uint8]:
    """Draw ten brown coins in a row on a red and white chequered cloth, at places that have
    nothing to do with the cheques, seen straight from above.
    """
    y, x = np.mgrid[0:500, 0:1200]
    red, dark = (x // 67) % 2, (y // 61) % 2
    cloth = np.full((500, 1200, 3), (225.0, 225.0, 228.0))
    cloth[(red + dark) == 1] = (150, 150, 215)
    cloth[(red + dark) == 2] = (45, 40, 175)
    picture = cloth.astype(np.uint8)
    for number in range(10):
        cv2.circle(picture, (150 + 97 * number, 250), 24, (45, 70, 95), -1, cv2.LINE_AA)
        cv2.circle(picture, (150 + 97 * number, 250), 8, INKS[number % 5], 3, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


@cache
def seen() -> Found:
    """Return what is found in the drawing when only the camera is known."""
    lens = Camera(900, 500, 3000, 3000, 449.5, 249.5)
    return find_pieces(drawn(), len(NAMES), FLAT, coin_known=False, camera=lens)


FLAT = PieceSizes(tile_thickness_mm=0.5, coin_thickness_mm=0.5)  # the drawing has no walls


def printed(count: int, beside: int, apart: int = 97) -> NDArray[np.uint8]:
    """Draw a row of `count` cream coins with rim and mark on a blue cloth, and as many `beside` it
    on the same line, as far from each other as from the row.
    """
    picture = np.full((400, 1280, 3), (150, 90, 60), dtype=np.uint8)
    for number in range(count + beside):
        at = (120 + apart * number, 220)
        cv2.circle(picture, at, 22, (150, 170, 180), -1, cv2.LINE_AA)
        cv2.circle(picture, (at[0], at[1] - 4), 22, (190, 215, 225), -1, cv2.LINE_AA)
        cv2.circle(picture, (at[0], at[1] - 4), 8, INKS[number % 5], 3, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def test_more_coins_than_names_are_counted() -> None:
    assert len(find_row(printed(10, 0), 10).discs) == 10
    assert len(find_row(printed(8, 2), 8).discs) == 10


def test_print_that_is_coin_like_but_uneven_is_left_out() -> None:
    picture = printed(10, 0)
    for number in range(11):
        cv2.circle(picture, (75 + 113 * number, 80 + 3 * (-1) ** number), 14, INKS[1], 4)
    row = find_row(picture, 10)
    assert [round(d.x_px) for d in row.discs] == pytest.approx(range(120, 1000, 97), abs=5)
    assert not row.rival


def test_a_set_whose_row_has_a_rival_is_refused_in_words() -> None:
    rival = Found(
        (Disc(100.0, 200.0, 20.0), Disc(180.0, 200.0, 20.0)),
        (),
        seen().scene,
        rival=(Disc(50.0, 90.0, 9.0), Disc(90.0, 91.0, 9.0)),
    )
    words = r"likely to be the coins: 2 coins from 100,200 to 180,200 px, or 2 coins from 50,90 to"
    with pytest.raises(InputError, match=words):
        learn(drawn(), rival, NAMES[:2], "a.png")


def test_the_pattern_of_a_cloth_is_not_taken_for_coins() -> None:
    row = find_row(on_cheques(), 10).discs
    assert [round(d.x_px) for d in row] == pytest.approx(range(150, 1100, 97), abs=3)
    assert [d.y_px for d in row] == pytest.approx([250] * 10, abs=3)


def test_coins_and_tile_are_found_and_measured() -> None:
    found = seen()
    pieces = learn(drawn(), found, NAMES, "a.png")
    assert len(found.tiles) == 1
    assert pieces.sizes.coin_mm == pytest.approx(COIN_MM, rel=0.04)
    for number, disc in enumerate(found.row):
        assert disc.x_px == pytest.approx(150 + 130 * number, abs=2.5)


def test_each_name_gets_the_face_at_its_place_in_the_row() -> None:
    pieces = learn(drawn(), seen(), NAMES, "a.png")
    for name, ink in zip(NAMES, INKS, strict=True):
        middle = pieces.faces[name].bgr[29:35, 29:35].reshape(-1, 3).mean(axis=0)
        np.testing.assert_allclose(middle, ink, atol=25)


def test_coins_as_light_as_the_table_are_found_all_the_same() -> None:
    assert len(find_pieces(drawn(same_grey=True), len(NAMES), FLAT, False).row) == len(NAMES)


def test_a_given_diameter_wins_over_the_measured_one() -> None:
    sizes = PieceSizes(coin_mm=19.0, tile_thickness_mm=0.5, coin_thickness_mm=0.5)
    picture = drawn(grained=False)
    found = find_pieces(picture, len(NAMES), sizes, coin_known=True)
    assert learn(picture, found, NAMES, "a.png").sizes.coin_mm == 19.0


def test_without_a_tile_the_usual_diameter_is_taken_and_that_is_said() -> None:
    picture = drawn(tile=False, grained=False)
    found = find_pieces(picture, len(NAMES), FLAT, coin_known=False)
    assert learn(picture, found, NAMES, "a.png").sizes.coin_mm == 19.05
    assert any("no tile" in warning for warning in found.warnings)


def test_another_number_of_names_than_coins_is_one_line_with_both_numbers() -> None:
    with pytest.raises(
        InputError, match=r"^a\.png: the row found has 5 coins, but 3 names are given$"
    ):
        learn(drawn(), seen(), NAMES[:3], "a.png")


def test_a_row_with_missed_coins_is_not_the_whole_row_though_it_has_as_many_coins_as_names() -> (
    None
):
    """Ten coins lie there. With the stretch for a low camera, eight of them are found, as evenly
    spaced as all ten.
    """
    assert len(find_row(read_picture(CLIPS / "hands-only" / "pieces.jpg"), 8).discs) == len(COINS)


def test_dots_as_wide_as_coins_all_over_a_cloth_are_not_taken_for_coins() -> None:
    picture = np.full((500, 1200, 3), (205.0, 215.0, 222.0), dtype=np.uint8)
    for row in range(10):
        for column in range(17):
            at = (37 * (row % 2) + 74 * column, 20 + 55 * row)
            cv2.circle(picture, at, 20, (40, 110, 50), -1, cv2.LINE_AA)
    for number in range(10):
        at = (150 + 97 * number, 250)
        cv2.circle(picture, at, 21, (150, 185, 200), -1, cv2.LINE_AA)
        cv2.circle(picture, at, 20, (60, 70, 80), 1, cv2.LINE_AA)
        cv2.circle(picture, at, 7, INKS[number % 5], 3, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    seen_dots = cv2.GaussianBlur(picture, (0, 0), 0.8) + noise
    found = find_row(np.clip(seen_dots, 0, 255).astype(np.uint8), 10).discs
    assert [round(d.x_px) for d in found] == pytest.approx(range(150, 1100, 97), abs=3)
    assert [d.y_px for d in found] == pytest.approx([250] * 10, abs=3)


def test_a_picture_without_coins_has_none() -> None:
    empty = np.full((300, 500, 3), 90, dtype=np.uint8)
    found = find_pieces(empty, 10, FLAT, False)
    with pytest.raises(InputError, match="the row found has 0 coins, but 10 names are given"):
        learn(empty, found, COINS, "a.png")
    np.testing.assert_array_equal(draw(empty, found, COINS), empty)


@pytest.mark.parametrize("clip", ["demo", "one-colour", "fall-far-edge"])
def test_the_sets_of_the_bundled_clips_are_found_and_measured(clip: str) -> None:
    """Ten coins lie in front of three tiles. The width must be within the stated error."""
    picture = read_picture(CLIPS / clip / "pieces.jpg")
    true = PieceSizes(**json.loads((CLIPS / clip / "truth.json").read_text())["sizes"])
    found = find_pieces(
        picture,
        len(COINS),
        PieceSizes(
            tile_thickness_mm=true.tile_thickness_mm, coin_thickness_mm=true.coin_thickness_mm
        ),
        coin_known=False,
    )
    assert len(found.tiles) == 3
    assert learn(picture, found, COINS, clip).sizes.coin_mm == pytest.approx(
        true.coin_mm, rel=MEASURED_SHARE
    )


@pytest.mark.parametrize(
    ("clip", "shrunk", "quality"), [("hands-only", 0.5, 95), ("one-colour", 1.0, 15)]
)
def test_a_width_is_no_further_off_than_is_said_in_a_small_or_a_squeezed_picture_either(
    clip: str, shrunk: float, quality: int
) -> None:
    """The second is 6 % off when compressed."""
    small = cv2.resize(
        read_picture(CLIPS / clip / "pieces.jpg"),
        None,
        fx=shrunk,
        fy=shrunk,
        interpolation=cv2.INTER_AREA,
    )
    picture = cv2.imdecode(
        cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
    )
    true = PieceSizes(**json.loads((CLIPS / clip / "truth.json").read_text())["sizes"])
    found = find_pieces(
        picture,
        len(COINS),
        PieceSizes(
            tile_thickness_mm=true.tile_thickness_mm, coin_thickness_mm=true.coin_thickness_mm
        ),
        coin_known=False,
    )
    assert found.scene is not None
    assert abs(found.scene.sizes.coin_mm - true.coin_mm) < MEASURED_SHARE * true.coin_mm


def test_the_command_writes_the_set_and_a_picture_beside_it(tmp_path: Path) -> None:
    # exactly the name that the picture of what was found would get
    image = tmp_path / "pieces-found.png"
    cv2.imwrite(str(image), drawn(grained=False))
    before = image.read_bytes()
    done = CliRunner().invoke(
        calibrate_pieces,
        [
            str(image),
            "--names",
            ",".join(NAMES),
            "--out",
            str(tmp_path / "pieces.yaml"),
            "--coin-thickness-mm",
            "3",
        ],
    )
    assert done.exit_code == 0, done.output
    pieces = read_pieces(tmp_path / "pieces.yaml")
    assert list(pieces.faces) == list(NAMES)
    assert pieces.sizes.coin_thickness_mm == 3.0
    assert image.read_bytes() == before
    assert (tmp_path / "pieces-found-again.png").exists()


def test_the_command_draws_what_it_found_also_when_it_refuses(tmp_path: Path) -> None:
    image = tmp_path / "coins.png"
    cv2.imwrite(str(image), drawn(grained=False))
    done = CliRunner().invoke(
        calibrate_pieces,
        [str(image), "--names", "moons,suns", "--out", str(tmp_path / "pieces.yaml")],
    )
    assert isinstance(done.exception, InputError)
    assert "the row found has 5 coins" in str(done.exception)
    assert (tmp_path / "pieces-found.png").exists()
    assert not (tmp_path / "pieces.yaml").exists()


@pytest.mark.parametrize(
    ("names", "what"),
    [
        ("moons,moon", "'moon' is not a coin"),
        ("moons,suns,moons", "moons is named twice"),
        ("", "'' is not a coin"),
    ],
)
def test_names_that_are_none_are_refused(names: str, what: str) -> None:
    with pytest.raises(InputError, match=f"--names: {what}"):
        coin_names(names)


def test_a_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_picture(tmp_path / "missing.png")
    (tmp_path / "text.png").write_text("text")
    with pytest.raises(InputError, match="is not a PNG or JPEG picture"):
        read_picture(tmp_path / "text.png")
