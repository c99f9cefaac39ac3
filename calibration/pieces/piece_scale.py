"""Computes the camera's pose from the tiles in a picture of pieces, and with that pose the coins'
size and places.

The picture must have been taken upright: its upper edge shows what is farther from the camera. A
tilted camera sees a piece's top face and, on the sides towards the camera, the piece's wall. On the
other sides, the outline is the edge of the top face. A coin's width is measured only on these
sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.constants.fitting import MAJORITY, RIM_SIGMA_MM, SIDE_SHARE
from calibration.lens.camera import USUAL_TILT_RAD, Array, Camera, TableView
from calibration.pieces.piece_edges import changes, colours, foot_mm, peaks
from calibration.pieces.piece_rims import HIDDEN_MM, measure_centres, measure_width
from calibration.pieces.piece_row import Disc
from calibration.pieces.piece_tiles import Quad
from referee.domain.pieces import PieceSizes

# Tuned on our own clips, except where a comment gives another source for a number.

# The standard deviation of the tilts at which people hold a camera over a table.
_TILT_SIGMA: Final = math.radians(8)
_FIRST_TILTS_DEG: Final = (8, 15, 22, 30, 40)
# How far from its expected place a tile's edge is searched for, closer each time.
_WINDOWS_MM: Final = (2.5, 1.2, 0.8, 0.8)
# an edge counts if it has at least this share of the sharpness of the sharpest edge nearby
_CLEAR: Final = 0.45
# the stretch beside an edge: beyond its blur, but before the next edge
_BESIDE_MM: Final = (0.3, 1.2)
_MOST_OF_FACE: Final = 0.4
_SEGMENTS: Final = 4
_SAMPLES: Final = 16
_STEP_MM: Final = 0.15
# The error, as a share, of the camera's distance that follows from the coins' widths. Measured: in
# 8 pictures, the widths that `find_row` returns are off by 3 % (rms), 6 % at worst. The rest allows
# for coins that are not equally far from the camera.
_REACH_SIGMA: Final = 0.1


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture's pose and the pieces in it, in the table frame: the centres of the coins (n, 2),
    mm, and the x and y, mm, and rotation, radians, of the tiles (m, 3).
    """

    view: TableView
    coins_mm: Array
    tiles_mm: Array
    sizes: PieceSizes


@dataclass(frozen=True, eq=False)
class _Edges:
    """Arrays of k points on tiles' edges: `at_px` (k, 2), the index `tile` (k,) of the tile, its
    `side` (k,), and `foot` (k,), which is True if the point is on the foot of the wall and not on
    the edge of the face.
    """

    at_px: Array
    tile: NDArray[np.intp]
    side: NDArray[np.intp]
    foot: NDArray[np.bool_]


def measure_scene(
    picture: NDArray[np.uint8],
    camera: Camera,
    discs: Sequence[Disc],
    quads: Sequence[Quad],
    sizes: PieceSizes,
    coin_known: bool,
) -> Scene:
    """Measure the pose, the tiles and the coins in a BGR picture in which coins and tiles were
    roughly found.

    If there are tiles, the coins' diameter is measured relative to `sizes.tile_mm`, unless
    `coin_known`. Without tiles, `sizes.coin_mm` gives the scale, and the camera is assumed to have
    the tilt at which people usually hold it.
    """
    at_px = np.array([[d.x_px, d.y_px] for d in discs])
    coin_px = 2 * float(np.median([d.radius_px for d in discs]))
    if not quads:
        return _without_tiles(picture, camera, at_px, coin_px, sizes)
    reach = camera.fx_px * sizes.coin_mm / coin_px if coin_known else None
    view, tiles = _pose(picture, camera, quads, sizes, reach)
    px_per_mm = float(
        np.median(
            np.linalg.norm(view.to_image(np.eye(2)) - view.to_image(np.zeros((2, 2))), axis=1)
        )
    )
    coins = view.to_table(at_px, sizes.coin_thickness_mm)
    if not coin_known:
        start = replace(sizes, coin_mm=coin_px / px_per_mm)
        sizes = replace(sizes, coin_mm=measure_width(picture, view, coins, start))
    return Scene(view, measure_centres(picture, view, coins, sizes), tiles, sizes)


def _without_tiles(
    picture: NDArray[np.uint8], camera: Camera, at_px: Array, coin_px: float, sizes: PieceSizes
) -> Scene:
    """Measure the scene from the coins alone: the camera's distance is the one at which they have
    their stated width.
    """
    view = _view(camera, USUAL_TILT_RAD, camera.fx_px * sizes.coin_mm / coin_px)
    coins = view.to_table(at_px, sizes.coin_thickness_mm)
    coins = measure_centres(picture, view, coins, sizes)
    return Scene(view, coins, np.empty((0, 3)), sizes)


