"""Where a tile's rim lies, to a few hundredths of a millimetre: brightness across each edge of its top face, explained by a small model.

Across an edge, outwards, one sees the face, perhaps a line inked inside the rim, the rim itself, then (on edges turned to the camera) the side wall
down to the table, then the table, often in shadow. Neighbours blur into one another, so none is found by its steepest place: all are fitted together.
Light adds up linearly, so it is done in linear light (sRGB undone).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.camera import TableView
from referee.layout import Tile
from referee.pieces import PieceSizes

Array = NDArray[np.float64]
Light = NDArray[np.float32]

_STEP_MM = 0.4
_INSIDE_MM, _OUTSIDE_MM = 6.5, 4.0
_STRETCHES = ((-0.40, -0.07), (0.07, 0.40))  # of the edge, in tile widths: corners and a cross in the middle are left out
_ACROSS = 48
_NORMALS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_WALL_SEEN_MM = 0.4
_GRID_MM = 0.06
_LEAST_CONTRAST = 0.004  # of full light: below it there is no edge to see
_RIDGE = 1e-6


@dataclass(frozen=True)
class RimModel:
    """What all edges of one picture share: the blur of the picture, and how far inside the rim a line is inked (None: no such line)."""

    blur_px: float = 0.95
    inset_mm: float | None = None


@dataclass(frozen=True)
class Profile:
    """Light across one stretch of an edge. `at_mm` (n,) runs outwards from the expected rim, `light` is (n, channels)."""

    side: int
    middle_mm: tuple[float, float]
    normal: tuple[float, float]
    height_mm: float
    at_mm: Array
    light: Array
    wall_mm: float
    px_per_mm: float


@dataclass(frozen=True)
class Rim:
    """A rim as measured: `offset_mm` outwards from where it was expected, with its error, and the profile it comes from."""

    profile: Profile
    offset_mm: float
    sigma_mm: float
    misfit: float

    @property
    def point_mm(self) -> tuple[float, float]:
        """The measured point of the rim on the plane of the top face."""
        (x, y), (nx, ny) = self.profile.middle_mm, self.profile.normal
        return (x + nx * self.offset_mm, y + ny * self.offset_mm)


def linear_light(picture: NDArray[np.uint8]) -> Light:
    """A picture (h, w) or (h, w, 3) of 8 bits as linear light in 0..1, (h, w, channels)."""
    value = np.arange(256) / 255.0
    table = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)
    light = table[picture]
    return light[:, :, None] if light.ndim == 2 else light


def _rotation(degrees: float) -> Array:
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def top_height_mm(tile: Tile, sizes: PieceSizes) -> float:
    """How high the top face of a tile or a stack lies above the table, mm."""
    return tile.stack * sizes.tile_thickness_mm


def tile_profiles(light: Light, view: TableView, tile: Tile, sizes: PieceSizes, reach_mm: float = 1.2) -> list[Profile]:
    """The profiles of a tile's edges, two stretches each, those outside the picture left out.

    `reach_mm` is how far from its expected place the rim may be.
    """
    turn, height = _rotation(tile.rotation_deg), top_height_mm(tile, sizes)
    half = sizes.tile_mm / 2
    eye = view.position_mm
    plans, points = [], []
    for side, local in enumerate(_NORMALS):
        normal = turn @ np.array(local)
        along = np.array([-normal[1], normal[0]])
        wall = _wall_mm(eye, np.array(tile.centre_mm) + normal * half, normal, height)
        at = np.arange(-_INSIDE_MM - reach_mm, max(wall, 0.0) + _OUTSIDE_MM + reach_mm, _STEP_MM)
        for begin, end in _STRETCHES:
            middle = np.array(tile.centre_mm) + normal * half + along * (begin + end) / 2 * sizes.tile_mm
            spread = np.linspace(begin - end, end - begin, _ACROSS) / 2 * sizes.tile_mm
            grid = middle + at[:, None, None] * normal + spread[None, :, None] * along
            plans.append((side, middle, normal, at, wall))
            points.append(grid.reshape(-1, 2))
    pixels = view.to_image(np.column_stack((np.concatenate(points), np.full(sum(map(len, points)), height))))
    return _sample(light, view, height, plans, pixels)


def _wall_mm(eye: Array, rim: Array, normal: Array, height_mm: float) -> float:
    """How wide the side wall below a rim appears, measured on the plane of the face; negative where it is turned away."""
    return float((eye[:2] - rim) @ normal * height_mm / eye[2])


def _sample(light: Light, view: TableView, height_mm: float, plans: Sequence[tuple[int, Array, Array, Array, float]], pixels: Array) -> list[Profile]:
    rows, columns = light.shape[:2]
    profiles, done = [], 0
    for side, middle, normal, at, wall in plans:
        mine = pixels[done : done + len(at) * _ACROSS]
        done += len(mine)
        if mine.min() < 1 or mine[:, 0].max() > columns - 2 or mine[:, 1].max() > rows - 2:
            continue
        where = mine.astype(np.float32).reshape(len(at), _ACROSS, 2)
        seen = cv2.remap(light, where[:, :, 0], where[:, :, 1], cv2.INTER_LINEAR).reshape(len(at), _ACROSS, -1)
        two = view.to_image(np.array([[*middle, height_mm], [*(middle + normal), height_mm]]))
        scale = float(np.hypot(*(two[1] - two[0])))
        place, outwards = (float(middle[0]), float(middle[1])), (float(normal[0]), float(normal[1]))
        profiles.append(Profile(side, place, outwards, height_mm, at, seen.mean(axis=1, dtype=np.float64), wall, scale))
    return profiles


def _shapes(z: Array, wall_mm: float, blur_mm: float, inset_mm: float | None) -> Array:
    """The model's parts at distances `z` (..., n) outwards from the rim: (..., n, parts)."""
    foot = (z - max(wall_mm, 0.0)) / blur_mm
    face = ndtr(-z / blur_mm)
    parts = [face, 0.1 * z * face, ndtr(foot), 0.1 * blur_mm * (foot * ndtr(foot) + np.exp(-foot * foot / 2) / np.sqrt(2 * np.pi))]
    if inset_mm is not None:
        parts.append(np.exp(-(((z + inset_mm) / blur_mm) ** 2) / 2))
    if wall_mm > _WALL_SEEN_MM:
        parts.append(ndtr(z / blur_mm) - ndtr(foot))
    return np.stack(parts, axis=-1)


