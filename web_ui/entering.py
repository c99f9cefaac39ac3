"""What players say, and what happens in matches that no camera follows: what is rolled and moved,
and what coins do.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from referee.desk.entry_by_hand import NotAllowedError
from web_ui.reading import check_length, read_as, tell_what_is_wrong


class Clerk(Protocol):
    """Who writes down what people enter. Every method raises InputError for what cannot stand, and
    where `entries`, the number there were, are more by now.
    """

    def declare(self, said: dict[str, Any], entries: int) -> None:
        """Write a declaration, given by its fields."""

    def play(self, done: dict[str, Any], entries: int, *, anyway: bool = False) -> None:
        """Write a roll, a move or what a coin did, given by its fields; `anyway` though the rules
        do not allow it.
        """

    def take_back(self, on: str, entries: int, by: str | None = None) -> None:
        """Overturn `on`, the last entry that counts."""


class Declared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A declaration as the page sends it."""

    said: dict[str, Any]
    entries: int


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A roll, a move, or what a coin did, as the page sends it."""

    done: dict[str, Any]
    entries: int
    anyway: bool = False


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is taken back, as the page sends it; `by` may be empty."""

    on: str
    entries: int
    by: str = ""


def pages(clerk: Clerk) -> Blueprint:
    """The blueprint over whoever writes down what people enter."""
    entering = Blueprint("entering", __name__)
    tell_what_is_wrong(entering)

    @entering.errorhandler(NotAllowedError)
    def not_allowed(error: NotAllowedError) -> ResponseReturnValue:
        """What the rules do not allow may have happened all the same: the page asks."""
        return jsonify(error=str(error), anyway=True), 400

    @entering.post("/declarations")
    def declare() -> ResponseReturnValue:
        """Write what a player says."""
        declared = read_as(Declared, "declaration")
        clerk.declare(declared.said, declared.entries)
        return "", 204

    @entering.post("/plays")
    def play() -> ResponseReturnValue:
        """Write what was rolled or moved, or what a coin did."""
        played = read_as(Played, "play")
        clerk.play(played.done, played.entries, anyway=played.anyway)
        return "", 204

    @entering.post("/plays/back")
    def take_back() -> ResponseReturnValue:
        """Overturn what was entered last."""
        back = read_as(Back, "taking back")
        check_length(back.by)
        clerk.take_back(back.on, back.entries, back.by.strip() or None)
        return "", 204

    return entering
