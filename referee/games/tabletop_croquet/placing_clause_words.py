"""Puts into words the conditions for coins that hands put down or lift in Tabletop Croquet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.domain.geometry import Point, distance
from referee.games.flicking import COIN_WIDTH_TOLERANCE, UNMOVED_MM
from referee.games.tabletop_croquet.falls import strip_of
from referee.games.tabletop_croquet.state import State, whose

#: The text of a condition, and the facts that decided it.
Words = tuple[str, dict[str, Any]]


def _may_be_lifted(state: State, coin_is: str) -> Words:
    text = "The coin has left the table, has not entered yet, or is out of the game."
    return text, {"state": coin_is}


def _unmoved(state: State, lay_mm: Point | None, at_mm: Point) -> Words:
    text = (
        f"The coin was put down within {UNMOVED_MM:g} mm of where it lay: coins are flicked from"
        " where they lie."
    )
    return text, {"moved_mm": None if lay_mm is None else round(distance(lay_mm, at_mm), 1)}


def _in_from_both_edges(state: State, coin: str, depths: tuple[float, ...]) -> Words:
    text = (
        f"Near a corner the centre of {whose(state, coin)} is {_strip(state)} mm in from both"
        " edges."
    )
    return text, {"depths_mm": [round(depth, 1) for depth in depths]}


def _in_from_edge(state: State, coin: str, depth_mm: float) -> Words:
    text = (
        f"The centre of {whose(state, coin)} is {_strip(state)} mm in from where it left the table."
    )
    return text, {"depth_mm": round(depth_mm, 1)}


def _strip(state: State) -> str:
    strip = strip_of(state)
    return f"{strip.least_mm:.1f} to {strip.most_mm:.1f}"


def _near_exit(state: State, coin: str, aside_mm: float) -> Words:
    most_mm = strip_of(state).aside_mm
    text = f"The centre is at most {most_mm:.1f} mm to the side of where it left the table."
    return text, {"aside_mm": round(aside_mm, 1)}


def _near_endpost(state: State, coin: str, gap_mm: float) -> Words:
    text = (
        f"The centre of {whose(state, coin)} is within a tile width of the left endpost:"
        f" {state.table.tile_mm:.1f} mm."
    )
    return text, {"gap_mm": round(gap_mm, 1)}


def _before_endpost(state: State, coin: str, ahead_mm: float) -> Words:
    text = f"{whose(state, coin)} lies between the endpost and wicket 1."
    return text, {"ahead_mm": round(ahead_mm, 1)}


def _beside(state: State, coin: str, gap_mm: float | None) -> Words:
    most_mm = COIN_WIDTH_TOLERANCE * state.table.coin_mm
    text = (
        f"The gap to {whose(state, coin)} is at most one coin width, with 10 % tolerance:"
        f" {most_mm:.1f} mm."
    )
    return text, {"gap_mm": None if gap_mm is None else round(gap_mm, 2)}


#: For each condition's code, the function that makes its text and facts from its details.
PLACING: Final[Mapping[str, Callable[..., Words]]] = {
    "may_be_lifted": _may_be_lifted,
    "unmoved": _unmoved,
    "in_from_both_edges": _in_from_both_edges,
    "in_from_edge": _in_from_edge,
    "near_exit": _near_exit,
    "near_endpost": _near_endpost,
    "before_endpost": _before_endpost,
    "beside": _beside,
}
#: The conditions whose limits become wider by the uncertainty of a measured place.
MEASURED: Final = frozenset({"in_from_edge", "near_exit", "in_from_both_edges"})
