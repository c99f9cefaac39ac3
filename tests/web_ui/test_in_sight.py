"""Whatever may be pressed next lies in the window without scrolling the page, in all six games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.followed import Show
from tests.web_ui.in_sight import RECORDS, SIZES, all_outside, outside

FLICK_ASKED = [
    {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "tabletop-croquet",
        "players": [
            {"name": name, "coin": coin}
            for name, coin in (
                ("Ann", "moons"),
                ("Ben", "suns"),
                ("Clara", "crowns"),
                ("Dora", "arms"),
            )
        ],
        "options": {},
    },
    *(
        {"id": f"i{n}", "entry": "incident", "kind": "placed", "coin": coin, "at_mm": [76.2, y]}
        for n, (coin, y) in enumerate((("moons", 5), ("suns", -15), ("crowns", 25), ("arms", -35)))
    ),
    {
        "id": "i5",
        "entry": "incident",
        "kind": "flicked",
        "coin": "moons",
        "touching": [],
        "probability": 0.6,
    },
    {"id": "i6", "entry": "incident", "kind": "at_rest", "coins": {}},
]


#: Fields of a question that lie partly below the part of it that is in sight.
CUT_FIELDS = """[...document.querySelectorAll(".attention :is(button, input, select)")]
  .filter((one) => one.getBoundingClientRect().bottom >
    one.closest(".attention").getBoundingClientRect().bottom)
  .map((one) => one.className)"""


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


def test_every_answer_to_whether_a_coin_was_flicked_is_in_sight(show: Show, tmp_path: Path) -> None:
    """Four players, so that the list of other coins has three."""
    path = tmp_path / "record.jsonl"
    path.write_text("\n".join(map(json.dumps, FLICK_ASKED)) + "\n")
    page = show(path)
    page.until("document.querySelector('.answer-other select')")
    for size in SIZES[1:]:
        assert outside(page, size) == []
        assert page.run(CUT_FIELDS) == []
