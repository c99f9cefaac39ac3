"""The order of two incidents is ruled on within one flick, as the record reads now."""

from __future__ import annotations

import pytest

from referee.domain.errors import InputError
from referee.record.reading import parse_record
from tests.record.matches import setup, text_of

TWO_FLICKS = (
    "flick moons",  # i1
    "hit moons suns",
    "cross moons 1 out",
    "rest",
    "place suns 1 2",  # i5
    "flick moons",
    "cross moons 2 out",
    "cross moons 3 out",
    "rest",  # i9
)
MISSED = ("added i4 flick suns", "added r1+ hit suns moons", "added i4 rest")


def refused(*lines: str) -> str | None:
    """Return what is wrong with the record, without the file and the line; None where it can be
    read.
    """
    try:
        parse_record(text_of(setup(2), *lines), "match")
    except InputError as error:
        return str(error).split(": ", 2)[2]
    return None


@pytest.mark.parametrize("pair", ["i2 i3", "i3 i2", "i7 i8", "i1 i3", "i2 i4"])
def test_two_of_one_flick_are_put_in_order(pair: str) -> None:
    assert refused(*TWO_FLICKS, f"before {pair}") is None


@pytest.mark.parametrize("pair", ["i2 i7", "i7 i2", "i3 i6", "i4 i6", "i2 i5", "i5 i7", "i1 i6"])
def test_two_of_two_flicks_or_of_none_are_not(pair: str) -> None:
    on, other = pair.split()
    said = f"other: {other!r} is not an incident of the same flick as {on!r}"
    assert refused(*TWO_FLICKS, f"before {pair}") == said


@pytest.mark.parametrize(
    ("added", "pair", "same"),
    [
        (("added i2 hit moons arms",), "r1+ i3", True),
        (("added i2 hit moons arms",), "r1+ i7", False),
        (("added i3 hit moons arms", "added r1+ hit moons crowns"), "r2+ i2", True),
        # A flick that was missed: what is added after it belongs to it.
        (MISSED, "r2+ r1+", True),
        (MISSED, "r2+ i2", False),
        (MISSED, "r2+ i7", False),
        # The second entry added after an entry comes after the first one, and so in the flick that
        # the first one begins.
        (("added i4 flick suns", "added i4 hit suns moons"), "r2+ r1+", True),
        (("added setup flick suns", "added setup hit suns moons"), "r2+ r1+", True),
        # A rest that is overturned leaves what comes before it in its flick.
        (("replaced i4 hit moons arms",), "i4 i2", True),
        # What seemed to be moved by a hand was a flick of its own.
        (("replaced i5 flick suns", "added i5 hit suns moons"), "r2+ i5", True),
        (("replaced i5 flick suns", "added i5 hit suns moons"), "r2+ i3", False),
    ],
)
def test_added_and_replaced_entries_stand_where_they_are_read(
    added: tuple[str, ...], pair: str, same: bool
) -> None:
    assert (refused(*TWO_FLICKS, *added, f"before {pair}") is None) is same
