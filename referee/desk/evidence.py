"""Collects the evidence for the calls, for people who check them: each incident's margin, its
flick, the place in its clip, and what was declared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from referee.desk.page_topics.topics import Evidence, ProvisionalCall
from referee.domain.call import Call
from referee.domain.declaration import Said
from referee.domain.entry import Entry, plain
from referee.domain.incident import AtRest, Flicked, Measured

#: The fields that say how close an incident was.
MEASURED: Final = ("margin_mm", "sigma_mm", "probability")


class EvidenceReader:
    """Collects the evidence of a growing record. `found` has, by id and in the order of the record,
    every incident except the rests, and every declaration (these with `entry`).

    In the evidence, `flick` is the number of the flick in `paths.csv`; it is left out between
    flicks. A flick that begins while another is still going on has the number of that other flick.
    """

    def __init__(self) -> None:
        self.found: dict[str, Evidence] = {}
        self._flicks = 0
        self._running: int | None = None

    def read(self, entry: Entry, clips_begin_s: Mapping[str, float]) -> None:
        """Read the next entry. `clips_begin_s` gives the times at which clips begin, by name. For
        clips of an earlier run, this time is not known.
        """
        if isinstance(entry, AtRest):
            self._running = None
        if isinstance(entry, Said):
            self.found[str(entry.id)] = msgspec.convert(plain(entry), Evidence)
        if not isinstance(entry, Measured) or isinstance(entry, AtRest):
            return
        if isinstance(entry, Flicked):
            self._flicks += 1
            self._running = self._running or self._flicks
        self.found[str(entry.id)] = _shown(entry, self._running, clips_begin_s)


def provisional(call: Call, incident: Measured | None) -> ProvisionalCall:
    """Return a call that was made while coins still move, with the measured margin of its
    incident.
    """
    values: dict[str, Any] = msgspec.to_builtins(call)
    for name in MEASURED:
        value = getattr(incident, name, None)
        if value is not None:
            values[name] = value
    return msgspec.convert(values, ProvisionalCall)


def _shown(entry: Measured, flick: int | None, clips_begin_s: Mapping[str, float]) -> Evidence:
    values: dict[str, Any] = msgspec.to_builtins(entry)
    if flick is not None:
        values["flick"] = flick
    if entry.clip is not None and entry.clip in clips_begin_s:
        values["clip_from_s"] = clips_begin_s[entry.clip]
    return msgspec.convert(values, Evidence)
