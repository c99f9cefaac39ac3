"""Since when a coin lies at its place, and when a hand was over that place."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from referee.domain.episode import CoinTrack, Frame, Rest
from referee.domain.frame_observation import FrameObservation
from referee.domain.sighting import Sighting
from referee.session.seeing.reacquisition import dated


@pytest.mark.parametrize("changed", [True, False])
def test_when_a_coin_came_is_known_only_where_its_place_has_changed(changed: bool):
    history: Any = SimpleNamespace(
        mostly_changed_at=lambda at_mm: changed,
        settled_since=lambda at_mm: 0.4,
        hand_over=lambda at_mm, from_s: ((0.1, 0.3),),
    )
    tracker: Any = SimpleNamespace(
        frames=[Frame(0, 0.0)],
        tracks=lambda: (CoinTrack("suns", Rest((0.0, 0.0), 0.1), Rest((90.0, 0.0), 0.1)),),
    )
    analysis: Any = SimpleNamespace(history=history)
    (track,) = dated(tracker, analysis, FrameObservation(9, 0.5, False, False), still=True)
    assert (track.settled_s, track.hand_let_go) == ((0.4, True) if changed else (None, None))
    assert track.came_unnoticed != changed


def test_since_when_a_coin_lies_is_known_although_the_next_hand_covers_it_at_the_end() -> None:
    """A hand put it down until 0.5 s, it was seen until 0.9 s, and the next hand comes at 1 s."""
    asked: list[float] = []
    seen: Any = SimpleNamespace(
        mostly_changed_at=lambda at_mm: True,
        settled_since=lambda at_mm: 0.4,
        hand_over=lambda at_mm, from_s: ((0.1, 0.5),),
    )
    history: Any = SimpleNamespace(until=lambda t_s: asked.append(t_s) or seen)
    sightings = tuple(
        Sighting("suns", frame, frame / 10, (90.0 if frame < 10 else 97.0, 0.0), 0.2)
        for frame in range(6, 12)
    )
    track = CoinTrack(
        "suns",
        Rest((0.0, 0.0), 0.1),
        Rest((90.0, 0.0), 0.1),
        sightings,
        hand_frames=frozenset({10, 11}),
    )
    tracker: Any = SimpleNamespace(frames=[Frame(0, 0.0)], tracks=lambda: (track,))
    over = FrameObservation(11, 1.1, False, True, covered=frozenset({"suns"}))
    (dated_track,) = dated(tracker, SimpleNamespace(history=history), over, still=False)
    assert asked == [0.9]
    assert (dated_track.settled_s, dated_track.hand_let_go) == (0.4, True)
    hidden = replace(track, sightings=sightings[4:])
    tracker = SimpleNamespace(frames=[Frame(0, 0.0)], tracks=lambda: (hidden,))
    assert dated(tracker, SimpleNamespace(history=history), over, still=False) == (hidden,)


@pytest.mark.parametrize("lay_until_s", [0.1, None])
def test_parts_of_a_coin_tell_when_it_moved_if_it_was_seen_as_a_whole(lay_until_s: float | None):
    asked: list[Any] = []
    history: Any = SimpleNamespace(
        mostly_changed_at=lambda at_mm: True,
        settled_since=lambda at_mm: 0.2,
        moved_within=lambda *given: asked.append(given) or (0.3, 0.45),
        hand_over=lambda at_mm, from_s: ((0.1, 0.6),),
    )
    lay, lies = Rest((0.0, 0.0), 0.1), Rest((30.0, 0.0), 0.1)
    coin = CoinTrack("suns", lay, lies, lay_until_s=lay_until_s)
    tracker: Any = SimpleNamespace(frames=[Frame(0, 0.0)], tracks=lambda: (coin,))
    analysis: Any = SimpleNamespace(history=history)
    (track,) = dated(tracker, analysis, FrameObservation(9, 0.7, False, False), still=True)
    assert track.moved_within_s == (None if lay_until_s is None else (0.3, 0.45))
    assert asked == ([] if lay_until_s is None else [((0.0, 0.0), 0.1, (30.0, 0.0))])
    assert (track.lay_until_s, track.settled_s) == (lay_until_s, 0.2)
