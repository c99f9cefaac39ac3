"""Fits all coins' slides together. Each coin's path is continuous, all slides share one
deceleration, the rims of two coins touch at a contact, and momentum is conserved.

Least squares after Levenberg and Marquardt. All residuals are computed for a batch of parameter
vectors at once, so the numerical Jacobian takes one pass. Residuals are in units of their standard
uncertainties. Sightings, places of rest and momentum count less the larger their residual is
(Cauchy weights), because a coin may have been pushed before it was flicked, or have hit a tile
unseen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from referee.domain.geometry import Point
from referee.domain.pieces import PieceSizes
from referee.domain.sighting import SHARED
from referee.domain.slide import FASTEST_FLICK_MM_S, unstopped_mm_s, way_mm
from referee.tracking.trajectory.hypotheses.chain import Chain
from referee.tracking.trajectory.hypotheses.impacts import (
    MOMENTUM_SIGMA_MM_S,
    lost_momentum,
    off_line,
    off_side,
    square_gap,
)
from referee.tracking.trajectory.hypotheses.prices import LEAST_GAIN
from referee.tracking.trajectory.hypotheses.runs import MODEL_SIGMA_MM, Floats

# Tuned on our own clips, except where a comment gives another source for a number.

# A finger may push a coin this far before it flicks it.
PUSHED_SIGMA_MM: Final = 0.5
CAUCHY_SIGMAS: Final = 2.4  # a residual of this size has half the weight of a small one
# the least time between the beginnings of two runs, and its standard uncertainty
TIME_SIGMA_S: Final = 0.002
# A break may lie this far outside the times of the sightings around it.
SLACK_S: Final = 0.02
# The sigmas of the sightings count as an estimate with this many degrees of freedom when they are
# combined with the scatter that the fit observes.
PRESUMED_FREEDOM: Final = 10.0
MOST_STEPS: Final = 24  # Chosen: the most rounds of any iteration; the fit converges in 6 to 12
# Chosen: the step of each parameter for numerical derivatives, in mm, s and mm/s, far below the
# precision of each.
STEP: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Touch:
    """Two runs that begin at the same instant because the rims of two coins touched. `chain_a` and
    `run_a` are the indices of one coin's chain and run, `chain_b` and `run_b` those of the other
    coin's.
    """

    chain_a: int
    run_a: int
    chain_b: int
    run_b: int


@dataclass(frozen=True, slots=True)
class Bump:
    """A run that began when the coin's rim hit a tile's square (4, 2)."""

    chain: int
    run: int
    corners: Floats


@dataclass(frozen=True, slots=True)
class StruckAtRest:
    """The place of a coin that lay still and was hit when a run began. The struck coin's own motion
    is not known.
    """

    chain: int
    run: int
    coin: str
    at_mm: Point


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything that is fitted together.

    `slowing_prior` is the mean of the deceleration, mm/s2, and the uncertainty of its logarithm.
    The fit begins at `slowing_mm_s2`. With `biased`, all sightings of a chain may be off by the
    same amount, so that the fit's covariance includes this error; without it the fit is faster.
    """

    chains: tuple[Chain, ...]
    touches: tuple[Touch, ...]
    bumps: tuple[Bump, ...]
    lying: tuple[StruckAtRest, ...]
    sizes: PieceSizes
    exposure_s: float
    slowing_prior: tuple[float, float]
    slowing_mm_s2: float
    biased: bool = False


@dataclass(frozen=True, slots=True)
class Slots:
    """The indices of a chain's parameters in the parameter vector: those of its `start`, of the
    `instants` at which runs begin, of the `velocity` of each run, and of the `bias` of its
    sightings. An instant or a bias that is not fitted has index -1.
    """

    start: int
    instants: tuple[int, ...]
    velocity: int
    bias: int = -1


@dataclass(frozen=True, slots=True)
class Fit:
    """The fitted parameters. `theta` (n,) is the parameter vector, `covariance` (n, n) its
    covariance, and `misfit` the chi-square that is left unexplained. `slots` says where in `theta`
    each chain's parameters are.
    """

    theta: Floats
    covariance: Floats
    misfit: float
    slots: tuple[Slots, ...]

    @property
    def slowing_mm_s2(self) -> float:
        """Return the deceleration that all coins share."""
        return float(np.exp(self.theta[0]))


