"""Ruling on what was called, and why it was.

What a ruling would change is seen before it is written, with a name and a reason.
"""

from __future__ import annotations

from typing import Any, Protocol

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from referee.desk.messages import Correction, Explained, RulingAsked, SetupShown, Weighed
from referee.domain.declaration import Declaration
from referee.domain.entry import Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.incident import Incident
from web_ui.entering import Clerk
from web_ui.reading import check_length, read_as, tell_what_is_wrong, written


class Desk(Clerk, Protocol):
    """Who explains calls, takes rulings, and writes down what people enter."""

    def explain(self, on: str) -> Explained:
        """Explain why the rules decided an entry as they did. Raises InputError."""

    def meant(self, on: str, instead: Correction) -> Incident:
        """The incident `on` with what was otherwise than seen. Raises InputError."""

    def missed(self, told: dict[str, Any]) -> Incident | Declaration:
        """What happened or was said and is not in the record, given by its fields with `entry`.
        Raises InputError.
        """

    def truly(self, on: str, told: dict[str, Any]) -> Incident | Declaration:
        """What truly happened or was said where `on` stands, of whatever kind, given by its fields
        with `entry`. Raises InputError.
        """

    def beginning(self) -> SetupShown:
        """What of the setup people can correct. Raises InputError."""

    def corrected(self, names: list[str], options: dict[str, Any]) -> Setup:
        """The setup with other names and options. Raises InputError."""

    def weigh(self, ruling: Ruling) -> Weighed:
        """Work out what a ruling would change. Raises InputError."""

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Write a ruling that was weighed against so many `entries`. Raises InputError."""


#: What belongs to a verdict: just one of these.
BELONGS = {"replaced": {"instead", "told", "setup"}, "added": {"told"}}


def ruling_of(asked: RulingAsked, desk: Desk) -> Ruling:
    """The ruling that goes into the record. Raises InputError where nothing, or what cannot be, is
    put in an entry's place.
    """
    if asked.verdict == "replaced" and asked.instead == Correction():
        raise InputError("That is what was seen: choose what it truly was.")
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
        not given <= BELONGS.get(asked.verdict, set())
        or len(given) != (asked.verdict in BELONGS)
        or (asked.on == "setup") != ("setup" in given)
    ):
        raise InputError(
            "This is no ruling: to a replacement belongs one thing that happened instead, to an"
            " addition what was missed, else nothing."
        )


def _replacement(asked: RulingAsked, desk: Desk) -> Incident | Declaration | Setup | None:
    if asked.setup is not None:
        return desk.corrected(asked.setup.names, asked.setup.options)
    if asked.instead is not None:
        return desk.meant(asked.on, asked.instead)
    if asked.told is None:
        return None
    added = asked.verdict == "added"
    return desk.missed(asked.told) if added else desk.truly(asked.on, asked.told)


def pages(desk: Desk) -> Blueprint:
    """The blueprint over whoever takes rulings."""
    umpire = Blueprint("umpire", __name__)
    tell_what_is_wrong(umpire)

    _let_read(umpire, desk)

    @umpire.post("/rulings/weighed")
    def weigh() -> ResponseReturnValue:
        """What a ruling would change; nothing is written."""
        return written(desk.weigh(ruling_of(_asked(), desk)))

    @umpire.post("/rulings")
    def rule() -> ResponseReturnValue:
        """Write a ruling that was weighed."""
        asked = _asked()
        if asked.entries is None:
            raise InputError("See first what the ruling would change.")
        if not asked.by.strip() or not asked.reason.strip():
            raise InputError("A ruling needs the name of who decides, and a reason.")
        desk.rule(ruling_of(asked, desk), asked.entries)
        return "", 204

    return umpire


def _let_read(umpire: Blueprint, desk: Desk) -> None:
    """Let the pages ask for what a ruling begins from."""

    @umpire.get("/explained")
    def explained() -> ResponseReturnValue:
        """Why an entry was called as it was; its id is given as `on`."""
        return written(desk.explain(request.args.get("on", "")))

    @umpire.get("/beginning")
    def beginning() -> ResponseReturnValue:
        """The names and options that can be put right."""
        return written(desk.beginning())


def _asked() -> RulingAsked:
    asked: RulingAsked = read_as(RulingAsked, "ruling")
    check_length(asked.by, asked.reason, *(asked.setup.names if asked.setup else ()))
    return asked
