"""Removes the camera's motion from the frames: all later stages see pictures as if the camera had
never moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from calibration.constants.fitting import MAJORITY, UNLIKE_LEVELS
from calibration.lens.camera import Camera, TableView
from calibration.lens.camera_change import (
    UNMOVED,
    CameraChange,
    changed_view,
    grown,
    most_moved_px,
    moved_pixels,
)
from calibration.lens.camera_motion import (
    BUMP_PX,
    COARSE,
    STILL_PX,
    Reference,
    motion_since,
    patches_seen,
)
from calibration.lens.quick_motion_check import QuickMotionCheck
from referee.domain.geometry import Point
from referee.vision.alignment.unmoved_picture import ShiftField, UnmovedPicture
from referee.vision.image.picture import Bytes, Picture, Rect
from referee.vision.sources.frame import VideoFrame

STANDS_S: Final = 0.3  # Chosen: a camera that has not moved for this long stands still
# Chosen: a motion that cannot be measured for longer is more than a jerk that blurs the picture
UNMEASURED_S: Final = 0.5
# Chosen: if this many patches are seen at their places, the texture is where it was; a moved patch
# seldom matches at another one's place
FEWEST_SEEN: Final = 3
ASIDE_PX: Final = 4  # Chosen: a landmark is searched for this far from its place
# Chosen: the least correlation with which a landmark counts as seen. Measured: on a real video,
# 0.76 or more while the light drifts, 0.22 or less where the disc has gone.
LIES_SCORE: Final = 0.6
LIES_PX: Final = 1  # Chosen: a landmark found at most this far from its place still lies there
MOST_UNNOTICED_PX: Final = 1.5  # By definition: `LIES_PX` and half a pixel for rounding


class FramePicture(Picture):
    """A video frame as the picture that the vision code reads. The colour differences are read from
    the frame when they are first needed.
    """

    _chroma: Callable[[], tuple[Bytes, Bytes] | None]

    def __init__(self, frame: VideoFrame) -> None:
        """Keep the frame's luminance, and the function that returns its colour differences."""
        object.__setattr__(self, "luma", frame.luma)
        self.__dict__["_chroma"] = frame.chroma

    @cached_property
    def u(self) -> Bytes | None:
        """Return the colour difference U, uint8; None without colour."""
        return None if self._colours is None else self._colours[0]

    @cached_property
    def v(self) -> Bytes | None:
        """Return the colour difference V, uint8; None without colour."""
        return None if self._colours is None else self._colours[1]

    @cached_property
    def _colours(self) -> tuple[Bytes, Bytes] | None:
        return self._chroma()


@dataclass(frozen=True)
class Landmark:
    """A part of a frame with clear edges: where it is, and its luminance."""

    part: Rect
    look: Bytes

    @property
    def middle_px(self) -> Point:
        """Return the middle of the landmark's place, px."""
        left, top, right, bottom = self.part
        return ((left + right - 1) / 2, (top + bottom - 1) / 2)

    def lies_in(self, luma: Bytes) -> bool:
        """Return whether the landmark is still seen within a pixel of its place in a frame with the
        luminance `luma` (h, w).
        """
        part, (height, width) = self.part, luma.shape
        around = Rect(
            part.left - ASIDE_PX, part.top - ASIDE_PX, part.right + ASIDE_PX, part.bottom + ASIDE_PX
        )
        if around != around.within(width, height):
            return False
        scores = cv2.matchTemplate(around.of(luma), self.look, cv2.TM_CCOEFF_NORMED)
        row, column = divmod(int(scores.argmax()), scores.shape[1])
        off_px = max(abs(row - ASIDE_PX), abs(column - ASIDE_PX))
        return float(scores.max()) > LIES_SCORE and off_px <= LIES_PX


