"""Flicking games refereed at a table without a camera, with the page's buttons and choices alone, in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.chromium import Page, browser
from referee.adjudication import adjudicate
from referee.feed import Feed
from referee.record import read_record
from referee.serving import Server
from tests.web_ui import scenes
from tests.web_ui.followed import MATCHES, PHONE, Show, count, record, text
from tests.web_ui.pressing import choose, entered, lines_of, pick, press, type_spot, unfold
from tests.web_ui.test_entering import NAMING_IDS, comes_to

pytestmark = pytest.mark.skipif(not browser(), reason="there is no browser here")

CARROMS = {"striker": "the striker", "moons": "the black coin"}
ACTIONS = {1: "flick on", 2: "move beside it", 3: "flick it", 4: "move beside it and flick it"}


class Players:
    """People at a table, who have a page and a script of what happens."""

    def __init__(self, page: Page, path: Path, game: str, players: list[dict[str, Any]]) -> None:
        self.page, self.path = page, path
        kind = "knight" if game == "castle-croquetnole" else "coin"
        self._whose = {} if game == "carroms" else {player["coin"]: (player["name"], kind) for player in players}
        if game == "castle-croquetnole":
            self._whose |= {guard: (player["name"], "guard") for player, guard in zip(players, ("ace", "2", "3", "4"), strict=False)}

    def called(self, coin: str) -> str:
        """A coin as the page calls it."""
        if coin in self._whose:
            name, kind = self._whose[coin]
            return f"{name}'s {kind}"
        return CARROMS.get(coin, coin.replace("suns-", "red coin ").replace("arms-", "blue coin "))

    def chip(self, coin: str) -> str:
        """What stands on its choice: what it shows where that is a letter or a number, and whose it is."""
        name, kind = self._whose.get(coin, ("", ""))
        words = self.called(coin) if not name else f"{name}, guard" if kind == "guard" else name
        face = {"ace": "A", "striker": "S"}.get(coin, coin.rpartition("-")[2])
        return f"{face} {words}" if len(face) == 1 else words

    def tell(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Enter one line of a script; what then stands in the record. Where coins lie is said only where the script knows it of all of them."""
        before = lines_of(self.path)
        getattr(self, entry["kind"])(entry)
        written = f"document.getElementById('hand').dataset.view?.includes('\"entries\":{before}')"
        self.page.until(f"{written} || document.querySelector('#hand .answer-message button')")
        if not self.page.run(f"Boolean({written})"):  # the rules do not allow it, and it happened
            press(self.page, "It happened", "#hand")
        return entered(self.page, self.path, before + 1, "hand")

    def placed(self, entry: dict[str, Any]) -> None:
        self.page.until("document.querySelector('#hand .side-title')")
        title = text(self.page, "#hand .side-title")
        if title.endswith("is taken away"):
            return press(self.page, title.replace("away", "off the table"), "#hand")
        if title.lower() != f"{self.called(entry['coin'])} is put down".lower():
            unfold(self.page, "A hand moved a coin")
            pick(self.page, self.called(entry["coin"]), "#hand")
        if entry["at_mm"] is None:
            return press(self.page, "It is taken off the table", "#hand")
        type_spot(self.page, entry["at_mm"])
        self.page.run("document.querySelector('#hand .spot').scrollIntoView()")
        return self.press_last("It lies there")

    def press_last(self, words: str) -> None:
        """Of several buttons that are called so, the one beside the place that was given."""
        button = f"[...document.querySelectorAll('#hand button')].filter((one) => one.checkVisibility() && one.innerText === {words!r}).at(-1)"
        self.page.until(f"{button} && !{button}.disabled")
        self.page.run(f"{button}.click()")

    def sees(self, words: str, of: str) -> bool:
        """Whether there is a button, a choice or something folded that is called so, or begins so."""
        words_of = "one.innerText.trim().replace(/\\s+/g, ' ')"
        return bool(self.page.run(f"[...document.querySelectorAll('#hand {of}')].some((one) => one.checkVisibility() && {words_of}.startsWith({words!r}))"))

    def flicked(self, entry: dict[str, Any]) -> None:
        coin = self.called(entry["coin"])
        words = f"{coin[0].upper()}{coin[1:]} is flicked"
        self.page.until("document.querySelector('#hand .side-title')")
        if self.sees("Flicked all the same", "summary"):
            unfold(self.page, "Flicked all the same")
        if entry["touching"]:
            unfold(self.page, "It touched a coin")
        for other in entry["touching"]:
            choose(self.page, self.chip(other), "#hand .touching")
        if "player" in entry:
            unfold(self.page, "It touched a coin")
            pick(self.page, entry["player"], "#hand")
        if not self.sees(words, "button") and self.sees(self.chip(entry["coin"]), ".choice"):
            choose(self.page, self.chip(entry["coin"]), "#hand")
        elif not self.sees(words, "button"):
            unfold(self.page, "It touched a coin")
            pick(self.page, coin, "#hand")
        press(self.page, words, "#hand")

    def actor(self, coin: str) -> None:
        if count(self.page, "#hand .hand-does"):
            choose(self.page, self.chip(coin), "#hand")

    def line_crossed(self, entry: dict[str, Any]) -> None:
        self.actor(entry["coin"])
        kind, of = entry["line"].split("-")
        line = f"wicket {of}" if kind == "wicket" else f"the {kind} of {of}"
        way = f"{entry['direction']}wards" if entry["direction"] in ("out", "in") else entry["direction"]
        if self.page.run(f"[...document.querySelectorAll('#hand button')].some((one) => one.innerText === 'Passes {line} {way}')"):
            return press(self.page, f"Passes {line} {way}", "#hand")
        unfold(self.page, "Something else happens")
        pick(self.page, line, "#hand")
        pick(self.page, way, "#hand")
        return press(self.page, "It does", "#hand")

    def contact(self, entry: dict[str, Any]) -> None:
        self.actor(entry["coin"])
        if entry["with"] in self._whose:
            return press(self.page, self.called(entry["with"]), "#hand .hand-does")
        kind, of = entry["with"].split("-")
        place = f"the tower of {of}" if kind == "tower" else f"the {kind} endpost"
        if self.page.run(f"[...document.querySelectorAll('#hand button')].some((one) => one.innerText === 'Touches {place}')"):
            return press(self.page, f"Touches {place}", "#hand")
        unfold(self.page, "Something else happens")
        pick(self.page, place, "#hand")
        return self.press_last("It does")

    def pocketed(self, entry: dict[str, Any]) -> None:
        choose(self.page, entry["pocket"].removeprefix("pocket-").upper(), "#hand")
        press(self.page, self.called(entry["coin"]), "#hand")

    def left_table(self, entry: dict[str, Any]) -> None:
        if count(self.page, "#hand .hand-does"):
            self.actor(entry["coin"])
            unfold(self.page, "Leaves the table")
        else:
            unfold(self.page, "A coin leaves the board")
            pick(self.page, self.called(entry["coin"]), "#hand")
        type_spot(self.page, entry["at_mm"])
        press(self.page, "It leaves there", "#hand")

    def at_rest(self, entry: dict[str, Any]) -> None:
        if entry["coins"]:
            unfold(self.page, "Say where the coins lie")
        for coin, at_mm in entry["coins"].items():
            choose(self.page, self.chip(coin), "#hand details[open]")
            type_spot(self.page, at_mm, "#hand details[open]")
        lie = "Every coin has its place" in text(self.page, "#hand details[open]")
        press(self.page, "All lies at rest so" if lie else "All is at rest", "#hand")

    def after_hit(self, entry: dict[str, Any]) -> None:
        end = ACTIONS[entry["option"]]
        button = f"[...document.querySelectorAll('#say button')].find((one) => one.innerText.endsWith({end!r}))"
        self.page.until(button)
        self.page.run(f"{button}.click()")

    def croquet(self, entry: dict[str, Any]) -> None:
        press(self.page, f"{entry['option']}:")

    def pass_(self, entry: dict[str, Any]) -> None:
        press(self.page, "Go over" if count(self.page, "#say button") else "Do not")


