"""The colour of a whole face speaks for or against a coin of the set."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.store.piece_store import FacePatch
from referee.vision.faces.coin_colour import colour_log_odds
from tests.vision.faces.test_identification import SET

Bgr = tuple[float, float, float]
GREY, TURQUOISE, GREEN = (112.0, 114.0, 116.0), (215.0, 230.0, 74.0), (40.0, 140.0, 20.0)


def face(bgr: Bgr, table: Bgr = GREEN) -> FacePatch:
    """Return a patch of a disc of one colour on a table."""
    shown = np.full((32, 32, 3), table, dtype=np.float32)
    cv2.circle(shown, (16, 16), 15, bgr, -1)
    return FacePatch(shown, 20.0)


def test_a_thing_of_a_coins_colour_is_so_much_likelier_a_coin_than_a_thing_of_any_colour() -> None:
    """Of five coins, four are within sigma 0.05 and one within 0.2. Half of the other things are
    within 0.5, and half are like the table beside them, which is of quite another colour here.
    """
    (odds,) = colour_log_odds([face(GREY)], [face(GREY)], [0.5])
    assert odds == pytest.approx(math.log((0.8 / 0.05**2 + 0.2 / 0.2**2) * 2 * 0.5**2), abs=0.01)


def test_the_colour_says_little_where_the_table_has_it_too() -> None:
    (odds,) = colour_log_odds([face(GREY, table=GREY)], [face(GREY)], [0.5])
    assert 0.0 < odds < 2.5


def test_a_print_of_another_colour_is_hardly_a_coin() -> None:
    odds = colour_log_odds([face(GREY), face(TURQUOISE)], [face(GREY)], [0.5, 0.5])
    assert odds[0] > 2.0 and odds[1] < -4.0


def test_prints_that_all_have_the_coins_colour_are_not_told_apart_by_it() -> None:
    alone = colour_log_odds([face(GREY)], [face(GREY)], [0.01])
    print_ = colour_log_odds([face(GREY)] * 40, [face(GREY)], [0.01] * 40)
    assert (print_ < 2.0).all() and alone[0] > 4.0


def test_coins_of_the_same_colour_do_not_speak_against_each_other() -> None:
    coins = colour_log_odds([face(GREY)] * 4, [face(GREY)], [0.999] * 4)
    assert (coins > 4.0).all()


@pytest.mark.parametrize("light", [0.5, 1.5])
@pytest.mark.parametrize("name", ["suns", "ace"])
def test_neither_light_nor_rotation_nor_blur_changes_the_colour(name: str, light: float) -> None:
    """Of a painted coin the ink counts as its colour, too."""
    own = SET.faces[name]
    turned = np.rot90(light * own.bgr)
    soft = cv2.GaussianBlur(np.ascontiguousarray(turned), (0, 0), own.bgr.shape[0] / 30)
    seen = FacePatch(np.asarray(soft, dtype=np.float32), own.seen_px)
    one, other = (colour_log_odds([shown], [own], [0.5])[0] for shown in (own, seen))
    assert other == pytest.approx(one, abs=0.1)
