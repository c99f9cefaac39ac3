"""Prints an explanation: the clauses of one entry, what was measured for each, and the calls."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table

from referee.commands.printing.adjudication import answers
from referee.commands.printing.difference import print_difference
from referee.commands.printing.terminal import people, say, visible
from referee.domain.clause import Clause
from referee.domain.entry import Ruling
from referee.reports.explanation import Explanation
from referee.reports.wording.values import named

MET: Final = {True: "[green]yes[/]", False: "[red]no[/]", None: "[yellow]?[/]"}
ABOUT: Final = {"call": "", "flicks": "for flicks", "step": "for a step"}
#: The kinds of entries that hands make and the rules check.
DONE_BY_HAND: Final = ("placed", "moved", "rolled", "coin_flipped", "coin_turned")
#: The fields of an entry that are shown elsewhere.
NOT_SHOWN: Final = (
    "entry",
    "kind",
    "id",
    "replacement",
    "players",
    "options",
    "layout",
    "table_edge_mm",
    "format",
    "game",
)


def print_explanation(why: Explanation) -> None:
    """Print an explanation, with colours only on a terminal."""
    out = people()
    say(out, f"[bold]{visible(why.on)}[/]: {visible(_kind(why))}; {visible(why.state)}.")
    if why.flick is not None:
        rule = f" [dim]\\[{visible(why.flick.rule)}][/]" if why.flick.rule else ""
        say(out, f"[red]{visible(why.flick.text)}[/]{rule}")
    facts = {
        name: value
        for name, value in why.entry.items()
        if name not in NOT_SHOWN and value not in ([], (), {})
    }
    if facts:
        say(out, f"  {visible(named(facts))}")
    for ruling in why.rulings:
        say(out, f"  {visible(_ruling(ruling))}")
    if why.clauses:
        out.print(_clauses(why.clauses))
    _verdicts(out, why)
    if why.makes is not None:
        say(out, "The ruling changes this:")
        print_difference(why.makes, out)


def _kind(why: Explanation) -> str:
    if why.entry.get("entry") == "ruling":
        return "a ruling"
    return str(why.entry.get("kind", why.entry.get("entry", "entry"))).replace("_", " ")


def _ruling(ruling: Ruling) -> str:
    by = f" by {ruling.by}" if ruling.by else ""
    reason = f": {ruling.reason}" if ruling.reason else ""
    return f"Ruling {ruling.id} ({ruling.verdict}{by}){reason}"


def _clauses(clauses: tuple[Clause, ...]) -> Table:
    table = Table("clause", "met", "measured")
    for clause in clauses:
        text = clause.text if not ABOUT[clause.about] else f"{clause.text} ({ABOUT[clause.about]})"
        table.add_row(visible(text), MET[clause.met], visible(named(clause.facts)))
    return table


def _verdicts(out: Console, why: Explanation) -> None:
    for call in why.calls:
        worth = (
            f" ({call.flicks:+d} {'flick' if abs(call.flicks) == 1 else 'flicks'})"
            if call.flicks
            else ""
        )
        heading = "Does not count" if call.call == "no_effect" else "Call"
        say(
            out, f"[bold]{heading}:[/] {visible(call.text)}{worth} [dim]\\[{visible(call.rule)}][/]"
        )
        facts = {name: value for name, value in (call.facts or {}).items() if name != "pawn"}
        if facts:
            say(out, f"  {visible(named(facts))}")
    told = "" if why.flick is None else why.flick.text
    for odd in (one for one in why.irregularities if one.text not in told):
        say(out, f"[red]Irregularity:[/] {visible(odd.text)} [dim]\\[{visible(odd.rule)}][/]")
    for asked in why.questions:
        say(
            out,
            f"[bold yellow]Question:[/] {visible(asked.text)} {visible(answers(asked))}"
            f" [dim]\\[{visible(asked.rule)}][/]",
        )
    if not any((why.calls, why.irregularities, why.questions, why.flick)) and why.makes is None:
        say(out, _nothing_called(why))


def _nothing_called(why: Explanation) -> str:
    """For an entry without a call, return words that say whether the entry was as the rules
    require.
    """
    kind, met = why.entry.get("kind"), [clause.met for clause in why.clauses]
    if kind == "at_rest" and met and met[0]:
        return "Everything is still. Nothing else follows from it by the rules."
    if kind == "tile_displaced" and met and all(met):
        return "Somebody must put the tile back before the next flick."
    if (
        (why.entry.get("entry") == "declaration" or kind in DONE_BY_HAND)
        and len(met) > 1
        and all(met)
    ):
        return "Everything is in order, and play goes on."
    return "Nothing follows from it by the rules."
