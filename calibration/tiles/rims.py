"""Samples the light across the edges of tiles' top faces.

From the face outwards, there may first be an inked line and a margin, then comes the rim. On edges
towards the camera, the side wall follows, down to the table. Then comes the table, often in shadow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import SIDE_SHARE
from calibration.lens.camera import TableView
from referee.domain.geometry import add, scale
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Light = NDArray[np.float32]

# Tuned on our own clips, except where a comment gives another source for a number.

#: The distance between samples across an edge, and between the places of an edge that are tried
#: first.
STEP_MM: Final = 0.4
#: How far inside a tile's rim the light is sampled.
INSIDE_MM: Final = 6.0
#: How far outside a tile's rim the light is sampled, beyond its wall.
OUTSIDE_MM: Final = 4.0
# The two stretches of an edge that are sampled, in tile widths from its middle. A cross in the
# middle is left out, too.
STRETCHES: Final = ((-SIDE_SHARE / 2, -0.07), (0.07, SIDE_SHARE / 2))
_ACROSS: Final = 48
#: By definition: the outward normals of a tile's edges in its own frame. The index in this list
#: names an edge.
NORMALS: Final = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
SHADOW_MM: Final = 2.0  # the distance over which a contact shadow falls to 1/e
_SHOULDER: Final = 0.85  # cameras and films compress brightness above this share of white


@dataclass(frozen=True)
class Profile:
    """Light across one stretch of an edge of a top face. `side` is the edge, `middle_mm` (2,) the
    middle of the stretch, `normal` (2,) the direction outwards, and `height_mm` the height of the
    face above the table. `at_mm` (n,) are the samples' distances outwards from the expected rim,
    and `light` (n, channels) is the light there. `wall_mm` is how wide the side wall below appears,
    and `px_per_mm` the picture's scale there.
    """

    side: int
    middle_mm: tuple[float, float]
    normal: tuple[float, float]
    height_mm: float
    at_mm: Array
    light: Array
    wall_mm: float
    px_per_mm: float


def even_light(picture: NDArray[np.uint8], power: float = 1.5) -> Light:
    """Convert an 8-bit picture (h, w) or (h, w, 3) to light (h, w, channels), in which the blur of
    an edge is nearly symmetrical.

    A part of the blur arises in light (lens, sensor), and a part in the stored values (scaling,
    compression). So the conversion uses a power between those that suit the two parts, and expands
    the compressed highlights. The power was chosen so that it leaves the smallest offset on rims
    whose places are known, bright and dark.
    """
    value = np.linspace(0.0, 1.0, 256)
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
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, reach_mm: float = 0.0
) -> list[Profile]:
    """Sample the profiles of a tile's edges, two stretches for each edge. Profiles outside the
    picture are left out.

    The rim may be up to `reach_mm` from its expected place.
    """
    turn, height = tile_turn(tile), top_height_mm(tile, sizes)
    half = sizes.tile_mm / 2
    camera_mm = view.position_mm
    plans, points = [], []
    for side, local in enumerate(NORMALS):
        normal = turn @ np.array(local)
        along = np.array([-normal[1], normal[0]])
        wall = _wall_mm(camera_mm, np.array(tile.centre_mm) + normal * half, normal, height)
        at = np.arange(-INSIDE_MM - reach_mm, max(wall, 0.0) + OUTSIDE_MM + reach_mm, STEP_MM)
        for begin, end in STRETCHES:
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


def touches(profile: Profile, tiles: Iterable[Tile], tile_mm: float) -> bool:
    """Return whether one of the `tiles` lies where a profile should show the table."""
    beyond_mm = add(profile.middle_mm, scale(profile.normal, OUTSIDE_MM))
    return any(tile.is_within(beyond_mm, tile_mm / 2) for tile in tiles)


def _wall_mm(camera_mm: Array, rim: Array, normal: Array, height_mm: float) -> float:
    """Return how wide the side wall below a rim appears, measured on the plane of the face;
    negative if the wall faces away from the camera.
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
        px_per_mm = float(np.hypot(*(two[1] - two[0])))
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
                px_per_mm,
            )
        )
    return profiles
