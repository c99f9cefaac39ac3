"""A tile with a faint print in a noisy picture: the print is hardly its own mirror image, but it is
like that of the other tiles.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from referee.domain.layout import Course, Tile
from referee.vision.image.picture import Picture
from referee.vision.tiles.tile_measuring import common_face, lies_by_face, measure_tile
from tests.vision.drawn import HEIGHT, SIZES, WIDTH, grey, looking, places_of

VIEW = looking(20.0)
FINER = 3
LAID = {
    f"wicket-{n}-left": Tile(at, turn, 1)
    for n, (at, turn) in enumerate(
        [((-75.0, 35.0), 2.0), ((75.0, 35.0), -3.0), ((-75.0, -35.0), 0.0), ((75.0, -35.0), 4.0),
         ((0.0, 35.0), -1.0)], 1
    )
}  # fmt: skip
COURSE = Course(MappingProxyType(LAID), SIZES.tile_mm)
TILE = LAID["wicket-5-left"]


def seen(noise: float, east_mm: float = 0.0) -> Picture:
    """Draw tiles of the table's own grey with a cross and a border that are a little darker. The
    fifth tile lies `east_mm` to the right of its place.
    """
    x = (np.arange(WIDTH * FINER) + 0.5) / FINER - 0.5
    y = (np.arange(HEIGHT * FINER) + 0.5) / FINER - 0.5
    places = places_of(VIEW, x, y, SIZES.tile_thickness_mm)
    value = np.full((HEIGHT * FINER, WIDTH * FINER), 120.0)
    for tile in LAID.values():
        aside = east_mm if tile is TILE else 0.0
        turn = np.radians(tile.rotation_deg)
        off = places - np.array((tile.centre_mm[0] + aside, tile.centre_mm[1]))
        along = abs(np.cos(turn) * off[..., 0] + np.sin(turn) * off[..., 1])
        across = abs(np.cos(turn) * off[..., 1] - np.sin(turn) * off[..., 0])
        nearer, farther = np.minimum(along, across), np.maximum(along, across)
        half = SIZES.tile_mm / 2
        value[(farther < half - 2) & ((nearer < 1.0) | (farther > half - 4))] -= 10.0
    small = value.reshape(HEIGHT, FINER, WIDTH, FINER).mean(axis=(1, 3))
    return Picture(grey(small + np.random.default_rng(4).normal(0, noise, small.shape)))


@pytest.mark.parametrize(
    ("east_mm", "there"), [(0.0, True), (2.2, False), (6.0, False), (-9.0, False)]
)
def test_a_tile_that_cannot_be_measured_is_seen_at_its_place(east_mm: float, there: bool) -> None:
    face = common_face(seen(2.0), VIEW, COURSE, SIZES)
    assert face is not None
    noisy = seen(9.0, east_mm)
    assert measure_tile(noisy, VIEW, TILE, SIZES) is None
    assert lies_by_face(noisy, VIEW, TILE, SIZES, face) is there
