"""Finds out what remained unknown when the source ended."""

from __future__ import annotations

from collections.abc import Collection

from referee.domain.episode import MOST_LOST_FRAMES
from referee.domain.frame_observation import FrameObservation, Presence
from referee.tracking.identity.tracked_coin import State, TrackedCoin


def cut_off(
    coins: Collection[TrackedCoin], last: FrameObservation, missed: int, *, changed: bool
) -> frozenset[str] | None:
    """Return the coins that may not lie where they were last seen; None if there is nothing to
    report at all.

    These are the coins that were sliding, the coins that were lost while they slid or under a hand,
    and, if the last picture shows motion, all coins that are not in full view. If many pictures
    were `missed` since, they are all coins on the table. If a hand only covers coins, and no coin
    was seen moving or is gone, there is nothing to report.
    """
    on_table = [c for c in coins if c.on_table]
    if missed > MOST_LOST_FRAMES:
        return frozenset(c.coin for c in on_table)
    unclear = {*last.presence, *last.covered} if last.changing else set()
    lost = frozenset(
        c.coin
        for c in on_table
        if c.state is State.SLIDING
        or (c.state is State.HIDDEN and (bool(c.sightings) or c.coin in last.covered))
        or c.coin in unclear
    )
    gone = {coin for coin, presence in last.presence.items() if presence is Presence.GONE}
    moved = bool(gone & lost) or any(c.sightings for c in coins)
    only_covered = bool(lost) and lost <= last.covered and not moved
    return None if only_covered or not (changed or lost) else lost
