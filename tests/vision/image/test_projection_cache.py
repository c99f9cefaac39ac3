"""Cached views around places, and places in pixels of the small copy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.vision.image.disc import spot_at
from referee.vision.image.picture import Rect
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import HEIGHT, SIZES, WIDTH, looking


def projections(shrink: int = 4, tilt: float = 25.0) -> ProjectionCache:
    return ProjectionCache(
        looking(tilt), SIZES.coin_thickness_mm, shrink, WIDTH // shrink, HEIGHT // shrink
    )


def test_small_pixels_are_rounded_outward_and_cut_to_the_small_copy():
    assert projections().small(Rect(7, 8, 9, 12)) == Rect(1, 2, 3, 3)
    assert projections().small(Rect(-9, -1, 4000, 5)) == Rect(0, 0, 100, 2)
    assert projections(shrink=1).small(Rect(7, 8, 9, 12)) == Rect(7, 8, 9, 12)


def test_straight_below_the_camera_a_coin_is_where_it_is_worked_out_to_be():
    # 1.5 px a millimetre: the coin at the origin fills columns 199.5 +- 15 and rows 149.5 +- 15,
    # small pixels 46 to 53 and 33 to 41.
    rect = projections(tilt=0.0).small_rect((0.0, 0.0), 10.0)
    assert (rect.left, rect.top) == (46, 33)
    assert rect.right in (54, 55) and rect.bottom in (42, 43)


@given(st.tuples(st.floats(-100, 100), st.floats(-80, 80)), st.floats(1, 20))
@settings(max_examples=40, deadline=None)
def test_a_small_rectangle_covers_the_place_in_full(at, radius):
    kept = projections()
    small, full = (
        kept.small_rect(at, radius),
        spot_at(kept.view, at, kept.height_mm).rect(radius - 0.2).within(WIDTH, HEIGHT),
    )
    if not full.empty:
        assert 4 * small.left <= full.left and full.right <= 4 * small.right
        assert 4 * small.top <= full.top and full.bottom <= 4 * small.bottom


def test_a_place_outside_the_picture_has_no_small_pixels():
    assert projections().small_rect((4000.0, 0.0), 10.0).empty


@given(st.tuples(st.floats(-100, 100), st.floats(-80, 80)))
@settings(max_examples=40, deadline=None)
def test_the_view_kept_is_the_view_there(at):
    kept, true = projections().at(at), spot_at(looking(25.0), at, SIZES.coin_thickness_mm)
    step = kept.px_per_mm @ np.subtract(at, kept.at_mm)
    assert kept.at_px + step == pytest.approx(true.at_px, abs=0.01)
    assert kept.px_per_mm == pytest.approx(true.px_per_mm, abs=1e-3)


def test_many_places_may_be_asked_for():
    kept = projections()
    first = kept.at((1.0, 1.0)).at_px
    for k in range(2000):
        kept.at((k * 0.1 - 100, k * 0.05))
    assert kept.at((1.0, 1.0)).at_px == pytest.approx(first)
