"""Ruling on what was called, and why it was.

What a ruling would change is seen before it is written, with a name and a reason.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec
from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from referee.domain.declaration import Declaration
from referee.domain.entry import Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.incident import Incident
from web_ui.entering import Clerk
from web_ui.reading import check_length, read_as, tell_what_is_wrong


class Desk(Clerk, Protocol):
    """Who explains calls, takes rulings, and writes down what people enter."""

    def explain(self, on: str) -> dict[str, Any]:
        """Why the rules made of an entry what they made of it: its `clauses`, each with what it was
        judged by. Raises InputError.
        """

    def meant(self, on: str, instead: dict[str, Any]) -> Incident:
        """The incident `on` with what was otherwise than seen. Raises InputError."""

    def missed(self, told: dict[str, Any]) -> Incident | Declaration:
        """What happened or was said and is not in the record, given by its fields with `entry`.
        Raises InputError.
        """

    def truly(self, on: str, told: dict[str, Any]) -> Incident | Declaration:
        """What truly happened or was said where `on` stands, of whatever kind, given by its fields
        with `entry`. Raises InputError.
        """

    def beginning(self) -> dict[str, Any]:
        """What of the setup can be put right from choices: names and options. Raises InputError."""

    def corrected(self, names: list[str], options: dict[str, Any]) -> Setup:
        """The setup with other names and options. Raises InputError."""

    def weigh(self, ruling: Ruling) -> dict[str, Any]:
        """What a ruling would change, beside `entries`, the number of entries it was weighed
        against. Raises InputError.
        """

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Write a ruling that was weighed against so many `entries`. Raises InputError."""


#: What belongs to a verdict: just one of these.
BELONGS = {"replaced": {"instead", "told", "setup"}, "added": {"told"}}


class Beginning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The setup as it should have been: the players' names in their order, and options."""

    names: list[str]
    options: dict[str, Any]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling as the page sends it; `entries` belongs to one that was weighed.

    To `replaced` belongs `instead` (what of it was otherwise than seen), `told` (an entry that is
    put in its place) or `setup` (in that of the first entry), to `added` that which is `told` (put
    behind `on`).
    """

    on: str
    verdict: Literal["upheld", "overturned", "replaced", "added"]
    instead: dict[str, Any] | None = None
    told: dict[str, Any] | None = None
    setup: Beginning | None = None
    then: Literal["keep", "rewind"] | None = None
    by: str = ""
    reason: str = ""
    entries: int | None = None

    def ruling(self, desk: Desk) -> Ruling:
        """The ruling that goes into the record. Raises InputError where nothing, or what cannot be,
        is put in an entry's place.
        """
        if self.verdict == "replaced" and self.instead == {}:
            raise InputError("That is what was seen: choose what it truly was.")
        given = {name for name in ("instead", "told", "setup") if getattr(self, name)}
        if (
            not given <= BELONGS.get(self.verdict, set())
            or len(given) != (self.verdict in BELONGS)
            or (self.on == "setup") != ("setup" in given)
        ):
            raise InputError(
                "This is no ruling: to a replacement belongs one thing that happened instead, to an"
                " addition what was missed, else nothing."
            )
        new = self._new(desk)
        by, reason = self.by.strip() or None, self.reason.strip() or None
        on, after = (None, self.on) if self.verdict == "added" else (self.on, None)
        return Ruling(
            on=on,
            after=after,
            verdict=self.verdict,
            replacement=new,
            then=self.then,
            by=by,
            reason=reason,
        )

    def _new(self, desk: Desk) -> Incident | Declaration | Setup | None:
        if self.setup:
            return desk.corrected(self.setup.names, self.setup.options)
        if self.instead:
            return desk.meant(self.on, self.instead)
        if self.told:
            return (
                desk.missed(self.told)
                if self.verdict == "added"
                else desk.truly(self.on, self.told)
            )
        return None


def pages(desk: Desk) -> Blueprint:
    """The blueprint over whoever takes rulings."""
    umpire = Blueprint("umpire", __name__)
    tell_what_is_wrong(umpire)

    _let_read(umpire, desk)

    @umpire.post("/rulings/weighed")
    def weigh() -> ResponseReturnValue:
        """What a ruling would change; nothing is written."""
        return jsonify(desk.weigh(_asked().ruling(desk)))

    @umpire.post("/rulings")
    def rule() -> ResponseReturnValue:
        """Write a ruling that was weighed."""
        asked = _asked()
        if asked.entries is None:
            raise InputError("See first what the ruling would change.")
        if not asked.by.strip() or not asked.reason.strip():
            raise InputError("A ruling needs the name of who decides, and a reason.")
        desk.rule(asked.ruling(desk), asked.entries)
        return "", 204

    return umpire


def _let_read(umpire: Blueprint, desk: Desk) -> None:
    """Let the pages ask for what a ruling begins from."""

    @umpire.get("/explained")
    def explained() -> ResponseReturnValue:
        """Why an entry was called as it was; its id is given as `on`."""
        answer = jsonify(desk.explain(request.args.get("on", "")))
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @umpire.get("/beginning")
    def beginning() -> ResponseReturnValue:
        """The names and options that can be put right."""
        answer = jsonify(desk.beginning())
        answer.headers["Cache-Control"] = "no-store"
        return answer


def _asked() -> Asked:
    asked = read_as(Asked, "ruling")
    check_length(asked.by, asked.reason, *(asked.setup.names if asked.setup else ()))
    return asked
