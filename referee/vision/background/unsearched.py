"""Records which parts of the small copies have changed since they were last searched for coins.

A region beside a hand is searched again once the hand is gone, even if nothing changes in it any
more, because it looks different without the hand. As long as the hand stays and nothing changes in
the region, another search would find the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.background.foreground import Foreground
from referee.vision.background.regions import Region
from referee.vision.image.picture import Bytes, Rect


@dataclass
class Unsearched:
    """The parts that have changed and were not searched yet, as masks of the small copy (255 there,
    0 elsewhere). `mask` marks what has changed since it was last searched with no hand beside it,
    and `untried` what has changed since it was last searched, with or without a hand. `held` are
    the boxes of the regions beside a hand for which the result of the last search is still valid.
    """

    mask: Bytes
    untried: Bytes
    held: tuple[Rect, ...] = ()

    @staticmethod
    def of(watched: Bytes) -> Unsearched:
        """Begin with no changes, for small copies of the shape of `watched`."""
        return Unsearched(np.zeros_like(watched), np.zeros_like(watched))

    def add(self, change: Bytes) -> None:
        """Add what has changed in a frame."""
        cv2.bitwise_or(self.mask, change, self.mask)
        cv2.bitwise_or(self.untried, change, self.untried)
        self.held = ()

    def due(self, foreground: Foreground) -> Bytes:
        """Return a mask of the parts that must be searched in a frame."""
        due, held = self.mask, []
        for region in foreground.coin_like:
            if _any(region, self.untried) or not _any(region, self.mask):
                continue
            if foreground.beside_hand(region):
                held.append(region.box)
                due = due.copy() if due is self.mask else due
                region.box.of(due)[...] = 0
        self.held = tuple(held)
        return due

    def searched(self, foreground: Foreground) -> None:
        """Remove the parts that were searched in a frame."""
        for region in foreground.coin_like:
            region.box.of(self.untried)[...] = 0
            if not foreground.beside_hand(region):
                region.box.of(self.mask)[...] = 0

    def holds(self, place: Rect) -> bool:
        """Return whether the last search of a place beside a hand is still valid."""
        return any(not place.inside(box).empty for box in self.held)

    def clear(self) -> None:
        """Forget all changes."""
        self.mask[...] = self.untried[...] = 0
        self.held = ()


def _any(region: Region, mask: Bytes) -> bool:
    return bool(np.count_nonzero(region.box.of(mask)))
