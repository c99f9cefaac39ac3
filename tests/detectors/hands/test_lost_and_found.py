"""Coins that a hand may have moved, or that were lost in a heap and found: who was it?"""

from dataclasses import replace

import pytest

from referee.detectors.hands.flick import flicks
from referee.detectors.hands.placement import placements
from referee.detectors.incidents import incidents_of
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.incident import Contact, Flicked, LeftTable, Placed, Unseen
from referee.domain.path import Held, Path
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.detectors.scenes import episode, path, run

HELD = (Held(0.2, 0.7, True, 12.0),)
NEW = Path("moons", (), (), None, 0.0, (80.0, 10.0), 0.1)


def test_a_coin_that_is_gone_where_another_is_new_may_be_that_one():
    taken = Path("suns", (), (), (0.0, 0.0), 0.1, None, 0.0, HELD)
    found = placements(episode(taken, NEW, hands={"suns": (0.2, 0.7)}), (taken, NEW), [])
    assert [p.probability for p in found if p.coin == "suns"] == [0.5]


@pytest.mark.parametrize(("over_s", "chance"), [(((0.3, 0.6),), None), ((), 0.5)])
def test_a_coin_that_fell_and_is_back_was_placed_only_if_a_hand_was_over_its_new_place(
    over_s, chance
):
    """Otherwise the coin that lies there may be one that looks like it."""
    slide = run(0.1, (0.0, 0.0), (900.0, 0.0), end_s=0.2)
    back = Path(
        "suns", (slide,), (), (0.0, 0.0), 0.1, (80.0, 10.0), 0.1, (Held(0.2, 0.7, True, 12.0),)
    )
    scene = episode(back, hands={"suns": (0.25, 0.7)})
    scene = replace(scene, tracks=tuple(replace(t, hand_after_s=over_s) for t in scene.tracks))
    fall = LeftTable(coin="suns", at_mm=(600.0, 0.0), t_s=0.2)
    (placed,) = placements(scene, (back,), [fall])
    assert placed.probability == chance


@pytest.mark.parametrize(("settled_s", "certain"), [(0.62, True), (0.85, False)])
def test_a_hand_that_had_left_the_place_again_when_the_coin_came_did_not_put_it_down(
    settled_s, certain
):
    """The hand left at 0.6 s."""
    scene = episode(NEW, hands={"moons": (0.2, 0.7)})
    (track,) = scene.tracks
    seen = replace(track, hand_after_s=((0.3, 0.6),), settled_s=settled_s)
    (placed,) = placements(replace(scene, tracks=(seen,)), (NEW,), [])
    assert (placed.probability is None) == certain


@pytest.mark.parametrize(("over_s", "certain"), [(((0.3, 0.6),), True), ((), False)])
def test_a_coin_that_was_off_the_table_came_back_in_the_hand_that_was_over_its_place(
    over_s, certain
) -> None:
    """Nobody followed it while it was off the table, so no hand was seen over the coin itself. The
    place has its last look since 0.45 s.
    """
    scene = episode(NEW)
    (track,) = scene.tracks
    back = replace(scene, tracks=(replace(track, hand_after_s=over_s, settled_s=0.45),))
    found = incidents_of(back, smooth_episode(back))
    put_down = [i for i in found if isinstance(i, Placed) and i.probability is None]
    assert [(i.t_s, i.at_mm) for i in put_down] == ([(0.45, (80.0, 10.0))] if certain else [])
    assert any(isinstance(i, Unseen) for i in found) != certain


def test_a_coin_that_had_slid_away_and_was_lost_may_have_lain_there_before_the_hand_came() -> None:
    scene = episode(NEW, hands={"moons": (0.2, 0.7)})
    (track,) = scene.tracks
    lost = replace(track, hand_after_s=((0.3, 0.7),), lost=True)
    (placed,) = placements(replace(scene, tracks=(lost,)), (NEW,), [])
    assert placed.probability == 0.5


@pytest.mark.parametrize(("sightings", "sure"), [(0, False), (3, True)])
def test_a_slide_of_which_nothing_was_seen_is_asked_about_and_unseen(
    sightings: int, sure: bool
) -> None:
    """A coin lies elsewhere after a hand was at it. A slide explains it, and no sighting shows it:
    800 mm/s at 2000 mm/s2 last 0.4 s.
    """
    coin = path("moons", run(0.3, (0.0, 110.0), (800.0, 0.0), sightings=sightings))
    scene = episode(coin, hands={"moons": (0.1, 0.9)})
    (flick,) = flicks(scene, (coin,))
    assert flick.probability == (None if sure else 0.5)
    unseen = [(u.from_s, u.to_s) for u in unseen_stretches(scene, (coin,), (flick,))]
    assert unseen == ([] if sure else [(0.3, 0.7)])


@pytest.mark.parametrize(("sightings", "sure"), [(1, False), (5, True)])
def test_a_slide_that_nobody_saw_is_shown_by_the_coin_that_it_sent_off(
    sightings: int, sure: bool
) -> None:
    """A coin is flicked under the hand into one 40 mm from it (20 mm wide) and stays there, 0.5 mm
    behind where they met. The other leaves straight on: seen once, it may be something else.
    """
    came = run(0.3, (0.0, 110.0), (800.0, 0.0), end_s=0.325, sightings=0)
    stays = run(0.325, (20.0, 110.0), (45.0, 0.0), sightings=0, met=("suns",))
    left = run(0.325, (40.0, 110.0), (700.0, 0.0), sightings=sightings, met=("moons",))
    uncovered = (Sighting("moons", 40, 0.67, (20.5, 110.0), 0.3),)
    coin = replace(path("moons", came, stays), sightings=uncovered)
    struck = path("suns", left)
    scene = episode(coin, struck, hands={"moons": (0.1, 0.9)})
    found = incidents_of(scene, (coin, struck))
    flick = next(i for i in found if isinstance(i, Flicked))
    assert (flick.coin, flick.probability) == ("moons", None if sure else 0.5)
    told = [i.probability for i in found if isinstance(i, Contact)]
    assert told == ([None] if sure else [])
    assert any(isinstance(i, Unseen) for i in found) != sure
