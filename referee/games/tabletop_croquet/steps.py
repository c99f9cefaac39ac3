"""Steps of the course in Tabletop Croquet: wickets crossed and endposts hit."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.clause import Reasons
from referee.domain.incident import Contact, LineCrossed
from referee.games.flicking import flicks_in_words
from referee.games.tabletop_croquet.state import (
    LAST_WICKET,
    POSTS,
    STEPS,
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
    place_name,
    why_void,
    with_coin,
    with_flick,
)
from referee.games.tabletop_croquet.winning import finished, wins_void_flick


def crossed(state: State, entry: LineCrossed, reasons: Reasons) -> Judged:
    """Judge a coin whose centre crossed a wicket's line. It makes a step if the wicket is its next
    one and the direction is right (TC-3, TC-4).
    """
    on, coin, place = str(entry.id), entry.coin, entry.line
    if not _is_played(state, coin, reasons):
        text = f"A coin crosses {place_name(place)}, but {_why_not_played(state)}."
        return no_effect(state, on, coin, text, place=place)
    assert state.flick is not None
    sign = 1 if entry.direction == "outward" else -1
    state = with_flick(state, crossed=(*state.flick.crossed, (coin, place, sign)))
    index = state.table.by_coin[coin]
    right = has_right(state, coin, reasons)
    on_table = is_on_table(state, coin, reasons)
    rover = _is_rover(state, index, reasons)
    found = _why_no_rover_flick if rover else _why_no_wicket
    why = found(state, index, entry, reasons, on_table=on_table)
    if not right:
        why = why_void(state, coin), TURNS
    if why is not None:
        return no_effect(state, on, coin, why[0], place=place, rule=why[1])
    return _rover_passed(state, on, index, place) if rover else _scored(state, on, index, reasons)


def _is_played(state: State, coin: str, reasons: Reasons) -> bool:
    """Return whether a flick is under way and the coin belongs to a player."""
    under_way = reasons.holds("under_way", state.flick is not None)
    return reasons.holds("somebodys", coin in state.table.by_coin, coin) and under_way


def _why_not_played(state: State) -> str:
    return "nothing is being flicked" if state.flick is None else "it belongs to no player"


def _is_rover(state: State, index: int, reasons: Reasons) -> bool:
    coin = state.table.seats[index].coin
    return reasons.succeeds("rover", state.coins[index].state == "rover", coin)


def _is_next(state: State, index: int, place: str, reasons: Reasons) -> bool:
    progress = state.coins[index].progress
    wanted = STEPS[progress].place if progress < len(STEPS) else None
    return reasons.holds("next_step", place == wanted, place, wanted, progress)


def _why_no_wicket(
    state: State, index: int, entry: LineCrossed, reasons: Reasons, *, on_table: bool
) -> Why:
    """Return why a crossing is no step, with the section of the rules that says so; None if it
    is a step.
    """
    now, name = state.coins[index], state.table.seats[index].name
    plays_on = in_play(now) and now.progress < LAST_WICKET
    wicket_left = reasons.holds("steps_left", plays_on, now.progress, now.state)
    step = STEPS[now.progress] if now.progress < len(STEPS) else None
    due = _is_next(state, index, entry.line, reasons)
    needed = step.direction if due and step is not None else None
    right_way = due and reasons.holds(
        "direction", entry.direction == needed, entry.direction, needed
    )
    through = f"{name}'s coin goes through {place_name(entry.line)}"
    if not wicket_left or step is None:
        return f"{name}'s coin has no wicket left to pass.", TURNS
    if not on_table:
        return off_table(name)
    if not due:
        return f"{through}, but its next step is {place_name(step.place)}.", TURNS
    if not right_way:
        return f"{through} the wrong way: it must be passed {needed}.", TURNS
    return None


def _why_no_rover_flick(
    state: State, index: int, entry: LineCrossed, reasons: Reasons, *, on_table: bool
) -> Why:
    """Return why a rover earns no flick for passing a wicket (TC-21), with the section of the rules
    that says so; None if it earns a flick.
    """
    seat, place = state.table.seats[index], entry.line
    own = reasons.holds("own_flick", is_own(state, seat.coin), seat.coin)
    new = reasons.holds("not_passed_yet", place not in state.passed, place, state.passed)
    if not on_table:
        return off_table(seat.name)
    if not own:
        text = f"{seat.name}'s rover earns nothing: {seat.name} does not play it in this flick."
        return text, "Team play"
    if not new:
        text = f"{seat.name}'s rover has been through {place_name(place)} this turn already."
        return text, "Team play"
    return None


def _rover_passed(state: State, on: str, index: int, place: str) -> Judged:
    name = state.table.seats[index].name
    text = f"{name}'s rover goes through {place_name(place)} and earns a flick."
    call = call_for(
        state, on, "wicket_scored", index, text, rule="Team play", place=place, flicks=1
    )
    return replace(state, passed=state.passed | {place}, flicks=state.flicks + 1), (call,)


def touched_post(state: State, entry: Contact, reasons: Reasons) -> Judged:
    """Judge a coin that touched an endpost. It makes a step if the endpost is its next one (TC-5).
    A rover leaves the game at the left endpost.
    """
    on, coin, post = str(entry.id), entry.coin, entry.with_
    if not _is_played(state, coin, reasons):
        text = f"A coin touches {place_name(post)}, but {_why_not_played(state)}."
        return no_effect(state, on, coin, text, place=post)
    index = state.table.by_coin[coin]
    right = has_right(state, coin, reasons)
    rover = _is_rover(state, index, reasons)
    why = _why_no_post(state, index, post, reasons, rover=rover)
    if not right:
        why = why_void(state, coin), TURNS
    if why is not None:
        return no_effect(state, on, coin, why[0], place=post, rule=why[1])
    if not rover:
        return _scored(state, on, index, reasons)
    return _rover_left(state, on, index, reasons)


def _why_no_post(state: State, index: int, post: str, reasons: Reasons, *, rover: bool) -> Why:
    """Return why a contact with an endpost earns nothing, with the section of the rules that says
    so; None if the contact counts.
    """
    flick, seat = state.flick, state.table.seats[index]
    assert flick is not None
    wins = post == "left-endpost" and wins_void_flick(state, index)
    may_win = not reasons.fails("may_win", wins)
    on_table = is_on_table(state, seat.coin, reasons)
    due = _leaves_by(post, reasons) if rover else _is_due(state, index, post, reasons)
    counts = (_rover_counts if rover else _knocked_counts)(state, seat.coin, reasons)
    rule, who = ("Team play", "rover") if rover else (TURNS, "coin")
    if not may_win:
        return f"{flick.void_by} had no right to this flick, which cannot win the match.", TURNS
    if not due:
        return _not_due(seat.name, post, rover=rover), rule
    if not on_table:
        return off_table(seat.name)
    if not counts:
        knocked = f"{seat.name}'s {who} was knocked against {place_name(post)}"
        return f"{knocked}: in this match that does not count.", rule
    return None


def _leaves_by(post: str, reasons: Reasons) -> bool:
    return reasons.holds("rovers_endpost", post == "left-endpost", post)


def _is_due(state: State, index: int, post: str, reasons: Reasons) -> bool:
    now = state.coins[index]
    plays_on = in_play(now) and now.progress < len(STEPS)
    step_left = reasons.holds("steps_left", plays_on, now.progress, now.state)
    return _is_next(state, index, post, reasons) and step_left


def _not_due(name: str, post: str, *, rover: bool) -> str:
    place = place_name(post)
    if rover:
        return f"{name}'s rover touches {place}: only the left endpost counts for a rover."
    return f"{name}'s coin hits {place}, but that is not its next step."


def _rover_counts(state: State, coin: str, reasons: Reasons) -> bool:
    flick = state.flick
    assert flick is not None
    forced = flick.forced and flick.coin == coin
    leaves = is_own(state, coin) or forced or state.table.knocked_endposts_count
    return reasons.holds("rover_leaves", leaves, forced)


def _knocked_counts(state: State, coin: str, reasons: Reasons) -> bool:
    return is_own(state, coin) or reasons.holds(
        "knocked_counts", state.table.knocked_endposts_count
    )


def _rover_left(state: State, on: str, index: int, reasons: Reasons) -> Judged:
    text = (
        f"{state.table.seats[index].name}'s rover hits the left endpost and has to leave the game."
    )
    call = call_for(
        state, on, "endpost_scored", index, text, rule="Team play", place="left-endpost", flicks=0
    )
    state, more = finished(state, on, index, reasons)
    return state, (call, *more)


def _scored(state: State, on: str, index: int, reasons: Reasons) -> Judged:
    seat, before = state.table.seats[index], state.coins[index]
    place, progress = STEPS[before.progress].place, before.progress + 1
    own = reasons.holds("flicks_at_stake", is_own(state, seat.coin), seat.coin)
    done = reasons.succeeds("course_done", progress == len(STEPS), seat.coin)
    earned = 1 if own and not done else 0
    asked = state.table.teams and progress == LAST_WICKET and not before.conceded
    state = with_coin(
        state,
        index,
        progress=progress,
        choice="asked" if asked else before.choice,
        asked_on=on,
        fresh=False,
        state="playing" if before.state == "not_entered" else before.state,
    )
    state = replace(state, flicks=state.flicks + earned, dead=frozenset() if own else state.dead)
    name = "endpost_scored" if place in POSTS else "wicket_scored"
    text = _step_in_words(seat.name, place, earned, own=own)
    call = call_for(state, on, name, index, text, place=place, flicks=earned)
    if not done:
        return state, (call,)
    state, more = finished(state, on, index, reasons)
    return state, (call, *more)


def _step_in_words(name: str, place: str, earned: int, *, own: bool) -> str:
    doing = f"{'hits' if place in POSTS else 'passes'} {place_name(place)}"
    if not own:
        return f"{name}'s coin {doing}: it counts for {name}, but earns nobody a flick."
    gain = f" and earns {flicks_in_words(earned)}" if earned else ""
    return f"{name} {doing}{gain}."
