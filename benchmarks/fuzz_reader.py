"""Tests the reader with mutated records. The reader must read each of them, or refuse it in one
clear line.

  python -m benchmarks.fuzz_reader [--records N] [--seed S] [--play] [--write FILE]

`--play` also adjudicates the records that could be read: no entry may ever raise. The command ends
with status 1 at the first traceback, and prints what caused it.
"""

from __future__ import annotations

import random
import re
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.arguments import Arguments, positive
from referee.domain.errors import InputError
from referee.record.problems import find_problems
from referee.record.reading import parse_record
from referee.replay.adjudication import adjudicate

MATCHES = Path(__file__).resolve().parents[1] / "fixtures" / "matches"
#: The form of every refusal.
LINE = re.compile(r"record: line \d+: [^\n\r\x00\u2028]+: [^\n\r\x00\u2028]+")
#: Values that are put where they do not belong.
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    7,
    10**30,
    -0.5,
    1e308,
    0.5,
    "",
    " ",
    "moons",
    "suns-3",
    "red",
    "i1",
    "#2",
    "setup",
    "r1+",
    "Ann",
    "null",
    "wicket-1",
    "gate-suns",
    "pocket-ne",
    "\x00",
    "a\nb",
    "é\u2028",
    "'",
    [],
    {},
    [0, 0],
    [[1, 2]],
    ["moons"],
    {"moons": [0, 0]},
    {"moons": "suns"},
    {"id": "i1"},
    {"entry": "incident", "kind": "flicked", "coin": "moons"},
    {"entry": "declaration", "kind": "pass"},
    {"kind": "stop", "at": [1, 1]},
)
#: Names of fields, entries and kinds, so that many mutants look like real entries.
NAMES = (
    "entry",
    "kind",
    "id",
    "on",
    "after",
    "other",
    "verdict",
    "replacement",
    "then",
    "coin",
    "with",
    "line",
    "direction",
    "at_mm",
    "coins",
    "touching",
    "player",
    "players",
    "options",
    "game",
    "layout",
    "table_edge_mm",
    "probability",
    "frames",
    "t_s",
    "until",
    "pieces",
    "from_s",
    "to_s",
    "die",
    "face",
    "pawn",
    "from",
    "to",
    "path",
    "route",
    "choice",
    "winner",
    "option",
    "stroke",
    "walls",
    "pocket",
    "tile",
    "progress",
    "team",
    "tile_mm",
    "coin_mm",
    "on\n",
)
#: Keys that nobody expects.
KEYS = ("", "a\nb", "é\u2028", "\x00", "'", "moons", "suns", "0", "players[0]")
KINDS = (
    "flicked",
    "line_crossed",
    "contact",
    "left_table",
    "pocketed",
    "tile_displaced",
    "tile_restored",
    "at_rest",
    "placed",
    "rolled",
    "moved",
    "coin_flipped",
    "coin_turned",
    "unseen",
    "renamed",
    "surveyed",
    "after_hit",
    "rover",
    "leave",
    "croquet",
    "continuation",
    "shot",
    "special_shot",
    "disaster",
    "hold",
    "pass",
    "concede",
    "agreed",
    "challenge",
    "upheld",
    "overturned",
    "replaced",
    "added",
    "before",
)


def records() -> list[bytes]:
    """Return the records that are mutated: every scripted turn of every game."""
    return [path.read_bytes() for path in sorted(MATCHES.glob("*/*.jsonl"))]


def mutants(seeds: Sequence[bytes], number: int, seed: int) -> Iterator[bytes]:
    """Yield `number` mutated records, the same for the same seed."""
    chance = random.Random(seed)
    for _ in range(number):
        content = chance.choice(seeds)
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            content = chance.choice(WAYS)(content, chance, seeds)
        yield content


