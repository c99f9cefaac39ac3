"""Defines exactly what happens in a scene: every coin, tile and hand at every instant, and the
truth about all incidents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

from referee.domain.geometry import Point, add, distance, scale
from referee.domain.layout import Tile
from referee.synthetic.physics.impact import GRAVITY_MM_S2
from referee.synthetic.physics.motion import Slide, TileSlide
from referee.synthetic.scenario.hand import Visit

#: The height of a table above the floor, mm.
TABLE_HEIGHT_MM: Final = 740.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A coin at rest, on the table or on a stack of tiles whose top is `height_mm` above it."""

    begin_s: float
    at_mm: Point
    height_mm: float = 0.0
    state: str = "rest"

    def place(self, t_s: float) -> tuple[float, float, float]:
        """Return the coin's centre and its height over the table, mm."""
        return (*self.at_mm, self.height_mm)

    def speed(self, t_s: float) -> float:
        """Return the coin's speed, mm/s."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Sliding:
    """A coin sliding on the table, or on a tile."""

    slide: Slide
    state: str = "sliding"

    @property
    def begin_s(self) -> float:
        """Return when the coin starts to slide."""
        return self.slide.begin_s

    def place(self, t_s: float) -> tuple[float, float, float]:
        """Return the coin's centre and its height over the table, mm."""
        return (*self.slide.position(t_s), self.slide.height_mm)

    def speed(self, t_s: float) -> float:
        """Return the coin's speed, mm/s."""
        return math.hypot(*self.slide.velocity(t_s))


@dataclass(frozen=True, slots=True)
class Falling:
    """A coin that left the table. It keeps its speed, falls, and lies where it lands."""

    begin_s: float
    from_mm: Point
    velocity_mm_s: Point
    state: str = "off_table"

    def place(self, t_s: float) -> tuple[float, float, float]:
        """Return the coin's centre and its height over the table, mm; negative on the way to the
        floor.
        """
        since = min(t_s - self.begin_s, math.sqrt(2 * TABLE_HEIGHT_MM / GRAVITY_MM_S2))
        return (
            *add(self.from_mm, scale(self.velocity_mm_s, since)),
            -0.5 * GRAVITY_MM_S2 * since * since,
        )

    def speed(self, t_s: float) -> float:
        """Return the coin's speed along the table after the fall: always 0."""
        return 0.0


@dataclass(frozen=True, slots=True)
class Carried:
    """A coin that a hand carries under its fingertip."""

    begin_s: float
    visit: Visit
    state: str = "carried"

    def place(self, t_s: float) -> tuple[float, float, float]:
        """Return the coin's centre and its height over the table, mm."""
        pose = self.visit.pose(min(max(t_s, self.visit.begin_s), self.visit.end_s))
        assert pose is not None
        return (*pose.tip_mm, max(0.0, pose.lift_mm - CARRY_GRIP_MM))

    def speed(self, t_s: float) -> float:
        """Return how fast the hand moves the coin, mm/s."""
        a, b = self.place(t_s - 1e-3), self.place(t_s + 1e-3)
        return distance(a[:2], b[:2]) / 2e-3


#: The height of the hand's frame over the table while the fingertip lies on a coin.
CARRY_GRIP_MM: Final = 4.0

Stretch = Lying | Sliding | Falling | Carried


@dataclass(frozen=True, slots=True)
class Pushed:
    """A tile that a hand moves from one place to another between `begin_s` and `end_s`."""

    begin_s: float
    end_s: float
    from_tile: Tile
    to_tile: Tile

    def pose(self, t_s: float) -> Tile:
        """Return how the tile lies at `t_s`."""
        share = max(0.0, (t_s - self.begin_s) / (self.end_s - self.begin_s))
        if share >= 1.0:
            return self.to_tile
        eased = share * share * (3 - 2 * share)
        a, b = self.from_tile, self.to_tile
        centre = add(scale(a.centre_mm, 1 - eased), scale(b.centre_mm, eased))
        return Tile(centre, a.rotation_deg + (b.rotation_deg - a.rotation_deg) * eased, a.stack)


TileStretch = TileSlide | Pushed


@dataclass(frozen=True, slots=True)
class Held:
    """A hand that holds tiles down from `from_s` to `until_s`, so that nothing moves them."""

    visit: Visit
    tiles: tuple[str, ...]
    from_s: float
    until_s: float


@dataclass
class Timeline:
    """Everything that happens in a scene, filled in action by action. `incidents` and the lists
    below it hold the same values as a clip's truth.
    """

    coins: dict[str, list[Stretch]] = field(default_factory=dict)
    gone_s: dict[str, float] = field(default_factory=dict)
    tiles: dict[str, list[TileStretch]] = field(default_factory=dict)
    first_tiles: dict[str, Tile] = field(default_factory=dict)
    visits: list[Visit] = field(default_factory=list)
    holds: list[Held] = field(default_factory=list)
    declarations: list[dict[str, Any]] = field(default_factory=list)
    incidents: list[dict[str, Any]] = field(default_factory=list)
    near_misses: list[dict[str, Any]] = field(default_factory=list)
    tile_contacts: list[dict[str, Any]] = field(default_factory=list)
    tile_restored: list[dict[str, Any]] = field(default_factory=list)
    rest: list[dict[str, Any]] = field(default_factory=list)
    still_from_s: float = 0.0

    def stretch(self, coin: str, t_s: float) -> Stretch | None:
        """Return what a coin is doing at `t_s`; None while it is not in play (not brought yet, or
        taken away).
        """
        if t_s >= self.gone_s.get(coin, math.inf):
            return None
        now = None
        for stretch in self.coins[coin]:
            if stretch.begin_s <= t_s:
                now = stretch
        return now

    def tile(self, name: str, t_s: float) -> Tile:
        """Return where a tile lies at `t_s`."""
        now = self.first_tiles[name]
        for stretch in self.tiles.get(name, ()):
            if stretch.begin_s <= t_s:
                now = stretch.pose(min(t_s, stretch.end_s))
        return now

    def tile_moves(self, name: str, from_s: float, until_s: float) -> bool:
        """Return whether a tile moves at any time between two instants."""
        return any(s.begin_s < until_s and s.end_s > from_s for s in self.tiles.get(name, ()))

    def hands(self, t_s: float) -> list[Visit]:
        """Return the visits that are going on at `t_s`: first those of hands that hold walls down,
        then at most one of a hand that acts.
        """
        every = [*(hold.visit for hold in self.holds), *self.visits]
        return [v for v in every if v.begin_s <= t_s <= v.end_s]

    def held(self, t_s: float) -> frozenset[str]:
        """Return the tiles that hands hold down at `t_s`."""
        holds = [hold for hold in self.holds if hold.from_s <= t_s <= hold.until_s]
        return frozenset(tile for hold in holds for tile in hold.tiles)

    @property
    def hands_gone_s(self) -> float:
        """Return when the last hand has left the picture; 0 where none comes."""
        every = [*(hold.visit for hold in self.holds), *self.visits]
        return max((visit.end_s for visit in every), default=0.0)

    def lying(self, t_s: float) -> dict[str, Lying]:
        """Return the coins that lie still at `t_s`, including those on a stack of tiles."""
        now = {coin: self.stretch(coin, t_s) for coin in self.coins}
        return {coin: s for coin, s in now.items() if isinstance(s, Lying)}

    def resting(self, t_s: float) -> dict[str, Point]:
        """Return the coins that lie on the table itself at `t_s`, where others may hit them."""
        return {coin: s.at_mm for coin, s in self.lying(t_s).items() if s.height_mm == 0.0}
