"""Names given by places, and what is said about coins whose name is not known."""

from __future__ import annotations

import pytest

from referee.domain.episode import Rest
from referee.domain.errors import InputError
from referee.session.coin_naming import CoinNaming, answered, name_coins, places, unsure_line

RESTING = {
    "?1": Rest((-300.0, 20.0), 0.2),
    "?2": Rest((150.4, 60.0), 0.2),
    "?3": Rest((0.0, -110.0), 0.2),
}


def test_names_given_by_place_fall_on_the_nearest_coin():
    naming = name_coins(
        RESTING,
        {},
        None,
        ["moons", "suns", "arms"],
        {"moons": (160.0, 50.0), "arms": (-290.0, 30.0), "suns": (3.0, -100.0)},
    )
    assert naming.names == {"?2": "moons", "?1": "arms", "?3": "suns"} and naming.unsure == ()


def test_the_last_name_follows_when_no_stranger_is_likely():
    naming = name_coins(
        RESTING,
        {},
        None,
        ["moons", "suns", "arms"],
        {"moons": (150.0, 60.0), "arms": (-300.0, 20.0)},
    )
    assert naming.names == {"?2": "moons", "?1": "arms", "?3": "suns"}


def test_coins_of_which_nothing_is_known_are_unsure():
    naming = name_coins(RESTING, {}, None, ["moons", "suns", "arms"], {})
    assert set(naming.unsure) == {"?1", "?2", "?3"}
    for number in naming.unsure:
        assert sum(share for _, share in naming.odds[number]) <= 1.0 + 1e-9


def test_coins_beyond_the_match_s_are_nobody_s():
    naming = name_coins(RESTING, {}, None, ["moons"], {"moons": (150.0, 60.0)})
    assert naming.names == {"?2": "moons"} and naming.unsure == ()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"moons": (150.0, 90.0)}, "--name moons=150,90: no coin lies within 25 mm"),
        ({"moons": (150.0, 60.0), "suns": (151.0, 61.0)}, "already named moons"),
    ],
)
def test_a_place_without_a_coin_or_with_two_names_is_refused(given, words):
    with pytest.raises(InputError, match=words):
        name_coins(RESTING, {}, None, ["moons", "suns", "arms"], given)


def test_with_no_coin_at_all_a_name_given_is_refused():
    with pytest.raises(InputError, match="no coin lies"):
        name_coins({}, {}, None, ["moons"], {"moons": (0.0, 0.0)})


def test_places_are_said_in_whole_millimetres():
    assert places(RESTING, ["?2", "?3"]) == "one at (150, 60) mm, one at (0, -110) mm"


def test_the_line_says_where_unsure_coins_lie_and_names_each_of_them_once():
    naming = CoinNaming(
        {"?2": "moons", "?1": "suns"},
        ("?1", "?3"),
        {"?1": (("suns", 0.6), ("arms", 0.4)), "?3": (("suns", 0.5), ("arms", 0.4))},
    )
    line = unsure_line(naming, RESTING, ["moons", "suns", "arms"])
    assert (
        "one at (-300, 20) mm (perhaps suns or arms)" in line
        and "one at (0, -110) mm (perhaps suns or arms)" in line
    )
    # moons is sure, so it is not named. suns is the more likely name of the first coin, which
    # leaves arms for the other.
    assert line.endswith("for example with --name suns=-300,20 --name arms=0,-110")
    assert "(150, 60)" not in line and "\n" not in line


def test_a_coin_for_which_no_name_is_left_gets_none_in_the_line():
    naming = CoinNaming({}, ("?1", "?3"), {})
    assert unsure_line(naming, RESTING, ["ace"]).endswith("for example with --name ace=-300,20")


def test_an_answer_replaces_guesses_and_may_say_that_a_coin_is_nobody_s():
    naming = CoinNaming({"?1": "suns", "?2": "moons", "?3": "arms"}, ("?1", "?3"), {})
    assert answered(naming, {"?1": "arms", "?3": "nobody"}) == CoinNaming(
        {"?1": "arms", "?2": "moons"}, (), {}
    )
