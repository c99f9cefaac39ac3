"""Calls are spoken and marked by sounds where somebody has switched that on, each once; and the
screen stays on while a match is played. The browser's voice, audio and screen lock are replaced by
ones that note what is asked of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from tests.web_ui import scenes
from tests.web_ui.at_table import TableServer
from web_ui import sounds

STUBS = """
window.said = []; window.played = []; window.locks = []; window.utterances = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [
    { name: "cloud", lang: "en-US", localService: false, default: true },
    { name: "Anna", lang: "de-DE", localService: true },
    { name: "own", lang: "en-GB", localService: true },
  ],
  speak: (one) => { said.push([one.text, one.voice.name]); utterances.push(one); },
  cancel: () => {}, addEventListener: () => {},
} });
window.AudioContext = class extends EventTarget {
  state = window.name === "ask" ? "suspended" : "running";
  resume() { this.state = "running"; this.dispatchEvent(new Event("statechange")); }
  decodeAudioData(data) { return Promise.resolve(data.byteLength); }
  createBufferSource() {
    return { connect() {}, start() { played.push(this.buffer); } };
  }
};
Object.defineProperty(navigator, "wakeLock", { value: window.name === "http" ? undefined : {
  request: () => {
    const lock = new EventTarget();
    lock.release = () => { lock.gone = true; lock.dispatchEvent(new Event("release")); };
    locks.push(lock);
    return Promise.resolve(lock);
  },
} });
"""
NEW = scenes.call(
    "i15", "wicket_scored", "Ben", "suns", "Ben passes wicket 2 and earns a flick.", flicks=1
)
HELD = "locks.filter((lock) => !lock.gone).length"


@pytest.fixture
def stubbed(window: Page, server: TableServer, feed: Feed) -> Iterator[Page]:
    """Open the page of a match that is played, as on a device that remembers nothing."""
    added = window.send("Page.addScriptToEvaluateOnNewDocument", source=STUBS)["identifier"]
    scenes.publish(feed, "watching")
    window.open(server.url)
    window.until("document.querySelector('#calls .call')")
    yield window
    window.run("localStorage.clear(); window.name = ''")
    window.send("Page.removeScriptToEvaluateOnNewDocument", identifier=added)
    window.open("about:blank")


def switch_on(page: Page, *choices: str) -> None:
    for choice in choices:
        page.run(f"document.getElementById({choice!r}).click()")


def again(page: Page) -> None:
    page.run("window.before = true")
    page.send("Page.reload")
    page.until("!window.before && document.querySelector('#calls .call')")


def test_nothing_is_heard_until_somebody_switches_it_on(stubbed: Page, feed: Feed) -> None:
    feed.publish("calls", [*scenes.CALLS, NEW])
    stubbed.until("document.querySelector('#calls').innerText.includes('passes wicket 2')")
    assert stubbed.run("[said.length, played.length]") == [0, 0]
    assert stubbed.run("document.getElementById('hear').hidden")


def test_a_new_call_is_said_once_by_the_devices_own_english_voice(
    stubbed: Page, feed: Feed
) -> None:
    switch_on(stubbed, "voice")
    feed.publish("provisional", [{**NEW, "on": "p1"}])
    stubbed.until("document.querySelector('#provisional .call')")
    assert stubbed.run("said") == []
    feed.publish_together({"provisional": [], "calls": [*scenes.CALLS, NEW]})
    stubbed.until("said.length")
    feed.publish("evidence", {**scenes.EVIDENCE, "i15": {"kind": "contact"}})
    stubbed.until("document.querySelectorAll('#calls .look-button').length >= 1")
    assert stubbed.run("said") == [["Ben passes wicket 2 and earns a flick.", "own"]]


def test_it_is_remembered_and_old_calls_are_not_said(stubbed: Page, feed: Feed) -> None:
    switch_on(stubbed, "voice", "sound")
    again(stubbed)
    assert stubbed.run("[voice.checked, sound.checked]") == [True, True]
    assert stubbed.run("[said.length, played.length]") == [0, 0]
    feed.publish("calls", [*scenes.CALLS, NEW])
    stubbed.until("said.length")
    switch_on(stubbed, "voice")  # off again
    feed.publish("calls", [*scenes.CALLS, NEW, {**NEW, "on": "i16"}])
    stubbed.until("played.length === 2")
    assert stubbed.run("said.length") == 1


def test_one_tap_is_asked_for_where_the_browser_demands_it(stubbed: Page, feed: Feed) -> None:
    switch_on(stubbed, "voice")
    stubbed.run("window.name = 'ask'")
    again(stubbed)
    stubbed.until("document.getElementById('hear').checkVisibility()")
    assert stubbed.run("document.getElementById('hear').innerText") == "Tap to hear calls"
    feed.publish("calls", [*scenes.CALLS, {**NEW, "on": "i14"}])
    stubbed.until("document.querySelector('#calls').innerText.includes('passes wicket 2')")
    stubbed.run("document.querySelector('#hear button').click()")
    stubbed.until("document.getElementById('hear').hidden")
    feed.publish("calls", [*scenes.CALLS, {**NEW, "on": "i14"}, {**NEW, "on": "i15"}])
    stubbed.until("said.length === 1")


def test_what_could_not_be_said_in_time_is_not_said_any_more(stubbed: Page, feed: Feed) -> None:
    switch_on(stubbed, "voice")
    later = [{**NEW, "on": f"i{n}", "text": f"Call {n}."} for n in range(15, 18)]
    feed.publish("calls", [*scenes.CALLS, *later])
    stubbed.until("said.length === 1")
    stubbed.run("(() => { const now = performance.now(); performance.now = () => now + 9000; })()")
    stubbed.run("utterances[0].onend()")
    feed.publish("calls", [*scenes.CALLS, *later, {**NEW, "on": "i18", "text": "Call 18."}])
    stubbed.until("said.length === 2")
    assert stubbed.run("said.map(([text]) => text)") == ["Call 15.", "Call 18."]


@pytest.mark.parametrize(
    ("name", "topics"),
    [
        ("step", {"calls": [*scenes.CALLS, NEW]}),
        ("hit", {"calls": [*scenes.CALLS, {**NEW, "call": "hit_scored", "with": "arms"}]}),
        ("foul", {"calls": [*scenes.CALLS, {**NEW, "call": "off_table", "flicks": -1}]}),
        ("foul", {"irregularities": [scenes.IRREGULAR]}),
        ("question", {"standing": scenes.scene("question")["standing"]}),
        ("win", {"calls": [*scenes.CALLS, NEW, {**NEW, "on": "i16", "call": "game_won"}]}),
    ],
)
def test_each_kind_of_news_has_its_own_sound(
    stubbed: Page, feed: Feed, name: str, topics: dict[str, Any]
) -> None:
    switch_on(stubbed, "sound")
    loaded = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.wav'))"
    stubbed.until(f"{loaded}.length === 5")
    feed.publish_together(topics)
    stubbed.until("played.length")
    size = (sounds.FOLDER / f"{name}.wav").stat().st_size
    assert stubbed.run("played") == [size]
    assert len({path.stat().st_size for path in sounds.FOLDER.glob("*.wav")}) == 5


def test_the_bundled_sounds_are_those_that_the_program_makes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bundled = {path.name: path.read_bytes() for path in sounds.FOLDER.glob("*.wav")}
    monkeypatch.setattr(sounds, "FOLDER", tmp_path)
    sounds.main()
    assert bundled == {path.name: path.read_bytes() for path in tmp_path.glob("*.wav")}


def test_the_screen_stays_on_until_the_match_has_ended(stubbed: Page, feed: Feed) -> None:
    stubbed.until(f"{HELD} === 1")
    stubbed.run("locks[0].release()")  # as a browser does when the page is hidden
    stubbed.run("document.dispatchEvent(new Event('visibilitychange'))")
    stubbed.until(f"locks.length === 2 && {HELD} === 1")
    feed.publish("standing", scenes.scene("finished")["standing"])
    stubbed.until(f"{HELD} === 0")
    assert stubbed.run("document.getElementById('awake').hidden")


def test_over_plain_http_the_page_says_once_how_to_keep_the_screen_on(stubbed: Page) -> None:
    stubbed.run("window.name = 'http'")
    again(stubbed)
    stubbed.until("document.getElementById('awake').checkVisibility()")
    assert "screen timeout" in stubbed.run("document.getElementById('awake').innerText")
    stubbed.run("document.querySelector('#awake button').click()")
    assert stubbed.run("document.getElementById('awake').hidden")
    again(stubbed)
    stubbed.until("document.querySelector('.turn-name')")
    assert stubbed.run("document.getElementById('awake').hidden")


def test_a_television_speaks_where_its_address_says_so(
    stubbed: Page, server: TableServer, feed: Feed
) -> None:
    stubbed.open(f"{server.look_url.rstrip('/')}/tv?voice=on&sound=on")
    stubbed.until("document.querySelector('#last')?.dataset.view")
    feed.publish("calls", [*scenes.CALLS, NEW])
    stubbed.until("said.length === 1 && played.length === 1")
    assert stubbed.run(f"document.querySelectorAll('button').length === 0 && {HELD} === 1")
