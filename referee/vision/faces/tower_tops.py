"""Reads the aces on top of the towers of Castle Croquetnole: how likely each order of them is.

The mark of a suit's ace is the suit's symbol. Most sets draw this symbol on tiles as on the suit's
coin. Other sets draw the symbol differently: white on painted coins, and in the suit's colour on
tiles. So the middle of a tower's top is compared with the faces of the set's coins and with the
common faces. The size of the symbol on a tile differs from set to set, so several sizes are tried,
each for all towers at once. A prisoner may lie on a tower; its face says nothing about the tower.
In a film the prisoner may lie there only for a time, so each picture of a tower counts separately:
any of them may show its ace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.pieces.piece_face import cut_face
from calibration.store.piece_store import PieceSet
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from referee.vision.faces.face_patch import PATCH_PX
from referee.vision.faces.identification import FaceEvidence, face_log_likelihoods

# Chosen: how wide the part of a tile is that looks like a coin's face, in tile widths.
WIDTHS_TILES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
# Chosen: the probability that a coin on a tower hides its ace.
COVERED: Final = 0.1


def order_log_likelihoods(
    looks: Mapping[str, Sequence[NDArray[np.uint8]]],
    view: TableView,
    towers: Mapping[str, Tile | None],
    sizes: PieceSizes,
    pieces: PieceSet | None,
) -> dict[tuple[str, ...], float]:
    """Return the log-likelihood of every order in which the aces of the suits (the towers' keys)
    may lie on the towers. `looks` are, for each tower, BGR pictures (h, w, 3) in which it looks
    different. A tower that is None was not found.

    Without a set, or with one that has only sizes, only common faces are tried; they give less
    evidence. The function does not decide which order is the right one.
    """
    suits = tuple(towers)
    drawn = (pieces, None) if pieces is not None and pieces.faces else (None,)
    by_width = [
        np.stack(
            [
                _fits(looks[suit], view, tile, round_part, faces, suits)
                for suit, tile in towers.items()
            ]
        )
        for faces in drawn
        for round_part in (_round_part(sizes, width) for width in WIDTHS_TILES)
    ]
    return {
        order: float(
            np.logaddexp.reduce(
                [
                    sum(fits[k, suits.index(suit)] for k, suit in enumerate(order))
                    for fits in by_width  # all widths are equally likely beforehand
                ]
            )
        )
        for order in permutations(suits)
    }


def _fits(
    looks: Sequence[NDArray[np.uint8]],
    view: TableView,
    tile: Tile | None,
    sizes: PieceSizes,
    pieces: PieceSet | None,
    suits: Sequence[str],
) -> NDArray[np.float64]:
    """Return the log-likelihoods (suits,) of what is seen on a tower, if its ace is that of each
    suit. Any of the looks may show the ace, or something other than the ace.
    """
    if tile is None or not looks:
        return np.zeros(len(suits))
    top = replace(sizes, coin_thickness_mm=tile.stack * sizes.tile_thickness_mm)
    seen = [FaceEvidence() for _ in looks]
    for one, picture in zip(seen, looks, strict=True):
        one.add(cut_face(picture, view, tile.centre_mm, top, PATCH_PX))
    fits = face_log_likelihoods(seen, pieces, suits)
    # 0 is the log-likelihood of a look that shows no suit's face
    covered = np.logaddexp(np.log1p(-COVERED) + fits, np.log(COVERED))
    return np.asarray(np.logaddexp.reduce(covered, axis=0) - np.log(len(looks)), dtype=np.float64)


def _round_part(sizes: PieceSizes, width_tiles: float) -> PieceSizes:
    """Return the sizes of a set whose coins are as wide as the part of a tile that looks like a
    coin's face.
    """
    return replace(sizes, coin_mm=width_tiles * sizes.tile_mm)
