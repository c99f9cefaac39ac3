"""Saves what the commands print for many records (a "freeze"), and compares two such files.

  python -m benchmarks.answers records OUT
  python -m benchmarks.answers freeze CORPUS OUT [--first N] [--jobs N] [--fixtures FOLDER]
  python -m benchmarks.answers compare OLD NEW [--show N] [--record NAME]

`records` writes 10,000 random records, 2,000 of each kind of random play in the tests. `freeze`
asks the commands about every fixture and about these records. It appends one row per record to OUT,
and an interrupted freeze continues where it stopped. `compare` counts differences in decisions,
clauses and wording separately. All files are gzip JSON Lines.

`freeze` uses only the command line. To freeze the answers of another version of the program, call
this file by its path, in that version's folder and with PYTHONPATH set to it.
"""

from __future__ import annotations

import csv
import difflib
import gzip
import hashlib
import io
import itertools
import json
import random
import re
import signal
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from referee import cli

RANDOM_RECORDS: Final = 10_000
#: So many entries of a random record are explained; of a fixture, all entries are.
EXPLAINED: Final = 3
#: The options of `what-if`, by game. Each record is asked about one.
TOO_CLOSE: Final = ("too_close=for-striker", "too_close=against-striker", "too_close=ask")
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "tabletop-croquet": (*TOO_CLOSE, "poison=true", "wicket_credit=rest"),
    "castle-croquetnole": (*TOO_CLOSE, "own_gate_bonus=false", "inset=true"),
    "carroms": (*TOO_CLOSE, "black_same_flick=true"),
    "piecepack-croquet": (*TOO_CLOSE, "min_knock_on=1"),
}
#: Fields that hold only words for people.
WORDS: Final = ("text", "told")
#: Differences that do not change a decision.
HARMLESS: Final = ("clauses: more", "clauses: other facts", "wording alone")
#: A comment in Portable Piecepack Notation.
COMMENT: Final = re.compile(r" *\{[^}]*\}")

Answer = dict[str, Any]


class Record(msgspec.Struct, frozen=True):
    """One match record, and how many of its entries are explained (None: all)."""

    name: str
    text: str
    explained: int | None = None


class Row(msgspec.Struct, frozen=True):
    """What the commands printed for one record. `digest` is a checksum of the record's text."""

    name: str
    digest: str
    answers: dict[str, Answer]


class Name(msgspec.Struct, frozen=True):
    """The name of a row, for reading it without the rest of the row."""

    name: str


# Freezing.


def answer(*words: str) -> Answer:
    """Return a command's answer: its exit status and output, or the exception that it raised."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status: object = cli.run(words)
        except SystemExit as end:
            status = end.code
        except Exception as error:  # noqa: BLE001 - a traceback is an answer too
            return {"status": "traceback", "out": repr(error)}
    printed = err if status else out
    printed.flush()
    return {"status": status, "out": printed.buffer.getvalue().decode()}


def questions(record: Record) -> Iterator[tuple[str, ...]]:
    """Yield the command lines to run for a record. The caller appends the record's file."""
    setup, *lines = (json.loads(line) for line in record.text.splitlines() if line.strip())
    option = chosen(record.name, OPTIONS.get(setup["game"], TOO_CLOSE), 1)[0]
    yield ("adjudicate", "--json")
    yield from (("export", "--to", form) for form in ("json", "csv", "ppn"))
    yield ("what-if", "--json", "--option", option)
    names = ["setup", *itertools.chain.from_iterable(map(entry_names, lines, itertools.count(2)))]
    for name in names if record.explained is None else chosen(record.name, names, record.explained):
        yield ("adjudicate", "--json", "--explain", name)


def entry_names(line: Answer, number: int) -> Iterator[str]:
    """Yield the names of the entry in a line of the record, and of the entry that it adds."""
    name = line.get("id") or f"#{number}"
    yield name
    if line.get("verdict") == "added":
        yield line["replacement"].get("id") or f"{name}+"


def chosen(name: str, values: Sequence[str], number: int) -> list[str]:
    """Return `number` of the values, always the same for the same record."""
    return random.Random(name).sample(values, min(number, len(values)))


