"""Draws coins and tiles as sprites, on a grid finer than the pixels, and averages it down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import square_corners
from referee.domain.layout import Tile
from referee.synthetic.pictures.faces import Picture

Array = NDArray[np.float64]
FINE: Final = 4
#: How much a lens and a sensor's colour filter blur a picture, beyond the size of a pixel.
LENS_BLUR_PX: Final = 0.55
#: A polygon with the area of the circle.
_CIRCLE: Final = np.sqrt(np.pi / 32 / np.sin(np.pi / 32)) * np.column_stack(
    (np.cos(np.arange(64) * np.pi / 32), np.sin(np.arange(64) * np.pi / 32))
)


@dataclass(frozen=True)
class Box:
    """A rectangle of pixels: left, top (inclusive), right, bottom (exclusive)."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def empty(self) -> bool:
        """Whether the box holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        """Return rows and columns, to cut an image."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, width: int, height: int) -> Box:
        """Return the part of the box inside a picture."""
        return Box(
            max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom)
        )

    def meets(self, other: Box) -> bool:
        """Return whether two boxes share a pixel."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True)
class Sprite:
    """A cut-out picture of one thing: its box, its albedo multiplied by its cover (h, w, 3), and
    its cover (h, w, 1), 0 to 1.
    """

    box: Box
    colour: NDArray[np.float32]
    cover: NDArray[np.float32]


def box_round(points_px: Array, margin_px: float) -> Box:
    """Return the box of pixels within `margin_px` of points (n, 2)."""
    low, high = points_px.min(axis=0) - margin_px, points_px.max(axis=0) + margin_px
    return Box(
        int(np.floor(low[0])),
        int(np.floor(low[1])),
        int(np.ceil(high[0])) + 1,
        int(np.ceil(high[1])) + 1,
    )


def fine_points(points_px: Array, box: Box, fine: int = FINE) -> Array:
    """Convert pixels to the finer grid of a box: fine pixel i is at (i + 0.5) / fine - 0.5 px from
    the box's first pixel.
    """
    return (points_px - (box.left, box.top) + 0.5) * fine - 0.5


def _inset(points: Array) -> Array:
    """Shrink a convex outline by what OpenCV's smooth fill adds around it: 0.7 px along the rows,
    0.6 px diagonally (measured).

    A vertex moves inward by (n1 + n2) / (1 + n1 . n2), where n1 and n2 are the normals of its two
    sides.
    """
    points = points[np.hypot(*(np.roll(points, -1, axis=0) - points).T) > 1e-6]
    along = np.roll(points, -1, axis=0) - points
    along /= np.hypot(along[:, 0], along[:, 1])[:, None]
    x, y = points.T
    turn = np.sign((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    after = np.column_stack((-along[:, 1], along[:, 0])) * turn
    before = np.roll(after, 1, axis=0)
    reach = 0.7 - 0.4 * (along[:, :1] * along[:, 1:]) ** 2
    lean = 1 + (after * before).sum(axis=1, keepdims=True)
    return np.asarray(
        points + (reach + np.roll(reach, 1, axis=0)) / 2 * (after + before) / np.maximum(lean, 0.2),
        dtype=np.float64,
    )


def fill(mask: NDArray[np.uint8], points: Array, value: int | tuple[int, ...] = 255) -> None:
    """Fill a convex outline so that the filled area is the outline's own area.

    OpenCV's smooth edges lie outside the outline, so the outline is shrunk first.
    """
    if len(points) > 2:
        cv2.fillConvexPoly(
            mask, np.round(_inset(points) * 16).astype(np.int32), value, cv2.LINE_AA, 4
        )


def hull(points: Array) -> Array:
    """Return the convex hull of points (n, 2)."""
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], dtype=np.float64)


def coin_outline(centre_mm: tuple[float, float], height_mm: float, diameter_mm: float) -> Array:
    """Return a coin's rim at a height, (64, 3) mm."""
    return np.column_stack(
        (_CIRCLE * diameter_mm / 2 + centre_mm, np.full(len(_CIRCLE), height_mm))
    )


def _empty(box: Box, fine: int) -> tuple[int, int]:
    return (box.bottom - box.top) * fine, (box.right - box.left) * fine


def _paste(
    colour: NDArray[np.float32],
    cover: NDArray[np.uint8],
    mask: NDArray[np.uint8],
    paint: NDArray[np.float32] | float,
) -> None:
    share = (mask.astype(np.float32) / 255)[..., None]
    colour *= 1 - share
    colour += share * paint
    np.maximum(cover, mask, out=cover)


def _shrink(box: Box, colour: NDArray[np.float32], cover: NDArray[np.uint8]) -> Sprite:
    size = (box.right - box.left, box.bottom - box.top)
    small = cv2.resize(colour, size, interpolation=cv2.INTER_AREA)
    share = cv2.resize(cover / np.float32(255), size, interpolation=cv2.INTER_AREA)
    small, share = (
        cv2.GaussianBlur(a, (0, 0), LENS_BLUR_PX, borderType=cv2.BORDER_CONSTANT)
        for a in (small, share)
    )
    return Sprite(
        box, np.asarray(small, dtype=np.float32), np.asarray(share[..., None], dtype=np.float32)
    )


