"""Prints an adjudication: standings, calls with their rules, what is expected, questions and
irregularities.
"""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.table import Table

from referee.commands.printing.terminal import people, say, table_of, visible
from referee.domain.call import Question
from referee.replay.adjudication import Adjudication
from referee.reports.wording.expected import expected
from referee.reports.wording.fields import standing_field, standing_value
from referee.reports.wording.pieces import said_in, with_what

#: The option of `referee rule` for each verdict that answers a question.
RULED: Final = {"upheld": "--uphold", "overturned": "--overturn", "replaced": "--replace FILE"}


def print_report(adjudication: Adjudication) -> None:
    """Print an adjudication as tables, with colours only on a terminal."""
    out = people()
    say(out, _headline(adjudication))
    out.print(_standings(adjudication, out))
    if adjudication.calls:
        out.print(_calls(adjudication))
    for question in adjudication.questions:
        say(
            out,
            f"[bold yellow]Question[/] ({visible(question.on)}): {visible(question.text)}"
            f" {visible(answers(question))}",
        )
    for odd in adjudication.irregularities:
        say(
            out,
            f"[red]Irregularity[/] ({visible(odd.on)}): {visible(odd.text)}"
            f" [dim]\\[{visible(odd.rule)}][/]",
        )


def answers(question: Question) -> str:
    """Say how to answer a question: by a ruling or by a declaration."""
    if question.answers == ("before",):
        return (
            f"Answer: referee rule RECORD {question.on} --before {question.other}, or"
            f" {question.other} --before {question.on}."
        )
    if all(answer in RULED for answer in question.answers):
        said = [RULED[answer] for answer in question.answers]
        return f"Answer: referee rule RECORD {question.on} {' or '.join(said)}."
    return f"Answer: a declaration, {' or '.join(question.answers)}."


def _headline(adjudication: Adjudication) -> str:
    if adjudication.status == "won":
        winner = adjudication.winner
        who = winner if isinstance(winner, str) else " and ".join(winner or ())
        return f"[bold]{visible(who)} won.[/]" if who else "[bold]The match ended level.[/]"
    turn, said = adjudication.turn, said_in(adjudication.game, adjudication.standings)
    flicks = turn.get("flicks_left")
    left = "" if flicks is None else f", {flicks} flick{'' if flicks == 1 else 's'} left"
    waits = (
        " Play waits for an answer." if adjudication.status == "question" else expected(turn, said)
    )
    return (
        f"[bold]{visible(turn.get('player'))}'s"
        f" turn[/]{visible(with_what(turn, said))}{left}.{visible(waits)}"
    )


def _standings(adjudication: Adjudication, out: Console) -> Table:
    """Return a table with a row for each player, or with a column for each player if the rows would
    be too wide. The field `coin` is left out if there is a field `knight`, which says the same.
    """
    fields = list(dict.fromkeys(field for row in adjudication.standings for field in row))
    fields = [field for field in fields if field != "coin" or "knight" not in fields]
    rows = [
        [standing_field(field) for field in fields],
        *(
            [standing_value(field, row.get(field)) for field in fields]
            for row in adjudication.standings
        ),
    ]
    table = table_of(rows[0], rows[1:])
    if out.measure(table, options=out.options.update(width=10_000)).maximum <= out.width:
        return table
    first, *others = [list(row) for row in zip(*rows, strict=True)]
    return table_of(first, others)


def _calls(adjudication: Adjudication) -> Table:
    flicked = any(call.flicks is not None for call in adjudication.calls)
    headings = ["entry", "call", *(["flicks"] if flicked else []), "rule"]
    rows = []
    for call in adjudication.calls:
        worth = [f"{call.flicks:+d}" if call.flicks else ""] if flicked else []
        rows.append([call.on, call.text, *worth, call.rule])
    return table_of(headings, rows)
