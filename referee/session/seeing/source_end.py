"""Finds what the end of the source left unknown."""

from __future__ import annotations

from collections.abc import Iterable

from referee.domain.frame_observation import FrameObservation
from referee.tracking.identity.tracked_coin import State, TrackedCoin


def cut_off(coins: Iterable[TrackedCoin], last: FrameObservation) -> frozenset[str]:
    """Return the coins that may not lie where they were last seen: those that slid, those lost
    while they slid or under a hand, and in a picture with motion all that are not in full view.
    """
    unclear = {*last.presence, *last.covered} if last.changing else set()
    return frozenset(
        c.coin
        for c in coins
        if c.state is State.SLIDING
        or (c.state is State.HIDDEN and (bool(c.sightings) or c.coin in last.covered))
        or (c.state is not State.OFF_TABLE and c.coin in unclear)
    )
