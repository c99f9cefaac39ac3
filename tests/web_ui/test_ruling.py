"""Ruling on the page: what a ruling would change is told in players' words before it is written, and what was something else is put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page, browser
from tests.web_ui.followed import Show, record, text
from tests.web_ui.pressing import press

pytestmark = pytest.mark.skipif(not browser(), reason="there is no browser here")


def look_at(page: Page, call: str) -> None:
    """Open the look at a call of this name."""
    button = f"document.querySelector('.call-{call} .look-button')"
    page.until(button)
    page.run(f"{button}.click()")


def test_of_a_player_with_two_balls_it_is_said_which(show: Show, tmp_path: Path) -> None:
    """Ann plays blue and black; blue went through the first wicket with both dice."""
    page = show(record(tmp_path, "wickets-six", "whole-game-two-players", 4))
    look_at(page, "wicket_scored")
    press(page, "See what changes", "dialog .rule:not(.adding .rule)")
    page.until("document.querySelector('dialog .difference')")
    rows = page.run("[...document.querySelectorAll('dialog .difference tbody tr')].map((row) => [...row.children].map((cell) => cell.innerText))")
    assert ["Ann's blue ball", "points", "1", "0"] in rows
    assert ["Ann's blue ball", "next step", "wicket 2", "wicket 1"] in rows
    assert "_" not in text(page, "dialog .difference")
