"""What people press, choose and type on the page, and what is then in the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.chromium import Page


def press(page: Page, words: str, where: str = "#say") -> None:
    """Press the button whose words are, or begin with, `words`, once it can be seen and pressed.
    An earlier step may disable it just before it is pressed; it is then waited for again.
    """
    called = f"one.ariaLabel ? one.ariaLabel === {words!r} : one.innerText.startsWith({words!r})"
    button = (
        f"[...document.querySelectorAll('{where} button')].find((one) => one.checkVisibility() &&"
        f" ({called}))"
    )
    page.until(f"{button} && !{button}.disabled")
    while not page.run(f"((found) => found && !found.disabled && (found.click(), true))({button})"):
        page.until(f"{button} && !{button}.disabled")


def choose(page: Page, words: str, where: str = "#say") -> None:
    """Take the choice with these words."""
    called = f"one.innerText.trim().replace(/\\s+/g, ' ') === {words!r}"
    choice = (
        f"[...document.querySelectorAll('{where} .choice')].find((one) => one.checkVisibility() &&"
        f" {called})"
    )
    page.until(choice)
    page.run(f"{choice}.click()")


def pick(page: Page, words: str, where: str = "#say") -> None:
    """Pick the option with these words from a folded list."""
    option = (
        f"[...document.querySelectorAll('{where} option')].find((one) =>"
        f" one.parentElement.checkVisibility() && one.innerText === {words!r})"
    )
    page.until(f"{option}?.checkVisibility() !== undefined")
    page.run(
        f"{option}.selected = true; {option}.parentElement.dispatchEvent(new Event('change', {{"
        " bubbles: true }))"
    )


def unfold(page: Page, words: str, where: str = "#hand") -> None:
    """Open the folded part with these words."""
    summary = (
        f"[...document.querySelectorAll('{where} summary')].find((one) =>"
        f" one.innerText.startsWith({words!r}))"
    )
    page.until(summary)
    page.run(f"{summary}.parentElement.open = true")


def open_rulings(page: Page) -> None:
    """Open the part where rulings are listed and more can be decided, once it is drawn."""
    page.until("document.querySelector('#rulings > details')")
    page.run("document.querySelector('#rulings > details').open = true")


def type_spot(page: Page, at_mm: list[float], where: str = "#hand") -> None:
    """Enter the place asked for in millimetres, in the last visible field."""
    spot = (
        f"[...document.querySelectorAll('{where} .spot')].findLast((one) => one.checkVisibility())"
    )
    page.until(spot)
    typed = (
        "((input, value) => { input.value = value; input.dispatchEvent(new Event('input', {"
        " bubbles: true })); })"
    )
    for number, value in enumerate(at_mm):
        page.run(f"{typed}({spot}.querySelectorAll('input')[{number}], {value})")


def entered(page: Page, path: Path, lines: int, where: str = "say") -> dict[str, Any]:
    """Return the record's last entry once the record has `lines` lines. Wait until the page shows
    the match with it.
    """
    page.until(
        f"document.getElementById({where!r}).dataset.view?.includes('\"entries\":{lines - 1}')"
    )
    last: dict[str, Any] = json.loads(path.read_text().splitlines()[-1])
    return last


def lines_of(path: Path) -> int:
    return len(path.read_text().splitlines())
