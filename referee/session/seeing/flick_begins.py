"""Decides whether a new flick begins while a hand is still over the table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import Episode
from referee.domain.frame_observation import FrameObservation
from referee.domain.geometry import contains, distance
from referee.tracking.identity.tracked_coin import State, TrackedCoin

# Tuned on our own clips: coins that lie still this long have ended their flick before the next
# began.
BETWEEN_FLICKS_S: Final = 0.2


def before_next(episode: Episode, begins_s: float) -> Episode:
    """Return an episode without the frames just before the next flick was seen to begin: that flick
    may have begun in them, unseen under the hand.
    """
    until_s = begins_s - BETWEEN_FLICKS_S / 2
    lying = tuple(frame for frame in episode.frames if frame.t_s <= until_s)
    return replace(episode, frames=lying or episode.frames[:1])


def next_begins(
    observation: FrameObservation,
    before: FrameObservation | None,
    ended_s: float | None,
    coins: Collection[TrackedCoin],
    table: SurveyedTable,
) -> bool:
    """Return whether the next flick begins in this frame, so that the episode has ended although a
    hand never left: the hand comes to a coin, or something moves clear of the hand. `ended_s` is
    when the last coin came to rest or left the table. Motion that was seen only at a hand, or
    beside one, does not count as a flick that has ended.
    """
    if (
        not (observation.hand and observation.presence)
        or ended_s is None
        or observation.t_s - ended_s < BETWEEN_FLICKS_S
        or any(c.state is State.SLIDING for c in coins)
        or not any(c.seen_free for c in coins)
    ):
        return False
    lying = [c.rest.at_mm for c in coins if c.rest is not None]
    on_table = [
        d.at_mm
        for d in observation.discs
        if not (d.at_hand or d.still) and (not table.edge or contains(table.edge_mm, d.at_mm))
    ]
    comes = before is not None and not before.presence
    return comes or any(
        all(distance(at, other) > table.sizes.coin_mm / 4 for other in lying) for at in on_table
    )
