"""Says in plain words what is wrong with a JSON value, and in which field."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, get_args, get_origin

import msgspec

from referee.games.players import FieldError

#: The words for JSON's kinds of value.
KINDS: Final = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object in braces",
    "null": "null",
}
BYTE_ORDER_MARKS: Final = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def unreadable(text: bytes, error: Exception) -> FieldError:
    """Return the error that says why a line is not JSON."""
    if text.startswith(BYTE_ORDER_MARKS):
        return FieldError("json", "begins with a byte order mark: it must be UTF-8 without one")
    try:
        text.decode()
    except UnicodeDecodeError as wrong:
        return FieldError("json", f"is not UTF-8 text (byte {wrong.start} of the line)")
    if isinstance(error, RecursionError):
        return FieldError("json", "is nested too deeply")
    return FieldError("json", f"cannot be read: {str(error).removeprefix('JSON is malformed: ')}")


@cache
def _decoder(kind: type) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def decode_as(text: bytes, kind: type) -> Any:
    """Decode one JSON value as `kind`. Raises FieldError that names the field."""
    try:
        return _decoder(kind).decode(text)
    except msgspec.ValidationError as error:
        raise misfit(_with_key(str(error), text, kind), kind) from error
    except (ValueError, RecursionError) as error:
        raise unreadable(text, error) from error


#: What the decoder's message has in place of the key whose value does not fit.
_SOME_KEY: Final = "[...]"


def _with_key(message: str, text: bytes, kind: type) -> str:
    """Return the decoder's message with the key that it leaves out: `$.coins[...]` becomes
    `$.coins.moons` if the value of that key does not fit. The message stays as it is if the key
    cannot be found, because a key is given twice or the rest of the text cannot be read.
    """
    before, some_key, after = message.partition(_SOME_KEY)
    try:
        whole = msgspec.json.decode(text) if some_key else None
    except (ValueError, RecursionError):
        return message
    *way, name = re.findall(r"[^.\[\]]+", before.partition(" - at `$")[2]) or [""]
    holder: Any = whole
    for step in way:
        holder = _inside(holder, step)
    values = _inside(holder, name)
    if not isinstance(values, dict):
        return message
    for key, value in values.items():
        holder[name] = {key: value}
        try:
            _decoder(kind).decode(msgspec.json.encode(whole))
        except msgspec.ValidationError:
            return f"{before}.{key}{after}"
    return message


def _inside(holder: Any, step: str) -> Any:
    """Return the value of a key in an object; None if there is no such key."""
    return holder.get(step) if isinstance(holder, dict) else None


class _Pairs(tuple[tuple[str, Any], ...]):
    """The keys and values of a JSON object, in the order of its text. A key may occur twice."""

    __slots__ = ()


def check_json(text: bytes) -> None:
    """Refuse two things that the decoder accepts: a key given twice in one object, at any depth,
    and a number that is not finite. Raises FieldError.
    """
    if _keeps_its_keys(text):
        return
    try:
        pairs = json.loads(text.decode(), object_pairs_hook=_Pairs, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise unreadable(text, error) from error
    for wrong in _wrong_in(pairs, ""):
        raise wrong


def _keeps_its_keys(text: bytes) -> bool:
    """Return whether a text certainly has no key given twice and no number that is not finite. It
    has none if decoding and encoding it again gives the same number of colons.

    If a key is given twice, the decoder keeps only one, so a colon is lost. Strings without a
    backslash do not change. The decoder itself refuses a number that is not finite.
    """
    if b"\\" in text:
        return False
    try:
        again = msgspec.json.encode(msgspec.json.decode(text))
    except (ValueError, RecursionError):
        return False
    return again.count(b":") == text.count(b":")


def _wrong_in(value: Any, where: str) -> Iterator[FieldError]:
    """Yield an error for each key given twice and each number that is not finite in `value`, which
    is the field `where`.
    """
    if isinstance(value, float) and not math.isfinite(value):
        yield FieldError(where, "is not a finite number")
    elif isinstance(value, _Pairs):
        keys = [key for key, _ in value]
        for i, (key, inner) in enumerate(value):
            field = f"{where}.{key}".lstrip(".")
            if key in keys[:i]:
                yield FieldError(field, "is given twice")
            yield from _wrong_in(inner, field)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from _wrong_in(inner, f"{where}[{i}]")


def misfit(message: str, kind: type) -> FieldError:
    """Return the error that says which field does not fit `kind`, and why. `message` is the
    decoder's message.
    """
    what, _, path = message.partition(" - at `$")
    where = path.rstrip("`").lstrip(".")
    missing = re.fullmatch(r"Object missing required field `(.*)`", what)
    if missing:
        return FieldError(f"{where}.{missing[1]}".lstrip("."), "is missing")
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown:
        return FieldError(f"{where}.{unknown[1]}".lstrip("."), "is not known")
    return FieldError(where or "entry", _in_words(what, kind, where))


def _in_words(what: str, kind: type, where: str) -> str:
    """Return the decoder's message in plain words.

    >>> _in_words("Expected `float | null`, got `str`", dict, "")
    'must be a number or null, but is text'
    >>> _in_words("Expected `int` <= 15", dict, "")
    'must be at most 15'
    """
    enum = re.fullmatch(r"Invalid enum value (.*)", what)
    if enum:
        allowed = _values(kind, re.findall(r"[^.\[\]]+", where))
        return (
            f"is {enum[1]}, but must be {' or '.join(map(str, allowed))}"
            if allowed
            else f"is {enum[1]}, which is not allowed"
        )
    for sign, words in (
        (">=", "at least"),
        ("<=", "at most"),
        (">", "more than"),
        ("<", "less than"),
    ):
        limit = re.fullmatch(rf"Expected `\w+` {sign} (\S+)", what)
        if limit:
            return f"must be {words} {limit[1].removesuffix('.0')}"
    long = re.fullmatch(r"Expected `array` of length (\d+).*", what)
    if long:
        return f"must be a list of {long[1]} values"
    other = re.fullmatch(r"Expected `([^`]*)`, got `(\w+)`", what)
    if other:
        wanted = [KINDS.get(name, name) for name in other[1].split(" | ")]
        return f"must be {' or '.join(wanted)}, but is {KINDS.get(other[2], other[2])}"
    return what[:1].lower() + what[1:]


def _values(kind: Any, path: list[str]) -> tuple[object, ...]:
    """Return the values that a field of `kind` may have, if they are few. `path` leads to the
    field.
    """
    if get_origin(kind) is Literal:
        return get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and path:
        inner = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        return _values(inner.get(path[0]), path[1:])
    return tuple(
        value
        for part in get_args(kind)
        for value in _values(part, path if get_origin(kind) is not tuple else path[1:])
    )
