"""The page asks which castle is Moons', where the survey could not tell."""

from __future__ import annotations

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.web_ui import scenes

NUMBERS = "[...document.querySelectorAll('.photo-mark')].map((mark) => mark.textContent)"
CHOICES = "[...document.querySelectorAll('.castle-choice')].map((one) => one.innerText)"
BUTTON = "document.querySelector('#castle .button')"


def test_moons_castle_is_chosen_by_its_number_in_the_picture(page: Page, feed: Feed) -> None:
    scenes.publish(feed, "castle")
    page.until(f"{NUMBERS}.length === 4")
    assert page.run(NUMBERS) == ["1", "2", "3", "4"]
    assert page.run(CHOICES) == [
        "1\nnear the camera",
        "2\non the camera's left",
        "3\naway from the camera",
        "4\non the camera's right",
    ]
    assert page.run("document.querySelector('.turn-name').innerText") == "Which castle is Moons’?"
    assert page.run(f"[{BUTTON}.disabled, {BUTTON}.innerText]") == [True, "No castle chosen yet"]
    page.run("document.querySelector('input[name=castle][value=far]').click()")
    assert page.run(f"{BUTTON}.innerText") == "This is Moons’ castle, go on"
    page.run(f"{BUTTON}.click()")
    assert feed.wait_for_answer("castle", 20) == "far"
    feed.publish("castle", None)
    page.until(
        "document.getElementById('castle').hidden && !document.querySelector('.photo') &&"
        " !document.querySelector('.turn').innerText.includes('castle')"
    )
