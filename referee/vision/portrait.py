"""How a resting coin looks, so that it can be told later whether it is still there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.glimpse import Presence
from referee.vision.picture import Floats, Rect

RADII = 1.3  # a portrait reaches beyond the rim: only the rim tells a coin from bare wood or from a hand of the same brightness
RIM_RADII = 0.88  # from where on pixels count as rim
LIGHTS = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1)  # how a hand's shadow, or its absence, may have changed the light on a coin
LIKE_OF_CONTRAST = 0.25  # a pixel is like another within this share of the step between coin and table
LIKE_LEAST = 7.0  # grey levels, at least
THERE_SHARE = 0.5  # of a coin's pixels must look as they did: a fingertip may hide the rest
GONE_SHARE = 0.6  # of them must look like the bare table
LEAST_CORRELATION = 0.7  # of its pixels with how they were
CLEARLY = 0.15  # by so much more than like the coin


@dataclass(frozen=True)
class Portrait:
    """How a resting coin looks (`coin`), and the bare table under it once it was taken out (`bare`); tinted values in `rect`.

    `face` and `rim` are the pixels inside and around the rim. `uncovered`: the bare table there was really seen, not only guessed.
    """

    rect: Rect
    face: NDArray[np.bool_]
    rim: NDArray[np.bool_]
    coin: Floats
    bare: Floats
    lifted: bool = False
    uncovered: bool = False

    @property
    def contrast(self) -> float:
        """By how much the face is lighter (in the tint) than what lies around it, grey levels."""
        return float(np.median(self.coin[self.face]) - np.median(self.coin[self.rim]))

    def compare(self, now: Floats, contrast: float) -> Presence:
        """Which of the two is seen, under some light: the coin, the bare table, or neither well enough.

        Both are compared under the same set of lights, so that a darker light is never taken for the darker table.
        """
        limit = max(LIKE_OF_CONTRAST * contrast, LIKE_LEAST)
        seen = now[self._whole]
        coin_like, bare_like = 0.0, 0.0
        for light in LIGHTS:
            trust = 1 - abs(light - 1) * 0.3
            coin_like = max(coin_like, trust * min(self._like(seen, self._coin_there, light, limit)))
            bare_like = max(bare_like, trust * self._like(seen, self._bare_there, light, limit)[0])
        if coin_like >= THERE_SHARE and coin_like >= bare_like - CLEARLY and self._has_its_rim(seen):
            return Presence.THERE
        return Presence.GONE if bare_like >= GONE_SHARE and bare_like > coin_like + CLEARLY else Presence.COVERED

    @cached_property
    def _whole(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of the face's pixels, the rim's behind them."""
        inside, around = np.nonzero(self.face), np.nonzero(self.rim)
        return np.concatenate((inside[0], around[0])), np.concatenate((inside[1], around[1]))

    @cached_property
    def _coin_there(self) -> Floats:
        return self.coin[self._whole]

    @cached_property
    def _bare_there(self) -> Floats:
        return self.bare[self._whole]

    def _has_its_rim(self, seen: Floats) -> bool:
        """Whether light and dark lie as they did, rim and print: a finger of the coin's brightness has neither."""
        now, was = seen - seen.mean(), self._coin_there - self._coin_there.mean()
        spread = float(np.sqrt((now @ now) * (was @ was)))
        return spread > 0 and float(now @ was) / spread > LEAST_CORRELATION

    def _like(self, seen: Floats, was: Floats, light: float, limit: float) -> tuple[float, float]:
        """The shares of the face's and of the rim's pixels that are as they were, under a light."""
        same = np.abs(seen - np.float32(light) * was) < limit
        of_face = len(same) - int(np.count_nonzero(self.rim))
        return np.count_nonzero(same[:of_face]) / max(1, of_face), np.count_nonzero(same[of_face:]) / max(1, len(same) - of_face)
