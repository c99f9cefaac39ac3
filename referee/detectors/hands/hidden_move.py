"""Decides, for a coin that came from one place to another while it was hidden, whether a hand moved
it or it slid unseen; and for a coin that is gone, whether a hand took it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from referee.detectors.coin_motion.contact import TOUCHED_MM, rim_gap
from referee.detectors.coin_motion.displacement import ALSO_EXPLAINED, pushed_near
from referee.detectors.coin_motion.hand_near import hand_at, hand_before
from referee.detectors.coin_motion.heap import knocked_through
from referee.detectors.coin_motion.pocket import off_board
from referee.detectors.coin_motion.tile_bounce import FITS_BY_CHANCE, slid_off_tile
from referee.detectors.hands.unseen_strikes import may_be_struck, may_have_pushed
from referee.domain.episode import LIES_MM, CoinTrack, Episode, Frame, frame_time_s, was_displaced
from referee.domain.geometry import Point, distance, dot, nearest_on_segment, subtract
from referee.domain.incident import EITHER
from referee.domain.path import Held, Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS, Sighting
from referee.domain.slide import FASTEST_FLICK_MM_S
from referee.domain.table_edge import inward_normal, middle_of

# Tuned on our own clips, except where a comment gives another source for a number.

# Chosen: a coin went straight on if it turned by less than 37 degrees; this is the cosine.
STRAIGHT_SHARE: Final = 0.8
# Chosen: in distances between the centres of touching coins. If a hit turned a coin aside, the coin
# that it hit lay at most this far from the straight line between its places of rest.
BESIDE_REACHES: Final = 1.5


def hand_chance(
    episode: Episode,
    paths: tuple[Path, ...],
    path: Path,
    held: Held,
    ends: Sequence[Point],
    *,
    slid_off: bool = False,
) -> float:
    """Return the probability that a hand moved a coin while it was hidden, rather than that it
    slid. `ends` are the places where the coin lay and lies now, as far as they are known.
    `slid_off` says that it may have slid off the table. No coin slides onto a stack of tiles or
    down from it, and nobody flicks a coin from off the board back onto it.

    A slide gets more likely if it also explains why a tile near its ends was pushed, or why another
    coin began to move, or slid unseen, for no other known reason; much more if the coin came off a
    pushed tile too soon for a hand to have moved both (see `tile_bounce`).
    """
    course = episode.course_before
    if any(course.tower_at(at) is not None for at in ends):
        return 1.0
    lay, back = path.rest_before_mm, len(ends) > 1 and not off_board(course, ends[-1])
    if back and lay is not None and off_board(course, lay):
        return 1.0
    also = (
        slid_off
        or any(_set_off_beside(episode, paths, path, other) for other in paths)
        or any(_slid_beside(episode, paths, path, held, ends, other) for other in paths)
        or any(pushed_near(episode, at) for at in ends)
    )
    came_off = not path.runs and slid_off_tile(episode, path)
    explained = (ALSO_EXPLAINED if also else 0.0) + (FITS_BY_CHANCE if came_off else 0.0)
    return _hand_share(held.slide_extra_cost - explained)


def slide_chance(episode: Episode, paths: tuple[Path, ...], path: Path) -> float:
    """Return the probability that a coin that changed its place under a hand slid there; 0 for a
    coin about whose motion more is known.
    """
    places = (path.rest_before_mm, path.rest_after_mm)
    if path.runs or len(path.held) != 1 or places[0] is None or places[1] is None:
        return 0.0
    ends = (places[0], places[1])
    held = path.held[0]
    if not held.seen_with_hand or distance(*ends) < TOUCHED_MM:
        return 0.0
    return 1.0 - hand_chance(episode, paths, path, held, ends)


def slid_away_chance(episode: Episode, paths: tuple[Path, ...], path: Path) -> float:
    """Return the probability that a coin that a hand covered, and that is not seen any more, was
    flicked and slid away; 0 for a coin about whose motion more is known.
    """
    track = episode.track_of(path.coin)
    lay, known = path.rest_before_mm, path.rest_after_mm is not None or track.cut_off_s is not None
    if lay is None or known or path.runs or len(path.held) != 1:
        return 0.0
    if off_board(episode.course_before, lay):  # it is not in play
        return 0.0
    held = path.held[0]
    return 1.0 - taken_chance(episode, paths, track, path, held) if held.seen_with_hand else 0.0


def taken_chance(
    episode: Episode, paths: tuple[Path, ...], track: CoinTrack, path: Path, held: Held
) -> float:
    """Return the probability that a hand took a coin off the table, if the coin is not seen there
    any more. Instead, it may be the coin that came from an unknown place under another name, it may
    have been struck and slid away unseen, it may have slid into another coin unseen, or it may lie
    where it is not seen. Nobody flicks a coin off the table that lay off the board.
    """
    lay, last = path.rest_before_mm, place_before(path, held)
    over_edge = (
        lay is not None
        and not off_board(episode.course_before, lay)
        and _by_the_edge(episode, track, lay)
    )
    ends = () if lay is None else (lay,)
    chance = hand_chance(episode, paths, path, held, ends, slid_off=over_edge)
    elsewhere = any(p.rest_before_mm is None and p.rest_after_mm is not None for p in paths)
    slid = last is not None and (
        may_be_struck(episode, paths, path, last, held.begin_s)
        or may_have_pushed(episode, paths, path, held.begin_s)
    )
    return min(chance, EITHER) if elsewhere or slid or track.may_lie_unseen else chance


def place_before(path: Path, held: Held) -> Point | None:
    """Return where a coin was when a hand began to hold it; None if that is not known."""
    earlier = [r for r in path.runs if r.begin_s <= held.begin_s]
    return earlier[-1].position(earlier[-1].end_s) if earlier else path.rest_before_mm


def _by_the_edge(episode: Episode, track: CoinTrack, at: Point) -> bool:
    """Return whether a coin that a hand covered lay so close to the edge that it may have slid off
    between two frames. Its speed is taken to be at most half that of the fastest flick, because few
    flicks are faster.
    """
    if not episode.edge or not any(f.number in track.hand_frames for f in episode.frames):
        return False
    middle = middle_of(episode.edge)
    nearest = min(
        dot(subtract(at, side.begin_mm), inward_normal(side, middle)) for side in episode.edge
    )
    return nearest < 0.5 * FASTEST_FLICK_MM_S * frame_time_s(episode)


def slid_to_run(episode: Episode, path: Path, run: Run) -> float:
    """Return the probability that a coin that was hidden on its way to where a run begins slid
    there, perhaps off a tile that it pushed, and no hand carried it; 0 where no hand was over it or
    nobody knows where it lay.
    """
    held = path.held_until(run.begin_s)
    if held is None or not held.seen_with_hand or path.rest_before_mm is None:
        return 0.0
    pushed = any(pushed_near(episode, at) for at in (path.rest_before_mm, run.from_mm))
    return 1.0 - _hand_share(held.slide_extra_cost - (ALSO_EXPLAINED if pushed else 0.0))


def _hand_share(dearer: float) -> float:
    """Return the probability that a hand moved a coin, if a slide costs `dearer` more than a hand.
    Costs that differ by d have odds of exp(d / 2).
    """
    return 0.5 * (1.0 + math.tanh(0.5 * dearer / 2.0))


def _set_off_beside(episode: Episode, paths: tuple[Path, ...], path: Path, other: Path) -> bool:
    """Return whether the coin `other` began to move while the hand hid this coin, and this coin may
    have been flicked into it.
    """
    return (
        bool(other.runs) and hidden_neighbour(episode, paths, other, other.runs[0].begin_s) is path
    )


def _slid_beside(
    episode: Episode,
    paths: tuple[Path, ...],
    path: Path,
    held: Held,
    ends: Sequence[Point],
    other: Path,
) -> bool:
    """Return whether this coin may have hit the coin `other`, if it was flicked straight from the
    first to the last of its `ends`. Meanwhile the other coin must have changed its place, by an
    unseen slide rather than by a hand, and no other coin was seen to hit it. If both coins may have
    slid unseen, the hit explains only the slide that costs more.
    """
    lay, lies = other.rest_before_mm, other.rest_after_mm
    if other is path or len(ends) < 2 or lay is None or lies is None or other.runs:
        return False
    slid = [
        h
        for h in other.held
        if h.slide_extra_cost < held.slide_extra_cost
        and h.slide_extra_cost < 0.0
        and h.begin_s < held.end_s
        and held.begin_s < h.end_s
    ]
    reach_mm = episode.sizes.reach_mm(path.coin, other.coin)
    beside_mm = distance(nearest_on_segment(ends[0], ends[-1], lay), lay)
    others = tuple(p for p in paths if p is not path)
    return (
        bool(slid)
        and distance(lay, lies) > TOUCHED_MM
        and beside_mm < BESIDE_REACHES * reach_mm
        and not may_be_struck(episode, others, other, lay, slid[0].begin_s)
    )


def hidden_neighbour(
    episode: Episode, paths: tuple[Path, ...], path: Path, t_s: float
) -> Path | None:
    """Return another coin that may have been flicked into this coin unseen; None if there is none.
    A hand moved the other coin at about this instant, or has hidden it since, and a flick can take
    it to this coin between two frames. If no hand and no coin was seen to set this coin in motion,
    the flick may have begun at any time since the other coin was hidden. Another coin that was
    hardly seen sliding afterwards may also have set off at any time since it was hidden.
    """
    run = path.run_at(t_s)
    caused = hand_before(episode, path.coin, t_s) or (
        run is not None and (bool(run.met) or knocked_through(episode, path, run, paths))
    )
    place_mm = _lay_mm(path, t_s)
    for other in paths:
        other_mm = None if other is path else _lay_mm(other, t_s)
        if other_mm is None or place_mm is None:
            continue
        begins = [h.begin_s for h in other.held if h.seen_with_hand and t_s <= h.end_s]
        begins += [] if (under_s := under_hand_since_s(episode, other)) is None else [under_s]
        later = next((r for r in other.runs if r.begin_s > t_s), None)
        if later is not None and later.sightings < TELLING_SIGHTINGS:
            begins += hidden_since_s(episode, other.coin, t_s)
        hidden = [begin_s for begin_s in begins if begin_s <= t_s]
        since_s = max((0.0 if caused else t_s - begin_s for begin_s in hidden), default=0.0)
        reach_mm = FASTEST_FLICK_MM_S * max(since_s, frame_time_s(episode))
        if hidden and distance(other_mm, place_mm) < reach_mm:
            return other
    return None


def _lay_mm(path: Path, t_s: float) -> Point | None:
    """Return where a coin lay just before `t_s`; None if it slid then, or if nobody knows."""
    before = [run for run in path.runs if run.begin_s < t_s]
    if not before:
        return path.rest_before_mm
    return before[-1].position(before[-1].end_s) if before[-1].end_s < t_s else None


def hidden_since_s(episode: Episode, coin: str, t_s: float) -> list[float]:
    """Return, in a list, when a coin was last seen before an instant at which it is hidden; an
    empty list if it is not hidden then.
    """
    track = episode.track_of(coin)
    until = [f for f in episode.frames if f.t_s <= t_s]
    hidden = bool(until) and until[-1].number in track.hidden_frames
    return [_last_seen_s(until, track)] if hidden else []


def _last_seen_s(frames: Sequence[Frame], track: CoinTrack) -> float:
    """Return when a coin was last seen in these frames; the time of the first frame if it was never
    seen.
    """
    seen = (f.t_s for f in reversed(frames) if f.number not in track.hidden_frames)
    return next(seen, frames[0].t_s)


def under_hand_since_s(episode: Episode, path: Path) -> float | None:
    """Return when a coin was last seen, if a hand hides it from then to the end of the episode.
    Nobody knows whether such a coin still lies where it lay. None for any other coin.
    """
    track = episode.track_of(path.coin)
    last = episode.frames[-1].number
    if path.runs or path.held or last not in track.hand_frames & track.hidden_frames:
        return None
    return _last_seen_s(episode.frames, track)


def carried_there(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a run begins away from the place where the coin lay, and does not lead
    straight on from that place. Then a hand carried the coin to where the run begins.
    """
    if path.rest_before_mm is None:
        return False
    way_mm = distance(path.rest_before_mm, run.from_mm)
    step = subtract(run.from_mm, path.rest_before_mm)
    along = step[0] * run.heading[0] + step[1] * run.heading[1]
    return way_mm > episode.sizes.width_mm(path.coin) and along < STRAIGHT_SHARE * way_mm


def stood_there(path: Path, held: Held, run: Run) -> list[Sighting]:
    """Return those sightings, while a hand held the coin, that show it standing where `run` then
    begins. Return an empty list if there are too few of them to be sure.
    """
    within = [s for s in path.sightings if held.begin_s <= s.t_s <= held.end_s]
    stood = [
        s for s in within if distance(s.at_mm, run.from_mm) < LIES_MM + SEEN_SIGMAS * s.sigma_mm
    ]
    return stood if len(stood) >= TELLING_SIGHTINGS else []


def pushed_by_tile(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a displaced tile pushed the coin: the tile now lies over the place where the
    coin lay, or against it, and no hand was at the coin when it began to move.
    """
    lay_mm, coin_mm = path.rest_before_mm, episode.sizes.width_mm(path.coin)
    if lay_mm is None or run is not path.runs[0] or hand_at(episode, path.coin, run.begin_s):
        return False
    return any(
        rim_gap(tile, episode.course_after.tile_mm, coin_mm, lay_mm) < TOUCHED_MM
        for name, tile in episode.course_after.tiles.items()
        if was_displaced(episode, name)
    )
