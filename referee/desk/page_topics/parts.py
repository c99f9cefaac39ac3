"""Keeps a topic that has a part for each entry of the record, so that only changed parts are sent.

In a match of 20,000 entries, the list of calls has two megabytes, and a new entry adds only one
call. So the parts are encoded one by one, and each change is kept as a splice: the place, the
number of parts to remove there, and the parts to put in. A page gets the splices since its last
update. A new page, or a page that has missed too many splices, gets the last parts instead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

#: How many splices are kept for pages that come back. Chosen: a flick makes two or three.
SPLICES_KEPT: Final = 256

#: How many bytes of each topic a new page gets, the last parts first. Four topics with parts and
#: the others stay below 100 kB.
WINDOW_BYTES: Final[Mapping[str, int]] = {
    "calls": 20_000,
    "evidence": 32_000,
    "irregularities": 10_000,
    "rulings": 10_000,
}

#: The topics that have a part for each entry.
PART_TOPICS: Final = tuple(WINDOW_BYTES)


class Splice(msgspec.Struct, frozen=True):
    """One change: at place `at`, `drop` parts are removed and `parts` are put in, each encoded as
    JSON. `serial` is the feed's serial of the change.
    """

    serial: int
    at: int
    drop: int
    parts: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """The approximate number of bytes of the splice."""
        return sum(map(len, self.parts))

    def encoded(self) -> bytes:
        """Return the splice as JSON: `[at, drop, [part, ...]]`."""
        return b"[%d,%d,[%b]]" % (self.at, self.drop, b",".join(self.parts))


class Parts:
    """The parts of one topic. `serial` is the feed's serial of the last change. `edition` is the
    serial of the last change that did more than add parts at the end.

    Pass the same objects again for parts that have not changed, because parts are first compared by
    identity.
    """

    def __init__(self, topic: str, value: Sequence[Any] | Mapping[str, Any]) -> None:
        self.topic = topic
        self.serial = self.edition = 0
        self._names, self._items = _in_order(value)
        self._each = [_encoded(*one) for one in zip(self._names, self._items, strict=True)]
        self._is_object = isinstance(value, Mapping)
        self._splices: deque[Splice] = deque(maxlen=SPLICES_KEPT)
        self._known_from = 0  # a page that knows the feed up to this serial can take the splices

    def begin(self, serial: int) -> None:
        """Note the serial of the feed with which the parts were first published."""
        self.serial = self._known_from = self.edition = serial

    @property
    def encoded(self) -> bytes:
        """Return the whole topic as JSON."""
        if self._is_object:
            named = (msgspec.json.decode(each, type=tuple[str, msgspec.Raw]) for each in self._each)
            return b"{%b}" % b",".join(
                msgspec.json.encode(name) + b":" + bytes(part) for name, part in named
            )
        return b"[%b]" % b",".join(self._each)

    @property
    def value(self) -> Any:
        """Return the whole topic as plain JSON types."""
        return msgspec.json.decode(self.encoded)

    def difference(self, value: Sequence[Any] | Mapping[str, Any]) -> Change | None:
        """Return the change from the present topic to `value`; None if they are equal. The topic
        itself is not changed yet. Raises TypeError for a value that JSON cannot hold.
        """
        names, new = _in_order(value)
        count = len(self._items)
        if new[:count] == self._items and names[:count] == self._names:
            at = count
        else:
            at = min(_same(self._items, new), _same(self._names, names))
        if at == count == len(new):
            return None
        behind = 0
        if at < min(count, len(new)):
            behind = min(
                _same(self._items[at:][::-1], new[at:][::-1]),
                _same(self._names[at:][::-1], names[at:][::-1]),
            )
        end = len(new) - behind
        parts = tuple(map(_encoded, names[at:end], new[at:end]))
        return Change(names, new, isinstance(value, Mapping), at, count - at - behind, parts)

    def take(self, change: Change, serial: int) -> None:
        """Make a change that `difference` has found. `serial` is the feed's serial of the
        change.
        """
        splice = Splice(serial, change.at, change.drop, change.parts)
        if splice.at < len(self._items):
            self.edition = serial
        self._names, self._items = change.names, change.items
        self._is_object = change.is_object
        self._each[splice.at : splice.at + splice.drop] = splice.parts
        self.serial = serial
        if len(self._splices) == SPLICES_KEPT:
            self._known_from = self._splices[0].serial
        self._splices.append(splice)

    def update_since(self, since: int) -> bytes:
        """Return the update for a page that knows the feed up to serial `since`: the later splices.
        If these are not kept any more, or are longer than `WINDOW_BYTES`, return the last parts
        instead.
        """
        missed = [splice for splice in self._splices if splice.serial > since]
        if (
            since < self._known_from
            or since == 0
            or sum(splice.size for splice in missed) > WINDOW_BYTES[self.topic]
        ):
            return self._message([self._window()], whole=True)
        return self._message(missed, whole=False)

    def stretch(self, begin: int, end: int) -> bytes:
        """Return the parts from place `begin` up to, but not including, `end`, for a page that asks
        for them.
        """
        return self._message([Splice(0, begin, 0, tuple(self._each[begin:end]))], whole=False)

    def names(self, begin: int, end: int) -> list[set[str]]:
        """Return, for each part from `begin` up to, but not including, `end`, the ids of the
        entries that it is about.
        """
        if self._is_object:
            return [{name} for name in self._names[begin:end]]
        return [_ids(item) for item in self._items[begin:end]]

    def _window(self) -> Splice:
        begin, room = len(self._each), WINDOW_BYTES[self.topic]
        while begin and (room := room - len(self._each[begin - 1])) >= 0:
            begin -= 1
        return Splice(0, begin, 0, tuple(self._each[begin:]))

    def _message(self, splices: Iterable[Splice], *, whole: bool) -> bytes:
        return b'{"edition":%d,"whole":%b,"splices":[%b]}' % (
            self.edition,
            b"true" if whole else b"false",
            b",".join(splice.encoded() for splice in splices),
        )


class Change(msgspec.Struct, frozen=True):
    """A change of a topic that was found but not made yet."""

    names: list[str]
    items: list[Any]
    is_object: bool
    at: int
    drop: int
    parts: tuple[bytes, ...]


def earlier_parts(topics: Mapping[str, Parts], known_from: Mapping[str, int], most: int) -> bytes:
    """Return, as a JSON object, the last `most` calls before the place in `known_from`, and the
    parts of each other topic, beginning with the first part about the same entries.
    """
    calls = topics.get("calls")
    if calls is None:
        return b"{}"
    end = max(known_from["calls"], 0)
    begin = max(end - most, 0)
    about = set[str]().union(*calls.names(begin, end)) - {""}
    found = [b'"calls":' + calls.stretch(begin, end)]
    for name, parts in topics.items():
        if name != "calls":
            end = max(known_from[name], 0)
            each = parts.names(0, end)
            first = next((place for place, ids in enumerate(each) if ids & about), end)
            found.append(b'"%b":%b' % (name.encode(), parts.stretch(first, end)))
    return b"{%b}" % b",".join(found)


def _in_order(value: Sequence[Any] | Mapping[str, Any]) -> tuple[list[str], list[Any]]:
    """Return the names of the parts ("" if `value` is a list) and the parts. Parts that the caller
    could still change are copied.
    """
    if isinstance(value, Mapping):
        names, items = list(value), list(value.values())
    else:
        names, items = [""] * len(value), list(value)
    if items and not isinstance(items[-1], msgspec.Struct):
        items = [msgspec.Raw(msgspec.json.encode(item)) for item in items]
    return names, items


def _encoded(name: str, item: Any) -> bytes:
    return msgspec.json.encode((name, item) if name else item)


def _same(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Return how many parts at the beginning of two sequences are the same."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a is not b and a != b:
            return place
    return min(len(one), len(other))


def _ids(item: Any) -> set[str]:
    if isinstance(item, msgspec.Raw):
        item = msgspec.json.decode(item)
        return {item.get(name, "") for name in ("on", "after")}
    return {getattr(item, name, "") for name in ("on", "after")}
