"""What a command says when it serves its page, in a terminal and into a log, and what it opens."""

from __future__ import annotations

import io
import re
import sys
import urllib.request
import webbrowser
from contextlib import ExitStack
from pathlib import Path

import pytest

import referee.desk.serving.server
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.desk.serving.hosting import Hosting
from referee.library.archive import MatchFolder
from tests.web_ui.followed import record
from web_ui import opening
from web_ui.access import Access

PIN = re.compile(r"(?<!\d)\d{6}(?!\d)")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Opened:
    """A run's page, opened in this process, and what was printed."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._path, self._patch = record(tmp_path, "carroms", "whole-game", 3), monkeypatch
        self.urls: list[str] = []
        self.access: list[Access] = []
        monkeypatch.setattr(webbrowser, "open", lambda url: self.urls.append(url) or True)

        def kept() -> Access:
            self.access.append(Access())
            return self.access[-1]

        monkeypatch.setattr(opening, "Access", kept)

    def run(self, hosting: Hosting, out: io.StringIO, *, screen: bool = True) -> None:
        self._patch.setattr(referee.desk.serving.server, "has_screen", lambda: screen)
        self._patch.setattr(sys, "stdout", out)
        self._patch.setattr(sys, "stderr", io.StringIO())
        feed = Feed()
        followed = FollowedRecord(self._path, feed)
        followed.look()
        with ExitStack() as stack:
            opening.open_dashboard(hosting, feed, MatchFolder(self._path.parent), followed, stack)
            self.after()

    def after(self) -> None:
        """Do something while the page is served."""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    return Opened(tmp_path, monkeypatch)


def test_the_browser_is_opened_with_a_secret_that_is_not_printed(opened: Opened) -> None:
    out = Terminal()
    opened.run(Hosting(), out)
    (url,) = opened.urls
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/enter/[\w-]{40,}", url)
    assert "/enter/" not in out.getvalue()
    assert f"The dashboard is at {url.partition('enter/')[0]}\n" in out.getvalue()


@pytest.mark.parametrize("hosting", [Hosting(browser=False), Hosting()])
def test_without_a_browser_the_first_address_is_printed_and_lets_in(
    opened: Opened, hosting: Hosting
) -> None:
    out, entered = Terminal(), []

    def enter() -> None:
        (url,) = re.findall(r"http://\S+/enter/\S+", out.getvalue())
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(url, timeout=20) as page:
            entered.append((page.url, 'data-may="rule"' in page.read().decode()))

    opened.after = enter  # type: ignore[method-assign]
    opened.run(hosting, out, screen=hosting.browser is False)
    assert opened.urls == []
    (local,) = re.findall(r"The dashboard is at (\S+)", out.getvalue())
    assert entered == [(local, True)]


def test_a_terminal_shows_the_pin_and_each_new_one(opened: Opened) -> None:
    out, pins = Terminal(), []

    def close() -> None:
        (access,) = opened.access
        pins.append(access.pin)
        access.close_others("")
        pins.append(access.pin)

    opened.after = close  # type: ignore[method-assign]
    opened.run(Hosting(), out)
    assert PIN.findall(out.getvalue()) == pins


def test_a_log_never_holds_the_pin(opened: Opened) -> None:
    out = io.StringIO()
    opened.after = lambda: opened.access[0].close_others("")  # type: ignore[method-assign]
    opened.run(Hosting(), out)
    assert PIN.findall(out.getvalue()) == []


def test_the_address_of_each_network_is_printed_with_its_code(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "referee.desk.serving.hosting._own_addresses", lambda version: ["192.168.0.7", "10.0.0.7"]
    )
    out = Terminal()
    opened.run(Hosting("0.0.0.0"), out)
    printed = re.findall(r"On other devices it is at http://(\S+):\d+/\n(\S*█)", out.getvalue())
    assert [address for address, _ in printed] == ["192.168.0.7", "10.0.0.7"]
