"""Games without flicks in Portable Piecepack Notation: pawns move as the rules move them, whether
or not somebody saw the move.
"""

from __future__ import annotations

import json
from typing import Any

from referee.record.reading import parse_record
from referee.replay.fold import fold
from referee.reports.notation import as_ppn
from tests.games.wickets_play import moved, rolled, said, setup_line

LAWN = {
    "entry": "setup",
    "format": "piecepack-match/1",
    "game": "piecepack-croquet",
    "players": [
        {"name": "Ann", "pawns": ["black", "blue"]},
        {"name": "Ben", "pawns": ["red", "green"]},
    ],
}


def moves_of(*lines: dict[str, Any]) -> list[list[str]]:
    """Return the moves of each table without the tiles, without numbers and comments."""
    text = as_ppn(
        fold(parse_record(b"".join(json.dumps(line).encode() + b"\n" for line in lines), "match"))
    )
    tables = text.split("...\n", 1)[1].splitlines()
    return [
        [move for move in table.split("{")[0].split()[1:] if not move.startswith("t@")]
        for table in tables
    ]


def die(face: str) -> dict[str, Any]:
    return {"entry": "incident", "kind": "rolled", "die": "roll", "face": face}


def test_a_ball_shot_without_anybody_seeing_its_pawn_moved_has_moved() -> None:
    placed = {"entry": "incident", "kind": "moved", "pawn": "black", "from": None, "to": [3, 0]}
    seen = {"entry": "incident", "kind": "moved", "pawn": "black", "from": [3, 0], "to": [3, 1]}
    wrong = {"entry": "incident", "kind": "moved", "pawn": "black", "from": [3, 1], "to": [5, 5]}
    shot = said("shot", route=[[3, 1]])
    assert moves_of(LAWN, placed, shot, die("2")) == [["pM@(3,0)"], ["?pM-(3,1)"]]
    assert moves_of(LAWN, placed, shot, die("2"), seen, wrong) == [
        ["pM@(3,0)"],
        ["?pM-(3,1)"],
        ["?pM-(5,5)"],
    ]


def test_a_croqueted_ball_moves_with_its_croquet() -> None:
    """Blue goes three east. Red runs into it from the start space and sends it two north."""
    lines = [
        rolled("die-1", 1),
        rolled("die-2", 2),
        moved("blue", None, [[6, 4], [7, 4], [8, 4]]),
        rolled("die-1", 1),
        rolled("die-2", 2),
        {**moved("red", None, [[6, 4], [7, 4], [8, 4]]), "to": [7, 4]},
        rolled("die-1", 2),
        said("croquet", pawn="blue", direction="n"),
    ]
    assert moves_of(setup_line("wickets-six"), *lines) == [
        ["pA@(8,4)"],
        ["pS@(7,4)"],
        ["?pA-(8,6)"],
    ]
