"""A set's row of coins is found among print that looks as much like coins as the coins do."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.pieces.coin_places import Level
from calibration.pieces.learning import find_pieces
from calibration.pieces.piece_row import Disc, Row, find_row
from calibration.pieces.piece_tiles import Quad, find_tiles
from referee.domain.pieces import PieceSizes


def photographed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a drawing a little out of focus, with noise."""
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def on_flowers(coins: int) -> NDArray[np.uint8]:
    """Draw some coins in a row on a cloth with sixty flowers, about as wide as coins, anywhere."""
    rng = np.random.default_rng(5)
    picture = np.full((500, 1200, 3), (200.0, 214.0, 220.0), dtype=np.uint8)
    for _ in range(60):
        x, y = (int(v) for v in rng.uniform((30, 30), (1170, 470)))
        petals = tuple(int(v) for v in rng.uniform(30, 220, 3))
        for turn in 2 * np.pi * (np.arange(5) / 5 + rng.random()):
            leaf = (round(x + 11 * np.cos(turn)), round(y + 11 * np.sin(turn)))
            cv2.circle(picture, leaf, 9, petals, -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 6, (30, 170, 200), -1, cv2.LINE_AA)
    for number in range(coins):
        at = (150 + 97 * number, 250)
        cv2.circle(picture, at, 21, (60, 85, 110), -1, cv2.LINE_AA)
        cv2.circle(picture, at, 18, (150, 170, 190), 1, cv2.LINE_AA)
        cv2.circle(picture, at, 7, (200, 210, 220), 3, cv2.LINE_AA)
    return photographed(picture)


def test_flowers_that_look_like_coins_hide_no_row() -> None:
    row = find_row(on_flowers(10), 10)
    assert [round(d.x_px) for d in row.discs] == pytest.approx(range(150, 1100, 97), abs=3)
    assert [d.y_px for d in row.discs] == pytest.approx([250] * 10, abs=3)
    assert not row.rival


def test_flowers_alone_are_not_the_row_that_is_wanted() -> None:
    row = find_row(on_flowers(0), 10)
    assert len(row.discs) != 10 or row.rival


def on_dots(coins: int) -> NDArray[np.uint8]:
    """Draw some coins in a row on a white cloth with brown dots that are hardly smaller."""
    picture = np.full((500, 1200, 3), (225, 228, 228), dtype=np.uint8)
    for row, column in np.ndindex(9, 16):
        at = (40 * (row % 2) + 80 * column, 20 + 70 * row)
        cv2.ellipse(picture, at, (18, 15), 0, 0, 360, (25, 60, 125), -1, cv2.LINE_AA)
    for number in range(coins):
        at = (150 + 88 * number, 262)
        cv2.ellipse(picture, at, (20, 17), 0, 0, 360, (120, 110, 100), -1, cv2.LINE_AA)
        cv2.circle(picture, at, 7, (60, 60, 60), 3, cv2.LINE_AA)
    return photographed(picture)


def test_a_row_of_dots_is_not_the_row_of_coins_beside_it() -> None:
    row = find_row(on_dots(10), 10)
    assert [round(d.x_px) for d in row.discs] == pytest.approx(range(150, 1000, 88), abs=3)
    assert [d.y_px for d in row.discs] == pytest.approx([262] * 10, abs=3)


def test_dots_alone_are_not_the_row_that_is_wanted() -> None:
    row = find_row(on_dots(0), 10)
    assert len(row.discs) != 10 or row.rival


