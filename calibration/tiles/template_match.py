"""Finds the places and turns of tiles by matching the picture of each tile with the mean of all
tiles, because the tiles of a set look alike.

It does not use rims and lines, so it cannot confuse the two. It does not measure sizes or the view.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import ALIKE, MOST_STEPS, SIDE_SHARE, UNLIKE
from calibration.lens.camera import TableView
from calibration.tiles.bundle import Rim
from calibration.tiles.lost_tiles import TURNS_DEG
from calibration.tiles.plane import FEWEST_TILES
from calibration.tiles.rim_model import face_of
from calibration.tiles.rims import NORMALS, Light, Profile, tile_profiles, tile_turn, top_height_mm
from calibration.tiles.square_grid import median_of_turns, square_grid
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes

Array = NDArray[np.float64]
Patch = NDArray[np.float32]

# Tuned on our own clips, except where a comment gives another source for a number.

_STEP_SHARE: Final = 0.01  # the width of a patch's pixel, in tile widths
# brightness that changes over more than this share of a tile is removed as shading
_EVEN_SHARE: Final = 0.12
#: Below this similarity, a tile does not look like the face at all.
LEAST_SIMILARITY: Final = UNLIKE
#: In tile widths: matches farther off are refused, because a face divided into quarters looks like
#: itself half a tile aside.
FARTHEST_SHARE: Final = 0.25
_INNER: Final = 0.965  # in tile widths: the print inside the rim, without the rim
# Chosen: in tile widths: the part of the face that is compared, without its rims. Measured: the
# largest error on one of 20 rendered tables is 2.5 mm without this limit, 1.7 mm with it.
WITHIN: Final = 0.85
_OUTER: Final = 1.1  # in tile widths: the face with its rims
# Chosen: in tile widths: the face with its rims, walls and shadows. Measured: of 19 black tiles
# without print on leather, 4 look alike without walls and shadows, 13 with them.
_WIDE: Final = 1.4
#: From this similarity on, a tile certainly looks like the face.
CLEARLY: Final = ALIKE
# Chosen: walls narrower than this only blur an edge.
_LEAST_WALL_PX: Final = 1.5
# Chosen: a wall with at least this share of its face's brightness cannot be distinguished from the
# face. Measured: on a rendered table with white walls, the two stacks are at most 2.2 mm off;
# without this limit they were 5.9 and 3.8 mm off.
_AS_BRIGHT: Final = 0.85


def face_patch(
    light: Light,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    width: float = 1.0,
    within: bool = True,
) -> Patch | None:
    """Return a tile's top face (or `width` tile widths around its middle) as seen from straight
    above, with shading removed; None if it is not completely in the picture.
    """
    where = _seen_at(view, tile, sizes, width)
    if within and (
        where.min() < 1
        or where[..., 0].max() > light.shape[1] - 2
        or where[..., 1].max() > light.shape[0] - 2
    ):
        return None
    seen = cv2.remap(
        light, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    seen = seen if seen.ndim == 2 else np.asarray(seen.mean(axis=2), dtype=np.float32)
    soft, softer = (_blur(len(seen), times * _EVEN_SHARE / _STEP_SHARE) for times in (1, 2))
    even = seen - soft @ seen @ soft.T
    spread = np.sqrt(softer @ (even * even) @ softer.T) + 1e-3
    return np.asarray(even / spread, dtype=np.float32)


def _seen_at(view: TableView, tile: Tile, sizes: PieceSizes, width: float) -> Patch:
    """Return the picture's pixels (side, side, 2) that show the pixels of a patch."""
    steps = int(width / 2 / _STEP_SHARE + 1e-9)
    return square_grid(
        view,
        tile.centre_mm,
        math.radians(tile.rotation_deg),
        top_height_mm(tile, sizes),
        _STEP_SHARE * sizes.tile_mm,
        steps,
    )


