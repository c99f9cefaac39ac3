"""People who look at the page see the calls, and what may be said, whatever else is there: on a
television, a laptop and a phone.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.followed import TELEVISION, Show, record, text
from tests.web_ui.in_sight import RECORDS

FULL = {
    "rulings": [],
    "record": {
        "program": "referee",
        "typed": "r.jsonl",
        "last": "i12",
        "entries": 15,
        "announced": None,
    },
}
ODD = [
    {
        **scenes.IRREGULAR,
        "on": f"i{n}",
        "text": "Ben's coin was not placed beside the left endpost before its first flick.",
    }
    for n in range(1, 8)
]
BOX = "(({{ left, right, top, bottom }}) => [left, right, top, bottom])({}.getBoundingClientRect())"


def crowded(players: int, hit: tuple[str, ...] = ("moons",)) -> dict[str, Any]:
    """Return the topics of a moment in which something broke the rules and something may be
    said.
    """
    playing = scenes.match(players)
    standing = scenes.standing(playing, [2, 1, 0, 5, 3, 9][:players])
    standing["turn"] |= {"expects": "flick", "options": {"coins": list(hit)}}
    return {
        **scenes.scene("watching"),
        "match": playing,
        "coins": scenes.coins(players),
        "standing": standing,
        "irregularities": ODD,
        **FULL,
    }


def publish(feed: Feed, topics: dict[str, Any]) -> None:
    for topic, value in topics.items():
        feed.publish(topic, value)


def box(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Return left, right, top and bottom of an element."""
    left, right, top, bottom = page.run(BOX.format(f"document.querySelector({selector!r})"))
    return left, right, top, bottom


@pytest.fixture
def page(window: Page, server: TableServer) -> Page:
    window.resize(*TELEVISION)
    window.open(server.url)
    return window


