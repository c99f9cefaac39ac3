"""Describes how discs and tiles slide on a synthetic table under dry friction, in closed form.

Nothing here is simulated in time steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from referee.domain import slide
from referee.domain.geometry import Point, add, scale
from referee.domain.layout import Tile

#: The mean distance of a unit square's points from its middle: sqrt(2)/6 + asinh(1)/6. It is the
#: arm of friction when a tile turns on the spot.
_SQUARE_ARM: Final = (math.sqrt(2) + math.asinh(1)) / 6


@dataclass(frozen=True, slots=True)
class Slide:
    """The motion of a disc's centre from `begin_s` on: it starts at `from_mm` with `velocity_mm_s`
    and slows down evenly until it stops.

    `end_s` is when something next changes the disc's motion (math.inf while unknown). A disc at
    rest is a slide with speed 0. `height_mm` is the height above the table at which the disc
    slides, if it is on top of a tile.
    """

    begin_s: float
    from_mm: Point
    velocity_mm_s: Point = (0.0, 0.0)
    slowing_mm_s2: float = 0.0
    end_s: float = math.inf
    height_mm: float = 0.0

    @property
    def speed_mm_s(self) -> float:
        """Return the speed at `begin_s`."""
        return math.hypot(*self.velocity_mm_s)

    @property
    def heading(self) -> Point:
        """Return the unit vector of the motion; (0, 0) at rest."""
        speed = self.speed_mm_s
        return scale(self.velocity_mm_s, 1 / speed) if speed > 0.0 else (0.0, 0.0)

    @property
    def moving(self) -> bool:
        """Whether the disc moves at `begin_s`."""
        return self.speed_mm_s > 0.0

    @property
    def stop_s(self) -> float:
        """Return when the disc stops if nothing hits it; `begin_s` at rest, infinite without
        friction.
        """
        return self.begin_s + slide.standing_after_s(self.speed_mm_s, self.slowing_mm_s2)

    def travelled_mm(self, t_s: float) -> float:
        """Return how far the disc has slid by `t_s`, which must not lie before `begin_s`."""
        since = min(t_s, self.stop_s) - self.begin_s
        return slide.way_mm(self.speed_mm_s, self.slowing_mm_s2, since)

    def time_at(self, travelled_mm: float) -> float | None:
        """Return when the disc has come this far; None when it stops before."""
        longest_mm = slide.standing_after_mm(self.speed_mm_s, self.slowing_mm_s2)
        if not self.moving or travelled_mm > longest_mm:
            return None
        return self.begin_s + slide.time_over_s(travelled_mm, self.speed_mm_s, self.slowing_mm_s2)

    def position(self, t_s: float) -> Point:
        """Return the centre at `t_s`, mm."""
        return add(self.from_mm, scale(self.heading, self.travelled_mm(t_s)))

    def velocity(self, t_s: float) -> Point:
        """Return the velocity at `t_s`, mm/s."""
        since = t_s - self.begin_s
        return scale(self.heading, slide.speed_after_s(since, self.speed_mm_s, self.slowing_mm_s2))

    def ended(self, t_s: float) -> Slide:
        """Return the same slide, known to end at `t_s`."""
        return replace(self, end_s=t_s)


@dataclass(frozen=True, slots=True)
class TileSlide:
    """The motion of a tile (or stack) from `begin_s` on: its place, velocity and spin. Friction
    stops the slide and the spin independently.

    This is a simplification. In reality the same friction slows the slide and the spin, so that
    each lasts a little longer than it would alone.
    """

    begin_s: float
    tile: Tile
    velocity_mm_s: Point = (0.0, 0.0)
    spin_rad_s: float = 0.0
    slowing_mm_s2: float = 0.0
    side_mm: float = 50.8
    end_s: float = math.inf

    @property
    def spin_slowing_rad_s2(self) -> float:
        """Return friction's torque over the moment of inertia: mu M g (arm s) / (M s^2 / 6)."""
        return 6 * _SQUARE_ARM * self.slowing_mm_s2 / self.side_mm

    @property
    def stop_s(self) -> float:
        """Return when the tile lies still again."""
        return max(self._glide.stop_s, self._turn.stop_s) if self.slowing_mm_s2 else self.begin_s

    @property
    def _glide(self) -> Slide:
        return Slide(self.begin_s, self.tile.centre_mm, self.velocity_mm_s, self.slowing_mm_s2)

    @property
    def _turn(self) -> Slide:
        return Slide(self.begin_s, (0.0, 0.0), (self.spin_rad_s, 0.0), self.spin_slowing_rad_s2)

    def pose(self, t_s: float) -> Tile:
        """Return the tile's place at `t_s`."""
        turned_deg = math.degrees(self._turn.position(t_s)[0])
        return replace(
            self.tile,
            centre_mm=self._glide.position(t_s),
            rotation_deg=self.tile.rotation_deg + turned_deg,
        )

    def velocity_of(self, point: Point, t_s: float) -> Point:
        """Return the velocity at `t_s`, mm/s, of the tile's material at `point` on the table."""
        vx, vy = self._glide.velocity(t_s)
        spin = self.spin(t_s)
        cx, cy = self.pose(t_s).centre_mm
        return (vx - spin * (point[1] - cy), vy + spin * (point[0] - cx))

    def glide_velocity(self, t_s: float) -> Point:
        """Return the velocity of the tile's middle at `t_s`, mm/s."""
        return self._glide.velocity(t_s)

    def spin(self, t_s: float) -> float:
        """Return how fast the tile turns at `t_s`, rad/s counter-clockwise."""
        return self._turn.velocity(t_s)[0]

    def ended(self, t_s: float) -> TileSlide:
        """Return the same motion, known to end at `t_s`."""
        return replace(self, end_s=t_s)
