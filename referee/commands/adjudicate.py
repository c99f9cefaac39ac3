"""`referee adjudicate` prints the verdicts of the rules on a record."""

from __future__ import annotations

import click

from referee.commands.printing.json_output import print_json
from referee.domain.errors import InputError
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate as judge


@click.command()
@click.argument("record", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
@click.option(
    "--at",
    metavar="ID",
    help="Show the state right after this entry, with all rulings of the record applied.",
)
@click.option(
    "--explain",
    "explained",
    metavar="ID",
    help=(
        "Explain the call of this entry: show each condition of the rule, and what was measured for"
        " it."
    ),
)
def adjudicate(record: str, as_json: bool, at: str | None, explained: str | None) -> None:
    """Replay RECORD and print calls, standings, whose turn it is, questions and irregularities."""
    try:
        if explained is None:
            _adjudicate(record, at, as_json)
        else:
            _explain(record, explained, at, as_json)
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error


def _adjudicate(record: str, at: str | None, as_json: bool) -> None:
    result = judge(read_record(record), at)
    if as_json:
        print_json(result.as_json())
        return
    from referee.commands.printing.adjudication import print_report

    print_report(result)


def _explain(record: str, name: str, at: str | None, as_json: bool) -> None:
    if at is not None:
        raise InputError("--at and --explain: only one of them")
    from referee.reports.explanation import explain

    why = explain(read_record(record), name)
    if as_json:
        print_json(why.as_json())
        return
    from referee.commands.printing.explanation import print_explanation

    print_explanation(why)
