"""The pieces of a piecepack set: their names, as in the match record, and their sizes in
millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

#: The coins by the face they show, in the standard order of play: first the suits (black, red,
#: blue, green or yellow), then the ranks.
COINS: Final = ("moons", "suns", "arms", "crowns", "null", "ace", "2", "3", "4", "5")
#: The guard of each knight in Castle Croquetnole.
GUARDS: Final = {"moons": "ace", "suns": "2", "crowns": "3", "arms": "4"}
#: From this probability on, the name of a coin or a tile counts as sure. Chosen: surer than an
#: incident must be, because a wrong name makes every later call wrong. Measured: on 66 drawn and
#: traced tables, 234 coins got a name with at least 0.95, and all of these names were right; but in
#: a noisy picture with glare two coins got each other's names, one of them with 0.955. On 25 other
#: tables, the referee asks about 20 of 168 coins, and with 0.95 about 16.
SURE_NAME: Final = 0.98
#: The name of a coin that belongs to no player. It lies on the table, and the referee ignores it.
NOBODY: Final = "nobody"
#: Rule: what a player of Carroms flicks.
STRIKER: Final = "striker"
#: Rule: the coins of Carroms are six red ones, six blue ones, the black one, and the striker.
CARROMS_COINS: Final = (
    *(f"{suit}-{number}" for suit in ("suns", "arms") for number in range(1, 7)),
    "moons",
    STRIKER,
)


def face_of(name: str) -> str:
    """Return the name of the face that a coin shows: the coin's name without its number (`suns` for
    `suns-3`). The striker of Carroms shows the face `null`.
    """
    return "null" if name == STRIKER else name.split("-")[0]


@dataclass(frozen=True, slots=True)
class PieceSizes:
    """The sizes of one set. The defaults are those of the usual piecepack (the Mesomorph set, which
    most makers copy).
    """

    tile_mm: float = 50.8
    tile_thickness_mm: float = 6.35
    coin_mm: float = 19.05
    coin_thickness_mm: float = 3.2

    @property
    def is_set(self) -> bool:
        """Whether all coins are of one set: equally wide and heavy."""
        return True

    @property
    def span_mm(self) -> tuple[float, float]:
        """Return the widths of the narrowest and the widest coin."""
        return (self.coin_mm, self.coin_mm)

    def width_mm(self, coin: str | None) -> float:
        """Return how wide a coin is. `coin` is None if the coin's name is not known."""
        return self.coin_mm

    def reach_mm(self, one: str | None, other: str | None) -> float:
        """Return the distance between the centres of two coins that touch."""
        return 0.5 * (self.width_mm(one) + self.width_mm(other))

    def of(self, coin: str | None) -> PieceSizes:
        """Return the same sizes, but with this coin's width as the width of every coin."""
        return self

    def with_width(self, coin: str, width_mm: float | None) -> PieceSizes:
        """Return the sizes with a coin's measured width, for pieces whose coins differ in width."""
        return self

    def renamed(self, names: Mapping[str, str]) -> PieceSizes:
        """Return the sizes with other names of coins (old name to new one)."""
        return self


#: The names of the sizes, as in every file and option.
SIZE_NAMES: Final = tuple(size.name for size in fields(PieceSizes))


@dataclass(frozen=True, slots=True)
class DiscSizes(PieceSizes):
    """The sizes of discs that do not belong to one set: `widths_mm` gives the width of each disc,
    and a disc that it does not name is `coin_mm` wide. Nobody knows how heavy the discs are.
    """

    widths_mm: tuple[tuple[str, float], ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether all coins are of one set."""
        return False

    @property
    def span_mm(self) -> tuple[float, float]:
        """Return the widths of the narrowest and the widest disc."""
        widths = [self.coin_mm, *(width for _, width in self.widths_mm)]
        return (min(widths), max(widths))

    def width_mm(self, coin: str | None) -> float:
        """Return how wide a disc is; `coin_mm` for a disc whose name is not known."""
        return next((width for name, width in self.widths_mm if name == coin), self.coin_mm)

    def of(self, coin: str | None) -> PieceSizes:
        """Return the same sizes, but with this disc's width as the width of every disc."""
        return replace(self, coin_mm=self.width_mm(coin), widths_mm=())

    def with_width(self, coin: str, width_mm: float | None) -> PieceSizes:
        """Return the sizes with a disc's measured width. A width of None means that it is not
        known.
        """
        if width_mm is None:
            return self
        return replace(self, widths_mm=(*self.widths_mm, (coin, width_mm)))

    def renamed(self, names: Mapping[str, str]) -> PieceSizes:
        """Return the sizes with other names of discs (old name to new one)."""
        own = tuple((names.get(coin, coin), width) for coin, width in self.widths_mm)
        return replace(self, widths_mm=own)