def frozen(record: Record) -> bytes:
    """Return the row of a record, as one member of a gzip file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        path.write_text(record.text, encoding="utf-8")
        answers = {" ".join(words): as_asked(words, path) for words in questions(record)}
    digest = hashlib.sha256(record.text.encode()).hexdigest()[:16]
    return gzip.compress(msgspec.json.encode(Row(record.name, digest, answers)) + b"\n", mtime=0)


def as_asked(words: tuple[str, ...], path: Path) -> Answer:
    given_back = answer(*words, str(path))
    if given_back["status"] == 0 and ("--json" in words or "json" in words):
        return {**given_back, "out": json.loads(given_back["out"])}
    return {**given_back, "out": given_back["out"].replace(str(path), path.name)}


def fixtures_in(folder: Path) -> Iterator[Record]:
    for path in sorted(folder.glob("*/*.jsonl")):
        name = f"fixtures/{path.parent.name}/{path.stem}"
        yield Record(name, path.read_text(encoding="utf-8"))


def lines_in(path: Path) -> Iterator[bytes]:
    with gzip.open(path) as lines:
        yield from lines


def names_in(path: Path) -> list[str]:
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Name).name for line in lines_in(path)]


# Comparing.


def differences(old: Row, new: Row) -> Iterator[tuple[str, str]]:
    """Yield each kind of difference between two rows, with the question in which it is found."""
    for asked in dict.fromkeys((*old.answers, *new.answers)):
        before, after = old.answers.get(asked), new.answers.get(asked)
        if before != after:
            kinds = list(dict.fromkeys(kinds_of(asked, before, after)))
            yield from ((kind, asked) for kind in kinds or ["wording alone"])


def kinds_of(asked: str, before: Answer | None, after: Answer | None) -> Iterator[str]:
    """Yield what differs between two answers, apart from their wording."""
    if before is None or after is None:
        yield "asked of one only"
    elif before["status"] != after["status"]:
        yield f"exit status {before['status']} to {after['status']}"
    elif before["status"] == 0:
        title = "explain" if "--explain" in asked else " ".join(asked.split()[:3])
        yield from (f"{title}: {field}" for field in fields_apart(asked, before, after))
        if title == "explain":
            yield from clauses_apart(before["out"]["clauses"], after["out"]["clauses"])


def fields_apart(asked: str, before: Answer, after: Answer) -> Iterator[str]:
    """Yield the names of the fields in which the decisions of two answers differ."""
    was, now = as_fields(asked, before["out"]), as_fields(asked, after["out"])
    for field in dict.fromkeys((*was, *now)):
        if decided(was.get(field)) != decided(now.get(field)):
            yield field


def as_fields(asked: str, out: Any) -> Answer:
    """Return an answer's decisions without its wording. For an explanation, leave the clauses out,
    too.
    """
    if "csv" in asked:
        return {"rows": list(csv.DictReader(io.StringIO(out)))}
    if "ppn" in asked:
        return {"moves": COMMENT.sub("", out)}
    apart = ("clauses", "state") if "--explain" in asked else ()
    return {field: value for field, value in out.items() if field not in (*apart, *WORDS)}


def decided(value: Any) -> Any:
    """Return a value without the fields that hold words for people."""
    if isinstance(value, dict):
        return {field: decided(inner) for field, inner in value.items() if field not in WORDS}
    return [decided(inner) for inner in value] if isinstance(value, list) else value


def clauses_apart(before: list[Answer], after: list[Answer]) -> Iterator[str]:
    """Yield how the clauses of one entry differ, apart from their texts.

    New answers may have more clauses, but must hold the old clauses' verdicts in the same order.
    """
    was, now = ([clause["met"] for clause in clauses] for clauses in (before, after))
    if len(now) < len(was):
        yield "clauses: fewer"
    elif not is_within(was, now):
        yield "clauses: met otherwise"
    elif len(now) > len(was):
        yield "clauses: more"
    elif decided(before) != decided(after):
        yield "clauses: other facts"


def is_within(some: Iterable[Any], others: Iterable[Any]) -> bool:
    """Return whether all of `some` appear in `others`, in the same order."""
    rest = iter(others)
    return all(any(one is other for other in rest) for one in some)


def pairs(old: Path, new: Path) -> Iterator[tuple[Row, Row]]:
    """Yield the rows of the records that are in both files."""
    shared = set(names_in(old)) & set(names_in(new))
    waiting: dict[str, Row] = {}
    for both in itertools.zip_longest(rows_of(old, shared), rows_of(new, shared)):
        for is_new, row in enumerate(both):
            if row is None:
                continue
            other = waiting.pop(row.name, None)
            if other is None:
                waiting[row.name] = row
            else:
                yield (other, row) if is_new else (row, other)


def rows_of(path: Path, names: set[str]) -> Iterator[Row]:
    for line in lines_in(path):
        if msgspec.json.decode(line, type=Name).name in names:
            yield msgspec.json.decode(line, type=Row)


# The commands.


@click.group(help=__doc__)
def main() -> None:
    pass


@main.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--number", default=RANDOM_RECORDS, help="How many records.")
def records(out: Path, number: int) -> None:
    """Write random records to OUT."""
    from benchmarks.random_matches import random_matches

    rows = (Record(name, text, EXPLAINED) for name, text in random_matches(number))
    out.write_bytes(
        gzip.compress(b"".join(msgspec.json.encode(row) + b"\n" for row in rows), mtime=0)
    )


@main.command()
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--first", type=int, help="Only so many of the corpus; 0: fixtures alone.")
@click.option("--jobs", default=1, help="How many processes work at it.")
@click.option(
    "--fixtures", default="fixtures/matches", type=click.Path(exists=True, path_type=Path)
)
def freeze(corpus: Path, out: Path, first: int | None, jobs: int, fixtures: Path) -> None:
    """Write what the commands answer to the fixtures and to CORPUS into OUT."""
    of_corpus = itertools.islice(lines_in(corpus), first)
    given_to = [*fixtures_in(fixtures), *map(partial(msgspec.json.decode, type=Record), of_corpus)]
    done = set(names_in(out))
    left = [record for record in given_to if record.name not in done]
    with Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool, out.open("ab") as file:
        rows = track(pool.imap(frozen, left), "Freezing", len(left), console=Console(stderr=True))
        for row in rows:
            file.write(row)
            file.flush()


@main.command()
@click.argument("old", type=click.Path(exists=True, path_type=Path))
@click.argument("new", type=click.Path(exists=True, path_type=Path))
@click.option("--show", default=0, help="Name so many records of each kind of difference.")
@click.option("--record", "name", help="Print all that differs in this record.")
def compare(old: Path, new: Path, show: int, name: str | None) -> None:
    """Count what differs between OLD and NEW. The exit status is 1 when decisions or met clauses
    differ.
    """
    found: dict[str, dict[str, str]] = {}
    compared = changed = 0
    for before, after in pairs(old, new):
        if before.name == name:
            print_record(before, after)
        if before.digest != after.digest:
            changed += 1
            continue
        compared += 1
        kinds = list(differences(before, after))
        only_words = all(kind == "wording alone" for kind, _ in kinds)
        for kind, asked in kinds:
            if kind != "wording alone" or only_words:
                found.setdefault(kind, {}).setdefault(before.name, asked)
    print_counts(found, show)
    click.echo(f"{compared} records compared; {changed} records were changed themselves.")
    raise SystemExit(int(any(kind not in HARMLESS for kind in found)))


def print_counts(found: Mapping[str, Mapping[str, str]], show: int) -> None:
    table = Table("what differs", "records")
    for kind in sorted(found, key=lambda kind: (kind in HARMLESS, kind)):
        table.add_row(kind, str(len(found[kind])))
    Console().print(table if found else "Nothing differs.")
    for kind, examples in found.items():
        for example, asked in itertools.islice(examples.items(), show):
            click.echo(f"{kind}: {example} ({asked})")


def print_record(before: Row, after: Row) -> None:
    for asked in dict.fromkeys((*before.answers, *after.answers)):
        was, now = (
            json.dumps(row.answers.get(asked), indent=2, ensure_ascii=False).splitlines()
            for row in (before, after)
        )
        for line in difflib.unified_diff(was, now, f"old {asked}", f"new {asked}", lineterm=""):
            click.echo(line)


if __name__ == "__main__":
    main()
