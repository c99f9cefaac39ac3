"""Why a call of Carroms was made: which clauses were needed, and whether each held."""

from __future__ import annotations

from typing import Any

import pytest

from referee.domain.declaration import Said
from referee.domain.incident import Measured
from referee.games.clauses import clauses_of
from referee.replay.fold import fold
from tests.record.matches import entries

SETUP = {
    "entry": "setup",
    "format": "piecepack-match/1",
    "game": "carroms",
    "players": [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}],
    "options": {},
}
FLICK = {"entry": "incident", "kind": "flicked", "coin": "striker", "touching": []}


def down(coin: str) -> dict[str, Any]:
    return {"entry": "incident", "kind": "pocketed", "coin": coin, "pocket": "pocket-ne"}


def rest(coins: dict[str, Any]) -> dict[str, Any]:
    return {"entry": "incident", "kind": "at_rest", "coins": coins}


def put(coin: str, x: float, y: float) -> dict[str, Any]:
    return {"entry": "incident", "kind": "placed", "coin": coin, "at_mm": [x, y]}


def lift(coin: str) -> dict[str, Any]:
    return {"entry": "incident", "kind": "placed", "coin": coin, "at_mm": None}


def touch(coin: str) -> dict[str, Any]:
    return {"entry": "incident", "kind": "contact", "coin": "striker", "with": coin}


def over(coin: str) -> dict[str, Any]:
    return {"entry": "incident", "kind": "left_table", "coin": coin, "at_mm": [260.0, 0.0]}


def hold(*walls: str, **more: str) -> dict[str, Any]:
    return {"entry": "declaration", "kind": "hold", "walls": list(walls), **more}


def knocked(moved_mm: float) -> dict[str, Any]:
    place = {"centre_mm": [0.0, 0.0], "rotation_deg": 0.0}
    moved = {"moved_mm": moved_mm, "turned_deg": 0.0, "by": "coin", "from": place, "to": place}
    return {"entry": "incident", "kind": "tile_displaced", "tile": "wall-n-1", **moved}


BLACK_FOUL = [FLICK, down("suns-1"), down("moons"), down("striker"), rest({"arms-1": [80, 0]})]
FOUL = [FLICK, down("suns-1"), down("striker"), rest({"moons": [0, 0], "arms-1": [80, 0]})]


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
        (
            [FLICK, down("suns-1")],
            down("suns-1"),
            [True, False, True, True, False, True],
        ),  # down already, and an own coin had fallen
        (
            [FLICK, down("striker")],
            down("suns-1"),
            [True, True, True, True, True, False],
        ),  # the striker is off the board
        ([FLICK], down("moons"), [True, True, True, False, True]),  # the black is not live
        ([FLICK], down("striker"), [True, True, True]),  # so that the turn is over
        (
            FOUL,
            put("suns-1", 19.05, 0.0),
            [True, True],
        ),  # no black has to go back first, and near enough
        (FOUL, put("suns-1", 60.0, 0.0), [True, False]),
        (
            BLACK_FOUL,
            put("suns-1", 19.05, 0.0),
            [False, False],
        ),  # the black goes first, and the centre is still free
        (BLACK_FOUL, put("moons", 0.0, 0.0), [True]),
        (
            FOUL,
            put("arms-1", 19.05, 0.0),
            [False, False],
        ),  # moved by hand, and no tile is out of place
        (FOUL, put("striker", 0.0, 100.0), [True]),
        (FOUL, put("striker", 400.0, 0.0), [False]),
        ([], put("striker", 0.0, 200.0), [True]),  # the break: 42 mm from the wall
        ([], put("striker", 0.0, 100.0), [False]),
        ([FLICK], touch("suns-1"), [False]),
        ([FLICK], over("suns-1"), [True, True]),
        ([FLICK], over("striker"), [True, True, True]),
        ([FLICK], rest({}), [False, True, False]),  # no own coin fell, the striker stayed, no win
        (
            [FLICK, down("suns-1"), down("striker")],
            rest({}),
            [True, False, False, True],
        ),  # the own coin that fell goes back as the penalty
        ([FLICK, down("striker")], rest({}), [False, False, False, False]),  # none to go back
        (
            [FOUL[0], rest({"moons": [0, 0]})],
            lift("moons"),
            [False, False, False, False],
        ),  # no pocket, nothing goes back, no rack, no tile out of place
        ([], lift("moons"), [False, False, True, False]),
        ([*FOUL], lift("suns-1"), [False, True, False, False]),
        ([hold("N"), FLICK], knocked(2.0), [True, False]),  # although its line was held
        ([], hold("N"), [True, True]),
        ([], hold("N", "E"), [True, False]),
        ([], hold("N", "E", player="Ben"), [True, True]),
        ([FLICK], hold("N"), [False, True]),
        ([], {"entry": "declaration", "kind": "pass"}, [False]),
        ([], knocked(1.9), [False]),
        ([], knocked(2.0), [True]),
        ([{"entry": "declaration", "kind": "agreed", "winner": None}], FLICK, [False]),
    ],
)
def test_clauses_hold_or_not(
    before: list[dict[str, Any]], entry: dict[str, Any], met: list[bool]
) -> None:
    state = fold(entries(SETUP, *before)).state
    last = entries(SETUP, *before, entry)[-1]
    assert isinstance(last, Measured | Said)
    assert [clause.met for clause in clauses_of("carroms", state, last, upheld=False)] == met


def test_a_spot_near_the_centre_is_judged_by_its_distances() -> None:
    """The black coin lies on the centre, so the nearest free spot is 19.05 mm out. A spot at 23.81
    mm (a quarter of a coin width more) is near enough.
    """
    state = fold(entries(SETUP, *FOUL)).state
    last = entries(SETUP, *FOUL, put("suns-1", 0.0, 23.0))[-1]
    _, spot = clauses_of("carroms", state, last, upheld=False)  # type: ignore[arg-type]
    facts = {
        "from_the_centre_mm": 23.0,
        "nearest_free_mm": 19.05,
        "at_most_mm": 23.81,
        "gap_to_the_nearest_coin_mm": 3.95,
    }
    assert (spot.met, spot.facts) == (True, facts)
