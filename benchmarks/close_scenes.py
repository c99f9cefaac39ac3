"""Draws scenes of close calls: flicks after which a coin stops by a wicket's line or by the table's
edge, or that pass another coin or an endpost. Each happens, or fails to happen, by a few standard
errors only.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.close_truth import NEAR_MM, ahead_mm, flicks_of
from benchmarks.random_deeds import yaml_name
from benchmarks.random_scenes import cut_to_length, peopled, shows_all
from benchmarks.random_tables import LEAST_COIN_PX, Draw, Plain
from referee.domain.errors import InputError
from referee.domain.geometry import (
    Point,
    add,
    distance,
    dot,
    scale,
    sides,
    square_corners,
    subtract,
    unit,
)
from referee.domain.slide import speed_over_mm
from referee.synthetic.scenario.actions import act, play_scene
from referee.synthetic.scenario.scene import Flick, Scene
from referee.synthetic.scenario.scene_file import scene_of
from referee.synthetic.scenario.timeline import Timeline

WIDE_PX, FPS = 960, 30
MARGIN_MM = 0.9  # drawn within three standard errors of a usual coin at rest, 0.3 mm
MOST_COINS = 3  # more cost more: each face is looked at after each flick
FLICKS = 20  # in a scene
SCENES, DRAWS = 40, 60  # how many times a scene, and one more flick, is drawn before giving up
WAYS_MM = (30.0, 450.0)  # how far a coin is flicked
HAND_S = 0.35  # in which the hand comes, and in which it goes
AIM_S = 0.25
BETWEEN_S = 0.95  # from one hand's end to the next flick
FIRST_S = 1.6
BY_LINE = 0.9  # how often a coin is flicked that lies by a line

Aim = tuple[Point, float]  #: Where a coin is flicked to, and how far it slides, mm.


def close_scene(seed: int) -> Plain:
    """Return the plain fields of a scene with close calls, as scene.yaml holds them. Raises
    RuntimeError if no draw could be played.
    """
    draw = next(d for more in count(0, 10_000) if (d := _table(seed + more)) is not None)
    for _ in range(SCENES):
        fields = _laid(draw)
        draw.at_s = FIRST_S
        flicks = _flicks(draw, scene_of(fields)) if fields is not None else None
        if fields is not None and flicks is not None:
            return cut_to_length({**fields, "actions": [_plain(f) for f in flicks]})
    raise RuntimeError(
        f"seed {seed}: in none of its {SCENES} random scenes can the flicks be played"
    )


def _table(seed: int) -> Draw | None:
    """Draw a table, every other one with a printed cloth and any of the sets; None if its coins are
    too small in pictures of the width used here.
    """
    draw = Draw(seed, False, printed=bool(seed % 2))
    camera, video = draw.fields["camera"], draw.fields["video"]
    share = WIDE_PX / camera["width"]
    high_px = share * camera["fx_px"] * draw.coin_mm * math.cos(math.radians(camera["tilt_deg"]))
    if high_px / camera["height_mm"] < LEAST_COIN_PX:
        return None
    small = {
        "width": WIDE_PX,
        "height": round(camera["height"] * share),
        "fx_px": camera["fx_px"] * share,
        "centre_px": [(v + 0.5) * share - 0.5 for v in camera["centre_px"]],
    }
    draw.fields["camera"] = {**camera, **small}
    draw.fields["video"] = {**video, "fps": FPS, "come_s": HAND_S, "go_s": HAND_S}
    draw.scene = scene_of(draw.fields)
    return draw


def _laid(draw: Draw) -> Plain | None:
    """Return the table with its coins laid close to lines, so that the first flick of each coin is
    a close call; None if coins overlap.
    """
    fields = peopled(draw)
    if fields is None:
        return None
    lines = draw.rng.permutation(list(draw.course.lines))
    coins = list(draw.coins)[:MOST_COINS]
    draw.coins = {c: _by(draw, str(name)) for c, name in zip(coins, lines, strict=False)}
    return {
        **fields,
        "coins": {yaml_name(c): list(at) for c, at in draw.coins.items()},
        "players": fields["players"][: len(coins)],
    }


def _flicks(draw: Draw, scene: Scene) -> list[Flick] | None:
    """Draw flicks, one after the other; None if none can be drawn."""
    try:
        timeline = play_scene(scene)
    except InputError:  # coins overlap
        return None
    flicks: list[Flick] = []
    for _ in range(FLICKS):
        found = _one_more(draw, scene, timeline)
        if found is None:
            return None
        flick, timeline = found
        flicks.append(flick)
        draw.at_s = round(
            max(timeline.still_from_s + 0.5, timeline.visits[-1].end_s) + BETWEEN_S, 2
        )
        draw.coins = dict(timeline.resting(draw.at_s))
        if len(draw.coins) < 2:
            return None
    return flicks


def _one_more(draw: Draw, scene: Scene, timeline: Timeline) -> tuple[Flick, Timeline] | None:
    """Draw one more flick that is a close call. If the coin lies close to a line, the flick makes
    two close calls: the coin leaves the line, and stops close to something. Return the flick and
    the extended timeline; None if none of a few draws was a close call.
    """
    close = [c for c, at in draw.coins.items() if _is_by_line(draw, at)]
    for _ in range(DRAWS):
        by_line = close and draw.chance(BY_LINE)
        name = str(draw.one_of(close if by_line else list(draw.coins)))
        aim = draw.one_of(AIMS)(draw, name)
        if aim is None or not WAYS_MM[0] < aim[1] < WAYS_MM[1]:
            continue
        flick, longer = _flick(draw, name, aim), copy.deepcopy(timeline)
        try:
            act(scene, longer, flick)
        except (ValueError, RuntimeError):
            continue
        least = 2 if name in close else 1
        if shows_all(scene, longer) and len(flicks_of(scene, longer)[-1].close_calls()) >= least:
            return flick, longer
    return None


def _is_by_line(draw: Draw, at: Point) -> bool:
    return any(
        abs(ahead_mm(line, at)) <= NEAR_MM
        and max(distance(at, line.left_mm), distance(at, line.right_mm))
        < distance(line.left_mm, line.right_mm)
        for line in draw.course.lines.values()
    )


def _flick(draw: Draw, coin: str, aim: Aim) -> Flick:
    """Return a flick with its direction not rounded, because a hundredth of a degree makes 0.07 mm
    at the end of a long slide.
    """
    way = subtract(aim[0], draw.coins[coin])
    speed = speed_over_mm(aim[1], draw.scene.surface.slowing_mm_s2)
    return Flick(draw.at_s, coin, speed, math.degrees(math.atan2(way[1], way[0])), None, AIM_S)


def _plain(flick: Flick) -> Plain:
    return {
        "flick": yaml_name(flick.coin),
        "at_s": flick.at_s,
        "speed_mm_s": flick.speed_mm_s,
        "towards_deg": flick.towards_deg,
        "aim_s": flick.aim_s,
    }


def _margin(draw: Draw) -> float:
    return float(draw.rng.uniform(-MARGIN_MM, MARGIN_MM))


def _by(draw: Draw, name: str) -> Point:
    """Return a place that is close to a line, between its ends."""
    line = draw.course.lines[name]
    width = distance(line.left_mm, line.right_mm)
    place = draw.number(draw.coin_mm / 2 + 3, width - draw.coin_mm / 2 - 3)
    on_line = add(line.left_mm, scale(unit(subtract(line.right_mm, line.left_mm)), place))
    return add(on_line, scale(line.outward, _margin(draw)))


def _by_line(draw: Draw, coin: str) -> Aim:
    """Aim so that the coin stops a little behind or before a line."""
    aim = _by(draw, draw.one_of(list(draw.course.lines)))
    return aim, distance(draw.coins[coin], aim)


def _past_coin(draw: Draw, coin: str) -> Aim | None:
    """Aim so that the coin closely passes another coin."""
    other = draw.coins[str(draw.one_of([c for c in draw.coins if c != coin]))]
    return _past(draw, coin, other, draw.coin_mm)


def _past_post(draw: Draw, coin: str) -> Aim | None:
    """Aim so that the coin closely passes a corner of an endpost."""
    post = draw.one_of(list(draw.course.posts.values()))
    corners = square_corners(post.centre_mm, draw.course.tile_mm, post.rotation_deg)
    return _past(draw, coin, draw.one_of(list(corners)), draw.coin_mm / 2)


def _past(draw: Draw, coin: str, what: Point, reach_mm: float) -> Aim | None:
    """Aim so that the coin's centre passes a point at a distance of about `reach_mm`. After that
    the coin stops anywhere, or close to a line.
    """
    start = draw.coins[coin]
    way, aside = distance(start, what), reach_mm + _margin(draw)
    if way <= aside:
        return None
    turn = math.asin(aside / way) * draw.one_of([-1.0, 1.0])
    along = unit(subtract(what, start))
    heading = (
        along[0] * math.cos(turn) - along[1] * math.sin(turn),
        along[0] * math.sin(turn) + along[1] * math.cos(turn),
    )
    stops = [s for s in _line_stops(draw, start, heading) if way < s < WAYS_MM[1]]
    stop = draw.one_of(stops) if stops else way + draw.number(10, 120)
    return add(start, scale(heading, stop)), stop


def _line_stops(draw: Draw, start: Point, heading: Point) -> Iterator[float]:
    """Yield the distances along a heading after which a coin is close to a line."""
    for line in draw.course.lines.values():
        climb = dot(heading, line.outward)
        if abs(climb) > 0.2:
            past = math.copysign(_margin(draw), climb)
            yield (past - dot(subtract(start, line.left_mm), line.outward)) / climb


def _at_coin(draw: Draw, coin: str) -> Aim:
    """Aim so that the coin stops just before another coin, or pushes it a little."""
    start = draw.coins[coin]
    other = draw.coins[str(draw.one_of([c for c in draw.coins if c != coin]))]
    return other, distance(start, other) - draw.coin_mm + _margin(draw)


def _at_post(draw: Draw, coin: str) -> Aim:
    """Aim so that the coin stops just before an endpost, or just touches it."""
    start, post = draw.coins[coin], draw.one_of(list(draw.course.posts.values()))
    half = 0.5 * draw.course.tile_mm
    # Towards the middle of a side the way ends half a tile before the middle of the post.
    return post.centre_mm, distance(start, post.centre_mm) - half - draw.coin_mm / 2 + _margin(draw)


def _by_edge(draw: Draw, coin: str) -> Aim:
    """Aim so that the coin stops just before the table's edge, or just falls off."""
    start = draw.coins[coin]
    begin, end = draw.one_of(list(sides(draw.scene.outline_mm)))
    foot = add(begin, scale(subtract(end, begin), draw.number(0.05, 0.95)))
    along = unit(subtract(end, begin))
    aim = add(foot, scale((along[1], -along[0]), _margin(draw)))
    return aim, distance(start, aim)


#: Two of three flicks stop by a line: only there most probabilities are neither 0 nor 1.
AIMS: tuple[Callable[[Draw, str], Aim | None], ...] = (
    *((_by_line,) * 12),
    _past_coin,
    _past_coin,
    _at_coin,
    _past_post,
    _at_post,
    _by_edge,
)
