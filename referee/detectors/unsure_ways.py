"""Stretches in which nobody knows what a coin did, because it is not sure how it came on its way: a
hand may have moved it there, or it may have slid.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.detectors.chance import EITHER, SURE, frame_time_s
from referee.detectors.rest import LAST_CREEP_S
from referee.domain.episode import CoinTrack, Episode
from referee.domain.incident import Flicked, Incident, Placed
from referee.domain.path import Held, Path


def until_settled(track: CoinTrack, held: Held) -> tuple[float, float]:
    """Return from when to when a hand had a coin that may have slid instead. A creeping coin is
    seen before it lies: it may move until its place looks as at the end, and a little longer.
    """
    settled_s = held.end_s if track.settled_s is None else track.settled_s + LAST_CREEP_S
    return (held.begin_s, max(held.end_s, settled_s))


def perhaps_slid(explaining: Sequence[Incident], path: Path) -> tuple[float, float] | None:
    """Return when a hand may have carried a coin to where it was then seen to slide. Nobody is sure
    of that (`explaining` holds the placement): it may have slid there, and have met something.
    """
    begins = {run.begin_s for run in path.runs}
    unsure = [
        i.t_s or 0.0
        for i in explaining
        if isinstance(i, Placed)
        and i.coin == path.coin
        and 1.0 - SURE <= (i.probability or 1.0) <= SURE
    ]
    for held in path.held:
        if held.end_s in begins and any(held.begin_s <= t_s <= held.end_s for t_s in unsure):
            return (held.begin_s, held.end_s)
    return None


def hidden_at_first(
    episode: Episode, explaining: Sequence[Incident], path: Path
) -> tuple[float, float] | None:
    """Return when a coin slid unseen that may have been flicked, or else struck (`explaining` holds
    the flick), if the frame after that does not show it. It may have come off a tile meanwhile. One
    sighting does not tell by which way it came there; two do.
    """
    for flick in explaining:
        if not isinstance(flick, Flicked) or flick.coin != path.coin:
            continue
        if not 1.0 - SURE <= (flick.probability or 1.0) <= SURE:
            continue
        set_off_s = flick.t_s or 0.0
        seen = [s.t_s for s in path.sightings if s.t_s > set_off_s]
        if len(seen) > 1 and seen[0] - set_off_s > (1.0 + EITHER) * frame_time_s(episode):
            return (set_off_s, seen[1])
    return None
