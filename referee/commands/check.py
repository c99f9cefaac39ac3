"""`referee check` finds everything that is wrong with a record."""

from __future__ import annotations

from pathlib import Path

import click

from referee.domain.errors import InputError
from referee.record.problems import problems_of


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
def check(record: Path) -> int:
    """Read RECORD to its end and print every problem with its line.

    Problems go to standard error, one line each. The command ends with status 0 if there is none,
    and with 2 otherwise. It also prints warnings (times that run backwards), which do not count as
    problems.
    """
    try:
        found = problems_of(record)
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error
    for problem in found.problems:
        click.echo(
            f"{problem.in_words(str(record))}{' (warning)' if problem.warning else ''}", err=True
        )
    if not found.is_sound or found.setup is None:
        raise SystemExit(2)
    players = len(found.setup.players)
    click.echo(
        f"{record}: a sound record of {found.setup.game}: {players}"
        f" player{'' if players == 1 else 's'},"
        f" {found.entries} {'entry' if found.entries == 1 else 'entries'}"
    )
    return 0
