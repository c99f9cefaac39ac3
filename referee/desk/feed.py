"""What a running match shows and asks: the one thing that the session and the web pages share.

Only the latest value of each topic is kept. A reader that falls behind therefore misses
intermediate values and nothing else, and one that never reads costs the referee nothing: publishing
never waits for anybody.

Topics, and the JSON value of each (places in the table frame, mm, x right, y up; `null` withdraws a
topic):

- `match` `{game, players: [{name, coin}], options, tints: {coin: colour in a word}}`; `tints` are
  of the set on the table, as far as known
- `doing` `{phase: setting_up | naming | watching | finished | failed, text, t_s, share, source}`;
  `share` 0 to 1 or null
- `table` `{edge_mm: [[x, y]], sides: [{begin_mm, end_mm, seen: [from, to]}], tiles: {name:
  {centre_mm, rotation_deg, stack}}, lines: {name: {left_mm, right_mm}}, tile_mm, coin_mm, rack_mm:
  [[x, y]]}`; lines are wickets, doors, gates and pockets' mouths. A game on points or spaces has
  `board: {kind: points | spaces, unit_mm, width, height, hoops: [{name, at_mm}], posts: [{name,
  at_mm}], starts_mm, course: [{place, heading, label}]}` instead of tiles
- `coins` `{t_s, coins: {name: {at_mm, state: rest | sliding | hidden | in_hand | off_table | moved
  | off_lawn}}, hand}`; `at_mm` may be null; `moved`: it has moved since it was last seen lying
  there
- `path` `{flick, coins: {name: [[x, y]]}}`: of the flick being drawn; stays until the next one
  begins
- `standing` the object that adjudication returns; its questions are answered by `{on, verdict}`, of
  an order also `other`, of a wrong flick also `coin`, and `by` where somebody says who decides
- `evidence` `{id: {kind, t_s, flick, coin, margin_mm, sigma_mm, probability, clip, clip_from_s,
  ...}}`: every incident that calls rest on, in the record's order, only what is known of each; and
  every declaration, `{entry, kind, player, coin, option, t_s}`
- `rulings` `[{id, on, after, other, verdict, by, reason, then, holds}]`: those made so far; there
  is such a topic only where the page may rule
- `record` `{program, typed, last, entries, announced}`: how this program and the record's path are
  typed in a command line, the id of its last entry that is no ruling, and how many entries it has;
  `announced` `{kind: shot | croquet, route, stroke, direction, distance, follow_direction}` until
  the die has decided it
- `hand` `{flick: [entry], back: {on, ...entry}, displaced: {tile: entry}, down, camera}`: only
  where what happens on the table may be entered: what was told of the flick under way, its
  beginning first; the last entry that counts; tiles pushed and not put back; the coins in pockets;
  whether a camera saw the last flick
- `provisional` a list of calls of the same shape, made while coins still move; each may have
  `margin_mm`, `sigma_mm`, `probability`
- `naming` `{coins: [{id, at_mm, guess, probability, candidates, odds, face}], picture}`: which coin
  is which? `odds` are the candidates' probabilities, what they lack of 1 that of being nobody's;
  `face` names a picture of the coin's own face, or is null. Answered by `{id: name}`, with the name
  `nobody` for a coin that belongs to no player
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec


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
        """Keep `picture` to be shown with a topic. Publish the topic itself afterwards: that is
        what tells the pages.
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
        """The topics whose latest value is newer than `serial`, oldest first; waits for one at most
        `timeout_s` (None: for ever).
        """
        with self._changed:
            self._changed.wait_for(lambda: self._serial > serial or self._closed, timeout_s)
            return sorted(
                (c for c in self._latest.values() if c.serial > serial), key=lambda c: c.serial
            )

    def subscribe(self) -> Subscription:
        """A reader that starts with everything known so far and goes on with what comes."""
        return Subscription(self)

    def answer(self, topic: str, value: Any) -> bool:
        """Hand in a player's answer; a later one replaces one that nobody took. False when nothing
        is asked under `topic`.
        """
        with self._changed:
            asked = self._latest.get(topic)
            if self._closed or asked is None or asked.encoded == b"null":
                return False
            self._answers[topic] = value
            self._changed.notify_all()
            return True

    def wait_for_answer(self, topic: str, timeout_s: float | None) -> Any | None:
        """Take the answer to `topic`, waiting at most `timeout_s` (None: for ever). None when there
        was none or the feed closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: topic in self._answers or self._closed, timeout_s)
            return self._answers.pop(topic, None)

    def close(self) -> None:
        """End it: readers get what is left and stop, waiting for answers ends. Closing twice does
        no harm.
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