def fault_of(content: bytes, *, play: bool = False) -> str | None:
    """Return what went wrong when a record was read: a traceback, or a refusal that is not one
    clear line. None if nothing went wrong.
    """
    try:
        entries = parse_record(content)
    except InputError as error:
        if LINE.fullmatch(str(error)) is None:
            return f"a refusal that is no clear line: {str(error)!r}"
        return (
            None
            if not find_problems(content).is_sound
            else f"check finds nothing where the reader says {error}"
        )
    except Exception:  # noqa: BLE001 - this is what the test searches for
        return traceback.format_exc()
    if not play:
        return None
    try:
        adjudicate(entries)
    except InputError:
        return None
    except Exception:  # noqa: BLE001 - and this
        return traceback.format_exc()
    return None


def _bytes(content: bytes, chance: random.Random, _seeds: Sequence[bytes]) -> bytes:
    """Change, remove or insert a few bytes."""
    mutant = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(mutant) + 1)
        how = chance.randrange(4)
        if how == 0 and mutant:
            mutant[at - 1] = chance.randrange(256)
        elif how == 1:
            del mutant[at : at + chance.randint(1, 12)]
        elif how == 2:
            mutant[at:at] = chance.choice(
                (
                    b'"',
                    b"{",
                    b"}",
                    b"\n",
                    b"[",
                    b",",
                    b"null",
                    b"1e999",
                    b"NaN",
                    b"\xff",
                    b"\\u0000",
                    b"\r",
                    b"-",
                )
            )
        else:
            mutant[at:at] = mutant[at : at + chance.randint(1, 40)]
    return bytes(mutant)


def _lines(content: bytes, chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Remove, repeat, exchange or cut lines, or take one from another record."""
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(5)
    if how == 0:
        del lines[one]
    elif how == 1:
        lines.insert(other, lines[one])
    elif how == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif how == 3:
        return content[: chance.randrange(len(content) + 1)]
    else:
        lines.insert(
            other, chance.choice(chance.choice(seeds).splitlines(keepends=True) or [b"\n"])
        )
    return b"".join(lines)


def _values(content: bytes, chance: random.Random, _seeds: Sequence[bytes]) -> bytes:
    """Change one value somewhere inside one entry."""
    lines = content.splitlines(keepends=True)
    at = chance.randrange(len(lines)) if lines else 0
    try:
        entry = msgspec.json.decode(lines[at])
    except (IndexError, ValueError):
        return content
    lines[at] = msgspec.json.encode(_changed(entry, chance)) + b"\n"
    return b"".join(lines)


def _changed(value: Any, chance: random.Random) -> Any:
    """Return the value with one change: another value in its place, or a change of something inside
    it.
    """
    if isinstance(value, dict) and value and chance.random() < 0.85:
        name = chance.choice([*value, chance.choice(NAMES)])
        if chance.random() < 0.05:
            return {
                (chance.choice(KEYS) if key == name else key): inner for key, inner in value.items()
            }
        if chance.random() < 0.15:
            return {key: inner for key, inner in value.items() if key != name}
        return {**value, name: _changed(value.get(name), chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        return [*value[:at], _changed(value[at], chance), *value[at + chance.randrange(2) :]]
    return chance.choice((chance.choice(ODD), chance.choice(KINDS), chance.choice(NAMES)))


WAYS = (_bytes, _lines, _values, _values, _values)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Arguments("fuzz_reader", __doc__)
    parser.add_argument("--records", type=positive, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", action="store_true", help="also adjudicate what could be read")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args(arguments)
    begun_s = time.perf_counter()
    for number, content in enumerate(mutants(records(), given.records, given.seed), start=1):
        fault = fault_of(content, play=given.play)
        if fault is not None:
            print(f"record {number} of seed {given.seed}: {fault}\n{content!r}")
            return 1
        if number % 100_000 == 0:
            print(f"{number} records, {time.perf_counter() - begun_s:.0f} s", flush=True)
    line = (
        f"{given.records} mutated records of seed {given.seed}: none with a traceback,"
        f" {time.perf_counter() - begun_s:.0f} s"
    )
    print(line)
    if given.write:
        given.write.write_text(line + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
