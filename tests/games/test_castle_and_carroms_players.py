"""Who may play Castle Croquetnole and Carroms: the numbers of players and their coins."""

from __future__ import annotations

from typing import Any

import pytest

from referee.domain.errors import InputError
from tests.record.matches import entries

CASTLE = [
    {"name": "Ann", "coin": "moons"},
    {"name": "Ben", "coin": "suns"},
    {"name": "Cyd", "coin": "crowns"},
    {"name": "Dee", "coin": "arms"},
]
CARROMS = [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}]


def setup(game: str, players: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": game,
        "players": players,
        "options": {},
    }


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("castle-croquetnole", CASTLE),  # exactly four, in the order of the castles
        ("carroms", CARROMS),  # exactly two
        ("carroms", CARROMS[::-1]),  # whichever colour begins
    ],
)
def test_these_may_play(game: str, players: list[dict[str, Any]]) -> None:
    assert len(entries(setup(game, players))) == 1


@pytest.mark.parametrize(
    ("game", "players", "field"),
    [
        ("castle-croquetnole", CASTLE[:1], "players"),
        ("castle-croquetnole", CASTLE[:3], "players"),
        ("castle-croquetnole", [*CASTLE, {"name": "Eve", "coin": "null"}], "players"),
        ("castle-croquetnole", [CASTLE[1], CASTLE[0], *CASTLE[2:]], r"players\[0\].coin"),
        (
            "castle-croquetnole",
            [*CASTLE[:3], {"name": "Dee", "coin": "4"}],
            r"players\[3\].coin",
        ),  # a guard is not a knight
        ("castle-croquetnole", [*CASTLE[:3], {"name": "Dee"}], r"players\[3\].coin"),
        ("carroms", CARROMS[:1], "players"),
        ("carroms", [*CARROMS, {"name": "Cyd", "coin": "moons"}], "players"),
        ("carroms", [CARROMS[0], {"name": "Ben", "coin": "suns"}], r"players\[1\].coin"),
        (
            "carroms",
            [CARROMS[0], {"name": "Ben", "coin": "moons"}],
            r"players\[1\].coin",
        ),  # the black is nobody's
        ("carroms", [CARROMS[0], {"name": "Ann", "coin": "arms"}], r"players\[1\].name"),
    ],
)
def test_these_may_not(game: str, players: list[dict[str, Any]], field: str) -> None:
    with pytest.raises(InputError, match=f"line 1: {field}: "):
        entries(setup(game, players))
