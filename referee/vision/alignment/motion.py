"""Takes the camera's motion out of the frames: everything behind sees pictures as though the camera
had never moved.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from calibration.lens.camera import Camera
from calibration.lens.camera_motion import UNMOVED, Array, Reference, most_moved_px, motion_since
from calibration.lens.first_look import FirstLook
from referee.vision.alignment.unmoved_picture import ShiftField, UnmovedPicture
from referee.vision.image.picture import Bytes, Picture, Rect
from referee.vision.sources.frame import VideoFrame

# A smaller motion of the picture is left in it. Measured: a camera that stands still seems to move
# by up to 0.06 px on compressed clips.
LEAST_PX: Final = 0.1
# Lasting motions from here on are told and taken into the view; a smaller one is only taken out.
BUMP_PX: Final = 0.5
STANDS_S: Final = 0.3  # a camera that has not moved for so long stands


def picture_of(frame: VideoFrame) -> Picture:
    """Turn a video frame into the picture that the vision code reads."""
    chroma = frame.chroma()
    return Picture(frame.luma) if chroma is None else Picture(frame.luma, chroma[0], chroma[1])


@dataclass
class SteadyCamera:
    """Follows how a camera moves since its reference frame, at first the first one. Pass every
    frame to `steady`.
    """

    camera: Camera
    rotation: Array = field(default_factory=lambda: UNMOVED)
    reference: Reference | None = None
    _moved_px: float = 0.0
    _look: FirstLook | None = None
    _stands: tuple[Array, float] = (UNMOVED, 0.0)
    _unmoved: VideoFrame | None = None

    def steady(self, frame: VideoFrame) -> tuple[VideoFrame, Picture]:
        """Return the frame, with its colours (`bgr`), and its picture as the camera would have
        taken them without having moved since its reference. The frame's planes stay as they were
        taken. While the motion cannot be told, the camera counts as standing where it stood last.
        """
        if self.reference is None:
            self.start_again(frame.luma)
        assert self.reference is not None
        if self._look is None or self._look.stirs(frame.luma):
            self._measure(frame)
        if self._unmoved is None or self._moved_px < LEAST_PX:
            self._unmoved = frame
            return frame, picture_of(frame)
        return unmoved(frame, self.camera, self.rotation, self._unmoved)

    def _measure(self, frame: VideoFrame) -> None:
        """Measure how the camera stands now."""
        assert self.reference is not None
        motion = motion_since(self.reference, frame.luma, self.rotation)
        if motion is None:
            return
        self.rotation = motion.rotation
        self._moved_px = most_moved_px(self.camera, self.rotation)
        self._look = FirstLook.of(self.reference, frame.luma, self.rotation)
        if most_moved_px(self.camera, self.rotation @ self._stands[0].T) >= LEAST_PX:
            self._stands = (self.rotation, frame.t_s)

    @property
    def stands_since_s(self) -> float:
        """Return the time, s, since which the camera has stood where it stands."""
        return self._stands[1]

    def bumped(self, t_s: float) -> bool:
        """Return whether the camera stands elsewhere than at its reference, and has for a while."""
        return self._moved_px >= BUMP_PX and t_s - self._stands[1] > STANDS_S

    def start_again(self, luma: Bytes) -> None:
        """Make a frame's luminance (h, w) the reference."""
        self.reference = Reference.of(self.camera, luma.copy())
        self.rotation, self._moved_px, self._stands = UNMOVED, 0.0, (UNMOVED, 0.0)
        self._look = self._unmoved = None


def unmoved(
    frame: VideoFrame, camera: Camera, rotation: Array, before: VideoFrame
) -> tuple[VideoFrame, Picture]:
    """Return the frame's colours and its picture as a camera would have taken them that had not
    turned by `rotation`. What the turned camera does not see is as `before`.
    """
    field = ShiftField.of(camera, rotation)
    whole = Rect(0, 0, camera.width, camera.height)

    def bgr() -> Bytes:
        return field.sampled(frame.picture(), before.picture(), whole, (1, 1))

    picture = UnmovedPicture(picture_of(frame), picture_of(before), field)
    return replace(frame, picture=bgr), picture
