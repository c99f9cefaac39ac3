"""The link between a session and its web pages: what a running match shows, and what it asks.

The feed keeps only the latest value of each topic. So a reader that falls behind misses only
intermediate values. A reader that never reads costs nothing, because publishing never waits for
readers.

`referee.desk.page_topics.topics` defines the topics and their types; null withdraws a topic. The
answer to `standing` is `{on, verdict}`, with `other` if the order of two incidents was asked,
`coin` if another coin was flicked, and `by` if somebody says who decides. The answer to `naming` is
`{id: name}`, with the name `nobody` for a coin that belongs to no player. The answer to `missing`
is `{coin: [x, y]}`, with null for a coin that is not on the table yet. The answer to `castle` is
the side of the table at which Moons' castle is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET

from referee.desk.page_topics.parts import PART_TOPICS, Parts, earlier_parts
from referee.desk.page_topics.parts import Change as PartsChange
from referee.desk.page_topics.topics import Topics


@dataclass(frozen=True, slots=True)
class Change:
    """The latest value of a topic. `encoded` is its JSON, and `serial` counts all values
    published.
    """

    topic: str
    serial: int
    encoded: bytes

    @property
    def value(self) -> Any:
        """Return the value as plain JSON types, decoded anew at every access."""
        return msgspec.json.decode(self.encoded)

    def update_since(self, since: int) -> bytes:
        """Return the whole value in the form that is sent to pages, whatever the page already
        has.
        """
        return self.encoded


@dataclass(frozen=True, slots=True)
class Update:
    """The news for a page: the fields of a JSON object, without its braces, and the serial up to
    which the page then knows the feed.
    """

    serial: int
    fields: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is shown with a topic: its media type (`image/jpeg`, `image/png`) and its
    bytes.
    """

    media_type: str
    content: bytes


