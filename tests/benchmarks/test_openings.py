"""Tests how coins and names at the opening are compared with the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.openings import Coins, answered, compared, errors_of
from referee.domain.episode import Rest


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


class Survey:
    """A table of which every place is known to 1.2 mm along either axis."""

    def sigma_mm(self, _at_mm: tuple[float, float]) -> float:
        return 1.2


def test_the_error_of_a_coin_is_held_against_its_own_and_the_surveys() -> None:
    lying = {"?1": Rest((3.0, 4.0), 0.9), "?2": Rest((100.0, 0.0), 0.9)}
    found = {number: np.array(rest.at_mm) for number, rest in lying.items()}
    off_mm, nes = errors_of(Survey(), lying, found, truth_of(moons=(0, 0)), near_mm=11.0)
    # 5 mm off; 0.9 and 1.2 are 1.5 together, along each of two axes
    assert off_mm == pytest.approx([5.0])
    assert nes == pytest.approx([25.0 / (2 * 1.5**2)])


def test_people_who_are_asked_say_which_coin_lies_there_or_that_none_does() -> None:
    found = {"?1": np.array([98.0, 1.0]), "?2": np.array([50.0, 0.0])}
    truth = truth_of(moons=(0, 0), suns=(100, 0))
    assert answered(found, truth, near_mm=11.0) == {"?1": "suns", "?2": "nobody"}