@lru_cache(maxsize=16)
def _blur(side: int, sigma_px: float) -> Patch:
    """Return the matrix (side, side) of a Gaussian blur along one direction.

    For so wide a blur of so small a picture, a matrix product takes a fifth of the time of a
    convolution.
    """
    return np.asarray(
        cv2.GaussianBlur(
            np.eye(side, dtype=np.float32),
            (1, 2 * round(4 * sigma_px) + 1),
            sigmaX=1.0,
            sigmaY=sigma_px,
        ),
        dtype=np.float32,
    )


def common_face(
    light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes
) -> Patch | None:
    """Return the median of these tiles' faces; None if fewer than three are completely in the
    picture.
    """
    patches = {
        name: patch
        for name, tile in tiles.items()
        if (patch := face_patch(light, view, tile, sizes)) is not None
    }
    return _mean_face(patches) if len(patches) >= FEWEST_TILES else None


def _mean_face(patches: Mapping[str, Patch]) -> Patch:
    """Return the median face over all tiles, each in four rotations, so that all its sides are
    alike.

    Mirror images are left out: if turns are slightly wrong, they would show each line twice.
    """
    return median_of_turns(np.array([*patches.values()]))


def lay_over_itself(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes
) -> tuple[Tile, float] | None:
    """Move and turn the tile so that its face aligns with its own four rotations and their mirror
    images. Also return how similar it is to these (see `lay_over`).
    """
    patch = face_patch(light, view, tile, sizes)
    if patch is None:
        return None
    both = patch + patch[:, ::-1]
    half_turned = both + both[::-1, ::-1]
    eight = half_turned + np.rot90(half_turned)  # all four rotations, each with its mirror image
    return _lay_over(patch, tile, sizes, np.asarray(eight / 8, dtype=np.float32))


def lay_over(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, face: Patch
) -> tuple[Tile, float] | None:
    """Move and turn the tile so that its face aligns with a given face. Also return how similar the
    two are (up to 1). None if they are not similar.
    """
    patch = face_patch(light, view, tile, sizes)
    return None if patch is None else _lay_over(patch, tile, sizes, face)


def _lay_over(
    patch: Patch, tile: Tile, sizes: PieceSizes, face: Patch
) -> tuple[Tile, float] | None:
    laid = _laid_over(face, patch)
    return None if laid is None else (_moved(tile, laid[0], patch.shape[0], sizes), laid[1])


def _laid_over(
    face: Patch,
    patch: Patch,
    motion: int = cv2.MOTION_EUCLIDEAN,
    counts: NDArray[np.uint8] | None = None,
) -> tuple[Array, float] | None:
    """Return the map (2, 3) from the face's pixels to the patch's, and how similar the two are;
    None if they are similar nowhere near. Pixels of the patch where `counts` is 0 do not count.
    """
    warp: NDArray[np.float32] = np.eye(2, 3, dtype=np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, MOST_STEPS, 1e-5)
    mask = np.full(patch.shape, 255, dtype=np.uint8) if counts is None else counts
    try:
        similarity, found = cv2.findTransformECC(face, patch, warp, motion, criteria, mask)
    except cv2.error:  # OpenCV raises this when the two have nothing in common
        return None
    laid = np.asarray(found, dtype=np.float64)
    middle = np.array([*(np.array(patch.shape[::-1]) - 1) / 2, 1.0])
    too_far = np.hypot(*(laid @ middle - middle[:2])) > FARTHEST_SHARE / _STEP_SHARE
    return None if similarity <= LEAST_SIMILARITY or too_far else (laid, float(similarity))


def _askew_deg(
    light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes
) -> float:
    """Return the angle, degrees, by which all tiles must still be turned: half of the rotation
    between their mean picture, with the rims, and its mirror image.
    """
    patches = {
        name: patch
        for name, tile in tiles.items()
        if (patch := face_patch(light, view, tile, sizes, _OUTER)) is not None
    }
    if not patches:
        return 0.0
    face = _mean_face(patches)
    laid = _laid_over(np.ascontiguousarray(face[:, ::-1]), face)
    return 0.0 if laid is None else float(np.degrees(np.arctan2(laid[0][1, 0], laid[0][0, 0]))) / 2


