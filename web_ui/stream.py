"""Sends the feed as server-sent events (WHATWG HTML, "Server-sent events").

Each connection begins with a `snapshot` event, an object with every topic. So a page that comes
late or comes back has everything. Then come `change` events with the topics that have changed;
topics that were published together come in one event. `id` is the serial up to which the page has
received the feed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from referee.desk.feed import Change, Feed, Subscription

#: For how long changes are collected before they are sent. A page does not draw faster, and the
#: referee needs the processor.
GATHER_S: Final = 1 / 30

#: How often a beat is sent when nothing changes. A page that misses several beats says so, and the
#: server finds a dead connection as quickly.
BEAT_S: Final = 5.0

#: How long to wait for changes before checking whether the page is still connected.
LOOK_S: Final = 1.0

_RETRY: Final = b"retry: 1000\n"
_BEAT: Final = b"event: beat\ndata: 1\n\n"


def events(subscription: Subscription, feed: Feed, *, gone: Callable[[], bool]) -> Iterator[bytes]:
    """Yield the stream until the feed closes, or until `gone` says that the page is no longer
    connected. Each chunk holds whole events.
    """
    yield _RETRY + _event(b"snapshot", subscription.take(timeout_s=0))
    silent_since_s = time.monotonic()
    while not gone():
        ending = feed.closed
        changes = subscription.take(timeout_s=0 if ending else LOOK_S)
        if changes:
            yield _event(b"change", changes)
            silent_since_s = time.monotonic()
            time.sleep(GATHER_S)
        elif ending:
            return
        elif time.monotonic() - silent_since_s >= BEAT_S:
            yield _BEAT
            silent_since_s = time.monotonic()


def _event(kind: bytes, changes: list[Change]) -> bytes:
    topics = b",".join(msgspec.json.encode(c.topic) + b":" + c.encoded for c in changes)
    serial = changes[-1].serial if changes else 0
    return b"id: %d\nevent: %b\ndata: {%b}\n\n" % (serial, kind, topics)
