"""When a coin began to slide of which nobody saw the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.detectors.coin_motion.hidden_slide import slid_from_s
from referee.domain.path import Held
from tests.detectors.scenes import episode, path


@pytest.mark.parametrize(
    ("within_s", "from_s"),
    [
        # with 2000 mm/s2, a coin slides 40 mm in the root of 2 * 40 / 2000 s2: 0.2 s
        pytest.param((0.3, 0.7), 0.5, id="the hand lay over it before it was flicked"),
        pytest.param((0.6, 0.7), 0.6, id="not before it was last seen where it lay"),
        pytest.param(None, 0.2, id="the hand hid all of it"),
    ],
)
def test_friction_tells_how_long_before_it_lay_there(within_s, from_s):
    """It was seen as a whole until 0.2 s, and then from 1 s on, 40 mm farther on."""
    held = (Held(0.2, 1.0, True, 0.0),)
    coin = path("moons", rest=(0.0, 0.0), after=(40.0, 0.0), held=held)
    scene = episode(coin)
    track = replace(scene.tracks[0], moved_within_s=within_s)
    assert slid_from_s(replace(scene, tracks=(track,)), coin) == pytest.approx(from_s)
