"""The points of a path as they are written."""

import pathlib
from types import SimpleNamespace

import pytest

from referee.domain.entry import Player, Ruling, Setup
from referee.domain.episode import Episode, Frame
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Flicked, LeftTable, Renamed, Unseen
from referee.domain.layout import template_course
from referee.domain.path import Path, Run
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.library.archive import open_folder
from referee.session.recording import match_recorder as keeping
from referee.session.recording.flick_points import NEIGHBOURS_SHARE, points_of
from referee.session.recording.match_recorder import MatchRecorder
from referee.vision.faces.exchange import Exchange


def test_places_are_as_unsure_as_the_survey_is_there() -> None:
    course = template_course("tabletop-croquet", 50.8)
    x, y = course.middle_mm
    run = SimpleNamespace(begin_s=0.0, end_s=1.0, stop_s=1.0)
    path = SimpleNamespace(
        coin="suns",
        runs=(run,),
        sightings=(),
        rest_after_mm=(x, y),
        position_at=lambda t_s: (x + 400.0 * t_s, y + 300.0 * t_s),
        sigma_at=lambda t_s: 0.6,
    )
    episode = SimpleNamespace(
        frames=[SimpleNamespace(t_s=0.0, number=0), SimpleNamespace(t_s=1.0, number=1)],
        course_before=course,
    )

    def survey_sigma_mm(at_mm: Point) -> float:
        return 0.0016 / NEIGHBOURS_SHARE * distance(at_mm, (x, y))

    near, far = points_of(path, episode, 1, 0.0, survey_sigma_mm)  # type: ignore[arg-type]
    assert near.sigma_mm == pytest.approx(0.6)
    assert far.sigma_mm == pytest.approx(1.0)  # at 500 mm, 0.0016 is 0.8 mm; 0.6 and 0.8 make 1


FRAMES = tuple(Frame(number, number / 60) for number in range(20))
COURSE = template_course("tabletop-croquet", 50.8)
EPISODE = Episode(FRAMES, (), COURSE, COURSE, (), PieceSizes())


def slide(end: int, *, rest: bool) -> Path:
    """Return a slide that begins at 600 mm/s with frame 1, ends with frame `end`, and was seen in
    each of these frames.
    """
    run = Run(FRAMES[1].t_s, FRAMES[end].t_s, (100.0, 0.0), (1.0, 0.0), 600.0, 500.0, 0.5, 5.0, end)
    seen = tuple(
        Sighting("suns", f.number, f.t_s, run.position(f.t_s), 0.5) for f in FRAMES[1 : end + 1]
    )
    return Path(
        "suns",
        (run,),
        seen,
        (100.0, 0.0),
        0.3,
        run.position(FRAMES[end].t_s) if rest else None,
        0.3,
    )


def told(*, end: int, rest: bool, left_s: float | None = None) -> list[int]:
    """Return the frames for which a slide has points."""
    points = points_of(slide(end, rest=rest), EPISODE, 1, left_s=left_s)
    assert [p.seen for p in points] == [round(60 * p.t_s) <= end for p in points]
    return [round(60 * p.t_s) for p in points]


def test_a_coin_that_lies_still_is_followed_a_little_further() -> None:
    assert told(end=8, rest=True) == list(range(1, 12))


def test_a_coin_that_left_the_table_has_its_last_point_in_the_first_frame_behind_that() -> None:
    assert told(end=8, rest=False, left_s=7.4 / 60) == list(range(1, 9))
    assert told(end=8, rest=False, left_s=5.4 / 60) == list(
        range(1, 7)
    )  # what was seen of its fall is not a place on the table
    assert told(end=8, rest=True, left_s=5.4 / 60) == list(range(1, 7))  # a hand brought it back


def test_a_coin_that_was_lost_has_its_last_point_where_it_was_last_seen() -> None:
    assert told(end=8, rest=False) == list(range(1, 9))
    assert told(end=8, rest=False, left_s=12.0 / 60) == list(range(1, 9))


def test_a_coin_that_came_back_and_slid_on_is_followed_to_that_slides_end() -> None:
    assert told(end=8, rest=True, left_s=0.5 / 60) == list(range(1, 12))


