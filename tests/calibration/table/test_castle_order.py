"""Which castle is Moons', by the aces on the towers: what is believed, and what is said."""

from itertools import permutations

import numpy as np
import pytest

from calibration.rough_survey.quarter_turns import turned_names
from calibration.table.castle_order import castle_order
from calibration.tiles.field_error import FieldError
from referee.domain.layout import template_course

SUITS = ("moons", "suns", "crowns", "arms")


def likely(seen: tuple[str, ...], by: float = 20.0) -> dict[tuple[str, ...], float]:
    """Return log-likelihoods in which one order is likelier than all others."""
    return {order: by if order == seen else 0.0 for order in permutations(SUITS)}


@pytest.mark.parametrize(
    ("seen", "side", "steps", "place"),
    [
        (("moons", "suns", "crowns", "arms"), "near", 0, "near the camera"),
        (("arms", "moons", "suns", "crowns"), "near", 1, "on the camera's left"),
        (("crowns", "arms", "moons", "suns"), "near", 2, "away from the camera"),
        (("suns", "crowns", "arms", "moons"), "near", 3, "on the camera's right"),
        (("arms", "moons", "suns", "crowns"), "right", 1, "near the camera"),
    ],
)
def test_the_ace_of_moons_says_which_castle_it_is(
    seen: tuple[str, ...], side: str, steps: int, place: str
) -> None:
    """`seen` is clockwise from the tower at `side`; clockwise from the camera comes the left."""
    found = castle_order(likely(seen), SUITS, side, given=False)
    assert found.steps == steps and found.warnings == ()
    assert len(found.notes) == 1 and place in found.notes[0]


def test_what_the_players_say_holds_and_a_difference_is_told() -> None:
    found = castle_order(likely(("arms", "moons", "suns", "crowns")), SUITS, "near", given=True)
    assert found.steps == 0
    assert found.warnings == (
        "the aces on the towers say that Moons' castle is on the camera's left; it is taken"
        " to be near the camera, as you say",
    )


def test_aces_that_do_not_tell_leave_it_assumed_unless_people_say_it() -> None:
    # Of four right orders one is likelier by exp(1.5): 4.5 of 7.5 parts are not sure.
    unread = likely(("arms", "moons", "suns", "crowns"), 1.5)
    found = castle_order(unread, SUITS, "near", given=False)
    assert found.steps == 0 and found.notes == () and found.assumed == "near"
    assert "do not tell which castle is Moons' (on the camera's left 60%" in found.warnings[0]
    said = castle_order(unread, SUITS, "far", given=True)
    assert said.warnings == () and said.assumed is None


def test_moons_castle_is_known_where_only_the_other_aces_are_not() -> None:
    """Two orders are equally likely, and in both Moons' ace lies on the camera's left."""
    both = (("arms", "moons", "crowns", "suns"), ("crowns", "moons", "suns", "arms"))
    found = castle_order(
        {order: 20.0 * (order in both) for order in permutations(SUITS)}, SUITS, "near", given=False
    )
    assert found.steps == 1 and found.assumed is None
    assert found.warnings == () and "on the camera's left" in found.notes[0]


@pytest.mark.parametrize(
    ("seen", "steps", "place"),
    [
        (("moons", "arms", "crowns", "suns"), 0, "near the camera"),
        (("suns", "moons", "crowns", "arms"), 1, "on the camera's left"),
    ],
)
def test_aces_in_another_order_than_that_of_the_rules_are_told(
    seen: tuple[str, ...], steps: int, place: str
) -> None:
    """The ace of moons then says which castle is Moons'."""
    found = castle_order(likely(seen), SUITS, "near", given=False)
    assert found.steps == steps and place in found.notes[0]
    first, second, third, fourth = (f"{suit.capitalize()}'" for suit in seen)
    assert found.warnings == (
        "the aces on the towers lie in another order than the castles of the rules (Moons, Suns,"
        f" Crowns, Arms, clockwise): {first} near the camera, {second} on the camera's left,"
        f" {third} away from the camera, {fourth} on the camera's right",
    )


def test_a_quarter_turn_gives_each_tile_the_name_of_the_next_castle() -> None:
    """Counter-clockwise from above, the castle in the south comes to lie in the east."""
    names = turned_names(template_course("castle-croquetnole", 50.8), 1)
    assert names["tower-moons"] == "tower-arms" and names["tower-suns"] == "tower-moons"
    assert names["door-moons-left"] == "door-arms-left"
    assert names["gatepost-sw"] == "gatepost-se"
    assert sorted(names.values()) == sorted(names)


def test_the_error_of_a_table_turns_with_it() -> None:
    places = np.array([(x, y) for x in (-300.0, 0.0, 250.0) for y in (-200.0, 40.0, 260.0)])
    moved = np.random.default_rng(2).normal(0, 1, (len(places), 2, 3))
    error = FieldError.of(places, moved)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    again = FieldError.of(places @ turn.T, np.einsum("ij,njk->nik", turn, moved))
    for turned in (error.quarter_turned(), again):
        assert turned.sigmas_mm(places @ turn.T, 0.002) == pytest.approx(
            error.sigmas_mm(places, 0.002)
        )
    assert np.array(error.quarter_turned().covariance_mm2) == pytest.approx(
        np.array(again.covariance_mm2)
    )
