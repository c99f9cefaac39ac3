"""Watches the free space on the disk: warns before the disk is full, reserves some space for the
record, and reports once what cannot be saved.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

# Chosen: the referee warns if less than this is free. It is enough for some twenty clips.
LITTLE_BYTES: Final = 300 << 20
# Chosen: this much space is reserved for the record, so that it can go on when the disk is full. A
# flick takes about 1 kB of it.
RESERVE_BYTES: Final = 256 << 10
#: The file that occupies the reserved space while a match runs.
RESERVE: Final = "record.reserve"


@dataclass
class Troubles:
    """The things that cannot be saved at present. `unsaid` are lines that were not reported yet:
    one for the beginning of each trouble and one for its end.
    """

    unsaid: list[str] = field(default_factory=list)
    _met: dict[str, str] = field(default_factory=dict)

    @property
    def met_now(self) -> frozenset[str]:
        """Return the names of the things that cannot be saved at present."""
        return frozenset(self._met)

    @property
    def lasting(self) -> tuple[str, ...]:
        """Return the lines of the troubles that are not over."""
        return tuple(self._met.values())

    def met(self, what: str, line: str) -> None:
        """Report that something (`what`) cannot be saved, unless this was reported already."""
        if what not in self._met:
            self._met[what] = line
            self.unsaid.append(line)

    def over(self, what: str, line: str | None = None) -> None:
        """Report that something (`what`) can be saved again, if it could not be saved before."""
        if self._met.pop(what, None) is not None and line is not None:
            self.unsaid.append(line)

    def check_room(self, folder: Path) -> None:
        """Warn if there is little free space on the disk of a folder."""
        free = shutil.disk_usage(folder).free
        if free < LITTLE_BYTES:
            self.met("room", f"The disk is almost full: {free / 1e6:.0f} MB are left for {folder}")
        else:
            self.over("room")

    def take_unsaid(self) -> tuple[str, ...]:
        """Return the lines that were not reported yet, and count them as reported."""
        lines, self.unsaid = tuple(self.unsaid), []
        return lines


class Reserve:
    """Space on the disk that is reserved for the record while a match runs."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / RESERVE
        self.keep()

    def keep(self) -> None:
        """Reserve the space, unless it is reserved already. If the disk is full, nothing is
        reserved.
        """
        if self._path.exists():
            return
        try:
            self._path.write_bytes(bytes(RESERVE_BYTES))
        except OSError:
            self.release()

    def release(self) -> None:
        """Free the reserved space."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)