def _misfits(profile: Profile, model: RimModel, offsets_mm: Array) -> tuple[Array, int]:
    """Sum of squares left over at each assumed offset of the rim, and the number of degrees of freedom."""
    blur = model.blur_px / profile.px_per_mm
    inner = -_INSIDE_MM + float(offsets_mm.mean())
    outer = max(profile.wall_mm, 0.0) + _OUTSIDE_MM + float(offsets_mm.mean())
    kept = (profile.at_mm >= inner - 1e-6) & (profile.at_mm <= outer + 1e-6)
    light = profile.light[kept]
    shapes = _shapes(profile.at_mm[kept][None, :] - offsets_mm[:, None], profile.wall_mm, blur, model.inset_mm)
    square = np.einsum("gnp,gnq->gpq", shapes, shapes) + _RIDGE * np.eye(shapes.shape[2])
    mixed = np.einsum("gnp,nc->gpc", shapes, light)
    explained = np.einsum("gpc,gpc->g", mixed, np.linalg.solve(square, mixed))
    return np.maximum(float((light**2).sum()) - explained, 0.0), light.size - shapes.shape[2] * light.shape[1]


def measure_rim(profile: Profile, model: RimModel, reach_mm: float) -> Rim | None:
    """The rim in a profile within `reach_mm` of where it is expected, None where no edge is seen or it is further off."""
    steps = int(np.ceil(reach_mm / _GRID_MM))
    offsets: Array = np.linspace(-steps, steps, 2 * steps + 1, dtype=np.float64) * _GRID_MM
    left, freedom = _misfits(profile, model, offsets)
    best = int(np.argmin(left))
    if not 0 < best < len(offsets) - 1 or np.ptp(profile.light, axis=0).max() < _LEAST_CONTRAST:
        return None
    before, here, after = left[best - 1], left[best], left[best + 1]
    bend = before - 2 * here + after
    if bend <= 0:
        return None
    offset = float(offsets[best] + 0.5 * (before - after) / bend * _GRID_MM)
    noise = here / max(freedom, 1) + 1e-8
    sigma = float(np.sqrt(2 * noise / (bend / _GRID_MM**2)))
    return Rim(profile, offset, sigma, float(here))


def measure_rims(profiles: Sequence[Profile], model: RimModel, reach_mm: float, worst_mm: float = 0.4) -> list[Rim]:
    """The rims seen in the profiles, those known worse than `worst_mm` left out."""
    rims = (measure_rim(profile, model, reach_mm) for profile in profiles)
    return [rim for rim in rims if rim is not None and rim.sigma_mm < worst_mm]


def _total(profiles: Sequence[Profile], model: RimModel, reach_mm: float) -> float:
    offsets: Array = np.linspace(-reach_mm, reach_mm, 2 * round(reach_mm / 0.1) + 1, dtype=np.float64)
    total = 0.0
    for profile in profiles:
        spread = float(((profile.light - profile.light.mean(axis=0)) ** 2).sum()) + 1e-6
        total += float(_misfits(profile, model, offsets)[0].min()) / spread
    return total


def learn_rim_model(profiles: Sequence[Profile], sizes: PieceSizes, reach_mm: float = 0.6) -> RimModel:
    """The blur and the inked line's inset that explain the profiles best; a line only where it explains much more than none."""
    if not profiles:
        return RimModel()
    some = profiles[:: max(1, len(profiles) // 48)]
    blurs = (0.6, 0.75, 0.9, 1.05, 1.25, 1.5)
    plain = min((RimModel(b) for b in blurs), key=lambda m: _total(some, m, reach_mm))
    insets = np.arange(0.022, 0.08, 0.004) * sizes.tile_mm
    lined = min((RimModel(plain.blur_px, float(i)) for i in insets), key=lambda m: _total(some, m, reach_mm))
    lined = min((RimModel(b, lined.inset_mm) for b in blurs), key=lambda m: _total(some, m, reach_mm))
    if _total(some, lined, reach_mm) > 0.75 * _total(some, plain, reach_mm) or lined.inset_mm is None:
        return plain
    fine = lined.inset_mm + np.arange(-0.3, 0.31, 0.1)
    return min((RimModel(lined.blur_px, float(i)) for i in fine), key=lambda m: _total(some, m, reach_mm))
