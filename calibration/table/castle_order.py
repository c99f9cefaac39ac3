"""Decides from the aces on the towers which castle is that of Moons, and tells the players.

The course of castles looks the same after a quarter turn. Clockwise, the castles are those of
Moons, Suns, Crowns and Arms. So four of the 24 orders of the aces are right, and the other twenty
are wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.rough_survey.quarter_turns import moved_point, moved_tiles, seen_from, turned_names
from calibration.table.surveyed_table import SurveyedTable
from referee.domain.layout import SIDES_OF_TABLE, Course, Tile, template_course
from referee.domain.pieces import SURE_NAME, PieceSizes

Picture = NDArray[np.uint8]

#: A function that returns the log-likelihood of every order of the suits' aces on the towers. Its
#: arguments are, by suit, the pictures that show the suit's tower differently; the view; by suit,
#: the tower (None if it was not found); and the sizes.
ReadTops = Callable[
    [Mapping[str, Sequence[Picture]], TableView, Mapping[str, Tile | None], PieceSizes],
    Mapping[tuple[str, ...], float],
]
# Chosen: a castle is not mentioned if its probability of being the first suit's is smaller.
_WORTH_SAYING: Final = 0.005
# Chosen: how often players lay the aces in another order than the rules say.
_OTHERWISE: Final = 0.01
#: The sides of the table in players' words, as the camera sees them.
PLACES: Final = {
    "near": "near the camera",
    "left": "on the camera's left",
    "far": "away from the camera",
    "right": "on the camera's right",
}


@dataclass(frozen=True)
class CastleOrder:
    """How a course of castles lies. `steps` says by how many castles, clockwise, the first suit's
    castle is away from where it was assumed to be. `assumed` is the side of the table at which it
    is still only assumed to be, because neither the aces nor the players say it. `notes` tell
    players about this, and `warnings` tell them what to check.
    """

    steps: int
    assumed: str | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def castle_order(
    likely: Mapping[tuple[str, ...], float], suits: tuple[str, ...], side: str, *, given: bool
) -> CastleOrder:
    """Decide which castle is that of the first suit. `likely` are the log-likelihoods of the orders
    in which the aces may lie on the towers, clockwise from the one at `side`; `suits` is the right
    order.

    If the players have `given` the side, it stays, and a warning tells them if the aces contradict
    it. If the aces lie in a wrong order, the ace of the first suit decides. If the aces do not show
    the castle with certainty and the players did not give its side, `side` stays assumed.
    """
    first = suits[0].capitalize()
    right = {_turned(suits, k) for k in range(len(suits))}
    chances = _chances(likely, right)
    at_step = [
        sum(chance for order, chance in chances.items() if order[k] == suits[0])
        for k in range(len(suits))
    ]
    steps = int(np.argmax(at_step))
    if at_step[steps] < SURE_NAME:
        return (
            CastleOrder(0) if given else CastleOrder(0, side, (), (_unread(at_step, first, side),))
        )
    order = max(chances, key=lambda each: chances[each])
    seen = PLACES[_at(side, steps)]
    wrong = (
        () if order in right or chances[order] < SURE_NAME else (_out_of_order(order, suits, side),)
    )
    if given and steps:
        words = (
            f"the aces on the towers say that {first}' castle is {seen}; it is taken to be"
            f" {PLACES[side]}, as you say"
        )
        return CastleOrder(0, None, (), (*wrong, words))
    note = f"{first}' castle is {seen}, as the aces on the towers say."
    return CastleOrder(steps, None, (note,), wrong)


def _chances(
    likely: Mapping[tuple[str, ...], float], right: Collection[tuple[str, ...]]
) -> dict[tuple[str, ...], float]:
    """Return the probability of each order."""
    one_right = math.log((1 - _OTHERWISE) / len(right))
    one_wrong = math.log(_OTHERWISE / max(len(likely) - len(right), 1))
    weights = {
        order: log + (one_right if order in right else one_wrong) for order, log in likely.items()
    }
    whole = float(np.logaddexp.reduce(list(weights.values())))
    return {order: math.exp(weight - whole) for order, weight in weights.items()}


def _turned(suits: tuple[str, ...], by: int) -> tuple[str, ...]:
    """Return the suits in order, beginning with the one at index `by`."""
    return suits[by:] + suits[:by]


def _at(side: str, steps: int) -> str:
    """Return the side that is `steps` castles clockwise from a side."""
    return SIDES_OF_TABLE[(SIDES_OF_TABLE.index(side) + steps) % len(SIDES_OF_TABLE)]


def _unread(at_step: Sequence[float], first: str, side: str) -> str:
    """Return a warning that the aces do not show which castle is the first suit's, with the castles
    that it may be.
    """
    likely = sorted(range(len(at_step)), key=lambda k: -at_step[k])
    seen = ", ".join(
        f"{PLACES[_at(side, k)]} {at_step[k]:.0%}" for k in likely if at_step[k] >= _WORTH_SAYING
    )
    return (
        f"the aces on the towers do not tell which castle is {first}' ({seen}): it is assumed to"
        f" be the one {PLACES[side]}; `referee watch` asks for it before play, unless you give"
        " --moons-side here"
    )


def with_castle_at(table: SurveyedTable, side: str) -> SurveyedTable:
    """Return the table with the first suit's castle at a side, as the camera sees the table. A
    table is returned unchanged if that castle's place is not merely assumed.
    """
    if table.castle_assumed is None:
        return table
    quarters = (SIDES_OF_TABLE.index(side) - SIDES_OF_TABLE.index(table.castle_assumed)) % 4
    names = turned_names(template_course(table.game, table.sizes.tile_mm), quarters)
    moved = moved_tiles(table.course.tiles, names, quarters)
    field = table.field_error
    for _ in range(quarters):
        field = field.quarter_turned()
    return replace(
        table,
        view=seen_from(table.view, quarters),
        course=Course(
            MappingProxyType({name: moved[name] for name in table.course.tiles}),
            table.sizes.tile_mm,
        ),
        edge=tuple(
            replace(
                one,
                begin_mm=moved_point(one.begin_mm, quarters),
                end_mm=moved_point(one.end_mm, quarters),
            )
            for one in table.edge
        ),
        field_error=field,
        castle_assumed=None,
    )


def _out_of_order(order: tuple[str, ...], suits: tuple[str, ...], side: str) -> str:
    seen = ", ".join(
        f"{suit.capitalize()}' {PLACES[_at(side, steps)]}" for steps, suit in enumerate(order)
    )
    usual = ", ".join(suit.capitalize() for suit in suits)
    return (
        f"the aces on the towers lie in another order than the castles of the rules ({usual},"
        f" clockwise): {seen}"
    )
