"""The camera's pose over a picture of pieces, and the coins' size, from the outlines of the coins and of the tiles beside them.

A picture is taken upright: its upper edge looks away from the camera. What a tilted camera sees of a piece is its top face and,
below that, its wall; so on the far sides the outline is the top face's edge, on the near sides it may be the face's or the foot's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.camera import Array, Camera, TableView
from calibration.piece_row import Disc
from calibration.piece_tiles import Quad
from referee.pieces import PieceSizes

_WINDOWS = (0.22, 0.14, 0.09, 0.09)  # how far from an outline its edge is looked for, in its radius or half side: nearer each time
_CLEAR = 0.4  # an edge counts when it is this sharp, of the sharpest nearby
_SECTORS, _RAYS = 16, 9
_SEGMENTS, _SAMPLES = 4, 12
_ROBUST_MM = 0.25
_THIN_MM = 0.3  # a wall that shows less than this is not told from the face's edge
_MEDIAN_TO_SIGMA = 1.4826
_FIRST_TILT = math.radians(20)
_FOCAL_SHARE = 0.9  # of the picture's width: between a webcam's and a phone's usual lens, when no camera is given


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture's pose and what lies in it: centres of the coins (n, 2) and tiles' (x, y, rotation in radians) (m, 3), table mm."""

    view: TableView
    coins_mm: Array
    tiles_mm: Array
    sizes: PieceSizes
    residual_mm: float


@dataclass(frozen=True, eq=False)
class _Edges:
    """Sharp places on outlines of one kind of piece: pixels (k, 2), the piece each belongs to, and the direction it was looked for in.

    For a tile that is its side's number; for a coin nothing. `foot` marks those taken for the foot's edge instead of the face's.
    """

    at_px: Array
    piece: NDArray[np.intp]
    side: NDArray[np.intp]
    foot: NDArray[np.bool_]


def usual_camera(width: int, height: int) -> Camera:
    """The camera taken for granted when none is given: an ordinary lens without distortion."""
    return Camera(width, height, _FOCAL_SHARE * max(width, height), _FOCAL_SHARE * max(width, height), (width - 1) / 2, (height - 1) / 2)


def measure_scene(picture: NDArray[np.uint8], camera: Camera, discs: list[Disc], quads: list[Quad], sizes: PieceSizes, coin_known: bool) -> Scene:
    """Fit pose, coins and tiles to their outlines in a BGR picture.

    With tiles the coin's diameter is measured against `sizes.tile_mm` unless `coin_known`; without tiles `sizes.coin_mm` is the ruler.
    """
    free_coin = bool(quads) and not coin_known
    scene = _first_guess(camera, discs, quads, sizes)
    for window in _WINDOWS:
        scene = _fitted(scene, _coin_edges(picture, scene, window), _tile_edges(picture, scene, window), free_coin)
    return scene


