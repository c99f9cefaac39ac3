"""Tiles that could not be measured: when they are tried again; and tiles that look like a hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from referee.domain.episode import CoinTrack, Rest
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.session.seeing import measured_course
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.measured_course import MeasuredCourse
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.image.picture import Rect
from tests.session.seeing.test_opening import STILL, VIEW, frame
from tests.tracking.slides import course_at
from tests.vision.drawn import table

OVER = (((-110.0, -90.0, -20.0, -20.0), 140.0),)  # clear of all coins
UNMEASURED = frozenset({"wicket-1-left", "wicket-2-left", "wicket-3-left"})


@pytest.mark.parametrize(
    ("touched", "hand_left", "tried"),
    [
        (set(), set(), set()),
        ({"wicket-1-left"}, set(), {"wicket-1-left"}),
        (set(), {"wicket-2-left"}, {"wicket-2-left"}),
        ({"wicket-1-right"}, set(), set()),
    ],
)
def test_a_tile_is_tried_again_only_where_the_frame_has_changed(
    touched: set[str], hand_left: set[str], tried: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    course, asked = course_at(), set[str]()
    table: Any = SimpleNamespace(course=course, view=None, sizes=None)
    measured = MeasuredCourse(table, unmeasured=UNMEASURED)
    at = {tile.centre_mm: name for name, tile in course.tiles.items()}
    difference = SimpleNamespace(
        tile_touched=lambda tile: at[tile.centre_mm] in touched,
        hand_left=lambda tile: at[tile.centre_mm] in hand_left,
    )
    background = SimpleNamespace(picture=None)
    analysis: Any = SimpleNamespace(difference=difference, first_background=background)

    def asked_for(_picture: Any, _course: Any, _view: Any, _sizes: Any, names: Any, *_: Any) -> Any:
        asked.update(names)
        return {}

    monkeypatch.setattr(measured_course, "passed_tiles", lambda *_: frozenset())
    monkeypatch.setattr(measured_course, "measure_tiles", lambda *_, **__: (course, frozenset()))
    monkeypatch.setattr(measured_course, "tiles_as_they_lie", asked_for)
    monkeypatch.setattr(measured_course, "lies_as_it_lay", lambda *_: True)
    picture: Any = None
    measured.measure(picture, analysis, (), still=True)
    assert asked == tried
    assert measured.unmeasured == UNMEASURED


def test_a_tile_that_was_never_measured_is_told_each_time_it_looks_different(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where it lies now may be measured, but nobody knows where it lay. A coin that stops beside it
    changes its surroundings only.
    """
    course = course_at()
    table: Any = SimpleNamespace(course=course, view=None, sizes=PieceSizes(), edge=())
    measured = MeasuredCourse(table, unmeasured=UNMEASURED, never_measured=UNMEASURED)
    pushed, beside, known = (course.tiles[f"wicket-{number}-left"] for number in (1, 2, 4))
    difference = SimpleNamespace(
        tile_touched=[pushed, beside, known].__contains__, hand_left=lambda _: False
    )
    background = SimpleNamespace(picture=None)
    analysis: Any = SimpleNamespace(difference=difference, first_background=background)
    tracker: Any = SimpleNamespace(frames=[], hand_frames=[])
    monkeypatch.setattr(measured_course, "passed_tiles", lambda *_: frozenset())
    monkeypatch.setattr(measured_course, "measure_tiles", lambda *_, **__: (course, frozenset()))
    monkeypatch.setattr(measured_course, "lies_as_it_lay", lambda *a: a[3] is beside)

    def told(found: dict[str, Any]) -> frozenset[str]:
        monkeypatch.setattr(measured_course, "tiles_as_they_lie", lambda *_: found)
        nothing: Any = None
        measured.measure(nothing, analysis, (), still=True)
        return measured.episode(tracker, (), 0.0, course).changed_tiles

    assert told({}) == {"wicket-1-left"}
    assert told({"wicket-1-left": pushed}) == {"wicket-1-left"}
    assert told({}) == set()


