"""Every coin at rest is found, and nothing else, whatever light and colour separate it from the
table.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.geometry import Point, distance
from referee.domain.pieces import DiscSizes
from referee.vision.coins import coin_search
from referee.vision.coins.coin_search import TILE_KEEP_OUT, find_coins, lay_floor, measure_by_look
from referee.vision.coins.inventory import take_inventory
from referee.vision.coins.rim_fit import FARTHEST_MM, RimFit
from referee.vision.image.boxes import box_around, merged
from referee.vision.image.picture import Picture
from tests.vision.drawn import (
    COIN,
    RADIUS_MM,
    SIZES,
    Scenery,
    course,
    grey,
    laid_on,
    looking,
    table,
)

PLACES: tuple[Point, ...] = (
    (-80.0, 30.0),
    (-20.0, -40.0),
    (10.0, 45.0),
    (55.0, 0.0),
    (80.0, -50.0),
)
VIEW = looking(20.0)
OUTLINE = table(VIEW).edge_mm


def search(picture: Picture, outline: tuple[Point, ...] = OUTLINE, laid=None) -> tuple[RimFit, ...]:
    return take_inventory(picture, VIEW, lay_floor(VIEW, SIZES, outline, laid or course()), SIZES)


def assert_found(found: tuple[RimFit, ...], places: tuple[Point, ...]) -> None:
    assert len(found) == len(places)
    for at in places:
        assert min(distance(f.at_mm, at) for f in found) < 1.5


def coloured(
    scenery: Scenery, wood: tuple[float, float, float], coin: tuple[float, float, float]
) -> Picture:
    """Return luminance and colour at half size. Every plane is the drawn scenery with two values of
    its own.
    """
    planes = []
    for k in range(3):
        drawn = scenery.but(
            wood=wood[k], discs=tuple((at, coin[k]) for at, _ in scenery.discs), seed=k + 1
        )
        values = drawn.values()
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


@pytest.mark.parametrize(
    ("wood", "coin"),
    [(90.0, 170.0), (60.0, 230.0), (170.0, 60.0), (120.0, 90.0)],
    ids=["light", "bright", "dark", "a little darker"],
)
def test_coins_of_any_brightness_are_found(wood, coin):
    picture = Scenery(VIEW, tuple((p, coin) for p in PLACES), wood=wood, noise=2.0).picture()
    assert_found(search(picture), PLACES)


def test_coins_that_only_their_colour_tells_are_found_and_light_in_their_mix():
    scenery = Scenery(VIEW, tuple((p, 0.0) for p in PLACES), noise=2.0)
    picture = coloured(scenery, wood=(110.0, 110.0, 140.0), coin=(112.0, 150.0, 120.0))
    found = search(picture)
    assert_found(found, PLACES)
    assert all(fit.channel_mix.u > 0 > fit.channel_mix.v for fit in found)


def test_a_light_a_dark_and_a_coloured_coin_are_found_on_one_table():
    """No one mix of channels shows all of them: 20 grey levels lighter, 20 darker, and equally
    light but bluer.
    """
    planes = []
    for k, wood in enumerate((110.0, 110.0, 140.0)):
        values = [130.0, 90.0, 110.0] if k == 0 else [wood, wood, wood + (30.0 if k == 1 else -20)]
        drawn = Scenery(
            VIEW, tuple(zip(PLACES[:3], values, strict=True)), wood=wood, noise=2.0, seed=k + 1
        ).values()
        half = drawn.reshape(drawn.shape[0] // 2, 2, drawn.shape[1] // 2, 2).mean(axis=(1, 3))
        planes.append(grey(drawn if k == 0 else half))
    assert_found(search(Picture(*planes)), PLACES[:3])


def test_the_best_place_comes_first():
    picture = Scenery(VIEW, tuple((p, COIN) for p in PLACES), noise=2.0).picture()
    found = find_coins(picture, lay_floor(VIEW, SIZES, OUTLINE, course()), SIZES)
    log_odds = [place.log_odds for place in found]
    assert log_odds == sorted(log_odds, reverse=True)
    assert all(
        min(distance(place.at_mm, at) for at in PLACES) < 2.0 for place in found[: len(PLACES)]
    )


def test_dots_as_wide_as_coins_are_no_places_where_coins_lie():
    """Forty-eight dots look the same. A set has ten coins."""
    dots = [(26.0 * i - 91.0, 26.0 * j - 65.0) for i in range(8) for j in range(6)]
    coins = ((-78.0, 26.0), (0.0, -26.0), (52.0, 0.0))  # each between four dots
    scenery = Scenery(VIEW, tuple((at, 60.0) for at in dots), noise=2.0)
    lighter = Scenery(VIEW, tuple((at, 220.0) for at in coins))
    picture = Picture(grey(np.where(lighter.values() > 150.0, lighter.values(), scenery.values())))
    found = find_coins(picture, lay_floor(VIEW, SIZES, OUTLINE, course()), SIZES)
    for at in coins:
        assert min(distance(place.at_mm, at) for place in found) < 3.0
    on_dots = [place for place in found if min(distance(place.at_mm, at) for at in dots) < 3.0]
    assert len(on_dots) <= 12 + 4  # the twelve beside coins and the four in the corners differ


def test_in_free_play_any_number_of_discs_may_look_alike():
    discs = [(30.0 * i - 90.0, 30.0 * j - 60.0) for i in range(7) for j in range(5)]
    picture = Scenery(VIEW, tuple((at, COIN) for at in discs), noise=2.0).picture()
    floor = lay_floor(VIEW, SIZES, OUTLINE, course())
    free = DiscSizes(coin_mm=SIZES.coin_mm, coin_thickness_mm=SIZES.coin_thickness_mm)
    for sizes, most in ((SIZES, len(discs) // 2), (free, len(discs))):
        found = find_coins(picture, floor, sizes)
        seen = [at for at in discs if any(distance(p.at_mm, at) < FARTHEST_MM for p in found)]
        assert len(seen) <= most
        assert (len(seen) == len(discs)) == (sizes is free)


@pytest.mark.parametrize("radius", [5.0, 6.5, 15.0, 20.0])
def test_discs_of_another_size_are_no_coins(radius):
    scenery = Scenery(VIEW, tuple((p, COIN) for p in PLACES[:2]), noise=2.0)
    other = Scenery(VIEW, tuple((p, COIN) for p in PLACES[2:]), radius_mm=radius)
    both = np.maximum(scenery.values(), other.values())
    assert_found(search(Picture(grey(both))), PLACES[:2])


def test_a_bare_table_holds_no_coins():
    assert search(Scenery(VIEW, noise=3.0).picture()) == ()


def test_squares_strips_and_shadows_are_no_coins():
    blots = (((-60.0, 20.0, -35.0, 45.0), COIN), ((20.0, -60.0, 32.0, -20.0), COIN))
    picture = Scenery(
        VIEW,
        (((60.0, 30.0), COIN),),
        noise=2.0,
        blots=blots,
        shade=(-120.0, -90.0, -70.0, 90.0),
        light=0.6,
    ).picture()
    assert_found(search(picture), ((60.0, 30.0),))


def test_coins_that_touch_are_two():
    at, beside = (0.0, 0.0), (2 * RADIUS_MM, 0.0)
    assert_found(
        search(Scenery(VIEW, ((at, COIN), (beside, COIN)), noise=2.0).picture()), (at, beside)
    )


def test_what_lies_beyond_the_edge_is_not_looked_at():
    picture = Scenery(VIEW, (((0.0, 0.0), COIN), ((100.0, 0.0), COIN)), noise=2.0).picture()
    near = table(VIEW, half_mm=(70.0, 60.0)).edge_mm
    assert_found(search(picture, near), ((0.0, 0.0),))
    assert_found(search(picture), ((0.0, 0.0), (100.0, 0.0)))


@pytest.mark.parametrize("inside_mm", [0.5, 6.0], ids=["half over", "a little over"])
def test_a_coin_that_hangs_over_the_edge_is_found(inside_mm):
    """Beyond the edge lies a dark floor."""
    at = (50.0 - inside_mm, 20.0)
    dark = Scenery(VIEW, blots=(((50.0, -200.0, 300.0, 200.0), 40.0),), noise=2.0)
    outline = table(VIEW, half_mm=(50.0, 60.0)).edge_mm
    assert_found(search(laid_on(dark, (at, (0.0, 0.0)), COIN), outline), (at, (0.0, 0.0)))


def test_a_disc_printed_on_a_tile_is_no_coin():
    picture = Scenery(VIEW, (((-50.0, 0.0), COIN), ((50.0, 0.0), COIN)), noise=2.0).picture()
    assert_found(search(picture, laid=course(("wicket-1-left", (50.0, 0.0)))), ((-50.0, 0.0),))


@pytest.mark.parametrize(("stack", "found"), [(1, True), (4, False)])
def test_a_disc_on_top_of_a_stack_is_no_coin_though_it_seems_to_lie_behind_it(stack, found):
    """From (0, -206, 567), the top of four tiles, 21 mm above coins' faces, is seen 1.9 mm to the
    right of where they stand and 9.5 mm farther away.
    """
    at = (66.9, 71.5)
    laid = course(("left-endpost", (50.0, 40.0)))
    laid = replace(
        laid, tiles={name: replace(tile, stack=stack) for name, tile in laid.tiles.items()}
    )
    picture = Scenery(VIEW, (((-50.0, 0.0), COIN), (at, COIN)), noise=2.0).picture()
    assert_found(search(picture, laid=laid), ((-50.0, 0.0), at) if found else ((-50.0, 0.0),))


def test_a_coin_on_a_stack_is_not_taken_for_one_on_the_table_behind_it():
    """A coin half a millimetre inside the far edge of six tiles, 45 mm from the middle. From (0,
    -206, 567) it is seen 17 mm farther away, in the plane of coins on the table: by 36 / 528 of its
    distance from the camera. A coin on the table 4 mm farther away is none on the stack.
    """
    laid = course(("left-endpost", (0.0, 20.0)))
    tiles = {name: replace(tile, stack=6) for name, tile in laid.tiles.items()}
    floor = lay_floor(VIEW, SIZES, OUTLINE, replace(laid, tiles=tiles))
    seems_mm = 44.5 + (44.5 + 206.0) * 36.0 / 528.0
    assert not floor.has((0.0, seems_mm))
    assert floor.has((0.0, seems_mm + 4.0))


def test_without_a_known_edge_the_table_reaches_beyond_the_course():
    picture = Scenery(VIEW, (((-60.0, 0.0), COIN),), noise=2.0).picture()
    assert_found(
        search(
            picture,
            outline=(),
            laid=course(("wicket-1-left", (30.0, 0.0)), ("wicket-1-right", (30.0, -80.0))),
        ),
        ((-60.0, 0.0),),
    )


def test_a_part_of_the_floor_is_searched_alone():
    picture = Scenery(VIEW, tuple((p, COIN) for p in PLACES), noise=2.0).picture()
    floor = lay_floor(VIEW, SIZES, OUTLINE, course()).part(box_around(PLACES[3], 30.0))
    assert_found(take_inventory(picture, VIEW, floor, SIZES), PLACES[3:4])


def test_beside_a_part_of_the_floor_nothing_lies_on_it():
    floor = lay_floor(VIEW, SIZES, OUTLINE, course())
    part = floor.part(box_around(PLACES[3], 30.0))
    assert part.has(PLACES[3]) and not part.has(PLACES[2]) and floor.has(PLACES[2])


def test_where_no_place_of_the_floor_is_there_is_no_coin():
    """Three coins in a row, of which the outer two are known, are searched for beside the table,
    where a hand was.
    """
    heap = ((-20.0, 0.0), (0.0, 0.0), (20.0, 0.0))
    picture = Scenery(VIEW, tuple((p, COIN) for p in heap), noise=2.0).picture()
    beside = lay_floor(VIEW, SIZES, OUTLINE, course()).part((5000.0, 0.0, 5050.0, 50.0))
    assert not beside.has((5025.0, 25.0))
    assert take_inventory(picture, VIEW, beside, SIZES, (heap[0], heap[2])) == ()


def test_the_floor_says_where_each_place_is_seen():
    floor = lay_floor(VIEW, SIZES, OUTLINE, course())
    j, i = 40, 100
    px = VIEW.to_image(np.array([[floor.x_mm[i], floor.y_mm[j], SIZES.coin_thickness_mm]]))[0]
    assert (floor.map_x_px[j, i], floor.map_y_px[j, i]) == pytest.approx(tuple(px), abs=0.05)
    # The middle of a coin must lie on the table.
    rows, columns = np.nonzero(floor.open_)
    assert 119 <= abs(floor.x_mm[columns]).max() <= 121 and 89 <= abs(floor.y_mm[rows]).max() <= 91


@given(st.tuples(*[st.floats(-160, 160)] * 2), st.floats(-45, 45))
def test_a_tile_closes_the_places_around_it_and_behind_its_top_and_no_others(at_mm, turn_deg):
    laid = course(("wicket-1-left", at_mm))
    tile = replace(laid.tiles["wicket-1-left"], rotation_deg=turn_deg)
    floor = lay_floor(VIEW, SIZES, OUTLINE, laid.with_tile("wicket-1-left", tile))
    bare = lay_floor(VIEW, SIZES, OUTLINE, course())
    behind_mm = VIEW.place_of(
        *VIEW.pixel_of(*at_mm, SIZES.tile_thickness_mm), SIZES.coin_thickness_mm
    )

    def beyond(middle_mm: Point, reach_mm: float) -> np.ndarray:
        turn = np.radians(turn_deg)
        east, north = np.meshgrid(floor.x_mm - middle_mm[0], floor.y_mm - middle_mm[1])
        along = abs(np.cos(turn) * east + np.sin(turn) * north)
        return np.maximum(along, abs(np.cos(turn) * north - np.sin(turn) * east)) - reach_mm

    half_mm = SIZES.tile_mm / 2
    beside = np.minimum(
        beyond(at_mm, half_mm + TILE_KEEP_OUT * RADIUS_MM), beyond(behind_mm, half_mm)
    )
    clear = abs(beside) > 1e-6  # elsewhere rounding decides
    assert np.array_equal(floor.open_[clear], (bare.open_ & (beside > 0))[clear])


def test_boxes_that_overlap_are_searched_as_one_and_others_by_themselves():
    near, beside, between, far = (
        box_around((0.0, 0.0), 10.0),
        box_around((30.0, 5.0), 10.0),
        (5.0, -2.0, 25.0, 2.0),
        box_around((200.0, 0.0), 10.0),
    )
    assert merged([near, beside, far]) == [near, beside, far]
    assert merged([near, far, beside, between]) == [far, (-10.0, -10.0, 40.0, 15.0)]


@given(st.lists(st.tuples(st.tuples(*[st.integers(-50, 50)] * 2), st.integers(1, 20)), max_size=8))
def test_whatever_lay_in_a_box_lies_in_just_one_of_those_merged(around):
    boxes = [box_around(at, reach) for at, reach in around]
    whole = merged(boxes)
    for left, low, right, high in boxes:
        assert (
            sum(b[0] <= left and b[1] <= low and right <= b[2] and high <= b[3] for b in whole) == 1
        )
    for k, a in enumerate(whole):
        assert all(
            a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1] for b in whole[k + 1 :]
        )


@pytest.mark.parametrize(("support", "moved"), [(0.7, True), (0.97, False)])
def test_a_poor_rim_far_from_where_a_coin_is_seen_is_measured_there(
    monkeypatch: pytest.MonkeyPatch, support: float, moved: bool
) -> None:
    """A shadow's edge 6 mm away gives a rim, which is believed only if it is plain."""
    lies, shadow = (10.0, 20.0), (14.0, 15.5)
    picture = Scenery(VIEW, ((lies, COIN),), noise=2.0).picture()
    floor = lay_floor(VIEW, SIZES, OUTLINE, course())
    measured = coin_search.measure_coin

    def misled(picture, view, guess_mm, sizes, lying_mm=()):
        fit = RimFit(shadow, 0.5, support)
        return fit if guess_mm == shadow else measured(picture, view, guess_mm, sizes, lying_mm)

    monkeypatch.setattr(coin_search, "measure_coin", misled)
    fit = measure_by_look(picture, VIEW, floor, shadow, SIZES)
    assert fit is not None
    assert (distance(fit.at_mm, lies) < 0.3) == moved
    assert (fit.at_mm == shadow) == (not moved)
