"""A place on the drawn table is chosen with the arrow keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.web_ui.followed import Show, record, text
from tests.web_ui.keys import key, keys
from tests.web_ui.pressing import entered, press, type_spot, unfold

FORM = "#hand details[open]"
KEYS = f"document.querySelector('{FORM} .spot-keys')"
#: The middle of the mark on the drawing, mm; the drawing's second axis points down.
MARK = (
    "(({ attributes: { cx, cy } }) => [Number(cx.value), -Number(cy.value)])"
    "(document.querySelector('#board-picture .spot-coin:last-of-type'))"
)


@pytest.fixture
def page(show: Show, tmp_path: Path) -> Page:
    """Open the form for a tile that is pushed; Ann's coin has been flicked."""
    page = show(record(tmp_path, "tabletop-croquet", "whole-game", 4))
    unfold(page, "A tile is pushed")
    page.until(KEYS)
    return page


def test_arrows_move_the_mark_by_1_mm_and_with_shift_by_10_mm(page: Page) -> None:
    type_spot(page, [300.0, 40.0], FORM)
    page.run(f"{KEYS}.focus()")
    keys(page, "ArrowRight", "ArrowRight", "ArrowUp")
    page.until(f"{MARK}.join() === '302,41'")
    key(page, "ArrowLeft", shift=True)
    key(page, "ArrowDown", shift=True)
    page.until(f"{MARK}.join() === '292,31'")
    fields = f"[...document.querySelectorAll('{FORM} .spot input')].map(({{ value }}) => value)"
    assert page.run(fields) == ["292", "31"]
    assert text(page, f"{FORM} .spot-told") == "At 292, 31 mm."
    assert page.run(f"document.querySelector('{FORM} .spot-told').role") == "status"
    assert page.run(f"document.activeElement === {KEYS}")


def test_the_mark_begins_in_the_middle_of_the_table_and_the_place_is_entered(
    page: Page, tmp_path: Path
) -> None:
    page.run(f"{KEYS}.focus()")
    key(page, "Enter")
    page.until("document.querySelector('#board-picture .spot-coin')")
    begun = page.run(MARK)
    box = page.run(
        "(({ x, y, width, height }) => [x + width / 2, -y - height / 2])"
        "(document.querySelector('#board-picture .table-still').viewBox.baseVal)"
    )
    assert begun == pytest.approx(box, abs=0.5)
    key(page, "ArrowRight")
    page.until(f"{MARK}[0] === {begun[0] + 1}")
    press(page, "The tile's middle is there", FORM)
    pushed = entered(page, tmp_path / "record.jsonl", 5, "hand")
    assert pushed["to"]["centre_mm"] == [begun[0] + 1, begun[1]]


def test_the_coin_that_is_moved_stays_the_one_that_is_chosen(page: Page) -> None:
    """A tap chooses the next coin without a place; an arrow key may be one of many."""
    unfold(page, "Say where the coins lie")
    part = "[...document.querySelectorAll('#hand details')].findLast((one) => one.open)"
    page.until(f"{part}.querySelector('.spot-keys')?.checkVisibility()")
    page.run(f"{part}.querySelector('.spot-keys').focus()")
    chosen = f"{part}.querySelector('.choice:has(:checked)').innerText.trim()"
    before = page.run(chosen)
    keys(page, "Enter", "ArrowRight", "ArrowUp")
    page.until(f"{part}.querySelector('.spot-told').innerText.startsWith('At ')")
    page.settle()
    assert page.run(chosen) == before
