"""A coin that slides while the source ends, freezes or loses pictures.

The coin slides 60 mm to the right in the frames 40 to 60, by 3 mm from frame to frame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from referee.domain.episode import CoinTrack, Episode, Rest
from referee.domain.frame_observation import FrameObservation, Presence
from referee.domain.geometry import Point, distance
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.source_end import cut_off
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.sources.frame import VideoFrame
from tests.session.seeing.test_opening import ARMS, MOONS, STILL, SUNS, VIEW, frame
from tests.vision.drawn import COIN, table

STOPS = (SUNS[0] + 60.0, SUNS[1] + 30.0)


def filmed(number: int) -> VideoFrame:
    share = min(max(number - 40, 0), 20) / 20
    at = (SUNS[0] + 60.0 * share, SUNS[1] + 30.0 * share)
    return frame(number, STILL.but(discs=((at, COIN), (MOONS, COIN), (ARMS, COIN))))


def played(frames: Iterable[VideoFrame]) -> tuple[EpisodeBuilder, list[Episode]]:
    builder = EpisodeBuilder(table(VIEW), 0.0)
    return builder, [e for f in frames if (e := builder.take(f)) is not None]


def track_from(episode: Episode, at: Point) -> CoinTrack:
    (track,) = (t for t in episode.tracks if t.before and distance(t.before.at_mm, at) < 1.5)
    return track


def test_a_coin_that_slides_in_the_last_picture_lies_nowhere() -> None:
    builder, episodes = played(filmed(n) for n in range(51))
    ended = builder.finish()
    assert not episodes and ended is not None
    suns = track_from(ended, SUNS)
    assert suns.after is None and suns.cut_off_s == 50 / 60 and len(suns.sightings) > 5
    moons = track_from(ended, MOONS)
    assert moons.after == moons.before and moons.cut_off_s is None


def test_a_coin_does_not_come_to_rest_in_pictures_that_only_repeat_one() -> None:
    frozen = [replace(filmed(50), number=n, t_s=n / 60) for n in range(50, 90)]
    builder, episodes = played([*(filmed(n) for n in range(50)), *frozen])
    assert not episodes and not any(
        distance(rest.at_mm, SUNS) < 60.0 and distance(rest.at_mm, MOONS) > 5.0
        for rest in builder.resting().values()
    )
    goes_on = [e for n in range(90, 120) if (e := builder.take(filmed(n))) is not None]
    suns = track_from(goes_on[0], SUNS)
    assert suns.after is not None and distance(suns.after.at_mm, STOPS) < 0.7
    gaps = [b.t_s - a.t_s for a, b in zip(goes_on[0].frames, goes_on[0].frames[1:], strict=False)]
    assert max(gaps) > 39 / 60


def test_where_the_last_pictures_are_damaged_nobody_knows_where_any_coin_lies() -> None:
    damaged = [replace(filmed(n), sound=False) for n in range(30, 90)]
    builder, episodes = played([*(filmed(n) for n in range(30)), *damaged])
    ended = builder.finish()
    assert not episodes and ended is not None
    assert [t.cut_off_s for t in ended.tracks] == [89 / 60] * 3


@pytest.mark.parametrize(
    ("presence", "lost"),
    [(Presence.COVERED, None), (Presence.GONE, {"moons"})],
    ids=["a hand lies over it", "its place is bare"],
)
def test_a_hand_over_a_coin_tells_nothing_unless_the_coin_is_gone(presence, lost):
    lay = Rest((0.0, 0.0), 0.2)
    coin = TrackedCoin("moons", State.HIDDEN, lay, lay)
    last = FrameObservation(
        9, 0.3, True, True, (), {"moons": presence}, frozenset(), frozenset({"moons"})
    )
    assert cut_off([coin], last, 0, changed=True) == lost
