"""Moves balls step by step over the lawn, into other balls, through hoops, on to the peg and over
the edge.

One ball moves at a time. A ball that meets another one stops, and the other ball moves on.
`move_on` runs until no ball moves or a roll is needed.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.lawn import HOOP_AT, PEG, Point
from referee.games.piecepack_croquet.state import (
    Judged,
    Judging,
    Motion,
    State,
    ball_at,
    call_for,
    name_of,
    seat_of,
    with_ball,
)

Verdicts = tuple[Verdict, ...]


def move_on(state: State, judging: Judging) -> Judged:
    """Move the moving ball, then the ball it meets, and so on, until no ball moves (`moving` is
    None) or a roll is needed (`expects` is "roll").
    """
    verdicts: Verdicts = ()
    while True:
        motion = state.moving
        if motion is None:
            return state, verdicts
        if not motion.steps:
            state, more = stop(state, judging)
        elif motion.pause == 0:
            return await_roll(state, "direction"), verdicts
        else:
            state, more = _step(state, judging)
        verdicts += more
        if state.expects == "roll":
            return state, verdicts


def await_roll(state: State, what: str) -> State:
    """Return the state in which a roll is expected. `what` names what the roll decides."""
    return replace(state, expects="roll", roll=what)


def stop(state: State, judging: Judging) -> Judged:
    """Stop the moving ball where it is."""
    assert state.moving is not None
    index = state.moving.ball
    state = replace(state, moving=None)
    return state, _on_hoop(state, judging, index)


def _on_hoop(state: State, judging: Judging, index: int) -> Verdicts:
    hoop = HOOP_AT.get(_at(state, index))
    if hoop is None:
        return ()
    due = ", its next one," if comes_next(state, judging, index, hoop) else ""
    if not judging.reasons.fails("hoop_left", True, index, hoop):
        return ()
    text = f"{name_of(state, index)} stands on hoop {hoop}{due} and has not gone through."
    return (
        call_for(state, judging.on, "on_hoop", index, text, rule="The hoops", place=f"hoop-{hoop}"),
    )


def comes_next(state: State, judging: Judging, index: int, hoop: int) -> bool:
    """Return whether this hoop is the ball's next one."""
    hoops = state.balls[index].hoops
    return judging.reasons.holds("hoop_next", hoop == hoops + 1, index, hoop, hoops)


def may_step(state: State, judging: Judging, index: int) -> bool:
    """Return whether hoops and the peg count for a ball in this shot. If the player had no right to
    the shot, they do not count for that player's balls.
    """
    own = state.table.seats[index].player == seat_of(state).player
    return not judging.reasons.fails("may_step", not judging.entitled and own, index)


def no_step(state: State, judging: Judging, index: int, place: str) -> Call:
    """Return the call for a ball that runs its next hoop or hits the peg in a void shot."""
    name, rule = place.replace("-", " "), "The hoops"
    if place == "peg":
        name, rule = "the peg", "The peg"
    text = f"{name_of(state, index)} gains nothing at {name}: its player had no right to this shot."
    return call_for(state, judging.on, "no_effect", index, text, rule=rule, place=place)


def _at(state: State, index: int) -> Point:
    at = state.balls[index].at
    assert at is not None
    return at


def _step(state: State, judging: Judging) -> Judged:
    motion = state.moving
    assert motion is not None
    here, direction = _at(state, motion.ball), motion.steps[0]
    to = lawn.step(here, direction)
    if here in HOOP_AT and lawn.sideways(direction):
        return stop(state, judging)
    if not lawn.on_lawn(to):
        return _out(state, judging)
    side = to in HOOP_AT and lawn.sideways(direction)
    if side and judging.reasons.fails("hoop_not_from_side", side, motion.ball, to):
        return _side_of_hoop(state, judging, HOOP_AT[to])
    other = ball_at(state, to, motion.ball)
    if other is not None:
        return _collide(state, judging, other, to)
    state, through = _arrive(state, judging, to)
    state, more = _at_new_point(state, judging, to, direction)
    return state, through + more


def _arrive(state: State, judging: Judging, to: Point) -> Judged:
    """Make the moving ball's next step. If it stood on a hoop, it leaves that hoop."""
    motion = state.moving
    assert motion is not None
    here, direction = _at(state, motion.ball), motion.steps[0]
    pause = None if motion.pause is None else motion.pause - 1
    balls = list(state.balls)
    balls[motion.ball] = replace(balls[motion.ball], at=to)
    moving = replace(motion, steps=motion.steps[1:], pause=pause)
    state = replace(state, balls=tuple(balls), moving=moving)
    if here in HOOP_AT:
        return _through(state, judging, motion.ball, HOOP_AT[here], direction)
    return state, ()


def _at_new_point(state: State, judging: Judging, to: Point, direction: int) -> Judged:
    motion = state.moving
    assert motion is not None
    if to == PEG:
        return await_roll(state, "peg"), ()
    if to in HOOP_AT and lawn.diagonal(direction) and motion.steps:
        return (await_roll(state, "hoop"), ()) if motion.tested else stop(state, judging)
    return state, ()


