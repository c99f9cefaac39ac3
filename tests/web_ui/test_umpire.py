"""Rulings made on the page: what would change is shown and nothing is written. What is written has
a name and a reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.record.reading import read_record
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.at_table import client_at_table
from web_ui.pages import create_app

#: Ann runs wicket 1 with i2, flicks again with i4 and stops. It is Ben's turn.
PLAYED = ("flick moons", "cross moons 1 out", "rest", "flick moons", "rest")
OVERTURN = {"on": "i2", "verdict": "overturned", "by": "Ann", "reason": "it was 2 mm short"}
HIT = {"entry": "incident", "kind": "contact", "coin": "moons", "with": "suns"}
Send = Callable[..., tuple[int, Any]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "r.jsonl", setup(2), *PLAYED)


@pytest.fixture
def following(path: Path, feed: Feed) -> FollowedRecord:
    following = FollowedRecord(path, feed)
    following.look()
    return following


@pytest.fixture
def send(feed: Feed, following: FollowedRecord) -> Send:
    client = client_at_table(feed, desk=following)

    def post(to: str, body: object, origin: str = "http://localhost") -> tuple[int, Any]:
        answer = client.post(
            to, data=json.dumps(body), content_type="application/json", headers={"Origin": origin}
        )
        return answer.status_code, answer.get_json(silent=True)

    return post


def test_what_a_ruling_would_change_is_told_and_nothing_is_written(send: Send, path: Path) -> None:
    before = path.read_bytes()
    status, told = send("/rulings/weighed", {"on": "i2", "verdict": "overturned"})
    assert status == 200 and path.read_bytes() == before
    changed = {
        (change["of"], change["player"], change["field"]): (change["before"], change["after"])
        for change in told["changes"]
    }
    assert changed["standing", "Ann", "progress"] == (
        1,
        0,
    )  # without the wicket Ann has made no step
    assert [call["call"] for call in told["calls_gone"]].count("wicket_scored") == 1
    assert [odd["on"] for odd in told["played_on"]] == ["i4"]  # and had no second flick


def test_a_ruling_that_was_weighed_is_written_with_name_and_reason_and_holds(
    send: Send, path: Path, following: FollowedRecord, feed: Feed
) -> None:
    _, told = send("/rulings/weighed", OVERTURN)
    assert send("/rulings", {**OVERTURN, "then": "keep", "entries": told["entries"]}) == (204, None)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["on"], last["verdict"], last["by"], last["reason"], last["then"]) == (
        "i2",
        "overturned",
        "Ann",
        "it was 2 mm short",
        "keep",
    )
    assert len(read_record(path)) == 7
    following.look()
    shown = feed.snapshot()
    assert shown["standing"]["standings"][0]["progress"] == 0
    assert [(one["on"], one["by"], one["holds"]) for one in shown["rulings"]] == [
        ("i2", "Ann", True)
    ]


def test_a_ruling_is_taken_back_by_another_one(
    send: Send, following: FollowedRecord, feed: Feed
) -> None:
    assert send("/rulings", {**OVERTURN, "entries": 5})[0] == 204
    following.look()
    made = feed.snapshot()["rulings"][0]["id"]
    assert send("/rulings", {**OVERTURN, "on": made, "entries": 6})[0] == 204
    following.look()
    shown = feed.snapshot()
    assert shown["standing"]["standings"][0]["progress"] == 1
    assert [one["holds"] for one in shown["rulings"]] == [False, True]


def test_what_was_missed_is_added_behind_its_entry(
    send: Send, path: Path, following: FollowedRecord, feed: Feed
) -> None:
    added = {**OVERTURN, "verdict": "added", "told": HIT}
    _, told = send("/rulings/weighed", added)
    assert [call["call"] for call in told["calls_new"]].count("hit_scored") == 1
    assert send("/rulings", {**added, "entries": told["entries"]}) == (204, None)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["after"], last["replacement"]) == (
        "added",
        "i2",
        HIT,
    ) and "on" not in last
    following.look()
    assert (
        feed.snapshot()["standing"]["turn"]["player"] == "Ann"
    )  # one flick more from the wicket, two from the hit: two are left


def test_what_was_something_else_is_put_in_its_place_as_another_kind(
    send: Send, path: Path, following: FollowedRecord, feed: Feed
) -> None:
    """What was recorded as the wicket was a hit. No step is made, and two flicks are earned. One
    of them has been used.
    """
    put = {**OVERTURN, "verdict": "replaced", "told": HIT}
    before = path.read_bytes()
    _, told = send("/rulings/weighed", put)
    assert path.read_bytes() == before
    assert [call["call"] for call in told["calls_gone"] if call["on"] == "i2"] == ["wicket_scored"]
    assert [call["call"] for call in told["calls_new"] if call["on"] == "i2"] == ["hit_scored"]
    assert send("/rulings", {**put, "entries": told["entries"]}) == (204, None)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"], last["replacement"]) == (
        "replaced",
        "i2",
        HIT,
    ) and "after" not in last
    following.look()
    standing = feed.snapshot()["standing"]
    assert (
        standing["standings"][0]["progress"],
        standing["turn"]["player"],
        standing["turn"]["flicks_left"],
    ) == (0, "Ann", 1)


def test_a_declaration_can_stand_in_the_place_of_an_incident(send: Send, path: Path) -> None:
    said = {"entry": "declaration", "kind": "concede", "player": "Ben"}
    _, told = send("/rulings/weighed", {**OVERTURN, "verdict": "replaced", "told": said})
    assert {
        change["field"]: change["after"] for change in told["changes"] if change["of"] == "match"
    } == {"status": "won", "winner": "Ann"}


def test_names_and_options_of_the_beginning_are_put_right(
    send: Send, path: Path, following: FollowedRecord, feed: Feed
) -> None:
    """Judged at rest, the wicket counts as well, because nothing undid it. Ann is called Anna from
    the start.
    """
    right = {
        **OVERTURN,
        "on": "setup",
        "verdict": "replaced",
        "setup": {"names": ["Anna", "Ben"], "options": {"wicket_credit": "rest"}},
    }
    _, told = send("/rulings/weighed", right)
    assert {"of": "Anna", "what": "name", "before": "Ann", "after": "Anna"} in told["told"]
    assert send("/rulings", {**right, "entries": told["entries"]}) == (204, None)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (
        last["on"],
        last["replacement"]["players"][0]["name"],
        last["replacement"]["options"],
    ) == ("setup", "Anna", {"wicket_credit": "rest"})
    assert len(read_record(path)) == 7
    following.look()
    shown = feed.snapshot()
    assert (shown["standing"]["standings"][0]["player"], shown["match"]["options"]) == (
        "Anna",
        {"wicket_credit": "rest"},
    )
    known = following.setup_choices()
    assert known.players == ["Anna", "Ben"]
    assert {one.name: one.value for one in known.options}["wicket_credit"] == "rest"


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({"names": ["Ann"], "options": {}}, "2 players"),
        ({"names": ["Ann", "Ann"], "options": {}}, "two players called"),
        ({"names": ["Ann", " "], "options": {}}, "is empty"),
        ({"names": ["Ann", "Ben"], "options": {"wicket_credit": "never"}}, "wicket_credit"),
        ({"names": ["Ann", "Ben"], "options": {"luck": True}}, "luck"),
        ({"names": ["Ann", "Ben"], "options": {"teams": True}}, "teams"),
        ({"names": ["Ann", "B" * 201], "options": {}}, "200"),
        ({"names": ["Ann", "Ben"]}, "This ruling cannot be used"),
    ],
)
def test_a_beginning_that_cannot_be_is_refused_in_words(
    send: Send, path: Path, setup: dict[str, Any], why: str
) -> None:
    before = path.read_bytes()
    status, answer = send(
        "/rulings", {**OVERTURN, "on": "setup", "verdict": "replaced", "setup": setup, "entries": 5}
    )
    assert status == 400 and why in answer["error"]
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"by": " "}, "needs the name"),
        ({"reason": ""}, "a reason"),
        ({"entries": None}, "Look at what the ruling"),
        ({"entries": 4}, "gone on"),
        ({"on": "i99"}, "i99"),
        ({"verdict": "replaced"}, "not complete"),
        ({"then": "later"}, "This ruling cannot be used"),
        ({"by": "A" * 201}, "200"),
        ({"more": 1}, "This ruling cannot be used"),
        ({"verdict": "replaced", "instead": {}}, "Choose what really happened"),
        ({"instead": {"coin": "suns"}}, "not complete"),
        ({"verdict": "replaced", "instead": {"line": "wicket-17"}}, "wicket-17"),
        ({"verdict": "replaced", "instead": {"margin_mm": 3}}, "instead.margin_mm: is not known"),
        ({"on": "i99", "verdict": "replaced", "instead": {"coin": "suns"}}, "i99"),
        ({"verdict": "added"}, "not complete"),
        ({"told": HIT}, "not complete"),
        ({"verdict": "replaced", "told": HIT, "instead": {"coin": "suns"}}, "not complete"),
        (
            {"verdict": "replaced", "setup": {"names": ["Ann", "Ben"], "options": {}}},
            "not complete",
        ),
        ({"on": "setup", "verdict": "replaced", "told": HIT}, "not complete"),
        ({"verdict": "added", "told": HIT, "instead": {"coin": "suns"}}, "not complete"),
        ({"on": "i99", "verdict": "replaced", "told": HIT}, "i99"),
        ({"verdict": "replaced", "told": {**HIT, "coin": "striker"}}, "striker"),
        ({"verdict": "replaced", "told": {"entry": "setup"}}, "missing"),
        ({"on": "i99", "verdict": "added", "told": HIT}, "i99"),
        ({"verdict": "added", "told": {**HIT, "coin": "striker"}}, "striker"),
        ({"verdict": "added", "told": {**HIT, "kind": "flown"}}, "flown"),
        (
            {"verdict": "added", "told": {"entry": "ruling", "on": "i2", "verdict": "overturned"}},
            "Only an incident or a declaration",
        ),
    ],
)
def test_what_cannot_stand_is_refused_in_words_and_not_written(
    send: Send, path: Path, changes: dict[str, Any], why: str
) -> None:
    before = path.read_bytes()
    status, answer = send("/rulings", {**OVERTURN, "entries": 5, **changes})
    assert status == 400 and why in answer["error"]
    assert path.read_bytes() == before


def test_what_play_has_gone_on_from_must_be_weighed_again(send: Send, path: Path) -> None:
    _, told = send("/rulings/weighed", OVERTURN)
    with path.open("ab") as out:
        out.write(b'{"entry":"incident","kind":"flicked","coin":"suns"}\n')
    status, answer = send("/rulings", {**OVERTURN, "entries": told["entries"]})
    assert status == 400 and "gone on" in answer["error"]


def test_behind_half_a_line_nothing_is_written(
    send: Send, path: Path, following: FollowedRecord
) -> None:
    with path.open("ab") as out:
        out.write(b'{"entry":"incident","ki')
    before = path.read_bytes()
    status, answer = send("/rulings", {**OVERTURN, "entries": 5})
    assert status == 400 and "not complete" in answer["error"]
    assert path.read_bytes() == before


def test_another_site_cannot_rule(send: Send, path: Path) -> None:
    before = path.read_bytes()
    assert send("/rulings", {**OVERTURN, "entries": 5}, origin="http://elsewhere.example")[0] == 403
    assert path.read_bytes() == before


def test_where_nobody_takes_rulings_there_is_no_such_page(feed: Feed) -> None:
    client = client_at_table(feed)
    answer = client.post(
        "/rulings/weighed",
        data="{}",
        content_type="application/json",
        headers={"Origin": "http://localhost"},
    )
    assert answer.status_code == 404 and "nothing at this address" in answer.get_data(as_text=True)


def test_why_something_was_called_is_told_clause_by_clause(
    feed: Feed, following: FollowedRecord
) -> None:
    client = create_app(feed, desk=following).test_client()
    why = client.get("/explained", query_string={"on": "i2"}).get_json()
    assert why["on"] == "i2" and all(clause["met"] for clause in why["clauses"])
    assert any("wicket-1" in str(clause) for clause in why["clauses"])
    assert client.get("/explained", query_string={"on": "i99"}).status_code == 400


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"kind": "flown"}, "flown"),
        ({"kind": "flicked", "coin": "moons"}, "not a kind of declaration"),
        ({"kind": "concede", "player": "Zoe"}, "Zoe"),
        ({"kind": "after_hit", "coin": "moons", "option": 5}, "option"),
        ({}, "kind"),
    ],
)
def test_what_cannot_be_said_is_refused_in_words_and_not_written(
    send: Send, path: Path, said: dict[str, Any], why: str
) -> None:
    before = path.read_bytes()
    status, answer = send("/declarations", {"said": said, "entries": 5})
    assert status == 400 and why in answer["error"]
    assert path.read_bytes() == before


def test_what_a_player_says_is_written_once_and_only_as_the_match_stands_on_the_page(
    send: Send, path: Path
) -> None:
    said = {"said": {"kind": "concede", "player": "Ben"}, "entries": 5}
    assert send("/declarations", said) == (204, None)
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["entry"], last["kind"], last["player"]) == ("declaration", "concede", "Ben")
    status, answer = send("/declarations", said)
    assert status == 400 and "gone on" in answer["error"]


def test_what_the_rules_do_not_allow_now_is_refused_in_their_words_and_not_written(
    send: Send, path: Path
) -> None:
    before = path.read_bytes()
    status, answer = send(
        "/declarations", {"said": {"kind": "after_hit", "coin": "moons", "option": 2}, "entries": 5}
    )  # nobody has hit anything
    assert status == 400 and answer["error"] == "Ben has hit no coin and has no action to choose."
    assert path.read_bytes() == before
