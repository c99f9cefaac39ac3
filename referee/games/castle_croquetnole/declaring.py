"""What players may declare in Castle Croquetnole."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import Agreed, CastleCroquet, Concede, Declaration, Pass
from referee.games.castle_croquetnole.scoring import last_left, won
from referee.games.castle_croquetnole.state import (
    BONUS,
    START,
    WINNING,
    Judged,
    State,
    in_turn,
    seat_of,
    with_side,
)
from referee.games.castle_croquetnole.turns import ends_with_guard, may_pass, next_play, next_turn
from referee.games.castle_croquetnole.wording import call_for
from referee.games.flicking import agreed, flicks_in_words, refused

CROQUETS: Final = {
    1: "takes two flicks from where the knight lies",
    2: "puts the knight within a coin width of the guard and takes two flicks",
    3: "takes a loose croquet: the knight touches the guard and is flicked, then once more",
    4: (
        "takes a tight croquet: the knight is held and the guard flicked away, then the knight has"
        " one flick"
    ),
    5: "takes two flicks: the first a light one, the second to drive the guard away",
}


def declared(state: State, entry: Declaration, reasons: Reasons) -> Judged:
    """Apply a declaration. One that the rules do not allow is an irregularity and changes
    nothing.
    """
    match entry:
        case CastleCroquet():
            return _croquet(state, entry, reasons)
        case Pass():
            return _pass(state, entry, reasons)
        case Concede():
            return _concede(state, entry, reasons)
        case Agreed():
            return _agreed(state, entry)
    return state, ()


def _croquet(state: State, entry: CastleCroquet, reasons: Reasons) -> Judged:
    seat = seat_of(state)
    own_turn, still = _may_speak(state, entry, reasons)
    earned = reasons.holds("croquet_earned", state.offer is not None)
    wrong = None
    if not own_turn:
        wrong = f"{entry.player} declares a croquet, but it is {seat.name}'s turn."
    elif not still:
        wrong = f"{seat.name} declares a croquet while coins are still moving."
    elif not earned:
        wrong = f"{seat.name}'s knight has not earned a croquet in its last flick."
    if wrong is not None:
        return state, refused(entry, seat.name, "declaration_not_allowed", BONUS, wrong)
    text = f"{seat.name} {CROQUETS[entry.option]}."
    call = call_for(
        state,
        str(entry.id),
        "croquet_declared",
        seat.knight,
        text,
        rule=BONUS,
        with_=seat.guard,
        facts={"option": entry.option},
    )
    assert state.offer is not None
    return replace(state, offer=replace(state.offer, option=entry.option)), (call,)


def _may_speak(state: State, entry: Declaration, reasons: Reasons) -> tuple[bool, bool]:
    """Return whether it is the turn of the player who makes the declaration, and whether everything
    is still.
    """
    own_turn = reasons.holds("says_in_turn", entry.player in (None, seat_of(state).name))
    return own_turn, reasons.holds("still", state.flick is None)


def _pass(state: State, entry: Pass, reasons: Reasons) -> Judged:
    seat, coin = seat_of(state), in_turn(state)
    own_turn, still = _may_speak(state, entry, reasons)
    over = reasons.holds("may_pass", may_pass(state))
    wrong = None
    if not own_turn:
        wrong = f"{entry.player} passes, but it is {seat.name}'s turn."
    elif not still:
        wrong = f"{seat.name} passes while coins are still moving."
    elif not over:
        wrong = f"{seat.name} passes, but in round one the knight and the guard must both flick."
    if wrong is not None:
        return state, refused(entry, seat.name, "pass_not_allowed", START, wrong)
    lost = state.flicks
    text = (
        f"{seat.name} ends the play of the {'knight' if coin == seat.knight else 'guard'}, giving"
        f" up {flicks_in_words(lost)}."
    )
    call = call_for(state, str(entry.id), "passed", coin, text, rule=START, flicks=-lost)
    state = replace(state, flicks=0)
    state, more = next_play(state, str(entry.id), guards=ends_with_guard(state, reasons))
    return state, (call, *more)


def _concede(state: State, entry: Concede, reasons: Reasons) -> Judged:
    name = entry.player or seat_of(state).name
    index = next((i for i, seat in enumerate(state.table.seats) if seat.name == name), -1)
    plays = index >= 0 and not state.sides[index].conceded
    if not reasons.holds("in_match", plays):
        return state, refused(
            entry,
            name,
            "declaration_not_allowed",
            WINNING,
            f"{name} is not in the game any more and cannot concede.",
        )
    on, knight = str(entry.id), state.table.seats[index].knight
    state = with_side(state, index, conceded=True)
    verdicts: tuple[Verdict, ...] = (
        call_for(
            state,
            on,
            "conceded",
            knight,
            f"{name} concedes; knight and guard stay where they are.",
            rule=WINNING,
        ),
    )
    left = last_left(state)
    more: tuple[Verdict, ...] = ()
    if reasons.succeeds("one_left", left is not None):
        assert left is not None
        state, more = won(state, on, left)
    elif reasons.succeeds("gives_up_turn", index == state.active and state.flick is None):
        state, more = next_turn(state, on)
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    winner, calls = agreed(entry, [seat.name for seat in state.table.seats], WINNING)
    return replace(state, over=True, winner=winner), calls
