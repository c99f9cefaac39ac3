"""Wickets passed and stakes struck: what a ball scores on its way over the board."""

from __future__ import annotations

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.games.wickets.board import HEADING_NAMES, Space, Step
from referee.games.wickets.routes import headings_of, start_of
from referee.games.wickets.state import (
    Judged,
    State,
    ball_name,
    call_for,
    is_rover,
    next_step,
    place_name,
    seat_of,
    with_ball,
)


def walked(
    state: State,
    entered: tuple[Space, ...],
    on: str,
    reasons: Reasons,
    *,
    stops: bool,
    entitled: bool,
) -> Judged:
    """Move the active ball over spaces, and through wickets on them. `stops` is True if the ball
    stays on the last space.
    """
    index, at = state.active, start_of(state)
    came, verdicts = state.balls[index].came, tuple[Verdict, ...]()
    headings = headings_of(at, entered) or ()
    wickets = state.table.board.wickets
    leaving = ((None, at),) if stops else ()
    for heading, space in (*zip(headings, entered, strict=True), *leaving):
        if at in wickets:
            state, more = left_wicket(
                state, index, wickets[at], came, heading, on, reasons, own=True, entitled=entitled
            )
            verdicts += more
        if heading is not None:
            at, came = space, heading
    return with_ball(state, index, at=at, came=came), verdicts


def left_wicket(
    state: State,
    index: int,
    place: str,
    came: str | None,
    heading: str | None,
    on: str,
    reasons: Reasons,
    *,
    own: bool,
    entitled: bool,
) -> Judged:
    """Judge a ball that came to the space of the wicket `place` in the heading `came`, and leaves
    it in `heading` (None: it stops there).

    It passes a wicket that it entered from the front and leaves by the far side (WK-6). `own` is
    True in a strike by the ball's own player; only such a strike earns a continuation shot (WK-14).
    """
    step = next_step(state, index)
    if not comes_next(step, index, place, reasons):
        return state, _through_another(state, index, place, came, heading, on)
    assert step is not None
    details = (index, place, came, heading, step.heading)
    if not reasons.holds("passed_through", came == heading == step.heading, *details):
        return state, _not_passed(state, index, step, came, heading, on)
    if not may_step(state, index, reasons, entitled=entitled):
        return state, (no_step(state, index, place, on),)
    return scored(state, index, step, on, own=own)


def may_step(state: State, index: int, reasons: Reasons, *, entitled: bool) -> bool:
    """Return whether a ball can make a step in this shot. If the player had no right to the shot
    (not `entitled`), that player's balls make none.
    """
    own = state.table.seats[index].name == seat_of(state).name
    return not reasons.fails("may_step", not entitled and own, index)


def no_step(state: State, index: int, place: str, on: str) -> Call:
    """Return the call for a ball that comes through its next wicket or to its next stake in a void
    shot.
    """
    text = (
        f"{ball_name(state, index)} gains nothing at {place_name(place)}: its player had no right"
        " to this shot."
    )
    return call_for(state, on, "no_effect", index, text, place=place)


def comes_next(step: Step | None, index: int, place: str, reasons: Reasons) -> bool:
    """Return whether a wicket or stake is the ball's next step, which is `step`."""
    following = None if step is None else step.place
    return reasons.holds("comes_next", following == place, index, place, following)


def _through_another(
    state: State, index: int, place: str, came: str | None, heading: str | None, on: str
) -> tuple[Call, ...]:
    """Return the call about a ball that passes a wicket which is not its next step."""
    if came != heading or heading not in _across(state, place):
        return ()
    step = next_step(state, index)
    following = "none" if step is None else place_name(step.place)
    text = (
        f"{ball_name(state, index)} goes through {place_name(place)}, but its next step is"
        f" {following}."
    )
    return (call_for(state, on, "no_effect", index, text, place=place),)


