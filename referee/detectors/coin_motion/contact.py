"""`contact`: a coin's rim touched another coin, an endpost, a tower, or a tile.

Whether two coins touched is decided first by what the struck coin did. A coin that lay still and
slid off along the line of centres was hit. A coin that did not move was at most touched lightly;
friction and speed limit how much. Only if neither decides, the measured gap does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from referee.detectors.coin_motion.hand_near import hand_at
from referee.detectors.coin_motion.normal_distribution import (
    normal_density,
    normal_share,
    share_between,
)
from referee.domain.episode import Episode, frame_time_s, frames_about, is_vague
from referee.domain.geometry import Point, distance, dot, inside_by, scale, square_corners, subtract
from referee.domain.incident import LIKELIER, Contact, as_written, worth_saying
from referee.domain.layout import Tile
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS, SHARED
from referee.domain.slide import BOUNCE, speed_over_mm, standing_after_mm

# Tuned on our own clips, except where a comment gives another source for a number.

# The error of a set's coin size, and with it of the gap between rims.
SIZE_SIGMA_MM: Final = 0.15
# A coin meets the lowest tile of a stack, but the camera sees the top one. Measured: in rendered
# stacks they differ by this along each axis. Stacks that people laid were not measured.
STACKED_SIGMA_MM: Final = 0.6
# A smaller change of a sliding coin's velocity may be fitted as friction or noise.
UNSEEN_BREAK_MM_S: Final = 60.0
# Chosen: step of the search for the closest approach, 0.5 mm at 1 m/s: 0.002 mm too wide at most.
SAMPLE_S: Final = 0.0005
# An overlap with a stack up to this depth would change a passing coin's path too little to be seen.
POST_GRAZE_MM: Final = 0.3
STEPS: Final = 100  # Chosen: a path is cut into this many steps to find the smallest gap
# A coin that a hand is at and that moved less than this was perhaps only touched by the hand.
TOUCHED_MM: Final = 3.0


@dataclass(frozen=True, slots=True)
class Approach:
    """The closest approach of two coins: its instant, the gap between the rims then (negative:
    overlap), the gap's sigma, the speed at which the coins approached each other before, and
    whether they came to rest there.
    """

    t_s: float
    gap_mm: float
    sigma_mm: float
    closing_mm_s: float
    stopped: bool = False


def contacts(episode: Episode, paths: tuple[Path, ...]) -> list[Contact]:
    """Find the certain and probable contacts of coins with coins, stacks and tiles, unsorted."""
    found: list[Contact] = []
    low = [path for path in paths if not _stacked(episode, path)]
    for i, a in enumerate(low):
        for b in low[i + 1 :]:
            if a.runs or b.runs:
                found += _pair(episode, a, b)
        found += _stacks_and_tiles(episode, a)
    return found


def _stacked(episode: Episode, path: Path) -> bool:
    """Return whether a coin that did not slide lies or lay on a stack, where no coin can hit it."""
    places = (path.rest_before_mm, path.rest_after_mm)
    tower_at = episode.course_before.tower_at
    return not path.runs and any(at is not None and tower_at(at) is not None for at in places)


def _pair(episode: Episode, a: Path, b: Path) -> list[Contact]:
    times = sorted(
        {r.begin_s for r in a.runs if b.coin in r.met}
        | {r.begin_s for r in b.runs if a.coin in r.met}
    )
    apart_s = 0.5 * frame_time_s(episode)
    met: list[float] = [t for k, t in enumerate(times) if k == 0 or t - times[k - 1] > apart_s]
    found = [_met(episode, a, b, t) for t in met]
    if not met and (near := closest_approach(episode, a, b)) is not None:
        at_s = _turned_there(a, b, near, apart_s)
        found += _unmet(episode, a, b, near) if at_s is None else [_met(episode, a, b, at_s)]
    return found


def _turned_there(a: Path, b: Path, near: Approach, apart_s: float) -> float | None:
    """Return when one of two close coins turned without meeting anything, just as the other set
    off in any direction: that one may have bounced off a tower at once. None if neither did.
    """
    turns = (
        run.begin_s
        for one, other in ((a, b), (b, a))
        for run in one.runs[1:]
        if not run.met and abs(run.begin_s - near.t_s) < apart_s
        if any(abs(begun.begin_s - run.begin_s) < apart_s for begun in other.runs[:1])
    )
    return min(turns, default=None) if near.gap_mm < SEEN_SIGMAS * near.sigma_mm else None


def _met(episode: Episode, a: Path, b: Path, t_s: float) -> Contact:
    """Return a contact that the fitted paths show: at that time the velocities of both coins
    changed, or a coin that lay still began to move.
    """
    sigma = math.hypot(a.sigma_at(t_s), b.sigma_at(t_s), SIZE_SIGMA_MM)
    chance = max(_change_chance(episode, a, t_s), _change_chance(episode, b, t_s))
    first, second = _who_into_whom(a, b, t_s)
    return Contact(
        coin=first.coin,
        with_=second.coin,
        t_s=t_s,
        margin_mm=round(carried_on_overlap(episode, a, b, t_s), 2),
        sigma_mm=round(sigma, 3),
        probability=as_written(chance),
        frames=frames_about(episode, t_s),
    )


def _change_chance(episode: Episode, path: Path, t_s: float) -> float:
    """Return the probability that the coin's motion changed at `t_s`: by how much its velocity
    changed or, if the coin lay still, by how far it came, bounces off tiles included.
    """
    run = run_begun_at(path, t_s)
    if run is None:
        return 0.0
    before = run_before(path, run)
    if before is not None and before.stop_s > t_s:
        change = distance(before.velocity(t_s), scale(run.heading, run.speed_mm_s))
        chance = normal_share(change / math.hypot(before.sigma_mm_s, run.sigma_mm_s) - SEEN_SIGMAS)
        return max(chance, _turn_chance(path, before, run))
    on = path.runs[1:] if before is None else ()
    later = (run, *takewhile(lambda r: {*r.met} & {*episode.course_before.tiles}, on))
    ways = [distance(r.position(min(r.end_s, r.stop_s)), run.from_mm) for r in later]
    way, far = max(zip(ways, later, strict=True), key=lambda reached: reached[0])
    end_mm = path.rest_after_sigma_mm if far is path.runs[-1] else far.sigma_at(far.end_s)
    chance = normal_share(way / math.hypot(path.rest_before_sigma_mm, end_mm) - SEEN_SIGMAS)
    if way < TOUCHED_MM and hand_at(episode, path.coin, t_s):
        chance = min(chance, LIKELIER)
    return chance


def _turn_chance(path: Path, before: Run, run: Run) -> float:
    """Return the probability that the coin's path turned.

    If the first run was hardly seen, only its speed is unknown. Its two ends give its direction.
    """
    way = distance(before.from_mm, run.from_mm)
    if before is not path.runs[0] or path.rest_before_mm is None or way < SIZE_SIGMA_MM:
        return 0.0
    aside = (
        abs(before.heading[0] * run.heading[1] - before.heading[1] * run.heading[0])
        * run.speed_mm_s
    )
    sigma = math.hypot(
        run.speed_mm_s * math.hypot(path.rest_before_sigma_mm, run.sigma_at(run.begin_s)) / way,
        run.sigma_mm_s,
    )
    return normal_share(aside / sigma - SEEN_SIGMAS)


def _unmet(episode: Episode, a: Path, b: Path, near: Approach) -> list[Contact]:
    """Return the possible contact at a close approach after which neither coin is known to have
    changed its motion. It was too light to be seen, or moved a coin only a little.
    """
    if is_vague(episode, near.sigma_mm):
        return []
    light = lightest_overlap(episode, a, b, near)
    gap = near.gap_mm / near.sigma_mm
    # A coin that came to rest at the other goes no farther, however far it would have slid.
    touched = (
        light * normal_density(gap) / near.sigma_mm
        if near.stopped
        else share_between(-light, 0.0, near.gap_mm, near.sigma_mm)
    )
    missed = normal_share(gap)
    chance = light / (light + near.sigma_mm)
    if touched + missed > 1e-6:
        missed *= min(_unmoved_chance(path) for path in (a, b))
        chance = touched / (touched + missed)
    if any(_displaced(path) and hand_at(episode, path.coin, near.t_s) for path in (a, b)):
        chance = min(chance, LIKELIER)
    if not worth_saying(chance):
        return []
    # A coin that stopped at the other has no velocity any more at that instant.
    first, second = _who_into_whom(a, b, near.t_s - SAMPLE_S)
    return [
        Contact(
            coin=first.coin,
            with_=second.coin,
            t_s=near.t_s,
            margin_mm=round(-near.gap_mm, 2),
            sigma_mm=round(near.sigma_mm, 3),
            probability=as_written(chance),
            frames=frames_about(episode, near.t_s),
        )
    ]


def _same_place_sigma(path: Path) -> float:
    """Return the error of the distance between a coin's two places of rest. Errors that both
    measurements share do not count.
    """
    both = math.hypot(path.rest_before_sigma_mm, path.rest_after_sigma_mm)
    return both * math.sqrt(1.0 - SHARED)


def _moved_sigmas(path: Path) -> float:
    """Return how far a coin lies from its former place, in standard errors; 0 for a coin that slid.
    A coin that moved only a little, with no contact, does not count as sliding.
    """
    if path.held or path.rest_before_mm is None or path.rest_after_mm is None:
        return 0.0
    way_mm = distance(path.rest_before_mm, path.rest_after_mm)
    slid = path.runs and (way_mm >= TOUCHED_MM or any(run.met for run in path.runs))
    return 0.0 if slid else way_mm / _same_place_sigma(path)


def _displaced(path: Path) -> bool:
    return _moved_sigmas(path) > SEEN_SIGMAS


def _unmoved_chance(path: Path) -> float:
    """Return the likelihood that an untouched coin is measured so far from its former place,
    divided by that of no distance; never 0, because something unseen may have moved the coin.
    """
    return max(math.exp(-0.5 * _moved_sigmas(path) ** 2), normal_share(-SEEN_SIGMAS))


def lightest_overlap(episode: Episode, a: Path, b: Path, near: Approach) -> float:
    """Return the deepest overlap, mm, that would not have visibly changed either coin's motion.

    Two touching coins have the distance D between centres. A coin struck off centre by the depth d
    at the speed v, without loss of energy, gets the speed v sqrt(2d/D) along the line of centres.
    It slides as far as the square of its speed over twice the deceleration. A coin that would have
    stopped a little beyond the other's rim pushes the other that far.
    """
    slowing = next(r.slowing_mm_s2 for p in (a, b) for r in p.runs)
    unseen = min(_unseen_change(p, slowing, near.t_s) for p in (a, b))
    reach_mm = episode.sizes.reach_mm(a.coin, b.coin)
    if near.stopped:
        return min(standing_after_mm(unseen, slowing), reach_mm)
    share = unseen / max(near.closing_mm_s, 1.0)
    return min(0.5 * reach_mm * share * share, reach_mm)


def _unseen_change(path: Path, slowing: float, t_s: float) -> float:
    """Return the largest change of velocity (mm/s) at `t_s` that would not have been noticed."""
    run = path.run_at(t_s)
    if run is not None and t_s < min(run.stop_s, run.end_s):
        return max(SEEN_SIGMAS * run.sigma_mm_s, UNSEEN_BREAK_MM_S)
    if path.rest_before_mm is None or path.rest_after_mm is None or path.held:
        return 1e9
    moved = SEEN_SIGMAS + _moved_sigmas(path)
    return speed_over_mm(moved * _same_place_sigma(path), slowing)


def closest_approach(episode: Episode, a: Path, b: Path) -> Approach | None:
    """Find when the two coins were closest while they approached each other; None if they only
    moved apart or were not both on the table.
    """
    spans = [
        (p.runs[0].begin_s, max(min(r.end_s, r.stop_s) for r in p.runs)) for p in (a, b) if p.runs
    ]
    begin, end = min(s[0] for s in spans), max(s[1] for s in spans)
    count = max(3, min(4000, int((end - begin) / SAMPLE_S)))
    best: tuple[float, float] | None = None
    for k in range(count + 1):
        t = begin + (end - begin) * k / count
        pa, pb = a.position_at(t), b.position_at(t)
        if pa is None or pb is None or a.held_at(t) is not None or b.held_at(t) is not None:
            continue
        apart = distance(pa, pb)
        if best is None or apart < best[0]:
            best = (apart, t)
    if best is None or (best[1] <= begin + 1e-9 and not (_displaced(a) or _displaced(b))):
        return None
    apart, t_s = best
    earlier = max(begin, t_s - SAMPLE_S)
    closing = math.hypot(*subtract(a.velocity_at(earlier), b.velocity_at(earlier)))
    sigma = math.hypot(a.sigma_at(t_s), b.sigma_at(t_s), SIZE_SIGMA_MM)
    stopped = t_s > begin and all(r.stop_s <= t_s + 1e-9 for p in (a, b) for r in p.runs[-1:])
    gap_mm = apart - episode.sizes.reach_mm(a.coin, b.coin)
    return Approach(t_s, gap_mm, sigma, closing, stopped)


def carried_on_overlap(episode: Episode, a: Path, b: Path, t_s: float) -> float:
    """Return how deeply the two coins would have overlapped, mm, if they had continued from `t_s`
    without a contact.
    """
    coin = episode.sizes.reach_mm(a.coin, b.coin)
    ends = [r.stop_s for p in (a, b) if (r := _coming(p, t_s)) is not None]
    until = min(max((e for e in ends if math.isfinite(e)), default=t_s), t_s + 2.0)
    pairs = [(_carried(a, t_s, t), _carried(b, t_s, t)) for t in steps_between(t_s, until)]
    nearest = min(
        (distance(pa, pb) for pa, pb in pairs if pa is not None and pb is not None), default=coin
    )
    return coin - nearest


def _coming(path: Path, t_s: float) -> Run | None:
    """Return the run that the coin was in just before `t_s`; None if it lay still then."""
    run = run_begun_at(path, t_s)
    if run is not None:
        return run_before(path, run)
    return path.run_at(t_s)


def _carried(path: Path, t_s: float, at_s: float) -> Point | None:
    run = _coming(path, t_s)
    return (
        run.position(at_s)
        if run is not None
        else (path.runs[0].from_mm if path.runs else path.rest_before_mm)
    )


def _velocity_before(path: Path, t_s: float) -> Point:
    run = _coming(path, t_s)
    return run.velocity(t_s) if run is not None else (0.0, 0.0)


def _who_into_whom(a: Path, b: Path, t_s: float) -> tuple[Path, Path]:
    """Return two coins in order: the coin that ran into the other, then the other. The first is the
    coin that was faster along the line of centres just before. Of two coins that lay still, it is
    the one that a hand set in motion.

    A coin that lay still never comes first if the other moved, even if the line of centres of a
    light touch suggests it.
    """
    pa, pb = a.position_at(t_s), b.position_at(t_s)
    if pa is None or pb is None:
        return a, b
    came_a, came_b = (_velocity_before(p, t_s) != (0.0, 0.0) for p in (a, b))
    if came_a != came_b:
        return (a, b) if came_a else (b, a)
    line = subtract(pb, pa)
    speed_a, speed_b = dot(_velocity_before(a, t_s), line), -dot(_velocity_before(b, t_s), line)
    if speed_a == speed_b == 0.0:
        speed_a, speed_b = -_thrust(a, line, t_s, -1.0), -_thrust(b, line, t_s, 1.0)
    return (a, b) if speed_a >= speed_b else (b, a)


def _thrust(path: Path, line: Point, t_s: float, sign: float) -> float:
    """Return how directly a coin that lay still moves away from the other coin, from -1 to 1: about
    1 for a struck coin, less for a coin that a hand pushed.
    """
    run = run_begun_at(path, t_s)
    return -2.0 if run is None else sign * dot(run.heading, line) / math.hypot(*line)


def struck_by(path: Path, run: Run, paths: tuple[Path, ...]) -> str | None:
    """Return the coin that set this coin in motion when `run` began; None if none did, or if this
    coin set the others in motion.
    """
    for other in paths:
        if other.coin in run.met and _who_into_whom(path, other, run.begin_s)[0] is other:
            return other.coin
    return None


def shown_by_struck(path: Path, paths: tuple[Path, ...]) -> int:
    """Return the number of sightings of the coin that this coin set in motion. They show how this
    coin came. Of several such coins, the largest number counts; 0 if a place of rest of this coin
    is unknown.
    """
    if path.rest_before_mm is None or path.rest_after_mm is None:
        return 0
    struck = [p for p in paths if p.runs and path.coin in p.runs[0].met]
    seen = [p.runs[0].sightings for p in struck if struck_by(p, p.runs[0], paths) == path.coin]
    return max(seen, default=0)


def run_begun_at(path: Path, t_s: float) -> Run | None:
    """Return the run that began within a microsecond of `t_s`; None if there is none."""
    return next((r for r in path.runs if abs(r.begin_s - t_s) < 1e-6), None)


def run_before(path: Path, run: Run) -> Run | None:
    """Return the run that led into `run`; None if the coin lay still or was in a hand before."""
    index = path.runs.index(run)
    return path.runs[index - 1] if index else None


def steps_between(first: float, last: float) -> list[float]:
    """Return the times or lengths, from the first to the last, at which a path is examined."""
    return [first + (last - first) * k / STEPS for k in range(STEPS + 1)]


def rim_gap(tile: Tile, tile_mm: float, coin_mm: float, at: Point) -> float:
    """Return the gap between a coin's rim and a tile's square, mm; negative when they overlap."""
    return (
        -inside_by(square_corners(tile.centre_mm, tile_mm, tile.rotation_deg), at) - 0.5 * coin_mm
    )


def _stacks_and_tiles(episode: Episode, path: Path) -> list[Contact]:
    found = []
    posts = episode.course_before.posts
    for run in path.runs:
        for name in run.met:
            if name in episode.course_before.tiles:
                found.append(_struck(episode, path, run, name))
    for name, post in posts.items():
        if (
            path.runs
            and not any(name in r.met for r in path.runs)
            and (contact := _beside_post(episode, path, name, post)) is not None
        ):
            found.append(contact)
    return [c for c in found if c.with_ in posts or c.probability is None]


def _struck(episode: Episode, path: Path, run: Run, name: str) -> Contact:
    """Return a contact with a tile at which the coin's velocity changed."""
    tile, course = episode.course_before.tiles[name], episode.course_before
    chance = _change_chance(episode, path, run.begin_s)
    gap = rim_gap(tile, course.tile_mm, episode.sizes.coin_mm, run.from_mm)
    sigma = math.hypot(run.sigma_at(run.begin_s), _foot_sigma(tile), SIZE_SIGMA_MM)
    if gap > SEEN_SIGMAS * sigma:
        chance *= normal_share(2 * SEEN_SIGMAS - gap / sigma)
    before = run_before(path, run)
    ahead = (
        [before.position(t) for t in steps_between(run.begin_s, before.stop_s)]
        if before is not None
        else [run.from_mm]
    )
    depth = -min(rim_gap(tile, course.tile_mm, episode.sizes.coin_mm, p) for p in ahead)
    if before is not None:
        chance *= normal_share(depth / sigma)  # what turns a coin stood in its way
    return Contact(
        coin=path.coin,
        with_=name,
        t_s=run.begin_s,
        margin_mm=round(depth, 2),
        sigma_mm=round(sigma, 3),
        probability=as_written(chance),
        frames=frames_about(episode, run.begin_s),
    )