def coin_sprite(
    view: TableView,
    place_mm: tuple[float, float, float],
    diameter_mm: float,
    thickness_mm: float,
    face: Picture,
    turn_deg: float,
    side: NDArray[np.float32],
    box: Box | None = None,
    fine: int = FINE,
) -> Sprite:
    """Draw a coin lying at (x, y, height of its underside), with its face turned by `turn_deg` and
    a side wall in the colour `side`.
    """
    at, low = place_mm[:2], place_mm[2]
    top, bottom = (
        view.to_image(coin_outline(at, low + h, diameter_mm)) for h in (thickness_mm, 0.0)
    )
    box = box or box_round(np.concatenate((top, bottom)), 3)
    colour, cover = (
        np.zeros((*_empty(box, fine), 3), dtype=np.float32),
        np.zeros(_empty(box, fine), dtype=np.uint8),
    )
    wall = np.zeros_like(cover)
    fill(wall, hull(fine_points(np.concatenate((top, bottom)), box, fine)))
    _paste(colour, cover, wall, side)
    disc = np.zeros_like(cover)
    fill(disc, fine_points(top, box, fine))
    corners = np.array(
        [(x, y, low + thickness_mm) for x, y in square_corners(at, diameter_mm, turn_deg)]
    )
    _paste(
        colour,
        cover,
        disc,
        _warped(face, fine_points(view.to_image(corners), box, fine), cover.shape),
    )
    return _shrink(box, colour, cover)


def _warped(face: Picture, corners: Array, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Warp a face to four corners: top right, top left, bottom left, bottom right of the
    picture.
    """
    last = face.shape[0] - 0.5
    source = np.array([[last, -0.5], [-0.5, -0.5], [-0.5, last], [last, last]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    flags = cv2.INTER_LINEAR
    return np.asarray(
        cv2.warpPerspective(
            face, matrix, (shape[1], shape[0]), flags=flags, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.float32,
    )


def tile_sprite(
    view: TableView,
    levels: list[Tile],
    tile_mm: float,
    thickness_mm: float,
    face: Picture,
    side: NDArray[np.float32],
    light_from: tuple[float, float],
) -> Sprite:
    """Draw a tile or a stack, from the bottom tile up. The top tile shows `face`. Walls towards
    `light_from` are brighter.
    """
    rings = [_tile_ring(tile, tile_mm, level * thickness_mm) for level, tile in enumerate(levels)]
    caps = [
        _tile_ring(tile, tile_mm, (level + 1) * thickness_mm) for level, tile in enumerate(levels)
    ]
    box = box_round(view.to_image(np.concatenate(rings + caps)), 3)
    colour, cover = (
        np.zeros((*_empty(box, FINE), 3), dtype=np.float32),
        np.zeros(_empty(box, FINE), dtype=np.uint8),
    )
    for level, (ring, cap) in enumerate(zip(rings, caps, strict=True)):
        low, high = (fine_points(view.to_image(r), box) for r in (ring, cap))
        _walls(colour, cover, low, high, ring, side, light_from)
        lid = np.zeros_like(cover)
        fill(lid, high)
        top = level == len(levels) - 1
        _paste(colour, cover, lid, _warped(face, high, cover.shape) if top else side * 0.9)
    return _shrink(box, colour, cover)


def _walls(
    colour: NDArray[np.float32],
    cover: NDArray[np.uint8],
    low: Array,
    high: Array,
    ring: Array,
    side: NDArray[np.float32],
    light_from: tuple[float, float],
) -> None:
    for i in range(4):
        j = (i + 1) % 4
        wall = np.zeros_like(cover)
        fill(wall, hull(np.array([low[i], low[j], high[j], high[i]])))
        along = ring[j, :2] - ring[i, :2]
        outward = np.array([along[1], -along[0]]) / np.hypot(*along)
        toward = np.array(light_from) - ring[:, :2].mean(axis=0)
        lit = 0.5 + 0.5 * float(outward @ toward / np.hypot(*toward))
        _paste(colour, cover, wall, side * (0.4 + 0.55 * lit))


def _tile_ring(tile: Tile, tile_mm: float, height_mm: float) -> Array:
    return np.array(
        [(x, y, height_mm) for x, y in square_corners(tile.centre_mm, tile_mm, tile.rotation_deg)]
    )


def stack_levels(tile: Tile, offsets: tuple[tuple[float, float, float], ...]) -> list[Tile]:
    """Return a stack's single tiles from the bottom up: the lowest at the stack's place, the others
    a little off (dx, dy, turn).
    """
    if tile.stack == 1:
        return [tile]
    x, y = tile.centre_mm
    loose = ((0.0, 0.0, 0.0), *offsets[1 : tile.stack])
    return [Tile((x + dx, y + dy), tile.rotation_deg + turn, 1) for dx, dy, turn in loose]
