"""Films a timeline frame by frame, and records how much of each coin is visible. Only the things
that change are drawn anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.layout import Tile
from referee.domain.pieces import face_of
from referee.synthetic.pictures.faces import coin_face, cream, tile_back, tower_top
from referee.synthetic.pictures.ground import empty_table
from referee.synthetic.pictures.hand_picture import HandPicture, draw_hand, draw_shadow
from referee.synthetic.pictures.lighting import cast, develop
from referee.synthetic.pictures.sensor_noise import add_noise, noise_pool
from referee.synthetic.pictures.sprites import (
    Array,
    Box,
    Sprite,
    box_round,
    coin_outline,
    coin_sprite,
    fill,
    hull,
    stack_levels,
    tile_sprite,
)
from referee.synthetic.scenario.hand import Visit
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.timeline import Lying, Sliding, Timeline

_SHEEN: Final = 0.55
_SAMPLES: Final = np.array(
    [
        (r * math.cos(a), r * math.sin(a))
        for r, n in ((0.25, 4), (0.5, 8), (0.72, 12), (0.92, 16))
        for a in np.arange(n) * 2 * np.pi / n
    ]
)

_Key = tuple[str, str, Any]


@dataclass(frozen=True)
class Thing:
    """A piece as drawn: its sprite, the share of light that it takes from the table around it, and
    its distance from the camera.
    """

    sprite: Sprite
    shade_box: Box
    shade: NDArray[np.float32]
    distance_mm: float


@dataclass(frozen=True)
class Shown:
    """One coin in one frame: its centre and height, its state (such as sliding), its speed, the
    pixel of its top's centre, and its visible share.
    """

    t_seen_s: float
    place_mm: tuple[float, float, float]
    state: str
    speed_mm_s: float
    px_top: tuple[float, float]
    visible: float


@dataclass(frozen=True)
class FilmFrame:
    """A frame: when its shutter opens, its picture (h, w, 3) BGR, whether a hand is in it, its
    coins, and the tiles that have moved.
    """

    number: int
    t_s: float
    picture: NDArray[np.uint8]
    hand: bool
    coins: dict[str, Shown]
    moved_tiles: dict[str, Tile]


class Studio:
    """A scene ready for filming: the empty table and the faces are drawn once, and the sprites of
    things at rest are kept.
    """

    def __init__(self, scene: Scene, timeline: Timeline) -> None:
        self.scene, self.timeline, self.view = scene, timeline, scene.view
        self.size = (scene.camera.width, scene.camera.height)
        self.ground = empty_table(scene)
        self.empty = develop(self.ground.picture)
        rng = np.random.default_rng((scene.seed, 4))
        self.faces = {
            coin: coin_face(face_of(coin), scene.set_colours, rng) for coin in timeline.coins
        }
        self.turns = {coin: float(rng.uniform(0, 360)) for coin in timeline.coins}
        self.backs = {name: tile_back(scene.set_colours, rng) for name in timeline.first_tiles}
        for name in (name for name in self.backs if name.startswith("tower-")):
            self.backs[name] = tower_top(name.removeprefix("tower-"), scene.set_colours, rng)
        self.side = cream(scene.set_colours) * np.array([0.5, 0.58, 0.66], dtype=np.float32)
        self.noise = noise_pool(scene, rng)
        self.things: dict[_Key, Thing] = {}
        self.still_of: tuple[_Key, ...] = ()
        self.still = self.empty.astype(np.uint8)

    def frames(self) -> Iterator[FilmFrame]:
        """Yield the clip's frames in order."""
        for number in range(self.scene.frames):
            yield self.frame(number)

    def frame(self, number: int) -> FilmFrame:
        """Return one frame. Frames may be requested in any order, with the same result."""
        open_s = number / self.scene.fps
        times = open_s, open_s + self.scene.exposure_s
        lying, moving = self._sorted_out(*times)
        things = self._still(lying)
        picture = self.still.copy()
        for coin in moving["coins"]:
            self._paint_moving_coin(picture, coin, *times, things)
        for name in moving["tiles"]:
            self._paint(picture, self._tile_thing(name, self.timeline.tile(name, sum(times) / 2)))
        hands = self._paint_hands(picture, *times)
        add_noise(picture, self.noise, number)
        middle_s = sum(times) / 2
        shown = {
            c: s
            for c in self.timeline.coins
            if (s := self._shown(c, middle_s, hands, things)) is not None
        }
        moved = {
            n: t
            for n in self.timeline.tiles
            if (t := self.timeline.tile(n, middle_s)) != self.timeline.first_tiles[n]
        }
        return FilmFrame(number, open_s, picture, bool(hands), shown, moved)

    def _sorted_out(
        self, open_s: float, shut_s: float
    ) -> tuple[dict[str, _Key], dict[str, list[str]]]:
        """Split the things into those that lie still while the shutter is open, each with the key
        of its picture, and those that move.
        """
        lying: dict[str, _Key] = {}
        moving: dict[str, list[str]] = {"coins": [], "tiles": []}
        for name in self.timeline.first_tiles:
            if self.timeline.tile_moves(name, open_s, shut_s):
                moving["tiles"].append(name)
            else:
                lying[name] = ("tile", name, self.timeline.tile(name, open_s))
        for coin in self.timeline.coins:
            now, later = self.timeline.stretch(coin, open_s), self.timeline.stretch(coin, shut_s)
            if now is later and isinstance(now, Lying):
                lying[coin] = ("coin", coin, now.place(open_s))
            elif now is not None or later is not None:
                moving["coins"].append(coin)
        return lying, moving

    def _still(self, lying: dict[str, _Key]) -> list[Thing]:
        keys = tuple(lying.values())
        for key in keys:
            if key not in self.things:
                self.things[key] = self._thing(key)
        things = sorted((self.things[key] for key in keys), key=lambda t: -t.distance_mm)
        if keys != self.still_of:
            picture = self.empty.copy()
            for thing in things:
                self._shade(picture, thing.shade_box, thing.shade)
            for thing in things:
                self._paint_sprite(picture, thing.sprite)
            self.still, self.still_of = picture.astype(np.uint8), keys
        return things

    def _thing(self, key: _Key) -> Thing:
        if key[0] == "tile":
            return self._tile_thing(key[1], key[2])
        return self._coin_thing(key[1], key[2], on_mm=key[2][2])

    def _tile_thing(self, name: str, tile: Tile) -> Thing:
        sizes, light = self.scene.sizes, self.scene.light
        levels = stack_levels(tile, self.scene.stack_offsets.get(name, ()))
        sprite = tile_sprite(
            self.view,
            levels,
            sizes.tile_mm,
            sizes.tile_thickness_mm,
            self.backs[name],
            self.side,
            light.lamp_mm[:2],
        )
        half = sizes.tile_mm / 2 + 0.5
        turn = math.radians(tile.rotation_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        square = (
            np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
            * half
            @ np.array([[cos, sin], [-sin, cos]])
            + tile.centre_mm
        )
        high = sizes.tile_thickness_mm * len(levels)
        return Thing(sprite, *self._shade_of(square, high), self._distance(tile.centre_mm))

    def _coin_thing(
        self,
        coin: str,
        place: tuple[float, float, float],
        box: Box | None = None,
        shade_box: Box | None = None,
        on_mm: float = 0.0,
    ) -> Thing:
        sizes = self.scene.sizes
        fine = 4 if box is None else 3
        sprite = coin_sprite(
            self.view,
            place,
            sizes.coin_mm,
            sizes.coin_thickness_mm,
            self.faces[coin],
            self.turns[coin],
            self.side,
            box,
            fine,
        )
        ring = coin_outline(place[:2], 0.0, sizes.coin_mm)[::2, :2]
        return Thing(
            sprite,
            *self._shade_of(ring, sizes.coin_thickness_mm + max(0.0, place[2]), shade_box),
            self._distance(place[:2], on_mm),
        )

    def _distance(self, at: tuple[float, float], on_mm: float = 0.0) -> float:
        """Return how far a thing is from the camera. A thing that lies on a stack of tiles, `on_mm`
        high, counts as nearer than the stack.
        """
        camera_mm = self.view.position_mm
        nearer_mm = self.scene.sizes.tile_mm if on_mm > 0.0 else 0.0
        return math.hypot(at[0] - camera_mm[0], at[1] - camera_mm[1]) - nearer_mm

    def _shade_of(
        self, foot: Array, high_mm: float, box: Box | None = None
    ) -> tuple[Box, NDArray[np.float32]]:
        """Return the share of light that a body takes from the table around it, 0 to 1: the lamp's
        shadow, and the dark line where the body touches the table.
        """
        top = cast(self.scene.light, np.column_stack((foot, np.full(len(foot), high_mm))))
        shadow = self.view.to_image(hull(np.concatenate((foot, top))))
        touch = self.view.to_image(foot + (foot - foot.mean(axis=0)) * 0.06)
        box = box or box_round(np.concatenate((shadow, touch)), 6)
        dark = np.zeros((box.bottom - box.top, box.right - box.left), dtype=np.uint8)
        near = np.zeros_like(dark)
        fill(dark, shadow - (box.left, box.top))
        fill(near, hull(touch) - (box.left, box.top))
        soft = 0.75 * cv2.GaussianBlur(dark, (0, 0), 1.0 + high_mm * 0.05).astype(
            np.float32
        ) + 0.35 * cv2.GaussianBlur(near, (0, 0), 1.8).astype(np.float32)
        return box, np.minimum(soft / 255, 1.0)

    def _shade(
        self, picture: NDArray[Any], box: Box, shade: NDArray[np.float32], depth: float = 1.0
    ) -> None:
        inner = box.within(*self.size)
        if inner.empty:
            return
        part = shade[
            inner.top - box.top : inner.bottom - box.top,
            inner.left - box.left : inner.right - box.left,
            None,
        ]
        share = self.ground.table_share[inner.slices]
        strength = (1 - self.scene.light.ambient * 0.7) * depth * 0.62
        cut = picture[inner.slices]
        picture[inner.slices] = (cut * (1 - strength * part * share)).astype(picture.dtype)

    def _paint(self, picture: NDArray[Any], thing: Thing) -> None:
        self._shade(picture, thing.shade_box, thing.shade)
        self._paint_sprite(picture, thing.sprite)

    def _paint_sprite(
        self, picture: NDArray[Any], sprite: Sprite, keep: NDArray[np.float32] | None = None
    ) -> None:
        """Blend a sprite into the picture, in the light of its place. `keep` (h, w, 1) is its
        visible share.
        """
        inner = sprite.box.within(*self.size)
        if inner.empty:
            return
        cut = (
            slice(inner.top - sprite.box.top, inner.bottom - sprite.box.top),
            slice(inner.left - sprite.box.left, inner.right - sprite.box.left),
        )
        cover, light = sprite.cover[cut], self.ground.light
        lit = (
            sprite.colour[cut] / np.maximum(cover, 1e-3) * light.gain[inner.slices]
            + light.sheen[inner.slices] * _SHEEN
        )
        share = cover if keep is None else cover * keep[cut]
        under = picture[inner.slices].astype(np.float32)
        picture[inner.slices] = (under + (develop(lit) - under) * share).astype(picture.dtype)

    def _instants(self, coin: str, open_s: float, shut_s: float) -> list[float]:
        """Return instants spread over the exposure, about one for each pixel that the coin
        moves.
        """
        middle = (open_s + shut_s) / 2
        stretch = self.timeline.stretch(coin, middle)
        speed = max(stretch.speed(middle) if stretch else 0.0, 100.0)
        count = max(
            3,
            min(
                48,
                math.ceil(
                    speed * (shut_s - open_s) * self.view.camera.fx_px / self.view.position_mm[2]
                )
                + 2,
            ),
        )
        return [open_s + (i + 0.5) / count * (shut_s - open_s) for i in range(count)]

    def _paint_moving_coin(
        self,
        picture: NDArray[np.uint8],
        coin: str,
        open_s: float,
        shut_s: float,
        things: list[Thing],
    ) -> None:
        times = self._instants(coin, open_s, shut_s)
        places = [s.place(t) for t in times if (s := self.timeline.stretch(coin, t)) is not None]
        if not places:
            return
        sizes = self.scene.sizes
        ends = np.concatenate(
            [
                coin_outline(p[:2], p[2] + h, sizes.coin_mm)
                for p in places
                for h in (0.0, sizes.coin_thickness_mm)
            ]
        )
        box = box_round(self.view.to_image(ends), 3)
        if box.within(*self.size).empty:
            return
        shade_box = Box(box.left - 16, box.top - 16, box.right + 16, box.bottom + 16)
        stills = [self._coin_thing(coin, p, box, shade_box) for p in places]
        share = np.float32(1 / len(times))
        colour = np.asarray(sum(s.sprite.colour for s in stills) * share, dtype=np.float32)
        cover = np.asarray(sum(s.sprite.cover for s in stills) * share, dtype=np.float32)
        if places[0][2] >= 0.0:
            self._shade(
                picture,
                shade_box,
                np.asarray(sum(s.shade for s in stills) * share, dtype=np.float32),
            )
        middle = self.timeline.stretch(coin, times[len(times) // 2])
        away_mm = self._distance(
            places[len(places) // 2][:2],
            middle.slide.height_mm if isinstance(middle, Sliding) else 0.0,
        )
        keep = self._unhidden(box, away_mm, places[-1][2] < 0.0, things)
        self._paint_sprite(picture, Sprite(box, colour, cover), keep)

    def _unhidden(
        self, box: Box, distance_mm: float, below: bool, things: list[Thing]
    ) -> NDArray[np.float32]:
        """Return how much of each pixel of a box stays visible, as a share (h, w, 1). Nearer things
        at rest hide it. The table also hides a coin that is below its top.
        """
        keep = np.ones((box.bottom - box.top, box.right - box.left, 1), dtype=np.float32)
        for thing in things:
            other = thing.sprite.box
            if thing.distance_mm < distance_mm and other.meets(box):
                both = Box(
                    max(box.left, other.left),
                    max(box.top, other.top),
                    min(box.right, other.right),
                    min(box.bottom, other.bottom),
                )
                mine = (
                    slice(both.top - box.top, both.bottom - box.top),
                    slice(both.left - box.left, both.right - box.left),
                )
                theirs = (
                    slice(both.top - other.top, both.bottom - other.top),
                    slice(both.left - other.left, both.right - other.left),
                )
                keep[mine] *= 1 - thing.sprite.cover[theirs]
        inner = box.within(*self.size)
        if below and not inner.empty:
            mine = (
                slice(inner.top - box.top, inner.bottom - box.top),
                slice(inner.left - box.left, inner.right - box.left),
            )
            keep[mine] *= 1 - self.ground.table_share[inner.slices]
        return keep

    def _paint_hands(
        self, picture: NDArray[np.uint8], open_s: float, shut_s: float
    ) -> list[HandPicture]:
        visits = self.timeline.hands((open_s + shut_s) / 2)
        painted = (self._paint_hand(picture, visit, open_s, shut_s) for visit in visits)
        return [hand for hand in painted if hand is not None]

    def _paint_hand(
        self, picture: NDArray[np.uint8], visit: Visit, open_s: float, shut_s: float
    ) -> HandPicture | None:
        pose = visit.pose((open_s + shut_s) / 2)
        if pose is None:
            return None
        ends = [visit.pose(min(max(t, visit.begin_s), visit.end_s)) for t in (open_s, shut_s)]
        path = self.view.to_image(np.array([[*e.tip_mm, 20.0] for e in ends if e is not None]))
        smear = path[-1] - path[0]
        shadow = draw_shadow(self.view, self.scene.light, pose)
        if shadow is not None:
            self._shade(picture, *shadow, 0.8)
        hand = draw_hand(
            self.view,
            self.scene.light,
            self.scene.light.exposure * 0.95,
            pose,
            (float(smear[0]), float(smear[1])),
        )
        if hand is not None:
            under = picture[hand.box.slices]
            free = cv2.cvtColor(255 - hand.cover, cv2.COLOR_GRAY2BGR)
            picture[hand.box.slices] = cv2.add(
                cv2.multiply(under, free, scale=1 / 255), hand.colour
            )
        return hand

    def _shown(
        self, coin: str, t_s: float, hands: Sequence[HandPicture], things: list[Thing]
    ) -> Shown | None:
        stretch = self.timeline.stretch(coin, t_s)
        if stretch is None:
            return None
        x, y, z = stretch.place(t_s)
        high = z + self.scene.sizes.coin_thickness_mm
        flat = _SAMPLES * self.scene.sizes.coin_mm / 2 + (x, y)
        px = self.view.to_image(
            np.vstack(([x, y, high], np.column_stack((flat, np.full(len(flat), high)))))
        )
        away_mm = self._distance((x, y), z if isinstance(stretch, Lying | Sliding) else 0.0)
        seen = self._in_sight(px[1:], away_mm, z < 0.0, hands, things)
        return Shown(
            t_s,
            (x, y, z),
            stretch.state,
            stretch.speed(t_s),
            (float(px[0, 0]), float(px[0, 1])),
            seen,
        )

    def _in_sight(
        self,
        px: Array,
        distance_mm: float,
        below: bool,
        hands: Sequence[HandPicture],
        things: list[Thing],
    ) -> float:
        """Return the share of sample pixels (n, 2) that lie in the picture and that neither a
        hand nor a nearer thing hides.
        """
        at = np.floor(px + 0.5).astype(int)
        box = box_round(px, 2)
        keep = self._unhidden(box, distance_mm, below, things)[..., 0]
        inside = ((at >= 0) & (at < self.size)).all(axis=1)
        free = inside & (keep[at[:, 1] - box.top, at[:, 0] - box.left] > 0.5)
        for hand in hands:
            local = at - (hand.box.left, hand.box.top)
            there = ((local >= 0) & (local < (hand.cover.shape[1], hand.cover.shape[0]))).all(
                axis=1
            )
            free[there] &= hand.cover[local[there, 1], local[there, 0]] < 128
        return float(free.mean())
