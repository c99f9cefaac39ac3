"""The die of Croquet for piecepack, and what each expected roll decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.lawn import PEG
from referee.games.piecepack_croquet.moving import may_step, no_step, stop
from referee.games.piecepack_croquet.state import (
    LAST_HOOP,
    LONGEST,
    Announced,
    Judged,
    Judging,
    Motion,
    State,
    Stroke,
    call_for,
    decider,
    name_of,
    seat_of,
    team_mate,
    with_ball,
)
from referee.games.piecepack_croquet.turns import go_on, play, won

BLANK: Final = "null"
ACE: Final = "ace"


def rolled(state: State, judging: Judging, face: str) -> Judged:
    """Judge a roll that is expected, or the special shot played in its place."""
    return DECIDED_BY[state.roll](state, judging, face)


def succeeds(face: str, difficulty: int) -> bool:
    """Return whether a roll reaches the difficulty. An ace always does, and a blank never does."""
    return face == ACE or (face != BLANK and int(face) >= difficulty)


def _no_blank_and_enough(judging: Judging, face: str, difficulty: int) -> tuple[bool, bool]:
    """Return whether a roll is no blank, and whether it reaches the difficulty."""
    holds = judging.reasons.holds
    return holds("no_blank", face != BLANK), holds(
        "high_enough", succeeds(face, difficulty), difficulty
    )


def _shown(face: str) -> str:
    return {BLANK: "a blank", ACE: "the ace"}.get(face, f"a {face}")


def _shot(state: State, judging: Judging, face: str) -> Judged:
    said, me, name = state.said, state.active, seat_of(state).player
    assert isinstance(said, Announced)
    difficulty = len(said.steps)
    no_blank, enough = _no_blank_and_enough(judging, face, difficulty)
    if not no_blank:
        return _disaster(state, judging, "Hitting the ball")
    facts = {"difficulty": difficulty, "rolled": face}
    rolls = f"{name} has {_shown(face)} against a difficulty of {difficulty}"
    if enough:
        call = call_for(
            state,
            judging.on,
            "shot_succeeded",
            me,
            f"{rolls}: the shot succeeds.",
            rule="Hitting the ball",
            facts=facts,
        )
        motion = Motion(me, said.steps, tested=True, difficulty=difficulty, meant=PEG in said.route)
    else:
        text = (
            f"{rolls}: a misshot; the ball makes {face} of its steps, then a roll decides in which"
            " direction it goes on."
        )
        call = call_for(
            state, judging.on, "misshot", me, text, rule="Hitting the ball", facts=facts
        )
        motion = Motion(me, said.steps, pause=int(face))
    state, more = play(state, judging, motion)
    return state, (call, *more)


def _disaster(state: State, judging: Judging, rule: str) -> Judged:
    who = state.table.seats[decider(state)].player
    text = f"{seat_of(state).player} rolls a blank, a disaster: {who} decides where the ball goes."
    return replace(state, expects="disaster", roll=""), (
        call_for(
            state, judging.on, "disaster", state.active, text, rule=rule, facts={"decides": who}
        ),
    )


def _direction(state: State, judging: Judging, face: str) -> Judged:
    motion = state.moving
    assert motion is not None
    veers = lawn.turned(motion.steps[0], -1 if face in ("3", "4") else 1)
    keeps = face in (BLANK, "2")
    ways = (motion.steps[0], veers, len(motion.steps))
    keeps = judging.reasons.holds("keeps_to_route", keeps, *ways, keeps)
    way = (
        "keeps to its route and stops one point before its end"
        if keeps
        else f"goes {lawn.IN_WORDS[veers]} for the rest of its way"
    )
    text = f"With {_shown(face)} {name_of(state, motion.ball)} {way}."
    call = call_for(
        state,
        judging.on,
        "misshot_direction",
        motion.ball,
        text,
        rule="Hitting the ball",
        facts={"rolled": face},
    )
    steps = motion.steps[:-1] if keeps else (veers,) * len(motion.steps)
    state, more = go_on(
        replace(state, moving=replace(motion, steps=steps, pause=None), expects="", roll=""),
        judging,
    )
    return state, (call, *more)


def _hoop(state: State, judging: Judging, face: str) -> Judged:
    motion = state.moving
    assert motion is not None
    state = replace(state, expects="", roll="")
    if all(_no_blank_and_enough(judging, face, motion.difficulty)):
        return go_on(state, judging)
    state, calls = stop(state, judging)
    state, more = go_on(state, judging)
    return state, calls + more


def _peg(state: State, judging: Judging, face: str) -> Judged:
    motion = state.moving
    assert motion is not None
    state = replace(state, expects="", roll="")
    hoops = state.balls[motion.ball].hoops
    meant = judging.reasons.holds(
        "meant_for_peg", meant_for_peg(state, motion), motion.ball, hoops, motion.meant
    )
    if not judging.reasons.holds("hits_peg", (face not in (BLANK, ACE)) == meant, meant):
        text = f"With {_shown(face)} {name_of(state, motion.ball)} misses the peg."
        call = call_for(
            state, judging.on, "no_effect", motion.ball, text, rule="The peg", place="peg"
        )
    elif not may_step(state, judging, motion.ball):
        call = no_step(state, judging, motion.ball, "peg")
    else:
        return _pegged(state, judging, motion.ball)
    state, more = go_on(state, judging)
    return state, (call, *more)


def meant_for_peg(state: State, motion: Motion) -> bool:
    """Return whether the player sends the ball on to the peg on purpose, to take it out of the game
    (DS-19).
    """
    return (
        motion.meant and motion.ball == state.active and state.balls[motion.ball].hoops == LAST_HOOP
    )


def _pegged(state: State, judging: Judging, index: int) -> Judged:
    hoops = state.balls[index].hoops
    out = judging.reasons.holds("six_hoops_run", hoops == LAST_HOOP, hoops)
    state = replace(state, moving=None)
    if index != state.active:
        state = replace(state, peg_hit=True)
    if not out:
        text = f"{name_of(state, index)} hits the peg before it has run six hoops and starts again."
        call = call_for(state, judging.on, "pegged", index, text, rule="The peg", place="peg")
        state, more = go_on(with_ball(state, index, hoops=0, state="not_entered", at=None), judging)
        return state, (call, *more)
    call = call_for(
        state,
        judging.on,
        "pegged_out",
        index,
        f"{name_of(state, index)} hits the peg with six hoops run and is pegged out.",
        rule="The peg",
        place="peg",
    )
    state = with_ball(state, index, state="pegged_out", at=None)
    mate = state.balls[team_mate(index)]
    if mate.state == "pegged_out" and not (mate.conceded or state.balls[index].conceded):
        state, more = won(
            state, judging.on, state.table.seats[index].team, "Object", "both balls are pegged out"
        )
    else:
        state, more = go_on(state, judging)
    return state, (call, *more)


def straight(ball: int, direction: int, distance: int, *, tested: int = 0) -> Motion:
    """Return a ball's motion in a straight line. `tested` is the difficulty of the roll at hoops
    that the ball enters diagonally; with 0 the ball stops on them.
    """
    return Motion(ball, (direction,) * min(distance, LONGEST), tested=tested > 0, difficulty=tested)


def _follow_of(state: State, stroke: Stroke, tested: int = 0) -> Motion | None:
    return (
        None
        if stroke.follow is None
        else straight(state.active, stroke.follow, stroke.follow_distance, tested=tested)
    )


def _croquet(state: State, judging: Judging, face: str) -> Judged:
    stroke, me = state.said, state.active
    assert isinstance(stroke, Stroke)
    facts = {"difficulty": stroke.distance, "rolled": face}
    way = lawn.IN_WORDS[stroke.direction]
    text = (
        f"{seat_of(state).player} croquets {name_of(state, stroke.ball)} {way}: rolls"
        f" {_shown(face)} against a difficulty of {stroke.distance}."
    )
    made = call_for(
        state,
        judging.on,
        "croquet_made",
        me,
        text,
        rule="Roquets",
        with_=state.table.seats[stroke.ball].pawn,
        facts=facts,
    )
    no_blank, enough = _no_blank_and_enough(judging, face, stroke.distance)
    if not no_blank:
        state, calls = _disaster(state, judging, "Roquets")
        return state, (made, *calls)
    if enough:
        ball = straight(stroke.ball, stroke.direction, stroke.distance, tested=stroke.distance)
        state, more = play(state, judging, ball, _follow_of(state, stroke, stroke.distance))
        return state, (made, *more)
    text = f"The croquet is a misshot: {name_of(state, stroke.ball)} makes only one step."
    missed = call_for(
        state,
        judging.on,
        "misshot",
        me,
        text,
        rule="Roquets",
        with_=state.table.seats[stroke.ball].pawn,
        facts=facts,
    )
    state, more = play(
        state,
        judging,
        straight(stroke.ball, stroke.direction, 1),
        _follow_of(state, stroke),
        doubtful=stroke.follow is not None,
    )
    return state, (made, missed, *more)


def _follow(state: State, judging: Judging, face: str) -> Judged:
    state = replace(state, doubtful=False, expects="", roll="")
    if judging.reasons.holds("follow_succeeds", face not in (BLANK, ACE)):
        return go_on(state, judging)
    who = state.table.seats[decider(state)].player
    text = (
        f"With {_shown(face)} the follow-through fails: {who} decides where"
        f" {name_of(state, state.active)} goes."
    )
    call = call_for(
        state,
        judging.on,
        "follow_failed",
        state.active,
        text,
        rule="Roquets",
        facts={"decides": who},
    )
    return replace(state, expects="disaster"), (call,)


#: For each kind of roll that may be expected, the function that judges it.
DECIDED_BY: Final[Mapping[str, Callable[[State, Judging, str], Judged]]] = {
    "shot": _shot,
    "direction": _direction,
    "hoop": _hoop,
    "peg": _peg,
    "croquet": _croquet,
    "follow": _follow,
}
