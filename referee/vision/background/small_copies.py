"""Compares the small copy of each frame with the one before.

The copies are in the channel mix in which all coins of a set stand out. On a pale table, a coin may
differ from the table only in luminance, to which the mix may give little weight. For such coins,
the luminance is compared, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import cv2

from calibration.constants.fitting import MAJORITY
from calibration.table.surveyed_table import SurveyedTable
from referee.vision.background.appearance_history import AppearanceHistory
from referee.vision.image.disc import middle_scale
from referee.vision.image.noise import SQUARE_PX, Noise, moved_together
from referee.vision.image.picture import Bytes, ChannelMix, Picture, different

# Chosen: a share of a coin's area; a larger change is a motion. Measured on a compressed chequered
# cloth: noise changes up to a third of a coin's area in one place, a hand 2 coins or more.
MOVED_OF_COIN: Final = MAJORITY
# Tuned on our own clips: a coin is at least this wide in the small copy.
COIN_WIDTH_PX: Final = 4.0
SHRINKS: Final = (1, 2, 4)  # Chosen: the factors by which the small copy may be shrunk


def shrink_of(table: SurveyedTable) -> int:
    """Return the factor by which a table's frames are shrunk."""
    scale = middle_scale(table.view, table.sizes.coin_thickness_mm)
    wide_px = table.sizes.span_mm[0] * math.sqrt(scale)
    return max((k for k in SHRINKS if wide_px / k >= COIN_WIDTH_PX), default=1)


def leaves_luma_out(channel_mix: ChannelMix) -> bool:
    """Return whether a mix gives a colour difference more weight than the luminance."""
    return abs(channel_mix.y) < max(abs(channel_mix.u), abs(channel_mix.v))


@dataclass
class SmallCopies:
    """The `last` small copy, shrunk by the factor `shrink`, and its luminance (None if the mix
    gives the luminance enough weight). `noise`, `luma_noise` and `history` are learnt from the
    earlier copies. `moving` says whether something larger than noise has moved in the last copy.
    `coin_px` is a coin's area in pixels of a copy.
    """

    shrink: int
    coin_px: float
    noise: Noise
    history: AppearanceHistory
    last: Bytes
    luma: Bytes | None = None
    moving: bool = False
    luma_noise: Noise = field(init=False)

    def __post_init__(self) -> None:
        """Begin to measure the noise of the luminance."""
        self.luma_noise = Noise(self.noise.mask)

    def stand(self, t_s: float) -> None:
        """Add the last copy once more to the history, for a frame that shows the same."""
        self.history.add(t_s, self.last)
        self.moving = False

    def take(
        self, picture: Picture, channel_mix: ChannelMix, t_s: float, *, by_luma: bool
    ) -> Bytes | None:
        """Keep the small copy of a frame. Return a mask of where this copy differs from the
        previous one (with `by_luma`, also in luminance); None if noise explains all differences.
        """
        small, mask = picture.small(channel_mix, self.shrink), self.noise.mask
        change = different(small, self.last, mask, self.noise.step)
        if leaves_luma_out(channel_mix):
            before, self.luma = self.luma, picture.small_luma(self.shrink)
            if before is not None:
                self.luma_noise.take(self.luma, before, math.inf)
                if by_luma:
                    other = different(self.luma, before, mask, self.luma_noise.step)
                    cv2.bitwise_or(change, other, change)
        together = moved_together(change, mask)
        self.noise.take(small, self.last, channel_mix.contrast)
        self.last = small.copy()
        self.history.add(t_s, self.last)
        self.moving = together == SQUARE_PX or (
            together > 0 and self.history.moved(MOVED_OF_COIN * self.coin_px)
        )
        return change if together else None

    def start_again(self, small: Bytes) -> None:
        """Forget all copies except this one, the small copy of the background."""
        self.last, self.luma = small, None
        self.history.clear()
