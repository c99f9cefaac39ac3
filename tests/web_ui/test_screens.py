"""The screens of those who only look: `/tv` is read at a glance from three metres away, `/overlay`
is a transparent strip over a stream. Nothing on them can be pressed.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from referee.desk.serving.server import serve
from referee.library.archive import MatchFolder
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.conftest import check_problems
from tests.web_ui.followed import MATCHES, count, text
from tests.web_ui.in_sight import RECORDS
from web_ui.pages import create_app

TELEVISIONS = ((1280, 720), (1920, 1080), (3840, 2160))
STRIPS = ((1920, 200), (1920, 1080), (1280, 720))
#: What stands in text: it is cut nowhere, and lies in its panel and in the window.
CUT = """(() => {
  const words = [...document.querySelectorAll(
    ".turn-name, .turn-next, .turn-flicks, .last-title, .last-text, .last-why, .last .chip,"
    + " .course-name, .course-count strong")].filter((one) => one.checkVisibility());
  const within = (box, room) => box.left >= room.left - 2 && box.right <= room.right + 2 &&
    box.top >= room.top - 2 && box.bottom <= room.bottom + 2;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return words.filter((one) => {
    const box = one.getBoundingClientRect();
    const panel = one.closest(".course-row, .turn, .last").getBoundingClientRect();
    return !within(box, panel) || !within(panel, screen) ||
      one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 3;
  }).map((one) => `${one.className}: ${one.innerText}`);
})()"""
SCROLLS = """[document.documentElement, document.body].some((one) =>
  one.scrollHeight > innerHeight || one.scrollWidth > innerWidth)"""
SMALLEST_SCORE = """Math.min(...[...document.querySelectorAll(".course-count strong")].map(
  (one) => parseFloat(getComputedStyle(one).fontSize)))"""
WON = "document.querySelector('.turn-won')"
CONTROLS = "button, a, input, select, textarea, form, summary, [tabindex]"


def check(page: Page, size: tuple[int, int]) -> None:
    """Check what holds for either page in every state and size."""
    page.resize(*size)
    page.until(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
    page.settle()
    assert page.run(CUT) == []
    assert not page.run(SCROLLS)
    assert count(page, CONTROLS) == 0
    assert page.run(SMALLEST_SCORE) is None or page.run(SMALLEST_SCORE) >= 48


def open_screen(page: Page, url: str, name: str) -> None:
    page.open(f"{url.rstrip('/')}/{name}")
    page.until(
        "document.querySelector('.turn-name') && document.querySelector('#last').dataset.view"
    )


class Match:
    """A scripted match that is followed, and the page on which it is shown."""

    def __init__(self, page: Page, path: Path, game: str, name: str, share: float) -> None:
        self.page = page
        self._lines = (MATCHES / game / f"{name}.jsonl").read_text().splitlines(keepends=True)
        self._written = 0
        self._path, self._feed = path, Feed()
        path.touch()
        self._record = FollowedRecord(path, self._feed)
        self.play_until(share)
        self.server = serve(create_app(self._feed, MatchFolder(path.parent), self._record))

    def play_until(self, share: float) -> None:
        """Follow the match until this share of its lines, at least one."""
        until = max(1, round(share * len(self._lines)))
        with self._path.open("a") as record:
            record.writelines(self._lines[self._written : until])
        self._written = until
        self._record.look()

    def close(self) -> None:
        self._feed.close()
        self.server.close()


@pytest.fixture
def followed(window: Page, tmp_path: Path) -> Iterator[Any]:
    """Return a function that opens a screen on the first lines of a scripted match."""
    with ExitStack() as stack:
        stack.callback(check_problems, window)
        stack.callback(window.open, "about:blank")

        def show(game: str, name: str, share: float, screen: str) -> Match:
            match = Match(window, tmp_path / "record.jsonl", game, name, share)
            stack.callback(match.close)
            open_screen(window, match.server.url, screen)
            return match

        yield show


@pytest.mark.parametrize(("game", "name"), RECORDS)
def test_a_television_shows_turn_score_call_and_table_in_every_game(
    followed: Any, game: str, name: str
) -> None:
    match = followed(game, name, 0, "tv")
    page = match.page
    for share, shown in ((0, "true"), (0.4, "document.querySelector('.last-why')"), (1, WON)):
        match.play_until(share)
        page.until(shown)
        for size in TELEVISIONS if share == 1 else TELEVISIONS[:2]:
            check(page, size)
        players = page.run("document.querySelectorAll('.course-row').length")
        assert players >= 2 and count(page, ".course-count strong") == players
        assert count(page, ".table-still") == 1
        if share == 0.4:
            assert text(page, ".last-text").endswith(".") and "Rule: " in text(page, ".last-why")
    assert "win" in text(page, ".turn-name") and "winner" in text(page, "#course")


@pytest.mark.parametrize(("screen", "share"), [("tv", 0.85), ("overlay", 0.4)])
def test_on_a_phone_held_upright_nothing_is_cut_and_the_table_is_wide(
    followed: Any, screen: str, share: float
) -> None:
    page = followed(*RECORDS[0], 0.4, screen).page
    page.resize(390, 844)
    page.until("innerWidth === 390")
    page.settle()
    assert page.run(CUT) == []
    assert not page.run(SCROLLS)
    assert page.run("document.querySelector('#board').getBoundingClientRect().width") >= share * 390
    below = page.run("document.querySelector('#board-picture').getBoundingClientRect().bottom")
    assert below <= 844


@pytest.mark.parametrize(("game", "name"), RECORDS)
def test_the_strip_shows_the_same_in_every_game(followed: Any, game: str, name: str) -> None:
    page = followed(game, name, 0.4, "overlay").page
    for size in STRIPS:
        check(page, size)
    assert count(page, ".course-count strong") >= 2 and count(page, ".table-still") == 1
    assert text(page, ".last-text") and text(page, ".turn-name")


@pytest.mark.parametrize("screen", ["tv", "overlay"])
@pytest.mark.parametrize("moment", scenes.MOMENTS)
def test_every_moment_before_a_camera_fits(
    window: Page, server: TableServer, feed: Feed, moment: str, screen: str
) -> None:
    scenes.publish(feed, moment)
    open_screen(window, server.look_url, screen)
    for size in TELEVISIONS[:2] if screen == "tv" else STRIPS[:1]:
        check(window, size)
    told = text(window, "#last")
    asked = moment in ("castle", "naming", "missing", "question", "order", "unseen", "renamed")
    assert ("A question to the players" in told) == asked
    assert moment != "failed" or "the video ends in the middle of a frame" in told
    assert moment != "moving" or "while coins move" in told
    if moment == "watching":  # who, how many, and the call with what it rests on
        assert text(window, ".turn-name") == "Ben" and text(window, ".turn-count") == "3"
        assert "Ben passes wicket 3, but wicket 2 is next." in told
        assert "Rule: Player turns" in told
    window.open("about:blank")
    check_problems(window)


@pytest.mark.parametrize("screen", ["tv", "overlay"])
def test_ten_players_with_long_names_fit(
    window: Page, server: TableServer, feed: Feed, screen: str
) -> None:
    names = tuple(f"{name} {n}" for n in (1, 2) for name in scenes.LONG_NAMES)
    playing = scenes.match(10, names)
    crowd = {
        **scenes.scene("many"),
        "match": playing,
        "standing": scenes.standing(playing, [16] * 10, turn=0),
    }
    for topic, value in crowd.items():
        feed.publish(topic, value)
    open_screen(window, server.look_url, screen)
    for size in TELEVISIONS if screen == "tv" else STRIPS:
        check(window, size)


def test_the_last_call_says_by_how_much_it_holds(
    window: Page, server: TableServer, feed: Feed
) -> None:
    scenes.publish(feed, "watching")
    feed.publish("calls", scenes.CALLS[:-2])
    open_screen(window, server.look_url, "tv")
    told = text(window, "#last")
    assert "Ben passes wicket 1 and earns a flick." in told and "97 % sure" in told
    assert "Inside the wicket, and past its line, by 1.5 mm, ± 0.8 mm. Rule: Player turns" in told
    assert "1 step" in told and "1 flick" in told
    feed.publish("irregularities", [{**scenes.IRREGULAR, "on": "i15"}])
    window.until("document.querySelector('#last').innerText.includes('Not by the rules')")


def test_a_margin_names_what_was_crossed(window: Page, server: TableServer, feed: Feed) -> None:
    scenes.publish(feed, "watching")
    open_screen(window, server.look_url, "tv")
    seen = [
        {"kind": "line_crossed", "line": "wicket-3", "margin_mm": 3.0},
        {"kind": "line_crossed", "line": "gate-suns", "margin_mm": 3.0},
        {"kind": "line_crossed", "line": "gate-suns", "margin_mm": -1.0},
        {"kind": "pocketed", "pocket": "pocket-ne", "margin_mm": 43.0, "sigma_mm": 0.2},
        {"kind": "pocketed", "pocket": "pocket-ne", "margin_mm": -1.0},
    ]
    told = window.run(
        "import('/static/js/words.js').then(({ marginSentence }) =>"
        f" {json.dumps(seen)}.map(marginSentence))"
    )
    assert told == [
        "Inside the wicket, and past its line, by 3.0 mm.",
        "Inside the gate, and past its line, by 3.0 mm.",
        "Outside the gate, or short of its line, by 1.0 mm.",
        "Past the pocket's mouth by 43 mm, ± 0.2 mm.",
        "Short of the pocket by 1.0 mm.",
    ]


def test_what_follows_is_drawn_when_it_comes(window: Page, server: TableServer, feed: Feed) -> None:
    scenes.publish(feed, "naming")
    open_screen(window, server.look_url, "tv")
    feed.publish_together({**scenes.scene("finished"), "naming": None})
    window.until("document.querySelector('.turn-won')")
    assert text(window, ".turn-name") == "Ben wins"
    check(window, TELEVISIONS[0])


def test_nothing_but_the_strip_hides_the_picture_of_a_stream(
    window: Page, server: TableServer, feed: Feed
) -> None:
    scenes.publish(feed, "watching")
    window.resize(1920, 1080)
    open_screen(window, server.look_url, "overlay")
    window.settle()
    window.send(
        "Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0}
    )
    try:
        picture = cv2.imdecode(np.frombuffer(window.picture(), np.uint8), cv2.IMREAD_UNCHANGED)
    finally:
        window.send("Emulation.setDefaultBackgroundColorOverride")
    assert picture.shape == (1080, 1920, 4)
    assert not picture[:880, :, 3].any()
    # White words on a panel through which no more than a tenth of the picture shows.
    left, right, top, bottom = window.run(
        "(({ left, right, top, bottom }) => [left, right, top, bottom])("
        "document.querySelector('.turn').getBoundingClientRect())"
    )
    panel = picture[int(top) + 8 : int(bottom) - 8, int(left) + 8 : int(right) - 8, 3]
    assert panel.min() >= 0.9 * 255


def test_a_lost_connection_is_said_and_the_last_state_stays(
    window: Page, server: TableServer, feed: Feed
) -> None:
    scenes.publish(feed, "watching")
    open_screen(window, server.look_url, "tv")
    window.send("Network.enable")
    window.send("Network.setBlockedURLs", urls=["*/events"])
    try:
        threading.Thread(target=server.close).start()
        window.until("document.querySelector('#connection').innerText.includes('lost')")
        check(window, TELEVISIONS[0])
        assert text(window, ".turn-count") == "3"
    finally:
        window.send("Network.setBlockedURLs", urls=[])


@pytest.mark.parametrize("address", ["/tv", "/tv?light", "/overlay"])
def test_a_screen_gets_no_cookie_and_its_page_has_nothing_to_press(
    client: FlaskClient, address: str
) -> None:
    answer = client.get(address)
    assert answer.status_code == 200 and "Set-Cookie" not in answer.headers
    assert not any(f"<{tag}" in answer.text for tag in ("button", "form", "input", "a "))
    assert ("css/dark.css" in answer.text) == (address != "/tv?light")