def lay_out(problem: Problem) -> tuple[Floats, tuple[Slots, ...]]:
    """Return the initial parameter vector, and the indices of each chain's parameters in it. Runs
    that begin with the same touch share their instant.
    """
    shared: dict[tuple[int, int], tuple[int, int]] = {}
    for touch in problem.touches:
        a, b = (touch.chain_a, touch.run_a), (touch.chain_b, touch.run_b)
        root_a, root_b = shared.get(a, a), shared.get(b, b)
        for key in [k for k, r in shared.items() if r == root_b] + [b, root_b]:
            shared[key] = root_a
    theta = [float(np.log(problem.slowing_mm_s2))]
    placed: dict[tuple[int, int], int] = {}
    slots = []
    for c, chain in enumerate(problem.chains):
        start = len(theta)
        theta += [float(v) for v in chain.start_mm]
        instants = []
        for r, begin in enumerate(chain.begins_s):
            root = shared.get((c, r), (c, r))
            if r == 0 and chain.anchor is None:
                instants.append(-1)
                continue
            if root not in placed:
                placed[root] = len(theta)
                theta.append(begin)
            instants.append(placed[root])
        velocity = len(theta)
        theta += [float(v) for v in chain.velocities.ravel()]
        bias = -1
        if problem.biased and chain.seen.shared_mm.any():
            bias = len(theta)
            theta += [0.0, 0.0]
        slots.append(Slots(start, tuple(instants), velocity, bias))
    return np.array(theta), tuple(slots)


@dataclass(frozen=True, slots=True)
class Motion:
    """The k runs of one chain for a batch of B parameter vectors: instants (B, k), places and
    velocities (B, k, 2), deceleration (B,).
    """

    begins_s: Floats
    places_mm: Floats
    velocities: Floats
    slowing: Floats

    def run_place(self, run: int, t: Floats) -> Floats:
        """Return where run `run`, extrapolated, is at the instants `t` (n,) or (B, n); shape (B, n,
        2).
        """
        velocity = self.velocities[:, run, :]
        speed = np.sqrt((velocity**2).sum(axis=1)) + 1e-9
        since = np.minimum(t - self.begins_s[:, run, None], (speed / self.slowing)[:, None])
        way = way_mm(1.0, (self.slowing / speed)[:, None], since)  # in units of the first speed
        place: Floats = self.places_mm[:, run, None, :] + velocity[:, None, :] * way[:, :, None]
        return place

    def place(self, t: Floats) -> Floats:
        """Return where the coin is at the instants `t` (n,), in order; shape (B, n, 2)."""
        at: Floats = np.repeat(self.places_mm[:, :1, :], len(t), axis=1)
        earliest, latest = self.begins_s.min(axis=0), self.begins_s.max(axis=0)
        for run in range(len(earliest)):
            # Before this part of `t`, the run has begun for no parameter vector. After it, the next
            # run has begun for all.
            first, past = np.searchsorted(t, [earliest[run], latest[run + 1 :].min(initial=np.inf)])
            part = t[first:past]
            begun = (part >= self.begins_s[:, run, None])[:, :, None]
            at[:, first:past] = np.where(begun, self.run_place(run, part), at[:, first:past])
        return at

    def run_velocity(self, run: int, t: Floats) -> Floats:
        """Return the velocity of run `run` at the instants `t` (B,); shape (B, 2)."""
        velocity = self.velocities[:, run, :]
        speed = np.sqrt((velocity**2).sum(axis=1)) + 1e-9
        left: Floats = unstopped_mm_s(t - self.begins_s[:, run], speed, self.slowing)
        share: Floats = np.maximum(left, 0.0) / speed
        return velocity * share[:, None]