def _not_passed(
    state: State, index: int, step: Step, came: str | None, heading: str | None, on: str
) -> tuple[Call, ...]:
    """Return the call about a ball that leaves the wicket of its next step in a way that does not
    count.
    """
    across = heading in _across(state, step.place)
    if heading is None or (across and came != heading != step.heading):
        return ()
    through = f"{ball_name(state, index)} goes through {place_name(step.place)}"
    if across and came == heading and step.heading is not None:
        text = f"{through} the wrong way: it must be passed to the {HEADING_NAMES[step.heading]}."
    else:
        how = "did not come in from its front" if across else "leaves it sideways"
        text = f"{through}, but {how}: that does not count."
    return (call_for(state, on, "no_effect", index, text, place=step.place),)


def _across(state: State, place: str) -> set[str]:
    """Return the headings in which a wicket can be passed, in the right direction or the wrong
    one.
    """
    right = {
        step.heading
        for step in state.table.board.course
        if step.place == place and step.heading is not None
    }
    turned = {"n": "s", "s": "n", "e": "w", "w": "e"}
    return right | {turned[heading] for heading in right}


def scored(state: State, index: int, step: Step, on: str, *, own: bool) -> Judged:
    """Make the next step of a ball's course: the ball gets a point, and every ball is alive to it
    again. After the last wicket it is a rover.
    """
    who = ball_name(state, index)
    wicket = step.heading is not None
    label = f" ({step.label})" if step.label is not None else ""
    text = f"{who} {'passes' if wicket else 'strikes'} {place_name(step.place)}{label}: a point."
    if not own:
        text = f"{text} There is no continuation shot for it: it was croqueted there."
    state = with_ball(state, index, points=state.balls[index].points + 1, dead=frozenset())
    facts = {"label": step.label} if step.label is not None else {}
    verdicts = [
        call_for(
            state,
            on,
            "wicket_scored" if wicket else "stake_scored",
            index,
            text,
            rule=_rule(state),
            place=step.place,
            facts=facts,
        )
    ]
    if wicket and is_rover(state, index):
        text = f"{who} has passed the last wicket and is a rover: all balls are alive to it."
        verdicts.append(call_for(state, on, "rover", index, text))
    return state, tuple(verdicts)


def _rule(state: State) -> str:
    return state.table.section


def taken_out(state: State, index: int, on: str, *, finished: bool) -> Judged:
    """Take a ball off the board for good: it has finished, or it was croqueted into the stake as a
    rover (WK-17).
    """
    pawn, who = state.table.seats[index].pawn, ball_name(state, index)
    text = (
        f"{who} has done the whole course."
        if finished
        else f"{who} is driven into the stake: it is out and gets no point for the stake."
    )
    state = with_ball(state, index, at=None, came=None, out=True, finished=finished)
    for i, ball in enumerate(state.balls):
        if pawn in ball.dead:
            state = with_ball(state, i, dead=ball.dead - {pawn})
    return state, (call_for(state, on, "staked_out", index, text),)


def at_stake(
    state: State, index: int, place: str, on: str, reasons: Reasons, *, entitled: bool
) -> Judged:
    """Judge a ball that comes to a stake in another ball's croquet. It scores if the stake is its
    next step, and a rover is out. Any other ball stops before the stake (WK-17).
    """
    if not comes_next(next_step(state, index), index, place, reasons):
        return state, ()
    if not may_step(state, index, reasons, entitled=entitled):
        return state, (no_step(state, index, place, on),)
    return reaches_stake(state, index, on, own=False)


def reaches_stake(state: State, index: int, on: str, *, own: bool) -> Judged:
    """Score a ball that strikes the stake that is its next step. If that is its last stake, the
    ball is taken off the board, and gets a point only in its player's `own` strike (WK-17).
    """
    step, rover = next_step(state, index), is_rover(state, index)
    assert step is not None
    if rover and not own:
        return taken_out(state, index, on, finished=False)
    state, verdicts = scored(state, index, step, on, own=own)
    if not rover:
        return state, verdicts
    state, out = taken_out(state, index, on, finished=True)
    return state, verdicts + out
