"""What frame analysis says about coins under a hand, under its shadow, or under what is mistaken
for a coin beside it: where they lie, and where they lay before.
"""

from __future__ import annotations

import numpy as np
import pytest

from referee.domain.frame_observation import Disc, Expected, Presence
from referee.domain.geometry import distance
from referee.vision.image.picture import Picture
from tests.vision.drawn import (
    COIN,
    HEIGHT,
    RADIUS_MM,
    SIZES,
    WIDTH,
    WOOD,
    Scenery,
    grey,
    looking,
    places_of,
    within,
)
from tests.vision.watched import EXPOSURE_S, HAND, MOONS, RESTING, STILL, SUNS, Watched

SHADE = (-36.0, -20.0, 20.0, 60.0)  # of the hand over suns, joined to it
OUT = (-8.0, 20.0)

Box = tuple[float, float, float, float]


def in_colour(scenery: Scenery, red: float, hand: Box = HAND[0]) -> Picture:
    """Return the frame with the colour of wood and coins. The hand, and the disc at `OUT`, have the
    share `red` of red in their luminance.
    """
    luma = scenery.picture().luma
    at = places_of(
        scenery.view,
        np.arange(WIDTH, dtype=np.float64),
        np.arange(HEIGHT, dtype=np.float64),
        SIZES.coin_thickness_mm,
    )
    skin = within(at, hand) | (np.hypot(*np.moveaxis(at - OUT, -1, 0)) < RADIUS_MM)
    v = 128 + luma * np.where(skin, red, 0.08)
    return Picture(luma, grey(128 - 0.12 * luma), grey(v))


@pytest.mark.parametrize(
    ("red", "plain"), [(0.08, True), (0.16, False)], ids=["of a coin's hue", "of a finger's"]
)
def test_what_only_shade_joins_to_a_hand_is_a_coin_where_it_has_a_coin_s_hue(red, plain):
    watched = Watched()
    watched.analysis.refresh(in_colour(STILL, 0.08))
    watched.analysis.lay("suns", SUNS)
    watched.analysis.lay("moons", MOONS)
    flicked = STILL.but(discs=((OUT, COIN), (MOONS, COIN)), shade=SHADE, light=0.75, blots=(HAND,))
    watched.frame += 1
    observation = watched.analysis.observe(
        in_colour(flicked, red), watched.frame, watched.frame / 60, RESTING, EXPOSURE_S
    )
    assert observation.hand and observation.presence == {"suns": Presence.COVERED}
    found = [d.at_hand for d in observation.discs if distance(d.at_mm, OUT) < 0.7]
    assert found == ([False] if plain else [])


@pytest.mark.parametrize(
    ("red", "presence"),
    [(0.2, Presence.COVERED), (0.12, Presence.GONE)],
    ids=["a sleeve", "perhaps the table"],
)
def test_a_sleeve_as_light_as_the_table_covers_a_coin(red: float, presence: Presence) -> None:
    watched = Watched()
    watched.analysis.refresh(in_colour(STILL, 0.08))
    watched.analysis.lay("suns", SUNS)
    watched.analysis.lay("moons", MOONS)
    sleeve, hand = (-110.0, -90.0, -35.0, 40.0), (-46.0, 24.0, -10.0, 110.0)
    over = STILL.but(discs=((MOONS, COIN),), blots=((sleeve, WOOD), (hand, 140.0)))
    both = (-110.0, -90.0, -10.0, 110.0)
    watched.frame += 1
    observation = watched.analysis.observe(
        in_colour(over, red, both), watched.frame, watched.frame / 60, RESTING, EXPOSURE_S
    )
    assert observation.presence == {"suns": presence}


def seen_at_hand(red: float, *, seen_free: bool) -> list[Disc]:
    """Return the discs at `OUT`, where a moving coin is expected, and where a hand hides a part of
    the rim of what is seen. It is less round than what else is taken for a coin there. It has the
    share `red` of red, the coins have 0.08.
    """
    watched = Watched()
    watched.analysis.refresh(in_colour(STILL, 0.08))
    watched.analysis.lay("suns", SUNS)
    watched.analysis.lay("moons", MOONS)
    hand = (-110.0, 28.0, 110.0, 90.0)
    frame = STILL.but(discs=((OUT, COIN), (MOONS, COIN)), blots=((hand, 140.0),))
    followed = Expected("suns", OUT, (600.0, 0.0), (OUT[0] - 10.0, OUT[1]), 1 / 60, seen_free)
    watched.frame += 1
    observation = watched.analysis.observe(
        in_colour(frame, red, hand),
        watched.frame,
        watched.frame / 60,
        [followed, RESTING[1]],
        EXPOSURE_S,
    )
    return [d for d in observation.discs if distance(d.at_mm, OUT) < 0.7]


