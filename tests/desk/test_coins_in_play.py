"""Which coins may be chosen when people enter a match by hand: those that lie on the table, and
those in play that hands may put there. A coin that is out of the game is offered nowhere.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.desk.entry_by_hand import hand_topic
from referee.desk.page_topics.topics import HandTopic
from referee.domain.entry import Setup
from referee.record.reading import parse_record
from referee.replay.fold import Fold

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
RED = [f"suns-{number}" for number in range(1, 7)]
BLUE = [f"arms-{number}" for number in range(1, 7)]
ALL_EIGHT = ["moons", "ace", "suns", "2", "crowns", "3", "arms", "4"]


def hand_after(game: str, name: str, on: str) -> HandTopic:
    """Return what people may enter after the entry `on` of a scripted match ("setup": before any
    entry).
    """
    lines = (MATCHES / game / f"{name}.jsonl").read_text().splitlines()
    ids = [json.loads(line).get("id", "setup") for line in lines]
    return after(lines[: ids.index(on) + 1])


def after(lines: list[str]) -> HandTopic:
    """Return what people may enter after the lines of a record."""
    first, *entries = parse_record("".join(f"{line}\n" for line in lines).encode())
    assert isinstance(first, Setup)
    folded = Fold(first)
    folded.push_all(entries)
    return hand_topic(folded)


@pytest.mark.parametrize(
    ("game", "name", "on", "on_table", "off_table"),
    [
        # "Each player starts play by placing their coin": until then it is in nobody's way.
        ("tabletop-croquet", "whole-game", "setup", [], ["moons", "suns"]),
        ("tabletop-croquet", "whole-game", "i1", ["moons"], ["suns"]),
        ("tabletop-croquet", "whole-game", "i2", ["moons", "suns"], []),
        # Poison: "each coin he succeeds in hitting is killed"; it is lifted off in i11.
        ("tabletop-croquet", "poison-kills", "i8", ["moons", "suns", "arms"], []),
        ("tabletop-croquet", "poison-kills", "i10", ["moons", "suns", "arms"], []),
        ("tabletop-croquet", "poison-kills", "i11", ["moons", "arms"], []),
        # A coin that has hit the left endpost at the end of its course leaves the game.
        ("tabletop-croquet", "leave-then-home", "i2", ["moons", "suns", "arms", "crowns"], []),
        ("tabletop-croquet", "leave-then-home", "i4", ["suns", "arms", "crowns"], []),
        # Guards and knights lie beside their towers from the start; a prisoner sits on one.
        ("castle-croquetnole", "guard-hits-knight", "setup", ALL_EIGHT, []),
        (
            "castle-croquetnole",
            "guard-hits-knight",
            "i12",
            ["ace", "suns", "2", "crowns", "3", "arms", "4"],
            ["moons"],
        ),
        # Thirteen coins are racked; the striker is put down for the break.
        ("carroms", "black-and-striker", "setup", ["moons", *RED, *BLUE], ["striker"]),
        ("carroms", "black-and-striker", "i4", ["moons", *RED[3:], *BLUE, "striker"], []),
        ("carroms", "black-and-striker", "i8", ["moons", *BLUE, "striker"], []),
        # CA-8: black, one red coin and the striker go back; the other five reds stay down.
        ("carroms", "black-and-striker", "i12", BLUE, ["moons", "suns-6", "striker"]),
        ("carroms", "black-and-striker", "i15", ["moons", "suns-6", *BLUE, "striker"], []),
    ],
)
def test_the_coins_on_the_table_and_those_that_must_be_put_there(
    game: str, name: str, on: str, on_table: list[str], off_table: list[str]
) -> None:
    hand = hand_after(game, name, on)
    assert (sorted(hand.on_table), sorted(hand.off_table)) == (sorted(on_table), sorted(off_table))


def test_a_knight_on_its_tower_is_offered_no_more() -> None:
    lines = (MATCHES / "castle-croquetnole" / "guard-hits-knight.jsonl").read_text().splitlines()
    tower = {"entry": "incident", "kind": "placed", "coin": "moons", "at_mm": [-254, 0]}
    hand = after([*lines, json.dumps(tower)])
    assert len(hand.on_table) == 7 and "moons" not in (*hand.on_table, *hand.off_table)


def test_a_coin_that_fell_is_off_the_table_until_a_hand_puts_it_back() -> None:
    lines = (MATCHES / "tabletop-croquet" / "whole-game.jsonl").read_text().splitlines()[:4]
    fall = {"entry": "incident", "kind": "left_table", "coin": "moons", "at_mm": [400, 400]}
    rest = {"entry": "incident", "kind": "at_rest", "coins": {}}
    back = {"entry": "incident", "kind": "placed", "coin": "moons", "at_mm": [400, 376]}
    lying = []
    for said in ([], [fall], [fall, rest], [fall, rest, back]):
        hand = after([*lines, *map(json.dumps, said)])
        lying.append((hand.on_table, hand.off_table))
    both, without = (["moons", "suns"], []), (["suns"], ["moons"])
    assert lying == [both, without, without, both]


@pytest.mark.parametrize("game", ["piecepack-croquet", "wickets-six", "wickets-nine"])
def test_games_with_pawns_have_no_coins_to_choose(game: str) -> None:
    name = "whole-game-in-one-turn" if game == "wickets-nine" else "whole-game"
    hand = hand_after(game, name, "setup")
    assert (hand.on_table, hand.off_table) == ([], [])