def test_the_squares_of_a_cloth_are_not_the_tile_that_lies_on_it() -> None:
    y, x = np.mgrid[0:500, 0:800]
    cloth = np.full((500, 800, 3), (225.0, 225.0, 228.0))
    cloth[((x // 80) + (y // 80)) % 2 == 0] = (45, 40, 175)
    tile = cv2.boxPoints(((420.0, 250.0), (90.0, 90.0), 20.0))
    cv2.fillPoly(cloth, [np.rint(tile).astype(np.int32)], (120.0, 60.0, 20.0))
    picture = np.asarray(cv2.GaussianBlur(cloth, (0, 0), 0.8), dtype=np.uint8)
    found = find_tiles(picture, 70.0, 130.0)
    assert [quad.middle_px for quad in found] == [pytest.approx((420.0, 250.0), abs=2)]


def test_what_no_set_has_for_a_tile_is_not_measured_against(monkeypatch) -> None:
    """The square beside the coins is 1.6 coins wide. Tiles are 1.9 to 3.7 coins wide."""
    picture = np.full((500, 900, 3), (70, 110, 160), dtype=np.uint8)
    for number in range(5):
        cv2.circle(picture, (150 + 130 * number, 330), 21, (190, 215, 225), -1, cv2.LINE_AA)
        cv2.circle(picture, (150 + 130 * number, 330), 8, (60, 60, 60), 3, cv2.LINE_AA)
    cv2.rectangle(picture, (400, 100), (467, 167), (200, 220, 228), -1)
    square = Quad(((400.0, 100.0), (467.0, 100.0), (467.0, 167.0), (400.0, 167.0)))
    monkeypatch.setattr("calibration.pieces.learning.find_tiles", lambda *_: [square])
    found = find_pieces(picture, 5, PieceSizes(), coin_known=False)
    assert found.scene is not None and found.scene.sizes.coin_mm == 19.05
    assert not found.tiles and "no tile was found" in found.warnings[0]


def likeliest_rows(monkeypatch: pytest.MonkeyPatch, without_print: Row, with_print: Row) -> Row:
    """Return the row that is found when the likeliest rows without and with print are these."""
    rows = iter((without_print, with_print))
    monkeypatch.setattr("calibration.pieces.piece_row.forms", lambda _px: ())
    monkeypatch.setattr("calibration.pieces.piece_row._likeliest_row", lambda *_: next(rows))
    return find_row(np.zeros((9, 9, 3), np.uint8), 10)


@pytest.mark.parametrize(("y_px", "decided"), [(252.0, True), (300.0, False)])
def test_what_looks_like_print_only_decides_between_equally_likely_rows(
    monkeypatch: pytest.MonkeyPatch, y_px: float, decided: bool
) -> None:
    """A coin looks like the print, so that nine coins are as likely as ten with a print."""
    row, whole = (tuple(Disc(100.0 * k, y, 20.0) for k in range(10)) for y in (250.0, y_px))
    unsure = Row(row[:9], rival=(*row[:9], Disc(990.0, 310.0, 20.0)), log_odds=30.0)
    sure = Row(whole, log_odds=30.0)
    assert likeliest_rows(monkeypatch, unsure, sure) == (sure if decided else unsure)


@pytest.mark.parametrize(("log_odds", "decided"), [(76.0, True), (40.0, False)])
def test_a_coin_that_looks_like_print_completes_the_likelier_row(
    monkeypatch: pytest.MonkeyPatch, log_odds: float, decided: bool
) -> None:
    """Without the last coin, which looks like print, a flower before the first one is the tenth."""
    coins = tuple(Disc(150.0 + 65 * k, 250.0, 20.0) for k in range(10))
    with_flower = Row((Disc(90.0, 222.0, 20.0), *coins[:9]), log_odds=52.0)
    whole = Row(coins, log_odds=log_odds)
    found = likeliest_rows(monkeypatch, with_flower, whole)
    assert found == (whole if decided else with_flower)


def seen_at(width_px: float, row_px: list[float], odds: float, prints: int = 0) -> Level:
    """Return what the network sees at one width: places in a row that are all as likely, and less
    likely prints below it.
    """
    places = np.array([*(x + 250j for x in row_px), *(100 + 90 * k + 450j for k in range(prints))])
    log_odds = np.array([odds] * len(row_px) + [0.6 * odds] * prints)
    return Level(width_px, places, log_odds, np.zeros(len(places), bool), 6e5)


COINS_PX = [150.0 + 90 * k for k in range(10)]
PRINT_PX = 50.0  # about where the next coin of the row would lie


def row_of(monkeypatch: pytest.MonkeyPatch, *levels: Level) -> Row:
    """Return the row that is found when the network sees these levels."""
    both = "calibration.pieces.piece_row._levels_without_and_with_print"
    monkeypatch.setattr(both, lambda *_: (levels, levels))
    return find_row(np.zeros((500, 1200, 3), np.uint8), 10)


def test_what_is_a_coin_only_at_another_width_is_no_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the width at which the coins are plainest, nothing lies where the next coin would be. At
    another width, at which fewer other prints are seen, print there is as likely as the coins.
    """
    plain = seen_at(36.0, COINS_PX, 14.0, prints=8)
    other = seen_at(42.0, [PRINT_PX, *COINS_PX], 8.0)
    row = row_of(monkeypatch, plain, other)
    assert [d.x_px for d in row.discs] == COINS_PX
    assert not row.rival


def test_print_that_is_as_plain_as_a_coin_makes_a_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    assert row_of(monkeypatch, seen_at(36.0, [PRINT_PX, *COINS_PX], 14.0)).rival


def test_dots_that_are_coins_only_at_the_plainest_width_are_no_rival(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the width at which the row is likeliest, only coins are seen."""
    plain = seen_at(36.0, COINS_PX, 14.0)
    dots = replace(plain, places=plain.places + 150j)
    both = replace(
        plain,
        places=np.append(plain.places, dots.places),
        odds=np.append(plain.odds, dots.odds),
        repeated=np.append(plain.repeated, dots.repeated),
    )
    row = row_of(monkeypatch, seen_at(42.0, COINS_PX, 8.0), both)
    assert [d.x_px for d in row.discs] == COINS_PX
    assert not row.rival
