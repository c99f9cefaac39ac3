"""Wickets explains an entry in a scripted match: which clauses held."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.record.reading import read_record
from referee.reports.explanation import explain

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches" / "wickets-six"
Y, N = True, False


@pytest.mark.parametrize(
    ("name", "met"),
    [
        # Of a move: it is its turn, the dice are thrown, no dead ball is hit, the dice allow it,
        # and then the result of the path.
        ("wicket-scored", [Y, Y, Y, Y, Y, Y, Y]),
        ("wrong-direction", [Y, Y, Y, Y, N, N]),
        ("boundary", [Y, Y, Y, Y, N]),
        ("roquet", [Y, Y, Y, Y, Y]),
        ("wicket-then-roquet", [Y, Y, Y, Y, Y, Y, Y, N]),
        ("wicket-entered-sideways", [Y, Y, Y, Y, Y, N, N]),
        ("no-reversing", [Y, Y, Y, N]),
        ("dead-ball-hit", [Y, Y, N, Y]),
        # A ball that is only put where it must stand.
        ("stake-out-of-turn", [N, N, Y]),
        # Of a die: one is expected, and it is that one.
        ("roll-after-wicket", [N]),
        ("third-roll", [N]),
        # Said by the player whose turn it is, and possible.
        ("croquet", [Y, Y]),
        ("croquet-without-roquet", [Y, N]),
        ("croquet-by-another", [N, Y]),
        ("croquet-diagonal", [Y, Y, N]),
        ("continuation-not-earned", [Y, N]),
        ("pass-after-dice", [Y, N]),
        ("pass-before-dice", [Y, Y]),
        ("concede-twice", [N]),
    ],
)
def test_clauses_hold_or_not(name: str, met: list[bool]) -> None:
    path = MATCHES / f"{name}.jsonl"
    last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["id"]
    assert [clause.met for clause in explain(read_record(path), last).clauses[1:]] == met