def motion(theta: Floats, chain: Chain, slots: Slots) -> Motion:
    """Return the chain's runs for each of the parameter vectors `theta` (B, n)."""
    k = len(chain.begins_s)
    begins = np.stack(
        [
            theta[:, s] if s >= 0 else np.full(len(theta), chain.begins_s[r])
            for r, s in enumerate(slots.instants)
        ],
        axis=1,
    )
    velocities = theta[:, slots.velocity : slots.velocity + 2 * k].reshape(-1, k, 2)
    places = np.empty_like(velocities)
    places[:, 0, :] = theta[:, slots.start : slots.start + 2]
    partial = Motion(begins, places, velocities, np.exp(theta[:, 0]))
    for run in range(1, k):
        places[:, run, :] = partial.run_place(run - 1, begins[:, run, None])[:, 0, :]
    return partial


def _chain_residuals(
    chain: Chain, move: Motion, sigma_mm: Floats, bias_mm: Floats | None
) -> list[Floats]:
    """Return the residuals of a chain's sightings and places of rest. `bias_mm` (B, 2) is the
    common error of all sightings, except of those that show the coin at its place of rest.
    """
    batch = len(move.slowing)
    off = move.place(chain.seen.t_s) - chain.seen.xy_mm
    if bias_mm is not None:
        off = off + bias_mm[:, None, :] * (chain.seen.shared_mm > 0.0)[:, None]
    seen = off / sigma_mm[:, None]
    parts = [seen.reshape(batch, -1)]
    if chain.anchor is not None:
        pushed = 0.0 if chain.met[0] else PUSHED_SIGMA_MM
        parts.append(
            (move.places_mm[:, 0, :] - np.asarray(chain.anchor.at_mm))
            / np.hypot(chain.anchor.sigma_mm, pushed)
        )
    last = len(chain.begins_s) - 1
    if chain.goal is not None:
        end = move.run_place(last, np.full((batch, 1), 1e6))[:, 0, :]
        parts.append((end - np.asarray(chain.goal.at_mm)) / chain.goal.sigma_mm)
    return parts


def _firm_residuals(chain: Chain, move: Motion) -> list[Floats]:
    parts = []
    steps = np.diff(move.begins_s, axis=1)
    if steps.size:
        parts.append(np.maximum(TIME_SIGMA_S - steps, 0.0) / TIME_SIGMA_S)
    windows = np.array(chain.windows_s)
    late = np.maximum(move.begins_s - windows[:, 1] - SLACK_S, 0) + np.maximum(
        windows[:, 0] - SLACK_S - move.begins_s, 0
    )
    parts.append(late / TIME_SIGMA_S)
    if chain.anchor is not None and np.isfinite(windows[0]).all():
        middle, width = windows[0].mean(), max(float(windows[0, 1] - windows[0, 0]), 0.01)
        parts.append((move.begins_s[:, :1] - middle) / width)
    # A weak prior: speeds are finite. This prior keeps the fit from diverging.
    parts.append(move.velocities.reshape(len(move.slowing), -1) / FASTEST_FLICK_MM_S)
    return parts


def _touch_residuals(
    problem: Problem, moves: list[Motion], *, robust: bool
) -> tuple[list[Floats], list[Floats]]:
    """Return the residuals of contacts: by how much the two rims fail to touch, and by how much the
    contact fails to conserve momentum and, if `robust`, breaks the other laws of impacts. These
    laws depend on the line of centres, which is known only once the contact's instant is.

    Momentum does not count at a contact of a coin that hit several coins at that moment. Momentum
    also does not count for two coins that lay touching and began together, since one of them got
    its momentum from a hand.
    """
    rims: list[Floats] = []
    momentum: list[Floats] = []
    crowded = [(t.chain_a, t.run_a) for t in problem.touches] + [
        (t.chain_b, t.run_b) for t in problem.touches
    ]
    for touch in problem.touches:
        a, b = moves[touch.chain_a], moves[touch.chain_b]
        line = b.places_mm[:, touch.run_b, :] - a.places_mm[:, touch.run_a, :]
        apart = np.sqrt((line**2).sum(axis=1)) + 1e-9
        coins = [problem.chains[c].coin for c in (touch.chain_a, touch.chain_b)]
        rims.append(((apart - problem.sizes.reach_mm(*coins)) / MODEL_SIGMA_MM)[:, None])
        t = a.begins_s[:, touch.run_a]
        before_a, before_b = _before(a, touch.run_a, t), _before(b, touch.run_b, t)
        gain_a, gain_b = (
            a.velocities[:, touch.run_a, :] - before_a,
            b.velocities[:, touch.run_b, :] - before_b,
        )
        if (
            crowded.count((touch.chain_a, touch.run_a)) > 1
            or crowded.count((touch.chain_b, touch.run_b)) > 1
        ):
            continue
        if touch.run_a > 0 or touch.run_b > 0:
            lost = lost_momentum(problem.sizes, coins, gain_a, gain_b)
            momentum.append(lost / MOMENTUM_SIGMA_MM_S)
            came, left = before_a - before_b, before_a - before_b + gain_a - gain_b
            broken = off_line(line / apart[:, None], came, left) / MOMENTUM_SIGMA_MM_S
            momentum.append(broken if robust else np.zeros_like(broken))
    return rims, momentum


