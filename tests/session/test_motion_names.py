"""Coins that took each other's names in a flick, found by their motion."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from referee.domain.episode import CoinTrack, Episode
from referee.session.naming.motion_names import MotionExchange
from referee.session.naming.motion_names import exchange_by_motion as exchange_by
from tests.tracking.slides import COIN_MM, Coin, Leg, Shot, flicked, hit


def shot(aside_mm: float, fps: float, names: tuple[str, str] = ("moons", "suns")) -> Episode:
    """Return a flick that hits another coin, under a hand until just after the hit."""
    striker, struck = names
    a, b, hit_s = hit(
        flicked(striker, (-150.0, 0.0), (1200.0, 0.0)), Coin(struck, (0.0, aside_mm)), bounce=0.9
    )
    a = replace(a, hidden_s=(0.0, hit_s), hand_s=(0.0, hit_s))
    return Shot((a, b), fps=fps, until_s=1.2).episode()


def exchange_by_motion(episode: Episode, face_log_odds: float = 0.0) -> MotionExchange | None:
    """Find exchanges; `face_log_odds` is what the faces say of each of them."""
    return exchange_by(episode, lambda names: face_log_odds)


def misnamed(episode: Episode) -> Episode:
    """Return the episode in which each coin is taken for the other one once it has moved."""
    one, other = episode.tracks

    def took(mine: CoinTrack, others: CoinTrack) -> CoinTrack:
        sightings = tuple(replace(s, coin=mine.coin) for s in others.sightings)
        return replace(mine, sightings=sightings, after=others.after)

    return replace(episode, tracks=(took(one, other), took(other, one)))


@pytest.mark.parametrize("fps", [30.0, 60.0])
@pytest.mark.parametrize("aside_mm", [0.0, 2.0, 6.0])
def test_a_striker_that_stops_where_the_other_coin_lay_keeps_its_name(aside_mm, fps):
    right = shot(aside_mm, fps)
    found = exchange_by_motion(misnamed(right))
    assert found is not None and found.exchange.probability > 0.99
    assert found.exchange.names == {"moons": "suns", "suns": "moons"}
    assert [t.after for t in found.mended.tracks] == [t.after for t in right.tracks]
    assert [t.sightings for t in found.mended.tracks] == [t.sightings for t in right.tracks]
    kept = exchange_by_motion(right)
    assert kept is not None and kept.exchange.probability < 0.01


def test_a_coin_flicked_against_one_that_it_touches_does_not_go_through_it():
    """The suns is flicked to the left, against the moons that touches it, and hardly moves. The
    hand is over the suns all the time.
    """
    sent, left = Leg(0.2, (0.0, 0.0), (-1000.0, 0.0)), Leg(0.2, (COIN_MM, 0.0), (20.0, -150.0))
    moons = Coin("moons", (0.0, 0.0), (sent,))
    suns = Coin("suns", (COIN_MM, 0.0), (left,), hand_s=(0.0, 0.4), hidden_s=(0.0, 0.4))
    right = Shot((moons, suns), fps=30.0, until_s=1.2).episode()
    kept = exchange_by_motion(right)
    assert kept is not None and kept.exchange.probability < 0.01
    found = exchange_by_motion(misnamed(right))
    assert found is not None and found.exchange.probability > 0.99
    assert found.mended.tracks[0].after == right.tracks[0].after


def test_an_exchange_is_not_sure_if_a_coin_turned_for_no_known_reason_all_the_same():
    """The struck coin turns round in mid-table once it has gone some way."""
    right = shot(2.0, 60.0)
    striker, struck = right.tracks
    turn = struck.sightings[8]
    back = tuple(
        s if k <= 8 else replace(s, at_mm=(2 * turn.at_mm[0] - s.at_mm[0], s.at_mm[1] + 3.0 * k))
        for k, s in enumerate(struck.sightings)
    )
    odd = replace(right, tracks=(striker, replace(struck, sightings=back, after=None)))
    found = exchange_by_motion(misnamed(odd))
    assert found is not None and found.exchange.names == {"moons": "suns", "suns": "moons"}
    assert 0.5 < found.exchange.probability < 0.95


def test_faces_that_contradict_a_likely_exchange_prevail():
    right = shot(2.0, 60.0)
    found, kept = exchange_by_motion(misnamed(right), -1000.0), exchange_by_motion(right, 1000.0)
    assert found is not None and found.exchange.probability < 0.01
    assert kept is not None and kept.exchange.probability > 0.99


def test_coins_that_look_alike_are_no_exchange():
    assert exchange_by_motion(misnamed(shot(0.0, 60.0, ("suns-1", "suns-2")))) is None


def test_one_coin_alone_took_nobodys_name():
    alone = Shot((flicked("moons", (0.0, 0.0), (800.0, 0.0)), Coin("suns", (0.0, 300.0))))
    assert exchange_by_motion(alone.episode()) is None


def test_a_coin_that_lay_still_while_the_other_one_slid_is_not_that_one():
    right = shot(0.0, 60.0)
    one, other = misnamed(right).tracks
    lay = replace(other, lay_until_s=right.tracks[0].sightings[2].t_s)
    assert exchange_by_motion(replace(right, tracks=(one, lay))) is None


def test_costs_that_are_the_same_leave_it_open(monkeypatch):
    # By definition: costs that differ by d have odds of exp(d / 2).
    costs = iter([20.0, *[20.0 + 2 * math.log(3.0)] * 2])
    monkeypatch.setattr("referee.session.naming.motion_names.cost_of", lambda _: next(costs))
    found = exchange_by_motion(shot(14.0, 60.0))  # no coin in the way of the other
    assert found is not None and found.exchange.probability == pytest.approx(0.25)


def test_the_odds_by_faces_multiply_those_by_motion(monkeypatch):
    monkeypatch.setattr("referee.session.naming.motion_names.cost_of", lambda _: 20.0)
    found = exchange_by_motion(shot(14.0, 60.0), math.log(4.0))
    assert found is not None and found.exchange.probability == pytest.approx(0.8)
