"""An adjudication for people to read: standings, calls with their rule, what is expected, questions and irregularities."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.adjudication import Adjudication


def print_report(adjudication: Adjudication, console: Console | None = None) -> None:
    """Print an adjudication as tables; colours only on a terminal."""
    out = console or Console(highlight=False)
    out.print(_headline(adjudication))
    out.print(_standings(adjudication))
    if adjudication.calls:
        out.print(_calls(adjudication))
    for question in adjudication.questions:
        out.print(f"[bold yellow]Question[/] ({escape(question.on)}): {escape(question.text)} Answers: {', '.join(question.answers)}.")
    for odd in adjudication.irregularities:
        out.print(f"[red]Irregularity[/] ({escape(odd.on)}): {escape(odd.text)} [dim]\\[{escape(odd.rule)}][/]")


def _headline(adjudication: Adjudication) -> str:
    if adjudication.status == "won":
        winner = adjudication.winner
        who = winner if isinstance(winner, str) else " and ".join(winner or ())
        return f"[bold]{escape(who)} won.[/]" if who else "[bold]The match ended level.[/]"
    turn = adjudication.turn
    flicks = turn.get("flicks_left")
    left = "" if flicks is None else f", {flicks} flick{'' if flicks == 1 else 's'} left"
    waits = " Play waits for an answer." if adjudication.status == "question" else _todo(turn)
    return f"[bold]{escape(str(turn.get('player')))}'s turn[/]{left}.{escape(waits)}"


def _todo(turn: dict[str, Any]) -> str:
    doing = {"place": "put {} on the table", "lift": "lift {} off", "restore": "put the tile {} back", "answer": "say what becomes of {}"}
    todo = [doing[task["do"]].format(task.get("coin") or task.get("tile")) for task in turn.get("before_flick", ())]
    return f" First {', then '.join(todo)}." if todo else ""


def _standings(adjudication: Adjudication) -> Table:
    fields = list(dict.fromkeys(field for row in adjudication.standings for field in row))
    table = Table(title=None)
    for field in fields:
        table.add_column(field.replace("_", " "))
    for row in adjudication.standings:
        table.add_row(*(escape(_cell(row.get(field))) for field in fields))
    return table


def _cell(value: object) -> str:
    if value is None:
        return ""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _calls(adjudication: Adjudication) -> Table:
    table = Table(title=None)
    for heading in ("entry", "call", "flicks", "rule"):
        table.add_column(heading)
    for call in adjudication.calls:
        flicks = f"{call.flicks:+d}" if call.flicks else ""
        table.add_row(escape(call.on), escape(call.text), flicks, escape(call.rule))
    return table
