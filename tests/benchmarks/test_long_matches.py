"""The long matches that the benchmark folds have the stated size and kind, and never get stuck."""

from __future__ import annotations

from typing import get_args

import pytest

from benchmarks.long_matches import GAMES, How, long_match
from referee.domain.entry import Ruling
from referee.replay.adjudication import adjudicate


@pytest.mark.parametrize("how", get_args(How))
@pytest.mark.parametrize("game", GAMES)
def test_a_long_match_goes_on_and_is_what_it_says(game: str, how: How) -> None:
    entries = long_match(game, 400, how)
    outcome = adjudicate(entries)
    rulings = sum(isinstance(entry, Ruling) for entry in entries)
    fouls = len(outcome.irregularities) + sum(call.call == "penalty" for call in outcome.calls)
    assert (len(entries), outcome.status) == (400, "in_progress")
    assert (rulings > 35) == (how == "rulings")
    assert fouls > 50 or how != "fouls"
