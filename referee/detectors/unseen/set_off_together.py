"""Finds coins that set off together, or almost, so that nobody knows which of them was flicked and
which of them was struck.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.detectors.coin_motion.coins_in_touch import struck_in_touch
from referee.detectors.hands.hidden_move import hidden_neighbour, passing
from referee.domain.episode import HAND_S, Episode, frame_time_s, frames_about
from referee.domain.geometry import distance
from referee.domain.incident import SURE, Flicked, Incident, Unseen
from referee.domain.path import Path
from referee.domain.slide import FASTEST_FLICK_MM_S


def set_off_together(
    episode: Episode, paths: tuple[Path, ...], explaining: Sequence[Incident]
) -> list[Unseen]:
    """Report groups of coins of which one was flicked, but nobody knows which. They set off between
    the same two frames, or one set off near a coin that slid past it or that a hand hid, straight
    away from a coin that it touched, or too soon after another flick near it. What these coins hit
    before they were seen again is not known either.
    """
    flicked = [(flick.t_s or 0.0, flick) for flick in explaining if isinstance(flick, Flicked)]
    asked = [
        (t_s, flick) for t_s, flick in flicked if 1.0 - SURE <= (flick.probability or 1.0) <= SURE
    ]
    found: list[Unseen] = []
    for number, (t_s, flick) in enumerate(asked):
        path = next(p for p in paths if p.coin == flick.coin)
        others = [other.coin for _, other in asked[:number] if other.frames == flick.frames]
        others += [p.coin for p in passing(episode, paths, path, t_s)]
        run = path.run_at(t_s)
        if run is not None:
            others += [p.coin for p in struck_in_touch(episode, paths, path, run)]
        hidden = hidden_neighbour(episode, paths, path, t_s)
        others += [] if hidden is None else [hidden.coin]
        before = _flicked_just_before(episode, paths, flick, flicked)
        others += before
        coins = tuple(dict.fromkeys(c for c in (*others, flick.coin)))
        if len(coins) == 1:
            continue
        from_s = max((f.t_s for f in episode.frames if f.t_s <= t_s), default=t_s)
        if before:
            lay_s = [t.lay_until_s for t in episode.tracks if t.coin in coins]
            from_s = min((from_s, *(s for s in lay_s if s is not None)))
        seen = [s.t_s for s in path.sightings if s.t_s > t_s]
        found.append(unseen_for(episode, coins, from_s, min(seen, default=t_s), t_s))
    return found


def _flicked_just_before(
    episode: Episode,
    paths: Sequence[Path],
    flick: Flicked,
    flicked: Sequence[tuple[float, Flicked]],
) -> list[str]:
    """Return the coins that were flicked so soon before another flick that no hand flicks twice,
    and were then so near that coin that they may have struck it.
    """
    t_s, at = flick.t_s or 0.0, {path.coin: path.position_at(flick.t_s or 0.0) for path in paths}
    reach_mm, here = FASTEST_FLICK_MM_S * frame_time_s(episode), at[flick.coin]
    return [
        e.coin
        for begun_s, e in flicked
        if t_s - HAND_S < begun_s < t_s and here is not None
        if (there := at[e.coin]) is not None and distance(here, there) < reach_mm
    ]


def unseen_for(
    episode: Episode, pieces: tuple[str, ...], from_s: float, to_s: float, t_s: float
) -> Unseen:
    """Return the incident that nobody knows what these pieces did in a stretch of time."""
    return Unseen(
        pieces=pieces,
        from_s=round(from_s, 4),
        to_s=round(to_s, 4),
        t_s=t_s,
        frames=frames_about(episode, t_s),
    )
