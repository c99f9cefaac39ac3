"""Records how each place looked during an episode. From these records the module finds when a place
got its present look, and when a hand covered it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.domain.episode import MOMENT_S, Stretches
from referee.domain.geometry import Point
from referee.vision.background.background import DIFFERENT_STEP
from referee.vision.background.regions import regions_of
from referee.vision.image.noise import Noise
from referee.vision.image.picture import Bytes, Rect, different
from referee.vision.image.projection_cache import ProjectionCache

# Tuned on our own clips, except where a comment gives another source for a number.

HISTORY_FRAMES: Final = 600  # the most small copies of an episode that are kept, some 60 kB each
INNER_SHARE: Final = 0.8  # a share of a coin's radius: the face without its rim
SETTLED_SHARE: Final = 20.0  # per cent of a coin's changed pixels, see `settled_since`
# By definition: the percentile of the pixels' times with their final look that only
# `SETTLED_SHARE` per cent of the pixels exceed.
MOST_SETTLED: Final = 100.0 - SETTLED_SHARE
# Some pixels change when a coin leaves. While at least this per cent of them look as before, the
# coin counts as still there. Measured: a fifth of a pale coin's pixels looked so 0.3 s after it had
# left, because a fingertip of its colour was there.
STILL_THERE: Final = 30.0
# a hand that puts down a coin holds still over the place and this far around it, in coin widths
PUT_DOWN_WIDTHS: Final = 1.5
# The least share of a place's surroundings that differs from the first frame once a hand has come.
HELD_SHARE: Final = 0.3
# Chosen: a change that fills no square of two by two pixels is too thin to be a piece or a hand.
_THICK: Final = np.ones((2, 2), dtype=np.uint8)
PUT_DOWN_S: Final = 0.7  # the longest time between holding still and uncovering the coin


@dataclass
class AppearanceHistory:
    """The small copies of an episode's frames, with their times. `projections` finds where the
    copies show a place, and `noise` gives the differences that noise alone causes.
    """

    projections: ProjectionCache
    coin_mm: float
    noise: Noise
    _kept: deque[tuple[float, Bytes]] = field(default_factory=lambda: deque(maxlen=HISTORY_FRAMES))

    def add(self, t_s: float, small: Bytes) -> None:
        """Keep the small copy of one more frame."""
        self._kept.append((t_s, small))

    def until(self, t_s: float) -> AppearanceHistory | None:
        """Return the history up to and including a time; None if fewer than two copies of it are
        still kept.
        """
        earlier = AppearanceHistory(self.projections, self.coin_mm, self.noise)
        earlier._kept.extend(one for one in self._kept if one[0] <= t_s)
        return earlier if len(earlier._kept) > 1 else None

    def clear(self) -> None:
        """Forget all copies. Call this when an episode begins."""
        self._kept.clear()

    def settled_since(self, at_mm: Point) -> float | None:
        """Return the time, s, since which the coin at a place has been lying there; None if that
        place never changed or cannot be seen.

        From the returned time on, a fifth of the coin's pixels keep their final look. A hand may
        still cover the other pixels. But a hand usually holds still while it puts down a coin, and
        its shadow stays on the coin until the hand withdraws. So if the hand held still just before
        it uncovered the coin, the function returns the time at which the hand began to hold still.
        """
        patches = self._at(self._face(at_mm))
        if patches is None:
            return None
        unlike = np.abs(patches - patches[-1]) > self.noise.step * DIFFERENT_STEP
        changed = unlike.any(axis=0)
        if not changed.any():
            return None
        last_unlike = len(patches) - 1 - np.argmax(unlike[::-1], axis=0)
        settled = min(
            int(np.percentile(last_unlike[changed], SETTLED_SHARE, method="lower")) + 1,
            len(patches) - 1,
        )
        return self._kept[self._put_down(at_mm, settled)][0]

    def moved_within(
        self, before_mm: Point, seen_s: float, after_mm: Point
    ) -> tuple[float, float] | None:
        """Return the two times, s, between which a coin moved from one place to another. Until the
        first time, `STILL_THERE` per cent of the pixels that changed at the old place looked as at
        `seen_s`, when the whole coin was last seen there. From the second time on, a fifth of the
        pixels that changed at the new place look as at the end. A hand may hide the others. None if
        either place looks alike with and without the coin, or cannot be seen, or if copies from
        `seen_s` are not kept any more.
        """
        first = sum(t_s <= seen_s for t_s, _ in self._kept) - 1
        left, came = self._at(self._face(before_mm)), self._at(self._face(after_mm))
        if first < 0 or left is None or came is None:
            return None
        least = self.noise.step * DIFFERENT_STEP
        unlike_first = np.abs(left[first:] - left[first]) > least
        unlike_last = np.abs(came[::-1] - came[-1]) > least
        gone, new = unlike_first[-1], unlike_last[len(came) - 1 - first]
        if min(gone.mean(), new.mean()) <= HELD_SHARE:
            return None
        until, since = (
            int(np.percentile(np.argmax(unlike, axis=0)[changed], share, method="higher"))
            for unlike, changed, share in (
                (unlike_first, gone, 100.0 - STILL_THERE),
                (unlike_last, new, MOST_SETTLED),
            )
        )
        left_s, came_s = self._kept[first + until - 1][0], self._kept[len(came) - since][0]
        return (left_s, came_s) if left_s < came_s else None

    def _face(self, at_mm: Point) -> Rect:
        """Return where the small copies show the face of a coin at a place, without its rim."""
        return self.projections.small_rect(at_mm, INNER_SHARE * self.coin_mm / 2)

    def changed_at(self, at_mm: Point) -> bool:
        """Return whether the place of a coin looks different in the last copy than in the first."""
        return self._changed_share(at_mm) > HELD_SHARE

    def mostly_changed_at(self, at_mm: Point) -> bool:
        """Return whether most of the place of a coin looks different in the last copy than in the
        first. If the result is False, the coin differs too little from the table for the copies to
        show when it came there.
        """
        return self._changed_share(at_mm) > 0.5

    def _changed_share(self, at_mm: Point) -> float:
        patches = self._at(self._face(at_mm))
        if patches is None:
            return 0.0
        return float((np.abs(patches[-1] - patches[0]) > self.noise.step * DIFFERENT_STEP).mean())

    def moved(self, least_px: float) -> bool:
        """Return whether something has moved in about the last `MOMENT_S`: a part of the small
        copies larger than `least_px` and more than a pixel thick looks different. Noise and
        compression change smaller parts, and rows of pixels along edges; such changes do not grow
        with time.
        """
        now_s, now = self._kept[-1]
        ago = next((s for t_s, s in reversed(self._kept) if now_s - t_s >= MOMENT_S), None)
        if ago is None:
            return True
        changed = different(now, ago, self.noise.mask, self.noise.step)
        if cv2.countNonZero(changed) > least_px:
            cv2.morphologyEx(changed, cv2.MORPH_OPEN, _THICK, changed)
        if cv2.countNonZero(changed) <= least_px:
            return False
        x, y, w, h = cv2.boundingRect(changed)
        regions, _ = regions_of(changed[y : y + h, x : x + w], (x, y), least_px)
        return bool(regions)

    def hand_over(self, at_mm: Point, from_s: float) -> Stretches | None:
        """Return the stretches of time since `from_s` in which a hand was over the place of a coin;
        None if the place cannot be seen.

        While a hand is over a place, the place and its surroundings look neither as in the first
        frame nor as in the last. In the surroundings, a change of brightness alone does not count,
        because a shadow keeps the pattern that it falls on. A coin that slides to the place or away
        from it changes less of the surroundings than a hand does.
        """
        place = self._at(self._face(at_mm))
        if place is None:
            return None
        least = self.noise.step * DIFFERENT_STEP
        over = (_least_change(place, in_any_light=False) > least).mean(axis=(1, 2)) > HELD_SHARE
        frames = [0, *np.flatnonzero(over).tolist(), -1]
        around = self._at(
            self.projections.small_rect(at_mm, PUT_DOWN_WIDTHS * self.coin_mm), frames
        )
        assert around is not None
        around_changed = _least_change(around, in_any_light=True)[1:-1] > least
        over[over] = around_changed.mean(axis=(1, 2)) > HELD_SHARE
        return _stretches([t_s for t_s, _ in self._kept], over, from_s)

    def _at(self, rect: Rect, frames: Iterable[int] | None = None) -> NDArray[np.int16] | None:
        """Return the pixels of `rect` in every frame, or only in the frames with the indices
        `frames`, as (frames, rows, columns); None if `rect` is empty or there are fewer than two
        frames.
        """
        if rect.empty or len(self._kept) < 2:
            return None
        copies = [small for _, small in self._kept]
        some = copies if frames is None else [copies[k] for k in frames]
        return np.array([rect.of(small) for small in some], dtype=np.int16)

    def _put_down(self, at_mm: Point, settled: int) -> int:
        """Return the index of the frame in which the hand began to hold still over a place, before
        it uncovered the place by frame `settled`. Return `settled` when the hand did not hold
        still.
        """
        rect = self.projections.small_rect(at_mm, PUT_DOWN_WIDTHS * self.coin_mm)
        patches = self._at(rect, range(settled + 1))
        assert patches is not None
        quiet = (
            np.abs(np.diff(patches, axis=0)).max(axis=(1, 2)) <= 2 * self.noise.step
        ).tolist()  # between frame k and frame k + 1
        held = (
            (np.abs(patches - patches[0]) > self.noise.step * DIFFERENT_STEP).mean(axis=(1, 2))
            > HELD_SHARE
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


def _least_change(patches: NDArray[np.int16], *, in_any_light: bool) -> NDArray[np.float64]:
    """Return how much each pixel (frames, rows, columns) differs from the first frame or from the
    last frame, whichever it differs from less. With `in_any_light`, a change that all pixels of a
    frame share does not count.
    """
    changes = [(patches - patches[k]).astype(np.float64) for k in (0, -1)]
    if in_any_light:
        changes = [c - np.median(c, axis=(1, 2), keepdims=True) for c in changes]
    return np.asarray(np.minimum(*np.abs(changes)))


def _stretches(times: list[float], there: NDArray[np.bool_], from_s: float) -> Stretches:
    """Return the stretches of time since `from_s` over which `there` (n,) is True. A stretch lasts
    until the first frame for which `there` is False, or until the last frame.
    """
    found: list[tuple[float, float]] = []
    for k, (t_s, now) in enumerate(zip(times, there.tolist(), strict=True)):
        if not now or t_s < from_s:
            continue
        end_s = times[min(k + 1, len(times) - 1)]
        joins = bool(found) and found[-1][1] >= t_s
        found[-1:] = [(found[-1][0], end_s)] if joins else [*found[-1:], (t_s, end_s)]
    return tuple(found)
