"""Computes one shot, event by event, from the instant coins start to move until nothing moves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from referee.domain.geometry import Point, Polygon, distance, dot, subtract, unit
from referee.domain.layout import Tile
from referee.synthetic.physics.impact import Surface, bounce_discs, bounce_off_tile, climbed
from referee.synthetic.physics.meeting import (
    discs_meet,
    moving_square_met,
    nearest_on_square,
    outline_left,
    square_gap,
    square_met,
    tiles_left,
)
from referee.synthetic.physics.motion import Slide, TileSlide

_MOST_EVENTS: Final = 5000


@dataclass(frozen=True, slots=True)
class Bump:
    """A contact of a coin's rim with `with_` (a coin or a tile). `coin` is the faster of the two
    along the line of centres.

    `coin_slide` and `other` are the two motions before the contact (`other` is None for a tile). If
    they are continued beyond the contact, they show how far the two would have overlapped.
    """

    t_s: float
    coin: str
    with_: str
    closing_mm_s: float
    both_moving: bool
    coin_slide: Slide
    other: Slide | None


@dataclass(frozen=True, slots=True)
class Fall:
    """A coin that left the table because its centre crossed the edge. `slide` is the motion with
    which it left.
    """

    t_s: float
    coin: str
    slide: Slide


@dataclass(frozen=True)
class Table:
    """The pieces on the table and the table's properties. `outline` is counter-clockwise, sizes are
    in mm. `held` are the tiles that hands hold down: nothing moves them.
    """

    coins: Mapping[str, Point]
    tiles: Mapping[str, Tile]
    outline: Polygon
    coin_mm: float
    tile_mm: float
    surface: Surface = field(default_factory=Surface)
    held: frozenset[str] = frozenset()
    tile_thickness_mm: float = 5.0


@dataclass(frozen=True)
class Shot:
    """Everything that happened in a shot: the motions of each coin and each moved tile in order of
    time, bumps, falls, and its end.
    """

    slides: Mapping[str, tuple[Slide, ...]]
    tiles: Mapping[str, tuple[TileSlide, ...]]
    bumps: tuple[Bump, ...]
    falls: tuple[Fall, ...]
    end_s: float


def play(table: Table, begin_s: float, velocities_mm_s: Mapping[str, Point]) -> Shot:
    """Set coins in motion at `begin_s` and simulate until nothing moves.

    A coin that climbs a tile slides on top of it and comes down behind it. On top of a tile it
    meets nothing. Raises ValueError when pieces overlap at the beginning, or where a coin that
    climbed would stop with its centre beside the tile; RuntimeError when the table does not come to
    rest.
    """
    _refuse_overlaps(table)
    run = _Run(table, begin_s, velocities_mm_s)
    for _ in range(_MOST_EVENTS):
        event = min(run.events(), key=lambda e: e[0], default=None)
        if event is None:
            return run.shot()
        run.apply(event)
    raise RuntimeError(f"the table did not come to rest after {_MOST_EVENTS} events")


def _refuse_overlaps(table: Table) -> None:
    names = list(table.coins)
    for i, name in enumerate(names):
        for other in names[i + 1 :]:
            if distance(table.coins[name], table.coins[other]) < table.coin_mm - 1e-6:
                raise ValueError(f"{name} and {other} overlap")
        for place, tile in table.tiles.items():
            at = table.coins[name]
            if distance(at, nearest_on_square(tile, table.tile_mm, at)) < table.coin_mm / 2 - 1e-6:
                raise ValueError(f"{name} and {place} overlap")


_Event = tuple[float, str, str, str]


class _Run:
    """The table during a shot: the present motion of each coin and tile, and the motions that have
    ended.
    """

    def __init__(self, table: Table, begin_s: float, velocities_mm_s: Mapping[str, Point]) -> None:
        self.table, self.now_s = table, begin_s
        slowing = table.surface.slowing_mm_s2
        self.coins = {
            c: Slide(begin_s, at, velocities_mm_s.get(c, (0.0, 0.0)), slowing)
            for c, at in table.coins.items()
        }
        self.tiles = {n: self._tile(begin_s, t, (0.0, 0.0), 0.0) for n, t in table.tiles.items()}
        self.over: dict[str, list[Slide]] = {c: [] for c in self.coins}
        self.tiles_over: dict[str, list[TileSlide]] = {}
        self.bumps: list[Bump] = []
        self.falls: list[Fall] = []

    def _tile(self, begin_s: float, tile: Tile, velocity: Point, spin: float) -> TileSlide:
        return TileSlide(
            begin_s, tile, velocity, spin, self.table.surface.tile_slowing_mm_s2, self.table.tile_mm
        )

    def events(self) -> Iterator[_Event]:
        """Yield everything that may happen next, each with its time. Only the earliest event
        happens.
        """
        for name, tile in self.tiles.items():
            if tile.stop_s > tile.begin_s:
                yield tile.stop_s, "tile stops", name, ""
        for coin, slide in self.coins.items():
            if slide.moving:
                yield slide.stop_s, "stops", coin, ""
                left = outline_left(slide, self.table.outline, self.now_s, slide.stop_s)
                if left is not None:
                    yield left, "falls", coin, ""
            if slide.height_mm == 0.0:
                yield from self._tile_meetings(coin, slide)
            elif slide.moving:
                down = tiles_left(
                    slide,
                    (tile.pose(self.now_s) for tile in self.tiles.values()),
                    self.table.tile_mm,
                    self.table.coin_mm / 2,
                    self.now_s,
                )
                if down is not None:
                    yield down, "comes down", coin, ""
        yield from self._coin_meetings()

    def _tile_meetings(self, coin: str, slide: Slide) -> Iterator[_Event]:
        radius = self.table.coin_mm / 2
        for name, tile in self.tiles.items():
            if tile.stop_s > tile.begin_s:
                until = min(tile.stop_s, slide.stop_s if slide.moving else math.inf)
                met = moving_square_met(slide, tile, radius, self.now_s, until)
            else:
                met = square_met(
                    slide, tile.tile, self.table.tile_mm, radius, self.now_s, slide.stop_s
                )
            if met is not None:
                yield met, "meets tile", coin, name

    def _coin_meetings(self) -> Iterator[_Event]:
        names = [coin for coin, slide in self.coins.items() if slide.height_mm == 0.0]
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                ends = [s.stop_s for s in (self.coins[a], self.coins[b]) if s.moving]
                if ends and min(ends) >= self.now_s:
                    met = discs_meet(
                        self.coins[a], self.coins[b], self.table.coin_mm, self.now_s, min(ends)
                    )
                    if met is not None:
                        yield met, "meets", a, b

    def apply(self, event: _Event) -> None:
        """Apply one event."""
        self.now_s, what, name, other = event
        if what == "stops":
            self._refuse_leaning(name)
            self._set_coin(name, self.coins[name].position(self.now_s), (0.0, 0.0))
        elif what == "comes down":
            slide = self.coins[name]
            self._set_coin(name, slide.position(self.now_s), slide.velocity(self.now_s), 0.0)
        elif what == "tile stops":
            self._set_tile(name, (0.0, 0.0), 0.0)
        elif what == "falls":
            slide = self.coins.pop(name).ended(self.now_s)
            self.over[name].append(slide)
            self.falls.append(Fall(self.now_s, name, slide))
        elif what == "meets":
            self._hit_coin(name, other)
        else:
            self._hit_tile(name, other)

    def _refuse_leaning(self, coin: str) -> None:
        slide = self.coins[coin]
        at = slide.position(self.now_s)
        on = (
            square_gap(tile.pose(self.now_s), self.table.tile_mm, at, 0.0) == 0.0
            for tile in self.tiles.values()
        )
        if slide.height_mm > 0.0 and not any(on):
            raise ValueError(f"{coin} would stop with its centre beside the tile that it is on")

    def _set_coin(
        self, coin: str, at: Point, velocity: Point, height_mm: float | None = None
    ) -> None:
        old = self.coins[coin]
        if self.now_s > old.begin_s:
            self.over[coin].append(old.ended(self.now_s))
        self.coins[coin] = Slide(
            self.now_s,
            at,
            velocity if math.hypot(*velocity) > 1e-6 else (0.0, 0.0),
            old.slowing_mm_s2,
            height_mm=old.height_mm if height_mm is None else height_mm,
        )

    def _set_tile(self, name: str, velocity: Point, spin: float) -> None:
        old = self.tiles[name]
        if old.stop_s > old.begin_s:
            self.tiles_over.setdefault(name, []).append(old.ended(self.now_s))
        self.tiles[name] = self._tile(self.now_s, old.pose(self.now_s), velocity, spin)

    def _hit_coin(self, a: str, b: str) -> None:
        sa, sb, t = self.coins[a], self.coins[b], self.now_s
        pa, pb, va, vb = sa.position(t), sb.position(t), sa.velocity(t), sb.velocity(t)
        normal = unit(subtract(pa, pb))
        closing = dot(subtract(vb, va), normal)
        first, second = (a, b) if -dot(va, normal) >= dot(vb, normal) else (b, a)
        both = math.hypot(*va) > 0.0 and math.hypot(*vb) > 0.0
        self.bumps.append(
            Bump(t, first, second, closing, both, self.coins[first], self.coins[second])
        )
        va, vb = bounce_discs(va, vb, normal, self.table.surface.coin_bounce)
        self._set_coin(a, pa, va)
        self._set_coin(b, pb, vb)

    def _hit_tile(self, coin: str, name: str) -> None:
        slide, tile, t = self.coins[coin], self.tiles[name], self.now_s
        at, pose = slide.position(t), tile.pose(t)
        touch = nearest_on_square(pose, self.table.tile_mm, at)
        normal = unit(subtract(at, touch))
        surface = self.table.surface
        closing = dot(subtract(tile.velocity_of(touch, t), slide.velocity(t)), normal)
        self.bumps.append(Bump(t, coin, name, closing, False, slide, None))
        if closing >= surface.climbs_mm_s and pose.stack == 1:
            high_mm = self.table.tile_thickness_mm
            self._set_coin(coin, at, climbed(slide.velocity(t), normal, high_mm), high_mm)
            return
        kick = bounce_off_tile(
            slide.velocity(t),
            tile.glide_velocity(t),
            tile.spin(t),
            subtract(touch, pose.centre_mm),
            normal,
            math.inf if name in self.table.held else surface.tile_mass * pose.stack,
            self.table.tile_mm,
            surface.tile_bounce,
        )
        self._set_coin(coin, at, kick.coin_mm_s)
        self._set_tile(name, kick.tile_mm_s, kick.tile_rad_s)

    def shot(self) -> Shot:
        """Return what happened. The last motion of every coin is a slide with speed 0."""
        slides = {c: tuple(over) for c, over in self.over.items() if over}
        return Shot(
            slides,
            {n: tuple(m) for n, m in self.tiles_over.items()},
            tuple(self.bumps),
            tuple(self.falls),
            self.now_s,
        )
