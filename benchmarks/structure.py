"""Measures how large the parts of the code are, and how they depend on each other.

  python -m benchmarks.structure > benchmarks/structure.txt

A function's body is its lines after the docstring. A nested function counts in its outer one and
separately. Complexity is McCabe's, as ruff counts it. Importers and edges are those of
`tests/test_architecture.py`: of `calibration`, `referee` and `web_ui`, including imports inside
functions.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.arguments import Arguments
from tests.module_imports import MODULES, PACKAGES, ROOT, ours, package_of
from tests.test_architecture import IMPORTS, edges

GROUPS = {"code": PACKAGES, "tests": ("tests",), "benchmarks": ("benchmarks",)}
COLUMNS = 100
#: A module that only one other imports, and that is shorter than this, may not hold an idea of its
#: own.
SHORT_LINES = 90


class Sized(NamedTuple):
    """Something that has a size: a file or a function's body in lines, a function's complexity."""

    size: int
    where: str


def python_files(folders: Sequence[str]) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def files(folders: Sequence[str]) -> list[Sized]:
    """Return every Python file of these folders, with its number of lines."""
    return [Sized(lines_of(path), name_of(path)) for path in python_files(folders)]


def too_wide(folders: Sequence[str]) -> list[Sized]:
    """Return lines wider than 100 columns, with their width."""
    return [
        Sized(len(line), f"{name_of(path)}:{number}")
        for path in python_files(folders)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > COLUMNS
    ]


def bodies(folders: Sequence[str]) -> list[Sized]:
    return [body for path in python_files(folders) for body in bodies_in(path)]


def bodies_in(path: Path) -> Iterator[Sized]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Sized(body_lines(node), f"{name_of(path)}: {node.name}")


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function after its signature and docstring; 0 where there are
    none.
    """
    begun = 1 if ast.get_docstring(function) is not None else 0
    if len(function.body) == begun:
        return 0
    return (function.end_lineno or 0) - function.body[begun].lineno + 1


def complexities(folders: Sequence[str]) -> list[Sized]:
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "C901", "--exit-zero"]
    limit = ["--config", "lint.mccabe.max-complexity = 0", "--output-format", "json"]
    said = subprocess.run(
        [*ruff, *limit, *folders], cwd=ROOT, check=True, capture_output=True, timeout=60
    ).stdout
    found = []
    for finding in json.loads(said):
        name, size = re.findall(r"`(.+)` is too complex \((\d+) > 0\)", finding["message"])[0]
        found.append(Sized(int(size), f"{name_of(Path(finding['filename']))}: {name}"))
    return found


def importers() -> dict[str, set[str]]:
    """Return each module of the code with the modules that import it."""
    found: dict[str, set[str]] = {module: set() for module in MODULES}
    for module, path in MODULES.items():
        for other in ours(path) & set(MODULES):
            found[other].add(module)
    return found


def row_of(what: str, sizes: Sequence[Sized]) -> str:
    ordered = sorted(sizes)
    longest = ordered[-1]
    middle, most = (ordered[round(share * (len(ordered) - 1))].size for share in (0.5, 0.95))
    return f"{what:28} {len(ordered):6} {middle:7} {most:7} {longest.size:7}  {longest.where}"


def longest_of(what: str, sizes: Sequence[Sized], above: int) -> Iterator[str]:
    many = sorted((one for one in sizes if one.size > above), reverse=True)
    yield f"{what} above {above}: {len(many)}"
    yield from (f"  {one.size:5}  {one.where}" for one in many)


def sizes_table() -> Iterator[str]:
    yield f"{'':28} {'count':>6} {'median':>7} {'95 %':>7} {'most':>7}"
    for group, folders in GROUPS.items():
        yield row_of(f"{group}: file lines", files(folders))
        yield row_of(f"{group}: function bodies", bodies(folders))
        yield row_of(f"{group}: complexity", complexities(folders))
    every = [folder for folders in GROUPS.values() for folder in folders]
    yield f"lines wider than {COLUMNS} columns: {len(too_wide(every))}"
    yield from longest_of("files with lines", files(every), 350)
    yield from longest_of("function bodies", bodies(every), 60)
    code, tests = (sum(one.size for one in files(GROUPS[group])) for group in ("code", "tests"))
    yield f"lines of tests for each line of code: {tests / code:.2f} ({tests} / {code})"


def modules_table() -> Iterator[str]:
    of_one = [
        module
        for module, who in importers().items()
        if len(who) == 1 and MODULES[module].name != "__init__.py"
    ]
    short = [module for module in of_one if lines_of(MODULES[module]) < SHORT_LINES]
    yield f"modules of one importer: {len(of_one)}, under {SHORT_LINES} lines: {len(short)}"
    held = Counter(
        package_of(module) for module, path in MODULES.items() if path.name != "__init__.py"
    )
    yield f"packages: {len(held)}, modules in the largest: {max(held.values())}"
    yield f"edges between packages besides the nouns: {sum(map(len, edges().values()))}"
    yield f"cycles between packages: {len(cyclic(edges()))}"
    yield ""
    yield f"{'package':32} {'modules':>7} {'imports':>8}"
    for package in sorted(edges()):
        yield f"{package:32} {held[package]:7} {len(IMPORTS.get(package, ())):8}"


def cyclic(graph: dict[str, dict[str, str]]) -> set[str]:
    """Return the packages that import themselves through others."""
    reached = {package: set(others) for package, others in graph.items()}
    for through in graph:
        for package in graph:
            if through in reached[package]:
                reached[package] |= reached[through]
    return {package for package in graph if package in reached[package]}


def main(arguments: Sequence[str] | None = None) -> None:
    Arguments("structure", __doc__).parse_args(arguments)
    print("\n".join([*sizes_table(), "", *modules_table()]))


if __name__ == "__main__":
    main()
