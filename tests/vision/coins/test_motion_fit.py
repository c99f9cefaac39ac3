"""Discs that may be moving: a streak's middle is the place at mid-exposure."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.domain.geometry import Point, distance
from referee.vision.coins.motion_fit import DiscFit, coarse_place, fit_disc, place_of
from referee.vision.coins.rim_appearance import UNKNOWN_RIMS, RimAppearance
from referee.vision.image.disc import ProjectedDisc, spot_at
from referee.vision.image.picture import ChannelMix
from tests.vision.drawn import COIN, RADIUS_MM, SIZES, WOOD, Scenery, looking

PLAIN = ChannelMix()


def fit(
    now: Scenery,
    guess: Point,
    sweep: Point,
    bare: Scenery | None = None,
    rim_look: RimAppearance = UNKNOWN_RIMS,
    least_fall: float = -math.inf,
) -> DiscFit | None:
    """Fit the disc near a guess as the search does: a coarse place first, then the fit."""
    spot = spot_at(now.view, guess, SIZES.coin_thickness_mm)
    rect = spot.rect(RADIUS_MM + math.hypot(*sweep) / 2 + 6)
    seen = now.picture().mixed(rect, PLAIN)
    table = (bare or now.but(discs=(), seed=77)).picture().mixed(rect, PLAIN)
    return fit_disc(
        seen,
        table,
        rect,
        now.view,
        spot,
        SIZES,
        coarse_place(seen - table, rect, spot, RADIUS_MM, sweep),
        sweep,
        rim_look,
        least_fall,
    )


@given(
    st.tuples(st.floats(-60, 60), st.floats(-40, 40)),
    st.floats(0, 22),
    st.floats(0, 2 * math.pi),
    st.sampled_from([0.0, 30.0]),
)
@settings(max_examples=15, deadline=None)
def test_a_blurred_disc_is_found_where_it_was_at_mid_exposure(at, length, angle, tilt):
    sweep = (length * math.cos(angle), length * math.sin(angle))
    found = fit(
        Scenery(looking(tilt), ((at, COIN),), sweep, noise=2.0), (at[0] + 2.5, at[1] - 2.0), sweep
    )
    assert found is not None
    assert distance(found.at_mm, at) < 0.4
    assert found.support > 0.8 and found.unexplained < 0.2
    assert found.contrast == pytest.approx(COIN - WOOD, rel=0.1)
    assert found.sigma_mm >= distance(found.at_mm, at) / 3


@pytest.mark.parametrize("length", [26.0, 35.0, 50.0])
@pytest.mark.parametrize("angle", [0.3, 1.7])
def test_a_streak_longer_than_the_coin_is_wide_is_found_too(length, angle):
    # 50 mm in a sixtieth of a second is 3 m/s: no pixel is covered for more than 40 % of the
    # exposure.
    sweep = (length * math.cos(angle), length * math.sin(angle))
    found = fit(
        Scenery(looking(25.0), (((5.0, -3.0), COIN),), sweep, noise=2.0), (7.5, -5.0), sweep
    )
    assert found is not None
    assert distance(found.at_mm, (5.0, -3.0)) < 1.0
    assert found.support > 0.8 and found.contrast == pytest.approx(COIN - WOOD, rel=0.1)


@pytest.mark.parametrize("wall", [60.0, 160.0])
@pytest.mark.parametrize("length", [0.0, 12.0])
def test_a_wall_as_light_as_coins_on_this_table_have_it_draws_no_coin_towards_the_camera(
    wall, length
):
    away = (
        0.0,
        length,
    )  # a streak's ends are soft: towards the camera only the wall's brightness shows it
    now = Scenery(looking(35.0), (((5.0, -3.0), COIN),), away, noise=2.0, wall=wall)
    found = fit(
        now, (6.0, -2.0), away, rim_look=RimAppearance(0.0, 0.0, (wall - WOOD) / (COIN - WOOD))
    )
    assert found is not None and distance(found.at_mm, (5.0, -3.0)) < 0.4


@pytest.mark.parametrize(
    ("below", "usual_share", "goes_on"),
    [(60.0, -0.2, False), (COIN, -0.2, True), (COIN, 0.9, False)],
)
def test_a_fingertip_goes_on_where_a_coin_has_its_darker_wall(below, usual_share, goes_on):
    # from 45 degrees, what lies below the disc is as bright as its face, as the rest of a finger is
    now = Scenery(looking(45.0), (((5.0, -3.0), COIN),), noise=2.0, wall=below)
    found = fit(now, (6.0, -2.0), (0.0, 0.0), rim_look=RimAppearance(0.0, 0.0, usual_share))
    assert found is not None and found.lacks_wall is goes_on


def test_a_streak_explains_its_pixels_better_than_a_disc_would():
    moving = Scenery(discs=(((0.0, 0.0), COIN),), sweep_mm=(20.0, 0.0), noise=2.0)
    swept, still = fit(moving, (1.0, 1.0), (20.0, 0.0)), fit(moving, (1.0, 1.0), (0.0, 0.0))
    assert swept is not None
    assert still is None or still.goodness < swept.goodness


@pytest.mark.parametrize("light", [0.8, 1.15])
def test_light_that_has_changed_on_table_and_coin_does_not_pull_the_place(light):
    now = Scenery(
        discs=(((3.3, -2.2), COIN),), noise=2.0, shade=(-200.0, -200.0, 200.0, 200.0), light=light
    )
    found = fit(now, (2.0, 0.0), (0.0, 0.0), bare=Scenery(noise=2.0, seed=9))
    assert found is not None and distance(found.at_mm, (3.3, -2.2)) < 0.25


def test_a_symbol_on_the_face_does_not_pull_the_place():
    now = Scenery(discs=(((0.0, 0.0), COIN),), noise=2.0, blots=(((1.0, -5.0, 6.0, 5.0), 60.0),))
    found = fit(now, (1.0, 1.0), (0.0, 0.0))
    assert found is not None and distance(found.at_mm, (0.0, 0.0)) < 0.4


def test_where_nothing_has_changed_there_is_no_good_disc():
    found = fit(Scenery(noise=3.0), (0.0, 0.0), (0.0, 0.0), bare=Scenery(noise=3.0, seed=5))
    assert found is None or found.goodness < 0.12


def test_a_shadow_is_no_good_disc():
    found = fit(
        Scenery(noise=2.0, shade=(-10.0, -10.0, 10.0, 10.0), light=0.6),
        (0.0, 0.0),
        (0.0, 0.0),
        bare=Scenery(noise=2.0, seed=5),
    )
    assert (
        found is None
        or found.contrast < 0.2 * (COIN - WOOD)
        or distance(found.at_mm, (0.0, 0.0)) > RADIUS_MM
    )


def test_a_bright_square_is_a_worse_disc_than_a_coin():
    square = fit(
        Scenery(noise=2.0, blots=(((-20.0, -20.0, 20.0, 20.0), COIN),)),
        (0.0, 0.0),
        (0.0, 0.0),
        bare=Scenery(noise=2.0, seed=5),
    )
    coin = fit(Scenery(discs=(((0.0, 0.0), COIN),), noise=2.0), (0.0, 0.0), (0.0, 0.0))
    assert coin is not None
    assert square is None or square.goodness < 0.8 * coin.goodness


@pytest.mark.parametrize("shift", [(0.0, 0.0), (5.0, -3.0), (-4.4, 4.4)])
@pytest.mark.parametrize("sweep", [(0.0, 0.0), (14.0, 6.0)])
def test_the_coarse_place_is_right_to_a_pixel(shift, sweep):
    now = Scenery(discs=((shift, COIN),), sweep_mm=sweep, noise=2.0)
    spot = spot_at(now.view, (0.0, 0.0), SIZES.coin_thickness_mm)
    rect = spot.rect(RADIUS_MM + 14)
    seen, table = (
        now.picture().mixed(rect, PLAIN),
        now.but(discs=(), seed=3).picture().mixed(rect, PLAIN),
    )
    true = spot.px_per_mm @ shift
    assert (
        np.abs(np.array(coarse_place(seen - table, rect, spot, RADIUS_MM, sweep)) - true).max()
        <= 1.0
    )


@given(
    st.tuples(st.floats(-60, 60), st.floats(-50, 50)),
    st.floats(-12, 12),
    st.floats(-12, 12),
    st.floats(0, 45),
)
@settings(max_examples=40, deadline=None)
def test_a_shift_in_pixels_is_the_place_seen_there(at, dx, dy, tilt):
    view = looking(tilt)
    spot = spot_at(view, at, 3.0)
    place = place_of(view, spot, (dx, dy), 3.0)
    true = view.to_table(np.array([[spot.at_px[0] + dx, spot.at_px[1] + dy]]), 3.0)[0]
    assert place == pytest.approx(tuple(true), abs=0.02)


def test_a_coin_s_foot_shows_below_its_face_by_the_parallax_of_its_thickness():
    # Tilted by a, the camera sees a height h at the picture's middle as a shift of h sin(a) / (mm
    # per pixel), down in the picture.
    view = looking(30.0)
    spot: ProjectedDisc = spot_at(view, (0.0, 0.0), SIZES.coin_thickness_mm)
    dx, dy = spot.wall_px
    assert dx == pytest.approx(0.0, abs=1e-6)
    assert dy == pytest.approx(3.0 * math.sin(math.radians(30)) * 900 / 603, rel=0.02)


def test_a_disc_that_explains_less_than_it_must_is_none():
    at, guess, still = (12.0, 8.0), (13.0, 7.0), (0.0, 0.0)
    now = Scenery(looking(25.0), ((at, COIN),), noise=2.0)
    found = fit(now, guess, still)
    assert found is not None
    again = fit(now, guess, still, least_fall=0.99 * found.fall)
    assert again == found
    assert fit(now, guess, still, least_fall=1.01 * found.fall) is None
