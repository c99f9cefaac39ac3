"""Measures where a tile's rim is to a few hundredths of a millimetre, by fitting a small model of
the brightness across each edge of its top face.

From the face outwards there may be a line inked inside the rim, a margin beyond it, and the rim. On
edges towards the camera the side wall follows, down to the table. Then comes the table, often in
shadow. These blur into one another, so the steepest place does not show any of them. Instead all
are fitted together, each colour with its own noise, and the most likely place of the rim is used.
What all edges share (blur, place of the line) is learnt first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from calibration.lens.camera import TableView
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Light = NDArray[np.float32]

# Tuned on our own clips, except where a comment gives another source for a number.

_STEP_MM: Final = 0.4
_INSIDE_MM: Final = 6.5
OUTSIDE_MM: Final = 4.0
# Of the edge, in tile widths. Corners, and a cross in the middle, are left out.
_STRETCHES: Final = ((-0.40, -0.07), (0.07, 0.40))
_ACROSS: Final = 48
#: By definition: the outward normals of a tile's edges in its own frame. The index in this list
#: names an edge.
NORMALS: Final = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
_WALL_SEEN_MM: Final = 0.4
SHADOW_MM: Final = 2.0  # the distance over which a contact shadow falls to 1/e
#: A rim that is measured separately appears this far inside the true one. Wear moves it inwards and
#: the spread of light moves it outwards; they nearly cancel. Measured: over nine drawn clips of
#: known tables (0.62 to 0.92 px a millimetre) it leaves 0.06 mm rms. The 0.24 mm of
#: `COMMON_EASED_MM`, for which the spread is treated separately and light is converted differently,
#: would leave 0.26 mm.
RIM_EASED_MM: Final = 0.02
#: The width of a printed or inked line, mm.
INK_MM: Final = 1.0
_GRID_MM: Final = 0.1
_LEAST_CONTRAST: Final = 0.01
_LEAST_VARIANCE: Final = 1e-6  # of light: rounding to 8 bits leaves this
_RIDGE: Final = 1e-6
_SHOULDER: Final = 0.85  # from this brightness on cameras and films compress highlights


@dataclass(frozen=True)
class RimModel:
    """What all edges of one picture share: its blur, and how far inside the rim a line is inked
    (None: no such line).
    """

    blur_px: float = 0.95
    inset_mm: float | None = None


@dataclass(frozen=True)
class Profile:
    """Light across one stretch of an edge. `at_mm` (n,) runs outwards from the expected rim,
    `light` is (n, channels).
    """

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
    """A rim as measured: `offset_mm` outwards from where it was expected, with its error, and the
    profile it comes from.

    With `by_likeness`, the rim was not measured at the edge. It is where the tile's rim would be if
    all faces had one common size, and that size is not known.
    """

    profile: Profile
    offset_mm: float
    sigma_mm: float
    by_likeness: bool = False

    @property
    def point_mm(self) -> tuple[float, float]:
        """Return the measured point of the rim on the plane of the top face."""
        (x, y), (nx, ny) = self.profile.middle_mm, self.profile.normal
        out = self.offset_mm + (0.0 if self.by_likeness else RIM_EASED_MM)
        return (x + nx * out, y + ny * out)


def even_light(picture: NDArray[np.uint8], power: float = 1.5) -> Light:
    """Convert a picture (h, w) or (h, w, 3) of 8 bits to light in which blur is nearly symmetrical,
    (h, w, channels).

    A part of the blur happens in light (lens, sensor), and a part in the stored values (scaling,
    compression). So the conversion is a power between the two, with the compressed highlights
    expanded. The power was chosen by the offset it leaves on rims of known place, bright and dark.
    """
    value = np.arange(256) / 255.0
    above = 0.98 * np.maximum(value - _SHOULDER, 0.0) / (1.0 - _SHOULDER)
    table = (value**power + 4.9 * (1.0 - _SHOULDER) * (-np.log(1.0 - above) - above)).astype(
        np.float32
    )
    light = table[picture]
    return light[:, :, None] if light.ndim == 2 else light


def tile_turn(tile: Tile) -> Array:
    """Return the rotation (2, 2) from a tile's own frame to the table's."""
    angle = np.radians(tile.rotation_deg)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def top_height_mm(tile: Tile, sizes: PieceSizes) -> float:
    """Return how high the top face of a tile or a stack is above the table, mm."""
    return tile.stack * sizes.tile_thickness_mm


def tile_profiles(
    light: Light,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    reach_mm: float = 1.2,
    outward_mm: float = 0.0,
) -> list[Profile]:
    """Sample the profiles of a tile's edges, two stretches each, without those outside the picture.

    `reach_mm` is how far from its expected place the rim may be. `outward_mm` is how much farther
    outwards than usual to sample.
    """
    turn, height = tile_turn(tile), top_height_mm(tile, sizes)
    half = sizes.tile_mm / 2
    camera_mm = view.position_mm
    plans, points = [], []
    for side, local in enumerate(NORMALS):
        normal = turn @ np.array(local)
        along = np.array([-normal[1], normal[0]])
        wall = _wall_mm(camera_mm, np.array(tile.centre_mm) + normal * half, normal, height)
        at = np.arange(
            -_INSIDE_MM - reach_mm, max(wall, 0.0) + OUTSIDE_MM + reach_mm + outward_mm, _STEP_MM
        )
        for begin, end in _STRETCHES:
            middle = (
                np.array(tile.centre_mm) + normal * half + along * (begin + end) / 2 * sizes.tile_mm
            )
            spread = np.linspace(begin - end, end - begin, _ACROSS) / 2 * sizes.tile_mm
            grid = middle + at[:, None, None] * normal + spread[None, :, None] * along
            plans.append((side, middle, normal, at, wall))
            points.append(grid.reshape(-1, 2))
    pixels = view.to_image(
        np.column_stack((np.concatenate(points), np.full(sum(map(len, points)), height)))
    )
    return _sample(light, view, height, plans, pixels)


def _wall_mm(camera_mm: Array, rim: Array, normal: Array, height_mm: float) -> float:
    """Return how wide the side wall below a rim appears, measured on the plane of the face;
    negative where it faces away from the camera.
    """
    return float((camera_mm[:2] - rim) @ normal * height_mm / camera_mm[2])


def _sample(
    light: Light,
    view: TableView,
    height_mm: float,
    plans: Sequence[tuple[int, Array, Array, Array, float]],
    pixels: Array,
) -> list[Profile]:
    rows, columns = light.shape[:2]
    profiles, done = [], 0
    for side, middle, normal, at, wall in plans:
        mine = pixels[done : done + len(at) * _ACROSS]
        done += len(mine)
        if mine.min() < 1 or mine[:, 0].max() > columns - 2 or mine[:, 1].max() > rows - 2:
            continue
        where = mine.astype(np.float32).reshape(len(at), _ACROSS, 2)
        seen = cv2.remap(light, where[:, :, 0], where[:, :, 1], cv2.INTER_LINEAR).reshape(
            len(at), _ACROSS, -1
        )
        two = view.to_image(np.array([[*middle, height_mm], [*(middle + normal), height_mm]]))
        scale = float(np.hypot(*(two[1] - two[0])))
        place, outwards = (float(middle[0]), float(middle[1])), (float(normal[0]), float(normal[1]))
        profiles.append(
            Profile(
                side,
                place,
                outwards,
                height_mm,
                at,
                seen.mean(axis=1, dtype=np.float64),
                wall,
                scale,
            )
        )
    return profiles


def _shapes(z: Array, wall_mm: float, blur_mm: float, inset_mm: float | None) -> Array:
    """Return the model's parts at distances `z` (..., n) outwards from the rim: (..., n, parts)."""
    beyond = z - max(wall_mm, 0.0)
    foot = beyond / blur_mm
    table, rim = ndtr(foot), ndtr(z / blur_mm)
    ramp = 0.1 * blur_mm * (foot * table + np.exp(-foot * foot / 2) / np.sqrt(2 * np.pi))
    ratio = blur_mm / SHADOW_MM
    shadow = np.exp(np.clip(ratio * ratio / 2 - beyond / SHADOW_MM, -50.0, 50.0)) * ndtr(
        foot - ratio
    )
    parts = [table, ramp, shadow]
    if inset_mm is None:
        parts += [1.0 - rim, 0.1 * z * (1.0 - rim)]
    else:
        margin = ndtr((z + inset_mm) / blur_mm)
        ink = ndtr((z + inset_mm + INK_MM / 2) / blur_mm) - ndtr(
            (z + inset_mm - INK_MM / 2) / blur_mm
        )
        parts += [1.0 - margin, 0.1 * z * (1.0 - margin), margin - rim, ink]
    if wall_mm > _WALL_SEEN_MM:
        parts += [rim - table, (z - wall_mm / 2) * (rim - table)]
    return np.stack(parts, axis=-1)


