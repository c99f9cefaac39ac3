"""What players may declare in Wickets."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import (
    Agreed,
    Concede,
    Continuation,
    Declaration,
    Pass,
    WicketsCroquet,
)
from referee.games.wickets.croqueting import croqueted
from referee.games.wickets.routes import can_move
from referee.games.wickets.state import BOTH, Judged, State, ball_name, call_for, refused, seat_of
from referee.games.wickets.turns import can_play, said_in_turn, settled, turn_over, won


def declared(state: State, entry: Declaration, reasons: Reasons, *, entitled: bool) -> Judged:
    """Apply a declaration. One that the rules do not allow is an irregularity and changes
    nothing.
    """
    match entry:
        case WicketsCroquet():
            return croqueted(state, entry, reasons, entitled=entitled)
        case Continuation():
            return _continuation(state, entry, reasons)
        case Pass():
            return _pass(state, entry, reasons)
        case Concede():
            return _concede(state, entry, reasons)
        case Agreed():
            return _agreed(state, entry)
    return state, ()


def _continuation(state: State, entry: Continuation, reasons: Reasons) -> Judged:
    on = str(entry.id)
    said = said_in_turn(state, entry.player, reasons)
    earned = reasons.holds("continuation_earned", state.phase == "choice")
    if not said:
        return refused(
            state,
            on,
            "declaration_not_allowed",
            f"{entry.player} takes a shot, but it is another player's turn.",
            player=entry.player,
        )
    if not earned:
        return refused(
            state,
            on,
            "declaration_not_allowed",
            f"{ball_name(state, state.active)} has no continuation shot to take now.",
        )
    call = call_for(
        state,
        on,
        "continuation_taken",
        state.active,
        f"{ball_name(state, state.active)} takes its continuation shot: two dice.",
    )
    return replace(state, phase="roll", dice=(), met=()), (call,)


def may_pass(state: State) -> bool:
    """Return whether the player may pass the turn: before the dice, instead of the continuation
    shot after a wicket or the turning stake, or where no move is legal.
    """
    if state.phase == "roll":
        return not state.dice and state.sent is None
    if state.phase == "choice":
        return not state.met
    return state.phase == "move" and not can_move(state)


def _pass(state: State, entry: Pass, reasons: Reasons) -> Judged:
    on = str(entry.id)
    said = said_in_turn(state, entry.player, reasons)
    allowed = reasons.holds("pass_allowed", may_pass(state), state.phase, state.met)
    if not said:
        return refused(
            state,
            on,
            "pass_not_allowed",
            f"{entry.player} passes, but it is another player's turn.",
            player=entry.player,
        )
    if not allowed:
        return refused(
            state,
            on,
            "pass_not_allowed",
            f"{seat_of(state).name} cannot pass now: {_instead(state)}.",
        )
    return turn_over(state, on, ": the player passed")


def _instead(state: State) -> str:
    if state.phase == "move":
        return "the dice are thrown and there is a legal move"
    return (
        "a continuation shot or a croquet must follow a roquet"
        if state.met or state.sent
        else "a die has already been thrown"
    )


def _concede(state: State, entry: Concede, reasons: Reasons) -> Judged:
    on, name = str(entry.id), entry.player or seat_of(state).name
    plays = any(can_play(state, i) for i, seat in enumerate(state.table.seats) if seat.name == name)
    if not reasons.holds("still_plays", plays, name):
        return refused(
            state,
            on,
            "declaration_not_allowed",
            f"{name} is not in the game any more and cannot concede.",
            player=name,
        )
    call = Call(
        on=on,
        call="conceded",
        player=name,
        rule=BOTH,
        text=f"{name} concedes; {name}'s balls stay where they are and are not played again.",
    )
    active = seat_of(state).name == name
    state = replace(state, conceded=state.conceded | {name})
    verdicts: tuple[Verdict, ...] = (call,)
    state, more = turn_over(state, on) if active else settled(state, on)
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    named = (entry.winner,) if isinstance(entry.winner, str) else entry.winner or ()
    side = next(
        (i for i, side in enumerate(state.table.sides) if set(named) & set(side.players)), None
    )
    if side is None:
        call = Call(
            on=str(entry.id), call="game_won", rule=BOTH, text="The players end the match level."
        )
        return replace(state, over=True), (call,)
    names = state.table.sides[side].players
    text = (
        f"The players end the match: {' and '.join(names)} {'win' if len(names) > 1 else 'wins'}."
    )
    return won(state, str(entry.id), side, text, BOTH)
