"""Whether a right survey is recognised where few tiles can be measured."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.session.seeing.survey_check import tiles_as_they_lie, unlike_survey
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.vision.image.picture import picture_from_bgr


@pytest.mark.parametrize("quality", [80, 60], ids=["few are measured", "hardly any is"])
def test_shadows_beside_brown_tiles_do_not_contradict_a_right_survey(quality: int) -> None:
    """On the far side, the outline of a tile is that of its shadow, which is darker still."""
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
    jpeg = cv2.imencode(".jpg", filmed, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    picture = picture_from_bgr(np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8))
    measured = tiles_as_they_lie(picture, scene.course, scene.view, scene.sizes)
    seen = (scene.course, scene.view, scene.sizes)
    assert unlike_survey(picture, *seen, measured) is None