def _view(camera: Camera, tilt: float, reach_mm: float) -> TableView:
    """Return the view of a camera tilted by `tilt` from straight down. Its axis meets the table at
    the origin, `reach_mm` from the camera.
    """
    ahead = np.array([0.0, math.sin(tilt), -math.cos(tilt)])
    down = np.array([0.0, -math.cos(tilt), -math.sin(tilt)])
    return TableView(
        camera, np.stack((np.array([1.0, 0.0, 0.0]), down, ahead)), np.array([0.0, 0.0, reach_mm])
    )


def _pose(
    picture: NDArray[np.uint8],
    camera: Camera,
    quads: Sequence[Quad],
    sizes: PieceSizes,
    reach_mm: float | None,
) -> tuple[TableView, Array]:
    """Find the pose in which the tiles' edges fit squares of the known size best. Return it with
    these squares. `reach_mm` is the camera's distance according to the coins, if their width is
    known.

    If the search begins with a wrong tilt, it easily confuses the near edges of the foot with those
    of the face. So it begins with several tilts, and the best fit is used.
    """
    tries = [
        _pose_from(picture, camera, quads, sizes, math.radians(tilt), reach_mm)
        for tilt in _FIRST_TILTS_DEG
    ]
    _, values, tiles = min(tries, key=lambda one: one[0])
    return _view_at(camera, values), tiles


def _pose_from(
    picture: NDArray[np.uint8],
    camera: Camera,
    quads: Sequence[Quad],
    sizes: PieceSizes,
    tilt: float,
    reach_mm: float | None,
) -> tuple[float, Array, Array]:
    """Search from a given tilt. Return the misfit, the tilt and the logarithm of the reach found,
    and the tiles.
    """
    tile_px = float(np.median([math.sqrt(q.area_px) for q in quads])) / math.sqrt(math.cos(tilt))
    values = np.array([tilt, math.log(camera.fx_px * sizes.tile_mm / tile_px)])
    corners = (
        _view_at(camera, values)
        .to_table(np.concatenate([_anticlockwise(q) for q in quads]), sizes.tile_thickness_mm)
        .reshape(-1, 4, 2)
    )
    along = corners[:, 1] - corners[:, 0]
    tiles = np.column_stack((corners.mean(axis=1), np.arctan2(along[:, 1], along[:, 0])))
    misfit = math.inf
    for window in _WINDOWS_MM:
        edges = _edges(picture, _view_at(camera, values), tiles, sizes, window)
        misfit, values, tiles = _adjusted(camera, values, tiles, edges, sizes, reach_mm)
    return misfit, values, tiles


def _view_at(camera: Camera, values: Array) -> TableView:
    """Return the view for a tilt and a logarithm of the reach."""
    return _view(camera, float(values[0]), math.exp(float(values[1])))


def _edges(
    picture: NDArray[np.uint8], view: TableView, tiles: Array, sizes: PieceSizes, window_mm: float
) -> _Edges:
    """Find the edges seen along each tile's sides. The outermost clear edge counts, because printed
    frames lie farther inside and shadows are soft.

    Where the wall shows, the outermost edge may be that of the face or that of the foot. It is
    taken for the one whose expected place is closer.
    """
    half, height = sizes.tile_mm / 2, sizes.tile_thickness_mm
    along = half * np.linspace(-SIDE_SHARE, SIDE_SHARE, _SEGMENTS * _SAMPLES)
    along = along.reshape(_SEGMENTS, _SAMPLES)
    places, labels = [], []
    for number, side in product(range(len(tiles)), range(4)):
        angle = float(tiles[number, 2]) + side * math.pi / 2
        normal = np.array([math.cos(angle), math.sin(angle)])
        at_mm = (
            tiles[number, :2]
            + half * normal
            + along[:, :, None] * np.array([-normal[1], normal[0]])
        )
        outward = np.broadcast_to(normal, at_mm.shape)
        middles = at_mm.mean(axis=1)
        feet = foot_mm(view, middles, outward[:, 0], height)
        offsets = np.arange(-window_mm, window_mm + max(0.0, float(feet.max())), _STEP_MM)
        across = colours(picture, view, at_mm, outward, height, offsets)
        face = _face_colour(picture, view, tiles[number], sizes)
        for middle, foot, line, values in zip(middles, feet, changes(across), across, strict=True):
            found = [
                at for at in peaks(line, offsets, _CLEAR) if _bounds_tile(values, offsets, at, face)
            ]
            if found:
                places.append([*(middle + found[-1] * normal), height])
                labels.append(
                    (number, side, foot >= HIDDEN_MM and abs(found[-1] - foot) < abs(found[-1]))
                )
    at_px = view.to_image(np.array(places)) if places else np.empty((0, 2))
    marks = np.array(labels, dtype=np.intp).reshape(-1, 3)
    return _Edges(at_px, marks[:, 0], marks[:, 1], marks[:, 2] > 0)


