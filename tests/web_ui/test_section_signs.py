"""The sections of the rules are named in the Look."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from benchmarks.chromium import Page

Show = Callable[[Path], Page]

SETUP = {
    "entry": "setup",
    "format": "piecepack-match/1",
    "game": "tabletop-croquet",
    "players": [{"name": "Ann", "coin": "moons"}, {"name": "Ben", "coin": "suns"}],
}
#: Ann flicks and passes wicket 1, then flicks and passes nothing. It is Ben's turn, and he flicks.
ENTRIES = [
    {"id": "f1", "kind": "flicked", "coin": "moons"},
    {
        "id": "i1",
        "kind": "line_crossed",
        "coin": "moons",
        "line": "wicket-1",
        "direction": "outward",
    },
    {"id": "e1", "kind": "at_rest", "coins": {"moons": [400, 10]}},
    {"id": "f2", "kind": "flicked", "coin": "moons"},
    {"id": "e2", "kind": "at_rest", "coins": {"moons": [420, 10]}},
    {"id": "f3", "kind": "flicked", "coin": "suns"},
]


def test_only_the_look_shows_section_signs(show: Show, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    incidents = [{"entry": "incident", **one} for one in ENTRIES]
    record.write_text("".join(json.dumps(line) + "\n" for line in [SETUP, *incidents]))
    page = show(record)
    page.until("document.querySelectorAll('#calls > li').length > 3")
    signs = (
        "[...document.querySelectorAll('.call-rule')].filter((rule) =>"
        " getComputedStyle(rule, '::before').content.includes('§')).map((rule) =>"
        " Boolean(rule.closest('.look')))"
    )
    assert page.run(signs) == []
    page.run("document.querySelector('#calls .call .look-button').click()")
    page.until("document.querySelector('.look[open] .call-rule')")
    shown = page.run(signs)
    assert shown and all(shown)
