"""Plain values in words, for people to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

UNITS: Final = {"_mm": "mm", "_s": "s", "_deg": "degrees"}
#: The fields of an entry that mean something where they are null, in words.
ABSENT: Final = {
    "from": "from off the board",
    "to": "to off the board",
    "at_mm": "taken off the table",
    "winner": "winner nobody",
    "on": "about something that the referee missed",
}
#: A list without values, as `plain` and the rules give it.
EMPTY: Final[tuple[object, ...]] = ([], ())


def in_words(value: Any) -> str:
    """Return a value as people read it: a list with commas, and "nothing" for null. In an object,
    the part `kind` is given without its name, and a coin without a place is called off the table.

    >>> in_words([1, "suns"]), in_words(None), in_words(True), in_words(2.50)
    ('1, suns', 'nothing', 'yes', '2.5')
    >>> in_words({"suns": [300.0, -40.0], "2": None}), in_words([[1, 2], [3, 4]])
    ('suns (300, -40), 2 off the table', '(1, 2), (3, 4)')
    >>> in_words({"kind": "stop", "at": [3, 1]})
    'stop, at (3, 1)'
    """
    if value is None or value in EMPTY:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_part, value))
    if isinstance(value, Mapping):
        return ", ".join(_inner(name, part) for name, part in value.items() if part not in EMPTY)
    return str(value)


def _inner(name: str, value: Any) -> str:
    """Return a part of an object with its name."""
    if value is None:
        return ABSENT.get(name, f"{name} off the table")
    return _part(value) if name == "kind" else f"{name} {_part(value)}"


def _part(value: Any) -> str:
    """Return a value inside a list; a list inside a list is put in brackets."""
    return f"({in_words(value)})" if isinstance(value, list | tuple) and value else in_words(value)


def named(values: Mapping[str, Any]) -> str:
    """Return several values with their names, and the units after the numbers. Leave out empty
    lists, and null unless it has a meaning of its own.

    >>> named({"margin_mm": 2.0, "next": "wicket-3"})
    'margin 2 mm; next wicket-3'
    >>> named({"touching": [], "roqueted": None, "from": None, "to": [3, 1]})
    'from off the board; to 3, 1'
    """
    return "; ".join(
        _one(name, value)
        for name, value in values.items()
        if value not in EMPTY and (value is not None or name in ABSENT)
    )


def _one(name: str, value: Any) -> str:
    if value is None:
        return ABSENT[name]
    for ending, unit in UNITS.items():
        if name.endswith(ending):
            return f"{name.removesuffix(ending).replace('_', ' ')} {in_words(value)} {unit}"
    return f"{name.replace('_', ' ')} {in_words(value)}"
