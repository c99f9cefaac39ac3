"""How a page shows how sure a call is, how people look at it again, and how they answer a question
there. Uses a real browser where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.messages import QuestionAnswer
from referee.library.archive import MatchFolder, PathPoint, open_folder
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer, serve_table
from tests.web_ui.test_replay import write_clip

LOOK = (
    "[...document.querySelectorAll('.look-button')].find((button) =>"
    " button.textContent.includes({!r})).click()"
)


@pytest.fixture
def folder(tmp_path: Path) -> MatchFolder:
    """Make flick 3: suns comes from the left at 1 m/s, unseen for two frames, and moves moons."""
    folder = open_folder(tmp_path / "match")
    suns = [
        PathPoint(3, "suns", 10.0 + i / 50, 70.0 + 20 * i, -10.0, 0.3, i not in (8, 9))
        for i in range(17)
    ]
    folder.put_paths(
        3,
        [
            *suns,
            PathPoint(3, "moons", 10.4, 412, 33, 0.3, True),
            PathPoint(3, "moons", 10.5, 420, 35, 0.3, True),
        ],
    )
    write_clip(folder.clip("flick-0003", ".mkv"))
    return folder


@pytest.fixture
def server(feed: Feed, folder: MatchFolder) -> Iterator[TableServer]:
    server = serve_table(feed, folder)
    yield server
    feed.close()
    server.close()


def test_a_call_shows_its_margin_and_one_can_look_at_its_path_and_clip(
    page: Page, feed: Feed
) -> None:
    scenes.publish(feed, "watching")
    page.until("document.querySelectorAll('.look-button').length > 3")
    assert "margin 1.5 ± 0.8 mm" in page.run("document.querySelector('#calls').innerText")
    page.run(LOOK.format("Ben passes wicket 1"))
    page.until("document.querySelectorAll('.look-picture').length === 2")
    said = page.run("document.querySelector('.look').innerText")
    assert "by 1.5 mm, ± 0.8 mm. 97 % sure" in said
    assert page.run("document.querySelector('.look .call-rule').innerText") == "Player turns"
    # Two consecutive frames in which suns was not seen are one dashed stretch of its path.
    assert (
        page.run(
            "document.querySelectorAll('.look-picture')[0]"
            ".querySelectorAll('.trail[data-coin=suns][stroke-dasharray]').length"
        )
        == 1
    )
    assert (
        page.run("document.querySelector('.look-download').getAttribute('href')")
        == "/clips/flick-0003.mkv/original"
    )
    page.until(
        "document.querySelector('.look-clip').readyState >= 2 ||"
        " document.querySelector('.look-clip').hidden"
    )
    page.send(
        "Input.dispatchKeyEvent",
        type="keyDown",
        key="Escape",
        code="Escape",
        windowsVirtualKeyCode=27,
    )
    page.until("!document.querySelector('.look')")


@pytest.mark.parametrize("size", [(1280, 900), (1920, 1080), (500, 1000)])
def test_the_clip_and_what_is_drawn_of_it_are_seen_without_scrolling(
    page: Page, feed: Feed, size: tuple[int, int]
) -> None:
    scenes.publish(feed, "watching")
    page.resize(*size)
    page.until(f"innerWidth === {size[0]} && document.querySelectorAll('.look-button').length > 3")
    page.settle()
    page.run(LOOK.format("Ben passes wicket 1"))
    page.until(
        "document.querySelectorAll('.look-picture').length === 2 &&"
        " document.querySelector('.look-clip').readyState >= 2"
    )
    page.settle()
    bottom = "document.querySelector({!r}).getBoundingClientRect().bottom"
    assert page.run(bottom.format(".look-clip")) < size[1]
    assert size[0] < 896 or page.run(bottom.format(".look-pictures")) < size[1]


def test_what_the_camera_could_not_see_stands_among_the_calls(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "watching")
    page.until("document.querySelector('.call-unseen')")
    lines = page.run("[...document.querySelectorAll('#calls > li')].map((line) => line.innerText)")
    (place,) = [
        i
        for i, line in enumerate(lines)
        if "The camera could not see arms from 0:08.0 to 0:09.4" in line
    ]
    # newest first; that Ben flicked is said by his call
    assert "Ben passes wicket 1" in lines[place - 1] and "Ben's turn." in lines[place + 1]


def test_an_unseen_coin_is_marked_where_it_was_last(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "unseen")
    page.until("document.querySelector('.piece-hidden .coin-unseen')")
    assert page.run("document.querySelectorAll('.coin-unseen').length") == 1
    assert "not seen from 0:08.0 to 0:09.4" in page.run(
        "document.querySelector('.notice-question').innerText"
    )


@pytest.mark.parametrize(
    ("moment", "button", "answer"),
    [
        ("question", "It happened", {"on": "i14", "verdict": "upheld"}),
        ("question", "It did not", {"on": "i14", "verdict": "overturned"}),
        (
            "order",
            "First: Ben's coin hits the left endpost",
            {"on": "i15", "verdict": "before", "other": "i14"},
        ),
        ("unseen", "Nothing happened to it", {"on": "u1", "verdict": "upheld"}),
    ],
)
def test_a_question_is_answered_by_a_button(
    page: Page, feed: Feed, moment: str, button: str, answer: dict[str, str]
) -> None:
    scenes.publish(feed, moment)
    page.until("document.querySelector('.notice-question .button')")
    page.run(
        "[...document.querySelectorAll('.answers .button')].find((one) => one.innerText ==="
        f" {button!r}).click()"
    )
    assert feed.wait_for_answer("standing", 20) == QuestionAnswer(**answer)


def test_coins_have_the_colours_of_the_set(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "many")
    page.until("document.querySelectorAll('.piece').length === 10")
    colour = "getComputedStyle(document.querySelector('.piece [data-coin=crowns] .coin-face')).fill"
    green = page.run(colour)
    feed.publish("match", {**scenes.match(10), "tints": {"crowns": "yellow"}})
    page.until(f"{colour} !== {green!r}")
    red, gold, blue = (
        int(part) for part in page.run(colour).removeprefix("rgb(").removesuffix(")").split(",")
    )
    assert red > 200 and gold > 150 and blue < 100
    # Whatever the colour, each coin has a mark of its own.
    marks = page.run(
        "[...document.querySelectorAll('.piece .coin')].map((coin) =>"
        " [...coin.children].slice(1).map((part) => part.outerHTML).join())"
    )
    assert len(set(marks)) == 10


def test_on_a_phone_the_table_stands_above_what_needs_attention(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "question")
    page.until("document.querySelectorAll('.notice').length === 2")
    for width, height in [(390, 844), (360, 640)]:
        page.resize(width, height, phone=True)
        page.until(f"innerWidth === {width}")
        page.settle()
        top, bottom = page.run(
            "(({ top, bottom }) => [top,"
            " bottom])(document.querySelector('.table-still').getBoundingClientRect())"
        )
        assert 0 < top < 160 and bottom < height
        assert (
            page.run("document.querySelector('.notice-question').getBoundingClientRect().top")
            > bottom
        )
        assert page.run("document.documentElement.scrollWidth") <= width


def test_a_camera_that_gives_no_pictures_is_said(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "watching")
    page.until("document.getElementById('still')?.hidden === false", timeout_s=12)
    assert "cannot see the table" in page.run("document.getElementById('still').innerText")
    feed.publish("coins", scenes.coins(3, t_s=13.0))
    page.until("document.getElementById('still').hidden")


def test_names_are_text_whatever_they_hold(page: Page, feed: Feed) -> None:
    names = (
        "<img src=x onerror=alert(1)>",
        "👩‍👩‍👧‍👦 & Söhne",
        "W" * 120,
        "x",
        "&lt;b&gt;",
        "‮evil",
        "a b",
        "'\"",
        "${x}",
        "日本語の名前",
    )
    playing = scenes.match(10, names)
    scenes.publish(feed, "many")
    feed.publish("match", playing)
    feed.publish("standing", scenes.standing(playing, [0] * 10, turn=2))
    for width, height, phone in [(360, 640, True), (1280, 800, False)]:
        page.resize(width, height, phone=phone)
        page.until(
            f"innerWidth === {width} && document.querySelector('.turn-name')?.innerText ==="
            f" {names[2]!r}"
        )
        page.settle()
        assert page.run("document.documentElement.scrollWidth") <= width
        assert (
            page.run("document.querySelector('.turn').getBoundingClientRect().height") < height / 2
        )
    assert page.run(
        "[...document.querySelectorAll('.course-name')].map((name) => name.textContent)"
    ) == list(names)
    assert page.run("document.querySelectorAll('.course img').length") == 0


def test_of_many_irregularities_the_newest_stands_and_the_others_unfold(
    page: Page, feed: Feed
) -> None:
    odd = [
        {**scenes.IRREGULAR, "on": f"i{n}", "text": f"Tile number {n} was pushed."}
        for n in range(1, 8)
    ]
    scenes.publish(feed, "watching")
    feed.publish("irregularities", odd)
    page.until("document.querySelector('.notice-more')")
    shown = page.run("document.querySelector('.notice-irregular').innerText")
    assert "Tile number 7" in shown and "6 more" in shown and "Tile number 6" not in shown
    assert page.run("document.querySelector('.calls').getBoundingClientRect().height") > 250
    page.run("document.querySelector('.notice-more summary').click()")
    assert "Tile number 1" in page.run("document.querySelector('.notice-irregular').innerText")
