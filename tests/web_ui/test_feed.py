import threading
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk.feed import Feed, Picture
from tests.desk.feed_reader import FeedReader


def test_a_snapshot_holds_the_latest_value_of_every_topic() -> None:
    feed = Feed()
    feed.publish("doing", {"phase": "setting_up"})
    feed.publish("match", {"game": "tabletop-croquet"})
    feed.publish("doing", {"phase": "watching"})
    assert feed.snapshot() == {
        "match": {"game": "tabletop-croquet"},
        "doing": {"phase": "watching"},
    }


def test_a_published_value_is_a_copy() -> None:
    feed = Feed()
    coins = {"suns": [1.0, 2.0]}
    feed.publish("coins", coins)
    coins["suns"][0] = 99.0
    feed.snapshot()["coins"]["suns"][1] = 99.0
    assert feed.snapshot() == {"coins": {"suns": [1.0, 2.0]}}


def test_changes_come_in_the_order_of_publishing_with_rising_serials() -> None:
    feed = Feed()
    reader = FeedReader(feed)
    for topic in ("doing", "coins", "path"):
        feed.publish(topic, {"of": topic})
    changes = reader.take()
    assert [(c.topic, c.value) for c in changes] == [
        (t, {"of": t}) for t in ("doing", "coins", "path")
    ]
    assert [c.serial for c in changes] == sorted({c.serial for c in changes})


def test_a_reader_who_comes_late_starts_with_everything() -> None:
    feed = Feed()
    feed.publish("match", 1)
    feed.publish("doing", 2)
    assert {c.topic: c.value for c in FeedReader(feed).take()} == {"match": 1, "doing": 2}


def test_a_slow_reader_gets_only_the_latest_and_holds_nobody_up() -> None:
    feed = Feed()
    reader = FeedReader(feed)
    for i in range(10_000):
        feed.publish("coins", i)
    assert [c.value for c in reader.take()] == [9_999]
    assert reader.take(timeout_s=0) == []


def test_what_already_stands_is_no_news() -> None:
    feed = Feed()
    reader = FeedReader(feed)
    feed.publish("doing", {"phase": "watching"})
    reader.take()
    feed.publish("doing", {"phase": "watching"})
    assert reader.take(timeout_s=0) == []


def test_what_is_published_together_is_taken_together_and_only_what_is_new() -> None:
    feed = Feed()
    feed.publish("standing", {"turn": 1})
    reader = FeedReader(feed)
    reader.take()
    feed.publish_together({"match": 1, "standing": {"turn": 1}, "record": 2})
    assert {c.topic: c.value for c in reader.take()} == {"match": 1, "record": 2}
    with pytest.raises(TypeError):
        feed.publish_together({"match": 3, "record": object()})
    assert reader.take(timeout_s=0) == []


def test_a_waiting_reader_is_woken() -> None:
    feed = Feed()
    reader = FeedReader(feed)
    threading.Timer(0.05, feed.publish, ("doing", "now")).start()
    assert [c.value for c in reader.take(timeout_s=10)] == ["now"]


def test_closing_ends_reading_after_the_last_news() -> None:
    feed = Feed()
    feed.publish("doing", "finished")
    feed.close()
    feed.publish("doing", "too late")
    assert [c.value for c in FeedReader(feed)] == ["finished"]


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers() | st.none()) | st.just("take"), max_size=60
    )
)
def test_whenever_a_reader_reads_it_ends_up_with_what_stands(steps: list[Any]) -> None:
    feed = Feed()
    reader = FeedReader(feed)
    known: dict[str, Any] = {}
    serials = []
    for step in [*steps, "take"]:
        if step == "take":
            for change in reader.take(timeout_s=0):
                known[change.topic] = change.value
                serials.append(change.serial)
            assert known == feed.snapshot()
        else:
            feed.publish(*step)
    assert serials == sorted(set(serials))


def test_an_answer_reaches_whoever_waits_for_it_once() -> None:
    feed = Feed()
    feed.publish("naming", {"coins": [{"id": "1"}]})
    threading.Timer(0.05, feed.answer, ("naming", {"1": "suns"})).start()
    assert feed.wait_for_answer("naming", 10) == {"1": "suns"}
    assert feed.wait_for_answer("naming", 0) is None


@pytest.mark.parametrize("asked", [[], [{"coins": []}, None]], ids=["never asked", "withdrawn"])
def test_an_answer_to_nothing_is_refused(asked: list[Any]) -> None:
    feed = Feed()
    for question in asked:
        feed.publish("naming", question)
    assert feed.answer("naming", {"1": "suns"}) is False
    assert feed.wait_for_answer("naming", 0) is None


def test_a_withdrawn_question_takes_its_answer_with_it() -> None:
    feed = Feed()
    feed.publish("naming", "first")
    feed.answer("naming", "meant for the first")
    feed.publish("naming", None)
    feed.publish("naming", "second")
    assert feed.wait_for_answer("naming", 0) is None


def test_closing_ends_waiting_for_an_answer() -> None:
    feed = Feed()
    feed.publish("naming", "question")
    threading.Timer(0.05, feed.close).start()
    began_s = time.monotonic()
    assert feed.wait_for_answer("naming", 30) is None
    assert time.monotonic() - began_s < 15


def test_a_picture_is_kept_with_its_topic() -> None:
    feed = Feed()
    feed.publish_picture("naming", Picture("image/png", b"png"))
    assert feed.picture("naming") == Picture("image/png", b"png")
    assert feed.picture("other") is None


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError):
        Feed().publish("coins", object())