def test_a_tile_that_a_coin_went_past_and_a_hand_may_hide_counts_as_not_seen_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next flick begins before the hand has left: two tiles cannot be measured yet."""
    course, failed = course_at(), frozenset({"wicket-1-left", "wicket-2-left"})
    surveyed: Any = SimpleNamespace(
        course=course, view=None, sizes=PieceSizes(50.8, 5.0, 20.0, 3.0), edge=()
    )
    monkeypatch.setattr(measured_course, "measure_tiles", lambda *_, **__: (course, failed))
    tile = course.tiles["wicket-1-left"].centre_mm
    seen = [Sighting("suns", 8, 8 / 60, (tile[0] + 30.0, tile[1]), 0.5)]
    coin = TrackedCoin("suns", State.REST, None, None, seen)
    measured, nothing = MeasuredCourse(surveyed), cast(Any, None)
    measured.measure(nothing, nothing, (coin,), still=False)
    tracker: Any = SimpleNamespace(frames=[], hand_frames=[])
    told = measured.episode(tracker, (), 0.0, course).unmeasured_tiles
    assert (told, measured.unmeasured) == ({"wicket-1-left"}, frozenset())


@pytest.mark.parametrize("lost", [True, False])
def test_a_coin_that_is_nowhere_is_in_the_episode_only_if_it_may_lie_unseen(lost: bool) -> None:
    surveyed: Any = SimpleNamespace(course=course_at(), view=None, sizes=PieceSizes(), edge=())
    tracker: Any = SimpleNamespace(frames=[], hand_frames=[])
    track = CoinTrack("suns", None, None, lost=lost)
    episode = MeasuredCourse(surveyed).episode(tracker, (track,), 0.0, course_at())
    assert episode.tracks == ((track,) if lost else ())


@pytest.mark.parametrize(
    ("seen_mm", "hand_px", "pushed"),
    [
        ((3.0, 20.0), (30, 40, 60, 80), True),
        ((3.0, 90.0), (30, 40, 60, 80), False),  # no coin moved past the tile
        ((3.0, 20.0), (30, 10, 60, 80), False),  # it reaches farther than a pushed tile
    ],
)
def test_what_is_only_around_a_tile_that_a_coin_moved_past_may_be_the_pushed_tile(
    seen_mm: Point, hand_px: tuple[int, int, int, int], pushed: bool
) -> None:
    """The picture shows a pixel a millimetre. The tile lies in its middle, and its surroundings
    reach from 25 to 175 px.
    """
    course = Course({"wall-n-1": Tile((0.0, 0.0))}, 50.0)
    table: Any = SimpleNamespace(course=course, sizes=PieceSizes(tile_mm=50.0, coin_mm=20.0))
    hand = np.zeros((200, 200), np.uint8)
    left, top, right, bottom = hand_px
    hand[top:bottom, left:right] = 255
    foreground = SimpleNamespace(hand=hand, box=Rect(0, 0, 200, 200))
    difference = SimpleNamespace(tile_touched=lambda _: True, foreground=lambda: foreground)

    def small_rect(at: Point, reach: float) -> Rect:
        x, y = 100 + at[0], 100 - at[1]
        return Rect(int(x - reach), int(y - reach), int(x + reach), int(y + reach))

    analysis: Any = SimpleNamespace(
        difference=difference, projections=SimpleNamespace(small_rect=small_rect)
    )
    tracker = Tracker((), table.sizes)
    coin = TrackedCoin("suns-1", State.SLIDING, None, Rest((300.0, 0.0), 0.3))
    coin.sightings.append(Sighting("suns-1", 7, 0.1, seen_mm, 0.5))
    tracker.coins = {"suns-1": coin}
    assert MeasuredCourse(table).only_pushed(analysis, tracker) is pushed


@pytest.mark.parametrize(("pushed", "ends"), [(True, True), (False, False)])
def test_what_lies_still_and_may_be_a_pushed_tile_is_not_waited_for_like_a_hand(
    pushed: bool, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks like a hand comes with the 40th frame and lies still for half a second."""
    monkeypatch.setattr(MeasuredCourse, "only_pushed", lambda *_: pushed, raising=False)
    builder = EpisodeBuilder(table(VIEW), 0.0)
    shown = (STILL if k < 40 else STILL.but(blots=OVER) for k in range(70))
    ended = [builder.take(frame(number, scenery)) for number, scenery in enumerate(shown)]
    assert any(episode is not None for episode in ended[40:]) is ends


