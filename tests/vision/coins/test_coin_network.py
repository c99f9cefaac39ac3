"""The network's log odds on bundled clips: coins stand out, whatever their table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from referee.domain.geometry import distance
from referee.vision.alignment.motion import FramePicture
from referee.vision.coins.coin_network import COIN_CELLS, WEIGHTS, coin_log_odds, coins_alike
from referee.vision.coins.coin_search import PIXEL_MM, laid_flat, lay_floor
from referee.vision.sources.video import open_source
from tests.clips.bundled import CLIPS, true_table, truth_of


@pytest.mark.parametrize("clip", ["demo", "one-colour", "turned-course"])
def test_the_likeliest_places_of_a_table_are_its_coins(clip: str) -> None:
    table = true_table(clip)
    floor = lay_floor(table.view, table.sizes, table.edge_mm, table.course)
    with open_source(str(CLIPS / clip / "clip.mp4")) as source:
        flat = laid_flat(FramePicture(next(iter(source))), floor)
    assert flat is not None
    odds = np.where(floor.open_, coin_log_odds(flat, table.sizes.coin_mm, PIXEL_MM), -99.0)
    coins = [(c["mm"][0], c["mm"][1]) for c in truth_of(clip)["frames"][0]["coins"].values()]
    found = []
    for _ in coins:
        row, column = np.unravel_index(int(odds.argmax()), odds.shape)
        found.append((float(floor.x_mm[column]), float(floor.y_mm[row])))
        cv2.circle(odds, (int(column), int(row)), round(0.9 * table.sizes.coin_mm), -99.0, -1)
    for at in coins:
        assert min(distance(at, one) for one in found) < 4.0


def test_every_coin_is_as_wide_as_any_other_and_grey_where_there_is_no_colour() -> None:
    seen = coins_alike(np.full((110, 220, 1), 90.0, np.float32), 22.0, 1.0)
    assert seen.shape == (round(110 * COIN_CELLS / 22), round(220 * COIN_CELLS / 22), 3)
    assert (seen == (90.0, 128.0, 128.0)).all()


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 1_000_000
