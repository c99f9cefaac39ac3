"""The places where coins may be put in Castle Croquetnole: at the start, on a tower, back after a
fall or an illegal entry, and for a croquet.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from referee.domain.geometry import (
    Point,
    contains,
    distance,
    nearest_on_segment,
    sides,
    square_corners,
)
from referee.domain.layout import Tile
from referee.games.castle_croquetnole.state import Owed, State, coin_of, seat_of
from referee.games.flicking import COIN_WIDTH_TOLERANCE, rounded
from referee.games.return_strip import Strip, back_facts, from_edge, goes_back_at

#: The largest gap between two rims that counts as "in contact", in coin widths.
CONTACT_TOLERANCE: Final = 0.1
#: How many diameters in from the edge the centre of a coin goes back: the least, the most, and the
#: value shown. The option `inset` adds one diameter.
EDGE_LEAST: Final = 0.0
EDGE_MOST: Final = 0.5
EDGE_SHOWN: Final = 0.25
#: How many diameters a coin may lie to either side of the exit point, or away from where it lay.
ASIDE: Final = 0.5


def fits(state: State, owed: Owed, at_mm: Point, sigma_mm: float) -> bool:
    """Return whether a coin that must be put somewhere may lie at `at_mm`. The allowed region is
    widened by two sigma of the coin's place.
    """
    slack = 2 * sigma_mm + 1e-9
    if owed.what == "exit":
        return owed.at_mm is None or goes_back_at(
            state.ground, owed.at_mm, at_mm, _strip(state), slack
        )
    if owed.what == "return":
        return (
            owed.at_mm is None or distance(owed.at_mm, at_mm) <= ASIDE * state.table.coin_mm + slack
        )
    return (
        _on_tower(state, owed.suit, at_mm, slack)
        if owed.what == "tower"
        else in_start_region(state, owed.suit, at_mm, slack)
    )


def _tower(state: State, suit: str) -> Tile | None:
    return state.ground.course.tiles.get(f"tower-{suit}")


def _corners(state: State, tile: Tile) -> list[Point]:
    return square_corners(tile.centre_mm, state.table.tile_mm, tile.rotation_deg)


def _gap(corners: list[Point], at_mm: Point) -> float:
    return min(distance(nearest_on_segment(a, b, at_mm), at_mm) for a, b in sides(corners))


def _on_tower(state: State, suit: str, at_mm: Point, slack: float) -> bool:
    tile = _tower(state, suit)
    if tile is None:
        return True
    corners = _corners(state, tile)
    return contains(corners, at_mm) or _gap(corners, at_mm) <= slack


def in_start_region(state: State, suit: str, at_mm: Point, slack: float = 1e-9) -> bool:
    """Return whether a coin may start at `at_mm`: beside its tower, with its rim at most one coin
    width away from it (CC-20).
    """
    tile = _tower(state, suit)
    if tile is None:
        return True
    corners = _corners(state, tile)
    return (
        not contains(corners, at_mm)
        and _gap(corners, at_mm) <= (0.5 + COIN_WIDTH_TOLERANCE) * state.table.coin_mm + slack
    )


def _strip(state: State) -> Strip:
    return _strip_of(state.table.coin_mm, state.table.inset)


@cache
def _strip_of(coin_mm: float, is_inset: bool) -> Strip:
    inset = 1.0 if is_inset else 0.0
    return Strip(
        (EDGE_LEAST + inset) * coin_mm,
        (EDGE_MOST + inset) * coin_mm,
        (EDGE_SHOWN + inset) * coin_mm,
        ASIDE * coin_mm,
    )


def beside_guard(state: State, at_mm: Point, option: int, sigma_mm: float) -> bool:
    """Return whether the knight may be put at `at_mm` for a croquet: within a coin width of its
    guard (option 2), or in contact with it (options 3 and 4).
    """
    guard_mm = coin_of(state, seat_of(state).guard).at_mm
    if guard_mm is None:
        return True
    size = state.table.coin_mm
    most = COIN_WIDTH_TOLERANCE if option == 2 else CONTACT_TOLERANCE
    return distance(at_mm, guard_mm) - size <= most * size + 2 * sigma_mm + 1e-9


def facts_of(state: State, coin: str) -> dict[str, Any]:
    """Return where a coin must be put: `exit_mm` and `back_mm` after a fall, `back_mm` after an
    illegal entry, else the tower and its place.
    """
    owed = coin_of(state, coin).owed
    if owed is None:
        return {}
    if owed.what == "exit" and owed.at_mm is not None:
        return back_facts(state.ground, owed.at_mm, _strip(state))
    if owed.what == "return":
        return {} if owed.at_mm is None else {"back_mm": rounded(owed.at_mm)}
    return (
        start_facts(state, owed.suit)
        if owed.what == "start"
        else {"on": f"tower-{owed.suit}", **_tower_facts(state, owed.suit)}
    )


def _tower_facts(state: State, suit: str) -> dict[str, Any]:
    tile = _tower(state, suit)
    return {} if tile is None else {"tower_mm": rounded(tile.centre_mm)}


def start_facts(state: State, suit: str) -> dict[str, Any]:
    """Return the start region: the tower it lies `beside`, and `within_mm`, how far from the
    tower's edge the coin's centre may be.
    """
    within_mm = round(1.5 * state.table.coin_mm, 2)
    return {"beside": f"tower-{suit}", "within_mm": within_mm, **_tower_facts(state, suit)}


def croquet_facts(state: State, option: int) -> dict[str, Any]:
    """Return the region beside the knight's own guard: `beside_mm` is the guard's centre, if known,
    and `within_mm` how far from it the knight's centre may be.
    """
    guard = seat_of(state).guard
    centre = coin_of(state, guard).at_mm
    widths = 2.0 if option == 2 else 1.0
    return {
        "coin": guard,
        "beside_mm": None if centre is None else rounded(centre),
        "within_mm": round(widths * state.table.coin_mm, 2),
    }


def fit_facts(state: State, owed: Owed, at_mm: Point) -> dict[str, Any]:
    """Return how far a coin at `at_mm` is from where it must be put, and how far it may be."""
    if owed.what == "start":
        return start_gap_facts(state, owed.suit, at_mm)
    if owed.what == "tower":
        return {"tower": f"tower-{owed.suit}", **_tower_facts(state, owed.suit)}
    if owed.at_mm is None:
        return {}
    if owed.what == "return":
        return {
            "from_where_it_lay_mm": round(distance(owed.at_mm, at_mm), 2),
            "at_most_mm": round(ASIDE * state.table.coin_mm, 2),
        }
    strip, (depth_mm, aside_mm) = _strip(state), from_edge(state.ground, owed.at_mm, at_mm)
    return {
        "from_the_edge_mm": round(depth_mm, 2),
        "at_least_mm": round(strip.least_mm, 2),
        "at_most_mm": round(strip.most_mm, 2),
        "aside_mm": round(aside_mm, 2),
        "aside_at_most_mm": round(strip.aside_mm, 2),
    }


def start_gap_facts(state: State, suit: str, at_mm: Point) -> dict[str, Any]:
    """Return the gap between the rim of a coin at `at_mm` and the edge of its tower, and the widest
    gap allowed (CC-20).
    """
    tile, size = _tower(state, suit), state.table.coin_mm
    if tile is None:
        return {}
    return {
        "gap_mm": round(_gap(_corners(state, tile), at_mm) - size / 2, 2),
        "at_most_mm": round(COIN_WIDTH_TOLERANCE * size, 2),
    }


def croquet_gap_facts(state: State, at_mm: Point, option: int) -> dict[str, Any]:
    """Return the gap between the rims of the knight at `at_mm` and its guard, and the widest gap
    allowed (CC-14).
    """
    guard_mm, size = coin_of(state, seat_of(state).guard).at_mm, state.table.coin_mm
    most = COIN_WIDTH_TOLERANCE if option == 2 else CONTACT_TOLERANCE
    if guard_mm is None:
        return {}
    return {
        "gap_mm": round(distance(at_mm, guard_mm) - size, 2),
        "at_most_mm": round(most * size, 2),
    }
