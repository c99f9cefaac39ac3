"""The rough cut of one coin's sightings into slides, stands and stray sightings."""

import numpy as np
import pytest

from referee.domain.episode import Rest
from referee.tracking.trajectory.hypotheses.runs import Kind, Seen, Sums, cut, fit_slide
from tests.tracking.slides import SLOWING, Leg


def seen_along(*places: tuple[float, float], sigma: float = 0.5, fps: float = 60.0) -> Seen:
    rng = np.random.default_rng(3)
    xy = np.array(places) + rng.normal(0, sigma, (len(places), 2))
    count = len(places)
    sigmas = np.full(count, sigma)
    return Seen(np.arange(count) / fps, xy, sigmas, np.zeros(count), np.zeros(count, dtype=bool))


def slide(
    count: int, at: tuple[float, float], velocity: tuple[float, float]
) -> list[tuple[float, float]]:
    leg = Leg(0.0, at, velocity)
    return [leg.place(k / 60) for k in range(count)]


def kinds(
    seen: Seen, before: Rest | None = None, after: Rest | None = None
) -> list[tuple[Kind, int]]:
    return [(s.kind, s.size) for s in cut(seen, Sums(seen), before, after, SLOWING)[1]]


def test_a_slide_is_one_stretch():
    assert kinds(seen_along(*slide(12, (0, 0), (900, 200)))) == [(Kind.SLIDE, 12)]


def test_a_coin_that_lies_slides_and_lies_again():
    way = slide(40, (0, 0), (800, 0))
    seen = seen_along(*[(0.0, 0.0)] * 6, *way)
    before, after = Rest((0.0, 0.0), 0.1), Rest((160.0, 0.0), 0.1)
    found = kinds(seen, before, after)
    assert [k for k, _ in found] == [Kind.BEFORE, Kind.SLIDE, Kind.AFTER]
    assert found[0][1] == pytest.approx(6, abs=1)
    assert found[1][1] == pytest.approx(24, abs=2)


@pytest.mark.parametrize("turn", [(500.0, 500.0), (-700.0, 0.0), (320.0, 0.0)])
def test_a_change_of_velocity_cuts_there(turn):
    first = slide(8, (0, 0), (900, 0))
    seen = seen_along(*first, *slide(8, (first[-1][0] + 12.0, 0.0), turn))
    assert kinds(seen) == [(Kind.SLIDE, 8), (Kind.SLIDE, 8)]


def test_a_lone_wild_sighting_is_a_stray():
    way = slide(12, (0, 0), (900, 0))
    way[5] = (way[5][0], 60.0)
    assert (Kind.STRAY, 1) in kinds(seen_along(*way))


def test_the_fit_of_a_slide_gives_back_place_and_velocity():
    fitted = fit_slide(seen_along(*slide(15, (5, 7), (600, -300)), sigma=0.01), SLOWING)
    assert fitted.at_mm == pytest.approx([5, 7], abs=0.05)
    assert fitted.velocity_mm_s == pytest.approx([600, -300], abs=2.0)
    assert fitted.misfit < 1.0