WHOLE = [("tabletop-croquet", "whole-game"), ("castle-croquetnole", "whole-game"), ("carroms", "whole-game")]


@pytest.mark.parametrize(("game", "name"), WHOLE)
def test_a_whole_game_is_refereed_with_buttons_alone(show: Show, tmp_path: Path, game: str, name: str) -> None:
    script = [json.loads(line) for line in (MATCHES / game / f"{name}.jsonl").read_text().splitlines()]
    path = record(tmp_path, game, name, 1)
    players = Players(show(path), path, game, script[0]["players"])
    for entry in script[1:]:
        wanted = {field: value for field, value in entry.items() if field not in ("id", "coins") and value != []}
        last = players.tell(entry)
        assert last.items() >= wanted.items()
        assert last.get("coins") in (entry.get("coins"), {})
    expect = json.loads((MATCHES / game / f"{name}.expected.json").read_text())["expect"]
    assert comes_to(adjudicate(read_record(path)), expect) == expect
    players.page.until("document.querySelector('.turn-won')")


def middle_of(page: Page, selector: str) -> tuple[float, float]:
    x, y = page.run(f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])(document.querySelector({selector!r}).getBoundingClientRect())")
    return x, y


def tap(page: Page, x: float, y: float) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def test_where_a_coin_leaves_the_table_is_tapped_and_the_spot_where_it_goes_back_is_offered(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)  # Ann's coin has been flicked
    page = show(path)
    unfold(page, "Leaves the table")
    page.until("document.querySelector('.is-pointing')")
    tap(page, *middle_of(page, ".post-letter"))  # the left endpost's letter: its tile is centred on (25.4, 0), the letter's box some mm off
    press(page, "It leaves there", "#hand")
    fell = entered(page, path, 5, "hand")
    assert (fell["kind"], fell["coin"]) == ("left_table", "moons")
    assert abs(fell["at_mm"][0] - 25.4) <= 6 and abs(fell["at_mm"][1]) <= 12
    press(page, "All is at rest", "#hand")
    entered(page, path, 6, "hand")
    press(page, "It lies there", "#hand")
    back = entered(page, path, 7, "hand")
    way = [back["at_mm"][i] - fell["at_mm"][i] for i in (0, 1)]
    assert (way[0] ** 2 + way[1] ** 2) ** 0.5 == pytest.approx(1.25 * 19.05, abs=1.5) and way[0] > 0  # TC-14: in towards the course
    page.until("document.querySelector('#hand .side-title')?.innerText === 'The next flick'")
    assert count(page, ".notice-irregular") == 0


