"""Finds the coins that were lost from sight, once nothing moves any more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final

from referee.domain.episode import CoinTrack, Episode, Rest
from referee.domain.frame_observation import FrameObservation
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.tracking.identity.tracker import Tracker
from referee.vision.background.appearance_history import AppearanceHistory
from referee.vision.background_difference import BackgroundDifference
from referee.vision.coins.coin_search import SEEN_WITH_WIDTHS, Floor
from referee.vision.coins.inventory import one_width_each, plainest_each, take_inventory
from referee.vision.coins.rim_fit import RimFit
from referee.vision.frame_analysis import FrameAnalysis
from referee.vision.image.boxes import box_around, merged
from referee.vision.image.picture import Picture, picture_from_bgr
from referee.vision.sources.frame import VideoFrame

# Tuned on our own clips, except where a comment gives another source for a number.

NEW_COIN_AROUND_MM: Final = 60.0  # new coins are searched for up to here from a change's middle
# Chosen: widths that differ by less than this share count as equal. They are known to some 3 %.
SAME_WIDTH: Final = 0.1
SAME_PLACE_MM: Final = 1.0  # a coin found this close to where it lay may never have moved


def find_new_coins(
    picture: Picture,
    analysis: FrameAnalysis,
    floor: Floor,
    known_mm: Sequence[Point],
    missing: Sequence[TrackedCoin],
    coins_in_match: int | None,
    lay_mm: Sequence[Point] = (),
) -> list[RimFit]:
    """Find coins where the frame differs from the background and no coin is known to lie.

    If fewer coins are found than are `missing` of those that lay on the table before, the whole
    table is searched for changes that are too faint or too small to look like a coin by themselves.
    Coins lay at `lay_mm` before. A coin that overlaps such a place changes the picture little
    there. So a new coin may lie at any place that overlaps one of these, unless a coin is known to
    lie there still. It may also lie where a hand has left that was there from the beginning,
    because the change there is not known. Once all `coins_in_match` are known to lie on the table
    (None: their number is not known), nothing is searched for. If a coin left the table, it may
    really have been another coin, so its old place is searched, too.
    """
    if not missing and coins_in_match is not None and len(known_mm) >= coins_in_match:
        return []
    sizes, view, difference = analysis.table.sizes, analysis.table.view, analysis.difference
    found: list[RimFit] = []
    lost = [c for c in missing if c.before and c.state in (State.HIDDEN, State.SLIDING)]
    off = [c for c in missing if c.before and c.state is State.OFF_TABLE]
    left_mm = [
        at
        for at in lay_mm
        if (lost or off) and all(distance(at, o) > sizes.coin_mm / 2 for o in known_mm)
    ]

    # A coin that was seen to leave the table lies exactly where a coin lay, or is gone.
    overlap_mm = sizes.coin_mm if lost else sizes.coin_mm / 2

    def missed(at_mm: Point, off_mm: float) -> bool:
        return any(distance(at, at_mm) < off_mm + overlap_mm for at in left_mm)

    def may_hold(at_mm: Point, off_mm: float) -> bool:
        return missed(at_mm, off_mm) or difference.changed_within(at_mm, off_mm)

    def search(part: Floor) -> None:
        taken = [*known_mm, *(fit.at_mm for fit in found)]
        left = len(lost) + len(off) - len(found)
        fits = (
            replace(fit, width_mm=alike.coin_mm)
            for alike in one_width_each(sizes, [c.coin for c in missing])
            for fit in take_inventory(picture, view, part, alike, taken, may_hold, left)
            if missed(fit.at_mm, 0.0) or difference.changed_at(fit.at_mm, () if lost else left_mm)
        )
        found.extend(plainest_each(fits))

    new = difference.something_new(known_mm)
    for box in merged(
        box_around(at_mm, min(NEW_COIN_AROUND_MM, reach_mm + SEEN_WITH_WIDTHS * sizes.coin_mm))
        for at_mm, reach_mm in (*new, *((at_mm, 0.0) for at_mm in left_mm if off))
    ):
        search(floor.part(box))
    if len(found) < len(lost):
        search(floor)
    return found


#: `find_new_coins` for one frame: takes `known_mm`, `missing` and `coins_in_match`.
FindNew = Callable[[Sequence[Point], Sequence[TrackedCoin], int | None], list[RimFit]]


@dataclass
class NewCoins:
    """Finds new coins in the last frame, as `find_new_coins` does. A search with the same arguments
    is made only once.
    """

    _asked: object = None
    _found: list[RimFit] = field(default_factory=list)

    def of(
        self,
        frame: VideoFrame,
        picture: Picture,
        analysis: FrameAnalysis,
        floor: Floor,
        tracker: Tracker,
    ) -> FindNew:
        """Return a function that searches a frame, also given as `picture`. The tracker knows where
        coins lay before.
        """
        lay_mm = [c.before.at_mm for c in tracker.coins.values() if c.before is not None]

        def find(
            known_mm: Sequence[Point], missing: Sequence[TrackedCoin], coins_in_match: int | None
        ) -> list[RimFit]:
            coins = tuple((c.coin, c.state) for c in missing)
            # while coins are missing, `coins_in_match` does not change the result
            asked = (frame.number, (*known_mm,), coins or coins_in_match)
            if asked != self._asked:
                searched = in_colour(picture, frame)
                found = find_new_coins(
                    searched, analysis, floor, known_mm, missing, coins_in_match, lay_mm
                )
                self._asked, self._found = asked, found
            return [*self._found]

        return find


def in_colour(picture: Picture, frame: VideoFrame) -> Picture:
    """Return a frame's picture with its colours."""
    return picture if picture.has_colour else picture_from_bgr(frame.bgr())


