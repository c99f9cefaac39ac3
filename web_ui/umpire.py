"""Ruling on what was called, and why it was; what players say, and what they roll and move in games that no camera follows.

What a ruling would change is seen before it is written, with a name and a reason.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeVar

import msgspec
from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from referee.entry import Ruling
from referee.errors import InputError
from referee.incident import Incident

LONGEST = 200


class Desk(Protocol):
    """Who explains calls and takes rulings."""

    def explain(self, on: str) -> dict[str, Any]:
        """Why the rules made of an entry what they made of it: its `clauses`, each with what it was judged by. Raises InputError."""

    def meant(self, on: str, instead: dict[str, Any]) -> Incident:
        """The incident `on` with what was otherwise than seen. Raises InputError."""

    def weigh(self, ruling: Ruling) -> dict[str, Any]:
        """What a ruling would change, beside `entries`, the number of entries it was weighed against. Raises InputError."""

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Write a ruling that was weighed against so many `entries`. Raises InputError."""

    def declare(self, said: dict[str, Any], entries: int) -> None:
        """Write a declaration, given by its fields, that was made when the record had so many `entries`. Raises InputError."""

    def play(self, done: dict[str, Any], entries: int) -> None:
        """Write a roll or a move, given by its fields, likewise. Raises InputError."""


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A declaration as the page sends it."""

    said: dict[str, Any]
    entries: int


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A roll or a move as the page sends it."""

    done: dict[str, Any]
    entries: int


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling as the page sends it; `entries` belongs to one that was weighed, `instead` (what was otherwise than seen) to `replaced`."""

    on: str
    verdict: Literal["upheld", "overturned", "replaced"]
    instead: dict[str, Any] | None = None
    then: Literal["keep", "rewind"] | None = None
    by: str = ""
    reason: str = ""
    entries: int | None = None

    def ruling(self, desk: Desk) -> Ruling:
        """The ruling that goes into the record. Raises InputError where nothing, or what cannot be, is put in an entry's place."""
        if (self.verdict == "replaced") != bool(self.instead):
            raise InputError("This is no ruling: what happened instead belongs to a replacement, and to nothing else.")
        meant = desk.meant(self.on, self.instead) if self.instead else None
        by, reason = self.by.strip() or None, self.reason.strip() or None
        return Ruling(on=self.on, verdict=self.verdict, replacement=meant, then=self.then, by=by, reason=reason)


AnySent = TypeVar("AnySent", Asked, Declared, Played)


def pages(desk: Desk) -> Blueprint:
    """The blueprint over whoever takes rulings."""
    umpire = Blueprint("umpire", __name__)

    @umpire.errorhandler(InputError)
    def refused(error: InputError) -> ResponseReturnValue:
        return jsonify(error=str(error)), 400

    @umpire.get("/explained")
    def explained() -> ResponseReturnValue:
        """Why an entry was called as it was; its id is given as `on`."""
        answer = jsonify(desk.explain(request.args.get("on", "")))
        answer.headers["Cache-Control"] = "no-store"
        return answer

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

    @umpire.post("/declarations")
    def declare() -> ResponseReturnValue:
        """Write what a player says."""
        declared = _read(Declared, "declaration")
        desk.declare(declared.said, declared.entries)
        return "", 204

    @umpire.post("/plays")
    def play() -> ResponseReturnValue:
        """Write what was rolled or moved in a game on a lawn or a board."""
        played = _read(Played, "play")
        desk.play(played.done, played.entries)
        return "", 204

    return umpire


def _asked() -> Asked:
    asked = _read(Asked, "ruling")
    if max(len(asked.by), len(asked.reason)) > LONGEST:
        raise InputError(f"Name and reason may have {LONGEST} characters.")
    return asked


def _read(wanted: type[AnySent], what: str) -> AnySent:
    try:
        return msgspec.json.decode(request.get_data(), type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"This is no {what}: {error}") from error
