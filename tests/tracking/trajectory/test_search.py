"""The search for the cheapest hypothesis goes through dearer ones, but not through unseen hits."""

from types import SimpleNamespace
from typing import Any

import pytest

from referee.tracking.trajectory import search as searching


@pytest.mark.parametrize("unseen", [True, False])
def test_a_hit_that_nobody_saw_is_not_the_first_of_two_events(
    monkeypatch: pytest.MonkeyPatch, unseen: bool
) -> None:
    """The first event lowers the cost from 30 to 28, or makes it 32; a second one then to 27."""
    costs = {"best": 30.0, "first": 28.0 if unseen else 32.0, "second": 27.0}

    def hypothesis(name: str) -> Any:
        chain = SimpleNamespace(key=name, coin="suns", begins_s=(0.0,), met=((),))
        return SimpleNamespace(chains=(chain,), name=name)

    def scored(one: Any, bound: float = float("inf")) -> Any:
        cost = costs[one.name]
        made = SimpleNamespace(hypothesis=one, cost=cost, slowing=2000.0)
        return made if cost < bound else None

    def seen(_scene: Any, begin: Any) -> Any:
        known = {"best": [] if unseen else ["first"], "first": ["second"], "second": []}
        return [[hypothesis(name) for name in known[begin.hypothesis.name]]]

    def hits(_scene: Any, begin: Any, _c: int, _slowing: float) -> Any:
        return [hypothesis("first")] if unseen and begin.name == "best" else []

    evaluator = SimpleNamespace(scored=scored)
    monkeypatch.setattr(searching, "Evaluator", lambda _scene, _prior: evaluator)
    monkeypatch.setattr(searching, "proposals", seen)
    monkeypatch.setattr(searching, "unseen_hits", hits)
    scene: Any = SimpleNamespace()
    found = searching.search(scene, hypothesis("best"), (2000.0, 0.3)).best
    assert found.cost == (30.0 if unseen else 27.0)
