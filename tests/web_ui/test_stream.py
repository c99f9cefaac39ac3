import itertools
import time
from urllib.parse import urlsplit

import pytest

from referee.desk.feed import Feed
from referee.desk.serving.server import serve
from referee.domain.errors import InputError
from tests.web_ui.at_table import TableServer
from tests.web_ui.listening import Listener
from web_ui import stream
from web_ui.pages import create_app


def test_a_connection_begins_with_everything(server: TableServer, feed: Feed) -> None:
    feed.publish("match", {"game": "carroms"})
    feed.publish("doing", {"text": "two\nlines"})
    listener = Listener(server.url)
    first = next(iter(listener))
    assert (first.kind, first.serial) == ("snapshot", 2)
    assert first.value == {"match": {"game": "carroms"}, "doing": {"text": "two\nlines"}}
    listener.close()


def test_nothing_known_is_an_empty_snapshot(server: TableServer) -> None:
    listener = Listener(server.url)
    assert next(iter(listener)).value == {}
    listener.close()


def test_a_silent_stream_beats(
    server: TableServer, feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_S", 0.02)
    monkeypatch.setattr(stream, "LOOK_S", 0.01)
    listener = Listener(server.url)
    assert [event.kind for event in itertools.islice(listener, 3)] == ["snapshot", "beat", "beat"]
    listener.close()


def test_the_stream_answers_for_its_own_names_alone(server: TableServer) -> None:
    for host, status in (("table.example", 403), (urlsplit(server.url).netloc, 200)):
        listener = Listener(server.url, headers={"Host": host})
        assert listener.response.status == status
        assert listener.response.headers["Content-Security-Policy"].startswith("default-src 'none'")
        listener.close()


def test_a_listener_hears_the_snapshot_and_then_every_change_in_order(
    server: TableServer, feed: Feed
) -> None:
    feed.publish("match", {"game": "tabletop-croquet"})
    listener = Listener(server.url)
    events = iter(listener)
    assert next(events).value == {"match": {"game": "tabletop-croquet"}}
    heard = []
    for i in range(5):
        for topic in ("coins", "path"):
            feed.publish(topic, i)
            heard.append(next(events))
    assert [e.value for e in heard] == [{t: i} for i in range(5) for t in ("coins", "path")]
    assert [e.serial for e in heard] == list(range(2, 12))
    listener.close()


def test_what_is_published_together_is_heard_as_one(server: TableServer, feed: Feed) -> None:
    feed.publish("standing", {"turn": 1})
    listener = Listener(server.url)
    events = iter(listener)
    next(events)
    feed.publish_together(
        {"match": {"game": "carroms"}, "standing": {"turn": 1}, "record": {"entries": 2}}
    )
    assert next(events).value == {
        "match": {"game": "carroms"},
        "record": {"entries": 2},
    }  # what stood already is no news
    listener.close()


def test_who_comes_back_hears_everything_again(server: TableServer, feed: Feed) -> None:
    feed.publish("standing", {"turn": 1})
    first = Listener(server.url)
    next(iter(first))
    first.close()
    feed.publish("standing", {"turn": 2})
    second = Listener(server.url)
    assert next(iter(second)).value == {"standing": {"turn": 2}}
    second.close()


def test_a_listener_that_stops_reading_holds_nobody_up(server: TableServer, feed: Feed) -> None:
    """This is far more than all buffers on the way hold. The stalled listener then gets only the
    latest values.
    """
    stalled, lively = Listener(server.url), Listener(server.url)
    events = iter(lively)
    next(events)
    for i in range(40):
        feed.publish("path", {"number": i, "ballast": "x" * 1_000_000})
        assert next(events).value["path"]["number"] == i
    lively.close()
    feed.close()
    numbers = [event.value["path"]["number"] for event in stalled if event.kind == "change"]
    assert numbers[-1] == 39
    assert len(numbers) < 15
    stalled.close()


def test_no_more_listeners_than_are_allowed(server: TableServer) -> None:
    listeners = [Listener(server.url) for _ in range(3)]
    assert [listener.response.status for listener in listeners] == [200, 200, 200]
    refused = Listener(server.url)
    assert refused.response.status == 503
    for listener in [*listeners, refused]:
        listener.close()
    end_s = time.monotonic() + 20
    while (
        again := Listener(server.url)
    ).response.status == 503:  # it is soon noticed that a listener has left
        assert time.monotonic() < end_s
        again.close()
        time.sleep(0.1)
    again.close()


def test_the_stream_ends_when_the_match_does(server: TableServer, feed: Feed) -> None:
    listener = Listener(server.url)
    feed.publish("doing", {"phase": "finished"})
    feed.close()
    heard = list(listener)
    assert heard[-2].value == {"doing": {"phase": "finished"}}
    assert heard[-1].kind == "end"
    listener.close()


def test_a_taken_port_is_said_in_one_line(server: TableServer, feed: Feed) -> None:
    with pytest.raises(
        InputError, match=rf"^port {server.port}: another program already uses this port[^\n]*$"
    ):
        serve(create_app(feed), port=server.port)


@pytest.mark.parametrize("port", [-1, 65536, 10_000_000])
def test_what_is_no_port_is_said_in_one_line(feed: Feed, port: int) -> None:
    with pytest.raises(InputError, match=rf"^port {port}: [^\n]+$"):
        serve(create_app(feed), port=port)


def test_a_server_can_be_closed_twice_and_leaves_its_port(feed: Feed) -> None:
    first = serve(create_app(feed))
    first.close()
    first.close()
    second = serve(create_app(feed), port=first.port)
    assert second.port == first.port
    second.close()


def test_the_last_word_is_heard_before_the_server_ends(feed: Feed) -> None:
    server = serve(create_app(feed))
    listener = Listener(server.url)
    events = iter(listener)
    next(events)
    feed.publish(
        "doing", {"phase": "failed", "text": "clip.mp4: breaks off", "ballast": "x" * 200_000}
    )
    feed.close()
    server.close()
    assert next(events).value["doing"]["text"] == "clip.mp4: breaks off"
    listener.close()
