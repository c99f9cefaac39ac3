"""Makes a clip's pictures worse on purpose, each change a function of its own: the camera turns,
the light changes, a shadow passes, the lens blurs, pictures are lost.

The events on the table stay the same, so the clip's truth still holds. A change of light multiplies
stored values, as "the picture is 20 % darker" says; in linear light it is stronger. A blur is in
linear light, as a lens makes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.clip_folder import camera_of
from calibration.lens.camera import Array, Camera

#: A picture (h, w, 3), blue first.
Picture = NDArray[np.uint8]
#: A change of one picture, BGR, taken at a time in seconds.
Change = Callable[[Picture, float], Picture]

LIGHT = np.float32(2.2)  # the power that converts stored values to light
BUMP_S = 0.1  # how long a bump lasts
SHAKE_HZ = (7.3, 9.7)  # across and down; neither is a multiple of a frame rate
BAND_DEPTH = 0.06  # of the stored value
MAINS_HZ, READOUT_S = 100.0, 0.016  # light from 50 Hz mains; a webcam's time from top to bottom row
SHADOW_WIDTH, SHADOW_EDGE, SHADOW_SLANT = 0.3, 0.03, 0.3  # of the picture's width; across per down
# An autofocus that searches when a hand comes: it begins before a deed and takes so long. The
# picture grows by the share, and is blurred by so many pixels.
REFOCUS_BEFORE_S, REFOCUS_S, REFOCUS_GROWTH, REFOCUS_BLUR_PX = 0.25, 0.6, 0.008, 2.0
STILL_STATES = ("rest", "off_table")


@dataclass(frozen=True)
class Filmed:
    """What a change must know about a clip. `deed_s` is when the first incident happened, and
    `before_s` is half of that time. `between_s` is the middle of the longest time without motion
    between two incidents, or after the only one.
    """

    camera: Camera
    duration_s: float
    before_s: float
    between_s: float
    deed_s: float


def filmed(truth: Mapping[str, Any], facts: Mapping[str, Any]) -> Filmed:
    """Return what the changes must know of the clip with this truth. Raises ValueError if
    nothing happens in the clip, or nothing is still afterwards.
    """
    frames = truth["frames"]
    times_s = [float(frame["t_s"]) for frame in frames]
    deed_s = min((float(incident["t_s"]) for incident in truth["incidents"]), default=None)
    if deed_s is None:
        raise ValueError("nothing happens in the clip")
    pauses = still_times([is_still(frame) for frame in frames], times_s)
    later = [pause for pause in pauses if pause[0] > deed_s]
    if not later:
        raise ValueError("after the first event of the clip the table is never still")
    between = max(later[:-1] or later, key=lambda pause: pause[1] - pause[0])
    return Filmed(camera_of(facts), times_s[-1], deed_s / 2, sum(between) / 2, deed_s)


def is_still(frame: Mapping[str, Any]) -> bool:
    """Return whether no hand and no moving coin is in a frame of the truth."""
    return not frame["hand"] and all(
        coin["state"] in STILL_STATES for coin in frame["coins"].values()
    )


def still_times(still: Sequence[bool], times_s: Sequence[float]) -> list[tuple[float, float]]:
    """Return the first and last time of each run of still frames."""
    runs: list[tuple[float, float]] = []
    for number, (now, time_s) in enumerate(zip(still, times_s, strict=True)):
        if now and number and still[number - 1]:
            runs[-1] = (runs[-1][0], time_s)
        elif now:
            runs.append((time_s, time_s))
    return runs


def unchanged(scene: Filmed) -> Change:
    """Leave every picture as it is."""
    return lambda picture, t_s: picture


# The camera turns.


def rotation_by(camera: Camera, shift_px: tuple[float, float]) -> Array:
    """Return the rotation (3, 3) of the camera that moves the picture's middle by `shift_px`,
    across and down. It turns rays of the camera before the turn into rays after it: the picture
    after the turn shows a ray r at K R r.
    """
    toward = np.array([shift_px[0] / camera.fx_px, shift_px[1] / camera.fy_px, 1.0])
    axis = np.cross([0.0, 0.0, 1.0], toward / np.linalg.norm(toward))
    sine = float(np.linalg.norm(axis))
    turn = axis / sine * math.asin(sine) if sine else axis
    return np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)


def places_before(camera: Camera, rotation: Array, flat: Array) -> Array:
    """The camera turns. Return where points `flat` (n, 2) of the undistorted image plane after the
    turn were in the picture before it, px (n, 2), with the lens taken into account.
    """
    rays = np.column_stack((flat, np.ones(len(flat)))) @ rotation
    return camera.distort(rays[:, :2] / rays[:, 2:])


@lru_cache(maxsize=2)
def _rays(camera: Camera) -> Array:
    across, down = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    return camera.undistort(np.column_stack((across.ravel(), down.ravel())).astype(np.float64))


@lru_cache(maxsize=4)
def _map(camera: Camera, shift_px: tuple[float, float]) -> NDArray[np.float32]:
    places = places_before(camera, rotation_by(camera, shift_px), _rays(camera))
    return places.T.astype(np.float32).reshape(2, camera.height, camera.width)


def turned(picture: Picture, camera: Camera, shift_px: tuple[float, float]) -> Picture:
    """Return the picture after a turn of the camera that moves its middle by `shift_px`. Parts that
    come into sight at the border are filled with the outermost pixels.
    """
    if shift_px == (0.0, 0.0):
        return picture
    across, down = _map(camera, shift_px)
    return np.asarray(
        cv2.remap(picture, across, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )


def bump(px: float, between: bool) -> Callable[[Filmed], Change]:
    """Return a bump that turns the camera permanently, by `px` at the picture's middle. It happens
    before the first incident, or between two if `between` is True.
    """

    def of(scene: Filmed) -> Change:
        at_s = scene.between_s if between else scene.before_s
        return lambda picture, t_s: turned(
            picture, scene.camera, bump_shift(px, (t_s - at_s) / BUMP_S)
        )

    return of


def bump_shift(px: float, share: float) -> tuple[float, float]:
    """Return how far the middle has moved, across and down, when `share` of a bump of `px` is
    over.
    """
    done = min(1.0, max(0.0, share + 0.5))
    far = px * done * done * (3 - 2 * done)
    return (0.8 * far, 0.6 * far)


def vibration(px: float) -> Callable[[Filmed], Change]:
    """Return a shake of the camera of up to `px` each way, across and down."""
    return lambda scene: lambda picture, t_s: turned(picture, scene.camera, shake_shift(px, t_s))


def shake_shift(px: float, t_s: float) -> tuple[float, float]:
    """Return how far a shake of `px` has moved the middle at a time."""
    across, down = (px * math.sin(2 * math.pi * hz * t_s + hz) for hz in SHAKE_HZ)
    return (across, down)


# The light changes.


def lit(picture: Picture, factor: NDArray[np.float64] | float) -> Picture:
    """Return the picture with stored values multiplied by `factor`, which broadcasts to (height,
    width, 3).
    """
    return np.asarray(np.rint(picture * np.asarray(factor, np.float32)).clip(0, 255), np.uint8)


def drift(loss: float) -> Callable[[Filmed], Change]:
    """Return a gain that falls evenly over the clip; at the end, stored values are lower by the
    share `loss`.
    """
    return lambda scene: lambda picture, t_s: lit(picture, 1 - loss * t_s / scene.duration_s)


def jump(loss: float) -> Callable[[Filmed], Change]:
    """Return a change of light: stored values suddenly fall by the share `loss`, between two
    incidents.
    """
    return lambda scene: lambda picture, t_s: lit(picture, 1 - loss * (t_s >= scene.between_s))


def colour_drift(loss: float) -> Callable[[Filmed], Change]:
    """Return a white balance that drifts evenly: red falls by `loss` and blue rises by as much."""

    def change(scene: Filmed, picture: Picture, t_s: float) -> Picture:
        gone = loss * t_s / scene.duration_s
        return lit(picture, np.array([1 + gone, 1.0, 1 - gone]))

    return lambda scene: lambda picture, t_s: change(scene, picture, t_s)


def bands(scene: Filmed) -> Change:
    """Return the bands that a rolling shutter shows under mains light. They differ from frame to
    frame.
    """

    def change(picture: Picture, t_s: float) -> Picture:
        rows_s = t_s + READOUT_S * np.arange(len(picture)) / len(picture)
        factor = 1 + BAND_DEPTH * np.sin(2 * math.pi * MAINS_HZ * rows_s)
        return lit(picture, factor[:, None, None])

    return change


def shadow(depth: float) -> Callable[[Filmed], Change]:
    """Return a person's shadow with soft edges. It passes from left to right during the clip and
    lowers stored values by the share `depth`.
    """

    def of(scene: Filmed) -> Change:
        return lambda picture, t_s: lit(
            picture, shadow_factor(picture.shape[:2], depth, t_s / scene.duration_s)[..., None]
        )

    return of


def shadow_factor(size: tuple[int, ...], depth: float, share: float) -> NDArray[np.float64]:
    """Return the factor (height, width) of a shadow that has gone `share` of its way."""
    height, width = size
    across = np.arange(width)[None] / width
    middle = -SHADOW_WIDTH + share * (1 + 2 * SHADOW_WIDTH)
    off = across - middle + SHADOW_SLANT * (np.arange(height)[:, None] - height / 2) / width
    edges = [np.tanh((off + side * SHADOW_WIDTH / 2) / SHADOW_EDGE) for side in (1, -1)]
    return np.asarray(1 - depth * (edges[0] - edges[1]) / 2, dtype=np.float64)


# The picture itself is worse.


def blur(px: float) -> Callable[[Filmed], Change]:
    """Return a lens out of focus: a Gaussian of `px` in linear light."""
    return lambda scene: lambda picture, t_s: blurred(picture, px)


def blurred(picture: Picture, px: float) -> Picture:
    """Return the picture with a Gaussian of `px` in linear light."""
    light = (np.arange(256) / np.float32(255)) ** LIGHT
    spread = cv2.GaussianBlur(light[picture], (0, 0), px)
    return np.asarray(np.rint(255 * spread ** (1 / LIGHT)), dtype=np.uint8)


def refocus(*, for_good: bool) -> Callable[[Filmed], Change]:
    """Return an autofocus that searches, by which the picture grows around its middle. It searches
    as the first incident happens, when the picture is blurred meanwhile, and finds the same
    distance again. Or it goes `for_good` to another distance, in the middle of a pause.
    """

    def search(scene: Filmed, picture: Picture, t_s: float) -> Picture:
        share = (t_s - scene.deed_s + REFOCUS_BEFORE_S) / REFOCUS_S
        off = math.sin(math.pi * share) ** 2 if 0 < share < 1 else 0.0
        return blurred(larger(picture, off), max(REFOCUS_BLUR_PX * off, 0.1)) if off else picture

    def settle(scene: Filmed, picture: Picture, t_s: float) -> Picture:
        return larger(picture, min(max((t_s - scene.between_s) / REFOCUS_S, 0.0), 1.0))

    change = settle if for_good else search
    return lambda scene: lambda picture, t_s: change(scene, picture, t_s)


def larger(picture: Picture, share: float) -> Picture:
    """Return the picture after `share` of an autofocus's growth around its middle."""
    height, width = picture.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2)
    matrix = cv2.getRotationMatrix2D(middle, 0.0, 1 + REFOCUS_GROWTH * share)
    edge = cv2.BORDER_REPLICATE
    grown = cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=edge)
    return np.asarray(grown, dtype=np.uint8)


