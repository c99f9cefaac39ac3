"""Prints what differs between two replays of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from rich.console import Console
from rich.table import Table

from referee.commands.printing.terminal import people, say, table_of, visible
from referee.domain.call import Call, Irregularity, Question
from referee.reports.difference import ChangeInWords, Difference

AnyVerdict = TypeVar("AnyVerdict", bound=Irregularity | Question)
#: The headings of flicks that rest on a wrong call, by the code of their irregularity.
PLAYED_ON: Final = {
    "void_entitlement": "Flicks played without a right to them",
    "denied_entitlement": "Lost flicks that were due",
}


def print_difference(found: Difference, console: Console | None = None) -> None:
    """Print what differs, with colours only on a terminal."""
    out = console or people()
    if found.is_empty:
        say(out, "Nothing changes.")
        return
    if found.told:
        out.print(_changes(found.told))
    judged, waiting = _parted(found)
    if judged or found.calls_new:
        say(out, "Calls that no longer hold (-) and new calls (+):")
    _calls(out, judged, "-", "red")
    _calls(out, found.calls_new, "+", "green")
    if waiting:
        say(
            out,
            f"Calls that wait for the answer to the question: {len(waiting)}, from"
            f" {visible(waiting[0].on)} on.",
        )
    _played_on(out, found.played_on)
    others = [odd for odd in found.irregularities_new if odd not in found.played_on]
    _print_verdicts(out, "No longer an irregularity", found.irregularities_gone)
    _print_verdicts(out, "New irregularity", others)
    _print_verdicts(out, "No longer a question", found.questions_gone)
    _print_verdicts(out, "New question", found.questions_new)


def _parted(found: Difference) -> tuple[Sequence[Call], Sequence[Call]]:
    """Return the calls that no longer hold, and the calls that wait for the answer to a new
    question.
    """
    asked = next((question.on for question in found.questions_new if not question.open), None)
    first = next((place for place, call in enumerate(found.calls_gone) if call.on == asked), None)
    return (
        (found.calls_gone, ())
        if first is None
        else (found.calls_gone[:first], found.calls_gone[first:])
    )


def _played_on(out: Console, played: Sequence[Irregularity]) -> None:
    """Print the flicks that were played because of a wrong call. Flicks with the same words share a
    line.
    """
    for entries, odd in _together(played):
        say(out, f"[bold]{PLAYED_ON[odd.what]}[/] ({visible(entries)}): {visible(odd.text)}")


def _changes(changes: Sequence[ChangeInWords]) -> Table:
    return table_of(
        ("of", "what", "before", "after"),
        [(change.of, change.what, change.before, change.after) for change in changes],
    )


def _calls(out: Console, calls: Sequence[Call], sign: str, colour: str) -> None:
    for call in calls:
        worth = f" ({call.flicks:+d})" if call.flicks else ""
        say(
            out,
            f"[{colour}]{sign}[/] {visible(call.on)}: {visible(call.text)}{worth}"
            f" [dim]\\[{visible(call.rule)}][/]",
        )


def _print_verdicts(
    out: Console, heading: str, verdicts: Sequence[Irregularity | Question]
) -> None:
    for entries, one in _together(verdicts):
        say(
            out,
            f"{heading} ({visible(entries)}): {visible(one.text)} [dim]\\[{visible(one.rule)}][/]",
        )


def _together(verdicts: Sequence[AnyVerdict]) -> list[tuple[str, AnyVerdict]]:
    """Return the verdicts, each with the entries that it is about. Verdicts with the same words
    become one.
    """
    found: dict[tuple[str, str, str], list[AnyVerdict]] = {}
    for one in verdicts:
        found.setdefault((one.what, one.text, one.rule), []).append(one)
    return [(", ".join(one.on for one in same), same[0]) for same in found.values()]
