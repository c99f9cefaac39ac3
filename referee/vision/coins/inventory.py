"""Finds which coins lie on the table when a match opens, and the channel mix in which they stand
out from it.

Where coins and table have nearly the same colour, the first search may go wrong: a coin's shadow
can look more like a disc than the coin does. Measuring the rims shows this, because a shadow has no
rim. Then the search starts again twice, with what is clearly lighter than the table and with what
is clearly darker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.lens.camera import TableView
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_search import Floor, Mixtures, find_coins
from referee.vision.coins.rim_fit import RimFit, fit_rim
from referee.vision.image.picture import ChannelMix, Picture

# Tuned on our own clips, except where a comment gives another source for a number.

PLAIN_SUPPORT: Final = 0.75  # of a coin's rim is seen on average, when the finds are coins
LIGHTER: Final = ChannelMix(1.0, 0.0, 0.0, 30.0)
DARKER: Final = ChannelMix(-1.0, 0.0, 0.0, 30.0)


@dataclass(frozen=True)
class Inventory:
    """The coins as measured, the channel mixes in which they were found and measured (None when
    none was found), and how many finds turned out to have no rim.
    """

    fits: tuple[RimFit, ...]
    mixtures: Mixtures | None
    rimless: int = 0

    @property
    def rims(self) -> float:
        """Return how much of all rims is seen, in coins. A find without a rim counts against it."""
        return sum(fit.support for fit in self.fits) - self.rimless

    @property
    def plain(self) -> bool:
        """Whether these are certainly coins."""
        return self.rims >= PLAIN_SUPPORT * len(self.fits) > 0


def take_inventory(
    picture: Picture, coloured: Picture, view: TableView, floor: Floor, sizes: PieceSizes
) -> Inventory:
    """Find the coins that lie still and in full view in `coloured`, and measure them in `picture`.
    The two may differ only in that `picture` has no colours.
    """
    found = _begun_with(None, picture, coloured, view, floor, sizes)
    if found.plain:
        return found
    others = [
        _begun_with(start, picture, coloured, view, floor, sizes) for start in (LIGHTER, DARKER)
    ]
    return max(
        (other for other in others if other.plain),
        key=lambda inventory: inventory.rims,
        default=found,
    )


def _begun_with(
    start: ChannelMix | None,
    picture: Picture,
    coloured: Picture,
    view: TableView,
    floor: Floor,
    sizes: PieceSizes,
) -> Inventory:
    places, mixtures = find_coins(coloured, floor, sizes, start)
    if mixtures is None:
        return Inventory((), None)
    fits = [fit_rim(picture, view, coin.at_mm, sizes, mixtures.measure) for coin in places]
    measured = tuple(fit for fit in fits if fit is not None)
    return Inventory(measured, mixtures, len(fits) - len(measured))
