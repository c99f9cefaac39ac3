"""A coin that slid unseen into a tile and off it again, and what the tile tells about that."""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

import pytest

from referee.detectors.coin_motion.tile_bounce import slid_off_tile
from referee.detectors.hands.flick import flicks
from referee.detectors.hands.hidden_move import hand_chance
from referee.detectors.hands.placement import placements
from referee.detectors.incidents import incidents_of
from referee.domain.incident import Unseen
from referee.domain.layout import Course, Tile
from referee.domain.path import Held, Path
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM, TILE_MM

TILE = Tile((0.0, 0.0))
HOME = Course(MappingProxyType({"door": TILE}), TILE_MM)
SIDE_Y = -(TILE_MM + COIN_MM) / 2  # the coin's centre as it touches the near side


def _lies(x_mm: float, gap_mm: float) -> tuple[float, float]:
    return (x_mm, SIDE_Y - gap_mm)


def _pushed(x_mm: float, y_mm: float, turn_deg: float = 0.0) -> Course:
    return HOME.with_tile("door", Tile((x_mm, y_mm), turn_deg))


@pytest.mark.parametrize(
    ("after", "lies", "fits"),
    [
        (_pushed(0.0, 5.0), _lies(2.0, 8.0), True),  # straight ahead and straight back
        (_pushed(0.0, -5.0), _lies(2.0, 8.0), False),  # towards the coin
        (_pushed(5.0, 2.0), _lies(2.0, 8.0), False),  # 68 degrees aside, with 20 for friction
        # Struck 14 mm to the right of its middle, at a2 / 6 = 430 mm2: 9.3 degrees for 5 mm.
        (_pushed(0.0, 5.0, 9.0), _lies(35.0, 8.0), True),
        (_pushed(0.0, 5.0, -9.0), _lies(35.0, 8.0), False),  # the coin went right, the blow left
        (_pushed(0.0, 5.0, 35.0), _lies(35.0, 8.0), False),  # 25 mm is the longest lever: 17
        (_pushed(0.0, 5.0), _lies(0.0, -60.0), False),  # it cannot pass through the tile
    ],
)
def test_a_pushed_tile_tells_whether_a_coin_came_off_it(after, lies, fits) -> None:
    """The coin lay 20 mm below the near side of a tile of 50.8 mm, and was hidden for 20 ms."""
    coin = path("moons", rest=_lies(0.0, 20.0), after=lies, held=(Held(0.2, 0.22, True, 0.0),))
    scene = episode(coin, course=HOME, after=after)
    assert slid_off_tile(scene, coin) == fits


def _slid(slide_extra_cost: float = 0.0) -> Path:
    held = (Held(0.2, 0.35, True, slide_extra_cost),)
    return path("moons", rest=_lies(0.0, 20.0), after=_lies(2.0, 8.0), held=held)


@pytest.mark.parametrize(
    ("after", "other", "flicked"),
    [
        (_pushed(0.0, 5.0), lying("suns", (200.0, -200.0)), True),
        (_pushed(0.0, -5.0), lying("suns", (200.0, -200.0)), False),
        (_pushed(0.0, 5.0), lying("suns", (COIN_MM, SIDE_Y - 20.0)), False),  # in touch
        (_pushed(0.0, 5.0), path("suns", run(0.3, (90.0, -90.0), (200.0, 0.0))), False),
    ],
    ids=["off the tile", "the tile was pulled", "a coin beside it", "another coin moved"],
)
def test_a_coin_that_came_off_a_tile_under_the_hand_was_flicked(after, other, flicked) -> None:
    """Only what it did itself can then explain why it lies elsewhere. Otherwise another coin may
    have struck it, or the hand pushed it.
    """
    hands = {"moons": (0.1, 0.5)}
    scene = episode(_slid(), other, hands=hands, course=HOME, after=after)
    found = [flick for flick in flicks(scene, (_slid(), other)) if flick.coin == "moons"]
    assert [sure(flick) for flick in found] == [flicked]


