"""Coins that hands moved, put down and took off."""

from dataclasses import replace

import pytest

from referee.detectors.hands.flick import flicks
from referee.detectors.hands.placement import placements
from referee.domain.geometry import Point
from referee.domain.incident import LeftTable
from referee.domain.path import Held, Path
from referee.domain.sighting import Sighting
from tests.detectors.scenes import episode, gone, lying, path, run, sure
from tests.tracking.slides import TILE_MM

# A slide costs 12 more: it was hidden all the time (4), and the hand moved along with it (8).
IN_HAND = 12.0
HELD = (Held(0.2, 0.7, True, IN_HAND),)


def carried(*seen: Sighting) -> Path:
    return Path("moons", (), seen, (0.0, 0.0), 0.1, (80.0, 10.0), 0.1, HELD)


def test_a_carried_coin_is_placed_where_it_lies():
    coin = carried()
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.at_mm == pytest.approx((80.0, 10.0))
    assert sure(placed)
    assert placed.t_s == pytest.approx(
        0.7 - 0.28, abs=0.03
    )  # the hand has left 0.25 to 0.35 s after it put the coin down


def test_it_was_put_down_when_it_was_first_seen_lying_there():
    seen = [Sighting("moons", k, k / 60, (80.0, 10.0), 0.3) for k in range(33, 50)]
    moving = [
        Sighting("moons", k, k / 60, (80.0 - (33 - k) * 4.0, 10.0), 0.5) for k in range(20, 33)
    ]
    coin = carried(*moving, *seen)
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.t_s == pytest.approx(33 / 60)


@pytest.mark.parametrize(("moved_mm", "given"), [(0.5, False), (1.5, True), (12.0, True)])
def test_a_coin_that_a_hand_hardly_stirred_was_not_placed(moved_mm, given):
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (moved_mm, 0.0), 0.1, HELD)
    found = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert bool(found) == given
    assert all(sure(p) == (moved_mm > 2.0) for p in found)


@pytest.mark.parametrize(
    ("tiles_away", "pushed_mm", "certain"), [(2.9, 3.0, False), (3.1, 3.0, True), (2.9, 1.0, True)]
)
def test_a_coin_moved_unseen_near_a_tile_that_was_pushed_meanwhile_may_have_been_flicked_against_it(
    tiles_away, pushed_mm, certain
):
    tile = episode().course_after.tiles["wicket-1-left"]
    x, y = tile.centre_mm[0] - tiles_away * TILE_MM, tile.centre_mm[1]
    coin = Path("moons", (), (), (x, y), 0.1, (x - 100.0, y), 0.1, HELD)
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    pushed = replace(tile, centre_mm=(tile.centre_mm[0] + pushed_mm, tile.centre_mm[1]))
    scene = replace(
        scene,
        course_after=replace(
            scene.course_after, tiles={**scene.course_after.tiles, "wicket-1-left": pushed}
        ),
    )
    (placed,) = placements(scene, (coin,), [])
    assert sure(placed) == certain


NEW = Path("moons", (), (), None, 0.3, (80.0, 10.0), 0.1)


@pytest.mark.parametrize(("hand_s", "certain"), [(None, False), (0.4, True), (0.03, False)])
@pytest.mark.parametrize("coin", [NEW, replace(NEW, held=HELD)], ids=["new", "new and held"])
def test_a_coin_newly_on_the_table_is_asked_about_unless_a_hand_was_seen_over_its_place(
    coin, hand_s, certain
):
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    over = None if hand_s is None else ((0.3, 0.3 + hand_s),)
    seen = replace(scene, tracks=tuple(replace(t, hand_after_s=over) for t in scene.tracks))
    (placed,) = placements(seen, (coin,), [])
    assert sure(placed) == certain


def test_a_coin_that_a_hand_stirred_by_two_millimetres_was_not_flicked():
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (2.0, 0.0), 0.1, (Held(0.2, 0.7, True, -9.0),))
    assert flicks(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,)) == []


