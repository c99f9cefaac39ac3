"""The colours of a set's tiles in a picture, and whether a tile lies where these are seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.constants.fitting import MAJORITY, NEARLY_ALL, NOISE_LEVELS, TILES_APART
from calibration.lens.camera import TableView
from calibration.tiles.rims import tile_turn, top_height_mm
from calibration.tiles.square_grid import square_grid
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Picture = NDArray[np.uint8]

# By definition: in tile widths, from a tile's middle to those of its quarters. Around each of these
# middles, colours are averaged up to half this distance.
_QUARTER: Final = 0.25
# Chosen: in tile widths, what is examined of a tile that may be turned, and has blurred rims
_INSIDE: Final = 0.75
_STEP_MM: Final = 2.0  # Chosen: the distance between places tried; a search by edges follows
# Chosen: two places count as equally good if their shares with the colours of tiles differ by less
# than this
_AS_GOOD_SHARE: Final = 0.02


@dataclass(frozen=True)
class TileColours:
    """The colours of tiles in one picture (h, w, 3) BGR. `usual` (2,) are the usual a and b, in CIE
    L*a*b*, of a quarter of a tile. A quarter whose a and b are farther from these than `most_off`
    has plainly another colour.
    """

    picture: Picture
    view: TableView
    sizes: PieceSizes
    usual: Array
    most_off: float

    @classmethod
    def of(
        cls, picture: Picture, view: TableView, tiles: Iterable[Tile], sizes: PieceSizes
    ) -> TileColours:
        """Learn the colours of tiles, most of which lie where they were found, from a picture
        (h, w, 3) BGR. There is at least one tile.
        """
        seen = [_quarter_colours(picture, view, tile, sizes) for tile in tiles]
        usual = np.median(np.concatenate(seen), axis=0)
        off = float(np.median([_away(colours, usual).max() for colours in seen]))
        return cls(picture, view, sizes, usual, max(NOISE_LEVELS, SEEN_SIGMAS * off))

    def off(self, tile: Tile) -> float:
        """Return how far the quarter with the strangest colour is from the usual colour, as a
        distance in a and b.
        """
        colours = _quarter_colours(self.picture, self.view, tile, self.sizes)
        return float(_away(colours, self.usual).max())

    def share(self, tile: Tile) -> float:
        """Return the share of a tile's inside that has the colours of tiles."""
        steps = round(_INSIDE * self.sizes.tile_mm / _STEP_MM / 2)
        turn_rad, height_mm = np.radians(tile.rotation_deg), top_height_mm(tile, self.sizes)
        where = square_grid(self.view, tile.centre_mm, turn_rad, height_mm, _STEP_MM, steps)
        away = _away(_colours_at(self.picture, where), self.usual)
        return float((away <= self.most_off).mean())

    def are_odd(self, tile: Tile) -> bool:
        """Return whether a quarter of a tile has plainly another colour than the other tiles."""
        return self.off(tile) > self.most_off

    def place_near(self, near: Tile, reach_mm: float, others: Iterable[Tile] = ()) -> Tile | None:
        """Return a tile moved to the place up to `reach_mm` away, along each of its sides, where
        most of it has the colours of tiles, and none of the `others` lies. The place is accurate to
        a few millimetres. None if there is no such place or several, or if more than half of the
        free places around have these colours, too.
        """
        reach, tile = (round(length / _STEP_MM) for length in (reach_mm, self.sizes.tile_mm))
        where = square_grid(
            self.view,
            near.centre_mm,
            np.radians(near.rotation_deg),
            top_height_mm(near, self.sizes),
            _STEP_MM,
            reach + tile // 2,
        )
        colours = _colours_at(self.picture, where)
        away = _away(
            cv2.blur(colours, (tile // 4, tile // 4)), self.usual
        )  # as wide as in quarters
        around = float(np.median(away))
        free = ~self._overlapping(near, reach, others)
        if around < NOISE_LEVELS or not free.any():
            return None
        # no tile has a colour that is nearer to the surroundings' colour than to the tiles'
        most_off, inside = min(self.most_off, MAJORITY * around), round(_INSIDE * tile)
        odd = cv2.blur((away > most_off).astype(np.float32), (inside, inside))
        odd = odd[tile // 2 :, tile // 2 :][: 2 * reach + 1, : 2 * reach + 1]
        least = float(odd[free].min())
        if least > 1.0 - NEARLY_ALL or float(np.median(odd[free])) < MAJORITY:
            return None
        places = np.argwhere(free & (odd < least + _AS_GOOD_SHARE))
        if np.ptp(places, axis=0).max() > tile // 2:  # too far apart to be one tile
            return None
        down, right = _STEP_MM * (places.mean(axis=0) - reach)
        x, y = tile_turn(near) @ (right, down) + near.centre_mm
        return replace(near, centre_mm=(float(x), float(y)))

    def _overlapping(self, near: Tile, reach: int, others: Iterable[Tile]) -> NDArray[np.bool_]:
        """Return at which places, up to `reach` steps from a tile, it would overlap another one."""
        steps = _STEP_MM * np.arange(-reach, reach + 1)
        x, y = np.meshgrid(steps, steps)
        places = np.stack((x, y), axis=-1) @ tile_turn(near).T + near.centre_mm
        overlaps = np.zeros(x.shape, dtype=np.bool_)
        for other in others:
            away = np.hypot(*np.moveaxis(places - other.centre_mm, -1, 0))
            overlaps |= away < TILES_APART * self.sizes.tile_mm
        return overlaps


def _quarter_colours(picture: Picture, view: TableView, tile: Tile, sizes: PieceSizes) -> Array:
    """Return the mean colour differences, a and b of CIE L*a*b*, of a tile's quarters (4, 2). Of a
    quarter outside the picture, the nearest pixels count.
    """
    steps = _QUARTER / 2 * np.linspace(-1.0, 1.0, 5)
    ends = (-_QUARTER, _QUARTER)
    middles = np.array([(x, y) for x in ends for y in ends])
    grid = np.array([(x, y) for x in steps for y in steps])
    flat = ((middles[:, None] + grid[None]) * sizes.tile_mm).reshape(-1, 2) @ tile_turn(tile).T
    height = np.full((len(flat), 1), top_height_mm(tile, sizes))
    pixels = view.to_image(np.hstack((flat + tile.centre_mm, height))).astype(np.float32)
    colours = _colours_at(picture, pixels.reshape(len(middles), len(grid), 2))
    return np.asarray(colours.mean(axis=1), dtype=np.float64)


def _colours_at(picture: Picture, pixels: Floats) -> Floats:
    """Return a and b of CIE L*a*b* (n, m, 2) at pixels (n, m, 2) of a picture (h, w, 3) BGR."""
    x, y = pixels[..., 0], pixels[..., 1]
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    bright = seen.astype(np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(bright, cv2.COLOR_BGR2LAB)[..., 1:], dtype=np.float32)


def _away(colours: ArrayLike, usual: Array) -> Array:
    """Return how far each of some colours (..., 2) is from the usual one."""
    off = np.asarray(colours, dtype=np.float64) - usual
    return np.asarray(np.hypot(*np.moveaxis(off, -1, 0)), dtype=np.float64)
