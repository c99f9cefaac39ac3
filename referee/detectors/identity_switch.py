"""Finds coins that may have been taken for each other while neither was in sight.

A coin that is seen in every frame at its expected place keeps its name. But several coins may be
out of sight at the same time, or turn, and come into sight again at several places. Each place then
got the name of the coin that fits best, by the motions before and after. Giving these places to the
coins in another way, for two coins or for several in a circle, may fit about as well. A hidden coin
is assumed to turn at most once, so the misfit is the distance between the line of its motion before
and the line of its motion after.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from referee.domain.episode import IN_A_ROW_FRAMES, MOMENT_S, CoinTrack, Episode, frame_time_s
from referee.domain.geometry import (
    Point,
    add,
    crossing_share,
    distance,
    nearest_on_segment,
    scale,
    subtract,
)
from referee.domain.incident import SURE, AtRest, Incident, Placed, Unseen
from referee.domain.pieces import face_of
from referee.domain.sighting import Sighting
from referee.domain.slide import FASTEST_FLICK_MM_S

# Chosen: the error of a place at which a coin is seen or expected.
_PLACE_MM: Final = 2.0
# Chosen: hits in a heap turn a coin, so it may come into sight off its expected place by this share
# of the way that it can have gone out of sight.
_TURNED_SHARE: Final = 0.25
_IMPOSSIBLE: Final = 1e9  # By definition: dearer than anything that may have happened


@dataclass(frozen=True, slots=True)
class IdentitySwitch:
    """Two coins that may have been taken for each other from `t_s` on, and how probable that is."""

    coins: tuple[str, str]
    t_s: float
    probability: float


@dataclass(frozen=True, slots=True)
class _OutOfSight:
    """A stretch of time in which a coin was not seen: its places before and after, and its
    velocities there.
    """

    begin_s: float
    end_s: float
    from_mm: Point
    to_mm: Point
    velocity_mm_s: Point
    after_mm_s: Point

    @property
    def speed_mm_s(self) -> float:
        return max(math.hypot(*self.velocity_mm_s), math.hypot(*self.after_mm_s))

    @property
    def off_mm(self) -> float:
        """Return the distance between two lines: the coin's path extended forward from where it was
        last seen, and its path extended backward from where it was seen again. The lines meet if
        the coin turned once or not at all.
        """
        on, back = (
            (at, add(at, scale(velocity, way_s)))
            for at, velocity, way_s in (
                (self.from_mm, self.velocity_mm_s, self.end_s - self.begin_s),
                (self.to_mm, self.after_mm_s, self.begin_s - self.end_s),
            )
        )
        return _apart_mm(on, back)

    @property
    def reach_mm(self) -> float:
        """Return how far from its expected place the coin may come into sight again. The distance
        grows with the distance that it can have moved unseen.
        """
        way_mm = self.speed_mm_s * max(self.end_s - self.begin_s, 0.0)
        return _PLACE_MM + _TURNED_SHARE * way_mm

    @property
    def is_followed(self) -> bool:
        """Return whether the coin came into sight again near its expected place."""
        way = scale(self.velocity_mm_s, self.end_s - self.begin_s)
        return distance(add(self.from_mm, way), self.to_mm) < self.reach_mm


def _apart_mm(one: tuple[Point, Point], other: tuple[Point, Point]) -> float:
    """Return the distance between two straight segments, each given by its two ends."""
    if crossing_share(*one, *other) is not None:
        return 0.0
    return min(
        distance(at, nearest_on_segment(*way, at))
        for ends, way in ((one, other), (other, one))
        for at in ends
    )


def identity_switches(episode: Episode) -> list[IdentitySwitch]:
    """Return the pairs of coins that may have been taken for each other in an episode. Each pair
    comes once, with its most probable instant.

    Each coin that went out of sight came back at one of the places at which coins came into sight.
    The probability of a pair is that of the cheapest assignment of all coins to these places that
    gives the first coin the place that was given to the second. In that assignment, other coins may
    have been exchanged, too.
    """
    unseen = [(t.coin, gap) for t in episode.tracks for gap in _out_of_sight(episode, t)]
    cost = np.array([[_cost(a, b) for _, b in unseen] for _, a in unseen])
    found: dict[tuple[str, str], IdentitySwitch] = {}
    for i, j in np.argwhere(np.isfinite(cost)).tolist():
        one, other = sorted((unseen[i][0], unseen[j][0]))
        if one == other:
            continue
        since_s = max(unseen[i][1].begin_s, unseen[j][1].begin_s)
        switch = IdentitySwitch((one, other), since_s, _probability(cost, i, j))
        known = found.get(switch.coins)
        if switch.probability >= max(1.0 - SURE, known.probability if known else 0.0):
            found[switch.coins] = switch
    return list(found.values())


def _out_of_sight(episode: Episode, track: CoinTrack) -> Iterator[_OutOfSight]:
    """Yield the stretches in which a coin was not seen, or turned, and moved by more than half its
    width. A coin that moved less is still at its place, so no other coin can be there. If a coin
    seems to have moved faster than any flick, it was another coin either before or after.
    """
    frame_s = frame_time_s(episode)
    seen = _known(episode, track)
    for number, (a, b) in enumerate(pairwise(seen)):
        moved_mm, took_s = distance(a.at_mm, b.at_mm), b.t_s - a.t_s
        jumped = moved_mm > FASTEST_FLICK_MM_S * took_s
        unseen = _OutOfSight(
            a.t_s - frame_s if jumped else a.t_s,
            b.t_s,
            a.at_mm,
            b.at_mm,
            _velocity(seen[: number + 1][-2:]),
            _velocity(seen[number + 1 :][:2]),
        )
        if moved_mm > episode.sizes.width_mm(track.coin) / 2 and (
            jumped or took_s > IN_A_ROW_FRAMES * frame_s or not unseen.is_followed
        ):
            yield unseen


def _known(episode: Episode, track: CoinTrack) -> list[Sighting]:
    """Return the sightings of a coin, with its place of rest before them and its place of rest
    after them added as sightings. A coin without sightings, for which it is not known until when it
    lay still, may have left at any time.
    """
    seen = list(track.sightings)
    if track.before is not None and (seen or track.after is not None):
        first_s = seen[0].t_s if seen else episode.frames[-1].t_s
        unknown_s = first_s - frame_time_s(episode) if seen else episode.frames[0].t_s
        lay_s = unknown_s if track.lay_until_s is None else track.lay_until_s
        seen.insert(0, Sighting(track.coin, -1, min(lay_s, first_s), track.before.at_mm, 0.0))
    if track.after is not None:
        still_s = episode.frames[-1].t_s if track.settled_s is None else track.settled_s
        last_s = seen[-1].t_s if seen else still_s
        seen.append(Sighting(track.coin, -1, max(still_s, last_s), track.after.at_mm, 0.0))
    return seen


def _velocity(two: Sequence[Sighting]) -> Point:
    if len(two) < 2 or two[1].t_s <= two[0].t_s:
        return (0.0, 0.0)
    return scale(subtract(two[1].at_mm, two[0].at_mm), 1 / (two[1].t_s - two[0].t_s))


def _cost(coin: _OutOfSight, out: _OutOfSight) -> float:
    """Return the cost of the assumption that `coin` came back into sight where `out` did; infinite
    if the two were not out of sight at the same time.
    """
    if out.end_s < coin.begin_s or coin.end_s < out.begin_s:
        return math.inf
    way = replace(coin, end_s=out.end_s, to_mm=out.to_mm, after_mm_s=out.after_mm_s)
    return (way.off_mm / way.reach_mm) ** 2


def _probability(cost: NDArray[np.float64], i: int, j: int) -> float:
    """Return the probability that coin `i` came back into sight at the place given to coin `j`.
    `cost[a, b]` (n, n) is the cost of coin a at the place given to coin b. Costs that differ by d
    have odds of exp(d / 2).
    """
    forced = np.where(np.isfinite(cost), cost, _IMPOSSIBLE)
    forced[i, np.arange(len(cost)) != j] = _IMPOSSIBLE
    dearer = float(forced[linear_sum_assignment(forced)].sum() - np.trace(cost))
    return 0.5 * (1.0 - math.tanh(0.25 * dearer))


#: Pairs of a coin and its heir, whose track it has after some instant. The heirs are the same coins
#: in another order.
Heirs = Sequence[tuple[CoinTrack, CoinTrack]]


def cheapest_switch_s(episode: Episode, heirs: Heirs) -> float | None:
    """Return the instant at which coins got each other's names, given that they have them when the
    episode ends. It is the instant at which the coins would have had to jump the least. None if at
    every instant some jump is farther than a flick can take a coin between two sightings.
    """
    if not any(coin.sightings for coin, _ in heirs):
        return None
    known = {coin.coin: _known(episode, coin) for coin, _ in heirs}
    found: list[tuple[float, float]] = []
    for t_s in sorted({s.t_s for seen in known.values() for s in seen}):
        jumps = [
            _jump_mm(episode, _last(known[coin.coin], t_s), _next(known[heir.coin], t_s))
            for coin, heir in heirs
        ]
        if math.isfinite(sum(jumps)):
            found.append((sum(jumps), t_s))
    return min(found)[1] if found else None


def _last(seen: Sequence[Sighting], t_s: float) -> Sighting | None:
    return next((s for s in reversed(seen) if s.t_s <= t_s), None)


def _next(seen: Sequence[Sighting], t_s: float) -> Sighting | None:
    return next((s for s in seen if s.t_s > t_s), None)


def _jump_mm(episode: Episode, begin: Sighting | None, end: Sighting | None) -> float:
    """Return the distance between two sightings; infinite if no flick can take a coin from one to
    the other in that time.
    """
    if begin is None or end is None:
        return math.inf
    since_s = min(max(end.t_s - begin.t_s, frame_time_s(episode)), MOMENT_S)
    way_mm = distance(begin.at_mm, end.at_mm)
    return way_mm if way_mm < FASTEST_FLICK_MM_S * since_s else math.inf


def names_unknown(
    episode: Episode, incidents: Sequence[Incident], coins: Iterable[str] = ()
) -> list[Unseen]:
    """Return an `unseen` with both names for each pair of coins that look alike and may have been
    taken for each other. It comes after the `at_rest` that ends the flick. Nothing depends on which
    of the two is which, so nobody is asked.

    Pairs are coins whose motions allow an exchange, and coins that were unseen at the same time,
    because nobody knows which of them came to which place. A coin that was never seen before makes
    a pair with each coin that moved, because the moving coin may have been the new one. A coin that
    is put back makes a pair with each of the match's `coins` that lies nowhere, because it may be
    that coin.
    """
    rest = next((i for i in reversed(incidents) if isinstance(i, AtRest)), None)
    if rest is None or rest.t_s is None:
        return []
    since_s = {tuple(sorted(s.coins)): s.t_s for s in identity_switches(episode)}
    for new, moved in product(_never_seen(episode, incidents), episode.tracks):
        if moved.sightings:
            pair = tuple(sorted((new.coin, moved.coin)))
            since_s.setdefault(pair, moved.sightings[0].t_s)
    back = {i.coin: i.t_s or rest.t_s for i in incidents if isinstance(i, Placed)}
    lying = {track.coin for track in episode.tracks if track.after is not None}
    for new in episode.tracks:
        if new.before is None and new.coin in lying:
            for coin in {*coins} - lying:
                pair = tuple(sorted((new.coin, coin)))
                since_s.setdefault(pair, back.get(new.coin, rest.t_s))
    for one, other in combinations([i for i in incidents if isinstance(i, Unseen)], 2):
        if one.from_s <= other.to_s and other.from_s <= one.to_s:
            for a, b in product(one.pieces, other.pieces):
                since_s.setdefault(tuple(sorted((a, b))), max(one.from_s, other.from_s))
    return [
        Unseen(pieces=(a, b), from_s=round(t_s, 4), to_s=round(rest.t_s, 4), t_s=rest.t_s)
        for (a, b), t_s in sorted(since_s.items())
        if a != b and face_of(a) == face_of(b)
    ]


def _never_seen(episode: Episode, incidents: Sequence[Incident]) -> list[CoinTrack]:
    """Return the coins that lie on the table now, although it is not known where they were
    before.
    """
    placed = {i.coin for i in incidents if isinstance(i, Placed) and i.probability is None}
    return [
        track
        for track in episode.tracks
        if track.before is None and track.after is not None and track.coin not in placed
    ]
