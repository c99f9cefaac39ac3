"""What happens with coins that are found at rest when nothing moves any more."""

import pytest

from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.session.seeing import measured_course, reacquisition
from referee.session.seeing.hand_parts import hand_over, see_bare, stayed
from referee.session.seeing.measured_course import measure_tiles
from referee.session.seeing.reacquisition import (
    NewCoins,
    match_missing,
    measure_moved_coins,
    settle,
)
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.coins.coin_search import lay_floor
from referee.vision.coins.rim_fit import RimFit
from tests.session.seeing.test_opening import frame
from tests.vision.drawn import SIZES, table
from tests.vision.watched import STILL, Watched

FLOOR = lay_floor(STILL.view, SIZES, table(STILL.view).edge_mm, table(STILL.view).course)


@pytest.mark.parametrize(("found_mm", "sightings"), [((0.3, -0.2), 0), ((1.4, 0.0), 2)])
def test_a_coin_found_where_it_lay_was_never_away(found_mm, sightings):
    seen = [Sighting("suns", k, k / 60, (30.0 + k, 5.0), 0.5) for k in (8, 9)]
    coin = TrackedCoin("suns", State.HIDDEN, Rest((0.0, 0.0), 0.3), Rest((0.0, 0.0), 0.3), seen)
    settle(coin, Rest(found_mm, 0.3))
    assert coin.state is State.REST and len(coin.sightings) == sightings
    assert coin.rest == (coin.before if not sightings else Rest(found_mm, 0.3))


@pytest.mark.parametrize(
    ("found_mm", "changed", "under_hand", "lies_mm"),
    [
        # touched lightly: it lies elsewhere, and nobody saw it move
        ((2.2, -1.1), True, False, (2.2, -1.1)),
        ((0.6, 0.4), True, False, (0.0, 0.0)),  # no farther away than shadows shift a place
        ((2.2, -1.1), False, False, (0.0, 0.0)),  # nothing changed there: not even measured
        ((2.2, -1.1), True, True, (0.0, 0.0)),  # a hand was present, which is a different case
        (None, True, False, (0.0, 0.0)),
    ],
)
def test_a_coin_that_was_not_seen_moving_is_measured_where_its_place_looks_changed(
    found_mm, changed, under_hand, lies_mm
):
    coin = TrackedCoin("suns", State.REST, Rest((0.0, 0.0), 0.3), Rest((0.0, 0.0), 0.3), [])
    coin.hand_frames |= {7} if under_hand else set()
    fit = None if found_mm is None else RimFit(found_mm, 0.3, 1.0)
    assert (
        measure_moved_coins([coin], [], frozenset(), lambda *_: fit, lambda _: changed, 20.0) == []
    )
    assert coin.rest is not None and coin.rest.at_mm == lies_mm


@pytest.mark.parametrize(
    ("found_mm", "slid", "covered", "lies_mm"),
    [
        ((0.3, 2.0), True, False, (0.3, 2.0)),  # it was flicked into the coin beside it
        ((0.3, 0.6), True, False, (0.0, 0.0)),
        ((0.3, 2.0), False, False, (0.0, 0.0)),  # nothing slid: a hand passed over it
        ((0.3, 2.0), True, True, (0.0, 0.0)),
        (None, True, False, (0.0, 0.0)),
    ],
)
def test_a_coin_that_a_hand_hid_while_another_slid_is_measured_again(
    found_mm, slid, covered, lies_mm
):
    lay = Rest((0.0, 0.0), 0.3)
    coin = TrackedCoin("striker", State.REST, lay, lay, [], {7, 8}, {7, 8})
    coin.lay_until_s, coin.hidden_from_s = 0.3, 0.1
    seen = [Sighting("suns", 8, 8 / 60, (30.0, 5.0), 0.5)] * slid
    beside = TrackedCoin("suns", State.REST, Rest((30.0, 5.0), 0.3), lay, seen)
    fits = {"striker": found_mm, "suns": (30.0, 5.0)}

    def fit(name, _):
        return None if fits[name] is None else RimFit(fits[name], 0.3, 1.0)

    over = frozenset({"striker"}) if covered else frozenset()
    assert measure_moved_coins([coin, beside], [], over, fit, lambda _: False, 20.0) == []
    assert coin.rest is not None and coin.rest.at_mm == lies_mm
    assert coin.lay_until_s == (0.1 if lies_mm != (0.0, 0.0) else 0.3)


def test_a_coin_seen_moving_that_is_not_where_it_was_last_seen_is_missing():
    seen = [Sighting("suns", 9, 9 / 60, (30.0, 5.0), 0.5)]
    coin = TrackedCoin("suns", State.REST, Rest((0.0, 0.0), 0.3), Rest((30.0, 5.0), 0.3), seen)
    assert measure_moved_coins([coin], [], frozenset(), lambda *_: None, lambda _: False, 20.0) == [
        coin
    ]
    assert (
        measure_moved_coins([coin], [], frozenset({"suns"}), lambda *_: None, lambda _: False, 20.0)
        == []
    )


