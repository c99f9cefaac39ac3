"""The face network compares symbols it never saw, in any rotation, and says nothing in glare."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.store.piece_store import FacePatch
from referee.vision.faces.face_network import WEIGHTS, KnownFaces, face_log_odds, known_faces

MIDDLE = 31.5  # of a patch of 64 pixels
RADIUS = 32 / 1.15
#: Outlines in parts of the coin's radius: a key, a house, a fish, a bolt.
OUTLINES = {
    "key": [(-60, -8), (10, -8), (10, -30), (60, -30), (60, 30), (10, 30), (10, 8), (-60, 8)],
    "house": [(-45, 50), (45, 50), (45, -5), (60, -5), (0, -60), (-60, -5), (-45, -5)],
    "fish": [(-60, 0), (-20, -25), (25, -12), (60, -35), (60, 35), (25, 12), (-20, 25)],
    "bolt": [(-10, 60), (0, 8), (-35, 12), (10, -60), (2, -12), (38, -15)],
}


@cache
def face(name: str, ink: tuple[int, int, int] = (60, 40, 30), turned_deg: float = 0.0) -> FacePatch:
    """Return a face drawn on a pale coin on a brown table, as sharp as one 25 px wide."""
    picture = np.full((64, 64, 3), (60, 90, 130), np.uint8)
    cv2.circle(picture, (32, 32), round(RADIUS), (180, 205, 220), -1, cv2.LINE_AA)
    outline = MIDDLE + np.array(OUTLINES[name]) / 100 * RADIUS
    cv2.fillPoly(picture, [np.rint(outline * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)
    turn = cv2.getRotationMatrix2D((MIDDLE, MIDDLE), turned_deg, 1.0)
    spun = cv2.warpAffine(picture, turn, (64, 64), borderMode=cv2.BORDER_REPLICATE)
    return FacePatch(np.asarray(cv2.GaussianBlur(spun, (0, 0), 1.6), dtype=np.float32), 25.0)


def known() -> KnownFaces:
    return known_faces([(name, face(name)) for name in OUTLINES])


def glared(patch: FacePatch, left: float) -> FacePatch:
    """Return a patch in glare that leaves a share of its contrast below white."""
    lit = np.clip(255 - left * (255 - patch.bgr), 0, 255)
    return FacePatch(np.asarray(np.rint(lit), dtype=np.float32), patch.seen_px)


def odds(seen: FacePatch) -> NDArray[np.float64]:
    return face_log_odds(seen, known())


@pytest.mark.parametrize("name", OUTLINES)
@pytest.mark.parametrize("turned_deg", [0.0, 67.0, 200.0, 311.0])
def test_a_face_of_any_shape_is_known_in_any_rotation(name: str, turned_deg: float) -> None:
    each = odds(face(name, turned_deg=turned_deg))
    assert list(OUTLINES)[int(each.argmax())] == name


@pytest.mark.parametrize("name", OUTLINES)
def test_a_face_that_glare_hides_speaks_for_none(name: str) -> None:
    each = odds(glared(face(name), 0.0))
    assert float(np.ptp(each)) < 1.0
    assert float(each.max()) < 2.0


def test_glare_leaves_less_to_say() -> None:
    plain, pale = (float(np.ptp(odds(glared(face("fish"), left)))) for left in (1.0, 0.05))
    assert pale < plain


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 150_000