def rims_by_template(
    lights: Sequence[Light], view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes
) -> dict[str, list[Rim]]:
    """Return where each tile's edges would be if all faces had one common size. The print inside
    the rims shows how faces get smaller over the table. If too few faces show a print (bleached
    ones), the rims are compared as well; if still few tiles look alike, walls and shadows, too.

    A tile's edges come from the first of the pictures in which its face looks like the others'.
    Once more than half of the tiles look alike, the width compared stays the same. The view must be
    nearly right already. Tiles that look different are not in the result.
    """
    rims: dict[str, list[Rim]] = {}
    width, askew = _INNER, 0.0
    for light in lights:
        sought = [name for name in tiles if name not in rims]
        if not sought:
            break
        if len(rims) <= len(tiles) / 2:
            width, laid = _compared(light, view, tiles, sizes)
            askew = _askew_deg(light, view, {name: tiles[name] for name in laid}, sizes)
        else:
            laid = _alike(light, view, tiles, sizes, width, sought)
        for name in (name for name in sought if name in laid):
            turned = replace(tiles[name], rotation_deg=tiles[name].rotation_deg + askew)
            rims[name] = _edges(laid[name], view, turned, sizes)
    return rims


def _compared(
    light: Light, view: TableView, tiles: Mapping[str, Tile], sizes: PieceSizes
) -> tuple[float, dict[str, _Laid]]:
    """Return the width, in tile widths, that shows best how the faces lie, and the tiles that look
    alike over this width.
    """
    printed = _alike(light, view, tiles, sizes, _INNER, tiles)
    seen = _alike(light, view, tiles, sizes, WITHIN, tiles) if printed else {}
    if len(printed) > len(tiles) / 2 and len(seen) > len(tiles) / 2:
        return _INNER, printed
    outer = _alike(light, view, tiles, sizes, _OUTER, tiles)
    best = max((_OUTER, outer), (_INNER, printed), key=lambda found: len(found[1]))
    if len(best[1]) > len(tiles) / 3:
        return best
    wide = _alike(light, view, tiles, sizes, _WIDE, tiles)
    return max(best, (_WIDE, wide), key=lambda found: len(found[1]))


@dataclass(frozen=True)
class _Laid:
    """The affine map (2, 3), in tile widths from the middle, from the mean picture of the tiles to
    one tile. Also the edges that are not seen (see `_run_into`), as indices in `NORMALS`.
    """

    warp: Array
    run_into: frozenset[int]


def _alike(
    light: Light,
    view: TableView,
    tiles: Mapping[str, Tile],
    sizes: PieceSizes,
    width: float,
    sought: Collection[str],
) -> dict[str, _Laid]:
    """Return the map from the tiles' mean picture of `width` tile widths to each of the tiles
    `sought` that looks like it.
    """
    patches = {
        name: patch
        for name, tile in tiles.items()
        if (patch := face_patch(light, view, tile, sizes, width)) is not None
    }
    if len(patches) < FEWEST_TILES:
        return {}
    face = _mean_face(patches)
    middle_px = (len(face) - 1) / 2
    found = {}
    for name, patch in ((name, patches[name]) for name in sought if name in patches):
        run_into = _run_into(light, view, tiles[name], sizes) if width > 1.0 else frozenset()
        away = _away_from(run_into, len(patch))
        laid = _laid_over(face, patch, cv2.MOTION_AFFINE, away)
        if laid is not None and laid[1] > CLEARLY:
            warp = laid[0].copy()
            warp[:, 2] = (warp @ np.array([middle_px, middle_px, 1.0]) - middle_px) * _STEP_SHARE
            found[name] = _Laid(warp, run_into)
    return found


