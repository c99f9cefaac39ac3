"""Discs of unknown size are found, and the made-up camera sees them as the real one did."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.discs.disc_search import find_discs
from calibration.discs.found_disc import FoundDisc
from calibration.discs.plain_view import plain_view
from tests.free_play.drawn_video import Table, lying, view

PLACES = [(-150.0, -40.0), (-60.0, 60.0), (-30.0, -70.0), (90.0, -90.0), (110.0, 70.0)]


def seen(tilt_deg, disc_mm=24.0, px_per_mm=1.1):
    camera = view(tilt_deg, px_per_mm)
    discs = {str(k): lying(at) for k, at in enumerate(PLACES)}
    return Table(discs, disc_mm, seen=camera).bgr(0.0), camera


@pytest.mark.parametrize("disc_mm", [14.0, 24.0, 40.0])
def test_discs_of_any_size_are_found_where_they_lie(disc_mm):
    bgr, camera = seen(0.0, disc_mm)
    found = sorted(disc.middle_px for disc in find_discs(bgr))
    true = sorted(map(tuple, camera.to_image(np.array(PLACES)).tolist()))
    assert len(found) == len(true)
    off_px = max(0.6, 0.06 * disc_mm * 1.1)  # of their width: later steps measure finer
    assert all(math.dist(a, b) < off_px for a, b in zip(found, true, strict=True))


@pytest.mark.parametrize("disc_px", [24, 32])
def test_plain_discs_that_are_hardly_darker_than_their_table_are_found(disc_px):
    """They have no mark, and are 10 grey levels darker; the noise has 2."""
    places = [(90, 80), (220, 140), (320, 220)]
    large = np.full((1200, 1600, 3), (150, 160, 170), np.uint8)
    for x, y in places:
        cv2.circle(large, (4 * x + 2, 4 * y + 2), 2 * disc_px, (140, 150, 160), cv2.FILLED)
    picture = cv2.resize(large, (400, 300), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0.0, 2.0, picture.shape)
    found = find_discs(np.clip(picture + noise, 0, 255).astype(np.uint8))
    off_px = [math.dist(d.middle_px, at) for d, at in zip(sorted_by_x(found), places, strict=True)]
    assert max(off_px) < 0.6
    assert all(abs(disc.width_px[0] - disc_px) < 0.05 * disc_px for disc in found)


def sorted_by_x(found):
    return sorted(found, key=lambda disc: disc.middle_px)


@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 40.0])
def test_a_tilt_is_known_to_its_error(tilt_deg):
    bgr, _ = seen(tilt_deg)
    made = plain_view(bgr, find_discs(bgr), 24.0)
    if tilt_deg == 0.0:
        assert not made.is_tilted
    else:
        assert abs(made.tilt_deg - tilt_deg) < 1.5 * made.tilt_sigma_deg
        assert made.tilt_sigma_deg < 12.0


@pytest.mark.parametrize("tilt_deg", [0.0, 11.0])
def test_a_small_tilt_shows_in_how_sizes_change_over_the_picture(tilt_deg):
    """The shapes alone tell it to some 6 degrees only: a shadow makes them longer, too."""
    bgr, _ = seen(tilt_deg, disc_mm=34.0)
    made = plain_view(bgr, find_discs(bgr), 34.0)
    assert made.is_tilted == (tilt_deg > 0.0)
    if made.is_tilted:
        assert made.tilt_sigma_deg < 3.6
        assert abs(made.tilt_deg - tilt_deg) < 2.0 * made.tilt_sigma_deg


@pytest.mark.parametrize("tilt_deg", [0.0, 30.0])
def test_distances_are_those_of_the_table(tilt_deg):
    bgr, camera = seen(tilt_deg)
    made = plain_view(bgr, find_discs(bgr), 24.0)
    at = made.view.to_table(camera.to_image(np.array(PLACES)), made.sizes.coin_thickness_mm)
    for a, b in ((0, 4), (1, 2), (0, 3)):
        true = math.dist(PLACES[a], PLACES[b])
        assert math.dist(at[a], at[b]) == pytest.approx(true, rel=0.03 if tilt_deg == 0 else 0.1)


def outline(camera, at, disc_mm, high_mm):
    """Return the ellipse around a disc with an upright wall, as the camera sees face and foot."""
    turns = np.linspace(0.0, 2 * np.pi, 90, endpoint=False)
    ring = np.asarray(at) + disc_mm / 2 * np.column_stack((np.cos(turns), np.sin(turns)))
    both = [camera.to_image(np.column_stack((ring, np.full(90, z)))) for z in (0.0, high_mm)]
    hull = cv2.convexHull(np.concatenate(both).astype(np.float32)).reshape(-1, 2)
    sides = zip(hull, np.roll(hull, -1, 0), strict=True)
    around = np.concatenate([np.linspace(a, b, 9)[:-1] for a, b in sides])
    middle, widths, turn_deg = cv2.fitEllipse(around.astype(np.float32))
    return FoundDisc.of(middle, widths, turn_deg, 20.0, 1.0)


@pytest.mark.parametrize("tilt_deg", [0.0, 18.0, 30.0])
def test_walls_hide_no_tilt(tilt_deg):
    """A disc a tenth as high as wide looks rounder from aside than its face: at 18 degrees, 0.98 as
    high as wide, not 0.95.
    """
    camera = view(tilt_deg)
    discs = [outline(camera, at, 24.0, 2.4) for at in PLACES]
    made = plain_view(np.zeros((360, 640, 3), np.uint8), discs, 24.0)
    assert made.is_tilted == (tilt_deg > 0.0)
    assert made.tilt_deg == pytest.approx(tilt_deg, abs=2.0)
    faces = camera.to_image(np.array([(*at, 2.4) for at in PLACES]))
    found = made.view.to_table(faces, made.sizes.coin_thickness_mm)
    for a, b in ((0, 4), (1, 2), (0, 3), (3, 4)):
        true_mm = math.dist(PLACES[a], PLACES[b])
        assert math.dist(found[a], found[b]) == pytest.approx(true_mm, rel=0.02)


def test_without_a_size_the_discs_are_as_wide_as_the_unit_says():
    bgr, _ = seen(0.0)
    made = plain_view(bgr, find_discs(bgr))
    assert made.sizes.coin_mm == 20.0
    # 24 mm at 1.1 px each are 26.4 px
    assert 20.0 * made.view.px_per_mm((0.0, 0.0)) == pytest.approx(26.4, rel=0.03)


def test_a_bare_table_has_no_discs():
    rng = np.random.default_rng(2)
    assert find_discs(rng.normal(140, 8, (360, 640, 3)).clip(0, 255).astype(np.uint8)) == []
