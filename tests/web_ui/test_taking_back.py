"""What was entered or decided last is taken back, one thing after the other."""

from __future__ import annotations

from collections.abc import Callable

from tests.web_ui.entering_table import Table


def test_mistakes_are_taken_back_one_by_one_and_the_match_stands_as_before_each(
    sit: Callable[..., Table],
) -> None:
    # Ann has flicked through wicket 1; coins are not at rest yet
    table = sit("tabletop-croquet", lines=5)
    before = table.shown("standing")["standings"]
    table.did("line_crossed", coin="moons", line="wicket-2", direction="outward")
    table.did("at_rest", coins={})
    assert table.shown("standing")["standings"][0]["progress"] == 2
    assert table.back() == (204, None) and table.turn["expects"] == "rest"
    assert table.back() == (204, None) and table.shown("standing")["standings"] == before
    assert table.back() == (204, None) and table.shown("standing")["standings"][0]["progress"] == 0
    last = table.lines[-1]
    assert (last["entry"], last["on"], last["verdict"], last["reason"]) == (
        "ruling",
        "i4",
        "overturned",
        "entered by mistake",
    )
    assert len(table.lines) == 10  # nothing is ever removed
    assert table.did("at_rest", coins={})[0] == 204 and table.turn["player"] == "Ben"


def test_a_ruling_is_taken_back_before_what_was_entered_before_it(
    sit: Callable[..., Table],
) -> None:
    table = sit("tabletop-croquet", lines=5)
    before = table.shown("standing")
    ruling = {"on": "i4", "verdict": "overturned", "by": "Ann", "reason": "short", "then": None}
    assert table.post("/rulings", ruling)[0] == 204
    hand = table.shown("hand")
    assert hand["back"] is None
    assert (hand["ruled"]["on"], hand["ruled"]["by"]) == ("i4", "Ann")
    assert table.shown("standing") != before
    assert table.back() == (204, None)
    assert (table.lines[-1]["on"], table.lines[-1]["verdict"]) == (
        hand["ruled"]["id"],
        "overturned",
    )
    assert table.shown("standing") == before
    hand = table.shown("hand")  # the ruling is gone, and its taking back is not offered
    assert hand["ruled"] is None and hand["back"]["on"] == "i4"
    assert table.back() == (204, None) and table.lines[-1]["on"] == "i4"


def test_what_was_entered_after_a_ruling_is_taken_back_before_it(sit: Callable[..., Table]) -> None:
    table = sit("tabletop-croquet", lines=5)
    ruling = {"on": "i4", "verdict": "upheld", "by": "Ann", "reason": "seen", "then": None}
    assert table.post("/rulings", ruling)[0] == 204
    assert table.did("at_rest", coins={}) == (204, None)
    assert (table.shown("hand")["back"]["kind"], table.shown("hand")["ruled"]) == ("at_rest", None)
    table.back()
    assert table.shown("hand")["ruled"]["verdict"] == "upheld"
    table.back()
    assert table.shown("hand")["back"]["on"] == "i4"


def test_behind_a_flick_that_was_taken_back_before_its_rest_what_hands_do_counts(
    sit: Callable[..., Table],
) -> None:
    table = sit("tabletop-croquet", lines=2)  # moons has been placed
    table.did("flicked", coin="moons", touching=[])
    table.back()
    assert table.did("placed", coin="suns", at_mm=[76.2, -15.0]) == (204, None)
    assert [(entry["kind"], entry.get("coins")) for entry in table.lines[-2:]] == [
        ("at_rest", {}),
        ("placed", None),
    ]
    assert table.shown("coins")["coins"]["suns"]["at_mm"] == [76.2, -15.0]
    assert table.shown("irregularities") == [] and (
        table.turn["coin"],
        table.turn["flicks_left"],
    ) == ("moons", 1)


def test_only_the_last_entry_is_taken_back_and_only_as_the_page_shows_the_match(
    sit: Callable[..., Table],
) -> None:
    table = sit("tabletop-croquet", lines=5)
    assert table.post("/plays/back", {"on": "i3"})[0] == 400
    assert table.post("/plays/back", {"on": "i4", "entries": 3})[0] == 400
    assert len(table.lines) == 5


def test_a_winning_flick_is_taken_back_and_the_match_goes_on(sit: Callable[..., Table]) -> None:
    table = sit("carroms", lines=50)
    assert table.shown("standing")["status"] == "won"
    table.back()
    table.back()
    assert table.shown("standing")["status"] == "in_progress"
    assert (
        table.did("at_rest", coins={}) == (204, None) and table.shown("standing")["winner"] is None
    )
