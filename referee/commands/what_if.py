"""`referee what-if` replays a match under other options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from referee.commands.printing.json_output import print_json
from referee.domain.entry import Entry, Ruling, Setup
from referee.domain.errors import InputError
from referee.games.players import FieldError
from referee.record.reading import lines_of, parse_record, read_record
from referee.record.setup_checks import check_setup
from referee.replay.adjudication import adjudicate
from referee.reports.difference import difference


@click.command("what-if")
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--option",
    "options",
    multiple=True,
    required=True,
    metavar="KEY=VALUE",
    help="An option and the value to replay with. You may give this several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what changes as one JSON object.")
def what_if(record: Path, options: tuple[str, ...], as_json: bool) -> None:
    """Replay RECORD under other options, and print every call and result that changes.

    The command writes nothing. `referee rules GAME` lists the options of a game.
    """
    try:
        entries = read_record(record)
        changed = under(entries, parse_options(options), str(record))
        found = difference(adjudicate(entries), adjudicate(changed))
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error
    if as_json:
        print_json(found.as_json())
        return
    from referee.commands.printing.difference import print_difference

    print_difference(found)


def parse_options(given: tuple[str, ...]) -> dict[str, Any]:
    """Read options such as `poison=true`: a value is JSON if it can be, else text. Raises
    InputError for anything else.

    >>> parse_options(("poison=true", "too_close=ask", "too_close_band=[0.1, 0.9]"))
    {'poison': True, 'too_close': 'ask', 'too_close_band': [0.1, 0.9]}
    """
    found: dict[str, Any] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InputError(f"--option {text}: should read KEY=VALUE")
        if key in found:
            raise InputError(f"--option {text}: {key} is given twice")
        found[key] = _value(value)
    return found


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except ValueError:
        return text


def under(entries: tuple[Entry, ...], options: dict[str, Any], file: str) -> tuple[Entry, ...]:
    """Change the options in every setup of the record. Raises InputError if the game or the record
    does not allow them.
    """
    changed: list[Entry] = []
    for entry in entries:
        if isinstance(entry, Setup):
            changed.append(_with(entry, options))
        elif isinstance(entry, Ruling) and isinstance(entry.replacement, Setup):
            changed.append(replace(entry, replacement=_with(entry.replacement, options)))
        else:
            changed.append(entry)
    return parse_record(b"".join(lines_of(changed)), f"{file} under these options")


def _with(setup: Setup, options: dict[str, Any]) -> Setup:
    other = replace(setup, options={**setup.options, **options})
    try:
        check_setup(other)
    except FieldError as error:
        raise InputError(_option_error(error, options)) from error
    return other


def _option_error(error: FieldError, options: dict[str, Any]) -> str:
    """Say which option is wrong, or wrong for this match."""
    name = error.field.removeprefix("options.")
    if name == error.field or name not in options:
        return f"--option: {error}"
    return f"--option {name}: {error.what}"
