"""While a record is folded, the collector of cycles waits: a fold makes none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.record.reading import read_record
from referee.replay.fold import fold

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
RECORDS = sorted(min((MATCHES / game).glob("*keep*.jsonl")) for game in ("carroms", "wickets-six"))


@pytest.fixture(params=[True, False])
def collecting(request: pytest.FixtureRequest) -> Iterator[bool]:
    """The collector runs, or does not, before a record is folded."""
    ran = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield bool(request.param)
    (gc.enable if ran else gc.disable)()


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_the_collector_is_as_it_was(record: Path, collecting: bool) -> None:
    fold(read_record(record))
    assert gc.isenabled() == collecting
    assert gc.get_freeze_count() == 0


def test_the_collector_is_as_it_was_after_a_record_with_two_setups(collecting: bool) -> None:
    setup, *_ = read_record(RECORDS[0])
    with pytest.raises(ValueError, match="one setup"):
        fold([setup, setup])
    assert gc.isenabled() == collecting


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_fold_leaves_no_cycles_behind(record: Path) -> None:
    entries = read_record(record)
    fold(entries)  # fills the caches
    gc.collect()
    gc.disable()
    try:
        fold(entries)
        assert gc.collect() < len(entries)  # less than one object an entry
    finally:
        gc.enable()
