"""How much of the tiles' faces, with or without what is around them, tells best how they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from calibration.tiles import template_match
from referee.domain.layout import Tile
from referee.domain.pieces import PieceSizes
from tests.vision.drawn import looking

TILES = {f"tile-{k}": Tile((60.0 * k, 0.0), 0.0) for k in range(18)}
INNER, OUTER, WIDE = template_match._INNER, template_match._OUTER, template_match._WIDE


@pytest.mark.parametrize(
    ("alike", "width"),
    [
        ({INNER: 12, OUTER: 18, WIDE: 18}, INNER),  # most show a print
        ({INNER: 3, OUTER: 12, WIDE: 18}, OUTER),  # bleached
        ({INNER: 0, OUTER: 4, WIDE: 13}, WIDE),  # without print, and hardly darker than the table
        ({INNER: 0, OUTER: 4, WIDE: 2}, OUTER),  # the table beside them is uneven
    ],
)
def test_what_is_beside_the_tiles_counts_only_where_few_look_alike_without_it(
    alike: dict[float, int], width: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(*given: Any) -> dict[str, None]:
        return dict.fromkeys(list(TILES)[: alike.get(given[4], alike[INNER])])

    monkeypatch.setattr(template_match, "_alike", found)
    light = np.zeros((8, 8), np.float32)
    compared, laid = template_match._compared(light, looking(), TILES, PieceSizes())
    assert compared == width
    assert len(laid) == alike[width]
