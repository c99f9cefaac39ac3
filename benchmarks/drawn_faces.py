"""Draws sets of coins with symbols of any shape, as a camera would show them. The face network
learns from them and from rendered clips.

A set has one material and one way of inking. Its symbols are characters, polygons, stars, pips,
rings and closed curves, some in the same shape and another colour. Each face is shown once in the
set's own picture, and again on tables, with random rotation, light, glare, exposure, sharpness and
compression.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.store.piece_store import PATCH_REACH, FacePatch
from referee.vision.faces.face_patch import PATCH_PX

DRAWN_PX = 96  # along the side of a drawn face; the coin fills it
KINDS = 10  # faces in a set
PLAIN = 0.35  # of the scenes: a sharp picture without glare, noise or compression

Floats = NDArray[np.float32]
Random = np.random.Generator


def drawn_faces(random: Random, seen: int) -> tuple[list[FacePatch], list[tuple[int, FacePatch]]]:
    """Return the faces of a drawn set as its own picture shows them (the known faces), and `seen`
    faces as seen on a table in one light, each with the number of its known face.
    """
    faces = _faces(random)
    table = _Scene(random, random.uniform(13, 42), on_table=True)
    picture = _Scene(random, random.uniform(28, 60), on_table=False)
    shown = random.integers(0, len(faces), seen)
    return (
        [picture.shows(face) for face in faces],
        [(int(number), table.shows(faces[number])) for number in shown],
    )


def _faces(random: Random) -> list[Floats]:
    """Return the faces of a set, each (DRAWN_PX, DRAWN_PX, 3) in 0..255."""
    ground = _colour(random)
    one_ink = random.random() < 0.4
    ink = _ink(random, ground)
    painted = random.random() < 0.3  # each coin in its own colour, its symbol light or dark
    size, ring, tick = random.uniform(0.4, 0.68), random.random() < 0.5, random.random() < 0.5
    font, thick = int(random.choice((0, 1, 2, 3, 4, 6, 7))), random.uniform(0.1, 0.3)
    only = random.choice(("any", "any", "characters", "pips"))
    covers = list[Floats]()
    faces = []
    wear = random.uniform(0, 0.35)
    for number in range(KINDS):
        twin = number > 0 and not one_ink and random.random() < 0.12
        cover = covers[-1] if twin else _symbol(random, only, size, font, thick)
        covers.append(cover)
        whole = np.maximum(cover, _frame(ring, tick))
        if not one_ink and (twin or random.random() < 0.6):
            ink = _ink(random, ground)
        base = _colour(random) if painted and random.random() < 0.6 else ground
        own = _ink(random, base) if painted else ink
        texture = 1 + random.uniform(0, 0.07) * _cloud(random, int(random.integers(3, 30)))
        worn = whole * (1 - wear * (0.5 + 0.5 * _cloud(random, 12)).clip(0, 1))
        over = worn[..., None]
        faces.append(np.asarray(base * texture[..., None] * (1 - over) + own * over, np.float32))
    return faces


def _colour(random: Random) -> NDArray[np.float64]:
    """Return a colour of wood, paper, paint or stone (3,)."""
    level = random.uniform(25, 240)
    if random.random() < 0.6:
        return np.asarray(level * np.array((random.uniform(0.4, 1), random.uniform(0.7, 1), 1.05)))
    return np.asarray(level * random.uniform(0.3, 1.1, 3))


def _ink(random: Random, ground: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colour of an ink that can be told from the ground (3,)."""
    while True:
        dark = random.random() < 0.5
        ink = random.uniform(10, 70, 3) if dark else random.uniform(10, 250, 3)
        if np.abs(ink - ground).max() > 45:
            return np.asarray(ink)


