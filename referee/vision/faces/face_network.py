"""Compares the face of a coin on the table with the known faces of its set, by a small network.

The network turns a face into features on rings around its middle: one half of it does so for faces
seen on the table, the other half for known faces. The product of the two sets of features, for
every rotation of one face against the other, is the evidence that the faces are the same. A face
that cannot be read, in glare or behind a hand, has features near zero, so it is evidence neither
for nor against any name. The network learnt to compare faces, not particular faces, so it works for
any set. `benchmarks/train_face_network.py` trains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.store.piece_store import FacePatch
from referee.vision.faces.face_patch import GROUND, PATCH_PX, RINGS, TURNS, polar_places

Floats = NDArray[np.float32]

# Chosen: before the network was trained. The network's weights are valid only with these numbers,
# and with `PATCH_PX`, `RINGS`, `TURNS` and `GROUND`.

WEIGHTS: Final = Path(__file__).with_name("face_network.onnx")
AROUND: Final = 79  # samples of each ring with those that the network needs beyond one turn
REACH: Final = 0.92  # in coin radii, how far the rings reach; the coin's rim is farther out
# added to all grey levels, because noise distorts the ratios of dark levels
DARK_LEVELS: Final = 10.0


def network_input(patch: FacePatch) -> Floats:
    """Return the network's eight input channels for a face (8, rings, around): three logarithms of
    how much darker it is than the ground, in all, in red and in blue; the first of these divided by
    its own strength; how near to white it is; how wide the coin was in the picture; and the
    ground's red and blue, as logarithms of their ratios to green.
    """
    bgr = cv2.resize(patch.bgr, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    at = polar_places(RINGS, TURNS, REACH, PATCH_PX)
    seen = cv2.remap(bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR).clip(0, 255)
    ground = np.median(seen[_ground_rings()].reshape(-1, 3), axis=0)
    missing = np.log((ground + DARK_LEVELS) / (seen + DARK_LEVELS))
    dark = missing.mean(axis=-1)
    blue, green, red = np.log(ground + DARK_LEVELS)
    parts = (
        2 * dark,
        4 * (missing[..., 2] - dark),
        4 * (missing[..., 0] - dark),
        dark / (0.05 + dark.std()),
        seen.max(axis=-1) / 128 - 1,
        *(np.full(dark.shape, x) for x in (np.log(patch.seen_px / 20), red - green, blue - green)),
    )
    return np.stack(parts).astype(np.float32)[..., np.arange(AROUND) % TURNS]


@cache
def _ground_rings() -> slice:
    """Return the rings that show a coin's ground."""
    first, last = (round(reach / REACH * RINGS) for reach in GROUND)
    return slice(first, last)


@dataclass(frozen=True, eq=False)
class KnownFaces:
    """Faces to compare with: the spectra of their features along the rings (faces, 24, rings / 2,
    frequencies), and the name of the coin that shows each face.
    """

    names: tuple[str, ...]
    spectra: NDArray[np.complex128]


def known_faces(faces: Sequence[tuple[str, FacePatch]]) -> KnownFaces:
    """Prepare faces for comparing. Each face comes with the name of the coin that shows it."""
    features = _features([face for _, face in faces], "known")
    return KnownFaces(tuple(name for name, _ in faces), np.fft.rfft(features))


def face_log_odds(seen: FacePatch, known: KnownFaces) -> NDArray[np.float64]:
    """Return the log likelihood ratio (faces,), natural logarithm, that a seen face is each of the
    known faces rather than an unknown face.

    The seen face may be turned by any angle, so the likelihood is the mean over all angles.
    """
    spectrum = np.fft.rfft(_features([seen], "seen")[0])
    product = np.einsum("crt,fcrt->ft", spectrum, np.conj(known.spectra))
    by_turn = np.fft.irfft(product)
    return np.asarray(np.logaddexp.reduce(by_turn, axis=1) - np.log(by_turn.shape[1]))


def _features(faces: Sequence[FacePatch], seen_or_known: str) -> Floats:
    """Return the features of faces (faces, 24, rings / 2, turns / 2)."""
    network = _network()
    network.setInput(np.stack([network_input(face) for face in faces]))
    return np.asarray(network.forward(seen_or_known), dtype=np.float32)


@cache
def _network() -> cv2.dnn.Net:
    """Return the network with its weights."""
    return cv2.dnn.readNetFromONNX(str(WEIGHTS))
