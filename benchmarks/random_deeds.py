"""Draws what hands do in a random scene. Each function draws one action, in the words of
scene.yaml.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from benchmarks.random_tables import Draw, Plain
from referee.domain.geometry import Point, add, distance, scale, subtract, unit
from referee.domain.slide import speed_over_mm

Deed = Callable[[Draw], list[Plain]]


def yaml_name(coin: str) -> Any:
    """Return a coin as YAML writes it: ranks are numbers there."""
    return int(coin) if coin.isdigit() else coin


def towards(a: Point, b: Point) -> float:
    """Return the direction from one place to another, degrees."""
    return round(math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])), 2)


def flick(draw: Draw, coin: str, aim: Point, speed: float) -> Plain:
    """Return a flick of a coin towards a place."""
    deed: Plain = {
        "flick": yaml_name(coin),
        "at_s": draw.at_s,
        "speed_mm_s": speed,
        "towards_deg": towards(draw.coins[coin], aim),
    }
    if draw.chance(0.3):
        deed |= {
            "aim_s": draw.number(0.25, 0.45 if draw.first else 0.9),
            "stay_s": draw.number(0.0, 0.8),
        }
    return deed


def _other_than(draw: Draw, coin: str) -> str:
    return str(draw.one_of([c for c in draw.coins if c != coin]))


def _brought(draw: Draw, coin: str, target: Point, low: float, high: float) -> Point:
    """At the beginning of a scene, put the coin at a place from which it can reach `target`. Return
    where it lies.
    """
    if not draw.first:
        return draw.coins[coin]
    turn, way = draw.number(0, 2 * math.pi), draw.number(low, high)
    draw.coins[coin] = (
        round(target[0] + way * math.cos(turn), 2),
        round(target[1] + way * math.sin(turn), 2),
    )
    return draw.coins[coin]


def soft(draw: Draw) -> list[Plain]:
    """Draw a soft flick anywhere."""
    coin = draw.one_of(list(draw.coins))
    return [
        flick(
            draw,
            coin,
            draw.place(),
            round(speed_over_mm(draw.number(35, 120), draw.scene.surface.slowing_mm_s2), 0),
        )
    ]


def hard(draw: Draw) -> list[Plain]:
    """Draw a hard flick anywhere."""
    coin = draw.one_of(list(draw.coins))
    return [flick(draw, coin, draw.place(), draw.number(1200, 3100))]


def wicket(draw: Draw) -> list[Plain]:
    """Draw a flick through a wicket, mostly near one of its tiles, or one that stops just behind or
    before its line.
    """
    coin, line = draw.one_of(list(draw.coins)), draw.one_of(list(draw.course.lines.values()))
    along = unit(subtract(line.right_mm, line.left_mm))
    width = distance(line.left_mm, line.right_mm)
    share = draw.one_of(
        [
            draw.number(0, 8) + draw.coin_mm / 2,
            width - draw.coin_mm / 2 - draw.number(0, 8),
            draw.number(15, width - 15),
        ]
    )
    aim = add(line.left_mm, scale(along, share))
    begin = _brought(draw, coin, aim, 60, 400)
    way = distance(begin, aim) + (draw.number(-8, 12) if draw.chance(0.3) else 40.0)
    return [
        flick(
            draw,
            coin,
            aim,
            round(
                min(
                    3200.0,
                    speed_over_mm(max(way, 5.0), draw.scene.surface.slowing_mm_s2)
                    * draw.one_of([1.0, 1.2, 1.7]),
                ),
                0,
            ),
        )
    ]


def hit(draw: Draw) -> list[Plain]:
    """Draw a flick at another coin: a full hit, a thin one, or a near miss."""
    coin = draw.one_of(list(draw.coins))
    target = draw.coins[_other_than(draw, coin)]
    begin = _brought(draw, coin, target, draw.coin_mm * 1.3, 400)
    offset = (
        draw.one_of(
            [
                0.0,
                draw.number(-0.6, 0.6),
                draw.number(0.75, 0.98),
                -draw.number(0.75, 0.98),
                draw.number(1.02, 1.3),
            ]
        )
        * draw.coin_mm
    )
    return [_aimed(draw, coin, (begin, target), offset)]


def touching(draw: Draw) -> list[Plain]:
    """Draw a flick of a coin that touches another one."""
    coin = draw.one_of(list(draw.coins))
    other = _other_than(draw, coin)
    if not draw.first:
        return hit(draw)
    turn = draw.number(0, 2 * math.pi)
    apart = draw.coin_mm + draw.one_of([0.001, 0.001, draw.number(0.2, 1.5)])
    draw.coins[other] = add(draw.coins[coin], (apart * math.cos(turn), apart * math.sin(turn)))
    way = turn + draw.number(-2.4, 2.4)
    return [
        flick(
            draw,
            coin,
            add(draw.coins[coin], (100 * math.cos(way), 100 * math.sin(way))),
            draw.number(400, 2200),
        )
    ]


def tile(draw: Draw) -> list[Plain]:
    """Draw a flick at a tile or an endpost, full or at its corner."""
    coin, name = (
        draw.one_of(list(draw.coins)),
        draw.one_of([*draw.course.tiles, *(["left-endpost", "right-endpost"] * 6)]),
    )
    target = draw.course.tiles[name].centre_mm
    begin = _brought(draw, coin, target, 70, 350)
    offset = draw.number(-0.95, 0.95) * (draw.scene.sizes.tile_mm + draw.coin_mm) / 2
    return [_aimed(draw, coin, (begin, target), offset)]


def _aimed(draw: Draw, coin: str, ends: tuple[Point, Point], offset_mm: float) -> Plain:
    """Return a flick of a coin from the first of two points past the second, `offset_mm` to its
    left.
    """
    begin, target = ends
    way = unit(subtract(target, begin))
    aim = add(target, (-way[1] * offset_mm, way[0] * offset_mm))
    return flick(draw, coin, aim, draw.speed_for(distance(begin, target)))


def edge(draw: Draw) -> list[Plain]:
    """Draw a flick over the table's edge, or one that stops just before it."""
    coin = draw.one_of(list(draw.coins))
    (left, near), (right, far) = draw.scene.outline_mm[0], draw.scene.outline_mm[2]
    at = (draw.number(left, right), draw.number(near, far))
    aim = draw.one_of([(left, at[1]), (right, at[1]), (at[0], near), (at[0], far)])
    begin = _brought(draw, coin, aim, 40, 250)
    way = distance(begin, aim) * (1.0 if draw.chance(0.3) else draw.number(1.2, 4.0))
    return [
        flick(
            draw,
            coin,
            aim,
            round(min(3000.0, speed_over_mm(way, draw.scene.surface.slowing_mm_s2)), 0),
        )
    ]