@pytest.mark.parametrize("seen_free", [True, False])
def test_a_coin_that_was_followed_to_a_hand_is_the_coin_where_it_is_expected(
    seen_free: bool,
) -> None:
    (disc,) = seen_at_hand(0.08, seen_free=seen_free)
    assert disc.beside_hand and disc.at_hand == (not seen_free)


@pytest.mark.parametrize("seen_free", [True, False])
def test_a_round_thing_at_a_hand_with_the_hands_hue_is_a_fingertip(seen_free: bool) -> None:
    assert seen_at_hand(0.16, seen_free=seen_free) == []


def test_a_coin_that_plainly_lies_where_it_lay_did_not_go_whatever_was_taken_for_it():
    watched = Watched()
    watched.see(STILL.but(blots=(HAND,)))
    taken = Expected("suns", (20.0, 40.0), (600.0, 0.0), (10.0, 40.0), 1 / 60)
    assert watched.see(STILL.but(shade=SHADE, light=0.6), taken).not_gone == {"suns"}
    gone = STILL.but(discs=(((10.0, 40.0), COIN), (MOONS, COIN)))
    assert watched.see(gone, taken).not_gone == frozenset()


def test_a_coin_that_was_followed_and_lost_is_looked_for_where_it_lay():
    """It was followed while a hand covered its place. When it is lost, nothing changes there any
    more.
    """
    watched = Watched()
    gone = STILL.but(discs=((MOONS, COIN),))
    watched.see(gone.but(blots=(HAND,)))
    followed = Expected("suns", (60.0, 60.0), (300.0, 0.0), (55.0, 60.0), 1 / 60)
    watched.see(gone.but(blots=(HAND,), shade=SHADE, light=0.8), followed)
    watched.see(gone, followed)
    seen = watched.see(gone.but(shade=(60.0, -80.0, 110.0, -40.0), light=0.7))
    assert seen.presence == {"suns": Presence.GONE}


def test_a_coin_that_lies_where_a_hand_has_just_left_is_seen_and_said_to_lie_still():
    """The hand lies over its old place and beside the new one, then withdraws in two steps."""
    watched = Watched()
    to = (-5.0, 45.0)
    put = STILL.but(discs=((to, COIN), (MOONS, COIN)))
    watched.see(STILL.but(blots=(HAND,)))
    watched.see(put.but(blots=(((-110.0, -90.0, -18.0, 60.0), 140.0),)))
    for left in (-60.0, -80.0, -90.0):
        seen = watched.see(put.but(blots=(((-110.0, -90.0, left, 0.0), 140.0),)))
    (disc,) = seen.discs
    assert distance(disc.at_mm, to) < 1.0 and disc.still and not disc.beside_hand


def test_a_picture_that_repeats_a_sliding_coin_does_not_show_it_again():
    """The source repeats a picture while the coin slides on, and only a hand stirs elsewhere."""
    watched = Watched()
    watched.see(STILL.but(blots=(HAND,)))
    out = STILL.but(discs=((OUT, COIN), (MOONS, COIN)))
    slides = Expected("suns", OUT, (5000.0, 1000.0), (-90.0, 5.0), 1 / 60)
    stirs = out.but(blots=(((60.0, -90.0, 110.0, -60.0), 140.0),))
    on = Expected("suns", (75.0, 35.0), (5000.0, 1000.0), OUT, 1 / 60)
    seen = [watched.see(out, slides), watched.see(stirs, on)]
    assert [sum(distance(d.at_mm, OUT) < 1.0 for d in s.discs) for s in seen] == [1, 0]


def test_a_coin_that_was_never_disturbed_did_not_go_either():
    """Another coin came from under the hand beside it, and was taken for it."""
    watched = Watched()
    taken = Expected("moons", (80.0, 40.0), (600.0, 0.0), (70.0, 40.0), 1 / 60)
    slid = STILL.but(discs=(((75.0, 40.0), COIN), (MOONS, COIN)), blots=(HAND,))
    assert watched.see(slid, taken).not_gone == {"moons"}


