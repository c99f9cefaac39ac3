"""Coins that slide by the law of dry friction, computed in closed form, and what a camera would see
of them.
"""

import math
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from referee.domain.episode import CoinTrack, Episode, Frame, Rest
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile, template_course
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import Sighting
from referee.domain.table_edge import EdgeSide

COIN_MM = 20.0
TILE_MM = 50.0
SLOWING = 2000.0
EDGE_MM = ((-600.0, -350.0), (600.0, -350.0), (600.0, 350.0), (-600.0, 350.0))


@dataclass(frozen=True)
class Leg:
    """A coin that slides from `at` with `velocity` from `begin_s` on, slowing down by SLOWING until
    it stops.
    """

    begin_s: float
    at: Point
    velocity: Point

    @property
    def speed(self) -> float:
        return math.hypot(*self.velocity)

    def place(self, t_s: float) -> Point:
        since = min(max(t_s - self.begin_s, 0.0), self.speed / SLOWING)
        way = (since - 0.5 * SLOWING * since**2 / self.speed) if self.speed else 0.0
        return (self.at[0] + self.velocity[0] * way, self.at[1] + self.velocity[1] * way)

    def velocity_at(self, t_s: float) -> Point:
        left = max(0.0, 1.0 - SLOWING * (t_s - self.begin_s) / self.speed) if self.speed else 0.0
        return (self.velocity[0] * left, self.velocity[1] * left)

    def when(self, way_mm: float) -> float:
        """Return the instant at which it has come `way_mm` far: the smaller root of v t - a t^2 / 2
        = way.
        """
        return (
            self.begin_s + (self.speed - math.sqrt(self.speed**2 - 2 * SLOWING * way_mm)) / SLOWING
        )

    @property
    def stop(self) -> Point:
        return self.place(self.begin_s + 10.0)


@dataclass(frozen=True)
class Coin:
    """A coin's legs in order of time. Without legs it lies at `at`. `gone_s` is when it fell off
    the table.
    """

    name: str
    at: Point
    legs: tuple[Leg, ...] = ()
    gone_s: float = math.inf
    hand_s: tuple[float, float] = (1.0, 0.0)
    hidden_s: tuple[float, float] = (1.0, 0.0)

    def place(self, t_s: float) -> Point:
        held = [leg for leg in self.legs if leg.begin_s <= t_s]
        return held[-1].place(t_s) if held else self.at


@dataclass(frozen=True)
class Shot:
    """What happens on a table: coins, frames a second, and the camera's errors."""

    coins: tuple[Coin, ...]
    fps: float = 60.0
    until_s: float = 1.0
    sigma_mm: float = 0.5
    rest_sigma_mm: float = 0.1
    exposure_s: float = 0.004
    seed: int = 1
    course: Course = field(default_factory=lambda: Course(MappingProxyType({}), TILE_MM))
    course_after: Course | None = None
    drop: frozenset[int] = frozenset()

    def episode(self) -> Episode:
        """Return the episode that a camera would make of it: every sighting and rest has a random
        error with its sigma.
        """
        rng = np.random.default_rng(self.seed)
        frames = tuple(
            Frame(k, k / self.fps + 0.003)
            for k in range(int(self.until_s * self.fps))
            if k not in self.drop
        )
        tracks = tuple(self._track(coin, frames, rng) for coin in self.coins)
        hand = frozenset(
            f.number for f in frames if any(c.hand_s[0] <= f.t_s <= c.hand_s[1] for c in self.coins)
        )
        after = self.course if self.course_after is None else self.course_after
        sizes = PieceSizes(TILE_MM, 6.0, COIN_MM, 3.0)
        return Episode(
            frames, tracks, self.course, after, table_edge(), sizes, self.exposure_s, hand
        )

    def _track(self, coin: Coin, frames: tuple[Frame, ...], rng: np.random.Generator) -> CoinTrack:
        def near(at: Point, sigma: float) -> Point:
            return (at[0] + float(rng.normal(0, sigma)), at[1] + float(rng.normal(0, sigma)))

        hand = frozenset(f.number for f in frames if coin.hand_s[0] <= f.t_s <= coin.hand_s[1])
        hidden = frozenset(
            f.number
            for f in frames
            if coin.hidden_s[0] <= f.t_s <= coin.hidden_s[1] or f.t_s >= coin.gone_s
        )
        begun = coin.legs[0].begin_s if coin.legs else math.inf
        seen = [f for f in frames if f.number not in hidden and f.t_s > begun]
        sightings = tuple(
            Sighting(
                coin.name, f.number, f.t_s, near(coin.place(f.t_s), self.sigma_mm), self.sigma_mm
            )
            for f in seen
        )
        after = (
            None
            if coin.gone_s < math.inf
            else Rest(near(coin.place(99.0), self.rest_sigma_mm), self.rest_sigma_mm)
        )
        return CoinTrack(
            coin.name,
            Rest(near(coin.at, self.rest_sigma_mm), self.rest_sigma_mm),
            after,
            sightings,
            hand,
            hidden,
        )


