"""Templates of coins at rest, whose pixels are read only when needed, and the coins beside a hand
that are still in full view.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.frame_observation import Disc
from referee.domain.pieces import PieceSizes
from referee.vision.coins.coin_template import HUE_RADII, RADII, RIM_RADII, CoinTemplate, Levels
from referee.vision.coins.local_contrast import face_colour, local_contrast
from referee.vision.coins.rim_appearance import measure_wall
from referee.vision.coins.rim_fit import LUMINANCE
from referee.vision.image.disc import PixelGrid, ProjectedDisc
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache

# Chosen: in coin radii; a template reads no pixel farther than this from the coin's middle.
READ_RADII: Final = 2.5
# Chosen: a wall that appears narrower than this only blurs the rim; its brightness cannot be
# measured.
# Measured: for walls of 0.2 and 0.4 px, the wall share came out as -1.5; walls of 1.8 px were
# measured well.
WALL_PX: Final = 1.0
_S = TypeVar("_S")


class LaidTemplate(CoinTemplate):
    """The template of a coin that has not moved since it came to rest. The template's pixels are
    read from the picture when they are first needed. Most coins' pixels are never needed before the
    next template is made. Code that changes the picture around the coin must call `read_pixels`
    first.
    """

    seen_in: tuple[Picture, TableView, PieceSizes]

    @staticmethod
    def of(
        picture: Picture, view: TableView, spot: ProjectedDisc, sizes: PieceSizes, levels: Levels
    ) -> LaidTemplate | None:
        """Return the template of a coin that lies at a spot; None if the coin is partly outside the
        picture. `levels` are the grey levels, in the small copy, of the coin's face and of the
        table around it.
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
        """Return a rectangle of the picture that holds all pixels that the template reads, and a
        margin.
        """
        return self.spot.rect(READ_RADII * self.radius_mm)

    def read_pixels(self) -> None:
        """Read all pixels now."""
        _ = (self.bare, self.rim, self.colour, self.wall_share)

    @cached_property
    def channel_mix(self) -> ChannelMix:
        """Return the mix in which the coin stands out from the table around it."""
        picture, view, sizes = self.seen_in
        return local_contrast(picture, view, self.spot.at_mm, sizes) or LUMINANCE

    @cached_property
    def colour(self) -> NDArray[np.float64] | None:
        """Return the colour of the coin's face; None if it is too near the picture's border."""
        picture, view, sizes = self.seen_in
        return face_colour(picture, view, self.spot.at_mm, sizes)

    @cached_property
    def wall_share(self) -> float | None:
        """Return how light the coin's side wall is; None if too little of it is seen."""
        if math.hypot(*self.spot.wall_px) < WALL_PX:
            return None
        picture, view, sizes = self.seen_in
        return measure_wall(picture, view, self.spot.at_mm, sizes, self.channel_mix, bevel_mm=0.0)

    @cached_property
    def coin(self) -> Floats:
        """Return the values of the template's pixels in `channel_mix`."""
        return self.seen_in[0].mixed(self.rect, self.channel_mix)

    @cached_property
    def bare(self) -> Floats:
        """Return the coin's own pixels: the bare table under it is not known yet."""
        return self.coin

    @cached_property
    def face(self) -> NDArray[np.bool_]:
        """Return the mask of the pixels inside the rim."""
        return self._masks[0]

    @cached_property
    def rim(self) -> NDArray[np.bool_]:
        """Return the mask of the pixels around the rim."""
        return self._masks[1]

    @cached_property
    def _masks(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        rims = ((share * self.radius_mm, (0.0, 0.0)) for share in (RIM_RADII, RADII))
        face, whole = PixelGrid.of(self.spot, self.rect).filled(*rims) > 0.5
        return face, whole & ~face


class CoinsInView(Set[str]):
    """The coins beside a hand that are in full view nevertheless: what is seen looks more like the
    coin than a fingertip ever does. The set is needed in few frames, so the picture is examined
    only when the set is first read.
    """

    def __init__(
        self, templates: Mapping[str, CoinTemplate], coins: Iterable[str], picture: Picture
    ) -> None:
        """Keep the templates of those coins that have one."""
        self._known = {coin: templates[coin] for coin in coins if coin in templates}
        self._picture = picture

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(
            coin for coin, of in self._known.items() if of.shows_itself(of.values(self._picture))
        )

    @classmethod
    def _from_iterable(cls, it: Iterable[_S]) -> Set[_S]:
        """Return the set that an operator of `Set`, such as `&`, makes."""
        return frozenset(it)

    def __contains__(self, coin: object) -> bool:
        """Return whether a coin is one of those in full view."""
        return coin in self._seen

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the coins in full view."""
        return iter(self._seen)

    def __len__(self) -> int:
        """Return how many coins are in full view."""
        return len(self._seen)


def rects_away(
    discs: Iterable[Disc],
    templates: Mapping[str, CoinTemplate],
    projections: ProjectionCache,
    radius_mm: float,
) -> tuple[Rect, ...]:
    """Return the rectangles of pixels of some discs: those that are clear of hands or lie still,
    and are at least a coin's width from every place in `templates` where a coin lay.
    """
    spots = [projections.at(disc.at_mm) for disc in discs if disc.still or not disc.beside_hand]
    return tuple(
        spot.rect(radius_mm)
        for spot in spots
        if all(template.widths_away(spot.at_px) >= 1.0 for template in templates.values())
    )