def _before(move: Motion, run: int, t: Floats) -> Floats:
    return np.zeros((len(t), 2)) if run == 0 else move.run_velocity(run - 1, t)


def _residuals(
    theta: Floats, problem: Problem, slots: tuple[Slots, ...], sigmas: list[Floats], *, robust: bool
) -> tuple[Floats, int]:
    """Return all residuals (B, m) and a number n. The first n residuals may be outliers, and count
    less if they are large and the fit is already `robust`.
    """
    moves = [motion(theta, chain, slot) for chain, slot in zip(problem.chains, slots, strict=True)]
    soft: list[Floats] = []
    firm: list[Floats] = []
    for chain, move, sigma, slot in zip(problem.chains, moves, sigmas, slots, strict=True):
        bias = theta[:, slot.bias : slot.bias + 2] if slot.bias >= 0 else None
        soft += _chain_residuals(chain, move, sigma, bias)
        firm += _firm_residuals(chain, move)
        if bias is not None:
            firm.append(bias / chain.seen.usual_shared_mm)
    rims, momentum = _touch_residuals(problem, moves, robust=robust)
    firm += rims
    soft += momentum
    for bump in problem.bumps:
        move = moves[bump.chain]
        gap = square_gap(bump.corners, move.places_mm[:, bump.run, :])
        firm.append(
            (
                (gap - 0.5 * problem.sizes.width_mm(problem.chains[bump.chain].coin))
                / MODEL_SIGMA_MM
            )[:, None]
        )
        place, t = move.places_mm[:, bump.run, :], move.begins_s[:, bump.run]
        came, left = _before(move, bump.run, t), move.velocities[:, bump.run, :]
        firm.append(off_side(bump.corners, place, came, left) / MOMENTUM_SIGMA_MM_S)
    for hit in problem.lying:
        away = moves[hit.chain].places_mm[:, hit.run, :] - np.asarray(hit.at_mm)
        reach_mm = problem.sizes.reach_mm(problem.chains[hit.chain].coin, hit.coin)
        firm.append(((np.hypot(*away.T) - reach_mm) / MODEL_SIGMA_MM)[:, None])
    mean, share = problem.slowing_prior
    firm.append(((theta[:, 0] - np.log(mean)) / share)[:, None])
    return np.concatenate(soft + firm, axis=1), sum(p.shape[1] for p in soft)


def _sighting_sigmas(problem: Problem, theta: Floats, slots: tuple[Slots, ...]) -> list[Floats]:
    """Return the sightings' uncertainties without the common error that the fit's bias covers. The
    uncertainty is larger for a sighting during whose exposure something hit the coin: the middle of
    such a streak may be off by up to a quarter of the exposure times the change of velocity.
    """
    exposure = problem.exposure_s
    sigmas = []
    for chain, slot in zip(problem.chains, slots, strict=True):
        move = motion(theta[None, :], chain, slot)
        seen2 = chain.seen.sigma_mm**2
        bias2 = np.minimum(chain.seen.shared_mm**2, SHARED * seen2) if slot.bias >= 0 else 0.0
        sigma2 = seen2 - bias2 + MODEL_SIGMA_MM**2 / 4
        for run in range(len(chain.begins_s)):
            t = move.begins_s[:, run]
            change = float(np.hypot(*(move.velocities[0, run] - _before(move, run, t)[0])))
            within = np.clip(
                1.0 - np.abs(chain.seen.t_s - t[0]) / (0.5 * exposure + 0.001), 0.0, 1.0
            )
            sigma2 = sigma2 + (exposure * change / 4 * np.sqrt(within)) ** 2
        sigmas.append(np.sqrt(sigma2))
    return sigmas