def _face_colour(
    picture: NDArray[np.uint8], view: TableView, tile: Array, sizes: PieceSizes
) -> Array:
    """Return the colour (3,) that most of a tile's face has."""
    grid = np.linspace(-_MOST_OF_FACE, _MOST_OF_FACE, 15) * sizes.tile_mm
    x, y = (part.ravel() for part in np.meshgrid(grid, grid))
    cos, sin = math.cos(tile[2]), math.sin(tile[2])
    places = np.column_stack(
        (
            tile[0] + cos * x - sin * y,
            tile[1] + sin * x + cos * y,
            np.full(len(x), sizes.tile_thickness_mm),
        )
    )
    at_px = view.to_image(places).astype(np.float32)
    found = cv2.remap(
        picture,
        at_px[None, :, 0],
        at_px[None, :, 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(np.median(found.reshape(-1, 3), axis=0), dtype=np.float64)


def _bounds_tile(values: Array, offsets: Array, at_mm: float, face: Array) -> bool:
    """Return whether an edge is the border of a tile: the colour just inside the edge is more like
    the face than the colour just outside it, and more like the face than like the table. This is
    not so at the edge of a shadow.
    """
    inside, outside = (
        values[(offsets > at_mm + low) & (offsets < at_mm + high)]
        for low, high in ((-_BESIDE_MM[1], -_BESIDE_MM[0]), _BESIDE_MM)
    )
    if not len(inside) or not len(outside):
        return True
    off = float(np.linalg.norm(inside.mean(axis=0) - face))
    return bool(
        off < np.linalg.norm(outside.mean(axis=0) - face)
        and off < MAJORITY * np.linalg.norm(values[-1] - face)
    )


def _adjusted(
    camera: Camera,
    values: Array,
    tiles: Array,
    edges: _Edges,
    sizes: PieceSizes,
    reach_mm: float | None,
) -> tuple[float, Array, Array]:
    """Adjust tilt, reach and tiles until the edges lie on squares of the known size (robust least
    squares). Return the misfit, the adjusted values and the tiles.
    """

    flat = camera.undistort(edges.at_px)

    def residuals(p: Array) -> Array:
        off = _off_tiles(_view_at(camera, p[:2]), p[2:].reshape(-1, 3), edges, flat, sizes)
        tilted = (p[0] - USUAL_TILT_RAD) / _TILT_SIGMA
        farther = 0.0 if reach_mm is None else (p[1] - math.log(reach_mm)) / _REACH_SIGMA
        return np.concatenate((off / RIM_SIGMA_MM, [tilted, farther]))

    start = np.concatenate((values, tiles.ravel()))
    spread = np.concatenate(([0.1, 0.1], np.tile([1.0, 1.0, 0.05], len(tiles))))
    fit = least_squares(residuals, start, loss="soft_l1", x_scale=spread, max_nfev=40)
    return float(fit.cost) / max(1, len(edges.at_px)), fit.x[:2], fit.x[2:].reshape(-1, 3)


def _off_tiles(
    view: TableView, tiles: Array, edges: _Edges, flat: Array, sizes: PieceSizes
) -> Array:
    """Return how far the edges lie outside the tiles' squares, mm. `flat` (k, 2) are their points
    on the undistorted image plane.
    """
    at = view.flat_to_table(flat, np.where(edges.foot, 0.0, sizes.tile_thickness_mm))
    mine = tiles[edges.tile]
    angle = mine[:, 2] + edges.side * (math.pi / 2)
    return np.asarray(
        (at[:, 0] - mine[:, 0]) * np.cos(angle)
        + (at[:, 1] - mine[:, 1]) * np.sin(angle)
        - sizes.tile_mm / 2,
        dtype=np.float64,
    )


def squares(tiles_mm: Array, side_mm: float) -> Array:
    """Return the corners (n, 4, 2), counter-clockwise, of the tiles `tiles_mm` (n, 3), each given
    by x, y and its rotation in radians. The first side points in the direction of the tile's
    rotation.
    """
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side_mm / 2
    cos, sin = np.cos(tiles_mm[:, 2])[:, None], np.sin(tiles_mm[:, 2])[:, None]
    turned = np.stack(
        (cos * corners[:, 0] - sin * corners[:, 1], sin * corners[:, 0] + cos * corners[:, 1]),
        axis=-1,
    )
    return np.asarray(turned + tiles_mm[:, None, :2], dtype=np.float64)


def _anticlockwise(quad: Quad) -> Array:
    """Return a quad's corners (4, 2) px, counter-clockwise on the table as seen from above."""
    corners = np.array(quad.corners_px)
    steps = np.roll(corners, -1, axis=0)
    clockwise = (
        float(np.sum(corners[:, 0] * steps[:, 1] - steps[:, 0] * corners[:, 1])) > 0
    )  # v runs down
    return corners[::-1] if clockwise else corners
