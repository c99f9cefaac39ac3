"""Follows every coin from frame to frame and keeps track of which coin is which.

The tracker knows which coins are on the table. A coin at rest keeps its place until it is clearly
gone from there. The discs seen in a frame are assigned to the coins whose places are not known,
each at a place that the coin can have reached (the assignment with the lowest total cost, found by
the algorithm of Kuhn and Munkres). A coin without a disc is hidden; it is never dropped.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from referee.domain.episode import MOMENT_S, STARTED_MM, CoinTrack, Frame, Rest
from referee.domain.frame_observation import Disc, Expected, FrameObservation, Presence
from referee.domain.geometry import Point, contains, distance
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import TELLING_SIGHTINGS, Sighting
from referee.tracking.identity.assignment import Assignment, off_table
from referee.tracking.identity.prediction import LOST_S, slid
from referee.tracking.identity.put_down import hand_on_sightings, put_down, set_back
from referee.tracking.identity.tentative_tracks import (
    TentativeTrack,
    TrackedDisc,
    before_turn,
    extended_tracks,
    on_the_way,
    since,
)
from referee.tracking.identity.tracked_coin import (
    State,
    TrackedCoin,
    give,
    lost_under_way,
    may_be,
    may_own_track,
    on_lying_coins,
    only_one_gone,
)

# Tuned on our own clips, except where a comment gives another source for a number.

DROPPED_KEPT: Final = 20  # Chosen: the most tentative tracks without new discs that are kept


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed in one frame: the coins that began to move, each with its former place, the
    coins that came to rest, and the coins that left the table.
    """

    began: tuple[tuple[str, Point], ...] = ()
    rested: tuple[str, ...] = ()
    left_table: tuple[str, ...] = ()


