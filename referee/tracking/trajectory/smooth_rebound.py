"""Infers a slide that ended against a tile before the coin was clear of the hand. It uses where the
coin lay and how it left the tile.

A disc that bounces off a flat side keeps nearly all of its velocity along the side. Across the side
it keeps a part, in the opposite direction. So the way before the bounce is a straight line from the
place of rest to the side, and the speed follows from the velocity that was kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from referee.domain.episode import CoinTrack, Episode
from referee.domain.geometry import square_corners
from referee.domain.slide import FASTEST_FLICK_MM_S, first_speed_mm_s, speed_after_s
from referee.tracking.trajectory.runs import Floats, Seen
from referee.tracking.trajectory.smooth_chain import Chain
from referee.tracking.trajectory.smooth_draft import carried_on
from referee.tracking.trajectory.smooth_fit import square_gap
from referee.tracking.trajectory.smooth_lead import ASIDE_MM, CLEAR_MM

# Tuned on our own clips, except where a comment gives another source for a number.

BACK_FRAMES: Final = 2.5  # a coin is seen at most so long after the bounce
LEAD_FRAMES: Final = 6.0  # and flicked at most so long before it
TOUCH_MM: Final = 4.0  # in a draft, rim and side may be this far apart or overlap this much
SLOWEST_MM_S: Final = 250.0  # a slower coin would have been seen, or was pushed
# cosine between the way and the side's normal: below this the coin glides past
COMING_COSINE: Final = 0.1
# This share of the way must be along the side; otherwise the velocity kept along it does not show
# the speed.
ALONG_LEAST: Final = 0.35
# this share of the speed across the side is kept; used where nothing else shows the speed
USUAL_BOUNCE: Final = 0.45
# A coin is no faster after a tile than before, within the error of a draft.
BOUNCE_LOSS_LEAST: Final = 0.75
SPREAD: Final = 0.35  # the uncertainty of that speed, as a share


@dataclass(frozen=True, slots=True)
class Turn:
    """Where and when a coin's centre was as its rim hit a side, the side's outward normal (2,), and
    the velocity with which the coin left.
    """

    t_s: float
    at_mm: Floats
    normal: Floats
    velocity: Floats


def led_off(
    episode: Episode, chains: Sequence[Chain], slowing: float, frame_s: float
) -> tuple[Chain, ...]:
    """Return the chains, with a first run added for each coin that was flicked against a tile and
    first seen afterwards.
    """
    tile_mm, tiles = episode.course_before.tile_mm, episode.course_before.tiles
    squares = {
        name: np.array(square_corners(tile.centre_mm, tile_mm, tile.rotation_deg))
        for name, tile in tiles.items()
    }
    tracks = {t.coin: t for t in episode.tracks}
    led: list[Chain] = []
    for chain in chains:
        first = all(chain.coin != c.coin for c in led)
        off = (
            _led_off(tracks[chain.coin], chain, squares, episode.sizes.coin_mm, slowing, frame_s)
            if first
            else None
        )
        led.append(off or chain)
    return tuple(led)


def _led_off(
    track: CoinTrack,
    chain: Chain,
    squares: Mapping[str, Floats],
    coin_mm: float,
    slowing: float,
    frame_s: float,
) -> Chain | None:
    """Return the chain with a first run from where the coin lay to the tile that it bounced off;
    None where it did not bounce like that.
    """
    if chain.anchor is not None or track.before is None:
        return None
    turn = _turn(chain, squares, coin_mm, slowing, frame_s)
    if turn is None:
        return None
    start = np.asarray(track.before.at_mm)
    way = turn.at_mm - start
    length = float(np.hypot(*way))
    if length < CLEAR_MM or not _clear(start, turn, squares, coin_mm):
        return None
    heading = way / length
    speed = _speed(heading, turn)
    if speed is None or not _may_be(speed, turn, length, frame_s):
        return None
    took_s = length / speed
    window = (turn.t_s - (1 + SPREAD) * took_s, turn.t_s - (1 - SPREAD) * took_s)
    began_s = turn.t_s - took_s
    seen = _with_sightings(track, chain, start, turn)
    turned = replace(
        chain,
        seen=seen,
        anchor=track.before,
        start_mm=start,
        begins_s=(turn.t_s, *chain.begins_s[1:]),
        windows_s=((turn.t_s - frame_s, chain.begins_s[0]), *chain.windows_s[1:]),
    )
    return turned.with_run(0, began_s, heading * first_speed_mm_s(length, took_s, slowing), window)


def _turn(
    chain: Chain, squares: Mapping[str, Floats], coin_mm: float, slowing: float, frame_s: float
) -> Turn | None:
    """Find the last contact with a tile's side before the chain was first seen; None where the path
    extended backward reaches no side.
    """
    t0, velocity = chain.begins_s[0], chain.velocities[0]
    times = t0 - np.linspace(0.0, BACK_FRAMES * frame_s, 41)
    back = carried_on(t0, np.asarray(chain.start_mm), velocity, slowing, times)
    for k, (t_s, at) in enumerate(zip(times, back, strict=True)):
        gaps = {
            name: float(square_gap(corners, at[None, :])[0]) - 0.5 * coin_mm
            for name, corners in squares.items()
        }
        name = min(gaps, key=lambda n: gaps[n], default=None)
        if name is None or gaps[name] > 0.0:
            continue
        normal = _normal(squares[name], at)
        speed = float(np.hypot(*velocity))
        leaving = velocity * (speed_after_s(t_s - t0, speed, slowing) / speed)
        met = float(leaving @ normal) > 0 and (k > 0 or gaps[name] > -TOUCH_MM)
        return Turn(float(t_s), at, normal, leaving) if met else None
    return None


def _normal(corners: Floats, at: Floats) -> Floats:
    """Return the unit vector from the nearest point of a square (4, 2) to a place outside or just
    inside it, (2,).
    """
    step = 1e-3
    slope = np.array(
        [
            float(
                (square_gap(corners, (at + d)[None, :]) - square_gap(corners, (at - d)[None, :]))[0]
            )
            for d in np.eye(2) * step
        ]
    )
    return np.asarray(slope / max(float(np.hypot(*slope)), 1e-12), dtype=np.float64)


def _clear(start: Floats, turn: Turn, squares: Mapping[str, Floats], coin_mm: float) -> bool:
    """Return whether no tile stands between the place of rest and the bounce."""
    way = start + (turn.at_mm - start) * np.linspace(0.0, 1.0, 30)[:, None]
    return all(
        float(square_gap(corners, way).min()) > 0.5 * coin_mm - TOUCH_MM
        for corners in squares.values()
    )


def _speed(heading: Floats, turn: Turn) -> float | None:
    """Return how fast the coin came to the side along `heading`; None when it did not move towards
    the side.
    """
    side = np.array([-turn.normal[1], turn.normal[0]])
    across, along = -float(heading @ turn.normal), float(heading @ side)
    if across < COMING_COSINE:
        return None
    kept = float(turn.velocity @ side)
    if abs(along) > ALONG_LEAST:
        return kept / along if kept * along > 0 else None
    return float(turn.velocity @ turn.normal) / (USUAL_BOUNCE * across)


def _may_be(speed: float, turn: Turn, length: float, frame_s: float) -> bool:
    """Return whether a flick can be that fast, and whether the coin lost no more speed and took no
    more time than possible.
    """
    return (
        SLOWEST_MM_S < speed < FASTEST_FLICK_MM_S
        and speed > BOUNCE_LOSS_LEAST * float(np.hypot(*turn.velocity))
        and length < LEAD_FRAMES * frame_s * speed
    )


def _with_sightings(track: CoinTrack, chain: Chain, start: Floats, turn: Turn) -> Seen:
    """Return the chain's sightings, with earlier sightings that lie on the path to the bounce."""
    way = turn.at_mm - start
    heading = way / float(np.hypot(*way))
    first_s = float(chain.seen.t_s[0]) if len(chain.seen.t_s) else turn.t_s
    on_way = []
    for s in track.sightings:
        off = np.asarray(s.at_mm) - start
        beside, on = abs(float(off[0] * heading[1] - off[1] * heading[0])), float(off @ heading)
        if (
            s.t_s < min(turn.t_s, first_s)
            and beside < ASIDE_MM
            and CLEAR_MM < on < float(way @ heading)
        ):
            on_way.append(s)
    own = chain.seen
    if not on_way:
        return own
    times, places = (
        np.array([s.t_s for s in on_way]),
        np.array([s.at_mm for s in on_way], dtype=np.float64),
    )
    sigmas = np.array([s.sigma_mm for s in on_way])
    return Seen(
        np.concatenate((times, own.t_s)),
        np.concatenate((places, own.xy_mm)),
        np.concatenate((sigmas, own.sigma_mm)),
    )
