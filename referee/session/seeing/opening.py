"""Finds where the coins lie before anybody moves them, even if a hand passes over some of them in
the first frames.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

import numpy as np

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.episode import Rest
from referee.domain.geometry import Point, distance
from referee.domain.pieces import DiscSizes
from referee.vision.background.opening_background import (
    SHRINK,
    changed_between,
    hand_at_start,
    median_picture,
    parts_of,
    without_hand,
)
from referee.vision.coins.coin_search import Floor
from referee.vision.coins.inventory import shared_mix, take_inventory, without_pattern
from referee.vision.coins.region_fit import measure_coin
from referee.vision.coins.rim_fit import RimFit
from referee.vision.image.boxes import Box, merged
from referee.vision.image.disc import middle_scale, spot_at
from referee.vision.image.picture import Bytes, ChannelMix, Picture, picture_from_bgr
from referee.vision.sources.frame import VideoFrame

# Tuned on our own clips, except where a comment gives another source for a number.

# This many frames are compared before a coin's place is trusted. An odd number, so that there is a
# majority.
PICTURES: Final = 5
EVERY_FRAMES: Final = 2
# At least this many of them must show a coin at its place. The last two are enough when a hand has
# just left.
LEAST_PICTURES: Final = 3
LAY_STILL_MM: Final = 0.8  # a frame that shows a coin farther from its median place does not count
# Chosen: or this many standard errors, if that is more. Measured: a dark coin over a cheque's
# edge was found 1.1 mm to either side from frame to frame, with an error of 0.5 mm stated.
LAY_STILL_SIGMAS: Final = 3.0
# In radii of a coin: a square with this half width lies inside the coin's face.
FACE_RADII: Final = 0.7
MOVED_LEVELS: Final = 8.0  # Chosen: grey levels; noise changes a face by fewer on average
SEEN_SIGMA: Final = 0.03  # Chosen: in widths of a disc seen before, the error of its rough place
# A share of the contrast between coins and table. A face in full view varies by less.
DARKER: Final = 0.1
WITH_SHADOW: Final = 1.25  # Chosen: in radii of a coin; the coin's shadow lies within
# In coin widths around where a hand was: a half hidden coin may lie this far away.
BESIDE_COINS: Final = 1.5


@dataclass(frozen=True)
class Found:
    """A coin that lay still: its place, its rim in the last frame that shows it, and the indices of
    the frames that show it at least partly, and of those that show it in full.
    """

    rest: Rest
    rim: RimFit
    seen_in: tuple[int, ...]
    clear_in: tuple[int, ...]


@dataclass(frozen=True)
class Opened:
    """The result of the first frames together: their pictures, the background, the coins, and the
    channel mix in which most coins stand out (None without coins). `stirred` says that something,
    such as a hand, moved in them.
    """

    pictures: tuple[Picture, ...]
    background: Picture
    coins: tuple[Found, ...]
    channel_mix: ChannelMix | None
    stirred: bool


@dataclass(frozen=True, slots=True)
class SeenDisc:
    """A disc that was seen before the opening: its rough place, mm, its width, and the log odds by
    its look that it is a disc.
    """

    at_mm: Point
    width_mm: float
    log_odds: float


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """What was seen before the opening: `discs`, and a picture of the `bare` table without the
    hand that may be over it from the first frame on; None if that is not known.
    """

    discs: tuple[SeenDisc, ...] = ()
    bare: Picture | None = None


@dataclass
class Opening:
    """Reads the first frames, one by one with `add_frame`, until it knows where the coins lie. With
    `any_number`, the number of coins is not known, so a pattern of the table must not be taken for
    coins. The discs that were seen before are measured where they were seen, each with its own
    width.
    """

    table: SurveyedTable
    floor: Floor
    any_number: bool = False
    before: SeenBefore = field(default_factory=SeenBefore)
    _pictures: list[Picture] = field(default_factory=list)
    _inventory: list[RimFit] = field(default_factory=list)

    def add_frame(self, frame: VideoFrame, picture: Picture) -> Opened | None:
        """Add one frame. Once there are enough frames, return what they show together."""
        if frame.number % EVERY_FRAMES and self._pictures:
            return None
        self._pictures.append(picture.copy())
        if len(self._pictures) < PICTURES:
            return None
        return self._opened(_coloured(frame, picture))

    def _search(self, picture: Picture, floor: Floor) -> None:
        """Add the coins found on a part of the table to the inventory."""
        known = [fit.at_mm for fit in self._inventory]
        view, sizes = self.table.view, self.table.sizes
        if not isinstance(sizes, DiscSizes):
            self._inventory += take_inventory(picture, view, floor, sizes, known)

    def _measure_seen(self, picture: Picture) -> None:
        """Add the discs that were seen before to the inventory, because their rims may not be found
        again among the edges of a chequered cloth.
        """
        for disc in self.before.discs:
            sizes = replace(self.table.sizes, coin_mm=disc.width_mm)
            fit = measure_coin(picture, self.table.view, disc.at_mm, sizes)
            fit = fit or RimFit(disc.at_mm, SEEN_SIGMA * disc.width_mm, 0.0)
            known = replace(fit, log_odds=disc.log_odds, width_mm=disc.width_mm)
            self._inventory.append(known)

    def _opened(self, coloured: Picture) -> Opened:
        usual = median_picture(self._pictures)  # it has less noise than any one of them
        searched = usual if usual.has_colour else coloured
        self._measure_seen(searched)
        self._search(searched, self.floor)
        changed = changed_between(self._pictures, self._coin_px())
        if changed is not None:
            self._search_where(changed, coloured)
        background = self._pictures[-1] if changed is None else usual
        coins = self._coins()
        background = self._without_hand(background, coins)
        rims = [coin.rim for coin in coins]
        mix = shared_mix(rims, searched, self.table.view, self.table.sizes)
        return Opened(tuple(self._pictures), background, coins, mix, changed is not None)

    def _without_hand(self, background: Picture, coins: Sequence[Found]) -> Picture:
        """Return the background without the hand that was over the table from the first frame on,
        if it is known how the table looks without it.
        """
        bare = self.before.bare
        hand = None if bare is None else hand_at_start(background, bare, self._coin_px())
        if bare is None or hand is None:
            return background
        view, sizes = self.table.view, self.table.sizes
        spots = [
            spot_at(view, coin.rest.at_mm, sizes.coin_thickness_mm).rect(
                WITH_SHADOW * (coin.rim.width_mm or sizes.coin_mm) / 2
            )
            for coin in coins
        ]
        return without_hand(background, bare, hand, spots)

    def _coin_px(self) -> float:
        """Return the area of a coin in the middle of the picture, in pixels of the shrunk
        frames.
        """
        sizes = self.table.sizes
        return float(
            np.pi
            * (sizes.coin_mm / 2 / SHRINK) ** 2
            * middle_scale(self.table.view, sizes.coin_thickness_mm)
        )

    def _search_where(self, changed: Bytes, coloured: Picture) -> None:
        """Search the last frame for coins in the parts in which a hand was in any frame, because
        there the median picture may not show them. `coloured` is the last frame with its colours.
        """
        boxes = merged(_box(self.table, part) for part in parts_of(changed, self._coin_px()))
        for box in boxes:
            self._search(coloured, self.floor.part(box))

    def _coins(self) -> tuple[Found, ...]:
        judged = self.before.discs or not self.any_number
        fits = self._inventory if judged else without_pattern(self._inventory)
        lying = [fit.at_mm for fit in fits]
        return tuple(found for fit in fits if (found := self._coin(fit, lying)) is not None)

    def _coin(self, first: RimFit, lying_mm: Sequence[Point]) -> Found | None:
        """Return a coin of the inventory if it lies still; None if it does not. It may be hidden in
        some frames. `lying_mm` are the places of all coins of the inventory.
        """
        view = self.table.view
        sizes = replace(self.table.sizes, coin_mm=first.width_mm or self.table.sizes.coin_mm)
        seen: dict[int, RimFit] = {}
        for number, picture in enumerate(self._pictures):
            fit = measure_coin(picture, view, first.at_mm, sizes, lying_mm)
            if fit is not None:
                seen[number] = fit
        x, y = (
            median(fit.at_mm[axis] for fit in seen.values()) if seen else 0.0 for axis in (0, 1)
        )
        fits = {
            n: fit
            for n, fit in seen.items()
            if distance(fit.at_mm, (x, y)) < max(LAY_STILL_MM, LAY_STILL_SIGMAS * fit.sigma_mm)
        }
        seen_in = tuple(fits)
        if len(seen_in) < LEAST_PICTURES and seen_in != (PICTURES - 2, PICTURES - 1):
            rest, only = Rest(first.at_mm, first.sigma_mm), (PICTURES - 1,)
            return Found(rest, first, only, only) if self._looks_still(first) else None
        last = fits[seen_in[-1]]
        places = np.array([fit.at_mm for fit in fits.values()])
        middle = (float(places[:, 0].mean()), float(places[:, 1].mean()))
        scatter_mm = math.sqrt(float(places.var(axis=0).mean()))
        return Found(
            Rest(middle, math.hypot(last.sigma_mm, scatter_mm)),
            replace(last, log_odds=first.log_odds, width_mm=first.width_mm),
            seen_in,
            self._clear(middle, seen_in, last.channel_mix),
        )

    def _looks_still(self, seen: RimFit) -> bool:
        """Return whether a disc that was seen before looks the same in all frames."""
        if seen.width_mm is None:
            return False
        spot = spot_at(self.table.view, seen.at_mm, self.table.sizes.coin_thickness_mm)
        rect = spot.rect(seen.width_mm / 2).within(
            self._pictures[0].width, self._pictures[0].height
        )
        faces = [rect.of(picture.luma).astype(np.float32) for picture in self._pictures]
        return all(float(np.abs(face - faces[-1]).mean()) < MOVED_LEVELS for face in faces)

    def _clear(
        self, at_mm: Point, seen_in: tuple[int, ...], measure: ChannelMix
    ) -> tuple[int, ...]:
        """Return the indices of the frames in which a coin's face stands out about as well as in
        the best frame. In the others, a finger over the rim or a shadow changes it.
        """
        rect = spot_at(self.table.view, at_mm, self.table.sizes.coin_thickness_mm).rect(
            FACE_RADII * self.table.sizes.coin_mm / 2
        )
        light = {
            number: float(self._pictures[number].mixed(rect, measure).mean()) for number in seen_in
        }
        return tuple(
            number
            for number in seen_in
            if light[number] > max(light.values()) - DARKER * measure.contrast
        )


def _coloured(frame: VideoFrame, picture: Picture) -> Picture:
    """Return the picture of a frame with its colours."""
    return picture if picture.u is not None else picture_from_bgr(frame.bgr())


def _box(table: SurveyedTable, part: tuple[int, int, int, int]) -> Box:
    """Return the box of places, mm, at which a coin may lie if it is seen in a part of the shrunk
    frame, or right beside it.
    """
    x, y, w, h = part
    corners = SHRINK * np.array([[x, y], [x + w, y], [x, y + h], [x + w, y + h]], dtype=np.float64)
    places = table.view.to_table(corners, table.sizes.coin_thickness_mm)
    beside = BESIDE_COINS * table.sizes.coin_mm
    (left, low), (right, high) = places.min(axis=0) - beside, places.max(axis=0) + beside
    return (float(left), float(low), float(right), float(high))