def test_a_coin_is_not_where_another_one_lies_that_never_moved() -> None:
    """Its disc was lost in a break, and the one beside its way was taken for it."""
    lay, went = Rest((0.0, 0.0), 0.3), Rest((0.2, 0.3), 0.3)
    seen = [
        Sighting("suns", n, n / 60, at, 0.5) for n, at in ((9, (3.0, -14.0)), (12, (0.1, -1.9)))
    ]
    moved = TrackedCoin("suns", State.REST, went, Rest((0.0, -22.0), 0.3), list(seen))
    beside = TrackedCoin("moons", State.REST, lay, lay, [])
    rim = RimFit((0.2, 0.3), 0.3, 1.0)
    found = measure_moved_coins(
        [moved, beside], [beside], frozenset(), lambda *_: rim, lambda _: False, 20.0
    )
    assert found == [moved] and moved.lies is None and moved.sightings == seen[:1]
    assert beside.lies == lay


def test_one_rim_is_one_coin():
    """Two coins were last seen 2 mm from each other, and one rim is found there."""
    seen = [
        TrackedCoin(name, State.REST, Rest((x_mm, 0.0), 0.3), None, [sighted])
        for name, x_mm in (("suns", 30.0), ("moons", 32.0))
        for sighted in [Sighting(name, 9, 9 / 60, (x_mm, 0.0), 0.5)]
    ]
    rim = RimFit((30.2, 0.1), 0.3, 1.0)
    assert (
        measure_moved_coins(seen, [], frozenset(), lambda *_: rim, lambda _: False, 20.0)
        == seen[1:]
    )
    assert [coin.lies for coin in seen] == [Rest((30.2, 0.1), 0.3), None]


def test_coins_of_a_heap_that_were_pushed_a_little_are_the_nearest_ones():
    """Three coins that touch in a row are pushed 6 mm along it: each is 14 mm from the next one's
    old place, and two of them lie within a coin's width of the middle one's.
    """
    hidden = [
        TrackedCoin(name, State.HIDDEN, Rest(at, 0.3), Rest(at, 0.3))
        for name, at in (("suns-1", (0.0, 0.0)), ("suns-2", (20.0, 0.0)), ("suns-3", (40.0, 0.0)))
    ]
    fits = [RimFit((x, 0.0), 0.3, 1.0) for x in (46.0, 6.0, 26.0)]
    pairs = match_missing(hidden, fits, PieceSizes(coin_mm=20.0))
    assert [(coin.coin, fit.at_mm[0]) for coin, fit in pairs] == [
        ("suns-1", 6.0),
        ("suns-2", 26.0),
        ("suns-3", 46.0),
    ]


@pytest.mark.parametrize(
    ("hand", "changed", "lost"), [(False, True, False), (True, True, True), (False, False, True)]
)
def test_a_coin_that_left_the_table_is_gone_once_the_bare_table_is_seen(hand, changed, lost):
    """The hand that flicked it hid where it lay. Otherwise it may lie there still."""
    coin = TrackedCoin("striker", State.OFF_TABLE, None, Rest((0.0, 0.0), 0.3))
    see_bare([coin], FrameObservation(90, 1.5, False, hand), lambda _: changed)
    coin.begin_episode()
    assert coin.lost == lost


@pytest.mark.parametrize("seen_bare", [False, True])
def test_what_lies_exactly_where_a_coin_lay_under_a_hand_is_that_coin(seen_bare: bool):
    """It seemed to leave the table, and an episode later a rim is found where it lay. Another coin
    is lost, too. If nobody saw the bare table there, it is the coin itself, which never moved.
    """
    lay = Rest((0.0, 0.0), 0.3)
    coin = TrackedCoin("suns", State.OFF_TABLE, None, lay, seen_bare=seen_bare)
    coin.begin_episode()
    other = TrackedCoin("arms", State.HIDDEN, Rest((90.0, 0.0), 0.3), Rest((90.0, 0.0), 0.3))
    here, there = RimFit((0.3, 0.2), 0.3, 1.0), RimFit((140.0, 30.0), 0.3, 1.0)
    pairs = match_missing([other, coin], [there, here], SIZES)
    assert pairs == ([] if seen_bare else [(coin, here), (other, there)])
    for found, fit in pairs:
        settle(found, Rest(fit.at_mm, 0.3))
    assert (coin.before, coin.lies) == ((None, None) if seen_bare else (lay, lay))


