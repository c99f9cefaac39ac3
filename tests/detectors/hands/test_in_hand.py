"""A coin that may have been flicked, or carried by a hand at which it was seen all the way."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from referee.detectors.hands.in_hand import as_sure_as_flicks
from referee.detectors.incidents import incidents_of
from referee.domain.incident import Contact, Flicked, LeftTable, Placed, Pocketed
from referee.domain.layout import template_course
from referee.domain.path import Held
from referee.domain.sighting import Sighting
from tests.detectors.scenes import FPS, episode, lying, path, run, sure
from tests.tracking.slides import TILE_MM

BOARD = template_course("carroms", TILE_MM)
#: A wall is a tile wide, and its outer side is 3 + 2.5 / sqrt(2) + 1 tiles from the middle.
OUTER_MM = (4.0 + 2.5 / math.sqrt(2)) * TILE_MM


def gone(hand_s: tuple[float, float], x_mm: float = 0.0, before_mm: float = 40.0):
    """Return what comes of a coin that lay 250 mm before the north wall's outer side, under a hand
    from 0.1 s on, and was seen from 0.3 s on, for 106 mm. So far before that side it was first.
    """
    seen = run(0.3, (x_mm, OUTER_MM - before_mm), (0.0, 1400.0), end_s=0.38)
    coin = path(
        "suns-1",
        seen,
        rest=(x_mm, OUTER_MM - 250.0),
        after=None,
        held=(Held(0.1, 0.3, True, 12.0),),
    )
    frames = range(math.ceil(seen.begin_s * FPS), math.floor(seen.end_s * FPS) + 1)
    sightings = tuple(Sighting("suns-1", k, k / FPS, seen.position(k / FPS), 0.5) for k in frames)
    coin = replace(coin, sightings=sightings)
    scene = episode(coin, hands={"suns-1": hand_s})
    return incidents_of(replace(scene, course_before=BOARD, course_after=BOARD), (coin,))


def test_a_coin_seen_at_a_hand_only_was_perhaps_carried_over_the_wall() -> None:
    found = gone((0.1, 0.4))
    (flick,) = (i for i in found if isinstance(i, Flicked))
    (fall,) = (i for i in found if isinstance(i, LeftTable))
    (taken,) = (i for i in found if isinstance(i, Placed))
    assert not any(map(sure, (flick, fall, taken)))
    assert taken.at_mm is None and 0.1 <= (taken.t_s or 0.0) <= 0.4


def test_a_coin_seen_clear_of_the_hand_slid_over_the_wall_however_it_set_off() -> None:
    found = gone((0.1, 0.31))
    (flick,) = (i for i in found if isinstance(i, Flicked))
    (fall,) = (i for i in found if isinstance(i, LeftTable))
    assert not sure(flick) and sure(fall)
    assert not any(isinstance(i, Placed) for i in found)


@pytest.mark.parametrize(("hand_s", "certain"), [((0.1, 0.4), False), ((0.1, 0.31), True)])
def test_one_question_about_a_coin_that_may_be_in_a_pocket_is_enough(hand_s, certain) -> None:
    """Its way leads through a pocket's mouth, 80 mm before the wall's outer side, and on."""
    found = gone(hand_s, x_mm=3.6 * TILE_MM, before_mm=120.0)
    (pocketed,) = (i for i in found if isinstance(i, Pocketed))
    assert sure(pocketed) == certain
    assert any(isinstance(i, LeftTable) for i in found) == certain


@pytest.mark.parametrize(("hand_until_s", "asked"), [(0.7, True), (0.3, False)])
def test_a_coin_seen_at_a_hand_only_was_perhaps_put_down_where_it_lies(
    hand_until_s: float, asked: bool
) -> None:
    """It goes 62.5 mm in 0.25 s, as slowly as a finger may draw it along."""
    slide = run(0.2, (0.0, 0.0), (500.0, 0.0))
    coin = path("moons", slide, rest=(0.0, 0.0))
    seen = tuple(Sighting("moons", k, k / FPS, slide.position(k / FPS), 0.5) for k in range(13, 26))
    coin = replace(coin, sightings=seen)
    found = incidents_of(episode(coin, hands={"moons": (0.1, hand_until_s)}), (coin,))
    (flick,) = (i for i in found if isinstance(i, Flicked))
    placed = [i for i in found if isinstance(i, Placed)]
    assert sure(flick) == (not asked)
    assert [i.at_mm for i in placed] == [(62.5, 0.0)] * asked
    assert all(i.probability == 0.5 for i in placed)


@pytest.mark.parametrize(("chance", "fell"), [(0.5, 0.5), (None, None)])
def test_a_coin_that_lies_on_the_table_again_fell_only_if_a_hand_put_it_back(chance, fell):
    fall = LeftTable(coin="suns-1", at_mm=(0.0, 300.0), t_s=0.4)
    back = Placed(coin="suns-1", at_mm=(10.0, 20.0), t_s=0.8, probability=chance)
    found = as_sure_as_flicks(episode(), (), [fall, back])
    assert [i.probability for i in found if isinstance(i, LeftTable)] == [fell]


@pytest.mark.parametrize(
    ("chance", "seen_s", "with_", "third_mm_s", "certain"),
    [
        (0.5, 0.25, "3", 900.0, False),
        (0.5, 0.215, "3", 900.0, True),
        (None, 0.25, "3", 900.0, True),
        (0.5, 0.25, "door", 900.0, True),
        (0.5, 0.25, "3", 0.0, True),
    ],
    ids=["unseen on the way", "seen on the way", "surely flicked", "at a tile", "no third coin"],
)
def test_what_hit_which_is_a_question_if_nobody_saw_who_was_flicked(
    chance, seen_s, with_, third_mm_s, certain
):
    """A third coin that moved may have set both in motion. The flick is at 0.2 s, the contact at
    0.23 s.
    """
    way = run(0.2, (0.0, 0.0), (1000.0, 0.0))
    seen = (Sighting("crowns", 0, seen_s, way.position(seen_s), 0.5),)
    striker = replace(path("crowns", way), sightings=seen)
    third = lying("ace", (-90.0, 0.0))
    if third_mm_s:
        third = path("ace", run(0.2, (-90.0, 0.0), (third_mm_s, 0.0)))
    coins = (striker, path("3", run(0.23, (50.0, 0.0), (1.0, 0.0))), third)
    flick = Flicked(coin="crowns", touching=(), t_s=0.2, probability=chance)
    hit = Contact(coin="crowns", with_=with_, margin_mm=5.0, t_s=0.23)
    found = as_sure_as_flicks(episode(*coins), coins, [flick, hit])
    (told,) = (i for i in found if isinstance(i, Contact))
    assert sure(told) == certain


@pytest.mark.parametrize(
    ("chance", "striker_hand_s", "struck_mm_s", "struck_hand_s", "certain"),
    [
        (0.5, (0.1, 0.4), 0.0, (0.3, 0.4), False),
        (0.5, (0.1, 0.4), 500.0, (0.2, 0.7), False),
        (0.5, (0.1, 0.4), 500.0, (0.2, 0.35), True),
        (0.5, (0.1, 0.22), 0.0, (0.3, 0.4), True),
        (None, (0.1, 0.4), 0.0, (0.3, 0.4), True),
    ],
    ids=[
        "both at a hand",
        "struck under the hand",
        "struck seen clear",
        "striker seen clear",
        "surely flicked",
    ],
)
def test_what_a_coin_that_was_perhaps_carried_hit_is_a_question(
    chance, striker_hand_s, struck_mm_s, struck_hand_s, certain
):
    """The flick is at 0.2 s, the contact at 0.33 s. Both coins are seen in every frame."""
    way = run(0.2, (0.0, 0.0), (800.0, 0.0), end_s=0.33)
    slide = run(0.33, (100.0, 0.0), (struck_mm_s, 0.0)) if struck_mm_s else None
    frames = range(12, 36)
    carried = replace(
        path("moons", way, rest=(0.0, 0.0)),
        sightings=tuple(Sighting("moons", k, k / FPS, way.position(k / FPS), 0.5) for k in frames),
    )
    struck = lying("3", (100.0, 0.0)) if slide is None else path("3", slide, rest=(100.0, 0.0))
    at = (lambda t_s: (100.0, 0.0)) if slide is None else slide.position
    seen = tuple(Sighting("3", k, k / FPS, at(k / FPS), 0.5) for k in frames)
    coins = (carried, replace(struck, sightings=seen))
    flick = Flicked(coin="moons", touching=(), t_s=0.2, probability=chance)
    hit = Contact(coin="moons", with_="3", margin_mm=5.0, t_s=0.33)
    hands = {"moons": striker_hand_s, "3": struck_hand_s}
    found = as_sure_as_flicks(episode(*coins, hands=hands), coins, [flick, hit])
    (told,) = (i for i in found if isinstance(i, Contact))
    assert sure(told) == certain
