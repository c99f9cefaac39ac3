"""Shots and turns of Croquet for piecepack: which shot follows once no ball moves, and whose go is
next.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call
from referee.games.piecepack_croquet.lawn import PEG, step
from referee.games.piecepack_croquet.moving import await_roll, move_on
from referee.games.piecepack_croquet.state import (
    Judged,
    Judging,
    Motion,
    State,
    call_for,
    name_of,
    seat_of,
    with_ball,
)


def play(
    state: State,
    judging: Judging,
    motion: Motion | None,
    following: Motion | None = None,
    *,
    doubtful: bool = False,
) -> Judged:
    """Set a ball in motion and play on until no ball moves or a roll is needed.

    `following` is the motion of the player's own ball after `motion` has ended. With `doubtful`,
    the own ball makes that motion only if a roll allows it.
    """
    return go_on(
        replace(state, moving=motion, following=following, doubtful=doubtful, expects="", roll=""),
        judging,
    )


def go_on(state: State, judging: Judging) -> Judged:
    """Move the balls that are moving. When all is still, decide what comes next."""
    state, verdicts = move_on(state, judging)
    if state.moving is None and state.following is not None:
        if state.doubtful:
            return await_roll(state, "follow"), verdicts
        following = _short_of_the_peg(state, state.following) if state.peg_hit else state.following
        state, more = move_on(replace(state, moving=following, following=None), judging)
        verdicts += more
    if state.moving is not None:
        return state, verdicts
    state, more = _still(state, judging)
    return state, verdicts + more


def _short_of_the_peg(state: State, motion: Motion) -> Motion:
    """Return the own ball's motion, shortened so that it ends before the peg. It is used after
    another ball has hit the peg, because the own ball does not follow that ball there.
    """
    at = state.balls[motion.ball].at
    for number, direction in enumerate(motion.steps):
        at = None if at is None else step(at, direction)
        if at == PEG:
            return replace(motion, steps=motion.steps[:number])
    return motion


def _still(state: State, judging: Judging) -> Judged:
    """Decide what comes next once no ball moves: a croquet, a continuation shot, a bonus shot, or
    the end of the go. The player gets at most one more shot (DS-18).
    """
    me, name = state.active, seat_of(state).player
    struck, kind, ran = state.struck, state.kind, state.ran
    state = replace(state, said=None, struck=None, ran=False, roll="", peg_hit=False)
    stays = state.balls[me].state == "in_play" and state.void != "go"
    croquets = stays and struck is not None and state.balls[struck].state == "in_play"
    continues = struck is not None or kind in ("play-off", "croquet")
    earned = stays and not continues
    if ran and judging.reasons.holds("bonus_earned", earned, kind, croquets):
        return _bonus_shot(state, judging)
    if not stays:
        return end_go(state, judging.on)
    if croquets and struck is not None:
        state = with_ball(state, me, at=state.balls[struck].at)
        return replace(state, expects="croquet", struck=struck), ()
    if continues:
        text = f"{name} has a continuation shot."
        if struck is not None:
            text = f"{name_of(state, struck)} is out of play, so there is no croquet: {text}"
        call = call_for(
            state,
            judging.on,
            "continuation_shot",
            me,
            text,
            rule="Roquets" if struck is None else "The boundary",
        )
        return replace(state, expects="continuation", kind="continuation"), (call,)
    return end_go(state, judging.on)


def _bonus_shot(state: State, judging: Judging) -> Judged:
    text = f"{seat_of(state).player} has run a hoop and has a bonus shot."
    call = call_for(state, judging.on, "bonus_shot", state.active, text, rule="The hoops")
    return replace(state, expects="shot", kind="bonus"), (call,)


def end_go(state: State, on: str) -> Judged:
    """End the go and begin that of the next ball that is still in the match. If there is none, the
    match ends level.

    For a void go, return no verdicts, because they were already given at the real end of the go.
    """
    ended = turn_ended(state, on)
    index = next(
        (i % 4 for i in range(state.active + 1, state.active + 5) if state.balls[i % 4].plays), None
    )
    if index is None:
        level = Call(
            on=on, call="game_won", rule="Object", text="Nobody can play on; the match ends level."
        )
        return replace(state, over=True, expects="nothing", roll="", moving=None, following=None), (
            ended,
            level,
        )
    expects = "shot" if state.balls[index].state == "in_play" else "place"
    following = State(state.table, state.balls, active=index, expects=expects, go=state.go + 1)
    return following, () if state.void == "go" else (ended, turn_began(following, on))


def turn_ended(state: State, on: str) -> Call:
    """Return the call with which a go ends."""
    return call_for(
        state,
        on,
        "turn_ended",
        state.active,
        f"{name_of(state, state.active)} has had its go.",
        rule="Play",
    )


def turn_began(state: State, on: str) -> Call:
    """Return the call with which a go begins."""
    ball = state.balls[state.active]
    enters = "" if ball.state == "in_play" else ", which is placed first"
    return call_for(
        state,
        on,
        "turn_began",
        state.active,
        f"It is {seat_of(state).player}'s go with the {seat_of(state).pawn} ball{enters}.",
        rule="Play",
    )


def won(state: State, on: str, team: str, rule: str, because: str) -> Judged:
    """End the match with this winning team."""
    names = tuple(dict.fromkeys(seat.player for seat in state.table.seats if seat.team == team))
    winner = tuple(name for name in state.table.players if name in names)
    text = f"{' and '.join(winner)} {'win' if len(winner) > 1 else 'wins'}: {because}."
    state = replace(
        state,
        over=True,
        winner=winner,
        expects="nothing",
        roll="",
        moving=None,
        following=None,
        said=None,
    )
    return state, (Call(on=on, call="game_won", player=winner[0], rule=rule, text=text),)
