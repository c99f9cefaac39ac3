"""Strikes: the player throws the dice and moves the ball along its path."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from referee.domain.call import Irregularity, Verdict
from referee.domain.clause import Reasons
from referee.domain.incident import Moved, Rolled
from referee.games.wickets.board import Space
from referee.games.wickets.croqueting import croquet_thrown
from referee.games.wickets.routes import End, end_of
from referee.games.wickets.scoring import comes_next, may_step, no_step, reaches_stake, walked
from referee.games.wickets.state import (
    BOTH,
    Judged,
    State,
    ball_name,
    call_for,
    is_rover,
    next_step,
    place_name,
    refused,
    seat_of,
    standing_on,
    with_ball,
)
from referee.games.wickets.turns import turn_of, turn_over


def rolled(state: State, entry: Rolled, reasons: Reasons, *, entitled: bool) -> Judged:
    """Play a rolled die: one of a strike's two, or the croquet's. Refuse a die that is not
    expected.
    """
    on, die = str(entry.id), (entry.die, int(entry.face))
    croquets = state.sent is not None or (state.phase == "choice" and bool(state.met))
    if not reasons.holds("die_awaited", state.phase == "roll" or croquets, state.phase):
        return refused(
            state, on, "roll_not_expected", f"A die is thrown, but first {_awaited(state)}."
        )
    thrown = tuple(die for die, _ in state.dice)
    fits = entry.die == "die-1" if croquets else entry.die not in thrown
    if not reasons.holds("this_die_awaited", fits, croquets, thrown):
        text = (
            "For a croquet only die-1 is thrown."
            if croquets
            else f"{entry.die} has already been thrown; the other die is expected."
        )
        return refused(state, on, "roll_not_expected", text)
    if croquets:
        return croquet_thrown(state, on, die, reasons, entitled=entitled)
    dice = (*state.dice, die)
    return replace(state, dice=dice, phase="move" if len(dice) == 2 else "roll"), ()


def _awaited(state: State) -> str:
    if state.phase == "move":
        return f"{ball_name(state, state.active)} must be moved"
    if state.phase == "croquet":
        return "the player must declare which ball is croqueted, and in which direction"
    return f"{seat_of(state).name} must take the continuation shot or pass"


def moved(state: State, entry: Moved, reasons: Reasons, *, entitled: bool) -> Judged:
    """Judge a move of a ball by hand. If a strike with this ball is expected, a legal path is
    played and an illegal one is refused. Any other move, and a move without a path, is only
    compared with where the ball must stand.
    """
    index = state.table.by_pawn.get(entry.pawn, -1)
    turn = reasons.holds("balls_turn", index == state.active)
    awaited = reasons.holds("move_awaited", state.phase == "move", state.phase)
    if not turn or not awaited or entry.path is None:
        return compared(state, entry, reasons)
    path = path_of(state, entry)
    dead, end = way_of(state, path)
    alive = reasons.holds("meets_no_dead_ball", dead is None, state.balls[index].dead)
    allowed = reasons.holds("dice_allow_path", end is not None, state.dice, end)
    if not alive or not allowed:
        return _illegal(state, entry, dead)
    assert end is not None
    before = state.balls[index].at
    state, verdicts = _played(state, path, end, str(entry.id), reasons, entitled=entitled)
    return state, (*_mismatches(state, entry, before, path, end, reasons), *verdicts)


def way_of(state: State, path: tuple[Space, ...]) -> tuple[int | None, End | None]:
    """Return the first ball on a path that is dead to the moved ball, and how the path ends if dead
    balls are ignored.

    The first value is None if there is no such ball, or if the moved ball passes its next wicket
    before it gets there.
    """
    end, dead = end_of(state, path), state.balls[state.active].dead
    if end is not None or not dead:
        return None, end
    on_path = (i for space in path for i in standing_on(state, space, state.active))
    met = next((i for i in on_path if state.table.seats[i].pawn in dead), None)
    return met, end_of(with_ball(state, state.active, dead=frozenset()), path)


def path_of(state: State, entry: Moved) -> tuple[Space, ...]:
    """Return the spaces that a strike enters. A first path may name the start space: the ball
    begins there but does not enter it.
    """
    path = entry.path or ()
    begins = state.balls[state.active].at is None and path[:1] == (state.table.board.start,)
    return path[1:] if begins else path


def compared(state: State, entry: Moved, reasons: Reasons) -> Judged:
    """Compare a moved ball with where it must stand. This never changes where the ball stands in
    the state.
    """
    on, pawn = str(entry.id), entry.pawn
    index = state.table.by_pawn.get(pawn, -1)
    if reasons.fails("has_player", index < 0):
        text = f"The {pawn} ball is moved, but no player has it."
        return refused(state, on, "nobody_plays_it", text, pawn=pawn)
    at, to = state.balls[index].at, _put_down_at(entry)
    strikes = index == state.active and state.phase == "move" and not state.over
    pathless = strikes and entry.path is None
    stands = to == at or (to is UNSET and not pathless)
    if reasons.holds("stands_as_it_must", stands, index, at):
        return state, ()
    if pathless:
        text = f"{ball_name(state, index)} is moved, but the record does not say along which path."
        return refused(state, on, "path_missing", text, pawn=pawn)
    put = "taken off the board" if to is None else f"put on {to}"
    where = "off the board" if at is None else f"on {at}"
    elsewhere = index != state.active and entry.path is not None and not state.over
    turn = f" It is {turn_of(state)}." if elsewhere else ""
    text = f"{ball_name(state, index)} is {put}, but it must stand {where}.{turn}"
    return state, (_misplaced(state, on, index, "misplaced", text),)


def _put_down_at(entry: Moved) -> Space | UnsetType | None:
    """Return where a ball was put down: where the move says so, or else on the last space of its
    path.
    """
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


def _illegal(state: State, entry: Moved, dead: int | None) -> Judged:
    """Refuse a move that meets a `dead` ball or that the dice do not allow. The move is taken back.

    A move that a hand has already taken back gives no verdict.
    """
    on, index = str(entry.id), state.active
    if entry.to == state.balls[index].at and entry.from_ != entry.to:
        return state, ()
    text = f"{why_illegal(state, dead)} The move is taken back."
    pawn = None if dead is None else state.table.seats[dead].pawn
    call = call_for(state, on, "illegal_move", index, text, with_=pawn)
    odd = Irregularity(
        on=on,
        what="illegal_move",
        rule=BOTH,
        text=text,
        coin=entry.pawn,
        player=seat_of(state).name,
    )
    return state, (call, odd)


def why_illegal(state: State, dead: int | None) -> str:
    """Return in words why the active ball may not make a move: it meets the `dead` ball, or the
    dice do not allow it.
    """
    if dead is not None:
        why = (
            f"{ball_name(state, dead)} is dead to the moved ball, and may not be hit or passed"
            " until the moved ball scores"
        )
    else:
        why = f"the dice {' and '.join(str(face) for _, face in state.dice)} do not allow this path"
    return f"{ball_name(state, state.active)} may not make this move: {why}."


def _mismatches(
    state: State,
    entry: Moved,
    before: Space | None,
    path: tuple[Space, ...],
    end: End,
    reasons: Reasons,
) -> list[Verdict]:
    """Return an irregularity for each of `from` and `to` that does not fit the path. If one of them
    contradicts the path, the path counts.
    """
    board, on = state.table.board, str(entry.id)
    found: list[Verdict] = []
    index = state.table.by_pawn[entry.pawn]
    fits = entry.from_ in (UNSET, *((None, board.start) if before is None else (before,)))
    if reasons.fails("picked_up_right", not fits, before):
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
    if reasons.fails("put_down_right", entry.to not in (UNSET, ends), ends):
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


def _played(
    state: State, path: tuple[Space, ...], end: End, on: str, reasons: Reasons, *, entitled: bool
) -> Judged:
    index = state.active
    points = state.balls[index].points
    entered = path[:-1] if end in ("roquet", "stake") else path
    state, verdicts = walked(state, entered, on, reasons, stops=True, entitled=entitled)
    state = replace(state, dice=())
    won = state.balls[index].points > points
    if end == "stake":
        place = state.table.board.stakes[path[-1]]
        state, more = _at_own_stake(state, place, on, reasons, won=won, entitled=entitled)
    else:
        state, more = _stopped(state, path, end, on, reasons, won=won, entitled=entitled)
    return state, verdicts + more


def _stopped(
    state: State,
    path: tuple[Space, ...],
    end: End,
    on: str,
    reasons: Reasons,
    *,
    won: bool,
    entitled: bool,
) -> Judged:
    """End a strike at another ball, at the boundary or with the dice used up. `won` is True if the
    strike has scored.
    """
    met = standing_on(state, path[-1], state.active) if end == "roquet" else ()
    roquets = reasons.succeeds("roquet", bool(met), met, *path[-1:])
    boundary = reasons.fails("stays_on_board", end == "boundary")
    stopped, step = roquets or boundary, next_step(state, state.active)
    scores = won if stopped else not reasons.fails("scores", not won, step)
    if scores and reasons.holds("continuation", not stopped):
        return replace(state, phase="choice", met=()), ()
    if not entitled or not stopped:
        return turn_over(state, on)
    return _roquet(state, met, on, won=won) if roquets else _boundary(state, on, won=won)


def _roquet(state: State, met: tuple[int, ...], on: str, *, won: bool) -> Judged:
    pawns = tuple(state.table.seats[i].pawn for i in met)
    replaced = " The wicket's continuation shot is replaced by the roquet's." if won else ""
    text = (
        f"{ball_name(state, state.active)} roquets"
        f" {' and '.join(ball_name(state, i) for i in met)}: a continuation shot or a"
        f" croquet.{replaced}"
    )
    call = call_for(state, on, "roquet", state.active, text, with_=pawns[0])
    return replace(state, phase="choice", met=pawns), (call,)


def _boundary(state: State, on: str, *, won: bool) -> Judged:
    earned = " The continuation shot it earned is lost." if won else ""
    text = f"{ball_name(state, state.active)} reaches the boundary: the turn is over.{earned}"
    call = call_for(state, on, "boundary", state.active, text)
    state, more = turn_over(state, on)
    return state, (call, *more)


def _at_own_stake(
    state: State, place: str, on: str, reasons: Reasons, *, won: bool, entitled: bool
) -> Judged:
    """End a strike at a stake, which counts if it is the ball's next step. `won` is True if the
    strike has scored before.
    """
    index, step = state.active, next_step(state, state.active)
    counts = comes_next(step, index, place, reasons)
    verdicts: tuple[Verdict, ...] = ()
    last = counts and is_rover(state, index)
    continues = (won or (counts and not last)) and reasons.holds(
        "continuation", entitled and counts and not last
    )
    if counts and may_step(state, index, reasons, entitled=entitled):
        state, verdicts = reaches_stake(state, index, on, own=True)
    elif counts:
        verdicts = (no_step(state, index, place, on),)
    elif entitled:
        state, verdicts = _put_back(state, place, on)
    if continues:
        return replace(state, phase="choice", met=()), verdicts
    state, more = turn_over(state, on)
    return state, verdicts + more


def _put_back(state: State, place: str, on: str) -> Judged:
    """Put a ball back to where its turn began, because it struck a stake which is not its next
    step.
    """
    index = state.active
    text = (
        f"{ball_name(state, index)} strikes {place_name(place)}, which is not its next step:"
        " it goes back to where its turn began, and the turn is over."
    )
    call = call_for(state, on, "stake_out_of_turn", index, text, place=place)
    return with_ball(state, index, at=state.began.at, came=state.began.came), (call,)