def test_where_all_coins_lie_is_told_with_a_tap_each(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 1)
    script = [{"kind": "placed", "coin": coin, "at_mm": [76, y]} for coin, y in (("moons", 10), ("suns", -15))]
    both = [*script, {"kind": "flicked", "coin": "moons"}, {"kind": "contact", "coin": "moons", "with": "suns"}]  # neither lies where it lay
    path.write_text(path.read_text() + "".join(json.dumps({"entry": "incident", **entry}) + "\n" for entry in both))
    page = show(path)
    unfold(page, "Say where the coins lie")
    page.until("document.querySelector('.is-pointing')")
    tap(page, *middle_of(page, ".post-letter"))
    page.until("document.querySelector('#hand details[open] .choice:has(:checked)').innerText.trim() === 'Ben'")  # no other tap is needed
    tap(page, *middle_of(page, "g.tile:last-of-type"))
    press(page, "All lies at rest so", "#hand")
    lying = entered(page, path, 6, "hand")["coins"]
    assert set(lying) == {"moons", "suns"} and lying["moons"][0] < 60 and lying["moons"] != lying["suns"]
    page.until("document.querySelectorAll('.piece-rest').length === 2")


def test_what_the_rules_do_not_allow_is_told_and_entered_only_when_asked_again(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 3)
    page = show(path)
    unfold(page, "It touched a coin")
    pick(page, "Ben's coin", "#hand")
    press(page, "Ben's coin is flicked", "#hand")
    page.until("document.querySelector('#hand .answer-message').innerText.includes('Ann')")
    assert lines_of(path) == 3
    press(page, "It happened: enter it all the same", "#hand")
    assert entered(page, path, 4, "hand").items() >= {"kind": "flicked", "coin": "suns"}.items()
    page.until("document.querySelector('.notice-question')")


