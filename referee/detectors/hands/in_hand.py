"""Turns incidents into questions for coins that either slid or were carried by a hand all the way.

If a coin's flick is a question, and the coin was seen only at a hand since, everything that follows
from its slide is a question, too. A run in which the coin was seen clear of the hand is certainly a
slide, from its beginning on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from referee.detectors.coin_motion.hand_near import hand_at
from referee.detectors.hands.placement import placed, put_down_at, taken_at
from referee.domain.episode import CoinTrack, Episode
from referee.domain.incident import (
    EITHER,
    SURE,
    TICK_S,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    Pocketed,
    as_written,
)
from referee.domain.path import Path


def as_sure_as_flicks(
    episode: Episode, paths: tuple[Path, ...], incidents: Sequence[Incident]
) -> list[Incident]:
    """Return the incidents. Those that happened only if no hand carried the coin become questions.
    Also add the question whether a hand instead took the coin away, or put it where it lies now.
    For a coin that may have gone into a pocket, nobody is asked whether it then left the table.
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
    found = [
        replace(i, probability=EITHER)
        if isinstance(i, Contact)
        and (_unseen_hit(episode, paths, incidents, i) or _carried(episode, paths, incidents, i))
        else i
        for i in found
    ]
    known = {i.coin for i in incidents if isinstance(i, Placed) and i.at_mm is None}
    found += [question for coin, question in taken.items() if coin not in known]
    told = [*found, *_put_down_instead(episode, paths, found)]
    return [
        replace(i, probability=EITHER)
        if isinstance(i, LeftTable) and _came_back_doubtfully(i, told)
        else i
        for i in told
    ]


def _unseen_hit(
    episode: Episode, paths: tuple[Path, ...], incidents: Sequence[Incident], hit: Contact
) -> bool:
    """Return whether a contact of two coins is reported as certain although it is not known which
    coin was flicked, and no sighting shows the coin that may have been on its way to the contact. A
    third coin that moved may have set both in motion, or a hand that was at both may have flicked
    the other one.
    """

    def doubted(path: Path) -> bool:
        begins_s = [
            i.t_s or 0.0
            for i in incidents
            if isinstance(i, Flicked)
            and i.coin == path.coin
            and (i.probability or 1.0) <= EITHER
            and (i.t_s or 0.0) <= (hit.t_s or 0.0) + TICK_S
        ]
        seen = (s.t_s for s in path.sightings)
        return bool(begins_s) and not any(begins_s[-1] < t_s < (hit.t_s or 0.0) for t_s in seen)

    struck = [p for p in paths if p.coin in (hit.coin, hit.with_)]
    third = any(p.runs or p.held for p in paths if p.coin not in (hit.coin, hit.with_))
    either = all(hand_at(episode, path.coin, hit.t_s or 0.0) for path in struck)
    told = len(struck) == 2 and (hit.probability or 1.0) > SURE
    return told and (third or either) and any(doubted(path) for path in struck)


def _carried(
    episode: Episode, paths: tuple[Path, ...], incidents: Sequence[Incident], hit: Contact
) -> bool:
    """Return whether a contact is reported as certain, although a hand perhaps carried the coin
    that made it, and the coin that it hit was not seen to slide clear of a hand.
    """
    struck = next((path for path in paths if path.coin == hit.with_), None)
    if (hit.probability or 1.0) <= SURE or struck is None:
        return False
    clear = {*_seen_moving(struck)} - episode.track_of(hit.with_).hand_frames
    return not clear and _flick_in_doubt(episode, paths, incidents, hit) is not None


def _came_back_doubtfully(fall: LeftTable, told: Sequence[Incident]) -> bool:
    """Return whether a coin that fell lies on the table again, and it is not certain that a hand
    put it there: then it perhaps never fell.
    """
    chances = [
        i.probability or 1.0
        for i in told
        if isinstance(i, Placed) and i.coin == fall.coin and i.at_mm is not None
    ]
    return bool(chances) and max(chances) <= SURE


def _put_down_instead(
    episode: Episode, paths: tuple[Path, ...], incidents: Sequence[Incident]
) -> list[Placed]:
    """Return, for each coin whose flick is a question and that was seen only at a hand until it
    came to rest, the question whether a hand put it down instead.
    """
    found = []
    for flick in incidents:
        if not isinstance(flick, Flicked) or (flick.probability or 1.0) > SURE:
            continue
        path = next(p for p in paths if p.coin == flick.coin)
        track = episode.track_of(flick.coin)
        at_mm = path.rest_after_mm
        known = any(isinstance(i, Placed) and i.coin == flick.coin for i in incidents)
        if at_mm is None or known or not _only_at_hand(path, track, flick.t_s or 0.0, math.inf):
            continue
        t_s = put_down_at(episode, track, at_mm, path.rest_after_sigma_mm)
        found.append(placed(episode, flick.coin, at_mm, t_s, EITHER, path))
    return found


def _only_at_hand(path: Path, track: CoinTrack, flicked_s: float, until_s: float) -> bool:
    """Return whether the coin was seen moving since its flick, and only at a hand. Only runs that
    began up to `until_s` count.
    """
    seen = _seen_moving(path, flicked_s - TICK_S, until_s)
    return bool(seen) and track.hand_frames.issuperset(seen)


def _seen_moving(path: Path, from_s: float = -math.inf, until_s: float = math.inf) -> list[int]:
    """Return the frames in which a coin was seen in runs that began between two times."""
    return [
        s.frame
        for run in path.runs
        if from_s <= run.begin_s <= until_s
        for s in path.sightings
        if run.begin_s < s.t_s < min(run.end_s, run.stop_s)
    ]


def _flick_in_doubt(
    episode: Episode,
    paths: tuple[Path, ...],
    incidents: Sequence[Incident],
    incident: LeftTable | LineCrossed | Pocketed | Contact,
) -> Flicked | None:
    """Return the flick on which an incident depends, if that flick is a question and the coin was
    seen only at a hand from the flick to the end of the run with the incident; otherwise None.
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
    track = episode.track_of(incident.coin)
    return earlier[-1] if _only_at_hand(path, track, earlier[-1].t_s or 0.0, t_s) else None


def _taken(episode: Episode, paths: tuple[Path, ...], flick: Flicked) -> Placed:
    """Return the question whether a hand took away a coin instead of flicking it."""
    path = next(p for p in paths if p.coin == flick.coin)
    track = episode.track_of(flick.coin)
    flicked_s = flick.t_s or 0.0
    begins_s = (h.begin_s for h in path.held if h.begin_s <= flicked_s)
    t_s = taken_at(episode, track, max(begins_s, default=flicked_s))
    return placed(episode, flick.coin, None, t_s, EITHER, path)
