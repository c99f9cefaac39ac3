"""Learns a set of pieces from one picture of its coins in a row. A tile or two beside them are
needed to measure sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.palette import PINK
from calibration.lens.camera import Camera, plain_camera
from calibration.pieces.piece_face import cut_face
from calibration.pieces.piece_row import Disc, find_row
from calibration.pieces.piece_scale import Scene, measure_scene, squares
from calibration.pieces.piece_tiles import Quad, find_tiles
from calibration.store.piece_store import STORED_PX, FacePatch, PieceSet, check_sizes
from referee.domain.errors import InputError
from referee.domain.pieces import PieceSizes

# Tuned on our own clips, except where a comment gives another source for a number.

# The width of a coin divided by that of a tile. Measured: the range over all known sets, widened
# for measuring errors.
_USUAL_SHARES: Final = (0.27, 0.53)
#: The possible error of a coin's diameter measured against a tile, as a share of the diameter.
#: Measured: 89 pictures of six sets of known size, large, small, blurred, noisy and compressed.
#: Seven of eight were within it (7 % rms, 20 % at worst). Sharp pictures were 4 % off. Neither
#: sharpness nor the coin's width in pixels shows which measurements are wrong, because the set and
#: the table decide which edge looks like the rim.
MEASURED_SHARE: Final = 0.1


@dataclass(frozen=True, eq=False)
class Found:
    """What was found in a picture of pieces. `scene` is None if no row of coins was found. `rival`
    is another row that is about as likely as this one; empty if there is none. `warnings` are whole
    sentences.
    """

    row: tuple[Disc, ...]
    tiles: tuple[Quad, ...]
    scene: Scene | None
    coin_measured: bool = False
    warnings: tuple[str, ...] = ()
    rival: tuple[Disc, ...] = ()


def find_pieces(
    picture: NDArray[np.uint8],
    wanted: int,
    sizes: PieceSizes,
    coin_known: bool,
    camera: Camera | None = None,
) -> Found:
    """Find the row of coins and the tiles in a BGR picture, and measure them.

    `wanted` is how many coins there should be. If there are tiles, the coins' diameter is measured
    relative to `sizes.tile_mm`, unless `coin_known`. Without a camera, a usual lens is assumed.
    """
    row = find_row(picture, wanted)
    if not row.discs:
        return Found((), (), None)
    known = sizes.coin_mm / sizes.tile_mm
    least, most = (known, known) if coin_known else _USUAL_SHARES
    coin_px = 2 * row.discs[0].radius_px
    tiles = find_tiles(picture, coin_px / most, coin_px / least)
    lens = camera or plain_camera(picture.shape[1], picture.shape[0])
    scene = measure_scene(picture, lens, row.discs, tiles, sizes, coin_known)
    if not coin_known and not _is_usual(scene.sizes):  # the tiles found are print
        tiles = []
        scene = measure_scene(picture, lens, row.discs, tiles, sizes, coin_known)
    warnings = []
    if not tiles and not coin_known:
        warnings.append(
            f"no tile was found to measure against: the coins are assumed to be {sizes.coin_mm:g}"
            " mm wide (give --coin-mm)"
        )
    if not _is_usual(scene.sizes):
        share = scene.sizes.coin_mm / scene.sizes.tile_mm
        warnings.append(
            f"coins {share:.2f} of a tile wide are unusual (0.30 to 0.50): check the sizes"
        )
    measured = bool(tiles) and not coin_known
    return Found(row.discs, tuple(tiles), scene, measured, tuple(warnings), row.rival)


def _is_usual(sizes: PieceSizes) -> bool:
    """Return whether a set may have such coins and tiles."""
    return _USUAL_SHARES[0] <= sizes.coin_mm / sizes.tile_mm <= _USUAL_SHARES[1]


def learn(picture: NDArray[np.uint8], found: Found, names: Sequence[str], where: str) -> PieceSet:
    """Make a piece set from what was found. `names` are the coins' names from left to right, and
    `where` is the beginning of an error's text.

    Raises InputError if the number of coins differs from the number of names, if another row is
    about as likely, if the picture's border cuts a coin off, or if the sizes are impossible.
    """
    if found.scene is None or len(found.row) != len(names):
        raise InputError(
            f"{where}: the row found has {len(found.row)} coins, but {len(names)} names are given"
        )
    if found.rival:
        rows = (
            f"{len(row)} coins from {row[0].x_px:.0f},{row[0].y_px:.0f} to"
            f" {row[-1].x_px:.0f},{row[-1].y_px:.0f}"
            for row in (found.row, found.rival)
        )
        raise InputError(
            f"{where}: two rows are equally likely to be the coins:"
            f" {' px, or '.join(rows)} px; lay the coins on a surface without a pattern"
        )
    sizes = replace(found.scene.sizes, coin_mm=round(found.scene.sizes.coin_mm, 2))
    check_sizes(where, sizes)
    return PieceSet(sizes, MappingProxyType(_faces(picture, found.scene, names, where)))


def _faces(
    picture: NDArray[np.uint8], scene: Scene, names: Sequence[str], where: str
) -> Mapping[str, FacePatch]:
    """Return each named coin's face."""
    faces = {}
    for name, centre in zip(names, scene.coins_mm, strict=True):
        face = cut_face(
            picture, scene.view, (float(centre[0]), float(centre[1])), scene.sizes, STORED_PX
        )
        if face is None:
            raise InputError(f"{where}: the coin {name} is cut off by the border of the picture")
        faces[name] = face
    return faces


def draw(picture: NDArray[np.uint8], found: Found, names: Sequence[str]) -> NDArray[np.uint8]:
    """Draw what was found into a copy of the picture: each coin's outline with its name, and each
    tile's outline.
    """
    canvas = picture.copy()
    thick = max(1, picture.shape[1] // 900)
    if found.scene is None:
        return canvas
    view, sizes = found.scene.view, found.scene.sizes
    turn = np.linspace(0, 2 * np.pi, 60)
    for number, centre in enumerate(found.scene.coins_mm):
        rim = np.column_stack(
            (
                centre + sizes.coin_mm / 2 * np.column_stack((np.cos(turn), np.sin(turn))),
                np.full(60, sizes.coin_thickness_mm),
            )
        )
        at_px = view.to_image(rim)
        cv2.polylines(canvas, [np.rint(at_px).astype(np.int32)], True, PINK, thick, cv2.LINE_AA)
        label = names[number] if len(found.row) == len(names) else str(number + 1)
        corner = (round(float(at_px[:, 0].min())), round(float(at_px[:, 1].max())) + 14 * thick)
        cv2.putText(
            canvas, label, corner, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * thick, PINK, thick, cv2.LINE_AA
        )
    for corners in squares(found.scene.tiles_mm, sizes.tile_mm):
        at_px = view.to_image(np.column_stack((corners, np.full(4, sizes.tile_thickness_mm))))
        cv2.polylines(canvas, [np.rint(at_px).astype(np.int32)], True, PINK, thick, cv2.LINE_AA)
    return canvas