def _view(camera: Camera, tilt: float, roll: float, reach_mm: float) -> TableView:
    """The camera tilted from straight down, the table's origin where its axis meets the table at `reach_mm`."""
    ahead = np.array([0.0, math.sin(tilt), -math.cos(tilt)])
    down = np.array([0.0, -math.cos(tilt), -math.sin(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    turn = np.array([[math.cos(roll), math.sin(roll), 0], [-math.sin(roll), math.cos(roll), 0], [0, 0, 1.0]])
    return TableView(camera, turn @ np.stack((right, down, ahead)), np.array([0.0, 0.0, reach_mm]))


def _first_guess(camera: Camera, discs: list[Disc], quads: list[Quad], sizes: PieceSizes) -> Scene:
    """A scene from the coins' and tiles' rough places at a usual tilt."""
    coin_px = 2 * float(np.median([d.radius_px for d in discs]))
    if quads:
        tile_px = float(np.median([math.sqrt(q.area_px) for q in quads])) / math.sqrt(math.cos(_FIRST_TILT))
        reach = camera.fx_px * sizes.tile_mm / tile_px
        sizes = replace(sizes, coin_mm=coin_px / tile_px * sizes.tile_mm)
    else:
        reach = camera.fx_px * sizes.coin_mm / coin_px
    view = _view(camera, _FIRST_TILT, 0.0, reach)
    coins = view.to_table(np.array([[d.x_px, d.y_px] for d in discs]), sizes.coin_thickness_mm)
    tiles = []
    for quad in quads:
        corners = view.to_table(np.array(quad.corners_px), sizes.tile_thickness_mm)
        along = corners[1] - corners[0]
        tiles.append((*corners.mean(axis=0), math.atan2(along[1], along[0])))
    return Scene(view, coins, np.array(tiles).reshape(-1, 3), sizes, math.inf)


def _peaks(picture: NDArray[np.uint8], view: TableView, at_mm: Array, outward: Array, height_mm: float, window_mm: float) -> list[list[float]]:
    """Where the picture changes sharply across stretches of an outline: offsets along the outward normals, mm, innermost first.

    `at_mm`, `outward` are (stretches, samples, 2). The colours along a stretch are averaged before the change is taken, so that grain,
    which does not follow the outline, is lost.
    """
    offsets = np.linspace(-window_mm, window_mm, 41)
    places = at_mm[:, :, None, :] + outward[:, :, None, :] * offsets[:, None]
    flat = places.reshape(-1, 2)
    at_px = view.to_image(np.column_stack((flat, np.full(len(flat), height_mm)))).astype(np.float32).reshape(at_mm.shape[0], -1, 2)
    values = cv2.remap(picture, at_px[..., 0], at_px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float64)
    profile = values.reshape(*places.shape[:3], 3).mean(axis=1)
    change = np.linalg.norm(profile[:, 2:] - profile[:, :-2], axis=2)
    found = []
    for line in change:
        tops = [i for i in range(1, len(line) - 1) if line[i] >= line[i - 1] and line[i] > line[i + 1] and line[i] >= _CLEAR * line.max()]
        found.append([float(offsets[i + 1] + _vertex(line[i - 1], line[i], line[i + 1]) * (offsets[1] - offsets[0])) for i in tops])
    return found


def _vertex(before: float, top: float, after: float) -> float:
    """Where the parabola through three even samples has its top, in samples from the middle one."""
    bend = before - 2 * top + after
    return 0.0 if bend == 0 else 0.5 * (before - after) / bend


def _foot_mm(view: TableView, at_mm: Array, outward: Array, height_mm: float) -> Array:
    """How far outside the face's edge the foot's edge is seen, in the plane of the face (n,), mm; not positive where the wall is hidden."""
    eye = view.position_mm
    shift = (at_mm - eye[:2]) * (height_mm / eye[2])  # a point on the table is seen, in the face's plane, this much nearer to the camera
    return np.asarray(-np.sum(shift * outward, axis=1), dtype=np.float64)


def _coin_edges(picture: NDArray[np.uint8], scene: Scene, window: float) -> _Edges:
    """The sharp places around each coin's outline."""
    radius, height = scene.sizes.coin_mm / 2, scene.sizes.coin_thickness_mm
    angles = (np.arange(_SECTORS * _RAYS) + 0.5) / (_SECTORS * _RAYS) * 2 * np.pi
    outward = np.stack((np.cos(angles), np.sin(angles)), axis=-1).reshape(_SECTORS, _RAYS, 2)
    middle = outward[:, _RAYS // 2]
    found = []
    for number, centre in enumerate(scene.coins_mm):
        foot_mm = _foot_mm(scene.view, centre + radius * middle, middle, height)
        peaks = _peaks(picture, scene.view, centre + radius * outward, outward, height, window * radius)
        found.append(_chosen(scene.view, peaks, centre + radius * middle, middle, foot_mm, height, (number, 0)))
    return _joined(found)


def _tile_edges(picture: NDArray[np.uint8], scene: Scene, window: float) -> _Edges:
    """The sharp places along each tile's outline."""
    half, height = scene.sizes.tile_mm / 2, scene.sizes.tile_thickness_mm
    along = np.linspace(-0.85, 0.85, _SEGMENTS * _SAMPLES).reshape(_SEGMENTS, _SAMPLES) * half
    found = []
    for number, (x, y, turn) in enumerate(scene.tiles_mm):
        for side in range(4):
            normal = np.array([math.cos(turn + side * math.pi / 2), math.sin(turn + side * math.pi / 2)])
            at_mm = np.array([x, y]) + half * normal + along[:, :, None] * np.array([-normal[1], normal[0]])
            outward = np.broadcast_to(normal, at_mm.shape)
            middle = at_mm[:, _SAMPLES // 2]
            foot_mm = _foot_mm(scene.view, middle, outward[:, 0], height)
            peaks = _peaks(picture, scene.view, at_mm, outward, height, window * half)
            found.append(_chosen(scene.view, peaks, middle, outward[:, 0], foot_mm, height, (number, side)))
    return _joined(found)


def _chosen(view: TableView, peaks: list[list[float]], at_mm: Array, outward: Array, foot_mm: Array, height_mm: float, label: tuple[int, int]) -> _Edges:
    """Of the sharp places across each stretch the one that is the face's edge, or the foot's.

    Where the wall is hidden the outermost is the face's (rings and frames are printed further in, shadows are soft); where it shows, the
    place nearest to either edge is taken.
    """
    places, foots = [], []
    for offsets, at, normal, foot in zip(peaks, at_mm, outward, foot_mm, strict=True):
        if not offsets:
            continue
        if foot < _THIN_MM:
            offset, is_foot = offsets[-1], False
        else:
            _, offset, is_foot = min((abs(o - f), o, f > 0) for o in offsets for f in (0.0, float(foot)))
        places.append([*(at + offset * normal), height_mm])
        foots.append(is_foot)
    at_px = view.to_image(np.array(places)) if places else np.empty((0, 2))
    return _Edges(at_px, np.full(len(places), label[0]), np.full(len(places), label[1]), np.array(foots, dtype=bool))


def _joined(edges: list[_Edges]) -> _Edges:
    """Many pieces' edges as one."""
    if not edges:
        return _Edges(np.empty((0, 2)), np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0, dtype=bool))
    return _Edges(
        np.concatenate([e.at_px for e in edges]), np.concatenate([e.piece for e in edges]),
        np.concatenate([e.side for e in edges]), np.concatenate([e.foot for e in edges]),
    )


def _fitted(scene: Scene, coin_edges: _Edges, tile_edges: _Edges, free_coin: bool) -> Scene:
    """The scene that explains the edges best (robust least squares in mm); the camera's two tilts and its reach are free throughout."""
    count = len(scene.coins_mm)
    tilt, roll, reach = _pose_of(scene.view)

    def unpacked(values: Array) -> Scene:
        coins = values[4 : 4 + 2 * count].reshape(-1, 2)
        sizes = replace(scene.sizes, coin_mm=float(math.exp(values[3])) if free_coin else scene.sizes.coin_mm)
        view = _view(scene.view.camera, float(values[0]), float(values[1]), float(math.exp(values[2])))
        return Scene(view, coins, values[4 + 2 * count :].reshape(-1, 3), sizes, math.inf)

    def residuals(values: Array) -> Array:
        guess = unpacked(values)
        return np.concatenate((_off_coins(guess, coin_edges), _off_tiles(guess, tile_edges), [1e-3 * (values[3] - start[3])]))

    start = np.concatenate(([tilt, roll, math.log(reach), math.log(scene.sizes.coin_mm)], scene.coins_mm.ravel(), scene.tiles_mm.ravel()))
    fit = least_squares(residuals, start, loss="soft_l1", f_scale=_ROBUST_MM, x_scale=np.maximum(np.abs(start), 0.1), max_nfev=30)
    done = unpacked(fit.x)
    return replace(done, residual_mm=float(np.median(np.abs(residuals(fit.x)))) * _MEDIAN_TO_SIGMA)


def _pose_of(view: TableView) -> tuple[float, float, float]:
    """The tilt, roll and reach of a view made by `_view`."""
    rotation = view.R_camera_table
    return math.atan2(rotation[2, 1], -rotation[2, 2]), math.atan2(-rotation[1, 0], rotation[0, 0]), float(view.t_camera_table_mm[2])


def _off_coins(scene: Scene, edges: _Edges) -> Array:
    """How far the edges lie outside the coins' outlines, mm."""
    at = np.where(edges.foot[:, None], scene.view.to_table(edges.at_px), scene.view.to_table(edges.at_px, scene.sizes.coin_thickness_mm))
    return np.asarray(np.linalg.norm(at - scene.coins_mm[edges.piece], axis=1) - scene.sizes.coin_mm / 2, dtype=np.float64)


def _off_tiles(scene: Scene, edges: _Edges) -> Array:
    """How far the edges lie outside the tiles' outlines, mm."""
    if not len(edges.at_px):
        return np.empty(0)
    at = np.where(edges.foot[:, None], scene.view.to_table(edges.at_px), scene.view.to_table(edges.at_px, scene.sizes.tile_thickness_mm))
    tiles = scene.tiles_mm[edges.piece]
    angle = tiles[:, 2] + edges.side * (math.pi / 2)
    return np.asarray((at[:, 0] - tiles[:, 0]) * np.cos(angle) + (at[:, 1] - tiles[:, 1]) * np.sin(angle) - scene.sizes.tile_mm / 2, dtype=np.float64)
