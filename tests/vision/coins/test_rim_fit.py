"""The centre of a coin at rest: to a tenth of a millimetre on a clean disc, whatever lies beside
it.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.domain.geometry import distance
from referee.vision.coins import rim_fit
from referee.vision.coins.rim_fit import PLAIN_SUPPORT, RimFit, find_rim, fit_rim
from tests.vision.drawn import COIN, RADIUS_MM, SIZES, WOOD, Scenery, laid_on, looking

OFF = st.floats(-1.5, 1.5)


@given(st.tuples(st.floats(-70, 70), st.floats(-50, 50)), OFF, OFF, st.sampled_from([0.0, 15.0]))
@settings(max_examples=12, deadline=None)
def test_a_clean_disc_is_found_to_a_tenth_of_a_millimetre(at, dx, dy, tilt):
    scenery = Scenery(looking(tilt), ((at, COIN),), noise=2.0)
    fit = fit_rim(scenery.picture(), scenery.view, (at[0] + dx, at[1] + dy), SIZES)
    assert fit is not None
    assert distance(fit.at_mm, at) < 0.1
    assert fit.support > 0.9
    assert abs(fit.swell_mm) < 0.15
    assert distance(fit.at_mm, at) / 4 < fit.sigma_mm < 0.2


def test_what_bends_a_rim_makes_its_stated_error_larger():
    """Beside the second coin the table is as light as its face, so that this side of its rim is
    seen where the light part ends.
    """
    light = (((8.0, -14.0, 40.0, 14.0), COIN - 4.0),)
    clear, bent = (Scenery(discs=(((0.0, 0.0), COIN),), blots=b, noise=2.0) for b in ((), light))
    fits = [fit_rim(seen.picture(), seen.view, (0.5, 0.4), SIZES) for seen in (clear, bent)]
    assert all(
        fit is not None and distance(fit.at_mm, (0.0, 0.0)) < 3 * fit.sigma_mm for fit in fits
    )
    assert fits[1].sigma_mm > 2 * fits[0].sigma_mm


@pytest.mark.parametrize("face", [90.0, 120.0])
def test_a_coin_across_the_edge_of_a_stripe_shows_its_whole_rim(face):
    """The coin is lighter than the stripe and darker than the cloth, so in no mix of channels does
    more than half of its rim fall. All of it is where the face's own brightness ends.
    """
    cloth = Scenery(wood=150.0, blots=(((-130.0, -90.0, 2.0, 90.0), 60.0),), noise=2.0)
    fit = fit_rim(laid_on(cloth, ((3.0, 2.0),), face), cloth.view, (4.0, 1.0), SIZES)
    assert fit is not None
    assert distance(fit.at_mm, (3.0, 2.0)) < 0.3
    assert fit.support > 0.9


@pytest.mark.parametrize(
    "wall", [60.0, 120.0, 160.0]
)  # darker than the table, between the two, nearly as light as the face
@pytest.mark.parametrize("tilt", [20.0, 35.0])
def test_a_side_wall_draws_no_coin_towards_the_camera(wall, tilt):
    # At 35 degrees the wall is 2 mm wide. If it were taken for a part of the face, it would shift
    # the coin by half of that.
    scenery = Scenery(looking(tilt), (((4.0, -3.0), COIN),), noise=2.0, wall=wall)
    fit = fit_rim(scenery.picture(), scenery.view, (5.0, -2.5), SIZES)
    assert fit is not None and distance(fit.at_mm, (4.0, -3.0)) < 0.3


@pytest.mark.parametrize("coin", [40.0, 140.0, 162.0, 240.0])
def test_a_coin_may_be_darker_or_lighter_than_the_table(coin):
    scenery = Scenery(discs=(((12.3, -7.7), coin),), wood=150.0, noise=2.0)
    fit = fit_rim(scenery.picture(), scenery.view, (13.0, -7.0), SIZES)
    assert fit is not None and distance(fit.at_mm, (12.3, -7.7)) < 0.15
    assert (fit.channel_mix.y > 0) == (coin > 150.0)


def test_a_face_that_goes_on_beyond_its_rim_has_an_open_side():
    # a finger: a disc with a strip of its own brightness towards the viewer
    finger = Scenery(
        discs=(((0.0, 0.0), COIN),), noise=1.0, blots=(((-10.0, -60.0, 10.0, 0.0), COIN),)
    )
    fit = fit_rim(finger.picture(), finger.view, (0.5, 0.5), SIZES)
    assert fit is None or (fit.open_mm is not None and fit.open_mm[1] < -RADIUS_MM)
    coin = fit_rim(finger.but(blots=()).picture(), finger.view, (0.5, 0.5), SIZES)
    assert coin is not None and coin.open_mm is None


@pytest.mark.parametrize("light", [0.5, 0.75])
def test_a_shadow_on_one_side_does_not_pull_the_centre(light):
    # The shadow begins 1.5 mm beyond the coin's right side: an edge of its own, parallel to the rim
    # there.
    scenery = Scenery(
        discs=(((0.0, 0.0), COIN),), noise=1.0, shade=(11.5, -200.0, 200.0, 200.0), light=light
    )
    fit = fit_rim(scenery.picture(), scenery.view, (0.8, 0.5), SIZES)
    assert fit is not None and distance(fit.at_mm, (0.0, 0.0)) < 0.2


def test_a_fingertip_over_a_quarter_of_the_rim_does_not_pull_the_centre():
    scenery = Scenery(
        discs=(((0.0, 0.0), COIN),), noise=1.0, blots=(((3.0, 3.0, 60.0, 60.0), 140.0),)
    )
    fit = fit_rim(scenery.picture(), scenery.view, (0.5, -0.5), SIZES)
    assert fit is not None and distance(fit.at_mm, (0.0, 0.0)) < 0.3
    assert fit.support < 0.9


def test_steeply_from_the_side_perspective_moves_the_middle_by_little():
    # A circle of radius r is seen at tilt a from the distance d. The middle of its image is off by
    # about r2 sin(a) / d, 0.1 mm here.
    scenery = Scenery(looking(40.0), (((10.0, 10.0), COIN),), noise=1.0)
    fit = fit_rim(scenery.picture(), scenery.view, (11.0, 9.0), SIZES)
    assert fit is not None and distance(fit.at_mm, (10.0, 10.0)) < 0.2


@pytest.mark.parametrize("noise", [1.0, 3.0, 8.0])
@pytest.mark.parametrize(
    "shade",
    [None, (0.0, -200.0, 200.0, 200.0), (8.0, -200.0, 200.0, 200.0)],
    ids=["bare wood", "half a shadow", "a shadow's edge"],
)
def test_grain_and_shadows_are_no_rim(shade, noise):
    for seed in range(10):
        assert (
            fit_rim(
                Scenery(noise=noise, shade=shade, light=0.6, seed=seed).picture(),
                looking(),
                (0.0, 0.0),
                SIZES,
            )
            is None
        )


@pytest.mark.parametrize("contrast", [20.0, 40.0])
def test_a_coin_in_poor_light_is_still_one(contrast):
    scenery = Scenery(looking(25.0), (((3.0, 4.0), WOOD + contrast),), noise=2.0)
    fit = fit_rim(scenery.picture(), scenery.view, (3.7, 3.5), SIZES)
    assert fit is not None and distance(fit.at_mm, (3.0, 4.0)) < 0.2


@pytest.mark.parametrize(
    "scenery",
    [
        Scenery(noise=1.0, discs=(((0.0, 0.0), COIN),), radius_mm=4.0),
        Scenery(noise=1.0, discs=(((0.0, 0.0), COIN),), radius_mm=25.0),
    ],
    ids=["a much smaller disc", "a much larger disc"],
)
def test_without_a_coin_s_rim_there_is_none(scenery):
    assert fit_rim(scenery.picture(), scenery.view, (0.0, 0.0), SIZES) is None


def test_a_coin_further_away_than_is_looked_is_not_taken_for_one_here():
    scenery = Scenery(discs=(((9.0, 0.0), COIN),), noise=1.0)
    assert fit_rim(scenery.picture(), scenery.view, (0.0, 0.0), SIZES) is None


def test_a_coin_cut_off_by_the_picture_s_border_is_not_measured():
    scenery = Scenery(discs=(((128.0, 0.0), COIN),))
    assert fit_rim(scenery.picture(), scenery.view, (128.0, 0.0), SIZES) is None


def test_two_coins_that_touch_are_measured_each_by_itself():
    a, b = (-6.0, 2.0), (-6.0 + 2 * RADIUS_MM * math.cos(0.4), 2.0 + 2 * RADIUS_MM * math.sin(0.4))
    scenery = Scenery(discs=((a, COIN), (b, COIN)), noise=1.0)
    for at in (a, b):
        fit = fit_rim(scenery.picture(), scenery.view, (at[0] + 0.6, at[1] - 0.4), SIZES)
        assert fit is not None and distance(fit.at_mm, at) < 0.2


def test_a_coin_wider_than_it_is_said_to_be_shows_as_swell():
    fit = fit_rim(
        Scenery(discs=(((0.0, 0.0), COIN),), radius_mm=RADIUS_MM + 0.4).picture(),
        looking(),
        (0.3, 0.3),
        SIZES,
    )
    assert fit is not None and fit.swell_mm == pytest.approx(0.4, abs=0.1)


def test_the_sigma_given_is_no_smaller_than_the_errors_made():
    errors, sigmas = [], []
    for seed in range(20):
        at = (seed * 1.37 % 7 - 3, seed * 2.11 % 5 - 2)
        scenery = Scenery(looking(25.0), ((at, WOOD + 40.0),), noise=6.0, seed=seed)
        fit = fit_rim(scenery.picture(), scenery.view, (at[0] + 0.7, at[1]), SIZES)
        assert fit is not None
        errors.append(distance(fit.at_mm, at) ** 2 / 2)
        sigmas.append(fit.sigma_mm**2)
    assert np.mean(errors) < np.mean(sigmas)


@pytest.mark.parametrize(
    ("support", "farthest_mm", "found"), [(0.7, 4.5, 1.0), (0.7, 8.0, 5.0), (0.97, 4.5, 5.0)]
)
def test_a_rim_far_from_where_the_coin_is_seen_must_be_plain(
    monkeypatch: pytest.MonkeyPatch, support: float, farthest_mm: float, found: float
) -> None:
    """From the guess, a poor rim 1 mm away is found; from places around, a better one 5 mm away."""
    assert (support > PLAIN_SUPPORT) == (support > 0.9)
    near, far = RimFit((1.0, 0.0), 0.3, 0.6), RimFit((5.0, 0.0), 0.3, support)
    monkeypatch.setattr(rim_fit, "fit_rim", lambda _p, _v, at_mm, _s: far if any(at_mm) else near)
    scenery = Scenery()
    fit = find_rim(scenery.picture(), scenery.view, (0.0, 0.0), SIZES, farthest_mm)
    assert fit is not None and fit.at_mm == (found, 0.0)
