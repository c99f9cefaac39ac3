"""Random scenes of Carroms: what is drawn can be played, and the same seed draws the same scene."""

import pytest

from benchmarks.carroms_scenes import carroms_scene
from referee.domain.pieces import CARROMS_COINS
from referee.games.carroms.rack import rack_faults
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import scene_of


@pytest.fixture(scope="module")
def break_fields():
    return carroms_scene(2, 1, begins_with_break=True)


def test_the_same_seed_draws_the_same_scene(break_fields):
    assert carroms_scene(2, 1, begins_with_break=True) == break_fields


def test_a_break_begins_from_a_full_rack(break_fields):
    scene = scene_of(break_fields)
    assert set(scene.coins) == set(CARROMS_COINS)
    assert rack_faults(scene.coins, (0.0, 0.0), scene.sizes.coin_mm) == ()
    coins = [f["coin"] for f in play_scene(scene).incidents if f["kind"] == "flicked"]
    assert coins == ["striker"]
