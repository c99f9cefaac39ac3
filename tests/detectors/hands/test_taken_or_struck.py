"""A coin that is gone from where it lay: taken by a hand, or struck unseen."""

import math
from dataclasses import replace

import pytest

from referee.detectors.coin_motion.contact import contacts
from referee.detectors.hands.flick import flicks
from referee.detectors.hands.placement import placements
from referee.detectors.rest import rest_after
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.incident import EITHER, LIKELIER
from referee.domain.layout import template_course
from referee.domain.path import Held, Path
from referee.domain.table_edge import EdgeSide
from tests.detectors.scenes import episode, path, run, sure
from tests.tracking.slides import COIN_MM, SLOWING, TILE_MM


@pytest.mark.parametrize(
    ("begin_s", "aside_mm", "certain"), [(0.2, 20.0, False), (0.2, 30.0, True), (0.02, 20.0, True)]
)
def test_a_coin_gone_from_where_another_one_slid_was_perhaps_struck(begin_s, aside_mm, certain):
    """Coins are 22 mm wide. A coin that slid by before the hand came did not strike it: the coin
    was seen to lie there still.
    """
    # a slide costs 12 more: a hand hid it all the time, and moved along with it
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.1, (Held(0.2, 0.7, True, 12.0),))
    end_s = begin_s + 0.15
    other = path("suns", run(begin_s, (aside_mm, -100.0), (0.0, 1400.0), end_s=end_s))
    both = (coin, other)
    found = placements(episode(*both, hands={"moons": (0.2, 0.7)}), both, [])
    (lifted,) = (placed for placed in found if placed.coin == "moons")
    assert lifted.at_mm is None and sure(lifted) == certain


@pytest.mark.parametrize(("tiles", "certain"), [(6.0, True), (4.0, False)])
def test_a_coin_comes_back_from_off_the_board_in_a_hand_only(tiles: float, certain: bool) -> None:
    """Behind the north wall at 4 + 2.5 / sqrt(2) tiles, or before it. A slide is as likely."""
    board = template_course("carroms", TILE_MM)
    lay, lies = (0.0, tiles * TILE_MM), (0.0, 0.0)
    coin = Path("striker", (), (), lay, 0.1, lies, 0.1, (Held(0.2, 0.7, True, 0.0),))
    scene = replace(
        episode(coin, hands={"striker": (0.2, 0.7)}), course_before=board, course_after=board
    )
    found = placements(scene, (coin,), [])
    assert [sure(placed) for placed in found] == [certain]


@pytest.mark.parametrize(("tiles", "certain"), [(6.0, True), (4.0, False)])
def test_a_coin_by_the_edge_of_the_table_slid_off_only_from_the_board(
    tiles: float, certain: bool
) -> None:
    """The edge of the table is 10 mm beyond it. It lay behind the north wall, or before it."""
    board, lay = template_course("carroms", TILE_MM), (0.0, tiles * TILE_MM)
    coin = Path("arms-6", (), (), lay, 0.1, None, 0.1, (Held(0.2, 0.7, True, 12.0),))
    corners = [(-500.0, -500.0), (500.0, -500.0), (500.0, lay[1] + 10.0), (-500.0, lay[1] + 10.0)]
    edge = tuple(
        EdgeSide(begin, end, 0.3, 0.0, 1.0)
        for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    scene = replace(
        episode(coin, hands={"arms-6": (0.2, 0.7)}, edge=edge),
        course_before=board,
        course_after=board,
    )
    (lifted,) = placements(scene, (coin,), [])
    assert lifted.at_mm is None and sure(lifted) == certain


@pytest.mark.parametrize("unseen", [True, False])
def test_a_coin_that_may_lie_where_it_is_not_seen_was_perhaps_not_taken(unseen: bool) -> None:
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.1, (Held(0.2, 0.7, True, 12.0),))
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    scene = replace(scene, tracks=(replace(scene.tracks[0], may_lie_unseen=unseen),))
    (lifted,) = placements(scene, (coin,), [])
    assert lifted.at_mm is None and sure(lifted) != unseen
    flicked = [(f.coin, f.probability) for f in flicks(scene, (coin,))]
    # even odds of a slide, and a flick is the likelier of its causes
    assert flicked == ([("moons", EITHER * LIKELIER)] if unseen else [])


