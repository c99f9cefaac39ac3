"""Coins as they lie: their templates, of which most are never looked at, and which coins beside a
hand are in full view all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_template import HUE_RADII, RADII, RIM_RADII, CoinTemplate, Levels
from referee.vision.coins.local_contrast import local_contrast
from referee.vision.coins.rim_fit import LUMINANCE
from referee.vision.image.disc import PixelGrid, ProjectedDisc
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect

# Chosen: in coin radii; so far around a coin no more of the picture is read.
READ_RADII: Final = 2.5
_S = TypeVar("_S")


class LaidTemplate(CoinTemplate):
    """The template of a coin that still lies as it was laid. Its pixels are read from the picture
    when they are first needed: of most coins they never are before the next template is made.
    Whoever changes that picture around the coin calls `look` first.
    """

    seen_in: tuple[Picture, TableView, PieceSizes]

    @staticmethod
    def of(
        picture: Picture, view: TableView, spot: ProjectedDisc, sizes: PieceSizes, levels: Levels
    ) -> LaidTemplate | None:
        """Return the template of a coin that lies at a spot; None for one partly outside the
        picture. `levels` are the grey levels of its face and of the table around it in the small
        copy.
        """
        radius = sizes.coin_mm / 2
        rect = spot.rect(RADII * radius)
        if rect.within(picture.width, picture.height) != rect:
            return None
        made = object.__new__(LaidTemplate)
        made.__dict__.update(
            rect=rect,
            lifted=False,
            uncovered=False,
            mistaken=False,
            hue=picture.hue(spot.rect(radius * HUE_RADII)),
            level=levels[0],
            table_level=levels[1],
            spot=spot,
            radius_mm=radius,
            seen_in=(picture, view, sizes),
        )
        return made

    @property
    def around(self) -> Rect:
        """Return the pixels of the picture that are read, and some more."""
        return self.spot.rect(READ_RADII * self.radius_mm)

    def look(self) -> None:
        """Read all pixels now."""
        _ = (self.bare, self.rim)

    @cached_property
    def channel_mix(self) -> ChannelMix:
        """Return the mix in which the coin stands out from the table around it."""
        picture, view, sizes = self.seen_in
        return local_contrast(picture, view, self.spot.at_mm, sizes) or LUMINANCE

    @cached_property
    def coin(self) -> Floats:
        """Return the values of the pixels in that mix."""
        return self.seen_in[0].mixed(self.rect, self.channel_mix)

    @cached_property
    def bare(self) -> Floats:
        """Return the same: the bare table is not known yet."""
        return self.coin

    @cached_property
    def face(self) -> NDArray[np.bool_]:
        """Return the mask of the pixels inside the rim."""
        return self._masks[0]

    @cached_property
    def rim(self) -> NDArray[np.bool_]:
        """Return the mask of the pixels around it."""
        return self._masks[1]

    @cached_property
    def _masks(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        rims = ((share * self.radius_mm, (0.0, 0.0)) for share in (RIM_RADII, RADII))
        face, whole = PixelGrid.of(self.spot, self.rect).filled(*rims) > 0.5
        return face, whole & ~face


class CoinsInView(Set[str]):
    """Those of some coins beside a hand that are in full view all the same: no fingertip looks so
    much like them. Few frames raise the question, so the picture is looked at when it is asked.
    """

    def __init__(
        self, templates: Mapping[str, CoinTemplate], coins: Iterable[str], picture: Picture
    ) -> None:
        """Keep how the coins look that have a template."""
        self._known = {coin: templates[coin] for coin in coins if coin in templates}
        self._picture = picture

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(
            coin for coin, of in self._known.items() if of.shows_itself(of.values(self._picture))
        )

    @classmethod
    def _from_iterable(cls, it: Iterable[_S]) -> Set[_S]:
        """Return what `Set` makes of this and another set."""
        return frozenset(it)

    def __contains__(self, coin: object) -> bool:
        """Return whether a coin is one of them."""
        return coin in self._seen

    def __iter__(self) -> Iterator[str]:
        """Return them one by one."""
        return iter(self._seen)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._seen)
