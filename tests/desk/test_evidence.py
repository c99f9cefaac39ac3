"""What pages get about the incidents that calls rest on, and how an answer to a question becomes a
ruling.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from referee.desk.messages import QuestionAnswer
from referee.desk.page_topics.topics import Evidence
from referee.domain.declaration import AfterHit
from referee.domain.entry import Player, Setup
from referee.domain.incident import AtRest, Flicked, Incident, LineCrossed, Unseen
from referee.domain.layout import template_course
from referee.library.archive import open_folder
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.session.recording.match_recorder import MatchRecorder
from tests.desk.whole_topics import evidence_of

SETUP = Setup(
    format="piecepack-match/1",
    game="tabletop-croquet",
    players=(Player(name="Ann", coin="moons"), Player(name="Ben", coin="suns")),
)
LYING = AtRest(id="a", coins={"moons": (100.0, 0.0), "suns": (100.0, 60.0)}, t_s=0.5)


def crossing(probability: float, name: str = "c") -> LineCrossed:
    return LineCrossed(
        id=name,
        coin="moons",
        line="wicket-1",
        direction="outward",
        t_s=2.0,
        margin_mm=0.2,
        sigma_mm=0.4,
        probability=probability,
        clip="clips/flick-0001.mp4",
        frames=(119, 120),
    )


def test_incidents_carry_what_was_measured_and_the_flick_they_are_drawn_with() -> None:
    unseen = Unseen(id="u", pieces=("suns",), from_s=5.0, to_s=6.0, t_s=5.0)
    entries = [
        SETUP,
        LYING,
        Flicked(id="f", coin="moons", t_s=1.9),
        crossing(0.7),
        AtRest(id="b", coins={}, t_s=3.0),
        unseen,
    ]
    found = evidence_of(entries, {"clips/flick-0001.mp4": 1.2})
    assert list(found) == ["f", "c", "u"]
    assert found["f"] == Evidence(kind="flicked", coin="moons", t_s=1.9, flick=1)
    assert found["c"] == Evidence(
        kind="line_crossed",
        coin="moons",
        line="wicket-1",
        t_s=2.0,
        margin_mm=0.2,
        sigma_mm=0.4,
        probability=0.7,
        clip="clips/flick-0001.mp4",
        clip_from_s=1.2,
        flick=1,
    )
    assert found["u"] == Evidence(kind="unseen", pieces=("suns",), from_s=5.0, to_s=6.0, t_s=5.0)


def test_what_was_said_is_told_as_a_declaration_and_belongs_to_no_flick() -> None:
    said = AfterHit(id="d", player="Ann", option=2, coin="suns", t_s=4.0)
    found = evidence_of([SETUP, Flicked(id="f", coin="moons"), AtRest(id="b", coins={}), said], {})
    assert list(found) == ["f", "d"]
    assert found["d"] == Evidence(
        entry="declaration", kind="after_hit", t_s=4.0, player="Ann", option=2, coin="suns"
    )


def test_a_flick_that_begins_before_the_last_one_ends_is_drawn_with_it() -> None:
    flicks: list[Incident] = [
        Flicked(id="f1", coin="moons"),
        Flicked(id="f2", coin="suns"),
        AtRest(id="b", coins={}),
        Flicked(id="f3", coin="moons"),
    ]
    assert {name: shown.flick for name, shown in evidence_of(flicks, {}).items()} == {
        "f1": 1,
        "f2": 1,
        "f3": 3,
    }


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[MatchRecorder]:
    """Return a match that waits for an answer: whether moons passed wicket 1 is too close to
    call.
    """
    recorder = MatchRecorder.begin(
        open_folder(tmp_path / "m"),
        SETUP,
        template_course("tabletop-croquet", 50.8),
        ("moons", "suns"),
    )
    for entry in (
        LYING,
        Flicked(id="f", coin="moons", t_s=1.9),
        crossing(0.7),
        AtRest(id="b", coins={"moons": (260.0, 0.0)}, t_s=3.0),
    ):
        recorder._append(recorder._as_recorded(entry, None))
    yield recorder
    recorder.close()


def question_of(recorder: MatchRecorder) -> str:
    (asked,) = summary(recorder.fold).questions
    assert asked.what == "too_close"
    return asked.on


@pytest.mark.parametrize(("verdict", "progress"), [("upheld", 1), ("overturned", 0)])
def test_an_answer_is_written_down_as_a_ruling_and_play_goes_on(
    asked: MatchRecorder, verdict: Literal["upheld", "overturned"], progress: int
) -> None:
    on = question_of(asked)
    assert asked.rule(QuestionAnswer(on=on, verdict=verdict))
    outcome = summary(asked.fold)
    assert outcome.questions == ()
    assert [row["progress"] for row in outcome.standings] == [progress, 0]
    *_, ruling = read_record(asked.folder.record)
    assert (ruling.on, ruling.verdict, ruling.reason) == (on, verdict, "answered on the dashboard")
    assert ruling.id == "r6"


@pytest.mark.parametrize(
    "answer",
    [
        QuestionAnswer(on="i3", verdict="upheld"),
        QuestionAnswer(on="i4", verdict="before", other="i3"),
        QuestionAnswer(on="i4", verdict="rover"),
    ],
)
def test_what_answers_no_question_is_not_written_down(
    asked: MatchRecorder, answer: QuestionAnswer
) -> None:
    before = asked.folder.record.read_bytes()
    assert not asked.rule(answer)
    assert asked.folder.record.read_bytes() == before


def test_an_answer_counts_once(asked: MatchRecorder) -> None:
    on = question_of(asked)
    assert asked.rule(QuestionAnswer(on=on, verdict="upheld"))
    assert not asked.rule(QuestionAnswer(on=on, verdict="overturned"))


@pytest.mark.parametrize(
    ("seen", "probability", "meant", "still_asked"),
    [("suns", None, "moons", []), ("moons", 0.5, "suns", ["wrong_flick"])],
)
def test_of_a_flick_that_was_wrong_or_is_asked_about_the_right_coin_is_taken_too(
    tmp_path: Path, seen: str, probability: float | None, meant: str, still_asked: list[str]
) -> None:
    recorder = MatchRecorder.begin(
        open_folder(tmp_path / "m"),
        SETUP,
        template_course("tabletop-croquet", 50.8),
        ("moons", "suns"),
    )
    for entry in (
        LYING,
        Flicked(id="f", coin=seen, touching=(meant,), t_s=1.9, probability=probability),
        AtRest(id="b", coins={}, t_s=3.0),
    ):  # it is Ann's turn, whose coin is moons
        recorder._append(recorder._as_recorded(entry, None))
    assert recorder.rule(QuestionAnswer(on="i3", verdict="replaced", coin=meant, by="Cyd"))
    recorder.close()
    *_, ruling = read_record(recorder.folder.record)
    put = ruling.replacement
    assert (ruling.on, ruling.by, put.coin, put.probability) == ("i3", "Cyd", meant, None)
    assert put.touching == (seen,)
    assert [asked.what for asked in summary(recorder.fold).questions] == still_asked
