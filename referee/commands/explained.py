"""An explanation for people to read: the clauses of one entry, the facts that met each, and what was called."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.clause import Clause
from referee.commands.differences import print_difference
from referee.commands.words import named
from referee.entry import Ruling
from referee.explaining import Explanation

MET = {True: "[green]yes[/]", False: "[red]no[/]", None: "[yellow]?[/]"}
ABOUT = {"call": "", "flicks": "for flicks", "step": "for a step"}
#: What an entry carries that is told elsewhere.
NOT_SHOWN = ("entry", "kind", "id", "replacement", "players", "options", "layout", "table_edge_mm", "format", "game")


def print_explanation(why: Explanation, console: Console | None = None) -> None:
    """Print an explanation; colours only on a terminal."""
    out = console or Console(highlight=False)
    kind = str(why.entry.get("kind", why.entry.get("verdict", why.entry.get("entry", "entry")))).replace("_", " ")
    out.print(f"[bold]{escape(why.on)}[/]: {escape(kind)}, {escape(why.state)}.")
    facts = {name: value for name, value in why.entry.items() if name not in NOT_SHOWN}
    if facts:
        out.print(f"  {escape(named(facts))}")
    for ruling in why.rulings:
        out.print(f"  {escape(_ruling(ruling))}")
    if why.clauses:
        out.print(_clauses(why.clauses))
    _verdicts(out, why)
    if why.makes is not None:
        out.print("It makes this difference:")
        print_difference(why.makes, out)


def _ruling(ruling: Ruling) -> str:
    by = f" by {ruling.by}" if ruling.by else ""
    reason = f": {ruling.reason}" if ruling.reason else ""
    return f"Ruling {ruling.id} ({ruling.verdict}{by}){reason}"


def _clauses(clauses: tuple[Clause, ...]) -> Table:
    table = Table(title=None)
    for heading in ("clause", "met", "measured"):
        table.add_column(heading)
    for clause in clauses:
        text = clause.text if not ABOUT[clause.about] else f"{clause.text} ({ABOUT[clause.about]})"
        table.add_row(escape(text), MET[clause.met], escape(named(clause.facts)))
    return table


def _verdicts(out: Console, why: Explanation) -> None:
    for call in why.calls:
        worth = f" ({call.flicks:+d} flicks)" if call.flicks else ""
        out.print(f"[bold]{'Does not count' if call.call == 'no_effect' else 'Call'}:[/] {escape(call.text)}{worth} [dim]\\[{escape(call.rule)}][/]")
        if call.facts:
            out.print(f"  {escape(named(call.facts))}")
    for odd in why.irregularities:
        out.print(f"[red]Irregularity:[/] {escape(odd.text)} [dim]\\[{escape(odd.rule)}][/]")
    for asked in why.questions:
        out.print(f"[bold yellow]Question:[/] {escape(asked.text)} [dim]\\[{escape(asked.rule)}][/]")
    if not any((why.calls, why.irregularities, why.questions)) and why.makes is None:
        out.print("No rule makes anything of it.")


