"""Flicks and turns of Carroms: who may flick, and whose turn is next."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.domain.incident import AtRest, Flicked
from referee.domain.pieces import STRIKER
from referee.games.carroms.placing import contradictions, settles
from referee.games.carroms.pocketing import settled
from referee.games.carroms.rack import rack_faults
from referee.games.carroms.state import (
    COINS,
    RULE,
    SETUP,
    Flick,
    Judged,
    State,
    all_down,
    call_for,
    in_words,
    owner_name,
    piece,
    seat_of,
    sentence,
)
from referee.games.flicking import Wrong, not_done_before, turn_over, wrong_flick
from referee.games.ground import not_restored, still_displaced


def flicked(state: State, entry: Flicked, reasons: Reasons, *, upheld: bool) -> Judged:
    """Begin a flick if it is allowed. A wrong flick is an irregularity and a question, and does not
    begin. If a ruling lets a wrong flick stand (`upheld`), it begins, but earns nothing.
    """
    wrong = why_wrong(state, entry, reasons)
    verdicts = wrong_flick(entry, wrong, entry.player or seat_of(state).name, asked=not upheld)
    if wrong is not None and not upheld:
        return state, verdicts
    state, more = begun(state, entry, reasons, counts=wrong is None)
    return state, (*verdicts, *more)


def begun(
    state: State, entry: Flicked, reasons: Reasons, *, counts: bool, void: bool = False
) -> Judged:
    """Begin a flick. `counts` says that the player had a right to it. A `void` flick never uses up
    a turn.
    """
    left = _left_undone(state, str(entry.id), reasons)
    state = _begun(state, entry, counts=counts, void=void)
    return state, (*left, _began(state))


def why_wrong(state: State, entry: Flicked, reasons: Reasons) -> Wrong | None:
    """Return what is wrong with a flick; None if it is allowed."""
    seat = seat_of(state)
    still = reasons.holds("still", state.flick is None)
    own_turn = reasons.holds("own_turn", entry.player in (None, seat.name))
    striker = reasons.holds("flicks_striker", entry.coin == STRIKER)
    if not still:
        return Wrong("still_moving", RULE, "A coin is flicked before everything is still.")
    if not own_turn:
        return Wrong("out_of_turn", RULE, f"{entry.player} flicks, but it is {seat.name}'s turn.")
    if not striker:
        return Wrong(
            "wrong_coin",
            RULE,
            f"{sentence(in_words(entry.coin))} is flicked, but only the striker may be.",
        )
    return None


def _left_undone(state: State, on: str, reasons: Reasons) -> list[Verdict]:
    found: list[Verdict] = []
    for coin, now in zip(COINS, state.pieces, strict=True):
        if (now.lifted or (now.owed and now.missing)) and reasons.fails("put_back", True, coin):
            where = "placed" if coin == STRIKER and not now.lifted else "put back where it belongs"
            text = f"{sentence(in_words(coin))} was not {where} before this flick."
            found.append(
                not_done_before(
                    on, "not_put_back", RULE, text, coin=coin, player=owner_name(state, coin)
                )
            )
    unplaced = not state.broken and piece(state, STRIKER).at_mm is None and state.known
    if reasons.fails("placed_to_break", unplaced):
        found.append(
            not_done_before(
                on,
                "not_placed",
                RULE,
                "The striker was not placed near a wall before the break.",
                coin=STRIKER,
            )
        )
    found += _badly_racked(state, on, reasons)
    if reasons.fails("tiles_put_back", bool(state.displaced)):
        found += not_restored(on, state.displaced, RULE)
    return found


def _badly_racked(state: State, on: str, reasons: Reasons) -> list[Verdict]:
    if state.broken:
        return []
    lying = {
        coin: now.at_mm
        for coin, now in zip(COINS, state.pieces, strict=True)
        if now.at_mm is not None and not now.lifted
    }
    faults = rack_faults(lying, state.board.centre_mm, state.table.coin_mm)
    if not reasons.fails("well_racked", bool(faults), tuple(faults)):
        return []
    text = f"The coins are not racked as they should be for the break: {'; '.join(faults)}."
    return [not_done_before(on, "wrong_rack", SETUP, text)]


def _begun(state: State, entry: Flicked, *, counts: bool, void: bool) -> State:
    by = next(
        (i for i, seat in enumerate(state.table.seats) if seat.name == entry.player), state.active
    )
    pieces = tuple(
        [
            replace(now, owed="", back=False)
            if now.owed and settles(now, flicked=coin == entry.coin)
            else now
            for coin, now in zip(COINS, state.pieces, strict=True)
        ]
    )
    state = replace(state, pieces=pieces, broken=True, displaced=still_displaced(state.displaced))
    lain = tuple([None if now.lifted else now.at_mm for now in pieces])
    if state.flick is not None:
        return replace(state, flick=replace(state.flick, on=str(entry.id), coin=entry.coin))
    takes = by == state.active and not void
    flick = Flick(
        on=str(entry.id),
        coin=entry.coin,
        by=by,
        counts=counts,
        void=void,
        takes=takes,
        live=all_down(state, by),
        lain=lain,
    )
    return replace(state, flick=flick)


def _began(state: State) -> Call:
    flick = state.flick
    assert flick is not None
    what = "" if flick.coin == STRIKER else f" {in_words(flick.coin)}"
    return call_for(
        state,
        flick.on,
        "flick_began",
        flick.by,
        f"{state.table.seats[flick.by].name} flicks{what}.",
        coin=flick.coin,
    )


def rested(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """End the flick once all coins lie still, and judge it. The same player flicks again if an own
    coin fell and the striker stayed on the board.
    """
    flick = state.flick
    assert flick is not None
    verdicts: tuple[Verdict, ...] = contradictions(state, entry, reasons)
    fallen = flick.gone.union(state.pile)
    on_board = {coin: at for coin, at in entry.coins.items() if coin not in fallen}
    pieces = tuple(
        [
            now
            if at == (None if now.lifted else now.at_mm)
            else replace(now, at_mm=at, lifted=False)
            for now, at in zip(state.pieces, map(on_board.get, COINS), strict=True)
        ]
    )
    state = replace(state, pieces=pieces, known=bool(entry.coins), holds=((), ()), flick=None)
    earned = reasons.holds("own_coin_fell", flick.earned)
    stays = reasons.holds("striker_on_board", not flick.struck)
    state, more = settled(state, flick, reasons, stays=stays)
    verdicts += more
    if state.over or (earned and stays) or reasons.fails("takes_turn", not flick.takes):
        return state, verdicts
    state, more = next_turn(state, str(entry.id))
    return state, verdicts + more


def next_turn(state: State, on: str) -> Judged:
    """End the turn and begin the other player's."""
    ended = call_for(state, on, "turn_ended", state.active, turn_over(seat_of(state).name, 0))
    state = replace(state, active=1 - state.active)
    return state, (ended, turn_began(state, on))


def turn_began(state: State, on: str) -> Call:
    """Return the call with which a turn begins."""
    name = seat_of(state).name
    first = (
        ": the break"
        if not state.broken
        else (
            f", and {name} places the striker anywhere on the board"
            if piece(state, STRIKER).missing
            else ""
        )
    )
    return call_for(state, on, "turn_began", state.active, f"It is {name}'s turn{first}.")
