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


@pytest.mark.parametrize(
    ("other_cost", "extra_costs"),
    [
        pytest.param(34.0, [4.0], id="odds of 7 to 1 against it"),
        pytest.param(36.0, [], id="odds of more than 19 to 1"),
        pytest.param(30.0, [0.0], id="as likely"),
    ],
)
def test_a_hit_of_a_nearly_as_likely_hypothesis_is_possible(
    monkeypatch: pytest.MonkeyPatch, other_cost: float, extra_costs: list[float]
) -> None:
    """The best one, at 30, hits wicket 1; the other hits that and an endpost."""
    met = {"best": ("wicket-1-left",), "other": ("wicket-1-left", "left-endpost")}
    costs = {"best": 30.0, "other": other_cost}

    def hypothesis(name: str) -> Any:
        chain = SimpleNamespace(key=name, coin="suns", begins_s=(0.5,), met=(met[name],))
        return SimpleNamespace(chains=(chain,), name=name)

    def scored(one: Any, bound: float = float("inf")) -> Any:
        made = SimpleNamespace(hypothesis=one, cost=costs[one.name], slowing=2000.0)
        return made if made.cost < bound else None

    evaluator = SimpleNamespace(scored=scored)
    monkeypatch.setattr(searching, "Evaluator", lambda _scene, _prior: evaluator)
    monkeypatch.setattr(searching, "proposals", lambda *_: [[hypothesis("other")]])
    monkeypatch.setattr(searching, "unseen_hits", lambda *_: [])
    scene: Any = SimpleNamespace()
    found = searching.search(scene, hypothesis("best"), (2000.0, 0.3))
    assert found.best.hypothesis.name == "best"
    hits = found.possible_hits.get("suns", ())
    assert [(hit.with_, hit.t_s, hit.extra_cost) for hit in hits] == [
        ("left-endpost", 0.5, extra) for extra in extra_costs
    ]
