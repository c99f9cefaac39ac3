"""What every game's fold promises for random play, legal or not, with rulings and without."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games import promises, random_records
from tests.games.random_records import ADDED, RECORDS, UNRULED

CHECKS = promises.checks(60)


@pytest.mark.parametrize("game", RECORDS)
@promises.checks(80)
@given(data=st.data())
def test_whatever_is_played_every_promise_is_kept(game: str, data: st.DataObject) -> None:
    lines = data.draw(RECORDS[game])
    promises.folds_again_to_the_same(lines)
    promises.written_and_read_again_is_the_same(lines)
    promises.one_entry_at_a_time_comes_to_the_same(lines)
    promises.reading_anew_from_the_setup_comes_to_the_same(lines)
    promises.flicks_are_never_negative(lines)
    promises.progress_only_grows_but_where_a_rule_takes_it_back(lines)
    promises.pieces_are_conserved(lines)
    promises.overturning_an_overturn_restores(lines, data)
    promises.every_entry_can_be_explained(lines, data)


@pytest.mark.parametrize("game", UNRULED)
@CHECKS
@given(data=st.data())
def test_what_was_overturned_is_as_if_it_had_never_been(game: str, data: st.DataObject) -> None:
    promises.what_was_overturned_is_as_if_it_had_never_been(data.draw(UNRULED[game]), data)


@pytest.mark.parametrize("game", ADDED)
@CHECKS
@given(data=st.data())
def test_what_was_added_is_as_if_it_had_been_seen(game: str, data: st.DataObject) -> None:
    promises.what_was_added_is_as_if_it_had_been_seen(
        data.draw(UNRULED[game]), data.draw(ADDED[game]), data
    )


@pytest.mark.parametrize("game", random_records.LEGAL)
@CHECKS
@given(data=st.data())
def test_with_keep_every_pawn_stays(game: str, data: st.DataObject) -> None:
    promises.with_keep_every_pawn_stays(
        data.draw(random_records.LEGAL[game]), ("rolled", "shot"), random_records.OUT, data
    )
