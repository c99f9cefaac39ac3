"""Films a scene of free play: the table, discs of several materials, and hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.synthetic.clip import video_writer
from referee.synthetic.pictures.faces import linear
from referee.synthetic.pictures.grain import TOP_PX_PER_MM, table_top
from referee.synthetic.pictures.hand_picture import draw_hand, draw_shadow
from referee.synthetic.pictures.lighting import Illumination, cast, develop, illuminate
from referee.synthetic.pictures.sprites import (
    LENS_BLUR_PX,
    Box,
    Sprite,
    box_round,
    coin_outline,
    coin_sprite,
    fill,
    hull,
)

if TYPE_CHECKING:
    from benchmarks.free_play_scenes import FreeScene, Look

FACE_PX: Final = 160
SHADOW_DEPTH: Final = 0.5  # Chosen: of the light, under a disc's edge
THREAD_MM: Final = 0.8  # Chosen: of a cloth
MOST_PARTS: Final = 24  # pictures of a moving disc that make one exposure

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True)
class Lit:
    """A disc where it lies: its sprite and its shadow."""

    sprite: Sprite
    shade_box: Box
    shade: Floats


class Film:
    """A scene ready to be filmed, with the still table and the faces drawn once."""

    def __init__(self, scene: FreeScene) -> None:
        self.scene, self.view = scene, scene.view
        self.size = (scene.view.camera.width, scene.view.camera.height)
        rng = np.random.default_rng((scene.seed, 15))
        self.light: Illumination = illuminate(scene.light, scene.view)
        ground = _ground(scene, rng) * self.light.gain + self.light.sheen
        self.empty = develop(cv2.GaussianBlur(ground, (0, 0), LENS_BLUR_PX).astype(np.float32))
        self.faces = {name: face(look, rng) for name, look in scene.looks.items()}
        self.grains = [
            rng.normal(0, scene.noise, (*self.empty.shape[:2], 1)).astype(np.float32)
            + rng.normal(0, scene.noise / 2, self.empty.shape).astype(np.float32)
            for _ in range(6)
        ]
        self.still: Floats = self.empty
        self.still_of: Mapping[str, Point] = {}

    def frame(self, number: int) -> Bytes:
        """Return one frame, uint8 (h, w, 3)."""
        scene = self.scene
        open_s = number / scene.fps
        shut_s = open_s + scene.exposure_s
        lie = {
            n: m.place(open_s)
            for n, m in scene.motions.items()
            if m.place(open_s) == m.place(shut_s)
        }
        if lie != self.still_of:
            self.still, self.still_of = self._laid(lie), lie
        picture = self.still.copy()
        for name in scene.motions:
            if name not in lie:
                self._moving(picture, name, open_s, shut_s)
        picture += self.grains[number % 6] * (0.6 + 0.4 * picture / 128)
        drawn = np.clip(picture, 0, 255).astype(np.uint8)
        self._hand(drawn, (open_s + shut_s) / 2)
        return drawn

    def _laid(self, lie: Mapping[str, Point]) -> Floats:
        picture = self.empty.copy()
        lit = {name: self._lit(name, at) for name, at in lie.items()}
        for one in lit.values():
            self._shade(picture, one.shade_box, one.shade)
        for one in lit.values():
            self._paint(picture, one.sprite)
        return picture

    def _lit(self, name: str, at: Point, box: Box | None = None, fine: int = 4) -> Lit:
        look = self.scene.looks[name]
        low, high = 0.0, look.thickness_mm
        if look.material == "ball":
            low, high = look.width_mm / 2, 0.01
        side = self.faces[name].mean(axis=(0, 1)) * 0.55
        sprite = coin_sprite(
            self.view, (*at, low), look.width_mm, high, self.faces[name], look.turn_deg, side,
            box, fine,
        )  # fmt: skip
        ring = coin_outline(at, 0.0, look.width_mm)[::2, :2]
        top = cast(self.scene.light, np.column_stack((ring, np.full(len(ring), low + high))))
        under = ring if look.material != "ball" else at + (ring - at) * 0.5
        outline = self.view.to_image(hull(np.concatenate((under, top))))
        room = 10 + look.width_mm * (0.3 if look.material == "ball" else 0.0)
        shade_box = box_round(outline, room)
        if box is not None:
            shade_box = Box(box.left - 40, box.top - 40, box.right + 40, box.bottom + 40)
        dark = np.zeros(
            (shade_box.bottom - shade_box.top, shade_box.right - shade_box.left), np.uint8
        )
        fill(dark, outline - (shade_box.left, shade_box.top))
        soft = cv2.GaussianBlur(dark, (0, 0), 1.5 + (low + high) * 0.12).astype(np.float32) / 255
        return Lit(sprite, shade_box, np.asarray(soft, np.float32))

    def _moving(self, picture: Floats, name: str, open_s: float, shut_s: float) -> None:
        motion, look = self.scene.motions[name], self.scene.looks[name]
        ends = [motion.place(t) for t in (open_s, shut_s)]
        way_px = float(np.hypot(*np.subtract(*self.view.to_image(np.array(ends)))))
        count = int(np.clip(np.ceil(way_px) + 1, 3, MOST_PARTS))
        shares = (np.arange(count) + 0.5) / count
        places = [motion.place(t) for t in (open_s + shares * (shut_s - open_s)).tolist()]
        high = look.width_mm if look.material == "ball" else look.thickness_mm
        rims = [coin_outline(p, h, look.width_mm) for p in places for h in (0.0, high)]
        box = box_round(self.view.to_image(np.concatenate(rims)), 4)
        parts = [self._lit(name, p, box, 2) for p in places]
        self._shade(picture, parts[0].shade_box, sum(p.shade for p in parts) / count)
        self._paint(
            picture,
            Sprite(
                box,
                sum(p.sprite.colour for p in parts) / count,
                sum(p.sprite.cover for p in parts) / count,
            ),
        )

    def _shade(self, picture: Floats, box: Box, shade: Any) -> None:
        inner = box.within(*self.size)
        if not inner.empty:
            part = shade[
                inner.top - box.top : inner.bottom - box.top,
                inner.left - box.left : inner.right - box.left,
                None,
            ]
            picture[inner.slices] *= 1 - SHADOW_DEPTH * (1 - self.scene.light.ambient * 0.7) * part

    def _paint(self, picture: Floats, sprite: Sprite) -> None:
        inner = sprite.box.within(*self.size)
        if inner.empty:
            return
        rows = slice(inner.top - sprite.box.top, inner.bottom - sprite.box.top)
        columns = slice(inner.left - sprite.box.left, inner.right - sprite.box.left)
        cover = sprite.cover[rows, columns]
        lit = sprite.colour[rows, columns] / np.maximum(cover, 1e-3)
        lit = develop(lit * self.light.gain[inner.slices] + self.light.sheen[inner.slices] * 0.4)
        under = picture[inner.slices]
        picture[inner.slices] = under + (lit - under) * cover

    def _hand(self, drawn: Bytes, t_s: float) -> None:
        visit = next((v for v in self.scene.visits if v.begin_s <= t_s <= v.end_s), None)
        pose = None if visit is None else visit.pose(t_s)
        if pose is None:
            return
        shadow = draw_shadow(self.view, self.scene.light, pose)
        if shadow is not None:
            box, shade = shadow
            share = 1 - 0.35 * shade[..., None]
            drawn[box.slices] = (drawn[box.slices] * share).astype(np.uint8)
        light = self.scene.light
        hand = draw_hand(self.view, light, light.exposure * 0.95, pose, (0, 0))
        if hand is not None:
            free = cv2.cvtColor(255 - hand.cover, cv2.COLOR_GRAY2BGR)
            drawn[hand.box.slices] = cv2.add(
                cv2.multiply(drawn[hand.box.slices], free, scale=1 / 255), hand.colour
            )


def _places(view: TableView) -> tuple[Floats, Floats]:
    """Return for each pixel the x and y, mm, of the place on the table that it shows."""
    width, height = view.camera.width, view.camera.height
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    places = view.to_table(np.column_stack((x.ravel(), y.ravel())).astype(np.float64))
    flat = places.reshape(height, width, 2).astype(np.float32)
    return flat[..., 0], flat[..., 1]


def _ground(scene: FreeScene, rng: np.random.Generator) -> Floats:
    """Return the bare table's albedo (h, w, 3)."""
    x, y = _places(scene.view)
    if scene.table in ("oak", "walnut", "pine", "laminate"):
        size = 1.1 * float(max(np.ptp(x), np.ptp(y)))
        top = cv2.GaussianBlur(table_top(scene.table, (size, size), rng), (0, 0), 0.9)
        at = [(v + size / 2) * TOP_PX_PER_MM for v in (x, y)]
        return np.asarray(
            cv2.remap(top, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32
        )
    one, two = (linear(colour) for colour in scene.colours)
    if scene.table == "plain":
        return np.broadcast_to(one, (*x.shape, 3)).astype(np.float32)
    share = np.zeros(x.shape, np.float32)
    if scene.table == "chequered":
        turn = float(rng.uniform(0, np.pi / 2))
        u, v = np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x
        stripes = [np.floor(w / scene.check_mm) % 2 for w in (u, v)]
        share = np.asarray((stripes[0] + stripes[1]) / 2, np.float32)
        share = cv2.GaussianBlur(share, (0, 0), 0.7)
    weave = 1 + 0.06 * np.sin(2 * np.pi * x / THREAD_MM) * np.sin(2 * np.pi * y / THREAD_MM)
    seed = rng.normal(0, 1, x.shape).astype(np.float32)
    weave = weave + 0.05 * cv2.GaussianBlur(seed, (0, 0), 1.0)
    weave = weave + 0.35 * cv2.GaussianBlur(seed, (0, 0), 20.0)
    return np.asarray((one * (1 - share[..., None]) + two * share[..., None]) * weave[..., None],
                      np.float32)  # fmt: skip


def face(look: Look, rng: np.random.Generator) -> Floats:
    """Return the albedo of a disc's face, a square (FACE_PX, FACE_PX, 3)."""
    at = (np.arange(FACE_PX) + 0.5) / FACE_PX * 2 - 1
    x, y = np.meshgrid(at, at)
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    base = np.broadcast_to(linear(look.colour), (FACE_PX, FACE_PX, 3)).astype(np.float32)
    drawn = {"wood": _wood, "metal": _metal, "painted": _painted, "dark": _dark, "ball": _ball}
    shade = drawn[look.material](radius, angle, x, y, rng)
    return np.asarray(np.clip(base * shade[..., None], 0.002, 1.6), np.float32)


Grid = NDArray[Any]


def _wood(radius: Grid, angle: Grid, x: Grid, y: Grid, rng: np.random.Generator) -> Grid:
    rings = np.sin(9 * (x + 0.15 * np.sin(3 * y + rng.uniform(0, 6))) + rng.uniform(0, 6))
    return 1 + 0.12 * rings - 0.35 * (np.abs(radius - 0.8) < 0.03)


def _metal(radius: Grid, angle: Grid, x: Grid, y: Grid, rng: np.random.Generator) -> Grid:
    """Return the face of a metal coin: a raised rim and a portrait, lit from one side, on a brushed
    ground that reflects.
    """
    toward = rng.uniform(0, 6.28)
    field = 0.75 + 0.35 * np.cos(2 * (angle - toward)) * np.minimum(radius, 1)
    rim = 1 / (1 + np.exp(-(radius - 0.88) / 0.02))
    slope = np.exp(-(((radius - 0.88) / 0.035) ** 2)) * np.cos(angle - toward)
    head = (x * 1.5 - 0.1) ** 2 + (y * 1.15) ** 2 < 0.4
    edge = cv2.GaussianBlur(head.astype(np.float32), (0, 0), 2.0)
    relief = np.gradient(edge, axis=1) * np.cos(toward) + np.gradient(edge, axis=0) * np.sin(toward)
    return np.asarray(field + 0.25 * rim - 0.5 * slope + 5.0 * relief)


def _painted(radius: Grid, angle: Grid, x: Grid, y: Grid, rng: np.random.Generator) -> Grid:
    mark = (np.abs(x) < 0.12) & (np.abs(y) < 0.5) | (np.hypot(x, y - 0.4) < 0.18)
    shade = np.where(mark, rng.choice([0.3, 2.2]), 1.0)
    return np.where(np.abs(radius - 0.78) < 0.04, 0.6, shade)


def _dark(radius: Grid, angle: Grid, x: Grid, y: Grid, rng: np.random.Generator) -> Grid:
    toward = rng.uniform(0, 6.28)
    bevel = np.exp(-(((radius - 0.9) / 0.05) ** 2))
    return 1 + 2.0 * bevel * np.maximum(np.cos(angle - toward), 0) + 0.4 * (radius < 0.5)


def _ball(radius: Grid, angle: Grid, x: Grid, y: Grid, rng: np.random.Generator) -> Grid:
    """Return a ball as seen from above: darker towards its outline, with a reflection of the
    lamp.
    """
    up = np.sqrt(np.maximum(0.0, 1 - radius**2))
    lamp = np.hypot(x + 0.25, y + 0.3) < 0.13
    mirrored = cv2.GaussianBlur(lamp.astype(np.float32), (0, 0), 1.5)
    return np.asarray(0.35 + 0.75 * up + 4.0 * mirrored)


def film(scene: FreeScene, path: Path) -> None:
    """Film a scene into a video, .mp4 or .avi."""
    filmed = Film(scene)
    with video_writer(path, filmed.size, scene.fps, scene.crf) as append:
        for number in range(scene.frames):
            append(filmed.frame(number))
