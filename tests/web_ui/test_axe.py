"""axe-core finds no serious fault in the page, on a phone and on a television."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.web_ui import scenes
from tests.web_ui.followed import PHONE, TELEVISION, Show, record

AXE = Path(__file__).parents[2] / "web_ui" / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = "they need axe-core. To run them, call npm ci in web_ui and test again."
SERIOUS = (
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations"
    ".filter(({ impact }) => impact === 'serious' || impact === 'critical')"
    ".map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))"
)

pytestmark = pytest.mark.skipif(not AXE.exists(), reason=NO_AXE)


@pytest.mark.parametrize("size", [PHONE, TELEVISION])
@pytest.mark.parametrize("moment", ["watching", "moving", "question", "naming", "finished"])
def test_axe_finds_no_serious_fault(
    page: Page, feed: Feed, moment: str, size: tuple[int, int]
) -> None:
    scenes.publish(feed, moment)
    page.resize(*size, phone=size == PHONE)
    page.until(f"innerWidth === {size[0]} && document.querySelector('.turn-name, .bar-doing')")
    page.settle()
    assert faults(page) == []


@pytest.mark.parametrize("size", [PHONE, TELEVISION])
def test_axe_finds_no_serious_fault_in_a_look(
    page: Page, feed: Feed, size: tuple[int, int]
) -> None:
    scenes.publish(feed, "watching")
    page.resize(*size, phone=size == PHONE)
    page.until(f"innerWidth === {size[0]} && document.querySelector('#calls .look-button')")
    page.run("document.querySelector('#calls .look-button').click()")
    page.until("document.querySelector('dialog .look-shown')")
    page.settle()
    assert faults(page) == []


@pytest.mark.parametrize("size", [PHONE, TELEVISION])
@pytest.mark.parametrize(
    ("game", "lines"),
    [("wickets-six", 2), ("wickets-six", 3), ("carroms", 4), ("tabletop-croquet", 5)],
)
def test_axe_finds_no_serious_fault_where_people_enter_by_hand(
    show: Show, tmp_path: Path, game: str, lines: int, size: tuple[int, int]
) -> None:
    page = show(record(tmp_path, game, "whole-game", lines))
    page.resize(*size, phone=size == PHONE)
    page.until(f"innerWidth === {size[0]} && document.querySelector('.asked button')")
    page.settle()
    assert faults(page) == []


def test_a_serious_fault_is_found(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "watching")
    page.until("document.querySelector('.turn-name')")
    page.run("document.body.append(document.createElement('button'))")
    assert [fault.partition(":")[0] for fault in faults(page)] == ["button-name"]


def faults(page: Page) -> list[str]:
    page.run(AXE.read_text(encoding="utf-8") + ";undefined")
    return list(page.run(SERIOUS))
