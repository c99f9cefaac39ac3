"""One coin as the tracker follows it, and the functions that decide whether a tentative track
belongs to it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from referee.domain.episode import MOMENT_S, Rest
from referee.domain.frame_observation import Disc
from referee.domain.geometry import Point, distance, scale, subtract
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.domain.slide import FASTEST_FLICK_MM_S
from referee.tracking.identity.prediction import GATE_MM, LOST_S, Motion
from referee.tracking.identity.tentative_tracks import TentativeTrack, TrackedDisc

# Tuned on our own clips, except where a comment gives another source for a number.

# By definition: `fit_rim` finds a rim from this far. A coin that moved less while it was out of
# sight is found from the place where it was last seen.
FOUND_WITHIN_MM: Final = 3.0


class State(Enum):
    """What a coin is doing, as far as is known."""

    REST = "rest"
    SLIDING = "sliding"
    HIDDEN = "hidden"
    OFF_TABLE = "off_table"
    ON_STACK = "on_stack"


@dataclass
class TrackedCoin:
    """One coin as it is tracked: `rest` is where it last lay still, and `sightings` are those since
    it began to move. `left` says that it was seen leaving its place of rest and then lost from
    sight. `lost` says that it was lost in an earlier episode, clear of any hand. `lay_covered` is
    where it lay before an earlier episode in which it was lost or left the table, if the bare table
    was not seen there since.
    """

    coin: str
    state: State
    rest: Rest | None
    before: Rest | None
    sightings: list[Sighting] = field(default_factory=list)
    hand_frames: set[int] = field(default_factory=set)
    hidden_frames: set[int] = field(default_factory=set)
    quiet_frames: int = 0
    quiet_since_s: float | None = None
    last_there_s: float = 0.0
    lay_until_s: float | None = None
    looked_back: bool = False
    left: bool = False
    beside_hand: set[int] = field(default_factory=set)  # frames in which it was seen beside a hand
    seen_bare: bool = False  # the bare table was seen where it lay
    lost: bool = False
    lay_covered: Rest | None = None
    hidden_from_s: float | None = None  # when it was last seen before a hand first hid it

    @property
    def on_table(self) -> bool:
        """Whether the coin is on the table itself: neither off it nor on a stack of tiles."""
        return self.state not in (State.OFF_TABLE, State.ON_STACK)

    @property
    def lies(self) -> Rest | None:
        """Return the place where the coin lies still; None while it moves, is hidden, or is off the
        table.
        """
        return self.rest if self.state in (State.REST, State.ON_STACK) else None

    @property
    def motion(self) -> Motion | None:
        """Return the coin's place and velocity when it was last seen. For a coin at rest, the
        velocity is 0.
        """
        if self.state is State.REST and self.rest is not None:
            return Motion(self.rest.at_mm, (0.0, 0.0))
        if not self.sightings:
            return None if self.rest is None else Motion(self.rest.at_mm, (0.0, 0.0))
        last = self.sightings[-1]
        return Motion(last.at_mm, self._velocity())

    @property
    def last_seen_s(self) -> float:
        """Return the time at which the coin's place was last known."""
        return max(self.last_there_s, self.sightings[-1].t_s if self.sightings else 0.0)

    @property
    def seen_free(self) -> bool:
        """Whether the coin was seen clear of any hand since it began to move. A coin that was only
        seen at a hand, or beside one, may really be a part of the hand.
        """
        return self.seen_free_since(0.0)

    def seen_free_since(self, from_s: float) -> bool:
        """Return whether the coin was seen clear of any hand at `from_s` or later."""
        beside = self.hand_frames | self.beside_hand
        return any(s.t_s >= from_s and s.frame not in beside for s in self.sightings)

    @property
    def mostly_seen_free(self) -> bool:
        """Whether the coin was seen more than once since it began to move, and clear of any hand in
        most of its sightings.
        """
        beside = self.hand_frames | self.beside_hand
        free = sum(sighting.frame not in beside for sighting in self.sightings)
        return free > 1 and 2 * free > len(self.sightings)

    @property
    def only_seen_lying(self) -> bool:
        """Whether all sightings of the coin show it at the place where it now lies still."""
        at = self.lies
        return at is not None and all(at.is_at(s.at_mm, s.sigma_mm) for s in self.sightings)

    @property
    def lost_before_quiet(self) -> bool:
        """Whether the coin may lie away from where it was last seen, because it was out of sight
        for too long before everything around it became still.
        """
        return self._unseen_s > MOMENT_S

    @property
    def went_on_unseen(self) -> bool:
        """Whether the coin may lie farther along its path than where it was last seen, because it
        was too fast when it was lost from sight. A coin that slows down evenly and stops when
        everything around it is still goes half as far as one that keeps its speed.
        """
        return math.hypot(*self._velocity()) * self._unseen_s / 2 > FOUND_WITHIN_MM

    @property
    def _unseen_s(self) -> float:
        """Return for how many seconds the coin was not seen before everything around it became
        still.
        """
        if self.quiet_since_s is None or not self.sightings:
            return 0.0
        return self.quiet_since_s - self.sightings[-1].t_s

    @property
    def may_lie(self) -> Rest | None:
        """Return the place where the coin lay last, if the bare table has not been seen there
        since; otherwise None.
        """
        return self.lay_covered if self.before is None or self.seen_bare else self.before

    def lies_where_it_lay(self, t_s: float) -> None:
        """Set the coin back to its place of rest, because it is clearly seen there. Sightings since
        it was last seen there showed something else, so they are dropped.
        """
        if self.rest is not None:
            moved = self.rest != self.before
            self.sightings = [s for s in self.sightings if moved and s.t_s <= self.last_there_s]
            (
                self.state,
                self.quiet_frames,
                self.quiet_since_s,
                self.looked_back,
                self.last_there_s,
            ) = (State.REST, 0, None, False, t_s)
            self.lay_until_s = self.lay_until_s if self.sightings else t_s
            self.left = self.seen_bare = False

    def slides_on(self, seen: list[Sighting]) -> None:
        """Record that these sightings of a slide, which were taken for another coin, show this
        coin.
        """
        self.state, self.sightings = State.SLIDING, seen
        self.quiet_frames, self.quiet_since_s = 0, None
        self.hidden_frames -= {s.frame for s in seen}
        self.hand_frames -= {s.frame for s in seen}

    def was_seen(self, way: Sequence[TrackedDisc]) -> None:
        """Add sightings of this coin on its path, right before its last one: discs that belonged to
        no coin until now.
        """
        *before, last = self.sightings
        found = [Sighting(self.coin, g.frame, g.t_s, g.disc.at_mm, g.disc.sigma_mm) for g in way]
        self.sightings = [*before, *found, last]
        self.hidden_frames -= {g.frame for g in way}
        self.hand_frames -= {g.frame for g in way}

    def begin_episode(self, *, searched: bool = True) -> None:
        """Forget what the coin did in the last episode: it starts from where it lies now. A coin
        whose place is not known may lie on the table unseen. Even a coin that seemed to leave the
        table may lie there, if the program never `searched` for it, or never saw the bare table
        where it lay.
        """
        before = self.lies
        if before != self.before or self.sightings:
            self.lay_until_s = None
        if self.on_table:
            unseen = self.seen_free or not searched
        else:
            unseen = self.before is not None and not (searched and self.seen_bare)
        self.lost = before is None and (self.lost or unseen)
        self.lay_covered, self.before = None if before else self.may_lie, before
        self.left = before is None and (self.left or bool(self.since_there()))
        self.sightings, self.hand_frames, self.hidden_frames = [], set(), set()
        self.looked_back, self.seen_bare, self.beside_hand = False, False, set()
        self.hidden_from_s = None

    def joined_to(self, gone: TrackedCoin) -> TrackedCoin:
        """Return this coin with the track of `gone` before its own. Both are the same coin, which
        had left the table or was lost, and was put back. Later sightings of `gone` showed another
        coin, or a hand, so they are dropped. If the place of `gone` at the beginning of the episode
        is not known, it was this coin's place then.
        """
        self.before, self.lost = gone.before or self.before, gone.lost
        since_s = self.sightings[0].t_s if self.sightings else math.inf
        self.sightings = [*(s for s in gone.sightings if s.t_s < since_s), *self.sightings]
        self.hand_frames |= gone.hand_frames
        self.hidden_frames |= gone.hidden_frames
        return self

    def since_there(self) -> list[Sighting]:
        """Return the coin's sightings since it was last clearly seen at its place of rest."""
        return [s for s in self.sightings if s.t_s > self.last_there_s]

    def _velocity(self) -> Point:
        if not self.sightings:
            return (0.0, 0.0)
        last = self.sightings[-1]
        if len(self.sightings) > 1 and last.t_s - self.sightings[-2].t_s < LOST_S:
            earlier = self.sightings[-2]
            return scale(subtract(last.at_mm, earlier.at_mm), 1 / (last.t_s - earlier.t_s))
        if self.rest is not None and 0.0 < last.t_s - self.last_there_s < LOST_S:
            return scale(subtract(last.at_mm, self.rest.at_mm), 1 / (last.t_s - self.last_there_s))
        return (0.0, 0.0)


