"""Strikes: the dice are thrown and the ball is moved along its path."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
from referee.domain.incident import Moved, Rolled
from referee.games.wickets.board import Space, ahead
from referee.games.wickets.croqueting import croquet_thrown
from referee.games.wickets.routes import End, end_of, headings_of, start_of
from referee.games.wickets.scoring import at_stake, left_space, scored, taken_out
from referee.games.wickets.state import (
    BOTH,
    Judged,
    State,
    ball_name,
    call_for,
    next_step,
    place_name,
    refused,
    seat_of,
    standing_on,
    with_ball,
)
from referee.games.wickets.turns import turn_of, turn_over


def rolled(state: State, entry: Rolled) -> Judged:
    """A die came to rest: one of a strike's two, or the croquet's."""
    on = str(entry.id)
    face = int(entry.face)
    if state.phase == "roll" and state.sent is None:
        if any(die == entry.die for die, _ in state.dice):
            return refused(
                state,
                on,
                "roll_not_expected",
                f"{entry.die} has been thrown already; the other die is awaited.",
            )
        dice = (*state.dice, (entry.die, face))
        return replace(state, dice=dice, phase="move" if len(dice) == 2 else "roll"), ()
    croquets = (state.phase == "roll" and state.sent is not None) or (
        state.phase == "choice" and state.met
    )
    if not croquets:
        return refused(
            state, on, "roll_not_expected", f"A die is thrown, but first {_awaited(state)}."
        )
    if entry.die != "die-1":
        return refused(state, on, "roll_not_expected", "A croquet is thrown with die-1 alone.")
    return croquet_thrown(state, on, (entry.die, face))


def _awaited(state: State) -> str:
    if state.phase == "move":
        return f"{ball_name(state, state.active)} is to be moved"
    if state.phase == "croquet":
        return "it is to be said which ball is croqueted, and which way"
    return f"{seat_of(state).name} must take the continuation shot or pass"


def moved(state: State, entry: Moved) -> Judged:
    """A ball was moved: the strike, when it is awaited and its path is legal; everything else is
    only compared with where the ball must stand.
    """
    on = str(entry.id)
    index = state.table.by_pawn.get(entry.pawn, -1)
    if index != state.active or state.phase != "move" or entry.path is None or state.over:
        return compared(state, entry, index)
    path = path_of(state, entry)
    end = end_of(state, path)
    if end is None:
        return _illegal(state, entry, path)
    before = state.balls[index].at
    state, verdicts = _played(state, path, end, on)
    return state, (*_mismatches(state, entry, before, path, end), *verdicts)


def path_of(state: State, entry: Moved) -> tuple[Space, ...]:
    """The spaces a strike enters; a first path may name the start space, which it does not enter
    but begins on.
    """
    path = entry.path or ()
    begins = state.balls[state.active].at is None and path[:1] == (state.table.board.start,)
    return path[1:] if begins else path


def compared(state: State, entry: Moved, index: int) -> Judged:
    """Whether a ball that was moved stands where it must; it never moves the engine's ball."""
    on = str(entry.id)
    if index < 0:
        return refused(
            state,
            on,
            "nobody_plays_it",
            f"The {entry.pawn} ball is moved, and nobody plays it.",
            pawn=entry.pawn,
        )
    at, to = state.balls[index].at, _put_down_at(entry)
    if to == at:
        return state, ()
    if index == state.active and state.phase == "move" and not state.over and entry.path is None:
        return refused(
            state,
            on,
            "path_missing",
            f"{ball_name(state, index)} is moved, but the record does not say along which path.",
            pawn=entry.pawn,
        )
    if to is UNSET:
        return state, ()
    put = "taken off the board" if to is None else f"put on {to}"
    where = "off the board" if at is None else f"on {at}"
    turn = (
        ""
        if index == state.active or entry.path is None or state.over
        else f" It is {turn_of(state)}."
    )
    return state, (
        _misplaced(
            state,
            on,
            index,
            "misplaced",
            f"{ball_name(state, index)} is {put}, but it must stand {where}.{turn}",
        ),
    )


def _put_down_at(entry: Moved) -> Space | UnsetType | None:
    """Where a ball was put down: where the move says so, else on the last space of its path."""
    return entry.path[-1] if entry.to is UNSET and entry.path else entry.to


def _misplaced(state: State, on: str, index: int, what: str, text: str) -> Irregularity:
    seat, at = state.table.seats[index], state.balls[index].at
    facts = {"at": None if at is None else list(at)}
    return Irregularity(
        on=on,
        what=what,
        rule=BOTH,
        text=text,
        coin=seat.pawn,
        player=seat.name,
        facts=facts,
        placement=True,
    )