def fit(problem: Problem) -> Fit:
    """Fit all chains together by least squares, starting from the chains' values. From the first
    round that gains nothing, or after half of the rounds, a large residual counts less. Before
    that, the runs may still be wrong, so a large residual does not mean an outlier.

    With the same residuals, Jacobian and Cauchy weights, scipy's `least_squares` takes 6.1 s of CPU
    for the 276 fits of the smoothing tests; this function takes 4.2 s. In 13 of these fits scipy's
    chi-square was better by more than 1, in 7 it was worse by more than 1.
    """
    theta, slots = lay_out(problem)
    n = len(theta)
    damping, best = 1e-3, 0
    costs = np.full(1, np.inf)
    nudges = np.vstack([np.zeros(n), STEP * np.eye(n)])
    jacobian, value = np.zeros((0, n)), np.zeros(0)
    cost = np.inf
    robust = False
    for turn in range(MOST_STEPS):
        sigmas = _sighting_sigmas(problem, theta, slots)
        batch, count = _residuals(theta + nudges, problem, slots, sigmas, robust=robust)
        weight = np.ones(batch.shape[1])
        if robust:
            weight[:count] = 1.0 / np.sqrt(1.0 + (batch[0, :count] / CAUCHY_SIGMAS) ** 2)
        value = batch[0] * weight
        jacobian = ((batch[1:] - batch[0]) * weight / STEP).T
        cost = _cost(batch[:1], count if robust else 0)[0]
        normal, pull = jacobian.T @ jacobian, jacobian.T @ value
        dampings = damping * np.array([0.1, 1.0, 10.0, 100.0, 1000.0])
        moves = np.stack(
            [np.linalg.solve(normal + np.diag(d * np.diag(normal) + 1e-9), pull) for d in dampings]
        )
        trials = theta - moves
        tried, _ = _residuals(trials, problem, slots, sigmas, robust=robust)
        costs = _cost(tried, count if robust else 0)
        best = int(np.argmin(costs))
        damping = float(np.clip(dampings[best], 1e-6, 1e2))
        gain = cost - costs[best]
        if gain > 0:
            theta = trials[best]
        if gain < LEAST_GAIN and robust:
            break
        robust = robust or gain < LEAST_GAIN or turn + 1 >= MOST_STEPS // 2
    free = max(1.0, float((value != 0).sum()) - n)
    reduced = float(value @ value) / free
    spread = np.linalg.inv(jacobian.T @ jacobian + 1e-9 * np.eye(n))
    scatter = (reduced * free + PRESUMED_FREEDOM) / (free + PRESUMED_FREEDOM)
    least = 1.0 if problem.biased else 1.0 - SHARED
    covariance: Floats = np.asarray(spread * max(least, scatter), dtype=np.float64)
    return Fit(theta, covariance, float(min(cost, costs[best])), slots)


def misfit_of(residuals: Floats) -> Floats:
    """Return what each residual adds to the misfit: its square, or less if it is large (Cauchy's
    loss).
    """
    added: Floats = CAUCHY_SIGMAS**2 * np.log1p((residuals / CAUCHY_SIGMAS) ** 2)
    return added


def _cost(batch: Floats, count: int) -> Floats:
    """Return the misfit of each residual vector of a batch. The first `count` residuals of a vector
    may be outliers.
    """
    soft = misfit_of(batch[:, :count])
    total: Floats = soft.sum(axis=1) + (batch[:, count:] ** 2).sum(axis=1)
    return total