def _run_into(light: Light, view: TableView, tile: Tile, sizes: PieceSizes) -> frozenset[int]:
    """Return the edges of a tile whose wall is as bright as its face, so that no edge is seen."""
    return frozenset(
        profile.side
        for profile in tile_profiles(light, view, tile, sizes)
        if profile.wall_mm * profile.px_per_mm > _LEAST_WALL_PX
        and _wall_light(profile) > _AS_BRIGHT * float(face_of(profile).mean())
    )


def _wall_light(profile: Profile) -> float:
    """Return the brightness in the middle of a profile's wall."""
    return float(np.interp(profile.wall_mm / 2, profile.at_mm, profile.light.mean(axis=1)))


def _away_from(sides: Collection[int], side_px: int) -> NDArray[np.uint8]:
    """Return a mask (side, side) of a patch: 0 near and beyond the edges `sides`, elsewhere 255."""
    counts = np.full((side_px, side_px), 255, dtype=np.uint8)
    across = (np.arange(side_px) - (side_px - 1) / 2) * _STEP_SHARE
    x, y = np.meshgrid(across, across)
    for side in sides:
        counts[x * NORMALS[side][0] + y * NORMALS[side][1] > WITHIN / 2] = 0
    return counts


def _edges(laid: _Laid, view: TableView, tile: Tile, sizes: PieceSizes) -> list[Rim]:
    """Return two points on each edge of a tile, mapped from the mean picture. Edges that are not
    seen (see `_run_into`) are left out.
    """
    height, turn, warp = top_height_mm(tile, sizes), tile_turn(tile), laid.warp
    rims = []
    for side, local in enumerate(NORMALS):
        if side in laid.run_into:
            continue
        normal = np.array(local)
        for share in (-SIDE_SHARE / 2, SIDE_SHARE / 2):
            spot = normal * 0.5 + np.array([-normal[1], normal[0]]) * share
            place = turn @ (warp @ np.array([*spot, 1.0])) * sizes.tile_mm + tile.centre_mm
            middle = (float(place[0]), float(place[1]))
            rims.append(Rim(side, middle, height, view.px_per_mm(middle, height)))
    return rims


def _moved(tile: Tile, laid: Array, side_px: int, sizes: PieceSizes) -> Tile:
    middle_px = (side_px - 1) / 2
    moved = (laid @ np.array([middle_px, middle_px, 1.0]) - middle_px) * _STEP_SHARE * sizes.tile_mm
    centre = tile_turn(tile) @ moved + np.array(tile.centre_mm)
    turn = tile.rotation_deg + float(np.degrees(np.arctan2(laid[1, 0], laid[0, 0])))
    return replace(tile, centre_mm=(float(centre[0]), float(centre[1])), rotation_deg=turn)


def find_alike(
    light: Light, view: TableView, near: Tile, sizes: PieceSizes, reach_mm: float, face: Patch
) -> tuple[float, Tile]:
    """Return the largest similarity to a face (up to 1) within `reach_mm` and 14 degrees of a
    tile's expected place, and the tile at that place, accurate to a millimetre.
    """
    best = (-1.0, near)
    for degrees in TURNS_DEG:
        turned = replace(near, rotation_deg=near.rotation_deg + float(degrees))
        window = face_patch(
            light, view, turned, sizes, 1.0 + 2 * reach_mm / sizes.tile_mm, within=False
        )
        assert window is not None
        similarity = cv2.matchTemplate(window, face, cv2.TM_CCOEFF_NORMED)
        _, top, _, (column, row) = cv2.minMaxLoc(similarity)
        if top > best[0]:
            moved = (
                (np.array([column, row]) - (np.array(similarity.shape[::-1]) - 1) / 2)
                * _STEP_SHARE
                * sizes.tile_mm
            )
            centre = tile_turn(turned) @ moved + np.array(near.centre_mm)
            best = (float(top), replace(turned, centre_mm=(float(centre[0]), float(centre[1]))))
    return best
