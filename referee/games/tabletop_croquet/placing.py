"""Where coins may be put in Tabletop Croquet: to start, after a fall, and beside a coin that was
hit.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
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
from referee.games.flicking import (
    UNMOVED_MM,
    Strip,
    back_facts,
    gone_through,
    plain_point,
    rest_contradicts,
    rounded,
)
from referee.games.flicking import goes_back_at as goes_back
from referee.games.tabletop_croquet.state import Coin, Judged, State, in_play, with_coin

#: "Within a coin width" is a gap between rims with a tenth of tolerance.
COIN_WIDTH_TOLERANCE = 1.1
#: A coin goes back with its centre so many diameters in from the edge: least, most, and as it is
#: shown (TC-14).
INSET_LEAST, INSET_MOST, INSET_SHOWN = 1.0, 1.5, 1.25
#: And so many diameters to either side of where it left.
INSET_ASIDE = 0.5


def placed(state: State, entry: Placed) -> Judged:
    """A hand put a coin down or lifted it off; where that was not allowed it is an irregularity,
    and what is expected stays.
    """
    index = state.table.by_coin.get(entry.coin)
    if index is None:
        return state, ()
    if entry.at_mm is None:
        return _lifted(state, str(entry.id), index)
    at_mm = plain_point(entry.at_mm)
    return _put(state, str(entry.id), index, at_mm, entry.sigma_mm or 0.0)


def _lifted(state: State, on: str, index: int) -> Judged:
    allowed = may_be_lifted(state.coins[index])
    state = with_coin(state, index, at_mm=None, lift=False)
    if allowed:
        return state, ()
    return state, (
        _wrong(
            state,
            on,
            index,
            "moved_by_hand",
            "Player turns",
            "is lifted off the table, where it has to lie.",
        ),
    )


def may_be_lifted(coin: Coin) -> bool:
    """Whether a coin may be taken off the table: it is off it already, has not entered, or is out
    of the game.
    """
    return not in_play(coin) or coin.owed or coin.state == "not_entered"


def goes_beside(state: State, index: int) -> bool:
    """Whether a coin is the one that may be moved beside a hit coin now: the own one, once, for
    action 2 or 4 (TC-12).
    """
    offer = state.offer
    return (
        index == state.active
        and offer is not None
        and offer.option in (2, 4)
        and not offer.moved
        and state.flick is None
    )


def _put(state: State, on: str, index: int, at_mm: Point, sigma_mm: float) -> Judged:
    coin = state.coins[index]
    before = coin.at_mm
    state = with_coin(state, index, at_mm=at_mm)
    if coin.exit_mm is not None:
        return _put_back(state, on, index, at_mm, sigma_mm)
    if coin.fresh:
        return _entered(state, on, index, at_mm)
    if goes_beside(state, index):
        return _moved_beside(state, on, index, at_mm)
    if before is not None and distance(before, at_mm) <= UNMOVED_MM:
        return state, ()
    return state, (
        _wrong(
            state,
            on,
            index,
            "moved_by_hand",
            "Fouls",
            "is moved by hand; coins are flicked from where they lie.",
        ),
    )


def _put_back(state: State, on: str, index: int, at_mm: Point, sigma_mm: float) -> Judged:
    if goes_back_at(state, index, at_mm, sigma_mm):
        return with_coin(state, index, back=True), ()
    text = "is put back in the wrong place: it goes one coin width in from where it left the table."
    return state, (
        _wrong(state, on, index, "placed_wrong", "Fouls", text, put_back_facts(state, index)),
    )


def _entered(state: State, on: str, index: int, at_mm: Point) -> Judged:
    if in_start_region(state, at_mm):
        return (
            with_coin(
                state,
                index,
                state=(
                    "playing"
                    if state.coins[index].state == "not_entered"
                    else state.coins[index].state
                ),
            ),
            (),
        )
    text = (
        "is put in the wrong place: it starts within one tile width of the left endpost, between it"
        " and wicket 1."
    )
    return state, (
        _wrong(state, on, index, "placed_wrong", "Player turns", text, start_facts(state)),
    )


def _moved_beside(state: State, on: str, index: int, at_mm: Point) -> Judged:
    offer = state.offer
    assert offer is not None and offer.coin is not None
    beside = state.coins[state.table.by_coin[offer.coin]].at_mm
    if beside is None or within_coin_width(state, at_mm, beside):
        return replace(state, offer=replace(offer, moved=True)), ()
    facts = beside_facts(state, offer.coin)
    return state, (
        _wrong(
            state,
            on,
            index,
            "placed_wrong",
            "Player turns",
            "is put more than one coin width from the coin that was hit.",
            facts,
        ),
    )


def _wrong(
    state: State,
    on: str,
    index: int,
    what: str,
    rule: str,
    text: str,
    facts: dict[str, Any] | None = None,
) -> Irregularity:
    seat = state.table.seats[index]
    return Irregularity(
        on=on,
        what=what,
        rule=rule,
        text=f"{seat.name}'s coin {text}",
        coin=seat.coin,
        player=seat.name,
        facts=facts,
        placement=True,
    )


def lying(state: State, entry: AtRest) -> Judged:
    """Where coins lie, seen between flicks: a coin first seen so counts as placed there, one that
    fell as put back.
    """
    verdicts: tuple[Verdict, ...] = ()
    for name, at in entry.coins.items():
        index = state.table.by_coin.get(name)
        if index is None:
            continue
        coin, at_mm = state.coins[index], plain_point(at)
        known = coin.at_mm
        state = with_coin(state, index, at_mm=at_mm)
        if coin.owed and goes_back_at(state, index, at_mm, entry.sigma_mm or 0.0):
            state = with_coin(state, index, back=True)
        elif coin.state == "not_entered" and known is None:
            state, more = _entered(state, str(entry.id), index, at_mm)
            verdicts += more
    return state, verdicts


def goes_back_at(state: State, index: int, at_mm: Point, sigma_mm: float) -> bool:
    """Whether a coin that left the table may go back at `at_mm` (TC-14); `sigma_mm` widens the
    region by two sigma.
    """
    exit_mm = state.coins[index].exit_mm
    assert exit_mm is not None
    return goes_back(state.ground, exit_mm, at_mm, _strip(state), 2 * sigma_mm + 1e-9)


def _strip(state: State) -> Strip:
    size = state.table.coin_mm
    return Strip(INSET_LEAST * size, INSET_MOST * size, INSET_SHOWN * size, INSET_ASIDE * size)


def put_back_facts(state: State, index: int) -> dict[str, Any]:
    """Where a coin that left the table goes back: `exit_mm`, how far in (`inset_mm`), and
    `back_mm`, the spot shown, where the edge is known.
    """
    exit_mm = state.coins[index].exit_mm
    assert exit_mm is not None
    return back_facts(state.ground, exit_mm, _strip(state))


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
    """How far `at_mm` is from the left endpost's edge, and how far in front of it towards wicket 1,
    in mm; None for a course without these.
    """
    known = _post_and_way(state)
    if known is None:
        return None
    centre, rotation_deg, way = known
    corners = square_corners(centre, state.table.tile_mm, rotation_deg)
    gap_mm = min(distance(nearest_on_segment(a, b, at_mm), at_mm) for a, b in sides(corners))
    return gap_mm, dot(subtract(at_mm, centre), way) - state.table.tile_mm / 2


def in_start_region(state: State, at_mm: Point) -> bool:
    """Whether a coin may start at `at_mm`: within a tile width of the left endpost's edge, in front
    of it towards wicket 1 (TC-25).
    """
    gaps = start_gaps(state, at_mm)
    return gaps is None or (gaps[0] <= state.table.tile_mm + 1e-9 and gaps[1] >= 0)


def start_facts(state: State) -> dict[str, Any]:
    """The start region: `start_mm`, a spot in its middle, and `within_mm`, how far from the
    endpost's edge a centre may be.
    """
    known = _post_and_way(state)
    tile_mm = state.table.tile_mm
    return (
        {"within_mm": tile_mm}
        if known is None
        else {"start_mm": rounded(add(known[0], scale(known[2], tile_mm))), "within_mm": tile_mm}
    )


def within_coin_width(state: State, a: Point, b: Point) -> bool:
    """Whether the gap between two coins' rims is at most one coin width (TC-11)."""
    return distance(a, b) - state.table.coin_mm <= COIN_WIDTH_TOLERANCE * state.table.coin_mm + 1e-9


