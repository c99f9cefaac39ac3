"""Decides whether what is seen at a hand, or right beside it, is a coin or a part of the hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from calibration.table.surveyed_table import SurveyedTable
from referee.domain.frame_observation import Expected
from referee.domain.geometry import Point
from referee.vision.background.foreground import Foreground
from referee.vision.coins.coin_template import HUE_RADII
from referee.vision.coins.motion_fit import SHARP_SUPPORT, DiscFit
from referee.vision.image.disc import ProjectedDisc
from referee.vision.image.picture import Picture, Rect
from referee.vision.image.projection_cache import ProjectionCache
from referee.vision.moving_coins.coin_hue import CoinHues, Hue

# Tuned on our own clips, except where a comment gives another source for a number.

# A disc is at a hand when its rim is closer to it than this. One frame after leaving a hand, a coin
# this far away may still be in one region with it.
NEAR_HAND_MM: Final = 9.0
# In usual contrasts: the limits for a round disc beside a hand with a coin's hue.
PLAIN_FAINTER: Final = 0.6
PLAIN_BRIGHTER: Final = 1.4
# Right beside the hand, in one region with it, the disc must fulfil stricter limits.
# `BESIDE_FAINTER` holds for an unexpected disc beside a tile, too.
BESIDE_FAINTER: Final = 0.75
BESIDE_SUPPORT: Final = 0.9
BESIDE_UNEXPLAINED: Final = 0.08
# Chosen: a hue that differs by less from the table under a coin, which is only estimated, may be
# the table's. Measured: sleeves and fingers that looked like the table in a coin's own mix differ
# by 0.16 to 0.44.
ESTIMATED_HUE: Final = 0.08


@dataclass(frozen=True)
class HandInFrame:
    """One frame with its hands, the bare table, and the `hues` of the coins at rest."""

    picture: Picture
    background: Picture
    foreground: Foreground
    table: SurveyedTable
    projections: ProjectionCache
    hues: Sequence[Hue]

    def reaches(self, at_mm: Point, coin: str | None = None) -> bool:
        """Return whether a hand covers a coin at a place, or is right beside the coin."""
        reach_mm = self._radius_mm(coin) + NEAR_HAND_MM
        return self.foreground.hand_in(self.projections.small_rect(at_mm, reach_mm))

    def hides(self, expected: Expected) -> bool:
        """Return whether a hand is at the place where a coin lay, and the pixels there have the
        hand's hue, not that of the bare table.
        """
        if not self.reaches(expected.at_mm, expected.coin):
            return False
        middle = self._middle_of(self.projections.at(expected.at_mm), expected.coin)
        bare = self.background.hue(middle.within(self.picture.width, self.picture.height))
        return bare is not None and self._hues_seen.has_hands(middle, [bare], ESTIMATED_HUE)

    def is_plain(self, fit: DiscFit, *, lenient: bool, coin: str | None = None) -> bool:
        """Return whether a disc near a hand or a tile is clearly a coin: it has a coin's brightness
        and hue, it is round, and it explains the pixels. Such a disc is neither a part of the hand
        nor a place where the tile's shadow was.

        With `lenient`, it may fit a little worse: because only a shadow joins it to the hand, or
        because the coin was followed to this place.
        """
        support, unexplained, fainter = (
            (SHARP_SUPPORT, 1 - SHARP_SUPPORT, PLAIN_FAINTER)
            if lenient
            else (BESIDE_SUPPORT, BESIDE_UNEXPLAINED, BESIDE_FAINTER)
        )
        bright = fainter < fit.contrast < PLAIN_BRIGHTER
        if fit.lacks_wall or not bright or fit.support < support or fit.unexplained > unexplained:
            return False
        return self.has_coins_hue(self.projections.at(fit.at_mm), coin)

    def has_coins_hue(self, spot: ProjectedDisc, coin: str | None = None) -> bool:
        """Return whether the pixels in the middle of a spot have the hue of one of the coins."""
        return self._hues_seen.has_one(self._middle_of(spot, coin))

    def is_fingertip(self, at_mm: Point, coin: str | None = None) -> bool:
        """Return whether a disc has the hue of the hand, and not that of a coin."""
        middle = self._middle_of(self.projections.at(at_mm), coin)
        return self._hues_seen.has_hands(middle, self.hues)

    def _middle_of(self, spot: ProjectedDisc, coin: str | None) -> Rect:
        return spot.rect(self._radius_mm(coin) * HUE_RADII)

    def _radius_mm(self, coin: str | None) -> float:
        return self.table.sizes.width_mm(coin) / 2

    @cached_property
    def _hues_seen(self) -> CoinHues:
        return CoinHues(self.picture, self.foreground, self.hues)
