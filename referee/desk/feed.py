"""What a running match shows and asks: the one thing that the session and the web pages share.

Only the latest value of each topic is kept. A reader that falls behind therefore misses
intermediate values and nothing else, and one that never reads costs the referee nothing: publishing
never waits for anybody.

`referee.desk.topics` says what topics there are, and the type of each; null withdraws a topic. The
answer to `standing` is a `referee.desk.messages.QuestionAnswer`; to `naming` it is `{id: name}`,
with the name `nobody` for a coin that belongs to no player.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from referee.desk.topics import Topics


@dataclass(frozen=True, slots=True)
class Change:
    """The latest value of a topic: `encoded` is its JSON, `serial` its place in the order of
    everything published.
    """

    topic: str
    serial: int
    encoded: bytes

    @property
    def value(self) -> Any:
        """The value, as plain JSON types; a copy of its own."""
        return msgspec.json.decode(self.encoded)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture shown beside a topic: its media type (`image/jpeg`, `image/png`) and its bytes."""

    media_type: str
    content: bytes


class Feed:
    """What a match publishes and what players answer, between threads. See the module's text for
    the topics.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._latest: dict[str, Change] = {}
        self._pictures: dict[str, Picture] = {}
        self._answers: dict[str, Any] = {}
        self._serial = 0
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def show(self, topics: Topics) -> None:
        """Publish the topics that are set, all at once."""
        names = topics.__struct_fields__
        values = {name: getattr(topics, name) for name in names}
        self.publish_together({n: value for n, value in values.items() if value is not UNSET})

    def publish(self, topic: str, value: Any) -> None:
        """Make `value` the topic's latest; see `publish_together`."""
        self.publish_together({topic: value})

    def publish_together(self, values: Mapping[str, Any]) -> None:
        """Make each value its topic's latest, all at once: no reader sees some of them without the
        others.

        They are copied now, so the caller may change them afterwards. Publishing what already
        stands wakes nobody. None withdraws the topic, and with it an answer nobody took. A number
        that is not finite becomes null. Raises TypeError for what JSON cannot hold, and publishes
        none of them then; after `close` nothing happens.
        """
        encoded = {topic: msgspec.json.encode(value) for topic, value in values.items()}
        with self._changed:
            if self._closed:
                return
            changed = {
                topic: text
                for topic, text in encoded.items()
                if topic not in self._latest or self._latest[topic].encoded != text
            }
            for topic, text in changed.items():
                if values[topic] is None:
                    self._answers.pop(topic, None)
                self._serial += 1
                self._latest[topic] = Change(topic, self._serial, text)
            if changed:
                self._changed.notify_all()

    def publish_picture(self, topic: str, picture: Picture) -> None:
        """Keep `picture` to be shown with a topic. Publish the topic afterwards: only that tells
        the pages.
        """
        with self._changed:
            self._pictures[topic] = picture

    def picture(self, topic: str) -> Picture | None:
        """The picture shown with a topic, if there is one."""
        with self._changed:
            return self._pictures.get(topic)

    def snapshot(self) -> dict[str, Any]:
        """The latest value of every topic that was ever published."""
        return {change.topic: change.value for change in self.changes_since(0)}

    def changes_since(self, serial: int, timeout_s: float | None = 0.0) -> list[Change]:
        """Return the topics that are newer than `serial`, oldest first; wait for one at most
        `timeout_s` (None: without limit).
        """
        with self._changed:
            self._changed.wait_for(lambda: self._serial > serial or self._closed, timeout_s)
            return sorted(
                (c for c in self._latest.values() if c.serial > serial), key=lambda c: c.serial
            )

    def subscribe(self) -> Subscription:
        """Return a reader that starts with everything known so far and goes on with what comes."""
        return Subscription(self)

    def answer(self, topic: str, value: Any) -> bool:
        """Hand in a player's answer, in place of an earlier one that nobody took. Returns False
        when nothing is asked under `topic`.
        """
        with self._changed:
            asked = self._latest.get(topic)
            if self._closed or asked is None or asked.encoded == b"null":
                return False
            self._answers[topic] = value
            self._changed.notify_all()
            return True

    def wait_for_answer(self, topic: str, timeout_s: float | None) -> Any | None:
        """Take the answer to `topic`, waiting at most `timeout_s` (None: without limit). Returns
        None when there was none or the feed closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: topic in self._answers or self._closed, timeout_s)
            return self._answers.pop(topic, None)

    def close(self) -> None:
        """Close the feed: readers get what is left and stop, and nobody waits for answers any more.
        Closing twice does no harm.
        """
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Subscription:
    """One reader of a feed. It holds no queue, only how far it has read; use it from one thread."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._read_up_to = 0

    def take(self, timeout_s: float | None = None) -> list[Change]:
        """What changed since the last time, each topic once, in order; waits for something at most
        `timeout_s` (None: for ever).

        Empty when the time was up, or when the feed is closed and all was read.
        """
        changes = self._feed.changes_since(self._read_up_to, timeout_s)
        if changes:
            self._read_up_to = changes[-1].serial
        return changes

    def __iter__(self) -> Iterator[Change]:
        """Every change that is not overtaken, until the feed closes."""
        while changes := self.take():
            yield from changes
