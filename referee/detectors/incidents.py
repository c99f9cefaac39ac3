"""Runs all detectors on an episode and returns its incidents in order of time."""

from __future__ import annotations

import msgspec

from referee.detectors.coin_motion.contact import contacts
from referee.detectors.coin_motion.crossing import line_crossings
from referee.detectors.coin_motion.displacement import displaced_tiles
from referee.detectors.coin_motion.edge import falls
from referee.detectors.coin_motion.heap import unfound_contacts
from referee.detectors.coin_motion.pocket import of_coins_in_play, over_walls, pocketed_coins
from referee.detectors.coin_motion.possible_hits import possible_contacts
from referee.detectors.hands.flick import flicks
from referee.detectors.hands.in_hand import as_sure_as_flicks
from referee.detectors.hands.placement import placements
from referee.detectors.rest import rest_after
from referee.detectors.unseen.gaps import gaps_of, only_seen
from referee.detectors.unseen.stretches import unseen_stretches
from referee.domain.episode import Episode
from referee.domain.incident import SURE, TICK_S, Contact, Flicked, Incident
from referee.domain.layout import Course
from referee.domain.path import Path


def incidents_of(
    episode: Episode, paths: tuple[Path, ...], home: Course | None = None
) -> tuple[Incident, ...]:
    """Return the incidents of the episode, in order of time. If anything happened, `at_rest` comes
    last.

    `paths` are the smoothed paths in the order of the episode's tracks. `home` is the course as it
    should be; it is needed to recognise `tile_restored`. Raises ValueError if paths and tracks do
    not belong together.
    """
    if [p.coin for p in paths] != [t.coin for t in episode.tracks]:
        raise ValueError("the paths must have the same order as the tracks of the episode")
    over = over_walls(episode, paths)
    off = {fall.coin for fall in over if (fall.probability or 1.0) > SURE}
    fallen = [*over, *(fall for fall in falls(episode, paths) if fall.coin not in off)]
    hits = contacts(episode, paths)
    explaining: list[Incident] = [
        *flicks(episode, paths),
        *line_crossings(episode, paths),
        *pocketed_coins(episode, paths),
        *hits,
        *fallen,
    ]
    explaining += placements(episode, paths, fallen)
    explaining += unfound_contacts(episode, paths, explaining)
    explaining += possible_contacts(episode, paths, hits)  # they explain no coin that set off
    explaining = as_sure_as_flicks(episode, paths, explaining)
    gaps = gaps_of(episode, paths)
    explaining = only_seen(explaining, gaps)
    explaining += displaced_tiles(episode, paths, home)
    explaining += unseen_stretches(episode, paths, explaining, gaps)
    ordered = in_order(of_coins_in_play(episode, explaining))
    rest = rest_after(episode, paths, ordered)
    return (*ordered, rest) if rest is not None else ordered


def in_order(incidents: list[Incident]) -> tuple[Incident, ...]:
    """Sort the incidents by time, and give each a time of its own. Of incidents with the same time,
    a flick comes first, and a contact comes before its consequences.
    """
    ranked = sorted(
        incidents,
        key=lambda i: (
            round(i.t_s or 0.0, 7),
            0 if isinstance(i, Flicked) else 1 if isinstance(i, Contact) else 2,
        ),
    )
    ordered: list[Incident] = []
    for incident in ranked:
        t_s = round(incident.t_s or 0.0, 6)
        if ordered and t_s <= (ordered[-1].t_s or 0.0):
            t_s = round((ordered[-1].t_s or 0.0) + TICK_S, 6)
        ordered.append(msgspec.structs.replace(incident, t_s=t_s))
    return tuple(ordered)