@dataclass
class Tracker:
    """Tracks all coins of a match through time. `outline` is the table's edge, mm; it is empty when
    the edge is not known.
    """

    outline: tuple[Point, ...]
    sizes: PieceSizes
    coins: dict[str, TrackedCoin] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    hand_frames: set[int] = field(default_factory=set)
    tentative: list[TentativeTrack] = field(default_factory=list)
    dropped: deque[TentativeTrack] = field(default_factory=lambda: deque(maxlen=DROPPED_KEPT))

    def lay(self, coin: str, rest: Rest, t_s: float) -> None:
        """Record that a coin lies still at a known place."""
        known = self.coins.get(coin)
        if known is None:
            self.coins[coin] = TrackedCoin(coin, State.REST, rest, None, last_there_s=t_s)
        else:
            known.state, known.rest = State.REST, rest
            known.quiet_frames, known.last_there_s, known.left = 0, t_s, False

    def expected(self, t_s: float) -> list[Expected]:
        """Return where to search for each coin in the frame whose exposure is half over at
        `t_s`.
        """
        out = []
        for coin in self.coins.values():
            if coin.state is State.SLIDING:
                motion = coin.motion
                if motion is None:
                    continue
                ahead = slid(motion, t_s - coin.last_seen_s)
                out.append(
                    Expected(
                        coin.coin,
                        ahead.at_mm,
                        ahead.velocity_mm_s,
                        motion.at_mm,
                        t_s - coin.last_seen_s,
                        seen_free=coin.seen_free_since(t_s - MOMENT_S),
                    )
                )
            elif coin.rest is not None and coin.on_table:
                maybe_mm, left = self._maybe(coin, t_s), coin.left
                out.append(Expected(coin.coin, coin.rest.at_mm, maybe_mm=maybe_mm, left=left))
        return out

    def _maybe(self, coin: TrackedCoin, t_s: float) -> Point | None:
        """Return the place to which a coin under a hand may have moved, according to a tentative
        track that began at the coin; None if there is no such track.
        """
        if coin.rest is None:
            return None
        for track in self.tentative:
            if (
                len(track.discs_seen) > 1
                and track.came_from({coin.coin: coin.rest.at_mm}) is not None
            ):
                return track.ahead(t_s)
            first_mm = track.discs_seen[0].disc.at_mm
            if distance(first_mm, coin.rest.at_mm) < self.sizes.width_mm(coin.coin):
                return track.discs_seen[-1].disc.at_mm
        return None

    def update(self, observation: FrameObservation) -> Changes:
        """Update all coins with the observation of one frame, and return what changed."""
        self.frames.append(Frame(observation.frame, observation.t_s))
        if observation.hand:
            self.hand_frames.add(observation.frame)
        for name in observation.covered:
            self.coins[name].hand_frames.add(observation.frame)
        for name, presence in observation.presence.items():
            self.coins[name].seen_bare |= presence is Presence.GONE
        for name in observation.not_gone:
            hand_on_sightings(self.coins[name], self.coins)
            self.coins[name].lies_where_it_lay(observation.t_s)
        on_table = [coin for coin in self.coins.values() if coin.on_table]
        unplaced = self._unplaced(observation)
        assignment = Assignment(self.coins, self.tentative, self.outline, self.sizes, observation)
        given = assignment.discs_of(unplaced)
        began, rested = [], []
        began += self._claim_tentative(observation, assignment, unplaced, given)
        for coin in [
            *unplaced,
            *(self.coins[name] for name in given if self.coins[name] not in unplaced),
        ]:
            disc = given.get(coin.coin)
            if disc is None:
                self._not_seen(coin, observation)
            elif self._seen(coin, disc, observation):
                began.append((coin.coin, coin.rest.at_mm if coin.rest else disc.at_mm))
                if coin.rest is not None:
                    last = TrackedDisc(observation.frame, observation.t_s, disc)
                    earlier = [seen.t_s for seen in coin.sightings[:-1]]
                    since_s = max(earlier, default=-math.inf)
                    way = on_the_way(self.tentative, coin.rest.at_mm, since_s, last)
                    coin.was_seen([seen for track in way for seen in track.discs_seen])
                    self.tentative = [t for t in self.tentative if t not in way]
            if coin.state is State.SLIDING and self._stands(coin, observation):
                rested.append(coin.coin)
        left = tuple(coin.coin for coin in on_table if coin.state is State.OFF_TABLE)
        return Changes(tuple(began), tuple(rested), left)

    def ended_s(self, changes: Changes, now_s: float) -> float:
        """Return the time by which the coins of `changes` had come to rest or left the table:
        usually `now_s`. Coins that were seen only at rest, because a hand put them down, already
        lay there when they were first seen.
        """
        rested = [self.coins[name] for name in changes.rested]
        only_lay = not changes.left_table and all(coin.only_seen_lying for coin in rested)
        return max(coin.sightings[0].t_s for coin in rested) if only_lay else now_s

    def _unplaced(self, observation: FrameObservation) -> list[TrackedCoin]:
        """Return the coins that are not clearly seen where they lay."""
        unplaced = []
        for coin in self.coins.values():
            if not coin.on_table:
                continue
            if (
                coin.state is not State.SLIDING
                and not coin.left
                and coin.coin not in observation.presence
            ):
                coin.last_there_s = observation.t_s
                coin.lay_until_s = coin.lay_until_s if coin.sightings else observation.t_s
                coin.state = (
                    State.REST
                    if coin.state is State.HIDDEN and coin.rest is not None and not coin.sightings
                    else coin.state
                )
                continue
            unplaced.append(coin)
        return unplaced

    def _claim_tentative(
        self,
        observation: FrameObservation,
        assignment: Assignment,
        unplaced: list[TrackedCoin],
        given: dict[str, Disc],
    ) -> list[tuple[str, Point]]:
        """Extend the tentative tracks with the discs that belong to no coin, and give each proven
        track to the coin that it must be.

        The coin that gets a track must not be clearly seen where it lay. A coin under a hand counts
        as not clearly seen, because the hand may look just like it. A track whose discs lie still
        goes to the only coin that hands took. A disc where a coin is clearly seen at rest is that
        coin. Returns the coins that began to move, each with its former place.
        """
        there = [c for c in self.coins.values() if c.coin not in observation.presence]
        known = on_lying_coins(observation.discs, there, self.sizes)
        nobodys = [
            d for k, d in enumerate(observation.discs) if d not in given.values() and k not in known
        ]
        was = self.tentative
        self.tentative = extended_tracks(was, observation.frame, observation.t_s, nobodys)
        self.dropped += [t for t in was if all(t is not kept for kept in self.tentative)]
        began = []
        self.tentative = [
            track
            for track in self.tentative
            if not (
                track.lies
                and set_back(self.coins.values(), track, self.hand_frames, observation.t_s)
            )
        ]
        for track in sorted(self.tentative, key=lambda w: w.proof_s):
            doubtful = [
                *unplaced,
                *(
                    self.coins[name]
                    for name in observation.covered - observation.in_view
                    if self.coins[name] not in unplaced
                ),
            ]
            lost = {
                c.coin: c.rest.at_mm
                for c in doubtful
                if may_own_track(c, track) and may_be(given, c, track) and c.rest is not None
            }
            free = [c for c in unplaced if c.coin not in given]
            turned = lost_under_way(track, free) if track.proven else None
            owner = turned or track.shot_from(lost, self.sizes.coin_mm)
            owner = owner or assignment.striker_of(track, lost)
            if track.proven:
                owner = owner or track.came_from(lost) or only_one_gone(track, free, lost)
            if track.lies:
                owner, turned = self._put_down(track, unplaced), None
                owner = owner if owner in lost else None
            if owner is None:
                continue
            if turned is None:
                began.append((owner, lost[owner]))
                lay_until_s = self.coins[owner].last_there_s
                track.discs_seen[:0] = before_turn(track, self.dropped, lost[owner], lay_until_s)
            give(self.coins[owner], track, None if turned else lost[owner])
            given[owner] = track.discs_seen[-1].disc
            self.tentative.remove(track)
        return began

    def _put_down(self, track: TentativeTrack, unplaced: Iterable[TrackedCoin]) -> str | None:
        """Return the only coin that hands took, if `track` is the only track that lies still where
        no coin is known to lie; otherwise None. Tracks within half a coin's width of each other
        show one thing.
        """
        last = track.discs_seen[-1].disc
        others = [
            disc
            for other in self.tentative
            if other.lies
            for disc in [other.discs_seen[-1].disc]
            if distance(disc.at_mm, last.at_mm) > self.sizes.coin_mm / 2
        ]
        lying = on_lying_coins([last, *others], self.coins.values(), self.sizes)
        alone = 0 not in lying and len(lying) == len(others)
        return put_down(unplaced, track.discs_seen[0].t_s) if alone else None

    def _seen(self, coin: TrackedCoin, disc: Disc, observation: FrameObservation) -> bool:
        """Record where a coin was seen. Return True if it has just begun to move."""
        sigma = disc.sigma_mm
        if (
            coin.state is State.REST
            and coin.rest is not None
            and coin.rest.is_at(disc.at_mm, sigma)
        ):
            return False
        began = coin.state is not State.SLIDING
        coin.state, coin.quiet_frames = State.SLIDING, 0 if began else coin.quiet_frames
        coin.sightings.append(
            Sighting(coin.coin, observation.frame, observation.t_s, disc.at_mm, sigma)
        )
        if disc.beside_hand:
            coin.beside_hand.add(observation.frame)
        if disc.at_hand:
            coin.hand_frames.add(observation.frame)
        else:
            coin.hand_frames.discard(observation.frame)
        if off_table(self.outline, disc.at_mm):
            coin.state, coin.rest = State.OFF_TABLE, None
        return began

    def _not_seen(self, coin: TrackedCoin, observation: FrameObservation) -> None:
        """Record that a coin was not seen in this frame, and update its state.

        Where nothing moves, a frame is not searched, so not seeing the coin means nothing: the coin
        is still where it was last seen, unless it was lost before.
        """
        if (
            coin.state is State.SLIDING
            and coin.coin in observation.quiet
            and not (coin.lost_before_quiet or coin.went_on_unseen)
        ):
            return
        coin.hidden_frames.add(observation.frame)
        if coin.hidden_from_s is None and coin.coin in observation.covered:
            coin.hidden_from_s = coin.last_there_s
        if coin.state is State.REST:
            coin.state = (
                State.HIDDEN if observation.presence.get(coin.coin) is Presence.GONE else coin.state
            )
            return
        if (
            coin.state is State.HIDDEN
            and not coin.left
            and not coin.since_there()
            and observation.presence.get(coin.coin) is Presence.COVERED
            and coin.coin in observation.covered
        ):
            # For a moment, a sleeve's shadow looked like the bare table. As far as is known, the
            # coin is under the hand.
            coin.state, coin.seen_bare = State.REST, False
            return
        motion = coin.motion
        if coin.state is State.SLIDING and motion is not None:
            gone_s = observation.t_s - coin.last_seen_s
            if off_table(self.outline, slid(motion, gone_s).at_mm):
                coin.state, coin.rest = State.OFF_TABLE, None
            elif gone_s > LOST_S:
                coin.state, coin.left = State.HIDDEN, coin.seen_free

    def _stands(self, coin: TrackedCoin, observation: FrameObservation) -> bool:
        """Return whether a moving coin has come to rest: it was last seen at one place, and nothing
        around it has moved for a while.

        If the coin has come to rest, its place of rest is the mean of its last sightings. A coin
        that went over the table's edge is marked as off the table.
        """
        seen_now = bool(coin.sightings) and coin.sightings[-1].frame == observation.frame
        if (
            coin.coin not in observation.quiet
            or not coin.sightings
            or (observation.changing and not seen_now)
        ):
            coin.quiet_frames, coin.quiet_since_s = 0, None
            return False
        coin.quiet_frames += 1
        coin.quiet_since_s = observation.t_s if coin.quiet_since_s is None else coin.quiet_since_s
        if (
            coin.quiet_frames < TELLING_SIGHTINGS
            or observation.t_s - coin.quiet_since_s < MOMENT_S
            or coin.lost_before_quiet
            or (
                coin.coin in observation.covered
                # the edge of an arm looks like a coin in some frames
                and not coin.mostly_seen_free
            )
        ):
            return False
        if self._went_over(coin):
            coin.state, coin.rest = State.OFF_TABLE, None
            return False
        if coin.went_on_unseen:
            return False
        last = [
            s
            for s in coin.sightings[-TELLING_SIGHTINGS:]
            if distance(s.at_mm, coin.sightings[-1].at_mm) < STARTED_MM
        ]
        middle = (
            sum(s.at_mm[0] for s in last) / len(last),
            sum(s.at_mm[1] for s in last) / len(last),
        )
        self.lay(coin.coin, Rest(middle, last[-1].sigma_mm), observation.t_s)
        return True

    def _went_over(self, coin: TrackedCoin) -> bool:
        """Return whether a coin has fallen off the table: it was last seen moving with its centre
        beyond the table's edge.

        A coin that falls beyond the far edge may seem to come back to the table, so each of its
        last few sightings counts.
        """
        last = coin.sightings[-TELLING_SIGHTINGS:]
        moved = len(last) > 1 and distance(last[-1].at_mm, last[-2].at_mm) > STARTED_MM
        return (
            moved and bool(self.outline) and any(not contains(self.outline, s.at_mm) for s in last)
        )

    def tracks(self) -> tuple[CoinTrack, ...]:
        """Return what every coin did since the last episode was closed."""
        return tuple(
            CoinTrack(
                c.coin,
                c.before,
                c.lies,
                tuple(c.sightings),
                frozenset(c.hand_frames),
                frozenset(c.hidden_frames),
                lay_until_s=None if c.before is None else c.lay_until_s,
                lost=c.lost,
            )
            for c in self.coins.values()
        )

    def close(self, keep: Iterable[Frame] | None = None) -> None:
        """Begin a new episode: every coin starts from where it lies now. `keep` are the frames of
        the old episode that show that all coins lay still. If `keep` is empty, no frame was
        searched for coins.
        """
        self.frames, self.hand_frames = list(keep or ()), set()
        if self.frames:  # what was seen before belongs to the old episode
            self.tentative = since(self.tentative, self.frames[0].number)
        searched = keep is None or bool(self.frames)
        for coin in self.coins.values():
            coin.begin_episode(searched=searched)

    def forget(self, coins: Iterable[str]) -> None:
        """Stop following these coins, which turned out not to be coins."""
        for coin in coins:
            del self.coins[coin]

    def rename(self, names: Mapping[str, str]) -> None:
        """Give coins other names (old name to new one), all at once."""
        renamed: dict[str, TrackedCoin] = {}
        for old, coin in self.coins.items():
            new = names.get(old, old)
            coin.coin = new
            coin.sightings = [replace(s, coin=new) for s in coin.sightings]
            known = renamed.get(new)
            renamed[new] = coin if known is None else coin.joined_to(known)
        self.coins, self.sizes = renamed, self.sizes.renamed(names)