def may_own_track(coin: TrackedCoin, track: TentativeTrack) -> bool:
    """Return whether a tentative track may belong to this coin.

    The track may belong to a coin that is at rest or hidden. It may also belong to a coin that
    seems to slide, but whose sightings were probably fingers: all of them look like parts of a hand
    and came before the track began, or they were beside a hand and the track has left the hand. A
    single sighting clear of the hand does not rule this out, if a later one was beside the hand
    again.
    """
    if coin.state is not State.SLIDING:
        return coin.state in (State.REST, State.HIDDEN)
    first, seen = track.discs_seen[0].frame, coin.since_there()
    clear = [
        s
        for s in seen
        if not (s.frame in coin.hand_frames and s.frame < first) and s.frame not in coin.beside_hand
    ]
    if track.discs_seen[-1].disc.beside_hand:
        return all(s.frame in coin.hand_frames and s.frame < first for s in seen)
    return not clear or (len(clear) == 1 and clear[0] is not seen[-1])


def may_be(given: Mapping[str, Disc], coin: TrackedCoin, track: TentativeTrack) -> bool:
    """Return whether the track may be this coin: either the coin was given no disc in this frame,
    or its disc lies beside a hand and the track's last disc does not.
    """
    disc = given.get(coin.coin)
    return disc is None or (disc.beside_hand and not track.discs_seen[-1].disc.beside_hand)


