"""The colours of a set's tiles in a picture, and whether a tile lies where these are seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import MAJORITY, NEARLY_ALL, NOISE_LEVELS, TILES_APART
from calibration.lens.camera import TableView
from calibration.tiles.rims import tile_turn, top_height_mm
from calibration.tiles.square_grid import square_grid
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SEEN_SIGMAS

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]

# By definition: in tile widths, from a tile's middle to those of its quarters. Around
# them, colours are averaged half as far.
_QUARTER: Final = 0.25
# Chosen: in tile widths, what is examined of a tile that may be turned, and has blurred rims
_INSIDE: Final = 0.75
_STEP_MM: Final = 2.0  # Chosen: between the places that are tried; a search by edges follows
# Chosen: of two places of which so much more has the colours of tiles, one is the better
NOISE_SHARE: Final = 0.02


@dataclass(frozen=True)
class TileColours:
    """The colours of tiles in one picture. `lab` is the picture (h, w, 3) in CIE L*a*b*, `usual`
    (2,) the usual a and b of a quarter of a tile. A quarter whose a and b are farther from these
    than `most_off` has plainly another colour.
    """

    lab: NDArray[np.float32]
    view: TableView
    sizes: PieceSizes
    usual: Array
    most_off: float

    @classmethod
    def of(
        cls, still: Picture, view: TableView, tiles: Iterable[Tile], sizes: PieceSizes
    ) -> TileColours:
        """Learn the colours of tiles, most of which lie where they were found, from a picture
        (h, w, 3) BGR. There is at least one tile.
        """
        bright = np.asarray(still, dtype=np.float32) / np.float32(255)
        lab = np.asarray(cv2.cvtColor(bright, cv2.COLOR_BGR2LAB), dtype=np.float32)
        seen = [_quarter_colours(lab, view, tile, sizes) for tile in tiles]
        usual = np.median(np.concatenate(seen), axis=0)
        off = float(np.median([_farthest(colours, usual) for colours in seen]))
        return cls(lab, view, sizes, usual, max(NOISE_LEVELS, SEEN_SIGMAS * off))

    def off(self, tile: Tile) -> float:
        """Return how far the quarter with the strangest colour is from the usual colour, as a
        distance in a and b.
        """
        return _farthest(_quarter_colours(self.lab, self.view, tile, self.sizes), self.usual)

    def place_near(self, near: Tile, reach_mm: float, others: Iterable[Tile] = ()) -> Tile | None:
        """Return a tile moved to the place up to `reach_mm` away, along each of its sides, where
        most of it has the colours of tiles, and none of the `others` lies. It is accurate to some
        millimetres. None if there is no such place, or if more than half of the places around have
        these colours, too.
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
        across, down = where[..., 0], where[..., 1]
        seen = cv2.remap(self.lab, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        smooth = cv2.blur(seen[..., 1:], (tile // 4, tile // 4))  # as wide as in quarters
        away = np.hypot(*np.moveaxis(smooth - self.usual, -1, 0))
        # what is nearer to the colours of most places around is one of these
        most_off = min(self.most_off, MAJORITY * float(np.median(away)))
        inside = round(_INSIDE * tile)
        odd = cv2.blur((away > most_off).astype(np.float32), (inside, inside))
        inner = odd[tile // 2 :, tile // 2 :][: 2 * reach + 1, : 2 * reach + 1]
        inner[self._overlapping(near, reach, others)] = 1.0
        least = float(inner.min())
        if least > 1.0 - NEARLY_ALL or float(np.median(inner)) < MAJORITY:
            return None
        # the middle of all the places that are as good, since faces have worn rims
        rows, columns = np.nonzero(inner < least + NOISE_SHARE)
        off = _STEP_MM * (np.array([columns.mean(), rows.mean()]) - reach)
        x, y = tile_turn(near) @ off + near.centre_mm
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

    def are_odd(self, tile: Tile) -> bool:
        """Return whether a quarter of a tile has plainly another colour than tiles."""
        return self.off(tile) > self.most_off


def _quarter_colours(
    lab: NDArray[np.float32], view: TableView, tile: Tile, sizes: PieceSizes
) -> Array:
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
    across, down = pixels.reshape(len(middles), len(grid), 2).transpose(2, 0, 1)
    colours = cv2.remap(lab, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(colours[..., 1:].mean(axis=1), dtype=np.float64)


def _farthest(colours: Array, usual: Array) -> float:
    """Return how far the colour farthest from the usual one is from it."""
    return float(np.hypot(*(colours - usual).T).max())
