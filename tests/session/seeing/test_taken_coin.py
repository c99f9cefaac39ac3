"""A coin that is gone from its place once a hand has left: taken off the table, or hard to find."""

from __future__ import annotations

import pytest

from referee.domain.episode import Episode, Rest
from referee.domain.frame_observation import Expected
from referee.domain.geometry import distance
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.reacquisition import find_new_coins
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.coins.coin_search import lay_floor
from tests.session.seeing.test_opening import ARMS, MOONS, STILL, SUNS, VIEW, frame
from tests.vision import watched
from tests.vision.drawn import COIN, Scenery, table

HAND = ((SUNS[0] - 50.0, -120.0, SUNS[0] + 30.0, SUNS[1] + 30.0), 140.0)


def played(before: Scenery, after: Scenery) -> tuple[EpisodeBuilder, list[Episode]]:
    """Return what was seen of a table over which a hand lies from the 40th to the 69th frame, as it
    looks before and after that.
    """
    builder, episodes = EpisodeBuilder(table(VIEW), 0.0), []
    for number in range(130):
        lies = before if number < 40 else after
        shown = lies.but(blots=(HAND,)) if 40 <= number < 70 else lies
        episodes.append(builder.take(frame(number, shown)))
    return builder, [episode for episode in episodes if episode is not None]


def test_a_coin_that_was_taken_does_not_lie_where_it_lay_once_all_is_still_again() -> None:
    builder, episodes = played(STILL, STILL.but(discs=((MOONS, COIN), (ARMS, COIN))))
    (taken,) = (
        t for e in episodes for t in e.tracks if t.before and distance(t.before.at_mm, SUNS) < 1.5
    )
    assert taken.after is None
    places = [rest.at_mm for rest in builder.resting().values()]
    assert len(places) == 2 and all(distance(at, SUNS) > 5.0 for at in places)


@pytest.mark.parametrize(("coins_in_match", "found"), [(None, True), (2, True), (1, False)])
def test_where_a_hand_was_from_the_beginning_coins_are_searched_for_unless_all_lie_elsewhere(
    coins_in_match, found
) -> None:
    """Moons lies in full view, suns under a hand that has left."""
    seen = watched.Watched(
        watched.STILL.but(discs=((MOONS, COIN),), blots=(watched.HAND,)), watched.RESTING[1:]
    )
    left = watched.STILL.but(discs=((SUNS, COIN), (MOONS, COIN)))
    for _ in range(10):
        seen.see(left)
    analysis = seen.analysis
    floor = lay_floor(
        analysis.table.view, analysis.table.sizes, analysis.table.edge_mm, analysis.course
    )
    fits = find_new_coins(left.picture(), analysis, floor, [MOONS], [], coins_in_match)
    assert [distance(fit.at_mm, SUNS) < 1.0 for fit in fits] == ([True] if found else [])


def test_a_coin_that_lies_where_another_one_lay_is_found_though_nothing_changed_there() -> None:
    """Suns lay beside arms. Arms has gone elsewhere, and suns has come 19 mm: its disc differs from
    where arms lay by a fifteenth.
    """
    arms, went, came = (SUNS[0] + 20.0, SUNS[1]), (70.0, 40.0), (SUNS[0] + 19.0, SUNS[1])
    still = watched.STILL.but(discs=tuple((at, COIN) for at in (SUNS, arms, MOONS)))
    lay = (Expected("suns", SUNS), Expected("arms", arms), Expected("moons", MOONS))
    seen = watched.Watched(still, lay)
    left = still.but(discs=tuple((at, COIN) for at in (came, went, MOONS)))
    seen.see(left)
    analysis, suns = seen.analysis, Rest(SUNS, 0.3)
    floor = lay_floor(
        analysis.table.view, analysis.table.sizes, analysis.table.edge_mm, analysis.course
    )
    lost = [TrackedCoin("suns", State.HIDDEN, suns, suns)]
    lay_mm = [e.at_mm for e in lay]
    fits = find_new_coins(left.picture(), analysis, floor, [MOONS, went], lost, 3, lay_mm)
    assert [distance(fit.at_mm, came) < 1.0 for fit in fits] == [True]


