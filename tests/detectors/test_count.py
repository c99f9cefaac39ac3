"""Coins are counted whenever everything is still: none is lost in silence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.detectors.count import TableCount, counted, lost_in
from referee.domain.episode import Episode, Frame
from referee.domain.incident import (
    AtRest,
    Flicked,
    Incident,
    LeftTable,
    Placed,
    TileDisplaced,
    Unseen,
)
from tests.detectors.scenes import episode, lying

PUSHED = TileDisplaced(tile="wicket-3-left", moved_mm=5.0, turned_deg=0.0, by="hand", t_s=1.0)
SHORT: Episode = replace(episode(), frames=(Frame(0, 0.5), Frame(1, 1.5)))


def rest(*coins: str) -> AtRest:
    return AtRest(coins={coin: (0.0, 0.0) for coin in coins}, t_s=1.5)


def lost(before: TableCount, *incidents: Incident) -> tuple[str, ...] | None:
    """Return the coins that the count adds as unseen."""
    found, _ = counted(SHORT, incidents, before)
    new = [i for i in found if isinstance(i, Unseen) and i not in incidents]
    return new[0].pieces if new else None


def test_a_coin_that_is_gone_without_a_reason_is_unseen_before_the_rest() -> None:
    before = TableCount(frozenset({"moons", "suns"}), frozenset())
    incidents, after = counted(SHORT, [rest("suns")], before)
    unseen, last = incidents
    assert isinstance(unseen, Unseen) and isinstance(last, AtRest)
    assert (unseen.pieces, unseen.from_s, unseen.to_s) == (("moons",), 0.5, 1.5)
    assert unseen.t_s is not None and last.t_s is not None and unseen.t_s < last.t_s
    # While nobody flicks, it is told once.
    assert counted(SHORT, [rest("suns")], after)[0] == [rest("suns")]


def test_a_lost_coin_is_told_of_every_flick_until_it_was_seen_again() -> None:
    flick = Flicked(coin="suns", t_s=0.6)
    lost_one = TableCount(frozenset({"suns"}), lost=frozenset({"moons"}))
    incidents, after = counted(SHORT, [flick, rest("suns")], lost_one)
    unseen = incidents[1]
    assert isinstance(unseen, Unseen) and after == lost_one
    assert (unseen.pieces, unseen.from_s, unseen.to_s) == (("moons",), 0.5, 1.5)
    # Nobody saw what it did in the flick after which it lies in view.
    incidents, after = counted(SHORT, [flick, rest("suns", "moons")], lost_one)
    assert isinstance(incidents[1], Unseen) and after.lost == frozenset()
    assert lost(after, flick, rest("suns", "moons")) is None


def test_a_coin_that_was_lost_and_then_fell_is_not_lost_any_more() -> None:
    fell = LeftTable(coin="moons", at_mm=(0.0, 0.0), t_s=1.0)
    lost_one = TableCount(frozenset({"suns"}), lost=frozenset({"moons"}))
    _, after = counted(SHORT, [fell, rest("suns")], lost_one)
    assert after.lost == frozenset()


@pytest.mark.parametrize(
    "reason",
    [
        LeftTable(coin="moons", at_mm=(0.0, 0.0), t_s=1.0),
        Placed(coin="moons", at_mm=None, t_s=1.0),
        Unseen(pieces=("moons",), from_s=0.6, to_s=1.0, t_s=0.6),
    ],
    ids=["it fell", "a hand took it", "it is already told"],
)
def test_a_coin_whose_going_was_seen_is_not_missing(reason: Incident) -> None:
    before = TableCount(frozenset({"moons", "suns"}), frozenset())
    assert lost(before, reason, rest("suns")) is None


@pytest.mark.parametrize(("chance", "told"), [(0.5, None), (0.1, ("moons",))])
def test_a_coin_that_hardly_fell_is_missing(chance: float, told: tuple[str, ...] | None) -> None:
    before = TableCount(frozenset({"moons", "suns"}), frozenset())
    fell = LeftTable(coin="moons", at_mm=(0.0, 0.0), t_s=1.0, probability=chance)
    assert lost(before, fell, rest("suns")) == told


def test_a_coin_that_was_put_down_is_missing_when_it_lies_nowhere() -> None:
    before = TableCount(frozenset({"moons", "suns"}), frozenset())
    put_down = Placed(coin="moons", at_mm=(3.0, 4.0), t_s=1.0)
    assert lost(before, put_down, rest("suns")) == ("moons",)


def test_a_coin_never_seen_is_told_of_every_episode_until_it_was_seen() -> None:
    before = TableCount(frozenset({"suns"}), frozenset({"moons"}))
    incidents, after = counted(SHORT, [rest("suns")], before)
    assert isinstance(incidents[0], Unseen) and after == before
    # Nobody saw what it did in the episode in which it came into view.
    incidents, after = counted(SHORT, [rest("suns", "moons")], before)
    assert isinstance(incidents[0], Unseen) and after.never_seen == frozenset()
    assert lost(after, rest("suns", "moons")) is None


@pytest.mark.parametrize(("sure", "told"), [(None, None), (0.5, ("moons",))])
def test_a_coin_that_a_hand_surely_put_down_was_not_there_before(
    sure: float | None, told: tuple[str, ...] | None
) -> None:
    before = TableCount(frozenset({"suns"}), frozenset({"moons"}))
    put_down = Placed(coin="moons", at_mm=(3.0, 4.0), t_s=1.0, probability=sure)
    assert lost(before, put_down, rest("suns", "moons")) == told


def test_nothing_is_counted_while_coins_may_still_move() -> None:
    before = TableCount(frozenset({"suns"}), frozenset({"moons"}))
    assert counted(SHORT, [], before) == ([], before)


def test_a_lost_coin_that_is_in_view_again_stands_in_an_at_rest() -> None:
    lies = episode(lying("moons", (10.0, 20.0)), lying("suns", (0.0, 0.0)))
    lost = TableCount(frozenset({"suns"}))
    incidents, after = counted(lies, [], lost)
    (back,) = incidents
    assert isinstance(back, AtRest)
    assert back.coins == {"moons": (10.0, 20.0), "suns": (0.0, 0.0)}
    assert counted(lies, [], after)[0] == []


def test_a_tile_that_cannot_be_measured_is_told_once_until_it_was_measured_again() -> None:
    hidden = replace(SHORT, unmeasured_tiles=frozenset({"wicket-3-left"}))
    incidents, after = counted(hidden, [], TableCount())
    assert [i.pieces for i in incidents if isinstance(i, Unseen)] == [("wicket-3-left",)]
    assert counted(hidden, [], after)[0] == []
    measured = counted(SHORT, [], after)[1]
    assert len(counted(hidden, [], measured)[0]) == 1


def test_a_tile_that_was_never_measured_is_told_when_it_looks_different() -> None:
    hidden = replace(SHORT, unmeasured_tiles=frozenset({"wicket-3-left"}))
    known = counted(hidden, [], TableCount())[1]
    for measured in (SHORT, hidden):
        changed = replace(measured, changed_tiles=frozenset({"wicket-3-left"}))
        (told,) = counted(changed, [], known)[0]
        assert isinstance(told, Unseen) and told.pieces == ("wicket-3-left",)
        assert counted(changed, [PUSHED], known)[0] == [PUSHED]


def test_a_record_tells_which_coins_are_lost() -> None:
    fell = LeftTable(coin="arms", at_mm=(0.0, 0.0), t_s=1.0)
    taken = Placed(coin="crowns", at_mm=None, t_s=1.0, probability=0.1)
    entries = [rest("moons", "suns", "arms", "crowns"), fell, taken, rest("suns"), rest("suns")]
    assert lost_in(entries) == {"moons", "crowns"}
    assert lost_in([*entries, rest("suns", "moons")]) == {"crowns"}