def test_a_coin_newly_on_the_table_was_placed():
    (placed,) = placements(episode(NEW, hands={"moons": (0.2, 0.5)}), (NEW,), [])
    assert placed.at_mm == pytest.approx((80.0, 10.0))


def test_a_coin_that_is_new_where_another_is_gone_may_be_that_one():
    other = gone(path("suns", run(0.1, (40.0, 0.0), (500.0, 0.0), end_s=0.15)))
    scene = episode(NEW, other, hands={"moons": (0.2, 0.7)})
    seen = replace(
        scene, tracks=tuple(replace(t, hand_after_s=((0.3, 0.6),)) for t in scene.tracks)
    )
    (placed,) = placements(seen, (NEW, other), [])
    assert placed.probability == 0.5


@pytest.mark.parametrize(("pushed_mm", "certain"), [(3.0, False), (0.0, True)])
def test_a_coin_that_is_gone_beside_a_tile_that_was_pushed_may_have_slid_out_of_sight(
    pushed_mm, certain
):
    course = episode().course_after
    tile = course.tiles["wicket-1-left"]
    x, y = tile.centre_mm
    coin = gone(Path("moons", (), (), (x - 40.0, y), 0.1, None, 0.3, HELD))
    tiles = {**course.tiles, "wicket-1-left": replace(tile, centre_mm=(x + pushed_mm, y))}
    scene = episode(coin, hands={"moons": (0.2, 0.7)}, after=replace(course, tiles=tiles))
    (lifted,) = placements(scene, (coin,), [])
    assert lifted.at_mm is None and sure(lifted) == certain


def test_a_coin_taken_off_for_good_has_no_place():
    coin = gone(Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.3, HELD))
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.at_mm is None and sure(placed)


def test_a_coin_gone_from_the_very_edge_may_have_been_flicked_off_unseen():
    coin = Path("moons", (), (), (590.0, 0.0), 0.1, None, 0.3, HELD)
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert not sure(placed)


def test_a_fallen_coin_put_back_in_the_same_episode_was_placed_wherever_it_lies():
    coin = path(
        "moons",
        run(0.1, (0.0, 340.0), (0.0, 500.0), end_s=0.12),
        after=(0.0, 341.0),
        held=(Held(0.3, 0.9, True),),
    )
    fall = LeftTable(coin="moons", at_mm=(0.0, 350.0), t_s=0.12)
    (placed,) = placements(episode(coin, hands={"moons": (0.4, 0.8)}), (coin,), [fall])
    assert placed.at_mm == pytest.approx((0.0, 341.0)) and sure(placed)


def test_a_fallen_coin_that_seems_to_lie_where_all_looks_as_before_is_asked_about():
    """What looks like the coin there may be the table's pattern."""
    coin = path(
        "moons",
        run(0.1, (0.0, 340.0), (0.0, 500.0), end_s=0.12),
        after=(0.0, 300.0),
        held=(Held(0.3, 0.9, True),),
    )
    scene = episode(coin, hands={"moons": (0.4, 0.8)})
    scene = replace(scene, tracks=tuple(replace(t, came_unnoticed=True) for t in scene.tracks))
    fall = LeftTable(coin="moons", at_mm=(0.0, 350.0), t_s=0.12)
    (placed,) = placements(scene, (coin,), [fall])
    assert not sure(placed)


def test_that_another_coin_fell_makes_nothing_of_a_coin_hardly_stirred():
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (0.5, 0.0), 0.1, HELD)
    assert (
        placements(
            episode(coin, hands={"moons": (0.2, 0.7)}),
            (coin,),
            [LeftTable(coin="suns", at_mm=(0.0, 350.0), t_s=0.12)],
        )
        == []
    )


def test_a_flicked_coin_and_one_that_lies_still_were_not_placed():
    flicked = path(
        "moons", run(0.4, (50.0, 0.0), (800.0, 0.0)), rest=(0.0, 0.0), held=(Held(0.1, 0.4, True),)
    )
    still = lying("suns", (0.0, 100.0))
    assert (
        placements(
            episode(flicked, still, hands={"moons": (0.1, 0.4), "suns": (0.1, 0.4)}),
            (flicked, still),
            [],
        )
        == []
    )


