"""Continues a record from the video file that it was made from, without refereeing again what is
recorded already.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from referee.domain.episode import Rest
from referee.domain.errors import InputError
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Measured
from referee.library.archive import PART, MatchFolder
from referee.record.reading import recover_record

# Tuned on our own clips, except where a comment gives another source for a number.

SAME_PLACE_MM: Final = 5.0  # a coin closer than this to where the record left one is that coin


class Part(msgspec.Struct, frozen=True):
    """The part of a match that was refereed from one file.

    `file` and `bytes` are the file's name and size. `entries_before` is the number of entries that
    the record held before. `begun_s` is the time in the match at which the part begins. `to_s` is
    the time in the file up to which everything is recorded.
    """

    file: str
    bytes: int
    entries_before: int
    begun_s: float
    to_s: float = 0.0


class LeftOff(msgspec.Struct, frozen=True):
    """Where a record stopped: the time in the file up to which it goes, where the coins lie then in
    mm, and the part that it belongs to.
    """

    t_s: float
    lying: dict[str, Point]
    part: Part

    def names_mm(self, resting: Iterable[Rest]) -> dict[str, Point]:
        """Return the places of the coins that still lie where the record left them. These places
        show which coin is which.
        """
        places = [rest.at_mm for rest in resting]
        return {
            coin: at
            for coin, at in self.lying.items()
            if any(distance(at, place) < SAME_PLACE_MM for place in places)
        }


def begin_part(folder: MatchFolder, source: str, begun_s: float) -> Part | None:
    """Begin a part of the match for this file; None for a camera or a stream, because nobody can go
    back in it.
    """
    if not Path(source).is_file():
        (folder.path / PART).unlink(missing_ok=True)
        return None
    return Part(
        Path(source).name,
        Path(source).stat().st_size,
        len(recover_record(folder.record).entries),
        begun_s,
    )


def note(folder: MatchFolder, part: Part, to_s: float) -> None:
    """Store the time in its file up to which a part is recorded."""
    (folder.path / PART).write_bytes(msgspec.json.encode(msgspec.structs.replace(part, to_s=to_s)))


def left_off(folder: MatchFolder, source: str) -> LeftOff | None:
    """Find where a resumed record stopped in this very file; None where its last part came from
    another source. Raises InputError.
    """
    path = folder.path / PART
    if not folder.resumed or not path.exists() or not Path(source).is_file():
        return None
    try:
        part = msgspec.json.decode(path.read_bytes(), type=Part)
    except msgspec.DecodeError as error:
        raise InputError(f"{path}: {error}") from error
    if (part.file, part.bytes) != (Path(source).name, Path(source).stat().st_size):
        return None
    own = recover_record(folder.record).entries[part.entries_before :]
    times_s = [entry.t_s for entry in own if isinstance(entry, Measured) and entry.t_s is not None]
    rests = [entry.coins for entry in own if isinstance(entry, AtRest)]
    return (
        LeftOff(max(part.to_s, max(times_s) - part.begun_s), dict(rests[-1]) if rests else {}, part)
        if times_s
        else None
    )
