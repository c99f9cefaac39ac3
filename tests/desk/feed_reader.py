"""One reader of a feed, for tests that look at what was published since they looked last."""

from __future__ import annotations

from collections.abc import Iterator

from referee.desk.feed import Change, Feed


class FeedReader:
    """One reader of a feed. It has no queue and only remembers how far it has read. Use it from one
    thread.
    """

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._read_up_to = 0

    def take(self, timeout_s: float | None = None) -> list[Change]:
        """Return what changed since the last call, each topic once, in order. Wait for a change for
        at most `timeout_s` (None: without limit).

        The list is empty when the time is up, or when the feed is closed and everything was read.
        """
        changes = self._feed.changes_since(self._read_up_to, timeout_s)
        if changes:
            self._read_up_to = changes[-1].serial
        return changes

    def __iter__(self) -> Iterator[Change]:
        """Yield the changes until the feed closes. A value that was replaced before it was read is
        left out.
        """
        while changes := self.take():
            yield from changes
