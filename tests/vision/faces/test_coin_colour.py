"""The colour of a whole face speaks for or against a coin of the set."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from calibration.store.piece_store import FacePatch
from referee.vision.faces.coin_colour import colour_log_odds, of_another_colour
from tests.vision.faces.test_identification import SET

Bgr = tuple[float, float, float]
GREY, TURQUOISE, GREEN = (112.0, 114.0, 116.0), (215.0, 230.0, 74.0), (40.0, 140.0, 20.0)


def face(bgr: Bgr, table: Bgr = GREEN) -> FacePatch:
    """Return a patch of a disc of one colour on a table."""
    shown = np.full((32, 32, 3), table, dtype=np.float32)
    cv2.circle(shown, (16, 16), 15, bgr, -1)
    return FacePatch(shown, 20.0)


def test_a_thing_of_a_coins_colour_is_so_much_likelier_a_coin_than_a_thing_of_any_colour() -> None:
    """Half of the other things are within sigma 0.5, and half are like the table beside them, which
    is of quite another colour here. Colours that are the same are 0.045 apart.
    """
    (odds,) = colour_log_odds([face(GREY)], [face(GREY)], [0.5])
    assert odds == pytest.approx(math.log(2 * 0.5**2 / 0.045**2), abs=0.02)


def test_half_of_the_coins_are_within_six_hundredths_of_their_colour() -> None:
    """The density of a coin's distance r is its density in the plane times 2 pi r: its integral."""
    r = np.arange(0.0005, 0.06, 0.001)
    things = [face((GREY[0] * math.exp(away), *GREY[1:]), table=TURQUOISE) for away in r]
    odds = [colour_log_odds([thing], [face(GREY)], [0.5])[0] for thing in things]
    other = [math.exp(-0.5 * away**2 / 0.5**2) / (4 * math.pi * 0.5**2) for away in r]
    density = [
        math.exp(o) * q * 2 * math.pi * away for o, q, away in zip(odds, other, r, strict=True)
    ]
    assert 0.001 * sum(density) == pytest.approx(0.5, abs=0.03)


def test_the_colour_says_little_where_the_table_has_it_too() -> None:
    (odds,) = colour_log_odds([face(GREY, table=GREY)], [face(GREY)], [0.5])
    assert 0.0 < odds < 2.5


def test_a_print_of_another_colour_is_hardly_a_coin() -> None:
    """The dot has log(246 / 90) = 1.01 less red for its green. A coin is seen so with the density
    (1 + r^2 / 2 s^2)^-2 / 2 pi s^2 = 0.0013, and half of the other things with 0.085.
    """
    (odds,) = colour_log_odds([face(TURQUOISE)], [face(GREY)], [0.5])
    assert odds == pytest.approx(math.log(2 * 0.0013 / 0.085), abs=0.2)
    dots = colour_log_odds([face(TURQUOISE)] * 40, [face(GREY)], [0.01] * 40)
    assert (dots < -8.0).all()


def test_prints_that_all_have_the_coins_colour_are_not_told_apart_by_it() -> None:
    alone = colour_log_odds([face(GREY)], [face(GREY)], [0.01])
    print_ = colour_log_odds([face(GREY)] * 40, [face(GREY)], [0.01] * 40)
    assert (print_ < 2.0).all() and alone[0] > 4.0


def test_coins_of_the_same_colour_do_not_speak_against_each_other() -> None:
    coins = colour_log_odds([face(GREY)] * 4, [face(GREY)], [0.999] * 4)
    assert (coins > 4.0).all()


@pytest.mark.parametrize("light", [0.5, 1.5])
@pytest.mark.parametrize("name", ["suns", "ace"])
def test_neither_light_nor_rotation_nor_blur_changes_the_colour_much(
    name: str, light: float
) -> None:
    """Of a painted coin the ink counts as its colour, too."""
    own = SET.faces[name]
    turned = np.rot90(light * own.bgr)
    soft = cv2.GaussianBlur(np.ascontiguousarray(turned), (0, 0), own.bgr.shape[0] / 30)
    seen = FacePatch(np.asarray(soft, dtype=np.float32), own.seen_px)
    one, other = (colour_log_odds([shown], [own], [0.5])[0] for shown in (own, seen))
    assert other == pytest.approx(one, abs=0.4)


@pytest.mark.parametrize(("away", "another"), [(0.14, False), (0.46, True)])
def test_a_coin_keeps_its_colour_and_a_printed_dot_has_another(away: float, another: bool) -> None:
    """So far apart are the shares of blue to green; the 16 levels of haze are left out."""
    haze = 16.0
    bluer = ((GREY[0] + haze) * math.exp(away) - haze, *GREY[1:])
    assert of_another_colour(face(bluer), face(GREY)) == another
