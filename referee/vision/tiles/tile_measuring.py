"""Finds where a tile's top face lies in one picture, starting from the tile's last known place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.constants.fitting import SETTLED
from calibration.lens.camera import TableView
from calibration.tiles.lost_tiles import (
    SEARCHED_MM,
    EdgeStrength,
    best_outline,
    edge_strength,
    search_tile,
)
from calibration.tiles.rims import Light, even_light, top_height_mm
from calibration.tiles.template_match import (
    Patch,
    face_patch,
    find_alike,
    lay_over,
    lay_over_itself,
)
from calibration.tiles.template_match import common_face as _common_face
from referee.domain.geometry import Point, add, distance, square_corners, subtract
from referee.domain.layout import TILE_SIGMA_MM, Course, Tile, turned, within_quarter_turn
from referee.domain.pieces import PieceSizes
from referee.vision.image.picture import Picture, Rect
from referee.vision.tiles.tile_search import LEAST_SIMILARITY
from referee.vision.tiles.tile_shift import as_even_square, shifted_from

#: The face that a course's tiles have in common, or that one tile shows.
CommonFace = Patch

# Tuned on our own clips, except where a comment gives another source for a number.

_REACH_MM: Final = 16.0  # how far from its last place a tile is searched for
_NEAR_MM: Final = 2.5  # a fit that ends farther than this from its start is wrong
_NEAR_DEG: Final = 3.0
# A face with more similarity, near the tile's last place, is the tile's. Measured: with 0.90, the
# pose of a camera that shakes by a pixel over a faded course is not found: only 9 of 20 tiles are.
_SURELY: Final = 0.85
# with more rounds, the fit would follow the grain of a faded tile
_ROUNDS: Final = 4
_USUAL_EDGE: Final = EdgeStrength(0.05)
# Chosen: the least strength of the four edges together, each counted up to one.
_WHOLE_OUTLINE: Final = 3.6
# the turns at which a face is tried that looks the same when turned
_TURNS_DEG: Final = (0.0, 4.0, -4.0)
# Chosen: the turns from which an outline is searched for, each up to 14 degrees to both sides
_OUTLINE_TURNS_DEG: Final = (0.0, -28.0, 28.0)
# Chosen: two outlines closer than this are the same: a side wall as white as the face shifts the
# outline by half the wall's width.
_SAME_MM: Final = 1.5
_SAME_DEG: Final = 2.0
_FLOOR_MM: Final = 0.08
_UNSURE_MM: Final = 0.6  # half of it is added per unit of similarity below 1


def common_face(
    picture: Picture, view: TableView, course: Course, sizes: PieceSizes
) -> CommonFace | None:
    """Return the face that a course's tiles have in common in a still picture, for use in
    `measure_tile`; None if fewer than three tiles are completely visible.
    """
    return _common_face(even_light(picture.luma), view, course.tiles, sizes)


def own_face(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> CommonFace | None:
    """Return the face that a tile lying face up shows in a still picture, for use in
    `measure_tile`; None if the tile's outline is not seen at about its place.
    """
    near = _around(picture, view, tile, sizes)
    outline = outlined_near(picture, view, tile, sizes)
    if near is None or outline is None or distance(outline.centre_mm, tile.centre_mm) > _NEAR_MM:
        return None
    return face_patch(*near, tile, sizes)


def measure_tile(
    picture: Picture,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    face: Patch | None = None,
    *,
    found: bool = False,
) -> tuple[Tile, float] | None:
    """Measure where a tile lies in a picture, up to about 15 mm and 15 degrees from where it lay.
    Return the tile at its new place, and the standard error of its centre in mm. Return None if the
    tile is covered or not completely in the picture.

    `found` says that the tile's place is known already, to a millimetre and some degrees, so that
    no wider search is needed. `face` is the face that the tiles have in common (`common_face`), or
    that this one showed (`own_face`). With `face`, a moved tile is found reliably and to a tenth of
    a millimetre. Without `face`, the tile's symmetry is used: its back looks the same after half a
    turn and when mirrored. The function does not decide whether the tile has moved.
    """
    near = _around(picture, view, tile, sizes)
    if near is None:
        return None
    light, crop = near
    laid = (
        _by_face(light, crop, tile, sizes, face) or _by_both(light, crop, tile, sizes, face)
        if face is not None
        else _by_symmetry(light, crop, tile, sizes, found=found)
    )
    if laid is None:
        return None
    measured, similarity = laid
    return (
        replace(
            measured,
            rotation_deg=within_quarter_turn(measured.rotation_deg),
            sigma_mm=TILE_SIGMA_MM,
        ),
        _FLOOR_MM + _UNSURE_MM * max(0.0, 1.0 - similarity) / 2,
    )


def symmetric_about(
    picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes
) -> tuple[Tile, float] | None:
    """Find the place, near a tile's former place, about which the picture is its own mirror image,
    even if no tile is there. Also return how symmetric the picture is (up to 1).
    """
    near = _around(picture, view, tile, sizes)
    return None if near is None else _symmetric(*near, tile, sizes)


def outlined_near(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> Tile | None:
    """Find a bleached tile by its edges alone, up to 4 mm from its former place, accurate to a
    millimetre. Return None if too little of its outline is visible.
    """
    near = _around(picture, view, tile, sizes)
    if near is None:
        return None
    strength = edge_strength(*near, [tile], sizes)
    clear = EdgeStrength(max(strength.per_mm, _USUAL_EDGE.per_mm))
    return search_tile(*near, tile, sizes, 2 * SEARCHED_MM, clear)


def lies_by_outline(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> bool:
    """Return whether a tile's outline is seen at the tile's place, within about two millimetres and
    two degrees. A bleached face shows nothing but its outline.
    """
    found = as_even_square(picture, view, tile, sizes)
    return found is not None and _same_place(found[0], tile)


def _same_place(found: Tile, tile: Tile) -> bool:
    return (
        distance(found.centre_mm, tile.centre_mm) <= _SAME_MM
        and abs(turned(tile, found)) <= _SAME_DEG
    )


def lies_by_face(
    picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes, face: CommonFace
) -> bool:
    """Return whether `face`, which the tiles have in common, is seen within about two millimetres
    and two degrees of a tile's place, and no place around it looks more like that face. A faint
    print in a noisy picture is not its own mirror image, so it is not measured.
    """
    near = _around(picture, view, tile, sizes)
    if near is None:
        return False
    found = _close(*near, tile, sizes, face, LEAST_SIMILARITY)
    if found is None or not _same_place(found[0], tile):
        return False
    _, best = find_alike(*near, tile, sizes, _REACH_MM, face)
    return distance(best.centre_mm, found[0].centre_mm) < _NEAR_MM


def moved_since(
    now: Picture,
    before: Picture,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    others: Sequence[Tile] = (),
    coins_mm: Sequence[Point] = (),
) -> tuple[Tile, float] | None:
    """Measure where a tile lies in the picture `now` that lay at `tile` in the picture `before`, up
    to 15 mm and 42 degrees away. Everything that both pictures show of it is used. `others` are the
    tiles that lay beside it, `coins_mm` the places of coins that came to rest. Return the tile and
    the standard error of its centre in mm; None if the tile is not wholly visible in both pictures.

    A bleached wall or light that spread shifts the outline that is seen, but by the same amount in
    both pictures. So the tile moved by as much as its outline did. If the outline did not move, the
    tile did not move either, even if something was put on it.
    """
    near = shifted_from(now, before, view, tile, tile, sizes, others, coins_mm)
    if near is not None:
        return near
    around = [_around(picture, view, tile, sizes) for picture in (before, now)]
    if around[0] is None or around[1] is None:
        return None
    seen = edge_strength(*around[0], [tile], sizes)
    strength = EdgeStrength(max(seen.per_mm, _USUAL_EDGE.per_mm))
    was = _whole_outline(*around[0], tile, sizes, strength, (0.0,))
    lies = _whole_outline(*around[1], tile, sizes, strength, _OUTLINE_TURNS_DEG)
    if was is None or lies is None:
        return None
    by_mm, by_deg = subtract(lies.centre_mm, was.centre_mm), turned(was, lies)
    if math.hypot(*by_mm) <= _SAME_MM and abs(by_deg) <= _SAME_DEG:
        return tile, _SAME_MM
    start = replace(
        tile, centre_mm=add(tile.centre_mm, by_mm), rotation_deg=tile.rotation_deg + by_deg
    )
    return shifted_from(now, before, view, tile, start, sizes, others, coins_mm)


def _whole_outline(
    light: Light,
    view: TableView,
    tile: Tile,
    sizes: PieceSizes,
    strength: EdgeStrength,
    turns_deg: Sequence[float],
) -> Tile | None:
    """Return the place at which a tile's whole outline is seen best. The tile may be turned by
    about one of `turns_deg`.
    """
    starts = [replace(tile, rotation_deg=tile.rotation_deg + turn) for turn in turns_deg]
    found = [best_outline(light, view, start, sizes, _REACH_MM, strength) for start in starts]
    score, best = max(found, key=lambda outline: outline[0])
    return best if score >= _WHOLE_OUTLINE else None


def _around(
    picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes
) -> tuple[Light, TableView] | None:
    """Return the part of the picture around a tile, as linear light, and the camera's view of that
    part.
    """
    corners = square_corners(tile.centre_mm, sizes.tile_mm * 1.5 + 2 * _REACH_MM, tile.rotation_deg)
    pixels = view.to_image(np.array([[*c, top_height_mm(tile, sizes)] for c in corners]))
    if not np.isfinite(pixels).all():
        return None
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 3, (picture.width, picture.height))
    if (high - low < 16).any():
        return None
    camera = view.camera
    shifted = replace(
        camera,
        cx_px=camera.cx_px - float(low[0]),
        cy_px=camera.cy_px - float(low[1]),
        width=int(high[0] - low[0]),
        height=int(high[1] - low[1]),
    )
    part = Rect(int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    return even_light(picture.luma_in(part)), replace(view, camera=shifted)


def _close(
    light: Light, view: TableView, start: Tile, sizes: PieceSizes, face: Patch, least: float
) -> tuple[Tile, float] | None:
    """Return the place near `start` at which the tile looks most like a face, and how similar it
    is there; None if it is less similar than `least`.
    """
    found = lay_over(light, view, start, sizes, face)
    found = found if found is None else lay_over(light, view, found[0], sizes, face)
    return found if found and found[1] > least and _is_near(found[0], start) else None


def _by_face(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, face: Patch
) -> tuple[Tile, float] | None:
    found = _close(light, view, tile, sizes, face, _SURELY)
    if found is not None:
        return found
    similarity, rough = find_alike(light, view, tile, sizes, _REACH_MM, face)
    if similarity < LEAST_SIMILARITY:
        return None
    return _close(light, view, rough, sizes, face, LEAST_SIMILARITY)


def _by_both(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, face: Patch
) -> tuple[Tile, float] | None:
    """Measure a tile whose face is partly bleached or shaded, once by the common face and once by
    its own symmetry. The two results must agree, because neither is reliable alone.
    """
    by_face = _close(light, view, tile, sizes, face, LEAST_SIMILARITY)
    by_itself = _symmetric(light, view, tile, sizes)
    if by_face is None or by_itself is None or by_itself[1] < LEAST_SIMILARITY:
        return None
    return by_face if distance(by_face[0].centre_mm, by_itself[0].centre_mm) < _UNSURE_MM else None


def _by_symmetry(
    light: Light, view: TableView, tile: Tile, sizes: PieceSizes, *, found: bool
) -> tuple[Tile, float] | None:
    for turn in _TURNS_DEG:
        start = replace(tile, rotation_deg=tile.rotation_deg + turn)
        laid = _symmetric(light, view, start, sizes)
        if laid is not None and laid[1] > _SURELY and _is_near(laid[0], start):
            return laid
        if found or (turn == 0.0 and _has_edges(light, view, tile, sizes)):
            return None
    rough = search_tile(light, view, tile, sizes, _REACH_MM, _USUAL_EDGE)
    laid = None if rough is None else _symmetric(light, view, rough, sizes)
    return (
        laid
        if rough is not None and laid is not None and laid[1] > _SURELY and _is_near(laid[0], rough)
        else None
    )


def _has_edges(light: Light, view: TableView, tile: Tile, sizes: PieceSizes) -> bool:
    """Return whether the tile's edges are visible about where it lay. If so, the tile has not moved
    far, even if glare hides its face.
    """
    return search_tile(light, view, tile, sizes, SEARCHED_MM, _USUAL_EDGE) is not None


def _symmetric(
    light: Light, view: TableView, start: Tile, sizes: PieceSizes
) -> tuple[Tile, float] | None:
    """Find the place near a start about which the face is its own mirror image."""
    found, step_before = (start, 0.0), 0.0
    for _ in range(_ROUNDS):
        laid = lay_over_itself(light, view, found[0], sizes)
        if laid is None:
            return None
        found, before = laid, found[0]
        step = _step_mm(found[0], before, sizes) / SETTLED
        # stop when the next step, smaller in the same ratio, would be below the limit
        if step < 1.0 or step * step < step_before:
            break
        step_before = step
    return found


def _step_mm(found: Tile, before: Tile, sizes: PieceSizes) -> float:
    """Return how far a tile's middle, or the middles of its sides, moved in one step."""
    turned_rad = math.radians(abs(found.rotation_deg - before.rotation_deg))
    return max(distance(found.centre_mm, before.centre_mm), turned_rad * sizes.tile_mm / 2)


def _is_near(found: Tile, start: Tile) -> bool:
    turn = abs(turned(start, found))
    return distance(found.centre_mm, start.centre_mm) < _NEAR_MM and turn < _NEAR_DEG
