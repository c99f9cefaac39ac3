"""Every call and irregularity of Castle Croquetnole and Carroms names a section that its rules text has."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.adjudication import adjudicate
from referee.record import read_record

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
SECTIONS = {
    "castle-croquetnole": {
        "Object of the Game", "Setup", "Starting the Game", "Entering and Leaving Castles", "Invading Castles and Scoring", "Prisoners", "Bonus Flicks",
        "Errors and Penalties",
    },
    "carroms": {"Definitions", "Setting Up The Game", "Playing the game"},
}  # fmt: skip


@pytest.mark.parametrize("game", SECTIONS)
def test_the_rule_is_a_section_of_the_text(game: str) -> None:
    named: set[str] = set()
    for path in sorted((MATCHES / game).glob("*.jsonl")):
        result = adjudicate(read_record(path))
        named |= {one.rule for one in (*result.calls, *result.irregularities)}
    assert named <= SECTIONS[game]
    assert len(named) > len(SECTIONS[game]) - 2
