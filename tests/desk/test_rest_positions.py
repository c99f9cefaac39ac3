"""Where coins are said to lie: never at a place where they lay before something happened to
them.
"""

from __future__ import annotations

from typing import Any

from referee.desk.followed_record import surveyed_setup
from referee.desk.rest_positions import coins_topic
from referee.desk.topics import Lie
from referee.record.reading import parse_record
from referee.replay.fold import fold
from tests.record.matches import setup, text_of

LYING = "rest moons 100 0 suns 200 50 arms 300 50"


def states(*said: str | dict[str, Any]) -> dict[str, str]:
    folded = fold(parse_record(text_of(setup(3), *said)))
    return {coin: lie.state for coin, lie in coins_topic(folded.steps, 0.0).coins.items()}


def test_what_was_seen_lying_lies_there() -> None:
    assert states(LYING) == {"moons": "rest", "suns": "rest", "arms": "rest"}


def test_what_was_flicked_or_hit_is_not_known_to_lie_where_it_lay() -> None:
    assert states(LYING, "flick moons", "hit moons suns") == {
        "moons": "moved",
        "suns": "moved",
        "arms": "rest",
    }


def test_a_rest_that_says_nothing_of_places_makes_nothing_known() -> None:
    assert states(LYING, "flick moons", "rest")["moons"] == "moved"
    assert states(LYING, "flick moons", LYING)["moons"] == "rest"


def test_what_could_not_be_seen_is_hidden() -> None:
    unseen = {"entry": "incident", "kind": "unseen", "pieces": ["arms"], "from_s": 1.0, "to_s": 2.0}
    assert states(LYING, "flick moons", unseen) == {
        "moons": "moved",
        "suns": "rest",
        "arms": "hidden",
    }


def test_a_flick_that_was_overturned_moved_nothing() -> None:
    assert states(LYING, "flick moons", "rest", "overturned i2")["moons"] == "rest"


def test_what_went_into_a_pocket_lies_nowhere() -> None:
    first = {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "carroms",
        "players": [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}],
    }
    pocketed = {"entry": "incident", "kind": "pocketed", "coin": "suns-1", "pocket": "pocket-ne"}
    folded = fold(
        parse_record(text_of(first, "rest suns-1 50 50 striker 0 -150", "flick striker", pocketed))
    )
    assert coins_topic(folded.steps, 0.0).coins == {
        "striker": Lie(at_mm=(0.0, -150.0), state="moved")
    }


def test_a_new_survey_is_what_is_drawn_from_then_on() -> None:
    edge = [[-90.0, -400.0], [1300.0, -400.0], [1300.0, 400.0]]
    survey = {"entry": "incident", "kind": "surveyed", "layout": None, "table_edge_mm": edge}
    folded = fold(parse_record(text_of(setup(2), survey)))
    assert surveyed_setup(folded).table_edge_mm == tuple(map(tuple, edge))
    assert folded.setup.table_edge_mm is None
