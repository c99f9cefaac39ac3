"""Ruling on the page: what a ruling would change is shown in players' words before it is written,
and an incident of the wrong kind is corrected.
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.chromium import Page
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import PHONE, Show, count, record, text
from tests.web_ui.pressing import entered, open_rulings, pick, press, type_spot, unfold


def look_at(page: Page, call: str) -> None:
    """Open the view of a call with this name."""
    button = f"document.querySelector('.call-{call} .look-button')"
    page.until(button)
    page.run(f"{button}.click()")


def test_of_a_player_with_two_balls_it_is_said_which(show: Show, tmp_path: Path) -> None:
    """Ann plays blue and black. Blue went through the first wicket with both dice."""
    page = show(record(tmp_path, "wickets-six", "whole-game-two-players", 4))
    look_at(page, "wicket_scored")
    press(page, "It does not count", "dialog .rule:not(.adding .rule)")
    page.until("document.querySelector('dialog .difference')")
    rows = page.run(
        "[...document.querySelectorAll('dialog .difference tbody tr')].map((row) =>"
        " [...row.children].map((cell) => cell.innerText))"
    )
    assert ["Ann's blue ball", "points", "1 → 0"] in rows
    assert ["Ann's blue ball", "next step", "wicket 2 → wicket 1"] in rows
    assert "_" not in text(page, "dialog .difference")


RULE = "dialog .rule:not(.adding .rule)"


def put_right(page: Page, call: str | None = None) -> None:
    """Begin to correct the entry that is shown, or the entry that a call with this name rests
    on.
    """
    if call is not None:
        look_at(page, call)
    page.until(f"document.querySelector('{RULE} [value=replaced]')")
    page.run(f"document.querySelector('{RULE} [value=replaced]').click()")


def decide(page: Page) -> None:
    """See what would change, then write it."""
    press(page, "See what changes", RULE)
    page.until(f"!document.querySelector('{RULE} [type=submit]').disabled")
    page.run(
        f"document.querySelector('{RULE} [name=by]').value = 'Ann'; document.querySelector('{RULE}"
        " [name=reason]').value = 'we all saw it'"
    )
    page.run(f"document.querySelector('{RULE} [type=submit]').click()")


def chosen(page: Page) -> list[str]:
    return list(
        page.run(
            f"[...document.querySelectorAll('{RULE} .rule-other select')].map((one) =>"
            " one.selectedOptions[0].innerText)"
        )
    )


def test_a_hit_that_was_a_crossing_is_put_right_as_one(show: Show, tmp_path: Path) -> None:
    """What was recorded as a hit on Ben's coin was Ann's coin in wicket 1: one flick instead of
    two, and a step.
    """
    path = written(
        tmp_path / "record.jsonl", setup(2), "flick moons", "hit moons suns t_s=1.5", "rest"
    )
    page = show(path)
    put_right(page, "hit_scored")
    assert chosen(page) == ["A coin hits something", "Ann's coin", "Ben's coin"]  # what was seen
    pick(page, "A coin passes a line", RULE)
    assert chosen(page)[:2] == ["A coin passes a line", "Ann's coin"]
    press(page, "See what changes", RULE)
    page.until(f"document.querySelector('{RULE} .difference-new')")
    assert "Ann passes wicket 1 and earns a flick." in text(page, f"{RULE} .difference-new")
    assert text(page, f"{RULE} .difference-gone") == "this call"
    assert len(path.read_text().splitlines()) == 4  # nothing is written yet
    decide(page)
    last = entered(page, path, 5)
    assert (last["verdict"], last["on"], last["by"], last["reason"]) == (
        "replaced",
        "i2",
        "Ann",
        "we all saw it",
    )
    moment = {"t_s": 1.5}  # it happened when the hit was seen
    assert last["replacement"] == {
        "entry": "incident",
        "kind": "line_crossed",
        "coin": "moons",
        "line": "wicket-1",
        "direction": "outward",
        **moment,
    }
    page.until(
        "document.querySelector('.call-wicket_scored') &&"
        " !document.querySelector('.call-hit_scored') && !document.querySelector('dialog')"
    )
    assert text(page, ".turn-count") == "1"


def test_another_coin_of_the_same_kind_keeps_what_was_seen(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(3), "flick moons", "hit moons suns", "rest")
    page = show(path)
    put_right(page, "hit_scored")
    pick(page, "Cyd's coin", f"{RULE} .rule-instead label:last-child")
    decide(page)
    assert entered(page, path, 5)["replacement"] == {
        "entry": "incident",
        "kind": "contact",
        "coin": "moons",
        "with": "arms",
    }


def test_on_a_telephone_nothing_is_wider_than_the_screen_and_a_place_is_given(
    show: Show, tmp_path: Path
) -> None:
    """What was recorded as wicket 1 was a fall off the table."""
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    page = show(path)
    page.resize(*PHONE, phone=True)
    put_right(page, "wicket_scored")
    pick(page, "A coin leaves the table", RULE)
    assert count(page, f"{RULE} .rule-other .spot-drawing") == 1
    type_spot(page, [700.0, 200.0], RULE)
    assert page.run(
        "document.querySelector('dialog').scrollWidth <="
        " document.querySelector('dialog').clientWidth"
    )
    decide(page)
    assert entered(page, path, 5)["replacement"] == {
        "entry": "incident",
        "kind": "left_table",
        "coin": "moons",
        "at_mm": [700, 200],
    }


def test_a_placement_that_was_a_flick_has_no_call_and_is_put_right_too(
    show: Show, tmp_path: Path
) -> None:
    """Ben's coin was recorded as put down by a hand where it had lain, but it was flicked."""
    path = written(
        tmp_path / "record.jsonl",
        setup(2),
        "flick moons",
        "rest moons 300 0 suns 100 20",
        "place suns 100 21",
    )
    page = show(path)
    page.until("document.querySelector('#rulings > details')")
    open_rulings(page)
    unfold(page, "Other events", "#rulings")
    page.until("document.querySelector('.uncalled option')")
    assert page.run(
        "[...document.querySelectorAll('.uncalled option')].map((one) => one.innerText)"
    ) == ["i3: Ben's coin is put down"]
    page.run("document.querySelector('.uncalled .look-button').click()")
    put_right(page)
    assert chosen(page)[:2] == ["A hand puts a coin down", "Ben's coin"]
    pick(page, "A player flicks a coin", RULE)
    assert chosen(page) == ["A player flicks a coin", "Ben's coin"]
    decide(page)
    page.until(
        "[...document.querySelectorAll('#calls .call-quiet')].some((one) =>"
        " one.innerText.startsWith('Ben flicks.'))"
    )
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["on"]) == ("replaced", "i3")
    assert last["replacement"] == {
        "entry": "incident",
        "kind": "flicked",
        "coin": "suns",
        "touching": [],
    }


