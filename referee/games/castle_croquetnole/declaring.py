"""What players may say in Castle Croquetnole."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Verdict
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
from referee.games.castle_croquetnole.turns import may_pass, next_play, next_turn
from referee.games.castle_croquetnole.wording import call_for
from referee.games.flicking import agreed, flicks_in_words, refused

CROQUETS = {
    1: "takes two flicks from where the knight lies",
    2: "puts the knight within a coin width of the guard and takes two flicks",
    3: "takes a loose croquet: the knight, touching the guard, is flicked, and once more",
    4: (
        "takes a tight croquet: the knight is held and the guard flicked away, then the knight has"
        " one flick"
    ),
    5: "takes two flicks, the first a slight one, the second to drive the guard away",
}


def declared(state: State, entry: Declaration) -> Judged:
    """A player says something; what the rules do not allow is an irregularity and not applied."""
    match entry:
        case CastleCroquet():
            return _croquet(state, entry)
        case Pass():
            return _pass(state, entry)
        case Concede():
            return _concede(state, entry)
        case Agreed():
            return _agreed(state, entry)
    return state, ()


def _croquet(state: State, entry: CastleCroquet) -> Judged:
    seat = seat_of(state)
    wrong = None
    if entry.player not in (None, seat.name):
        wrong = f"{entry.player} declares a croquet, but it is {seat.name}'s turn."
    elif state.flick is not None:
        wrong = f"{seat.name} declares a croquet while coins are still moving."
    elif state.offer is None:
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


def _pass(state: State, entry: Pass) -> Judged:
    seat, coin = seat_of(state), in_turn(state)
    wrong = None
    if entry.player not in (None, seat.name):
        wrong = f"{entry.player} passes, but it is {seat.name}'s turn."
    elif state.flick is not None:
        wrong = f"{seat.name} passes while coins are still moving."
    elif not may_pass(state):
        wrong = f"{seat.name} passes, but in round one both the knight and the guard are played."
    if wrong is not None:
        return state, refused(entry, seat.name, "pass_not_allowed", START, wrong)
    lost = state.flicks
    text = (
        f"{seat.name} ends the play of the {'knight' if coin == seat.knight else 'guard'}, giving"
        f" up {flicks_in_words(lost)}."
    )
    call = call_for(state, str(entry.id), "passed", coin, text, rule=START, flicks=-lost)
    state, more = next_play(replace(state, flicks=0), str(entry.id))
    return state, (call, *more)


def _concede(state: State, entry: Concede) -> Judged:
    name = entry.player or seat_of(state).name
    index = next((i for i, seat in enumerate(state.table.seats) if seat.name == name), -1)
    if index < 0 or state.sides[index].conceded:
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
    if left is not None:
        state, more = won(state, on, left)
    elif index == state.active and state.flick is None:
        state, more = next_turn(state, on)
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    winner, told = agreed(entry, [seat.name for seat in state.table.seats], WINNING)
    return replace(state, over=True, winner=winner), told
