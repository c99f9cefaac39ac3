"""Fits hypotheses about a flick and computes the cost of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from referee.tracking.trajectory.hypotheses.chain import Chain
from referee.tracking.trajectory.hypotheses.fit import Bump, Fit, Problem, StruckAtRest, fit
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, price
from referee.tracking.trajectory.hypotheses.scene import Scene


def problem(
    scene: Scene,
    hypothesis: Hypothesis,
    prior: tuple[float, float],
    slowing: float | None = None,
    *,
    biased: bool = False,
) -> Problem:
    """Return the fitting problem of a hypothesis. With `biased`, all sightings of a chain may be
    off by the same amount, which is then also fitted.
    """
    bumps = tuple(
        Bump(c, r, scene.squares[name])
        for c, chain in enumerate(hypothesis.chains)
        for r, names in enumerate(chain.met)
        for name in names
        if name in scene.squares
    )
    lying = tuple(
        StruckAtRest(c, r, name, lay.at_mm)
        for c, chain in enumerate(hypothesis.chains)
        for r, names in enumerate(chain.met)
        for name in names
        if name in scene.heaps and hypothesis.partner(c, r, name) is None
        if (lay := scene.tracks[name].before) is not None
    )
    return Problem(
        hypothesis.chains,
        tuple(hypothesis.touches()),
        bumps,
        lying,
        scene.sizes,
        scene.exposure_s,
        prior,
        slowing or prior[0],
        biased,
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A hypothesis with fitted values, and its cost."""

    hypothesis: Hypothesis
    cost: float
    misfits: tuple[float, ...]  # the misfit of each chain's group
    slowing: float


@dataclass(slots=True)
class Evaluator:
    """Computes the costs of hypotheses. Each group of chains whose coins touch is fitted only
    once.
    """

    scene: Scene
    prior: tuple[float, float]
    fitted: dict[tuple[object, ...], tuple[Fit, tuple[Chain, ...]]] = field(default_factory=dict)

    def scored(self, hypothesis: Hypothesis, bound: float = np.inf) -> Scored | None:
        """Return the hypothesis with fitted values and its cost. Return None if the cost reaches
        `bound` before all groups are fitted.
        """
        cost = price(self.scene, hypothesis)
        chains, misfits = list(hypothesis.chains), [0.0] * len(hypothesis.chains)
        slowing = self.prior[0]
        for group in sorted(
            hypothesis.groups(), key=lambda g: self._key(hypothesis, g) not in self.fitted
        ):
            if cost >= bound:
                return None
            fitted, own = self._fit(hypothesis, group)
            cost += fitted.misfit
            for c, chain in zip(group, own, strict=True):
                chains[c], misfits[c] = chain, fitted.misfit
            slowing = fitted.slowing_mm_s2
        return Scored(Hypothesis(tuple(chains)), cost, tuple(misfits), slowing)

    def _key(self, hypothesis: Hypothesis, group: tuple[int, ...]) -> tuple[object, ...]:
        return tuple(hypothesis.chains[c].key for c in group)

    def _fit(self, hypothesis: Hypothesis, group: tuple[int, ...]) -> tuple[Fit, tuple[Chain, ...]]:
        key = self._key(hypothesis, group)
        if key not in self.fitted:
            part = Hypothesis(tuple(hypothesis.chains[c] for c in group))
            found = fit(problem(self.scene, part, self.prior))
            own = updated(part.chains, found)
            self.fitted[key] = found, own
            self.fitted[tuple(chain.key for chain in own)] = found, own
        return self.fitted[key]


def updated(chains: tuple[Chain, ...], fitted: Fit) -> tuple[Chain, ...]:
    """Return the chains with the fitted values."""
    new = []
    for chain, slot in zip(chains, fitted.slots, strict=True):
        begins = tuple(
            float(fitted.theta[s]) if s >= 0 else chain.begins_s[r]
            for r, s in enumerate(slot.instants)
        )
        size = chain.velocities.size
        velocities = fitted.theta[slot.velocity : slot.velocity + size].reshape(-1, 2)
        start = fitted.theta[slot.start : slot.start + 2]
        new.append(replace(chain, begins_s=begins, velocities=velocities, start_mm=start))
    return tuple(new)