def all_put_down(
    find_new: FindNew, tracker: Tracker, observation: FrameObservation, sizes: PieceSizes
) -> bool:
    """Return whether hands have put down all coins that they had taken, and no coin slid. Call this
    when nothing moves.
    """
    coins = list(tracker.coins.values())
    missing = [c for c in coins if c.coin in observation.presence]
    if observation.hand or not missing or any(c.sightings for c in coins):
        return False
    known = [c.rest.at_mm for c in coins if c.rest is not None and c not in missing]
    return len(match_missing(missing, find_new(known, missing, None), sizes)) == len(missing)


def measure_moved_coins(
    coins: Sequence[TrackedCoin],
    missing: Sequence[TrackedCoin],
    covered: frozenset[str],
    fit: Callable[[str, Point], RimFit | None],
    changed: Callable[[Point], bool],
    coin_mm: float,
) -> list[TrackedCoin]:
    """Measure where the coins that moved lie now: `fit` finds a coin's rim at a place. Return the
    coins that are not where they were last seen: no hand covers the place, and there is no rim
    there, or the rim of another coin.

    A coin that was not seen moving is measured in two cases. If no hand came near it and its place
    looks `changed`, a light touch may have moved it too little to be seen. If a hand hid it while
    another coin slid, the hand may have flicked it; if it lies at another place then, nobody knows
    since when.
    """
    gone, taken, slid = [], list[Point](), any(coin.sightings for coin in coins)
    for coin in coins:
        unmoved = not coin.sightings
        hidden = slid and coin.coin not in covered and coin.hidden_from_s is not None
        grazed = not coin.hand_frames and coin.rest is not None and changed(coin.rest.at_mm)
        if coin in missing or coin.rest is None or (unmoved and not (grazed or hidden)):
            continue
        measured = fit(coin.coin, coin.rest.at_mm)
        hidden_now = coin.coin in covered
        if measured and not hidden_now and _is_other(coin, coins, measured.at_mm, coin_mm):
            coin.state = State.HIDDEN
            gone.append(coin)
        elif measured and all(distance(measured.at_mm, at) > SAME_PLACE_MM for at in taken):
            taken.append(measured.at_mm)
            if unmoved and distance(measured.at_mm, coin.rest.at_mm) < SAME_PLACE_MM:
                continue
            coin.rest = rest_of(measured)
            coin.lay_until_s = coin.hidden_from_s if unmoved and hidden else coin.lay_until_s
        elif not hidden_now and not unmoved:
            coin.state = State.HIDDEN if measured else coin.state
            gone.append(coin)
    return gone


def _is_other(
    coin: TrackedCoin, coins: Sequence[TrackedCoin], at_mm: Point, coin_mm: float
) -> bool:
    """Return whether another coin, not seen moving, was last taken for a coin that moved: the moved
    coin seems to lie exactly where the other one lay. If so, drop the moved coin's sightings there.
    """
    others = [c.before for c in coins if c is not coin and c.before is not None and not c.sightings]
    lain = next((lay for lay in others if distance(lay.at_mm, at_mm) < SAME_PLACE_MM), None)
    if lain is None or not coin.sightings:
        return False
    coin.sightings = [s for s in coin.sightings if distance(s.at_mm, lain.at_mm) > coin_mm / 2]
    return True


def settle(coin: TrackedCoin, rest: Rest) -> None:
    """Record that a missing coin was found at rest. If it lies where it lay before, it never moved,
    and its sightings were a hand. If it seemed to leave the table, its sightings were a hand or
    another coin. Such sightings are dropped.
    """
    if coin.state is State.OFF_TABLE:
        coin.sightings.clear()
    coin.state, coin.rest = State.REST, rest
    lay = coin.before or coin.lay_covered
    if lay is not None and distance(lay.at_mm, rest.at_mm) < SAME_PLACE_MM:
        coin.before = coin.rest = lay
        coin.sightings.clear()