class Feed:
    """Holds what a match publishes and what players answer. Any thread may use it. The docstring of
    this module describes the topics.
    """

    def __init__(self) -> None:
        #: Distinguishes this feed from that of another run, whose serials mean something else.
        self.run = os.urandom(4).hex()  # loads less than `secrets`
        self._changed = threading.Condition()
        self._latest: dict[str, Change | Parts] = {}
        self._pictures: dict[str, Picture] = {}
        self._answers: dict[str, Any] = {}
        self._serial = 0
        self._closed = False
        self._watchers: list[Callable[[], None]] = []

    @property
    def closed(self) -> bool:
        """Whether the feed is closed and nothing more will come."""
        return self._closed

    def show(self, topics: Topics) -> None:
        """Publish all topics that are set, in one step."""
        names = topics.__struct_fields__
        values = {name: getattr(topics, name) for name in names}
        self.publish_together({n: value for n, value in values.items() if value is not UNSET})

    def publish(self, topic: str, value: Any) -> None:
        """Make `value` the latest value of the topic; see `publish_together`."""
        self.publish_together({topic: value})

    def publish_together(self, values: Mapping[str, Any]) -> None:
        """Make each value the latest of its topic, in one step: no reader sees only some of them.

        The values are copied, so the caller may change them afterwards. A value that has not
        changed wakes no reader. None withdraws the topic, and any answer to it that was not taken
        yet. A number that is not finite becomes null. Raises TypeError for a value that JSON cannot
        hold, and then publishes nothing. After `close`, this does nothing.
        """
        encoded = {
            topic: msgspec.json.encode(value)
            for topic, value in values.items()
            if not _has_parts(topic, value)
        }
        with self._changed:
            if self._closed:
                return
            found = {
                topic: self._difference(topic, value, encoded.get(topic))
                for topic, value in values.items()
            }
            changed = {topic: change for topic, change in found.items() if change is not None}
            for topic, change in changed.items():
                if values[topic] is None:
                    self._answers.pop(topic, None)
                self._make(topic, change)
            if changed:
                self._wake()

    def _difference(
        self, topic: str, value: Any, encoded: bytes | None
    ) -> bytes | Parts | PartsChange | None:
        """Return the change of a topic; None if it does not change."""
        known = self._latest.get(topic)
        if encoded is not None:
            same = isinstance(known, Change) and known.encoded == encoded
            return None if same else encoded
        if isinstance(known, Parts):
            return known.difference(value)
        return Parts(topic, value)

    def _make(self, topic: str, change: bytes | Parts | PartsChange) -> None:
        self._serial += 1
        known = self._latest.get(topic)
        if isinstance(change, bytes):
            self._latest[topic] = Change(topic, self._serial, change)
        elif isinstance(change, Parts):
            change.begin(self._serial)
            self._latest[topic] = change
        elif isinstance(known, Parts):
            known.take(change, self._serial)

    def watch(self, changed: Callable[[], None]) -> None:
        """Register `changed`, which is called whenever something was published, and when the feed
        closes. It must return at once, because publishing waits for it.
        """
        with self._changed:
            self._watchers.append(changed)

    def unwatch(self, changed: Callable[[], None]) -> None:
        """Call `changed` no more."""
        with self._changed:
            self._watchers.remove(changed)

    def _wake(self) -> None:
        self._changed.notify_all()
        for changed in self._watchers:
            changed()

    def publish_picture(self, topic: str, picture: Picture) -> None:
        """Keep a picture to be shown with a topic. Publish the topic afterwards, because pages only
        notice the topic.
        """
        with self._changed:
            self._pictures[topic] = picture

    def picture(self, topic: str) -> Picture | None:
        """Return the picture shown with a topic, if there is one."""
        with self._changed:
            return self._pictures.get(topic)

    def snapshot(self) -> dict[str, Any]:
        """Return the latest value of every topic that was ever published."""
        return {change.topic: change.value for change in self.changes_since(0)}

    def latest(self, topic: str) -> Any:
        """Return the latest value of a topic; None if there is none."""
        with self._changed:
            known = self._latest.get(topic)
            return None if known is None else known.value

    def changes_since(self, serial: int, timeout_s: float | None = 0.0) -> list[Change]:
        """Return the topics that changed after `serial`, with their whole values, oldest change
        first. If there are none, wait at most `timeout_s` for one (None: without limit).
        """
        with self._changed:
            self._changed.wait_for(lambda: self._serial > serial or self._closed, timeout_s)
            newer = (known for known in self._latest.values() if known.serial > serial)
            return sorted(
                (Change(known.topic, known.serial, known.encoded) for known in newer),
                key=lambda change: change.serial,
            )

    def update_since(self, since: Mapping[str, int], serial: int) -> Update:
        """Return the news for a page that knows the feed up to `serial`. `since` names topics that
        the page knows up to another serial.
        """
        with self._changed:
            newer = [
                known
                for known in self._latest.values()
                if known.serial > since.get(known.topic, serial)
            ]
            newer.sort(key=lambda known: known.serial)
            return Update(
                self._serial,
                b",".join(
                    msgspec.json.encode(known.topic)
                    + b":"
                    + known.update_since(since.get(known.topic, serial))
                    for known in newer
                ),
            )

    def earlier(self, known_from: Mapping[str, int], most: int) -> bytes:
        """Return, as JSON, the last `most` calls before those that a page knows, and the parts of
        other topics about the same entries. `known_from` gives the first place of each topic that
        the page knows.
        """
        with self._changed:
            topics = {name: known for name, known in self._latest.items() if name in known_from}
            return earlier_parts(
                {name: known for name, known in topics.items() if isinstance(known, Parts)},
                known_from,
                most,
            )

    def answer(self, topic: str, value: Any) -> bool:
        """Hand in a player's answer. It replaces an earlier answer that was not taken yet. Returns
        False if `topic` asks nothing.
        """
        with self._changed:
            asked = self._latest.get(topic)
            if self._closed or asked is None or asked.encoded == b"null":
                return False
            self._answers[topic] = value
            self._changed.notify_all()
            return True

    def wait_for_answer(self, topic: str, timeout_s: float | None) -> Any | None:
        """Take the answer to `topic`, waiting for it at most `timeout_s` (None: without limit).
        Returns None if no answer came or the feed was closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: topic in self._answers or self._closed, timeout_s)
            return self._answers.pop(topic, None)

    def close(self) -> None:
        """Close the feed. Readers get the remaining news and stop, and waiting for answers ends.
        Closing a feed twice is allowed.
        """
        with self._changed:
            self._closed = True
            self._wake()


def _has_parts(topic: str, value: Any) -> bool:
    return topic in PART_TOPICS and isinstance(value, list | tuple | Mapping)