@pytest.mark.parametrize(("until_s", "flicked"), [(0.38, True), (0.45, False)])
def test_a_hand_may_move_a_coin_and_push_the_tile_but_not_while_a_coin_slides(until_s, flicked):
    """A hidden slide costs 4 more than a hand. The tile alone makes it 0.88, and the push that fits
    10 times as likely and a flick certain if it slid; otherwise 0.8 of that is left. A coin slides
    20 mm and back 8 mm in 0.17 s at most, and two frames are 0.03 s. If it did not slide, a hand
    placed it; that is left out where a slide is as likely as here.
    """
    coin = replace(_slid(), held=(Held(0.2, until_s, True, 4.0),))
    scene = episode(coin, hands={"moons": (0.1, until_s)}, course=HOME, after=_pushed(0.0, 5.0))
    (flick,) = flicks(scene, (coin,))
    odds = math.exp(2.0) * (10.0 if flicked else 1.0)
    share = 1.0 if flicked else 0.8
    assert flick.probability == pytest.approx(share * odds / (1.0 + odds), abs=1e-4)
    by_hand = [] if flicked else [pytest.approx(1.0 / (1.0 + odds), abs=1e-4)]
    assert [moved.probability for moved in placements(scene, (coin,), [])] == by_hand


@pytest.mark.parametrize(
    ("runs", "fits"), [((), 10.0), ((run(0.5, (0.0, 5.0), (0.0, 30.0)),), 1.0)]
)
def test_only_a_coin_that_did_not_slide_besides_came_off_the_tile_under_the_hand(runs, fits):
    """Its two places of rest are then not the ends of what was hidden. A slide that costs as much
    as a hand gets e^4 times as likely by the pushed tile, and ten times more by a push that fits.
    """
    coin = replace(_slid(0.0), runs=runs)
    scene = episode(coin, hands={"moons": (0.1, 0.38)}, course=HOME, after=_pushed(0.0, 5.0))
    ends = (coin.rest_before_mm, coin.rest_after_mm)
    assert coin.rest_before_mm is not None and coin.rest_after_mm is not None
    chance = hand_chance(scene, (coin,), coin, coin.held[0], ends)
    assert chance == pytest.approx(1.0 / (1.0 + math.exp(4.0) * fits), rel=1e-6)


@pytest.mark.parametrize(
    ("settled_s", "within_s", "flicked"),
    [
        pytest.param(0.35, None, True, id="a hand that holds still moves no coin any more"),
        pytest.param(0.5, None, False, id="it held still only then"),
        pytest.param(None, None, False, id="nobody knows"),
        pytest.param(0.5, (0.5, 0.65), True, id="parts of the coin show when it moved"),
        pytest.param(0.5, (0.3, 0.6), False, id="parts of it show that it may have taken longer"),
    ],
)
def test_a_coin_under_a_hand_was_moved_with_the_tile_unless_it_soon_lay_there(
    settled_s, within_s, flicked
):
    """The hand is at it for 0.5 s; it slides for 0.17 s at most, and two frames are 0.03 s."""
    coin = replace(_slid(), held=(Held(0.2, 0.7, True, -4.0),))
    scene = episode(coin, hands={"moons": (0.1, 0.7)}, course=HOME, after=_pushed(0.0, 5.0))
    times = {"lay_until_s": 0.2, "settled_s": settled_s, "moved_within_s": within_s}
    track = replace(scene.tracks[0], **times)
    (flick,) = flicks(replace(scene, tracks=(track,)), (coin,))
    assert sure(flick) == flicked


def test_a_coin_that_comes_back_off_a_tile_past_its_place_may_have_struck_what_lies_there() -> None:
    """It lay 20 mm below a tile that was pushed 5 mm away, and is seen 100 ms later, 10 mm behind
    its place and on the way from the tile. Nobody saw what else it met.
    """
    coin = path(
        "moons",
        run(0.3, _lies(0.0, 30.0), (0.0, -200.0)),
        rest=_lies(0.0, 20.0),
        held=(Held(0.2, 0.3, True, -20.0),),
    )
    seen = tuple(Sighting("moons", k, k / FPS, _lies(0.0, 30.0 + k - 18), 0.5) for k in (18, 19))
    coin = replace(coin, sightings=seen)
    scene = episode(coin, hands={"moons": (0.1, 0.3)}, course=HOME, after=_pushed(0.0, 5.0))
    unseen = [i for i in incidents_of(scene, (coin,)) if isinstance(i, Unseen)]
    assert [(i.pieces, i.from_s, i.to_s) for i in unseen] == [(("moons",), 0.2, 0.3167)]