def test_what_was_said_is_put_right_from_what_was_said(show: Show, tmp_path: Path) -> None:
    """Ann has hit two coins and declared option 1 for Ben's. It was option 2 for Cyd's."""
    path = written(
        tmp_path / "record.jsonl",
        setup(3),
        "flick moons",
        "hit moons suns",
        "hit moons arms",
        "rest",
        "after_hit 1 suns",
    )
    page = show(path)
    put_right(page, "action_declared")
    assert chosen(page) == ["A player says what to do after a hit", "1", "Ben's coin"]
    pick(page, "2", RULE)
    pick(page, "Cyd's coin", RULE)
    decide(page)
    page.until("!document.querySelector('dialog')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["verdict"], last["replacement"]) == (
        "replaced",
        {"entry": "declaration", "kind": "after_hit", "option": 2, "coin": "arms"},
    )


def test_names_and_options_of_the_beginning_are_put_right(show: Show, tmp_path: Path) -> None:
    """Ben was knocked on to the left endpost, his last step, and won. The match should have been
    played without such steps, and Ann is Anna.
    """
    path = written(
        tmp_path / "record.jsonl",
        setup([0, 15]),
        "flick moons",
        "hit moons suns",
        "post suns left",
        "rest",
    )
    page = show(path)
    page.resize(*PHONE, phone=True)
    page.until(
        "document.querySelector('.turn-won') && document.querySelector('#rulings > details')"
    )
    open_rulings(page)
    unfold(page, "Correct names or options", "#rulings")
    form = ".beginning form"
    page.until(f"document.querySelector('{form}')")
    page.run(f"document.querySelector('{form} [aria-label=\"Name of player 1\"]').value = 'Anna'")
    option = (
        f"[...document.querySelectorAll('{form} .pick')].find((one) =>"
        " one.innerText.startsWith('knocked endposts count')).querySelector('select')"
    )
    assert page.run(f"{option}.selectedOptions[0].innerText") == "yes"
    page.run(f"{option}.value = [...{option}.options].find((one) => one.innerText === 'no').value")
    page.run(f"{option}.dispatchEvent(new Event('change', {{ bubbles: true }}))")
    press(page, "See what changes", form)
    page.until(f"document.querySelector('{form} .difference')?.innerText.includes('Anna')")
    assert "Ben wins the game." in text(page, f"{form} .difference-gone")
    page.run(
        f"document.querySelector('{form} [name=by]').value = 'Cyd'; document.querySelector('{form}"
        " [name=reason]').value = 'agreed before'"
    )
    assert page.run("document.documentElement.scrollWidth") <= PHONE[0]
    page.run(f"document.querySelector('{form} [type=submit]').click()")
    page.until(
        "document.querySelector('.course-name')?.innerText === 'Anna' &&"
        " !document.querySelector('.turn-won')"
    )
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["on"], last["verdict"], last["replacement"]["options"]) == (
        "setup",
        "replaced",
        {"knocked_endposts_count": False},
    )
    page.until("!document.querySelector('.beginning[open]')")


def test_another_name_is_one_line_of_what_changes(show: Show, tmp_path: Path) -> None:
    page = show(
        written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    )
    page.until("document.querySelector('#rulings > details')")
    open_rulings(page)
    unfold(page, "Correct names or options", "#rulings")
    form = ".beginning form"
    page.until(f"document.querySelector('{form}')")
    page.run(f"document.querySelector('{form} [aria-label=\"Name of player 1\"]').value = 'Anna'")
    press(page, "See what changes", form)
    page.until(f"document.querySelector('{form} .difference')")
    rows = page.run(
        f"[...document.querySelectorAll('{form} .difference tbody tr')].map((row) =>"
        " [...row.children].map((cell) => cell.innerText))"
    )
    assert rows == [["Anna", "name", "Ann → Anna"]]
    assert count(page, f"{form} .difference-list") == 0


def test_a_ruling_is_not_something_else(show: Show, tmp_path: Path) -> None:
    page = show(
        written(
            tmp_path / "record.jsonl",
            setup(2),
            "flick moons",
            "cross moons 1 out",
            "rest",
            "overturned i2",
        )
    )
    page.until("document.querySelector('#rulings .look-button')")
    open_rulings(page)
    page.run("document.querySelector('#rulings .look-button').click()")
    page.until("document.querySelector('dialog .rule')")
    assert page.run(
        "[...document.querySelectorAll('dialog .dispute-verdicts button')].map((one) => one.value)"
    ) == ["upheld", "overturned"]