def _cloud(random: Random, cells: int) -> Floats:
    """Return smooth noise with `cells` cells along each side, (DRAWN_PX, DRAWN_PX)."""
    noise = random.standard_normal((cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(noise, (DRAWN_PX, DRAWN_PX), interpolation=cv2.INTER_CUBIC))


def _frame(ring: bool, tick: bool) -> Floats:
    """Return the cover (0 to 1 for each pixel) of the marks that all faces of a set have: a ring at
    the rim, a tick at the top.
    """
    cover = np.zeros((DRAWN_PX, DRAWN_PX), np.uint8)
    middle = (DRAWN_PX // 2, DRAWN_PX // 2)
    if ring:
        cv2.circle(cover, middle, round(0.46 * DRAWN_PX), 255, 2, cv2.LINE_AA)
    if tick:
        points = np.array([(0.455, 0.045), (0.545, 0.045), (0.5, 0.155)]) * DRAWN_PX
        cv2.fillPoly(cover, [np.rint(points).astype(np.int32)], 255, cv2.LINE_AA)
    return np.asarray(cover / 255, dtype=np.float32)


def _symbol(random: Random, only: str, size: float, font: int, thick: float) -> Floats:
    """Return the cover of a symbol (DRAWN_PX, DRAWN_PX) in 0..1."""
    cover = np.zeros((DRAWN_PX, DRAWN_PX), np.uint8)
    kinds = ("character", "star", "blob", "pips", "strokes", "arcs", "crescent", "none")
    kind = {"characters": "character", "pips": "pips"}.get(only) or str(random.choice(kinds))
    if random.random() < 0.1:
        kind = str(random.choice(kinds))
    reach = size * DRAWN_PX / 2
    middle = np.array((DRAWN_PX / 2, DRAWN_PX / 2))
    if kind == "character":
        _character(cover, random, reach, font, thick)
    elif kind == "pips":
        _pips(cover, random, reach)
    elif kind == "crescent":
        turn = random.uniform(0, 2 * math.pi)
        aside = middle + reach * random.uniform(0.3, 0.6) * np.array(
            (math.cos(turn), math.sin(turn))
        )
        _disc(cover, middle, reach, 255)
        _disc(cover, aside, reach * random.uniform(0.6, 0.85), 0)
    elif kind != "none":
        for _ in range(random.integers(1, 4)):
            at = middle + random.normal(0, 0.25, 2) * reach
            _outline(cover, random, kind, at, reach * random.uniform(0.4, 1.05))
    return np.asarray(cover / 255, dtype=np.float32)


def _character(
    cover: NDArray[np.uint8], random: Random, reach: float, font: int, thick: float
) -> None:
    """Draw a printable character."""
    text = chr(int(random.integers(33, 127)))
    stroke = max(1, round(2 * reach * thick))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = 2 * reach / max(width, height, 12)
    at = (round(DRAWN_PX / 2 - scale * width / 2), round(DRAWN_PX / 2 + scale * height / 2))
    cv2.putText(cover, text, at, font, scale, 255, stroke, cv2.LINE_AA)


def _pips(cover: NDArray[np.uint8], random: Random, reach: float) -> None:
    """Draw one to seven discs."""
    count = int(random.integers(1, 8))
    around = count if count < 5 else count - 1
    radius = reach * random.uniform(0.18, 0.3)
    if count >= 5:
        _disc(cover, np.array((DRAWN_PX / 2, DRAWN_PX / 2)), radius, 255)
    for number in range(around):
        step = 2 * math.pi * number / around
        far = reach * (0.0 if count == 1 else 0.7)
        _disc(cover, DRAWN_PX / 2 + far * np.array((math.cos(step), math.sin(step))), radius, 255)


def _disc(cover: NDArray[np.uint8], at: NDArray[np.float64], radius: float, value: int) -> None:
    """Draw a disc, or erase one if `value` is 0."""
    centre = (round(at[0] * 16), round(at[1] * 16))
    cv2.circle(cover, centre, round(radius * 16), value, -1, cv2.LINE_AA, 4)


def _outline(
    cover: NDArray[np.uint8], random: Random, kind: str, at: NDArray[np.float64], reach: float
) -> None:
    """Draw a star or polygon, a closed curve, a broken line, or a spiral."""
    angle = np.linspace(0, 2 * math.pi, 49)[:-1]
    if kind == "star":
        corners = int(random.integers(3, 13))
        angle = np.arange(2 * corners) * math.pi / corners + random.uniform(0, 2 * math.pi)
        far = np.where(np.arange(2 * corners) % 2, random.uniform(0.35, 1.0), 1.0)
    elif kind == "blob":
        waves = [
            random.normal(0, 0.5 / k) * np.cos(k * angle + random.uniform(0, 2 * math.pi))
            for k in range(2, 7)
        ]
        far = (0.75 + 0.5 * np.sum(waves, axis=0)).clip(0.1, 1.1)
    elif kind == "arcs":
        angle = np.linspace(0, random.uniform(1, 15), 60) + random.uniform(0, 2 * math.pi)
        far = np.linspace(random.choice((0.1, 1.0)), 1, 60)
    else:
        angle, far = random.uniform(0, 2 * math.pi, 6), random.uniform(0.2, 1.1, 6)
    points = at + reach * far[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    corners_px = [np.rint(points * 16).astype(np.int32)]
    if kind in ("star", "blob") and random.random() < 0.75:
        cv2.fillPoly(cover, corners_px, 255, cv2.LINE_AA, 4)
        return
    thick = max(2, round(reach * random.uniform(0.1, 0.3)))
    cv2.polylines(cover, corners_px, kind in ("star", "blob"), 255, thick, cv2.LINE_AA, 4)


class _Scene:
    """One light and one camera: how a drawn face looks in a picture, cut out as on the table."""

    def __init__(self, random: Random, coin_px: float, *, on_table: bool) -> None:
        """Draw what the scene is like."""
        self.random, self.coin_px, self.on_table = random, coin_px, on_table
        self.flat = random.uniform(0.65, 1.0) if on_table else random.uniform(0.9, 1.0)
        self.tint = np.exp(random.normal(0, 0.16 if on_table else 0.08, 3))
        spread = 0.45 if on_table else 0.15
        self.gain = math.exp(float(random.normal(0, spread)))
        self.gamma = random.uniform(0.7, 1.3)
        self.blur = random.uniform(0.4, 1.0) if random.random() < 0.8 else random.uniform(1.0, 1.6)
        self.plain = random.random() < PLAIN
        self.noise = 0.7 if self.plain else abs(random.normal(0, 2.5 if on_table else 1.0))
        self.fade = random.uniform(0.3, 1.1)  # of the colours
        self.around = random.uniform(10, 240, 3)
        self.quality = 100 if self.plain else int(random.uniform(50, 100))
        self.off = 0.055 if on_table else 0.08  # radii, along each axis
        self.scale = math.exp(float(random.normal(0, 0.02 if on_table else 0.07)))

    def shows(self, face: Floats) -> FacePatch:
        """Return a face as the patch cut out of the camera's picture."""
        random, coin_px = self.random, self.coin_px * math.exp(float(self.random.normal(0, 0.12)))
        side = math.ceil(1.3 * PATCH_REACH * coin_px) + 8
        middle = side / 2 + random.uniform(-0.5, 0.5, 2)
        turn = random.uniform(0, 2 * math.pi)
        c, s, scale = math.cos(turn), math.sin(turn), coin_px / DRAWN_PX
        across = scale * np.array(((c, -s), (s * self.flat, c * self.flat)))
        fine = cv2.GaussianBlur(face, (0, 0), max(0.3, 0.4 / scale))
        onto = np.column_stack((across, middle - across @ np.full(2, (DRAWN_PX - 1) / 2)))
        seen = cv2.warpAffine(
            fine, onto, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        y, x = np.mgrid[0:side, 0:side].astype(np.float32)
        out = np.hypot((x - middle[0]) * 2 / coin_px, (y - middle[1]) * 2 / coin_px / self.flat)
        wall = random.uniform(0.3, 1.0) * np.median(face.reshape(-1, 3), axis=0)
        outside = np.where((y > middle[1])[..., None] & (out < 1.2)[..., None], wall, self.around)
        cover = ((1.0 - out) * coin_px / 2 + 0.5).clip(0, 1)[..., None]
        seen = self._lit(
            seen * cover + outside * (1 - cover),
            (x - middle[0]) / coin_px,
            (y - middle[1]) / coin_px,
        )
        coded = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1]
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.float32)
        return FacePatch(self._cut(picture, middle, coin_px), coin_px * math.sqrt(self.flat))

    def _lit(self, seen: Floats, x: Floats, y: Floats) -> NDArray[np.uint8]:
        """Return the picture as the camera stores it: in the scene's light, with blur and noise,
        limited to the possible values, and perhaps spoilt.
        """
        random = self.random
        slope = random.normal(0, 0.15, 2)
        light = self.gain * np.exp(slope[0] * x + slope[1] * y)[..., None] * self.tint
        lit = 255 * (seen.clip(0, 255) / 255) ** self.gamma * light
        grey = lit.mean(axis=-1, keepdims=True)
        lit = grey + self.fade * (lit - grey)
        if not self.plain:
            lit = self._spoilt(lit, x, y)
        lit = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), self.blur)
        lit = lit + random.normal(0, 1, lit.shape) * self.noise
        return np.asarray(np.clip(np.rint(lit), 0, 255), dtype=np.uint8)

    def _spoilt(self, lit: Floats, x: Floats, y: Floats) -> Floats:
        """Return the picture, at random with glare, with a veil of light, or with something over a
        part of the coin.
        """
        random = self.random
        if random.random() < (0.25 if self.on_table else 0.1):
            at, wide = random.normal(0, 0.35, 2), random.uniform(0.15, 0.9)
            spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))
            lit = lit + (random.uniform(20, 300) * spot)[..., None]
        if self.on_table and random.random() < 0.12:
            veil = random.uniform(0, 0.97)
            lit = lit * (1 - veil) + veil * random.uniform(120, 280)
        if self.on_table and random.random() < 0.05:  # something covers a part of it
            turn, far = random.uniform(0, 2 * math.pi), random.uniform(-0.3, 0.4)
            hidden = x * math.cos(turn) + y * math.sin(turn) > far
            lit = np.where(hidden[..., None], random.uniform(0, 255, 3), lit)
        return np.asarray(lit, dtype=np.float32)

    def _cut(self, picture: Floats, middle: NDArray[np.float64], coin_px: float) -> Floats:
        """Cut the coin's patch out of the picture, with a small error of its middle."""
        off = middle + self.random.normal(0, self.off, 2) * coin_px / 2
        reach = PATCH_REACH * coin_px / 2 * self.scale
        steps = ((np.arange(PATCH_PX) + 0.5) / PATCH_PX * 2 - 1) * reach
        x, y = np.meshgrid(off[0] + steps, off[1] + self.flat * steps)
        return np.asarray(
            cv2.remap(picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_CUBIC),
            dtype=np.float32,
        )
