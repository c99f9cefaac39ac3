"""What the first frames of a table show of its coins, with and without a hand in some of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.domain.geometry import Point, distance
from referee.session.seeing import opening as opening_module
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.opening import EVERY_FRAMES, PICTURES, Opened, Opening
from referee.vision.alignment.motion import FramePicture
from referee.vision.coins.coin_search import lay_floor
from referee.vision.coins.rim_fit import RimFit
from referee.vision.sources.frame import VideoFrame
from tests.vision.drawn import (
    COIN,
    HEIGHT,
    SIZES,
    WIDTH,
    WOOD,
    Scenery,
    course,
    grey,
    looking,
    table,
)

VIEW = looking(20.0)
SUNS, MOONS, ARMS = (-60.0, 10.0), (40.0, -20.0), (70.0, 40.0)
STILL = Scenery(VIEW, tuple((at, COIN) for at in (SUNS, MOONS, ARMS)), noise=1.5)
OVER_SUNS = ((-110.0, -90.0, -35.0, 40.0), 130.0)
OVER_RIM = ((-110.0, -90.0, -64.0, 40.0), 130.0)  # nearly half of suns
LAST = EVERY_FRAMES * (PICTURES - 1)  # the frame of the last look
NO_COLOUR = np.full((HEIGHT // 2, WIDTH // 2), 128, np.uint8)


def frame(number: int, scenery: Scenery) -> VideoFrame:
    luma = grey(scenery.but(seed=number + 1).values())
    return VideoFrame(
        number,
        number / 60,
        luma,
        (),
        lambda: np.asarray(cv2.cvtColor(luma, cv2.COLOR_GRAY2BGR)),
        lambda: (NO_COLOUR, NO_COLOUR),
    )


def opened(
    hand_frames: range,
    hand: tuple[tuple[float, float, float, float], float] = OVER_SUNS,
    still: Scenery = STILL,
) -> Opened:
    surveyed = table(VIEW)
    opening = Opening(surveyed, lay_floor(VIEW, SIZES, surveyed.edge_mm, course()))
    for number in range(LAST + 1):
        seen = frame(number, still.but(blots=(hand,)) if number in hand_frames else still)
        found = opening.add_frame(seen, FramePicture(seen))
        assert (found is not None) == (number == LAST)
    assert found is not None
    return found


def coin_at(found: Opened, at_mm: Point) -> list[tuple[int, ...]]:
    return [coin.seen_in for coin in found.coins if distance(coin.rest.at_mm, at_mm) < 0.7]


def test_coins_that_nobody_comes_near_are_seen_in_every_look() -> None:
    found = opened(range(0))
    assert len(found.coins) == 3
    for at in (SUNS, MOONS, ARMS):
        assert coin_at(found, at) == [tuple(range(PICTURES))]


@pytest.mark.parametrize(
    ("off_mm", "coins"),
    [
        ((1.4, 0.0, 0.3, -0.3, None), 1),  # hard to see, but still
        ((0.0, 2.0, 4.0, 6.0, 8.0), 0),  # on its way
        ((None, None, None, 0.0, 0.2), 1),  # put down in the last frames
    ],
)
def test_a_coin_lies_still_whose_places_in_the_frames_agree(
    off_mm: tuple[float | None, ...], coins: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(off_mm)

    def measured(*_: object) -> RimFit | None:
        off = next(looks)
        return None if off is None else RimFit((SUNS[0] + off, SUNS[1]), 0.3, 0.6)

    monkeypatch.setattr(opening_module, "measure_coin", measured)
    monkeypatch.setattr(opening_module, "take_inventory", lambda *_: ())
    surveyed = table(VIEW)
    opening = Opening(
        surveyed,
        lay_floor(VIEW, SIZES, surveyed.edge_mm, course()),
        _inventory=[RimFit(SUNS, 0.3, 0.6)],
    )
    for number in range(LAST + 1):
        seen = frame(number, Scenery(VIEW))
        found = opening.add_frame(seen, FramePicture(seen))
    assert found is not None and len(found.coins) == coins


def test_a_coin_whose_rim_is_seen_now_here_now_there_lies_still_and_is_less_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over a cheque's edge: 1.1 mm to either side of the middle look, of an error of 0.5 mm."""
    looks = iter((1.1, 0.9, 0.0, -1.0, -0.9))
    monkeypatch.setattr(
        opening_module,
        "measure_coin",
        lambda *_: RimFit((SUNS[0], SUNS[1] + next(looks)), 0.5, 0.6),
    )
    monkeypatch.setattr(opening_module, "take_inventory", lambda *_: ())
    surveyed = table(VIEW)
    opening = Opening(
        surveyed,
        lay_floor(VIEW, SIZES, surveyed.edge_mm, course()),
        _inventory=[RimFit(SUNS, 0.5, 0.6)],
    )
    for number in range(LAST + 1):
        seen = frame(number, Scenery(VIEW))
        found = opening.add_frame(seen, FramePicture(seen))
    assert found is not None and len(found.coins) == 1
    # the looks scatter by sqrt((1.21 + 0.81 + 0 + 1 + 0.81) / 5) = 0.875 along one of two axes
    assert found.coins[0].rest.sigma_mm == pytest.approx(np.hypot(0.5, 0.875 / 2**0.5), abs=0.01)