def rim_costs(
    profile: Profile, model: RimModel, reach_mm: float, outward_mm: float = 0.0
) -> tuple[Array, Array]:
    """Return offsets (n,) mm of the rim, and the cost of each (n,): minus the logarithm of its
    likelihood, up to a constant.

    Every offset must explain the same light, from well inside the expected rim to some millimetres
    (and `outward_mm`) beyond it. The noise of each colour is its residual.
    """
    steps = int(np.ceil(reach_mm / _GRID_MM))
    offsets: Array = np.linspace(-steps, steps, 2 * steps + 1, dtype=np.float64) * _GRID_MM
    outer = max(profile.wall_mm, 0.0) + OUTSIDE_MM + outward_mm
    kept = (profile.at_mm >= outward_mm - _INSIDE_MM - 1e-6) & (profile.at_mm <= outer + 1e-6)
    light = profile.light[kept]
    shapes = _shapes(
        profile.at_mm[kept][None, :] - offsets[:, None],
        profile.wall_mm,
        model.blur_px / profile.px_per_mm,
        model.inset_mm,
    )
    turned = np.swapaxes(shapes, 1, 2)
    mixed = turned @ light
    explained = (
        mixed * np.linalg.solve(turned @ shapes + _RIDGE * np.eye(shapes.shape[2]), mixed)
    ).sum(axis=1)
    variance = np.maximum((light**2).sum(axis=0) - explained, 0.0) / len(light) + _LEAST_VARIANCE
    return offsets, np.asarray(0.5 * len(light) * np.log(variance).sum(axis=1), dtype=np.float64)


def rim_near(
    profile: Profile, offsets_mm: Array, costs: Array, expected_mm: float, within_mm: float
) -> Rim | None:
    """Return the most likely rim within a distance of where it is expected; None where no edge is
    seen or it is farther away.
    """
    near = np.flatnonzero(np.abs(offsets_mm - expected_mm) <= within_mm + 1e-9)
    if len(near) < 3 or np.ptp(profile.light, axis=0).max() < _LEAST_CONTRAST:
        return None
    best = int(near[np.argmin(costs[near])])
    if best in (near[0], near[-1]):
        return None
    before, here, after = costs[best - 1], costs[best], costs[best + 1]
    bend = float(before - 2 * here + after)
    if bend <= 0:
        return None
    return Rim(
        profile,
        float(offsets_mm[best] + 0.5 * (before - after) / bend * _GRID_MM),
        float(_GRID_MM / np.sqrt(bend)),
    )
