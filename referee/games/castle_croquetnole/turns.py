"""Flicks and turns of Castle Croquetnole: who may flick which coin, when the guard follows the
knight, and whose turn is next.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.domain.incident import AtRest, Flicked
from referee.games.castle_croquetnole.placing import contradictions
from referee.games.castle_croquetnole.state import (
    ERRORS,
    GUARD,
    KNIGHT,
    PRISONERS,
    SETUP,
    START,
    Coin,
    Flick,
    Judged,
    Offer,
    Owed,
    State,
    coin_of,
    in_turn,
    is_knight,
    may_move,
    owner_of,
    place_of,
    seat_of,
    with_coin,
    with_side,
)
from referee.games.castle_croquetnole.wording import call_for, whose
from referee.games.flicking import (
    Wrong,
    flicks_in_words,
    next_in_order,
    not_done_before,
    turn_over,
    wrong_flick,
)
from referee.games.ground import not_restored, still_displaced


def flicked(state: State, entry: Flicked, reasons: Reasons, *, upheld: bool) -> Judged:
    """Begin a flick if it is allowed. A wrong flick is an irregularity and a question, and does not
    begin. If a ruling lets a wrong flick stand (`upheld`), the flick begins, but contacts in it are
    no strikes.
    """
    wrong = why_wrong(state, entry, reasons)
    verdicts = wrong_flick(entry, wrong, flicker(state, entry), asked=not upheld)
    if wrong is not None and not upheld:
        return state, verdicts
    state, more = begun(state, entry, reasons, hits=wrong is None)
    return state, (*verdicts, *more)


def begun(
    state: State, entry: Flicked, reasons: Reasons, *, hits: bool, void: bool = False
) -> Judged:
    """Begin a flick. `hits`: contacts in it can be strikes. A `void` flick uses up no flick, and
    its coin counts as moved by another coin ("knocked").
    """
    left = _left_undone(state, entry, reasons)
    given_up = state.flicks if not void and _turns_to_guard(state, entry) else 0
    state = _begun(state, entry, hits=hits, void=void)
    return state, (*left, _began(state, entry, given_up))


def flicker(state: State, entry: Flicked) -> str:
    """Return who flicked: the player that the entry names, or else the coin's owner."""
    return entry.player or state.table.seats[owner_of(state, entry.coin)].name


def why_wrong(state: State, entry: Flicked, reasons: Reasons) -> Wrong | None:
    """Return what is wrong with a flick; None if it is allowed."""
    seat = seat_of(state)
    still = reasons.holds("still", state.flick is None)
    own_turn = reasons.holds("flicks_in_turn", entry.player in (None, seat.name))
    allowed = reasons.holds("may_flick", entry.coin in flickable(state))
    if not still:
        return Wrong("still_moving", START, "A coin is flicked before everything is still.")
    if not own_turn:
        return Wrong("out_of_turn", START, f"{entry.player} flicks, but it is {seat.name}'s turn.")
    if allowed:
        return None
    if owner_of(state, entry.coin) != state.active:
        return Wrong(
            "wrong_coin",
            START,
            f"{whose(state, entry.coin)} is flicked, but it is {seat.name}'s turn.",
        )
    if entry.coin == seat.guard:
        return Wrong(
            "wrong_coin",
            START,
            f"{seat.name}'s guard is flicked, but in round one the knight is played first.",
        )
    if not may_move(state, state.active):
        text = (
            f"{seat.name}'s knight is flicked, but must sit on a tower until it is released and"
            f" {seat.name}'s next turn begins."
        )
        return Wrong("wrong_coin", PRISONERS, text)
    return Wrong(
        "wrong_coin",
        START,
        f"{seat.name}'s knight is flicked, but its play is over: it is the guard's turn.",
    )


def flickable(state: State) -> list[str]:
    """Return the coins that the active player may flick next: the coin in turn, and also the guard
    in place of the knight. In round one the guard may only be flicked after the knight.
    """
    seat = seat_of(state)
    if state.role == GUARD:
        return [seat.guard]
    return [seat.knight, seat.guard] if may_pass(state) else [seat.knight]


def may_pass(state: State) -> bool:
    """Return whether the player may end the play of the coin in turn. In round one that coin must
    have been flicked first.
    """
    return state.played or state.sides[state.active].opened


def _turns_to_guard(state: State, entry: Flicked) -> bool:
    return (
        state.role == KNIGHT
        and entry.coin == seat_of(state).guard
        and entry.player in (None, seat_of(state).name)
    )


def _left_undone(state: State, entry: Flicked, reasons: Reasons) -> list[Verdict]:
    on = str(entry.id)
    found: list[Verdict] = []
    for coin, now in zip(state.table.by_coin, state.coins, strict=True):
        owed = now.owed and now.to_place
        if owed is not None and reasons.fails("put_back", True, coin):
            rule = ERRORS if owed.what in ("exit", "return") else PRISONERS
            found.append(
                not_done_before(
                    on,
                    "not_put_back",
                    rule,
                    f"{whose(state, coin)} {LEFT[owed.what]} before this flick.",
                    coin=coin,
                )
            )
    now = coin_of(state, entry.coin)
    started = not now.fresh or now.laid or now.owed is not None
    if reasons.fails("placed_to_start", not started):
        text = f"{whose(state, entry.coin)} was not placed beside its tower before its first flick."
        found.append(not_done_before(on, "not_placed", SETUP, text, coin=entry.coin))
    if reasons.fails("tiles_put_back", bool(state.displaced)):
        found += not_restored(on, state.displaced, ERRORS)
    return found