def _illegal(state: State, entry: Moved, path: tuple[Space, ...]) -> Judged:
    on, index = str(entry.id), state.active
    if entry.to == state.balls[index].at and entry.from_ != entry.to:
        return state, ()
    dead = state.balls[index].dead
    met = next(
        (
            i
            for space in path
            for i in standing_on(state, space, index)
            if state.table.seats[i].pawn in dead
        ),
        None,
    )
    if met is not None:
        why = f"{ball_name(state, met)} is dead to it until it scores, and may not be hit or passed"
    else:
        why = f"the dice {' and '.join(str(face) for _, face in state.dice)} do not allow this path"
    text = f"{ball_name(state, index)} may not move so: {why}. The move is taken back."
    call = call_for(
        state,
        on,
        "illegal_move",
        index,
        text,
        with_=None if met is None else state.table.seats[met].pawn,
    )
    odd = Irregularity(
        on=on,
        what="illegal_move",
        rule=BOTH,
        text=text,
        coin=entry.pawn,
        player=seat_of(state).name,
    )
    return state, (call, odd)


def _mismatches(
    state: State, entry: Moved, before: Space | None, path: tuple[Space, ...], end: End
) -> list[Verdict]:
    """What of `from` and `to`, where they are told, does not fit the path, which decides."""
    board, found, on = state.table.board, list[Verdict](), str(entry.id)
    index = state.table.by_pawn[entry.pawn]
    if entry.from_ not in (UNSET, *((None, board.start) if before is None else (before,))):
        found.append(
            _misplaced(
                state,
                on,
                index,
                "wrong_from",
                f"{ball_name(state, index)} was not picked up where it stood; its path counts.",
            )
        )
    spaces = (board.start if before is None else before, *path)
    ends = spaces[-2] if end in ("roquet", "stake") else spaces[-1]
    if entry.to not in (UNSET, ends):
        found.append(
            _misplaced(
                state,
                on,
                index,
                "wrong_to",
                f"{ball_name(state, index)} was put down on another space than {ends}; its path"
                " counts.",
            )
        )
    return found


def _played(state: State, path: tuple[Space, ...], end: End, on: str) -> Judged:
    index, at = state.active, start_of(state)
    points, came = state.balls[index].points, state.balls[index].came
    verdicts: tuple[Verdict, ...] = ()
    for heading in headings_of(at, path[:-1] if end in ("roquet", "stake") else path) or ():
        state, more = left_space(state, index, at, came, heading, on, own=not state.void)
        verdicts += more
        at, came = ahead(at, heading), heading
    state = with_ball(state, index, at=at, came=came)
    state, more = _ended(state, path, end, on, won=state.balls[index].points > points)
    return state, verdicts + more


def _ended(state: State, path: tuple[Space, ...], end: End, on: str, *, won: bool) -> Judged:
    state = replace(state, dice=())
    if state.void:
        state, verdicts = (
            at_stake(state, state.active, state.table.board.stakes[path[-1]], on)
            if end == "stake"
            else (state, ())
        )
        state, more = turn_over(state, on)
        return state, verdicts + more
    if end == "roquet":
        return _roquet(state, path[-1], on, won=won)
    if end == "stake":
        return _stake(state, state.table.board.stakes[path[-1]], on)
    if end == "boundary":
        lost = " The continuation shot it earned is lost." if won else ""
        text = f"{ball_name(state, state.active)} reaches the boundary: the turn is over.{lost}"
        call = call_for(state, on, "boundary", state.active, text)
        state, more = turn_over(state, on)
        return state, (call, *more)
    return (replace(state, phase="choice", met=()), ()) if won else turn_over(state, on)


def _roquet(state: State, space: Space, on: str, *, won: bool) -> Judged:
    met = standing_on(state, space, state.active)
    pawns = tuple(state.table.seats[i].pawn for i in met)
    lost = " The wicket's continuation shot is replaced by the roquet's." if won else ""
    text = (
        f"{ball_name(state, state.active)} roquets"
        f" {' and '.join(ball_name(state, i) for i in met)}: a continuation shot or a"
        f" croquet.{lost}"
    )
    call = call_for(state, on, "roquet", state.active, text, with_=pawns[0])
    return replace(state, phase="choice", met=pawns), (call,)


def _stake(state: State, place: str, on: str) -> Judged:
    index = state.active
    step = next_step(state, index)
    if step is None or step.place != place:
        text = (
            f"{ball_name(state, index)} strikes {place_name(place)} out of turn: it goes back to"
            " where its turn began, and the turn is over."
        )
        call = call_for(state, on, "stake_out_of_turn", index, text, place=place)
        state = with_ball(state, index, at=state.began.at, came=state.began.came)
        state, more = turn_over(state, on)
        return state, (call, *more)
    state, verdicts = scored(state, index, step, on, own=True)
    if next_step(state, index) is not None:
        return replace(state, phase="choice", met=()), verdicts
    state, out = taken_out(state, index, on, finished=True)
    state, more = turn_over(state, on)
    return state, (*verdicts, *out, *more)
