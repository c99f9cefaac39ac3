"""The pieces of a piecepack set: their names and sizes. Names as in the match record, sizes in
millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The coins by the face they show, in the standard order of play: suits black, red, blue, green (or
#: yellow), then ranks.
COINS: Final = ("moons", "suns", "arms", "crowns", "null", "ace", "2", "3", "4", "5")


@dataclass(frozen=True, slots=True)
class PieceSizes:
    """The sizes of one set. The defaults are the usual piecepack's (the Mesomorph set most makers
    follow).
    """

    tile_mm: float = 50.8
    tile_thickness_mm: float = 6.35
    coin_mm: float = 19.05
    coin_thickness_mm: float = 3.2
