"""Finds coins that set off together, or almost, so that nobody knows which of them was flicked and
which of them was struck.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.detectors.coin_motion.coins_in_touch import struck_in_touch
from referee.detectors.hands.hidden_move import hidden_neighbour
from referee.detectors.hands.unseen_strikes import passing
from referee.domain.episode import HAND_S, Episode, frame_time_s, frames_about
from referee.domain.geometry import distance
from referee.domain.incident import SURE, Flicked, Incident, Unseen
from referee.domain.path import Path
from referee.domain.slide import FASTEST_FLICK_MM_S


def set_off_together(
    episode: Episode, paths: tuple[Path, ...], explaining: Sequence[Incident]
) -> list[Unseen]:
    """Report groups of coins of which one was flicked, but nobody knows which. Coins form a group
    if they set off between the same two frames, or if one coin set off near another that slid past
    it or that a hand hid, straight away from another that it touched, or too soon after another
    whose flick is in question or was near. What these coins hit before they were seen again is not
    known either. Groups at the same time with a coin in common are joined.
    """
    flicked = [flick for flick in explaining if isinstance(flick, Flicked)]
    asked = [flick for flick in flicked if 1.0 - SURE <= (flick.probability or 1.0) <= SURE]
    found: list[Unseen] = []
    for number, flick in enumerate(asked):
        t_s = flick.t_s or 0.0
        path = next(p for p in paths if p.coin == flick.coin)
        before = [
            e
            for e in flicked
            if 0.0 < t_s - (e.t_s or 0.0) < HAND_S
            and (e in asked or _near(episode, paths, e, flick))
        ]
        others = [e.coin for e in asked[:number] if e.frames == flick.frames]
        others += [p.coin for p in passing(episode, paths, path, t_s)]
        run = path.run_at(t_s)
        if run is not None:
            others += [p.coin for p in struck_in_touch(episode, paths, path, run)]
        hidden = hidden_neighbour(episode, paths, path, t_s)
        others += [] if hidden is None else [hidden.coin]
        coins = tuple(dict.fromkeys((*others, *(e.coin for e in before), flick.coin)))
        if len(coins) == 1:
            continue
        from_s = max((f.t_s for f in episode.frames if f.t_s <= t_s), default=t_s)
        if before:
            lay_s = [t.lay_until_s for t in episode.tracks if t.coin in coins]
            begun_s = (e.t_s for e in before)
            from_s = min((from_s, *(s for s in (*lay_s, *begun_s) if s is not None)))
        seen = [s.t_s for s in path.sightings if s.t_s > t_s]
        found = _added(found, unseen_for(episode, coins, from_s, min(seen, default=t_s), t_s))
    return found


def _near(episode: Episode, paths: Sequence[Path], earlier: Flicked, flick: Flicked) -> bool:
    """Return whether a coin that was flicked `earlier` may have come to the coin of a flick by the
    time at which that coin set off.
    """
    t_s = flick.t_s or 0.0
    at = {path.coin: path.position_at(t_s) for path in paths}
    here, there = at[flick.coin], at[earlier.coin]
    reach_mm = FASTEST_FLICK_MM_S * frame_time_s(episode)
    return here is not None and there is not None and distance(here, there) < reach_mm


def _added(groups: Sequence[Unseen], group: Unseen) -> list[Unseen]:
    """Return the groups with one more, joined to those at the same time that have a coin in common
    with it.
    """
    apart = []
    for other in groups:
        if {*other.pieces} & {*group.pieces} and (
            other.from_s <= group.to_s and group.from_s <= other.to_s
        ):
            group = replace(
                other,
                pieces=tuple(dict.fromkeys((*other.pieces, *group.pieces))),
                from_s=min(other.from_s, group.from_s),
                to_s=max(other.to_s, group.to_s),
            )
        else:
            apart.append(other)
    return [*apart, group]


def unseen_for(
    episode: Episode, pieces: tuple[str, ...], from_s: float, to_s: float, t_s: float
) -> Unseen:
    """Return the `unseen` for these pieces: nobody knows what they did from `from_s` to `to_s`."""
    return Unseen(
        pieces=pieces,
        from_s=round(from_s, 4),
        to_s=round(to_s, 4),
        t_s=t_s,
        frames=frames_about(episode, t_s),
    )
