"""The topics with a part for each entry: what pages are sent of them adds up to the whole."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.chromium import Page
from referee.desk.feed import Feed
from referee.desk.page_topics import parts
from referee.desk.page_topics.parts import WINDOW_BYTES
from referee.desk.page_topics.topic_splices import TopicsSent
from referee.desk.page_topics.topics import RulingMade
from referee.desk.serving.server import Server
from tests.web_ui.listening import Listener


class Client:
    """A page, in the words of `static/js/splices.js`."""

    def __init__(self) -> None:
        self.begin, self.parts, self.edition, self.serial = 0, [], 0, 0

    def hear(self, feed: Feed) -> dict[str, Any]:
        update = feed.update_since({}, self.serial)
        self.serial = update.serial
        news: dict[str, Any] = json.loads(b"{%b}" % update.fields)
        if news.get("calls"):
            self.take(news["calls"])
        return news

    def take(self, news: dict[str, Any]) -> None:
        self.edition = news["edition"]
        for at, drop, fresh in news["splices"]:
            end = at + drop
            if news["whole"]:
                self.begin, self.parts = at, fresh
            elif at >= self.begin:
                self.parts[at - self.begin : end - self.begin] = fresh
            elif end <= self.begin:
                self.begin += len(fresh) - drop
            else:
                self.begin, self.parts = at, [*fresh, *self.parts[end - self.begin :]]

    def ask(self, feed: Feed, most: int) -> None:
        earlier = json.loads(feed.earlier({"calls": self.begin}, most))["calls"]
        [[at, _, found]] = earlier["splices"]
        assert earlier["edition"] == self.edition
        assert at + len(found) == self.begin
        self.begin, self.parts = at, [*found, *self.parts]


def call(number: int) -> dict[str, Any]:
    return {"on": f"i{number}", "call": "hit", "rule": "Hits", "text": f"Call {number}."}


CALLS = st.lists(st.integers(0, 5).map(call), max_size=12)
EDITS = st.tuples(st.integers(0, 12), st.integers(0, 4), st.lists(st.integers(6, 9), max_size=3))


def edited(calls: list[Any], edit: tuple[int, int, list[int]]) -> list[Any]:
    at, drop, fresh = edit
    return [*calls[:at], *map(call, fresh), *calls[at + drop :]]


@given(
    begun=CALLS,
    steps=st.lists(EDITS | st.sampled_from(["hear", "ask", "withdraw"]), max_size=30),
    window=st.sampled_from([1, 150, 400, 10_000]),
    kept=st.sampled_from([1, 3, 256]),
)
def test_whenever_a_page_hears_it_knows_the_last_parts_of_the_whole(
    begun: list[Any], steps: list[Any], window: int, kept: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "SPLICES_KEPT", kept)
        patch.setattr(parts, "WINDOW_BYTES", {**WINDOW_BYTES, "calls": window})
        feed, client, calls = Feed(), Client(), begun
        feed.publish("calls", calls)
        for step in [*steps, "hear", "ask"]:
            if step == "withdraw":
                feed.publish("calls", None)
            elif step in ("hear", "ask"):
                feed.publish("calls", calls)
                client.hear(feed)
                assert client.parts == calls[client.begin :]
                if step == "ask":
                    client.ask(feed, 3)
                    assert client.parts == calls[client.begin :]
            else:
                calls = edited(calls, step)
                feed.publish("calls", calls)


def test_one_more_part_is_sent_alone() -> None:
    feed, client = Feed(), Client()
    calls = [call(number) for number in range(20_000)]
    feed.publish("calls", calls)
    client.hear(feed)
    assert 0 < len(client.parts) < 20_000
    feed.publish("calls", [*calls, call(20_000)])
    news = client.hear(feed)
    assert [splice[:2] for splice in news["calls"]["splices"]] == [[20_000, 0]]
    assert news["calls"]["splices"][0][2] == [call(20_000)]


def test_a_ruling_on_an_early_entry_sends_what_it_changes() -> None:
    feed, client = Feed(), Client()
    made = [RulingMade(id=f"r{n}", on="i1", verdict="upheld", holds=True) for n in range(2_000)]
    feed.publish("rulings", made)
    client.hear(feed)
    taken_back = [*made[:1_990], msgspec.structs.replace(made[1_990], holds=False), *made[1_991:]]
    feed.publish("rulings", taken_back)
    news = client.hear(feed)["rulings"]
    assert not news["whole"]
    assert news["splices"] == [
        [1_990, 1, [{"id": "r1990", "on": "i1", "verdict": "upheld", "holds": False}]]
    ]


def test_earlier_calls_bring_what_belongs_to_their_entries() -> None:
    feed = Feed()
    feed.publish("calls", [call(n) for n in range(10)])
    feed.publish("evidence", {f"i{n}": {"kind": "contact"} for n in range(10)})
    feed.publish("rulings", [{"id": f"r{n}", "on": f"i{n}"} for n in (0, 5, 8)])
    found = json.loads(feed.earlier({"calls": 7, "evidence": 8, "rulings": 2}, 3))
    assert [one["on"] for one in found["calls"]["splices"][0][2]] == ["i4", "i5", "i6"]
    assert found["evidence"]["splices"][0][0] == 4
    assert [name for name, _ in found["evidence"]["splices"][0][2]] == ["i4", "i5", "i6", "i7"]
    assert found["rulings"]["splices"][0][:2] == [1, 0]
    assert [one["id"] for one in found["rulings"]["splices"][0][2]] == ["r5"]


def test_what_is_sent_fits_its_declaration() -> None:
    feed = Feed()
    feed.publish("calls", [call(1)])
    feed.publish("evidence", {"i1": {"kind": "contact"}})
    feed.publish("irregularities", [{"on": "i1", "what": "x", "rule": "Hits", "text": "No."}])
    feed.publish("rulings", [{"id": "r1", "on": "i1", "verdict": "upheld", "holds": True}])
    update = msgspec.json.decode(b"{%b}" % feed.update_since({}, 0).fields, type=TopicsSent)
    assert update.calls and update.evidence and update.irregularities and update.rulings


def test_who_comes_back_hears_what_has_changed_since(server: Server, feed: Feed) -> None:
    calls = [call(number) for number in range(100)]
    feed.publish("match", {"game": "carroms"})
    feed.publish("calls", calls)
    first = Listener(server.url)
    heard = next(iter(first))
    first.close()
    feed.publish("calls", [*calls, call(100)])
    back = {"Last-Event-ID": f"{feed.run}-{heard.serial}"}
    for listener in (
        Listener(server.url, headers=back),
        Listener(server.url, path=f"/events?after={back['Last-Event-ID']}"),
    ):
        missed = next(iter(listener))
        assert missed.kind == "change"
        assert missed.value["calls"]["splices"] == [[100, 0, [call(100)]]]
        assert "match" not in missed.value
        listener.close()


@pytest.mark.parametrize("last", ["00000000-2", "2", "x-y", "-"])
def test_who_comes_from_another_run_hears_everything(server: Server, feed: Feed, last: str) -> None:
    feed.publish("match", {"game": "carroms"})
    listener = Listener(server.url, headers={"Last-Event-ID": last})
    heard = next(iter(listener))
    assert (heard.kind, heard.value) == ("snapshot", {"match": {"game": "carroms"}})
    listener.close()


def test_the_pages_own_script_comes_to_the_same(page: Page) -> None:
    """The same news, given to `splices.js`, whatever it already knows."""
    for begin, before in ((0, [1, 2, 3, 4, 5]), (2, [3, 4, 5]), (5, [])):
        for splice in ([5, 0, [6]], [0, 1, [9]], [1, 3, [7, 8]], [2, 2, []], [0, 0, [6, 6]]):
            client = Client()
            client.begin, client.parts = begin, list(before)
            news = {"edition": 1, "whole": False, "splices": [splice]}
            client.take(news)
            known = {"from": begin, "parts": before, "edition": 0}
            shown = page.run(
                "import('/static/js/splices.js').then(({ spliced }) =>"
                f" spliced({json.dumps(known)}, {json.dumps(news)}))"
            )
            assert shown == {"from": client.begin, "parts": client.parts, "edition": 1}
