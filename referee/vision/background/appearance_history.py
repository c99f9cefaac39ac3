"""Notes how a place looked through an episode: since when it has looked as it does, and for how
long a hand was over it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.geometry import Point
from referee.vision.background.background import DIFFERENT_STEP
from referee.vision.image.picture import Bytes, Rect
from referee.vision.image.projection_cache import ProjectionCache

# Tuned on our own clips, except where a comment says what stands behind a number.

HISTORY_FRAMES: Final = 600  # small copies kept of an episode, some 60 kB each
SETTLED_SHARE: Final = 20.0  # per cent
# coin widths around a place within which a hand that puts a coin down holds still
PUT_DOWN_WIDTHS: Final = 1.5
# of that must differ from how it looked at first: before the hand came nothing was put down
HELD_SHARE: Final = 0.3
PUT_DOWN_S: Final = 0.7  # from then until the coin is given free


@dataclass
class AppearanceHistory:
    """Small copies of an episode's frames with their times. `projections` says where places are
    seen in them.
    """

    projections: ProjectionCache
    coin_mm: float
    _kept: deque[tuple[float, Bytes]] = field(default_factory=lambda: deque(maxlen=HISTORY_FRAMES))

    def add(self, t_s: float, small: Bytes) -> None:
        """Keep the small copy of one more frame."""
        self._kept.append((t_s, small))

    def clear(self) -> None:
        """Forget all copies, as an episode begins."""
        self._kept.clear()

    def settled_since(self, at_mm: Point, step: float) -> float | None:
        """Return since when the coin at a place has lain there, s; None where nothing of it is
        known. A difference of less than `step` grey levels is noise.

        From that time on the first fifth of its pixels look as they do at the end. The rest may
        still have been under the hand that put the coin there. A hand holds still while it puts a
        coin down and shades it until it withdraws: where the hand was last still just before, that
        is the time.
        """
        looks = self._at(self.projections.small_rect(at_mm, 0.8 * self.coin_mm / 2))
        if looks is None:
            return None
        unlike = np.abs(looks - looks[-1]) > step * DIFFERENT_STEP
        changed = unlike.any(axis=0)
        if not changed.any():
            return None
        last_unlike = len(looks) - 1 - np.argmax(unlike[::-1], axis=0)
        settled = min(
            int(np.percentile(last_unlike[changed], SETTLED_SHARE, method="lower")) + 1,
            len(looks) - 1,
        )
        return self._kept[self._put_down(at_mm, settled, step)][0]

    def covered_for(self, at_mm: Point, step: float) -> float | None:
        """Return for how long, s, the place of a coin looked neither as it did at first nor as it
        does now: a hand was over it. None where nothing is known.
        """
        looks = self._at(self.projections.small_rect(at_mm, 0.8 * self.coin_mm / 2))
        if looks is None:
            return None
        unlike = (
            np.minimum(np.abs(looks - looks[-1]), np.abs(looks - looks[0])) > step * DIFFERENT_STEP
        )
        covered = unlike.mean(axis=(1, 2)) > HELD_SHARE
        times = np.array([t_s for t_s, _ in self._kept])
        return float(np.diff(times)[covered[:-1]].sum())

    def _at(self, rect: Rect) -> NDArray[np.int16] | None:
        """Return a part of every frame (frames, rows, columns); None where the part is empty or
        there are fewer than two frames.
        """
        if rect.empty or len(self._kept) < 2:
            return None
        return np.stack([rect.of(small) for _, small in self._kept]).astype(np.int16)

    def _put_down(self, at_mm: Point, settled: int, step: float) -> int:
        """Return the number of the frame, counted from the first, at which the hand that uncovered
        a place by frame `settled` had come to hold still over it.
        """
        looks = self._at(self.projections.small_rect(at_mm, PUT_DOWN_WIDTHS * self.coin_mm))
        assert looks is not None
        quiet = (
            np.abs(np.diff(looks, axis=0)).max(axis=(1, 2)) <= 2 * step
        ).tolist()  # between frame k and frame k + 1
        held = (
            (np.abs(looks - looks[0]) > step * DIFFERENT_STEP).mean(axis=(1, 2)) > HELD_SHARE
        ).tolist()
        k = settled - 1
        while (
            k > 0
            and held[k]
            and not (quiet[k - 1] and quiet[k])
            and self._kept[settled][0] - self._kept[k][0] < PUT_DOWN_S
        ):
            k -= 1
        if k <= 0 or not held[k] or not (quiet[k - 1] and quiet[k]):
            return settled
        while k > 0 and quiet[k - 1] and held[k - 1]:
            k -= 1
        return k
