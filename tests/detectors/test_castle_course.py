"""Castle Croquetnole's course: gates and doors crossed out and in, and towers that are struck."""

import math
from dataclasses import replace

import pytest

from referee.detectors.coin_motion.contact import contacts
from referee.detectors.coin_motion.crossing import line_crossings
from referee.detectors.coin_motion.displacement import displaced_tiles
from referee.detectors.hands.flick import flicks
from referee.detectors.hands.placement import placements
from referee.detectors.incidents import incidents_of
from referee.detectors.provisional import provisional_incidents
from referee.domain.layout import Tile, template_course
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.detectors.scenes import FPS, episode, path, run, sure
from tests.tracking.slides import COIN_MM, SLOWING, TILE_MM

CASTLES = template_course("castle-croquetnole", TILE_MM)


def speed_for(way_mm: float) -> float:
    """Return the speed of a coin that friction stops after this way: v^2 = 2 a s."""
    return math.sqrt(2 * SLOWING * way_mm)


def crossed(begin, velocity):
    coin = path("moons", run(0.1, begin, velocity))
    return line_crossings(episode(coin, course=CASTLES, edge=()), (coin,))


@pytest.mark.parametrize(
    ("tower", "away"), [("moons", (0, 1)), ("suns", (1, 0)), ("crowns", (0, -1)), ("arms", (-1, 0))]
)
def test_door_and_gate_are_crossed_out_by_who_goes_away_from_the_tower(tower, away):
    """Each tower is 5 tiles from the middle, its door 3 and its gate 1. A coin that starts 4 tiles
    from the middle and stops in the middle passes both; back it passes them the other way round.
    """
    far = (-4 * TILE_MM * away[0], -4 * TILE_MM * away[1])
    v = speed_for(4 * TILE_MM)
    out = crossed(far, (v * away[0], v * away[1]))
    assert [(c.line, c.direction) for c in out] == [
        (f"door-{tower}", "out"),
        (f"gate-{tower}", "out"),
    ]
    assert all(sure(c) for c in out)
    back = crossed((0.0, 0.0), (-v * away[0], -v * away[1]))
    assert sorted((c.line, c.direction) for c in back) == [
        (f"door-{tower}", "in"),
        (f"gate-{tower}", "in"),
    ]


def test_a_gate_is_one_tile_wide_between_its_posts():
    # The posts' middles are two tiles apart, so a centre 24 mm from the gate's middle has 1 mm left
    # of the 25 mm to the post; one 30 mm from it goes over the post's tile.
    v = speed_for(2 * TILE_MM)
    (inside,) = crossed((24.0, -2 * TILE_MM), (0.0, v))
    assert (inside.line, inside.margin_mm) == ("gate-moons", pytest.approx(1.0, abs=0.01))
    assert crossed((30.0, -2 * TILE_MM), (0.0, v)) == []


def test_a_tower_is_struck_like_an_endpost():
    face_y = -5 * TILE_MM + TILE_MM / 2 + COIN_MM / 2  # the centre of a coin at the tower's front
    coin = path(
        "2",
        run(0.1, (0.0, face_y + 100.0), (0.0, -1000.0), end_s=0.22),
        run(0.22, (0.0, face_y), (0.0, 300.0), met=("tower-moons",)),
    )
    (contact,) = contacts(episode(coin, course=CASTLES, edge=()), (coin,))
    assert (contact.coin, contact.with_) == ("2", "tower-moons")
    assert sure(contact)


def test_a_coin_that_stands_up_to_a_tower_may_have_touched_it():
    face_y = -5 * TILE_MM + TILE_MM / 2 + COIN_MM / 2
    coin = path("2", run(0.1, (0.0, face_y + 100.0), (0.0, -speed_for(100.0))))
    (contact,) = contacts(episode(coin, course=CASTLES, edge=()), (coin,))
    assert contact.with_ == "tower-moons"
    assert contact.probability is not None
    assert 0.05 < contact.probability < 0.95


def test_a_pushed_gatepost_and_a_pushed_tower_are_displaced_tiles_by_name():
    coin = path("2", run(0.1, (0.0, 0.0), (100.0, 0.0)))
    after = CASTLES.with_tile("gatepost-sw", Tile((-53.0, -50.0))).with_tile(
        "tower-suns", replace(CASTLES.tiles["tower-suns"], centre_mm=(-254.0, 0.0))
    )
    found = displaced_tiles(
        episode(coin, course=CASTLES, after=after, edge=(), hands={"2": (0.0, 0.1)}), (coin,)
    )
    assert {d.tile: d.moved_mm for d in found} == {"gatepost-sw": 3.0, "tower-suns": 4.0}


def test_while_a_coin_moves_its_gate_is_told_in_the_same_words():
    at = [(0.0, -90.0 + 10.0 * k) for k in range(8)]
    seen = tuple(Sighting("moons", 6 + k, 0.1 + k / FPS, place, 0.2) for k, place in enumerate(at))
    coin = replace(path("moons", rest=(0.0, -90.0), after=None), sightings=seen)
    found = provisional_incidents(episode(coin, course=CASTLES, edge=()))
    assert [(i.line, i.direction) for i in found if hasattr(i, "line")] == [("gate-moons", "out")]


def kind(incident):
    return type(incident).__struct_config__.tag


ON_SUNS = (-252.0, 3.0)  # the tower's middle is 5 tiles to the west
ON_MOONS = (2.0, -252.0)
BESIDE = (-170.0, 14.0)


@pytest.mark.parametrize(
    ("lay", "lies"), [(BESIDE, ON_SUNS), (ON_SUNS, ON_MOONS), (ON_MOONS, BESIDE)]
)
def test_a_prisoner_is_placed_on_a_tower_and_taken_from_it_by_hand(lay, lies):
    prisoner = path("moons", rest=lay, after=lies)
    scene = episode(prisoner, course=CASTLES, edge=(), hands={"moons": (0.2, 0.6)})
    (placed,) = placements(scene, smooth_episode(scene), [])
    assert (placed.coin, placed.at_mm) == ("moons", lies)
    assert sure(placed)
    assert [kind(i) for i in incidents_of(scene, smooth_episode(scene))] == ["placed", "at_rest"]


def test_a_prisoner_that_is_nowhere_any_more_was_not_seen():
    prisoner = path("moons", rest=ON_SUNS, after=None)
    scene = episode(prisoner, course=CASTLES, edge=(), hands={"moons": (0.2, 0.6)})
    found = incidents_of(scene, smooth_episode(scene))
    assert [getattr(i, "pieces", None) for i in found if kind(i) == "unseen"] == [("moons",)]


def test_a_coin_on_a_tower_is_neither_met_nor_touched_by_coins_on_the_table():
    """The centre of a coin beside the tower is 10 mm from the edge, that of the prisoner 5 mm in
    from it: they would overlap if both lay on the table.
    """
    prisoner = path("moons", rest=(-230.0, 0.0))
    beside = path("2", run(0.1, (-215.0, 0.0), (600.0, 0.0)))
    scene = episode(prisoner, beside, course=CASTLES, edge=(), hands={"2": (0.0, 0.1)})
    assert contacts(scene, (prisoner, beside)) == []
    (flick,) = flicks(scene, (prisoner, beside))
    assert flick.touching == ()
