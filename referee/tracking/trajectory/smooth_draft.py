"""Drafts a coin's slides from its rough stretches: which of them were free, where each began, and
what a hand did in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.domain.episode import CoinTrack, Rest
from referee.domain.path import Held
from referee.domain.slide import (
    speed_after_s,
    standing_after_mm,
    standing_after_s,
    time_over_s,
    way_mm,
)
from referee.tracking.trajectory.prices import LED_PRICE
from referee.tracking.trajectory.runs import Floats, Kind, Seen, Slide, Stretch, fit_slide
from referee.tracking.trajectory.smooth_chain import Chain
from referee.tracking.trajectory.smooth_lead import SLACK_S, lead_through, lone_sighting, thin_slide

# Tuned on our own clips, except where a comment gives another source for a number.

# A free slide was seen at least so often without a hand over the coin.
LEAST_FREE_SIGHTINGS: Final = 2
# Chi-square per sighting up to which a slide under a hand still looks like a free one.
CALM_MISFIT: Final = 3.0
CALM_SIGHTINGS: Final = 4  # a slide under a hand needs so many sightings to look free,
# and at least this speed: a carried coin is slower or does not move straight
CALM_SPEED_MM_S: Final = 150.0
HURLED_MM_S: Final = 700.0  # no hand carries a coin this fast over such a short way
FAST_MM_S: Final = 400.0  # hands usually push and carry more slowly
# A slide may start at most this far beside the place where the coin lay. With more, a hand moved
# the coin before.
ANCHOR_MISS_MM: Final = 4.0
# The same as a share of the way to the first sighting, because the slide's direction is not known
# better.
ANCHOR_MISS_SHARE: Final = 0.08
# A sighting this close to a place of rest, plus three of its sigmas, shows the coin lying there.
LAY_MM: Final = 1.0
# Something stopped a coin that should have moved faster than this when it was found at rest.
STOPPED_MM_S: Final = 60.0
# A stopped coin is first assumed to have this speed left, because the fit cannot start with a coin
# at rest.
AFTER_STOP_MM_S: Final = 40.0
# The same for a coin that lies farther than this from where friction alone would have stopped it.
STOP_MISS_MM: Final = 4.0
# A coin was displaced when it lies at least so many standard uncertainties from where it was,
DISPLACED_SIGMAS: Final = 4.0
# and at least this far, because the light changes while hands come and go
DISPLACED_MM: Final = 0.35


@dataclass(frozen=True, slots=True)
class Draft:
    """A rough description of what one coin did: its chains of slides, and the stretches in which a
    hand held it.
    """

    coin: str
    chains: tuple[Chain, ...]
    held: tuple[Held, ...]


def displaced(track: CoinTrack) -> bool:
    """Return whether the coin certainly lies elsewhere at the end than at the beginning."""
    if track.before is None or track.after is None:
        return (track.before is None) != (track.after is None)
    moved = float(np.hypot(*np.subtract(track.after.at_mm, track.before.at_mm)))
    return moved > max(
        DISPLACED_MM,
        DISPLACED_SIGMAS * float(np.hypot(track.before.sigma_mm, track.after.sigma_mm)),
    )


def is_free(stretch: Stretch, seen: Seen, in_hand: Floats, slowing_mm_s2: float) -> bool:
    """Return whether a coin slid freely: it was seen clear of the hand, or its slide is straight,
    fast and even although a hand was there.
    """
    part = slice(stretch.first, stretch.last)
    if stretch.size - int(in_hand[part].sum()) >= LEAST_FREE_SIGHTINGS:
        return True
    if stretch.size < CALM_SIGHTINGS:
        return False
    slide = fit_slide(seen.part(part), slowing_mm_s2)
    speed = float(np.hypot(*slide.velocity_mm_s))
    slowed = slowing_mm_s2 * float(seen.t_s[stretch.last - 1] - seen.t_s[stretch.first])
    return (
        slide.misfit / stretch.size < CALM_MISFIT
        and speed > CALM_SPEED_MM_S
        and slowed > 0.5 * speed
    )


def _flicked_out(
    track: CoinTrack, seen: Seen, stretch: Stretch, in_hand: Floats, slowing_mm_s2: float
) -> bool:
    """Return whether a short slide that was seen only once clear of the hand starts fast from where
    the coin lay. Then the coin was flicked and soon hit something.
    """
    if in_hand[stretch.first : stretch.last].all():
        return False
    slide = fit_slide(seen.part(slice(stretch.first, stretch.last)), slowing_mm_s2)
    fast = float(np.hypot(*slide.velocity_mm_s)) > FAST_MM_S
    return fast and _start(seen, stretch, slide, track.before, slowing_mm_s2) is not None


def _leads_into(
    track: CoinTrack,
    seen: Seen,
    stretch: Stretch,
    following: Stretch,
    in_hand: Floats,
    slowing_mm_s2: float,
) -> bool:
    """Return whether a fast slide under a hand continues directly as a free one, and starts where
    the coin lay or is faster than hands move. Then the coin left the hand and bounced.
    """
    if following.first > stretch.last + 1 or not is_free(following, seen, in_hand, slowing_mm_s2):
        return False
    slide = fit_slide(seen.part(slice(stretch.first, stretch.last)), slowing_mm_s2)
    speed = float(np.hypot(*slide.velocity_mm_s))
    if speed > HURLED_MM_S:
        return True
    return (
        speed > FAST_MM_S and _start(seen, stretch, slide, track.before, slowing_mm_s2) is not None
    )


def draft_coin(
    track: CoinTrack,
    seen: Seen,
    stretches: tuple[Stretch, ...],
    slowing_mm_s2: float,
    span_s: tuple[float, float],
    frame_s: float,
) -> Draft:
    """Draft what one coin did from its stretches. `span_s` is the episode's first and last instant,
    `frame_s` the time between frames.
    """
    in_hand = np.array([float(s.frame in track.hand_frames) for s in track.sightings])
    groups: list[list[Stretch]] = [[]]
    slides = [s for s in stretches if s.kind is Kind.SLIDE and s.size >= 2]
    for stretch, following in zip(slides, (*slides[1:], None), strict=False):
        free = is_free(stretch, seen, in_hand, slowing_mm_s2) or _flicked_out(
            track, seen, stretch, in_hand, slowing_mm_s2
        )
        if free or (
            following is not None
            and _leads_into(track, seen, stretch, following, in_hand, slowing_mm_s2)
        ):
            groups[-1].append(stretch)
        elif groups[-1]:
            groups.append([])
    chains = []
    for group in filter(None, groups):
        chains.append(_likelier(track, seen, stretches, group, slowing_mm_s2, in_hand))
    if (
        not chains
        and displaced(track)
        and (thin := thin_slide(track, seen, slowing_mm_s2, frame_s)) is not None
    ):
        began_s, velocity, window, part = thin
        assert track.before is not None
        chains.append(
            Chain(
                track.coin,
                part,
                (began_s,),
                velocity[None, :],
                np.asarray(track.before.at_mm),
                (window,),
                track.before,
                track.after,
                ((),),
            )
        )
    held = _held(track, seen, chains, span_s)
    return Draft(track.coin, tuple(chains), tuple(held))


def _likelier(
    track: CoinTrack,
    seen: Seen,
    stretches: tuple[Stretch, ...],
    group: list[Stretch],
    slowing: float,
    in_hand: Floats,
) -> Chain:
    """Return the more likely chain of a group of slides. If the chain does not start at the place
    of rest, the coin's first sighting may be from before a bounce.
    """
    chain = _chain(track, seen, stretches, group, slowing, in_hand)
    first = group[0]
    if chain.anchor is not None or track.before is None:
        return chain
    lone, rest = (
        Stretch(Kind.SLIDE, first.first, first.first + 1),
        Stretch(Kind.SLIDE, first.first + 1, first.last),
    )
    others = group[1:]
    if rest.size < 2:
        if not others or others[0].first != first.last:
            return chain
        rest, others = Stretch(Kind.SLIDE, rest.first, others[0].last), others[1:]
    slides = [rest, *others]
    turned = sorted(
        [s for s in stretches if s not in group] + [lone, *slides], key=lambda s: s.first
    )
    led = _chain(track, seen, tuple(turned), slides, slowing, in_hand)
    dearer = _misfit(seen, slides, slowing) - _misfit(seen, group, slowing)
    return led if led.anchor is not None and dearer < LED_PRICE else chain


def _misfit(seen: Seen, slides: list[Stretch], slowing: float) -> float:
    return sum(fit_slide(seen.part(slice(s.first, s.last)), slowing).misfit for s in slides)


def _chain(
    track: CoinTrack,
    seen: Seen,
    stretches: tuple[Stretch, ...],
    group: list[Stretch],
    slowing: float,
    in_hand: Floats,
) -> Chain:
    slides = [fit_slide(seen.part(slice(s.first, s.last)), slowing) for s in group]
    first, last = group[0], group[-1]
    anchor = _lay_before(track, seen, stretches, first)
    goal = _lay_after(track, seen, stretches, last)
    keep = _kept(seen, stretches, group)
    start = _start(seen, first, slides[0], anchor, slowing)
    begin, window = start or (float(seen.t_s[first.first]), (float(seen.t_s[first.first]),) * 2)
    meetings = _meetings(seen, group, slides, slowing)
    begins = (begin, *(t_s for t_s, _ in meetings))
    windows = (window, *(between for _, between in meetings))
    at = np.asarray(anchor.at_mm) if anchor and start else slides[0].at_mm
    velocities = np.array([s.velocity_mm_s for s in slides])
    chain = Chain(
        track.coin,
        seen.part(keep),
        begins,
        velocities,
        at,
        windows,
        anchor if start else None,
        goal,
        ((),) * len(begins),
    )
    lone = lone_sighting(seen, stretches, first, in_hand)
    if start is None and anchor is not None and lone is not None:
        keep[lone] = True
        chain = _with_lead(chain, seen, keep, lone, anchor, slides[0], slowing)
    return _with_stop(chain, seen, last, slides[-1], slowing)


def _kept(seen: Seen, stretches: tuple[Stretch, ...], group: list[Stretch]) -> NDArray[np.bool_]:
    """Mark the sightings that the chain explains: those of its slides and of what lies between
    them, and those after them until the next slide.
    """
    first, last = group[0], group[-1]
    used = [
        s
        for s in stretches
        if first.first <= s.first
        and s.kind is not Kind.STRAY
        and (s in group or s.kind is not Kind.SLIDE)
    ]
    keep = np.zeros(len(seen.t_s), dtype=bool)
    for s in used:
        if s.first <= last.first or s.kind is not Kind.SLIDE:
            keep[s.first : s.last] = True
    later = [s for s in stretches if s.kind is Kind.SLIDE and s.first >= last.last and s.size >= 2]
    if later:
        keep[later[0].first :] = False
    return keep


def _meetings(
    seen: Seen, group: list[Stretch], slides: list[Slide], slowing: float
) -> list[tuple[float, tuple[float, float]]]:
    """Return when each slide follows the one before it, and the times between which that was."""
    found = []
    for a, b, sa, sb in zip(group, group[1:], slides, slides[1:], strict=False):
        window = (float(seen.t_s[a.last - 1]), float(seen.t_s[b.first]))
        t_s, _ = meeting(
            sa.t_s, sa.at_mm, sa.velocity_mm_s, sb.t_s, sb.at_mm, sb.velocity_mm_s, slowing, window
        )
        found.append((t_s, window))
    return found


def _with_lead(
    chain: Chain,
    seen: Seen,
    keep: NDArray[np.bool_],
    lone: int,
    anchor: Rest,
    slide: Slide,
    slowing: float,
) -> Chain:
    """Return the chain with a first run that goes from where the coin lay through its only sighting
    before it turned. Unchanged where that is impossible.
    """
    left_s = float(seen.t_s[lone - 1]) if lone else -np.inf
    lead = lead_through(
        anchor,
        left_s,
        float(seen.t_s[lone]),
        seen.xy_mm[lone],
        slide.t_s,
        slide.at_mm,
        slide.velocity_mm_s,
        slowing,
    )
    if lead is None:
        return chain
    (began_s, lead_velocity), window = lead
    turned = replace(
        chain,
        begins_s=(0.5 * sum(window), *chain.begins_s[1:]),
        windows_s=(window, *chain.windows_s[1:]),
    )
    led = replace(turned, seen=seen.part(keep), anchor=anchor, start_mm=np.asarray(anchor.at_mm))
    return led.with_run(0, began_s, lead_velocity, (left_s, window[0]))


def _with_stop(chain: Chain, seen: Seen, last: Stretch, slide: Slide, slowing: float) -> Chain:
    """Return the chain with a stop at its end, where friction alone would not have stopped the coin
    at that place and time.
    """
    if chain.goal is None:
        return chain
    speed = float(np.hypot(*slide.velocity_mm_s))
    heading, reach = slide.velocity_mm_s / speed, standing_after_mm(speed, slowing)
    stop = slide.at_mm + heading * reach
    miss = float((stop - np.asarray(chain.goal.at_mm)) @ heading)
    end_s = float(seen.t_s[last.last - 1])
    end_speed = speed_after_s(end_s - slide.t_s, speed, slowing)
    allowed = STOP_MISS_MM + 2 * chain.goal.sigma_mm + 0.15 * reach
    if miss < allowed or end_speed < STOPPED_MM_S:
        return chain
    way = float((np.asarray(chain.goal.at_mm) - slide.at_mm) @ heading)
    stop_s = slide.t_s + time_over_s(way, speed, slowing)
    later = seen.t_s[last.last :]
    window = (end_s, float(later[0]) if len(later) else end_s + 0.1)
    return chain.with_run(
        len(chain.begins_s), float(np.clip(stop_s, *window)), heading * AFTER_STOP_MM_S, window
    )


def _lay_before(
    track: CoinTrack, seen: Seen, stretches: tuple[Stretch, ...], first: Stretch
) -> Rest | None:
    earlier = [s for s in stretches if s.first < first.first and s.kind is not Kind.STRAY]
    if earlier and earlier[-1].kind is Kind.STAND:
        return _stood(seen, earlier[-1])
    return track.before


def _lay_after(
    track: CoinTrack, seen: Seen, stretches: tuple[Stretch, ...], last: Stretch
) -> Rest | None:
    later = [s for s in stretches if s.first >= last.last and s.kind is not Kind.STRAY]
    moved_again = any(s.kind is Kind.SLIDE and s.size >= 2 for s in later)
    if later and later[0].kind is Kind.STAND and moved_again:
        return _stood(seen, later[0])
    return None if moved_again else track.after


def _stood(seen: Seen, stretch: Stretch) -> Rest:
    part = seen.part(slice(stretch.first, stretch.last))
    at = part.xy_mm.mean(axis=0)
    return Rest(
        (float(at[0]), float(at[1])), max(0.2, float(part.sigma_mm.mean()) / stretch.size**0.5)
    )


def _start(
    seen: Seen, first: Stretch, slide: Slide, anchor: Rest | None, slowing: float
) -> tuple[float, tuple[float, float]] | None:
    """Return when the slide left the place where the coin lay, and the earliest and latest instants
    at which it may have done so; None when the slide did not start there.
    """
    if anchor is None:
        return None
    speed = float(np.hypot(*slide.velocity_mm_s))
    heading = slide.velocity_mm_s / speed
    gap = np.asarray(anchor.at_mm) - slide.at_mm
    along, across = float(gap @ heading), float(gap @ np.array([-heading[1], heading[0]]))
    sigma = float(np.hypot(anchor.sigma_mm, seen.sigma_mm[first.first]))
    lead_s = -time_over_s(along, speed, slowing)
    t0 = float(seen.t_s[first.first])
    lay = np.hypot(
        *(seen.xy_mm[: first.first] - np.asarray(anchor.at_mm)).T
    ) < LAY_MM + 3 * np.hypot(seen.sigma_mm[: first.first], anchor.sigma_mm)
    earlier = seen.t_s[: first.first][lay]
    window = (float(earlier[-1]) if len(earlier) else t0 - max(2 * lead_s, 0.1), t0)
    allowed = ANCHOR_MISS_MM + 3 * sigma + ANCHOR_MISS_SHARE * abs(along)
    if abs(across) > allowed or along > allowed or t0 - lead_s < window[0] - SLACK_S:
        return None
    return float(np.clip(t0 - lead_s, *window)), window


def meeting(
    ta: float,
    pa: Floats,
    va: Floats,
    tb: float,
    pb: Floats,
    vb: Floats,
    slowing: float,
    window_s: tuple[float, float],
) -> tuple[float, float]:
    """Return the instant in the window at which two extrapolated slides are closest, and their
    distance then, mm.
    """
    t = np.linspace(*window_s, 33)
    apart = np.hypot(*(carried_on(ta, pa, va, slowing, t) - carried_on(tb, pb, vb, slowing, t)).T)
    k = int(np.argmin(apart))
    return float(t[k]), float(apart[k])


def carried_on(t0: float, p: Floats, v: Floats, slowing: float, t: Floats) -> Floats:
    """Extrapolate a slide that is at `p` with velocity `v` at `t0` to the instants `t` (n,), shape
    (n, 2). Also works for instants before `t0`.
    """
    speed = float(np.hypot(*v))
    if speed == 0.0:
        return np.broadcast_to(p, (len(t), 2))
    since = np.minimum(t - t0, standing_after_s(speed, slowing))
    return p + (v / speed)[None, :] * way_mm(speed, slowing, since)[:, None]


def _held(
    track: CoinTrack, seen: Seen, chains: list[Chain], span_s: tuple[float, float]
) -> list[Held]:
    """Return the stretches that no slide explains, between rest and sliding or between two places.
    In them a hand held the coin.
    """
    held = []
    lay_until_s = span_s[0] if track.lay_until_s is None else track.lay_until_s
    at_s, since = (
        max(_last_at(seen, track.before, lay_until_s, first=False), lay_until_s),
        track.before,
    )
    for chain in chains:
        if chain.anchor is None or (since is not None and _apart(chain.anchor, since)):
            held.append(
                Held(min(at_s, chain.begins_s[0]), chain.begins_s[0], bool(track.hand_frames))
            )
        at_s, since = (
            float(chain.seen.t_s[-1]) if len(chain.seen.t_s) else chain.begins_s[-1],
            chain.goal,
        )
    unexplained = displaced(track) if not chains else since is not track.after
    if unexplained:
        lies_s = max(lay_until_s, _last_at(seen, track.after, span_s[1], first=True))
        begin_s = (
            at_s if chains or at_s < lies_s else lay_until_s
        )  # the way is so short that sightings at its end look like sightings at its beginning
        held.append(Held(begin_s, max(begin_s, lies_s), bool(track.hand_frames)))
    return held


def _apart(a: Rest, b: Rest) -> bool:
    away = float(np.hypot(*np.subtract(a.at_mm, b.at_mm)))
    return away > ANCHOR_MISS_MM + 3 * float(np.hypot(a.sigma_mm, b.sigma_mm))


def _last_at(seen: Seen, rest: Rest | None, otherwise_s: float, *, first: bool) -> float:
    """Return the time until which all sightings from the beginning show the coin at `rest`. With
    `first`, return the time from which all sightings to the end show it there. Return `otherwise_s`
    if there is no such sighting.
    """
    if rest is None or not len(seen.t_s):
        return otherwise_s
    away = np.hypot(*(seen.xy_mm - np.asarray(rest.at_mm)).T)
    there = away < LAY_MM + 3 * np.hypot(seen.sigma_mm, rest.sigma_mm)
    times = seen.t_s[::-1] if first else seen.t_s
    row = there[::-1] if first else there
    count = int(np.argmin(row)) if not row.all() else len(row)
    return float(times[count - 1]) if count else otherwise_s
