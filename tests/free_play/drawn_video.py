"""Draws videos of discs on a plain table: where they are is known exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera, TableView

WIDTH, HEIGHT = 640, 360
EXPOSURE_SHARE, PARTS = 0.3, 3  # of the time between two frames; drawn as so many pictures
SKIN = (110, 140, 200)
Point = tuple[float, float]
Colour = tuple[int, int, int]
Place = Callable[[float], Point]
Shape = tuple[Point, float, Colour]  # a disc: where it is, its radius, mm, and its colour


def view(tilt_deg: float = 0.0, px_per_mm: float = 1.1) -> TableView:
    """Return a camera over the table's origin, tilted so that the upper part is farther away."""
    camera = Camera(WIDTH, HEIGHT, WIDTH, WIDTH, (WIDTH - 1) / 2, (HEIGHT - 1) / 2)
    cos, sin = math.cos(math.radians(tilt_deg)), math.sin(math.radians(tilt_deg))
    turn = np.array([[1.0, 0.0, 0.0], [0.0, -cos, -sin], [0.0, sin, -cos]])
    return TableView(camera, turn, np.array([0.0, 0.0, WIDTH / px_per_mm]))


@dataclass(frozen=True)
class Slide:
    """A disc that slides from a place at an instant, and decelerates until it stands."""

    from_mm: Point
    begin_s: float
    velocity_mm_s: Point
    slowing_mm_s2: float = 1500.0

    @property
    def speed_mm_s(self) -> float:
        return math.hypot(*self.velocity_mm_s)

    @property
    def way_mm(self) -> float:
        return self.speed_mm_s**2 / (2 * self.slowing_mm_s2)

    def __call__(self, t_s: float) -> Point:
        since = min(max(t_s - self.begin_s, 0.0), self.speed_mm_s / self.slowing_mm_s2)
        share = since - 0.5 * self.slowing_mm_s2 * since**2 / self.speed_mm_s
        return (
            self.from_mm[0] + share * self.velocity_mm_s[0],
            self.from_mm[1] + share * self.velocity_mm_s[1],
        )


@dataclass(frozen=True)
class Table:
    """A plain table with discs: where each is at an instant, and how wide. `own_mm` are the widths
    of those that are not `disc_mm` wide. A finger lies behind the
    disc that is flicked until `finger_s`, and comes a second earlier.
    """

    discs: Mapping[str, Place]
    disc_mm: float = 24.0
    finger_mm: Point | None = None
    finger_s: float = 0.0
    seen: TableView = field(default_factory=view)
    seed: int = 1
    own_mm: Mapping[str, float] = field(default_factory=dict)
    arm: Place | None = None
    light: Callable[[float], float] = lambda _t_s: 1.0

    def bgr(self, t_s: float, exposure_s: float = 0.0) -> NDArray[np.uint8]:
        """Return the picture whose exposure begins at an instant."""
        instants = t_s + exposure_s * (np.arange(PARTS) + 0.5) / PARTS
        total = sum(self._sharp(float(t)) for t in instants) / PARTS
        seen = cv2.GaussianBlur(np.asarray(total), (0, 0), 0.8) * self.light(t_s)
        rng = np.random.default_rng((self.seed, round(t_s * 1e6)))
        return np.clip(seen + rng.normal(0, 2.0, seen.shape), 0, 255).astype(np.uint8)

    def _sharp(self, t_s: float) -> NDArray[np.float32]:
        return self._drawn(tuple(self._shapes(t_s)))

    def _shapes(self, t_s: float) -> Iterator[Shape]:
        """Yield what is drawn at an instant, one over the other."""
        for name, place in self.discs.items():
            at, radius_mm = place(t_s), self.own_mm.get(name, self.disc_mm) / 2
            yield at, radius_mm, (60, 80, 90)
            yield at, 0.88 * radius_mm, (80, 190, 215)
            yield (at[0], at[1] + 3.0), 2.5, (40, 60, 70)
        if self.finger_mm is not None and self.finger_s - 1.0 < t_s < self.finger_s + 0.25:
            back = 400.0 * max(t_s - self.finger_s, 0.0)
            x, y = self.finger_mm[0] - back, self.finger_mm[1] - back
            for k in range(12):
                yield (x - 26 * k - 14, y - 26 * k - 8), 16 + 3 * k, SKIN
        if self.arm is not None:
            x, y = self.arm(t_s)
            for k in range(12):
                yield (x - 26 * k, y - 8 * k), 16 + 3 * k, SKIN

    @cached_property
    def _drawn(self) -> Callable[[tuple[Shape, ...]], NDArray[np.float32]]:
        """Return the function that draws shapes; while nothing moves, it draws them once."""
        covered = lru_cache(maxsize=100)(self._covered)

        def drawn(shapes: tuple[Shape, ...]) -> NDArray[np.float32]:
            rows = np.linspace(150, 190, HEIGHT)[:, None, None] * (0.8, 0.95, 1.0)
            picture = np.broadcast_to(rows, (HEIGHT, WIDTH, 3)).astype(np.float32)
            for at_mm, radius_mm, colour in shapes:
                window, share = covered(at_mm, radius_mm)
                picture[window] += (np.array(colour) - picture[window]) * share
            return picture

        return lru_cache(maxsize=1)(drawn)

    def _covered(
        self, at_mm: Point, radius_mm: float
    ) -> tuple[tuple[slice, slice], NDArray[np.float32]]:
        """Return the rows and columns around a disc, and the share of each of their pixels that the
        disc covers, to first order.
        """
        x_px, y_px = self.seen.to_image(np.array([at_mm]))[0]
        px_per_mm = self.seen.px_per_mm(at_mm)
        reach = int(1.8 * radius_mm * px_per_mm) + 3
        left, top = max(0, int(x_px) - reach), max(0, int(y_px) - reach)
        right, low = min(WIDTH, int(x_px) + reach), min(HEIGHT, int(y_px) + reach)
        if right <= left or low <= top:
            return np.s_[0:0, 0:0], np.zeros((0, 0, 1), dtype=np.float32)
        x, y = np.meshgrid(np.arange(left, right), np.arange(top, low))
        places = self.seen.to_table(np.column_stack((x.ravel(), y.ravel())).astype(np.float64))
        gap = (radius_mm - np.hypot(*(places - at_mm).T)) * px_per_mm
        share = np.clip(gap + 0.5, 0.0, 1.0).reshape(*x.shape, 1)
        return np.s_[top:low, left:right], share.astype(np.float32)


def write_video(path: Path, table: Table, times_s: Iterable[float], stored_hz: int) -> None:
    """Write the pictures that a camera takes at some instants, as a video with even times."""
    times = list(times_s)
    exposure_s = EXPOSURE_SHARE * (times[1] - times[0])
    with av.open(str(path), "w") as out:
        stream = out.add_stream("mjpeg", rate=stored_hz)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuvj420p"
        stream.codec_context.qmin = stream.codec_context.qmax = 3
        for number, t_s in enumerate(times):
            frame = av.VideoFrame.from_ndarray(table.bgr(t_s, exposure_s), format="bgr24")
            frame = frame.reformat(format="yuvj420p")
            frame.pts, frame.time_base = number, Fraction(1, stored_hz)
            for packet in stream.encode(frame):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)


def lying(at_mm: Point) -> Place:
    """Return the place of a disc that never moves."""
    return lambda _t_s: at_mm
