"""Which rim is meant where people point at a coin."""

from __future__ import annotations

import pytest

from referee.domain.geometry import Point
from referee.vision.coins.inventory import plainest_rim
from referee.vision.coins.rim_fit import RimFit

COIN_MM = 22.0


def rim(x_mm: float, support: float) -> RimFit:
    return RimFit((x_mm, 0.0), 0.3, support)


REGIONS = RimFit((3.0, 0.0), 0.6, 0.7, by_regions=True)


@pytest.mark.parametrize(
    ("rims", "taken", "meant"),
    [
        pytest.param([rim(3.0, 0.6), rim(26.0, 0.7)], [], 3.0, id="around the place, though faint"),
        pytest.param([rim(3.0, 0.6), rim(8.0, 0.7)], [], 8.0, id="both around it: the plainer one"),
        pytest.param([rim(20.0, 0.95), None], [], 20.0, id="a plain one beside it"),
        pytest.param([rim(20.0, 0.6), None], [], None, id="beside it, perhaps a pattern"),
        pytest.param([REGIONS, rim(20.0, 0.95)], [], 20.0, id="a plain rim, though regions fit"),
        pytest.param([REGIONS, rim(20.0, 0.6)], [], 3.0, id="regions without a plain rim"),
        pytest.param([REGIONS, rim(4.0, 0.6)], [], 4.0, id="a rim around it, though regions fit"),
        pytest.param([rim(3.0, 0.6)], [(4.0, 0.0)], None, id="a coin that is known already"),
    ],
)
def test_people_point_into_a_coin(
    rims: list[RimFit | None], taken: list[Point], meant: float | None
) -> None:
    found = plainest_rim(rims, (0.0, 0.0), taken, COIN_MM)
    assert (None if found is None else found.at_mm[0]) == meant


@pytest.mark.parametrize(("x_mm", "meant"), [(9.0, 9.0), (13.0, None)])
def test_in_a_rack_a_rim_belongs_to_the_closest_place_at_which_people_pointed(
    x_mm: float, meant: float | None
) -> None:
    found = plainest_rim([rim(x_mm, 0.95)], (0.0, 0.0), [], COIN_MM, [(COIN_MM, 0.0)])
    assert (None if found is None else found.at_mm[0]) == meant


def test_a_coin_that_touches_a_known_one_counts_although_it_is_measured_a_little_too_close() -> (
    None
):
    found = plainest_rim([rim(0.3, 0.95)], (0.0, 0.0), [(COIN_MM - 0.1, 0.0)], COIN_MM)
    assert found is not None
