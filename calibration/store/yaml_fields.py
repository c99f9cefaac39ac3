"""Reads the fields of a YAML file one by one. Every error names the file, the field, and what was
expected there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from referee.domain.errors import InputError
from referee.domain.geometry import Point

# Chosen: limits, sizes and colours that nothing was measured for.

T = TypeVar("T")

#: Chosen: no camera's picture has this many pixels along a side, and no table this many
#: millimetres.
LARGEST: Final = 100_000
_SHOWN: Final = 60  # the most characters of a value that an error shows


class Fields:
    """A mapping read from a file, with its place in the file for error messages. Raises InputError
    if the value is not a mapping, or has keys that are not in `allowed`.
    """

    def __init__(self, file: str, where: str, value: Any, allowed: Sequence[str]) -> None:
        self.file, self.where = file, where
        if not isinstance(value, dict):
            place = f"{file}: {where}" if where else file
            raise InputError(
                f"{place}: must hold values with the keys {', '.join(allowed)}, not {shown(value)}"
            )
        for key in value:
            if key not in allowed:
                raise InputError(
                    f"{file}: {self.name(str(key))}: unknown key (known: {', '.join(allowed)})"
                )
        self.value: dict[str, Any] = value

    def name(self, key: str) -> str:
        """Return the field's full name in the file."""
        return f"{self.where}.{key}" if self.where else key

    def fail(self, key: str, what: str) -> InputError:
        """Return an error that names a field and says what is wrong with it."""
        return InputError(f"{self.file}: {self.name(key)}: {what}")

    def want(self, key: str) -> Any:
        """Return a field's plain value. This method and all methods below raise InputError if the
        field is missing.
        """
        if key not in self.value:
            raise self.fail(key, "missing")
        return self.value[key]

    def number(
        self,
        key: str,
        *,
        above: float = -math.inf,
        least: float = -math.inf,
        most: float = math.inf,
    ) -> float:
        """Return a finite number greater than `above`, from `least` to `most`."""
        value = self.want(key)
        if not is_number(value):
            raise self.fail(key, f"must be a number, not {shown(value)}{_quoted(value)}")
        if value <= above:
            raise self.fail(key, f"must be greater than {above:g}, is {value:g}")
        if not least <= value <= most:
            limits = f"from {least:g} to {most:g}" if least > -math.inf else f"at most {most:g}"
            raise self.fail(key, f"must be {limits}, is {value:g}")
        return float(value)

    def whole(self, key: str, *, most: int) -> int:
        """Return a whole number from 1 to `most`."""
        value = self.want(key)
        if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
            raise self.fail(
                key, f"must be a whole number above 0, not {shown(value)}{_quoted(value)}"
            )
        if value > most:
            raise self.fail(key, f"must be at most {most}, is {shown(value)}")
        return value

    def text(self, key: str) -> str:
        """Return a field's value, which must be a text."""
        value = self.want(key)
        if not isinstance(value, str) or not value:
            raise self.fail(key, f"must be text, not {shown(value)}")
        return value

    def choice(self, key: str, options: Sequence[str]) -> str:
        """Return a field's value, which must be one of the `options`."""
        value = self.want(key)
        if value not in options:
            known = " or ".join((*([", ".join(options[:-1])] if options[1:] else []), options[-1]))
            raise self.fail(key, f"must be {known}, not {shown(value)}")
        return str(value)

    def flag(self, key: str) -> bool:
        """Return a field's value, which must be true or false."""
        value = self.want(key)
        if not isinstance(value, bool):
            raise self.fail(key, f"must be true or false, not {shown(value)}{_quoted(value)}")
        return value

    def numbers(self, key: str, count: int, *, most: float = math.inf) -> tuple[float, ...]:
        """Return a list of `count` finite numbers, with absolute values of at most `most`."""
        value = self.want(key)
        if (
            not isinstance(value, list)
            or len(value) != count
            or not all(is_number(v) for v in value)
        ):
            raise self.fail(key, f"must be a list of {count} numbers, not {shown(value)}")
        for number in value:
            if abs(number) > most:
                raise self.fail(key, f"{number:g} is too large (at most {most:g})")
        return tuple(float(v) for v in value)

    def point(self, key: str, *, most: float = math.inf) -> Point:
        """Return a place [x, y]."""
        x, y = self.numbers(key, 2, most=most)
        return (x, y)

    def listed(self, key: str, read: Callable[[str, Any], T]) -> tuple[T, ...]:
        """Return a list. The function `read` is called for each value, with its place in the file
        and its plain value.
        """
        value = self.want(key)
        if not isinstance(value, list):
            raise self.fail(key, f"must be a list, not {shown(value)}")
        return tuple(read(f"{self.name(key)}[{k}]", v) for k, v in enumerate(value))


def is_number(value: Any) -> bool:
    """Return whether a plain value is a number that fits into a float. True and false are not
    numbers.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer with hundreds of digits
        return False


def shown(value: Any) -> str:
    """Return a plain value in the form in which an error shows it: short and on one line."""
    if value is None or value == "":
        return "nothing"
    try:
        text = repr(value)
    except ValueError:  # an integer with thousands of digits
        return "a number beyond all measure"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def _quoted(value: Any) -> str:
    """Return an explanation to add to an error if quotes have turned a number or a truth value into
    text; otherwise an empty text.
    """
    try:
        plain = isinstance(value, str) and (
            value.lower() in ("true", "false") or math.isfinite(float(value))
        )
    except ValueError:
        return ""
    return " (text: write it without quotes, a power of ten as 1.0e+3)" if plain else ""
