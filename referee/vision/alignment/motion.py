"""Takes the camera's motion out of the frames: everything behind sees pictures as though the camera
had never moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from calibration.lens.camera import Camera, TableView
from calibration.lens.camera_motion import (
    UNMOVED,
    Array,
    Floats,
    Reference,
    motion_since,
    moved_pixels,
    patches_differ,
)
from referee.vision.image.picture import Bytes, Picture
from referee.vision.sources.frame import VideoFrame

# A smaller motion of the picture is left in it. Measured: a camera that stands still seems to move
# by up to 0.06 px on compressed clips.
LEAST_PX: Final = 0.1
NO_MAP: Final = np.empty(0, np.float32)  # By definition: `where` holds both of OpenCV's maps
GRID_PX: Final = 32  # Chosen: the motion is computed so densely; in between it is interpolated


def picture_of(frame: VideoFrame) -> Picture:
    """Turn a video frame into the picture that the vision code reads."""
    chroma = frame.chroma()
    return Picture(frame.luma) if chroma is None else Picture(frame.luma, chroma[0], chroma[1])


@dataclass
class SteadyCamera:
    """Follows how a camera moves, from the first frame on. Pass every frame to `steady`."""

    camera: Camera
    rotation: Array = field(default_factory=lambda: UNMOVED)
    reference: Reference | None = None
    _measured: Bytes | None = None

    def steady(self, frame: VideoFrame) -> VideoFrame:
        """Return the frame as the camera would have taken it without having moved since the first
        one. While its motion cannot be told, it counts as standing where it stood last.
        """
        if self.reference is None:
            self.reference = Reference.of(self.camera, frame.luma)
        if self._measured is None or patches_differ(
            self.reference, self._measured, frame.luma, self.rotation
        ):
            motion = motion_since(self.reference, frame.luma, self.rotation)
            if motion is not None:
                self.rotation, self._measured = motion.rotation, frame.luma
        return frame if self.moved_px < LEAST_PX else unmoved(frame, self.camera, self.rotation)

    @property
    def moved_px(self) -> float:
        """Return how far the picture has moved, px: the most among its middle and its corners."""
        right, bottom = self.camera.width - 1.0, self.camera.height - 1.0
        points = np.array(
            [[right / 2, bottom / 2], [0, 0], [right, 0], [0, bottom], [right, bottom]]
        )
        off = moved_pixels(self.camera, self.rotation, points) - points
        return float(np.linalg.norm(off, axis=1).max())

    def view_of(self, view: TableView) -> TableView:
        """Return the view of the frames as they come, if `view` is that of the steady ones."""
        return replace(
            view,
            R_camera_table=self.rotation @ view.R_camera_table,
            t_camera_table_mm=self.rotation @ view.t_camera_table_mm,
        )


def unmoved(frame: VideoFrame, camera: Camera, rotation: Array) -> VideoFrame:
    """Return the frame as a camera would have taken it that had not turned by `rotation`. Its
    colours are computed when they are asked for.
    """
    where = _sampled_at(camera, rotation)

    def chroma() -> tuple[Bytes, Bytes] | None:
        planes = frame.chroma()
        return None if planes is None else (_at(planes[0], where), _at(planes[1], where))

    return replace(
        frame,
        luma=_at(frame.luma, where),
        chroma=_once(chroma),
        picture=lambda: _at(frame.picture(), where),
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


def _sampled_at(camera: Camera, rotation: Array) -> Floats:
    """Return at which pixel (h, w, 2) of the turned camera's frame each pixel of an unturned one
    is seen.
    """
    columns, rows = -(-camera.width // GRID_PX) + 2, -(-camera.height // GRID_PX) + 2
    x, y = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
    first = GRID_PX / 2 - 0.5 - GRID_PX  # the grid begins outside the picture
    points = np.column_stack((x.ravel(), y.ravel())) * GRID_PX + first
    seen = moved_pixels(camera, rotation, points).astype(np.float32).reshape(rows, columns, 2)
    dense = cv2.resize(seen, (columns * GRID_PX, rows * GRID_PX), interpolation=cv2.INTER_LINEAR)
    inside = dense[GRID_PX : GRID_PX + camera.height, GRID_PX : GRID_PX + camera.width]
    return np.asarray(inside, dtype=np.float32)


def _at(plane: Bytes, where: Floats) -> Bytes:
    """Return a plane (h, w[, c]) sampled at `where` in the pixels of the whole frame. A colour
    plane may be smaller than the frame.
    """
    x, y = (round(where.shape[1 - axis] / plane.shape[1 - axis]) for axis in (0, 1))
    if (x, y) != (1, 1):
        size = (plane.shape[1], plane.shape[0])
        smaller = np.asarray(cv2.resize(where, size, interpolation=cv2.INTER_AREA))
        step = np.array([x, y], dtype=np.float32)
        where = np.asarray((smaller - (step - 1) / 2) / step, dtype=np.float32)
    sampled = cv2.remap(plane, where, NO_MAP, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled, dtype=np.uint8)
