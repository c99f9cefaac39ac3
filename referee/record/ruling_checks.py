"""Checks that a ruling can be read: that it names existing entries, and that its verdict fits the
entry that it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.domain.entry import Ruling, Setup, added_id
from referee.domain.incident import Measured
from referee.games.players import FieldError
from referee.record.fact_checks import check_fact
from referee.record.reading_order import ReadingOrder
from referee.record.setup_checks import check_setup
from referee.record.vocabulary import Vocabulary


def check_ruling(ruling: Ruling, name: str, known: Vocabulary, order: ReadingOrder) -> None:
    """Check that the ruling `name` is possible after the entries known so far. Raises
    FieldError.
    """
    known.check_id("on", ruling.on)
    known.check_id("after", ruling.after)
    known.check_id("other", ruling.other)
    if ruling.verdict == "added":
        _added(ruling, name, known)
        return
    if ruling.on is None:
        raise FieldError("on", "is missing")
    about = known.ids[ruling.on]
    _verdict(ruling.verdict, about)
    if ruling.verdict == "replaced":
        _replacement(ruling, about, known)
    elif ruling.verdict == "before":
        _before(ruling, about, known, order)


def _verdict(verdict: str, about: type) -> None:
    if about is Ruling and verdict not in ("overturned", "upheld"):
        raise FieldError("verdict", "a ruling can only be overturned or upheld")
    if about is Setup and verdict != "replaced":
        raise FieldError("verdict", "the setup can only be replaced")


def _added(ruling: Ruling, name: str, known: Vocabulary) -> None:
    if ruling.after is None:
        raise FieldError("after", "is missing")
    if ruling.on is not None and ruling.on != ruling.after:
        raise FieldError("on", "must be missing or the same as `after`")
    if known.ids[ruling.after] is Ruling:
        raise FieldError("after", "nothing can be added after a ruling")
    _replacement(ruling, Measured, known)
    added = added_id(ruling, name)
    if added == "":
        raise FieldError("replacement.id", "is empty")
    if added in known.ids or added == name:
        raise FieldError("replacement.id", f"{added!r} is already the id of an earlier entry")


def _replacement(ruling: Ruling, about: type, known: Vocabulary) -> None:
    new = ruling.replacement
    if new is None:
        raise FieldError("replacement", "is missing")
    if about is Setup:
        _other_setup(new, known)
    elif isinstance(new, Setup):
        raise FieldError("replacement", "must be an incident or a declaration")
    else:
        _within_replacement(check_fact, new, known)


def _other_setup(new: object, known: Vocabulary) -> None:
    if not isinstance(new, Setup):
        raise FieldError("replacement", "must be a setup")
    if new.game != known.setup.game:
        what = f"is {new.game!r}, but the match is of {known.setup.game}"
        raise FieldError("replacement.game", what)
    _within_replacement(check_setup, new)


def _before(ruling: Ruling, about: type, known: Vocabulary, order: ReadingOrder) -> None:
    if ruling.other is None:
        raise FieldError("other", "is missing")
    if not issubclass(about, Measured):
        raise FieldError("on", "must be an incident")
    if not issubclass(known.ids[ruling.other], Measured) or ruling.other == ruling.on:
        raise FieldError("other", "must be another incident")
    if order.flick_of(ruling.other) != order.flick_of(str(ruling.on)):
        what = f"{ruling.other!r} is not an incident of the same flick as {ruling.on!r}"
        raise FieldError("other", what)


def _within_replacement(check: Callable[..., None], *values: Any) -> None:
    try:
        check(*values)
    except FieldError as error:
        raise FieldError(f"replacement.{error.field}", error.what) from error
