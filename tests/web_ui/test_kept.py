"""What somebody is choosing on the page while the match continues elsewhere: it stays chosen, and
what is sent is what was chosen.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.chromium import Page
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import Show, record
from tests.web_ui.pressing import (
    choose,
    entered,
    lines_of,
    open_rulings,
    pick,
    press,
    type_spot,
    unfold,
)


def goes_on(page: Page, path: Path, **entry: Any) -> None:
    """Enter something elsewhere, and wait until the page shows the match with it."""
    with path.open("a") as out:
        out.write(json.dumps(entry) + "\n")
    entered(page, path, lines_of(path), "hand")


def picked(page: Page, called: str) -> Any:
    return page.run(
        "document.querySelector('#rulings"
        f" select[aria-label={json.dumps(called)}]').selectedOptions[0].innerText"
    )


def test_who_concedes_is_who_was_chosen_when_the_match_goes_on_meanwhile(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), "flick moons", "cross moons 1 out", "rest")
    page = show(path)
    open_rulings(page)
    pick(page, "Ben concedes", "#rulings")
    goes_on(page, path, entry="incident", kind="flicked", coin="moons")
    assert picked(page, "How the match ends") == "Ben concedes"
    assert picked(page, "Who challenges") == "choose who …"
    press(page, "End the match", "#rulings")
    press(page, "Yes, end the match", "#rulings")
    page.until("document.querySelector('.turn-won')")
    last = json.loads(path.read_text().splitlines()[-1])
    assert (last["kind"], last["player"]) == ("concede", "Ben")


def test_coins_and_places_chosen_by_hand_stay_when_the_match_goes_on_meanwhile(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(3), "flick moons")
    page = show(path)
    page.until("document.querySelector('#hand .choice')")
    choose(page, "Cyd", "#hand")
    unfold(page, "Leaves the table")
    type_spot(page, [100, -12.5])
    goes_on(page, path, entry="incident", kind="contact", coin="moons", **{"with": "suns"})
    assert (
        page.run("document.querySelector('#hand .choice:has(:checked)').innerText.trim()") == "Cyd"
    )
    press(page, "It leaves there", "#hand")
    fell = entered(page, path, 4, "hand")
    assert (fell["kind"], fell["coin"], fell["at_mm"]) == ("left_table", "arms", [100, -12.5])
    page.until(
        "document.querySelector('#hand .choice:has(:checked)').innerText.trim() === 'Ann'"
    )  # what was sent is not chosen any more
    assert not page.run("[...document.querySelectorAll('#hand details')].some((fold) => fold.open)")


def test_a_place_that_is_only_proposed_gives_way_to_a_better_one(
    show: Show, tmp_path: Path
) -> None:
    path = record(tmp_path, "carroms", "black-and-striker", 1)
    pocketed = [
        {"kind": "pocketed", "coin": coin, "pocket": "pocket-ne"} for coin in ("suns-1", "striker")
    ]
    went = [{"kind": "flicked", "coin": "striker"}, *pocketed, {"kind": "at_rest", "coins": {}}]
    path.write_text(
        path.read_text()
        + "".join(json.dumps({"entry": "incident", **entry}) + "\n" for entry in went)
    )
    page = show(path)
    place = (
        "[...document.querySelector('#hand .spot').querySelectorAll('input')].map((input) =>"
        " Number(input.value))"
    )
    page.until("document.querySelector('#hand .spot')")
    assert page.run(place) == [0, 0]  # the penalty goes back to the centre
    goes_on(page, path, entry="incident", kind="placed", coin="moons", at_mm=[0, 0])
    assert (
        page.run("document.querySelector('#hand .side-title').innerText")
        == "Red coin 1 is put down"
    )
    x, y = page.run(place)
    assert (x**2 + y**2) ** 0.5 == pytest.approx(19.05, abs=1.0)  # beside what now lies there
