"""What the calls rest on, for people who look again: each incident's measured margin, its flick,
and where its clip is; and what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from referee.domain.declaration import Said
from referee.domain.entry import Entry, plain
from referee.domain.incident import AtRest, Flicked, Measured

#: What a page needs to know of an incident; a call carries the rest itself.
SHOWN = (
    "kind",
    "t_s",
    "coin",
    "with",
    "line",
    "at_mm",
    "tile",
    "pocket",
    "die",
    "face",
    "pawn",
    "pieces",
    "from_s",
    "to_s",
    "margin_mm",
    "sigma_mm",
    "probability",
    "clip",
)
#: And of a declaration.
SAID = ("entry", "kind", "t_s", "player", "coin", "option")


def evidence_of(
    entries: Iterable[Entry], clips_begin_s: Mapping[str, float]
) -> dict[str, dict[str, Any]]:
    """Every incident of a record but the rests, and every declaration (with `entry`), by its id and
    in the record's order.

    `flick` is the number under which `paths.csv` has the flick, missing between flicks: a flick
    begun while another still went on has the number of the first. `clips_begin_s` says when clips
    begin, by name; those of an earlier run are not known.
    """
    found: dict[str, dict[str, Any]] = {}
    flicks, running = 0, None
    for entry in entries:
        if isinstance(entry, AtRest):
            running = None
        if isinstance(entry, Said):
            found[str(entry.id)] = {
                name: value for name, value in plain(entry).items() if name in SAID
            }
        if not isinstance(entry, Measured) or isinstance(entry, AtRest):
            continue
        if isinstance(entry, Flicked):
            flicks += 1
            running = running or flicks
        found[str(entry.id)] = _shown(entry, running, clips_begin_s)
    return found


def measured(incident: Measured) -> dict[str, Any]:
    """How far an incident is from going the other way, as far as it was measured."""
    values = {
        "margin_mm": incident.margin_mm,
        "sigma_mm": incident.sigma_mm,
        "probability": incident.probability,
    }
    return {name: value for name, value in values.items() if value is not None}


def _shown(
    entry: Measured, flick: int | None, clips_begin_s: Mapping[str, float]
) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: value for name, value in msgspec.to_builtins(entry).items() if name in SHOWN
    }
    if flick is not None:
        values["flick"] = flick
    if entry.clip is not None and entry.clip in clips_begin_s:
        values["clip_from_s"] = clips_begin_s[entry.clip]
    return values
