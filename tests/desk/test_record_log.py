"""What pages are told of a growing record is what a record read at once comes to."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from referee.desk.entry_by_hand import hand_topic
from referee.desk.page_topics.table_state import opening_table, table_state
from referee.desk.record_log import RecordLog
from referee.domain.entry import Setup
from referee.domain.errors import InputError
from referee.record.reading import parse_record, read_record
from referee.replay.adjudication import summary
from referee.replay.fold import Fold
from tests.desk.whole_topics import evidence_of, irregularities_topic, rulings_topic
from tests.record.matches import setup, text_of

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
GAMES = sorted(path.name for path in MATCHES.iterdir() if path.is_dir())


@pytest.mark.parametrize("game", GAMES)
def test_an_entry_more_tells_the_same_as_a_record_read_at_once(game: str) -> None:
    """Also behind rulings, which change earlier entries, and in flicks in doubt."""
    for path in sorted((MATCHES / game).glob("*.jsonl"))[::4]:
        with suppress(InputError):
            first, *entries = read_record(path)
            assert isinstance(first, Setup)
            grown, log = Fold(first), RecordLog()
            for entry in entries:
                grown.push(entry)
                log.catch_up(grown, {})
                adjudication = summary(grown)
                assert log.evidence == evidence_of(grown.entries, {})
                assert log.rulings(grown) == rulings_topic(grown)
                assert log.irregularities(adjudication.irregularities) == irregularities_topic(
                    adjudication
                )
                assert log.table == table_state(grown.steps, opening_table(grown.setup))
                assert hand_topic(grown, log.table) == hand_topic(grown)


def test_what_has_not_changed_is_told_by_the_same_objects() -> None:
    said = ["rest moons 100 0 suns 200 50", "flick moons", "rest", "flick suns", "rest"]
    first, *entries = parse_record(text_of(setup(2), *said))
    assert isinstance(first, Setup)
    grown, log = Fold(first), RecordLog()
    for entry in entries[:-2]:
        grown.push(entry)
    before = dict(log.catch_up(grown, {}).evidence)
    for entry in entries[-2:]:
        grown.push(entry)
    after = log.catch_up(grown, {}).evidence
    assert before and all(after[name] is shown for name, shown in before.items())
