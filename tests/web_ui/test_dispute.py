"""A dispute is decided in three taps: look, say what is true, and confirm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.commands.records import written
from tests.record.matches import setup, text_of
from tests.web_ui.followed import LAPTOP, PHONE, Show, text

CROSSED = ("flick moons", "cross moons 1 out", "rest")
SURVEYED: dict[str, object] = {"entry": "incident", "kind": "surveyed", "moved_px": 0.3}


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


@pytest.mark.parametrize("size", [(390, 664), LAPTOP])
def test_the_look_can_be_closed_however_far_it_is_scrolled(
    show: Show, tmp_path: Path, size: tuple[int, int]
) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED))
    weighed(page)
    page.resize(*size, phone=size[0] < 500)
    page.until(f"innerWidth === {size[0]}")
    page.run("document.querySelectorAll('dialog details').forEach((one) => { one.open = true; })")
    page.run("document.querySelector('dialog').scrollTo(0, 0)")
    page.settle()
    bottom, below = page.run(
        "((head) => [head.getBoundingClientRect().bottom,"
        " head.nextElementSibling.getBoundingClientRect().top])"
        "(document.querySelector('.look-head'))"
    )
    assert bottom <= below + 1  # it covers nothing where nothing is scrolled
    page.run("document.querySelector('dialog').scrollTo(0, 9999)")
    page.settle()
    assert page.run("document.querySelector('dialog').scrollTop") > 100
    tap(page, ".look-close", "×")
    page.until("!document.querySelector('dialog')")


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


def weighed(page: Page) -> None:
    """Look at the wicket, say that it does not count, and wait for the difference."""
    page.until("document.querySelector('#calls .call-wicket_scored .look-button')")
    page.run("document.querySelector('#calls .call-wicket_scored .look-button').click()")
    page.until("document.querySelector('dialog [value=overturned]')")
    page.run("document.querySelector('dialog [value=overturned]').click()")
    page.until("document.querySelector('dialog .difference-gone')")


def goes_on(path: Path, *lines: str | dict[str, object]) -> None:
    """Let the match go on while somebody decides."""
    known = len(path.read_bytes().splitlines())
    longer = text_of(setup(2), *CROSSED, *lines).splitlines(keepends=True)
    with path.open("ab") as record:
        record.write(b"".join(longer[known:]))


def test_the_difference_follows_a_match_that_goes_on(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *CROSSED)
    page = show(path)
    weighed(page)
    assert "no right" not in text(page, "dialog .rule-change")
    goes_on(path, "flick moons", "rest")
    page.until("document.querySelector('dialog .rule-change').innerText.includes('no right')")
    page.run("document.querySelector('dialog .dispute-decide .answers .button').click()")
    page.until("!document.querySelector('dialog')")
    assert json.loads(path.read_text().splitlines()[-1])["verdict"] == "overturned"


HOLD = """
(() => {
  const real = window.fetch;
  const free = new Promise((done) => { window.release = done; });
  window.fetch = async (where, how) => {
    if (where === "/rulings") await free;
    return real(where, how);
  };
})()
"""


@pytest.mark.parametrize(("lines", "same"), [(("flick moons", "rest"), False), ((SURVEYED,), True)])
def test_a_ruling_is_written_only_with_the_difference_that_was_shown(
    show: Show, tmp_path: Path, lines: tuple[str | dict[str, object], ...], same: bool
) -> None:
    """The match goes on after the tap, before the ruling arrives."""
    path = written(tmp_path / "record.jsonl", setup(2), *CROSSED)
    page = show(path)
    weighed(page)
    page.run(HOLD)
    page.run("document.querySelector('dialog .dispute-decide .answers .button').click()")
    goes_on(path, *lines)
    if not same:
        page.until("document.querySelector('dialog .rule-change').innerText.includes('no right')")
    page.run("release()")
    if same:
        page.until("!document.querySelector('dialog')")
        assert json.loads(path.read_text().splitlines()[-1])["verdict"] == "overturned"
    else:
        page.until("document.querySelector('dialog .answer-message').innerText.includes('gone on')")
        assert json.loads(path.read_text().splitlines()[-1])["entry"] == "incident"
