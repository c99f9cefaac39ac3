"""Plain values in words, for people to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

UNITS: Final = {"_mm": "mm", "_s": "s", "_deg": "degrees"}


def in_words(value: Any) -> str:
    """Return a value as people read it: a list with commas, and "nothing" for null. Of an object's
    parts, its kind goes without a name.

    >>> in_words([1, "suns"]), in_words(None), in_words(True), in_words(2.50), in_words({"x": None})
    ('1, suns', 'nothing', 'yes', '2.5', 'x nothing')
    >>> in_words({"suns": [300.0, -40.0], "2": None}), in_words([[1, 2], [3, 4]])
    ('suns (300, -40), 2 nothing', '(1, 2), (3, 4)')
    >>> in_words({"kind": "stop", "at": [3, 1]})
    'stop, at (3, 1)'
    """
    if value is None or value == [] or value == ():
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_part, value))
    if isinstance(value, Mapping):
        parts = ((f"{name} " if name != "kind" else "", part) for name, part in value.items())
        return ", ".join(f"{name}{_part(part)}" for name, part in parts)
    return str(value)


def _part(value: Any) -> str:
    """Return a value inside a list; a list inside a list is put in brackets."""
    return f"({in_words(value)})" if isinstance(value, list | tuple) and value else in_words(value)


def named(values: Mapping[str, Any]) -> str:
    """Return several values with their names, and the units after the numbers.

    >>> named({"margin_mm": 2.0, "next": "wicket-3"})
    'margin 2 mm; next wicket-3'
    """
    return "; ".join(_one(name, value) for name, value in values.items())


def _one(name: str, value: Any) -> str:
    for ending, unit in UNITS.items():
        if name.endswith(ending) and value is not None:
            return f"{name.removesuffix(ending).replace('_', ' ')} {in_words(value)} {unit}"
    return f"{name.replace('_', ' ')} {in_words(value)}"
