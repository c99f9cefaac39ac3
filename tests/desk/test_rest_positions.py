"""Where coins are said to lie: never at a place where they lay before something happened to
them.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import pytest

from referee.desk.followed_record import surveyed_setup
from referee.desk.page_topics.playing_area import racked_mm
from referee.desk.page_topics.table_state import opening_table, table_state
from referee.desk.page_topics.topics import Lie
from referee.domain.entry import Setup, sizes_of
from referee.record.reading import parse_record
from referee.replay.fold import fold
from tests.record.matches import setup, text_of

CARROMS = {
    "entry": "setup",
    "format": "piecepack-match/1",
    "game": "carroms",
    "players": [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}],
}
LYING = "rest moons 100 0 suns 200 50 arms 300 50"


def read_setup(of: dict[str, Any]) -> Setup:
    first, *_ = parse_record(text_of(of))
    assert isinstance(first, Setup)
    return first


def states(*said: str | dict[str, Any]) -> dict[str, str]:
    folded = fold(parse_record(text_of(setup(3), *said)))
    return {coin: lie.state for coin, lie in table_state(folded.steps).lies.items()}


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


def test_coins_lie_in_the_rack_from_the_start_and_after_the_break_nobody_knows() -> None:
    racked = racked_mm(read_setup(CARROMS))

    def lies(*said: str) -> dict[str, tuple[str, tuple[float, float] | None]]:
        folded = fold(parse_record(text_of(CARROMS, *said)))
        coins = table_state(folded.steps, opening_table(folded.setup)).lies
        return {coin: (lie.state, lie.at_mm) for coin, lie in coins.items()}

    assert lies() == {coin: ("rest", at) for coin, at in racked.items()}
    put = {"entry": "incident", "kind": "placed", "coin": "suns-1", "at_mm": [20, 0]}
    broken = lies(put, "flick striker")
    assert broken["moons"] == ("moved", racked["moons"])
    assert broken["arms-1"] == ("moved", racked["arms-1"])
    assert broken["suns-1"] == ("rest", (20.0, 0.0))
    assert lies("flick striker", "rest suns-1 50 50") == {"suns-1": ("rest", (50.0, 50.0))}


def test_the_rack_is_that_of_the_rules_and_only_in_carroms() -> None:
    """Thirteen coins: the black in the middle of the table, and no two of them overlap."""
    begin = racked_mm(read_setup(CARROMS))
    assert len(begin) == 13
    coin_mm = sizes_of(read_setup(CARROMS)).coin_mm
    gaps = [math.dist(one, other) for one, other in combinations(begin.values(), 2)]
    assert min(gaps) == pytest.approx(coin_mm)
    assert racked_mm(read_setup(setup(2))) == {}


def test_what_went_into_a_pocket_lies_nowhere() -> None:
    first = CARROMS
    pocketed = {"entry": "incident", "kind": "pocketed", "coin": "suns-1", "pocket": "pocket-ne"}
    folded = fold(
        parse_record(text_of(first, "rest suns-1 50 50 striker 0 -150", "flick striker", pocketed))
    )
    assert table_state(folded.steps).lies == {"striker": Lie(at_mm=(0.0, -150.0), state="moved")}


def test_a_new_survey_is_what_is_drawn_from_then_on() -> None:
    edge = [[-90.0, -400.0], [1300.0, -400.0], [1300.0, 400.0]]
    survey = {"entry": "incident", "kind": "surveyed", "layout": None, "table_edge_mm": edge}
    folded = fold(parse_record(text_of(setup(2), survey)))
    assert surveyed_setup(folded).table_edge_mm == tuple(map(tuple, edge))
    assert folded.setup.table_edge_mm is None
