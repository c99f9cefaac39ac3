"""Two coins set off between the same two frames: which of them the hand flicked."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from referee.detectors.coin_motion.contact import contacts
from referee.detectors.hands.flick import flicks
from referee.detectors.incidents import incidents_of
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.incident import AtRest, Contact, Flicked, Unseen
from referee.domain.layout import Course, Tile
from referee.domain.path import Held
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.detectors.scenes import FPS, episode, lying, path, run, sure
from tests.tracking.slides import COIN_MM, TILE_MM, Coin, Shot, flicked


@pytest.mark.parametrize(
    ("first", "second", "certain"),
    [
        ((-870.0, -480.0), (-1000.0, 40.0), False),  # both leave away from the other one
        ((-400.0, 900.0), (-1000.0, 40.0), True),  # the first one, towards the second
    ],
)
def test_of_two_coins_that_set_off_between_the_same_two_frames_either_may_have_been_flicked(
    first, second, certain
):
    """They lay in touch, and neither left along the line of centres: other hits came between."""
    one = path("4", run(0.2, (10.0, -22.5), first))
    other = path("arms", run(0.201, (0.0, 0.0), second))
    hands = {"4": (0.1, 0.2), "arms": (0.1, 0.2)}
    scene = episode(one, other, hands=hands, course=Course(MappingProxyType({}), TILE_MM))
    found = flicks(scene, (one, other))
    assert [(f.coin, sure(f)) for f in found] == [("4", certain), ("arms", False)]


def test_a_coin_beside_a_tile_may_have_come_back_off_it_to_the_one_that_struck_it():
    """A tile 5 mm behind the coin turned it, though it left towards the coin that struck it."""
    one = path("4", run(0.2, (10.0, -22.5), (-400.0, 900.0)))
    other = path("arms", run(0.201, (0.0, 0.0), (-1000.0, 40.0)))
    tower = Tile((10.0, -22.5 - COIN_MM / 2 - 5.0 - TILE_MM / 2), stack=2)
    course = Course(MappingProxyType({"tower-arms": tower}), TILE_MM)
    scene = episode(one, other, hands={"4": (0.1, 0.2), "arms": (0.1, 0.2)}, course=course)
    assert not any(sure(flick) for flick in flicks(scene, (one, other)))


@pytest.mark.parametrize("beside", [True, False])
def test_a_coin_that_lay_against_a_third_one_may_have_been_struck_through_it(beside: bool):
    """It left towards the other one, but what it got may have come round by the third coin, which
    lay against it on the far side.
    """
    one = path("4", run(0.2, (10.0, -22.5), (-400.0, 900.0)))
    other = path("arms", run(0.201, (0.0, 0.0), (-1000.0, 40.0)))
    third = lying("ace", (10.0, -22.5 - COIN_MM if beside else -200.0))
    hands = {"4": (0.1, 0.2), "arms": (0.1, 0.2)}
    scene = episode(one, other, third, hands=hands, course=Course(MappingProxyType({}), TILE_MM))
    found = flicks(scene, (one, other, third))
    assert [(f.coin, sure(f)) for f in found] == [("4", not beside), ("arms", False)]


@pytest.mark.parametrize(("other_mm", "certain"), [(-25.0, False), (60.0, True)])
def test_so_may_have_one_that_was_under_the_hand_as_it_set_off(other_mm: float, certain: bool):
    """It was seen 27 mm from where it lay, at 900 mm/s, and set off 0.03 s before. The other one
    lay behind it, and set off within the same sixtieth of a second; or ahead of it.
    """
    one = path(
        "crowns",
        run(0.24, (27.0, 0.0), (900.0, 0.0)),
        rest=(0.0, 0.0),
        held=(Held(0.2, 0.24, True, -4.0),),
    )
    other = path("3", run(0.215, (other_mm, 0.0), (300.0, 20.0)))
    hands = {"crowns": (0.1, 0.25), "3": (0.1, 0.25)}
    scene = episode(one, other, hands=hands, course=Course(MappingProxyType({}), TILE_MM))
    found = {flick.coin: sure(flick) for flick in flicks(scene, (one, other))}
    assert found == {"crowns": certain, "3": False}


@pytest.mark.parametrize(
    ("velocity", "hand_s", "certain"),
    [
        ((-1100.0, 0.0), 0.2, False),  # a finger would have been where the knight lay
        ((-1050.0, 300.0), 0.2, True),  # 16 degrees off: 5.7 mm beside it
        ((-1100.0, 0.0), -1.0, True),  # no hand was at the knight
    ],
)
def test_a_guard_that_leaves_straight_away_from_its_knight_may_have_been_hit_by_it(
    velocity, hand_s, certain
):
    """They lay in touch. A knight that hits its guard full hardly moves itself."""
    guard = path("3", run(0.2, (0.0, 0.0), velocity))
    knight = lying("crowns", (COIN_MM, 0.0))
    hands = {"3": (0.1, 0.2), "crowns": (0.1, hand_s)}
    scene = episode(guard, knight, hands=hands)
    found = flicks(scene, (guard, knight))
    (flick,) = found
    assert (flick.coin, flick.touching, sure(flick)) == ("3", ("crowns",), certain)
    together = [unseen.pieces for unseen in unseen_stretches(scene, (guard, knight), found)]
    assert together == ([] if certain else [("crowns", "3")])


@pytest.mark.parametrize(("gap_mm", "certain"), [(0.2, False), (6.0, True)])
def test_a_coin_whose_first_way_is_hardly_known_cannot_have_been_hit_across_a_gap(
    gap_mm: float, certain: bool
):
    """Its speed is only known to 1000 mm/s. A knight that struck it would have left its place."""
    way = replace(run(0.2, (0.0, 0.0), (-1100.0, 0.0)), sigma_mm_s=1000.0)
    guard, knight = path("3", way), lying("crowns", (COIN_MM + gap_mm, 0.0))
    hands = {"3": (0.1, 0.2), "crowns": (0.1, 0.2)}
    (flick,) = flicks(episode(guard, knight, hands=hands), (guard, knight))
    assert sure(flick) == certain


@pytest.mark.parametrize("seen_again_s", [0.6, None])
def test_a_coin_that_a_hand_hides_to_the_end_may_have_struck_the_one_beside_it(
    seen_again_s: float | None,
):
    """The striker lay 4 mm behind the other coin, and a hand was over both. If it can be seen to
    lie there when the hand has left, the hand flicked the other coin.
    """
    struck = path("suns-1", run(0.2, (0.0, 0.0), (800.0, 0.0)))
    striker = lying("striker", (-COIN_MM - 4.0, 0.0))
    hidden = {"striker": (0.19, seen_again_s or 1.0)}
    hands = {"suns-1": (0.1, 0.2), "striker": (0.1, 1.0)}
    course = Course(MappingProxyType({}), TILE_MM)
    scene = episode(struck, striker, hands=hands, hidden=hidden, course=course)
    found = incidents_of(scene, (struck, striker))
    (flick,) = (i for i in found if isinstance(i, Flicked))
    (rest,) = (i for i in found if isinstance(i, AtRest))
    unseen = [i.pieces for i in found if isinstance(i, Unseen)]
    seen = seen_again_s is not None
    assert (flick.coin, sure(flick), "striker" in rest.coins) == ("suns-1", seen, seen)
    assert unseen == ([] if seen else [("striker", "suns-1")])


@pytest.mark.parametrize(("gap_mm", "hit"), [(0.1, True), (6.0, False)])
def test_a_coin_that_turns_where_another_sets_off_hit_it_however_that_one_left(gap_mm, hit):
    """The struck coin lies before a tower, and comes off it back past the striker within 1 ms."""
    at = -COIN_MM - gap_mm
    striker = path(
        "moons",
        run(0.1, (at - 220.0, 0.0), (1900.0, 0.0), end_s=0.22),
        run(0.22, (at, 0.0), (-300.0, 520.0)),
    )
    struck = path("3", run(0.2208, (0.0, 0.0), (-560.0, -650.0)))
    seen = contacts(episode(striker, struck), (striker, struck))
    assert [(c.coin, c.with_, sure(c)) for c in seen] == [("moons", "3", True)] * hit


@pytest.mark.parametrize(("seen", "certain"), [(1, False), (10, True)])
def test_a_coin_hardly_seen_to_slide_may_have_set_off_while_it_was_hidden_beside_another(
    seen, certain
):
    """One was hidden beside the other from 0.2 s on, and shows once at the end of its way. Where it
    shows ten times, it is known when it set off.
    """
    one = path("4", run(0.5, (0.0, 35.0), (0.0, 300.0), sightings=seen))
    other = path("arms", run(0.3, (0.0, 0.0), (600.0, -100.0)))
    scene = episode(one, other, hands={"4": (0.1, 0.6), "arms": (0.1, 0.32)},
                    hidden={"4": (0.2, 0.6)})  # fmt: skip
    flick = next(f for f in flicks(scene, (one, other)) if f.coin == "arms")
    assert sure(flick) == certain


@pytest.mark.parametrize(("shot_mm_s", "asked"), [(600.0, ["suns"]), (0.0, [])])
def test_a_coin_that_gave_its_speed_to_the_one_it_touched_was_perhaps_flicked(shot_mm_s, asked):
    """It went on for 2 mm only. A hand that moves a coin by so little flicked nothing."""
    pushed = path("suns", run(0.2, (0.0, 0.0), (0.0, -110.0), end_s=0.236, met=("5",), sightings=0))
    other = path("5", run(0.2, (-COIN_MM, 0.0), (-shot_mm_s, 0.0), met=("suns",)))
    both = (pushed, other) if shot_mm_s else (pushed, lying("5", (-COIN_MM, 0.0)))
    found = flicks(episode(*both, hands={p.coin: (0.0, 0.2) for p in both}), both)
    assert [f.coin for f in found] == asked
    assert not any(sure(flick) for flick in found)


@pytest.mark.parametrize(
    ("met", "left_mm_s", "certain"),
    [("wicket-4-left", 900.0, True), ("wicket-4-left", 500.0, False), ("moons", 900.0, False)],
)
def test_a_coin_that_leaves_a_tile_fast_came_to_it_as_fast_and_no_hand_carried_it(
    met, left_mm_s, certain
):
    """Its first 40 ms were seen once, at the hand: 1000 mm/s, or as little as 250. Another coin
    may have struck it on.
    """
    first = replace(run(0.2, (0.0, 0.0), (1000.0, 0.0), end_s=0.24), sigma_mm_s=250.0)
    at = first.position(0.24)
    seen = (Sighting("suns", 13, 13 / FPS, first.position(13 / FPS), 1.5),)
    coin = path("suns", first, run(0.24, at, (-left_mm_s, 0.0), met=(met,)))
    other = lying("moons", (300.0, 250.0))
    paths = (replace(coin, sightings=seen), other)
    (flick,) = flicks(episode(*paths, hands={"suns": (0.0, 0.23)}), paths)
    assert sure(flick) == certain


def test_a_coin_from_nowhere_that_no_hand_was_seen_with_may_have_been_struck():
    """Nobody knew where it lay; a hand was over the table, at another coin."""
    slid = flicked("suns", (0.0, 150.0), (900.0, 0.0))
    lying = Coin("moons", (-200.0, 0.0), hand_s=(0.0, 0.3))
    episode = Shot((replace(slid, hand_s=(1.0, 0.0)), lying)).episode()
    suns, moons = episode.tracks
    seen = tuple(s for s in suns.sightings if s.at_mm[0] > 40.0)
    unknown = replace(suns, before=None, sightings=seen)
    found = replace(episode, tracks=(unknown, moons))
    told = {f.coin: f.probability for f in flicks(found, smooth_episode(found))}
    assert told == {"suns": 0.5}


def test_a_coin_that_was_hit_and_came_off_a_tile_at_once_was_surely_set_going():
    """It moves 1 mm to the tile, within the error of that run, and then 60 mm away from it. How the
    other coin came is not known either.
    """
    unsure = run(0.218, (-20.0, 0.0), (800.0, 0.0), end_s=0.22, sightings=0)
    striker = path(
        "moons",
        replace(unsure, sigma_mm_s=900.0),
        run(0.22, (-18.4, 0.0), (40.0, 0.0), met=("suns",)),
    )
    struck = path(
        "suns",
        run(0.22, (1.6, 0.0), (520.0, 0.0), end_s=0.222, met=("moons",), sigma_mm=1.0, sightings=0),
        run(0.222, (2.6, 0.0), (0.0, 490.0), met=("wicket-1-left",)),
    )
    (contact,) = (
        c for c in contacts(episode(striker, struck), (striker, struck)) if c.with_ == "suns"
    )
    assert sure(contact)


def test_a_hit_of_two_coins_under_a_hand_is_a_question_if_the_flick_is_one():
    """Nobody saw the first coin on its way, which ends where it lay but for 2 mm: the hand may have
    flicked the other one, which then hit it.
    """
    one = path("moons", run(0.2, (0.0, 0.0), (60.0, 0.0), met=("suns",), sightings=0))
    other = path("suns", run(0.2, (COIN_MM, 0.0), (400.0, 0.0), met=("moons",)))
    hands = {"moons": (0.1, 0.4), "suns": (0.1, 0.4)}
    found = incidents_of(episode(one, other, hands=hands), (one, other))
    assert any(isinstance(i, Flicked) and not sure(i) for i in found)
    assert not any(isinstance(i, Contact) and sure(i) for i in found)


def test_a_flicked_coin_that_hits_another_at_once_was_not_flicked_again():
    """It is not known how fast it came in the first 3 ms, so that it may have stood by that."""
    unsure = run(0.2, (-3.0, 0.0), (900.0, 0.0), end_s=0.2033, sigma_mm=1.2, sightings=0)
    coin = path(
        "moons",
        replace(unsure, sigma_mm_s=400.0),
        run(0.2033, (0.0, 0.0), (0.0, 700.0), met=("suns",)),
    )
    struck = path("suns", run(0.2033, (COIN_MM, 0.0), (500.0, 0.0), met=("moons",)))
    hands = {"moons": (0.1, 0.22), "suns": (0.1, 0.22)}
    found = flicks(episode(coin, struck, hands=hands), (coin, struck))
    assert [(f.coin, f.t_s) for f in found] == [("moons", 0.2)]


@pytest.mark.parametrize(
    ("later_s", "x_mm", "asked"), [(0.03, 40.0, True), (0.03, 200.0, False), (0.3, -50.0, False)]
)
def test_coins_flicked_too_soon_after_one_another_may_have_struck_each_other(later_s, x_mm, asked):
    """A hand needs longer to flick again. What the two did since the first lay still is unseen, if
    the first was at most 83 mm away: that is 5 m/s for a sixtieth of a second.
    """
    one = path("4", run(0.2, (0.0, 0.0), (-900.0, 0.0)))
    other = path("arms", run(0.2 + later_s, (x_mm, 40.0), (300.0, 600.0)))
    hands = {"4": (0.1, 0.2), "arms": (0.1, 0.25 + later_s)}
    scene = episode(one, other, hands=hands, course=Course(MappingProxyType({}), TILE_MM))
    lay = {"4": 0.15, "arms": 0.18}
    scene = replace(scene, tracks=tuple(replace(t, lay_until_s=lay[t.coin]) for t in scene.tracks))
    found = flicks(scene, (one, other))
    unseen = unseen_stretches(scene, (one, other), found)
    assert [(u.pieces, u.from_s) for u in unseen] == ([(("4", "arms"), 0.15)] if asked else [])


@pytest.mark.parametrize(("moved_mm", "certain"), [(0.0, True), (120.0, False)])
def test_a_coin_that_no_hand_touched_may_have_been_struck_by_one_that_a_hand_touched(
    moved_mm: float, certain: bool
) -> None:
    """Nobody saw how the other coin came from where it lay to where it lies."""
    seen = path("suns", run(0.3, (0.0, 0.0), (1200.0, 0.0)))
    other = path("moons", rest=(-130.0, 0.0), after=(-130.0, moved_mm))
    (flick,) = flicks(episode(seen, other, hands={"moons": (0.1, 0.25)}), (seen, other))
    assert flick.coin == "suns" and sure(flick) is certain


def test_what_seemed_to_lie_there_later_may_have_been_a_fingertip() -> None:
    """No hand was at the coin that slid, but one at the coin that is gone."""
    seen = path("suns", run(0.3, (0.0, 0.0), (1200.0, 0.0)))
    other = path("moons", rest=(-130.0, 0.0), after=None)
    scene = episode(seen, other, hands={"moons": (0.1, 0.25)})
    tracks = [replace(t, lay_until_s=0.6 if t.coin == "moons" else None) for t in scene.tracks]
    (flick,) = flicks(replace(scene, tracks=tuple(tracks)), (seen, other))
    assert flick.coin == "suns" and not sure(flick)


def test_the_coin_that_a_flicked_coin_struck_did_not_strike_it() -> None:
    seen = path("suns", run(0.3, (0.0, 0.0), (1200.0, 0.0), end_s=0.55, met=()))
    struck = path("moons", run(0.55, (300.0, 0.0), (500.0, 0.0), met=("suns",)))
    (flick,) = flicks(episode(seen, struck, hands={"moons": (0.1, 0.25)}), (seen, struck))
    assert flick.coin == "suns" and sure(flick)


@pytest.mark.parametrize("hidden", [False, True])
def test_a_coin_that_slid_and_lies_under_a_hand_may_have_been_flicked_again(hidden: bool) -> None:
    """Both coins slid and stood, 42 mm apart, before a hand hid one of them, or none."""
    twice = path("4", run(0.1, (-200.0, 0.0), (600.0, 0.0)), run(0.8, (-110.0, 0.0), (200.0, 0.0)))
    under = path(
        "moons",
        run(0.2, (-80.0, 90.0), (0.0, -550.0)),
        held=(Held(0.7, 0.9, seen_with_hand=True),) if hidden else (),
    )
    scene = episode(twice, under, hands={"4": (0.7, 0.9)}, until_s=1.5)
    found = flicks(scene, (twice, under))
    (again,) = [f for f in found if f.coin == "4" and (f.t_s or 0.0) > 0.5]
    assert sure(again) is not hidden
