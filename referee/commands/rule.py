"""`referee rule` records a person's decision about an entry and prints what it changes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from referee.commands.printing.json_output import print_json
from referee.domain.entry import Entry, Ruling, Setup
from referee.domain.errors import InputError
from referee.games.players import FieldError
from referee.record.reading import (
    bytes_of,
    check_bounds,
    decode_entry,
    line_of,
    parse_record,
    read_record,
)
from referee.record.record_file import RecordFile
from referee.reports.difference import difference_by_ruling

Then = Literal["rewind", "keep"]


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.argument("on", metavar="ID")
@click.option("--overturn", is_flag=True, help="The entry does not count.")
@click.option(
    "--uphold",
    is_flag=True,
    help="The entry stands. If there is a question about it, this answers it.",
)
@click.option(
    "--replace",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Replace the entry by the one in FILE (one JSON object).",
)
@click.option(
    "--add",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Add the entry in FILE (one JSON object) right after this entry.",
)
@click.option(
    "--before",
    metavar="OTHER",
    help="This incident came before the incident OTHER of the same flick.",
)
@click.option(
    "--then",
    type=click.Choice(["keep", "rewind"]),
    help="What to do with all play after the entry: keep it, or rewind the table.",
)
@click.option("--by", required=True, metavar="NAME", help="The person who decides.")
@click.option("--reason", required=True, metavar="TEXT", help="The reason, in words.")
@click.option(
    "--dry-run", is_flag=True, help="Print what the ruling would change, and write nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print what changes as one JSON object.")
def rule(
    record: Path,
    on: str,
    then: Then | None,
    by: str,
    reason: str,
    dry_run: bool,
    as_json: bool,
    **decided: Any,
) -> None:
    """Rule on the entry ID of RECORD and print what the ruling changes. The first entry's ID is
    `setup`.

    The command appends the ruling and never removes anything from a record. You may overturn a
    ruling by another ruling. A running `referee watch` takes the ruling in at once.
    """
    try:
        _check_words(on, decided["before"] or "", by, reason)
        entries = read_record(record)
        ruling = _ruling(
            entries, on, decided, Ruling(verdict="upheld", by=by, reason=reason, then=then)
        )
        _check(record, ruling)
        if not dry_run:
            entries, ruling = _append(record, ruling)
        found = difference_by_ruling(entries, ruling)
    except InputError as error:
        click.echo(str(error), err=True)
        raise SystemExit(2) from error
    if as_json:
        print_json({"ruling": ruling.id, "written": not dry_run, **found.as_json()})
        return
    from referee.commands.printing.difference import print_difference
    from referee.commands.printing.terminal import people, say, visible

    out = people()
    verdict = f"before {ruling.other}" if ruling.verdict == "before" else ruling.verdict
    say(
        out,
        visible(
            f"Ruling {ruling.id} on {on}: {verdict}, by {by}:"
            f" {reason}{' (not written)' if dry_run else ''}"
        ),
    )
    print_difference(found, out)


def _check_words(on: str, before: str, by: str, reason: str) -> None:
    """Check that the words given in the command can be written into a record. Raises InputError."""
    for option, text in {"ID": on, "--before": before, "--by": by, "--reason": reason}.items():
        if any("\ud800" <= sign <= "\udfff" for sign in text):
            raise InputError(f"{option}: is not UTF-8 text")
        if option in ("--by", "--reason") and not text.strip():
            raise InputError(f"{option}: is empty")


def _ruling(entries: tuple[Entry, ...], on: str, decided: dict[str, Any], blank: Ruling) -> Ruling:
    """Build the ruling that the options describe. Raises InputError if there is not exactly one
    decision, or if a file does not hold an entry.
    """
    chosen = [name for name in ("overturn", "uphold", "replace", "add", "before") if decided[name]]
    if len(chosen) != 1:
        raise InputError(
            "--overturn, --uphold, --replace, --add, --before: give exactly one of them"
        )
    setup = entries[0]
    assert isinstance(setup, Setup)
    fields: dict[str, Any] = {
        "id": _new_id(entries),
        "by": blank.by,
        "reason": blank.reason,
        "then": blank.then,
    }
    match chosen[0]:
        case "overturn":
            return Ruling(verdict="overturned", on=on, **fields)
        case "uphold":
            return Ruling(verdict="upheld", on=on, **fields)
        case "before":
            return Ruling(verdict="before", on=on, other=decided["before"], **fields)
        case "add":
            return Ruling(
                verdict="added",
                after=on,
                replacement=_entry_in(decided["add"], setup.game),
                **fields,
            )
        case _:
            return Ruling(
                verdict="replaced",
                on=on,
                replacement=_entry_in(decided["replace"], setup.game),
                **fields,
            )


def _new_id(entries: tuple[Entry, ...]) -> str:
    """Return `r` and the number of the ruling's line, or the next number that is free."""
    taken = {
        name
        for entry in entries
        for name in (
            getattr(entry, "id", None),
            getattr(getattr(entry, "replacement", None), "id", None),
        )
    }
    number = len(entries) + 1
    while f"r{number}" in taken or f"r{number}+" in taken:
        number += 1
    return f"r{number}"


def _entry_in(path: Path, game: str) -> Any:
    """Return the one incident, declaration or setup in a file."""
    try:
        check_bounds(path)
        entry = decode_entry(path.read_bytes().strip(), game)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except FieldError as error:
        raise InputError(f"{path}: {error}") from error
    if isinstance(entry, Ruling):
        raise InputError(f"{path}: entry: must be an incident, a declaration or a setup")
    return entry


def _check(record: Path, ruling: Ruling) -> None:
    """Check that the record allows the ruling. Raises InputError."""
    content = bytes_of(record)
    nameless = msgspec.structs.replace(
        ruling, id=None
    )  # others may have used this ID since; a new one is chosen when the ruling is written
    parse_record(
        content + (b"" if content.endswith(b"\n") else b"\n") + line_of(nameless), str(record)
    )


def _append(record: Path, ruling: Ruling) -> tuple[tuple[Entry, ...], Ruling]:
    """Write the ruling at the end of the record. Return all entries before it, including those that
    other programs wrote in the meantime, and the ruling as written.
    """
    file, entries = RecordFile.resume(record, mend=False)
    with closing(file):
        *others, written = file.append(msgspec.structs.replace(ruling, id=None), letter="r")
    assert isinstance(written, Ruling)
    return (*entries, *others), written