@pytest.mark.parametrize("lost_too", [False, True])
def test_a_coin_seen_to_leave_the_table_that_lies_where_it_lay_never_left(lost_too: bool):
    """It was pushed 2 mm. A hand that withdrew, or another coin, was followed over the edge. While
    another coin is lost, that one may be what lies there.
    """
    seen = [Sighting("suns", k, k / 60, (300.0 + k, 5.0), 0.5) for k in (8, 9)]
    lay, elsewhere = Rest((0.0, 0.0), 0.3), Rest((90.0, 0.0), 0.3)
    coin = TrackedCoin("suns", State.OFF_TABLE, None, lay, seen)
    others = [TrackedCoin(n, State.HIDDEN, elsewhere, elsewhere) for n in ("arms", "ace")]
    fits = [RimFit((2.0, 0.0), 0.3, 1.0)]
    pairs = match_missing([coin, *(others if lost_too else [])], fits, SIZES)
    assert pairs == ([] if lost_too else [(coin, fits[0])])
    for found, fit in pairs:
        settle(found, Rest(fit.at_mm, 0.3))
        assert found.lies == Rest((2.0, 0.0), 0.3) and not found.sightings


@pytest.mark.parametrize(("found_mm", "is_back"), [((2.0, 1.0), True), ((16.0, 0.0), False)])
def test_a_coin_that_lies_where_it_lay_was_not_the_one_that_was_followed(found_mm, is_back):
    """No lost coin can be what was found there. What was followed gets a number of its own."""
    tracker, lay, far = Tracker((), SIZES), Rest((0.0, 0.0), 0.3), Rest((90.0, 40.0), 0.3)
    seen = [Sighting("moons", k, k / 60, (30.0 * k - 180.0, 40.0), 0.5) for k in (8, 9)]
    coin = TrackedCoin("moons", State.REST, far, lay, seen)
    tracker.coins = {"moons": coin}
    pairs = stayed([coin], [RimFit(found_mm, 0.3, 1.0)], SIZES)
    assert [c for c, _ in pairs] == ([coin] if is_back else [])
    for _, fit in pairs:
        hand_over(tracker, coin, "?9", Rest(fit.at_mm, 0.3))
        followed = tracker.coins["?9"]
        assert (coin.lies, coin.sightings) == (Rest(found_mm, 0.3), [])
        assert (followed.before, followed.lies) == (None, far)
        assert [(s.coin, s.frame) for s in followed.sightings] == [("?9", 8), ("?9", 9)]


@pytest.mark.parametrize("lies_there", [True, False])
def test_a_tile_that_lay_under_a_hand_is_first_measured_where_it_lay(lies_there, monkeypatch):
    """The hand lay over it when the match opened, so its picture from then is partly the hand's."""
    hand = ((-20.0, -90.0, 20.0, 40.0), 140.0)
    watched = Watched(STILL.but(blots=(hand,)), tiles=(("wicket-1-left", (0.0, 10.0)),))
    for seed in range(12):  # until it is clear that the hand has left
        watched.see(STILL.but(seed=300 + seed))
    analysis, course, searched = watched.analysis, watched.analysis.course, []
    tile = course.tiles["wicket-1-left"]
    answer = (tile, 0.1) if lies_there else None
    monkeypatch.setattr(measured_course, "measure_tile", lambda *_, found: answer)
    for name in ("search_tile", "search_far"):
        monkeypatch.setattr(measured_course, name, lambda *_, hands_about: searched.append(tile))
    after, lost = measure_tiles(
        STILL.picture(), analysis, course, STILL.view, SIZES, set(), set(), {}, still=True
    )
    assert after == course
    assert (searched, lost) == (([], set()) if lies_there else ([tile, tile], {"wicket-1-left"}))


def test_new_coins_are_searched_for_once_in_a_frame_while_the_same_ones_are_missing(monkeypatch):
    searched = []
    monkeypatch.setattr(
        reacquisition, "find_new_coins", lambda *asked: searched.append(asked) or []
    )
    coin = TrackedCoin("suns", State.HIDDEN, None, Rest((0.0, 0.0), 0.3), [])
    first, second = frame(7, STILL), frame(8, STILL)
    watched, new_coins = Watched(), NewCoins()

    def find(seen_in, known, missing, coins_in_match):
        found = new_coins.of(seen_in, STILL.picture(), watched.analysis, FLOOR, Tracker((), SIZES))
        return found(known, missing, coins_in_match)

    assert find(first, [], [coin], None) == find(first, [], [coin], 2) == []
    assert len(searched) == 1
    find(first, [(40.0, -20.0)], [coin], 2)
    find(first, [(40.0, -20.0)], [], 2)
    find(second, [(40.0, -20.0)], [], 2)
    assert len(searched) == 4
