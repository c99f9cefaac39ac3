"""Where a coin is between the stretches of its path."""

import pytest

from referee.domain.path import Held, Path, Run

FIRST = Run(1.0, 1.5, (0.0, 0.0), (1.0, 0.0), 200.0, 400.0, 0.2, 1.0, 5)  # stops after 50 mm
AGAIN = Run(3.0, 3.5, (80.0, 20.0), (0.0, 1.0), 200.0, 400.0, 0.2, 1.0, 5)
LAY, LIES = (0.0, 0.0), (80.0, 70.0)


@pytest.mark.parametrize(
    ("t_s", "at_mm"),
    [
        (0.5, LAY),
        (1.7, (50.0, 0.0)),
        (2.0, None),  # in the hand, and not seen
        (2.5, (80.0, 20.0)),  # put down, not yet flicked again
        (3.8, LIES),
    ],
)
def test_a_coin_that_a_hand_put_down_lies_where_it_is_flicked_from_next(t_s, at_mm):
    path = Path("suns", (FIRST, AGAIN), (), LAY, 0.2, LIES, 0.2, held=(Held(1.8, 2.2, True),))
    assert path.position_at(t_s) == (at_mm if at_mm is None else pytest.approx(at_mm))


def test_a_coin_that_a_hand_put_down_last_lies_there():
    path = Path("suns", (FIRST,), (), LAY, 0.2, LIES, 0.2, held=(Held(1.8, 2.2, True),))
    assert path.position_at(2.5) == LIES