LEFT: Final = {
    "exit": "left the table and was not put back",
    "return": "had to go back to where it lay, but was not put there",
    "tower": "has to sit on a tower, but was not put there",
    "start": "had to return to its start, but was not put there",
}


def _begun(state: State, entry: Flicked, *, hits: bool, void: bool) -> State:
    mine = not void and entry.player in (None, seat_of(state).name)
    if not void and _turns_to_guard(state, entry):
        state = replace(state, role=GUARD, flicks=1, offer=None)
    own = mine and entry.coin == in_turn(state)
    place = place_of(state, entry.coin)
    coins = [
        coin if coin.owed is None else _settled(coin, coin.owed, flicked=i == place)
        for i, coin in enumerate(state.coins)
    ]
    coins[place] = replace(coins[place], fresh=False)
    return replace(
        state,
        coins=tuple(coins),
        flicks=max(0, state.flicks - 1) if mine else state.flicks,
        offer=None if own else state.offer,
        played=state.played or own,
        displaced=still_displaced(state.displaced),
        flick=Flick(
            on=str(entry.id),
            coin=entry.coin,
            own=own,
            hits=hits,
            touching=frozenset(entry.touching),
            lain=tuple([coin.at_mm for coin in coins]),
        ),
    )


def _settled(coin: Coin, owed: Owed, *, flicked: bool) -> Coin:
    """Return the coin, and remove its duty to be put somewhere if that duty has ended: the coin was
    put there, or it was flicked from another place and does not have to sit on a tower.
    """
    return replace(coin, owed=None) if owed.done or (flicked and owed.what != "tower") else coin


def _began(state: State, entry: Flicked, given_up: int) -> Call:
    who = flicker(state, entry)
    what = "the knight" if is_knight(state, entry.coin) else "the guard"
    if state.table.seats[owner_of(state, entry.coin)].name != who:
        what = whose(state, entry.coin)
    lost = f" and gives up {flicks_in_words(given_up)} of the knight" if given_up else ""
    return Call(
        on=str(entry.id),
        call="flick_began",
        player=who,
        coin=entry.coin,
        rule=START,
        text=f"{who} flicks {what}{lost}.",
    )


def rested(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """End the flick once all coins lie still. If no flicks remain, the coin's play ends; if that
    coin is the guard, the turn ends too.
    """
    flick = state.flick
    assert flick is not None
    verdicts: tuple[Verdict, ...] = contradictions(state, entry, reasons)
    seen = entry.coins
    coins = tuple(
        [
            now if now.at_mm == at else replace(now, at_mm=at)
            for now, at in zip(state.coins, map(seen.get, state.table.by_coin), strict=True)
        ]
    )
    state = replace(state, coins=coins, flick=None, offer=Offer() if flick.croquet else state.offer)
    used_up = reasons.holds("no_flick_left", state.flicks == 0)
    guards = ends_with_guard(state, reasons)
    if reasons.succeeds("has_conceded", state.sides[state.active].conceded):
        state, more = next_turn(state, str(entry.id))
    elif used_up:
        state, more = next_play(state, str(entry.id), guards=guards)
    else:
        more = ()
    return state, verdicts + more


def ends_with_guard(state: State, reasons: Reasons) -> bool:
    """Return whether no flick is left and the guard was in turn, so that the turn ends."""
    return reasons.holds("guards_play", state.role == GUARD and state.flicks == 0)


def next_play(state: State, on: str, *, guards: bool) -> Judged:
    """End the play of the coin in turn. After the knight, the guard has its one flick; after the
    guard, the turn is over.
    """
    if guards:
        return next_turn(state, on)
    return replace(state, role=GUARD, flicks=1, played=False, offer=None), ()


def next_turn(state: State, on: str) -> Judged:
    """End the turn and begin that of the next player who is still in the match."""
    seat, lost = seat_of(state), state.flicks
    index = next_in_order(state.active, [not side.conceded for side in state.sides])
    ended = call_for(
        state,
        on,
        "turn_ended",
        in_turn(state),
        turn_over(seat.name, lost),
        rule=START,
        flicks=-lost,
    )
    state = with_side(state, state.active, opened=True)
    state = replace(
        state,
        active=index,
        role=KNIGHT,
        flicks=1,
        played=False,
        struck=frozenset(),
        gates=frozenset(),
        offer=None,
    )
    return _beginning(state, on, ended)


def _beginning(state: State, on: str, ended: Call) -> Judged:
    seat, side, freed = seat_of(state), state.sides[state.active], state.sides[state.active].waiting
    if freed:
        state = with_side(state, state.active, waiting=False)
        state = with_coin(state, seat.knight, owed=Owed("start", suit=seat.knight))
    if side.prisoner_of is not None:
        state = replace(state, role=GUARD)
    return state, (ended, turn_began(state, on, freed=freed))


def turn_began(state: State, on: str, *, freed: bool = False) -> Call:
    """Return the call with which a turn begins. `freed` says that the knight was released and
    starts again.
    """
    seat, prisoner = seat_of(state), state.role == GUARD
    first = (
        "first the knight, which starts again beside its own tower, then the guard."
        if freed
        else "first the knight, then the guard."
    )
    text = f"It is {seat.name}'s turn, " + (
        "with the guard only: the knight is a prisoner." if prisoner else first
    )
    return call_for(
        state, on, "turn_began", in_turn(state), text, rule=PRISONERS if prisoner else START
    )
