"""In every game, where no flick was played in between, a record with a ruling gives the same as a
record that was right from the start.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.promises import Lines, checks, judged, ruling
from tests.games.random_records import UNRULED as RECORDS

CHECKS = checks(25)
PIECES = {
    "tabletop-croquet": ("moons", "suns"),
    "castle-croquetnole": ("moons", "ace"),
    "carroms": ("suns-1", "arms-1"),
    "grid": ("black", "red"),
}
#: Cases where a ruling gives another kind of certainty than a record without a doubt, or where play
#: starts again.
NOT_PUT_IN = ("flicked", "unseen", "contact", "challenge")


def same(ruled: Lines, right: Lines) -> None:
    one, other = judged(ruled), judged(right)
    assert (one.calls, one.standings, one.status, one.winner) == (
        other.calls,
        other.standings,
        other.status,
        other.winner,
    )
    assert {key: value for key, value in one.turn.items() if key != "restore"} == other.turn


def last_play(lines: Lines) -> int:
    """Return the index after the last flick. In games without flicks, where play has no such
    beginning, return the index after the last entry.
    """
    flicks = [i for i, line in enumerate(lines) if line.get("kind") == "flicked"]
    return (
        flicks[-1] + 1
        if flicks
        else len(lines) - 1
        if lines[0]["game"].startswith(("piecepack", "wickets"))
        else 1
    )


def without(lines: Lines, *kinds: str) -> Lines:
    return [line for line in lines if line.get("kind") not in kinds]


@pytest.mark.parametrize("game", RECORDS)
@CHECKS
@given(data=st.data())
def test_overturned_replaced_or_added(game: str, data: st.DataObject) -> None:
    """The inserted entry is one that the record holds already, said or seen, as it could have been
    seen now.
    """
    lines = without(data.draw(RECORDS[game]), "renamed", "challenge")
    places = range(last_play(lines), len(lines))
    others = without(lines[1:], *NOT_PUT_IN)
    if not places or not others:
        return
    place, verdict = (
        data.draw(st.sampled_from(places)),
        data.draw(st.sampled_from(["overturned", "replaced", "added"])),
    )
    if lines[place].get("kind") in ("at_rest", "flicked"):
        return
    new = {
        key: value
        for key, value in data.draw(st.sampled_from(others)).items()
        if key not in ("id", "probability", "frames", "t_s")
    }
    on = str(lines[place]["id"])
    right = {
        "overturned": [],
        "replaced": [{**new, "id": on}],
        "added": [lines[place], {**new, "id": "rule+"}],
    }[verdict]
    more = {} if verdict == "overturned" else {"replacement": new}
    same([*lines, ruling(verdict, on, **more)], [*lines[:place], *right, *lines[place + 1 :]])


@pytest.mark.parametrize("game", RECORDS)
@CHECKS
@given(data=st.data())
def test_upheld_is_as_if_it_had_been_certain(game: str, data: st.DataObject) -> None:
    lines = data.draw(RECORDS[game])
    places = [
        i
        for i in range(last_play(lines), len(lines))
        if lines[i]["entry"] == "incident" and lines[i]["kind"] not in NOT_PUT_IN
    ]
    if not places or any(line.get("kind") == "challenge" for line in lines):
        return
    place = data.draw(st.sampled_from(places))
    doubtful = {**lines[place], "probability": 0.5}
    certain = {key: value for key, value in doubtful.items() if key != "probability"}
    before, behind = lines[:place], lines[place + 1 :]
    same(
        [*before, doubtful, *behind, ruling("upheld", doubtful["id"])], [*before, certain, *behind]
    )


@pytest.mark.parametrize("game", RECORDS)
@CHECKS
@given(data=st.data())
def test_names_exchanged_or_a_survey_told_later(game: str, data: st.DataObject) -> None:
    lines = without(data.draw(RECORDS[game]), "renamed", "challenge")
    places = range(max(1, last_play(lines)), len(lines))
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    one, two = PIECES.get(game, PIECES["grid"])
    known = game != "wickets" or any(
        "pawn" in str(player) and one in str(player) for player in lines[0]["players"]
    )
    exchanged = {
        "entry": "incident",
        "kind": "renamed",
        "coins": {one: two, two: one} if known else {},
    }
    new = data.draw(
        st.sampled_from(
            [
                exchanged,
                {
                    "entry": "incident",
                    "kind": "surveyed",
                    "table_edge_mm": [[-900, -900], [900, -900], [900, 900]],
                },
            ]
        )
    )
    told = ruling("added", str(lines[place]["id"]), replacement=new)
    same([*lines, told], [*lines[: place + 1], {**new, "id": "rule+"}, *lines[place + 1 :]])


@pytest.mark.parametrize("game", [name for name in RECORDS if name != "carroms"])
@CHECKS
@given(data=st.data())
def test_a_corrected_setup(game: str, data: st.DataObject) -> None:
    """Options and names become what they should have been. In Carroms the player at turn keeps the
    flicks, so the result need not be the same.
    """
    lines = without(data.draw(RECORDS[game]), "challenge")
    first = {
        **lines[0],
        "options": {
            **lines[0]["options"],
            "too_close": data.draw(st.sampled_from(["for-striker", "against-striker"])),
        },
    }
    same([*lines, ruling("replaced", "setup", replacement=first)], [first, *lines[1:]])


@pytest.mark.parametrize("game", ["tabletop-croquet", "castle-croquetnole", "carroms"])
@CHECKS
@given(data=st.data())
def test_an_order_that_was_ruled_on(game: str, data: st.DataObject) -> None:
    """The order of two incidents was unknown, and the second in the record came first."""
    lines = without(data.draw(RECORDS[game]), "challenge")
    begin = last_play(lines)
    if lines[begin - 1].get("kind") != "flicked":
        return
    rest = next(
        (i for i in range(begin, len(lines)) if lines[i].get("kind") == "at_rest"), len(lines)
    )
    moving = ("line_crossed", "contact", "left_table", "pocketed")
    pairs = [
        i
        for i in range(begin, rest - 1)
        if lines[i].get("kind") in moving and lines[i + 1].get("kind") in moving
    ]
    if not pairs:
        return
    place = data.draw(st.sampled_from(pairs))
    kept = [
        (
            line
            if i < begin
            else {key: value for key, value in line.items() if key not in ("frames", "probability")}
        )
        for i, line in enumerate(lines)
    ]
    first, second = kept[place : place + 2]
    unknown = [{**first, "frames": [10, 12]}, {**second, "frames": [11, 13]}]
    told = ruling("before", second["id"], other=first["id"])
    same(
        [*kept[:place], *unknown, *kept[place + 2 :], told],
        [*kept[:place], second, first, *kept[place + 2 :]],
    )
