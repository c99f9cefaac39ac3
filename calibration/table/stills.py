"""Takes still pictures from a video. Everything that moves is removed: hands, arms, sliding coins,
and the motion of the camera itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import Camera
from calibration.lens.camera_change import CameraChange, grown, moved_pixels
from calibration.lens.camera_motion import FEWEST_PATCHES, STILL_PX, Luma, Reference, motion_since

Picture = NDArray[np.uint8]
_Frame = TypeVar("_Frame")

# Tuned on our own clips, except where a comment gives another source for a number.

_WINDOW_S: Final = 1.2  # the length of a window, of which one median picture is made
_FRAMES_A_WINDOW: Final = 11
_UNTIL_S: Final = 8.0  # how much of a video is used by default
_FEWEST_FOR_ALL: Final = 3  # from this many windows on, there is a median of all
_BAND_ROWS: Final = 64
# Chosen: a camera that moved this far was bumped, not shaken. Later frames are not used.
_BUMPED_PX: Final = 3.0
_SHRINK: Final = 2  # motion is measured on pictures shrunk by this factor


def stills(frames: Iterable[tuple[float, Picture]], until_s: float = _UNTIL_S) -> list[Picture]:
    """Return the median picture of each successive window of about a second. If there are three or
    more, the median of them all comes last. `frames` are `(t_s, (h, w, 3) BGR)` in order of time.
    The list is empty if there are no frames.

    All pictures show the table from the same position as the first frame: shakes of the camera are
    corrected, and frames after a bump are left out. Anything that stays at a place for less than
    half of a window disappears. An arm that stays longer, but for less than half of all windows,
    still disappears from the last picture.
    """
    found: list[Picture] = []
    window: list[Picture] = []
    begin: float | None = None
    for t_s, picture in _registered(spaced(frames, until_s)):
        if begin is not None and t_s >= begin + _WINDOW_S and window:
            found.append(_median(window))
            window, begin = [], t_s
        begin = t_s if begin is None else begin
        window.append(picture)
    if len(window) > _FRAMES_A_WINDOW // 2 or (window and not found):
        found.append(_median(window))
    if len(found) >= _FEWEST_FOR_ALL:
        found.append(_median(found))
    return found


def spaced(
    frames: Iterable[tuple[float, _Frame]], until_s: float
) -> Iterator[tuple[float, _Frame]]:
    """Yield only the frames that `stills` uses. A frame is `(t_s, anything)`, so a caller can
    decode pictures only for the frames yielded.
    """
    step_s, first, due = _WINDOW_S / _FRAMES_A_WINDOW, None, 0.0
    for t_s, picture in frames:
        first = t_s if first is None else first
        if t_s - first > until_s:
            return
        if t_s - first >= due:
            due = max(due + step_s, t_s - first)
            yield t_s, picture


def _registered(frames: Iterable[tuple[float, Picture]]) -> Iterator[tuple[float, Picture]]:
    """Yield the frames up to a bump of the camera, each shifted so that it shows everything at the
    same place as the first frame. A frame whose motion cannot be measured is left out, unless the
    first frame has too little texture to measure any motion.
    """
    reference: Reference | None = None
    for t_s, picture in frames:
        if reference is None:
            reference = Reference.of(_any_camera(picture), _luma(picture))
            yield t_s, picture
            continue
        if len(reference.middles) < FEWEST_PATCHES:
            yield t_s, picture
            continue
        motion = motion_since(reference, _luma(picture))
        if motion is None:
            continue
        off_px = _SHRINK * _most_moved_px(reference.camera, motion.change)
        if off_px > _BUMPED_PX:
            return
        yield t_s, picture if off_px < STILL_PX else _changed_back(picture, motion.change)


def _luma(picture: Picture) -> Luma:
    size = (picture.shape[1] // _SHRINK, picture.shape[0] // _SHRINK)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _any_camera(picture: Picture, shrink: int = _SHRINK) -> Camera:
    """Return a typical camera for pictures of this size. For shifts of a few pixels, the lens
    hardly matters.
    """
    width, height = picture.shape[1] // shrink, picture.shape[0] // shrink
    return Camera(width, height, width, width, (width - 1) / 2, (height - 1) / 2)


def _most_moved_px(camera: Camera, change: CameraChange) -> float:
    corners = np.array([[x, y] for x in (0, camera.width) for y in (0, camera.height)], dtype=float)
    moved = moved_pixels(camera, change, corners) - corners
    return float(np.hypot(moved[:, 0], moved[:, 1]).max())


def _changed_back(picture: Picture, change: CameraChange) -> Picture:
    """Return the picture as the camera would have taken it before its change (K' R K^-1)."""
    camera = _any_camera(picture, 1)
    homography = grown(camera, change.growth).matrix @ change.rotation
    homography = homography @ np.linalg.inv(camera.matrix)
    turned = cv2.warpPerspective(
        picture,
        homography,
        (picture.shape[1], picture.shape[0]),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(turned, dtype=np.uint8)


def _median(pictures: list[Picture]) -> Picture:
    """Return the median of each pixel, computed in bands of rows so that large pictures fit in
    memory.
    """
    rows = pictures[0].shape[0]
    bands = [
        _band_median([p[r : r + _BAND_ROWS] for p in pictures]) for r in range(0, rows, _BAND_ROWS)
    ]
    return np.concatenate(bands)


def _band_median(band: Sequence[Picture]) -> Picture:
    """Return the median of each pixel of n equally large pictures. If n is even, this is the mean
    of the two middle values, with halves rounded to the even number.

    The function compares the pictures in pairs until the brighter half of each pixel's values is
    sorted. For a dozen pictures this takes a twentieth of the time of `np.median`.
    """
    sorted_, count = list(band), len(band)
    for last in range(count - 1, (count - 1) // 2 - 1, -1):
        for k in range(last):
            low, high = sorted_[k], sorted_[k + 1]
            sorted_[k], sorted_[k + 1] = np.minimum(low, high), np.maximum(low, high)
    middle = sorted_[count // 2]
    if count % 2:
        return middle
    both = middle.astype(np.float64) + sorted_[count // 2 - 1]
    return np.asarray(np.rint(both / 2), dtype=np.uint8)
