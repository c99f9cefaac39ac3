"""Flicking games entered by hand: what coins do is written as people enter it, asked about where
the rules do not allow it, and taken back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.desk.entry_by_hand import TABLE_KINDS
from referee.domain.errors import InputError
from referee.record.reading import read_record
from referee.replay.adjudication import Adjudication, adjudicate
from referee.session.live_rulings import LiveRulingDesk
from referee.session.live_view import LiveView
from tests.games.test_fixtures import FOUND, fields_of
from tests.web_ui.entering_table import Table
from tests.web_ui.followed import MATCHES

GAMES = ("tabletop-croquet", "castle-croquetnole", "carroms")
#: What a camera measures, and people at a table do not enter.
MEASURED = {"t_s", "frames", "clip", "probability", "margin_mm", "sigma_mm"}
Send = Callable[..., tuple[int, Any]]


def told(script: list[dict[str, Any]]) -> bool:
    """Whether people could have entered all of a script: nothing in it was measured, and no ruling
    names an entry by its id.
    """
    return all(
        not MEASURED & set(entry)
        and (entry["entry"] == "declaration" or entry.get("kind") in TABLE_KINDS)
        for entry in script[1:]
    )


def by_hand(table: Table, script: list[dict[str, Any]]) -> Adjudication:
    """Enter a script line by line, as the page does, and return the result of the match."""
    for entry in script[1:]:
        fields = {name: value for name, value in entry.items() if name not in ("entry", "id")}
        if entry["entry"] == "declaration":
            status, answer = table.post("/declarations", {"said": fields})
        else:
            status, answer = table.did(anyway=True, **fields)
        assert status == 204, (entry, answer)
    return adjudicate(read_record(table.path))


def comes_to(result: Adjudication, expect: dict[str, Any]) -> dict[str, Any]:
    return {
        name: FOUND[name](result) if name in FOUND else fields_of(result, name, wanted)
        for name, wanted in expect.items()
    }


SCRIPTS = {
    path: [json.loads(line) for line in path.read_text().splitlines()]
    for game in GAMES
    for path in sorted((MATCHES / game).glob("whole-*.jsonl"))
}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_whole_game_entered_by_hand_comes_to_what_its_script_says(
    tmp_path: Path, path: Path
) -> None:
    script = SCRIPTS[path]
    assert told(script)
    (tmp_path / "record.jsonl").write_text(json.dumps(script[0]) + "\n")
    expect = json.loads(path.with_suffix(".expected.json").read_text())["expect"]
    assert comes_to(by_hand(Table(tmp_path / "record.jsonl"), script), expect) == expect


TURNS = [path for game in GAMES for path in sorted((MATCHES / game).glob("*.jsonl"))[::4]]
#: Their calls and irregularities name entries by the ids of the script.
NAMING_IDS = ("calls", "asked", "odd")


@pytest.mark.parametrize("game", GAMES)
def test_scripted_turns_entered_by_hand_come_to_what_their_scripts_say(
    tmp_path: Path, game: str
) -> None:
    """Every fourth script is used, except those with a declaration that the rules refuse, which the
    page does not accept.
    """
    entered = 0
    for path in (one for one in TURNS if one.parent.name == game):
        script = [json.loads(line) for line in path.read_text().splitlines()]
        case = json.loads(path.with_suffix(".expected.json").read_text())
        if not told(script) or (
            any(entry["entry"] == "declaration" for entry in script) and case["expect"].get("odd")
        ):
            continue
        match = tmp_path / f"{path.stem}.jsonl"
        match.write_text(json.dumps(script[0]) + "\n")
        expect = {name: value for name, value in case["expect"].items() if name not in NAMING_IDS}
        assert comes_to(by_hand(Table(match), script), expect) == expect, case["sentence"]
        entered += 1
    assert entered >= 20


def test_what_the_rules_do_not_allow_is_asked_about_first_and_then_written_as_it_happened(
    sit: Callable[..., Table],
) -> None:
    table = sit(
        "tabletop-croquet", lines=3
    )  # both coins lie at the start, and it is Ann's turn with moons
    status, answer = table.did("flicked", coin="suns", touching=[])
    assert (status, answer["anyway"], len(table.lines)) == (400, True, 3) and "\n" not in answer[
        "error"
    ]
    assert table.did("flicked", coin="suns", touching=[], anyway=True)[0] == 204
    assert [question["what"] for question in table.shown("standing")["questions"]] == [
        "wrong_flick"
    ]


@pytest.mark.parametrize(
    ("done", "why"),
    [
        (
            {"kind": "line_crossed", "coin": "moons", "line": "wicket-12", "direction": "outward"},
            "line: 'wicket-12' is not a line",
        ),
        (
            {"kind": "line_crossed", "coin": "moons", "line": "wicket-1", "direction": "out"},
            "direction",
        ),
        ({"kind": "pocketed", "coin": "moons", "pocket": "pocket-ne"}, "kind: 'pocketed'"),
        ({"kind": "left_table", "coin": "moons", "at_mm": [1, None]}, "at_mm"),
        ({"kind": "left_table", "coin": "moons"}, "at_mm"),
        ({"kind": "flicked", "coin": "striker"}, "coin: 'striker' is not a coin"),
        ({"kind": "surveyed", "layout": None}, "You can enter only these kinds"),
        (
            {"kind": "unseen", "pieces": ["moons"], "from_s": 0, "to_s": 1},
            "You can enter only these kinds",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line_and_there_is_no_way_round_it(
    sit: Callable[..., Table], done: dict[str, Any], why: str
) -> None:
    table = sit("tabletop-croquet", lines=3)
    status, answer = table.did(**done, anyway=True)
    assert (
        status == 400
        and why in answer["error"]
        and "\n" not in answer["error"]
        and "anyway" not in answer
    )
    assert len(table.lines) == 3


def test_the_page_knows_what_was_told_of_the_flick_under_way_and_what_is_taken_back_next(
    sit: Callable[..., Table],
) -> None:
    table = sit("tabletop-croquet", lines=5)
    assert [entry["kind"] for entry in table.shown("hand")["flick"]] == ["flicked", "line_crossed"]
    assert (
        table.shown("hand")["back"].items()
        >= {"on": "i4", "kind": "line_crossed", "line": "wicket-1"}.items()
    )
    table.did("at_rest", coins={})
    assert table.shown("hand")["flick"] == [] and table.shown("hand")["back"]["kind"] == "at_rest"


def test_a_tile_that_was_pushed_is_put_back_where_it_lay(sit: Callable[..., Table]) -> None:
    table = sit("tabletop-croquet", lines=3)
    there, here = (
        {"centre_mm": [228.6, 90.0], "rotation_deg": 4.0},
        {"centre_mm": [228.6, 76.2], "rotation_deg": 0.0},
    )
    pushed: dict[str, Any] = {
        "kind": "tile_displaced",
        "tile": "wicket-1-left",
        "moved_mm": 13.8,
        "turned_deg": 4.0,
        "by": "coin",
    }
    pushed |= {"entry": "incident", "from": here, "to": there}
    with table.path.open("a") as out:  # by a program that measures
        out.writelines(
            json.dumps(one) + "\n"
            for one in ({"entry": "incident", "kind": "flicked", "coin": "moons"}, pushed, REST)
        )
    table.following.look()
    assert table.shown("hand")["displaced"]["wicket-1-left"]["to"] == there
    assert table.did(
        **{**pushed, "kind": "tile_restored", "from": there, "to": here, "by": "hand"}
    ) == (204, None)
    assert table.shown("hand")["displaced"] == {} and table.turn["before_flick"][1:] == []


REST = {"entry": "incident", "kind": "at_rest", "coins": {}}


def test_where_a_camera_watches_nothing_that_happens_on_the_table_is_entered(
    sit: Callable[..., Table],
) -> None:
    ruling_desk = LiveRulingDesk(LiveView.__new__(LiveView))
    with pytest.raises(InputError, match="The camera sees what happens on the table"):
        ruling_desk.play({"kind": "flicked", "coin": "moons"}, 3)
    table = sit("tabletop-croquet", lines=3)
    assert table.shown("hand")["camera"] is False
    with table.path.open("a") as out:
        out.write(
            json.dumps(
                {"entry": "incident", "kind": "flicked", "coin": "moons", "frames": [10, 11]}
            )
            + "\n"
        )
    table.following.look()
    assert table.shown("hand")["camera"] is True


def test_what_nothing_in_the_record_is_called_cannot_be_hit(sit: Callable[..., Table]) -> None:
    """Such a line would make the whole record unreadable."""
    table = sit("tabletop-croquet", lines=3)
    before = table.path.read_bytes()
    status, told = table.did(kind="contact", coin="moons", **{"with": "the lamp"})
    assert status != 204 and "'the lamp' is not a coin, place or tile" in json.dumps(told)
    assert table.path.read_bytes() == before
