"""Finds the places on a plane that look most like the tiles already found there, because the tiles
of a set look alike. No outlines are needed, so print, grain, glare and patterns do not hide a tile.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import TILES_APART
from calibration.lens.camera import TableView, in_front
from calibration.rough_survey.turned_face import best_turns
from calibration.tiles.lost_tiles import TURNS_DEG
from calibration.tiles.square_grid import median_of_turns

Array = NDArray[np.float64]
Patch = NDArray[np.float32]
Picture = NDArray[np.uint8]

# Chosen: with these numbers, the search takes a tenth of a second for a picture of 1280x720 and
# finds places to 2 mm.

_PIXELS_A_TILE: Final = 20
# the step, in pixels, of the projected points; between them lens and perspective are nearly linear
_PROJECTED_EVERY: Final = 10
#: The widths that are compared, in tiles: a face, and a face with its rims. The table beside a rim
#: helps where it is plain, and misleads where it has a pattern. Measured: on fourteen tables with
#: twenty tiles each, comparing faces finds 17 to 20 tiles on thirteen tables, comparing faces with
#: their rims on nine.
FACES_TILES: Final = (1.0, 1.2)
# how far from the middle of the known tiles is searched: farther than any course reaches
_FARTHEST_TILES: Final = 30.0


class _Sheet:
    """The plane as seen from straight above, turned so that most of its tiles are upright: columns
    go to the right, rows go down.
    """

    def __init__(
        self, picture: Picture, view: TableView, middle_mm: Array, turn_rad: float, tile_mm: float
    ) -> None:
        """Resample the part of the plane that is in the picture."""
        self.middle_mm, self.turn_rad = middle_mm, turn_rad
        self.step_mm = tile_mm / _PIXELS_A_TILE
        reach = round(_FARTHEST_TILES * _PIXELS_A_TILE / _PROJECTED_EVERY)
        at = np.arange(-reach, reach + 1) * _PROJECTED_EVERY
        columns, rows = np.meshgrid(at, at)
        few = in_front(view, self.places(np.column_stack((columns.ravel(), rows.ravel()))))
        few = few.reshape(*columns.shape, 2)
        height, width = picture.shape[:2]
        seen = _inside(few, width, height)
        across, down = (np.flatnonzero(seen.any(axis=axis)) for axis in (0, 1))
        if not len(across):
            across = down = np.array([reach])
        part = few[down[0] : down[-1] + 1, across[0] : across[-1] + 1].astype(np.float32)
        size = (np.array(part.shape[1::-1]) - 1) * _PROJECTED_EVERY + 1
        self.begin = np.array([at[across[0]], at[down[0]]])
        right, below = np.meshgrid(*(np.arange(n) / _PROJECTED_EVERY for n in size))
        grid = right.astype(np.float32), below.astype(np.float32)
        pixels = np.asarray(cv2.remap(part, *grid, cv2.INTER_LINEAR), dtype=np.float32)
        self.inside = _inside(pixels, width, height)
        self.picture = np.asarray(
            cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR), dtype=np.float32
        )

    def places(self, steps: Array) -> Array:
        """Return the places (n, 2), mm, of the columns and rows `steps` (n, 2), counted from the
        middle.
        """
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        x, y = steps[:, 0] * self.step_mm, -steps[:, 1] * self.step_mm
        return np.column_stack((cos * x - sin * y, sin * x + cos * y)) + self.middle_mm

    def pixel(self, place_mm: Array) -> Array:
        """Return the column and row (2,) of a place, mm, in the resampled part."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        x, y = np.array([[cos, sin], [-sin, cos]]) @ (place_mm - self.middle_mm) / self.step_mm
        return np.asarray(np.array([x, -y]) - self.begin, dtype=np.float64)


def _inside(pixels: Array | Patch, width: int, height: int) -> NDArray[np.bool_]:
    return np.asarray(
        (pixels > 1).all(axis=-1) & (pixels[..., 0] < width - 2) & (pixels[..., 1] < height - 2)
    )


def squares_alike(
    picture: Picture,
    view: TableView,
    centres_mm: Array,
    turns_rad: Array,
    tile_mm: float,
    most: int,
    width_tiles: float,
) -> tuple[Array, Array]:
    """Return centres (n, 2), mm, and turns (n,) of the places that look most like the median face
    of the given squares, the most similar first. At most `most` places are returned.

    `picture` is (h, w, 3), z = 0 of the view is the squares' plane, and `width_tiles` is how much
    of the picture around a centre is compared. The function does not decide which of the places
    are tiles.
    """
    usual = float(np.angle(np.exp(4j * turns_rad).sum()) / 4)
    sheet = _Sheet(picture, view, centres_mm.mean(axis=0), usual, tile_mm)
    half = round(width_tiles * _PIXELS_A_TILE / 2)
    if min(sheet.picture.shape[:2]) <= 2 * half:
        return np.zeros((0, 2)), np.zeros(0)
    seen = _faces(sheet, centres_mm, turns_rad - usual, half)
    face = median_of_turns(np.array(seen))
    similarity, turned = best_turns(sheet.picture, face, TURNS_DEG)
    similarity[~sheet.inside[half:-half, half:-half]] = -1.0
    apart = round(TILES_APART * _PIXELS_A_TILE) | 1
    rows, columns = np.nonzero(
        similarity >= cv2.dilate(similarity, np.ones((apart, apart), np.uint8))
    )
    best = np.argsort(-similarity[rows, columns], kind="stable")[:most]
    rows, columns = rows[best], columns[best]
    steps = np.column_stack((columns, rows)) + half + sheet.begin
    return sheet.places(steps), usual + np.radians(TURNS_DEG)[turned[rows, columns]]


def _faces(sheet: _Sheet, centres_mm: Array, turns_rad: Array, half: int) -> list[Patch]:
    """Return the picture of each square and its surroundings, upright, (2 half + 1, 2 half + 1, 3)
    each.
    """
    at = np.arange(-half, half + 1, dtype=np.float64)
    across, down = np.meshgrid(at, at)
    faces = []
    for centre, turn in zip(centres_mm, (turns_rad + np.pi / 4) % (np.pi / 2), strict=True):
        column, row = sheet.pixel(centre)
        cos, sin = np.cos(turn - np.pi / 4), np.sin(turn - np.pi / 4)
        seen = cv2.remap(
            sheet.picture,
            (column + cos * across + sin * down).astype(np.float32),
            (row - sin * across + cos * down).astype(np.float32),
            cv2.INTER_LINEAR,
        )
        faces.append(np.asarray(seen, dtype=np.float32))
    return faces
