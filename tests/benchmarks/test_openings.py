"""Tests how coins and names at the opening are compared with the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.openings import Coins, compared


def truth_of(**places_mm: tuple[float, float]) -> dict[str, Any]:
    coins = {coin: {"mm": list(at), "state": "rest"} for coin, at in places_mm.items()}
    coins["ace"] = {"mm": [0.0, 0.0], "state": "off_table"}
    return {"frames": [{"coins": coins}]}


@pytest.mark.parametrize(
    ("places", "names", "expected"),
    [
        pytest.param(
            {"?1": (0, 3), "?2": (100, 0)},
            {"?1": "moons", "?2": "suns"},
            Coins(2, 0, 0, 2, 0, 0),
            id="both coins are found and named",
        ),
        pytest.param(
            {"?1": (0, 3), "?2": (100, 0)},
            {"?1": "suns", "?2": "?"},
            Coins(2, 0, 0, 0, 1, 1, "moons named suns"),
            id="one name is wrong and one is asked about",
        ),
        pytest.param(
            {"?1": (0, 12), "?2": (100, 0)},
            {"?1": "moons", "?2": "suns"},
            Coins(1, 1, 1, 1, 0, 1, "moons not found; moons where no coin is"),
            id="what lies more than half a coin away is another thing",
        ),
        pytest.param(
            {"?1": (0, 0), "?2": (100, 0), "?3": (200, 0)},
            {"?1": "moons", "?2": "suns", "?3": "nobody"},
            Coins(2, 0, 1, 2, 0, 0),
            id="what is invented and belongs to nobody has no wrong name",
        ),
        pytest.param(
            {}, {}, Coins(0, 2, 0, 0, 0, 0, "moons not found; suns not found"), id="nothing is seen"
        ),
    ],
)
def test_coins_are_compared_with_the_truth(
    places: dict[str, tuple[float, float]], names: dict[str, str], expected: Coins
) -> None:
    truth = truth_of(moons=(0, 0), suns=(100, 0))
    found = {number: np.array(at, dtype=float) for number, at in places.items()}
    assert compared(found, names, truth, near_mm=11.0) == expected
