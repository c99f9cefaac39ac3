"""What an ideal camera observes of coins that slide by the law of dry friction: observations
computed in closed form, with some frames or sightings missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from referee.domain.episode import Rest
from referee.domain.frame_observation import Disc, Expected, FrameObservation, Presence
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.tracked_coin import State
from referee.tracking.identity.tracker import Changes, Tracker

COIN_MM = 20.0
SIGMA_MM = 0.4
# Along each axis: a disc in full view is fitted at least this well, and the frame analysis itself
# treats 1.5 mm as a move.
MOST_OFF_MM = 1.0
SEEN_MOVED_MM = 1.5  # a coin this far from where it lay is seen to have moved
OUTLINE = ((-600.0, -350.0), (600.0, -350.0), (600.0, 350.0), (-600.0, 350.0))


@dataclass(frozen=True)
class Slide:
    """A coin that slides from `at` with `velocity` from `begin_s` on, slowing down evenly until it
    stops.
    """

    begin_s: float
    at: Point
    velocity: Point
    slowing: float

    @property
    def speed(self) -> float:
        return math.hypot(*self.velocity)

    def place(self, t_s: float) -> Point:
        since = min(max(t_s - self.begin_s, 0.0), self.speed / self.slowing)
        share = since - 0.5 * self.slowing * since**2 / self.speed if self.speed else 0.0
        return (self.at[0] + self.velocity[0] * share, self.at[1] + self.velocity[1] * share)

    def velocity_at(self, t_s: float) -> Point:
        left = (
            max(0.0, 1.0 - self.slowing * (t_s - self.begin_s) / self.speed) if self.speed else 0.0
        )
        return (self.velocity[0] * left, self.velocity[1] * left)

    @property
    def stops(self) -> Point:
        """Return where it stops: v2 / 2a farther on."""
        stop_s = self.speed / (2 * self.slowing)
        return (self.at[0] + self.velocity[0] * stop_s, self.at[1] + self.velocity[1] * stop_s)


Way = Callable[[float], Point | None]  # a coin's place over time; None while it is not on the table


def lying(at: Point) -> Way:
    return lambda _: at


def sliding(*slides: Slide) -> Way:
    """Return one slide after another, each from its own beginning."""

    def place(t_s: float) -> Point:
        begun = [s for s in slides if s.begin_s <= t_s]
        return begun[-1].place(t_s) if begun else slides[0].at

    return place


def met(a: Slide, b: Slide) -> float | None:
    """Return when the rims of two sliding coins first touch, found in steps of a tenth of a
    millisecond; None when they never do.
    """
    for t_s in np.arange(max(a.begin_s, b.begin_s), max(a.begin_s, b.begin_s) + 2.0, 1e-4):
        if distance(a.place(float(t_s)), b.place(float(t_s))) <= COIN_MM:
            return float(t_s)
    return None


def bounced(a: Slide, b: Slide, t_s: float, bounce: float) -> tuple[Slide, Slide]:
    """Return two equal coins from `t_s` on, when their rims touch. Along the line of centres
    momentum is conserved, and the share `bounce` of the closing speed remains.
    """
    at_a, at_b, v_a, v_b = a.place(t_s), b.place(t_s), a.velocity_at(t_s), b.velocity_at(t_s)
    gap = distance(at_a, at_b)
    line = ((at_b[0] - at_a[0]) / gap, (at_b[1] - at_a[1]) / gap)
    closing = (v_a[0] - v_b[0]) * line[0] + (v_a[1] - v_b[1]) * line[1]
    push = 0.5 * (1 + bounce) * closing
    after_a = (v_a[0] - push * line[0], v_a[1] - push * line[1])
    after_b = (v_b[0] + push * line[0], v_b[1] + push * line[1])
    return Slide(t_s, at_a, after_a, a.slowing), Slide(t_s, at_b, after_b, b.slowing)


@dataclass
class Play:
    """Coins by name and how each moves. `blind` are (coin, frame) pairs in which a coin is not
    found. `dropped` are frames that never came.

    `hand` says when a hand is over a place: (from, to, place, reach in mm). It covers what lies
    there.
    """

    coins: dict[str, Way]
    fps: float = 60.0
    blind: frozenset[tuple[str, int]] = frozenset()
    dropped: frozenset[int] = frozenset()
    hands: tuple[tuple[float, float, Point, float], ...] = ()
    seed: int = 1
    tracker: Tracker = field(default_factory=lambda: Tracker(OUTLINE, PieceSizes(coin_mm=COIN_MM)))
    changes: list[Changes] = field(default_factory=list)
    _rng: np.random.Generator = field(init=False)
    _before_s: float = 0.0

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        for name, place_at in self.coins.items():
            at = place_at(0.0)
            if at is not None:
                self.tracker.lay(name, Rest(at, 0.2), 0.0)
        self.tracker.close()

    def until(self, end_s: float) -> Play:
        """Add every frame up to `end_s`."""
        for frame in range(1, int(end_s * self.fps)):
            if frame not in self.dropped:
                self.changes.append(self.tracker.update(self.observation(frame)))
        return self

    def observation(self, frame: int) -> FrameObservation:
        t_s = frame / self.fps
        expected = {e.coin: e for e in self.tracker.expected(t_s)}
        places = {name: place_at(t_s) for name, place_at in self.coins.items()}
        moved = {n for n, at in places.items() if _far(at, self.coins[n](self._before_s), 0.05)}
        hand = [h for h in self.hands if h[0] <= t_s <= h[1]]
        changing = bool(moved) or any(h[0] <= t_s <= h[1] + 0.05 for h in self.hands)
        self._before_s = t_s
        covered = {
            n for n, e in expected.items() if any(distance(e.at_mm, h[2]) <= h[3] for h in hand)
        }
        presence = {n: Presence.COVERED for n in covered if expected[n].velocity_mm_s is None}
        for n, e in expected.items():
            if (
                e.velocity_mm_s is None
                and n not in covered
                and _far(places[n], e.at_mm, SEEN_MOVED_MM)
            ):
                presence[n] = Presence.GONE
        quiet = frozenset(
            n
            for n, e in expected.items()
            if e.velocity_mm_s is not None and n not in moved and n not in covered
        )
        seen = [
            d
            for n, at in places.items()
            if at is not None and self._visible(n, at, frame, expected.get(n), hand)
            for d in [self._disc(at, hand)]
        ]
        order = self._rng.permutation(len(seen))
        return FrameObservation(
            frame,
            t_s,
            changing,
            bool(hand),
            tuple(seen[k] for k in order) if changing else (),
            presence,
            quiet,
            frozenset(covered),
        )

    def _visible(
        self,
        name: str,
        at: Point,
        frame: int,
        expected: Expected | None,
        hand: list[tuple[float, float, Point, float]],
    ) -> bool:
        """Whether a coin that is not where it lay still is found as a disc."""
        lies = (
            expected is not None
            and expected.velocity_mm_s is None
            and not _far(at, expected.at_mm, SEEN_MOVED_MM)
        )
        return (
            not lies
            and (name, frame) not in self.blind
            and not any(distance(at, h[2]) <= h[3] for h in hand)
        )

    def _disc(self, at: Point, hand: list[tuple[float, float, Point, float]]) -> Disc:
        x, y = np.clip(self._rng.normal(0, SIGMA_MM, 2), -MOST_OFF_MM, MOST_OFF_MM)
        return Disc(
            (at[0] + float(x), at[1] + float(y)),
            SIGMA_MM,
            1.0,
            any(distance(at, h[2]) <= h[3] + COIN_MM for h in hand),
        )

    @property
    def began(self) -> list[str]:
        """Return the coins that began to move, in order."""
        return [name for s in self.changes for name, _ in s.began]

    @property
    def rested(self) -> list[str]:
        return [name for s in self.changes for name in s.rested]


def assert_followed(play: Play, ends: dict[str, Point]) -> None:
    """Check that no coin was lost or mistaken for another, and that each is at rest where physics
    says.
    """
    assert set(play.tracker.coins) == set(play.coins)
    for track in play.tracker.tracks():
        for s in track.sightings:
            own = play.coins[track.coin](s.t_s)
            assert own is not None and distance(s.at_mm, own) < 8 * SIGMA_MM, (
                f"{track.coin} in frame {s.frame}"
            )
        assert play.tracker.coins[track.coin].state is State.REST, track.coin
        assert track.after is not None and distance(track.after.at_mm, ends[track.coin]) < 1.5, (
            track.coin
        )


def _far(at: Point | None, other: Point | None, by_mm: float) -> bool:
    if at is None or other is None:
        return at is not other
    return distance(at, other) > by_mm


def under_a_hand(
    frame: int,
    fps: float,
    discs: Iterable[Disc],
    presence: Mapping[str, Presence],
    covered: Iterable[str],
) -> FrameObservation:
    """Return what a frame shows in which something moves and a hand is over the `covered` coins,
    none of them in view.
    """
    return FrameObservation(
        frame, frame / fps, True, True, tuple(discs), presence, frozenset(), frozenset(covered)
    )