def test_one_button_takes_back_what_was_entered_last(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 5)
    page = show(path)
    page.until("document.querySelector('.hand-back')?.innerText.includes(\"Ann's coin crosses wicket 1\")")
    page.run("document.querySelector('.hand-back button').click()")
    assert entered(page, path, 6, "hand").items() >= {"entry": "ruling", "on": "i4", "verdict": "overturned"}.items()
    page.until("document.querySelector('.hand-back')?.innerText.includes(\"Ann's coin is flicked\") && !document.querySelector('.call-wicket_scored')")
    page.until("[...document.querySelectorAll('#hand button')].some((one) => one.innerText === 'Passes wicket 1 outward')")


def test_who_enters_by_keyboard_goes_on_where_they_were(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)
    page = show(path)
    page.until("document.querySelector('#hand .button-coin')")
    page.run("document.querySelector('#hand .button-coin').focus()")
    for kind in ("keyDown", "keyUp"):
        page.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r" if kind == "keyDown" else "")
    assert entered(page, path, 5, "hand").items() >= {"kind": "contact", "coin": "moons", "with": "suns"}.items()
    page.until("document.activeElement.ariaLabel === \"Ben's coin\"")


def test_a_tile_that_a_coin_pushed_is_told_and_put_back_before_the_next_flick(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)
    page = show(path)
    unfold(page, "A tile is pushed")
    pick(page, "wicket 1 left", "#hand")
    type_spot(page, [235.0, 84.2], "#hand details[open]")  # its middle is at (4.5, 1.5) tiles of 50.8 mm: (228.6, 76.2), so 6.4 mm and 8 mm away
    press(page, "Its middle is there", "#hand")
    pushed = entered(page, path, 5, "hand")
    assert (pushed["tile"], pushed["by"], pushed["from"]["centre_mm"]) == ("wicket-1-left", "coin", pytest.approx([228.6, 76.2]))
    assert pushed["moved_mm"] == pytest.approx(10.2, abs=0.1)
    press(page, "All is at rest", "#hand")
    entered(page, path, 6, "hand")
    press(page, "The tile wicket 1 left is put back", "#hand")
    back = entered(page, path, 7, "hand")
    assert (back["kind"], back["by"], back["from"], back["to"]) == ("tile_restored", "hand", pushed["to"], pushed["from"])
    page.until("document.querySelector('#hand .side-title')?.innerText === 'The next flick'")


def test_where_a_session_watches_nothing_is_entered_but_what_was_missed_is_added(window: Page, server: Server, feed: Feed) -> None:
    moment = {**scenes.scene("question"), "rulings": [], "record": {"typed": "r.jsonl", "last": "i14", "entries": 15}}
    for topic, value in moment.items():
        feed.publish(topic, value)
    window.open(server.url)
    window.until("document.querySelector('.turn-name')")
    assert not window.run("document.getElementById('hand').checkVisibility()")
    window.run("document.querySelector('#rulings details').open = true")
    unfold(window, "Something was missed: add it behind i14", "#rulings")
    window.until("document.querySelector('#rulings form.rule')")
    window.open("about:blank")


def test_behind_a_camera_the_forms_are_folded_away(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 3)
    with path.open("a") as out:
        out.write(json.dumps({"entry": "incident", "kind": "flicked", "coin": "moons", "frames": [10, 11]}) + "\n")
    page = show(path)
    page.until("document.querySelector('#hand details > summary')?.innerText.includes('seen by a camera')")
    assert not page.run("document.querySelector('.hand-rest').checkVisibility()")


