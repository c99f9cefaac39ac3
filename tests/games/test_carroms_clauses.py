"""Why a call of Carroms was made: the clauses that had to hold, and whether each held."""

from __future__ import annotations

from typing import Any

import pytest

from referee.fold import fold
from referee.games.carroms.clauses import clauses
from referee.incident import Measured
from tests.record.matches import entries

SETUP = {
    "entry": "setup", "format": "piecepack-match/1", "game": "carroms",
    "players": [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}], "options": {},
}  # fmt: skip
FLICK = {"entry": "incident", "kind": "flicked", "coin": "striker", "touching": []}


def down(coin: str) -> dict[str, Any]:
    return {"entry": "incident", "kind": "pocketed", "coin": coin, "pocket": "pocket-ne"}


def rest(coins: dict[str, Any]) -> dict[str, Any]:
    return {"entry": "incident", "kind": "at_rest", "coins": coins}


def put(coin: str, x: float, y: float) -> dict[str, Any]:
    return {"entry": "incident", "kind": "placed", "coin": coin, "at_mm": [x, y]}


FOUL = [FLICK, down("suns-1"), down("striker"), rest({"moons": [0, 0]})]


@pytest.mark.parametrize(
    ("before", "entry", "met"),
    [
        ([], FLICK, [True, True, True]),  # still, in turn, the striker
        ([FLICK], FLICK, [False, True, True]),
        ([], {**FLICK, "player": "Ben"}, [True, False, True]),
        ([], {**FLICK, "coin": "moons"}, [True, True, False]),
        ([], down("suns-1"), [False, True]),  # no flick under way
        ([FLICK], down("suns-1"), [True, True, True, True, True, True]),
        ([FLICK], down("arms-1"), [True, True, True, False, True, True]),  # not an own coin
        ([FLICK, down("suns-1")], down("suns-1"), [True, False, True, True, False, True]),  # down already, and an own coin had fallen
        ([FLICK, down("striker")], down("suns-1"), [True, True, True, True, True, False]),  # the striker is off the board
        ([FLICK], down("moons"), [True, True, True, False, True]),  # the black is not live
        ([FLICK], down("striker"), [True, True]),
        (FOUL, put("suns-1", 19.05, 0.0), [True]),
        (FOUL, put("suns-1", 60.0, 0.0), [False]),
        (FOUL, put("striker", 0.0, 100.0), [True]),
        (FOUL, put("striker", 400.0, 0.0), [False]),
    ],
)
def test_clauses_hold_or_not(before: list[dict[str, Any]], entry: dict[str, Any], met: list[bool]) -> None:
    state = fold(entries(SETUP, *before)).state
    last = entries(SETUP, *before, entry)[-1]
    assert isinstance(last, Measured)
    assert [clause.met for clause in clauses(state, last, upheld=False)] == met