def test_nobody_flicks_a_coin_that_lies_off_the_board() -> None:
    board, lay = template_course("carroms", TILE_MM), (0.0, 6.0 * TILE_MM)
    coin = Path("arms-6", (), (), lay, 0.1, None, 0.1, (Held(0.2, 0.7, True, 12.0),))
    scene = replace(
        episode(coin, hands={"arms-6": (0.2, 0.7)}), course_before=board, course_after=board
    )
    scene = replace(scene, tracks=(replace(scene.tracks[0], may_lie_unseen=True),))
    assert flicks(scene, (coin,)) == []


@pytest.mark.parametrize(
    ("aside_mm", "pushed_s", "certain"), [(5.0, 0.5, False), (0.5, 0.5, True), (5.0, 0.1, True)]
)
def test_a_coin_gone_before_another_one_was_pushed_perhaps_slid_into_it(
    aside_mm: float, pushed_s: float, certain: bool
) -> None:
    """No hand was at the other one. Half a millimetre is an error of measurement, and what was
    pushed before the hand came was not pushed by what the hand hid.
    """
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, None, 0.1, (Held(0.2, 0.7, True, 12.0),))
    lies = (150.0 + aside_mm, 0.0)
    other = Path(
        "suns", (), (), (150.0, 0.0), 0.1, lies, 0.1, (Held(pushed_s, pushed_s + 0.05, False),)
    )
    both = (coin, other)
    found = placements(episode(*both, hands={"moons": (0.2, 0.7)}), both, [])
    (lifted,) = (placed for placed in found if placed.coin == "moons")
    assert lifted.at_mm is None and sure(lifted) == certain


@pytest.mark.parametrize("unnoticed", [True, False])
def test_a_coin_that_changes_its_place_too_little_was_put_there_or_slid_there(
    unnoticed: bool,
) -> None:
    """A hand covered it at 0.2 s, and it lies elsewhere at the end. Where nothing tells when it
    came there, it may have been put down anywhere, and flicked from there.
    """
    coin = Path("moons", (), (), (0.0, 0.0), 0.1, (90.0, 0.0), 0.1, (Held(0.2, 0.7, True, 12.0),))
    scene = episode(coin, hands={"moons": (0.2, 0.7)})
    track = replace(scene.tracks[0], came_unnoticed=unnoticed)
    scene = replace(scene, tracks=(track,))
    (put,) = placements(scene, (coin,), [])
    assert put.at_mm == (90.0, 0.0) and sure(put) != unnoticed
    unseen = unseen_stretches(scene, (coin,), [put])
    assert [(u.pieces, u.from_s, u.to_s) for u in unseen] == (
        [(("moons",), 0.2, 0.7)] if unnoticed else []
    )
    rest = rest_after(scene, (coin,), [put, *unseen])
    assert rest is not None
    assert (rest.t_s == pytest.approx(59 / 60, abs=0.06)) == unnoticed


def test_a_coin_that_lies_two_millimetres_farther_was_touched_by_the_one_that_stopped_beside_it():
    """That one stopped 0.8 mm from its rim, 1.5 sigmas. A slide over so short a way, hardly seen
    and begun by nothing, says no more than where it lies.
    """
    speed = math.sqrt(2 * SLOWING * 80.0)
    begin = (-COIN_MM - 80.8, 0.0)
    striker = path("moons", replace(run(0.1, begin, (speed, 0.0)), sigma_mm=0.5))
    pushed = path("suns", run(0.4, (0.0, 0.0), (math.sqrt(4 * SLOWING), 0.0), sightings=1))
    (contact,) = contacts(episode(striker, pushed), (striker, pushed))
    assert (contact.probability or 1.0) > 0.5