@pytest.mark.parametrize(("from_edge_mm", "certain"), [(30.0, False), (150.0, True)])
def test_a_coin_taken_away_may_only_have_been_flicked_off_unseen_right_at_the_edge(
    from_edge_mm, certain
):
    """At 60 frames a second and 2.5 m/s, a flicked coin moves some 42 mm between two sightings. The
    far edge is at y = 350 mm.
    """
    coin = gone(Path("moons", (), (), (0.0, 350.0 - from_edge_mm), 0.1, None, 0.3, HELD))
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.at_mm is None and sure(placed) == certain


def seen(coin: str, frames: range, at_mm: Point, sigma_mm: float = 0.3) -> list[Sighting]:
    return [Sighting(coin, k, k / 60, at_mm, sigma_mm) for k in frames]


@pytest.mark.parametrize(("off_mm", "from_frame"), [(2.3, 33), (2.6, 40)])
def test_a_sighting_within_15_tenths_and_three_sigmas_of_its_place_shows_a_coin_put_down(
    off_mm, from_frame
):
    """Seen to 0.3 mm, at rest to 0.1 mm: three sigmas of the difference are 0.95 mm, 1.5 mm more
    are 2.45.
    """
    way = seen("moons", range(20, 33), (40.0, 10.0))
    coin = carried(
        *way,
        *seen("moons", range(33, 40), (80.0 + off_mm, 10.0)),
        *seen("moons", range(40, 50), (80.0, 10.0)),
    )
    (placed,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert placed.t_s == pytest.approx(from_frame / 60)


@pytest.mark.parametrize(
    ("last_seen", "back", "expected_s"),
    [(12, 37, 37 / 60 - 0.28), (33, 37, 33 / 60), (12, 58, 58 / 60)],
)
def test_a_coin_seen_again_as_the_hand_withdraws_was_put_down_before(last_seen, back, expected_s):
    """The coin is hidden from 0.2 to 0.6 s and seen at its place in the first frame after that. It
    was put down 0.28 s before, but not before it was last seen elsewhere.

    If the coin becomes visible only long after the hand has left, it counts as put down then.
    """
    elsewhere = seen("moons", range(10, last_seen + 1), (0.0, 0.0))
    coin = carried(*elsewhere, *seen("moons", range(back, 60), (80.0, 10.0)))
    (placed,) = placements(episode(coin, hands={"moons": (0.19, 0.61)}), (coin,), [])
    assert placed.t_s == pytest.approx(expected_s)


@pytest.mark.parametrize(
    ("off_mm", "sightings", "given"), [(2.2, 3, True), (2.6, 3, False), (0.0, 2, False)]
)
def test_a_coin_seen_to_stand_three_times_before_it_is_flicked_was_put_down_there(
    off_mm, sightings, given
):
    """It is seen to 0.3 mm: within three sigmas and 1.5 mm, 2.4 mm, of where it is flicked from."""
    on = run(0.6, (50.0, 0.0), (800.0, 0.0))
    stood = seen("moons", range(30, 30 + sightings), (50.0 + off_mm, 0.0))
    coin = Path(
        "moons",
        (on,),
        tuple(stood),
        (0.0, 0.0),
        0.1,
        on.position(on.stop_s),
        0.1,
        (Held(0.1, 0.6, True),),
    )
    found = placements(episode(coin, hands={"moons": (0.1, 0.6)}), (coin,), [])
    assert [(p.at_mm, p.t_s) for p in found] == ([((50.0, 0.0), 0.5)] if given else [])


@pytest.mark.parametrize(("shift_mm", "given"), [(0.5, False), (9.0, True)])
def test_a_coin_that_slid_and_was_then_touched_counts_from_where_it_had_slid(shift_mm, given):
    """800 mm/s carry it 160 mm. Then a hand shifts it by half a millimetre, or by nine."""
    coin = path(
        "moons",
        run(0.05, (0.0, 0.0), (800.0, 0.0)),
        after=(160.0 + shift_mm, 0.0),
        held=(Held(0.5, 0.95, True),),
    )
    found = placements(episode(coin, hands={"moons": (0.5, 0.95)}), (coin,), [])
    assert [p.at_mm for p in found] == ([(160.0 + shift_mm, 0.0)] if given else [])


def test_a_place_carries_its_sigma_and_none_where_there_is_no_place():
    (placed,) = placements(episode(carried(), hands={"moons": (0.2, 0.7)}), (carried(),), [])
    assert placed.sigma_mm == pytest.approx(0.1)
    coin = gone(carried())
    (lifted,) = placements(episode(coin, hands={"moons": (0.2, 0.7)}), (coin,), [])
    assert lifted.at_mm is None and lifted.sigma_mm is None


def test_a_new_coin_or_a_table_without_an_edge_raises_no_question_about_the_edge():
    by_the_edge = gone(Path("moons", (), (), (590.0, 0.0), 0.1, None, 0.3, HELD))
    for coin, of_episode in (
        (by_the_edge, {"edge": ()}),
        (replace(by_the_edge, rest_before_mm=None), {}),
    ):
        (lifted,) = placements(
            episode(coin, hands={"moons": (0.2, 0.7)}, **of_episode), (coin,), []
        )
        assert lifted.at_mm is None and sure(lifted)


@pytest.mark.parametrize(("hand_s", "expected_s"), [((0.2, 0.7), 0.2 + 0.28), ((0.2, 0.3), 0.3)])
def test_a_coin_is_lifted_as_long_after_the_hand_came_as_it_takes_to_grasp_or_when_the_hand_left(
    hand_s, expected_s
):
    coin = gone(replace(carried(), held=(Held(hand_s[0], 0.9, True),)))
    (lifted,) = placements(episode(coin, hands={"moons": hand_s}), (coin,), [])
    assert lifted.t_s == pytest.approx(expected_s)


def test_a_hand_long_before_did_not_lift_the_coin():
    coin = gone(replace(carried(), held=(Held(0.5, 0.9, True),)))
    scene = episode(coin, hands={"moons": (0.5, 0.9)})
    earlier = replace(
        scene, tracks=tuple(replace(t, hand_frames=t.hand_frames | {0, 1, 2}) for t in scene.tracks)
    )
    (lifted,) = placements(earlier, (coin,), [])
    assert lifted.t_s == pytest.approx(0.5 + 0.28)


@pytest.mark.parametrize(("from_edge_mm", "certain"), [(50.0, True), (35.0, False)])
def test_a_coin_can_be_flicked_off_unseen_only_as_far_as_it_slides_between_two_frames(
    from_edge_mm, certain
):
    """At 2.5 m/s, half the speed of the fastest flick, it comes 42 mm far in a frame."""
    coin = gone(Path("moons", (), (), (0.0, 350.0 - from_edge_mm), 0.1, None, 0.3, HELD))
    (placed,) = placements(episode(coin, hands={"moons": (0.4, 0.7)}), (coin,), [])
    assert sure(placed) == certain


@pytest.mark.parametrize(
    ("away_mm", "met", "certain"),
    [(300.0, (), False), (300.0, ("arms",), True), (1200.0, (), True)],
)
def test_a_coin_that_sets_off_with_nothing_at_it_may_have_been_struck_by_the_coin_in_the_hand(
    away_mm, met, certain
):
    """It sets off 0.2 s after the hand came over the other one. The fastest flick goes 1 m in that
    time at most.
    """
    coin, other = carried(), path("suns", run(0.4, (-away_mm, 0.0), (-500.0, 0.0), met=met))
    third = path("arms", run(0.3, (-away_mm + 60.0, 0.0), (-600.0, 0.0), end_s=0.4))
    paths = (coin, other, third) if met else (coin, other)
    hands = {"moons": (0.2, 0.7), "arms": (0.1, 0.31)}
    (placed,) = placements(episode(*paths, hands=hands), paths, [])
    assert sure(placed) == certain
