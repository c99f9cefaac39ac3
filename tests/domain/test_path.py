"""Where a coin is between the stretches of its path."""

import pytest

from referee.domain.path import Held, Path, Run

FIRST = Run(1.0, 1.5, (0.0, 0.0), (1.0, 0.0), 200.0, 400.0, 0.2, 1.0, 5)  # stops after 50 mm
AGAIN = Run(3.0, 3.5, (80.0, 20.0), (0.0, 1.0), 200.0, 400.0, 0.9, 1.0, 5)
BOUNCED = Run(3.5, 3.6, (80.0, 70.0), (1.0, 0.0), 10.0, 400.0, 0.7, 1.0, 2)
LAY, LIES = (0.0, 0.0), (80.0, 70.0)


@pytest.mark.parametrize(
    ("t_s", "at_mm"),
    [
        (0.5, LAY),
        (1.7, (50.0, 0.0)),
        (2.0, None),  # in the hand, and not seen
        (2.5, (80.0, 20.0)),  # put down, not yet flicked again
        (3.25, (80.0, 57.5)),  # 200 mm/s less 400 mm/s per second, for a quarter of a second
    ],
)
def test_a_coin_that_a_hand_put_down_lies_where_it_is_flicked_from_next(t_s, at_mm):
    held = (Held(1.8, 2.2, True),)
    path = Path("suns", (FIRST, AGAIN, BOUNCED), (), LAY, 0.1, LIES, 0.3, held=held)
    assert path.position_at(t_s) == (at_mm if at_mm is None else pytest.approx(at_mm))


def test_a_coin_that_a_hand_put_down_last_lies_there():
    path = Path("suns", (FIRST,), (), LAY, 0.1, LIES, 0.3, held=(Held(1.8, 2.2, True),))
    assert (path.position_at(2.5), path.sigma_at(2.5)) == (LIES, 0.3)


@pytest.mark.parametrize(("runs", "sigma_mm"), [((), 0.1), ((FIRST,), 0.1), ((FIRST, AGAIN), 0.1)])
def test_before_anything_happens_the_sigma_is_that_of_the_first_rest(runs, sigma_mm):
    path = Path("suns", runs, (), LAY, 0.1, LIES, 0.3, held=(Held(1.8, 2.2, True),))
    assert path.sigma_at(0.5) == sigma_mm


def test_the_sigma_of_a_coin_that_was_put_down_is_that_of_its_next_run_as_it_begins():
    path = Path("suns", (FIRST, AGAIN), (), LAY, 0.1, LIES, 0.3, held=(Held(1.8, 2.2, True),))
    assert path.sigma_at(2.5) == path.sigma_at(2.9) == AGAIN.sigma_at(3.0) > 0.9