def fetched(draw: Draw) -> list[Plain]:
    """Let a hand move a coin, a short or a long way, or bring one."""
    coin = draw.one_of(list(draw.coins))
    begin = draw.coins[coin]
    to = (
        add(begin, (draw.number(-60, 60), draw.number(-60, 60)))
        if draw.chance(0.5)
        else draw.place()
    )
    return [
        {
            "place": yaml_name(coin),
            "at_s": round(draw.at_s + 0.8, 2),
            "to_mm": [round(v, 2) for v in to],
            "carry_s": draw.number(0.5, 1.2),
        }
    ]


def lifted(draw: Draw) -> list[Plain]:
    """Let a hand take a coin off the table."""
    return [{"lift": yaml_name(draw.one_of(list(draw.coins))), "at_s": draw.at_s}]


def rests(draw: Draw) -> list[Plain]:
    """Let a hand rest on the table or pass over coins."""
    over = draw.one_of([*draw.coins.values(), draw.place()])
    return [
        {
            "pass": [round(v + draw.number(-30, 30), 1) for v in over],
            "at_s": draw.at_s,
            "stay_s": draw.number(0.2, 2.6),
            "height_mm": draw.number(10, 60),
        }
    ]


def nudged(draw: Draw) -> list[Plain]:
    """Let a hand nudge a tile."""
    name = draw.one_of([n for n in draw.course.tiles if not n.endswith("endpost")])
    return [
        {
            "nudge": name,
            "at_s": round(draw.at_s + 0.2, 2),
            "by_mm": [draw.number(-12, 12), draw.number(-12, 12)],
            "turn_deg": draw.number(-10, 10),
        }
    ]


DEEDS: tuple[tuple[Deed, float], ...] = (
    (soft, 1.0),
    (hard, 1.0),
    (wicket, 3.0),
    (hit, 3.5),
    (touching, 1.2),
    (tile, 2.0),
    (edge, 1.6),
    (fetched, 1.2),
    (lifted, 0.5),
    (rests, 0.8),
    (nudged, 0.7),
)
