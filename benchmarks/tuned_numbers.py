"""Counts the numbers in the code of vision, tracking, detectors, domain and calibration, and says
where each comes from.

Usage: python -m benchmarks.tuned_numbers [--list]

A named number is a constant of a module (upper case) whose value holds a number literal. It counts
once, however many literals its value holds. A constant computed only from other constants does not
count. An unnamed number is a float literal in a function or in the default of a field or an
argument. Not counted are 0, 1, 2, 1/2, their negatives, powers of ten, 180 (degrees), and integers,
which count or index things.

A keyword in the comment above or beside a constant says where its value comes from:

  Measured: how, or the command that measures it       Rule: which rule or record format
  Source: a standard, a library, a textbook            By definition: geometry or arithmetic
  Chosen: a limit, a layout or a colour                Tuned on our own clips

A separate comment before a module's first constant, followed by an empty line, applies to every
constant of the module whose own comment has no keyword. An unnamed number has no comment and so
counts as unsaid. `--list` prints every number with its place and its comment.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from benchmarks.arguments import Arguments

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("referee/vision", "referee/tracking", "referee/detectors", "referee/domain", "calibration")
KEYWORDS = {
    "measured": re.compile(r"\bMeasured: "),
    "rule": re.compile(r"\bRule: "),
    "source": re.compile(r"\bSource: "),
    "definition": re.compile(r"\bBy definition: "),
    "chosen": re.compile(r"\bChosen: "),
    "tuned": re.compile(r"\bTuned on our own clips\b"),
}
UNSAID = "unsaid"
CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
TRIVIAL = {0.0, 0.5, 1.0, 2.0, 180.0} | {10.0**power for power in range(-15, 16)}


@dataclass(frozen=True)
class Number:
    """A number, its place in the code, and where it comes from. `name` is empty for an unnamed
    number.
    """

    path: str
    line: int
    name: str
    value: str
    behind: str
    comment: str


def constants(tree: ast.Module) -> Iterator[tuple[str, ast.stmt, ast.expr]]:
    """Yield the module's constants: name, statement and value, also where several are set at
    once.
    """
    for statement in tree.body:
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets: list[ast.expr] = [statement.target]
        elif isinstance(statement, ast.Assign):
            targets = list(statement.targets)
        else:
            continue
        assert statement.value is not None
        for target in targets:
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and CONSTANT.fullmatch(node.id):
                    yield node.id, statement, statement.value


def holds_number(value: ast.expr) -> bool:
    """Return whether a value has a number literal in it."""
    return any(
        isinstance(node, ast.Constant) and type(node.value) in (int, float)
        for node in ast.walk(value)
    )


def said_of(statement: ast.stmt, lines: list[str]) -> str:
    """Return the comment above a constant and the comments beside its lines."""
    before = reversed(lines[: statement.lineno - 1])
    above = reversed(list(takewhile(lambda line: line.startswith("#"), before)))
    own = lines[statement.lineno - 1 : statement.end_lineno]
    beside = (line.partition("  # ")[2] for line in own)
    return " ".join(part.lstrip("#: ") for part in [*above, *beside] if part)


def behind(comment: str) -> str | None:
    """Return where a number comes from, by its comment; None if the comment does not say."""
    return next((kind for kind, word in KEYWORDS.items() if word.search(comment)), None)


def spoken_for(tree: ast.Module, lines: list[str]) -> str:
    """Return what the module's first comment says about constants whose own comments say
    nothing.
    """
    first = next((statement.lineno for _, statement, _ in constants(tree)), 1)
    paragraphs = "\n".join([*lines[: first - 1], ""]).split("\n\n")[:-1]
    found = [behind(p) for p in paragraphs if p.lstrip().startswith("#")]
    return next((kind for kind in found if kind is not None), UNSAID)


def named(path: str, tree: ast.Module, lines: list[str]) -> Iterator[Number]:
    """Yield the module's named numbers."""
    otherwise = spoken_for(tree, lines)
    for name, statement, value in constants(tree):
        if holds_number(value):
            comment = said_of(statement, lines)
            kind = behind(comment) or otherwise
            yield Number(path, statement.lineno, name, ast.unparse(value), kind, comment)


def unnamed(path: str, tree: ast.Module) -> Iterator[Number]:
    """Yield the module's unnamed numbers."""
    inside = (s for s in tree.body if isinstance(s, ast.FunctionDef | ast.ClassDef))
    for node in (node for statement in inside for node in ast.walk(statement)):
        literal = isinstance(node, ast.Constant) and isinstance(node.value, float)
        if literal and node.value not in TRIVIAL:
            yield Number(path, node.lineno, "", repr(node.value), UNSAID, "")


def numbers(part: str) -> list[Number]:
    """Return all numbers of a part of the program, with the named ones first in each module."""
    found: list[Number] = []
    for file in sorted((ROOT / part).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        tree, lines = ast.parse(text), text.splitlines()
        path = str(file.relative_to(ROOT))
        found += [*named(path, tree, lines), *unnamed(path, tree)]
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the counts, and with --list every number. Return the exit status."""
    parser = Arguments("tuned_numbers", __doc__)
    parser.add_argument("--list", action="store_true", help="also print every number")
    options = parser.parse_args(arguments)
    kinds = (*KEYWORDS, UNSAID)
    print(f"{'':18} {'named':>6} " + " ".join(f"{k:>10}" for k in kinds) + f" {'unnamed':>8}")
    every: list[Number] = []
    for part in PARTS:
        mine = numbers(part)
        every += mine
        print(row(part, mine, kinds))
    print(row("all", every, kinds))
    if options.list:
        for n in every:
            print(f"{n.path}:{n.line}: {n.name or 'unnamed'} = {n.value} [{n.behind}] {n.comment}")
    return 0


def row(part: str, mine: list[Number], kinds: tuple[str, ...]) -> str:
    """Return one line of the table: the named numbers counted by where they come from, and the
    unnamed numbers.
    """
    count = Counter(n.behind for n in mine if n.name)
    figures = " ".join(f"{count[kind]:>10}" for kind in kinds)
    return f"{part:18} {count.total():>6} {figures} {sum(not n.name for n in mine):>8}"


if __name__ == "__main__":
    raise SystemExit(main())
