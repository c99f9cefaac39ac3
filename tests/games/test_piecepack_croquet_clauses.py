"""Croquet for piecepack explains an entry in a scripted match: which clauses held, and which facts
decided each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.domain.clause import Clause
from referee.record.reading import read_record
from referee.reports.explanation import explain

MATCHES = Path(__file__).parents[2] / "fixtures" / "matches" / "piecepack-croquet"
Y, N = True, False


def clauses_of_last(name: str) -> tuple[Clause, ...]:
    """Return the clauses of the last entry of a scripted match, without the first one, which says
    that it happened.
    """
    path = MATCHES / f"{name}.jsonl"
    last = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["id"]
    return explain(read_record(path), last).clauses[1:]


@pytest.mark.parametrize(
    ("name", "met"),
    [
        # A roll is expected, it is not a blank, and it is high enough. The hoop is next and is left
        # by its far side. It is the own ball, which has run hoop 1 and has not roqueted before, so
        # there is no bonus shot.
        ("hoop-then-roquet", [Y, Y, Y, Y, Y, Y, Y, Y, N]),
        ("hoop-straight", [Y, Y, Y, Y, Y, Y]),
        ("hoop-out-of-order", [Y, Y, Y, N, Y]),
        ("hoop-wrong-way", [Y, Y, Y, Y, N]),
        ("hoop-side", [Y, Y, Y, N]),
        ("hoop-diagonal-fails", [Y, Y, N, Y, N]),
        ("roquet-once-a-go", [Y, Y, Y, Y, Y, N]),
        ("roquet-not-before-hoop-1", [Y, Y, Y, Y, N, Y]),
        # The first ball's collision is judged like a roquet. The ball that it knocks on is not the
        # one that is being played.
        ("collision-chain", [Y, Y, Y, Y, N, Y, N]),
        # The direction in which a misshot turns. A 3 does not keep it to its route.
        ("misshot-then-3", [Y, N]),
        ("misshot-then-2", [Y, Y]),
        # Meant for the peg, hit by a number, and out because it has run six hoops.
        ("peg-meant-2", [Y, Y, Y, Y]),
        ("peg-other-missed", [Y, N, N]),
        ("peg-too-early-null", [Y, N, Y, N]),
        ("croquet-misshot-follow-fails-null", [Y, N]),
        ("roll-unasked", [N]),
        # Said by the right player when it is expected: neighbouring directions, on the lawn, two of
        # them, and no hoop left sideways.
        ("route-right-angle", [Y, Y, Y, Y, N, Y]),
        ("route-off-the-lawn", [Y, Y, Y, N, Y, Y]),
        ("route-jump", [Y, Y, N, Y]),
        ("hoop-not-left-sideways", [Y, Y, Y, Y, Y, N]),
        ("shot-before-placing", [N]),
        ("shot-by-another-player", [N, Y, Y, Y, Y, Y]),
        ("croquet-follow-too-far-aside", [Y, Y, Y, N]),
        ("croquet-from-a-hoop-sideways", [Y, Y, N]),
        ("special-shot-once", [Y, Y, Y, N, Y]),
        ("special-shot-own-colour", [Y, Y, N, Y, Y]),
        ("special-shot-not-others-peg", [Y, Y, Y, Y, N]),
        ("special-shot-after-the-end", [Y, N, Y, Y, Y]),
        ("disaster-by-the-wrong-player", [Y, N, Y]),
        ("disaster-not-the-start", [Y, Y, N]),
        ("no-pass", [N]),
        ("concede-twice", [N]),
        ("start-taken", [N]),
        ("start-left-of-it", [Y]),
        ("pawn-moved-wrong", [N]),
        ("marker-not-turned", [Y, N]),
    ],
)
def test_clauses_hold_or_not(name: str, met: list[bool]) -> None:
    assert [clause.met for clause in clauses_of_last(name)] == met


def facts(name: str) -> dict[str, Any]:
    """Return all facts by which the clauses of a scripted match's last entry were decided."""
    return {key: value for clause in clauses_of_last(name) for key, value in clause.facts.items()}


def test_the_facts_are_those_of_the_table() -> None:
    assert facts("hoop-out-of-order")["next"] == "hoop-1"
    assert facts("misshot-then-3") == {
        "rolled": "3",
        "next_step": "n",
        "steps_left": 3,
        "goes": "nw",
    }
    assert facts("start-taken") == {"to": [2, 0], "places": [[1, 0], [3, 0]]}
    assert facts("marker-not-turned") == {"hoops": 1, "wanted_deg": 45.0}
