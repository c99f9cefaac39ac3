"""Tiles of the colour of a flowered cloth's ground are found by their straight sides."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.rough_survey.arranged_squares import fit_still
from calibration.rough_survey.straight_squares import straight_squares
from calibration.tiles.quadrilaterals import find_quads
from referee.domain.layout import template_course
from tests.calibration.tiles.test_quadrilaterals import PLACES, corners_of, flowers, with_tiles

Corners = NDArray[np.float64]
Picture = NDArray[np.uint8]
FINE = 2  # fine pixels in a pixel
TILE_MM = 50.0
SIDES = (150, 130, 150, 192)  # grey levels of a tile's sides; the ground has 185
COURSE = template_course("tabletop-croquet", TILE_MM)
#: The camera looks straight down at the middle of the course, at a pixel a millimetre.
VIEW = TableView(
    Camera(1280, 720, 1000.0, 1000.0, 640.0, 360.0),
    np.diag([1.0, -1.0, -1.0]),
    np.array([-550.0, 0.0, 1000.0]),
)
GROUND = (185, 200, 212)
INKS = ((190, 50, 70), (80, 120, 90), (130, 40, 220))  # blue, green and pink petals


def flowered() -> Picture:
    """Draw the course on a cloth with petals on a pale ground. The tiles are as pale as the ground,
    with a thin line of shadow along three sides; where petals end there, it is not to be seen.
    """
    random = np.random.default_rng(6)
    picture = np.full((720 * FINE, 1280 * FINE, 3), GROUND, np.uint8)
    for x, y, turn, ink in zip(
        random.uniform(0, 1280, 700),
        random.uniform(0, 720, 700),
        random.uniform(0, 180, 700),
        random.integers(0, 3, 700),
        strict=True,
    ):
        petal = ((x * FINE, y * FINE), (36 * FINE, 17 * FINE), turn)
        cv2.ellipse(picture, petal, INKS[ink], -1, cv2.LINE_AA)
    for tile in COURSE.tiles.values():
        turn = np.exp(1j * np.radians(tile.rotation_deg)) * TILE_MM / 2
        at = turn * np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) + complex(*tile.centre_mm)
        pixels = VIEW.to_image(np.column_stack((at.real, at.imag, np.zeros(4))))
        corners = np.rint(pixels * FINE).astype(np.int32)
        cv2.fillPoly(picture, [corners], GROUND, cv2.LINE_AA)
        for k, grey in enumerate(SIDES):
            begin, end = corners[[k, (k + 1) % 4]].tolist()
            cv2.line(picture, begin, end, (grey, grey + 14, grey + 26), 3, cv2.LINE_AA)
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.8 * FINE)
    small = cv2.resize(blurred, (1280, 720), interpolation=cv2.INTER_AREA).astype(np.float64)
    return np.clip(small + random.normal(0, 2, small.shape), 0, 255).astype(np.uint8)


def test_tiles_as_pale_as_the_ground_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither their outlines nor their colour show enough of them."""
    picture = flowered()
    quads = find_quads(picture)
    found = fit_still(picture, quads, VIEW.camera, COURSE)
    assert found is not None and found.fit is not None
    names = list(found.fit.squares)
    assert len(names) >= len(COURSE.tiles) - 1  # the survey searches for a last one at its place
    squares = found.centres_mm[[found.fit.squares[name] for name in names]]
    places = found.fit.place(np.array([COURSE.tiles[name].centre_mm for name in names]))
    assert np.hypot(*(squares - places).T).max() < 8.0  # a rough survey

    monkeypatch.setattr(
        "calibration.rough_survey.arranged_squares.straight_squares",
        lambda _still: np.zeros((0, 4, 2)),
    )
    without = fit_still(picture, quads, VIEW.camera, COURSE)
    assert without is None or without.score < 0.5 * len(COURSE.tiles)


def test_two_boxes_with_a_few_lines_do_not_hide_the_tiles() -> None:
    """Each shows four squares inside each other, all of them larger than a tile."""
    picture = flowered()
    for x, y in ((1130, 620), (180, 90)):
        for side in (138, 130, 122, 114):
            corners = cv2.boxPoints(((x, y), (side, side), 8.0))
            cv2.polylines(
                picture, [np.rint(corners).astype(np.int32)], True, (60, 60, 60), 2, cv2.LINE_AA
            )
    found = fit_still(picture, find_quads(picture), VIEW.camera, COURSE)
    assert found is not None and found.fit is not None
    assert len(found.fit.squares) >= len(COURSE.tiles) - 2  # a box may hide one


def off_px(found: Corners, true: Corners) -> float:
    """Return how far the corners are off in the mean, if they begin at the best one."""
    turned = (np.roll(found, k, axis=0) for k in range(4))
    return min(float(np.linalg.norm(own - true, axis=1).mean()) for own in turned)


def with_sides(*sides: int) -> tuple[Picture, Corners]:
    """Draw these of a square's four sides on a plain table. Also return the square's corners."""
    corners = np.asarray(cv2.boxPoints(((150, 100), (46, 46), 10.0)), dtype=np.float64)
    picture = np.full((440, 620, 3), 200, np.uint8)
    for k in sides:
        begin, end = np.rint(corners[[k, (k + 1) % 4]] * 16).astype(int).tolist()
        cv2.line(picture, begin, end, (60, 60, 60), 2, cv2.LINE_AA, 4)
    return picture, corners


@pytest.mark.parametrize("hidden", range(4))
def test_three_sides_are_enough_whichever_is_hidden(hidden: int) -> None:
    picture, corners = with_sides(*(k for k in range(4) if k != hidden))
    assert min(off_px(found, corners) for found in straight_squares(picture)) < 2.5


@pytest.mark.parametrize("sides", [(), (0,), (0, 1), (0, 2)])
def test_two_sides_are_too_few(sides: tuple[int, ...]) -> None:
    assert len(straight_squares(with_sides(*sides)[0])) == 0


@pytest.mark.parametrize("place", PLACES)
def test_a_tile_little_lighter_than_the_ground_of_a_flowered_cloth_is_found(
    place: tuple[float, float, float],
) -> None:
    """The flowers make its surroundings darker than their ground, in every channel."""
    squares = straight_squares(with_tiles(flowers(), (215, 222, 225), (192, 198, 200)))
    assert min(off_px(found, corners_of(*place)) for found in squares) < 2
