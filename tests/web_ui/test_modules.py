"""How the modules of the page's scripts import each other, and that each is checked in full."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

from benchmarks.chromium import Page

WEB_UI = Path(__file__).parents[2] / "web_ui"
SCRIPTS = WEB_UI / "static" / "js"
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)"', re.MULTILINE)
#: What keeps the checker of types from looking: its comments, and the type `any`.
UNCHECKED = re.compile(r"@ts-(?:ignore|nocheck|expect-error)|[{<|&(:,]\s*any\s*[]}>|&[),;]")


def test_no_modules_import_each_other_in_a_circle() -> None:
    imports = {
        path: [(path.parent / name).resolve() for name in IMPORTED.findall(path.read_text("utf-8"))]
        for path in SCRIPTS.rglob("*.js")
    }
    assert sum(map(len, imports.values())) > 100
    # Raises CycleError, which lists the modules of the circle.
    TopologicalSorter(imports).prepare()


def test_no_script_leaves_the_checker_out() -> None:
    sources = [*SCRIPTS.rglob("*.js"), *(WEB_UI / "types").glob("page*.d.ts")]
    assert len(sources) > 60
    assert [path.name for path in sources if UNCHECKED.search(path.read_text("utf-8"))] == []
    for loose in ("// @ts-ignore", "/** @type {any} */", "Record<string, any>", "{any[]} way"):
        assert UNCHECKED.search(loose)


def test_the_browser_keeps_no_script_on_the_disk(page: Page) -> None:
    """A file for each script of each server would take minutes to remove after the tests."""
    page.until("document.readyState === 'complete'")
    assert page.profile.is_dir()
    assert list(page.profile.rglob("*Cache*/**/*_0")) == []