def noise(grey_levels: float) -> Callable[[Filmed], Change]:
    """Return noise with a standard deviation of `grey_levels` in every stored value. Every frame
    has its own noise.
    """

    def change(picture: Picture, t_s: float) -> Picture:
        own = np.random.default_rng(round(1e6 * t_s))
        off = grey_levels * own.standard_normal(picture.shape, dtype=np.float32)
        return np.asarray(np.rint(picture + off).clip(0, 255), dtype=np.uint8)

    return lambda scene: change


def reduced(picture: Picture, size: float) -> Picture:
    """Return the picture at `size` of its width and height."""
    height, width = (round(size * pixels) for pixels in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def reduced_facts(facts: Mapping[str, Any], size: float) -> dict[str, Any]:
    """Return the facts of a clip whose pictures are shrunk to `size` of their width and height: the
    camera matrix and the number of pixels shrink alike. Pixel centres are whole numbers, so the
    middle moves by half a pixel less.
    """
    camera, video = facts["camera"], facts["video"]
    (fx, _, cx), (_, fy, cy), last = camera["K"]
    middle = [size * (c + 0.5) - 0.5 for c in (cx, cy)]
    pixels = {side: round(size * video[side]) for side in ("width", "height")}
    matrix = [[size * fx, 0.0, middle[0]], [0.0, size * fy, middle[1]], last]
    return {**facts, "video": {**video, **pixels}, "camera": {**camera, **pixels, "K": matrix}}
