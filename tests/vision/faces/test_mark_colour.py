"""The colour of a set's marks, as a word, under any lamp."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.store.piece_store import PATCH_REACH, STORED_PX, FacePatch
from referee.vision.faces.mark_colour import mark_colour_of

#: The share of blue, green and red light that inks leave.
INKS = {
    "red": (0.2, 0.18, 0.85),
    "blue": (0.75, 0.35, 0.15),
    "green": (0.35, 0.6, 0.25),
    "yellow": (0.25, 0.8, 0.95),
    "orange": (0.15, 0.5, 0.95),
    "purple": (0.7, 0.25, 0.55),
    "black": (0.2, 0.2, 0.2),
}
#: Lamps: daylight, a warm bulb, and a window so bright that the ink is pale.
LIGHTS = {
    "day": ((235, 235, 235), 0.0),
    "bulb": ((150, 200, 240), 0.0),
    "glare": ((245, 240, 230), 0.55),
}


def face(
    ink: tuple[float, float, float] | None, lamp: tuple[int, int, int], veil: float = 0.0
) -> FacePatch:
    """Return a bare wooden face with a cross of ink, under a lamp. `veil` is the share of light
    that the varnish mirrors.
    """
    bare = np.array(lamp) * (0.62, 0.78, 0.88)
    picture = np.full((STORED_PX, STORED_PX, 3), bare, np.float32)
    middle, reach = STORED_PX // 2, round(0.45 * STORED_PX / (2 * PATCH_REACH))
    if ink is not None:
        for end in ((reach, 0), (0, reach)):
            ends = [(middle - end[0], middle - end[1]), (middle + end[0], middle + end[1])]
            cv2.line(
                picture,
                *ends,
                tuple(float(b * i) for b, i in zip(bare, ink, strict=True)),
                7,
                cv2.LINE_AA,
            )
    picture = (1 - veil) * picture + veil * np.array(lamp)
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    return FacePatch(
        np.clip(cv2.GaussianBlur(picture, (0, 0), 1.2) + noise, 0, 255).astype(np.float32), 40.0
    )


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("word", INKS)
def test_an_ink_has_its_word_in_any_light(word: str, light: str) -> None:
    assert mark_colour_of(face(INKS[word], *LIGHTS[light])) == word


@pytest.mark.parametrize("light", LIGHTS)
def test_a_bare_face_has_none(light: str) -> None:
    assert mark_colour_of(face(None, *LIGHTS[light])) is None


def test_a_set_of_one_colour_is_black_throughout() -> None:
    assert mark_colour_of(face((0.45, 0.5, 0.58), *LIGHTS["day"])) == "black"
