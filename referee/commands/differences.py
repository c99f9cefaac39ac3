"""A difference between two readings of a match, for people to read."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.call import Call, Irregularity, Question
from referee.commands.words import in_words
from referee.comparing import Change, Difference

#: Fields that are said in other words than their names.
SAID = {"dead_on": "dead on", "flicks_left": "flicks left", "player": "whose turn", "expects": "expected next"}
#: Of the turn these are told; the rest follows from them.
OF_TURN = ("player", "coin", "pawn", "flicks_left", "expects", "roll", "restore")


def print_difference(found: Difference, console: Console | None = None) -> None:
    """Print what differs; colours only on a terminal."""
    out = console or Console(highlight=False)
    if found.is_empty:
        out.print("Nothing changes.")
        return
    shown = [change for change in found.changes if change.of != "turn" or change.field in OF_TURN]
    if shown:
        out.print(_changes(shown))
    _calls(out, found.calls_gone, "-", "red")
    _calls(out, found.calls_new, "+", "green")
    for odd in found.played_on:
        what = "Played on a void entitlement" if odd.what == "void_entitlement" else "Left short of flicks"
        out.print(f"[bold]{what}[/] ({escape(odd.on)}): {escape(odd.text)}")
    others = [odd for odd in found.irregularities_new if odd not in found.played_on]
    _told(out, "No longer irregular", found.irregularities_gone)
    _told(out, "Irregular now", others)
    _told(out, "No longer asked", found.questions_gone)
    _told(out, "Asked now", found.questions_new)


def _changes(changes: Sequence[Change]) -> Table:
    table = Table(title=None)
    for heading in ("of", "what", "before", "after"):
        table.add_column(heading)
    for change in changes:
        of = change.player if change.player is not None else f"the {change.of}"
        table.add_row(escape(of), SAID.get(change.field, change.field.replace("_", " ")), escape(in_words(change.before)), escape(in_words(change.after)))
    return table


def _calls(out: Console, calls: Sequence[Call], sign: str, colour: str) -> None:
    for call in calls:
        worth = f" ({call.flicks:+d})" if call.flicks else ""
        out.print(f"[{colour}]{sign}[/] {escape(call.on)}: {escape(call.text)}{worth} [dim]\\[{escape(call.rule)}][/]")


def _told(out: Console, heading: str, verdicts: Sequence[Irregularity | Question]) -> None:
    for one in verdicts:
        out.print(f"{heading} ({escape(one.on)}): {escape(one.text)} [dim]\\[{escape(one.rule)}][/]")
