"""Decides, by hue, whether a place may show a coin rather than a part of a hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.vision.background.foreground import Foreground
from referee.vision.image.picture import NO_COLOUR, Picture, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

# A hue that differs from a coin's by less than this is a coin's. A coin's hues in light and in
# shade differ by up to 0.02; skin differs from wood by 0.025 to 0.1.
LIKE_HUE: Final = 0.022
# A hue that differs by more may still be a coin that is blurred or in a hand's shadow: if its
# difference from a coin is less than this share of its difference from the hand. Measured: 0.11 to
# 0.17 for such a coin (361 of `benchmarks/scenes.txt`), 0.34 or more for parts of hands.
NEARER_SHARE: Final = 0.25
# Chosen: a hue's distance from a hand is this quantile of its distances from the hand's pixels. A
# coin in the same region is a smaller share of these pixels.
HAND_SHARE: Final = 0.1
HAND_PIXELS: Final = 200  # Chosen: this many pixels are enough to know a hand's hues

Hue = tuple[float, float]


@dataclass(frozen=True)
class CoinHues:
    """The hues (see `Picture.hue`) of the coins at rest, and the frame with its hands."""

    picture: Picture
    foreground: Foreground
    coins: Sequence[Hue]

    def has_one(self, rect: Rect) -> bool:
        """Return whether the pixels of a rectangle have the hue of one of the coins."""
        hue = self.picture.hue(rect.within(self.picture.width, self.picture.height))
        if hue is None or not self.coins:
            return False
        off = _nearest(hue, self.coins)
        return off < LIKE_HUE or off < NEARER_SHARE * self._from_hand(hue)

    def has_hands(self, rect: Rect, others: Sequence[Hue], alike: float = LIKE_HUE) -> bool:
        """Return whether the pixels of a rectangle have the hue of the hand, and none of the
        `others`. A hue that differs from one of these by less than `alike` may be the same.
        """
        hue = self.picture.hue(rect.within(self.picture.width, self.picture.height))
        if hue is None or not others:
            return False
        return _nearest(hue, others) > max(alike, self._from_hand(hue, rect))

    def _from_hand(self, hue: Hue, but: Rect | None = None) -> float:
        """Return how far a hue is from the hues of the hand; 0 without a hand. The hand's pixels
        around the rectangle `but` do not count: they may be those of a coin.
        """
        hues, places = self._of_hand
        if but is not None:
            far = np.array([but.right - but.left, but.bottom - but.top])
            middle = np.array([but.left + but.right, but.top + but.bottom]) / 2
            hues = hues[(np.abs(places - middle) > far).any(axis=1)]
        if not len(hues):
            return 0.0 if but is None else math.inf
        off = np.abs(hues - hue)
        ranked = np.sort(off[:, 0] + off[:, 1]).tolist()  # in a tenth of the time of `np.quantile`
        place = HAND_SHARE * (len(ranked) - 1)
        below, above = ranked[math.floor(place)], ranked[math.ceil(place)]
        return float(below + (place % 1) * (above - below))

    @cached_property
    def _of_hand(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the hues and the places, px, (n, 2) each, of some of the hand's pixels, spread
        over the whole hand. Hues are the same in any light, so the picture's light need not be
        corrected first.
        """
        seen = self.picture.seen
        u, v, luma = seen.u, seen.v, seen.luma
        its = np.flatnonzero(self.foreground.hand)
        if u is None or v is None or not len(its):
            return np.empty((0, 2)), np.empty((0, 2))
        some = its[np.linspace(0, len(its) - 1, min(HAND_PIXELS, len(its))).astype(int)]
        rows, columns = np.divmod(some, self.foreground.hand.shape[1])
        x = (columns + self.foreground.box.left) * self.foreground.shrink
        y = (rows + self.foreground.box.top) * self.foreground.shrink
        across, down = seen.colour_step()
        light = np.maximum(luma[y, x].astype(np.float64), 1.0)
        hues = [(plane[y // down, x // across] - float(NO_COLOUR)) / light for plane in (u, v)]
        return np.column_stack(hues), np.column_stack([x, y])


def _nearest(hue: Hue, others: Sequence[Hue]) -> float:
    """Return how far a hue is from the nearest of the others."""
    return min(abs(hue[0] - other[0]) + abs(hue[1] - other[1]) for other in others)
