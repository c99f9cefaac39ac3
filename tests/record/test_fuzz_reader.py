"""A short form of `benchmarks.fuzz_reader`: mutated records are read or refused in one clear line,
and those that are read can be played.
"""

from __future__ import annotations

import json

import pytest

from benchmarks import fuzz_reader
from referee.domain.errors import InputError
from referee.record.reading import parse_record

SEEDS = fuzz_reader.records()


@pytest.mark.parametrize("seed", range(101, 105))
def test_no_mutated_record_ends_in_a_traceback(seed: int) -> None:
    for content in fuzz_reader.mutants(SEEDS, 400, seed):
        assert fuzz_reader.fault_of(content, play=True) is None, content


def test_many_mutants_are_refused_and_many_are_read() -> None:
    """Otherwise nothing would be tested: neither the refusals nor what comes after them."""
    read = 0
    for content in fuzz_reader.mutants(SEEDS, 300, 7):
        try:
            parse_record(content)
        except InputError:
            continue
        read += 1
    assert 30 < read < 270


def test_a_traceback_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_content: bytes) -> None:
        raise ZeroDivisionError("as the test wants it")

    monkeypatch.setattr(fuzz_reader, "parse_record", breaks)
    assert "ZeroDivisionError" in str(fuzz_reader.fault_of(b""))


def test_a_refusal_of_several_lines_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_content: bytes) -> None:
        raise InputError("record: line 1: coin: one\ntwo")

    monkeypatch.setattr(fuzz_reader, "parse_record", refuses)
    assert "no clear line" in str(fuzz_reader.fault_of(b""))


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"entry": "incident", "kind": "at_rest", "coins": {"mo\nons": [0, 0]}}),
        json.dumps({"entry": "incident", "kind": "renamed", "coins": {"a\u2028b": "moons"}}),
        json.dumps({"entry": "incident", "kind": "flicked", "coin": "moons", "t_s": 10**400}),
        '{"entry":"incident","kind":"flicked","coin":"\\ud800"}',
        "[" * 20_000,
        '{"entry":"incident","kind":"at_rest","coins":' * 5_000,
    ],
)
def test_what_is_hardest_to_say_is_said_in_one_line(line: str) -> None:
    first = next(content for content in SEEDS if b"tabletop-croquet" in content).splitlines()[0]
    with pytest.raises(InputError) as refused:
        parse_record(first + b"\n" + line.encode() + b"\n")
    assert fuzz_reader.LINE.fullmatch(str(refused.value)), str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
