"""Makes random scenes of Castle Croquetnole, each from its seed: four castles on a random table,
knights and guards beside their towers, and flicks and placements like those of a match.

Usage: python -m benchmarks.castle_scenes OUT_FOLDER FIRST_SEED [LAST_SEED] [--flicks N] [--fps N]

Writes OUT_FOLDER/seed-NNN as `python -m benchmarks.random_scenes` does. `python -m
benchmarks.breaks OUT_FOLDER` then says which of the records are right, ask or are wrong. Knights
leave their castles and enter others; coins hit each other and towers. Hands put a knight in touch
with its guard before it is flicked (a loose croquet), put it on a tower as a prisoner, or take it
from there. In every fourth scene a prisoner lies on a tower from the beginning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.arguments import Arguments, positive
from benchmarks.carroms_scenes import DRAWS, TRIES, go_on
from benchmarks.random_deeds import flick, yaml_name
from benchmarks.random_scenes import cut_to_length, film, film_at, played, with_coins
from benchmarks.random_tables import Draw, Plain
from referee.domain.geometry import Point, add, distance, scale, subtract, unit
from referee.domain.pieces import GUARDS
from referee.domain.slide import speed_over_mm

PRISONER_EVERY = 4  # in every so manyth scene a prisoner lies on a tower from the beginning
#: How far from a tower's middle a hand puts a coin on it, mm along each axis.
ON_TOWER_MM = 9.0


def castle_scene(seed: int, flicks: int, fps: int = 60) -> Plain:
    """Return the plain fields of a scene with `flicks` flicks. Raises RuntimeError if no random
    draw could be played.
    """
    draw = Draw(seed, front=True, game="castle-croquetnole")
    film_at(draw, fps, flicks)
    for _ in range(DRAWS):
        fields: Plain | None = _laid(draw, prisoner=seed % PRISONER_EVERY == 0)
        if fields is None or played(fields) is None:
            continue
        for _ in range(flicks):
            fields = None if fields is None else _with_one_more(draw, fields)
        if fields is not None:
            return cut_to_length(fields)
    raise RuntimeError(
        f"seed {seed}: in none of its {DRAWS} random scenes can the flicks be played"
    )


def _laid(draw: Draw, *, prisoner: bool) -> Plain | None:
    """Return a table on which each knight and its guard lie beside their tower."""
    draw.coins = draw.garrisons()
    if prisoner:
        knight = str(draw.one_of(list(GUARDS)))
        draw.coins[knight] = _on_tower(draw, knight)
    draw.at_s, draw.first = draw.number(1.0, 1.6), False
    players = [{"name": name.capitalize(), "coin": name} for name in GUARDS]
    return with_coins({**draw.fields, "players": players, "actions": []}, draw.coins)


def _with_one_more(draw: Draw, fields: Plain) -> Plain | None:
    """Return the scene with one flick more, and now and then a placement before it."""
    laid, at_s = dict(draw.coins), draw.at_s
    for _ in range(TRIES):
        draw.coins, draw.at_s = dict(laid), at_s
        grown: Plain = fields
        for deed in (draw.one_of(BEFORE), draw.one_of(SHOTS)):
            actions = deed(draw)
            if not actions:
                continue
            grown = {**grown, "actions": [*grown["actions"], *actions]}
            timeline = played(grown)
            if timeline is None:
                break
            go_on(draw, timeline)
        else:
            if len(grown["actions"]) > len(fields["actions"]) and "flick" in grown["actions"][-1]:
                return grown
    return None


def _lying(draw: Draw) -> list[str]:
    """Return the coins on the table itself."""
    return [coin for coin, at in draw.coins.items() if draw.course.tower_at(at) is None]


def _on_tower(draw: Draw, knight: str) -> Point:
    """Return a place on a tower that is not the knight's own and on which no coin lies."""
    taken = {draw.course.tower_at(at) for at in draw.coins.values()}
    towers = [c for c in GUARDS if c != knight and f"tower-{c}" not in taken]
    tower = draw.course.tiles[f"tower-{draw.one_of(towers)}"]
    aside = (draw.number(-ON_TOWER_MM, ON_TOWER_MM), draw.number(-ON_TOWER_MM, ON_TOWER_MM))
    return add(tower.centre_mm, aside)


def _nothing(draw: Draw) -> list[Plain]:
    return []


def _captured(draw: Draw) -> list[Plain]:
    """Return actions that put a knight on another castle's tower."""
    knights = [coin for coin in _lying(draw) if coin in GUARDS]
    if len(draw.coins) - len(_lying(draw)) >= len(GUARDS) - 1 or not knights:
        return []
    knight = str(draw.one_of(knights))
    return [_placed(draw, knight, _on_tower(draw, knight))]


