"""Finds the part of a record that was made from a video file. The file can then be refereed again
from its beginning without recording anything twice.

The same file gives the same incidents at the same times. So a match that is continued after the
program was killed becomes the same match as without the interruption.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from referee.domain.entry import Entry, Fact, Setup
from referee.domain.episode import Rest
from referee.domain.errors import InputError
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Incident, Measured, Unseen
from referee.library.archive import PART, MatchFolder
from referee.library.whole_file import write_whole

# Chosen: two incidents may be the same if their times differ by no more than this, because an older
# version of the program may have measured another time.
SAME_TIME_S: Final = 0.05
# Chosen: an `at_rest` is the file's opening if this share of its coins lies exactly as seen now.
SAME_COINS_SHARE: Final = 0.5
RECORDED_PLACE_MM: Final = 5.0  # Chosen: a coin closer than this to a recorded place is that coin
PLACES_MM: Final = 2  # decimals of the places and margins in a record, mm
TIMES_S: Final = 6  # decimals of the times in a record, s


class Part(msgspec.Struct, frozen=True):
    """The part of a match that was refereed from one source.

    `file` and `bytes` are the file's name and size; `bytes` is None for a camera or a stream, which
    cannot be played again. `entries_before` is the number of entries that the record held before
    this part. `begun_s` is the time in the match at which the part begins.
    """

    file: str
    bytes: int | None
    entries_before: int
    begun_s: float


def part_of(source: str, entries_before: int, begun_s: float) -> Part:
    """Return a new part that begins now with this source."""
    path = Path(source)
    return Part(
        path.name if path.is_file() else "",
        path.stat().st_size if path.is_file() else None,
        entries_before,
        begun_s,
    )


def note(folder: MatchFolder, part: Part) -> None:
    """Store which part is being recorded. Raises InputError if it cannot be written."""
    path = folder.path / PART
    try:
        write_whole(path, msgspec.json.encode(part))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def last_part(
    folder: MatchFolder,
    source: str,
    entries: Sequence[Entry],
    opened_s: float,
    seen: Sequence[Point],
) -> Part | None:
    """Return the part of a record that was made from this file; None if the record was made from
    another source. Raises InputError if this cannot be decided.

    The folder's note says this. If there is no note, or it names another file (this file may have
    been renamed, or may have grown), the opening decides: the coins lay at exactly the places
    `seen`, mm, at `opened_s`.
    """
    path = Path(source)
    if not folder.resumed or not path.is_file():
        return None
    part, unreadable = _noted(folder)
    if part is not None and (part.file, part.bytes) == (path.name, path.stat().st_size):
        return part
    found = _recognised(path, entries, opened_s, seen)
    happened = any(isinstance(entry, Measured) for entry in entries)
    if found is None and unreadable is not None and happened:
        raise InputError(unreadable)
    return found


def _noted(folder: MatchFolder) -> tuple[Part | None, str | None]:
    """Return the part that the note describes, or why the note cannot be read."""
    path = folder.path / PART
    try:
        return msgspec.json.decode(path.read_bytes(), type=Part), None
    except FileNotFoundError:
        return None, None
    except (msgspec.DecodeError, OSError) as error:
        return None, f"{path}: {error}"


def _recognised(
    path: Path, entries: Sequence[Entry], opened_s: float, seen: Sequence[Point]
) -> Part | None:
    at_s = round(opened_s, TIMES_S)
    places = {(round(x, PLACES_MM), round(y, PLACES_MM)) for x, y in seen}
    for number, entry in enumerate(entries):
        if isinstance(entry, AtRest) and entry.t_s is not None and entry.t_s >= at_s:
            same = sum(tuple(at) in places for at in entry.coins.values())
            if same >= SAME_COINS_SHARE * len(entry.coins) and (same or entry.t_s == at_s):
                begun_s = round(entry.t_s - at_s, TIMES_S)
                return Part(path.name, path.stat().st_size, number, begun_s)
    return None


@dataclass
class Recorded:
    """The recorded entries of a part that did not come again from the file yet. Entries that people
    made are among them, each after the incident that it followed.
    """

    entries: deque[Fact] = field(default_factory=deque)
    until_s: float = 0.0

    @classmethod
    def of_part(cls, entries: Sequence[Entry], part: Part | None) -> tuple[list[Entry], Recorded]:
        """Split a record into the entries before a part and the entries of the part."""
        begin = len(entries) if part is None else max(1, part.entries_before)
        own = deque(e for e in entries[begin:] if not isinstance(e, Setup))
        times_s = [e.t_s for e in own if isinstance(e, Measured) and e.t_s is not None]
        return list(entries[:begin]), cls(own, max(times_s, default=0.0))

    @property
    def is_ahead(self) -> bool:
        """Whether the record holds incidents that did not come again from the file yet."""
        return any(isinstance(entry, Measured) for entry in self.entries)

    def opening(self) -> tuple[dict[str, Point], frozenset[str]]:
        """Return where the coins lay when the part began, and which pieces were unseen then."""
        coins: dict[str, Point] = {}
        unseen: set[str] = set()
        facts = [entry for entry in self.entries if isinstance(entry, Measured)]
        for number, entry in enumerate(facts):
            if number == 0 and isinstance(entry, AtRest):
                coins = dict(entry.coins)
            elif number and isinstance(entry, Unseen) and entry.from_s == entry.to_s:
                unseen |= set(entry.pieces)
            else:
                break
        return coins, frozenset(unseen)

    def names_of(self, resting: Mapping[str, Rest], names: Sequence[str]) -> dict[str, str]:
        """Return the `names` of coins that lie where the next rest of the record says, by number.
        They had these names in the earlier run, perhaps because people gave them.
        """
        places = next((e.coins for e in self.entries if isinstance(e, AtRest)), {})
        return {
            number: coin
            for number, rest in resting.items()
            for coin in names
            if coin in places and distance(places[coin], rest.at_mm) < RECORDED_PLACE_MM
        }

    def reach(self, incident: Incident) -> list[Fact] | None:
        """Take out and return the entries that are left up to and including this incident, and
        those that people made right after it. Return an empty list if this incident is not recorded
        but later ones are, because that stretch was decided already. Return None if the record does
        not go so far.
        """
        for number, entry in enumerate(self.entries):
            if _is_same(entry, incident):
                return self._taken(number + 1)
        if self.is_ahead and (incident.t_s or 0.0) <= self.until_s:
            return []
        return None

    def rest(self) -> list[Fact]:
        """Take out and return all entries that are left."""
        return self._taken(len(self.entries))

    def _taken(self, count: int) -> list[Fact]:
        taken = [self.entries.popleft() for _ in range(count)]
        while self.entries and not isinstance(self.entries[0], Measured):
            taken.append(self.entries.popleft())
        return taken


def _is_same(entry: Fact, incident: Incident) -> bool:
    if type(entry) is not type(incident) or not isinstance(entry, Measured):
        return False
    if getattr(entry, "coin", None) != getattr(incident, "coin", None):
        return False
    if entry.t_s is None or incident.t_s is None:
        return entry.t_s == incident.t_s
    return abs(entry.t_s - incident.t_s) <= SAME_TIME_S
