"""`referee export` writes a match for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from referee.commands.printing.json_output import as_text
from referee.domain.errors import InputError
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, fold


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "form",
    required=True,
    type=click.Choice(["ppn", "csv", "json"]),
    help="Portable Piecepack Notation, a table of calls and standings, or the result as JSON.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write to this file instead of printing."
)
def export(record: Path, form: Literal["ppn", "csv", "json"], out: Path | None) -> None:
    """Print the match in RECORD as notation, as a table or as JSON.

    The notation (PPN) shows the table each time it was at rest, in units of half a tile. The table
    (CSV) has a row for each call and each standing; its first column says which. The JSON is that
    of `referee adjudicate`.
    """
    try:
        text = _written(fold(read_record(record)), form)
        if out is not None and out.exists() and out.samefile(record):
            raise InputError(f"{out}: is the record itself, which this command never replaces")
        if out is None:
            click.echo(text.encode(), nl=False)
        else:
            _write(out, text)
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error


def _written(folded: Fold, form: str) -> str:
    if form == "json":
        return as_text(summary(folded).as_json()) + "\n"
    if form == "csv":
        from referee.reports.calls_csv import as_csv

        return as_csv(summary(folded))
    from referee.reports.notation import as_ppn

    return as_ppn(folded)


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{out}: cannot be written: {error.strerror}") from error
