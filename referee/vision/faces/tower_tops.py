"""Reads the aces on top of the towers of Castle Croquetnole: how likely each order of them is.

The mark of a suit's ace is the suit's symbol. Most sets draw it on tiles as on the suit's coin.
Others draw it differently: white on painted coins, and in the suit's colour on tiles. So the middle
of a tower's top is compared with the faces of the set's coins and with the common faces. The size
of the symbol on a tile differs from set to set, so several sizes are tried, each for all towers at
once. A prisoner may lie on a tower; its face says nothing about the tower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
# Chosen: how often something else than its ace is seen on a tower: a coin lies on it.
COVERED: Final = 0.1


def order_log_likelihoods(
    pictures: Sequence[NDArray[np.uint8]],
    view: TableView,
    towers: Mapping[str, Tile | None],
    sizes: PieceSizes,
    pieces: PieceSet | None,
) -> dict[tuple[str, ...], float]:
    """Return the log-likelihood of every order in which the aces of the suits (the towers' keys)
    may lie on the towers, as seen in BGR pictures (h, w, 3). A tower that is None was not found.

    Without a set, or with one that has only sizes, only common faces are tried; they give less
    evidence. The function does not decide which order is the right one.
    """
    suits = tuple(towers)
    drawn = (pieces, None) if pieces is not None and pieces.faces else (None,)
    by_width = [
        _evidence(pictures, view, towers, sizes, faces, width)
        for faces in drawn
        for width in WIDTHS_TILES
    ]
    return {
        order: float(
            np.logaddexp.reduce(
                [
                    sum(fits[k, suits.index(suit)] for k, suit in enumerate(order))
                    for fits in by_width  # each as likely beforehand
                ]
            )
        )
        for order in permutations(suits)
    }


def _evidence(
    pictures: Sequence[NDArray[np.uint8]],
    view: TableView,
    towers: Mapping[str, Tile | None],
    sizes: PieceSizes,
    pieces: PieceSet | None,
    width_tiles: float,
) -> NDArray[np.float64]:
    """Return the log-likelihoods (towers, suits) of what is seen on each tower, if its ace is that
    of each suit. What is seen may also be something other than the ace.
    """
    seen = []
    for tile in towers.values():
        evidence = FaceEvidence()
        seen.append(evidence)
        if tile is None:
            continue
        height_mm = tile.stack * sizes.tile_thickness_mm
        round_part = PieceSizes(
            sizes.tile_mm, sizes.tile_thickness_mm, width_tiles * sizes.tile_mm, height_mm
        )
        for picture in pictures:
            evidence.add(cut_face(picture, view, tile.centre_mm, round_part, PATCH_PX))
    fits = face_log_likelihoods(seen, pieces, tuple(towers))
    covered = np.logaddexp(np.log1p(-COVERED) + fits, np.log(COVERED))  # 0 is no suit's face
    return np.asarray(covered, dtype=np.float64)
