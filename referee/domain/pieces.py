"""The pieces of a piecepack set: their names, as in the match record, and their sizes in
millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: The coins by the face they show, in the standard order of play: first the suits (black, red,
#: blue, green or yellow), then the ranks.
COINS: Final = ("moons", "suns", "arms", "crowns", "null", "ace", "2", "3", "4", "5")
#: The guard of each knight in Castle Croquetnole.
GUARDS: Final = {"moons": "ace", "suns": "2", "crowns": "3", "arms": "4"}
#: What a coin is called that belongs to no player. It lies on the table, and the referee ignores
#: it.
NOBODY: Final = "nobody"
#: The coins of Carroms: six red ones, six blue ones, the black one, and the striker.
CARROMS_COINS: Final = (
    *(f"{suit}-{number}" for suit in ("suns", "arms") for number in range(1, 7)),
    "moons",
    "striker",
)


def face_of(name: str) -> str:
    """Return the name of the face that a coin shows: the coin's name without its number (`suns` for
    `suns-3`). The striker of Carroms shows the face `null`.
    """
    return "null" if name == "striker" else name.split("-")[0]


@dataclass(frozen=True, slots=True)
class PieceSizes:
    """The sizes of one set. The defaults are those of the usual piecepack (the Mesomorph set, which
    most makers copy).
    """

    tile_mm: float = 50.8
    tile_thickness_mm: float = 6.35
    coin_mm: float = 19.05
    coin_thickness_mm: float = 3.2
