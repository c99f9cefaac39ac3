"""Coins in a heap of touching coins: a drawn rack, whole and with coins taken away."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import pytest

from referee.domain.geometry import Point, distance
from referee.games.carroms.rack import rack_mm
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.vision.coins import heaps
from referee.vision.coins.coin_search import lay_floor
from referee.vision.coins.inventory import take_inventory
from referee.vision.coins.rim_fit import RimFit
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import picture_from_bgr

COIN_MM: Final = 20.0
OUTLINE: Final = ((-200.0, -200.0), (200.0, -200.0), (200.0, 200.0), (-200.0, 200.0))


def places(but: tuple[str, ...] = ()) -> dict[str, Point]:
    """Return places of ten coins that touch, but for a tenth of a millimetre: the middle of a rack,
    the ring around it, and three of the next.
    """
    rack = rack_mm((0.0, 0.0), COIN_MM + 0.1)
    nearest = sorted(rack, key=lambda coin: round(distance(rack[coin], (0.0, 0.0)), 3))[:10]
    return {coin: rack[coin] for coin in nearest if coin not in but}


def found(
    wood: str, lying: dict[str, Point], blur_px: float = 0.0, black: str | None = None
) -> tuple[RimFit, ...]:
    """Return the coins found. The face of the coin `black` is painted black."""
    scene = scene_of(
        {
            "seed": 5,
            "set": {"coin_mm": COIN_MM},
            "camera": {"height_mm": 900, "tilt_deg": 20, "aim_mm": [0, -15], "fx_px": 950},
            "table": {"wood": wood, "size_mm": [1100, 900]},
            "course": {"game": "carroms"},
            "coins": {coin: list(at) for coin, at in lying.items()},
        }
    )
    filmed = np.array(Studio(scene, play_scene(scene)).frame(0).picture)
    if black is not None:
        spot = spot_at(scene.view, lying[black], scene.sizes.coin_thickness_mm)
        across, down = spot.at_px
        radius_px = COIN_MM / 2 * scene.view.px_per_mm(lying[black], 0.0)
        cv2.circle(filmed, (round(across), round(down)), round(radius_px), (25, 25, 25), -1)
    picture = picture_from_bgr(np.asarray(cv2.GaussianBlur(filmed, (0, 0), blur_px or 0.1)))
    floor = lay_floor(scene.view, scene.sizes, OUTLINE, scene.course)
    return take_inventory(picture, scene.view, floor, scene.sizes)


@pytest.mark.parametrize("wood", ["oak", "laminate", "pine"])
@pytest.mark.parametrize("but", [(), ("suns-1", "arms-2", "arms-4")])
def test_every_coin_of_a_heap_is_found_and_nothing_else(wood: str, but: tuple[str, ...]) -> None:
    lying = places(but)
    fits = found(wood, lying)
    for at in lying.values():
        (own,) = [fit for fit in fits if distance(fit.at_mm, at) < COIN_MM / 2]
        assert distance(own.at_mm, at) < 0.5
    assert len(fits) == len(lying)


@pytest.mark.parametrize("wood", ["oak", "walnut"])
@pytest.mark.parametrize("but", [(), ("moons",)])
def test_out_of_focus_a_hole_in_a_ring_of_six_coins_is_told_from_a_coin(
    wood: str, but: tuple[str, ...]
) -> None:
    """The blur is a tenth of a coin's width. The hole has the table's colour, a coin has not."""
    lying = places(but)
    fits = found(wood, lying, blur_px=2.0)
    assert len(fits) == len(lying)
    assert all(min(distance(fit.at_mm, at) for fit in fits) < 0.75 for at in lying.values())
    assert any(distance(fit.at_mm, (0.0, 0.0)) < COIN_MM / 2 for fit in fits) is not bool(but)


def test_where_colours_tell_a_coin_of_a_heap_may_have_a_rim_that_is_hardly_seen(
    monkeypatch,
) -> None:
    """As if no rim were seen well enough by itself."""
    monkeypatch.setattr(heaps, "HEAP_SUPPORT", 0.99)
    lying = places()
    assert len(found("oak", lying, blur_px=2.0)) == len(lying)


@pytest.mark.parametrize("wood", ["oak", "laminate"])
def test_a_rack_is_found_beside_a_striker_of_another_colour(wood: str) -> None:
    """The striker is darker than the table, and the coins of the rack are lighter."""
    lying = places() | {"striker": (120.0, 20.0)}
    assert len(found(wood, lying, black="striker")) == len(lying)