@pytest.mark.parametrize(
    ("hand_frames", "seen_in"),
    [
        (range(4, 5), (0, 1, 3, 4)),
        (range(3), (2, 3, 4)),
        (range(LAST - 1), (4,)),
        (range(LAST - 3), (3, 4)),
        (range(5, 99), (0, 1, 2)),
        (range(LAST, 99), (0, 1, 2, 3)),
    ],
    ids=[
        "passes over it",
        "is there at first",
        "goes with the last look",
        "goes with the last but one",
        "stays from the fourth look",
        "comes at last",
    ],
)
def test_a_coin_that_a_hand_hides_in_some_looks_is_known_by_the_others(
    hand_frames: range, seen_in: tuple[int, ...]
) -> None:
    found = opened(hand_frames)
    assert coin_at(found, MOONS) == coin_at(found, ARMS) == [tuple(range(PICTURES))]
    assert coin_at(found, SUNS) == ([] if len(seen_in) == 1 else [seen_in])
    assert len(found.coins) == (2 if len(seen_in) == 1 else 3)


def test_what_passes_is_no_coin() -> None:
    surveyed = table(VIEW)
    opening = Opening(surveyed, lay_floor(VIEW, SIZES, surveyed.edge_mm, course()))
    for number in range(LAST + 1):
        rolling = STILL.but(
            discs=((MOONS, COIN), (ARMS, COIN), ((-90.0 + 4.0 * number, -30.0), COIN))
        )
        seen = frame(number, rolling)
        found = opening.add_frame(seen, FramePicture(seen))
    assert found is not None
    assert len(found.coins) == 2 and coin_at(found, MOONS) and coin_at(found, ARMS)


def test_the_still_scene_shows_the_table_behind_a_hand_that_passes() -> None:
    bare = STILL.but(discs=((MOONS, COIN),))
    x, y = (
        round(float(px)) for px in VIEW.to_image(np.array([[*SUNS, SIZES.coin_thickness_mm]]))[0]
    )
    passing, staying = (
        opened(frames, still=bare).background.luma[y - 3 : y + 4, x - 3 : x + 4].mean()
        for frames in (range(3, 7), range(3, 99))
    )
    assert passing == pytest.approx(WOOD, abs=3.0)
    assert staying == pytest.approx(OVER_SUNS[1], abs=3.0)


def test_faces_are_learnt_from_the_looks_in_which_no_finger_lies_over_the_rim() -> None:
    (suns,) = (
        coin
        for coin in opened(range(5, 99), OVER_RIM).coins
        if distance(coin.rest.at_mm, SUNS) < 1.5
    )
    assert suns.clear_in == (0, 1, 2)


def test_a_coin_hidden_as_play_opens_lies_there_and_nothing_happened_when_the_hand_leaves() -> None:
    builder = EpisodeBuilder(table(VIEW), 0.0)
    episodes = [
        builder.take(frame(n, STILL.but(blots=(OVER_SUNS,)) if 5 <= n < 30 else STILL))
        for n in range(70)
    ]
    assert builder.ready and len(builder.opening) == 3
    assert any(distance(rest.at_mm, SUNS) < 0.7 for rest in builder.opening.values())
    for track in (track for episode in episodes if episode is not None for track in episode.tracks):
        assert track.before is not None and track.after is not None and not track.sightings
        assert distance(track.before.at_mm, track.after.at_mm) < 0.3
    assert len(builder.resting()) == 3 and not (
        builder.observation and builder.observation.presence
    )


def test_a_coin_that_a_hand_hid_from_the_first_frame_on_is_found_when_it_has_gone() -> None:
    builder = EpisodeBuilder(table(VIEW), 0.0)
    for n in range(160):
        reach = 40.0 - 2.0 * max(0, n - 30)  # the hand withdraws over the near edge
        builder.take(
            frame(
                n,
                (
                    STILL.but(blots=(((-110.0, -90.0, -35.0, reach), 130.0),))
                    if reach > -90.0
                    else STILL
                ),
            )
        )
    assert len(builder.opening) == 2
    assert any(distance(rest.at_mm, SUNS) < 0.7 for rest in builder.resting().values())


def test_a_coin_that_rests_beside_a_finger_lies_there_as_soon_as_the_finger_leaves() -> None:
    """It slides 60 mm in 20 frames, to 3 mm from a finger. The finger moves away to the right from
    frame 90 on, 2 mm a frame.
    """
    builder, stops = EpisodeBuilder(table(VIEW), 0.0), (SUNS[0] + 60.0, SUNS[1])
    for n in range(100):
        x = SUNS[0] + 3.0 * min(max(n - 40, 0), 20)
        left = stops[0] + 13.0 + 2.0 * max(0, n - 90)
        finger = ((left, -90.0, left + 15.0, 25.0), 130.0)
        builder.take(
            frame(
                n,
                STILL.but(
                    discs=(((x, SUNS[1]), COIN), (ARMS, COIN)), blots=(finger,) if n >= 20 else ()
                ),
            )
        )
    assert (
        any(distance(rest.at_mm, stops) < 0.7 for rest in builder.resting().values())
        and len(builder.resting()) == 2
    )
    assert (
        builder.observation is not None
        and builder.observation.changing
        and builder.observation.hand
        and not builder.observation.presence
    )
