"""What the page is sent, as types: the committed schema, and every fixture in its topics."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from referee.desk.entry_by_hand import hand_topic
from referee.desk.feed import Feed
from referee.desk.followed_record import FollowedRecord, match_topic
from referee.desk.match_topics import record_topic, standing_topic
from referee.desk.messages import Answers, Requests
from referee.desk.page_topics.playing_area import ground_of
from referee.desk.page_topics.topics import Topics
from referee.domain.errors import InputError
from referee.library.archive import MatchFolder
from referee.record.reading import read_record
from referee.replay.adjudication import summary
from referee.replay.fold import fold
from tests.desk.whole_topics import evidence_of, irregularities_topic, rulings_topic
from tests.web_ui.followed import MATCHES
from web_ui import contract
from web_ui.pages import create_app

PAGE = Path(contract.__file__).parent
GAMES = sorted(path.name for path in MATCHES.iterdir() if path.is_dir())


def test_the_committed_schema_is_what_the_structs_give() -> None:
    """`python -m web_ui.contract > web_ui/types/contract.schema.json` updates it. `npm run types`
    in `web_ui` then updates the declarations generated from it.
    """
    committed = (PAGE / "types" / "contract.schema.json").read_text(encoding="utf-8")
    assert committed == contract.schema()


def test_the_server_answers_at_every_address_of_the_contract(tmp_path: Path, feed: Feed) -> None:
    """The server accepts what is sent at no other address."""
    desk = FollowedRecord(tmp_path / "r.jsonl", feed)
    rules = list(create_app(feed, MatchFolder(tmp_path), desk).url_map.iter_rules())
    asked, sent = (
        {field.encode_name for field in msgspec.structs.fields(kind)}
        for kind in (Answers, Requests)
    )
    routes = {str(rule).partition("/<")[0] for rule in rules}
    assert asked - {"problem"} <= routes
    assert sent == {str(rule) for rule in rules if "POST" in (rule.methods or ())}


@pytest.mark.parametrize("game", GAMES)
def test_every_match_fits_its_topics(game: str) -> None:
    """For each fixture whose record can be read, no game publishes anything undeclared."""
    for path in sorted((MATCHES / game).glob("*.jsonl")):
        with suppress(InputError):
            entries = read_record(path)
            sent = msgspec.json.encode(topics_of(path, entries))
            assert msgspec.json.encode(msgspec.json.decode(sent, type=Topics)) == sent, path


@pytest.mark.parametrize("game", GAMES)
def test_an_entry_adds_its_parts_behind_those_of_earlier_entries(game: str) -> None:
    """So that they can be sent without the rest. No whole game asks for an order or has a
    ruling.
    """
    path = min((MATCHES / game).glob("whole-game*.jsonl"))
    entries = read_record(path)
    states = [topics_of(path, entries[:count]) for count in range(1, len(entries) + 1)]
    for before, after in pairwise(states):
        for earlier, now in zip(parts_of(before), parts_of(after), strict=True):
            assert now[: len(earlier)] == earlier


def parts_of(topics: Topics) -> tuple[list[object], ...]:
    assert isinstance(topics.calls, list) and isinstance(topics.irregularities, list)
    assert isinstance(topics.evidence, dict)
    return [*topics.calls], [*topics.irregularities], [*topics.evidence.items()]


def topics_of(path: Path, entries: tuple[object, ...]) -> Topics:
    folded = fold(entries)  # type: ignore[arg-type]
    adjudication = summary(folded)
    return Topics(
        match=match_topic(folded.setup),
        table=ground_of(folded.setup),
        standing=standing_topic(adjudication),
        calls=list(adjudication.calls),
        irregularities=irregularities_topic(adjudication),
        evidence=evidence_of(folded.entries, {}),
        rulings=rulings_topic(folded),
        record=record_topic(path, folded),
        hand=hand_topic(folded),
    )


def test_no_line_of_the_pages_scripts_is_longer_than_100_columns() -> None:
    long = [
        f"{path.relative_to(PAGE)}:{number}"
        for path in sorted((PAGE / "static" / "js").rglob("*.js"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 100
    ]
    assert not long
