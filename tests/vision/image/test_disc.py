"""The image of a coin, compared with projections computed by hand and areas of ellipses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.vision.image.disc import SOFT_PX, PixelGrid, filled_share, spot_at, spot_behind
from referee.vision.image.picture import Rect
from tests.vision.drawn import HEIGHT, PX_PER_MM, RADIUS_MM, SIZES, WIDTH, looking

PLACES = st.tuples(st.floats(-60, 60), st.floats(-50, 50))
TILTS = st.floats(0, 50)


def middle(share: np.ndarray, rect: Rect) -> tuple[float, float]:
    rows, columns = np.mgrid[rect.top : rect.bottom, rect.left : rect.right]
    return float((share * columns).sum() / share.sum()), float((share * rows).sum() / share.sum())


def test_from_straight_above_a_millimetre_is_one_and_a_half_pixels_and_y_points_up():
    spot = spot_at(looking(), (40.0, 20.0), SIZES.coin_thickness_mm)
    assert spot.at_px == pytest.approx(
        ((WIDTH - 1) / 2 + 40 * PX_PER_MM, (HEIGHT - 1) / 2 - 20 * PX_PER_MM)
    )
    assert spot.px_per_mm == pytest.approx(np.array([[PX_PER_MM, 0], [0, -PX_PER_MM]]), abs=1e-6)
    assert spot.mm_per_px @ spot.px_per_mm == pytest.approx(np.eye(2), abs=1e-9)
    assert spot.reach_px(RADIUS_MM) == pytest.approx((15.0, 15.0))


@given(PLACES, TILTS, st.floats(0, 2 * math.pi))
@settings(max_examples=40, deadline=None)
def test_the_straight_view_is_good_over_a_coin(at, tilt, angle):
    view = looking(tilt)
    rim = (at[0] + RADIUS_MM * math.cos(angle), at[1] + RADIUS_MM * math.sin(angle))
    truly = view.to_image(np.array([[*rim, SIZES.coin_thickness_mm]]))[0]
    spot = spot_at(view, at, SIZES.coin_thickness_mm)
    assert spot.at_px + spot.px_per_mm @ np.subtract(rim, at) == pytest.approx(truly, abs=0.3)


@given(PLACES, TILTS)
@settings(max_examples=40, deadline=None)
def test_the_place_behind_a_pixel_is_seen_there(at, tilt):
    view = looking(tilt)
    px = spot_at(view, at, 3.0).at_px
    assert spot_behind(view, px, 3.0).at_mm == pytest.approx(at, abs=1e-4)


@given(PLACES, TILTS, st.floats(4, 15), st.floats(-1, 1), st.floats(-1, 1))
@settings(max_examples=60, deadline=None)
def test_the_shares_add_up_to_the_ellipse_and_balance_in_its_middle(at, tilt, radius, dx, dy):
    spot = spot_at(looking(tilt), at, 3.0)
    rect = spot.rect(radius + 4)
    share = PixelGrid.of(spot, rect).filled((radius, (dx, dy)))[0]
    scale = abs(np.linalg.det(spot.px_per_mm))
    # A rim that falls evenly over a width w adds pi w2/12 to the area.
    assert share.sum() == pytest.approx(math.pi * (radius**2 * scale + SOFT_PX**2 / 12), rel=0.02)
    assert middle(share, rect) == pytest.approx((spot.at_px[0] + dx, spot.at_px[1] + dy), abs=0.05)
    assert share.min() == 0 and share.max() == 1


@given(PLACES, TILTS, st.floats(2, 30), st.floats(0, 2 * math.pi))
@settings(max_examples=40, deadline=None)
def test_a_sweep_keeps_the_area_and_the_middle_and_widens_along_itself_alone(
    at, tilt, length, angle
):
    spot, way = spot_at(looking(tilt), at, 3.0), (math.cos(angle), math.sin(angle))
    rect = spot.rect(RADIUS_MM + length / 2 + 4)
    sweep = (length * way[0], length * way[1])
    still, swept = (
        filled_share(spot, rect, RADIUS_MM),
        PixelGrid.of(spot, rect, sweep).filled((RADIUS_MM, (0.0, 0.0)))[0],
    )
    assert swept.sum() == pytest.approx(still.sum(), rel=0.01)
    assert middle(swept, rect) == pytest.approx(spot.at_px, abs=0.1)
    # On the table, a disc's variance along any direction is r2/4, and a sweep of length l adds
    # l2/12 along itself.
    rows, columns = np.mgrid[rect.top : rect.bottom, rect.left : rect.right]
    mm = np.stack((columns - spot.at_px[0], rows - spot.at_px[1]), axis=-1) @ spot.mm_per_px.T
    spread = [
        float((swept * (mm @ np.array(axis)) ** 2).sum() / swept.sum())
        for axis in (way, (-way[1], way[0]))
    ]
    assert spread[0] == pytest.approx(RADIUS_MM**2 / 4 + length**2 / 12, rel=0.04)
    assert spread[1] == pytest.approx(RADIUS_MM**2 / 4, rel=0.04)


@given(PLACES, TILTS)
@settings(max_examples=30, deadline=None)
def test_the_rectangle_around_a_coin_holds_all_of_it_and_little_more(at, tilt):
    spot = spot_at(looking(tilt), at, 3.0)
    rect = spot.rect(RADIUS_MM)
    angle = np.linspace(0, 2 * np.pi, 90)
    rim = (
        np.column_stack((np.cos(angle), np.sin(angle))) * RADIUS_MM @ spot.px_per_mm.T + spot.at_px
    )
    assert rect.left <= rim[:, 0].min() and rim[:, 0].max() <= rect.right - 1
    assert rect.top <= rim[:, 1].min() and rim[:, 1].max() <= rect.bottom - 1
    assert (
        rect.right - rect.left <= np.ptp(rim[:, 0]) + 4
        and rect.bottom - rect.top <= np.ptp(rim[:, 1]) + 4
    )
