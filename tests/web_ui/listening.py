"""A listener of server-sent events without a browser: what arrives at `/events`, event by event."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit


class Event(NamedTuple):
    kind: str
    serial: int | None
    value: Any


class Listener:
    """One open connection to a server's `/events`. Iterating waits for events until the stream
    ends. It raises TimeoutError when the stream has not ended `limit_s` after it was opened.
    """

    def __init__(
        self,
        url: str,
        limit_s: float = 60.0,
        headers: Mapping[str, str] | None = None,
        path: str = "/events",
    ) -> None:
        self._end_s = time.monotonic() + limit_s
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=limit_s)
        self._connection.request(
            "GET", path, headers={"Accept": "text/event-stream", **(headers or {})}
        )
        self.response = self._connection.getresponse()

    def close(self) -> None:
        self.response.close()
        self._connection.close()

    def __iter__(self) -> Iterator[Event]:
        fields: dict[str, str] = {}
        while line := self.response.readline():
            if time.monotonic() > self._end_s:
                raise TimeoutError("the stream goes on, and what was waited for did not come")
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "data" in fields:
                serial = int(fields["id"].rpartition("-")[2]) if "id" in fields else None
                yield Event(fields.get("event", "message"), serial, json.loads(fields["data"]))
                fields = {}


class Shown:
    """What a page shows after the events that it has heard (`static/js/stream.js`)."""

    def __init__(self) -> None:
        self.topics: dict[str, Any] = {}
        self._parts: dict[str, list[Any]] = {}

    def hear(self, event: Event) -> dict[str, Any]:
        """Take in an event, and return all topics."""
        if event.kind == "beat":
            return self.topics
        for topic, value in event.value.items():
            self.topics[topic] = value
            if isinstance(value, dict) and "splices" in value:
                self.topics[topic] = self._joined(topic, value)
        return self.topics

    def _joined(self, topic: str, news: dict[str, Any]) -> Any:
        parts = self._parts.setdefault(topic, [])
        for at, drop, fresh in news["splices"]:
            if news["whole"]:
                assert at == 0, "the match is short, so a page knows all of it"
                parts[:] = fresh
            else:
                parts[at : at + drop] = fresh
        return dict(parts) if topic == "evidence" else list(parts)