def test_the_background_shows_how_tiles_lay_until_the_last_of_them_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A coin pushed two tiles of a wall. What is around the one is part of the other's picture."""
    course, done = course_at(), list[str]()
    names = [name for name in course.tiles if name.startswith("wicket-1-")]
    at = {tile.centre_mm: name for name, tile in course.tiles.items()}
    analysis: Any = SimpleNamespace(
        difference=SimpleNamespace(
            tile_touched=lambda tile: at.get(tile.centre_mm) in names, hand_left=lambda _: False
        ),
        first_background=SimpleNamespace(picture=None),
        settle_tile=lambda _, lay, __: done.append(f"settle {at[lay.centre_mm]}"),
    )

    def measured(_s: Any, name: str, *_: Any, **__: Any) -> Tile:
        done.append(f"measure {name}")
        x, y = course.tiles[name].centre_mm
        return Tile((x, y + 3.0), course.tiles[name].rotation_deg)

    monkeypatch.setattr(measured_course, "lies_as_it_lay", lambda *_: False)
    monkeypatch.setattr(measured_course, "search_tile", lambda *_, hands_about: None)
    monkeypatch.setattr(measured_course._Seen, "_measured_near", measured)
    nothing: Any = None
    sizes = PieceSizes(50.8, 5.0, 20.0, 3.0)
    after, lost = measured_course.measure_tiles(
        nothing, analysis, course, nothing, sizes, set(), set(), {}, still=True
    )
    assert done == [f"{what} {name}" for what in ("measure", "settle") for name in names]
    assert lost == frozenset()
    for name in names:
        assert after.tiles[name].centre_mm[1] == course.tiles[name].centre_mm[1] + 3.0


@pytest.mark.parametrize(
    ("still", "face_up", "found"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_a_pushed_tile_with_a_faint_print_is_measured_by_the_face_of_the_others(
    still: bool, face_up: bool, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own symmetry shows no place, nor do the pictures before and after. While a hand may be
    there, it is left for later. A tile that lies face up does not look like the others.
    """
    course, settled = course_at(), list[Tile]()
    name, common = "wicket-1-left", np.zeros((2, 2))
    lay = course.tiles[name]
    pushed = Tile((lay.centre_mm[0] + 2.0, lay.centre_mm[1] - 11.0), lay.rotation_deg + 35.0)
    analysis: Any = SimpleNamespace(
        difference=SimpleNamespace(
            tile_touched=lambda tile: tile is lay, hand_left=lambda _: False
        ),
        first_background=SimpleNamespace(picture=None),
        coin_templates={},
        settle_tile=lambda _, __, to: settled.append(to),
    )

    def measured(_p: Any, _v: Any, near: Tile, _s: Any, face: Any, **_: Any) -> Any:
        return (near, 0.2) if face is common else None

    monkeypatch.setattr(measured_course, "lies_as_it_lay", lambda *_: False)
    monkeypatch.setattr(measured_course, "search_tile", lambda *_, hands_about: pushed)
    monkeypatch.setattr(measured_course, "search_far", lambda *_, hands_about: None)
    monkeypatch.setattr(measured_course, "measure_tile", measured)
    monkeypatch.setattr(measured_course, "moved_since", lambda *_: None)
    monkeypatch.setattr(measured_course, "shows_face", lambda _: face_up)
    nothing: Any = None
    sizes = PieceSizes(50.8, 5.0, 20.0, 3.0)
    after, lost = measured_course.measure_tiles(
        nothing, analysis, course, nothing, sizes, set(), set(), {}, common, still=still
    )
    assert (after.tiles[name] == pushed, name not in lost) == (found, found)
    assert settled == ([pushed] if found else [])
