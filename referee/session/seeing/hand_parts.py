"""Tells coins from what was followed in their place, once nothing moves any more: parts of a hand,
or other coins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from calibration.lens.camera import TableView
from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.session.seeing.reacquisition import SAME_PLACE_MM, rest_of, settle
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.coins.rim_fit import PLAIN_SUPPORT, RimFit, fit_rim
from referee.vision.image.picture import Picture


def lose_hands(
    coins: Sequence[TrackedCoin],
    covered: frozenset[str],
    fit: Callable[[str, Point], RimFit | None],
    changed: Callable[[Point], bool],
) -> None:
    """Treat a coin as hidden if it is said to rest where there is no rim, and if only a hand was
    seen there, the coin was never seen to move, or the picture has not `changed` there. What was
    followed there was a part of the hand, or what is left of a hand in the background. `fit` finds
    a coin's rim at a place, and that is where a coin lies that was never seen to move.
    """
    for coin in coins:
        rests = coin.state is State.REST and bool(coin.sightings) and coin.coin not in covered
        if not rests or coin.rest is None:
            continue
        lay = coin.only_seen_lying
        if coin.seen_free and not lay and changed(coin.rest.at_mm):
            continue
        rim = fit(coin.coin, coin.rest.at_mm)
        if rim is None:
            coin.state, coin.rest = State.HIDDEN, coin.before
            coin.sightings.clear()
        elif lay:
            coin.rest = rest_of(rim)


def see_bare(
    coins: Sequence[TrackedCoin], observation: FrameObservation, changed: Callable[[Point], bool]
) -> None:
    """Note of the coins that left the table that the bare table is seen where they lay, if no hand
    is in the picture and it has `changed` there. A hand that flicks a coin off the table hides that
    place while the coin leaves.
    """
    for coin in coins:
        if coin.state is State.OFF_TABLE and coin.before is not None and not observation.hand:
            coin.seen_bare |= changed(coin.before.at_mm)


def stayed(
    coins: Sequence[TrackedCoin], left_over: Sequence[RimFit], sizes: PieceSizes
) -> list[tuple[TrackedCoin, RimFit]]:
    """Return the coins that were followed elsewhere, but lie less than half their width from where
    they lay, each with what was found there: another coin was followed. `left_over` is what no lost
    coin can be.
    """
    pairs = []
    for coin in coins:
        half_mm, seen = sizes.width_mm(coin.coin) / 2, coin.rest if coin.sightings else None
        if seen is None or coin.before is None or coin.state is not State.REST:
            continue
        near = [f for f in left_over if distance(f.at_mm, coin.before.at_mm) < half_mm]
        if len(near) == 1 and distance(seen.at_mm, coin.before.at_mm) > half_mm:
            pairs.append((coin, near[0]))
    return pairs


def hand_over(tracker: Tracker, coin: TrackedCoin, name: str, lies: Rest) -> PieceSizes:
    """Another coin was followed in place of this one: give that a `name` of its own, and put this
    one back where it `lies`. Return the sizes of all coins.
    """
    seen = [replace(sighting, coin=name) for sighting in coin.sightings]
    tracker.coins[name] = replace(coin, coin=name, before=None, sightings=seen)
    coin.sightings = []
    settle(coin, lies)
    return tracker.sizes.with_width(name, tracker.sizes.width_mm(coin.coin))


def set_back(
    tracker: Tracker,
    observation: FrameObservation,
    picture: Picture,
    view: TableView,
    fit: Callable[[str, Point], RimFit | None],
    changed: Callable[[Point], bool],
) -> dict[str, RimFit | None]:
    """Set the tracker's coins back, as `put_back` does, by the rims that are in a picture."""
    coins = [c for c in tracker.coins.values() if c.state is not State.ON_STACK]
    rim = partial(fit_rim, picture, view)
    return put_back(coins, observation, fit, rim, changed, tracker.sizes)


def put_back(
    coins: Sequence[TrackedCoin],
    observation: FrameObservation,
    fit: Callable[[str, Point], RimFit | None],
    rim: Callable[[Point, PieceSizes], RimFit | None],
    changed: Callable[[Point], bool],
    sizes: PieceSizes,
) -> dict[str, RimFit | None]:
    """Set coins that were seen elsewhere back to where they lay, if the picture has not changed
    there and did not show the bare table, or if a plain rim is there. What was seen elsewhere was
    another coin, or something else: in a heap one is taken for the next.

    `rim` finds a coin where one is known to have lain, and `fit` one that may lie some mm off.
    Return, by the coin's name, the rim at the place where each of them was seen last. Where a coin
    seems gone although nothing has changed, and it was seen nowhere else, that is the place where
    it lay.
    """
    lying = [c.rest.at_mm for c in coins if c.rest is not None]
    found: dict[str, RimFit | None] = {}
    for coin in coins:
        before, seen = coin.before, coin.rest
        if before is not None and _seems_gone(coin, observation) and not changed(before.at_mm):
            there = fit(coin.coin, before.at_mm)
            if there is not None and distance(there.at_mm, before.at_mm) < SAME_PLACE_MM:
                found[coin.coin] = there
        elif (
            before is not None
            and seen is not None
            and coin.sightings
            and all(
                distance(at_mm, before.at_mm) > sizes.of(coin.coin).coin_mm / 2 for at_mm in lying
            )
            and (there := rim(before.at_mm, sizes.of(coin.coin))) is not None
            and distance(there.at_mm, before.at_mm) < SAME_PLACE_MM
            and (_plainly_there(there, before) or _looks_as_before(coin, observation, changed))
        ):
            found[coin.coin] = fit(coin.coin, seen.at_mm)
            coin.rest = before
            coin.sightings.clear()
            coin.lies_where_it_lay(observation.t_s)
    return found


def _plainly_there(there: RimFit, before: Rest) -> bool:
    """Return whether a plain rim lies just where the coin lay: no other comes to lie so exactly."""
    off_mm = distance(there.at_mm, before.at_mm)
    return there.support > PLAIN_SUPPORT and off_mm < math.hypot(there.sigma_mm, before.sigma_mm)


def _looks_as_before(
    coin: TrackedCoin, observation: FrameObservation, changed: Callable[[Point], bool]
) -> bool:
    """Return whether the picture shows where the coin lay, unchanged, and never showed it bare."""
    shown = not coin.seen_bare and coin.coin not in observation.covered
    return shown and coin.before is not None and not changed(coin.before.at_mm)


def _seems_gone(coin: TrackedCoin, observation: FrameObservation) -> bool:
    """Return whether a coin seems gone, in full view, and was seen nowhere else."""
    gone = coin.state is State.HIDDEN or coin.coin in observation.presence
    return gone and coin.on_table and not coin.sightings and coin.coin not in observation.covered
