"""A hand that was at a coin before it set off has flicked it; what is there later may be coins."""

from __future__ import annotations

import pytest

from referee.detectors.coin_motion.hand_near import hand_at, hand_before
from referee.detectors.hands.flick import flicks
from referee.detectors.hands.hidden_move import hidden_neighbour
from referee.domain.path import Held
from tests.detectors.scenes import episode, path, run, sure


@pytest.mark.parametrize(
    ("begin_s", "end_s", "at", "before"),
    [
        (0.40, 0.60, True, True),
        (0.51, 0.60, True, False),  # only afterwards
        (0.10, 0.30, False, False),  # more than 0.15 s earlier
        (0.70, 0.90, False, False),
    ],
)
def test_whether_a_hand_was_there_when_a_coin_set_off(
    begin_s: float, end_s: float, at: bool, before: bool
) -> None:
    scene = episode(path("moons", rest=(0.0, 0.0)), hands={"moons": (begin_s, end_s)})
    assert hand_at(scene, "moons", 0.5) == at
    assert hand_before(scene, "moons", 0.5) == before


@pytest.mark.parametrize(("hand_s", "certain"), [((0.40, 0.60), True), ((0.51, 0.60), False)])
def test_a_coin_at_which_no_hand_was_before_may_have_been_hit_by_a_coin_that_nobody_saw(
    hand_s: tuple[float, float], certain: bool
) -> None:
    """The other coin was hidden 400 mm away 0.2 s before, and is seen beside this one 20 ms later:
    2 m/s, as fast as a flick.
    """
    coin = path("moons", run(0.5, (0.0, 0.0), (-500.0, 0.0)))
    other = path(
        "suns",
        run(0.52, (25.0, 0.0), (-100.0, 300.0)),
        rest=(400.0, 0.0),
        held=(Held(0.3, 0.52, True, 0.0),),
    )
    scene = episode(coin, other, hands={"moons": hand_s, "suns": (0.1, 0.3)})
    (flick,) = [f for f in flicks(scene, (coin, other)) if f.coin == "moons"]
    assert sure(flick) == certain
    assert hidden_neighbour(scene, (coin, other), coin, 0.5) is (None if certain else other)
