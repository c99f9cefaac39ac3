"""The lines that a disc can cross in free play: listed in a file, or between any two discs at
rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal

from calibration.discs.plain_view import PlainView
from calibration.store.yaml_input import read_yaml
from referee.domain.errors import InputError, one_line
from referee.domain.geometry import Point
from referee.domain.layout import Line

PAIRS: Final = "pairs"
# Chosen: the error of an end that somebody read off a picture or a ruler
GIVEN_SIGMA_MM: Final = 0.3
MOST_NAME: Final = 80  # Chosen: characters, as for all names in records
KEYS: Final = {
    "px": frozenset({"name", "from_px", "to_px"}),
    "mm": frozenset({"name", "from_mm", "to_mm"}),
}
EXAMPLE: Final = "{name: goal, from_px: [100, 80], to_px: [300, 80]}"


@dataclass(frozen=True, slots=True)
class GivenLine:
    """A line as the file lists it. The ends `from_` and `to` are in `unit`."""

    name: str
    from_: Point
    to: Point
    unit: Literal["px", "mm"]


def read_lines(path: Path, *, with_mm: bool) -> tuple[GivenLine, ...]:
    """Read a file of lines. Raises InputError, which names the file and the wrong entry.

    Ends in mm are allowed only `with_mm`, that is, if the user gave the width of the discs.
    """
    listed = read_yaml(path)
    if not isinstance(listed, list) or not listed:
        raise InputError(f"{path}: should be a list of lines such as {EXAMPLE}")
    lines: list[GivenLine] = []
    for number, fields in enumerate(listed):
        where = f"{path}: [{number}]"
        line = _line(where, fields)
        if line.unit == "mm" and not with_mm:
            raise InputError(
                f"{where}: for ends in mm, also give the width of the discs with --coin-mm"
            )
        if any(line.name == other.name for other in lines):
            raise InputError(f"{where}.name: the name {line.name} is given twice")
        lines.append(line)
    return tuple(lines)


def _line(where: str, fields: Any) -> GivenLine:
    if not isinstance(fields, dict):
        raise InputError(f"{where}: should read like {EXAMPLE}")
    for unit in ("px", "mm"):
        if fields.keys() == KEYS[unit]:
            name = str(fields["name"])
            if not name.strip() or len(name) > MOST_NAME:
                raise InputError(f"{where}.name: should have 1 to {MOST_NAME} characters")
            ends = [
                _point(f"{where}.{key}_{unit}", fields[f"{key}_{unit}"]) for key in ("from", "to")
            ]
            if ends[0] == ends[1]:
                raise InputError(f"{where}: both ends of {name} are the same")
            return GivenLine(name, ends[0], ends[1], "px" if unit == "px" else "mm")
    for key in fields.keys() - KEYS["px"] - KEYS["mm"]:
        raise InputError(f"{where}.{one_line(str(key))}: no such field")
    raise InputError(f"{where}: should have name, from_px and to_px (or from_mm and to_mm)")


def _point(where: str, value: Any) -> Point:
    numbers = value if isinstance(value, list) else []
    if len(numbers) != 2 or not all(
        isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n) for n in numbers
    ):
        raise InputError(f"{where}: should be two numbers, such as [100, 80]")
    return (float(numbers[0]), float(numbers[1]))


def placed(lines: tuple[GivenLine, ...], view: PlainView) -> dict[str, Line]:
    """Return the lines, by their names, in mm on the table."""

    def at(end: Point, unit: str) -> Point:
        return end if unit == "mm" else view.view.place_of(*end, view.sizes.coin_thickness_mm)

    sigmas = (GIVEN_SIGMA_MM, GIVEN_SIGMA_MM)
    return {o.name: Line(at(o.from_, o.unit), at(o.to, o.unit), sigmas) for o in lines}


def between_pairs(
    start_mm: Mapping[str, Point], sigmas_mm: Mapping[str, float], flicked: str
) -> dict[str, Line]:
    """Return a line between the centres of any two discs that lay still when the disc `flicked`
    was flicked. A disc gets no line if it has no entry in `sigmas_mm`, which are the standard
    errors of the places measured at rest.
    """
    ends = sorted(coin for coin in start_mm if coin in sigmas_mm and coin != flicked)
    return {
        f"{a}-{b}": Line(start_mm[a], start_mm[b], (sigmas_mm[a], sigmas_mm[b]))
        for a, b in combinations(ends, 2)
    }


def without_own(pairs: Mapping[str, Line], coin: str) -> dict[str, Line]:
    """Return the lines that do not begin or end at the disc `coin`."""
    return {name: line for name, line in pairs.items() if coin not in name.split("-")}
