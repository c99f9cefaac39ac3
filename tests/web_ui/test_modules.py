"""How the modules of the page's scripts import each other."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "web_ui" / "static" / "js"
IMPORTED = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)"', re.MULTILINE)


def test_no_modules_import_each_other_in_a_circle() -> None:
    imports = {
        path: [(path.parent / name).resolve() for name in IMPORTED.findall(path.read_text("utf-8"))]
        for path in SCRIPTS.rglob("*.js")
    }
    assert sum(map(len, imports.values())) > 100
    # Raises CycleError, which lists the modules of the circle.
    TopologicalSorter(imports).prepare()