@pytest.mark.parametrize(("light", "seen"), [(COIN, True), (WOOD + 0.5 * (COIN - WOOD), False)])
def test_a_coin_beside_a_hand_is_in_full_view_if_it_looks_as_it_did(light: float, seen: bool):
    """The hand reaches around suns and touches its rim. What is half as light is a fingertip."""
    watched = Watched()
    around = ((-110.0, -90.0, -71.0, 40.0), 140.0)
    observation = watched.see(STILL.but(blots=(around,), discs=((SUNS, light), (MOONS, COIN))))
    assert observation.covered == {"suns"}
    assert observation.in_view == ({"suns"} if seen else frozenset())


@pytest.mark.parametrize(("hand", "lies"), [(False, True), (True, False)])
def test_a_fingertip_where_a_coin_lay_is_not_that_coin(hand: bool, lies: bool):
    """Suns was seen to slide away. What lies there now is half as light as it was: the coin in
    other light or, where a hand reaches to it, a fingertip.
    """
    watched = Watched()
    around = (((-110.0, -90.0, -71.0, 40.0), 140.0),) if hand else ()
    watched.see(STILL.but(blots=(HAND,)))
    slid = Expected("suns", (20.0, 40.0), (600.0, 0.0), (10.0, 40.0), 1 / 60)
    half = ((SUNS, WOOD + 0.5 * (COIN - WOOD)), (MOONS, COIN))
    seen = watched.see(STILL.but(blots=around, discs=half), slid)
    assert seen.not_gone == ({"suns"} if lies else frozenset())


def test_a_coin_at_rest_under_a_hand_is_not_judged_by_where_it_lay_before():
    watched = Watched()
    moved = STILL.but(discs=(((-60.0, 60.0), COIN), (MOONS, COIN)))
    assert watched.see(moved).presence == {"suns": Presence.GONE}
    watched.resting = (Expected("suns", (-60.0, 60.0)), RESTING[1])
    assert (
        watched.see(moved.but(discs=(((-60.0, 60.0), COIN), ((41.5, -20.0), COIN)))).presence[
            "suns"
        ]
        is Presence.COVERED
    )


def test_a_resting_coin_is_not_bare_table_when_something_covers_its_old_place():
    watched, lies = Watched(), (40.0, 60.0)
    moved = STILL.but(discs=((lies, COIN), (MOONS, COIN)))
    watched.see(moved)
    watched.resting = (Expected("suns", lies), RESTING[1])
    for brightness in (
        140.0,
        130.0,
        125.0,
    ):  # a hand over where it lay, neither coin nor table, and it moves
        seen = watched.see(moved.but(blots=((HAND[0], brightness),)))
    assert seen.presence["suns"] is Presence.COVERED


def test_a_fingertip_of_a_coin_s_look_does_not_hide_that_the_coin_slid_away():
    # A hand comes to suns and flicks it. Its fingertip stays where suns lay, round and nearly as
    # light as the coin, a little beside its place.
    watched, beside = Watched(), ((-130.0, -90.0, -70.0, 40.0), 140.0)
    watched.see(STILL.but(blots=(beside,)))
    fingertip = ((SUNS[0] + 1.5, SUNS[1]), WOOD + 0.8 * (COIN - WOOD))
    for slid_mm in (40.0, 70.0):
        at = (SUNS[0] + slid_mm, SUNS[1] + 20.0)
        flicked = STILL.but(blots=(beside,), discs=((at, COIN), (MOONS, COIN), fingertip))
        observation = watched.see(flicked)
        assert observation.presence == {"suns": Presence.COVERED}
        assert any(distance(disc.at_mm, at) < 0.7 for disc in observation.discs)
    assert not watched.see(STILL).presence  # the hand put it back


@pytest.mark.parametrize(("light", "found"), [(COIN, True), (WOOD + 0.5 * (COIN - WOOD), False)])
def test_a_coin_that_came_back_to_the_hand_that_flicked_it_is_seen_beside_it(light, found):
    """It was flicked at a tile 40 mm ahead. It lies 29 mm from where a finger covered it, 2.5 mm
    beside the finger, and is as light as it was. What is half as light is another finger.
    """
    watched = Watched(tiles=(("gatepost-nw", (SUNS[0], SUNS[1] + 40.0 + SIZES.tile_mm / 2)),))
    finger = ((SUNS[0] - 8.0, -90.0, SUNS[0] + 8.0, SUNS[1] + 12.0), 150.0)
    beside = (SUNS[0] + 8.0 + 2.5 + RADIUS_MM, SUNS[1] - 20.0)
    watched.analysis.refresh(in_colour(STILL, 0.08))
    watched.analysis.lay("suns", SUNS)
    watched.analysis.lay("moons", MOONS)
    for discs in (STILL.discs, ((beside, light), (MOONS, COIN))):
        watched.frame += 1
        observation = watched.analysis.observe(
            in_colour(STILL.but(discs=discs, blots=(finger,)), 0.16, finger[0]),
            watched.frame,
            watched.frame / 60,
            RESTING,
            EXPOSURE_S,
        )
    assert any(distance(disc.at_mm, beside) < 0.7 for disc in observation.discs) == found


