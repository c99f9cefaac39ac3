"""Looking, ruling and closed sessions, as people see them in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.library.archive import MatchFolder
from tests.web_ui.at_table import TableServer, serve_table
from tests.web_ui.conftest import check_problems
from tests.web_ui.followed import PHONE, count, record, text
from tests.web_ui.pressing import press

ADDRESSES = ("http://scoreboard.local:8000/", "http://192.168.0.7:8000/")
#: What only somebody who may rule can press; the look at a call is for everybody.
RULES = "#say button, #hand button, #rulings summary, #naming button, #attention button"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TableServer]:
    path = record(tmp_path, "carroms", "whole-game", 8)
    feed = Feed()
    followed = FollowedRecord(path, feed)
    followed.look()
    server = serve_table(feed, MatchFolder(tmp_path), followed, addresses=lambda: ADDRESSES)
    yield server
    feed.close()
    server.close()


@pytest.fixture
def phone(window: Page, table: TableServer) -> Iterator[Page]:
    """Open the page on a phone, which may only look."""
    window.resize(*PHONE, phone=True)
    window.open(table.look_url)
    window.until("document.querySelector('.turn-name')")
    yield window
    check_problems(window)
    window.open("about:blank")


def enter_pin(page: Page, pin: str) -> None:
    if count(page, "#entry-pin") == 0:
        press(page, "Enter the PIN shown at the table", "#entry")
    page.until("document.getElementById('entry-pin')")
    page.run(f"document.getElementById('entry-pin').value = {pin!r}")
    press(page, "Open", "#entry")


def may(page: Page, what: str) -> None:
    """Wait until the page shows that the device may look, or rule."""
    page.until(f"document.body?.dataset.may === {what!r}")
    page.until(
        f"(document.querySelectorAll({RULES!r}).length > 0) === {str(what == 'rule').lower()}"
    )


def test_the_browser_that_the_program_opens_rules_and_its_address_is_clean(
    window: Page, table: TableServer
) -> None:
    window.open(table.url)
    window.until("document.querySelector('.turn-name')")
    may(window, "rule")
    assert window.run("location.href") == table.look_url
    assert window.run("document.cookie") == ""  # no script can read it
    window.until(f"document.getElementById('pin').innerText.endsWith({table.access.pin[3:]!r})")
    window.open("about:blank")
    window.open(table.look_url)
    window.until("document.querySelector('.turn-name')")
    may(window, "rule")  # a reload keeps the session
    window.open("about:blank")


def test_who_only_looks_sees_the_match_and_one_control_and_no_pin(
    phone: Page, table: TableServer
) -> None:
    may(phone, "look")
    phone.until("document.querySelector('.turn-name')?.innerText === 'Ben'")
    assert count(phone, "#calls .call") > 0 and count(phone, "#calls .look-button") > 0
    assert text(phone, "#entry") == "Enter the PIN shown at the table"
    assert table.access.pin not in phone.run("document.documentElement.innerHTML").replace(
        "\u00a0", ""
    )


def test_the_pin_opens_the_page_on_a_phone_without_a_reload(
    phone: Page, table: TableServer, tmp_path: Path
) -> None:
    phone.run("window.kept = true")
    enter_pin(phone, table.access.pin)
    may(phone, "rule")
    assert phone.run("window.kept") and not phone.run(
        "document.getElementById('entry').checkVisibility()"
    )
    press(phone, "The striker is flicked", "#hand")
    phone.until("!document.querySelector('#hand [aria-busy]')")
    last = json.loads((tmp_path / "record.jsonl").read_text().splitlines()[-1])
    assert (last["kind"], last["coin"]) == ("flicked", "striker")


def test_a_wrong_pin_is_told_with_the_tries_that_are_left(phone: Page, table: TableServer) -> None:
    enter_pin(phone, "000000" if table.access.pin != "000000" else "000001")
    phone.until("document.querySelector('#entry .answer-message')?.innerText.includes('4 tries')")
    may(phone, "look")
    enter_pin(phone, table.access.pin)
    may(phone, "rule")


def test_closed_sessions_are_told_and_the_page_looks_again(phone: Page, table: TableServer) -> None:
    enter_pin(phone, table.access.pin)
    may(phone, "rule")
    old = table.access.pin
    with Page(table.url) as other:
        other.until("document.getElementById('pin')?.textContent.startsWith('PIN')")
        press(other, "Open on a phone", ".bar")
        press(other, "Close all sessions", ".phone")
        may(phone, "look")
        phone.until("document.getElementById('entry').innerText.includes('closed at the table')")
        may(other, "rule")
        shown = "document.querySelector('.phone-pin').innerText.replace(/\\s/g, '')"
        other.until(f"{shown} !== {old!r}")
        assert other.run(shown) == table.access.pin
    enter_pin(phone, table.access.pin)
    may(phone, "rule")


def test_each_address_is_offered_with_its_code(phone: Page) -> None:
    press(phone, "Open on a phone", ".bar")
    drawn = "[...document.querySelectorAll('.phone img')].filter((one) => one.naturalWidth > 0)"
    phone.until(f"{drawn}.length === 2")
    assert phone.run(
        "[...document.querySelectorAll('.phone figcaption')].map((one) => one.innerText)"
    ) == list(ADDRESSES)
    assert count(phone, ".phone-pin") == 0


def test_where_only_this_computer_is_served_the_page_says_how_to_open_it(
    page: Page, server: TableServer
) -> None:
    page.until("document.querySelector('.turn-name')")
    press(page, "Open on a phone", ".bar")
    page.until("document.querySelector('.phone')?.innerText.includes('--host 0.0.0.0')")
    assert count(page, ".phone img") == 0
    assert text(page, ".phone-pin").replace("\u00a0", "") == server.access.pin
