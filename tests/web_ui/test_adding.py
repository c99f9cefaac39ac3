"""A missed event is added after a chosen entry on the page, in every game. The page first shows
what would change.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import PHONE, Show, count, record, text
from tests.web_ui.pressing import entered, open_rulings, pick, press, type_spot, unfold


def open_form(page: Page) -> None:
    """Open the form that adds an event after the record's last entry."""
    page.until("document.querySelector('#rulings > details')")
    open_rulings(page)
    unfold(page, "Add a missed event", "#rulings")
    page.until("document.querySelector('#rulings form.rule')")


def decide(page: Page, where: str) -> None:
    """Enter who decides and why, and write the ruling that was weighed."""
    page.run(
        f"document.querySelector('{where} [name=by]').value = 'Ann';"
        f" document.querySelector('{where} [name=reason]').value = 'we all saw it'"
    )
    page.run(f"document.querySelector('{where} [type=submit]').click()")


def test_a_hit_that_was_missed_is_added_behind_the_call_that_was_made(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    page = show(path)
    page.until("document.querySelector('.call-wicket_scored .look-button')")
    page.run("document.querySelector('.call-wicket_scored .look-button').click()")
    unfold(page, "Add a missed event after i2", "dialog")
    pick(page, "A coin hits something", "dialog")
    press(page, "See what changes", "dialog .rule-more")
    page.until(
        "document.querySelector('dialog .rule-more .rule-change').innerText.includes('Ann hits')"
    )
    assert len(path.read_text().splitlines()) == 4
    decide(page, "dialog .rule-more form")
    last = entered(page, path, 5)
    assert (last["verdict"], last["after"], last["by"], last["reason"]) == (
        "added",
        "i2",
        "Ann",
        "we all saw it",
    )
    assert last["replacement"] == {
        "entry": "incident",
        "kind": "contact",
        "coin": "moons",
        "with": "suns",
    }
    page.until("document.querySelector('.call-hit_scored') && !document.querySelector('dialog')")
    assert text(page, ".turn-count") == "3"  # one for the wicket, two for the hit


def test_what_was_weighed_is_weighed_again_when_something_else_is_chosen(
    show: Show, tmp_path: Path
) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), "flick moons"))
    open_form(page)
    press(page, "See what changes", "#rulings")
    page.until("!document.querySelector('#rulings [type=submit]').disabled")
    pick(page, "wicket 3", "#rulings form")
    assert (
        page.run("document.querySelector('#rulings [type=submit]').disabled")
        and text(page, "#rulings .rule-change") == ""
    )


def test_what_is_being_filled_in_stays_when_the_match_goes_on(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons")
    page = show(path)
    open_form(page)
    pick(page, "wicket 3", "#rulings form")
    with path.open("a") as out:
        out.write('{"entry": "incident", "kind": "at_rest", "coins": {}}\n')
    entered(page, path, 3)
    assert page.run(
        "[...document.querySelectorAll('#rulings form option')].find((one) => one.innerText ==="
        " 'wicket 3').selected"
    )
    press(page, "See what changes", "#rulings form")
    page.until("!document.querySelector('#rulings [type=submit]').disabled")
    decide(page, "#rulings form")
    last = entered(page, path, 4)
    assert (last["after"], last["replacement"]["line"]) == ("i1", "wicket-3")
    page.until("!document.querySelector('#rulings form')")


def test_in_a_game_on_a_board_a_route_is_told_point_by_point(show: Show, tmp_path: Path) -> None:
    path = record(
        tmp_path, "piecepack-croquet", "disaster-straight-n", 2
    )  # Ann's ball is on (3, 0)
    page = show(path)
    open_form(page)
    pick(page, "A player announces a shot", "#rulings form")
    for y in ("1", "2"):
        page.run("document.querySelector('#rulings [aria-label$=\": across\"]').value = 3")
        page.run(f"document.querySelector('#rulings [aria-label$=\": up\"]').value = {y}")
        press(page, "Add it", "#rulings form")
    press(page, "See what changes", "#rulings form")
    page.until("!document.querySelector('#rulings [type=submit]').disabled")
    decide(page, "#rulings form")
    assert entered(page, path, 3)["replacement"] == {
        "entry": "declaration",
        "kind": "shot",
        "route": [[3, 1], [3, 2]],
    }
    page.until("document.querySelector('#say .side-title').innerText === 'The die shows'")


GAMES = [
    ("tabletop-croquet", 10),
    ("castle-croquetnole", 9),
    ("carroms", 8),
    ("piecepack-croquet", 13),
    ("wickets-six", 5),
]


@pytest.mark.parametrize(("game", "kinds"), GAMES)
def test_whatever_the_form_offers_can_be_read(
    show: Show, tmp_path: Path, game: str, kinds: int
) -> None:
    page = show(record(tmp_path, game, "whole-game", 4))
    page.resize(*PHONE, phone=True)
    open_form(page)
    offered = page.run(
        "[...document.querySelector('#rulings form select').options].map((one) => one.innerText)"
    )
    assert len(offered) == kinds
    for what in offered:
        pick(page, what, "#rulings form")
        if count(page, "#rulings form .spot"):
            type_spot(page, [100.0, 20.0], "#rulings form")
        if count(page, "#rulings form .square-list"):
            press(page, "Add it", "#rulings form")
        press(page, "See what changes", "#rulings form")
        page.until(
            "!document.querySelector('#rulings [type=submit]').disabled ||"
            " document.querySelector('#rulings form .answer-message').innerText"
        )
        assert text(page, "#rulings form .answer-message") == "", what
    assert page.run("document.documentElement.scrollWidth") <= 390
