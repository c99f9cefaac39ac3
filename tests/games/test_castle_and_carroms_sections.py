"""Every call, irregularity and question of Castle Croquetnole and Carroms names a section of its
rules text. The questions about close calls of every game do.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import game_named
from referee.record.reading import read_record
from referee.replay.adjudication import adjudicate

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches"
SECTIONS = {
    "castle-croquetnole": {
        "Object of the Game",
        "Setup",
        "Starting the Game",
        "Entering and Leaving Castles",
        "Invading Castles and Scoring",
        "Prisoners",
        "Bonus Flicks",
        "Errors and Penalties",
    },
    "carroms": {"Definitions", "Setting Up The Game", "Playing the game"},
}


@pytest.mark.parametrize("game", SECTIONS)
def test_the_rule_is_a_section_of_the_text(game: str) -> None:
    named: set[str] = set()
    for path in sorted((MATCHES / game).glob("*.jsonl")):
        result = adjudicate(read_record(path))
        named |= {one.rule for one in (*result.calls, *result.irregularities, *result.questions)}
    assert named <= SECTIONS[game]
    assert len(named) > len(SECTIONS[game]) - 2


@pytest.mark.parametrize(
    ("game", "sections"),
    [
        *SECTIONS.items(),
        ("tabletop-croquet", {"Definitions", "Game setup", "Player turns"}),
        ("piecepack-croquet", {"Object", "Set up", "Play"}),
        ("wickets-six", {"Rules applicable to both variations"}),
        ("wickets-nine", {"Rules applicable to both variations"}),
    ],
)
def test_a_doubt_is_told_with_a_section_of_the_text(game: str, sections: set[str]) -> None:
    assert game_named(game).DOUBTS in sections
