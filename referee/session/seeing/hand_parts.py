"""Finds out, once nothing moves any more, whether parts of a hand or other coins were followed
instead of coins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from calibration.lens.camera import TableView
from referee.domain.episode import Rest
from referee.domain.frame_observation import FrameObservation
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.session.seeing.reacquisition import SAME_PLACE_MM, in_colour, rest_of, settle
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.coins.coin_search import Floor, places_like_coins
from referee.vision.coins.rim_fit import PLAIN_SUPPORT, RimFit, fit_rim
from referee.vision.image.picture import Picture
from referee.vision.sources.frame import VideoFrame


def lose_hands(
    coins: Sequence[TrackedCoin],
    covered: frozenset[str],
    fit: Callable[[str, Point], RimFit | None],
    changed: Callable[[Point], bool],
) -> None:
    """Treat a coin as hidden if `fit` measures no coin where it seems to rest, and its sightings
    prove little: it was seen once, or clear of a hand in no more than half of its sightings, or
    never moving, or the picture has not `changed` there. In this case a part of a hand was followed
    instead of the coin, or a hand that is left in the background. A coin that was never seen moving
    gets the place that `fit` measures.
    """
    for coin in coins:
        rests = coin.state is State.REST and bool(coin.sightings) and coin.coin not in covered
        if not rests or coin.rest is None:
            continue
        lay = coin.only_seen_lying
        if coin.mostly_seen_free and not lay and changed(coin.rest.at_mm):
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
    """For coins that left the table, note whether the bare table is seen where they lay: no hand is
    in the picture, and it has `changed` there. While a coin is flicked off the table, the hand
    hides that place.
    """
    for coin in coins:
        if coin.state is State.OFF_TABLE and coin.before is not None and not observation.hand:
            coin.seen_bare |= changed(coin.before.at_mm)


def stayed(
    coins: Sequence[TrackedCoin], left_over: Sequence[RimFit], sizes: PieceSizes
) -> list[tuple[TrackedCoin, RimFit]]:
    """Return the coins that seem to have moved away, although a rim is seen less than half their
    width from where they lay, each with this rim. Another coin was followed instead. `left_over`
    are the rims that belong to no lost coin.
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
    """Separate two coins, because another coin was followed instead of `coin`. The other coin gets
    the new name `name` and the sightings, and `coin` is put back where it `lies`. Return the sizes
    of all coins.
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
    frame: VideoFrame,
    view: TableView,
    floor: Floor,
    fit: Callable[[str, Point], RimFit | None],
    changed: Callable[[Point], bool],
) -> dict[str, RimFit | None]:
    """Call `put_back` for the tracker's coins, with the rims and the places like coins that are
    seen in a frame, also given as `picture`.
    """
    coins = [c for c in tracker.coins.values() if c.state is not State.ON_STACK]

    def like_coins(at_mm: Point, within_mm: float, sizes: PieceSizes) -> list[Point]:
        return places_like_coins(in_colour(picture, frame), floor, at_mm, within_mm, sizes)

    rim = partial(fit_rim, picture, view)
    return put_back(coins, observation, fit, rim, like_coins, changed, tracker.sizes)


def put_back(
    coins: Sequence[TrackedCoin],
    observation: FrameObservation,
    fit: Callable[[str, Point], RimFit | None],
    rim: Callable[[Point, PieceSizes], RimFit | None],
    like_coins: Callable[[Point, float, PieceSizes], Sequence[Point]],
    changed: Callable[[Point], bool],
    sizes: PieceSizes,
) -> dict[str, RimFit | None]:
    """For coins that seem to have moved: return them to where they lay, if the picture has not
    changed there and did not show the bare table, or if a plain rim is there. In this case another
    coin or something else was followed: in a heap, a coin may be taken for its neighbour.

    `rim` finds a coin at exactly a place, `fit` a coin that may lie some mm off, and `like_coins`
    the places that look like a coin (see `places_like_coins`). Return, by the coin's name, the rim
    at the place where each of these coins was last seen. For a coin that seems gone although
    nothing has changed, and that was seen nowhere else, this is the place where it lay.
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
        elif (pushed := _only_pushed(coin, lying, fit, like_coins, changed, sizes)) is not None:
            coin.rest = rest_of(pushed)
            coin.sightings.clear()
    return _one_each(found, sizes)


def _one_each(found: Mapping[str, RimFit | None], sizes: PieceSizes) -> dict[str, RimFit | None]:
    """Return the rims, with None in place of a rim that an earlier coin has: two coins of a heap
    may both have been taken for a third one.
    """
    kept: dict[str, RimFit | None] = {}
    for coin, fit in found.items():
        half_mm = sizes.width_mm(coin) / 2
        others = [other.at_mm for other in kept.values() if other is not None]
        apart = fit is not None and all(distance(fit.at_mm, at) > half_mm for at in others)
        kept[coin] = fit if apart else None
    return kept


def _only_pushed(
    coin: TrackedCoin,
    lying: Sequence[Point],
    fit: Callable[[str, Point], RimFit | None],
    like_coins: Callable[[Point, float, PieceSizes], Sequence[Point]],
    changed: Callable[[Point], bool],
    sizes: PieceSizes,
) -> RimFit | None:
    """Return the plain rim of a coin that seems to have been put down elsewhere, although it was
    only pushed by less than half its width: the picture has hardly changed there. Something that
    a hand uncovered elsewhere was taken for the coin. None for any other coin. A rim exactly where
    the coin lay does not count: that coin was not pushed.
    """
    before, half_mm = coin.before, sizes.width_mm(coin.coin) / 2
    if before is None or coin.rest is None or not coin.sightings or not coin.only_seen_lying:
        return None
    if any(distance(at_mm, before.at_mm) < half_mm for at_mm in lying):
        return None
    places = like_coins(before.at_mm, half_mm, sizes.of(coin.coin))
    rims = (fit(coin.coin, at_mm) for at_mm in places)
    near = [
        rim
        for rim in rims
        if rim is not None
        and rim.support > PLAIN_SUPPORT
        and SAME_PLACE_MM < distance(rim.at_mm, before.at_mm) < half_mm
        and not changed(rim.at_mm)
    ]
    return max(near, key=lambda rim: rim.support, default=None)


def _plainly_there(there: RimFit, before: Rest) -> bool:
    """Return whether a plain rim lies exactly where the coin lay: another coin would not come to
    lie there so exactly.
    """
    off_mm = distance(there.at_mm, before.at_mm)
    return there.support > PLAIN_SUPPORT and off_mm < math.hypot(there.sigma_mm, before.sigma_mm)


def _looks_as_before(
    coin: TrackedCoin, observation: FrameObservation, changed: Callable[[Point], bool]
) -> bool:
    """Return whether the place where the coin lay is seen, has not changed, and was never seen
    bare.
    """
    shown = not coin.seen_bare and coin.coin not in observation.covered
    return shown and coin.before is not None and not changed(coin.before.at_mm)


def _seems_gone(coin: TrackedCoin, observation: FrameObservation) -> bool:
    """Return whether a coin seems gone, in full view, and was seen nowhere else."""
    gone = coin.state is State.HIDDEN or coin.coin in observation.presence
    return gone and coin.on_table and not coin.sightings and coin.coin not in observation.covered
