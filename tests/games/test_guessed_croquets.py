"""Castle Croquetnole's croquets (CC-14) guessed from what hands do after a knight hit its guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.domain.declaration import CastleCroquet
from referee.domain.entry import Player, Setup
from referee.domain.incident import AtRest, Contact, Flicked, Incident, LineCrossed, Placed
from referee.games.castle_croquetnole.guessing import with_croquets
from referee.replay.adjudication import summary
from referee.replay.fold import fold

COIN_MM = 20.0
GUARD_MM = (100.0, 0.0)
BEGUN: tuple[Any, ...] = (
    Setup(
        format="piecepack-match/1",
        game="castle-croquetnole",
        players=tuple(
            Player(name=name, coin=coin)
            for name, coin in (("Ann", "moons"), ("Ben", "suns"), ("Cy", "crowns"), ("Dee", "arms"))
        ),
        tile_mm=50.0,
        coin_mm=COIN_MM,
    ),
    AtRest(id="i0", coins={"moons": (30.0, -220.0), "ace": (-30.0, -220.0)}),
    Flicked(id="i1", coin="moons"),
    LineCrossed(id="i2", coin="ace", line="gate-moons", direction="out"),  # off duty now
    Contact(id="i3", coin="moons", with_="ace"),
    AtRest(id="i4", coins={"moons": (0.0, 0.0), "ace": GUARD_MM}),
)


def put(gap_mm: float, **more: Any) -> Placed:
    """Return that a hand puts the knight so far from its guard, from rim to rim."""
    at_mm = (GUARD_MM[0] - COIN_MM - gap_mm, 0.0)
    return Placed(coin="moons", at_mm=at_mm, t_s=5.0, sigma_mm=0.3, **more)


GUARD_ALONE = Flicked(coin="ace", touching=("moons",), t_s=7.0)
KNIGHT = Flicked(coin="moons", touching=("ace",), t_s=7.0)


def seen(*incidents: Incident, before: Sequence[Any] = (), guessed: bool = False) -> list[Any]:
    folded = fold([*BEGUN, *before])
    return with_croquets(folded.steps[-1].state, incidents, guessed=guessed)


def options(found: Sequence[Any]) -> list[int]:
    assert all(entry.guessed for entry in found if isinstance(entry, CastleCroquet))
    return [entry.option for entry in found if isinstance(entry, CastleCroquet)]


@pytest.mark.parametrize(
    ("gap_mm", "option"),
    # Touching is a gap of up to a tenth of a coin, a coin width allows ten percent more.
    [(0.0, [3]), (2.0, [3]), (8.0, [2]), (21.0, [2]), (40.0, [])],
)
def test_where_a_hand_puts_the_knight_shows_the_croquet(gap_mm: float, option: list[int]) -> None:
    found = seen(put(gap_mm))
    assert options(found) == option
    assert found[-1] == put(gap_mm)
    if option:
        assert (found[0].player, found[0].t_s) == ("Ann", 4.999999)


def test_a_guess_makes_the_placement_a_right_one() -> None:
    assert summary(fold([*BEGUN, put(8.0)])).irregularities[-1:] != ()
    told = summary(fold([*BEGUN, *seen(put(8.0))]))
    assert [odd.what for odd in told.irregularities] == [
        odd.what for odd in summary(fold(BEGUN)).irregularities
    ]
    assert told.turn["options"]["declared"] == 2


@pytest.mark.parametrize(
    "incidents",
    [
        (put(0.0, probability=0.8),),  # whether it was put there is asked about first
        (Placed(coin="ace", at_mm=(20.0, 0.0), t_s=5.0),),
        (Placed(coin="moons", at_mm=None, t_s=5.0),),
        (Flicked(coin="moons", t_s=5.0),),
    ],
)
def test_what_shows_no_croquet_is_left_as_it_is(incidents: tuple[Incident, ...]) -> None:
    assert seen(*incidents) == list(incidents)


def test_a_guard_flicked_away_beside_its_held_knight_is_a_tight_croquet() -> None:
    loose = seen(put(0.5))
    found = seen(GUARD_ALONE, before=loose, guessed=True)
    assert options(found) == [4]
    assert (found[-1].coin, found[-1].touching, found[-1].probability) == ("moons", ("ace",), None)
    told = summary(fold([*BEGUN, *loose, *found, AtRest(coins={"moons": (79.5, 0.0)}, t_s=8.0)]))
    assert (told.questions, told.turn["flicks_left"]) == ((), 1)  # of two flicks, one is left


def test_put_and_flicked_in_one_go_shows_the_same() -> None:
    found = seen(put(0.5), GUARD_ALONE, AtRest(coins={}, t_s=9.0))
    assert options(found) == [3, 4]
    assert [type(e).__name__ for e in found] == [
        "CastleCroquet",
        "Placed",
        "CastleCroquet",
        "Flicked",
        "AtRest",
    ]
    assert found[3].coin == "moons"


def test_a_knight_that_goes_with_its_guard_stays_a_loose_croquet() -> None:
    assert seen(KNIGHT, before=seen(put(0.5)), guessed=True) == [KNIGHT]


@pytest.mark.parametrize("option", [1, 2, 3, 5])
def test_what_does_not_fit_what_was_said_is_asked_about(option: Any) -> None:
    said = CastleCroquet(option=option, id="d1")
    (flick,) = seen(GUARD_ALONE, before=[said])
    assert (flick.coin, flick.probability) == ("ace", 0.5)


def test_a_tight_croquet_that_was_said_needs_no_guess() -> None:
    said = CastleCroquet(option=4, id="d1")
    assert [f.coin for f in seen(GUARD_ALONE, before=[said])] == ["moons"]
    assert options(seen(put(8.0), before=[said])) == []


def test_without_a_hit_of_the_own_guard_nothing_is_guessed() -> None:
    before = fold(BEGUN[:2]).steps[-1].state
    assert with_croquets(before, [put(0.0), GUARD_ALONE], guessed=False) == [put(0.0), GUARD_ALONE]
