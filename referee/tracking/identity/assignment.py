"""Assigns the discs found in a frame to the coins whose places are not known. A coin can only get a
disc at a place that it can have reached.

A coin does not get a disc that is more likely something else: the coin that struck this coin, or a
part of a hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from referee.domain.episode import MOMENT_S
from referee.domain.frame_observation import Disc, FrameObservation, Presence
from referee.domain.geometry import Point, contains, distance, inside_by
from referee.domain.pieces import PieceSizes
from referee.domain.slide import FASTEST_FLICK_MM_S
from referee.tracking.identity.prediction import (
    GATE_MM,
    GATE_OF_STEP,
    LOST_S,
    Candidate,
    Motion,
    candidate_places,
    slid,
    through,
)
from referee.tracking.identity.prices import MOST_COST, UNLIKELY_PRICE
from referee.tracking.identity.tentative_tracks import ASIDE_MM, TentativeTrack
from referee.tracking.identity.tracked_coin import State, TrackedCoin, on_lying_coins

# Tuned on our own clips, except where a comment gives another source for a number.


def off_table(outline: Sequence[Point], at_mm: Point) -> bool:
    """Return whether a place is clearly beyond the table's edge; False when the edge is not known
    (`outline` is empty).
    """
    return bool(outline) and not contains(outline, at_mm) and inside_by(outline, at_mm) < -ASIDE_MM


@dataclass(frozen=True, slots=True)
class Assignment:
    """Decides which disc of a frame is which coin, from the coins, the tentative tracks up to this
    frame, the table's edge (mm, empty if it is not known), and the frame's observation.
    """

    coins: Mapping[str, TrackedCoin]
    tentative: Sequence[TentativeTrack]
    outline: Sequence[Point]
    sizes: PieceSizes
    observation: FrameObservation

    def discs_of(self, unplaced: Sequence[TrackedCoin]) -> dict[str, Disc]:
        """Return the disc of each coin that gets one, from the assignment with the lowest total
        cost.
        """
        discs = self.observation.discs
        if not discs or not unplaced:
            return {}
        motions = {
            c.coin: m for c in self.coins.values() if c.on_table and (m := c.motion) is not None
        }
        cost = np.full((len(unplaced), len(discs) + len(unplaced)), MOST_COST)
        for row, coin in enumerate(unplaced):
            if coin.coin in motions:
                cost[row, : len(discs)] = self._costs(coin, motions)
        lying = (coin for coin in self.coins.values() if coin not in unplaced)
        cost[:, on_lying_coins(discs, lying, self.sizes)] = MOST_COST
        rows, columns = linear_sum_assignment(cost)
        return {
            unplaced[r].coin: discs[c]
            for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
            if c < len(discs) and cost[r, c] < MOST_COST
        }

    def striker_of(self, track: TentativeTrack, places_mm: Mapping[str, Point]) -> str | None:
        """Return the coin that lay under a hand and made this track. The track must lead straight
        from that coin's place into another coin, and that other coin must have left its place.
        Return None if there is no such coin.
        """
        if len(track.discs_seen) < 2:
            return None
        last, until = track.discs_seen[-1], TentativeTrack(track.discs_seen[:-1])
        if any(seen.disc.beside_hand for seen in track.discs_seen):
            return None
        for struck in self.coins.values():
            if striker := self._striker(struck, until, last.disc, places_mm):
                return striker
        return None

    def _costs(self, coin: TrackedCoin, motions: Mapping[str, Motion]) -> NDArray[np.float64]:
        """Return for each disc the cost of assigning it to this coin, shape (discs,)."""
        seen, discs = self.observation, self.observation.discs
        since_s = max(seen.t_s - coin.last_seen_s, 1e-3)
        places = candidate_places(coin.coin, motions, since_s, self.sizes)
        gate_mm = GATE_MM + GATE_OF_STEP * min(since_s, MOMENT_S) * _reach_mm_s(
            coin, self.coins.values()
        )
        reach_mm = GATE_MM + FASTEST_FLICK_MM_S * since_s
        at_mm, width_mm = motions[coin.coin].at_mm, self.sizes.width_mm(coin.coin)
        others = [m.at_mm for name, m in motions.items() if name != coin.coin]
        covered = self._covered(coin) and coin.coin in seen.covered
        cost = np.full(len(discs), MOST_COST)
        for column, disc in enumerate(discs):
            likely = self._likely(coin, disc, places, gate_mm)
            if likely and distance(disc.at_mm, at_mm) <= reach_mm:
                off = min(
                    (distance(disc.at_mm, g.at_mm) / gate_mm) ** 2 + g.penalty for g in likely
                )
                unlikely = covered + through(at_mm, disc.at_mm, others, width_mm)
                unlikely += self._anothers(coin, disc, motions)
                cost[column] = off + UNLIKELY_PRICE * unlikely
        return cost

    def _likely(
        self, coin: TrackedCoin, disc: Disc, places: Sequence[Candidate], gate_mm: float
    ) -> Sequence[Candidate]:
        """Return the `places` at which this disc may be the coin. A fingertip beside a covered coin
        looks much like the coin, so a disc beside a hand counts only at a place that the coin
        reaches after a hit by another coin. A disc at rest is not given to a coin that was lost
        long before, because a hand may have put that coin down anywhere.
        """
        gone_s = self.observation.t_s - coin.last_seen_s
        lies = disc.still and coin.state is not State.SLIDING and gone_s > LOST_S
        if lies or self._strikers(coin, disc) or self._withdrawn(coin, disc):
            return []
        covered = self._covered(coin) and coin.coin in self.observation.covered
        if disc.at_hand and (covered or self._nearer_covered(coin, disc)):
            return [g for g in places if g.hit and distance(disc.at_mm, g.at_mm) < gate_mm / 2]
        return places

    def _covered(self, coin: TrackedCoin) -> bool:
        """Return whether a hand covers the place where a coin lay; False if the coin is seen
        sliding.
        """
        presence = self.observation.presence.get(coin.coin)
        return coin.state is not State.SLIDING and presence is Presence.COVERED

    def _strikers(self, coin: TrackedCoin, disc: Disc) -> bool:
        """Return whether a disc is more likely another coin, which came from under a hand and
        struck this coin.
        """
        seen = self.observation
        if not self.tentative:
            return False
        places = {
            name: other.rest.at_mm
            for name in seen.covered - seen.in_view
            if (other := self.coins[name]).rest is not None and name != coin.coin
        }
        return any(self._striker(coin, track, disc, places) for track in self.tentative)

    def _striker(
        self, struck: TrackedCoin, track: TentativeTrack, disc: Disc, places_mm: Mapping[str, Point]
    ) -> str | None:
        """Return the coin that hit `struck` and may be this disc now. The returned coin came from
        one of the places, its track led into `struck`, and `struck` has clearly left its own place.
        Return None if there is no such coin.
        """
        gone = self.observation.presence.get(struck.coin) is Presence.GONE
        if struck.state is State.SLIDING or struck.rest is None or not gone:
            return None
        at_mm, width_mm = struck.rest.at_mm, self.sizes.width_mm(struck.coin)
        for name, from_mm in places_mm.items():
            its = len(track.discs_seen) == 1 or name == track.came_from(places_mm)
            if its and track.struck(at_mm, from_mm, self.observation.t_s, disc, width_mm):
                return name
        return None

    def _anothers(self, coin: TrackedCoin, disc: Disc, motions: Mapping[str, Motion]) -> bool:
        """Return whether a disc probably is another coin: this coin does not slide, and the disc is
        where another coin, which was just seen sliding, is predicted to be.
        """
        t_s = self.observation.t_s
        if coin.state is State.SLIDING:
            return False
        return any(
            distance(disc.at_mm, slid(motions[name], ahead_s).at_mm) < self.sizes.width_mm(name) / 2
            for name, other in self.coins.items()
            if other.state is State.SLIDING
            and name in motions
            and (ahead_s := t_s - other.last_seen_s) < MOMENT_S
        )

    def _withdrawn(self, coin: TrackedCoin, disc: Disc) -> bool:
        """Return whether a disc is more likely a part of the hand that covers or covered this coin.
        The disc is then beyond the table's edge, across which hands come and withdraw.
        """
        hidden = coin.state is not State.SLIDING and (
            disc.at_hand or self._covered(coin) or self.observation.t_s - coin.last_seen_s > LOST_S
        )
        return hidden and off_table(self.outline, disc.at_mm)

    def _nearer_covered(self, coin: TrackedCoin, disc: Disc) -> bool:
        """Return whether a disc beside a hand is nearer to the place of another coin, which a hand
        covers, than to the place of this one.
        """
        if coin.state is State.SLIDING or coin.rest is None:
            return False
        own = distance(disc.at_mm, coin.rest.at_mm)
        others = (
            self.coins[name]
            for name, p in self.observation.presence.items()
            if p is Presence.COVERED and name != coin.coin
        )
        return any(
            other.rest is not None and distance(disc.at_mm, other.rest.at_mm) < own
            for other in others
        )


def _reach_mm_s(coin: TrackedCoin, coins: Iterable[TrackedCoin]) -> float:
    """Return the highest speed, mm/s, that `coin` may have. `coins` are all coins.

    Anything may have hit a coin at rest. A moving coin is no faster than before unless something
    hits it.
    """
    motion = coin.motion
    speed = distance(motion.velocity_mm_s, (0.0, 0.0)) if motion else 0.0
    fastest = max(
        [
            distance(m.velocity_mm_s, (0.0, 0.0))
            for c in coins
            if c.state is State.SLIDING and (m := c.motion)
        ],
        default=0.0,
    )
    if coin.state is State.SLIDING and len(coin.sightings) > 1:
        return max(speed, 0.5 * fastest, 100.0)
    return max(FASTEST_FLICK_MM_S / 3, fastest)
