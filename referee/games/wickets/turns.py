"""The turns of Wickets, and how a match ends."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call
from referee.domain.clause import Reasons
from referee.games.wickets.state import BOTH, Judged, State, call_for, seat_of


def turn_of(state: State) -> str:
    """Return the turn in words: the player, and the ball."""
    seat = seat_of(state)
    return f"{seat.name}'s turn with the {seat.pawn} ball"


def turn_began(state: State, on: str) -> Call:
    """Return the call with which a turn begins."""
    return call_for(
        state,
        on,
        "turn_began",
        state.active,
        f"It is {turn_of(state)}: two dice.",
        rule=state.table.section,
    )


def turn_over(state: State, on: str, why: str = "") -> Judged:
    """End the turn and begin that of the next ball that can still be played, or end the match.

    For a void turn, return no verdicts, because they were already given at the real end of the
    turn.
    """
    state, more = settled(state, on)
    if state.over:
        return state, more
    ended = () if state.void == "turn" else (turn_ended(state, on, why),)
    active = (state.active + 1) % len(state.balls)
    while not can_play(state, active):
        active = (active + 1) % len(state.balls)
    begun = replace(
        state,
        active=active,
        phase="roll",
        dice=(),
        met=(),
        sent=None,
        began=state.balls[active],
        number=state.number + 1,
        void="",
    )
    return begun, (*more, *ended, turn_began(begun, on)) if ended else more


def turn_ended(state: State, on: str, why: str = "") -> Call:
    """Return the call with which a turn ends."""
    return call_for(state, on, "turn_ended", state.active, f"{turn_of(state)} is over{why}.")


def can_play(state: State, index: int) -> bool:
    """Return whether a ball still has turns: it is not out and its player has not conceded."""
    return not state.balls[index].out and state.table.seats[index].name not in state.conceded


def settled(state: State, on: str) -> Judged:
    """End the match if a side has finished with all its balls, only one side is left, or no ball
    can be played (WK-17).
    """
    if not state.conceded and not any(ball.out for ball in state.balls):
        return state, ()
    numbers = range(len(state.table.sides))
    whole = [side for side in numbers if not _has_conceded(state, side)]
    for side in whole:
        if all(
            ball.finished
            for ball, seat in zip(state.balls, state.table.seats, strict=True)
            if seat.side == side
        ):
            return won(
                state,
                on,
                side,
                f"{_names(state, side)} finished the course with every ball and"
                f" {_wins(state, side)} the game.",
            )
    left = [side for side in numbers if not set(state.table.sides[side].players) <= state.conceded]
    if len(left) == 1 and len(state.table.sides) > 1:
        return won(
            state,
            on,
            left[0],
            f"{_names(state, left[0])} alone {'are' if _many(state, left[0]) else 'is'} left and"
            f" {_wins(state, left[0])} the game.",
        )
    if any(can_play(state, i) for i in range(len(state.balls))):
        return state, ()
    return _by_points(state, on, whole)


def _by_points(state: State, on: str, sides: list[int]) -> Judged:
    points = {
        side: sum(
            ball.points
            for ball, seat in zip(state.balls, state.table.seats, strict=True)
            if seat.side == side
        )
        for side in sides
    }
    most = max(points.values(), default=0)
    best = [side for side in sides if points[side] == most]
    if len(best) == 1:
        return won(
            state,
            on,
            best[0],
            f"Every ball is out: {_names(state, best[0])} {_wins(state, best[0])} with {most}"
            " points.",
        )
    text = (
        f"Every ball is out: the game ends level at {most} points."
        if best
        else "Nobody is left to play: the game ends without a winner."
    )
    return replace(state, over=True), (
        Call(on=on, call="game_won", rule=state.table.section, text=text),
    )


def won(state: State, on: str, side: int, text: str, rule: str | None = None) -> Judged:
    """End the match with this winning side."""
    players = state.table.sides[side].players
    facts = {"winner": list(players) if state.table.teams else players[0]}
    call = Call(
        on=on,
        call="game_won",
        player=players[0],
        rule=rule or state.table.section or BOTH,
        text=text,
        facts=facts,
    )
    return replace(state, over=True, winner=players), (call,)


def _has_conceded(state: State, side: int) -> bool:
    return bool(set(state.table.sides[side].players) & state.conceded)


def _many(state: State, side: int) -> bool:
    return len(state.table.sides[side].players) > 1


def _names(state: State, side: int) -> str:
    return " and ".join(state.table.sides[side].players)


def _wins(state: State, side: int) -> str:
    return "win" if _many(state, side) else "wins"


def said_in_turn(state: State, player: str | None, reasons: Reasons) -> bool:
    """Return whether a declaration comes from the player whose turn it is. `player` is the player
    that it names; None means the one whose turn it is.
    """
    return reasons.holds("said_in_turn", player in (None, seat_of(state).name), player)
