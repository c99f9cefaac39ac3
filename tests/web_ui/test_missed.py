"""What a page did not hear: while its connection was lost, and before it was opened."""

from __future__ import annotations

import pytest

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.serving.server import serve
from web_ui.pages import create_app


def test_a_lost_connection_says_since_when_and_what_was_missed_is_shown(window: Page) -> None:
    feed = Feed()
    app = create_app(feed)
    server = serve(app)
    doing = {"phase": "following", "t_s": None, "share": None, "source": "r.jsonl"}
    call = {"on": "i1", "call": "hit", "rule": "Hits", "text": "Call one."}
    feed.publish("doing", {**doing, "text": ""})
    feed.publish("calls", [call])
    window.open(server.url)
    try:
        window.until("document.getElementById('calls')?.innerText.includes('Call one')")
        server.close()
        window.until(
            "/Connection lost since [0-2][0-9]:[0-5][0-9]:[0-5][0-9]\\./.test("
            "document.getElementById('connection').innerText)"
        )
        feed.publish("calls", [call, {**call, "on": "i2", "text": "Call two."}])
        server = serve(app, port=server.port)
        window.until("document.getElementById('calls').innerText.includes('Call two')")
        window.until("document.querySelectorAll('#calls .call').length === 2")
    finally:
        window.open("about:blank")
        feed.close()
        server.close()


@pytest.mark.parametrize(
    ("ends", "words"), [(True, "The program has ended."), (False, "Connection lost since")]
)
def test_a_program_that_ends_is_no_lost_connection(window: Page, ends: bool, words: str) -> None:
    """Also after the end of a video, when the program only keeps its page open."""
    feed = Feed()
    server = serve(create_app(feed))
    feed.publish("doing", {"phase": "finished", "text": "The video has ended."})
    window.open(server.url)
    try:
        window.until("document.body?.dataset.phase === 'finished'")
        if ends:
            feed.close()
        server.close()
        window.until(f"document.getElementById('connection').innerText.includes({words!r})")
    finally:
        window.open("about:blank")
        feed.close()
        server.close()


def test_earlier_calls_are_fetched_when_somebody_wants_them(window: Page) -> None:
    feed = Feed()
    server = serve(create_app(feed))
    calls = [
        {"on": f"i{n}", "call": "hit", "rule": "Hits", "text": f"Call number {n}."}
        for n in range(1000)
    ]
    feed.publish("calls", calls)
    feed.publish("rulings", [])
    feed.publish("evidence", {f"i{n}": {"kind": "contact", "margin_mm": 1} for n in range(1000)})
    try:
        window.open(server.url)
        window.until("document.querySelectorAll('#calls .call').length === 80")
        assert window.run("document.getElementById('calls').innerText.includes('number 999.')")
        for shown in (160, 240, 320):
            window.run("document.getElementById('calls-earlier').click()")
            window.until(f"document.querySelectorAll('#calls .call').length === {shown}")
            last = "[...document.querySelectorAll('#calls > .call')].at(-1)"
            assert f"Call number {1000 - shown}." in window.run(f"{last}.innerText")
            assert window.run("document.querySelectorAll('.call-fresh').length") == 0
            assert window.run(f"{last}.querySelector('.look-button').innerText").startswith("Look")
        feed.publish("calls", [*calls, {**calls[0], "on": "i1000", "text": "The newest."}])
        window.until("document.querySelector('#calls .call').innerText.includes('The newest.')")
        assert window.run("document.querySelectorAll('#calls .call').length") == 320
        assert window.run("document.querySelectorAll('.call-fresh').length") == 1
    finally:
        window.open("about:blank")
        feed.close()
        server.close()
