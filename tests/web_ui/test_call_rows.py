"""Rows that only say who flicked fold: into the flick's call where there is one, into a line for
several flicks where there is none. Each flick stays reachable.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.commands.records import written
from tests.record.matches import setup
from tests.web_ui.followed import Show, count, text
from tests.web_ui.pressing import press

ROWS = (
    "[...document.querySelectorAll('#calls > li:not(#calls-end)')]"
    ".map((row) => row.querySelector('.call-fold, .call-text, span:not(.tag)').innerText)"
)
FOLD = "document.querySelector('#calls .call-fold[aria-controls]')"
#: Ann passes wicket 1, flicks twice more, and it is Ben's turn.
ANN = ("flick moons", "cross moons 1 out", "rest", "flick moons", "rest")
CROSSED = ("flick moons", "cross moons 1 out", "rest", "flick moons", "fall moons", "rest")
THREE = (*ANN, "flick suns", "rest", "flick moons", "rest", "flick suns", "rest", "flick moons")


def test_a_flick_has_no_row_beside_its_call_and_the_newest_shows_until_its_call_comes(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *ANN[:3], "flick moons")
    page = show(path)
    page.until(f"{ROWS}[0] === 'Ann flicks.'")
    assert page.run(ROWS) == [
        "Ann flicks.",
        "Ann passes wicket 1 and earns a flick.",
        "It is Ann's turn, with one flick.",
    ]
    goes_on(path, {"kind": "line_crossed", "coin": "moons", "line": "wicket-2"})
    page.until(f"{ROWS}[0] === 'Ann passes wicket 2 and earns a flick.'")
    assert page.run(ROWS)[1:] == [
        "Ann passes wicket 1 and earns a flick.",
        "It is Ann's turn, with one flick.",
    ]


def test_flicks_without_a_call_are_one_line_that_opens_by_a_key_and_stays_open(
    show: Show, tmp_path: Path
) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *THREE)
    page = show(path)
    page.until(f"{FOLD}")
    assert page.run(ROWS)[:3] == [
        "Ann flicks.",
        "It is Ann's turn, with one flick.",
        "3 flicks without a call: Ben, Ann, Ben",
    ]
    assert page.run(f"{FOLD}.getAttribute('aria-expanded')") == "false"
    assert "Ben flicks" not in text(page, "#calls")
    page.run(f"{FOLD}.focus()")
    for kind in ("keyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key="Enter",
            code="Enter",
            text="\r" if kind == "keyDown" else "",
            windowsVirtualKeyCode=13,
        )
    page.until(f"{FOLD}.getAttribute('aria-expanded') === 'true'")
    flicks = "[...document.querySelectorAll('.call-run .call-quiet')]"
    looks = f"{flicks}.filter((row) => row.querySelector('.look-button')?.checkVisibility())"
    assert page.run(f"{looks}.map((row) => row.innerText.split('.')[0])") == [
        "Ben flicks",
        "Ann flicks",
        "Ben flicks",
    ]
    goes_on(path, {"kind": "line_crossed", "coin": "moons", "line": "wicket-2"})
    page.until(f"{ROWS}[0].includes('wicket 2')")
    assert page.run(f"document.activeElement === {FOLD}")
    assert page.run(f"{FOLD}.getAttribute('aria-expanded')") == "true"
    page.run(f"{FOLD}.click()")
    assert "Ben flicks" not in text(page, "#calls")


def test_a_folded_flick_is_overturned_from_its_row(show: Show, tmp_path: Path) -> None:
    path = written(tmp_path / "record.jsonl", setup(2), *THREE)
    page = show(path)
    page.until(f"{FOLD}")
    page.run(f"{FOLD}.click()")
    page.run("document.querySelector('.call-run .call-quiet .look-button').click()")
    press(page, "It does not count", "dialog")
    press(page, "Ann decides", "dialog")
    page.until("document.querySelector('#calls .call-overturned')")
    ruling = json.loads(path.read_text().splitlines()[-1])
    assert (ruling["verdict"], ruling["on"]) == ("overturned", "i10")  # Ben's second flick


def test_a_flick_that_has_a_call_is_looked_at_from_the_look_at_its_call(
    show: Show, tmp_path: Path
) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *ANN))
    page.until("document.querySelector('#calls .call .look-button')")
    page.run("document.querySelector('#calls .call .look-button').click()")
    page.until("document.querySelector('.look-flick')")
    assert text(page, ".look-flick").startswith("The call is about this flick: Ann flicks.")
    page.run("document.querySelector('.look-flick .look-button').click()")
    page.until("document.querySelector('#look-title').innerText === 'Ann flicks.'")
    assert count(page, "dialog[open]") == 1
    page.until("document.querySelector('dialog [value=overturned]')")


def test_a_call_that_does_not_name_who_flicked_says_whose_flick_it_was(
    show: Show, tmp_path: Path
) -> None:
    """Ann's coin lies inside wicket 1, and Ben's coin knocks it off the table."""
    path = written(tmp_path / "record.jsonl", setup(2), *ANN, "flick suns", "fall moons", "rest")
    page = show(path)
    page.until("document.querySelectorAll('#calls > .call').length === 2")
    first = "document.querySelector('#calls > .call')"
    assert "Ben" not in page.run(f"{first}.querySelector('.call-text').innerText")
    assert "Ben’s flick" in page.run(f"{first}.innerText")
    assert "’s flick" not in page.run(
        "[...document.querySelectorAll('#calls > .call')][1].innerText"
    )


def test_that_a_turn_is_over_stands_in_the_row_before(show: Show, tmp_path: Path) -> None:
    page = show(written(tmp_path / "record.jsonl", setup(2), *CROSSED, "flick suns", "rest"))
    page.until("document.querySelectorAll('#calls .call-ends').length === 2")
    rows = "[...document.querySelectorAll('#calls > li:not(#calls-end)')]"
    ends = f"{rows}.filter((row) => row.innerText.includes('turn is over'))"
    shown = f"{ends}.map((row) => row.querySelector('.call-text, span').innerText)"
    assert [words.split(";")[0] for words in page.run(shown)] == [
        "Ben flicks.",
        "Ann's coin leaves the table",
    ]


#: The parts of a row of a call that meet another part of it, or stick out of it. Between two with a
#: frame are at least 2 px.
MEETING = """(() => {
  const marks =
    ".tag, .chip, .margin, .look-button, .call-text, .call-ends, .coin-picture, .call-blind";
  const words = ".call-text, .call-turn-words, .call-ends, .call-quiet > span:not(.tag)";
  const boxes = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return [...(one.matches(words) ? range : one).getClientRects()];
  };
  const framed = ".tag, .chip, .look-button"; // two of these that touch look like one
  const meet = (a, b, by) =>
    a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by &&
    b.top < a.bottom - by;
  const inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 &&
    a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const rows = [...document.querySelectorAll(".calls li, #latest li")];
  return rows.filter((row) => row.checkVisibility()).flatMap((row) => {
    const parts = [...row.querySelectorAll(`${marks}, ${words}`)].filter((one) =>
      one.checkVisibility());
    const out = parts.filter((one) =>
      !boxes(one).every((box) => inside(box, row.getBoundingClientRect())));
    const pairs = parts.flatMap((one, i) => parts.slice(i + 1).map((other) => [one, other]));
    const met = pairs.filter(([one, other]) => !one.contains(other) && !other.contains(one) &&
      boxes(one).some((a) => boxes(other).some((b) =>
        meet(a, b, one.matches(framed) && other.matches(framed) ? -2 : 1))));
    return [...out.map((one) => [one]), ...met].map((some) =>
      some.map((one) => one.textContent).join(" meets "));
  });
})()"""
LONG = ("Bartholomew Featherstonehaugh-Cholmondeley", "Wilhelmina van der Bergh-Papadopoulos")


def test_no_two_marks_in_a_row_of_a_call_overlap(show: Show, tmp_path: Path) -> None:
    """Calls of each fate: upheld, overturned, replaced, challenged, challenged and settled."""
    first = setup(2) | {"options": {"challenges": 3}}
    first["players"] = [
        {**seat, "name": name} for seat, name in zip(first["players"], LONG, strict=True)
    ]
    sure = "probability=0.97 margin_mm=1.5 sigma_mm=0.4"
    crossed = [f"cross moons {n} out {sure}" for n in (1, 2, 3, 4)]
    other = {"entry": "incident", "kind": "contact", "coin": "moons", "with": "right-endpost"}
    decided = [
        said("x1", "upheld", "i2"),
        said("x2", "overturned", "i5"),
        said("x3", "replaced", "i6", replacement=other),
        claimed("x4", "i3"),
        claimed("x5", "i4"),
        said("x6", "upheld", "i4"),
    ]
    lines = ("flick moons", *crossed[:3], f"hit moons suns {sure}", crossed[3], "rest")
    page = show(written(tmp_path / "record.jsonl", first, *lines, "flick moons", "rest", *decided))
    page.until("document.querySelectorAll('#calls .fate').length >= 5")
    try:
        for scheme in ("light", "dark"):
            look(page, scheme)
            for width, height in ((390, 844), (1280, 800), (1920, 1080)):
                page.resize(width, height, phone=width == 390)
                page.until(f"innerWidth === {width}")
                page.settle()
                assert page.run(MEETING) == [], (scheme, width)
    finally:
        look(page, "light")


def said(name: str, verdict: str, on: str, **more: Any) -> dict[str, Any]:
    """Return a ruling with a long reason."""
    why = "seen in the clip by everybody who stood around the table at that moment"
    return {
        **{"entry": "ruling", "id": name, "on": on, "verdict": verdict},
        **{"by": LONG[0], "reason": why},
        **more,
    }


def claimed(name: str, on: str) -> dict[str, Any]:
    """Return a challenge."""
    return {
        **{"entry": "declaration", "id": name, "kind": "challenge"},
        **{"on": on, "player": LONG[1]},
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_earlier_calls_are_offered_at_the_end_of_the_list_in_plain_sight(
    page: Page, feed: Feed, scheme: str
) -> None:
    calls = [
        {"on": f"i{n}", "call": "hit", "rule": "Hits", "text": f"Call number {n}."}
        for n in range(90)
    ]
    feed.publish("calls", calls)
    try:
        look(page, scheme)
        page.until("document.querySelector('#calls-earlier')?.checkVisibility()")
        colours = "((style) => [style.color, style.backgroundColor])(getComputedStyle({}))"
        ink = page.run(colours.format("document.getElementById('calls-earlier')"))[0]
        panel = page.run(colours.format("document.querySelector('.calls')"))[1]
    finally:
        look(page, "light")
    assert contrast(ink, panel) >= 4.5  # of the Web Content Accessibility Guidelines, level AA
    assert page.run("document.querySelector('#calls > :last-child').id") == "calls-end"


def look(page: Page, scheme: str) -> None:
    """Show the page as a device asks for it that is light or dark."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.send("Emulation.setEmulatedMedia", features=[feature])


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as the browser writes them, `rgb(1, 2, 3)` (WCAG 2.2)."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    shares = [int(part) / 255 for part in colour.strip("rgb()").split(",")]
    red, green, blue = (
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def goes_on(path: Path, incident: dict[str, Any]) -> None:
    """Write one more incident into a record."""
    crossed = {"direction": "outward"} if incident["kind"] == "line_crossed" else {}
    with path.open("a") as out:
        out.write(json.dumps({"entry": "incident", "id": "more", **incident, **crossed}) + "\n")
