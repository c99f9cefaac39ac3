"""Collects what the calls rest on, for people who look again: each incident's margin, its flick,
where its clip is, and what was declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from referee.desk.topics import Evidence, ProvisionalCall
from referee.domain.call import Call
from referee.domain.declaration import Said
from referee.domain.entry import Entry, plain
from referee.domain.incident import AtRest, Flicked, Measured

#: How far an incident is from going the other way.
MEASURED = ("margin_mm", "sigma_mm", "probability")


def evidence_of(
    entries: Iterable[Entry], clips_begin_s: Mapping[str, float]
) -> dict[str, Evidence]:
    """Every incident of a record but the rests, and every declaration (with `entry`), by its id and
    in the record's order.

    `flick` is the number under which `paths.csv` has the flick, missing between flicks: a flick
    begun while another still went on has the number of the first. `clips_begin_s` says when clips
    begin, by name; those of an earlier run are not known.
    """
    found: dict[str, Evidence] = {}
    flicks, running = 0, None
    for entry in entries:
        if isinstance(entry, AtRest):
            running = None
        if isinstance(entry, Said):
            found[str(entry.id)] = msgspec.convert(plain(entry), Evidence)
        if not isinstance(entry, Measured) or isinstance(entry, AtRest):
            continue
        if isinstance(entry, Flicked):
            flicks += 1
            running = running or flicks
        found[str(entry.id)] = _shown(entry, running, clips_begin_s)
    return found


def provisional(call: Call, incident: Measured | None) -> ProvisionalCall:
    """Return a call made while coins still move, with the margin of its incident as far as it was
    measured.
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
