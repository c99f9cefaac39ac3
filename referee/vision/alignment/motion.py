"""Takes the camera's motion out of the frames: everything behind sees pictures as though the camera
had never moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from calibration.lens.camera import Camera
from calibration.lens.camera_motion import (
    UNMOVED,
    Array,
    Floats,
    Reference,
    most_moved_px,
    motion_since,
    moved_pixels,
)
from calibration.lens.first_look import FirstLook
from referee.vision.image.picture import Bytes, Picture
from referee.vision.sources.frame import VideoFrame

# A smaller motion of the picture is left in it. Measured: a camera that stands still seems to move
# by up to 0.06 px on compressed clips.
LEAST_PX: Final = 0.1
# Lasting motions from here on are told and taken into the view; a smaller one is only taken out.
BUMP_PX: Final = 0.5
STANDS_S: Final = 0.3  # a camera that has not moved for so long stands
#: The columns and the rows at which a picture is sampled.
Where = tuple[Floats, Floats]
GRID_PX: Final = 32  # Chosen: the motion is computed so densely; in between it is interpolated


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

    def steady(self, frame: VideoFrame) -> VideoFrame:
        """Return the frame as the camera would have taken it without having moved since its
        reference. While its motion cannot be told, it counts as standing where it stood last.
        """
        if self.reference is None:
            self.start_again(frame.luma)
        assert self.reference is not None
        if self._look is None or self._look.stirs(frame.luma):
            self._measure(frame)
        if self._unmoved is None or self._moved_px < LEAST_PX:
            self._unmoved = frame
            return frame
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


def unmoved(frame: VideoFrame, camera: Camera, rotation: Array, before: VideoFrame) -> VideoFrame:
    """Return the frame as a camera would have taken it that had not turned by `rotation`. What the
    turned camera does not see is as `before`. The colours are computed when they are asked for.
    """
    where = _sampled_at(camera, rotation)

    def chroma() -> tuple[Bytes, Bytes] | None:
        planes, under = frame.chroma(), before.chroma()
        if planes is None or under is None:
            return None
        return _at(planes[0], where, under[0]), _at(planes[1], where, under[1])

    return replace(
        frame,
        luma=_at(frame.luma, where, before.luma),
        chroma=_once(chroma),
        picture=lambda: _at(frame.picture(), where, before.picture()),
    )


def _once(
    make: Callable[[], tuple[Bytes, Bytes] | None],
) -> Callable[[], tuple[Bytes, Bytes] | None]:
    made: list[tuple[Bytes, Bytes] | None] = []

    def get() -> tuple[Bytes, Bytes] | None:
        if not made:
            made.append(make())
        return made[0]

    return get


def _sampled_at(camera: Camera, rotation: Array) -> Where:
    """Return at which pixel (h, w, 2) of the turned camera's frame each pixel of an unturned one
    is seen.
    """
    columns, rows = -(-camera.width // GRID_PX) + 2, -(-camera.height // GRID_PX) + 2
    x, y = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
    first = GRID_PX / 2 - 0.5 - GRID_PX  # the grid begins outside the picture
    points = np.column_stack((x.ravel(), y.ravel())) * GRID_PX + first
    seen = moved_pixels(camera, rotation, points).astype(np.float32).reshape(rows, columns, 2)
    inside = np.s_[GRID_PX : GRID_PX + camera.height, GRID_PX : GRID_PX + camera.width]
    size = (columns * GRID_PX, rows * GRID_PX)
    across, down = (cv2.resize(seen[:, :, axis], size)[inside] for axis in (0, 1))
    return np.asarray(across, dtype=np.float32), np.asarray(down, dtype=np.float32)


def _at(plane: Bytes, where: Where, under: Bytes) -> Bytes:
    """Return a plane (h, w[, c]) sampled at `where` in the pixels of the whole frame, and `under`
    where that lies outside. A colour plane may be smaller than the frame.
    """
    size = (plane.shape[1], plane.shape[0])
    whole = where[0].shape == plane.shape[:2]
    x, y = (
        along if whole else (cv2.resize(along, size, interpolation=cv2.INTER_AREA) + 0.5) / k - 0.5
        for along, k in zip(where, _steps(where, plane), strict=True)
    )
    # Linear sampling blurs sharp edges so much that they differ from the background.
    sampling = cv2.INTER_CUBIC if whole else cv2.INTER_LINEAR
    seen = cv2.remap(plane, x, y, sampling, under.copy(), borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(seen, dtype=np.uint8)


def _steps(where: Where, plane: Bytes) -> tuple[int, int]:
    """Return how many pixels of the frame, across and down, share one of a plane."""
    height, width = where[0].shape
    return round(width / plane.shape[1]), round(height / plane.shape[0])
