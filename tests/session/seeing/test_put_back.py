"""A coin that seems to have moved, although something else was followed, is put back."""

from __future__ import annotations

import pytest

from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation, Presence
from referee.domain.sighting import Sighting
from referee.session.seeing.hand_parts import put_back
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.coins.rim_fit import RimFit
from tests.vision.drawn import SIZES


@pytest.mark.parametrize(
    ("changed", "there_mm", "taken_mm", "bare", "back"),
    [
        (False, (0.4, 0.2), None, False, True),
        (True, (0.4, 0.2), None, False, False),  # the place looks different: another coin is there
        (False, None, None, False, False),  # bare table on bare table
        (False, (0.4, 0.2), (2.0, 0.0), False, False),  # a coin is known to lie there already
        (False, (0.4, 0.2), None, True, False),  # what looks like a coin of its colour is the table
        (True, (0.1, 0.0), None, True, True),  # no other coin comes to lie so exactly there
    ],
)
def test_a_coin_whose_place_has_not_changed_lies_there_and_another_one_was_seen(
    changed, there_mm, taken_mm, bare, back
):
    lay, seen_mm = Rest((0.0, 0.0), 0.3), (-20.0, -6.0)
    seen = [Sighting("suns", k, k / 60, seen_mm, 0.5) for k in (8, 9)]
    coin = TrackedCoin("suns", State.REST, Rest(seen_mm, 0.3), lay, seen, seen_bare=bare)
    fits = {at: RimFit(at, 0.3, 1.0) for at in (seen_mm, there_mm) if at is not None}
    rims = {lay.at_mm: fits.get(there_mm)}
    others = [] if taken_mm is None else [TrackedCoin("arms", State.REST, Rest(taken_mm, 0.3), lay)]
    last = FrameObservation(12, 0.2, changing=False, hand=False)
    found = put_back(
        [coin, *others],
        last,
        lambda _, at: fits.get(at),
        lambda at, _: rims[at],
        lambda at, *_: [at],
        lambda _: changed,
        SIZES,
    )
    assert found == ({"suns": fits[seen_mm]} if back else {})
    assert coin.rest == (lay if back else Rest(seen_mm, 0.3))
    assert coin.sightings == ([] if back else seen)


def test_a_third_coin_that_two_coins_were_taken_for_is_one_coin() -> None:
    """Both lie where they lay; between them lies a coin of a heap whose name was lost."""
    between = RimFit((20.0, -6.0), 0.3, 1.0)
    lay = {"suns": (0.0, 0.0), "arms": (40.0, 0.0)}
    seen = [Sighting("suns", k, k / 60, between.at_mm, 0.5) for k in (8, 9)]
    coins = [
        TrackedCoin(name, State.REST, Rest(between.at_mm, 0.3), Rest(at_mm, 0.3), list(seen))
        for name, at_mm in lay.items()
    ]
    found = put_back(
        coins,
        FrameObservation(12, 0.2, changing=False, hand=False),
        lambda *_: between,
        lambda at_mm, _: RimFit(at_mm, 0.3, 1.0),
        lambda at_mm, *_: [at_mm],
        lambda _: False,
        SIZES,
    )
    assert found == {"suns": between, "arms": None}
    assert {coin.coin: coin.rest and coin.rest.at_mm for coin in coins} == lay


@pytest.mark.parametrize(
    ("at_mm", "support", "changed", "slid", "pushed"),
    [
        ((2.0, -3.0), 0.96, False, False, True),
        ((2.0, -3.0), 0.96, True, False, False),  # print of the table, where the coin lay on it
        ((2.0, -3.0), 0.8, False, False, False),
        ((0.2, -0.3), 0.96, False, False, False),  # it would not have been seen bare there
        ((9.0, -7.0), 0.96, False, False, False),  # half a coin's width is 9.5 mm
        ((2.0, -3.0), 0.96, False, True, False),  # it was seen on its way
    ],
)
def test_a_coin_that_was_pushed_a_little_is_not_what_a_hand_uncovers_elsewhere(
    at_mm: tuple[float, float], support: float, changed: bool, slid: bool, pushed: bool
):
    """A neighbour that was flicked pushed it, so that its place looked bare. When the arm goes, a
    dot of the table appears 200 mm away, and is taken for it.
    """
    lay, seen_mm = Rest((0.0, 0.0), 0.3), (-200.0, 40.0)
    seen = [Sighting("suns", k, k / 60, seen_mm, 0.5) for k in (8, 9)]
    if slid:
        seen.insert(0, Sighting("suns", 7, 7 / 60, (-100.0, 20.0), 0.5))
    coin = TrackedCoin("suns", State.REST, Rest(seen_mm, 0.3), lay, seen, seen_bare=True)
    rim = RimFit(at_mm, 0.3, support)
    last = FrameObservation(12, 0.2, changing=False, hand=False)
    found = put_back(
        [coin], last, lambda *_: rim, lambda *_: None, lambda at, *_: [at], lambda _: changed, SIZES
    )
    assert found == {}
    assert coin.rest == (Rest(at_mm, 0.3) if pushed else Rest(seen_mm, 0.3))
    assert coin.sightings == ([] if pushed else seen)


@pytest.mark.parametrize(
    ("changed", "off_mm", "covered", "there"),
    [
        (False, 0.2, False, True),
        (True, 0.2, False, False),
        (False, 1.5, False, False),  # another coin may have come to lie there
        (False, 0.2, True, False),
    ],
)
def test_a_coin_that_seems_gone_from_where_nothing_has_changed_lies_there_if_its_rim_does(
    changed: bool, off_mm: float, covered: bool, there: bool
):
    lay = Rest((40.0, 10.0), 0.3)
    coin = TrackedCoin("suns", State.HIDDEN, lay, lay, seen_bare=True)
    rim = RimFit((40.0 + off_mm, 10.0), 0.3, 1.0)
    presence = {"suns": Presence.COVERED if covered else Presence.GONE}
    over = frozenset({"suns"} if covered else ())
    last = FrameObservation(12, 0.2, False, covered, (), presence, frozenset(), over)
    found = put_back(
        [coin], last, lambda *_: rim, lambda *_: None, lambda at, *_: [at], lambda _: changed, SIZES
    )
    assert found == ({"suns": rim} if there else {})
