"""Receives rulings on calls from the page, and explains why something was called.

People see what a ruling would change before it is written, with a name and a reason.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from referee.desk.messages import Correction, Explained, RulingAsked, SetupShown, Weighed
from referee.domain.declaration import Declaration
from referee.domain.entry import Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.incident import Incident
from web_ui.entering import EntryWriter
from web_ui.reading import answer_input_errors, check_length, read_as, written


class Desk(EntryWriter, Protocol):
    """Explains calls, takes rulings, and writes down what people enter."""

    def explain(self, on: str) -> Explained:
        """Return why the rules judged an entry as they did: its `clauses`, each with the facts that
        decided it. Raises InputError.
        """

    def corrected_incident(self, on: str, instead: Correction) -> Incident:
        """Return the incident `on` with the fields in `instead` changed. Raises InputError."""

    def missed(self, fields: dict[str, Any]) -> Incident | Declaration:
        """Return an incident or declaration that is missing in the record, given by its fields,
        including `entry`. Raises InputError.
        """

    def corrected_fact(self, on: str, fields: dict[str, Any]) -> Incident | Declaration:
        """Return the incident or declaration that really took place instead of the entry `on`,
        given by its fields, including `entry`. Raises InputError.
        """

    def setup_choices(self) -> SetupShown:
        """Return the names and options of the setup that people can correct. Raises InputError."""

    def corrected(self, names: list[str], options: dict[str, Any]) -> Setup:
        """Return the setup with other names and options. Raises InputError."""

    def weigh(self, ruling: Ruling) -> Weighed:
        """Return what a ruling would change, and `entries`, the number of entries that the match
        has now. Raises InputError.
        """

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Write a ruling. `entries` is the number of entries that the match had when its effect was
        computed. Raises InputError.
        """


#: The fields that give the replacement, by verdict: exactly one of them must be given.
REPLACEMENTS: Final = {"replaced": {"instead", "told", "setup"}, "added": {"told"}}


def ruling_of(asked: RulingAsked, desk: Desk) -> Ruling:
    """Return the ruling that goes into the record. Raises InputError where a replacement is missing
    or not possible.
    """
    if asked.verdict == "replaced" and asked.instead == Correction():
        raise InputError("You chose what the camera saw. Choose what really happened.")
    _check_parts(asked)
    on, after = (None, asked.on) if asked.verdict == "added" else (asked.on, None)
    return Ruling(
        on=on,
        after=after,
        verdict=asked.verdict,
        replacement=_replacement(asked, desk),
        then=asked.then,
        by=asked.by.strip() or None,
        reason=asked.reason.strip() or None,
    )


def _check_parts(asked: RulingAsked) -> None:
    given = {name for name in ("instead", "told", "setup") if getattr(asked, name) is not None}
    if (
        not given <= REPLACEMENTS.get(asked.verdict, set())
        or len(given) != (asked.verdict in REPLACEMENTS)
        or (asked.on == "setup") != ("setup" in given)
    ):
        raise InputError(
            "This ruling is not complete, or has too much. To replace an entry, give the one that"
            " really happened. To add an entry, give the missed one. Otherwise give no entry."
        )


def _replacement(asked: RulingAsked, desk: Desk) -> Incident | Declaration | Setup | None:
    if asked.setup is not None:
        return desk.corrected(asked.setup.names, asked.setup.options)
    if asked.instead is not None:
        return desk.corrected_incident(asked.on, asked.instead)
    if asked.told is None:
        return None
    added = asked.verdict == "added"
    return desk.missed(asked.told) if added else desk.corrected_fact(asked.on, asked.told)


def pages(desk: Desk) -> Blueprint:
    """Return the blueprint that passes rulings to `desk`."""
    umpire = Blueprint("umpire", __name__)
    answer_input_errors(umpire)

    _let_read(umpire, desk)

    @umpire.post("/rulings/weighed")
    def weigh() -> ResponseReturnValue:
        """Answer what a ruling would change. Nothing is written."""
        return written(desk.weigh(ruling_of(_asked(), desk)))

    @umpire.post("/rulings")
    def rule() -> ResponseReturnValue:
        """Write a ruling whose effect was shown."""
        asked = _asked()
        if asked.entries is None:
            raise InputError("Look at what the ruling would change before you make it.")
        if not asked.by.strip() or not asked.reason.strip():
            raise InputError("A ruling needs the name of the person who decides, and a reason.")
        desk.rule(ruling_of(asked, desk), asked.entries)
        return "", 204

    return umpire


def _let_read(umpire: Blueprint, desk: Desk) -> None:
    """Add the requests whose answers people see before they make a ruling."""

    @umpire.get("/explained")
    def explained() -> ResponseReturnValue:
        """Answer why an entry was called as it was. Its id is given as `on`."""
        return written(desk.explain(request.args.get("on", "")))

    @umpire.get("/beginning")
    def beginning() -> ResponseReturnValue:
        """Reply with the names and options that people can correct."""
        return written(desk.setup_choices())


def _asked() -> RulingAsked:
    asked: RulingAsked = read_as(RulingAsked, "ruling")
    check_length(asked.by, asked.reason, *(asked.setup.names if asked.setup else ()))
    return asked
