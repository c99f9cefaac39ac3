"""A pattern of the table that looks like discs in many places is not taken for discs."""

from __future__ import annotations

import pytest

from calibration.discs import disc_search
from calibration.discs.found_disc import FoundDisc


@pytest.mark.parametrize(
    ("plain", "partly_seen", "found"),
    [
        pytest.param(4, 12, 4, id="a chequered cloth"),
        pytest.param(3, 2, 5, id="rims partly hidden"),
        pytest.param(0, 1, 1, id="a single disc"),
        pytest.param(0, 9, 0, id="a cloth without discs"),
    ],
)
def test_rims_that_are_partly_seen_count_where_they_are_few(plain, partly_seen, found, monkeypatch):
    supports = [0.9] * plain + [0.6] * partly_seen
    likely = [(20.0, (50.0 * k, 50.0), 30.0) for k in range(len(supports))]
    monkeypatch.setattr(disc_search, "_likely", lambda _bgr: likely)
    monkeypatch.setattr(
        disc_search,
        "_with_rim",
        lambda _bgr, middle, width, odds: FoundDisc.of(
            middle, (width, width), 0.0, odds, supports[round(middle[0] / 50)]
        ),
    )
    assert len(disc_search.find_discs(None)) == found
