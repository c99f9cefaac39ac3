"""`referee adjudicate`: what the rules make of a record, without any camera."""

from __future__ import annotations

import click
import msgspec

from referee.adjudication import adjudicate as judge
from referee.errors import InputError
from referee.record import read_record


@click.command()
@click.argument("record", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
@click.option("--at", metavar="ID", help="Look right behind this entry, with all rulings of the record applied.")
def adjudicate(record: str, as_json: bool, at: str | None) -> None:
    """Replay RECORD and print calls, standings, whose turn it is, questions and irregularities."""
    try:
        result = judge(read_record(record), at)
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(result.as_json()), indent=2).decode())
        return
    from referee.commands.report import print_report

    print_report(result)
