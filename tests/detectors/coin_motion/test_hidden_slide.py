"""When a coin began to slide of which nobody saw the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.detectors.coin_motion.hidden_slide import is_dated, slid_from_s
from referee.domain.path import Held
from referee.domain.sighting import Sighting
from tests.detectors.scenes import episode, path


@pytest.mark.parametrize(
    ("within_s", "settled_s", "from_s", "dated"),
    [
        # with 2000 mm/s2, a coin slides 40 mm in the root of 2 * 40 / 2000 s2: 0.2 s
        pytest.param((0.4, 0.7), None, 0.5, True, id="the hand lay over it before the flick"),
        pytest.param((0.6, 0.7), None, 0.6, True, id="not before it was last seen where it lay"),
        pytest.param((0.2, 0.9), None, 0.7, False, id="hidden for long, and seen late"),
        pytest.param((0.2, 0.9), 0.45, 0.25, True, id="the hand held still before that"),
        pytest.param((0.4, 0.7), 0.1, 0.5, True, id="a hand that held still from the beginning"),
        pytest.param((0.5, 1.0), 0.4, 0.8, False, id="it held still while the coin lay there yet"),
        pytest.param(None, 0.55, 0.35, True, id="only the hand that holds still shows it"),
        pytest.param(None, None, 0.2, False, id="the hand hid all of it"),
    ],
)
def test_friction_tells_how_long_before_it_lay_there(within_s, settled_s, from_s, dated):
    """It was seen as a whole until 0.2 s, and then from 1 s on, 40 mm farther on."""
    held = (Held(0.2, 1.0, True, 0.0),)
    coin = path("moons", rest=(0.0, 0.0), after=(40.0, 0.0), held=held)
    scene = episode(coin)
    track = replace(scene.tracks[0], moved_within_s=within_s, settled_s=settled_s)
    scene = replace(scene, tracks=(track,))
    assert slid_from_s(scene, coin) == pytest.approx(from_s)
    assert is_dated(scene, coin) == dated


@pytest.mark.parametrize(
    ("seen_s", "seen_x", "from_s", "dated"),
    [
        pytest.param(0.3, 30.0, 0.3, True, id="seen on its way"),
        pytest.param(0.3, 0.4, 0.6, True, id="seen where it lay"),
        pytest.param(0.65, 30.0, 0.6, True, id="seen away later: no contradiction"),
    ],
)
def test_a_coin_seen_away_from_its_place_had_left_it_whatever_else_looked_like_it(
    seen_s: float, seen_x: float, from_s: float, dated: bool
) -> None:
    """A part of its first place, beside a hand, looked like the coin until 0.6 s."""
    held = (Held(0.2, 1.0, True, 0.0),)
    coin = path("moons", rest=(0.0, 0.0), after=(40.0, 0.0), held=held)
    coin = replace(coin, sightings=(Sighting("moons", 20, seen_s, (seen_x, 0.0), 0.5),))
    scene = episode(coin)
    scene = replace(scene, tracks=(replace(scene.tracks[0], moved_within_s=(0.6, 0.75)),))
    assert slid_from_s(scene, coin) == pytest.approx(from_s)
    assert is_dated(scene, coin) == dated
