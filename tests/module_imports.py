"""Reads which module of ours imports what.

Imports inside functions and under TYPE_CHECKING count as well.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("calibration", "referee", "web_ui")


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules() -> dict[str, Path]:
    return {
        module_of(path): path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }


MODULES = modules()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """Return every module that a file names in an import. `from a import b` gives `a.b` where that
    is a module of ours.
    """
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else node.module


def within(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def package_of(module: str) -> str:
    """Return the package that contains a module of ours. For a package, return the package
    itself.
    """
    return module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]


@cache
def ours(path: Path) -> set[str]:
    return {name for name in imports_of(path) if name.split(".")[0] in PACKAGES}


def libraries(path: Path) -> set[str]:
    tops = {name.split(".")[0] for name in imports_of(path)}
    return tops - {*PACKAGES, *sys.stdlib_module_names, "_typeshed"}


def loaded_with(module: str, seen: set[str]) -> set[str]:
    """Return the module and all our modules that importing it loads. Imports inside functions do
    not count.
    """
    if module in seen or module not in MODULES:
        return seen
    seen.add(module)
    for name in module_level_imports(MODULES[module]):
        for i in range(1, len(name.split(".")) + 1):
            loaded_with(".".join(name.split(".")[:i]), seen)
    return seen


def module_level_imports(path: Path) -> Iterator[str]:
    tree = tree_of(path)
    top = ast.Module([n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)], [])
    for node in top.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
