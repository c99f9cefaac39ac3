"""Turns a fitted hypothesis into paths. Each run of a path has its uncertainties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import TELLING_SIGHTINGS
from referee.domain.slide import standing_after_s
from referee.tracking.trajectory.hand_or_slide import slide_extra_cost
from referee.tracking.trajectory.hypotheses.chain import Chain
from referee.tracking.trajectory.hypotheses.fit import STEP, Fit, motion
from referee.tracking.trajectory.hypotheses.hypothesis import Hypothesis, held_spans
from referee.tracking.trajectory.hypotheses.runs import Floats, Seen
from referee.tracking.trajectory.hypotheses.scene import Scene

# Tuned on our own clips, except where a comment gives another source for a number.

LEAST_SIGMA_MM_S: Final = 1.5  # no velocity is known better than this
REST_SIGMA_MM: Final = 0.3  # the uncertainty of a place of rest that was not measured
# The sightings contradict a run if half of them have more than this many times the squared error
# that their variances predict. By chance, this happens to 3 of 4096 runs of three sightings, and to
# fewer runs with more sightings.
DOUBTED_SHARE: Final = 6.0


def paths_of(
    scene: Scene,
    tracks: Sequence[CoinTrack],
    hypothesis: Hypothesis,
    fitted: Fit | None,
    slowing: tuple[float, float],
) -> tuple[Path, ...]:
    """Return the paths of all coins in the order of the tracks. `fitted` is the fit of the
    hypothesis' chains; None if it has no chains. `slowing` is the deceleration, with the standard
    uncertainty of its logarithm, for slides that were not seen.
    """
    return tuple(
        _path(
            track,
            [
                Held(
                    span.begin_s,
                    span.end_s,
                    _seen_with_hand(track),
                    slide_extra_cost(scene, track.coin, span, slowing),
                )
                for span in held_spans(scene, hypothesis, track.coin)
            ],
            _runs(track.coin, hypothesis.chains, fitted) if fitted is not None else [],
        )
        for track in tracks
    )


def _seen_with_hand(track: CoinTrack) -> bool:
    """Return whether a hand was seen with a coin. A coin without an old place was not tracked
    before, so for such a coin a hand over its new place counts.
    """
    return bool(track.hand_frames) or (track.before is None and bool(track.hand_let_go))


def _path(track: CoinTrack, held: Sequence[Held], runs: Sequence[Run]) -> Path:
    before, after = track.before, track.after
    return Path(
        track.coin,
        tuple(runs),
        track.sightings,
        before.at_mm if before else None,
        before.sigma_mm if before else REST_SIGMA_MM,
        after.at_mm if after else None,
        after.sigma_mm if after else REST_SIGMA_MM,
        tuple(held),
    )


def _runs(coin: str, final: Sequence[Chain], fitted: Fit) -> list[Run]:
    runs = []
    for c, chain in enumerate(final):
        if chain.coin != coin:
            continue
        starts = chain.starts(fitted.slowing_mm_s2)
        for r, (begin, start, velocity) in enumerate(
            zip(chain.begins_s, starts, chain.velocities, strict=True)
        ):
            speed = float(np.hypot(*velocity))
            heading = velocity / speed if speed > 0 else np.array([1.0, 0.0])
            last = r + 1 == len(chain.begins_s)
            end = _end(chain, begin, speed, fitted.slowing_mm_s2) if last else chain.begins_s[r + 1]
            count = int(((chain.seen.t_s >= begin) & (chain.seen.t_s <= end)).sum())
            run = Run(
                begin,
                end,
                (float(start[0]), float(start[1])),
                (float(heading[0]), float(heading[1])),
                speed,
                fitted.slowing_mm_s2,
                0.0,
                0.0,
                count,
                chain.met[r],
            )
            sigmas, sigma_speed = _uncertainties(chain, c, r, run, fitted)
            begin_mm, middle_mm, end_mm = np.hypot(sigmas, lack_of_fit(run, chain.seen))
            runs.append(
                replace(
                    run,
                    sigma_mm=float(middle_mm),
                    sigma_mm_s=sigma_speed,
                    ends_sigma_mm=(float(begin_mm), float(end_mm)),
                )
            )
    return runs


def _end(chain: Chain, begin: float, speed: float, slowing: float) -> float:
    """Return the time at which the chain's last run ends: when friction stops the coin, or when a
    lost coin was last seen.
    """
    stop = begin + standing_after_s(speed, slowing)
    if chain.goal is not None:
        return stop
    return min(stop, max(begin, float(chain.seen.t_s[-1]))) if len(chain.seen.t_s) else stop


def _uncertainties(chain: Chain, c: int, r: int, run: Run, fitted: Fit) -> tuple[Floats, float]:
    """Return a run's uncertainties: those of the place at its beginning, middle and end, along each
    axis, mm (3,), and that of its velocity, mm/s.
    """
    slot, theta = fitted.slots[c], fitted.theta
    own = sorted(
        {
            0,
            slot.start,
            slot.start + 1,
            *(s for s in slot.instants if s >= 0),
            *range(slot.velocity, slot.velocity + chain.velocities.size),
        }
    )
    batch = np.tile(theta, (len(own) + 1, 1))
    batch[np.arange(1, len(own) + 1), own] += STEP
    end = min(run.end_s, run.stop_s)
    times = np.array([run.begin_s, 0.5 * (run.begin_s + end), end])
    moved = motion(batch, chain, slot)
    if run.sightings == 0 and r + 1 < len(
        chain.begins_s
    ):  # the run goes between two known places: only the time is uncertain
        times = (
            moved.begins_s[:, r, None]
            + np.array([0.0, 0.5, 1.0]) * (moved.begins_s[:, r + 1] - moved.begins_s[:, r])[:, None]
        )
    places = moved.run_place(r, times)
    slope = ((places[1:] - places[0]) / STEP).transpose(1, 2, 0)
    spread = np.einsum("pan,nm,pam->p", slope, fitted.covariance[np.ix_(own, own)], slope) / 2
    sigmas = np.sqrt(np.maximum(spread, 0.0))
    half = max(0.5 * (end - run.begin_s), 1e-3)
    growth = (
        float(np.sqrt(max(float(max(sigmas[0], sigmas[2])) ** 2 - float(sigmas[1]) ** 2, 0.0)))
        / half
    )
    return sigmas, float(np.hypot(growth, LEAST_SIGMA_MM_S))


def lack_of_fit(run: Run, seen: Seen) -> float:
    """Return the error of a run that its sightings show beyond their own uncertainty, mm along each
    axis; 0 if it may be chance.

    If a coin hit something unnoticed, the coin turns but the run does not. The function uses the
    median of the squared errors, so that a few outliers do not count. Half of two-dimensional
    Gaussian errors are below sqrt(2 ln 2) sigma (Rayleigh).
    """
    own = (seen.t_s >= run.begin_s) & (seen.t_s <= run.end_s)
    if own.sum() < TELLING_SIGHTINGS:
        return 0.0
    places = np.array([run.position(float(t)) for t in seen.t_s[own]])
    off = ((places - seen.xy_mm[own]) ** 2).sum(axis=1) / (2 * seen.sigma_mm[own] ** 2)
    share = float(np.quantile(off, 0.5, method="lower") / np.log(2.0))
    if share <= DOUBTED_SHARE:
        return 0.0
    return float(np.median(seen.sigma_mm[own]) * np.sqrt(share - 1.0))
