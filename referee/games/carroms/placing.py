"""The places where coins may be put in Carroms: the striker for the break and after a foul, and
coins that go back near the centre.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.domain.call import Call, Irregularity, Verdict
from referee.domain.clause import NO_REASONS, Reasons
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Placed
from referee.domain.pieces import STRIKER
from referee.games.carroms.board import (
    NEAR,
    farthest_nearest_mm,
    near_enough,
    nearest_free,
    on_board,
    wall_gap_mm,
)
from referee.games.carroms.pocketing import give_back
from referee.games.carroms.state import (
    BLACK,
    COINS,
    RULE,
    Judged,
    Piece,
    State,
    in_words,
    own_down,
    owner,
    owner_name,
    piece,
    sentence,
    with_piece,
)
from referee.games.flicking import UNMOVED_MM, plain_point, rounded


def placed(state: State, entry: Placed, reasons: Reasons) -> Judged:
    """Judge a coin that a hand put down or lifted off. If the rules do not allow that, return an
    irregularity; what is expected next stays the same.
    """
    if entry.at_mm is None:
        return _lifted(state, str(entry.id), entry.coin, reasons)
    at_mm, slack_mm = plain_point(entry.at_mm), 2 * (entry.sigma_mm or 0.0)
    state = with_chosen(state, entry.coin)
    return _put(state, str(entry.id), entry.coin, at_mm, slack_mm, reasons)


def _lifted(state: State, on: str, coin: str, reasons: Reasons) -> Judged:
    now, still = piece(state, coin), state.flick is None
    pocketed = reasons.holds("in_pocket", coin in state.pile)
    goes_back = reasons.holds("has_to_go_back", now.owed != "")
    racking = reasons.holds("before_break", not state.broken and still)
    mending = reasons.holds("makes_room", bool(state.displaced) and still)
    if pocketed or (goes_back and not now.back):
        return state, ()
    if goes_back or racking:
        return with_piece(state, coin, at_mm=None, back=False), ()
    state = with_piece(state, coin, lifted=True)
    if mending:
        return state, ()
    return state, (
        _wrong(
            on, coin, "moved_by_hand", state, "is lifted off the board, but it must stay there."
        ),
    )


def with_chosen(state: State, coin: str) -> State:
    """Return the state with `coin` as the penalty coin, if the rules allow that coin (CA-5)."""
    owed = penalty_coin(state)
    if (
        owed is None
        or coin not in state.pile
        or owner(state, coin) != owner(state, owed)
        or piece(state, owed).back
    ):
        return state
    state = replace(with_piece(state, owed, owed="", at_mm=None), pile=(*state.pile, owed))
    return give_back(state, coin)


def penalty_coin(state: State) -> str | None:
    """Return the coin that goes back as a penalty; None if there is no such coin, or once the next
    flick has been made.
    """
    return next((coin for coin in COINS if piece(state, coin).owed == "penalty"), None)


def _put(
    state: State, on: str, coin: str, at_mm: Point, slack_mm: float, reasons: Reasons
) -> Judged:
    now = piece(state, coin)
    if reasons.fails("has_to_go_back", coin in state.pile):
        return state, (
            _wrong(
                on,
                coin,
                "moved_by_hand",
                state,
                "is put on the board, but it belongs in its pocket.",
            ),
        )
    moved = with_piece(state, coin, at_mm=at_mm, lifted=False)
    if now.owed:
        return _put_back(moved, on, coin, at_mm, slack_mm, reasons)
    if not state.broken and state.flick is None:
        if coin != STRIKER or reasons.holds("near_wall", breaks_from(state, at_mm), at_mm):
            return moved, ()
        return moved, (_bad_break(on, state),)
    unmoved = now.at_mm is not None and distance(now.at_mm, at_mm) <= UNMOVED_MM
    lies = reasons.holds("lies_where_it_lay", unmoved)
    mending = reasons.holds("makes_room", bool(state.displaced) and state.flick is None)
    if lies or mending:
        return moved, ()
    return moved, (
        _wrong(
            on, coin, "moved_by_hand", state, "is moved by hand, but it must stay where it lies."
        ),
    )


def breaks_from(state: State, at_mm: Point) -> bool:
    """Return whether the striker may break from here: on the board, within one tile width of a wall
    (CA-2).
    """
    return (
        on_board(state.board, at_mm, 0.0)
        and wall_gap_mm(state.board, at_mm) <= state.table.tile_mm + 1e-9
    )


def _bad_break(on: str, state: State) -> Irregularity:
    facts = {"within_mm": state.table.tile_mm}
    return _wrong(
        on, STRIKER, "placed_wrong", state, "does not start within one tile width of a wall.", facts
    )


def _put_back(
    state: State, on: str, coin: str, at_mm: Point, slack_mm: float, reasons: Reasons
) -> Judged:
    """Judge the place where a coin that goes back was put. The state already holds the coin's new
    place.
    """
    before = piece(state, coin)
    wrong = _why_wrong_spot(state, coin, at_mm, slack_mm, reasons)
    state = with_piece(state, coin, back=wrong is None)
    if wrong is not None:
        return state, (_wrong(on, coin, wrong[0], state, wrong[1], spot_facts(state, coin)),)
    return state, () if before.back or coin == STRIKER else (_replaced(on, coin, state),)


def _why_wrong_spot(
    state: State, coin: str, at_mm: Point, slack_mm: float, reasons: Reasons
) -> tuple[str, str] | None:
    if coin == STRIKER:
        if reasons.holds("put_on_board", on_board(state.board, at_mm, slack_mm)):
            return None
        return "placed_wrong", "is put outside the board; it may lie anywhere on the board."
    penalty = piece(state, coin).owed == "penalty"
    in_order = not penalty or reasons.holds("black_is_back", not _black_waits(state))
    near = reasons.holds("near_centre", _goes_back_at(state, coin, at_mm, slack_mm))
    if not in_order:
        return "wrong_order", "is put back before the black coin, which must go first."
    text = "is not put back on a free spot as near the centre as possible."
    return None if near else ("placed_wrong", text)


def _black_waits(state: State) -> bool:
    """Return whether a black coin that fell too early must still be put back. It goes back before
    the penalty coin (CA-8).
    """
    return piece(state, BLACK).owed == "black" and piece(state, BLACK).missing


def _replaced(on: str, coin: str, state: State) -> Call:
    text = f"{sentence(in_words(coin))} is back on the board."
    return Call(
        on=on, call="coin_replaced", player=owner_name(state, coin), coin=coin, rule=RULE, text=text
    )


def others_mm(state: State, coin: str) -> list[Point]:
    """Return the known places of the other coins on the board."""
    return [
        now.at_mm
        for name, now in zip(COINS, state.pieces, strict=True)
        if name != coin and now.at_mm is not None and not now.lifted
    ]


def _goes_back_at(state: State, coin: str, at_mm: Point, slack_mm: float) -> bool:
    """Return whether a coin may go back at `at_mm` (CA-14). If the places of the other coins are
    not known, a place is wrong only if it would be too far away for all places of the other coins.
    """
    centre, size = state.board.centre_mm, state.table.coin_mm
    if state.known:
        return near_enough(at_mm, centre, others_mm(state, coin), size, slack_mm)
    others = sum(
        name != coin and name not in state.pile and not now.missing
        for name, now in zip(COINS, state.pieces, strict=True)
    )
    return distance(at_mm, centre) <= farthest_nearest_mm(others, size) + NEAR * size + slack_mm


def spot_facts(state: State, coin: str) -> dict[str, Any]:
    """Return where a coin goes back. `back_mm` is the free spot nearest the centre; it is left out
    if the places of the coins are not known. `within_mm` is the tolerance. The striker has neither,
    because it may lie anywhere on the board.
    """
    if coin == STRIKER:
        return {"where": "anywhere on the board"}
    facts: dict[str, Any] = {"within_mm": round(NEAR * state.table.coin_mm, 2)}
    if state.known:
        facts["back_mm"] = rounded(
            nearest_free(state.board.centre_mm, others_mm(state, coin), state.table.coin_mm)
        )
    return facts


def to_place(state: State) -> list[dict[str, Any]]:
    """Return the coins that must be put on the board before the next flick, each with its place.
    Each place is computed as if the coins earlier in the list already lay in theirs.
    """
    todo: list[dict[str, Any]] = []
    for coin in COINS:
        now = piece(state, coin)
        if now.missing:
            facts = spot_facts(state, coin)
            todo.append(
                {"do": "place", "coin": coin, "why": now.owed, **facts, **_choice(state, coin)}
            )
            if "back_mm" in facts:
                x_mm, y_mm = facts["back_mm"]
                state = with_piece(state, coin, at_mm=(x_mm, y_mm))
    if not state.broken and piece(state, STRIKER).at_mm is None:
        todo.append(
            {"do": "place", "coin": STRIKER, "why": "break", "within_mm": state.table.tile_mm}
        )
    return todo


def _choice(state: State, coin: str) -> dict[str, Any]:
    index = owner(state, coin)
    if piece(state, coin).owed != "penalty" or index is None:
        return {}
    return {"coins": sorted([coin, *own_down(state, index)])}


def lying(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """Note where coins lie between flicks. A coin that must go back counts as put back if it lies
    in the right place.
    """
    verdicts: tuple[Verdict, ...] = ()
    for coin in COINS:
        at = entry.coins.get(coin)
        if at is not None:
            chosen = state if penalty_coin(state) in entry.coins else with_chosen(state, coin)
            on, slack_mm = str(entry.id), 2 * (entry.sigma_mm or 0.0)
            state, more = _seen_lying(chosen, on, coin, plain_point(at), slack_mm, reasons)
            verdicts += more
    return (replace(state, known=True) if entry.coins else state), verdicts


def _seen_lying(
    state: State, on: str, coin: str, at_mm: Point, slack_mm: float, reasons: Reasons
) -> Judged:
    now = piece(state, coin)
    if coin in state.pile and reasons.fails("rest_agrees", True, coin):
        return state, (_contradicts(on, coin, state, "is in a pocket, but lies on the board."),)
    state = with_piece(state, coin, at_mm=at_mm, lifted=False)
    if now.missing:
        if _why_wrong_spot(state, coin, at_mm, slack_mm, NO_REASONS) is not None:
            return state, ()
        return with_piece(state, coin, back=True), (
            () if coin == STRIKER else (_replaced(on, coin, state),)
        )
    breaks = coin == STRIKER and not state.broken and now.at_mm is None
    if breaks and not reasons.holds("near_wall", breaks_from(state, at_mm), at_mm):
        return state, (_bad_break(on, state),)
    return state, ()


def contradictions(state: State, entry: AtRest, reasons: Reasons) -> tuple[Irregularity, ...]:
    """Return an irregularity for every coin whose place at rest contradicts what was seen of it in
    the flick: a coin that fell lies on the board, or a coin that did not fall is gone.
    """
    flick, on, found = state.flick, str(entry.id), []
    assert flick is not None
    fallen = flick.gone.union(state.pile)
    for coin, lain in zip(COINS, flick.lain, strict=True):
        text = ""
        if coin in fallen and coin in entry.coins:
            text = "was seen leaving the board, but lies on it."
        elif entry.coins and coin not in fallen and coin not in entry.coins and lain is not None:
            text = "is gone, but nobody saw it leave the board."
        if text and reasons.fails("rest_agrees", True, coin):
            found.append(_contradicts(on, coin, state, text))
    return tuple(found)


def _contradicts(on: str, coin: str, state: State, text: str) -> Irregularity:
    return _wrong(on, coin, "rest_contradicts", state, text)


def _wrong(
    on: str, coin: str, what: str, state: State, text: str, facts: dict[str, Any] | None = None
) -> Irregularity:
    player = owner_name(state, coin)
    return Irregularity(
        on=on,
        what=what,
        rule=RULE,
        text=f"{sentence(in_words(coin))} {text}",
        coin=coin,
        player=player,
        facts=facts,
        placement=True,
    )


def settles(now: Piece, *, flicked: bool) -> bool:
    """Return whether the next flick ends a coin's duty to go back: the coin was put in its right
    place, or it is the flicked coin.
    """
    return now.back or flicked
