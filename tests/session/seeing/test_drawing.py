"""What is drawn over a frame, from what is believed about its coins."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from calibration.constants.palette import BLACK, GREY, YELLOW
from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation, Presence
from referee.domain.geometry import Point
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    TileDisplaced,
    TilePlace,
    Unseen,
)
from referee.domain.sighting import Sighting
from referee.session.seeing.overlay_drawing import SHOWN_S, OverlayDrawing, words_of
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.overlay.overlay_marks import project
from referee.vision.overlay.video_overlay import Marks
from tests.clips.bundled import true_table

TABLE = true_table("pass-and-hit")
LAY, NOW = Rest((400.0, 20.0), 0.31), 7


def observation(
    presence: dict[str, Presence] | None = None,
    *,
    frame: int = NOW,
    quiet: frozenset[str] = frozenset(),
    t_s: float = 1.0,
) -> FrameObservation:
    return FrameObservation(frame, t_s, True, True, presence=presence or {}, quiet=quiet)


def coin(state: State, *frames: int, name: str = "suns", before: Rest | None = LAY) -> TrackedCoin:
    """Return a coin that lay at `LAY` and was seen in these frames, 10 mm farther on in each."""
    seen = [
        Sighting(name, frame, frame / 60, (LAY.at_mm[0] + 10.0 * i, LAY.at_mm[1]), 0.5)
        for i, frame in enumerate(frames, start=1)
    ]
    return TrackedCoin(name, state, None if state is State.OFF_TABLE else LAY, before, seen)


def builder(
    at: FrameObservation | None, *coins: TrackedCoin, provisional: tuple[Incident, ...] = ()
) -> Any:
    tracker = SimpleNamespace(coins={c.coin: c for c in coins})
    return SimpleNamespace(
        table=TABLE,
        view_now=TABLE.view,
        course=TABLE.course,
        tracker=tracker,
        observation=at,
        provisional=lambda: provisional,
    )


def marks(at: FrameObservation | None, *coins: TrackedCoin) -> Marks:
    return OverlayDrawing().marks(builder(at, *coins))


def said(drawn: Marks) -> list[str]:
    return [label.text for label in drawn.labels]


def ways(drawn: Marks) -> list[tuple[tuple[float, float], ...]]:
    return [s.points_px for s in drawn.strokes if s.colour == YELLOW and not s.closed]


def in_pixels(*points_mm: Point) -> tuple[Any, ...]:
    return tuple(pytest.approx(at) for at in project(TABLE.view, points_mm))


def test_a_coin_under_a_hand_is_not_drawn_like_one_that_is_seen() -> None:
    under = marks(observation({"suns": Presence.COVERED}), coin(State.REST))
    assert said(under) == ["suns hidden"]
    assert {GREY, BLACK} <= {s.colour for s in under.strokes} and YELLOW not in {
        s.colour for s in under.strokes
    }
    for seen in (
        observation(),
        observation({"suns": Presence.THERE}),
        observation({"moons": Presence.COVERED}),
    ):
        plain = marks(seen, coin(State.REST))
        assert said(plain) == ["suns +/-0.31 mm"]
        assert GREY not in {s.colour for s in plain.strokes}


@pytest.mark.parametrize(
    ("at", "followed", "words"),
    [
        (observation(), coin(State.SLIDING, 6, 7), "suns +/-0.50 mm"),
        (observation(frame=8), coin(State.SLIDING, 6, 7), "suns hidden"),
        (
            observation(frame=8, quiet=frozenset({"suns"})),
            coin(State.SLIDING, 6, 7),
            "suns +/-0.50 mm",
        ),
        (observation(frame=40), coin(State.HIDDEN, 6, 7), "suns hidden"),
        (observation(), coin(State.HIDDEN), "suns hidden"),
    ],
    ids=[
        "seen sliding",
        "not seen in this frame",
        "nothing changed around it",
        "lost under way",
        "gone from where it lay",
    ],
)
def test_a_coin_is_drawn_plainly_only_in_a_frame_that_shows_it(
    at: FrameObservation, followed: TrackedCoin, words: str
) -> None:
    assert said(marks(at, followed)) == [words]


def test_a_coin_lost_under_way_is_drawn_where_it_was_last_seen() -> None:
    lost, there = (
        marks(observation(frame=40), coin(state, 6, 7)).labels[0].at_px
        for state in (State.HIDDEN, State.SLIDING)
    )
    assert lost == there != marks(observation(), coin(State.REST)).labels[0].at_px


def test_a_coin_off_the_table_is_not_drawn_but_its_way_is() -> None:
    gone = marks(observation(frame=9), coin(State.OFF_TABLE, 6, 7))
    assert said(gone) == []
    assert len(ways(gone)) == 1


def test_a_way_begins_where_the_coin_lay() -> None:
    x, y = LAY.at_mm
    assert ways(marks(observation(), coin(State.SLIDING, 6, 7))) == [
        in_pixels((x, y), (x + 10, y), (x + 20, y))
    ]
    assert ways(marks(observation(), coin(State.SLIDING, 6, 7, before=None))) == [
        in_pixels((x + 10, y), (x + 20, y))
    ]
    assert ways(marks(observation(), coin(State.REST))) == []


def test_what_happens_is_told_for_a_while() -> None:
    drawing, moving = OverlayDrawing(), coin(State.SLIDING, 6, 7)
    flicked = Flicked(coin="suns", t_s=0.9)
    others = (Contact(coin="?4", with_="suns", t_s=0.9), Contact(coin="suns", with_="?4", t_s=0.9))
    so_far = drawing.marks(
        builder(observation(t_s=1.0), moving, provisional=(flicked, *others))
    ).text
    assert so_far == ("frame 7  1.000 s  hand", "so far: suns is flicked")
    assert (
        drawing.marks(builder(observation(t_s=1.0 + SHOWN_S), moving, provisional=(flicked,))).text[
            1:
        ]
        == ()
    )
    fell = LeftTable(coin="suns", at_mm=(0.0, 0.0), margin_mm=84.98, sigma_mm=1.114, t_s=1.2)
    rest = AtRest(coins={}, t_s=1.3)
    recorded = drawing.marks(
        builder(observation(t_s=5.0), coin(State.OFF_TABLE)), (flicked, fell, rest)
    ).text[1:]
    assert recorded == (
        "recorded: suns is flicked",
        "recorded: suns leaves the table, margin 84.98 +/-1.11 mm",
    )
    assert (
        drawing.marks(builder(observation(t_s=4.9 + SHOWN_S), coin(State.OFF_TABLE))).text[1:]
        == recorded
    )
    assert (
        drawing.marks(builder(observation(t_s=5.0 + SHOWN_S), coin(State.OFF_TABLE))).text[1:] == ()
    )


def test_before_the_first_frame_only_the_course_is_drawn() -> None:
    first = marks(None)
    assert (first.text, first.labels) == ((), ())
    assert first.strokes


@pytest.mark.parametrize(
    ("incident", "words"),
    [
        (
            Flicked(coin="suns", touching=("arms", "2"), probability=0.6),
            "suns is flicked, touching arms, 2, probability 0.6",
        ),
        (Contact(coin="suns", with_="wicket-4-left"), "suns touches wicket 4 left"),
        (Unseen(pieces=("suns",), from_s=1.0, to_s=2.25), "suns not seen from 1.00 to 2.25 s"),
        (AtRest(coins={"suns": (0.0, 0.0)}), ""),
    ],
)
def test_incidents_in_words(incident: Incident, words: str) -> None:
    assert words_of(incident) == words


def test_a_displaced_tile_in_words() -> None:
    places = {
        "from_": TilePlace(centre_mm=(0.0, 0.0), rotation_deg=0.0),
        "to": TilePlace(centre_mm=(2.4, 0.0), rotation_deg=3.4),
    }
    tile = TileDisplaced(
        tile="wicket-4-left", moved_mm=2.43, turned_deg=3.43, by="coin", sigma_mm=0.424, **places
    )
    assert words_of(tile) == "wicket 4 left is displaced by a coin, 2.4 mm and 3.4 degrees"
