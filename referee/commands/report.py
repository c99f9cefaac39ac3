"""An adjudication for people to read: standings, calls with their rule, what is expected, questions and irregularities."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from referee.adjudication import Adjudication
from referee.commands.words import in_words


def print_report(adjudication: Adjudication, console: Console | None = None) -> None:
    """Print an adjudication as tables; colours only on a terminal."""
    out = console or Console(highlight=False)
    out.print(_headline(adjudication))
    out.print(_standings(adjudication, out))
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
    waits = " Play waits for an answer." if adjudication.status == "question" else _todo(turn) or _expected(turn)
    piece = f" with {turn['pawn']}" if "pawn" in turn else ""
    return f"[bold]{escape(str(turn.get('player')))}'s turn[/]{piece}{left}.{escape(waits)}"


def _expected(turn: dict[str, Any]) -> str:
    """What is expected next, where it is not simply a flick."""
    expects = turn.get("expects")
    if expects in (None, "flick", "nothing"):
        return ""
    roll = f" for the {turn['roll']}" if turn.get("roll") else ""
    return f" Expected next: {'that all is still' if expects == 'rest' else expects}{roll}."


def _todo(turn: dict[str, Any]) -> str:
    doing = {"place": "put {} on the table", "lift": "lift {} off", "restore": "put the tile {} back", "answer": "say what becomes of {}"}
    todo = [doing[task["do"]].format(task.get("coin") or task.get("tile")) for task in turn.get("before_flick", ())]
    return f" First {', then '.join(todo)}." if todo else ""


def _standings(adjudication: Adjudication, out: Console) -> Table:
    """A row a player; where that is wider than the console a column a player."""
    fields = list(dict.fromkeys(field for row in adjudication.standings for field in row))
    rows = [[field.replace("_", " ") for field in fields], *([_cell(row.get(field)) for field in fields] for row in adjudication.standings)]
    table = _table(rows)
    if out.measure(table, options=out.options.update(width=10_000)).maximum <= out.width:
        return table
    return _table([list(row) for row in zip(*rows, strict=True)])


def _table(rows: list[list[str]]) -> Table:
    table = Table(title=None)
    for heading in rows[0]:
        table.add_column(escape(heading))
    for row in rows[1:]:
        table.add_row(*map(escape, row))
    return table


def _cell(value: object) -> str:
    return "" if value is None or value == [] else in_words(value)


def _calls(adjudication: Adjudication) -> Table:
    flicked = any(call.flicks is not None for call in adjudication.calls)
    rows = [["entry", "call", *(["flicks"] if flicked else []), "rule"]]
    for call in adjudication.calls:
        worth = [f"{call.flicks:+d}" if call.flicks else ""] if flicked else []
        rows.append([call.on, call.text, *worth, call.rule])
    return _table(rows)