def _released(draw: Draw) -> list[Plain]:
    """Return actions that take a prisoner from the tower on which it lies and put it beside its own
    tower.
    """
    prisoners = [coin for coin in draw.coins if coin not in _lying(draw)]
    if not prisoners:
        return []
    coin = str(draw.one_of(prisoners))
    return [_placed(draw, coin, draw.beside_tower(coin))]


def _in_touch(draw: Draw) -> list[Plain]:
    """Return an action that puts a knight in touch with its guard, so that a flick of the knight is
    a loose croquet.
    """
    knights = [k for k, g in GUARDS.items() if k in _lying(draw) and g in _lying(draw)]
    if not knights:
        return []
    knight, turn = str(draw.one_of(knights)), draw.number(0, 2 * math.pi)
    apart = draw.coin_mm + 0.02
    at = add(draw.coins[GUARDS[knight]], (apart * math.cos(turn), apart * math.sin(turn)))
    return [_placed(draw, knight, at)]


def _placed(draw: Draw, coin: str, to: Point) -> Plain:
    at_mm = [round(to[0], 2), round(to[1], 2)]
    return {"place": yaml_name(coin), "at_s": round(draw.at_s + 1.0, 2), "to_mm": at_mm}


def _through(draw: Draw) -> list[Plain]:
    """Return a flick of a coin through a gate or a door, from the side on which the coin lies."""
    coin = str(draw.one_of(_lying(draw)))
    lines = sorted(
        draw.course.lines.values(),
        key=lambda line: (
            distance(draw.coins[coin], line.left_mm) + distance(draw.coins[coin], line.right_mm)
        ),
    )
    line = draw.one_of(lines[:3])
    along = unit(subtract(line.right_mm, line.left_mm))
    width = distance(line.left_mm, line.right_mm)
    share = draw.number(0.5 * draw.coin_mm + 2.0, width - 0.5 * draw.coin_mm - 2.0)
    aim = add(line.left_mm, scale(along, share))
    way = distance(draw.coins[coin], aim) + draw.number(20.0, 180.0)
    speed = speed_over_mm(way, draw.scene.surface.slowing_mm_s2)
    return [flick(draw, coin, aim, round(min(3000.0, speed), 0))]


def _hit(draw: Draw) -> list[Plain]:
    """Return a flick of a coin at another one, as a full or a thin hit."""
    lying = _lying(draw)
    coin = str(draw.one_of(lying))
    target = draw.coins[str(draw.one_of([other for other in lying if other != coin]))]
    heading = unit(subtract(target, draw.coins[coin]))
    aside = draw.number(-0.9, 0.9) * draw.coin_mm
    aim = add(target, (-heading[1] * aside, heading[0] * aside))
    return [flick(draw, coin, aim, draw.speed_for(distance(draw.coins[coin], target)))]


def _at_tower(draw: Draw) -> list[Plain]:
    """Return a flick of a coin at a tower that is some distance away from it."""
    coin = str(draw.one_of(_lying(draw)))
    towers = [draw.course.tiles[f"tower-{castle}"].centre_mm for castle in GUARDS]
    away = 1.5 * draw.scene.sizes.tile_mm
    towers = [at for at in towers if distance(at, draw.coins[coin]) > away]
    near = min(towers, key=lambda at: distance(at, draw.coins[coin]))
    target = near if draw.chance(0.7) else draw.one_of(towers)
    aim = add(target, (draw.number(-20, 20), draw.number(-20, 20)))
    return [flick(draw, coin, aim, draw.speed_for(distance(draw.coins[coin], target)))]


BEFORE: tuple[Callable[[Draw], list[Plain]], ...] = (
    *(_nothing,) * 5,
    _captured,
    _released,
    _in_touch,
)
SHOTS: tuple[Callable[[Draw], list[Plain]], ...] = (*(_through,) * 3, *(_hit,) * 2, _at_tower)


def main(arguments: Sequence[str] | None = None) -> int:
    """Film the scenes that the arguments name."""
    parser = Arguments("castle_scenes", __doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--flicks", type=positive, default=6)
    parser.add_argument("--fps", type=positive, default=60, help="frames a second")
    options = parser.parse_args(arguments)
    for seed in range(options.first, (options.last or options.first) + 1):
        film(castle_scene(seed, options.flicks, options.fps), options.out / f"seed-{seed:03d}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
