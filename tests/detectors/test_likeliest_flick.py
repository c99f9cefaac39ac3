"""One hand flicks one coin: people are asked about the likeliest of those that set off together."""

from __future__ import annotations

import pytest

from referee.detectors.likeliest_flick import likeliest_flicks
from referee.domain.incident import Flicked, Placed, Unseen
from referee.domain.path import Path
from tests.detectors.scenes import path, run

NOBODY_SAW = Unseen(pieces=("a", "b", "striker"), from_s=0.9, to_s=1.2, t_s=1.0)


def flick(coin: str, t_s: float, probability: float | None = 0.5) -> Flicked:
    return Flicked(coin=coin, touching=(), t_s=t_s, probability=probability)


def seen(coin: str) -> Path:
    return path(coin, run(1.0, (0.0, 0.0), (800.0, 0.0)))


def hidden(coin: str) -> Path:
    return Path(coin, (), (), (0.0, 0.0), 0.1, (9.0, 0.0), 0.1)


def asked(*incidents: Flicked | Unseen, paths: tuple[Path, ...] = ()) -> list[str]:
    left = likeliest_flicks(incidents, paths or (seen("a"), seen("b"), seen("striker")))
    flicks = [i for i in left if isinstance(i, Flicked)]
    return [i.coin for i in sorted(flicks, key=lambda flick: flick.t_s or 0.0)]


def test_of_two_flicks_of_one_hand_the_more_probable_one_is_asked_about() -> None:
    assert asked(flick("a", 1.0), flick("b", 1.05, 0.8), NOBODY_SAW) == ["b"]


def test_so_soon_after_a_sure_flick_no_hand_flicks_another_coin() -> None:
    assert asked(flick("a", 1.0, None), flick("b", 1.05), NOBODY_SAW) == ["a"]


def test_in_carroms_the_striker_is_flicked_though_it_seems_to_set_off_last() -> None:
    assert asked(flick("a", 1.0), flick("b", 1.02), flick("striker", 1.1), NOBODY_SAW) == [
        "striker"
    ]


def test_a_coin_that_was_seen_sliding_comes_before_one_that_a_hand_hid() -> None:
    paths = (hidden("a"), seen("b"))
    assert asked(flick("a", 1.0), flick("b", 1.02), NOBODY_SAW, paths=paths) == ["b"]


def test_among_equals_the_first_one_is_asked_about() -> None:
    assert asked(flick("b", 1.02), flick("a", 1.0), NOBODY_SAW) == ["a"]


@pytest.mark.parametrize(("later_s", "pieces"), [(1.2, ("a", "b")), (1.05, ("a", "striker"))])
def test_flicks_of_two_hands_and_of_coins_that_have_nothing_to_do_with_each_other_stay(
    later_s: float, pieces: tuple[str, ...]
) -> None:
    unseen = Unseen(pieces=pieces, from_s=0.9, to_s=1.3, t_s=1.0)
    assert asked(flick("a", 1.0), flick("b", later_s), unseen) == ["a", "b"]


def test_a_flick_stays_if_the_likelier_one_just_after_it_was_no_flick_either() -> None:
    """b is dropped because of the striker, so it is no reason to drop a."""
    flicks = (flick("a", 1.0), flick("b", 1.1, 0.8), flick("striker", 1.2, None))
    pairs = [
        Unseen(pieces=pieces, from_s=0.9, to_s=1.3, t_s=1.0)
        for pieces in (("a", "b"), ("b", "striker"))
    ]
    assert asked(*flicks, *pairs) == ["a", "striker"]


def test_coins_that_were_unseen_together_at_another_time_are_not_of_one_hand() -> None:
    later = Unseen(pieces=("a", "b"), from_s=2.0, to_s=2.4, t_s=2.0)
    assert asked(flick("a", 1.0), flick("b", 1.05), later) == ["a", "b"]


def test_the_flick_that_is_asked_about_begins_as_early_as_those_that_it_stands_for() -> None:
    """Otherwise what the other coins did would come before any flick, and belong to none."""
    paths = (seen("a"), seen("striker"))
    left = likeliest_flicks((flick("a", 1.0), flick("striker", 1.1), NOBODY_SAW), paths)
    (one,) = (i for i in left if isinstance(i, Flicked))
    assert (one.coin, one.t_s) == ("striker", 1.0)


def test_in_carroms_the_striker_is_asked_about_though_another_flick_seems_likelier() -> None:
    assert asked(flick("a", 1.0, 0.8), flick("striker", 1.09), NOBODY_SAW) == ["striker"]


def test_two_sure_flicks_both_stay() -> None:
    assert asked(flick("a", 1.0, None), flick("b", 1.05, None), NOBODY_SAW) == ["a", "b"]


@pytest.mark.parametrize(
    ("coin", "t_s", "probability", "stays"),
    [
        ("a", 1.2, 0.4, False),
        ("a", 1.2, None, True),
        ("a", 2.4, 0.4, True),
        ("b", 1.2, 0.4, True),
        ("c", 1.2, 0.4, True),
    ],
)
def test_a_coin_whose_flick_is_left_out_is_not_asked_to_have_been_put_down_instead(
    coin: str, t_s: float, probability: float | None, stays: bool
) -> None:
    """A hand that surely put it down, that did so later, or that put down another coin, stays."""
    put_down = Placed(coin=coin, at_mm=(0.0, 0.0), t_s=t_s, probability=probability)
    later = Unseen(pieces=("a", "c"), from_s=1.0, to_s=6.0, t_s=1.0)  # not of this hand
    incidents = (flick("a", 1.0), flick("b", 1.05, 0.8), NOBODY_SAW, later, put_down)
    left = likeliest_flicks(incidents, (seen("a"), seen("b")))
    assert (put_down in left) is stays
    assert [i.coin for i in left if isinstance(i, Flicked)] == ["b"]


def test_that_a_hand_perhaps_took_the_coin_off_the_table_stays() -> None:
    """Otherwise the coin would be lost."""
    taken = Placed(coin="a", at_mm=None, t_s=1.1, probability=0.6)
    incidents = (flick("a", 1.0, 0.3), flick("b", 1.05), NOBODY_SAW, taken)
    assert taken in likeliest_flicks(incidents, (seen("a"), seen("b")))
