"""Draws the empty scene through the camera: floor, table top and its edge, and objects that lie
around. Drawn once per scene.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Polygon, sides
from referee.synthetic.pictures.faces import Picture, linear
from referee.synthetic.pictures.grain import CARPET_PX, TOP_PX_PER_MM, carpet, table_top
from referee.synthetic.pictures.lighting import (
    Illumination,
    cast,
    illuminate,
    irradiance,
    light_colour,
)
from referee.synthetic.pictures.printed_cloth import printed_cloth
from referee.synthetic.pictures.sprites import LENS_BLUR_PX, Array, fill, hull
from referee.synthetic.scenario.scene import Scene, Stray
from referee.synthetic.scenario.timeline import TABLE_HEIGHT_MM

_COARSE_PX: Final = 4
_THICK_MM: Final = 28.0
_MUG_MM: Final = 42.0  # its radius
_MUG_HIGH_MM: Final = 95.0


@dataclass(frozen=True)
class Ground:
    """The empty table in linear light (h, w, 3), the share of each pixel that is table top (h, w,
    1), and the light on it.
    """

    picture: Picture
    table_share: NDArray[np.float32]
    light: Illumination


def _plane(view: TableView, height_mm: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return for every pixel the x and y, mm, that it shows on the plane at a height. They are
    computed for every fourth pixel and interpolated linearly in between (error under 0.01 px).
    """
    width, height = view.camera.width, view.camera.height
    cols, rows = width // _COARSE_PX + 5, height // _COARSE_PX + 5
    x, y = np.meshgrid((np.arange(cols) - 2.0) * _COARSE_PX, (np.arange(rows) - 2.0) * _COARSE_PX)
    flat = (
        view.to_table(np.column_stack((x.ravel(), y.ravel())), height_mm)
        .reshape(rows, cols, 2)
        .astype(np.float32)
    )
    px, py = np.meshgrid(
        np.arange(width, dtype=np.float32) / _COARSE_PX + 2,
        np.arange(height, dtype=np.float32) / _COARSE_PX + 2,
    )
    both = np.asarray(cv2.remap(flat, px, py, cv2.INTER_LINEAR), dtype=np.float32)
    return both[..., 0], both[..., 1]


def _curve(a: tuple[float, float], b: tuple[float, float], height_mm: float) -> Array:
    """Return a straight edge as many points, (60, 3) mm, because the lens shows it as a curve."""
    share = np.linspace(0, 1, 60)[:, None]
    return np.column_stack(
        (np.array(a) * (1 - share) + np.array(b) * share, np.full(60, height_mm))
    )


def _table_share(
    x: NDArray[np.float32], y: NDArray[np.float32], outline: Polygon
) -> NDArray[np.float32]:
    """Return the share of each pixel that is table top, computed from the distance of the pixel's
    middle to the outline, in pixels.
    """
    (left, near), (right, far) = outline[0], outline[2]
    inside = np.minimum(np.minimum(x - left, right - x), np.minimum(y - near, far - y))
    down, across = np.gradient(inside)
    steep = np.maximum(np.hypot(down, across), 1e-6)  # 0 along the middle line of the table
    return np.asarray(np.clip(0.5 + inside / steep, 0, 1)[..., None], dtype=np.float32)


def _blend(picture: Picture, mask: NDArray[np.uint8], paint: NDArray[np.float32]) -> None:
    share = (mask.astype(np.float32) / 255)[..., None]
    picture *= 1 - share
    picture += share * paint


