"""What the rules decide and what they explain cannot differ: reversing a condition changes the
decision, too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutate_rules import (
    answering,
    asked_by,
    changes,
    codes_in,
    deciding_nothing,
    fixtures_of,
    rules_of,
    turned,
)
from referee.domain.clause import NO_REASONS, Reasons
from referee.games.clauses import EXPLAINED_BY

RULES = sorted({rules_of(game) for game in EXPLAINED_BY})


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.name)
def test_fixtures_ask_every_condition_and_each_decides(rules: Path) -> None:
    idle, unasked = deciding_nothing(rules)
    assert (idle, unasked) == (set(), set())


def test_rules_that_cannot_go_on_decide_otherwise() -> None:
    """With `hides_coin` reversed, an `unseen` that hides no coin asks about its first coin."""
    records = fixtures_of(rules_of("carroms"))
    asking, before = asked_by(records)
    names = asking["hides_coin"]
    assert sum(changes("hides_coin", records[name], before[name]) for name in names) == 2


def test_a_condition_turned_round_is_noted_as_it_is_answered() -> None:
    told = Reasons("i1")
    with answering(turned("own_flick")):
        assert not told.holds("own_flick", True)
        assert NO_REASONS.holds("own_flick", False)
        assert told.fails("other", True)
        assert not told.fails("own_flick", True)
    assert [(one.code, one.met) for one in told.conditions] == [
        ("own_flick", False),
        ("other", False),
        ("own_flick", True),
    ]
    assert told.holds("own_flick", True)


def test_conditions_are_found_where_they_are_asked(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(
        'def rule(reasons):\n    return reasons.holds("a", True) and reasons.fails("b", False)\n'
    )
    assert codes_in(tmp_path) == {"a": ["rules.py:2"], "b": ["rules.py:2"]}
