"""Coins and pockets are chosen by a tap on the drawn table, and everything that is entered by hand
can be entered by keyboard.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.chromium import Page
from tests.web_ui.followed import LAPTOP, PHONE, TELEVISION, Show, record, text
from tests.web_ui.keys import key, keys
from tests.web_ui.pressing import entered, lines_of


def tap(page: Page, selector: str) -> None:
    """Tap the middle of what is drawn."""
    page.until(f"document.querySelector({selector!r})")
    page.settle()
    x, y = page.run(
        f"(({{ left, right, top, bottom }}) => [(left + right) / 2, (top + bottom) / 2])("
        f"document.querySelector({selector!r}).getBoundingClientRect())"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def test_a_coin_that_is_hit_is_tapped_on_the_table_and_entered_by_a_second_tap(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)
    page = show(path)
    tap(page, "[data-piece=suns]")
    page.until("document.querySelector('.hand-picked').innerText")
    assert text(page, ".hand-picked").startswith("Ann's coin hits Ben's coin?")
    assert page.run("document.activeElement.ariaLabel") == "Ben's coin"
    assert lines_of(path) == 4
    tap(page, "[data-piece=suns]")
    hit = entered(page, path, 5, "hand")
    assert (hit["kind"], hit["coin"], hit["with"]) == ("contact", "moons", "suns")


def test_a_coin_and_its_pocket_are_tapped_on_the_board(show: Show, tmp_path: Path) -> None:
    # The striker is flicked; the coins lie racked.
    path = record(tmp_path, "carroms", "black-and-striker", 2)
    page = show(path)
    tap(page, "[data-pocket=pocket-sw]")
    page.until("document.querySelector('#hand input:checked').closest('label').innerText === 'SW'")
    tap(page, "[data-piece=arms-6]")
    page.until("document.querySelector('.hand-picked').innerText")
    asked = text(page, ".hand-picked")
    coin = page.run("document.activeElement.ariaLabel")
    assert asked.startswith(f"{coin.capitalize()} falls into the pocket SW?")
    key(page, "Enter")
    fell = entered(page, path, 3, "hand")
    assert (fell["kind"], fell["pocket"]) == ("pocketed", "pocket-sw")


def test_which_of_several_coins_is_flicked_is_tapped(show: Show, tmp_path: Path) -> None:
    # Ben has hit Ann's coin and may flick either.
    path = record(tmp_path, "tabletop-croquet", "whole-game", 17)
    page = show(path)
    page.until("document.querySelectorAll('#hand .choice').length")
    tap(page, "[data-piece=moons]")
    page.until(
        "[...document.querySelectorAll('#hand .button')].some((one) => one.innerText === \"Ann's"
        ' coin is flicked")'
    )


def test_while_a_place_is_asked_a_tap_on_a_coin_chooses_the_place(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 4)
    page = show(path)
    page.until("document.querySelector('#hand summary')")
    page.run(
        "[...document.querySelectorAll('#hand summary')].find((one) => one.innerText.startsWith("
        "'Leaves')).parentElement.open = true"
    )
    page.until("document.querySelector('.is-pointing')")
    tap(page, "[data-piece=suns]")
    page.until("document.querySelector('.table-spot .spot-cross')")
    assert text(page, ".hand-picked") == ""


def test_a_flick_is_entered_by_keyboard_alone_and_the_focus_goes_on(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "tabletop-croquet", "whole-game", 3)
    page = show(path)
    page.until("document.querySelector('#hand button')")
    page.run("document.querySelector('#hand .side-title').focus()")
    keys(page, "Tab", "Enter")  # "Ann's coin is flicked"
    assert entered(page, path, 4, "hand")["kind"] == "flicked"
    page.until("document.activeElement.matches('#hand .side-title')")
    # Which coin is one stop, in which arrows choose; behind it, "Passes wicket 1 outward".
    keys(page, "Tab", "ArrowRight", "ArrowLeft", "Tab", "Enter")
    crossed = entered(page, path, 5, "hand")
    assert (crossed["kind"], crossed["coin"]) == ("line_crossed", "moons")
    page.until("document.activeElement.closest('#hand')")
    for _ in range(20):
        if page.run("document.activeElement.innerText") == "All is at rest":
            break
        key(page, "Tab")
    key(page, "Enter")
    assert entered(page, path, 6, "hand")["kind"] == "at_rest"
    page.until("document.activeElement.matches('#hand .side-title, #say .side-title')")


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_table_stays_where_it_is_while_people_enter(
    show: Show, tmp_path: Path, size: tuple[int, int]
) -> None:
    path = record(tmp_path, "castle-croquetnole", "whole-game", 10)
    page = show(path)
    page.resize(*size, phone=size == PHONE)
    page.until(f"innerWidth === {size[0]} && document.querySelector('#hand .button-coin')")
    page.settle()
    assert page.run("document.body.scrollHeight <= innerHeight || innerWidth < 500")
    # The last of the coins that may be hit is below the fold of the list.
    tap(page, "[data-piece='4']")
    page.until("document.querySelector('.hand-picked').innerText")
    assert page.run("[scrollY, document.body.scrollTop]") == [0, 0]
    assert page.run(
        "(({ top, bottom }, list) => top >= list.top - 1 && bottom <= list.bottom + 1)("
        "document.activeElement.getBoundingClientRect(),"
        " document.querySelector('#hand .pinned-list').getBoundingClientRect())"
    )
    key(page, "Enter")
    assert entered(page, path, 11, "hand")["with"] == "4"
    page.until("document.activeElement.closest('#hand')")
    assert page.run("[scrollY, document.body.scrollTop]") == [0, 0]


#: Whether the last element lies within its list, as the list is scrolled now.
WITHIN = """((one) => {{
  const [box, list] = [one, one.closest(".pinned-list")].map((it) => it.getBoundingClientRect());
  return box.top >= list.top - 1 && box.bottom <= list.bottom + 1;
}})([...document.querySelectorAll({selector!r})].at(-1))"""


@pytest.mark.parametrize("size", [PHONE, (390, 664), LAPTOP, TELEVISION])
@pytest.mark.parametrize(
    ("game", "lines", "most"),
    [
        ("wickets-six", 3, ".route-moves .button"),  # arrows, and "Move" below them
        ("piecepack-croquet", 2, ".route-moves .button"),
        ("castle-croquetnole", 10, "#hand .hand-does > .answers .button"),  # "Passes the gate"
    ],
)
def test_what_is_pressed_most_is_seen_without_scrolling_its_list(
    show: Show, tmp_path: Path, game: str, lines: int, most: str, size: tuple[int, int]
) -> None:
    page = show(record(tmp_path, game, "whole-game", lines))
    page.resize(*size, phone=size[0] == PHONE[0])
    page.until(f"innerWidth === {size[0]} && document.querySelector({most!r})")
    page.settle()
    assert page.run(WITHIN.format(selector=most))


#: Every element that can have the focus and is shown, in the parts where people enter.
REACHED = """[...document.querySelectorAll(
  ".asked :is(button, select, input, summary), .ball-grip")].filter((one) =>
  one.checkVisibility() && !one.disabled && !one.closest(".unseen"))"""


def test_tab_reaches_every_control_and_is_caught_nowhere(show: Show, tmp_path: Path) -> None:
    for game, lines in (("tabletop-croquet", 5), ("carroms", 4), ("wickets-six", 3)):
        page = show(record(tmp_path, game, "whole-game", lines))
        page.until("document.querySelector('.asked button')")
        page.settle()
        page.run("window.met = new Set()")
        page.run(f"window.wanted = new Set({REACHED})")
        most = 3 * int(page.run("wanted.size")) + 40
        for _ in range(most):
            key(page, "Tab")
            page.run("met.add(document.activeElement)")
            if page.run("document.activeElement === document.body && met.size > 1"):
                break
        # Of choices and buttons side by side one is reached, and arrows reach the others.
        missed = page.run(
            "[...wanted].filter((one) => !met.has(one) && ![...met].some((other) =>"
            " one.type === 'radio' ? other.name === one.name : one.closest('[role=toolbar]') &&"
            " one.closest('[role=toolbar]') === other.closest('[role=toolbar]')))"
            ".map((one) => one.outerHTML.slice(0, 90))"
        )
        assert missed == []


def test_arrow_keys_go_from_coin_to_coin_in_one_stop_of_tab(show: Show, tmp_path: Path) -> None:
    path = record(tmp_path, "carroms", "black-and-striker", 2)
    page = show(path)
    page.until("document.querySelector('#hand .button-coin')")
    page.run("document.querySelector('#hand input:checked').focus()")  # the pocket
    key(page, "Tab")
    assert page.run("document.activeElement.ariaLabel") == "red coin 1"
    keys(page, "ArrowRight", "ArrowRight", "ArrowLeft")
    assert page.run("document.activeElement.ariaLabel") == "red coin 2"
    key(page, "Tab")
    assert not page.run("document.activeElement.matches('.button-coin')")
    key(page, "Tab", shift=True)
    assert page.run("document.activeElement.ariaLabel") == "red coin 2"
    key(page, "Enter")
    fell = entered(page, path, 3, "hand")
    assert (fell["kind"], fell["coin"]) == ("pocketed", "suns-2")
