"""Finds which coin a hand took and put down elsewhere, and which coin was never taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace

from referee.domain.geometry import distance
from referee.domain.sighting import TELLING_SIGHTINGS
from referee.tracking.identity.tentative_tracks import TentativeTrack
from referee.tracking.identity.tracked_coin import FOUND_WITHIN_MM, State, TrackedCoin


def put_down(coins: Iterable[TrackedCoin], from_s: float) -> str | None:
    """Return the only coin that has left its place and since then was out of sight, or was seen
    only beside a hand. Return None if there is no such coin, or more than one. `from_s` is when the
    disc that was put down was first seen: a coin that was seen elsewhere since, clear of any hand,
    was not put down there.
    """
    taken = [
        c
        for c in coins
        if (c.seen_bare or c.left)
        and (c.state is State.HIDDEN or (c.state is State.SLIDING and not c.seen_free))
        and not c.seen_free_since(from_s)
    ]
    return taken[0].coin if len(taken) == 1 else None


def set_back(
    coins: Iterable[TrackedCoin], track: TentativeTrack, hand_frames: Set[int], t_s: float
) -> bool:
    """Set a coin back to its place of rest if it seemed to leave the table, but a track that lies
    still shows the coin at that place. Return whether a coin was set back.

    In such a case, a part of a hand that crossed the table's edge was taken for the coin:
    `hand_frames` are the frames with a hand. Nobody puts another coin down so exactly there. But a
    coin that was seen often on its way has really left, and people put it back.
    """
    disc = track.discs_seen[-1].disc
    for coin in coins:
        seen, lay = coin.since_there(), coin.before
        with_hand = len(seen) < TELLING_SIGHTINGS and all(s.frame in hand_frames for s in seen)
        if coin.state is not State.OFF_TABLE or lay is None or not with_hand:
            continue
        if distance(disc.at_mm, lay.at_mm) < FOUND_WITHIN_MM:
            coin.rest = lay
            coin.lies_where_it_lay(t_s)
            return True
    return False


def hand_on_sightings(coin: TrackedCoin, coins: Mapping[str, TrackedCoin]) -> None:
    """Correct sightings that were recorded for `coin`, although it still lies where it lay. If
    these sightings show a slide away from any hand, give them to the only coin that a hand took
    from its place.
    """
    beside = coin.hand_frames | coin.beside_hand
    seen = [s for s in coin.since_there() if s.frame not in beside]
    if len(seen) < TELLING_SIGHTINGS:
        return
    taken = put_down((c for c in coins.values() if c is not coin), seen[0].t_s)
    if taken is not None:
        coins[taken].slides_on([replace(s, coin=taken) for s in seen])