def test_where_a_coin_was_unseen_its_place_is_as_unsure_as_it_may_have_gone_another_way() -> None:
    run = Run(FRAMES[1].t_s, FRAMES[9].t_s, (100.0, 0.0), (1.0, 0.0), 600.0, 0.0, 0.5, 0.0, 3)
    seen = tuple(
        Sighting("suns", n, FRAMES[n].t_s, run.position(FRAMES[n].t_s), 0.5) for n in (2, 8, 9)
    )
    path = Path("suns", (run,), seen, (100.0, 0.0), 0.3, (180.0, 0.0), 0.3)

    def sigmas_mm(*unseen_s: tuple[float, float]) -> dict[int, float]:
        points = points_of(path, EPISODE, 1, unseen_s=unseen_s)
        return {round(60 * p.t_s): p.sigma_mm for p in points}

    assert set(sigmas_mm().values()) == {0.5}
    unsure_mm = sigmas_mm((3 / 60, 9 / 60))
    # 600 mm/s is 10 mm a frame. In frame 5, three frames after the one in which it was last seen
    # and three before the next, the coin may be anywhere in a disc of 30 mm: 15 mm along each axis.
    assert unsure_mm[5] == pytest.approx((0.5**2 + 15.0**2) ** 0.5)
    assert unsure_mm[7] == pytest.approx((0.5**2 + 5.0**2) ** 0.5)
    assert unsure_mm[2] == unsure_mm[8] == pytest.approx(0.5)