TILE_AT = (0.0, 20.0)
TILE = ((-25.0, -5.0, 25.0, 45.0), 190.0)
SLEEVE = ((-30.0, -70.0, 30.0, 50.0), WOOD + 9.0)  # hardly lighter than the table


def test_a_tile_under_a_sleeve_almost_as_light_as_the_table_has_not_left():
    laid = Scenery(looking(20.0), ((SUNS, COIN), (MOONS, COIN)), noise=1.5, blots=(TILE,))
    watched = Watched(laid, tiles=(("wicket-1-left", TILE_AT),))
    for _ in range(30):
        assert watched.see(laid.but(blots=(TILE, SLEEVE))).hand
    for _ in range(3):
        after = watched.see(laid)
    assert not after.hand


@pytest.mark.parametrize("red", [0.08, 0.16], ids=["of a coin's hue", "of another hue"])
@pytest.mark.parametrize("pushed_mm", [0.0, 3.0])
def test_beside_a_pushed_tile_a_coin_in_shade_is_found_by_its_hue(red, pushed_mm):
    """Its rim is 5 mm from the tile's, and it is two thirds as much lighter than the table as coins
    are. Where a pushed tile's shadow was, the table is lighter, too. A tile that lies as before has
    no such place.
    """
    tile = ((7.0, 15.0, 57.0, 65.0), 190.0)
    laid = STILL.but(blots=(tile,))
    watched = Watched(laid, tiles=(("wicket-1-left", (32.0, 40.0)),))
    watched.analysis.refresh(in_colour(laid, 0.08))
    watched.analysis.lay("suns", SUNS)
    watched.analysis.lay("moons", MOONS)
    left, near, right, far = tile[0]
    pushed = ((left + pushed_mm, near, right + pushed_mm, far), tile[1])
    shaded = (OUT, WOOD + 0.67 * (COIN - WOOD))
    slid = laid.but(discs=(shaded, (MOONS, COIN)), blots=(pushed,))
    watched.frame += 1
    observation = watched.analysis.observe(
        in_colour(slid, red), watched.frame, watched.frame / 60, RESTING, EXPOSURE_S
    )
    found = [disc for disc in observation.discs if distance(disc.at_mm, OUT) < 0.7]
    assert bool(found) == (red == 0.08 or pushed_mm == 0.0)


@pytest.mark.parametrize("forgotten", [True, False])
def test_print_that_a_hand_covered_is_nothing_new_once_it_is_known_to_be_print(forgotten: bool):
    """Something printed looks like a coin. Under a hand, the bare table is guessed."""
    watched = Watched()
    over = STILL.but(blots=(HAND,))
    for _ in range(6):
        watched.see(over)
    if forgotten:
        watched.analysis.forget_print({"suns", "never seen"})
        watched.resting = watched.resting[1:]
    for _ in range(6):
        watched.see(STILL)
    found = watched.analysis.difference.something_new([MOONS])
    assert bool(found) is not forgotten
    assert watched.analysis.difference.changed_at(SUNS) is not forgotten


def test_coins_that_slid_into_a_row_are_no_hand():
    """Six coins slide past each other. Then they touch, and what differs is one large region. A
    block of that size that comes from nowhere is a hand.
    """
    lay = {f"coin-{k}": (-75.0 + 30.0 * k, -50.0) for k in range(6)}
    resting = tuple(Expected(name, at) for name, at in lay.items())
    still = Scenery(looking(20.0), tuple((at, COIN) for at in lay.values()), noise=1.5)

    def row(apart_mm: float) -> Scenery:
        places = [(apart_mm * (k - 2.5), 40.0) for k in range(6)]
        return still.but(discs=tuple((at, COIN) for at in places))

    sliding = [
        Expected(name, (25.0 * (k - 2.5), 40.0), (0.0, 300.0), (25.0 * (k - 2.5), 35.0), 1 / 60)
        for k, name in enumerate(lay)
    ]
    watched = Watched(still, resting)
    assert len(watched.see(row(25.0), *sliding).discs) == 6
    assert not watched.see(row(20.0), *sliding).hand
    block = still.but(blots=(((-60.0, 30.0, 60.0, 50.0), COIN),))
    assert Watched(still, resting).see(block).hand