def empty_table(scene: Scene) -> Ground:
    """Draw the floor, the table and the stray objects of a scene, without pieces."""
    view, rng = scene.view, np.random.default_rng((scene.seed, 3))
    light = illuminate(scene.light, view)
    picture = _floor(scene, rng)
    _aprons(picture, scene)
    (left, near), (right, far) = scene.outline_mm[0], scene.outline_mm[2]
    size_mm = (right - left, far - near)
    drawn = (
        printed_cloth(scene.cloth, size_mm, rng)
        if scene.cloth
        else _toned(table_top(scene.wood, size_mm, rng), scene.wood_tone, scene.wood_grain)
    )
    top = cv2.GaussianBlur(drawn, (0, 0), 0.9)
    x, y = _plane(view, 0.0)
    share = _table_share(x, y, scene.outline_mm)
    wood = cv2.remap(
        top,
        (x - left) * TOP_PX_PER_MM - 0.5,
        (far - y) * TOP_PX_PER_MM - 0.5,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    picture = picture * (1 - share) + (wood * light.gain + light.sheen) * share
    for stray in scene.strays:
        (_mug if stray.kind == "mug" else _pencil)(picture, scene, stray)
    return Ground(cv2.GaussianBlur(picture, (0, 0), LENS_BLUR_PX).astype(np.float32), share, light)


def _toned(top: Picture, tone: float, grain: float) -> Picture:
    """Return the table top, `tone` times as bright and with `grain` times its grain."""
    if tone == grain == 1.0:
        return top
    mean = top.mean(axis=(0, 1), keepdims=True)
    return np.asarray(tone * np.clip(mean + grain * (top - mean), 0.004, None), dtype=np.float32)


def _floor(scene: Scene, rng: np.random.Generator) -> Picture:
    """Draw the carpet, darker farther from the lamp and in the table's shadow."""
    x, y = _plane(scene.view, -TABLE_HEIGHT_MM)
    loops = carpet(rng, float(rng.uniform(0.6, 1.6)))
    floor = cv2.remap(
        loops,
        (x * 0.62) % CARPET_PX,
        (y * 0.62) % CARPET_PX,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_WRAP,
    )
    points = np.column_stack(
        (x.ravel()[::64], y.ravel()[::64], np.full(len(x.ravel()[::64]), -TABLE_HEIGHT_MM))
    )
    mean = float(irradiance(scene.light, points.astype(np.float64)).mean())
    return np.asarray(
        floor * mean * scene.light.exposure * light_colour(scene.light).astype(np.float32),
        dtype=np.float32,
    )


def _aprons(picture: Picture, scene: Scene) -> None:
    """Draw the table's edge faces where the camera sees them."""
    tone = (
        linear((40, 60, 90))
        * (1.4 if scene.wood in ("pine", "oak") else 0.6)
        * scene.light.exposure
        * 0.5
    )
    for a, b in sides(scene.outline_mm):
        low, high = (scene.view.to_image(_curve(a, b, h)) for h in (-_THICK_MM, 0.0))
        mask = np.zeros(picture.shape[:2], dtype=np.uint8)
        cv2.fillPoly(
            mask,
            [np.round(np.concatenate((low, high[::-1])) * 16).astype(np.int32)],
            255,
            cv2.LINE_AA,
            4,
        )
        _blend(picture, mask, tone)


def _circle(at: tuple[float, float], radius: float, height: float) -> Array:
    a = np.arange(48) * np.pi / 24
    return np.column_stack(
        (at[0] + radius * np.cos(a), at[1] + radius * np.sin(a), np.full(48, height))
    )


def _mask(scene: Scene, outline_px: Array) -> NDArray[np.uint8]:
    mask = np.zeros((scene.camera.height, scene.camera.width), dtype=np.uint8)
    fill(mask, outline_px)
    return mask


def _shade(picture: Picture, scene: Scene, points_mm: Array, blur_px: float, depth: float) -> None:
    """Darken the table below a body's points and in their shadows."""
    flat = np.column_stack((cast(scene.light, points_mm), np.zeros(len(points_mm))))
    foot = points_mm[points_mm[:, 2] <= points_mm[:, 2].min() + 1e-6]
    mask = _mask(scene, hull(scene.view.to_image(np.concatenate((flat, foot)))))
    picture *= (
        1 - depth * (cv2.GaussianBlur(mask, (0, 0), blur_px).astype(np.float32) / 255)[..., None]
    )


def _mug(picture: Picture, scene: Scene, stray: Stray) -> None:
    foot, rim = (
        _circle(stray.at_mm, _MUG_MM * 0.88, 0.0),
        _circle(stray.at_mm, _MUG_MM, _MUG_HIGH_MM),
    )
    _shade(picture, scene, np.concatenate((foot, rim)), 7.0, 0.55)
    paint = linear((140, 92, 30)) * scene.light.exposure
    view = scene.view
    _blend(picture, _mask(scene, hull(view.to_image(np.concatenate((foot, rim))))), paint * 0.7)
    for share in np.linspace(0.8, 0.2, 5):
        part = [
            _circle(stray.at_mm, _MUG_MM * f * share, h) - (_MUG_MM * (1 - share) * 0.55, 0, 0)
            for f, h in ((0.88, 0.0), (1.0, _MUG_HIGH_MM))
        ]
        _blend(
            picture,
            _mask(scene, hull(view.to_image(np.concatenate(part)))),
            paint * (1.05 - 0.35 * share),
        )
    _blend(picture, _mask(scene, view.to_image(rim)), paint * 1.3)
    _blend(
        picture,
        _mask(scene, view.to_image(_circle(stray.at_mm, _MUG_MM - 4, _MUG_HIGH_MM))),
        paint * 0.45,
    )
    _blend(
        picture,
        _mask(scene, view.to_image(_circle(stray.at_mm, _MUG_MM - 6, _MUG_HIGH_MM - 25))),
        linear((60, 84, 70)) * scene.light.exposure,
    )


def _pencil(picture: Picture, scene: Scene, stray: Stray) -> None:
    turn = np.radians(stray.turn_deg)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])

    def bar(begin: float, end: float, wide: float, narrow: float, high: float) -> Array:
        flat = [
            along * begin + across * wide,
            along * end + across * narrow,
            along * end - across * narrow,
            along * begin - across * wide,
        ]
        return np.column_stack((np.array(flat) + stray.at_mm, np.full(4, high)))

    _shade(
        picture,
        scene,
        np.concatenate((bar(-85, 85, 3.5, 3.5, 0.0), bar(-85, 85, 3.5, 3.5, 7.0))),
        1.5,
        0.5,
    )
    gain = scene.light.exposure
    for piece, paint in (
        (bar(-85, 72, 3.7, 3.7, 3.5), linear((20, 110, 190))),
        (bar(-85, 72, 1.5, 1.5, 7.0), linear((50, 190, 250))),
        (bar(72, 84, 3.6, 1.0, 4.0), linear((130, 180, 215))),
        (bar(83, 88, 1.0, 0.3, 4.0), linear((40, 40, 40))),
        (bar(-92, -85, 3.6, 3.6, 4.0), linear((110, 110, 215))),
    ):
        _blend(picture, _mask(scene, scene.view.to_image(piece)), paint * gain)
