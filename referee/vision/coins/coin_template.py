"""Stores how a coin at rest looks, so that the program can decide later whether the coin is still
there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import COMPRESSION_LEVELS
from referee.domain.frame_observation import Presence
from referee.domain.geometry import Point
from referee.vision.coins.rim_fit import LUMINANCE
from referee.vision.image.disc import PixelGrid, ProjectedDisc, filled_share
from referee.vision.image.picture import FULL, ChannelMix, Floats, Picture, Rect

# Tuned on our own clips, except where a comment gives another source for a number.

# In coin radii. The template reaches beyond the rim: only the rim distinguishes a coin from bare
# wood or a hand of the same brightness.
RADII: Final = 1.3
HUE_RADII: Final = 0.6  # the part of a coin whose hue is measured; even a streak shows it
RIM_RADII: Final = 0.88  # in coin radii; pixels farther out count as rim
# The factors by which a hand's shadow, or its absence, may have changed the light on a coin.
LIGHTS: Final = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1)
# A pixel is unchanged when it differs by less than this share of the contrast between coin and
# table, or by less than `COMPRESSION_LEVELS`.
LIKE_OF_CONTRAST: Final = 0.25
# the least share of unchanged pixels of a coin that is there; a fingertip may hide the others
THERE_SHARE: Final = 0.5
# the least share of pixels that look like the bare table if the coin has gone
GONE_SHARE: Final = 0.6
LEAST_CORRELATION: Final = 0.7  # the least correlation of the pixels' pattern with the template's
# with a larger correlation the coin is there even in a dark shadow, if it reaches `LEAST_GAIN`
PLAIN_CORRELATION: Final = 0.82
LEAST_GAIN: Final = 0.25  # the least contrast of a coin in a shadow, as a share of the template's
# The limits for a coin that a fingertip may be taken for. Measured: on granite, a fingertip of a
# coin's colour had correlations of 0.84 to 0.86 and contrasts of 0.52 to 0.54, the coins in full
# view had 0.96 to 1.0 and 0.89 to 1.0.
ITSELF_CORRELATION: Final = 0.93
ITSELF_GAIN: Final = 0.7
# coin and table fit equally well if their shares of pixels differ by less than this
CLEARLY: Final = 0.15
#: The grey levels of a coin's face and of the table around it.
Levels = tuple[float, float]

#: The place of a template that was made without a camera.
NOWHERE: Final = ProjectedDisc((0.0, 0.0), (0.0, 0.0), np.eye(2), (0.0, 0.0))
_LIT: Final = np.array(LIGHTS, dtype=np.float32)[:, None]
_TRUST: Final = 1 - 0.3 * np.abs(
    np.array(LIGHTS, dtype=np.float32) - 1
)  # unchanged light is the most likely


@dataclass(frozen=True)
class CoinTemplate:
    """How a coin at rest looks (`coin`), and how the bare table under it looks (`bare`, known once
    the coin was removed from the background). `coin` and `bare` are the values of the pixels of
    `rect` in `channel_mix`, the mix in which this coin stands out from the table around it.

    `face` and `rim` are masks of the pixels inside the rim and around it. `lifted` says that the
    coin was removed from the background. `uncovered` says that the camera has really seen the bare
    table there; until then, `bare` is an estimate. `mistaken` says that a fingertip has been taken
    for this coin since it came to rest. `hue` is the hue of the face (see `Picture.hue`). `level`
    is the face's grey level in the small copies, and `table_level` that of the table around it.
    `spot` is how the camera sees the coin's place, and `radius_mm` the coin's radius. `colour` is
    the colour of the face without its print, one value for each channel; None if it is not known.
    `wall_share` is how light its side wall is in the channel mix, as in `RimAppearance`.
    """

    rect: Rect
    face: NDArray[np.bool_]
    rim: NDArray[np.bool_]
    coin: Floats
    bare: Floats
    lifted: bool = False
    uncovered: bool = False
    mistaken: bool = False
    hue: tuple[float, float] | None = None
    channel_mix: ChannelMix = LUMINANCE
    level: float = FULL
    table_level: float = 0.0
    spot: ProjectedDisc = NOWHERE
    radius_mm: float = 0.0
    colour: NDArray[np.float64] | None = None
    wall_share: float | None = None

    def read_pixels(self) -> None:
        """Read all pixels that the template keeps. A template that has read them already does
        nothing.
        """

    def values(self, picture: Picture) -> Floats:
        """Return the values of the template's pixels in another picture."""
        return picture.mixed(self.rect, self.channel_mix)

    @property
    def middle(self) -> Point:
        """Return the middle of the template's pixels, px."""
        return (
            (self.rect.left + self.rect.right - 1) / 2,
            (self.rect.top + self.rect.bottom - 1) / 2,
        )

    def widths_away(self, at_px: Point) -> float:
        """Return how far a pixel is from the middle of the template, in widths of the template."""
        return math.dist(at_px, self.middle) / (self.rect.right - self.rect.left)

    @cached_property
    def contrast(self) -> float:
        """Return by how many grey levels the face is lighter than its surroundings in the channel
        mix.
        """
        return float(np.median(self._face_values) - np.median(self.coin[self.rim]))

    @cached_property
    def _face_values(self) -> Floats:
        return self.coin[self.face]

    @cached_property
    def change(self) -> Floats:
        """Return how the coin changes the pixels in `rect`."""
        return self.coin - self.bare

    @cached_property
    def shown(self) -> Floats:
        """Return how the coin changes the pixels in `rect`; 0 for pixels that are farther from the
        coin than its immediate surroundings.
        """
        share = filled_share(self.spot, self.rect, RADII * self.radius_mm)
        return np.asarray(self.change * share, dtype=np.float32)

    @cached_property
    def cover(self) -> Floats:
        """Return the share of each pixel in `rect`, 0 to 1, that the coin and its side wall
        hide.
        """
        radius, (x, y) = self.radius_mm, self.spot.wall_px
        steps = ((radius, (share * x, share * y)) for share in (0.0, 0.5, 1.0))
        return np.asarray(PixelGrid.of(self.spot, self.rect).filled(*steps).max(axis=0), np.float32)

    @cached_property
    def over(self) -> Floats:
        """Return what the coin adds to each pixel in `rect` after the share `cover` of the table's
        value was taken away from that pixel.
        """
        return np.asarray(self.cover * self.coin + (1 - self.cover) * self.shown, dtype=np.float32)

    @cached_property
    def evened(self) -> CoinTemplate:
        """Return the template with the coin's print smeared evenly round its centre. The print of a
        spinning coin looks like this on average.
        """
        x, y = self.spot.at_px[0] - self.rect.left, self.spot.at_px[1] - self.rect.top
        rows, columns = np.indices(self.coin.shape, dtype=np.float32)
        a, b, c, d = self.spot.mm_per_px.ravel().astype(np.float32)
        across, down = columns - np.float32(x), rows - np.float32(y)
        ring = np.hypot(a * across + b * down, c * across + d * down).astype(np.intp)[self.face]
        even = self.change.copy()
        sums = np.bincount(ring, weights=self.change[self.face])
        even[self.face] = (sums / np.maximum(np.bincount(ring), 1))[ring]
        return replace(self, coin=self.bare + even)

    def power_over(self, table: Floats, swept: float = 0.0) -> float:
        """Return how strongly this coin, in full view, stands out from a table with these values:
        the sum, over the pixels of its face, of the squared difference from the table's mean plus
        the table's variance (grey levels squared). `table` is in this coin's mix. `swept` is how
        far the coin moves during the exposure, in coin widths: its light is then spread over a
        larger area, and the result is divided by 1 + `swept`.
        """
        mean, deviation = (float(part[0, 0]) for part in cv2.meanStdDev(table))
        steps = self._face_values - mean
        return float((steps @ steps) + deviation**2 * steps.size) / (1 + swept)

    def compare(self, now: Floats) -> Presence:
        """Decide whether the pixels show the coin, the bare table, or neither of them clearly.

        Coin and table are compared under the same set of lights, so that a coin in a darker light
        is never taken for a table in a darker light. Pixels with the coin's pattern show the bare
        table only if they have the table's pattern more clearly: on a chequered cloth, the table in
        a dark shadow may be as light as the coin.
        """
        limit = max(LIKE_OF_CONTRAST * self.channel_mix.contrast, COMPRESSION_LEVELS)
        seen = now.ravel()[self._whole]
        correlation, gain = self._correlation(seen)
        if self._is_plain(correlation, gain):
            return Presence.THERE
        coin_like = float((_TRUST * np.minimum(*self._like(seen, self._coin_there, limit))).max())
        bare_like = float((_TRUST * self._like(seen, self._bare_there, limit)[0]).max())
        if (
            not self.mistaken
            and coin_like >= THERE_SHARE
            and coin_like >= bare_like - CLEARLY
            and correlation > LEAST_CORRELATION
        ):
            return Presence.THERE
        gone = bare_like >= GONE_SHARE and bare_like > coin_like + CLEARLY
        if gone and correlation > LEAST_CORRELATION and gain > LEAST_GAIN:
            gone = _pattern(self._evened(seen), self._bare_shape)[0] > correlation
        return Presence.GONE if gone else Presence.COVERED

    def plainly_shows(self, now: Floats) -> bool:
        """Return whether the coin is there in full view, under any light."""
        return self._is_plain(*self._correlation(now.ravel()[self._whole]))

    def shows_itself(self, now: Floats) -> bool:
        """Return whether the coin itself, and not a fingertip, is there in full view."""
        correlation, gain = self._correlation(now.ravel()[self._whole])
        return correlation > ITSELF_CORRELATION and gain > ITSELF_GAIN

    def _is_plain(self, correlation: float, gain: float) -> bool:
        """Return whether pixels with this correlation (`correlation`) and strength (`gain`) plainly
        show the coin. If a fingertip was taken for the coin before, the limits are as strict as in
        `shows_itself`.
        """
        if self.mistaken:
            return correlation > ITSELF_CORRELATION and gain > ITSELF_GAIN
        return correlation > PLAIN_CORRELATION and gain > LEAST_GAIN

    def correlation(self, picture: Picture) -> float:
        """Return the correlation of a picture's pattern of light and dark with the template's."""
        return self._correlation(self.values(picture).ravel()[self._whole])[0]

    @cached_property
    def _whole(self) -> NDArray[np.intp]:
        """Return the indices of the face's pixels, followed by those of the rim's pixels, each row
        by row.
        """
        return np.concatenate((np.flatnonzero(self.face), np.flatnonzero(self.rim)))

    @cached_property
    def _coin_there(self) -> Floats:
        return _LIT * self.coin.ravel()[self._whole]

    @cached_property
    def _bare_there(self) -> Floats:
        return _LIT * self.bare.ravel()[self._whole]

    @cached_property
    def _of_face(self) -> int:
        return int(np.count_nonzero(self.face))

    @cached_property
    def _shape(self) -> Floats:
        """Return the coin's pattern of light and dark. Brightness that changes evenly across the
        coin is removed.
        """
        return self._evened(self.coin.ravel()[self._whole])

    @cached_property
    def _bare_shape(self) -> Floats:
        """Return the bare table's pattern of light and dark, computed in the same way."""
        return self._evened(self.bare.ravel()[self._whole])

    @cached_property
    def _slopes(self) -> Floats:
        """Return an orthonormal basis (pixels, 3) of all brightnesses that change evenly across the
        coin.
        """
        rows, columns = np.divmod(self._whole, self.coin.shape[1])
        return np.asarray(
            np.linalg.qr(np.column_stack((np.ones(len(rows)), rows, columns)))[0], dtype=np.float32
        )

    def _evened(self, values: Floats) -> Floats:
        return np.asarray(values - self._slopes @ (self._slopes.T @ values), dtype=np.float32)

    def _correlation(self, seen: Floats) -> tuple[float, float]:
        """Compare the pattern of light and dark (rim and print) in these pixels with the template's
        pattern. Return the correlation of the two patterns, and the strength of the pixels' pattern
        relative to the template's.

        A finger as bright as the coin shows neither the coin's pattern nor its strength. A coin in
        a hand's shadow has the pattern, only weaker, even where the shadow is darker on one side.
        """
        return _pattern(self._evened(seen), self._shape)

    def _like(self, seen: Floats, was: Floats, limit: float) -> tuple[Floats, Floats]:
        """Return two arrays, for the face and for the rim: the share of pixels that are unchanged
        under each light.
        """
        same = np.abs(seen - was) < np.float32(limit)
        return _share_of(same[:, : self._of_face]), _share_of(same[:, self._of_face :])


def guessed_places(templates: Iterable[CoinTemplate]) -> tuple[tuple[Point, float], ...]:
    """Return the places, px, where the bare table under a removed coin is only estimated, each with
    the contrast of that coin as a share of the usual contrast. A wrong estimate looks like a faint
    coin.
    """
    return tuple(
        (template.middle, template.contrast / template.channel_mix.contrast)
        for template in templates
        if template.lifted and not template.uncovered
    )


def _pattern(now: Floats, was: Floats) -> tuple[float, float]:
    """Return the correlation of two patterns, and the strength of the first relative to the
    second.
    """
    power = float(was @ was)
    spread = float(np.sqrt((now @ now) * power))
    return (float(now @ was) / spread, float(now @ was) / power) if spread > 0 else (0.0, 0.0)


def _share_of(same: NDArray[np.bool_]) -> Floats:
    return np.asarray(
        same.sum(axis=1, dtype=np.int32) * np.float32(1 / max(1, same.shape[1])), dtype=np.float32
    )
