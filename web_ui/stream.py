"""Sends the feed as server-sent events (WHATWG HTML, "Server-sent events") to every page that
listens. It is an ASGI application of its own, beside the pages.

The first event is a `snapshot`, an object with every topic. If a topic has a part for each entry,
the snapshot has only its last parts. Then come `change` events with the topics that have changed.
For a topic with parts, they have splices (`referee.desk.page_topics.parts`). Topics that were
published together come in one event.

Each event's id is the feed's run and serial. A page that comes back gives the last id that it has
received, in the header Last-Event-ID or as `after`. In the same run it gets what has changed since;
otherwise it gets a snapshot.

One task writes to all viewers, and each event is encoded once for all of them. A viewer that does
not read gets nothing more until it has read. Then it gets the latest values only. So no viewer
holds up another, and at most one event waits in memory for each.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs

from referee.desk.feed import Feed, Update
from referee.desk.serving.connections import UNREAD_S
from referee.desk.serving.wsgi_bridge import Receive, Scope, Send, send_text
from web_ui import guard

#: How long changes are collected before they are sent, s. Pages do not draw more often, and the
#: referee needs the processor.
GATHER_S: Final = 1 / 30

#: How often a heartbeat (`beat`) is sent when nothing changes, s. A page that misses several beats
#: tells the user, and the server notices a dead connection as quickly.
BEAT_S: Final = 5.0

#: How often the server checks whether a viewer has read, and whether it is time for a beat, s.
LOOK_S: Final = 1.0

#: How many pages may listen at the same time. Chosen: 200 viewers, and room for more.
LISTENERS: Final = 400

#: How often places of coins and paths are sent to pages that are not at the table, s. Every other
#: topic is sent to every page at once.
MOTION_EVERY_S: Final = 0.2
MOTION: Final = ("coins", "path")

_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)
_NEVER: Final = 1 << 62  # a serial that is never reached, so that the topic is not sent
_RETRY: Final = b"retry: 1000\n"
_BEAT: Final = b"event: beat\ndata: 1\n\n"
# the program ends; a page that stops receiving without this event has lost the connection
_END: Final = b"event: end\ndata: 1\n\n"


@dataclass(frozen=True)
class _Received:
    """How much of the feed a page has received: places of coins and paths (`MOTION`) up to the
    serial `motion`, and everything else up to `serial`.
    """

    serial: int
    motion: int

    def covers(self, other: _Received) -> bool:
        """Return whether a page that has received this lacks nothing that `other` has received.
        Motion is sent whole, so it does no harm to send it again.
        """
        return self.serial == other.serial and self.motion >= other.motion


@dataclass(eq=False)
class _Viewer:
    """One page that listens."""

    connection: Any
    heard: _Received
    unread_since_s: float | None = None
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    def write(self, event: bytes) -> None:
        """Send a chunk that is already framed. This never waits."""
        if not self.connection.transport.is_closing():
            self.connection.transport.write(event)

    def has_stalled(self, now_s: float) -> bool:
        """Return whether something sent is still unread. If this lasts, end the connection."""
        if not self.connection.unread:
            self.unread_since_s = None
            return False
        if self.unread_since_s is None:
            self.unread_since_s = now_s
        if now_s - self.unread_since_s > UNREAD_S:
            self.connection.transport.abort()
            self.gone.set()
        return True


@dataclass(eq=False)
class _Audience:
    """The viewers that receive motion every `motion_every_s`. `heard` is how much of the feed those
    of them have received that have read everything.
    """

    motion_every_s: float
    heard: _Received = _Received(0, 0)
    motion_due_s: float = 0.0
    spoke_s: float = 0.0
    viewers: set[_Viewer] = field(default_factory=set)


class EventStream:
    """The ASGI application at `/events`. `names` are the host names for which it answers, and at
    most `listeners` pages follow the feed at once. `at_table` says from a request's scope whether
    it comes from the table's own browser, which receives motion at once.
    """

    def __init__(
        self, feed: Feed, names: Sequence[str], listeners: int, at_table: Callable[[Scope], bool]
    ) -> None:
        self._feed = feed
        self._names = tuple(names)
        self._listeners = listeners
        self._at_table = at_table
        self._audiences = {True: _Audience(0.0), False: _Audience(MOTION_EVERY_S)}
        self._writing: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request for the stream, and return when the page has left or the feed has
        closed.
        """
        refused = self._refusal(scope)
        if refused is not None:
            await send_text(send, *refused, _protecting())
            return
        headers = [*_HEADERS, *_protecting()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        event, heard = self._first(scope)
        await send({"type": "http.response.body", "body": event, "more_body": True})
        viewer = _Viewer(scope["state"]["connection"], heard)
        audience = self._audiences[self._at_table(scope)]
        self._enter(viewer, audience)
        leaving = asyncio.create_task(_until_left(receive, viewer.gone))
        try:
            await viewer.gone.wait()
        finally:
            leaving.cancel()
            audience.viewers.discard(viewer)
        await send({"type": "http.response.body", "body": b""})

    def end(self) -> None:
        """End the connections of all viewers. Call it in the server's thread."""
        for viewer in self._viewers():
            viewer.gone.set()

    def _viewers(self) -> list[_Viewer]:
        return [v for audience in self._audiences.values() for v in audience.viewers]

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        own, port = scope.get("server") or ("", "")
        hosts = _header(scope, b"host")
        if len(hosts) != 1 or not guard.answers_for(hosts[0], own, str(port), self._names):
            return 403, guard.WRONG_HOST
        if scope["method"] != "GET" or scope["http_version"] != "1.1":
            return 405, "The stream is read by GET, with HTTP/1.1."
        if len(self._viewers()) >= self._listeners:
            return 503, "Too many pages are open already."
        return None

    def _first(self, scope: Scope) -> tuple[bytes, _Received]:
        """Return the first event of a connection, and how much of the feed the page then has."""
        asked = parse_qs(scope["query_string"].decode("latin1")).get("after", [])
        run, _, serial = (*_header(scope, b"last-event-id"), *asked, "")[0].rpartition("-")
        back = run == self._feed.run and serial.isdecimal()
        update = (
            self._feed.update_since(dict.fromkeys(MOTION, 0), int(serial))
            if back
            else self._feed.update_since({}, 0)
        )
        event = self._event(b"change" if back else b"snapshot", update)
        return _RETRY + event, _Received(update.serial, update.serial)

    def _enter(self, viewer: _Viewer, audience: _Audience) -> None:
        now_s = asyncio.get_running_loop().time()
        if not audience.viewers:
            audience.heard, audience.spoke_s = viewer.heard, now_s
        audience.viewers.add(viewer)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_to_all())

    async def _write_to_all(self) -> None:
        """Write what changes to all viewers, as long as there are any."""
        loop = asyncio.get_running_loop()
        changed = asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(changed.set)

        self._feed.watch(wake)
        changed.set()
        try:
            while self._viewers():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._until_motion_s(loop.time())):
                        await changed.wait()
                ending = self._feed.closed
                if not ending:  # after the end, wait only for viewers that have not read everything
                    changed.clear()
                for audience in self._audiences.values():
                    if audience.viewers:
                        self._write(audience, loop.time(), ending=ending)
                await asyncio.sleep(GATHER_S)
        finally:
            self._feed.unwatch(wake)

    def _until_motion_s(self, now_s: float) -> float:
        """Return how long to wait for changes: until motion that was held back is due."""
        due_s = (a.motion_due_s - now_s for a in self._audiences.values() if a.viewers)
        return min((wait_s for wait_s in due_s if wait_s > 0), default=LOOK_S)

    def _write(self, audience: _Audience, now_s: float, *, ending: bool) -> None:
        """Write what is new to every viewer that has read what it got before."""
        before = audience.heard
        due = ending or now_s >= audience.motion_due_s
        update = self._feed.update_since(
            dict.fromkeys(MOTION, before.motion if due else _NEVER), before.serial
        )
        audience.heard = _Received(update.serial, update.serial if due else before.motion)
        event = _framed(self._event(b"change", update)) if update.fields else b""
        if event and due:
            audience.motion_due_s = now_s + audience.motion_every_s
        if not event and now_s - audience.spoke_s >= BEAT_S:
            event = _framed(_BEAT)
        if event:
            audience.spoke_s = now_s
        for viewer in list(audience.viewers):
            if viewer.has_stalled(now_s):
                continue
            if viewer.heard.covers(before):
                if event:
                    viewer.write(event)
                viewer.heard = audience.heard
            elif viewer.heard.serial < update.serial or viewer.heard.motion < update.serial:
                self._catch_up(viewer)
            if ending and viewer.heard.serial == update.serial and not viewer.gone.is_set():
                viewer.write(_framed(_END))
                viewer.gone.set()  # its last event is on the way

    def _catch_up(self, viewer: _Viewer) -> None:
        """Write to a viewer what it alone has missed."""
        update = self._feed.update_since(
            dict.fromkeys(MOTION, viewer.heard.motion), viewer.heard.serial
        )
        if update.fields:
            viewer.write(_framed(self._event(b"change", update)))
        viewer.heard = _Received(update.serial, update.serial)

    def _event(self, kind: bytes, update: Update) -> bytes:
        return b"id: %b-%d\nevent: %b\ndata: {%b}\n\n" % (
            self._feed.run.encode(),
            update.serial,
            kind,
            update.fields,
        )


async def _until_left(receive: Receive, gone: asyncio.Event) -> None:
    """Set `gone` when the page has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


def _header(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin1") for name, value in scope["headers"] if name == wanted]


def _protecting() -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in guard.HEADERS.items()]


def _framed(chunk: bytes) -> bytes:
    """Return a chunk of an answer as HTTP/1.1 sends it (RFC 9112, section 7.1). It is framed here,
    once for all viewers.
    """
    return b"%x\r\n%b\r\n" % (len(chunk), chunk)
