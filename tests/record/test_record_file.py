"""Records on disk: ids, order of lines, what is written at once, and what remains after a cut."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from referee.domain.entry import Ruling, Setup
from referee.domain.errors import InputError
from referee.domain.incident import (
    AtRest,
    CoinFlipped,
    CoinTurned,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Moved,
    Placed,
    Pocketed,
    Renamed,
    Rolled,
    Surveyed,
    TileDisplaced,
    TilePlace,
    TileRestored,
    Unseen,
)
from referee.record.reading import line_of, parse_record, read_record, recover_record
from referee.record.record_file import RecordFile
from tests.record.matches import entries, setup, text_of


def new_setup() -> Setup:
    first = entries(setup(2))[0]
    assert isinstance(first, Setup)
    return first


def test_missing_ids_are_the_number_of_the_line() -> None:
    rows = [
        setup(2),
        {"entry": "incident", "kind": "flicked", "coin": "moons"},
        {"entry": "incident", "kind": "at_rest", "coins": {}, "id": "rest"},
    ]
    text = "\n\n".join(json.dumps(row) for row in rows)
    read = parse_record(text.encode())
    assert [getattr(entry, "id", None) for entry in read] == [None, "#3", "rest"]


def test_numbers_are_in_words_of_coins_too() -> None:
    read = entries(setup(8), "flick 2 null", "rest 2 1 2")
    assert read[1] == Flicked(id="i1", coin="2", touching=("null",))
    assert read[2] == AtRest(id="i2", coins={"2": (1.0, 2.0)})


def test_until_and_tiles_may_be_named_before_they_stand_there() -> None:
    assert (
        len(entries(setup(2), "rename moons suns until=i3", "hit moons old-box", "push old-box"))
        == 4
    )


def test_ids_of_added_entries_may_be_ruled_on() -> None:
    read = entries(
        setup(2),
        "flick moons",
        "added i1 cross moons 1 out",
        "overturned r1+",
        "added i1 cross moons 1 out id:mine",
        "upheld mine",
    )
    assert [entry.on for entry in read if isinstance(entry, Ruling)] == [None, "r1+", None, "mine"]


def test_each_entry_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    record = RecordFile.create(path, new_setup())
    assert len(read_record(path)) == 1
    assert record.append(Flicked(coin="moons"))[0].id == "#2"
    assert len(read_record(path)) == 2
    assert (
        record.append(LineCrossed(coin="moons", line="wicket-1", direction="outward", id="i7"))[
            0
        ].id
        == "i7"
    )
    assert [getattr(entry, "id", None) for entry in read_record(path)] == [None, "#2", "i7"]
    record.close()


LIES = TilePlace(centre_mm=(0.0, 0.0), rotation_deg=0.0)
MOVED = {
    "tile": "wicket-1-left",
    "moved_mm": 2.0,
    "turned_deg": 0.0,
    "by": "coin",
    "from_": LIES,
    "to": LIES,
}


@pytest.mark.parametrize(
    ("incident", "fields"),
    [
        (Flicked(coin="moons"), "coin touching"),
        (Flicked(coin="moons", touching=("suns",)), "coin touching"),
        (LineCrossed(coin="moons", line="wicket-1", direction="outward"), "coin line direction"),
        (Contact(coin="moons", with_="suns"), "coin with"),
        (LeftTable(coin="moons", at_mm=(0.0, 0.0)), "coin at_mm"),
        (Pocketed(coin="moons", pocket="pocket-ne"), "coin pocket"),
        (TileDisplaced(**MOVED), "tile moved_mm turned_deg by from to"),
        (TileRestored(**MOVED), "tile moved_mm turned_deg by from to"),
        (AtRest(coins={}), "coins"),
        (Placed(coin="moons", at_mm=None), "coin at_mm"),
        (Rolled(die="die-1", face=1), "die face"),
        (Moved(pawn="black", from_=None, to=None), "pawn from to"),
        (CoinFlipped(coin="moons-5"), "coin"),
        (CoinTurned(coin="moons", angle_deg=0.0), "coin angle_deg"),
        (Unseen(pieces=(), from_s=0.0, to_s=0.0), "pieces from_s to_s"),
        (Renamed(coins={}), "coins"),
        (Surveyed(), ""),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_what_every_incident_of_a_kind_has_is_written_also_where_it_is_nothing(
    incident: Incident, fields: str
) -> None:
    assert set(json.loads(line_of(incident))) == {"entry", "kind", *fields.split()}


def test_a_setup_says_its_options_also_where_none_are_given() -> None:
    assert json.loads(line_of(msgspec.structs.replace(new_setup(), options={})))["options"] == {}


def test_a_flick_without_the_coins_it_touched_is_read_as_touching_none(tmp_path: Path) -> None:
    read = parse_record(
        b"\n".join(
            [
                line_of(new_setup()).strip(),
                b'{"entry": "incident", "kind": "flicked", "coin": "moons"}',
            ]
        )
    )
    assert read[1] == Flicked(coin="moons", id="#2", touching=())


def test_what_cannot_stand_in_the_record_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    record = RecordFile.create(path, new_setup())
    before = path.read_bytes()
    with pytest.raises(InputError, match="line 2: on: there is no entry 'i9'"):
        record.append(Ruling(on="i9", verdict="overturned"))
    with pytest.raises(InputError, match="line 2: coin: 'gold' is not a coin"):
        record.append(Flicked(coin="gold"))
    assert path.read_bytes() == before
    assert record.append(Flicked(coin="moons"))[0].id == "#2"
    record.close()


def test_an_existing_record_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    RecordFile.create(path, new_setup()).close()
    before = path.read_bytes()
    with pytest.raises(InputError, match="there is a record already"):
        RecordFile.create(path, new_setup())
    assert path.read_bytes() == before


@pytest.mark.parametrize("cut", [1, 2, 17, 40])
def test_a_cut_record_is_refused_and_can_be_recovered(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "record.jsonl"
    whole = text_of(setup(2), "flick moons", "rest moons 1 2")
    path.write_bytes(whole[: -cut - 1])
    with pytest.raises(
        InputError,
        match=r"record\.jsonl: line 3: json: the record is cut off in the middle of its last line$",
    ):
        read_record(path)
    recovered = recover_record(path)
    assert len(recovered.entries) == 2
    assert recovered.sound_bytes + len(recovered.cut) == len(whole) - cut - 1


def test_going_on_with_a_cut_record_keeps_all_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    whole = text_of(setup(2), "flick moons", "rest moons 1 2")
    path.write_bytes(whole[:-20])
    record, read = RecordFile.resume(path)
    assert len(read) == 2
    assert record.append(AtRest(coins={}))[0].id == "#3"
    record.close()
    assert len(read_record(path)) == 3
    assert (tmp_path / "record.jsonl.cut").read_bytes() + b"" == whole[:-20].rpartition(b"\n")[
        2
    ] + b"\n"


def test_going_on_with_a_whole_record_that_lacks_its_last_newline(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(text_of(setup(2), "flick moons").rstrip(b"\n"))
    record, read = RecordFile.resume(path)
    assert len(read) == 2
    record.append(AtRest(coins={}))
    record.close()
    assert len(read_record(path)) == 3
