"""Everybody who watches sees the calls: over plain HTTP everywhere, and in a real browser where
there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Protocol

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed, Picture
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.listening import Listener, Shown


class Watcher(Protocol):
    def sees(self, text: str) -> None:
        """Wait until the text is there. Raises when it does not come."""

    def knows(self, text: str) -> bool:
        """Whether the text is there now."""


class PlainWatcher:
    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._events = iter(listener)
        self._shown = Shown()

    def sees(self, text: str) -> None:
        while not self.knows(text):
            self._shown.hear(next(self._events))

    def knows(self, text: str) -> bool:
        return text in repr(self._shown.topics)


class BrowserWatcher:
    def __init__(self, page: Page) -> None:
        self._page = page

    def sees(self, text: str) -> None:
        self._page.until(f"document.querySelector('.court')?.innerText.includes({text!r})")

    def knows(self, text: str) -> bool:
        return bool(
            self._page.run(f"document.querySelector('.court').innerText.includes({text!r})")
        )


@pytest.fixture(params=["plain HTTP", "browser"])
def watcher(request: pytest.FixtureRequest, server: TableServer) -> Iterator[Watcher]:
    if request.param == "browser":
        yield BrowserWatcher(request.getfixturevalue("page"))
    else:
        with closing(Listener(server.url)) as listener:
            yield PlainWatcher(listener)


def test_what_is_called_is_seen_and_so_is_what_a_ruling_makes_of_it(
    watcher: Watcher, feed: Feed
) -> None:
    playing = scenes.match()
    scenes.publish(feed, "watching")
    watcher.sees("Ben hits moons and earns two flicks.")
    extra = scenes.call(
        "i15", "wicket_scored", "Ben", "suns", "Ben passes wicket 2 and earns a flick.", flicks=1
    )
    feed.publish_together(
        {"standing": scenes.standing(playing, [2, 2, 0]), "calls": [*scenes.CALLS, extra]}
    )
    watcher.sees("Ben passes wicket 2 and earns a flick.")
    feed.publish_together(
        {
            "standing": scenes.standing(playing, [0, 0, 0]),
            "calls": [scenes.call("i1", "turn_began", "Ann", "moons", "After a ruling.")],
        }
    )
    watcher.sees("After a ruling.")
    assert not watcher.knows("Ben passes wicket 2")


def test_the_page_says_whose_turn_it_is_and_draws_every_coin(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "many")
    page.until("document.querySelectorAll('.table-moving .piece').length === 10")
    assert page.run("document.querySelector('.turn-name').textContent") == "Ben"
    assert page.run("document.querySelector('.turn-count').textContent") == "3"
    assert page.run("document.querySelectorAll('.table-still .wicket').length") == 9
    done = (
        "[...document.querySelectorAll('.course-row')].map((row) =>"
        " row.querySelectorAll('.step-done').length)"
    )
    assert page.run(done) == [2, 5, 0, 9, 16, 7, 3, 15, 1, 12]
    assert page.run("document.title") == "Ben, 3 flicks · Table referee"


def test_every_moment_of_a_match_is_drawn_without_a_fault(page: Page, feed: Feed) -> None:
    shown = []
    for moment in (*scenes.MOMENTS, "watching"):
        for topic in ("naming", "provisional", *scenes.scene("watching")):
            feed.publish(topic, scenes.scene(moment).get(topic))
        phase = scenes.scene(moment)["doing"]["phase"]
        page.until(f"document.body?.dataset.phase === {phase!r}")
        page.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
        shown.append(page.run("document.querySelector('.turn').innerText"))
    assert page.run("window.problems") == []
    assert len(set(shown)) >= 6


def test_what_lies_above_in_the_table_frame_is_drawn_above(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "watching")
    lying = {
        coin: {"at_mm": [600, y], "state": "rest"} for coin, y in (("suns", 300), ("arms", -300))
    }
    feed.publish("coins", {"t_s": 0.0, "coins": lying, "hand": False})
    page.until("document.querySelectorAll('.piece').length === 2")
    top = (
        "(coin) => document.querySelector(`.piece [data-coin=${coin}]`).getBoundingClientRect().top"
    )
    assert page.run(f"({top})('suns') < ({top})('arms')")


def test_a_calls_probability_and_rule_are_shown_and_provisional_calls_apart(
    page: Page, feed: Feed
) -> None:
    scenes.publish(feed, "moving")
    page.until("document.querySelector('#provisional .call')")
    assert "over 99 % sure" in page.run("document.querySelector('#provisional').innerText")
    assert "97 % sure" in page.run("document.querySelector('#calls').innerText")
    assert page.run(
        "[...document.querySelectorAll('#calls > li:not(.call-unseen, #calls-end)')].every("
        "(call) => call.querySelector('.call-rule'))"
    )
    feed.publish("provisional", [])
    page.until("!document.querySelector('#provisional .call')")


def test_what_is_provisional_is_not_ruled_on(page: Page, feed: Feed) -> None:
    moment = {
        **scenes.scene("moving"),
        "rulings": [],
        "record": {"typed": "r.jsonl", "last": "i14", "entries": 15},
    }
    flick = scenes.call("p0", "flick_began", "Ben", "suns", "Ben flicks.")
    hidden = {
        **scenes.call("p2", "unseen", "Ben", "suns", ""),
        "unseen": {"pieces": ["suns"], "from_s": 1.0, "to_s": 1.4},
    }
    for topic, value in {**moment, "provisional": [flick, *moment["provisional"], hidden]}.items():
        feed.publish(topic, value)
    page.until(
        "document.querySelectorAll('#provisional li').length === 3 &&"
        " document.querySelector('#calls .look-button')"
    )
    assert page.run("document.querySelectorAll('#provisional button').length") == 0


def test_naming_the_coins_swaps_a_name_given_twice_and_reaches_the_referee(
    page: Page, feed: Feed
) -> None:
    scenes.publish(feed, "naming")
    feed.publish("naming", scenes.naming(0.97, 0.9, 0.81))
    page.until("document.querySelectorAll('.naming-coin :checked').length === 3")
    page.run("document.querySelector('input[name=\"1\"][value=arms]').click()")
    page.run("document.querySelector('.naming-form .button').click()")
    assert feed.wait_for_answer("naming", 20) == {"1": "arms", "2": "suns", "3": "ace"}
    feed.publish("naming", None)
    page.until("document.getElementById('naming').hidden")


def test_a_missing_coin_is_off_the_table_or_lies_where_somebody_taps(
    page: Page, feed: Feed
) -> None:
    scenes.publish(feed, "missing")
    page.until("document.querySelectorAll('.missing-coin').length === 2")
    legends = "[...document.querySelectorAll('.missing-coin legend')].map((one) => one.innerText)"
    assert page.run(legends)[0] == "Ben\nsuns"
    button = "document.querySelector('#missing .button[type=submit]')"
    assert page.run(f"[{button}.disabled, {button}.innerText]") == [
        True,
        "2 coins not answered yet",
    ]
    page.run("document.querySelector('input[name=suns][value=off]').click()")
    page.run("document.querySelector('input[name=ace][value=here]').click()")
    assert page.run(f"{button}.innerText") == "1 coin not answered yet"
    page.run(
        "document.querySelectorAll('.missing-coin')[1].querySelectorAll('.spot-mm input')"
        ".forEach((input, i) => { input.value = [760, -180][i];"
        " input.dispatchEvent(new Event('input')) })"
    )
    assert page.run(f"[{button}.disabled, {button}.innerText]") == [
        False,
        "These answers are right, go on",
    ]
    page.run(f"{button}.click()")
    assert feed.wait_for_answer("missing", 20) == {"suns": None, "ace": (760, -180)}
    feed.publish("missing", None)
    page.until("document.getElementById('missing').hidden")


def test_an_exchange_of_names_is_answered_in_its_own_words(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "renamed")
    buttons = "[...document.querySelectorAll('.answers > .button')]"
    page.until(f"{buttons}.length === 2")
    assert page.run(f"{buttons}.map((one) => one.innerText)") == [
        "Yes, exchange the names",
        "No, the names are right",
    ]
    page.run(f"{buttons}[0].click()")
    answer = feed.wait_for_answer("standing", 20)
    assert (answer.on, answer.verdict) == ("i16", "upheld")


def test_one_press_says_that_no_missing_coin_is_on_the_table(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "missing")
    page.until("document.querySelector('.missing-none')")
    page.run("document.querySelector('.missing-none').click()")
    assert feed.wait_for_answer("missing", 20) == {"suns": None, "ace": None}


def test_no_name_is_proposed_that_is_as_good_as_a_coin_toss(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "naming")
    feed.publish("naming", scenes.naming(0.5, 0.79, 0.97))
    page.until("document.querySelectorAll('.naming-coin').length === 3")
    said = page.run(
        "[...document.querySelectorAll('.naming-guess')].map((words) => words.innerText)"
    )
    assert said == ["suns or arms: cannot tell", "arms or ace: cannot tell", "probably ace, 97 %"]
    assert page.run(
        "[...document.querySelectorAll('.naming-coin :checked')].map((choice) => choice.name)"
    ) == ["3"]
    button = "document.querySelector('.naming-form .button')"
    assert page.run(f"[{button}.disabled, {button}.innerText]") == [True, "2 coins not named yet"]
    page.run("document.querySelector('input[name=\"1\"][value=suns]').click()")
    page.run(
        "document.querySelector('input[name=\"2\"][value=suns]').click()"
    )  # then the first is not named any more
    assert page.run(f"[{button}.disabled, {button}.innerText]") == [True, "1 coin not named yet"]
    page.run("document.querySelector('input[name=\"1\"][value=nobody]').click()")
    assert page.run(f"[{button}.disabled, {button}.innerText]") == [
        False,
        "These names are right, go on",
    ]
    page.run(f"{button}.click()")
    assert feed.wait_for_answer("naming", 20) == {"1": "nobody", "2": "suns", "3": "ace"}


def test_a_coin_that_is_asked_about_shows_its_face_large(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "naming")
    asked = scenes.naming()
    asked["coins"][1]["face"] = "face-2"
    feed.publish_picture(
        "face-2",
        Picture("image/svg+xml", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    )
    feed.publish("naming", asked)
    page.until(
        "document.querySelector('.naming-face')?.complete &&"
        " document.querySelector('.naming-face').naturalWidth === 9"
    )
    assert (
        page.run(
            "document.querySelector('.naming-face').closest('fieldset')"
            ".querySelector('.naming-number').innerText"
        )
        == "2"
    )
    assert page.run("document.querySelector('.naming-face').clientWidth") >= 80


def test_a_lost_connection_is_said_and_so_is_its_return(
    page: Page, server: TableServer, feed: Feed
) -> None:
    scenes.publish(feed, "watching")
    page.until("document.querySelector('.turn-count')")
    page.send("Network.enable")
    page.send("Network.setBlockedURLs", urls=["*/events*"])
    for connection in server._server._connections():
        connection.loop.call_soon_threadsafe(connection.transport.abort)
    page.until("document.getElementById('connection').innerText.includes('lost')", timeout_s=8)
    feed.publish("doing", scenes.doing("watching", "on", 0.9, 75.0))
    page.send("Network.setBlockedURLs", urls=[])
    page.until(
        "document.getElementById('connection').innerText.includes('again') &&"
        " document.getElementById('doing').innerText.includes('1:15')"
    )


@pytest.mark.parametrize("moment", ["long", "many"])
def test_nothing_is_wider_than_the_screen_and_the_table_stays_large(
    page: Page, feed: Feed, moment: str
) -> None:
    scenes.publish(feed, moment)
    page.until("document.querySelectorAll('.piece').length >= 5")
    for width, height, phone in [
        (360, 640, True),
        (768, 1024, True),
        (1024, 768, False),
        (1366, 768, False),
        (1920, 1080, False),
    ]:
        page.resize(width, height, phone=phone)
        page.until(f"innerWidth === {width}")
        page.settle()
        assert page.run("document.documentElement.scrollWidth") <= width
        board = page.run(
            "(({ width, height }) => [width,"
            " height])(document.querySelector('.table-still').getBoundingClientRect())"
        )
        assert min(board) > 200, (width, height)


def other_game() -> dict[str, Any]:
    """Return what the pages would get for a seventh game, for which they have no words of their
    own.
    """
    rows = [
        {"player": "Ann", "pawn": "black", "laps": 2, "at": [2, 10], "lost_pieces": ["moons-5"]},
        {"player": "Ben", "pawn": "red", "laps": 0, "at": None, "lost_pieces": []},
    ]
    turn = {"player": "Ben", "pawn": "red", "expects": "roll", "roll": "hoop"}
    return {
        "game": "lap-race",
        "status": "in_progress",
        "turn": turn,
        "winner": None,
        "standings": rows,
        "questions": [],
    }


def test_a_game_the_pages_have_no_words_for_shows_its_fields_in_a_table(
    page: Page, feed: Feed
) -> None:
    players = [{"name": "Ann", "pawn": "black"}, {"name": "Ben", "pawn": "red"}]
    feed.publish("match", {"game": "lap-race", "players": players, "options": {}, "tints": {}})
    feed.publish(
        "doing", {"phase": "following", "text": "", "t_s": None, "share": None, "source": "r.jsonl"}
    )
    feed.publish("standing", other_game())
    page.until("document.body?.innerText.includes('lost pieces')")
    seen = page.run("document.body.innerText")
    assert all(
        text in seen
        for text in ("Ann", "laps", "2, 10", "moons 5", "Roll for the hoop", "Following")
    )
