"""Sends the feed as server-sent events (WHATWG HTML, "Server-sent events") to every page that
listens. It is an ASGI application of its own, beside the pages.

Each connection begins with a `snapshot` event, an object with every topic. So a page that comes
late or comes back has everything. Then come `change` events with the topics that have changed;
topics that were published together come in one event.

One task writes to all viewers, and each event is encoded once for all of them. A viewer that does
not read gets nothing more until it has read. Then it gets the latest values only. So no viewer
holds up another, and at most one event waits in memory for each.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from referee.desk.feed import Change, Feed
from referee.desk.wsgi_bridge import Receive, Scope, Send, send_text
from web_ui import guard

#: For how long changes are collected before they are sent. A page does not draw faster, and the
#: referee needs the processor.
GATHER_S: Final = 1 / 30

#: How often a beat is sent when nothing changes. A page that misses several beats says so, and the
#: server finds a dead connection as quickly.
BEAT_S: Final = 5.0

#: How often to look whether a viewer has read, and whether it is time for a beat, s.
LOOK_S: Final = 1.0

#: How long a viewer may read nothing of what waits for it before it is disconnected, s. Chosen.
UNREAD_S: Final = 20.0

#: How many pages may listen at the same time. Chosen: 200 viewers, and room for more.
LISTENERS: Final = 400

_HEADERS: Final = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)
_RETRY: Final = b"retry: 1000\n"
_BEAT: Final = b"event: beat\ndata: 1\n\n"


@dataclass(eq=False)
class _Viewer:
    """One page that listens. `serial` is how far it has been sent the feed."""

    connection: Any
    serial: int = 0
    unread_since_s: float | None = None
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def unread(self) -> int:
        """How many bytes wait to be sent."""
        return int(self.connection.transport.get_write_buffer_size())

    def write(self, event: bytes) -> None:
        """Send a chunk, framed already. This never waits."""
        if not self.connection.transport.is_closing():
            self.connection.transport.write(event)


class EventStream:
    """The ASGI application at `/events`. `names` are the host names for which it answers, and at
    most `listeners` pages follow the feed at once.
    """

    def __init__(self, feed: Feed, names: tuple[str, ...], listeners: int = LISTENERS) -> None:
        self._feed = feed
        self._names = names
        self._listeners = listeners
        self._viewers: set[_Viewer] = set()
        self._serial = 0
        self._spoke_s = 0.0
        self._changed: asyncio.Event | None = None
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
        viewer = _Viewer(scope["state"]["connection"])
        await self._enter(viewer, send)
        leaving = asyncio.create_task(_until_left(receive, viewer.gone))
        try:
            await viewer.gone.wait()
        finally:
            leaving.cancel()
            self._viewers.discard(viewer)
        await send({"type": "http.response.body", "body": b""})

    def end(self) -> None:
        """Let all viewers go. Call it in the server's thread."""
        for viewer in self._viewers:
            viewer.gone.set()

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = scope["headers"]
        hosts = [value.decode("latin1") for name, value in headers if name == b"host"]
        own, port = scope.get("server") or ("", "")
        if len(hosts) != 1 or not guard.answers_for(hosts[0], own, str(port), self._names):
            return 403, guard.WRONG_HOST
        if scope["method"] != "GET" or scope["http_version"] != "1.1":
            return 405, "The stream is read by GET, with HTTP/1.1."
        if len(self._viewers) >= self._listeners:
            return 503, "Too many pages are open already."
        return None

    async def _enter(self, viewer: _Viewer, send: Send) -> None:
        """Send a new viewer all that is known, and go on writing to it."""
        changes = self._feed.changes_since(0)
        viewer.serial = changes[-1].serial if changes else 0
        event = _RETRY + _event(b"snapshot", changes)
        await send({"type": "http.response.body", "body": event, "more_body": True})
        self._viewers.add(viewer)
        if self._writing is None or self._writing.done():
            self._serial = viewer.serial
            self._spoke_s = asyncio.get_running_loop().time()
            self._writing = asyncio.create_task(self._write_to_all())

    async def _write_to_all(self) -> None:
        """Write what changes to all viewers, as long as there are any."""
        loop = asyncio.get_running_loop()
        changed = self._changed = asyncio.Event()

        def wake() -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(changed.set)

        self._feed.watch(wake)
        changed.set()
        try:
            while self._viewers:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_S):
                        await changed.wait()
                changed.clear()
                ending = self._feed.closed
                self._write(loop.time())
                if ending:
                    self.end()
                    return
                await asyncio.sleep(GATHER_S)
        finally:
            self._feed.unwatch(wake)

    def _write(self, now_s: float) -> None:
        """Write what is new to every viewer that has read what it got before."""
        before = self._serial
        changes = self._feed.changes_since(before)
        if changes:
            self._serial = changes[-1].serial
        event = _framed(_event(b"change", changes)) if changes else b""
        beat = now_s - self._spoke_s >= BEAT_S
        if changes or beat:
            self._spoke_s = now_s
        for viewer in list(self._viewers):
            if viewer.unread:
                self._await_reading(viewer, now_s)
                continue
            viewer.unread_since_s = None
            if viewer.serial == before and changes:
                viewer.write(event)
            elif viewer.serial < self._serial:
                viewer.write(_framed(_event(b"change", self._feed.changes_since(viewer.serial))))
            elif beat and not changes:
                viewer.write(_framed(_BEAT))
            viewer.serial = self._serial

    def _await_reading(self, viewer: _Viewer, now_s: float) -> None:
        if viewer.unread_since_s is None:
            viewer.unread_since_s = now_s
        elif now_s - viewer.unread_since_s > UNREAD_S:
            viewer.connection.transport.abort()
            viewer.gone.set()


async def _until_left(receive: Receive, gone: asyncio.Event) -> None:
    """Note when the page has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


def _protecting() -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in guard.HEADERS.items()]


def _event(kind: bytes, changes: list[Change]) -> bytes:
    topics = b",".join(msgspec.json.encode(c.topic) + b":" + c.encoded for c in changes)
    serial = changes[-1].serial if changes else 0
    return b"id: %d\nevent: %b\ndata: {%b}\n\n" % (serial, kind, topics)


def _framed(chunk: bytes) -> bytes:
    """Return a chunk of an answer as HTTP/1.1 sends it (RFC 9112, section 7.1). It is framed here,
    once for all viewers.
    """
    return b"%x\r\n%b\r\n" % (len(chunk), chunk)
