"""A dispute is decided in three taps: look, say what is true, and confirm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import LAPTOP, PHONE, Show, text

CROSSED = ("flick moons", "cross moons 1 out", "rest")


def tap(page: Page, selector: str, words: str) -> None:
    """Tap the button with these words with the mouse. It must be in the window already."""
    button = (
        f"[...document.querySelectorAll('{selector}')].find((one) => one.checkVisibility() &&"
        f" one.innerText.startsWith({words!r}))"
    )
    page.until(button)
    page.settle()
    x, y = page.run(
        "(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
        f"({button}.getBoundingClientRect())"
    )
    assert page.run(f"document.elementFromPoint({x}, {y}) === {button}"), words
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_three_taps_decide_a_dispute(show: Show, tmp_path: Path, size: tuple[int, int]) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *CROSSED)
    page = show(path)
    page.resize(*size, phone=size == PHONE)
    page.until(f"innerWidth === {size[0]}")
    where = "#latest" if size == PHONE else "#calls .call-wicket_scored"
    page.until(f"document.querySelector('{where} .look-button')")
    page.run(
        f"document.querySelector('{where} .look-button').scrollIntoView({{ block: 'center' }})"
    )
    words = text(page, f"{where} .look-button").split("\n")[0]
    tap(page, f"{where} .look-button", words)
    tap(page, "dialog .dispute-verdicts button", "It does not count")
    page.until("document.querySelector('dialog .difference-gone')")
    assert len(path.read_text().splitlines()) == 4  # nothing is written yet
    tap(page, "dialog .dispute-decide button", "Ann decides")
    page.until(
        "!document.querySelector('dialog') && !document.querySelector('.call-wicket_scored')"
    )
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"], last["by"]) == ("overturned", "i2", "Ann")
    assert last["reason"] == "seen at the table"


@pytest.mark.parametrize("since", [(), ("flick suns", "rest")])
def test_later_flicks_are_asked_about_only_where_there_are_some(
    show: Show, tmp_path: Path, since: tuple[str, ...]
) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), "flick moons", "rest", *since))
    page.until("document.querySelector('#calls .look-button')")
    page.run("[...document.querySelectorAll('#calls .look-button')].at(-1).click()")
    page.until("document.querySelector('dialog .dispute')")
    assert page.run("Boolean(document.querySelector('dialog .dispute [name=then]'))") == bool(since)


def test_the_clauses_fold_away_below(show: Show, tmp_path: Path) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED))
    page.until("document.querySelector('#calls .call-wicket_scored .look-button')")
    page.run("document.querySelector('#calls .call-wicket_scored .look-button').click()")
    page.until("document.querySelector('dialog .why-met')")
    assert not page.run("document.querySelector('dialog .why').open")
    assert page.run(
        "document.querySelector('dialog .why').getBoundingClientRect().top >="
        " document.querySelector('dialog .dispute').getBoundingClientRect().bottom"
    )
