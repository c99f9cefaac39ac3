"""`unseen`: the camera could not see what a coin did, and its places before and after do not show
it either.

A hand over a coin that has not moved is not reported. A coin that may have slid unseen may have hit
something on its way. So may coins that began to move at the same time without a known cause.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from typing import Final

from referee.detectors.coin_motion.coins_in_touch import in_touch
from referee.detectors.coin_motion.contact import (
    UNSEEN_BREAK_MM_S,
    rim_gap,
    shown_by_struck,
    struck_by,
)
from referee.detectors.coin_motion.hand_near import hand_at
from referee.detectors.hands.hidden_move import STRAIGHT_SHARE, slide_chance
from referee.detectors.unseen.gaps import Gap
from referee.detectors.unseen.set_off_together import set_off_together, unseen_for
from referee.detectors.unseen.unsure_ways import (
    hidden_at_first,
    perhaps_slid,
    pushed_too_far,
    until_settled,
)
from referee.domain.episode import CoinTrack, Episode, frame_time_s, is_vague
from referee.domain.geometry import crossing_share, distance, dot, nearest_on_segment, subtract
from referee.domain.incident import EITHER, SURE, Incident, LeftTable, Placed, Pocketed, Unseen
from referee.domain.path import Path, Run
from referee.domain.sighting import SEEN_SIGMAS, TELLING_SIGHTINGS

# Tuned on our own clips, except where a comment gives another source for a number.

# A moving coin that is out of sight for this many frames, and then moves in another direction, hit
# something meanwhile.
BLIND_FRAMES: Final = 6


def unseen_stretches(
    episode: Episode,
    paths: tuple[Path, ...],
    explaining: Sequence[Incident],
    gaps: tuple[Gap, ...] = (),
) -> list[Unseen]:
    """Report what could not be seen: one incident for each coin, one for each of the `gaps`, and
    one for all coins that were still moving when the source ended. `explaining` are incidents that
    already explain where a coin came from or went, if they are likelier than not.
    """
    explained = {
        i.coin
        for i in explaining
        if isinstance(i, LeftTable | Placed | Pocketed)
        and (i.probability is None or i.probability > EITHER)
    }
    found = [unseen_for(episode, gap.coins, gap.begin_s, gap.end_s, gap.begin_s) for gap in gaps]
    for track, path in zip(episode.tracks, paths, strict=True):
        span = (
            _unexplained(episode, track, path, paths)
            if path.coin not in explained
            else _came_unseen(path) or _turned_unseen(episode, path, paths)
        )
        span = span or _sent_by_unnamed(paths, path) or _thrown_aside(episode, paths, path)
        span = span or perhaps_slid(episode, explaining, path)
        span = span or hidden_at_first(episode, paths, explaining, path)
        span = span or pushed_too_far(episode, paths, path)
        slid = slide_chance(episode, paths, path)
        if slid >= EITHER or (slid >= 1.0 - SURE and _passes_something(episode, paths, path)):
            span = until_settled(track, path.held[0])
        in_gap = any(
            path.coin in gap.coins and span[0] <= gap.end_s and span[1] >= gap.begin_s
            for gap in gaps
            if span is not None
        )
        if span is not None and not in_gap and track.cut_off_s is None:
            found.append(unseen_for(episode, (path.coin,), *span, span[0]))
    found += set_off_together(episode, paths, explaining)
    return [*found, *_hidden_together(episode, paths), *_cut_off(episode, paths, explained)]


def _hidden_together(episode: Episode, paths: Sequence[Path]) -> list[Unseen]:
    """Report coins that changed their places at the same time without being seen on their way: they
    may have hit each other.
    """
    ways = {
        path.coin: path.held[0]
        for track, path in zip(episode.tracks, paths, strict=True)
        if len(path.held) == 1
        and not path.runs
        and not _pushed_a_little(episode, track, path)
        and path.rest_before_mm is not None
        and path.rest_after_mm is not None
        and not any(path.held[0].begin_s < s.t_s < path.held[0].end_s for s in path.sightings)
    }
    if len(ways) < 2:
        return []
    from_s, to_s = max(w.begin_s for w in ways.values()), min(w.end_s for w in ways.values())
    if from_s >= to_s:
        return []
    return [unseen_for(episode, tuple(ways), from_s, to_s, from_s)]


def _passes_something(episode: Episode, paths: Sequence[Path], path: Path) -> bool:
    """Return whether the straight line from where a coin lay to where it lies now leads over a line
    of the course, or passes a post or another coin at less than a coin's width, so that the coin
    may have hit it.
    """
    ends = [at for at in (path.rest_before_mm, path.rest_after_mm) if at is not None]
    if not ends:
        return False
    way, coin_mm, course = (ends[0], ends[-1]), episode.sizes.coin_mm, episode.course_before
    near_mm = episode.sizes.tile_mm / 2 + 2.0 * coin_mm
    others = [p.rest_before_mm for p in paths if p is not path and p.rest_before_mm is not None]
    return (
        any(distance(nearest_on_segment(*way, at), at) < 2.0 * coin_mm for at in others)
        or any(
            post.is_within(nearest_on_segment(*way, post.centre_mm), near_mm)
            for post in course.posts.values()
        )
        or any(
            crossing_share(*way, line.right_mm, line.left_mm) is not None
            for line in course.lines.values()
        )
    )


def _cut_off(episode: Episode, paths: Sequence[Path], explained: Set[str]) -> list[Unseen]:
    """Report, in one incident, the coins that were still moving when the source ended. The
    incident's period begins when the first of these coins was last followed. The incident itself
    comes last, because everything before it was seen.
    """
    lost = {
        track.coin: (_known_until_s(episode, track, path), track.cut_off_s)
        for track, path in zip(episode.tracks, paths, strict=True)
        if track.cut_off_s is not None and track.coin not in explained
    }
    if not lost:
        return []
    from_s, to_s = min(s for s, _ in lost.values()), max(s for _, s in lost.values())
    return [unseen_for(episode, tuple(lost), from_s, to_s, episode.frames[-1].t_s)]


def _known_until_s(episode: Episode, track: CoinTrack, path: Path) -> float:
    """Return the time until which the coin's motion is known: that of its last sighting if a path
    explains its sightings, otherwise the time until which it lay still.
    """
    lay_s = episode.frames[0].t_s if track.lay_until_s is None else track.lay_until_s
    if path.runs:
        return max((s.t_s for s in track.sightings), default=lay_s)
    if track.sightings and track.lay_until_s is None:
        return max(lay_s, track.sightings[0].t_s - frame_time_s(episode))
    return lay_s


def _unexplained(
    episode: Episode, track: CoinTrack, path: Path, paths: tuple[Path, ...]
) -> tuple[float, float] | None:
    """Return the beginning and the end of the time in which the coin came or went for no visible
    reason; None if there is none.
    """
    if not episode.frames or _pushed_a_little(episode, track, path):
        return None
    begin, end = episode.frames[0].t_s, episode.frames[-1].t_s
    if path.rest_before_mm is not None and path.rest_after_mm is None:
        last_s = max((s.t_s for s in track.sightings), default=begin)
        last_s = last_s if path.runs else min((h.begin_s for h in path.held), default=last_s)
        return (last_s, max(last_s, end))
    if path.rest_before_mm is None and path.rest_after_mm is not None and not path.runs:
        first_s = min((s.t_s for s in track.sightings), default=end)
        return (min(begin, first_s), first_s)
    blind = [h for h in path.held if track.came_unnoticed or not h.seen_with_hand]
    if blind:
        return (blind[0].begin_s, blind[0].end_s)
    return _turned_unseen(episode, path, paths)


def _came_unseen(path: Path) -> tuple[float, float] | None:
    """Return from when to when a coin moved unseen, outside of any hand, to where its seen slide
    begins; None if it did not. The coin that slides may then be another one, because nobody saw
    where it came from.
    """
    begins = {run.begin_s for run in path.runs}
    blind = (h for h in path.held if not h.seen_with_hand and h.end_s in begins)
    return next(((h.begin_s, h.end_s) for h in blind), None)


def _pushed_a_little(episode: Episode, track: CoinTrack, path: Path) -> bool:
    """Return whether another coin can only have pushed this coin a little: no hand touched it, no
    slide explains its sightings, and it lies less than half its width from where it lay. Sightings
    of it at other places were another coin.
    """
    before, after = path.rest_before_mm, path.rest_after_mm
    return (
        before is not None
        and after is not None
        and not path.runs
        and not track.hand_frames
        and distance(before, after) < episode.sizes.width_mm(path.coin) / 2
    )


def _turned_unseen(
    episode: Episode, path: Path, paths: tuple[Path, ...]
) -> tuple[float, float] | None:
    """Find where a coin may have turned unseen.

    There are five such cases: a path without a sighting, if no coin that it struck was seen either;
    a run whose error is larger than a coin; a path that does not end where the coin lies; a long
    gap in the sightings of a sliding coin, during which its path changed for no known reason; and a
    sliding coin that got faster for no known reason, so that something struck it.
    """
    if (lost_s := _ends_elsewhere(episode, path)) is not None:
        return (lost_s, max(lost_s, episode.frames[-1].t_s))
    told = shown_by_struck(path, paths) >= TELLING_SIGHTINGS
    if path.runs and not (told or any(run.sightings for run in path.runs)):
        return (path.runs[0].begin_s, path.runs[-1].end_s)
    vague = [r for r in path.runs if is_vague(episode, r.sigma_mm)]
    if vague:
        return (vague[0].begin_s, vague[0].end_s)
    for run, following in zip(path.runs, path.runs[1:], strict=False):
        by_hand = path.held_until(following.begin_s) is not None
        if following.met or by_hand or following.begin_s >= run.stop_s:
            continue
        earlier = [s.t_s for s in path.sightings if s.t_s <= following.begin_s]
        later = [s.t_s for s in path.sightings if s.t_s > following.begin_s]
        if not earlier or not later:
            continue
        blind = later[0] - earlier[-1] >= BLIND_FRAMES * frame_time_s(episode)
        if blind or _got_faster(run, following):
            return (earlier[-1], later[0])
    return None


def _got_faster(run: Run, following: Run) -> bool:
    """Return whether a coin is certainly, and not by a little, faster after a run than at its
    end.
    """
    gained_mm_s = following.speed_mm_s - math.hypot(*run.velocity(following.begin_s))
    certain_mm_s = SEEN_SIGMAS * math.hypot(run.sigma_mm_s, following.sigma_mm_s)
    return gained_mm_s > max(certain_mm_s, UNSEEN_BREAK_MM_S)


def _sent_by_unnamed(paths: tuple[Path, ...], path: Path) -> tuple[float, float] | None:
    """Return the beginning and the end of a coin's slide, if something without a name struck the
    coin: a coin of the match that was not recognised may have done that, so nobody knows what
    happened. None otherwise.
    """
    struck = (r for r in path.runs if (struck_by(path, r, paths) or "").startswith("?"))
    return next(((run.begin_s, path.runs[-1].end_s) for run in struck), None)


def _thrown_aside(
    episode: Episode, paths: Sequence[Path], path: Path
) -> tuple[float, float] | None:
    """Find a coin that lay still, was struck, and hit something else before it was seen again. It
    left towards the side from which it was struck, or aside, with a tile so near that it may have
    bounced off the tile. Return the beginning of the run and the time at which the coin was next
    seen; None if it did nothing of the kind.
    """
    if not path.runs or path.rest_before_mm is None:
        return None
    run = path.runs[0]
    least = STRAIGHT_SHARE if _within_a_frame(episode, path, run) else 0.0
    came_from = [other.position_at(run.begin_s) for other in _may_have_sent(episode, paths, path)]
    struck = [subtract(run.from_mm, at) for at in came_from if at is not None]
    along = [dot(run.heading, way) / max(math.hypot(*way), 1.0) for way in struck]
    if not along or max(along) >= least:
        return None
    later = [s.t_s for s in path.sightings if s.t_s > run.begin_s]
    return (run.begin_s, min(later, default=run.end_s))


def _may_have_sent(episode: Episode, paths: Sequence[Path], path: Path) -> list[Path]:
    """Return, in a list, the coin that struck a coin that lay still. If that is not known and no
    hand was at the struck coin, it is the only coin that lay against it, which passed a blow on.
    """
    run = path.runs[0]
    striker = struck_by(path, run, tuple(paths))
    if striker is not None or hand_at(episode, path.coin, run.begin_s):
        return [other for other in paths if other.coin == striker]
    beside = [p for p in paths if p is not path and in_touch(episode, path, p)]
    return beside if len(beside) == 1 and beside[0].runs else []


def _within_a_frame(episode: Episode, path: Path, run: Run) -> bool:
    """Return whether a coin can reach a tile from the beginning of a run between two frames, and
    bounce off it.
    """
    course, coin_mm = episode.course_before, episode.sizes.width_mm(path.coin)
    reach_mm = run.speed_mm_s * frame_time_s(episode)
    return any(
        rim_gap(tile, course.tile_mm, coin_mm, run.from_mm) < reach_mm
        for tile in course.tiles.values()
    )


def _ends_elsewhere(episode: Episode, path: Path) -> float | None:
    """Return when a coin was last seen, if its path does not lead to where it lies now and no hand
    held it since. None for any other coin.
    """
    if (
        not path.runs
        or path.rest_after_mm is None
        or any(h.end_s > path.runs[-1].begin_s for h in path.held)
    ):
        return None
    last = path.runs[-1]
    end_s = min(last.end_s, last.stop_s)
    unsure_mm = math.hypot(last.sigma_at(end_s), path.rest_after_sigma_mm)
    if (
        distance(last.position(end_s), path.rest_after_mm)
        < episode.sizes.width_mm(path.coin) / 2 + SEEN_SIGMAS * unsure_mm
    ):
        return None
    return max((s.t_s for s in path.sightings if s.t_s <= end_s), default=last.begin_s)