def _foot_sigma(tile: Tile) -> float:
    """Return the error of the place of a tile, or of the lowest tile of a stack."""
    return math.hypot(tile.sigma_mm, STACKED_SIGMA_MM if tile.stack > 1 else 0.0)


def _beside_post(episode: Episode, path: Path, name: str, post: Tile) -> Contact | None:
    """Return the possible contact of a coin that came close to a stack without a change of motion.
    It stopped beside the stack, or touched it lightly at most.
    """
    best: tuple[float, float, Run] | None = None
    for run in path.runs:
        for t in steps_between(run.begin_s, min(run.end_s, run.stop_s)):
            gap = rim_gap(
                post, episode.course_before.tile_mm, episode.sizes.coin_mm, run.position(t)
            )
            if best is None or gap < best[0]:
                best = (gap, t, run)
    if best is None:
        return None
    gap, t_s, run = best
    sigma = math.hypot(run.sigma_at(t_s), _foot_sigma(post), SIZE_SIGMA_MM)
    if t_s <= path.runs[0].begin_s or is_vague(episode, sigma):
        return None
    if t_s >= min(run.end_s, run.stop_s) - 1e-9:
        # A coin that touched the stack came back a little, too slowly to be seen.
        back_mm = standing_after_mm(UNSEEN_BREAK_MM_S, run.slowing_mm_s2)
        touched = share_between(0.0, back_mm, gap, sigma) / BOUNCE**2
    else:
        touched = share_between(-POST_GRAZE_MM, 0.0, gap, sigma)
    chance = touched / (touched + normal_share(gap / sigma) + 1e-9)
    if not worth_saying(chance):
        return None
    return Contact(
        coin=path.coin,
        with_=name,
        t_s=t_s,
        margin_mm=round(-gap, 2),
        sigma_mm=round(sigma, 3),
        probability=as_written(chance),
        frames=frames_about(episode, t_s),
    )