def beside_facts(state: State, coin: str) -> dict[str, Any]:
    """The region beside a hit coin: `beside_mm`, its centre where known, and `within_mm`, how far
    from it the own coin's centre may be.
    """
    centre = state.coins[state.table.by_coin[coin]].at_mm
    return {
        "coin": coin,
        "beside_mm": None if centre is None else rounded(centre),
        "within_mm": round(2 * state.table.coin_mm, 2),
    }


def contradictions(state: State, entry: AtRest) -> tuple[Irregularity, ...]:
    """What a flick's rest says against what was seen in it."""
    flick, found = state.flick, []
    assert flick is not None
    through = gone_through(flick.crossed)
    for index, seat in enumerate(state.table.seats):
        coin, fell, crossed = state.coins[index], seat.coin in flick.fell, seat.coin in through
        if seat.coin in entry.coins and not fell and not crossed:
            continue
        text = rest_contradicts(
            entry,
            seat.coin,
            flick.lain[index],
            fell=fell and coin.owed,
            stays=not fell and in_play(coin),
            crossed=crossed,
        )
        if text:
            found.append(
                _wrong(
                    state,
                    str(entry.id),
                    index,
                    "rest_contradicts",
                    "Player turns" if crossed and not fell else "Fouls",
                    text,
                )
            )
    return tuple(found)
