"""A match that people enter by hand, as the program and its page see it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from tests.web_ui.at_table import client_at_table


class Table:
    """A match that is followed, and what its page sends."""

    def __init__(self, path: Path) -> None:
        self.path, self.feed = path, Feed()
        self.following = FollowedRecord(path, self.feed)
        self.following.look()
        self._client = client_at_table(self.feed, desk=self.following)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()]

    def post(self, to: str, body: dict[str, Any]) -> tuple[int, Any]:
        sent = json.dumps({"entries": len(self.lines) - 1, **body})
        answer = self._client.post(
            to, data=sent, content_type="application/json", headers={"Origin": "http://localhost"}
        )
        self.following.look()
        return answer.status_code, answer.get_json(silent=True)

    def did(self, kind: str, *, anyway: bool = False, **fields: Any) -> tuple[int, Any]:
        return self.post("/plays", {"done": {"kind": kind, **fields}, "anyway": anyway})

    def back(self) -> tuple[int, Any]:
        hand = self.shown("hand")
        on = hand["back"]["on"] if hand["ruled"] is None else hand["ruled"]["id"]
        return self.post("/plays/back", {"on": on})

    def shown(self, topic: str) -> Any:
        return self.feed.snapshot()[topic]

    @property
    def turn(self) -> dict[str, Any]:
        turn: dict[str, Any] = self.shown("standing")["turn"]
        return turn
