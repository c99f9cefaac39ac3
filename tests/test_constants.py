"""A constant is defined once: no module sets it twice, and the modules of a package give one name
one value.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.tuned_numbers import PARTS, UNSAID, constants, holds_number, numbers

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("calibration", "referee", "web_ui")
FOLDERS = sorted({path.parent for name in PACKAGES for path in (ROOT / name).rglob("*.py")})
per_package = pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT))
)


def twice_in_module(text: str) -> list[str]:
    """Return the constants that a module's text sets more than once."""
    count = Counter(name for name, _, _ in constants(ast.parse(text)))
    return [name for name, times in count.items() if times > 1]


def not_final(text: str) -> list[str]:
    """Return the constants of a module's text that mypy would let somebody set anew."""
    return [
        name
        for name, statement, value in constants(ast.parse(text))
        if not (
            isinstance(statement, ast.AnnAssign) and "Final" in ast.unparse(statement.annotation)
        )
        and not ast.unparse(value).startswith("TypeVar(")
    ]


def unread(text: str) -> set[str]:
    """Return the constants that a module's text sets and never reads."""
    tree = ast.parse(text)
    read = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return {name for name, _, _ in constants(tree)} - read - {"__all__"}


def unlike(texts: dict[str, str]) -> dict[str, set[str]]:
    """Return the constants with a number in them to which modules (name to text) give different
    values.
    """
    values: dict[str, set[str]] = {}
    for text in texts.values():
        for name, _, value in constants(ast.parse(text)):
            if holds_number(value):
                values.setdefault(name, set()).add(ast.unparse(value))
    return {name: given for name, given in values.items() if len(given) > 1}


@per_package
def test_no_module_sets_a_constant_twice(folder: Path) -> None:
    for path in folder.glob("*.py"):
        assert not twice_in_module(path.read_text(encoding="utf-8")), path.name


@per_package
def test_a_constant_has_one_value_in_a_package(folder: Path) -> None:
    assert not unlike({p.stem: p.read_text(encoding="utf-8") for p in folder.glob("*.py")})


@pytest.mark.parametrize("part", PARTS)
def test_every_named_number_says_what_stands_behind_it(part: str) -> None:
    unsaid = [n for n in numbers(part) if n.name and n.behind == UNSAID]
    assert not unsaid, "say whether it was measured, chosen, or tuned: see benchmarks/tuned_numbers"


def test_every_constant_is_read() -> None:
    """In its module or, by its name, in another one, a test or a benchmark."""
    code = {path: path.read_text("utf-8") for folder in FOLDERS for path in folder.glob("*.py")}
    others = [path for name in ("tests", "benchmarks") for path in (ROOT / name).rglob("*.py")]
    words = Counter[str]()
    for text in [*code.values(), *(path.read_text("utf-8") for path in others)]:
        words.update(set(re.findall(r"\w+", text)))
    alone = {
        f"{path.stem}.{name}"
        for path, text in code.items()
        for name in unread(text)
        if name.startswith("_") or words[name] == 1
    }
    assert not alone, "nobody reads these"


def test_a_constant_that_nobody_reads_is_found() -> None:
    assert unread("A: Final = 1\nB: Final = A + 1\n") == {"B"}


@per_package
def test_every_constant_is_final(folder: Path) -> None:
    for path in folder.glob("*.py"):
        assert not not_final(path.read_text(encoding="utf-8")), path.name


def test_a_constant_that_is_not_final_is_found() -> None:
    assert not_final("NEAR_MM: float = 5.0\nA, B = 1, 2") == ["NEAR_MM", "A", "B"]
    assert not not_final("NEAR_MM: Final = 5.0\nT = TypeVar('T')\nAll: TypeAlias = int")


def test_a_constant_set_twice_is_found() -> None:
    assert twice_in_module("NEAR_MM = 5.0\nFAR_MM: Final = 6.0\nNEAR_MM: Final = 7.0") == [
        "NEAR_MM"
    ]
    assert twice_in_module("NEAR_MM, FAR_MM = 5.0, 6.0") == []


def test_two_values_of_one_name_are_found() -> None:
    same, other = "NEAR_MM: Final = 5.0", "NEAR_MM: Final = 6.0"
    assert unlike({"a": same, "b": other}) == {"NEAR_MM": {"5.0", "6.0"}}
    assert unlike({"a": same, "b": same}) == {}


def test_literals_in_functions_are_counted_but_for_trivial_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.tuned_numbers.ROOT", tmp_path)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "module.py").write_text(
        "\n".join(
            (
                "# Tuned on our own clips.",
                "",
                "NEAR_MM = 5.0",
                "# the same beside a hand",
                "# Measured: over 19 clips",
                "HAND_MM = 7.0",
                "BOTH_MM = NEAR_MM + HAND_MM",
                "",
                "def far(at: float) -> bool:",
                "    return 0.5 * at > 3.25 + 2.0 * NEAR_MM * 1000.0",
            )
        )
    )
    found = [(n.name, n.value, n.behind) for n in numbers("part")]
    assert found == [
        ("NEAR_MM", "5.0", "tuned"),
        ("HAND_MM", "7.0", "measured"),
        ("", "3.25", "unsaid"),
    ]
