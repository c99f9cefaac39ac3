"""What is asked on the page before play, and what becomes of the answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.desk.feed import Feed
from referee.domain.entry import Player
from referee.domain.episode import Rest
from referee.domain.geometry import Point
from referee.domain.layout import template_course
from referee.session.coin_questions import CoinQuestions
from referee.session.live_view import LiveView
from referee.session.match_file import Match, read_match
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.vision.sources.frame import CameraMode
from referee.vision.sources.video import open_source
from tests.clips.bundled import CLIPS, off_mm, pieces_of, true_table, truth_of
from tests.desk.feed_reader import FeedReader

CLIP = "wicket-missed"
EMPTY: Point = (0.0, 0.0)  # a place more than 60 mm from every coin
FRAMES = 40
PRISONER_FROM = 240  # the first frame of demo-castle without the hand that put it there
AT = {n: tuple(c["mm"]) for n, c in truth_of(CLIP)["frames"][0]["coins"].items()}


@pytest.fixture(scope="module")
def builder() -> EpisodeBuilder:
    """Return the table after the clip's first frames, with coins that have numbers only."""
    table = true_table(CLIP)
    built = EpisodeBuilder(table, 0.0)
    source = str(CLIPS / CLIP / "clip.mp4")
    with open_source(source, False, threads=1, camera=CameraMode(1280, 720, 60.0)) as frames:
        for number, frame in enumerate(frames):
            built.take(frame)
            if number == FRAMES:
                break
    return built


@pytest.fixture
def feed() -> Iterator[Feed]:
    opened = Feed()
    yield opened
    opened.close()


def questions(builder: EpisodeBuilder, feed: Feed, match: Match) -> CoinQuestions:
    show = LiveView(feed, match, builder.table, "clip.mp4")
    return CoinQuestions(match, None, builder, show, ui=True)


def answers(feed: Feed, topic: str, *each: Any) -> list[Any]:
    """Answer a topic as often as it is asked, in another thread. Return what was asked."""
    asked: list[Any] = []

    def answer() -> None:
        reader = FeedReader(feed)
        left = list(each)
        while left:
            for change in reader.take(20):
                if change.topic == topic and change.value is not None:
                    asked.append(change.value)
                    feed.answer(topic, left.pop(0)(change.value))

    threading.Thread(target=answer, daemon=True).start()
    return asked


def number_at(builder: EpisodeBuilder, name: str) -> str:
    return min(builder.known(), key=lambda n: off_mm(builder.known()[n].at_mm, AT[name]))


def test_each_answer_helps_to_name_the_other_coins(builder: EpisodeBuilder, feed: Feed) -> None:
    match = read_match(CLIPS / CLIP / "match.yaml")
    true = {number_at(builder, name): name for name in AT}
    builder.faces.clear()  # as if a hand had covered every face: all names are open
    asked = answers(feed, "naming", lambda topic: {c["id"]: true[c["id"]] for c in topic["coins"]})
    naming = questions(builder, feed, match).ask_names(builder.known(), match.coins, {})
    assert len(asked[0]["coins"]) == len(AT) - 1  # the last name follows
    assert naming.names == true


def test_a_missing_coin_is_laid_where_people_say_or_waits_off_the_table(
    builder: EpisodeBuilder, feed: Feed
) -> None:
    match = read_match(CLIPS / CLIP / "match.yaml")
    more = tuple(Player(name=n, coin=c) for n, c in (("Dan", "crowns"), ("Eva", "5")))
    both = questions(builder, feed, replace(match, players=(*match.players, *more)))
    names = {number_at(builder, name): name for name in AT}
    asked = answers(feed, "missing", lambda topic: {"crowns": EMPTY, "5": None})
    found, missing = both.find_missing(names)
    assert asked[0]["text"] == "3 of 5 coins seen: crowns and 5 are not"
    assert set(asked[0]["lying"]) == set(AT)
    assert missing == () and both.off_table == {"5"}
    (new,) = set(found) - set(names)
    assert found[new] == "crowns" and off_mm(builder.known()[new].at_mm, EMPTY) < 30


def test_a_coin_that_is_missing_is_looked_for_on_the_towers(feed: Feed) -> None:
    """The film begins when a hand has put moons on the tower of suns, at (-251, -2)."""
    clip = "demo-castle"
    table, match = true_table(clip), read_match(CLIPS / clip / "match.yaml")
    built = EpisodeBuilder(table, 0.0)
    with open_source(str(CLIPS / clip / "clip.mp4"), False, threads=1) as frames:
        for number, frame in enumerate(frames):
            if number >= PRISONER_FROM:
                built.take(frame)
            if number == PRISONER_FROM + FRAMES // 2:
                break
    show = LiveView(feed, match, table, "clip.mp4")
    asked = CoinQuestions(match, pieces_of(clip), built, show, ui=False)
    words, _, place = asked.missing_words(("moons",)).rpartition("moons=")
    assert words == (
        "7 of 8 coins seen: moons is not. If moons lies on a tower, that tower belongs to suns: "
    )
    assert off_mm(tuple(map(float, place.split(","))), (-251.0, -2.0)) < 1.5
    (number,) = asked.name_given_places({"moons": (-243.0, 6.0)})  # as people read it off a ruler
    assert off_mm(built.known()[number].at_mm, (-251.0, -2.0)) < 1.0


class Lying:
    """A stand-in for an episode builder: coins by number, and those that people add."""

    def __init__(self, lying: dict[str, Rest]) -> None:
        self.lying, self.course = lying, template_course("carroms", 50.8)

    def known(self) -> dict[str, Rest]:
        return self.lying

    def add_given_coin(self, at_mm: Point, within_mm: float, others_mm: Sequence[Point]) -> str:
        self.others_mm = others_mm
        self.lying["?9"] = Rest(at_mm, within_mm)
        return "?9"


def test_a_coin_that_was_not_seen_beside_a_named_one_does_not_get_its_place() -> None:
    built: Any = Lying({"?2": Rest((0.0, 0.0), 0.2)})
    show: Any = None
    match = read_match(CLIPS / CLIP / "match.yaml")
    asked = CoinQuestions(match, None, built, show, ui=False)
    given = {"suns": (2.0, 19.0)}
    assert asked.name_given_places(given) == {"?2": "suns"}
    assert asked.name_given_places(given, {"?2": "moons"}) == {"?9": "suns"}
    # the rim at a place that people gave for another coin is that one's
    asked.name_given_places({"arms": (60.0, 0.0), "suns": (80.0, 0.0)}, {"?2": "moons"})
    assert built.others_mm == [(60.0, 0.0)]
