"""Reverses each condition that the rules check, and shows which of them change decisions.

  python -m benchmarks.mutate_rules [GAME ...]

A rule asks a condition through `Reasons`, which records it for the explanation. This program
reverses the answer of one condition, also in the recorded reasons. It replays the fixtures that ask
the condition, and compares what the rules decide. A condition that changes no decision appears in
explanations but decides nothing. A condition that no fixture asks is not tried.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.entry import Entry
from referee.domain.errors import InputError
from referee.games.clauses import EXPLAINED_BY
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate

ROOT: Final = Path(__file__).resolve().parent.parent
MATCHES: Final = ROOT / "fixtures" / "matches"
#: The methods of `Reasons` with which rules ask.
ASKING: Final = ("holds", "fails", "succeeds")
#: What rules may raise when a condition is reversed and they meet an impossible state. That counts
#: as a changed decision.
RAISED: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    StopIteration,
    TypeError,
    ValueError,
)

Records = Mapping[str, tuple[Entry, ...]]
Decision = tuple[Any, ...] | str


def rules_of(game: str) -> Path:
    """Return the folder of the game's rules."""
    return ROOT.joinpath(*EXPLAINED_BY[game].split(".")[:-1])


def codes_in(rules: Path) -> dict[str, list[str]]:
    """Return the conditions that the rules in a folder ask, each with the places where they do."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(rules.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=method) | ast.Name(id=method),
                    args=[ast.Constant(value=str(code)), *_],
                ) if method in ASKING:
                    found[code].append(f"{path.name}:{node.lineno}")
    return dict(found)


def fixtures_of(rules: Path) -> Records:
    """Return the fixtures of the games that these rules are for, by name."""
    paths = (
        path
        for game in EXPLAINED_BY
        if rules_of(game) == rules
        for path in sorted((MATCHES / game).glob("*.jsonl"))
    )
    found = {}
    for path in paths:
        try:
            found[f"{path.parent.name}/{path.stem}"] = read_record(path)
        except InputError:
            continue  # a record that is refused has no decisions
    return found


def decided(entries: tuple[Entry, ...]) -> Decision:
    """Return what the rules decide, without the words of the calls."""
    try:
        result = adjudicate(entries).as_json()
    except RAISED as error:
        return type(error).__name__
    return tuple(json.dumps(_wordless(value), sort_keys=True) for value in result.values())


def _wordless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _wordless(one) for key, one in value.items() if key not in ("text", "told")}
    return [_wordless(one) for one in value] if isinstance(value, list) else value


@contextmanager
def answering(change: Callable[[str, bool | None], bool | None]) -> Iterator[None]:
    """Let `change` replace the answer of every condition: it gets the condition's code and true
    answer, and the rules use and record what it returns.
    """
    kinds = (Reasons, type(NO_REASONS))
    originals = [kind.holds for kind in kinds]
    for kind, original in zip(kinds, originals, strict=True):
        kind.holds = _changed(original, change)  # type: ignore[method-assign]
    try:
        yield
    finally:
        for kind, original in zip(kinds, originals, strict=True):
            kind.holds = original  # type: ignore[method-assign]


def _changed(original: Any, change: Callable[[str, bool | None], bool | None]) -> Any:
    def holds(self: Reasons, code: str, met: bool | None, *details: Any) -> bool:
        return bool(original(self, code, change(code, met), *details))

    return holds


def turned(code: str) -> Callable[[str, bool | None], bool | None]:
    """Return a change that reverses the answers to one condition. An unknown answer stays
    unknown.
    """
    return lambda asked, met: not met if asked == code and met is not None else met


def asked_by(records: Records) -> tuple[dict[str, list[str]], dict[str, Decision]]:
    """Return the fixtures that ask each condition, by its code, and what the rules decide in
    each.
    """
    asking: dict[str, list[str]] = defaultdict(list)
    decisions = {}
    for name, entries in records.items():
        codes = set[str]()

        def note(code: str, met: bool | None, codes: set[str] = codes) -> bool | None:
            codes.add(code)
            return met

        with answering(note):
            decisions[name] = decided(entries)
        for code in codes:
            asking[code].append(name)
    return dict(asking), decisions


def changes(code: str, entries: tuple[Entry, ...], before: Decision) -> bool:
    """Return whether the rules decide differently from `before` when a condition is reversed."""
    with answering(turned(code)):
        return decided(entries) != before


def deciding_nothing(rules: Path) -> tuple[set[str], set[str]]:
    """Return the conditions that fixtures ask and that change no decision, and those that no
    fixture asks.
    """
    records = fixtures_of(rules)
    asking, before = asked_by(records)
    idle = {
        code
        for code, names in asking.items()
        if not any(changes(code, records[name], before[name]) for name in names)
    }
    return idle, set(codes_in(rules)) - set(asking)


def rows(rules: Path) -> Iterator[tuple[str, str, int, int]]:
    """Yield each condition with where it is asked, in how many fixtures, and in how many of these
    the decision changes with it.
    """
    records, codes = fixtures_of(rules), codes_in(rules)
    asking, before = asked_by(records)
    for code in track(sorted({*codes, *asking}), rules.name, transient=True):
        names = asking.get(code, [])
        deciding = sum(changes(code, records[name], before[name]) for name in names)
        yield code, ", ".join(codes.get(code, ())), len(names), deciding


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(sorted(EXPLAINED_BY)))
def main(games: tuple[str, ...]) -> None:
    """Print every condition of the games' rules (all games by default). The status is 1 if a
    condition changes no decision.
    """
    idle = False
    for rules in dict.fromkeys(rules_of(game) for game in games or EXPLAINED_BY):
        table = Table("condition", "asked in", "fixtures", "decided otherwise", title=rules.name)
        for code, where, asked, deciding in rows(rules):
            idle |= bool(asked and not deciding)
            table.add_row(code, where, str(asked), str(deciding))
        Console().print(table)
    raise SystemExit(int(idle))


if __name__ == "__main__":
    main()
