"""Hits in Tabletop Croquet: what a coin earns by touching another coin."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Question
from referee.domain.clause import Reasons
from referee.domain.incident import Contact
from referee.games.tabletop_croquet.state import (
    TURNS,
    Judged,
    State,
    Why,
    call_for,
    has_right,
    in_play,
    is_on_table,
    is_own,
    no_effect,
    off_table,
    seat_of,
    whose,
    why_void,
    with_coin,
    with_flick,
)
from referee.games.tabletop_croquet.winning import last_left, won


def touched(state: State, entry: Contact, reasons: Reasons, *, upheld: bool) -> Judged:
    """Judge a coin's contact with another coin (TC-6, TC-13). There is no rule about a contact with
    a tile.
    """
    on, coin, other = str(entry.id), entry.coin, entry.with_
    coins = coin != other and coin in state.table.by_coin and other in state.table.by_coin
    if reasons.fails("touches_a_coin", not coins, other):
        return state, ()
    if not reasons.holds("under_way", state.flick is not None):
        text = "Two coins touch, but nothing is being flicked."
        return no_effect(state, on, coin, text, with_=other)
    flick = state.flick
    assert flick is not None
    touching = flick.touching & {coin, other} if flick.coin in (coin, other) else frozenset()
    again = bool(touching & flick.met)
    state = with_flick(state, met=flick.met | touching)
    if not has_right(state, coin, reasons):
        return no_effect(state, on, coin, why_void(state, coin), with_=other)
    if reasons.fails("may_hit", not flick.hits):
        text = f"{_touches(state, coin, other)}, but contacts are no hits in this flick."
        return no_effect(state, on, coin, text, with_=other)
    own = reasons.holds("own_flick", is_own(state, coin), coin)
    met = None if again and not upheld else again
    anew = reasons.holds(
        "met_anew", met if touching else True, other, again, touching, flick.touching
    )
    why = _why_no_hit(state, coin, other, reasons)
    if not own:
        text = (
            f"{_touches(state, coin, other)}: only the coin that is being played can hit another."
        )
        return no_effect(state, on, coin, text, with_=other)
    if not anew:
        return _met(state, on, coin, other, again=again)
    if why is not None:
        return no_effect(state, on, coin, why[0], with_=other, rule=why[1])
    return _struck(state, on, other, reasons)


def _touches(state: State, coin: str, other: str) -> str:
    return f"{whose(state, coin)} touches {whose(state, other)}"


def _met(state: State, on: str, coin: str, other: str, *, again: bool) -> Judged:
    """Judge a contact of two coins that already lay against each other. If they may have parted and
    met again, return a question.
    """
    if not again:
        text = f"{whose(state, other)} already lay against this coin: that is no hit."
        return no_effect(state, on, coin, text, rule="Fouls", with_=other)
    text = (
        f"{whose(state, coin)} lay against {whose(state, other)} and seems to have met it again."
        " Did the two part and meet again?"
    )
    asked = Question(
        on=on,
        what="met_again",
        rule="Fouls",
        text=text,
        answers=("upheld", "overturned"),
        coin=coin,
        player=seat_of(state).name,
        weighed=True,
    )
    return state, (asked,)


def _why_no_hit(state: State, coin: str, other: str, reasons: Reasons) -> Why:
    """Return why a contact with another coin earns nothing, with the section of the rules that says
    so; None if the contact is a hit.
    """
    seat, index = seat_of(state), state.table.by_coin[other]
    theirs, team = state.coins[index], state.table.seats[index].team
    on_table = is_on_table(state, coin, reasons)
    can_be_hit = reasons.holds("hit_in_play", in_play(theirs), other, theirs.state)
    opponent = not state.table.teams or reasons.holds("other_team", team != seat.team, other, team)
    alive = reasons.holds("not_hit_yet", other not in state.dead, other, state.dead)
    hits = f"{seat.name} hits {whose(state, other)}"
    if not on_table:
        return off_table(seat.name)
    if not can_be_hit:
        return f"{whose(state, other)} is out of the game: hitting it earns nothing.", "Winning"
    if not opponent:
        return f"{hits}, a coin of the same team: that earns nothing.", "Team play"
    return None if alive else _why_dead(state, other)


def _why_dead(state: State, other: str) -> Why:
    name = seat_of(state).name
    if state.coins[state.active].state == "rover":
        text = (
            f"{name} has hit {whose(state, other)} already this turn: a rover earns flicks by each"
            " coin once."
        )
        return text, "Team play"
    text = (
        f"{name} hits {whose(state, other)} again without a step of the course since: that earns"
        " nothing."
    )
    return text, TURNS


def _struck(state: State, on: str, other: str, reasons: Reasons) -> Judged:
    assert state.flick is not None
    seat, index, hit = seat_of(state), state.table.by_coin[other], state.flick.hit
    mine, theirs = state.coins[state.active], state.coins[index]
    entered = "playing" if theirs.state == "not_entered" else theirs.state
    state = with_coin(state, index, state=entered, fresh=False)
    kills = mine.state == "poison" and not theirs.conceded
    if reasons.succeeds("kills", kills, other):
        return _killed(state, on, index, reasons)
    state = replace(state, flicks=state.flicks + 2, dead=state.dead | {other})
    state = with_flick(state, hit=hit | {other})
    text = f"{seat.name} hits {whose(state, other)} and earns two flicks."
    rule = "Team play" if mine.state == "rover" else TURNS
    call = call_for(state, on, "hit_scored", state.active, text, rule=rule, with_=other, flicks=2)
    return state, (call,)


def _killed(state: State, on: str, index: int, reasons: Reasons) -> Judged:
    killer, victim = seat_of(state), state.table.seats[index]
    state = with_coin(replace(state, flicks=state.flicks + 2), index, state="killed", lift=True)
    text = f"{killer.name}'s poison coin kills {victim.name}'s coin and earns two flicks."
    call = call_for(state, on, "killed", index, text, rule="Poison", with_=killer.coin, flicks=2)
    left = last_left(state, reasons)
    if left is None:
        return state, (call,)
    state, more = won(state, on, left, "Poison")
    return state, (call, *more)