def table_edge(
    sigma_mm: float = 0.5, from_share: float = 0.0, to_share: float = 1.0
) -> tuple[EdgeSide, ...]:
    """Return the outline of a table of 1200 by 700 mm around the origin."""
    return tuple(
        EdgeSide(a, b, sigma_mm, from_share, to_share)
        for a, b in zip(EDGE_MM, (*EDGE_MM[1:], EDGE_MM[0]), strict=True)
    )


def course_at(x_mm: float = 0.0, y_mm: float = 0.0) -> Course:
    """Return the template course of Tabletop Croquet, moved so that its middle is at the given
    place.
    """
    template = template_course("tabletop-croquet", TILE_MM)
    tiles = {
        n: Tile(
            (t.centre_mm[0] - 12 * TILE_MM + x_mm, t.centre_mm[1] + y_mm), t.rotation_deg, t.stack
        )
        for n, t in template.tiles.items()
    }
    return Course(MappingProxyType(tiles), TILE_MM)


def flicked(name: str, at: Point, velocity: Point, begin_s: float = 0.2) -> Coin:
    """Return a coin that a hand sets in motion at `begin_s`."""
    return Coin(name, at, (Leg(begin_s, at, velocity),), hand_s=(0.0, begin_s + 0.01))


def hit(striker: Coin, struck: Coin, bounce: float = 0.9) -> tuple[Coin, Coin, float]:
    """Return both coins after the striker's last leg hits the other, which lies still, and when.

    Masses are equal and nothing rubs. Along the line of centres, the striker keeps (1 - bounce) / 2
    of its velocity and the struck coin gets (1 + bounce) / 2. The place follows from a right
    triangle with the distance to the side and the diameter.
    """
    leg = striker.legs[-1]
    heading = (leg.velocity[0] / leg.speed, leg.velocity[1] / leg.speed)
    gap = (struck.at[0] - leg.at[0], struck.at[1] - leg.at[1])
    along, aside = (
        gap[0] * heading[0] + gap[1] * heading[1],
        heading[0] * gap[1] - heading[1] * gap[0],
    )
    t_s = leg.when(along - math.sqrt(COIN_MM**2 - aside**2))
    at, velocity = leg.place(t_s), leg.velocity_at(t_s)
    normal = ((struck.at[0] - at[0]) / COIN_MM, (struck.at[1] - at[1]) / COIN_MM)
    closing = velocity[0] * normal[0] + velocity[1] * normal[1]
    given = ((1 + bounce) / 2 * closing * normal[0], (1 + bounce) / 2 * closing * normal[1])
    kept = (velocity[0] - given[0], velocity[1] - given[1])
    after = Coin(
        striker.name,
        striker.at,
        (*striker.legs, Leg(t_s, at, kept)),
        striker.gone_s,
        striker.hand_s,
        striker.hidden_s,
    )
    return after, Coin(struck.name, struck.at, (Leg(t_s, struck.at, given),), struck.gone_s), t_s


def rebounded(coin: Coin, wall_x_mm: float, bounce: float = 0.5) -> tuple[Coin, float]:
    """Return the coin after its rim, moving in +x, hits a wall at `wall_x_mm`, and when."""
    leg = coin.legs[-1]
    t_s = leg.when((wall_x_mm - 0.5 * COIN_MM - leg.at[0]) * leg.speed / leg.velocity[0])
    vx, vy = leg.velocity_at(t_s)
    return (
        Coin(
            coin.name,
            coin.at,
            (*coin.legs, Leg(t_s, leg.place(t_s), (-bounce * vx, vy))),
            hand_s=coin.hand_s,
        ),
        t_s,
    )
