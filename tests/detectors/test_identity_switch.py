"""Coins that look alike and were out of sight at the same time may have been taken for each other.
Tracks are written by hand: two coins 60 mm apart go the same way, 1000 mm/s at 60 frames a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.detectors.identity_switch import cheapest_switch_s, identity_switches, names_unknown
from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.geometry import Point
from referee.domain.incident import AtRest, Placed, Unseen
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from tests.tracking.slides import course_at, table_edge

STEP_MM = 1000 / 60


def track(coin: str, places: dict[int, Point]) -> CoinTrack:
    """Return a coin that was seen in these frames, and lay at the first and the last place."""
    seen = tuple(Sighting(coin, k, k / 60, at, 0.3) for k, at in sorted(places.items()))
    first, last = min(places), max(places)
    return CoinTrack(
        coin,
        Rest(places[first], 0.1),
        Rest(places[last], 0.1),
        seen,
        settled_s=last / 60,
        lay_until_s=first / 60,
    )


def straight(y_mm: float, frames: Sequence[int]) -> dict[int, Point]:
    return {k: (k * STEP_MM, y_mm) for k in frames}


def episode_of(*tracks: CoinTrack) -> Episode:
    frames = tuple(Frame(k, k / 60) for k in range(40))
    course = course_at()
    return Episode(frames, tracks, course, course, table_edge(), PieceSizes(coin_mm=20.0))


ALL = range(5, 25)
LOST = [k for k in ALL if not 10 < k < 16]  # six frames' way out of sight: 100 mm


def test_coins_that_are_seen_all_the_way_keep_their_names():
    near = (track("suns-1", straight(0.0, ALL)), track("suns-2", straight(21.0, ALL)))
    assert identity_switches(episode_of(*near)) == []


def test_coins_side_by_side_out_of_sight_may_have_been_exchanged():
    """The reach is 2 mm and a quarter of 100 mm: 27 mm. Each would be 21 mm aside: (21 / 27)^2 for
    each makes odds of exp(-0.6) = 0.55, which is a probability of 0.35.
    """
    near = (track("suns-1", straight(0.0, LOST)), track("suns-2", straight(21.0, LOST)))
    (switch,) = identity_switches(episode_of(*near))
    assert switch.coins == ("suns-1", "suns-2")
    assert switch.t_s == pytest.approx(10 / 60)
    assert switch.probability == pytest.approx(0.35, abs=0.01)


def test_coins_far_from_each_other_were_not_exchanged():
    apart = (track("suns-1", straight(0.0, LOST)), track("suns-2", straight(90.0, LOST)))
    assert identity_switches(episode_of(*apart)) == []


def test_coins_out_of_sight_one_after_the_other_were_not_exchanged():
    later = [k for k in ALL if not 18 < k < 23]
    apart = (track("suns-1", straight(0.0, LOST)), track("suns-2", straight(21.0, later)))
    assert identity_switches(episode_of(*apart)) == []


def test_a_coin_that_lies_where_it_lay_was_not_exchanged():
    pushed = CoinTrack(
        "suns-2", Rest((150.0, 15.0), 0.1), Rest((157.0, 15.0), 0.1), (), settled_s=0.5
    )
    assert identity_switches(episode_of(track("suns-1", straight(0.0, LOST)), pushed)) == []


def test_coins_that_went_round_in_a_circle_may_each_have_been_the_next_one():
    """Three coins lay at the corners of a triangle with sides of 120 mm, and were lost for six
    frames, 150 mm's way. Each came out 15 mm beyond its own corner, on the side's line from the
    next corner: it came from either. Of two alone, one would have come from the third corner,
    104 mm beside that line. The reach is 39.5 mm, so that has odds of exp(-7 / 2) = 0.03.
    """
    corners = [(0.0, 0.0), (120.0, 0.0), (60.0, 103.9)]

    def circling(number: int) -> CoinTrack:
        (x, y), (from_x, from_y) = corners[number], corners[(number + 1) % 3]
        along = ((x - from_x) / 120, (y - from_y) / 120)
        way_mm = {10: 15.0, 11: 40.0, 12: 65.0}
        seen = {k: (x + along[0] * way, y + along[1] * way) for k, way in way_mm.items()}
        return track(f"suns-{number + 1}", {4: corners[number], **seen})

    found = identity_switches(episode_of(*map(circling, range(3))))
    assert {s.coins for s in found} == {
        ("suns-1", "suns-2"),
        ("suns-1", "suns-3"),
        ("suns-2", "suns-3"),
    }
    assert all(s.probability == pytest.approx(0.5) for s in found)


def struck(coin: str, from_mm: Point, to_mm: Point, step: Point) -> CoinTrack:
    """Return a coin that lay until frame 10, and is seen elsewhere in frame 11 and from then on a
    step farther in each frame.
    """
    seen = {
        k: (to_mm[0] + step[0] * (k - 11), to_mm[1] + step[1] * (k - 11)) for k in range(11, 20)
    }
    return track(coin, {9: from_mm, 10: from_mm, **seen})


@pytest.mark.parametrize("exchanged", [True, False])
def test_coins_that_seem_to_turn_between_two_frames_may_be_each_other(exchanged: bool):
    """Two coins 40 mm apart are struck at once, and go the same way side by side, 30 mm a frame.
    Under each other's names each would have set off along a line 40 mm beside where it lay.
    """
    lay, came = [(0.0, 0.0), (0.0, 40.0)], [(20.0, 0.0), (20.0, 40.0)]
    names = ("suns-2", "suns-1") if exchanged else ("suns-1", "suns-2")
    tracks = [
        struck(name, lay[int(name[-1]) - 1], to_mm, (30.0, 0.0))
        for name, to_mm in zip(names, came, strict=True)
    ]
    found = identity_switches(episode_of(*tracks))
    assert [s.coins for s in found] == ([("suns-1", "suns-2")] if exchanged else [])


@pytest.mark.parametrize(("other", "told"), [("suns-2", 1), ("arms-2", 0)])
def test_of_coins_that_look_alike_both_names_are_unseen_behind_the_rest(other: str, told: int):
    """Which of two colours is which is told by the faces."""
    near = (track("suns-1", straight(0.0, LOST)), track(other, straight(21.0, LOST)))
    rest = AtRest(coins={}, t_s=0.6)
    unseen = names_unknown(episode_of(*near), [rest])
    assert [(u.pieces, u.t_s, u.to_s) for u in unseen] == [(("suns-1", "suns-2"), 0.6, 0.6)] * told
    assert all(u.from_s == pytest.approx(10 / 60, abs=1e-4) for u in unseen)


@pytest.mark.parametrize(
    ("other", "from_s", "told"), [("suns-2", 0.3, 1), ("suns-2", 0.45, 0), ("arms-1", 0.3, 0)]
)
def test_of_coins_that_look_alike_and_were_unseen_at_the_same_time_either_may_be_the_other(
    other: str, from_s: float, told: int
) -> None:
    """Neither was seen on its way, so how they moved tells nothing. suns-1 is unseen to 0.4 s."""
    apart = (track("suns-1", straight(0.0, ALL)), track(other, straight(300.0, ALL)))
    unseen = [
        Unseen(pieces=("suns-1",), from_s=0.2, to_s=0.4, t_s=0.2),
        Unseen(pieces=(other,), from_s=from_s, to_s=0.6, t_s=from_s),
    ]
    found = names_unknown(episode_of(*apart), [*unseen, AtRest(coins={}, t_s=0.6)])
    assert [(u.pieces, u.from_s, u.to_s) for u in found] == [
        (("suns-1", "suns-2"), 0.3, 0.6)
    ] * told


def test_a_coin_never_seen_that_left_nobody_knows_when_may_be_one_that_was_lost_then():
    """suns-1 is lost for six frames. Half-way along, suns-2 lay 21 mm aside, and a coin lies there
    on the very way now.
    """
    lost = track("suns-1", straight(0.0, LOST))
    lay, lies = Rest((13 * STEP_MM, 21.0), 0.1), Rest((13 * STEP_MM, 0.0), 0.1)
    unseen = CoinTrack("suns-2", lay, lies, settled_s=13 / 60)
    assert [s.coins for s in identity_switches(episode_of(lost, unseen))] == [("suns-1", "suns-2")]


@pytest.mark.parametrize("gone", [True, False])
def test_a_coin_that_is_put_back_may_be_any_alike_that_lies_nowhere(gone: bool) -> None:
    """suns-2 and suns-3 fell long ago, and a hand put one of them back. Where suns-3 is back, too,
    or lies in a pocket, it is no other one.
    """
    back = CoinTrack("suns-2", None, Rest((300.0, 0.0), 0.1))
    other = CoinTrack("suns-3", Rest((0.0, 0.0), 0.1), None if gone else Rest((0.0, 0.0), 0.1), ())
    placed = Placed(coin="suns-2", at_mm=(300.0, 0.0), t_s=0.5)
    coins = ("suns-2", "suns-3", "arms-1")
    found = names_unknown(episode_of(back, other), [placed, AtRest(coins={}, t_s=0.6)], coins)
    pairs = [(("suns-2", "suns-3"), 0.5, 0.6)] if gone else []
    assert [(u.pieces, u.from_s, u.to_s) for u in found] == pairs


@pytest.mark.parametrize(
    ("probability", "moved", "told"), [(0.5, ALL, 1), (None, ALL, 0), (0.5, (5,), 0)]
)
def test_a_coin_that_nobody_saw_before_may_be_one_that_moved(
    probability: float | None, moved: Sequence[int], told: int
) -> None:
    """suns-2 lies 300 mm away at the end, and nobody knows since when, unless a hand put it there.
    A coin that was not seen to move lies where it lay.
    """
    slid = track("suns-1", straight(0.0, ALL))
    slid = replace(slid, sightings=slid.sightings if len(moved) > 1 else ())
    new = CoinTrack("suns-2", None, Rest((300.0, 0.0), 0.1))
    placed = Placed(coin="suns-2", at_mm=(300.0, 0.0), t_s=0.5, probability=probability)
    found = names_unknown(episode_of(slid, new), [placed, AtRest(coins={}, t_s=0.6)])
    assert [u.pieces for u in found] == [("suns-1", "suns-2")] * told


def test_a_coin_that_went_faster_than_any_flick_was_another_one_before():
    """suns-1 is seen 200 mm on, a frame after it lay; suns-2 slid from near there and was lost for
    six frames. The fastest flick goes 83 mm in a frame.
    """
    lay = {k: (0.0, 40.0) for k in (5, 6, 12)}
    jumped = track("suns-1", lay | {k: (200.0 + (k - 13) * STEP_MM, 0.0) for k in range(13, 25)})
    lost = track("suns-2", straight(0.0, LOST))
    assert [s.coins for s in identity_switches(episode_of(jumped, lost))] == [("suns-1", "suns-2")]


def test_names_went_wrong_where_the_jump_is_the_least():
    """The tracks take over each other's way from frame 13 on, where the coins touch: each jumps
    21 mm. At any other frame the two are farther apart.
    """
    one = {k: (k * STEP_MM, 3.0 * abs(k - 13)) for k in ALL}
    other = {k: (k * STEP_MM, -21.0 - 3.0 * abs(k - 13)) for k in ALL}
    crossed = [
        track("suns-1", {k: (one if k < 13 else other)[k] for k in ALL}),
        track("arms-1", {k: (other if k < 13 else one)[k] for k in ALL}),
    ]
    since_s = cheapest_switch_s(episode_of(*crossed), [crossed, crossed[::-1]])
    assert since_s == pytest.approx(12 / 60)


def test_coins_that_were_never_near_each_other_did_not_take_each_others_names():
    far = (track("suns-1", straight(0.0, ALL)), track("arms-1", straight(300.0, ALL)))
    assert cheapest_switch_s(episode_of(*far), [far, far[::-1]]) is None
