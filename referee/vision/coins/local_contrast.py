"""Finds how one coin stands out best from the table right around it: by a mix of channels in which
the coin is lighter, or, on a table of several colours, by how similar each pixel is to the coin's
face.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.vision.image.disc import PixelGrid, spot_at
from referee.vision.image.picture import ChannelMix, Floats, Picture, Rect

# Chosen: the ring of the face that counts, in coin radii: without the rim and most of the print.
FACE: Final = (0.55, 0.85)
# Chosen: the width of the blur that removes the noise of single pixels.
SMOOTH_PX: Final = 1.0
# Chosen: the ring of the table that counts, in coin radii: outside the shadow of the rim.
AROUND: Final = (1.25, 2.0)
# Grey levels of noise added to each channel. Without this noise, a perfectly even colour would look
# infinitely certain. Colour has half the resolution and is compressed more. Tuned on our own clips.
CHANNEL_NOISE: Final = (12.0, 16.0, 16.0)
# Tuned on our own clips, like the next two, with one frame each of 25 rendered tables: the grey
# levels by which noise alone spreads a face's colour.
FACE_NOISE: Final = (4.0, 3.0, 3.0)
# Tuned on our own clips: in usual deviations; a pixel farther than this from the face's colour
# counts as this far from it.
MOST_UNLIKE: Final = 6.0
# Tuned on our own clips: the grey levels for one usual deviation. With this factor, the values are
# comparable with those of channel mixes.
LEVELS: Final = 10.0


@dataclass(frozen=True, slots=True)
class FaceSimilarity:
    """Measures how similar pixels are to a coin's face. `colour` is the colour of the face, and
    `spread` the usual deviation of its pixels from that colour, both for each channel (channels,).

    On a striped cloth, no mix of channels may make a coin lighter than both colours. By this
    measure, the coin is lighter than both.
    """

    colour: Floats
    spread: Floats
    contrast: float = 0.6 * MOST_UNLIKE * LEVELS

    def values(self, picture: Picture, rect: Rect) -> Floats:
        """Return each pixel's distance from the face's colour as a value below 0 (rows, columns): 0
        on the face, and `LEVELS` less for each deviation, down to `MOST_UNLIKE` deviations.
        """
        off = (picture.channels(rect) - self.colour) / self.spread
        unlike = np.sqrt(np.square(off).sum(axis=2))
        return np.asarray(-LEVELS * np.minimum(unlike, MOST_UNLIKE), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class ColourStep:
    """How the colour of a coin's face differs (`step`) from the colour of the `table` around it,
    (channels,) each. `scatter` is the covariance of the table's colours plus that of noise
    (channels, channels).
    """

    step: NDArray[np.float64]
    scatter: NDArray[np.float64]
    table: NDArray[np.float64]

    def levels(self, mix: ChannelMix) -> float:
        """Return by how many grey levels the coin is lighter than the table in a mix."""
        return float(_weights(mix, len(self.step)) @ self.step)

    def share(self, colour: NDArray[np.float64]) -> float:
        """Return where a colour (channels,) lies between the table's colour (0) and the face's (1),
        measured along the direction in which these differ most clearly (Fisher's linear
        discriminant).
        """
        weights = np.linalg.solve(self.scatter, self.step)
        return float((colour - self.table) @ weights / max(float(self.step @ weights), 1e-9))

    def clearest(self) -> float:
        """Return the size of the step, in standard deviations of the table's colours, in the mix in
        which it is largest.
        """
        return float(np.sqrt(self.step @ np.linalg.solve(self.scatter, self.step)))

    def best_mix(self) -> ChannelMix:
        """Return the mix in which the coin is most clearly lighter than the table (Fisher's linear
        discriminant).
        """
        mix = np.linalg.solve(self.scatter, self.step)
        mix /= max(float(np.abs(mix).max()), 1e-9)
        y, u, v = [*mix.tolist(), 0.0, 0.0][:3]
        return ChannelMix(y, u, v, max(float(mix @ self.step), 1.0)).plain()

    def clearness(self, mix: ChannelMix) -> float:
        """Return the size of the step in a mix, in standard deviations of the table's levels in
        that mix; 0 if the picture has none of the mix's channels, as a grey picture for a mix of
        colours.
        """
        weights = _weights(mix, len(self.step))
        spread = float(np.sqrt(weights @ self.scatter @ weights))
        return abs(float(weights @ self.step)) / spread if spread > 0.0 else 0.0


def _weights(mix: ChannelMix, channels: int) -> NDArray[np.float64]:
    return np.array([mix.y, mix.u, mix.v][:channels])


def colour_step(
    picture: Picture, view: TableView, at_mm: Point, sizes: PieceSizes
) -> ColourStep | None:
    """Return how the coin at a place differs in colour from the table around it; None if its
    surroundings are not wholly in the picture.
    """
    parts = _face_and_around(picture, view, at_mm, sizes)
    if parts is None:
        return None
    face, around = parts
    return step_from(around, medians(face))


def step_from(table: Floats, face: NDArray[np.float64]) -> ColourStep:
    """Return how a face's colour (channels,) differs from a table with these pixels (channels,
    n).
    """
    usual = medians(table)
    noise = np.diag(np.square(CHANNEL_NOISE[: len(usual)]))
    return ColourStep(face - usual, _scatter(table) + noise, usual)


def face_colour(
    picture: Picture, view: TableView, at_mm: Point, sizes: PieceSizes
) -> NDArray[np.float64] | None:
    """Return the colour (channels,) of the face of the coin at a place, without its print; None if
    the coin's surroundings are not wholly in the picture.
    """
    parts = _face_and_around(picture, view, at_mm, sizes)
    return None if parts is None else medians(parts[0])


def face_similarity(
    picture: Picture, view: TableView, at_mm: Point, sizes: PieceSizes
) -> FaceSimilarity | None:
    """Return the measure of how similar pixels are to the face of the coin at a place; None if the
    coin's surroundings are not wholly in the picture.
    """
    parts = _face_and_around(picture, view, at_mm, sizes)
    if parts is None:
        return None
    colour = medians(parts[0])
    scatter = 1.5 * medians(np.abs(parts[0] - colour[:, None]))
    spread = np.hypot(scatter, FACE_NOISE[: len(colour)])
    return FaceSimilarity(colour.astype(np.float32), spread.astype(np.float32))


def local_contrast(
    picture: Picture, view: TableView, at_mm: Point, sizes: PieceSizes
) -> ChannelMix | None:
    """Return the mix in which the coin at a place is most clearly lighter than its surroundings;
    None if the surroundings are not wholly in the picture.
    """
    parts = _face_and_around(picture, view, at_mm, sizes)
    if parts is None:
        return None
    face, around = parts
    step = step_from(around, medians(face))
    return replace(step, scatter=step.scatter + _scatter(face)).best_mix()


def _face_and_around(
    picture: Picture, view: TableView, at_mm: Point, sizes: PieceSizes
) -> tuple[Floats, Floats] | None:
    """Return the pixels of a coin's face and those of the table around it, (channels, n) each; None
    if the picture does not hold all of them.
    """
    radius, spot = sizes.coin_mm / 2, spot_at(view, at_mm, sizes.coin_thickness_mm)
    rect = spot.rect(AROUND[1] * radius)
    if rect.within(picture.width, picture.height) != rect:
        return None
    along, across = PixelGrid.of(spot, rect).places
    away = (cv2.magnitude(along, across) / np.float32(radius)).ravel()
    values = picture.channels(rect)
    pixels = np.ascontiguousarray(values.reshape(-1, values.shape[2]).T)
    face, around = (
        np.take(pixels, np.flatnonzero((away > near) & (away < far)), axis=1)
        for near, far in (FACE, AROUND)
    )
    return face, around


def medians(values: Floats) -> NDArray[np.float64]:
    """Return the median of each channel (channels, n). The function takes a fifth of the time of
    `np.median`.
    """
    middle = values.shape[1] // 2
    ranked = np.partition(values, middle, axis=1)
    above = ranked[:, middle]
    if values.shape[1] % 2:
        return np.asarray(above, dtype=np.float64)
    return np.asarray((ranked[:, :middle].max(axis=1) + above) / 2, dtype=np.float64)


def _scatter(values: Floats) -> NDArray[np.float64]:
    """Return the covariance of the channels (channels, n)."""
    off = values.astype(np.float64)
    off -= off.mean(axis=1, keepdims=True)
    return np.asarray(off @ off.T / (off.shape[1] - 1), dtype=np.float64)
