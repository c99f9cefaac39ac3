"""Which discs form a row: coins laid by hand are found, what lies between them is left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from calibration.pieces.even_row import Disc, longest_row

OFF = st.floats(-1.0, 1.0)


def row_of(count: int) -> list[Disc]:
    return [Disc(100.0 + 90 * k, 300.0 + 2 * k, 23.0) for k in range(count)]


@given(st.lists(st.tuples(OFF, OFF, OFF), min_size=4, max_size=10))
def test_coins_laid_by_hand_form_a_row(off: list[tuple[float, float, float]]) -> None:
    # every distance is within a fifth of 90 px, every circle within a tenth of its size
    coins = [
        Disc(d.x_px + 9 * x, d.y_px + 4 * y, d.radius_px * (1 + 0.1 * r))
        for d, (x, y, r) in zip(row_of(len(off)), off, strict=True)
    ]
    assert longest_row(coins[::-1]) == coins


@given(st.integers(0, 8), st.floats(0.5, 0.8), OFF)
def test_a_circle_between_two_coins_is_no_coin_of_the_row(
    after: int, share: float, up: float
) -> None:
    coins = row_of(10)
    between = Disc(100.0 + 90 * (after + share), 300.0 + 5 * up, 22.0)
    assert longest_row([between, *coins]) == coins


def test_coins_of_another_row_do_not_count() -> None:
    row, other = row_of(6), [Disc(100.0 + 61 * k, 480.0, 23.0) for k in range(5)]
    assert longest_row([*other, *row]) == row


def test_a_missed_coin_leaves_a_gap_in_the_row() -> None:
    coins = row_of(10)
    del coins[4]
    assert longest_row(coins) == coins


def test_where_no_two_discs_are_alike_there_is_no_row() -> None:
    assert longest_row([Disc(100.0, 300.0, 10.0), Disc(200.0, 300.0, 30.0)]) == []
