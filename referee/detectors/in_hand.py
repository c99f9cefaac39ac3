"""What a coin did of which nobody knows whether it slid, or a hand carried it all the way.

Where its flick is a question and it was seen only at a hand since, what follows from the slide is a
question, too. A run that was seen clear of the hand is a slide from its beginning on.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.detectors.chance import EITHER, SURE, TICK_S, as_written, frames_about
from referee.detectors.placement import taken_at
from referee.domain.episode import Episode
from referee.domain.incident import Flicked, Incident, LeftTable, LineCrossed, Placed, Pocketed
from referee.domain.path import Path


def as_sure_as_flicks(
    episode: Episode, paths: tuple[Path, ...], incidents: Sequence[Incident]
) -> list[Incident]:
    """Return the incidents, with those as questions that a coin only did if no hand carried it, and
    with the question whether a hand took it away instead. Of a coin that may have gone into a
    pocket nobody asks whether it left the table after that.
    """
    found: list[Incident] = []
    taken: dict[str, Placed] = {}
    pocketed = {i.coin for i in incidents if isinstance(i, Pocketed)}
    for incident in incidents:
        flick = (
            _flick_in_doubt(episode, paths, incidents, incident)
            if isinstance(incident, LeftTable | LineCrossed | Pocketed)
            else None
        )
        if flick is None:
            found.append(incident)
            continue
        if not isinstance(incident, LineCrossed):
            taken[flick.coin] = _taken(episode, paths, flick)
        if not (isinstance(incident, LeftTable) and incident.coin in pocketed):
            chance = min(EITHER, incident.probability or 1.0)
            found.append(replace(incident, probability=as_written(chance)))
    known = {i.coin for i in incidents if isinstance(i, Placed) and i.at_mm is None}
    return [*found, *(placed for coin, placed in taken.items() if coin not in known)]


def _flick_in_doubt(
    episode: Episode,
    paths: tuple[Path, ...],
    incidents: Sequence[Incident],
    incident: LeftTable | LineCrossed | Pocketed,
) -> Flicked | None:
    """Return the flick on which an incident depends; None unless that flick is a question, and the
    coin was seen only at a hand until the run with the incident ended.
    """
    t_s = incident.t_s or 0.0
    earlier = [
        i
        for i in incidents
        if isinstance(i, Flicked) and i.coin == incident.coin and (i.t_s or 0.0) <= t_s
    ]
    if not earlier or (earlier[-1].probability or 1.0) > SURE:
        return None
    path = next(p for p in paths if p.coin == incident.coin)
    track = next(t for t in episode.tracks if t.coin == incident.coin)
    runs = [r for r in path.runs if (earlier[-1].t_s or 0.0) - TICK_S <= r.begin_s <= t_s]
    seen = [
        s.frame
        for run in runs
        for s in path.sightings
        if run.begin_s < s.t_s < min(run.end_s, run.stop_s)
    ]
    return earlier[-1] if seen and track.hand_frames.issuperset(seen) else None


def _taken(episode: Episode, paths: tuple[Path, ...], flick: Flicked) -> Placed:
    """Return the question whether a hand took a coin away that may have been flicked."""
    path = next(p for p in paths if p.coin == flick.coin)
    track = next(t for t in episode.tracks if t.coin == flick.coin)
    flicked_s = flick.t_s or 0.0
    begins_s = (h.begin_s for h in path.held if h.begin_s <= flicked_s)
    t_s = taken_at(episode, track, max(begins_s, default=flicked_s))
    return Placed(
        coin=flick.coin,
        at_mm=None,
        t_s=t_s,
        sigma_mm=None,
        probability=EITHER,
        frames=frames_about(episode, t_s),
    )