def test_when_a_coin_left_the_table_is_taken_from_what_is_recorded(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happened = (
        Flicked(coin="suns", t_s=1 / 60),
        LeftTable(coin="suns", at_mm=(140.0, 0.0), t_s=5.4 / 60),
        AtRest(coins={}, t_s=0.3),
    )
    monkeypatch.setattr(keeping, "smooth_episode", lambda *_, **__: (slide(8, rest=False),))
    monkeypatch.setattr(keeping, "incidents_of", lambda *_: happened)
    setup = Setup(
        format="piecepack-match/1",
        game="tabletop-croquet",
        players=(Player(name="Ann", coin="moons"), Player(name="Ben", coin="suns")),
    )
    folder = open_folder(tmp_path / "out")
    recorder = MatchRecorder.begin(folder, setup, COURSE, ("moons", "suns"))
    recorder.keep(EPISODE, None)
    recorder.close()
    assert [round(60 * p.t_s) for p in folder.paths_of(1)] == list(range(1, 7))


def test_a_coin_whose_name_is_asked_about_has_no_certain_place(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lie = {"suns": (10.0, 0.0), "moons": (90.0, 0.0), "crowns": (300.0, 0.0)}
    monkeypatch.setattr(keeping, "smooth_episode", lambda *_, **__: ())
    monkeypatch.setattr(keeping, "incidents_of", lambda *_: (AtRest(coins=lie, t_s=0.3),))
    setup = Setup(
        format="piecepack-match/1",
        game="tabletop-croquet",
        players=tuple(Player(name=coin.title(), coin=coin) for coin in lie),
    )
    recorder = MatchRecorder.begin(open_folder(tmp_path / "out"), setup, COURSE, lie)
    recorder.record_places(lie, 0.0)
    exchange = Exchange({"suns": "moons", "moons": "suns"}, 0.95)
    kept = recorder.keep(EPISODE, None, exchange)
    recorder.close()
    renamed, unseen, rest = kept
    assert isinstance(renamed, Renamed) and renamed.probability == 0.95
    assert isinstance(unseen, Unseen) and set(unseen.pieces) == {"moons", "suns"}
    assert isinstance(rest, AtRest) and set(rest.coins) == {"crowns"}


def test_what_a_coin_does_while_its_name_is_in_question_is_not_certain(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flicked_beside(monkeypatch, "suns", "moons")
    recorder = MatchRecorder.begin(open_folder(tmp_path / "out"), SETUP, COURSE, ("moons", "suns"))
    recorder.record_places({"moons": (90.0, 0.0), "suns": (0.0, 0.0)}, 0.0)
    kept = recorder.keep(EPISODE, None, None, {"suns": 0.8, "moons": 0.8})
    recorder.close()
    assert [i.probability for i in kept if isinstance(i, Flicked)] == [0.8]
    assert all(not i.coins for i in kept if isinstance(i, AtRest))


def test_a_flick_whose_coin_may_have_another_name_does_not_outweigh_a_likelier_one(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One hand flicked either; suns surely, as it seems, but its name is right with 0.6 only."""
    found = (
        Flicked(coin="suns", t_s=0.1),
        Flicked(coin="moons", t_s=0.15, probability=0.8),
        Unseen(pieces=("suns", "moons"), from_s=0.1, to_s=0.2, t_s=0.15),
    )
    monkeypatch.setattr(keeping, "smooth_episode", lambda *_, **__: ())
    monkeypatch.setattr(keeping, "incidents_of", lambda *_: found)
    recorder = MatchRecorder.begin(open_folder(tmp_path / "out"), SETUP, COURSE, ("moons", "suns"))
    recorder.record_places({"moons": (90.0, 0.0), "suns": (0.0, 0.0)}, 0.0)
    kept = recorder.keep(EPISODE, None, None, {"suns": 0.6})
    recorder.close()
    assert [i.coin for i in kept if isinstance(i, Flicked)] == ["moons"]


SETUP = Setup(
    format="piecepack-match/1",
    game="tabletop-croquet",
    players=(Player(name="Ann", coin="moons"), Player(name="Ben", coin="suns")),
)
FELL = LeftTable(coin="moons", at_mm=(90.0, 0.0))


def flicked_beside(monkeypatch: pytest.MonkeyPatch, *lying: str) -> None:
    """Let suns be flicked in each episode, and these coins lie there afterwards."""
    seen = AtRest(coins={coin: (10.0 * k, 0.0) for k, coin in enumerate(lying)}, t_s=0.3)
    monkeypatch.setattr(keeping, "smooth_episode", lambda *_, **__: ())
    monkeypatch.setattr(keeping, "incidents_of", lambda *_: (Flicked(coin="suns", t_s=0.1), seen))


def hidden(recorder: MatchRecorder) -> list[tuple[str, ...]]:
    return [i.pieces for i in recorder.keep(EPISODE, None) if isinstance(i, Unseen)]


def test_a_lost_coin_is_unseen_in_each_flick_until_a_ruling_says_that_it_left(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flicked_beside(monkeypatch, "suns")
    folder, coins = open_folder(tmp_path / "out"), ("moons", "suns")
    recorder = MatchRecorder.begin(folder, SETUP, COURSE, coins)
    recorder.record_places({"moons": (90.0, 0.0), "suns": (0.0, 0.0)}, 0.0)
    assert [hidden(recorder), hidden(recorder)] == [[("moons",)], [("moons",)]]
    recorder.close()
    recorder = MatchRecorder.resume(folder, COURSE, coins)
    assert hidden(recorder) == [("moons",)]
    on = recorder.fold.entries[-1].id
    recorder.write(Ruling(verdict="added", after=on, replacement=FELL, by="Ann", id="r1"))
    assert hidden(recorder) == []
    recorder.close()
    recorder = MatchRecorder.resume(folder, COURSE, coins)
    assert hidden(recorder) == []
    recorder.close()


def test_a_coin_that_a_ruling_takes_away_before_it_was_seen_again_may_be_lost_later(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, coins = open_folder(tmp_path / "out"), ("moons", "suns")
    recorder = MatchRecorder.begin(folder, SETUP, COURSE, coins)
    recorder.record_places({"moons": (90.0, 0.0), "suns": (0.0, 0.0)}, 0.0)
    flicked_beside(monkeypatch, "suns")
    assert hidden(recorder) == [("moons",)]
    early = recorder.fold.entries[-1].id
    flicked_beside(monkeypatch, "suns", "moons")  # it is in view again, and lost once more
    assert hidden(recorder) == [("moons",)]
    flicked_beside(monkeypatch, "suns")
    assert hidden(recorder) == [("moons",)]
    recorder.write(Ruling(verdict="added", after=early, replacement=FELL, by="Ann"))
    assert hidden(recorder) == [("moons",)]
    recorder.close()


def test_a_ruling_says_that_a_coin_left_which_was_never_seen(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = open_folder(tmp_path / "out")
    recorder = MatchRecorder.begin(folder, SETUP, COURSE, ("moons", "suns"))
    recorder.record_places({"suns": (0.0, 0.0)}, 0.0, missing=("moons",))
    flicked_beside(monkeypatch, "suns")
    assert hidden(recorder) == [("moons",)]
    on = recorder.fold.entries[-1].id
    recorder.write(Ruling(verdict="added", after=on, replacement=FELL, by="Ann"))
    assert hidden(recorder) == []
    recorder.close()