@pytest.mark.parametrize("size", [(1280, 720), (1280, 900), TELEVISION])
@pytest.mark.parametrize("players", [2, 6])
def test_the_calls_keep_their_room_and_what_may_be_said_is_in_one_row(
    page: Page, feed: Feed, players: int, size: tuple[int, int]
) -> None:
    page.resize(*size)
    publish(feed, crowded(players))
    page.until(
        f"innerWidth === {size[0]} && document.querySelectorAll('#say .answers-row .button').length"
        " === 3 && document.querySelector('.notice')"
    )
    page.settle()
    rem = page.run("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    _, _, top, bottom = box(page, ".calls")
    assert bottom <= size[1] and bottom - top >= 14 * rem
    texts = page.run(
        "[...document.querySelectorAll('#calls .call-text')].map((words) =>"
        " words.getBoundingClientRect().bottom)"
    )
    assert sum(below < bottom for below in texts) >= 3  # also with two lines each
    at_corners = (
        "[[left + 9, top + 9], [right - 9, top + 9], [left + 9, bottom - 9], [right - 9, bottom"
        " - 9]]"
    )
    seen = (
        f"({{ left, right, top, bottom }}) => {at_corners}.every(([x, y]) =>"
        " document.elementFromPoint(x, y)?.closest('#say .button'))"
    )
    assert page.run(
        "[...document.querySelectorAll('#say .button')].every((button) =>"
        f" ({seen})(button.getBoundingClientRect()))"
    )
    assert (
        page.run(
            "new Set([...document.querySelectorAll('#say .button')].map((button) =>"
            " button.getBoundingClientRect().top)).size"
        )
        == 1
    )
    assert box(page, ".notice-title")[3] < box(page, ".attention")[3]


def test_beside_a_match_told_by_hand_the_calls_are_on_the_first_screen_too(
    show: Show, tmp_path: Path
) -> None:
    page = show(record(tmp_path, "tabletop-croquet", "whole-game", 45))
    page.resize(*TELEVISION)
    page.until(
        f"innerWidth === {TELEVISION[0]} && document.querySelector('#hand .hand-rest .button') &&"
        " document.querySelector('#calls .call')"
    )
    page.settle()
    _, _, top, bottom = box(page, ".calls")
    assert bottom <= TELEVISION[1] and bottom - top > 300
    assert box(page, ".asked")[3] <= top


def test_on_a_phone_the_latest_call_stands_right_under_the_table(page: Page, feed: Feed) -> None:
    publish(feed, crowded(6))
    page.resize(500, 1000, phone=True)
    page.until(
        "innerWidth === 500 && document.querySelector('#latest .call') &&"
        " document.querySelector('#say .button')"
    )
    page.settle()
    assert "Ben passes wicket 3, but wicket 2 is next." in text(page, "#latest")
    _, _, top, bottom = box(page, "#latest")
    assert box(page, "#board")[3] <= top and bottom < 1000
    assert all(
        bottom <= box(page, part)[2]
        for part in ("#attention", "#say", "#course", "#rulings", ".calls")
    )
    feed.publish("provisional", scenes.scene("moving")["provisional"])
    page.until(
        "document.querySelector('#latest').innerText.includes('Ben passes wicket 2 and earns a"
        " flick.')"
    )
    page.resize(*TELEVISION)
    page.until(
        f"innerWidth === {TELEVISION[0]} && !document.getElementById('latest').checkVisibility()"
    )


def test_while_a_flick_runs_the_page_says_so_instead_of_how_it_stood_before(
    page: Page, feed: Feed
) -> None:
    publish(feed, crowded(2))
    page.until("document.querySelector('#say .button')")
    begun = scenes.call("p0", "flick_began", "Ben", "suns", "Ben flicks.")
    feed.publish("provisional", [begun, *scenes.scene("moving")["provisional"]])
    page.until("document.querySelector('.turn').innerText.includes('A flick is under way')")
    assert "left" not in text(page, ".turn") and page.run("document.title") == "Ben · Table referee"
    assert not page.run("document.getElementById('say').checkVisibility()")
    feed.publish("provisional", [])
    page.until(
        "document.querySelector('.turn').innerText.includes('flicks left') &&"
        " document.getElementById('say').checkVisibility()"
    )


def test_what_may_be_said_is_told_where_no_button_says_it(page: Page, feed: Feed) -> None:
    publish(feed, {topic: value for topic, value in crowded(2).items() if topic not in FULL})
    page.until(
        "document.querySelector('.turn-now')?.innerText === \"Flick your coin, or Ann's coin"
        " instead. You may first move your coin beside Ann's coin.\""
    )


def test_who_joins_is_not_told_that_nothing_was_called(
    window: Page, server: TableServer, feed: Feed
) -> None:
    publish(feed, crowded(2))
    window.send("Network.enable")
    window.send("Network.setBlockedURLs", urls=["*/events"])
    try:
        window.open(server.url)
        window.until("document.querySelector('.turn-name')?.innerText === 'One moment …'")
        assert "Nothing has been called" not in window.run("document.body.innerText")
    finally:
        window.send("Network.setBlockedURLs", urls=[])


@pytest.mark.parametrize("at", [(267, 0), (350, 10), (343, 30), (292, -8)])
def test_the_way_through_the_next_wicket_is_not_hidden_by_a_coin(
    page: Page, feed: Feed, at: tuple[float, float]
) -> None:
    moment = crowded(2)
    moment["coins"]["coins"] = {"suns": {"at_mm": list(at), "state": "rest"}}
    publish(feed, {**moment, "path": {"flick": 3, "coins": {}}})
    page.until(
        "document.querySelector('.wicket-arrow') && document.querySelectorAll('.piece').length ==="
        " 1 && document.querySelector('#say .button')"
    )
    page.settle()
    left, right, top, bottom = box(page, ".wicket-arrow")
    coin = box(page, ".piece .coin-face")
    assert right <= coin[0] or coin[1] <= left or bottom <= coin[2] or coin[3] <= top


HAND = """(() => {
  const board = document.querySelector(".has-hand").getBoundingClientRect();
  const said = getComputedStyle(document.querySelector(".has-hand"), "::after");
  const size = (...of) => of.reduce((sum, one) => sum + parseFloat(said[one]), 0);
  const bottom = board.bottom - size("bottom");
  return [bottom - size("height", "paddingTop", "paddingBottom"), bottom];
})()"""


@pytest.mark.parametrize("where", ["", "tv"])
@pytest.mark.parametrize(("game", "name"), RECORDS)
def test_that_a_hand_is_over_the_table_is_said_where_it_covers_no_piece_of_the_course(
    page: Page, feed: Feed, server: TableServer, tmp_path: Path, game: str, name: str, where: str
) -> None:
    shown = Feed()
    FollowedRecord(record(tmp_path, game, name, 2), shown).look()
    topics = {**shown.snapshot(), "doing": scenes.doing()}
    topics["coins"] = {**topics["coins"], "hand": True}
    publish(feed, {topic: value for topic, value in topics.items() if topic != "hand"})
    page.open(server.look_url + where)
    page.until("document.querySelector('.has-hand') && document.querySelector('.table-still')")
    for width, height in ((390, 844), (1280, 800), (1920, 1080))[bool(where) :]:
        page.resize(width, height, phone=width == 390)
        page.until(f"innerWidth === {width} && innerHeight === {height}")
        page.settle()
        top, bottom = page.run(HAND)
        assert top >= box(page, ".table-still")[3] - 1
        assert bottom <= box(page, "#board")[3] + 1
        if width > 390:
            assert bottom <= height + 1
    shown.close()


@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize("game", ["castle-croquetnole", "piecepack-croquet", "wickets-six"])
def test_on_a_phone_what_the_program_is_doing_is_never_cut(
    page: Page, feed: Feed, width: int, game: str
) -> None:
    topics = {**scenes.watched(), "match": {**scenes.match(), "game": game}}
    page.resize(width, 844, phone=True)
    for phase in ("setting_up", "naming", "watching", "following", "finished", "failed"):
        publish(feed, {**topics, "doing": scenes.doing(phase)})
        page.until(f"document.querySelector('.phase-{phase}') && innerWidth === {width}")
        page.settle()
        parts = [box(page, part) for part in ("#game", ".phase", "#phone", "#menu")]
        assert all(right <= left + 1 for (_, right, *_), (left, *_) in pairwise(parts)), phase
        assert parts[-1][1] <= width and box(page, ".bar")[3] <= 52, phase
        assert page.run(
            "['#game', '.phase'].every((one) => ((part) => part.scrollWidth <= part.clientWidth"
            " || part.clientWidth === 0)(document.querySelector(one)))"
        )
