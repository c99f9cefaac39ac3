"""A coin that was hidden came elsewhere: a hand moved it, or it slid unseen."""

import math
from dataclasses import replace

import pytest

from referee.domain.episode import CoinTrack, Rest
from referee.domain.sighting import Sighting
from referee.tracking.trajectory.smooth import smooth_episode
from tests.tracking.slides import SLOWING, Coin, Shot

WAY_MM = 100.0
# 100 mm at 2000 mm/s2 take 0.316 s: half t^2 times the deceleration.
SLIDE_S = math.sqrt(2 * WAY_MM / SLOWING)
ALONE = 4.0  # a slide that is hidden all the time
ALONG = 8.0  # a hand that moves along with the coin: one more event


def dearer(
    hand_s: tuple[float, float] = (0.2, 0.9),
    after_s: tuple[tuple[float, float], ...] | None = None,
    seen: tuple[tuple[float, float], ...] = (),
    in_hand: bool = True,
    settled_s: float | None = None,
    gone: bool = False,
    way_mm: float = WAY_MM,
) -> float:
    """Return how much more a slide costs for a coin that lies `way_mm` farther along x, or is gone,
    and that was seen at the given instants and x.
    """
    shot = Shot((Coin("moons", (0.0, 0.0), hand_s=hand_s),)).episode()
    frames = {round(f.t_s, 4): f.number for f in shot.frames}
    sightings = tuple(
        Sighting("moons", frames[round(t_s, 4)], t_s, (x, 0.0), 0.5) for t_s, x in seen
    )
    hidden = frozenset(f.number for f in shot.frames if hand_s[0] <= f.t_s <= hand_s[1])
    track = CoinTrack(
        "moons",
        Rest((0.0, 0.0), 0.1),
        None if gone else Rest((way_mm, 0.0), 0.1),
        sightings,
        hidden - (frozenset() if in_hand else frozenset(s.frame for s in sightings)),
        hidden - frozenset(s.frame for s in sightings),
        settled_s=settled_s,
        hand_after_s=after_s,
        lay_until_s=hand_s[0],
    )
    (path,) = smooth_episode(replace(shot, tracks=(track,)))
    (held,) = path.held
    return held.slide_extra_cost


def at(k: int) -> float:
    return k / 60 + 0.003


def test_a_hand_that_covers_both_places_all_the_time_says_little():
    assert dearer(after_s=((0.2, 0.9),)) == pytest.approx(ALONE)
    assert dearer(after_s=None) == pytest.approx(ALONE)


def test_a_hand_seen_over_the_coin_and_then_over_its_new_place_took_it_there():
    assert dearer(after_s=((0.6, 0.9),)) == pytest.approx(ALONE + ALONG)


@pytest.mark.parametrize(("came_s", "taken"), [(0.44, False), (0.48, True)])
def test_a_hand_is_over_the_coin_for_a_quarter_of_a_second_before_it_takes_it_away(came_s, taken):
    expected = ALONE + (ALONG if taken else 0.0)
    assert dearer(after_s=((came_s, 0.9),)) == pytest.approx(expected)


def test_where_no_hand_came_a_slide_is_as_likely():
    assert dearer(after_s=()) == pytest.approx(0.0)
    assert dearer(after_s=((0.6, 0.65),)) == pytest.approx(0.0)


@pytest.mark.parametrize("before_s", [0.0, 0.1, 0.2])
def test_a_hand_needs_its_time(before_s):
    """It takes 0.35 s, give or take 0.1 s, and 0.05 s for 100 mm."""
    had_s = 0.4 - before_s
    cost = (before_s / 0.1) ** 2
    assert dearer(hand_s=(0.2, 0.9), settled_s=0.2 + had_s) == pytest.approx(ALONE - cost)


def test_a_coin_seen_on_its_way_for_longer_than_a_slide_lasts_was_moved_slowly():
    slow = tuple((at(k), 20.0 + 1.5 * (k - 14)) for k in range(14, 50, 4))
    assert slow[-1][0] - slow[0][0] > SLIDE_S
    assert dearer(after_s=((0.2, 0.9),), seen=slow) == pytest.approx(ALONE + ALONG)


def test_a_sighting_clear_of_any_hand_on_the_way_speaks_for_a_slide():
    """A sighting that a hand does not explain costs 11, as any stray one does."""
    once, both = ((at(30), 60.0),), ((0.2, 0.9),)
    assert dearer(after_s=both, seen=once) == pytest.approx(ALONE, abs=0.1)
    assert dearer(after_s=both, seen=once, in_hand=False) == pytest.approx(ALONE - 11.0, abs=0.1)


@pytest.mark.parametrize(
    ("hand_s", "taken"), [((0.3, 0.5), False), ((0.3, 0.6), True), ((0.3, 1.0), False)]
)
def test_a_coin_is_gone_with_a_hand_that_had_time_to_take_it_and_is_gone_too(hand_s, taken):
    """The episode ends at 1 s. A hand that is still there may lie on the coin."""
    expected = ALONE + (ALONG if taken else 0.0)
    assert dearer(hand_s, gone=True) == pytest.approx(expected)


@pytest.mark.parametrize("after_s", [None, ((0.2, 0.9),), ((0.6, 0.9),)])
def test_a_coin_that_lies_less_than_half_its_width_away_was_rather_flicked_than_taken(after_s):
    """Half a coin is 10 mm. What is over one place is over the other, so that a hand was seen over
    only one of them says nothing.
    """
    assert dearer(after_s=after_s, way_mm=9.0) == pytest.approx(-ALONE)
    assert dearer(after_s=after_s, way_mm=11.0) >= ALONE - 1e-9
