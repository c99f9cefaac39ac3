"""Which discs make a region of changes larger without making it a hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from referee.domain.frame_observation import Disc
from referee.vision.coins.laid_coins import rects_away
from referee.vision.image.projection_cache import ProjectionCache
from tests.vision.drawn import HEIGHT, RADIUS_MM, SIZES, WIDTH, looking


@pytest.mark.parametrize(
    ("beside_hand", "still", "away", "counts"),
    [
        (False, False, True, True),
        (True, False, True, False),  # it may be a part of the hand
        (True, True, True, True),  # coins that stopped beside each other look like one hand
        (False, True, False, False),  # there, a coin that lay there is counted already
    ],
)
def test_a_disc_counts_that_lies_still_or_clear_of_hands_where_no_coin_lay(
    beside_hand: bool, still: bool, away: bool, counts: bool
) -> None:
    seen = ProjectionCache(looking(0.0), SIZES.coin_thickness_mm, 2, WIDTH, HEIGHT)
    template: Any = SimpleNamespace(widths_away=lambda _: 1.5 if away else 0.5)
    disc = Disc((10.0, 20.0), 0.4, 0.9, False, beside_hand, None, still)
    rects = rects_away([disc], {"suns": template}, seen, RADIUS_MM)
    assert rects == ((seen.at(disc.at_mm).rect(RADIUS_MM),) if counts else ())
