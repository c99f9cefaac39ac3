"""Balls are moved on the drawn board: tapped, dragged with a mouse or a finger, and by keys. The
page says the route before it is entered.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.web_ui.followed import PHONE, Show, count, record, text
from tests.web_ui.keys import key, keys
from tests.web_ui.pressing import entered, lines_of, press

UNIT_MM = 25.4  # half a tile of two inches
SPACES, POINTS = 0.5, 0.0
TOLD = "document.querySelector('.route-told').innerText.replaceAll('\\u00a0', ' ')"


def place(page: Page, at: tuple[int, int], shift: float = SPACES) -> tuple[float, float]:
    """Return where the middle of a space or a point is in the window, px."""
    x_mm, y_mm = ((number - shift) * UNIT_MM for number in at)
    x, y = page.run(
        f"(({{ x, y }}) => [x, y])(new DOMPoint({x_mm}, {-y_mm}).matrixTransform("
        "document.querySelector('.table-still').getScreenCTM()))"
    )
    return x, y


def tap(page: Page, at: tuple[int, int], shift: float = SPACES) -> None:
    x, y = place(page, at, shift)
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def drag(page: Page, way: list[tuple[int, int]]) -> None:
    first, *others = (place(page, at) for at in way)
    mouse = {"button": "left", "buttons": 1}
    page.send("Input.dispatchMouseEvent", type="mousePressed", x=first[0], y=first[1], **mouse)
    for x, y in others:
        page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, **mouse)
    x, y = others[-1]
    page.send("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left")


def drag_with_a_finger(page: Page, way: list[tuple[int, int]]) -> None:
    page.send("Emulation.setTouchEmulationEnabled", enabled=True)
    first, *others = ({"x": x, "y": y} for x, y in (place(page, at) for at in way))
    page.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[first])
    for point in others:
        page.send("Input.dispatchTouchEvent", type="touchMove", touchPoints=[point])
    page.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.send("Emulation.setTouchEmulationEnabled", enabled=False)


@pytest.fixture
def wickets(show: Show, tmp_path: Path) -> tuple[Page, Path]:
    path = record(tmp_path, "wickets-six", "whole-game", 3)
    page = show(path)
    page.until("document.querySelector('.route-left')?.innerText === '12 spaces left.'")
    return page, path


#: Blue has thrown 6 and 6 and begins on the start space, (5, 4). Wicket 1 is above it, at (5, 5).
NORTH = [(5, y) for y in range(4, 17)]


@pytest.mark.parametrize("finger", [False, True])
def test_a_ball_is_dragged_along_its_route_which_is_told_before_it_is_entered(
    wickets: tuple[Page, Path], *, finger: bool
) -> None:
    page, path = wickets
    if finger:
        page.resize(*PHONE, phone=True)
        page.until("innerWidth === 390")
        page.settle()
    (drag_with_a_finger if finger else drag)(page, NORTH)
    page.until(f"{TOLD} === '12 steps north: to 5, 16'")
    assert "passes wicket 1 (1A): a point" in text(page, ".route-meets")
    assert text(page, ".route-left") == "The dice are used up."
    assert text(page, ".route-by").replace("\u00a0", " ").startswith("By 5, 5 – 5, 6 –")
    assert lines_of(path) == 3
    press(page, "Move")
    last = entered(page, path, 4)
    assert (last["pawn"], last["from"], last["to"]) == ("blue", None, [5, 16])
    assert last["path"] == [[5, y] for y in range(5, 17)]


def test_the_words_are_read_out(wickets: tuple[Page, Path]) -> None:
    page, _ = wickets
    assert page.run("Boolean(document.querySelector('.route-told').closest('[role=status]'))")


def test_a_ball_is_tapped_and_then_the_space_where_it_goes(wickets: tuple[Page, Path]) -> None:
    page, path = wickets
    tap(page, (5, 4))
    page.until("document.querySelector('.route-why').innerText.startsWith('Now tap where')")
    tap(page, (11, 10))  # six east and six north, in either order
    page.until(f"{TOLD} === '6 steps north, 6 steps east: to 11, 10'")
    press(page, "The other way")
    page.until(f"{TOLD} === '6 steps east, 6 steps north: to 11, 10'")
    tap(page, (11, 4))  # a space of the route: it is taken back to there
    page.until(f"{TOLD} === '6 steps east: to 11, 4'")
    tap(page, (12, 12))
    page.until("document.querySelector('.route-why').innerText.includes('the dice 6 and 6')")
    assert lines_of(path) == 3


def test_arrow_keys_move_the_ball_that_has_the_focus(wickets: tuple[Page, Path]) -> None:
    page, path = wickets
    page.run("document.querySelector('.ball-grip').focus()")
    assert "blue ball on 5" in page.run("document.activeElement.getAttribute('aria-label')")
    keys(page, "ArrowUp", "ArrowUp", "ArrowRight")
    page.until("document.querySelector('.route-why').innerText")
    assert "the dice 6 and 6 do not allow this path" in text(page, ".route-why")
    assert page.run(TOLD) == "2 steps north: to 5, 6"  # the step that is not allowed was not made
    key(page, "Enter")
    page.until("document.querySelector('.route-left').innerText === '10 spaces left.'")
    assert lines_of(path) == 3
    key(page, "Escape")
    page.until(f"{TOLD} === 'From 5, 4'")
    assert text(page, ".route-why") == ""
    keys(page, *["ArrowRight"] * 6, *["ArrowUp"] * 7, "Backspace", "ArrowUp", "Enter")
    last = entered(page, path, 4)
    assert last["path"] == [*([x, 4] for x in range(6, 12)), *([11, y] for y in range(5, 11))]
    # The next step, the next player's dice, has the focus.
    page.until("document.activeElement.matches('#say .side-title')")
    assert text(page, "#say .side-title") == "The first die shows"


def test_a_go_on_the_lawn_is_entered_by_keyboard_alone(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "piecepack-croquet", "disaster-straight-n", 1)
    page = show(path)
    page.until("document.querySelector('#say button')")
    page.run("document.querySelector('#say .side-title').focus()")
    keys(page, "Tab", "Tab", "Tab", "Enter")  # the third start point
    assert entered(page, path, 2)["to"] == [3, 0]
    page.until("document.activeElement.matches('.ball-grip')")
    keys(page, "ArrowUp", "7", "Enter")  # 7 lies up and left of 5 on a number pad
    assert entered(page, path, 3)["route"] == [[3, 1], [2, 2]]
    page.until("document.activeElement.matches('#say .side-title')")
    keys(page, "Tab", "ArrowRight", "ArrowRight", "Enter")  # blank, ace, 2
    assert entered(page, path, 4)["face"] == "2"


def test_a_ball_is_put_on_the_point_that_is_tapped(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "piecepack-croquet", "disaster-straight-n", 1)
    page = show(path)
    page.until("document.querySelector('#say button') && document.querySelector('.table-still')")
    tap(page, (4, 0), POINTS)  # no start point
    tap(page, (1, 0), POINTS)
    assert entered(page, path, 2)["to"] == [1, 0]
    assert count(page, ".answer-message:not(:empty)") == 0


def test_steps_pressed_before_the_answer_are_all_made(wickets: tuple[Page, Path]) -> None:
    page, path = wickets
    page.run("document.querySelector('.ball-grip').focus()")
    press_all = "for (const key of [...Array(12).fill('ArrowUp'), 'Enter']) press(key)"
    press_one = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', how))"
    page.run(
        f"{{ const press = (key) => {{ const how = {{ key, bubbles: true }}; {press_one}; }};"
        f" {press_all}; }}"
    )  # in one go, before the server can have answered
    assert entered(page, path, 4)["to"] == [5, 16]


def until_kind(path: Path, kind: str) -> None:
    """Cut a script off before its first entry of this kind."""
    lines = path.read_text().splitlines(keepends=True)
    place = next(i for i, line in enumerate(lines) if json.loads(line).get("kind") == kind)
    path.write_text("".join(lines[:place]))


def test_a_croqueted_ball_is_sent_by_a_tap_and_by_keys(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "piecepack-croquet", "croquet-disaster-follow-through-both")
    until_kind(path, "croquet")
    page, before = show(path), lines_of(path)
    page.until("document.querySelector('.ball-grip') && document.querySelector('.table-still')")
    page.settle()
    end = page.run(f"{TOLD}.match(/to (\\d+), (\\d+)/).slice(1).map(Number)")
    ball = (end[0], end[1] - 1)  # at first it is sent one step up
    tap(page, (ball[0] + 2, ball[1] + 1), POINTS)
    page.until(f"{TOLD}.endsWith('is not on its way.')")
    tap(page, (ball[0] + 2, ball[1] + 2), POINTS)
    page.until(f"{TOLD} === '2 steps up and right: to {ball[0] + 2}, {ball[1] + 2}'")
    page.run("document.querySelector('.ball-grip').focus()")
    keys(page, "9", "Enter")
    last = entered(page, path, before + 1)
    assert (last["kind"], last["direction"], last["distance"]) == ("croquet", "ne", 3)


def test_a_roqueted_ball_of_wickets_is_sent_by_keys(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "wickets-six", "roquet")
    page, before = show(path), lines_of(path)
    page.until("document.querySelector('.ball-grip')")
    page.run("document.querySelector('.ball-grip').focus()")
    keys(page, "ArrowLeft", "Enter")
    last = entered(page, path, before + 1)
    assert (last["kind"], last["pawn"], last["direction"]) == ("croquet", "blue", "w")


def test_where_a_ball_stops_in_a_disaster_is_tapped(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "piecepack-croquet", "disaster-straight-n")
    until_kind(path, "disaster")
    route = next(
        json.loads(line)["route"] for line in path.read_text().splitlines() if '"shot"' in line
    )
    page, before = show(path), lines_of(path)
    page.until("document.querySelector('#say .choice') && document.querySelector('.table-still')")
    page.settle()
    tap(page, tuple(route[0]), POINTS)
    press(page, "Confirm")
    assert entered(page, path, before + 1)["choice"] == {"kind": "stop", "at": route[0]}
