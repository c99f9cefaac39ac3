"""The croquet of Wickets: one die sends a roqueted ball in a straight line, and the turn is over
(WK-9/10).
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.clause import Reasons
from referee.domain.declaration import WicketsCroquet
from referee.games.wickets.board import HEADING_NAMES, HEADINGS, Space, ahead
from referee.games.wickets.scoring import at_stake, left_wicket
from referee.games.wickets.state import (
    Judged,
    State,
    ball_name,
    call_for,
    is_rover,
    refused,
    standing_on,
    with_ball,
)
from referee.games.wickets.turns import said_in_turn, turn_over


def croqueted(state: State, entry: WicketsCroquet, reasons: Reasons, *, entitled: bool) -> Judged:
    """Judge a croquet that a player declares: one ball that was roqueted, and its direction. If the
    die is thrown already, the ball goes at once.
    """
    on = str(entry.id)
    pawn = str(entry.pawn if entry.pawn is not None else entry.coin)
    said = said_in_turn(state, entry.player, reasons)
    roqueted = reasons.holds("roqueted", pawn in state.met, state.met)
    if not said or not roqueted:
        return _not_roqueted(state, entry, pawn, said=said)
    if reasons.fails("straight_direction", entry.direction not in HEADINGS):
        return refused(
            state,
            on,
            "declaration_not_allowed",
            "A croqueted ball must go north, east, south or west.",
        )
    if state.phase == "croquet":
        sent = replace(state, sent=(pawn, entry.direction))
        return croquet_thrown(sent, on, state.dice[0], reasons, entitled=entitled)
    return replace(state, phase="roll", dice=(), met=(), sent=(pawn, entry.direction)), ()


def _not_roqueted(state: State, entry: WicketsCroquet, pawn: str, *, said: bool) -> Judged:
    """Refuse a croquet that another player declared, or of a ball that was not roqueted."""
    if not said:
        text = f"{entry.player} declares a croquet, but it is another player's turn."
    elif state.met:
        text = f"The {pawn} ball was not roqueted; only {' or '.join(state.met)} can be croqueted."
    else:
        text = "A croquet can only be played right after a roquet."
    player = None if said else entry.player
    return refused(state, str(entry.id), "declaration_not_allowed", text, player=player)


def croquet_thrown(
    state: State, on: str, die: tuple[str, int], reasons: Reasons, *, entitled: bool
) -> Judged:
    """Play the rolled die of a croquet. If the direction was declared, move the ball. Otherwise
    expect the declaration next.
    """
    if state.sent is None:
        return replace(state, phase="croquet", dice=(die,)), ()
    pawn, heading = state.sent
    index, striker, spaces = state.table.by_pawn[pawn], state.active, die[1]
    dead = not is_rover(state, striker) and entitled
    begun = state
    state = replace(state, phase="roll", dice=(), met=(), sent=None)
    if dead:
        state = with_ball(state, striker, dead=state.balls[striker].dead | {pawn})
    state, verdicts = _travels(state, index, heading, spaces, on, reasons, entitled=entitled)
    call = _made(begun, on, index, heading, spaces, state.balls[index].at, dead=dead)
    state, more = turn_over(state, on)
    return state, (call, *verdicts, *more)


def _made(
    state: State, on: str, index: int, heading: str, spaces: int, at: Space | None, *, dead: bool
) -> Call:
    """Return the call of a croquet that sent the ball to `at` (None: off the board)."""
    striker = state.active
    ends = "it is driven into the stake" if at is None else f"it stops on {at}"
    kept = f" That ball is dead to {ball_name(state, striker)} until it scores." if dead else ""
    text = (
        f"{ball_name(state, striker)} croquets {ball_name(state, index)} {HEADING_NAMES[heading]}"
        f" with a {spaces}: {ends}.{kept}"
    )
    facts = {"direction": heading, "face": spaces, "to": None if at is None else list(at)}
    return call_for(
        state, on, "croquet_made", striker, text, with_=state.table.seats[index].pawn, facts=facts
    )


def _travels(
    state: State,
    index: int,
    heading: str,
    spaces: int,
    on: str,
    reasons: Reasons,
    *,
    entitled: bool,
) -> Judged:
    """Move the ball straight on until the die is used up, or the edge, another ball or a stake
    stops it.
    """
    board, at, came = state.table.board, state.balls[index].at, state.balls[index].came
    verdicts: tuple[Verdict, ...] = ()
    assert at is not None
    following = ahead(at, heading)
    for _ in range(spaces):
        if (
            not board.has(following)
            or following in board.stakes
            or standing_on(state, following, index)
        ):
            break
        if at in board.wickets:
            place = board.wickets[at]
            state, more = left_wicket(
                state, index, place, came, heading, on, reasons, own=False, entitled=entitled
            )
            verdicts += more
        at, came, following = following, heading, ahead(following, heading)
        spaces -= 1
    state = with_ball(state, index, at=at, came=came)
    if spaces and following in board.stakes:
        place = board.stakes[following]
        state, more = at_stake(state, index, place, on, reasons, entitled=entitled)
        verdicts += more
    return state, verdicts
