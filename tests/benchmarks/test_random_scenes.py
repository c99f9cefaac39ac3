"""Random scenes: the same from the same seed, always playable, and with the promised properties."""

import numpy as np
import pytest

from benchmarks.random_deeds import yaml_name
from benchmarks.random_scenes import random_scene
from benchmarks.random_tables import LEAST_COIN_PX
from referee.domain.geometry import contains
from referee.domain.pieces import COINS
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import CLOTHS, SETS
from referee.synthetic.scenario.scene_file import scene_of
from referee.synthetic.scenario.timeline import Lying


def test_a_seed_gives_the_same_scene_again_and_another_gives_another():
    assert random_scene(5) == random_scene(5)
    assert random_scene(5) != random_scene(6)


@pytest.mark.parametrize("seed", range(300, 306))
def test_a_scene_can_be_played_and_everything_lies_on_the_table_and_in_the_picture(seed):
    fields = random_scene(seed)
    scene = scene_of(fields)
    timeline = play_scene(scene)
    assert fields["actions"] and len(timeline.coins) >= 2
    assert timeline.visits[-1].end_s < scene.length_s and timeline.still_from_s < scene.length_s
    for stretches in timeline.coins.values():
        for stretch in stretches:
            if isinstance(stretch, Lying):
                assert contains(scene.outline_mm, stretch.at_mm)
                x, y = scene.view.to_image(np.array([[*stretch.at_mm, 0.0]]))[0]
                assert 0 < x < scene.camera.width and 0 < y < scene.camera.height


@pytest.mark.parametrize("seed", range(310, 318))
def test_in_front_means_high_and_on_the_near_side(seed):
    fields = random_scene(seed, front=True)
    assert fields["camera"]["tilt_deg"] <= 45 and abs(fields["camera"]["heading_deg"]) < 45
    scene = scene_of(fields)
    across = scene.view.to_image(
        np.array([[-scene.sizes.coin_mm / 2, 0.0, 0.0], [scene.sizes.coin_mm / 2, 0.0, 0.0]])
    )
    assert across[1][0] - across[0][0] > LEAST_COIN_PX


def test_a_printed_cloth_changes_nothing_but_the_cloth_and_the_set():
    plain, printed = random_scene(7), random_scene(7, printed=True)
    assert printed["table"].pop("cloth") in CLOTHS
    assert printed["set"].pop("colours") in SETS
    plain["set"].pop("colours")
    assert printed == plain


def test_a_still_scene_has_all_coins_and_no_hand():
    scene = random_scene(4, still=True)
    assert {str(coin) for coin in scene["coins"]} == {str(yaml_name(coin)) for coin in COINS}
    assert not scene["actions"]
    timeline = play_scene(scene_of(scene))
    assert not timeline.visits
    assert not timeline.incidents