def match_missing(
    missing: Sequence[TrackedCoin], new_fits: Sequence[RimFit], sizes: PieceSizes
) -> list[tuple[TrackedCoin, RimFit]]:
    """Return the missing coins whose new places are certain, each with the rim at its new place:
    near where it was last seen moving, less than half a coin's width from where it lay, or the only
    rim left for the only coin left.

    Coins that could lie at more than one place, or at the same place, are left out; their faces
    decide later. If coins in a heap were pushed by less than half a coin's width, each lies nearer
    to its own old place than to any other's. A coin that was seen leaving the table also gets a rim
    near its old place, if no other missing coin can lie there. A rim exactly where a coin lay,
    where the bare table was not seen since, is that coin.
    """
    pairs: list[tuple[TrackedCoin, RimFit]] = []
    free = list(new_fits)

    def pair(coin: TrackedCoin, at_mm: Point, within_mm: float) -> None:
        near = [
            fit
            for fit in free
            if distance(fit.at_mm, at_mm) < within_mm and _has_width(fit, coin, sizes)
        ]
        if len(near) == 1 and all(coin is not paired for paired, _ in pairs):
            pairs.append((coin, near[0]))
            free.remove(near[0])

    on_table = [c for c in missing if c.on_table]
    lay = [(c, c.before.at_mm, sizes.width_mm(c.coin) / 2) for c in missing if c.before is not None]
    last = [(c, c.may_lie.at_mm, SAME_PLACE_MM) for c in missing if c.may_lie is not None]
    last += [(c, c.sightings[-1].at_mm, sizes.width_mm(c.coin)) for c in on_table if c.sightings]
    last += [one for one in lay if one[0].on_table and not one[0].sightings]
    for coin, at_mm, within_mm in last:
        pair(coin, at_mm, within_mm)
    left = [c for c in on_table if all(c is not paired for paired, _ in pairs)]
    if len(left) == 1 and len(free) == 1 and _has_width(free[0], left[0], sizes):
        pairs.append((left[0], free[0]))
    elif not left:
        for coin, at_mm, within_mm in lay:
            pair(coin, at_mm, within_mm)
    return pairs


def _has_width(fit: RimFit, coin: TrackedCoin, sizes: PieceSizes) -> bool:
    """Return whether a rim is as wide as a coin. If all coins have one width, return True."""
    width_mm = fit.width_mm or sizes.coin_mm
    return math.isclose(width_mm, sizes.width_mm(coin.coin), rel_tol=SAME_WIDTH)


def dated(
    tracker: Tracker, analysis: FrameAnalysis, observation: FrameObservation, *, still: bool
) -> tuple[CoinTrack, ...]:
    """Return the track of every coin. For a coin that has changed its place, it says since when the
    coin has been lying there, and when a hand was over it; this is not known if the coin hardly
    changes the picture there. If something about as large as a coin has changed, a coin that lies
    nowhere is marked as possibly lying unseen.

    If the table is not `still`, a coin that is not in full view gets these times from the frames up
    to the last one that shows it at its place, clear of a hand. No coin was searched for then, so
    every coin that lies nowhere is marked.
    """
    unclear = frozenset[str]() if still else observation.covered | observation.presence.keys()
    from_s, tracks = tracker.frames[0].t_s, tracker.tracks()
    if any(track.before and not track.after for track in tracks):
        known = [rest.at_mm for t in tracks for rest in (t.before, t.after) if rest is not None]
        unseen = not still or bool(analysis.difference.something_new(known))
        tracks = tuple(replace(t, may_lie_unseen=unseen and t.after is None) for t in tracks)
    return tuple(
        _dated(track, track.after, history, from_s)
        if track.after is not None
        and track.after != track.before
        and (history := _showing(track, track.after, analysis.history, unclear)) is not None
        else track
        for track in tracks
    )


def with_unknown(episode: Episode, difference: BackgroundDifference) -> Episode:
    """Return an episode with the places added at which the table has changed although no disc is
    known to lie there, or to have lain there. Call this if the number of discs is not known: at
    such a place, a disc that was not found may have moved.
    """
    known = [rest.at_mm for t in episode.tracks for rest in (t.before, t.after) if rest is not None]
    return replace(episode, unknown_mm=difference.unexplained(known))


def _showing(
    track: CoinTrack, after: Rest, history: AppearanceHistory, unclear: Set[str]
) -> AppearanceHistory | None:
    """Return the part of a history that ends with a picture in which the coin lies at `after` in
    full view; None if there is none.
    """
    if track.coin not in unclear:
        return history
    clear = [s for s in track.sightings if s.frame not in track.hand_frames]
    if not clear or not after.is_at(clear[-1].at_mm, clear[-1].sigma_mm):
        return None
    return history.until(clear[-1].t_s)


def _dated(track: CoinTrack, after: Rest, history: AppearanceHistory, from_s: float) -> CoinTrack:
    if not history.mostly_changed_at(after.at_mm):
        return replace(track, came_unnoticed=True)
    over, since_s = history.hand_over(after.at_mm, from_s), history.settled_since(after.at_mm)
    before, lay_s = track.before, track.lay_until_s
    within = (
        None
        if before is None or lay_s is None
        else history.moved_within(before.at_mm, lay_s, after.at_mm)
    )
    return replace(track, settled_s=since_s, hand_after_s=over, moved_within_s=within)


def rest_of(fit: RimFit) -> Rest:
    """Return the place of rest that a measured rim gives."""
    return Rest(fit.at_mm, fit.sigma_mm)
