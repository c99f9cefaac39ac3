"""Reads mutated YAML files of all four kinds: `python -m benchmarks.fuzz_yaml [--files N]
[--seed S] [--write FILE]`. Each must be read, or refused in one line that names the file.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import track

from benchmarks.arguments import Arguments, positive
from benchmarks.match_runs import CLIP, prepared
from calibration.store.piece_store import read_pieces
from calibration.store.store import read_camera, read_table
from referee.domain.errors import InputError
from referee.session.match_file import read_match

FILES: Final = 23_000
LONGEST_S: Final = 2.0  # a file must be read or refused within this time
#: What is written into a file in the place of something else.
SPLINTERS: Final = (
    "!!bool x", "!!timestamp x", "!!int x", "!!float x", "!!binary x", "!!set {a}", "!!omap [a]",
    "!!python/object:os.system x", "&a", "*a", "<<: *a", "? [a]", "{", "}", "[", "]", ":", "- ",
    "| ", "'", '"', "%", "@", "\t", "\0", "\x85", "\ud7ff", ".nan", ".inf", "-.inf", "1e999", "0x",
    "9" * 400, "~", "null", "2001-01-01", "1:60", "yes", "x" * 2000, "[" * 200, "- " * 200,
)  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """Return a text with one to four places changed."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        begin = chance.randrange(len(text) + 1)
        end = min(len(text), begin + chance.choice((0, 0, 1, 3, 10, 40)))
        small = chance.choice((text[begin : begin + 30], "", chance.choice("0129.-ae ,:#")))
        new = small if chance.random() < 0.6 else chance.choice(SPLINTERS)
        text = text[:begin] + new + text[end:]
    return text


def main() -> int:
    """Read all files, and print how many were read and refused. Return 1 for a traceback."""
    parser = Arguments("fuzz_yaml", __doc__)
    parser.add_argument("--files", type=positive, default=FILES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    chance, counts = random.Random(given.seed), Counter[str]()
    with tempfile.TemporaryDirectory() as work:
        inputs = prepared(Path(work) / "inputs")
        kinds: list[tuple[Path, Callable[[Path], Any]]] = [
            (CLIP / "match.yaml", read_match),
            (inputs.folder / "table.yaml", read_table),
            (CLIP / "camera.yaml", read_camera),
            (inputs.folder / "pieces.yaml", read_pieces),
        ]
        texts = [(path.read_text(encoding="utf-8"), read) for path, read in kinds]
        for number in track(range(given.files), "Reading", console=Console(stderr=True)):
            text, read = texts[number % len(texts)]
            path = Path(work) / "mutated.yaml"
            path.write_bytes(mutated(text, chance).encode("utf-8", "surrogatepass"))
            counts[_outcome(path, read)] += 1
    found = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    line = f"{given.files} mutated YAML files of seed {given.seed}: {found}"
    print(line)
    if given.write:
        given.write.write_text(line + "\n", encoding="utf-8")
    return int(any(outcome.startswith("WRONG") for outcome in counts))


def _outcome(path: Path, read: Callable[[Path], Any]) -> str:
    began_s = time.monotonic()
    try:
        read(path)
        outcome = "read"
    except InputError as error:
        line = str(error)
        sound = line.startswith(str(path)) and "\n" not in line
        outcome = "refused" if sound else f"WRONG line: {line[:200]!r}"
    except Exception:  # noqa: BLE001 - what is searched for
        outcome = f"WRONG {traceback.format_exc(limit=-3)}"
    return outcome if time.monotonic() - began_s < LONGEST_S else f"WRONG slow, {outcome}"


if __name__ == "__main__":
    sys.exit(main())
