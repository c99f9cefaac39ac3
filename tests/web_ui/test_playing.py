"""The grid games entered on the page: what is rolled, moved and said is written as the rules accept
it, and refused in the rules' words where they do not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from tests.web_ui.at_table import client_at_table

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
Enter = Callable[..., tuple[int, Any]]


@pytest.fixture
def enter(feed: Feed, tmp_path: Path) -> Enter:
    """Return a function that enters something into a scripted match's record, and returns the
    answer and the record's last line.
    """

    def entered(
        game: str, name: str, to: str, body: dict[str, Any], lines: int | None = None
    ) -> tuple[int, Any]:
        path = tmp_path / "record.jsonl"
        path.write_text(
            "".join(
                (MATCHES / game / f"{name}.jsonl").read_text().splitlines(keepends=True)[:lines]
            )
        )
        following = FollowedRecord(path, feed)
        following.look()
        sent = json.dumps({**body, "entries": len(path.read_text().splitlines()) - 1})
        answer = client_at_table(feed, desk=following).post(
            to, data=sent, content_type="application/json", headers={"Origin": "http://localhost"}
        )
        following.look()
        return answer.status_code, (
            json.loads(path.read_text().splitlines()[-1])
            if answer.status_code == 204
            else answer.get_json()["error"]
        )

    return entered


def test_two_dice_and_a_move_of_wickets_are_entered(enter: Enter, feed: Feed) -> None:
    status, last = enter(
        "wickets-six",
        "whole-game",
        "/plays",
        {"done": {"kind": "rolled", "die": "die-1", "face": 3}},
        1,
    )
    assert (status, last["entry"], last["kind"], last["face"]) == (204, "incident", "rolled", 3)
    assert feed.snapshot()["standing"]["turn"]["roll"] == ["die-2"]


@pytest.mark.parametrize(
    ("done", "why"),
    [
        ({"kind": "rolled", "die": "die-1", "face": 7}, "face"),
        (
            {"kind": "moved", "pawn": "blue", "from": None, "to": [1, 1], "path": [[1, 1]]},
            "must stand off the board",
        ),  # nothing is rolled yet
        ({"kind": "rolled", "die": "roll", "face": 3}, "die"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    enter: Enter, done: dict[str, Any], why: str
) -> None:
    status, error = enter("wickets-six", "whole-game", "/plays", {"done": done}, 1)
    assert status == 400 and why in error and "\n" not in error


def test_a_route_that_turns_a_right_angle_is_refused_in_the_words_of_the_rules(
    enter: Enter,
) -> None:
    said = {"kind": "shot", "route": [[3, 1], [4, 1]]}  # black is at (3, 0): up, then right
    status, error = enter(
        "piecepack-croquet", "route-right-angle", "/declarations", {"said": said}, 2
    )
    assert status == 400 and "at most two directions, 45 degrees apart" in error


def test_while_a_disaster_is_decided_the_page_knows_what_was_announced(
    enter: Enter, feed: Feed
) -> None:
    status, _ = enter(
        "piecepack-croquet", "disaster-straight-n", "/declarations", {"said": {"kind": "pass"}}, 4
    )  # placed, announced, a blank
    assert status == 400
    announced = feed.snapshot()["record"]["announced"]
    script = [
        json.loads(line)
        for line in (
            (MATCHES / "piecepack-croquet" / "disaster-straight-n.jsonl").read_text().splitlines()
        )
    ]
    assert announced == {
        "kind": "shot",
        "route": next(entry["route"] for entry in script if entry.get("kind") == "shot"),
    }
