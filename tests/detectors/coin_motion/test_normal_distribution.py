"""Shares of a normal distribution."""

import pytest

from referee.detectors.coin_motion.normal_distribution import normal_share, share_between


@pytest.mark.parametrize(
    ("sigmas", "share"), [(0.0, 0.5), (1.0, 0.8413), (-1.0, 0.1587), (2.0, 0.9772), (-3.0, 0.0013)]
)
def test_normal_shares_are_those_of_the_table(sigmas, share):
    assert normal_share(sigmas) == pytest.approx(share, abs=5e-5)


@pytest.mark.parametrize(
    ("low", "high", "mean", "sigma", "share"),
    [(-1.0, 1.0, 0.0, 1.0, 0.6827), (4.0, 6.0, 2.0, 2.0, 0.1359), (-4.0, 0.0, 0.0, 2.0, 0.4772)],
)
def test_the_share_between_two_values_is_that_of_the_table(low, high, mean, sigma, share):
    assert share_between(low, high, mean, sigma) == pytest.approx(share, abs=5e-5)
