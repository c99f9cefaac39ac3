"""People name the coins beside a picture of them, with each name's player, and nothing covers the
picture, a face or a name.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed, Picture
from tests.web_ui import scenes
from tests.web_ui.in_sight import SIZES, outside

FACE = b'<svg xmlns="http://www.w3.org/2000/svg" width="224" height="224"/>'
#: Four coins in a picture of 1280 x 720: three are asked about, two of these side by side.
COINS = ((380.0, 320.0), (399.0, 322.0), (900.0, 600.0), (400.0, 345.0))
RADIUS_PX = 9.0

#: Whether the page shows this point of the window, and nothing else over it.
SHOWN = """(part, x, y) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight &&
  Boolean(document.elementFromPoint(x, y)?.closest(part))"""
COINS_SHOWN = f"""(() => {{
  const svg = document.querySelector(".photo svg");
  const at = (x, y) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  const rim = [[0, 0], [{RADIUS_PX}, 0], [0, {RADIUS_PX}], [-{RADIUS_PX}, 0], [0, -{RADIUS_PX}]];
  return {[list(at) for at in COINS]}.map(([x, y]) => rim.every(([u, v]) => {{
    const to = at(x + u, y + v);
    return ({SHOWN})(".photo", to.x, to.y);
  }}));
}})()"""
#: Whether each face and name can be scrolled to where nothing is over its middle.
REACHED = f"""[...document.querySelectorAll(".naming-face, .naming-choice")].map((one) => {{
  one.scrollIntoView({{ block: "nearest" }});
  const {{ left, right, top, bottom }} = one.getBoundingClientRect();
  const corners = [[left + 2, top + 4], [right - 4, bottom - 4], [(left + right) / 2, bottom - 4]];
  return corners.every(([x, y]) => ({SHOWN})(".naming-row", x, y));
}})"""
MARKS = """[...document.querySelectorAll(".photo-mark")].map((one) => {
  const { e, f, a } = one.transform.baseVal.consolidate().matrix;
  return [e, f, 10 * a];
})"""


def asked() -> dict[str, Any]:
    """Return the question about three coins in a picture, with a face of each."""
    topic = scenes.naming()
    seen = [{"at_px": list(at), "radius_px": RADIUS_PX} for at in COINS]
    for number, coin in enumerate(topic["coins"]):
        coin |= {"in_picture": seen[number], "face": f"face-{number + 1}"}
    return {**topic, "picture_px": [1280, 720], "others": seen[3:]}


@pytest.fixture
def naming(page: Page, feed: Feed) -> Page:
    scenes.publish(feed, "naming")
    for topic in ("naming", "face-1", "face-2", "face-3"):
        feed.publish_picture(topic, Picture("image/svg+xml", FACE))
    feed.publish("match", scenes.match() | {"tints": {"suns": "orange"}})
    feed.publish("naming", asked())
    page.until("document.querySelectorAll('.photo-mark').length === 3")
    return page


@pytest.mark.parametrize("size", SIZES)
def test_the_bar_covers_no_coin_no_face_and_no_name(naming: Page, size: tuple[int, int]) -> None:
    assert outside(naming, size) == []
    assert naming.run(COINS_SHOWN) == [True] * 4
    assert naming.run(REACHED) == [True] * 15  # three faces, and four choices for each
    bar = "document.querySelector('.naming-bar .button').getBoundingClientRect()"
    assert naming.run(f"({SHOWN})('.naming-bar', {bar}.left + 9, {bar}.top + 9)")
    assert naming.run(COINS_SHOWN) == [True] * 4  # also when the list is scrolled


@pytest.mark.parametrize("size", SIZES)
def test_numbers_stand_beside_the_coins_and_cover_none(naming: Page, size: tuple[int, int]) -> None:
    naming.resize(*size, phone=size[0] < 500)
    naming.until(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
    naming.settle()
    marks = naming.run(MARKS)
    for number, (x, y, radius) in enumerate(marks):
        for u, v in COINS:
            assert (x - u) ** 2 + (y - v) ** 2 > (radius + RADIUS_PX) ** 2
        for u, v, other in marks[number + 1 :]:
            assert (x - u) ** 2 + (y - v) ** 2 > (radius + other) ** 2
        assert radius <= x <= 1280 - radius and radius <= y <= 720 - radius


def test_each_name_says_its_player_and_what_the_coin_shows(naming: Page) -> None:
    names = "[...document.querySelectorAll('.naming-coin')].map((coin) => coin.innerText)"
    first = naming.run(names)[0]
    assert "Ben\nsuns, orange" in first and "Cleo\narms" in first
    assert "ace" in first and "ace," not in first  # nobody plays the ace, and its colour is unknown
    number = "document.querySelector('.naming-number').innerText"
    assert naming.run(number) == "1"


def test_the_drawing_comes_back_when_the_coins_are_named(naming: Page, feed: Feed) -> None:
    drawn = "document.querySelector('.table-still').checkVisibility()"
    assert not naming.run(drawn)
    feed.publish("naming", None)
    naming.until(f"!document.querySelector('.photo') && {drawn}")
