"""Receives from the page what players declare and, in matches without a camera, what they roll and
move and what coins do. Also answers how a route that is being entered may continue.
"""

from __future__ import annotations

from typing import Any, Protocol

from flask import Blueprint
from flask.typing import ResponseReturnValue

from referee.desk.entry_by_hand import NotAllowedError
from referee.desk.messages import Declared, Played, RouteAsked, RoutesFound, TakenBack
from web_ui.reading import answer_input_errors, check_length, problem, read_as, written


class EntryWriter(Protocol):
    """Writes into the record what people enter. `entries` is the number of entries that the page
    showed at that time. Every method raises InputError if something is not allowed, or if the
    record has more entries now.
    """

    def declare(self, said: dict[str, Any], entries: int) -> None:
        """Write a declaration, given by its fields."""

    def play(self, done: dict[str, Any], entries: int, *, anyway: bool = False) -> None:
        """Write a roll, a move or what a coin did, given by its fields. With `anyway` it is written
        even if the rules do not allow it.
        """

    def routes(self, asked: RouteAsked) -> RoutesFound:
        """Return how the route of the ball in turn may continue. Nothing is written."""

    def take_back(self, on: str, entries: int, by: str | None = None) -> None:
        """Overturn `on`, the last entry that counts or the ruling made after it."""


def pages(writer: EntryWriter) -> Blueprint:
    """Return the blueprint that passes what people enter to `writer`."""
    entering = Blueprint("entering", __name__)
    answer_input_errors(entering)

    @entering.errorhandler(NotAllowedError)
    def not_allowed(error: NotAllowedError) -> ResponseReturnValue:
        """Answer that the rules do not allow what was entered. The page then asks whether it
        happened anyway.
        """
        return problem(str(error), anyway=True)

    @entering.post("/declarations")
    def declare() -> ResponseReturnValue:
        """Write a declaration."""
        declared: Declared = read_as(Declared, "declaration")
        writer.declare(declared.said, declared.entries)
        return "", 204

    @entering.post("/plays")
    def play() -> ResponseReturnValue:
        """Write what was rolled or moved, or what a coin did."""
        played: Played = read_as(Played, "play")
        writer.play(played.done, played.entries, anyway=played.anyway)
        return "", 204

    @entering.post("/routes")
    def routes() -> ResponseReturnValue:
        """Answer how the route entered so far may continue. Nothing is written."""
        return written(writer.routes(read_as(RouteAsked, "route")))

    @entering.post("/plays/back")
    def take_back() -> ResponseReturnValue:
        """Overturn the last entry."""
        back: TakenBack = read_as(TakenBack, "entry to take back")
        check_length(back.by)
        writer.take_back(back.on, back.entries, back.by.strip() or None)
        return "", 204

    return entering