def _through(state: State, judging: Judging, index: int, hoop: int, direction: int) -> Judged:
    place, follows = f"hoop-{hoop}", comes_next(state, judging, index, hoop)
    forwards = lawn.forwards(hoop, direction)
    text, way = f"{name_of(state, index)} goes through hoop {hoop}", ""
    if not judging.reasons.holds("hoop_forwards", forwards, index, hoop):
        text, way = f"{text} the wrong way: no effect.", "backwards"
    elif not follows:
        text, way = f"{text}, but that is not its next hoop.", "forwards"
    if way:
        facts = {"way": way}
        return state, (
            call_for(
                state, judging.on, "no_effect", index, text, rule="Play", place=place, facts=facts
            ),
        )
    if not may_step(state, judging, index):
        return state, (no_step(state, judging, index, place),)
    state = with_ball(state, index, hoops=hoop)
    if index == state.active:
        state = replace(state, ran=True, roqueted=frozenset())
    return state, (
        call_for(state, judging.on, "hoop_run", index, f"{text}.", rule="The hoops", place=place),
    )


def _out(state: State, judging: Judging) -> Judged:
    assert state.moving is not None
    index = state.moving.ball
    state = replace(with_ball(state, index, state="off_lawn"), moving=None)
    at = _at(state, index)
    text = f"{name_of(state, index)} leaves the lawn at {at} and is out of play until its turn."
    return state, (
        call_for(
            state,
            judging.on,
            "out_of_lawn",
            index,
            text,
            rule="The boundary",
            facts={"at": list(at)},
        ),
    )


def _side_of_hoop(state: State, judging: Judging, hoop: int) -> Judged:
    assert state.moving is not None
    index = state.moving.ball
    text = f"{name_of(state, index)} meets the side of hoop {hoop} and stops before it."
    call = call_for(
        state,
        judging.on,
        "no_effect",
        index,
        text,
        rule="The hoops",
        place=f"hoop-{hoop}",
        facts={"way": "sideways"},
    )
    state, more = stop(state, judging)
    return state, (call, *more)


def knocked_on(state: State, left: int) -> int:
    """Return how many steps a ball moves when a ball with `left` steps left hits it: half of these,
    rounded up, but at least the number in the option `min_knock_on` (DS-6).
    """
    return max((left + 1) // 2, state.table.min_knock_on)


def can_move(state: State, index: int, direction: int, distance: int) -> bool:
    """Return whether a ball that is hit can leave its place (DS-6, DS-20)."""
    if distance == 0:
        return False
    to = lawn.step(_at(state, index), direction)
    if not lawn.on_lawn(to):
        return True
    if to in HOOP_AT and lawn.sideways(direction):
        return False
    other = ball_at(state, to, index)
    return other is None or can_move(state, other, direction, knocked_on(state, distance - 1))


def _collide(state: State, judging: Judging, other: int, to: Point) -> Judged:
    motion = state.moving
    assert motion is not None
    direction = motion.steps[0]
    distance = knocked_on(state, len(motion.steps) - 1)
    moves = can_move(state, other, direction, distance)
    verdicts: Verdicts = ()
    if moves:
        state, verdicts = _arrive(state, judging, to)
    first, second = name_of(state, motion.ball), name_of(state, other)
    knocked = (
        f"{second} moves on by {distance} {'point' if distance == 1 else 'points'}."
        if moves
        else f"{second} stays where it is, and {first} stops one point before it."
    )
    facts = {"at": list(to), "knocked_on": distance if moves else 0}
    why_not = _no_roquet(state, judging, motion.ball, other, facts)
    text = f"{first} hits {second}. {knocked}{why_not or ''}"
    pawn = state.table.seats[other].pawn
    verdicts += (
        call_for(
            state,
            judging.on,
            "collision",
            motion.ball,
            text,
            rule="Hitting another ball",
            with_=pawn,
            facts=facts,
        ),
    )
    if why_not is None:
        state, roquet = _roquet(state, judging, motion.ball, other)
        verdicts += roquet
    verdicts += _on_hoop(state, judging, motion.ball)
    return (
        replace(state, moving=Motion(other, (direction,) * distance) if moves else None),
        verdicts,
    )


def _no_roquet(
    state: State, judging: Judging, first: int, other: int, facts: dict[str, object]
) -> str | None:
    """Return, as a sentence, why a ball does not roquet the ball it hits; None if it does. The text
    is empty if it is another ball's go.
    """
    holds, hoops = judging.reasons.holds, state.balls[first].hoops
    if not holds("own_ball_hits", first == state.active, first, other, facts):
        return ""
    begun = holds("hoop_1_run", hoops > 0, first, hoops)
    anew = holds("not_roqueted_before", other not in state.roqueted, other, state.roqueted)
    if not judging.entitled:
        return " There is no roquet, because the player had no right to this shot."
    if not begun:
        return " There is no roquet before hoop 1."
    return None if anew else " It has already been roqueted in this go."


def _roquet(state: State, judging: Judging, first: int, other: int) -> Judged:
    state = replace(state, roqueted=state.roqueted | {other}, struck=other)
    text = f"{name_of(state, first)} roquets {name_of(state, other)}."
    return state, (
        call_for(
            state,
            judging.on,
            "roquet",
            first,
            text,
            rule="Roquets",
            with_=state.table.seats[other].pawn,
        ),
    )