@dataclass
class SteadyCamera:
    """Follows how a camera moves relative to a reference frame, which is the first frame at the
    beginning. Pass every frame to `steady`.

    `moved_since_s` is the time since which the picture has been displaced from the reference frame;
    None while it is not displaced. `unmeasured_since_s` is the time since which the camera's motion
    could not be measured; None while it can. A `plain_table` may have too little texture for
    measuring a motion. On a plain table the camera counts as standing still as long as most of the
    picture looks as in the reference, and either some texture or one of the `landmarks` is where it
    was. `landmarks` are, by name, parts of earlier frames with clear edges, such as discs that lie
    still.
    """

    camera: Camera
    change: CameraChange = UNMOVED
    reference: Reference | None = None
    moved_since_s: float | None = None
    unmeasured_since_s: float | None = None
    plain_table: bool = False
    landmarks: dict[str, Landmark] = field(default_factory=dict)
    _moved_px: float = 0.0
    _asked_s: float = 0.0
    _check: QuickMotionCheck | None = None
    _stood: CameraChange = UNMOVED
    _stands: tuple[CameraChange, float] = (UNMOVED, 0.0)
    _unmoved: VideoFrame | None = None

    def steady(self, frame: VideoFrame, *, same: bool = False) -> tuple[VideoFrame, Picture] | None:
        """Return the frame and its picture. The frame's colours (`bgr`) and the picture are as the
        camera would have taken them if it had not moved since the reference frame; the frame's
        planes stay as they were taken. Return None if the motion cannot be measured, because the
        frame does not show what the reference shows. `same` says that the frame looks like the
        previous one, so that the camera has not moved between them.
        """
        if self.reference is None:
            self.start_again(frame.luma)
        elif same and self.unmeasured_since_s is None:
            pass
        elif self._check is None or self._check.stirs(frame.luma):
            measured = self._measure(frame) or (self.plain_table and self._is_as_before(frame.luma))
            self.unmeasured_since_s = _since(self.unmeasured_since_s, frame.t_s, so=not measured)
            if not measured:
                return None
        else:
            self.unmeasured_since_s = None
        return self._unturned(frame)

    def seen_from(self, view: TableView) -> TableView:
        """Convert a view valid for the reference frame to one valid for the last frame."""
        return view if self.change is UNMOVED else changed_view(view, self.change)

    def _unturned(self, frame: VideoFrame) -> tuple[VideoFrame, Picture]:
        self.moved_since_s = _since(self.moved_since_s, frame.t_s, so=self._moved_px >= BUMP_PX)
        if self._unmoved is None or self._moved_px < STILL_PX:
            self._unmoved = frame
            return frame, FramePicture(frame)
        return unmoved(frame, self.camera, self.change, self._unmoved)

    def _measure(self, frame: VideoFrame) -> bool:
        """Measure the camera's present position, and return whether it is known. As long as no
        frame could be compared with the reference at all, the reference has too little texture, and
        the camera counts as standing still.
        """
        assert self.reference is not None
        motion = motion_since(self.reference, frame.luma, self.change.since(self._stood))
        if motion is None:
            return self._check is None
        if self.stands_still(frame.luma) and self._moves_landmarks(motion.change):
            return True
        self._check = QuickMotionCheck.of(self.reference, frame.luma, motion.change)
        self._stand(motion.change.after(self._stood), frame.t_s)
        return True

    def stands_still(self, luma: Bytes) -> bool:
        """Return whether the landmarks show that the camera has not moved: more of them are seen at
        their places than are hidden or gone.
        """
        lie = sum(mark.lies_in(luma) for mark in self.landmarks.values())
        return lie > len(self.landmarks) - lie

    def _moves_landmarks(self, change: CameraChange) -> bool:
        """Return whether a measured motion would have moved the landmarks by more than they can
        have moved unnoticed. If it would, something else moved, such as spots of sunlight under a
        tree.
        """
        middles = np.array([mark.middle_px for mark in self.landmarks.values()])
        moved = moved_pixels(self.camera, change, middles) - middles
        return bool(np.median(np.hypot(*moved.T)) > MOST_UNNOTICED_PX)

    def _is_as_before(self, luma: Bytes) -> bool:
        """Return whether most of the picture looks as in the reference, in any light, and some
        texture or a landmark is still where it was.
        """
        assert self.reference is not None
        last = self.change.since(self._stood)
        seen = patches_seen(self.reference, luma, last) >= FEWEST_SEEN
        if not seen and not any(mark.lies_in(luma) for mark in self.landmarks.values()):
            return False
        now, before = (
            cv2.resize(seen, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
            for seen in (luma, self.reference.luma)
        )
        change = now.astype(np.float32) - before.astype(np.float32)
        changed = np.abs(change - np.median(change)) > UNLIKE_LEVELS
        return float(changed.mean()) < MAJORITY  # a hand and its arm cover less than that

    def _stand(self, change: CameraChange, t_s: float) -> None:
        self.change, self._moved_px = change, most_moved_px(self.camera, change)
        if most_moved_px(self.camera, change.since(self._stands[0])) >= STILL_PX:
            self._stands = (change, t_s)

    def bumped(self, t_s: float) -> bool:
        """Return whether the camera has left its reference position and has stood still at another
        position for `STANDS_S`.
        """
        return self._moved_px >= BUMP_PX and t_s - self._stands[1] > STANDS_S

    def moved_for_good(self, t_s: float) -> bool:
        """Return whether the camera has been away from its reference position for longer than a
        shake lasts. The camera may still be shaking.
        """
        return self.moved_since_s is not None and t_s - self.moved_since_s > STANDS_S

    def is_time_to_search(self, t_s: float) -> bool:
        """Return whether the caller should find the camera's position in another way now: True now
        and then while the motion cannot be measured.
        """
        due = self.lost_since_s(t_s) is not None and t_s - self._asked_s >= UNMEASURED_S
        self._asked_s = t_s if due else self._asked_s
        return due

    def lost_since_s(self, t_s: float) -> float | None:
        """Return the time since which the camera's motion could not be measured; None until this
        has lasted longer than `UNMEASURED_S`, because a jerk blurs the picture for a shorter time.
        """
        since_s = self.unmeasured_since_s
        return since_s if since_s is not None and t_s - since_s > UNMEASURED_S else None

    def start_again(self, luma: Bytes) -> None:
        """Make a frame's luminance (h, w) the reference."""
        self._refer_to(luma, UNMOVED)
        self.change, self._moved_px, self._stands = UNMOVED, 0.0, (UNMOVED, 0.0)
        self._unmoved = self.moved_since_s = None

    def continue_from(self, frame: VideoFrame, change: CameraChange) -> tuple[VideoFrame, Picture]:
        """Continue from a frame for which another method has found the camera's `change` since the
        first reference. Return what `steady` returns.
        """
        self._refer_to(frame.luma, change)
        self._stand(change, frame.t_s)
        return self._unturned(frame)

    def _refer_to(self, luma: Bytes, change: CameraChange) -> None:
        """Compare the next frames with this one, which the camera took after a `change`."""
        camera = grown(self.camera, change.growth)
        self.reference, self._stood = Reference.of(camera, luma.copy()), change
        self._check = self.unmeasured_since_s = None


def _since(since_s: float | None, t_s: float, *, so: bool) -> float | None:
    """Return the time since which a state has lasted: `since_s`, or `t_s` if it begins now
    (`since_s` is None). Return None if the state does not hold now.
    """
    return (t_s if since_s is None else since_s) if so else None


def unmoved(
    frame: VideoFrame, camera: Camera, change: CameraChange, before: VideoFrame
) -> tuple[VideoFrame, Picture]:
    """Return the frame and its picture, both with the colours that the camera would have taken if
    it had not changed. What the changed camera does not see is taken from `before`.
    """
    field = ShiftField.of(camera, change)
    whole = Rect(0, 0, camera.width, camera.height)

    def bgr() -> Bytes:
        return field.sampled(frame.picture(), before.picture(), whole, (1, 1))

    picture = UnmovedPicture(FramePicture(frame), FramePicture(before), field)
    return replace(frame, picture=bgr), picture