@pytest.mark.parametrize(("state", "found"), [(State.OFF_TABLE, 0), (State.HIDDEN, 1)])
def test_a_printed_disc_beside_where_a_fallen_coin_lay_is_not_that_coin(state, found) -> None:
    """The cloth's dot, 19 mm from where suns lay, looks as before. A coin that nobody saw leave the
    table may have come to lie on the dot.
    """
    dot = ((SUNS[0] + 19.0, SUNS[1]), COIN)
    still = watched.STILL.but(discs=(dot, (SUNS, COIN), (MOONS, COIN)))
    seen = watched.Watched(still, (Expected("suns", SUNS), Expected("moons", MOONS)))
    left = still.but(discs=(dot, (MOONS, COIN)))
    seen.see(left)
    analysis, suns = seen.analysis, Rest(SUNS, 0.3)
    floor = lay_floor(
        analysis.table.view, analysis.table.sizes, analysis.table.edge_mm, analysis.course
    )
    coin = TrackedCoin("suns", state, suns if state is State.HIDDEN else None, suns)
    fits = find_new_coins(left.picture(), analysis, floor, [MOONS], [coin], 2, [SUNS, MOONS])
    assert len(fits) == found


def test_a_coin_that_stopped_between_two_others_is_found() -> None:
    """It almost touches both. What lies that close to a known coin may be its shadow, so too little
    of the change is left to look like a coin.
    """
    two = (((40.0, -20.0), COIN), ((81.0, -20.0), COIN))
    between = (60.5, -20.0)
    builder, _ = played(
        STILL.but(discs=((SUNS, COIN), *two)), STILL.but(discs=((between, COIN), *two))
    )
    places = [rest.at_mm for rest in builder.resting().values()]
    assert len(places) == 3 and min(distance(at, between) for at in places) < 1.0


def test_a_coin_that_a_hand_puts_down_lies_there_though_the_next_hand_comes_at_once():
    """The hand takes suns away with the 40th frame and lies beside its new place until the 69th.
    The next one comes with the 76th.
    """
    to = (-10.0, 45.0)
    builder, episodes = EpisodeBuilder(table(VIEW), 0.0), []
    for number in range(130):
        at = SUNS if number < 40 else to
        shown = STILL.but(discs=((at, COIN), (MOONS, COIN), (ARMS, COIN)))
        hand = 40 <= number < 70 or number >= 76
        episodes.append(builder.take(frame(number, shown.but(blots=(HAND,)) if hand else shown)))
    first = next(episode for episode in episodes if episode is not None)
    (put_down,) = (t for t in first.tracks if t.before and distance(t.before.at_mm, SUNS) < 1.5)
    assert put_down.after is not None and distance(put_down.after.at_mm, to) < 1.0
    assert first.frames[-1].number < 76


def test_a_flick_that_sent_a_coin_off_the_table_has_ended_when_the_next_hand_comes() -> None:
    """The arms leave the right edge, at x = 120 mm, before the 46th frame. The hand that flicked
    them lies still over the bare table for less than two seconds, when another one comes to suns.
    """
    resting_hand, falls = ((-20.0, -120.0, 20.0, -45.0), 140.0), range(46, 200)
    builder, episodes = EpisodeBuilder(table(VIEW), 0.0), []
    for number in range(110):
        arms = (ARMS[0] + max(0, number - 40) * 13.0, ARMS[1])
        lying = ((SUNS, COIN), (MOONS, COIN))
        shown = STILL.but(discs=lying if number in falls else (*lying, (arms, COIN)))
        hands = (*([resting_hand] if number >= 36 else []), *([HAND] if number >= 100 else []))
        episodes.append(builder.take(frame(number, shown.but(blots=hands))))
    (flicked,) = (episode for episode in episodes if episode is not None)
    (gone,) = (t for t in flicked.tracks if t.before and distance(t.before.at_mm, ARMS) < 1.5)
    assert gone.after is None and gone.sightings
    assert all(s.frame < 100 for t in flicked.tracks for s in t.sightings)
