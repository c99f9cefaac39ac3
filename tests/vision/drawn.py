"""Pictures of a small table, drawn for tests: flat discs, squares and spots over noise, through a
camera with round numbers.

A disc fills the share of a pixel that it fills of SUB x SUB points in it, each projected on the
plane of the coins' faces. Only the camera's pose comes from the code under test.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.geometry import Point
from referee.domain.layout import Course, Tile
from referee.domain.pieces import PieceSizes
from referee.domain.table_edge import EdgeSide
from referee.vision.image.picture import ChannelMix, Picture

SIZES = PieceSizes(tile_mm=50.0, tile_thickness_mm=6.0, coin_mm=20.0, coin_thickness_mm=3.0)
RADIUS_MM = 10.0
WIDTH, HEIGHT = 400, 300
FOCAL_PX, ABOVE_MM = 900.0, 603.0
PX_PER_MM = 1.5  # FOCAL_PX / (ABOVE_MM - coin thickness), for a camera straight above
SUB = 6
WOOD, COIN = 90.0, 170.0
FACE_MM = (SIZES.coin_thickness_mm,)
WALL_MM = tuple(np.linspace(0.0, SIZES.coin_thickness_mm, 7).tolist())
LIGHT = ChannelMix(1.0, 0.0, 0.0, COIN - WOOD)

Array = NDArray[np.float64]


def looking(tilt_deg: float = 0.0) -> TableView:
    """Return a camera ABOVE_MM from the table's origin, tilted towards the viewer at y < 0. At 0
    degrees it looks straight down, x right, y up.
    """
    camera = Camera(WIDTH, HEIGHT, FOCAL_PX, FOCAL_PX, (WIDTH - 1) / 2, (HEIGHT - 1) / 2)
    c, s = math.cos(math.radians(tilt_deg)), math.sin(math.radians(tilt_deg))
    rotation = np.array([[1.0, 0.0, 0.0], [0.0, -c, -s], [0.0, s, -c]])
    return TableView(camera, rotation, np.array([0.0, 0.0, ABOVE_MM]))


@dataclass(frozen=True)
class Scenery:
    """What lies on the table. `discs` are (place, brightness). A disc with a sweep is blurred along
    it, with its middle at the place.

    A coin with a `wall` has a side of that brightness from its face down to the table; otherwise it
    has none. `light` multiplies everything within `shade` (left, bottom, right, top in mm). `blots`
    are rectangles of one brightness on top of everything.
    """

    view: TableView = field(default_factory=looking)
    discs: tuple[tuple[Point, float], ...] = ()
    sweep_mm: Point = (0.0, 0.0)
    wood: float = WOOD
    noise: float = 0.0
    radius_mm: float = RADIUS_MM
    shade: tuple[float, float, float, float] | None = None
    light: float = 1.0
    blots: tuple[tuple[tuple[float, float, float, float], float], ...] = ()
    seed: int = 1
    wall: float | None = None

    def values(self) -> Array:
        """Return the brightness of every pixel (HEIGHT, WIDTH)."""
        value = np.full((HEIGHT, WIDTH), self.wood)
        for at, brightness in self.discs:
            for light, heights in ((self.wall, WALL_MM), (brightness, FACE_MM)):
                if light is not None:
                    rows, columns, share = self._share(at, heights)
                    part = value[rows, columns]
                    value[rows, columns] = part + (light - part) * share
        places = places_of(
            self.view,
            np.arange(WIDTH, dtype=np.float64),
            np.arange(HEIGHT, dtype=np.float64),
            SIZES.coin_thickness_mm,
        )
        if self.shade is not None:
            value = np.where(within(places, self.shade), value * self.light, value)
        for box, brightness in self.blots:
            value = np.where(within(places, box), brightness, value)
        return (
            value + np.random.default_rng(self.seed).normal(0, self.noise, value.shape)
            if self.noise
            else value
        )

    def _share(self, at: Point, heights_mm: tuple[float, ...]) -> tuple[slice, slice, Array]:
        """Return the rows and columns around a disc, and the share of each pixel and of the
        exposure that it fills at any of some heights.

        It is the mean of many discs along the sweep.
        """
        reach = self.radius_mm + math.hypot(*self.sweep_mm) / 2 + 2
        corners = np.array(
            [
                [at[0] + dx * reach, at[1] + dy * reach, z]
                for dx in (-1, 1)
                for dy in (-1, 1)
                for z in heights_mm
            ]
        )
        px = self.view.to_image(corners)
        low, high = (
            np.maximum(np.floor(px.min(axis=0)), 0).astype(int),
            np.minimum(np.ceil(px.max(axis=0)), (WIDTH - 1, HEIGHT - 1)).astype(int),
        )
        if (high < low).any():
            return slice(0, 0), slice(0, 0), np.zeros((0, 0))
        count = high - low + 1
        x, y = (
            (np.arange(n * SUB) + 0.5) / SUB - 0.5 + start
            for n, start in zip(count, low, strict=True)
        )
        layers = [np.moveaxis(places_of(self.view, x, y, z) - at, -1, 0) for z in heights_mm]
        steps = 31 if self.sweep_mm != (0.0, 0.0) else 1
        ways = [((n + 0.5) / steps - 0.5) * np.array(self.sweep_mm) for n in range(steps)]
        inside = sum(
            np.any(
                [(e - dx) ** 2 + (n - dy) ** 2 <= self.radius_mm**2 for e, n in layers], axis=0
            ).astype(float)
            for dx, dy in ways
        )
        share = np.asarray(inside / steps).reshape(count[1], SUB, count[0], SUB).mean(axis=(1, 3))
        return slice(low[1], high[1] + 1), slice(low[0], high[0] + 1), share

    def picture(self) -> Picture:
        """Return only the luminance."""
        return Picture(grey(self.values()))

    def but(self, **changes: object) -> Scenery:
        return replace(self, **changes)  # type: ignore[arg-type]


def places_of(view: TableView, x_px: Array, y_px: Array, height_mm: float) -> Array:
    """Return where a grid of pixels lies on the plane at a height above the table (rows, columns,
    2): rays of a lens without distortion, intersected with that plane.
    """
    camera = view.camera
    rays = np.stack(
        np.broadcast_arrays(
            (x_px[None, :] - camera.cx_px) / camera.fx_px,
            (y_px[:, None] - camera.cy_px) / camera.fy_px,
            1.0,
        ),
        axis=-1,
    )
    rays = rays @ view.R_camera_table
    analysis = view.position_mm
    return np.asarray(
        analysis[:2] + rays[..., :2] * ((height_mm - analysis[2]) / rays[..., 2:]), dtype=np.float64
    )


def within(at: Array, box: tuple[float, float, float, float]) -> NDArray[np.bool_]:
    left, bottom, right, top = box
    inside = (
        (at[..., 0] >= left) & (at[..., 0] <= right) & (at[..., 1] >= bottom) & (at[..., 1] <= top)
    )
    return np.asarray(inside, dtype=np.bool_)


def grey(values: Array) -> NDArray[np.uint8]:
    return np.clip(np.rint(values), 0, 255).astype(np.uint8)


def course(*tiles: tuple[str, Point]) -> Course:
    """Return a course of single tiles at places. Without any, one tile lies far away where no test
    looks.
    """
    named = dict(tiles) or {"wicket-1-left": (500.0, 500.0)}
    return Course(MappingProxyType({n: Tile(at) for n, at in named.items()}), SIZES.tile_mm)


def table(
    view: TableView, laid: Course | None = None, half_mm: Point = (120.0, 90.0)
) -> SurveyedTable:
    """Return a surveyed table whose edge is a rectangle around the origin."""
    w, h = half_mm
    corners: list[Point] = [(-w, -h), (w, -h), (w, h), (-w, h)]
    edge = tuple(
        EdgeSide(a, b, 0.5, 0.0, 1.0)
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )
    return SurveyedTable("tabletop-croquet", view, laid or course(), SIZES, edge, 0.1)


def laid_on(cloth: Scenery, places: tuple[Point, ...], face: float) -> Picture:
    """Return the picture of coins of one brightness on a cloth whose `blots` are its pattern."""
    share = Scenery(cloth.view, tuple((at, 1.0) for at in places), wood=0.0).values()
    return Picture(grey(cloth.values() * (1 - share) + face * share))
