"""Finds what the end of the source left unknown."""

from __future__ import annotations

from collections.abc import Collection

from referee.detectors.gaps import MOST_LOST_FRAMES
from referee.domain.frame_observation import FrameObservation, Presence
from referee.tracking.identity.tracked_coin import State, TrackedCoin


def cut_off(
    coins: Collection[TrackedCoin], last: FrameObservation, missed: int, *, changed: bool
) -> frozenset[str] | None:
    """Return the coins that may not lie where they were last seen; None if there is nothing to
    report at all.

    Those are the coins that slid, those lost while they slid or under a hand, and in a picture with
    motion all that are not in full view. If many pictures were `missed` since, it is every coin on
    the table. A hand over coins of which none was seen moving, or is gone, is nothing to report.
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
