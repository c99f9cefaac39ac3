"""The sizes of sets, and of discs that are no set."""

from __future__ import annotations

from referee.domain.pieces import DiscSizes, PieceSizes

DISCS = DiscSizes(coin_mm=20.0, widths_mm=(("A", 18.0), ("B", 44.0)))


def test_discs_of_different_widths_touch_where_their_rims_meet():
    assert DISCS.reach_mm("A", "B") == 31.0
    assert DISCS.reach_mm("A", "new") == 19.0  # a disc whose width is not known has the usual one
    assert DISCS.span_mm == (18.0, 44.0) and not DISCS.is_set


def test_a_disc_has_its_own_width_under_its_new_name():
    named = DISCS.renamed({"A": "C"})
    assert named.width_mm("C") == 18.0 and named.width_mm("A") == 20.0
    assert named.of("B").coin_mm == 44.0 and named.of("B").widths_mm == ()


def test_coins_of_a_set_are_equally_wide():
    sizes = PieceSizes(coin_mm=22.0)
    assert sizes.reach_mm("moons", "suns") == 22.0 and sizes.of("suns") is sizes
    assert sizes.span_mm == (22.0, 22.0) and sizes.is_set
