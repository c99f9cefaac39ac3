"""Whether a right survey is recognised where few tiles can be measured."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.session.seeing.survey_check import ENOUGH_MEASURED, tiles_as_they_lie, unlike_survey
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.vision.image.picture import Picture, picture_from_bgr


def brown_tiles() -> tuple[Picture, Scene]:
    """Return a picture in which each tile's shadow looks like a part of it, and the scene."""
    scene = scene_of(
        {
            "seed": 443,
            "light": {
                "lamp_mm": [735, 184, 2071],
                "ambient": 0.57,
                "warmth": 0.13,
                "glare": 0.47,
                "window": 0,
                "exposure": 0.91,
            },
            "table": {
                "wood": "laminate",
                "cloth": "dots",
                "size_mm": [1324, 902],
                "tone": 0.82,
                "grain": 1.3,
            },
            "set": {"tile_mm": 55.4, "tile_thickness_mm": 3.63, "colours": "walnut"},
            "course": {"jitter_mm": 1.9, "jitter_deg": 1.6},
            "video": {"exposure_s": 0.0021, "noise": 1.9},
            "camera": {
                "fx_px": 1317,
                "width": 960,
                "height": 540,
                "centre_px": [476.5, 272.2],
                "height_mm": 1371,
                "tilt_deg": 46.4,
                "heading_deg": 174,
                "roll_deg": -1.4,
                "aim_mm": [1, 33],
            },
        }
    )
    filmed = Studio(scene, play_scene(scene)).frame(0).picture
    jpeg = cv2.imencode(".jpg", filmed, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return picture_from_bgr(np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)), scene


def test_shadows_beside_brown_tiles_do_not_contradict_a_right_survey() -> None:
    """On the far side, the outline of a tile is that of its shadow, which is darker still."""
    picture, scene = brown_tiles()
    seen = (scene.course, scene.view, scene.sizes)
    measured = tiles_as_they_lie(picture, *seen)
    assert ENOUGH_MEASURED <= len(measured) < len(scene.course.tiles) / 2
    assert unlike_survey(picture, *seen, measured) is None


@pytest.mark.parametrize("names", [("wicket-1", "wicket-2"), ()], ids=["side by side", "none"])
def test_few_tiles_measured_side_by_side_do_not_speak_for_all(names: tuple[str, ...]) -> None:
    """The outlines of all tiles lie some 2.5 mm from where the survey says."""
    picture, scene = brown_tiles()
    measured = {n: t for n, t in scene.course.tiles.items() if n.rsplit("-", 1)[0] in names}
    assert len(measured) in (0, 4)
    wrong = unlike_survey(picture, scene.course, scene.view, scene.sizes, measured)
    assert wrong is not None and "mm from where it says" in wrong


def test_tiles_measured_across_the_course_show_that_a_survey_is_wrong() -> None:
    picture, scene = brown_tiles()
    off = {
        n: replace(t, centre_mm=(t.centre_mm[0], t.centre_mm[1] + 5.0))
        for n, t in scene.course.tiles.items()
        if n in ("wicket-1-left", "wicket-4-left", "wicket-7-left")
    }
    wrong = unlike_survey(picture, scene.course, scene.view, scene.sizes, off)
    assert wrong == "the tiles lie some 5 mm from where it says"
