"""Whatever may be pressed next lies in the window without scrolling the page, in all six games."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.in_sight import RECORDS, SIZES, all_outside, outside


@pytest.mark.parametrize(("game", "name"), RECORDS)
def test_each_enabled_control_is_in_sight_in_every_state(
    window: Page, tmp_path: Path, game: str, name: str
) -> None:
    """Each state in one size of the window, in turn; `python -m tests.web_ui.in_sight` looks at
    each in all of them.
    """
    found = dict(all_outside(window, game, name, tmp_path, sizes_each=1))
    assert len(found) >= 4
    assert {where: words for where, words in found.items() if words} == {}


@pytest.mark.parametrize("moment", scenes.MOMENTS)
def test_each_answer_is_in_sight_where_a_camera_watches(
    window: Page, server: TableServer, feed: Feed, moment: str
) -> None:
    scenes.publish(feed, moment)
    window.open(server.url)
    window.until("document.querySelector('.turn-name')")
    assert [outside(window, size) for size in SIZES] == [[]] * len(SIZES)
