"""Measures where a coin lies on a stack of tiles. Two pictures are used: the top of the stack
without the coin, and the coin's face where the coin lay before.

The coin may look like the tile. If coin and tile look alike, the top differs only where the coin
hides the ace's mark, and where the coin's own print is. So a place is judged as a whole: inside the
coin's disc, the picture must show the face, turned by any angle; outside the disc, the top must
look as it did without the coin. The result is the mean of all places, weighted by how well they
explain the picture, and the spread of the places gives its error.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.tiles.square_grid import square_grid
from referee.domain.episode import Rest
from referee.domain.geometry import Point, add
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.coins.motion_fit import FLOOR_SIGMA_MM
from referee.vision.image.picture import Floats, Picture, Rect

STEP_MM: Final = 0.5  # Chosen: about half a pixel
#: Chosen: the number of angles by which a face is turned. The nearest of these angles is at most 5
#: degrees off, which is a millimetre at the rim. Measured: twice as many do not improve the places
#: of 60 coins on drawn towers.
TURNS: Final = 36
#: Neighbouring places share their pixels and the errors of compression, so this many of them count
#: as one. Measured: with this value on 60 coins on drawn towers, the normalised error squared is
#: 1.2 without a known face, and 0.3 with one.
SHARED_PLACES: Final = 16.0


def look_above(
    picture: Picture,
    view: TableView,
    centre_mm: Point,
    turn_rad: float,
    height_mm: float,
    half_mm: float,
) -> Floats | None:
    """Return a square of the plane `height_mm` above the table as seen from straight above: (side,
    side, channels), `STEP_MM` apart, columns to the right and rows up. The square's sides are about
    2 `half_mm` long and turned by `turn_rad`. Return None if it is not completely in the picture.
    """
    at_px = square_grid(view, centre_mm, turn_rad, height_mm, STEP_MM, int(half_mm / STEP_MM))
    (left, top), (right, bottom) = at_px.min(axis=(0, 1)), at_px.max(axis=(0, 1))
    rect = Rect(
        math.floor(left) - 1, math.floor(top) - 1, math.ceil(right) + 2, math.ceil(bottom) + 2
    )
    if rect != rect.within(picture.width, picture.height):
        return None
    channels = picture.channels(rect)
    x, y = at_px[..., 0] - np.float32(rect.left), at_px[..., 1] - np.float32(rect.top)
    seen = cv2.remap(channels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float32).reshape(*x.shape, channels.shape[2])


def face_above(picture: Picture, view: TableView, at_mm: Point, sizes: PieceSizes) -> Floats | None:
    """Return the face of the coin that lies at a place on the table, as seen from above (see
    `look_above`).
    """
    return look_above(picture, view, at_mm, 0.0, sizes.coin_thickness_mm, sizes.coin_mm / 2)


def place_on_stack(
    differs: Floats, level: float, tile: Tile, sizes: PieceSizes, misfit: Floats | None = None
) -> Rest:
    """Return where a coin lies on the stack `tile`, with its standard error along each axis.

    `differs` (side, side) is 1 where the top differs by `level` grey levels or more from the top
    without the coin, and 0 elsewhere. `misfit` (side, side) says for each place what the coin's
    face, with its middle there, leaves unexplained (see `face_misfit`). Without `misfit`, all
    places at which the coin's disc covers the differences are equally good.
    """
    disc = filled_disc(sizes.coin_mm / 2)
    cost, usual = -(level**2) * covered(differs, disc), level**2
    if misfit is not None:
        cost = cost + misfit
        usual = float(misfit.ravel()[int(cost.argmin())]) / float(disc.sum())
    weights = np.exp((float(cost.min()) - cost) / (2.0 * usual * SHARED_PLACES))
    at = (np.arange(len(cost)) - (len(cost) - 1) / 2) * STEP_MM
    rows, columns = weights.sum(axis=1) / weights.sum(), weights.sum(axis=0) / weights.sum()
    east, north = float(columns @ at), float(rows @ at)
    spread = math.sqrt((float(columns @ (at - east) ** 2) + float(rows @ (at - north) ** 2)) / 2)
    cos, sin = (f(math.radians(tile.rotation_deg)) for f in (math.cos, math.sin))
    at_mm = add(tile.centre_mm, (cos * east - sin * north, sin * east + cos * north))
    return Rest(at_mm, math.hypot(FLOOR_SIGMA_MM, spread))


def face_misfit(seen: Floats, face: Floats) -> Floats:
    """Return for each place (side, side) what a coin's `face` (see `face_above`), with its middle
    there and turned to fit best, leaves unexplained: squared grey levels, summed over the face.
    `seen` is the picture in the plane of the face (side, side, channels). A change of light on the
    whole face does not count.
    """
    middle = len(face) // 2
    disc = filled_disc(middle * STEP_MM)
    own = [covered(np.ascontiguousarray(seen[..., k]), disc) for k in range(seen.shape[2])]
    squares = covered(np.square(seen).sum(axis=2), disc)
    best = np.full(squares.shape, np.inf, dtype=np.float32)
    for turn_deg in np.arange(TURNS) * (360.0 / TURNS):
        around = cv2.getRotationMatrix2D((middle, middle), float(turn_deg), 1.0)
        turned = cv2.warpAffine(face, around, face.shape[:2], borderMode=cv2.BORDER_REPLICATE)
        turned = turned.reshape(face.shape) * disc[..., None]
        left = squares + float(np.square(turned).sum())
        for k, channel in enumerate(own):
            shape = np.ascontiguousarray(turned[..., k])
            left -= 2.0 * covered(np.ascontiguousarray(seen[..., k]), shape)
            left -= np.square(channel - float(shape.sum())) / float(disc.sum())
        np.minimum(best, left, out=best)
    return best


def explained_share(seen: Floats, face: Floats, misfit: Floats) -> Floats:
    """Return for each place how well a coin's `face`, with its middle there, explains what is
    `seen`: 1 if it leaves nothing unexplained, 0 if it explains nothing. The arguments are as in
    `face_misfit`.
    """
    disc = filled_disc(len(face) // 2 * STEP_MM)
    cells = float(disc.sum())
    varies = np.zeros(misfit.shape, dtype=np.float32)
    for k in range(seen.shape[2]):
        own, shape = np.ascontiguousarray(seen[..., k]), face[..., k] * disc
        varies += covered(np.square(own), disc) - np.square(covered(own, disc)) / cells
        varies += float(np.square(shape).sum() - shape.sum() ** 2 / cells)
    return np.asarray(1.0 - misfit / np.maximum(varies, 1.0), dtype=np.float32)


def filled_disc(radius_mm: float) -> Floats:
    """Return a disc as a grid (side, side) with cells `STEP_MM` apart: 1 inside and 0 outside."""
    reach = int(radius_mm / STEP_MM)
    at = np.arange(-reach, reach + 1) * STEP_MM
    return np.asarray(np.hypot(at[:, None], at[None, :]) <= radius_mm, dtype=np.float32)


def covered(values: NDArray[np.float32], shape: Floats) -> Floats:
    """Return for each place the sum of the values that a shape covers when its middle is there."""
    summed = cv2.filter2D(values, cv2.CV_32F, shape, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(summed, dtype=np.float32)
