"""Plays a scene's actions one after the other: hands come and go, coins are flicked, and each
action extends the timeline and its truth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from referee.domain.errors import InputError
from referee.domain.geometry import Point, add, distance, scale, unit
from referee.domain.layout import POCKETS, Course, Tile
from referee.synthetic.physics.motion import Slide
from referee.synthetic.physics.shot import Shot, Table, play
from referee.synthetic.scenario import facts
from referee.synthetic.scenario.hand import HIGH_MM, REACH_MM, TIP_MM, Key, Visit, away
from referee.synthetic.scenario.held_walls import hold_wall
from referee.synthetic.scenario.scene import Action, Flick, Hold, Nudge, Pass, Place, Scene
from referee.synthetic.scenario.timeline import (
    CARRY_GRIP_MM,
    Carried,
    Falling,
    Lying,
    Pushed,
    Sliding,
    Stretch,
    Timeline,
)

_HAND_PAUSE_S: Final = 0.25
#: Rims closer than this touch, mm.
_TOUCHING_MM: Final = 0.05


def play_scene(scene: Scene, file: str = "scene") -> Timeline:
    """Play a scene. Raises InputError with the action that cannot be played (coins overlap, still
    move, or are not on the table).
    """
    timeline = Timeline(first_tiles=dict(scene.course.tiles))
    timeline.coins = {
        c: [Lying(0.0, at, _top_mm(scene, timeline, at, 0.0))] for c, at in scene.coins.items()
    }
    _check_start(scene, timeline.resting(0.0), file)
    for number, action in enumerate(scene.actions):
        try:
            act(scene, timeline, action)
        except ValueError as err:
            raise InputError(f"{file}: actions[{number}]: {err}") from None
    if timeline.hands_gone_s > scene.length_s:
        raise InputError(
            f"{file}: video.length_s: {scene.length_s:g} s ends before the last hand has gone"
            f" ({timeline.hands_gone_s:.2f} s)"
        )
    for listed in (timeline.incidents, timeline.near_misses):
        listed.sort(key=lambda f: f["t_s"])
    return timeline


def _check_start(scene: Scene, coins: dict[str, Point], file: str) -> None:
    try:
        play(_table(scene, coins, dict(scene.course.tiles)), 0.0, {})
    except ValueError as err:
        raise InputError(f"{file}: coins: {err}") from None


def _table(
    scene: Scene,
    coins: dict[str, Point],
    tiles: Mapping[str, Tile],
    held: frozenset[str] = frozenset(),
) -> Table:
    return Table(
        coins,
        tiles,
        scene.outline_mm,
        scene.sizes.coin_mm,
        scene.sizes.tile_mm,
        scene.surface,
        held,
        scene.sizes.tile_thickness_mm,
    )


def _arm_deg(action: Action, tip: Point, rng: np.random.Generator) -> float:
    """Return the direction of the arm: the given one, or else that of one of four people around the
    table. This person sits near the place and can easily flick in the action's direction.
    """
    if action.arm_deg is not None:
        return action.arm_deg
    x, y = tip
    people = ((0.5 * x, -900.0), (-1150.0, 0.3 * y), (1150.0, 0.3 * y), (0.5 * x, 950.0))

    def effort(shoulder: Point) -> float:
        arm = math.atan2(y - shoulder[1], x - shoulder[0])
        turn = (
            abs(math.remainder(arm - math.radians(action.towards_deg), 2 * math.pi))
            if isinstance(action, Flick)
            else 0.0
        )
        return distance(shoulder, tip) / 250.0 + (turn / 1.3) ** 2

    shoulder = min(people if isinstance(action, Flick) else people[:1], key=effort)
    return math.degrees(math.atan2(y - shoulder[1], x - shoulder[0])) + float(rng.uniform(-6, 6))


def _visit(
    scene: Scene, timeline: Timeline, arm_deg: float, keys: list[Key], reach_deg: float = 0.0
) -> Visit:
    """Make a visit that comes in before the first key and leaves after the last one. Raises
    ValueError if the previous hand has not left yet, or if this hand would have to start before the
    clip begins (unless `hand_at_start`).
    """
    start = away(scene.view, keys[0].tip_mm, arm_deg, HIGH_MM)
    end = away(scene.view, keys[-1].tip_mm, arm_deg, HIGH_MM)
    whole = (
        Key(keys[0].t_s - scene.come_s, start, HIGH_MM),
        *keys,
        Key(keys[-1].t_s + scene.go_s, end, HIGH_MM),
    )
    if whole[0].t_s < 0 and not scene.hand_at_start:
        raise ValueError(
            f"at_s: the hand would have to set out {-whole[0].t_s:.2f} s before the clip begins"
        )
    if timeline.visits and timeline.visits[-1].end_s > whole[0].t_s:
        raise ValueError(
            f"at_s: the hand comes at {whole[0].t_s:.2f} s, but the one before it stays until"
            f" {timeline.visits[-1].end_s:.2f} s"
        )
    visit = Visit(whole, arm_deg, reach_deg)
    timeline.visits.append(visit)
    return visit


def _rng(scene: Scene, action: Action) -> np.random.Generator:
    return np.random.default_rng((scene.seed, 2, round(action.at_s * 1000)))


def _lying(timeline: Timeline, coin: str, t_s: float) -> Lying:
    if timeline.still_from_s > t_s:
        raise ValueError(f"at_s: coins or tiles still move until {timeline.still_from_s:.3f} s")
    lying = timeline.lying(t_s).get(coin)
    if lying is None:
        raise ValueError(f"{coin} does not lie on the table at {t_s:g} s")
    return lying


def _top_mm(scene: Scene, timeline: Timeline, at_mm: Point, t_s: float) -> float:
    """Return the height of the stack of tiles at a place, mm; 0 where there is none."""
    tiles = (timeline.tile(name, t_s) for name in timeline.first_tiles)
    stacks = [
        tile.stack
        for tile in tiles
        if tile.stack > 1 and tile.is_within(at_mm, scene.sizes.tile_mm / 2)
    ]
    return max(stacks, default=0) * scene.sizes.tile_thickness_mm


def _pass(scene: Scene, timeline: Timeline, action: Pass) -> None:
    keys = [
        Key(action.at_s, action.over_mm, action.height_mm),
        Key(action.at_s + action.stay_s, action.over_mm, action.height_mm),
    ]
    _visit(scene, timeline, _arm_deg(action, action.over_mm, _rng(scene, action)), keys)


def _flick(scene: Scene, timeline: Timeline, action: Flick) -> None:
    at, t = _lying(timeline, action.coin, action.at_s).at_mm, action.at_s
    toward = math.radians(action.towards_deg)
    heading = (math.cos(toward), math.sin(toward))
    behind = add(at, scale(heading, -(scene.sizes.coin_mm / 2 + TIP_MM + 0.3)))
    poised = add(behind, scale(heading, -5.0))
    keys = [
        Key(t - action.aim_s, poised, 2.0),
        Key(t - 0.15, behind, 0.0),
        Key(t, behind, 0.0),
        Key(t + REACH_MM / action.speed_mm_s, behind, 0.0, REACH_MM),
        Key(t + 0.22 + action.stay_s, behind, 0.0, REACH_MM),
        Key(t + 0.3 + action.stay_s, poised, 4.0, REACH_MM * 0.7),
    ]
    _visit(scene, timeline, _arm_deg(action, behind, _rng(scene, action)), keys, action.towards_deg)
    rests = timeline.resting(t)
    course = Course({n: timeline.tile(n, t) for n in timeline.first_tiles}, scene.sizes.tile_mm)
    touching = [
        c
        for c, p in rests.items()
        if c != action.coin and distance(p, at) < scene.sizes.coin_mm + _TOUCHING_MM
    ]
    if action.coin not in rests:
        raise ValueError(f"{action.coin} lies on a tile, not on the table")
    held = timeline.held(t)
    shot = play(
        _table(scene, rests, dict(course.tiles), held),
        t,
        {action.coin: scale(heading, action.speed_mm_s)},
    )
    if held - timeline.held(shot.end_s):
        raise ValueError(
            f"at_s: coins or tiles move until {shot.end_s:.3f} s, but a hand lets go of its wall"
            " before that"
        )
    timeline.incidents.append(
        {"t_s": t, "kind": "flicked", "coin": action.coin, "touching": touching}
    )
    _add_motion(timeline, shot)
    _add_facts(scene, timeline, shot, course, rests, t)


def _add_motion(timeline: Timeline, shot: Shot) -> None:
    falls = {f.coin: f for f in shot.falls}
    for coin, slides in shot.slides.items():
        if not any(s.moving for s in slides):
            continue
        timeline.coins[coin] += _with_pauses(slides)
        last = slides[-1]
        if coin in falls:
            t_s = falls[coin].t_s
            timeline.coins[coin].append(Falling(t_s, last.position(t_s), last.velocity(t_s)))
        else:
            lies = Lying(last.end_s, last.position(last.end_s), last.height_mm)
            timeline.coins[coin].append(lies)
            timeline.rest.append(
                {"coin": coin, "t_s": last.end_s, "at_mm": list(last.position(last.end_s))}
            )
    for name, stretches in shot.tiles.items():
        timeline.tiles.setdefault(name, []).extend(stretches)
    timeline.still_from_s = shot.end_s


def _with_pauses(slides: Sequence[Slide]) -> list[Stretch]:
    return [Sliding(s) if s.moving else Lying(s.begin_s, s.from_mm) for s in slides]


def _add_facts(
    scene: Scene,
    timeline: Timeline,
    shot: Shot,
    course: Course,
    rests: dict[str, Point],
    begin_s: float,
) -> None:
    mouths = {name: line for name, line in course.lines.items() if name in POCKETS}
    lines = {name: line for name, line in course.lines.items() if name not in POCKETS}
    coin_mm = scene.sizes.coin_mm
    timeline.incidents += facts.contacts(shot, course, coin_mm)
    over = facts.over_walls(shot, course)
    timeline.incidents += over
    gone = {fact["coin"] for fact in over}
    timeline.incidents += [
        facts.fall(f, scene.outline_mm) for f in shot.falls if f.coin not in gone
    ]
    timeline.tile_contacts += facts.tile_contacts(shot)
    for coin, slides in shot.slides.items():
        timeline.incidents += facts.crossings(coin, slides, lines)
        timeline.incidents += facts.pocketings(coin, slides, mouths)
        timeline.near_misses += facts.near_crossings(coin, slides, lines)
        timeline.near_misses += facts.near_pocketings(coin, slides, mouths)
    timeline.near_misses += facts.near_hits(shot, rests, begin_s, coin_mm)
    timeline.near_misses += facts.near_posts(shot, course, coin_mm)
    timeline.near_misses += facts.near_falls(shot, scene.outline_mm)
    for name in shot.tiles:
        _add_displaced(
            timeline,
            course,
            name,
            next(b.t_s for b in shot.bumps if b.with_ == name),
            shot.end_s,
            "coin",
        )


def _add_displaced(
    timeline: Timeline, course: Course, name: str, t_s: float, after_s: float, by: str
) -> None:
    a, b = course.tiles[name], timeline.tile(name, after_s)
    moved, turned = distance(a.centre_mm, b.centre_mm), b.rotation_deg - a.rotation_deg
    places = {
        k: {"centre_mm": list(p.centre_mm), "rotation_deg": p.rotation_deg}
        for k, p in (("from", a), ("to", b))
    }
    fact = {
        "t_s": t_s,
        "kind": "tile_displaced",
        "tile": name,
        "moved_mm": moved,
        "turned_deg": turned,
        "by": by,
        **places,
    }
    first = timeline.first_tiles[name]
    if by == "hand" and distance(b.centre_mm, first.centre_mm) < 1e-9:
        timeline.tile_restored.append({**fact, "kind": "tile_restored"})
    else:
        timeline.incidents.append(fact)


def _place(scene: Scene, timeline: Timeline, action: Place, to: Point) -> None:
    down = action.at_s
    top_mm = _top_mm(scene, timeline, to, down)
    grip_mm = CARRY_GRIP_MM + top_mm
    brought = action.coin not in timeline.coins or timeline.stretch(action.coin, down) is None
    fallen = not brought and isinstance(timeline.stretch(action.coin, down), Falling)
    if brought or fallen:
        keys = [
            Key(down - 0.2, to, grip_mm + 8.0),
            Key(down, to, grip_mm),
            Key(down + _HAND_PAUSE_S, to, grip_mm),
        ]
        visit = _visit(scene, timeline, _arm_deg(action, to, _rng(scene, action)), keys)
        taken_s = visit.begin_s
    else:
        taken_s = down - action.carry_s
        lay = _lying(timeline, action.coin, taken_s)
        at, lifted_mm = lay.at_mm, CARRY_GRIP_MM + lay.height_mm
        between = scale(add(at, to), 0.5)
        keys = [
            Key(taken_s - _HAND_PAUSE_S, at, lifted_mm),
            Key(taken_s, at, lifted_mm),
            Key((taken_s + down) / 2, between, max(grip_mm, lifted_mm) + 12.0),
            Key(down, to, grip_mm),
            Key(down + _HAND_PAUSE_S, to, grip_mm),
        ]
        visit = _visit(scene, timeline, _arm_deg(action, to, _rng(scene, action)), keys)
    timeline.gone_s.pop(action.coin, None)
    timeline.coins.setdefault(action.coin, []).extend(
        [Carried(taken_s, visit), Lying(down, to, top_mm)]
    )
    play(
        _table(
            scene, timeline.resting(down), {n: timeline.tile(n, down) for n in timeline.first_tiles}
        ),
        down,
        {},
    )
    timeline.incidents.append(
        {"t_s": down, "kind": "placed", "coin": action.coin, "at_mm": list(to)}
    )


def _lift(scene: Scene, timeline: Timeline, action: Place) -> None:
    lay, taken_s = _lying(timeline, action.coin, action.at_s), action.at_s
    at, lifted_mm = lay.at_mm, CARRY_GRIP_MM + lay.height_mm
    keys = [Key(taken_s - _HAND_PAUSE_S, at, lifted_mm), Key(taken_s, at, lifted_mm)]
    visit = _visit(scene, timeline, _arm_deg(action, at, _rng(scene, action)), keys)
    timeline.coins[action.coin].append(Carried(taken_s, visit))
    timeline.gone_s[action.coin] = visit.end_s
    timeline.incidents.append(
        {"t_s": taken_s, "kind": "placed", "coin": action.coin, "at_mm": None}
    )


def _nudge(scene: Scene, timeline: Timeline, action: Nudge) -> None:
    done, begin = action.at_s, action.at_s - 0.4
    if timeline.still_from_s > begin:
        raise ValueError(f"at_s: coins or tiles still move until {timeline.still_from_s:.3f} s")
    old = timeline.tile(action.tile, begin)
    new = timeline.first_tiles[action.tile]
    if action.by_mm is not None:
        new = replace(
            old,
            centre_mm=add(old.centre_mm, action.by_mm),
            rotation_deg=old.rotation_deg + action.turn_deg,
        )
    step = add(new.centre_mm, scale(old.centre_mm, -1.0))
    inward = unit(step) if math.hypot(*step) > 0 else (0.0, 1.0)
    grip = scale(inward, -(scene.sizes.tile_mm / 2 - 8.0))
    thick = scene.sizes.tile_thickness_mm * old.stack
    keys = [
        Key(begin - 0.2, add(old.centre_mm, grip), thick),
        Key(begin, add(old.centre_mm, grip), thick),
        Key(done, add(new.centre_mm, grip), thick),
        Key(done + 0.2, add(new.centre_mm, grip), thick),
    ]
    _visit(scene, timeline, _arm_deg(action, old.centre_mm, _rng(scene, action)), keys)
    course = Course({action.tile: old}, scene.sizes.tile_mm)
    timeline.tiles.setdefault(action.tile, []).append(Pushed(begin, done, old, new))
    play(
        _table(
            scene, timeline.resting(done), {n: timeline.tile(n, done) for n in timeline.first_tiles}
        ),
        done,
        {},
    )
    _add_displaced(timeline, course, action.tile, done, done, "hand")


def act(scene: Scene, timeline: Timeline, action: Action) -> None:
    """Play one more action. Raises ValueError if it cannot be played; the timeline must not be used
    after that.
    """
    match action:
        case Flick():
            _flick(scene, timeline, action)
        case Pass():
            _pass(scene, timeline, action)
        case Place(to_mm=None):
            _lift(scene, timeline, action)
        case Place(to_mm=(_, _) as to):
            _place(scene, timeline, action, to)
        case Nudge():
            _nudge(scene, timeline, action)
        case Hold():
            hold_wall(scene, timeline, action)
