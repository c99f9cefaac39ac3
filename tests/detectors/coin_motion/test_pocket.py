"""Pocketed coins: through the mouth, out again, short of it, and what is told of a coin that lies
in a pocket.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType

import msgspec
import pytest

from referee.detectors.coin_motion.crossing import line_crossings
from referee.detectors.coin_motion.pocket import in_pocket, of_coins_in_play, pocketed_coins
from referee.detectors.count import TableCount, counted
from referee.detectors.incidents import incidents_of
from referee.detectors.provisional import provisional_incidents
from referee.domain.incident import AtRest, Flicked, LeftTable, Placed, Pocketed, Unseen
from referee.domain.layout import Course, template_course
from referee.domain.path import Path
from tests.detectors.scenes import episode, path, run, sure
from tests.tracking.slides import SLOWING, TILE_MM, Shot, flicked

BOARD = template_course("carroms", TILE_MM)
# The mouth in the north-east lies on the line x + y = 7.7678 tiles, and coins go along x = y.
MOUTH_MM = 7.7678 * TILE_MM / 2


def on_board(coin: Path):
    return replace(episode(coin), course_before=BOARD, course_after=BOARD)


def speed_for(way_mm: float) -> float:
    """Return the speed of a coin that friction stops after this way: v^2 = 2 a s."""
    return math.sqrt(2 * SLOWING * way_mm)


def towards_north_east(short_mm: float, way_mm: float):
    """Return a run along x = y that begins `short_mm` before the mouth and is `way_mm` long."""
    begin = MOUTH_MM - short_mm / math.sqrt(2)
    speed = speed_for(way_mm) / math.sqrt(2)
    return run(0.1, (begin, begin), (speed, speed))


def pocketed(*runs):
    coin = path("suns-1", *runs)
    return pocketed_coins(on_board(coin), (coin,))


def test_a_coin_past_the_mouth_is_pocketed():
    (found,) = pocketed(towards_north_east(60.0, 100.0))
    assert (found.coin, found.pocket) == ("suns-1", "pocket-ne")
    assert sure(found)
    assert found.margin_mm == pytest.approx(40.0, abs=0.02)  # 40 mm past, 62 from either corner
    left = speed_for(100.0) - speed_for(40.0)  # the speed lost on the way to the mouth
    assert found.t_s == pytest.approx(0.1 + left / SLOWING, abs=1e-5)


def test_a_coin_that_climbs_a_wall_and_goes_over_it_leaves_the_table():
    """The outer side of the east wall is at x = 3 + 2.5 / sqrt(2) + 1 tiles."""
    side = (4.0 + 2.5 / math.sqrt(2)) * TILE_MM
    coin = path("suns-1", run(0.1, (side - 80.0, 40.0), (speed_for(110.0), 0.0)))
    found = incidents_of(on_board(coin), (coin,))
    (fall,) = (i for i in found if isinstance(i, LeftTable))
    assert fall.at_mm == pytest.approx((side, 40.0), abs=0.02) and sure(fall)
    assert fall.margin_mm == pytest.approx(30.0, abs=0.02)
    assert fall.t_s == pytest.approx(0.1 + (speed_for(110.0) - speed_for(30.0)) / SLOWING, abs=1e-5)
    (rest,) = (i for i in found if isinstance(i, AtRest))
    assert "suns-1" not in rest.coins


@pytest.mark.parametrize("past", [-25.0, 5.0])
def test_a_coin_that_stays_on_a_wall_or_comes_back_is_on_the_board(past: float):
    side = (4.0 + 2.5 / math.sqrt(2)) * TILE_MM
    onto = run(0.1, (side - 80.0, 40.0), (speed_for(80.0 + past), 0.0))
    back = run(onto.stop_s, (side + past, 40.0), (-speed_for(60.0), 0.0))
    coin = path("suns-1", *((onto,) if past < 0 else (replace(onto, end_s=onto.stop_s), back)))
    found = incidents_of(on_board(coin), (coin,))
    assert not any(isinstance(i, LeftTable) for i in found)
    (rest,) = (i for i in found if isinstance(i, AtRest))
    assert "suns-1" in rest.coins


def test_it_is_no_crossed_line_besides():
    coin = path("suns-1", towards_north_east(60.0, 100.0))
    assert line_crossings(on_board(coin), (coin,)) == []


def test_a_coin_that_stops_short_is_not_pocketed():
    assert pocketed(towards_north_east(60.0, 55.0)) == []


def test_a_coin_that_comes_back_was_not_pocketed():
    there = towards_north_east(60.0, 300.0)
    far = there.position(0.2)
    there = replace(there, end_s=0.2)
    assert far[0] > MOUTH_MM + 5
    assert pocketed(there, run(0.2, far, (-500.0, -500.0), met=("wall-n-6",))) == []


def test_of_a_coin_that_comes_back_and_goes_in_again_the_last_time_counts():
    there = replace(towards_north_east(60.0, 300.0), end_s=0.2)
    back = run(0.2, there.position(0.2), (-450.0, -450.0), end_s=0.3, met=("wall-n-6",))
    assert back.position(0.3)[0] < MOUTH_MM - 5
    again = run(0.3, back.position(0.3), (600.0, 600.0), met=("suns-2",))
    (found,) = pocketed(there, back, again)
    assert found.t_s > 0.3 and sure(found)


def test_about_on_the_mouth_it_is_a_question():
    (found,) = pocketed(towards_north_east(60.0, 60.0))
    assert 0.05 < found.probability < 0.95


@pytest.mark.parametrize(
    ("at", "inside"),
    [
        ((MOUTH_MM + 1, MOUTH_MM + 1), True),
        ((MOUTH_MM - 1, MOUTH_MM - 1), False),
        ((-MOUTH_MM - 1, MOUTH_MM + 1), True),
        # in the corner of a wall and a mouth, still on the field
        ((4.7 * TILE_MM, 3.0 * TILE_MM), False),
        ((0.0, 4.7 * TILE_MM), False),
    ],
)
def test_where_a_pocket_begins(at, inside):
    assert in_pocket(BOARD, at) == inside


def test_there_is_no_pocket_on_another_course():
    assert not in_pocket(template_course("tabletop-croquet", TILE_MM), (9999.0, 9999.0))
    assert not in_pocket(Course(MappingProxyType({}), TILE_MM), (9999.0, 9999.0))


def through_the_mouth(way_mm: float = 100.0):
    """Return what a camera sees of a coin that slides along x = y, from 60 mm before the mouth."""
    begin = MOUTH_MM - 60.0 / math.sqrt(2)
    speed = speed_for(way_mm) / math.sqrt(2)
    return Shot((flicked("suns-1", (begin, begin), (speed, speed)),), course=BOARD).episode()


def test_a_pocketed_coin_is_not_at_rest_and_not_missed():
    seen = through_the_mouth()
    coin = path("suns-1", towards_north_east(60.0, 100.0))
    resting = replace(coin, rest_after_mm=seen.tracks[0].after.at_mm, rest_after_sigma_mm=0.1)
    incidents = incidents_of(seen, (resting,))
    assert [i for i in incidents if isinstance(i, Pocketed)]
    assert isinstance(incidents[-1], AtRest) and incidents[-1].coins == {}
    found, count = counted(seen, incidents, TableCount(frozenset({"suns-1"})))
    assert not [i for i in found if isinstance(i, Unseen)]
    assert count.seen == frozenset()


def test_of_a_coin_that_lies_in_a_pocket_only_is_told_that_it_surely_is_gone_or_back():
    """A pocketed coin may leave the table afterwards, and a hand that takes one away lifts it for
    good. Nobody is asked about it: no rule depends on it.
    """
    seen = through_the_mouth()
    (track,) = seen.tracks
    lay = replace(seen, tracks=(replace(track, before=track.after, sightings=()),))
    off = Placed(coin="suns-1", at_mm=None, t_s=1.0)
    back = Placed(coin="suns-1", at_mm=(0.0, 0.0), t_s=1.0)
    moved = Placed(coin="suns-1", at_mm=(MOUTH_MM + 5, MOUTH_MM + 5), t_s=1.0)
    fell = LeftTable(coin="suns-1", at_mm=(600.0, 300.0), t_s=1.0)
    unseen = Unseen(pieces=("suns-1",), from_s=0.0, to_s=1.0, t_s=1.0)
    others = Placed(coin="arms-1", at_mm=None, t_s=1.0)
    assert of_coins_in_play(lay, [off, moved, fell, unseen, back, others]) == [
        off,
        fell,
        back,
        others,
    ]
    perhaps = [msgspec.structs.replace(i, probability=0.8) for i in (off, fell)]
    assert of_coins_in_play(lay, perhaps) == []
    assert of_coins_in_play(seen, perhaps) == perhaps


@pytest.mark.parametrize("beyond_mm", [20.0, -20.0])
def test_nobody_flicks_a_coin_that_lies_in_a_pocket_but_a_hand_takes_it_away(beyond_mm: float):
    """Before the mouth it was flicked, and what became of it then was not seen."""
    lay = (MOUTH_MM + beyond_mm, MOUTH_MM + beyond_mm)
    coin = path("suns-1", run(0.3, lay, (300.0, -300.0), end_s=0.4), after=None)
    scene = episode(coin, hands={"suns-1": (0.0, 0.35)})
    found = incidents_of(replace(scene, course_before=BOARD, course_after=BOARD), (coin,))
    told = [type(i) for i in found if isinstance(i, Flicked | Placed) and sure(i)]
    assert told == [Placed if beyond_mm > 0 else Flicked]
    assert all(i.at_mm is None for i in found if isinstance(i, Placed))


def test_while_it_moves_a_coin_past_the_mouth_is_shown_as_pocketed():
    found = provisional_incidents(through_the_mouth())
    assert [i.pocket for i in found if isinstance(i, Pocketed)] == ["pocket-ne"]
