"""Devices in a room where a match is played: each with an address and cookies of its own."""

from __future__ import annotations

import json
from typing import Any

from werkzeug.test import TestResponse

from referee.desk.feed import Feed
from tests.web_ui.scenes import naming
from web_ui.access import Access
from web_ui.pages import create_app

NAMES = {"1": "suns", "2": "arms", "3": "ace"}
PHONE, OTHER_PHONE, OUTSIDE = "192.168.0.20", "192.168.0.21", "192.168.0.7"


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


class Room:
    """A match whose pages are open to a network, and the devices there."""

    def __init__(self, feed: Feed) -> None:
        self.feed, self.clock = feed, Clock()
        self.access = Access(self.clock)
        self.app = create_app(
            feed, access=self.access, addresses=lambda: [f"http://{OUTSIDE}:8000/"]
        )
        feed.publish("naming", naming())

    def device(self, address: str = PHONE) -> Device:
        return Device(self, address)

    @property
    def wrong(self) -> str:
        return f"{(int(self.access.pin) + 1) % 1_000_000:06}"


class Device:
    """A browser with its own cookies."""

    def __init__(self, room: Room, address: str) -> None:
        self.room, self.client = room, room.app.test_client()
        self.environ = {"REMOTE_ADDR": address, "SERVER_NAME": OUTSIDE}

    def get(self, to: str) -> TestResponse:
        return self.client.get(to, environ_overrides=self.environ)

    def post(self, to: str, body: Any, **headers: str) -> TestResponse:
        return self.client.post(
            to,
            data=json.dumps(body),
            content_type="application/json",
            headers={"Origin": "http://localhost", **headers},
            environ_overrides=self.environ,
        )

    def pin(self, pin: str) -> TestResponse:
        return self.post("/access/pin", {"pin": pin})

    def may_rule(self) -> bool:
        """Whether an answer is taken, and the page is told the same."""
        status = self.post("/answers/naming", NAMES).status_code
        told = self.get("/access").get_json()["may"]
        assert (status, told) in ((204, "rule"), (403, "look"))
        return told == "rule"
