"""Shows what seems to have happened so far, while coins still move: fast, rough, and never
recorded.

It uses only the raw sightings, and assumes that each coin moves in a straight line from one to the
next. The recorded incidents are computed later from the smoothed paths, once nothing moves any more
(`incidents`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from referee.detectors.coin_motion.contact import TOUCHED_MM
from referee.domain.episode import MOST_LOST_FRAMES, CoinTrack, Episode
from referee.domain.geometry import (
    Point,
    add,
    crossing_share,
    distance,
    dot,
    inside_by,
    scale,
    square_corners,
    subtract,
)
from referee.domain.incident import Contact, Flicked, Incident, LeftTable, LineCrossed, Pocketed
from referee.domain.layout import POCKETS, Line, direction_across
from referee.domain.table_edge import inward_normal, middle_of

# Tuned on our own clips, except where a comment gives another source for a number.

# A coin that moves this fast between two frames slides: hands usually carry more slowly.
SLIDING_MM_S: Final = 120.0
# If rims come this close between frames and one of the coins then starts to move, they touched.
MEETING_MM: Final = 6.0
# a coin that turned by more than 60 degrees beside a stack has struck it
REBOUND_COSINE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Step:
    """The straight path between two sightings of one coin."""

    from_s: float
    to_s: float
    begin: Point
    end: Point

    def at(self, share: float) -> Point:
        """Return the point at this share of the step."""
        return add(self.begin, scale(subtract(self.end, self.begin), share))

    def time(self, share: float) -> float:
        """Return the instant at this share of the step."""
        return self.from_s + share * (self.to_s - self.from_s)

    @property
    def speed_mm_s(self) -> float:
        """Return the mean speed of the step."""
        return distance(self.begin, self.end) / max(self.to_s - self.from_s, 1e-6)


def provisional_incidents(episode: Episode) -> tuple[Incident, ...]:
    """Find the flicks, crossings, contacts and falls that an unfinished episode shows so far, in
    order of time.

    The function ignores the tracks' `after` and gives no `probability`. These incidents are shown,
    but never applied.
    """
    steps = {t.coin: _steps(t) for t in episode.tracks}
    begun = {coin: s[0].from_s for coin, s in steps.items() if s}
    found: list[Incident] = []
    for track in episode.tracks:
        own = steps[track.coin]
        if not own:
            continue
        striker = _striker(episode, track, steps, begun)
        if striker is None:
            found.append(Flicked(coin=track.coin, t_s=begun[track.coin]))
        else:
            found.append(Contact(coin=striker, with_=track.coin, t_s=begun[track.coin]))
        found += _crossings(episode, track.coin, own)
        found += _stacks(episode, track.coin, own)
        found += _gone(episode, track, own)
    return tuple(sorted(found, key=lambda i: i.t_s or 0.0))


def _steps(track: CoinTrack) -> list[Step]:
    """Return the coin's steps from its place of rest through its sightings, beginning with the
    first fast step clear of a hand. Empty if the coin has not slid yet.
    """
    moved = [
        s
        for s in track.sightings
        if track.before is None or distance(s.at_mm, track.before.at_mm) > TOUCHED_MM
    ]
    steps = [Step(a.t_s, b.t_s, a.at_mm, b.at_mm) for a, b in pairwise(moved)]
    clear = [b.frame not in track.hand_frames for b in moved[1:]]
    first = next((k for k, s in enumerate(steps) if clear[k] and s.speed_mm_s > SLIDING_MM_S), None)
    if first is None:
        return []
    sliding = steps[first:]
    if track.before is None:
        return sliding
    lead = distance(track.before.at_mm, sliding[0].begin) / sliding[0].speed_mm_s
    return [
        Step(sliding[0].from_s - lead, sliding[0].from_s, track.before.at_mm, sliding[0].begin),
        *sliding,
    ]


def _striker(
    episode: Episode, track: CoinTrack, steps: dict[str, list[Step]], begun: dict[str, float]
) -> str | None:
    """Return the coin that began to slide before this coin, and reached it at the moment when it
    began to move.
    """
    start_s, at = begun[track.coin], steps[track.coin][0].begin
    best: tuple[float, str] | None = None
    for coin, way in steps.items():
        if coin == track.coin or not way or begun[coin] >= start_s:
            continue
        near = [
            distance(step.at(k / 4), at)
            for step in way
            if step.from_s <= start_s + 0.1
            for k in range(5)
        ]
        gap = min(near, default=1e9) - episode.sizes.reach_mm(track.coin, coin)
        if gap < MEETING_MM and (best is None or gap < best[0]):
            best = (gap, coin)
    return None if best is None else best[1]


def _crossings(episode: Episode, coin: str, steps: Sequence[Step]) -> list[LineCrossed | Pocketed]:
    found: list[LineCrossed | Pocketed] = []
    for name, line in episode.course_before.lines.items():
        outward = line.outward
        ahead = [dot(subtract(s.end, line.right_mm), outward) for s in steps]
        behind = dot(subtract(steps[0].begin, line.right_mm), outward)
        for step, side in zip(steps, ahead, strict=True):
            if (behind < 0.0) != (side < 0.0) and (share := _share(step, line)) is not None:
                t_s = step.time(share)
                if name not in POCKETS:
                    way = direction_across(name, outward=side >= 0.0)
                    found.append(LineCrossed(coin=coin, line=name, direction=way, t_s=t_s))
                elif side >= 0.0:  # it may still come back
                    found.append(Pocketed(coin=coin, pocket=name, t_s=t_s))
            behind = side
    return found


def _share(step: Step, line: Line) -> float | None:
    return crossing_share(step.begin, step.end, line.left_mm, line.right_mm)


def _stacks(episode: Episode, coin: str, steps: Sequence[Step]) -> list[Contact]:
    found = []
    for name, post in episode.course_before.posts.items():
        square = square_corners(post.centre_mm, episode.course_before.tile_mm, post.rotation_deg)
        for before, after in pairwise(steps):
            way, on = subtract(before.end, before.begin), subtract(after.end, after.begin)
            reach = 0.5 * episode.sizes.width_mm(coin) + max(
                distance(before.begin, before.end), distance(after.begin, after.end)
            )
            turned = dot(way, on) < REBOUND_COSINE * distance(before.begin, before.end) * distance(
                after.begin, after.end
            )
            if turned and -inside_by(square, before.end) < reach:
                found.append(Contact(coin=coin, with_=name, t_s=before.to_s))
                break
    return found


def _gone(episode: Episode, track: CoinTrack, steps: Sequence[Step]) -> list[LeftTable]:
    last = steps[-1]
    unseen = sum(f.t_s > last.to_s and f.number not in track.hand_frames for f in episode.frames)
    if not episode.edge or unseen < MOST_LOST_FRAMES:
        return []
    middle = middle_of(episode.edge)
    on = add(last.end, scale(subtract(last.end, last.begin), 2.0))
    for side in episode.edge:
        inward = inward_normal(side, middle)
        here, there = (
            dot(subtract(last.end, side.begin_mm), inward),
            dot(subtract(on, side.begin_mm), inward),
        )
        if here >= 0.0 > there:
            share = here / (here - there)
            at = add(last.end, scale(subtract(on, last.end), share))
            return [
                LeftTable(
                    coin=track.coin,
                    at_mm=at,
                    t_s=last.to_s + 2.0 * share * (last.to_s - last.from_s),
                )
            ]
    return []
