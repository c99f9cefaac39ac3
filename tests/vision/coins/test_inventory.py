"""What lies on the table at the opening, where a coin's shadow looks more like a disc than the coin
does.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from referee.domain.geometry import distance
from referee.vision.coins import inventory
from referee.vision.coins.coin_search import lay_floor
from referee.vision.coins.inventory import (
    LEAST_TOGETHER,
    PLAIN_LOG_ODDS,
    shared_mix,
    take_inventory,
    without_pattern,
)
from referee.vision.coins.region_fit import REGION_SIGMA_MM
from referee.vision.coins.rim_fit import RimFit
from referee.vision.image.picture import ChannelMix, Picture
from tests.vision.drawn import SIZES, Scenery, course, grey, laid_on, looking, table

PLACES = ((-80.0, 30.0), (-20.0, -40.0), (10.0, 45.0), (55.0, 0.0))
VIEW = looking(20.0)
FLOOR = lay_floor(VIEW, SIZES, table(VIEW).edge_mm, course())
SHADOW_MM = (5.0, -3.0)


def shaded(
    wood: tuple[float, float, float],
    coin: tuple[float, float, float],
    shadow: tuple[float, float, float],
) -> Picture:
    """Return coins with their shadows beside them: luminance, and two colour differences at half
    the size.
    """
    planes = []
    for k in range(3):
        beside = tuple(((x + SHADOW_MM[0], y + SHADOW_MM[1]), shadow[k]) for x, y in PLACES)
        values = Scenery(
            VIEW, (*beside, *((at, coin[k]) for at in PLACES)), wood=wood[k], noise=1.5, seed=k + 1
        ).values()
        planes.append(
            grey(
                values
                if k == 0
                else values.reshape(values.shape[0] // 2, 2, values.shape[1] // 2, 2).mean(
                    axis=(1, 3)
                )
            )
        )
    return Picture(*planes)


def test_coins_of_the_table_s_colour_are_told_from_their_coloured_shadows():
    picture = shaded(
        wood=(150.0, 120.0, 132.0), coin=(172.0, 122.0, 130.0), shadow=(112.0, 132.0, 122.0)
    )
    found = take_inventory(picture, VIEW, FLOOR, SIZES)
    assert len(found) == len(PLACES)
    assert all(min(distance(fit.at_mm, at) for fit in found) < 1.0 for at in PLACES)


def test_no_rim_is_measured_where_a_known_coin_leaves_no_room_for_another(monkeypatch):
    """The shadows lie 5.8 mm beside the coins. A rim is found up to 8 mm from a place, and two
    coins of 20 mm are at least 18 mm apart.
    """
    picture = shaded(wood=(150.0, 120.0, 132.0), coin=(172.0, 122.0, 130.0), shadow=(90.0,) * 3)
    measured = []
    monkeypatch.setattr(inventory, "find_rim", lambda _p, _v, at_mm, *_: measured.append(at_mm))
    take_inventory(picture, VIEW, FLOOR, SIZES, PLACES)
    assert measured == []
    take_inventory(picture, VIEW, FLOOR, SIZES, PLACES[:3])
    assert min(distance(at_mm, PLACES[3]) for at_mm in measured) < 8.0


def test_no_rim_is_measured_where_nothing_new_may_lie():
    """Only the coin at 10, 45 is new. The next one lies 64 mm from it."""
    picture = Scenery(VIEW, tuple((at, 170.0) for at in PLACES), wood=100.0, noise=2.0).picture()
    (fit,) = take_inventory(
        picture, VIEW, FLOOR, SIZES, may_hold=lambda at, off: distance(at, PLACES[2]) < off + 10.0
    )
    assert distance(fit.at_mm, PLACES[2]) < 1.0


@pytest.mark.parametrize("coin", [170.0, 40.0, 108.0, 92.0])
def test_coins_are_found_whatever_their_brightness(coin):
    picture = Scenery(VIEW, tuple((at, coin) for at in PLACES), wood=100.0, noise=2.0).picture()
    assert len(take_inventory(picture, VIEW, FLOOR, SIZES)) == len(PLACES)


def test_a_bare_table_holds_nothing():
    assert take_inventory(Scenery(VIEW, noise=3.0).picture(), VIEW, FLOOR, SIZES) == ()


def test_printed_lines_and_corners_are_no_coins():
    """A chequered cloth: squares of 30 mm in two brightnesses, and one coin of a third."""
    squares = tuple(
        ((x, y, x + 30.0, y + 30.0), 160.0)
        for x in range(-120, 120, 30)
        for y in range(-90, 90, 30)
        if (x + y) // 30 % 2
    )
    at = (5.0, 12.0)
    cloth = Scenery(VIEW, wood=90.0, blots=squares, noise=2.0)
    assert take_inventory(cloth.picture(), VIEW, FLOOR, SIZES) == ()
    values, coin = cloth.values(), Scenery(VIEW, ((at, 200.0),), wood=0.0).values()
    laid = np.where(coin > 100.0, 40.0, values)
    found = take_inventory(Picture(grey(laid)), VIEW, FLOOR, SIZES)
    assert len(found) == 1 and distance(found[0].at_mm, at) < 1.0


@pytest.mark.parametrize("face", [90.0, 130.0, 180.0])
def test_coins_between_the_stripes_of_a_cloth_are_found(face):
    """The stripes' edges are steep, 90 grey levels. A coin 20 levels darker than the cloth has
    faint ones.
    """
    stripes = tuple(((x, -90.0, x + 12.0, 90.0), 60.0) for x in range(-130, 120, 48))
    places = ((-100.0, 10.0), (-52.0, -35.0), (-4.0, 30.0), (38.0, 0.0))
    cloth = Scenery(VIEW, wood=150.0, blots=stripes, noise=2.0)
    assert take_inventory(cloth.picture(), VIEW, FLOOR, SIZES) == ()
    found = take_inventory(laid_on(cloth, places, face), VIEW, FLOOR, SIZES)
    assert len(found) == len(places)
    assert all(min(distance(fit.at_mm, at) for fit in found) < 1.0 for at in places)


def painted(*colours: tuple[float, float, float]) -> Picture:
    """Return coins of these colours (luminance, u, v) at `PLACES` on even wood."""
    planes = [
        Scenery(
            VIEW,
            tuple((at, colour[k]) for at, colour in zip(PLACES, colours, strict=True)),
            wood=(100.0, 120.0, 140.0)[k],
            noise=1.5,
            seed=k + 1,
        ).values()
        for k in range(3)
    ]
    return Picture(grey(planes[0]), *(grey(plane[::2, ::2]) for plane in planes[1:]))


def fits_of(*mixes: ChannelMix) -> list[RimFit]:
    return [RimFit(at, 0.3, 1.0, channel_mix=mix) for at, mix in zip(PLACES, mixes, strict=True)]


def test_the_shared_mix_is_the_one_that_suits_most_coins():
    light = [ChannelMix(1.0, 0.1 * k, 0.0) for k in range(3)]
    picture = painted(*[(180.0, 120.0, 140.0)] * 3, (40.0, 120.0, 140.0))
    fits = fits_of(*light, ChannelMix(-1.0, 0.0, 0.0))
    assert shared_mix(fits, picture, VIEW, SIZES) == light[1]
    assert shared_mix([], picture, VIEW, SIZES) is None


def test_no_coin_of_a_painted_set_is_left_out_of_the_shared_mix():
    # Three pale coins stand out by 80 levels of luminance. The red one has the wood's luminance and
    # differs by 40 in v, so in the pale coins' mix it is not seen at all.
    picture = painted(*[(180.0, 120.0, 140.0)] * 3, (100.0, 120.0, 180.0))
    fits = fits_of(*[ChannelMix(1.0, 0.0, 0.0, 80.0)] * 3, ChannelMix(0.0, 0.0, 1.0, 40.0))
    mix = shared_mix(fits, picture, VIEW, SIZES)
    assert mix is not None
    assert abs(mix.y * 80.0) > 20.0 and abs(mix.v * 40.0) > 20.0


def test_a_coin_that_no_mix_shows_does_not_choose_the_mix_for_the_others():
    # Three pale coins stand out by 80 levels of luminance and 6 of u, the fourth by 3 of u only:
    # a fifth of a standard deviation of noise (16), with which it is as good as unseen.
    picture = painted(*[(180.0, 114.0, 140.0)] * 3, (100.0, 117.0, 140.0))
    pale = ChannelMix(1.0, -0.1, 0.0, 80.0)
    mix = shared_mix(fits_of(*[pale] * 3, ChannelMix(0.0, -1.0, 0.0, 3.0)), picture, VIEW, SIZES)
    assert mix == pale


@pytest.mark.parametrize(("plain", "faint", "kept"), [(2, 0, 2), (2, 3, 5), (2, 4, 2), (0, 9, 0)])
def test_many_places_that_look_a_little_like_coins_are_a_pattern(plain, faint, kept):
    """As many faint coins as plain ones, and one more, may be coins."""
    one = RimFit((0.0, 0.0), 0.3, 1.0)
    fits = [replace(one, log_odds=PLAIN_LOG_ODDS + 1.0)] * plain
    fits += [replace(one, log_odds=LEAST_TOGETHER + 1.0)] * faint
    assert len(without_pattern(fits)) == kept


def test_a_coin_whose_rim_is_not_seen_is_measured_by_its_regions(monkeypatch):
    """A pale coin on marble has no rim that is plainer than the veins around it."""
    picture = Scenery(VIEW, tuple((p, 180.0) for p in PLACES), noise=2.0).picture()
    monkeypatch.setattr(inventory, "find_rim", lambda *_: None)
    found = take_inventory(picture, VIEW, FLOOR, SIZES)
    assert len(found) == len(PLACES)
    for at in PLACES:
        fit = min(found, key=lambda fit: distance(fit.at_mm, at))
        assert distance(fit.at_mm, at) < 0.6
        assert not fit.certainty
        assert fit.sigma_mm >= REGION_SIGMA_MM  # the regions count once
