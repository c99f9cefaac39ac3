"""Who may import whom. This list is the architecture: a new edge belongs here first, with a reason.

Parts are named by their longest matching prefix. Imports inside functions and under TYPE_CHECKING
count as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("calibration", "referee", "web_ui")

#: Frozen words everybody may use: no input or output, no pixels, no numpy.
NOUNS = frozenset(
    f"referee.{name}"
    for name in (
        "errors",
        "geometry",
        "pieces",
        "layout",
        "edge",
        "sighting",
        "path",
        "episode",
        "glimpse",
        "incident",
        "declaration",
        "call",
        "clause",
        "entry",
    )
)

#: Reading, writing and replaying a record: one part, modules side by side.
REPLAYING = frozenset(
    f"referee.{name}"
    for name in (
        "record",
        "record_check",
        "setup_check",
        "refusal",
        "record_file",
        "locking",
        "fold",
        "doubt",
        "ordering",
        "sequence",
        "between",
        "remembered",
        "earlier",
        "framing",
        "reaching",
        "shots",
        "told",
        "challenges",
        "adjudication",
        "answers",
        "comparing",
        "explaining",
        "problems",
        "notation",
        "explaining_flicks",
        "table_of_calls",
        "by_hand",
    )
)

#: What each part may import of ours, besides nouns and its own modules.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "nouns": frozenset(),
    "calibration": frozenset({"referee.yaml_input"}),
    "referee.yaml_input": frozenset(),
    "referee.match": frozenset({"referee.yaml_input", "referee.setup_check", "referee.games"}),
    "replaying": frozenset(
        {"referee.games", "referee.wording"}
    ),  # reading refuses what the record's game does not know; the fold asks its rules
    "referee.wording": frozenset({"referee.games"}),
    "referee.clips": frozenset(),
    "referee.archive": frozenset(),
    "referee.progress": frozenset(),
    "referee.feed": frozenset(),
    "referee.evidence": frozenset(),
    "referee.rulebook": frozenset({"referee.games"}),
    "referee.board_page": frozenset({"referee.games"}),
    "referee.ground": frozenset(
        {"referee.games"}
    ),  # the lawn and the boards are part of their games' rules
    "referee.lying": frozenset({"referee.ground", *REPLAYING}),
    "referee.growing": frozenset({"referee.games", *REPLAYING}),
    "referee.following": frozenset(
        {
            "referee.feed",
            "referee.evidence",
            "referee.ground",
            "referee.growing",
            "referee.lying",
            "referee.umpiring",
            *REPLAYING,
        }
    ),
    "referee.umpiring": frozenset({"referee.games", *REPLAYING}),
    "referee.serving": frozenset(),
    "referee.watch_options": frozenset({"referee.match"}),
    "referee.vision": frozenset({"calibration", "referee.clips"}),
    "referee.tracking": frozenset(),
    "referee.detectors": frozenset(),
    "referee.games": frozenset(),
    "referee.synthetic": frozenset({"calibration", "referee.yaml_input"}),
    "web_ui": frozenset({"referee.feed", "referee.archive", "referee.clips", *REPLAYING}),
    "referee.cli": frozenset({"referee.commands"}),
    "referee.__main__": frozenset({"referee.cli"}),
}
#: These see all stages.
SEES_ALL = ("referee.session", "referee.commands")

#: Which parts may import the heavy or telling libraries; everybody else may not.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "cv2": ("calibration", "referee.vision", "referee.synthetic", "referee.commands"),
    "av": ("calibration", "referee.vision", "referee.synthetic", "referee.clips"),
    "numpy": (
        "calibration",
        "referee.vision",
        "referee.tracking",
        "referee.detectors",
        "referee.synthetic",
        "referee.session",
        "referee.commands",
    ),
    "scipy": (
        "calibration",
        "referee.vision",
        "referee.tracking",
        "referee.detectors",
        "referee.synthetic",
    ),
    "flask": ("web_ui",),
    "waitress": ("referee.serving",),
    "click": ("referee.cli", "referee.commands", "referee.synthetic.__main__"),
    "rich": ("referee.progress", "referee.commands"),
}
#: What may be installed at all; pyproject.toml says why.
KNOWN_LIBRARIES = {*LIBRARIES, "yaml", "msgspec", "platformdirs"}


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


def imports_of(path: Path) -> Iterator[str]:
    """Every module a file names in an import, `from a import b` as `a.b` where that is a module of
    ours.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


