"""How a match of Tabletop Croquet is won: by finishing the course, or as the last player in
play.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.clause import Reasons
from referee.games.tabletop_croquet.state import STEPS, Judged, State, call_for, with_coin


def finished(state: State, on: str, index: int, reasons: Reasons) -> Judged:
    """Record that a coin has done the whole course: it has finished or becomes poison (TC-24). This
    may win the match.
    """
    seat = state.table.seats[index]
    poison = state.table.poison and not state.coins[index].conceded
    if reasons.succeeds("becomes_poison", poison, seat.coin):
        text = f"{seat.name} has done the whole course: the coin is poison from now on."
        call = call_for(state, on, "poisoned", index, text, rule="Poison")
        return with_coin(state, index, state="poison"), (call,)
    state = with_coin(state, index, state="finished", progress=len(STEPS), choice="")
    text = f"{seat.name} has done the whole course."
    call = call_for(state, on, "finished", index, text, rule="Winning")
    side = _side(state, index)
    done = all(state.coins[i].state == "finished" and not state.coins[i].conceded for i in side)
    if not reasons.succeeds("side_finished", done, tuple(state.table.seats[i].name for i in side)):
        return state, (call,)
    state, more = won(state, on, side, "Team play" if state.table.teams else "Winning")
    return state, (call, *more)


def _side(state: State, index: int) -> tuple[int, ...]:
    """Return the player and, with teams, the team-mates, in order of play."""
    seats = state.table.seats
    if not state.table.teams:
        return (index,)
    return tuple(i for i, seat in enumerate(seats) if seat.team == seats[index].team)


def wins_void_flick(state: State, index: int) -> bool:
    """Return whether this coin's finish would win the match for the player who made a void flick:
    all the other coins of that player's team have finished.
    """
    flick = state.flick
    if flick is None or not flick.void_by or not state.table.teams:
        return False
    side = _side(state, index)
    others = [state.coins[i] for i in side if i != index]
    mates = flick.void_by in [state.table.seats[i].name for i in side]
    return mates and all(coin.state == "finished" and not coin.conceded for coin in others)


def won(state: State, on: str, winners: tuple[int, ...], rule: str) -> Judged:
    """End the match with these winners."""
    names = tuple(state.table.seats[i].name for i in winners)
    text = f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'} the game."
    facts = {"winner": list(names) if state.table.teams else names[0]}
    call = call_for(state, on, "game_won", winners[0], text, rule=rule, facts=facts)
    return replace(state, over=True, winner=names), (call,)


def last_left(state: State, reasons: Reasons) -> tuple[int, ...] | None:
    """Return the players who have won because all the others have conceded or been killed; None
    while others are left.
    """
    seats, teams = state.table.seats, state.table.teams
    sides = [seat.team if teams else seat.name for seat in seats]
    left = {
        side
        for side, coin in zip(sides, state.coins, strict=True)
        if not coin.conceded and coin.state != "killed"
    }
    if not reasons.succeeds("one_side_left", len(left) == 1):
        return None
    return tuple(i for i, side in enumerate(sides) if side in left)
