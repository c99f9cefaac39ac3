"""Flicking games refereed at a table without a camera, with the page's buttons and choices only, in
a real browser.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from tests.web_ui.followed import MATCHES, PHONE, Show, count, record, text
from tests.web_ui.players import Players
from tests.web_ui.pressing import entered, lines_of, open_rulings, pick, press, type_spot, unfold
from tests.web_ui.test_entering import NAMING_IDS, comes_to

WHOLE = [
    ("tabletop-croquet", "whole-game"),
    ("castle-croquetnole", "whole-game"),
    ("carroms", "whole-game"),
]


@pytest.mark.parametrize(("game", "name"), WHOLE)
def test_a_whole_game_is_refereed_with_buttons_alone(
    show: Show, tmp_path: Path, game: str, name: str
) -> None:
    script = [
        json.loads(line) for line in (MATCHES / game / f"{name}.jsonl").read_text().splitlines()
    ]
    path = record(tmp_path, game, name, 1)
    players = Players(show(path), path, game, script[0]["players"])
    for entry in script[1:]:
        wanted = {
            field: value
            for field, value in entry.items()
            if field not in ("id", "coins") and value != []
        }
        last = players.tell(entry)
        assert last.items() >= wanted.items()
        assert last.get("coins") in (entry.get("coins"), {})
    expect = json.loads((MATCHES / game / f"{name}.expected.json").read_text())["expect"]
    assert comes_to(adjudicate(read_record(path)), expect) == expect
    players.page.until("document.querySelector('.turn-won')")


def middle_of(page: Page, selector: str) -> tuple[float, float]:
    x, y = page.run(
        "(({ x, y, width, height }) => [x + width / 2, y + height /"
        f" 2])(document.querySelector({selector!r}).getBoundingClientRect())"
    )
    return x, y


def tap(page: Page, x: float, y: float) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def test_where_a_coin_leaves_the_table_is_tapped_and_the_spot_where_it_goes_back_is_offered(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)  # Ann's coin has been flicked
    page = show(path)
    unfold(page, "Leaves the table")
    page.until("document.querySelector('.is-pointing')")
    tap(
        page, *middle_of(page, ".post-letter")
    )  # the left endpost's letter: its tile is centred on (25.4, 0), the letter's box some mm away
    press(page, "It leaves there", "#hand")
    fell = entered(page, path, 5, "hand")
    assert (fell["kind"], fell["coin"]) == ("left_table", "moons")
    assert abs(fell["at_mm"][0] - 25.4) <= 6 and abs(fell["at_mm"][1]) <= 12
    press(page, "All is at rest", "#hand")
    entered(page, path, 6, "hand")
    press(page, "It lies there", "#hand")
    back = entered(page, path, 7, "hand")
    way = [back["at_mm"][i] - fell["at_mm"][i] for i in (0, 1)]
    assert (way[0] ** 2 + way[1] ** 2) ** 0.5 == pytest.approx(1.25 * 19.05, abs=1.5) and way[
        0
    ] > 0  # TC-14: in towards the course
    page.until("document.querySelector('#hand .side-title')?.innerText === 'The next flick'")
    assert count(page, ".notice-irregular") == 0


def test_where_all_coins_lie_is_told_with_a_tap_each(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 1)
    script = [
        {"kind": "placed", "coin": coin, "at_mm": [76, y]}
        for coin, y in (("moons", 10), ("suns", -15))
    ]
    both = [
        *script,
        {"kind": "flicked", "coin": "moons"},
        {"kind": "contact", "coin": "moons", "with": "suns"},
    ]  # neither lies where it lay
    path.write_text(
        path.read_text()
        + "".join(json.dumps({"entry": "incident", **entry}) + "\n" for entry in both)
    )
    page = show(path)
    unfold(page, "Say where the coins lie")
    page.until("document.querySelector('.is-pointing')")
    tap(page, *middle_of(page, ".post-letter"))
    page.until(
        "document.querySelector('#hand details[open] .choice:has(:checked)').innerText.trim() ==="
        " 'Ben'"
    )  # no other tap is needed
    tap(page, *middle_of(page, "g.tile:last-of-type"))
    press(page, "Everything lies as shown", "#hand")
    lying = entered(page, path, 6, "hand")["coins"]
    assert (
        set(lying) == {"moons", "suns"}
        and lying["moons"][0] < 60
        and lying["moons"] != lying["suns"]
    )
    page.until("document.querySelectorAll('.piece-rest').length === 2")


def test_what_the_rules_do_not_allow_is_told_and_entered_only_when_asked_again(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 3)
    page = show(path)
    unfold(page, "Enter another coin or player")
    pick(page, "Ben's coin", "#hand")
    press(page, "Ben's coin is flicked", "#hand")
    page.until("document.querySelector('#hand .answer-message').innerText.includes('Ann')")
    assert lines_of(path) == 3
    press(page, "It happened: enter it anyway", "#hand")
    assert entered(page, path, 4, "hand").items() >= {"kind": "flicked", "coin": "suns"}.items()
    page.until("document.querySelector('.notice-question')")


def test_one_button_takes_back_what_was_entered_last(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 5)
    page = show(path)
    page.until(
        "document.querySelector('.hand-back')?.innerText.includes(\"Ann's coin crosses wicket 1\")"
    )
    page.run("document.querySelector('.hand-back button').click()")
    assert (
        entered(page, path, 6, "hand").items()
        >= {"entry": "ruling", "on": "i4", "verdict": "overturned"}.items()
    )
    page.until(
        "document.querySelector('.hand-back')?.innerText.includes(\"Ann's coin is flicked\") &&"
        " !document.querySelector('.call-wicket_scored')"
    )
    page.until(
        "[...document.querySelectorAll('#hand button')].some((one) => one.innerText === 'Passes"
        " wicket 1 outward')"
    )


def test_a_decision_on_a_call_is_what_is_taken_back(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 5)
    page = show(path)
    page.until("document.querySelector('#calls .call-wicket_scored .look-button')")
    page.run("document.querySelector('#calls .call-wicket_scored .look-button').click()")
    press(page, "It does not count", "dialog")
    press(page, "Ann decides", "dialog")
    page.until("document.querySelector('#calls .call-overturned')")
    page.until("document.querySelector('.hand-back')?.innerText.includes('ruling')")
    said = "the ruling that “Ann's coin crosses wicket 1” does not count"
    assert text(page, ".hand-last") == said
    page.run("document.querySelector('.hand-back button').click()")
    page.until("document.querySelector('#calls .call-wicket_scored')")
    ruling, back = (json.loads(line) for line in path.read_text().splitlines()[-2:])
    assert (back["on"], back["verdict"]) == (ruling["id"], "overturned")
    page.until(
        "document.querySelector('.hand-back').innerText.includes(\"Ann's coin crosses wicket 1\")"
    )


def test_who_enters_by_keyboard_goes_on_where_they_were(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)
    page = show(path)
    page.until("document.querySelector('#hand .button-coin')")
    page.run("document.querySelector('#hand .button-coin').focus()")
    for kind in ("keyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key="Enter",
            code="Enter",
            windowsVirtualKeyCode=13,
            text="\r" if kind == "keyDown" else "",
        )
    assert (
        entered(page, path, 5, "hand").items()
        >= {"kind": "contact", "coin": "moons", "with": "suns"}.items()
    )
    page.until('document.activeElement.ariaLabel === "Ben\'s coin"')


def test_a_tile_that_a_coin_pushed_is_told_and_put_back_before_the_next_flick(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)
    page = show(path)
    unfold(page, "A tile is pushed")
    pick(page, "wicket 1 left", "#hand")
    type_spot(
        page, [235.0, 84.2], "#hand details[open]"
    )  # its middle is at (4.5, 1.5) tiles of 50.8 mm: (228.6, 76.2), so 6.4 mm and 8 mm away
    press(page, "The tile's middle is there", "#hand")
    pushed = entered(page, path, 5, "hand")
    assert (pushed["tile"], pushed["by"], pushed["from"]["centre_mm"]) == (
        "wicket-1-left",
        "coin",
        pytest.approx([228.6, 76.2]),
    )
    assert pushed["moved_mm"] == pytest.approx(10.2, abs=0.1)
    press(page, "All is at rest", "#hand")
    entered(page, path, 6, "hand")
    press(page, "The tile wicket 1 left is put back", "#hand")
    back = entered(page, path, 7, "hand")
    assert (back["kind"], back["by"], back["from"], back["to"]) == (
        "tile_restored",
        "hand",
        pushed["to"],
        pushed["from"],
    )
    page.until("document.querySelector('#hand .side-title')?.innerText === 'The next flick'")


def test_where_a_session_watches_nothing_is_entered_but_what_was_missed_is_added(
    window: Page, server: TableServer, feed: Feed
) -> None:
    moment = {
        **scenes.scene("question"),
        "rulings": [],
        "record": {"typed": "r.jsonl", "last": "i14", "entries": 15},
    }
    for topic, value in moment.items():
        feed.publish(topic, value)
    window.open(server.url)
    open_rulings(window)
    assert not window.run("document.getElementById('hand').checkVisibility()")
    unfold(window, "Add a missed event after i14", "#rulings")
    window.until("document.querySelector('#rulings form.rule')")
    window.open("about:blank")


def test_behind_a_camera_the_forms_are_folded_away(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 3)
    with path.open("a") as out:
        out.write(
            json.dumps(
                {"entry": "incident", "kind": "flicked", "coin": "moons", "frames": [10, 11]}
            )
            + "\n"
        )
    page = show(path)
    page.until(
        "document.querySelector('#hand details > summary')?.innerText.includes('A camera saw')"
    )
    assert not page.run("document.querySelector('.hand-rest').checkVisibility()")


STATES = [
    ("tabletop-croquet", 1),
    ("tabletop-croquet", 5),
    ("tabletop-croquet", 17),
    ("castle-croquetnole", 11),
    ("carroms", 4),
    ("carroms", 25),
]


@pytest.mark.parametrize(("game", "lines"), STATES)
def test_on_a_phone_everything_to_press_is_large_enough_and_nothing_is_cut_off(
    show: Show, tmp_path: Path, game: str, lines: int
) -> None:
    page = show(record(tmp_path, game, "whole-game", lines))
    page.resize(*PHONE, phone=True)
    page.until("innerWidth === 390 && document.querySelectorAll('#hand button').length")
    page.run("document.querySelectorAll('#hand details').forEach((one) => { one.open = true; })")
    pressed = (
        "[...document.querySelectorAll('#hand :is(button, select, summary, input[type=number],"
        " label.choice)')].filter((one) => one.checkVisibility())"
    )
    boxes = f"{pressed}.map((one) => [one.innerText, one.getBoundingClientRect()])"
    assert (
        page.run(
            f"{boxes}.filter(([, box]) => box.height < 40 || box.width < 40 || box.right >"
            " 390).map(([words]) => words)"
        )
        == []
    )
    assert page.run("document.documentElement.scrollWidth") <= 390
    words = "one.ariaLabel || one.innerText || one.closest('label')?.innerText"
    assert page.run(
        "[...document.querySelectorAll('#hand :is(button, select, input)')].every((one) =>"
        f" {words})"
    )


def test_a_fall_is_put_on_the_edge_where_that_is_known_and_the_coin_goes_back_in_from_it(
    show: Show, tmp_path: Path
) -> None:
    edge = [[-100, -400], [1300, -400], [1300, 400], [-100, 400]]
    path = tmp_path / "record.jsonl"
    seats = [
        {"name": "Ann", "coin": "moons", "progress": 0},
        {"name": "Ben", "coin": "suns", "progress": 0},
    ]
    first = {
        "entry": "setup",
        "format": "piecepack-match/1",
        "game": "tabletop-croquet",
        "players": seats,
        "table_edge_mm": edge,
    }
    path.write_text(
        f'{json.dumps(first)}\n{{"entry": "incident", "kind": "flicked", "coin": "moons"}}\n'
    )
    page = show(path)
    unfold(page, "Leaves the table")
    page.until("document.querySelector('.is-pointing')")
    box = "document.querySelector('.table-still .edge').getBoundingClientRect()"
    left, top, width, height = page.run(
        f"(({{ x, y, width, height }}) => [x, y, width, height])({box})"
    )
    tap(
        page, left + width / 2, top + height - 12
    )  # a little inside the lower edge, halfway along it
    press(page, "It leaves there", "#hand")
    x_mm, y_mm = entered(page, path, 3, "hand")["at_mm"]
    assert abs(x_mm - 600) <= 5 and y_mm == -400
    press(page, "All is at rest", "#hand")
    entered(page, path, 4, "hand")
    press(page, "It lies there", "#hand")
    back = entered(page, path, 5, "hand")["at_mm"]
    assert back == [
        x_mm,
        pytest.approx(-400 + 1.25 * 19.05, abs=0.51),
    ]  # TC-14, to a whole millimetre
    assert count(page, ".notice-irregular") == 0


IRREGULAR = [
    ("tabletop-croquet", "poison-kills"),
    ("tabletop-croquet", "poison-killed-falls"),
    ("castle-croquetnole", "out-of-turn-named"),
    ("carroms", "black-and-striker"),
    ("carroms", "pocketed-coin-put"),
]


@pytest.mark.parametrize(("game", "name"), IRREGULAR)
def test_what_is_seldom_told_is_told_as_it_happened(
    show: Show, tmp_path: Path, game: str, name: str
) -> None:
    script = [
        json.loads(line) for line in (MATCHES / game / f"{name}.jsonl").read_text().splitlines()
    ]
    path = record(tmp_path, game, name, 1)
    players = Players(show(path), path, game, script[0]["players"])
    for entry in script[1:]:
        assert (
            players.tell(entry).items()
            >= {
                field: value
                for field, value in entry.items()
                if field not in ("id", "coins") and value != []
            }.items()
        )
    expect = json.loads((MATCHES / game / f"{name}.expected.json").read_text())["expect"]
    known = {field: value for field, value in expect.items() if field not in NAMING_IDS}
    assert comes_to(adjudicate(read_record(path)), known) == known
