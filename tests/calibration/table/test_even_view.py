"""The view corrected by the course: a camera turned a little shows an even course unevenly."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.places import rigid
from calibration.lens.camera import Camera, TableView
from calibration.table.even_view import made_even
from calibration.tiles.bundle import Adjusted
from calibration.tiles.field_error import FieldError
from referee.domain.layout import Tile, template_course
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]

SIZES = PieceSizes()
TEMPLATE = template_course("tabletop-croquet", SIZES.tile_mm)


def camera_above() -> TableView:
    """Return a camera that looks at the course's middle from 60 degrees above its near side."""
    middle, away = np.array([584.0, 0.0, 0.0]), np.radians(60)
    position = middle + 1100 * np.array([0.0, -np.cos(away), np.sin(away)])
    ahead = (middle - position) / np.linalg.norm(middle - position)
    right = np.array([1.0, 0.0, 0.0])
    rows = np.stack((right, np.cross(ahead, right), ahead))
    return TableView(Camera(1280, 720, 900.0, 900.0, 640.0, 360.0), rows, -rows @ position)


def seen_wrong(
    laid_sigma_mm: float, turned_deg: tuple[float, float, float], stated_share: float, seed: int
) -> tuple[Adjusted, Array]:
    """Return a survey by a camera believed to be turned so far from where it is, which states
    `stated_share` of its error, and the true places (n, 2), in the order of the template.
    """
    rng = np.random.default_rng(seed)
    true, names = camera_above(), list(TEMPLATE.tiles)
    places = np.array([TEMPLATE.tiles[n].centre_mm for n in names])
    places = places + rng.normal(0, laid_sigma_mm, places.shape)
    turn, _ = cv2.Rodrigues(np.radians(turned_deg))
    wrong = replace(
        true,
        R_camera_table=turn @ true.R_camera_table,
        t_camera_table_mm=turn @ true.t_camera_table_mm,
    )
    shown = np.concatenate(
        [
            wrong.to_table(true.to_image(np.array([[*at, height]])), height)
            for name, at in zip(names, places, strict=True)
            for height in [TEMPLATE.tiles[name].stack * SIZES.tile_thickness_mm]
        ]
    )
    tiles = {
        n: Tile((float(x), float(y)), 0.0, TEMPLATE.tiles[n].stack)
        for n, (x, y) in zip(names, shown, strict=True)
    }
    pixels = true.to_image(places)
    moved = (wrong.to_table(pixels) - true.to_table(pixels)) * stated_share
    field = FieldError.of(shown, moved[:, :, None])
    return Adjusted(wrong, tiles, 0.2, dict.fromkeys(names, 0.2), field), places


def worst_mm(adjusted: Adjusted, places: Array) -> float:
    """Return how far the tiles are from their true places at most. The scale does not count."""
    shown = np.array([adjusted.tiles[n].centre_mm for n in TEMPLATE.tiles])
    sizes = [float(np.sqrt(((p - p.mean(axis=0)) ** 2).sum())) for p in (places, shown)]
    shown = shown * sizes[0] / sizes[1]
    return float(np.hypot(*(rigid(shown, places)(shown) - places).T).max())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("turned_deg", [(0.0, 2.0, 0.0), (2.0, 0.0, 0.0), (1.4, -1.4, 0.5)])
def test_an_even_course_shows_how_far_a_view_is_wrong(
    turned_deg: tuple[float, float, float], seed: int
) -> None:
    # The course is laid to 0.8 mm, so the field of a leaning view is known to 0.3 to 0.5 mm at the
    # tiles' usual distance, and three times that at the course's ends. The survey states a quarter
    # of its error.
    adjusted, places = seen_wrong(0.8, turned_deg, 0.25, seed)
    before, after = (
        worst_mm(adjusted, places),
        worst_mm(made_even(adjusted, TEMPLATE, SIZES), places),
    )
    assert before > 5.0
    assert after < 2.0


@pytest.mark.parametrize("seed", range(5))
def test_a_careless_course_does_not_bend_a_view_that_is_well_known(seed: int) -> None:
    # Laid to 4 mm, the course tells the fields to about 2 mm; the survey is right to 0.1 mm.
    adjusted, places = seen_wrong(4.0, (0.02, 0.02, 0.0), 1.0, seed)
    assert worst_mm(made_even(adjusted, TEMPLATE, SIZES), places) < 0.5


def test_the_corrected_view_shows_the_tiles_where_they_are_said_to_lie() -> None:
    adjusted, _ = seen_wrong(0.8, (0.7, -0.7, 0.3), 0.25, 1)
    after = made_even(adjusted, TEMPLATE, SIZES)
    for name, tile in adjusted.tiles.items():
        height = tile.stack * SIZES.tile_thickness_mm
        pixel = adjusted.view.to_image(np.array([[*tile.centre_mm, height]]))
        assert after.view.to_table(pixel, height)[0] == pytest.approx(after.tiles[name].centre_mm)


def test_what_the_course_told_makes_the_stated_error_smaller() -> None:
    adjusted, _ = seen_wrong(0.8, (0.3, 0.3, 0.0), 1.0, 2)
    places = np.array([t.centre_mm for t in TEMPLATE.tiles.values()])
    before, after = (
        a.field.sigmas_mm(places, 0.0) for a in (adjusted, made_even(adjusted, TEMPLATE, SIZES))
    )
    assert after.max() < 0.7 * before.max()
