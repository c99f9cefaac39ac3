"""Makes random scenes of Carroms, each from its seed: a board on a random table; a full rack and
its break, or scattered coins and shots at pockets; and what hands do between the flicks.

Usage: python -m benchmarks.carroms_scenes OUT_FOLDER FIRST_SEED [LAST_SEED] [--flicks N]
[--breaks] [--fps N]

Writes OUT_FOLDER/seed-NNN as `python -m benchmarks.random_scenes` does. `python -m benchmarks.clips
OUT_FOLDER` then shows how well the referee does on them. Every third scene begins with a break;
with `--breaks` each of them does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.arguments import Arguments, positive
from benchmarks.random_deeds import flick, yaml_name
from benchmarks.random_scenes import cut_to_length, film, film_at, played, with_coins
from benchmarks.random_tables import Draw, Plain
from referee.domain.geometry import Point, add, distance, scale, subtract, unit
from referee.domain.pieces import CARROMS_COINS
from referee.domain.slide import speed_over_mm
from referee.games.carroms.rack import rack_mm
from referee.synthetic.scenario.timeline import Timeline

#: How far apart the rims of racked coins lie, mm: hands push them together, but not quite.
RACK_GAP_MM = (0.05, 0.3)
#: How fast a striker is flicked at a rack, mm/s.
BREAK_MM_S = (1500.0, 3000.0)
#: So many draws are tried for one action before the scene is drawn anew.
TRIES = 25
DRAWS = 40


def carroms_scene(seed: int, flicks: int, *, begins_with_break: bool, fps: int = 60) -> Plain:
    """Return the plain fields of a scene with `flicks` flicks. Raises RuntimeError if no random
    draw could be played.
    """
    draw = Draw(seed, front=True, game="carroms")
    film_at(draw, fps, flicks)
    for _ in range(DRAWS):
        fields = (_racked if begins_with_break else _scattered)(draw)
        timeline = None if fields is None else played(fields)
        if fields is None or timeline is None:
            continue
        go_on(draw, timeline)
        done = int(begins_with_break)
        while fields is not None and done < flicks:
            fields = _with_one_more(draw, fields)
            done += 1
        if fields is not None:
            return cut_to_length(fields)
    raise RuntimeError(
        f"seed {seed}: in none of its {DRAWS} random scenes can the flicks be played"
    )


def _racked(draw: Draw) -> Plain | None:
    """Return a table with a full rack, the striker near a wall, and its flick at the rack."""
    coin_mm, turn = draw.coin_mm, draw.number(0, 2 * math.pi)
    gap_mm = draw.number(*RACK_GAP_MM)
    draw.coins = {}
    for coin, at in rack_mm((0.0, 0.0), coin_mm + gap_mm).items():
        x, y = (v + draw.number(-gap_mm, gap_mm) / 4 for v in at)
        draw.coins[coin] = (
            x * math.cos(turn) - y * math.sin(turn),
            x * math.sin(turn) + y * math.cos(turn),
        )
    reach = 4.6 * draw.scene.sizes.tile_mm - coin_mm
    aside = draw.number(-1.5, 1.5) * draw.scene.sizes.tile_mm
    draw.coins["striker"] = draw.one_of(
        [(reach, aside), (-reach, aside), (aside, reach), (aside, -reach)]
    )
    draw.at_s, draw.first = draw.number(1.0, 1.6), False
    aim = (draw.number(-1.6, 1.6) * coin_mm, draw.number(-1.6, 1.6) * coin_mm)
    return _fields(draw, [flick(draw, "striker", aim, draw.number(*BREAK_MM_S))])


def _scattered(draw: Draw) -> Plain | None:
    """Return a table whose coins lie anywhere between the walls; None if two overlap."""
    reach = 4.4 * draw.scene.sizes.tile_mm
    draw.coins = {}
    for coin in CARROMS_COINS:
        for _ in range(100):
            at = (draw.number(-reach, reach), draw.number(-reach, reach))
            if all(distance(at, other) > 1.1 * draw.coin_mm for other in draw.coins.values()):
                draw.coins[coin] = at
                break
    draw.at_s, draw.first = draw.number(1.0, 1.6), False
    return _fields(draw, []) if len(draw.coins) == len(CARROMS_COINS) else None


def _fields(draw: Draw, actions: list[Plain]) -> Plain:
    players = [{"name": "Ann", "coin": "suns"}, {"name": "Ben", "coin": "arms"}]
    return with_coins({**draw.fields, "players": players, "actions": actions}, draw.coins)


def go_on(draw: Draw, timeline: Timeline) -> None:
    """Let the next action begin when nothing moves any more, with the coins where they lie then."""
    if timeline.visits:
        end_s = max(timeline.still_from_s, timeline.visits[-1].end_s)
        draw.coins = dict(timeline.resting(end_s))
        draw.at_s = round(end_s + 1.05 + draw.number(0.3, 0.8), 2)


def _with_one_more(draw: Draw, fields: Plain) -> Plain | None:
    """Return the scene with one more flick, and with what hands do before it: they place a striker
    that is off the board, and sometimes take a pocketed coin away or put it back.
    """
    laid, at_s = dict(draw.coins), draw.at_s
    for _ in range(TRIES):
        draw.coins, draw.at_s = dict(laid), at_s
        grown = fields
        for deed in (_tidied, draw.one_of(SHOTS)):
            actions = deed(draw)
            grown = {**grown, "actions": [*grown["actions"], *actions]}
            timeline = played(grown)
            if timeline is None:
                break
            go_on(draw, timeline)
        else:
            return grown
    return None


def _in_play(draw: Draw, coin: str) -> bool:
    """Return whether a coin lies on the playing field."""
    reach = 5.0 * draw.scene.sizes.tile_mm
    corner = 7.0 * draw.scene.sizes.tile_mm
    at = draw.coins.get(coin)
    return at is not None and max(map(abs, at)) < reach and abs(at[0]) + abs(at[1]) < corner


def _free_spot(draw: Draw, near_mm: Point, within_mm: float) -> Point:
    """Return a free place within `within_mm` of a place."""
    for _ in range(200):
        spot = add(
            near_mm, (draw.number(-within_mm, within_mm), draw.number(-within_mm, within_mm))
        )
        if all(distance(spot, other) > 1.05 * draw.coin_mm for other in draw.coins.values()):
            return (round(spot[0], 2), round(spot[1], 2))
    return near_mm


def _tidied(draw: Draw) -> list[Plain]:
    """Return actions that bring a striker that is off the field and, now and then, put a coin that
    is off the field back near the centre or take it away.
    """
    off = [coin for coin in CARROMS_COINS if not _in_play(draw, coin)]
    tile_mm = draw.scene.sizes.tile_mm
    if "striker" in off:
        return [_placed(draw, "striker", _free_spot(draw, (0.0, 0.0), 3.5 * tile_mm))]
    if off and draw.chance(0.5):
        coin = str(draw.one_of(off))
        if coin in draw.coins and draw.chance(0.5):
            return [{"lift": yaml_name(coin), "at_s": round(draw.at_s + 0.3, 2)}]
        return [_placed(draw, coin, _free_spot(draw, (0.0, 0.0), 2.0 * draw.coin_mm))]
    return []


def _placed(draw: Draw, coin: str, to: Point) -> Plain:
    return {"place": yaml_name(coin), "at_s": round(draw.at_s + 1.0, 2), "to_mm": list(to)}


def _pocket_shot(draw: Draw) -> list[Plain]:
    """Return a flick of the striker that sends a coin towards a pocket. Most such flicks are well
    aimed.
    """
    coins = [coin for coin in CARROMS_COINS[:-1] if _in_play(draw, coin)]
    if not coins:
        return []
    target = draw.coins[str(draw.one_of(coins))]
    mouth = draw.one_of(list(draw.course.lines.values()))
    into = scale(add(mouth.left_mm, mouth.right_mm), 0.5)
    heading = unit(subtract(into, target))
    aim = add(target, scale(heading, -0.98 * draw.coin_mm))
    way = distance(draw.coins["striker"], aim) + distance(target, into)
    speed = speed_over_mm(way, draw.scene.surface.slowing_mm_s2) * draw.number(0.9, 1.6)
    return [flick(draw, "striker", aim, round(min(3000.0, speed), 0))]


def _own_goal(draw: Draw) -> list[Plain]:
    """Return a flick of the striker itself at a pocket."""
    mouth = draw.one_of(list(draw.course.lines.values()))
    into = scale(add(mouth.left_mm, mouth.right_mm), 0.5)
    into = add(into, (draw.number(-25, 25), draw.number(-25, 25)))
    return [flick(draw, "striker", into, draw.speed_for(distance(draw.coins["striker"], into)))]


def _anywhere(draw: Draw) -> list[Plain]:
    """Return a flick of the striker at another coin or at a wall."""
    reach = 5.0 * draw.scene.sizes.tile_mm
    aim = draw.one_of(
        [
            *(at for coin, at in draw.coins.items() if coin != "striker"),
            (draw.number(-reach, reach), draw.number(-reach, reach)),
        ]
    )
    return [flick(draw, "striker", aim, draw.number(500, 2600))]


SHOTS: tuple[Callable[[Draw], list[Plain]], ...] = (
    _pocket_shot,
    _pocket_shot,
    _pocket_shot,
    _anywhere,
    _anywhere,
    _own_goal,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Film the scenes that the arguments name."""
    parser = Arguments("carroms_scenes", __doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int, nargs="?")
    parser.add_argument("--flicks", type=positive, default=3)
    parser.add_argument("--breaks", action="store_true", help="every scene begins with a break")
    parser.add_argument("--fps", type=positive, default=60, help="frames a second")
    options = parser.parse_args(arguments)
    for seed in range(options.first, (options.last or options.first) + 1):
        begins = options.breaks or seed % 3 == 0
        fields = carroms_scene(seed, options.flicks, begins_with_break=begins, fps=options.fps)
        film(fields, options.out / f"seed-{seed:03d}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