def only_one_gone(
    track: TentativeTrack, free: Sequence[TrackedCoin], lost_mm: Mapping[str, Point]
) -> str | None:
    """Return the only coin without a disc, if it can have reached the beginning of the tentative
    track. The coin may have changed direction before it was seen.

    `free` are all coins without a disc. `lost_mm` are the places where the coins lay.
    """
    first = track.discs_seen[0]
    if len(free) != 1 or free[0].coin not in lost_mm or first.disc.at_hand:
        return None
    reach_mm = GATE_MM + FASTEST_FLICK_MM_S * (first.t_s - free[0].last_there_s)
    return free[0].coin if distance(first.disc.at_mm, lost_mm[free[0].coin]) < reach_mm else None


def lost_under_way(track: TentativeTrack, free: Sequence[TrackedCoin]) -> str | None:
    """Return the sliding coin that was lost from sight before a tentative track began, and that can
    have reached the track's beginning. The coin hit something there and changed direction. Return
    None if there is no such coin.
    """
    first = track.discs_seen[0]
    shares = {}
    for coin in free:
        motion, seen = coin.motion, coin.since_there()
        if (
            coin.state is not State.SLIDING
            or motion is None
            or len(seen) < 2
            or seen[-1].frame >= first.frame
        ):
            continue
        reach_mm = GATE_MM + distance(motion.velocity_mm_s, (0.0, 0.0)) * (first.t_s - seen[-1].t_s)
        if (share := distance(first.disc.at_mm, seen[-1].at_mm) / reach_mm) <= 1.0:
            shares[coin.coin] = share
    return min(shares, key=lambda name: shares[name]) if shares else None


def on_lying_coins(
    discs: Sequence[Disc], coins: Iterable[TrackedCoin], sizes: PieceSizes
) -> list[int]:
    """Return the indices of the discs that lie on one of the `coins` at rest: no other coin can be
    there.
    """
    lying = [(c.coin, c.rest.at_mm) for c in coins if c.state is State.REST and c.rest is not None]
    return [
        number
        for number, disc in enumerate(discs)
        if any(distance(disc.at_mm, at_mm) < sizes.width_mm(coin) / 2 for coin, at_mm in lying)
    ]


def give(coin: TrackedCoin, track: TentativeTrack, from_mm: Point | None) -> None:
    """Replace a coin's sightings since the beginning of a tentative track by that track, all but
    its last disc. The old sightings showed something else.

    `from_mm` is the place where the coin lay, if the track begins there. `from_mm` is None if the
    track begins where the coin was lost from sight while it moved.
    """
    first_s = track.discs_seen[0].t_s
    coin.sightings = [s for s in coin.sightings if s.t_s < first_s]
    if coin.state is State.SLIDING and from_mm is not None:
        coin.sightings = [
            s
            for s in coin.sightings
            if s.t_s <= coin.last_there_s or track.leads_through(s.at_mm, from_mm)
        ]
    coin.state, coin.quiet_frames, coin.quiet_since_s = State.SLIDING, 0, None
    coin.sightings += [
        Sighting(coin.coin, g.frame, g.t_s, g.disc.at_mm, g.disc.sigma_mm)
        for g in track.discs_seen[:-1]
    ]
    coin.hidden_frames -= {g.frame for g in track.discs_seen}
    coin.beside_hand |= {g.frame for g in track.discs_seen if g.disc.beside_hand}
    coin.hand_frames -= {g.frame for g in track.discs_seen if not g.disc.at_hand}
