"""Coins that a hand puts down or lifts off in Tabletop Croquet: to start, after a fall, and beside
a coin that was hit.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import Reasons
from referee.domain.geometry import (
    Point,
    add,
    distance,
    dot,
    nearest_on_segment,
    scale,
    sides,
    square_corners,
    subtract,
    unit,
)
from referee.domain.incident import AtRest, Placed
from referee.games.flicking import COIN_WIDTH_TOLERANCE, UNMOVED_MM, plain_point, rounded
from referee.games.tabletop_croquet.falls import goes_back_at, put_back
from referee.games.tabletop_croquet.state import (
    TURNS,
    Coin,
    Judged,
    State,
    in_play,
    misplaced,
    with_coin,
)


def placed(state: State, entry: Placed, reasons: Reasons) -> Judged:
    """Judge a coin that a hand put down or lifted off. If the rules do not allow that, return an
    irregularity; what is expected next stays the same.
    """
    index = state.table.by_coin.get(entry.coin)
    if reasons.fails("somebodys", index is None, entry.coin):
        return state, ()
    assert index is not None
    if entry.at_mm is None:
        return _lifted(state, str(entry.id), index, reasons)
    return _put(state, entry, index, plain_point(entry.at_mm), reasons)


def _lifted(state: State, on: str, index: int, reasons: Reasons) -> Judged:
    coin = state.coins[index]
    allowed = reasons.holds("may_be_lifted", may_be_lifted(coin), coin.state)
    state = with_coin(state, index, at_mm=None, lift=False)
    if allowed:
        return state, ()
    text = "is lifted off the table, but it must stay there."
    return state, (misplaced(state, on, index, "moved_by_hand", TURNS, text),)


def may_be_lifted(coin: Coin) -> bool:
    """Return whether a hand may take the coin off the table: it has left the table anyway, has not
    entered, or is out of the game.
    """
    return not in_play(coin) or coin.owed or coin.state == "not_entered"


def goes_beside(state: State, index: int) -> bool:
    """Return whether a coin may now be moved beside a hit coin. Only the player's own coin may,
    once, for option 2 or 4 (TC-12).
    """
    offer = state.offer
    return (
        index == state.active
        and offer is not None
        and offer.option in (2, 4)
        and not offer.moved
        and state.flick is None
    )


def _put(state: State, entry: Placed, index: int, at_mm: Point, reasons: Reasons) -> Judged:
    on, coin = str(entry.id), state.coins[index]
    state = with_coin(state, index, at_mm=at_mm)
    if coin.exit_mm is not None:
        return put_back(state, on, index, at_mm, entry.sigma_mm or 0.0, reasons)
    if coin.fresh:
        return _entered(state, on, index, at_mm, reasons)
    if goes_beside(state, index):
        return _moved_beside(state, on, index, at_mm, reasons)
    unmoved = coin.at_mm is not None and distance(coin.at_mm, at_mm) <= UNMOVED_MM
    if reasons.holds("unmoved", unmoved, coin.at_mm, at_mm):
        return state, ()
    text = "is moved by hand, but coins are flicked from where they lie."
    return state, (misplaced(state, on, index, "moved_by_hand", "Fouls", text),)


def _entered(state: State, on: str, index: int, at_mm: Point, reasons: Reasons) -> Judged:
    now = state.coins[index].state
    if starts_at(state, index, at_mm, reasons):
        return with_coin(state, index, state="playing" if now == "not_entered" else now), ()
    text = (
        "is put in the wrong place: it starts within one tile width of the left endpost, between it"
        " and wicket 1."
    )
    facts = start_facts(state)
    return state, (misplaced(state, on, index, "placed_wrong", TURNS, text, facts),)


def _moved_beside(state: State, on: str, index: int, at_mm: Point, reasons: Reasons) -> Judged:
    offer = state.offer
    assert offer is not None and offer.coin is not None
    if within_coin_width(state, at_mm, offer.coin, reasons):
        return replace(state, offer=replace(offer, moved=True)), ()
    text = "is put more than one coin width from the coin that was hit."
    facts = beside_facts(state, offer.coin)
    return state, (misplaced(state, on, index, "placed_wrong", TURNS, text, facts),)


def lying(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """Note where coins lie between flicks. A coin seen for the first time counts as placed there. A
    coin that left the table counts as put back if it lies in the right place.
    """
    verdicts: tuple[Verdict, ...] = ()
    for name, at in entry.coins.items():
        index = state.table.by_coin.get(name)
        if index is None:
            continue
        coin, at_mm = state.coins[index], plain_point(at)
        known = coin.at_mm
        state = with_coin(state, index, at_mm=at_mm)
        if coin.owed and goes_back_at(state, index, at_mm, entry.sigma_mm or 0.0, reasons):
            state = with_coin(state, index, back=True)
        elif coin.state == "not_entered" and known is None:
            state, more = _entered(state, str(entry.id), index, at_mm, reasons)
            verdicts += more
    return state, verdicts


def _post_and_way(state: State) -> tuple[Point, float, Point] | None:
    course = state.ground.course
    post, wicket = course.tiles.get("left-endpost"), course.lines.get("wicket-1")
    if post is None or wicket is None:
        return None
    middle = scale(add(wicket.left_mm, wicket.right_mm), 0.5)
    return (
        None
        if middle == post.centre_mm
        else (post.centre_mm, post.rotation_deg, unit(subtract(middle, post.centre_mm)))
    )


def start_gaps(state: State, at_mm: Point) -> tuple[float, float] | None:
    """Return how far `at_mm` is from the edge of the left endpost, and how far in front of that
    edge towards wicket 1, in mm; None for a course without a left endpost or wicket 1.
    """
    known = _post_and_way(state)
    if known is None:
        return None
    centre, rotation_deg, way = known
    corners = square_corners(centre, state.table.tile_mm, rotation_deg)
    gap_mm = min(distance(nearest_on_segment(a, b, at_mm), at_mm) for a, b in sides(corners))
    return gap_mm, dot(subtract(at_mm, centre), way) - state.table.tile_mm / 2


def starts_at(state: State, index: int, at_mm: Point, reasons: Reasons) -> bool:
    """Return whether a coin may start at `at_mm`: within a tile width of the left endpost's edge,
    and in front of it towards wicket 1 (TC-25).
    """
    gaps = start_gaps(state, at_mm)
    if gaps is None:
        return True
    coin, (gap_mm, ahead_mm) = state.table.seats[index].coin, gaps
    near = reasons.holds("near_endpost", gap_mm <= state.table.tile_mm + 1e-9, coin, gap_mm)
    return reasons.holds("before_endpost", ahead_mm >= 0, coin, ahead_mm) and near


def start_facts(state: State) -> dict[str, Any]:
    """Return the start region: `start_mm`, a spot in its middle, and `within_mm`, how far from the
    endpost's edge the centre may be.
    """
    known = _post_and_way(state)
    tile_mm = state.table.tile_mm
    return (
        {"within_mm": tile_mm}
        if known is None
        else {"start_mm": rounded(add(known[0], scale(known[2], tile_mm))), "within_mm": tile_mm}
    )


def within_coin_width(state: State, at_mm: Point, other: str, reasons: Reasons) -> bool:
    """Return whether a coin at `at_mm` is within one coin width of another coin, from rim to rim
    (TC-11). Return True also if the other coin's place is not known.
    """
    beside_mm, size_mm = state.coins[state.table.by_coin[other]].at_mm, state.table.coin_mm
    gap_mm = None if beside_mm is None else distance(at_mm, beside_mm) - size_mm
    near = gap_mm is None or gap_mm <= COIN_WIDTH_TOLERANCE * size_mm + 1e-9
    return reasons.holds("beside", near, other, gap_mm)


def beside_facts(state: State, coin: str) -> dict[str, Any]:
    """Return the region beside a hit coin: `beside_mm` is that coin's centre, if known, and
    `within_mm` how far from it the centre of the player's own coin may be.
    """
    centre = state.coins[state.table.by_coin[coin]].at_mm
    return {
        "coin": coin,
        "beside_mm": None if centre is None else rounded(centre),
        "within_mm": round(2 * state.table.coin_mm, 2),
    }