def part_of(module: str) -> str:
    """The part a module belongs to, by the longest name in the lists."""
    if module in NOUNS:
        return "nouns"
    if module in REPLAYING:
        return "replaying"
    known = [part for part in (*MAY_IMPORT, *SEES_ALL) if within(module, part)]
    assert known, f"{module} belongs to no part: give it a line in {Path(__file__).name}"
    return max(known, key=len)


def ours(path: Path) -> set[str]:
    return {name for name in imports_of(path) if name.split(".")[0] in PACKAGES}


def libraries(path: Path) -> set[str]:
    import sys

    tops = {name.split(".")[0] for name in imports_of(path)}
    return {
        top
        for top in tops
        if top not in PACKAGES and top not in sys.stdlib_module_names and top != "_typeshed"
    }


@pytest.mark.parametrize("module", [m for m in MODULES if m != "referee"])
def test_a_module_imports_only_what_its_part_may(module: str) -> None:
    part = part_of(module)
    if part in SEES_ALL:
        return
    may = MAY_IMPORT[part]
    for name in ours(MODULES[module]):
        allowed = (
            name in NOUNS or part_of(name) == part or any(within(name, other) for other in may)
        )
        assert allowed, (
            f"{module} may not import {name}: {part} may import nouns and"
            f" {', '.join(sorted(may)) or 'nothing else'}"
        )


@pytest.mark.parametrize("module", MODULES)
def test_libraries_are_used_only_where_they_belong(module: str) -> None:
    for library in libraries(MODULES[module]):
        assert library in KNOWN_LIBRARIES, (
            f"{module} imports {library}, which the project does not list"
        )
        parts = LIBRARIES.get(library)
        assert parts is None or any(within(module, part) for part in parts), (
            f"{module} may not import {library}"
        )


def loaded_with(module: str, seen: set[str]) -> set[str]:
    """The module and all of ours that importing it loads (imports within functions left out)."""
    if module in seen or module not in MODULES:
        return seen
    seen.add(module)
    for name in module_level_imports(MODULES[module]):
        for i in range(1, len(name.split(".")) + 1):
            loaded_with(".".join(name.split(".")[:i]), seen)
    return seen


def module_level_imports(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = ast.Module([n for n in tree.body if isinstance(n, ast.Import | ast.ImportFrom)], [])
    for node in top.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


AT_ONCE = ("adjudicate", "rule", "what_if", "rules", "follow", "check", "export", "watch")


@pytest.mark.parametrize(
    "module",
    [
        "referee.cli",
        *(f"referee.commands.{name}" for name in AT_ONCE),
        "referee.record",
        "referee.fold",
    ],
)
def test_what_must_start_at_once_loads_nothing_heavy(module: str) -> None:
    loaded = loaded_with(module, set())
    heavy = {
        (m, name)
        for m in loaded
        for name in module_level_imports(MODULES[m])
        if name.split(".")[0] in {"cv2", "av", "numpy", "scipy", "flask"}
    }
    assert not heavy


def test_there_are_no_cycles() -> None:
    graph = {module: {n for n in ours(path) if n in MODULES} for module, path in MODULES.items()}
    done: set[str] = set()

    def walk(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, f"cycle: {' -> '.join((*trail[trail.index(module) :], module))}"
        if module not in done:
            for name in graph[module]:
                walk(name, (*trail, module))
            done.add(module)

    for module in graph:
        walk(module, ())


@pytest.mark.parametrize("module", MODULES)
def test_names_say_what_they_hold(module: str) -> None:
    assert not {"common", "utils", "util", "core", "helpers", "misc"} & set(module.split("."))


def test_tests_and_fixtures_are_no_packages() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
    assert not list((ROOT / "fixtures").rglob("*.py"))
