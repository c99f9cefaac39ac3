"""Finds coins that were set in motion through other coins: a coin that runs into a heap of touching
coins moves those on the far side, and the coins between may stay where they are. In a break many
coins move at once, and the fit of their paths does not find every contact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from referee.detectors.coin_motion.contact import SIZE_SIGMA_MM
from referee.detectors.coin_motion.hand_near import hand_at
from referee.domain.episode import IN_A_ROW_FRAMES, Episode, frame_time_s, frames_about
from referee.domain.geometry import Point, distance
from referee.domain.incident import EITHER, Contact, Flicked, Incident
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS

# Chosen: places are compared at this many instants on either side of an instant.
_STEPS: Final = 4

_Way = tuple[Point | None, ...]


def knocked_through(episode: Episode, path: Path, run: Run, paths: Sequence[Path]) -> bool:
    """Return whether a coin that began to move with no hand at it touched a coin that was already
    moving, directly or through an unbroken chain of touching coins.

    This also holds for a coin that runs into others, stops, and is pushed back by them.
    """
    within_s = IN_A_ROW_FRAMES * frame_time_s(episode)
    if run is not path.runs[0] and _moves(path, run.begin_s - within_s):
        return not hand_at(episode, path.coin, run.begin_s, within_s)
    if hand_at(episode, path.coin, run.begin_s):
        return False
    ways = {p.coin: _way(p, run.begin_s, within_s) for p in paths}
    others, edge = [p for p in paths if p is not path], [path]
    while edge:
        one = edge.pop()
        for other in [o for o in others if _touch(episode, one, o, ways, run.begin_s)]:
            if _moves(other, run.begin_s - within_s) or _sent_by_hand(episode, other, run.begin_s):
                return True
            others.remove(other)
            edge.append(other)
    return False


def unfound_contacts(
    episode: Episode, paths: Sequence[Path], explaining: Sequence[Incident]
) -> list[Contact]:
    """Return a contact with even odds for each coin that set off as another coin came past and
    touched it, if the fitted paths show no contact and `explaining` names no other cause. A coin
    that was struck through a heap of coins gets none.
    """
    within_s = IN_A_ROW_FRAMES * frame_time_s(episode)
    found = []
    for path in (p for p in paths if p.runs):
        run = path.runs[0]
        if _explained(path, run.begin_s, explaining, within_s):
            continue
        if not knocked_through(episode, path, run, paths):
            continue
        ways = {p.coin: _way(p, run.begin_s, within_s) for p in paths}
        came = [
            other
            for other in paths
            if other is not path
            and _moves(other, run.begin_s - within_s)
            and _touch(episode, path, other, ways, run.begin_s)
        ]
        if len(came) == 1:
            found.append(
                Contact(
                    coin=came[0].coin,
                    with_=path.coin,
                    t_s=run.begin_s,
                    margin_mm=None,
                    sigma_mm=None,
                    probability=EITHER,
                    frames=frames_about(episode, run.begin_s),
                )
            )
    return found


def _explained(path: Path, begin_s: float, explaining: Sequence[Incident], within_s: float) -> bool:
    """Return whether an incident says why a coin began to move then."""
    return any(
        isinstance(i, Flicked | Contact)
        and path.coin in (i.coin, getattr(i, "with_", None))
        and abs((i.t_s or 0.0) - begin_s) <= within_s
        for i in explaining
    )


def _moves(path: Path, t_s: float) -> bool:
    return path.velocity_at(t_s) != (0.0, 0.0)


def _sent_by_hand(episode: Episode, path: Path, before_s: float) -> bool:
    """Return whether the coin began to move before an instant with a hand at it."""
    return any(r.begin_s < before_s and hand_at(episode, path.coin, r.begin_s) for r in path.runs)


def _way(path: Path, t_s: float, within_s: float) -> _Way:
    """Return where a coin was at several instants around `t_s`; None for an instant at which that
    is not known. A coin that was lost from sight with no hand at it is taken to be where it lay.
    """
    times = [t_s + within_s * step / _STEPS for step in range(-_STEPS, _STEPS + 1)]
    lost = any(not held.seen_with_hand for held in path.held)
    return tuple(path.position_at(t) or (path.rest_before_mm if lost else None) for t in times)


def _touch(episode: Episode, one: Path, other: Path, ways: dict[str, _Way], t_s: float) -> bool:
    """Return whether two coins touched around `t_s`: their paths name the contact, or the coins
    came close enough.
    """
    within_s = IN_A_ROW_FRAMES * frame_time_s(episode)
    if any(
        b.coin in run.met and abs(run.begin_s - t_s) <= within_s
        for a, b in ((one, other), (other, one))
        for run in a.runs
    ):
        return True
    sigma_mm = math.hypot(one.sigma_at(t_s), other.sigma_at(t_s), SIZE_SIGMA_MM)
    reach_mm = episode.sizes.reach_mm(one.coin, other.coin) + SEEN_SIGMAS * sigma_mm
    return any(
        a is not None and b is not None and distance(a, b) < reach_mm
        for a, b in zip(ways[one.coin], ways[other.coin], strict=True)
    )
