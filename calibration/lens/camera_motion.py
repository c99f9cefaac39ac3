"""Measures how a camera has changed between two pictures of the same scene: how far it has turned,
and by how much its picture has grown because the camera focused again.

About forty patches of the earlier picture, half a percent of its pixels, are found again in the
later picture. The fit allows each patch a gain and an offset of its own, because the light may
change (Lucas and Kanade's step). One change of the camera is fitted to all patches, and patches
that disagree with most others get less weight. So a patch that a hand covers, or that itself moves,
hardly counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.constants.fitting import (
    ALIKE,
    MAJORITY,
    MOST_STEPS,
    NOISE_LEVELS,
    SETTLED,
    WEAK_PRIOR,
)
from calibration.lens.camera import Camera
from calibration.lens.camera_change import (
    ANGLES,
    UNMOVED,
    Array,
    CameraChange,
    change_of,
    pixels_by_change,
    rays_of,
    rotation_of,
    seen_after,
)

Floats = NDArray[np.float32]
Luma = NDArray[np.uint8]

# Tuned on our own clips (rendered, turned by known angles), except where a comment says otherwise.

MOST_PATCHES: Final = 40
# A camera that moved by less than this counts as still. Measured: on compressed clips, a camera
# that stands still seems to move by up to 0.06 px.
STILL_PX: Final = 0.1
# Chosen: a lasting motion of at least this is reported, and the view is changed to it. A smaller
# motion is only removed from the frames; if it happened since the survey, it is within the survey's
# error. Measured: the motion since a survey is found with an error of 0.15 px or less on clips
# surveyed from themselves, and after known turns of up to 31 px at a corner.
BUMP_PX: Final = 0.5
# Chosen: with this many patches, a change is measured even if a coin and a tile among them moved.
FEWEST_PATCHES: Final = 6
REACH_PX: Final = 5  # how far a patch reaches to each side of its middle
APART_WIDTHS: Final = 0.05  # in picture widths: the least distance between two patches
# as a share of the strongest corner in the picture: no patch is made of a weaker one
LEAST_TEXTURE: Final = 0.01
# A patch does not agree with a rotation if it is farther than this from where the rotation moves
# it.
AGREES_PX: Final = 0.2
# The distances at which patches lose weight, from step to step: large at first, so that the search
# finds changes that are far off.
SCALES_PX: Final = (2.0, 0.7, AGREES_PX)
LEAST_GAIN: Final = 0.1  # Chosen: the gain of a patch is taken to be at least this
# if a smaller share of the patches agrees on a motion, the camera's motion is unknown
LEAST_AGREEING: Final = 0.25
COARSE: Final = 4  # the whole picture's shift is measured on a copy shrunk by this factor


@dataclass(frozen=True)
class CameraMotion:
    """How the camera has changed since the reference picture. `sigma_px` is the standard error of
    the `change` in pixels, at the patch where that is largest, and `agreeing` the share of the
    patches that agree with it.
    """

    change: CameraChange
    sigma_px: float
    agreeing: float


@dataclass(frozen=True)
class Reference:
    """The patches of a reference picture (`luma`).

    `middles` (n, 2) are the patches' middles, whole pixels, and `rays` (n, 3) the rays of these
    pixels. `basis` (n, 3, m) holds three images for each patch: its grey levels (mean 0, length 1),
    and its slopes along x and along y, from which the parts that a gain or an offset explains are
    removed. `lengths` (n,) are the lengths of the grey levels before scaling, `exactness` (n, 2, 2)
    the products of the slopes, and `by_change` (n, 2, 4) the pixels by which a change moves a patch
    (`pixels_by_change`).
    """

    camera: Camera
    luma: Luma
    middles: Array
    rays: Array
    basis: Floats
    lengths: Floats
    exactness: Array
    by_change: Array

    @staticmethod
    def of(camera: Camera, luma: Luma, where: Luma | None = None) -> Reference:
        """Choose the patches of a picture (h, w) that are easiest to distinguish from their
        surroundings, where the mask `where` is 255.
        """
        found = cv2.goodFeaturesToTrack(
            luma,
            MOST_PATCHES,
            LEAST_TEXTURE,
            APART_WIDTHS * luma.shape[1],
            mask=_inner(luma, where),
            blockSize=2 * REACH_PX + 1,
        )
        middles = [] if found is None else found.reshape(-1, 2)
        return Reference.at(camera, luma, np.rint(np.array(middles, dtype=float).reshape(-1, 2)))

    @staticmethod
    def at(camera: Camera, luma: Luma, middles: Array) -> Reference:
        """Take the patches around `middles` (n, 2), which are whole pixels. Each patch and one more
        pixel around it must lie inside the picture.
        """
        columns, rows = (along.astype(np.intp) for along in patch_pixels(middles))
        levels = luma.astype(np.float32)
        values = levels[rows, columns]
        values -= values.mean(axis=1, keepdims=True)
        lengths = np.linalg.norm(values, axis=1, keepdims=True) + np.float32(NOISE_LEVELS)
        values /= lengths
        slopes = np.stack(
            (
                (levels[rows, columns + 1] - levels[rows, columns - 1]) / 2,
                (levels[rows + 1, columns] - levels[rows - 1, columns]) / 2,
            ),
            axis=1,
        )
        slopes -= slopes.mean(axis=2, keepdims=True)
        slopes -= (slopes @ values[:, :, None]) * values[:, None, :]
        rays = rays_of(camera, middles)
        exactness = (slopes @ slopes.transpose(0, 2, 1)).astype(np.float64)
        return Reference(
            camera,
            luma,
            middles,
            rays,
            np.concatenate((values[:, None, :], slopes), axis=1),
            lengths[:, 0],
            exactness + NOISE_LEVELS**2 * np.eye(2),
            pixels_by_change(camera, rays),
        )


def _inner(luma: Luma, where: Luma | None) -> Luma:
    """Return the mask of the pixels, within `where`, around which a whole patch lies in the
    picture.
    """
    inner, border = np.zeros_like(luma), REACH_PX + 2
    inner[border:-border, border:-border] = 255
    return inner if where is None else np.asarray(cv2.bitwise_and(inner, where), dtype=np.uint8)


def _around(reach_px: int) -> tuple[Floats, Floats]:
    """Return how far, px, each pixel of a patch lies to the right of its middle, and below it."""
    along = np.arange(-reach_px, reach_px + 1, dtype=np.float32)
    return np.tile(along, along.size), np.repeat(along, along.size)


_PATCH: Final = _around(REACH_PX)


def patch_pixels(middles: Array) -> tuple[Floats, Floats]:
    """Return the x and the y (n, m) of all pixels of the patches around `middles` (n, 2)."""
    x, y = middles.astype(np.float32).T
    across, down = _PATCH
    return x[:, None] + across, y[:, None] + down


def motion_since(
    reference: Reference, luma: Luma, near: CameraChange = UNMOVED
) -> CameraMotion | None:
    """Return how the camera has changed since the reference picture; None if too few patches agree.

    The search begins at the rotation of the change `near`. If most patches do not agree on a
    rotation, two further searches begin: one at the shift of the whole picture, and one at `near`
    that also fits a growth. A growth counts only if enough patches agree on it, because the few
    patches of a plain table fit a wrong growth, too.
    """
    if len(reference.middles) < FEWEST_PATCHES:
        return None
    found = _search(reference, luma, CameraChange(near.rotation), ANGLES)
    if found.agreeing < MAJORITY:
        found = max(
            found,
            _search(reference, luma, _whole_shift(reference, luma), ANGLES),
            _growth(reference, luma, near) or found,
            key=lambda motion: motion.agreeing,
        )
    enough = max(LEAST_AGREEING, FEWEST_PATCHES / len(reference.middles))
    return found if found.agreeing >= enough else None


def patches_seen(reference: Reference, luma: Luma, change: CameraChange) -> int:
    """Return how many patches are plainly seen at the places to which a change takes them."""
    off_px, alike = _look(reference, luma, change)
    off = np.sqrt(_squares(reference.exactness, off_px))
    return int(np.count_nonzero((off < AGREES_PX) & (alike > ALIKE)))


def _growth(reference: Reference, luma: Luma, near: CameraChange) -> CameraMotion | None:
    """Return the change, including a growth, that best fits the patches; None if too few agree on
    it.
    """
    found = _search(reference, luma, near, ANGLES + 1)
    return found if found.agreeing * len(reference.middles) >= 2 * FEWEST_PATCHES else None


def _search(reference: Reference, luma: Luma, near: CameraChange, numbers: int) -> CameraMotion:
    """Improve the first `numbers` of a change step by step: the angles, or the growth as well."""
    change, by_change = near, reference.by_change[:, :, :numbers]
    for _ in range(MOST_STEPS):
        off_px, alike = _look(reference, luma, change)
        trust = np.clip(alike, 0.0, 1.0).astype(np.float64) ** 4
        step = agreed_change(by_change, off_px, trust, reference.exactness)
        change = change_of(step).after(change)
        by_px = by_change @ step
        if float(np.abs(by_px).max()) < SETTLED:
            break
    left_px = np.sqrt(_squares(reference.exactness, off_px - by_px))
    agrees = (left_px < AGREES_PX) & (alike > ALIKE)
    return CameraMotion(change, _sigma_px(by_change, left_px, agrees), float(agrees.mean()))


def _look(reference: Reference, luma: Luma, change: CameraChange) -> tuple[Array, Floats]:
    """Return how far (n, 2), px, each patch is from where `change` takes it, and its correlation
    (n,) there.
    """
    x, y = patch_pixels(seen_after(reference.camera, change, reference.rays))
    seen = cv2.remap(luma, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(seen, dtype=np.float32)
    seen -= seen.mean(axis=1, keepdims=True)
    parts = (reference.basis @ seen[:, :, None])[:, :, 0]
    alike = parts[:, 0] / (np.linalg.norm(seen, axis=1) + np.float32(NOISE_LEVELS))
    gain = np.maximum(parts[:, 0] / reference.lengths, LEAST_GAIN)
    pull = -parts[:, 1:, None] / gain[:, None, None]
    return np.linalg.solve(reference.exactness, pull.astype(np.float64))[:, :, 0], alike


def agreed_change(
    by_change: Array, off_px: Array, trust: Array | None = None, exactness: Array | None = None
) -> Array:
    """Return the change (k,) that best explains the motions `off_px` (n, 2) of most points. A
    change by 1 in each of its numbers moves the points by `by_change` (n, 2, k). The less a point
    agrees with the change, the less it counts (Geman and McClure's weights).

    `exactness` (n, 2, 2) says how accurately each point's motion is known along each direction, and
    `trust` (n,) is a further weight for each point. Without these, all points count equally.
    """
    exactness = np.tile(np.eye(2), (len(by_change), 1, 1)) if exactness is None else exactness
    numbers = by_change.shape[2]
    change: Array = np.zeros(numbers)
    exact = exactness @ by_change
    for scale_px in SCALES_PX:
        off = _squares(exactness, off_px - by_change @ change)
        weights = (1.0 if trust is None else trust) / (1.0 + off / scale_px**2) ** 2
        weighed = (exact * weights[:, None, None]).reshape(-1, numbers)
        square = weighed.T @ by_change.reshape(-1, numbers) + WEAK_PRIOR * np.eye(numbers)
        solved = np.linalg.solve(square, weighed.T @ off_px.reshape(-1))
        change = np.asarray(solved, dtype=np.float64)
    return change


def _squares(exactness: Array, off_px: Array) -> Array:
    """Return the squares (n,) of each patch's deviation, px. A direction along which the patch has
    little texture counts little.
    """
    most = np.linalg.norm(exactness, axis=(1, 2))
    squares = (off_px[:, None, :] @ exactness @ off_px[:, :, None])[:, 0, 0] / most
    return np.asarray(squares, dtype=np.float64)


def _sigma_px(by_change: Array, left_px: Array, agrees: NDArray[np.bool_]) -> float:
    """Return the change's standard error, px, at the patch where it is largest. It follows from
    the scatter of the agreeing patches.
    """
    numbers = by_change.shape[2]
    some = by_change[agrees].reshape(-1, numbers)
    if len(some) < 2 * FEWEST_PATCHES:
        return float("inf")
    spread = float((left_px[agrees] ** 2).sum()) / (len(some) - numbers)
    of_change = np.linalg.pinv(some.T @ some) * spread
    return float(np.sqrt(((by_change @ of_change) * by_change).sum(axis=(1, 2)).max()))


def _whole_shift(reference: Reference, luma: Luma) -> CameraChange:
    """Return the rotation that moves the picture's middle as far as the whole picture was shifted
    (phase correlation).
    """
    small = [
        cv2.resize(
            picture, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA
        ).astype(np.float32)
        for picture in (reference.luma, luma)
    ]
    window = cv2.createHanningWindow(small[0].shape[::-1], cv2.CV_32F)
    (right, down), _ = cv2.phaseCorrelate(small[0], small[1], window)
    camera = reference.camera
    turn_rad = np.array([-down * COARSE / camera.fy_px, right * COARSE / camera.fx_px, 0.0])
    return CameraChange(rotation_of(turn_rad))