STATES = [("tabletop-croquet", 1), ("tabletop-croquet", 5), ("tabletop-croquet", 17), ("castle-croquetnole", 11), ("carroms", 4), ("carroms", 25)]


@pytest.mark.parametrize(("game", "lines"), STATES)
def test_on_a_phone_everything_to_press_is_large_enough_and_nothing_is_cut_off(show: Show, tmp_path: Path, game: str, lines: int) -> None:
    page = show(record(tmp_path, game, "whole-game", lines))
    page.resize(*PHONE, phone=True)
    page.until("innerWidth === 390 && document.querySelectorAll('#hand button').length")
    page.run("document.querySelectorAll('#hand details').forEach((one) => { one.open = true; })")
    pressed = "[...document.querySelectorAll('#hand :is(button, select, summary, input[type=number], label.choice)')].filter((one) => one.checkVisibility())"
    boxes = f"{pressed}.map((one) => [one.innerText, one.getBoundingClientRect()])"
    assert page.run(f"{boxes}.filter(([, box]) => box.height < 40 || box.width < 40 || box.right > 390).map(([words]) => words)") == []
    assert page.run("document.documentElement.scrollWidth") <= 390
    words = "one.ariaLabel || one.innerText || one.closest('label')?.innerText"
    assert page.run(f"[...document.querySelectorAll('#hand :is(button, select, input)')].every((one) => {words})")


def test_a_fall_is_put_on_the_edge_where_that_is_known_and_the_coin_goes_back_in_from_it(show: Show, tmp_path: Path) -> None:
    edge = [[-100, -400], [1300, -400], [1300, 400], [-100, 400]]
    path = tmp_path / "record.jsonl"
    seats = [{"name": "Ann", "coin": "moons", "progress": 0}, {"name": "Ben", "coin": "suns", "progress": 0}]
    first = {"entry": "setup", "format": "piecepack-match/1", "game": "tabletop-croquet", "players": seats, "table_edge_mm": edge}
    path.write_text(f'{json.dumps(first)}\n{{"entry": "incident", "kind": "flicked", "coin": "moons"}}\n')
    page = show(path)
    unfold(page, "Leaves the table")
    page.until("document.querySelector('.is-pointing')")
    box = "document.querySelector('.table-still .edge').getBoundingClientRect()"
    left, top, width, height = page.run(f"(({{ x, y, width, height }}) => [x, y, width, height])({box})")
    tap(page, left + width / 2, top + height - 12)  # a little inside the lower edge, halfway along it
    press(page, "It leaves there", "#hand")
    x_mm, y_mm = entered(page, path, 3, "hand")["at_mm"]
    assert abs(x_mm - 600) <= 5 and y_mm == -400
    press(page, "All is at rest", "#hand")
    entered(page, path, 4, "hand")
    press(page, "It lies there", "#hand")
    back = entered(page, path, 5, "hand")["at_mm"]
    assert back == [x_mm, pytest.approx(-400 + 1.25 * 19.05, abs=0.51)]  # TC-14, to a whole millimetre
    assert count(page, ".notice-irregular") == 0


IRREGULAR = [
    ("tabletop-croquet", "poison-kills"), ("tabletop-croquet", "poison-killed-falls"),
    ("castle-croquetnole", "out-of-turn-named"), ("carroms", "black-and-striker"), ("carroms", "pocketed-coin-put"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "name"), IRREGULAR)
def test_what_is_seldom_told_is_told_as_it_happened(show: Show, tmp_path: Path, game: str, name: str) -> None:
    script = [json.loads(line) for line in (MATCHES / game / f"{name}.jsonl").read_text().splitlines()]
    path = record(tmp_path, game, name, 1)
    players = Players(show(path), path, game, script[0]["players"])
    for entry in script[1:]:
        assert players.tell(entry).items() >= {field: value for field, value in entry.items() if field not in ("id", "coins") and value != []}.items()
    expect = json.loads((MATCHES / game / f"{name}.expected.json").read_text())["expect"]
    known = {field: value for field, value in expect.items() if field not in NAMING_IDS}
    assert comes_to(adjudicate(read_record(path)), known) == known
