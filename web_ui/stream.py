"""The feed as server-sent events (WHATWG HTML, "Server-sent events").

Each connection begins with a `snapshot` event, an object of every topic, so that a page that comes
late or comes back has all there is; then `change` events with the topics that have changed, those
published together in one. `id` is the serial up to which the page has heard.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import msgspec

from referee.desk.feed import Change, Feed, Subscription

#: News are gathered for this long before they are sent: a page draws no faster, and the referee
#: needs the processor itself.
GATHER_S = 1 / 30

#: A page that hears nothing for some such times says so; a connection that has died is found out as
#: fast.
BEAT_S = 5.0

#: How long to wait for news before looking whether the page is still there.
LOOK_S = 1.0

_RETRY = b"retry: 1000\n"
_BEAT = b"event: beat\ndata: 1\n\n"


def events(subscription: Subscription, feed: Feed, *, gone: Callable[[], bool]) -> Iterator[bytes]:
    """The lines of the stream until the feed closes or `gone` says that nobody listens. Each chunk
    holds whole events.
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
