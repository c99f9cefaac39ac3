"""What crossings, contacts and falls are worth in Tabletop Croquet."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Question
from referee.domain.incident import Contact, LeftTable, LineCrossed
from referee.games.flicking import flicks_in_words, plain_point
from referee.games.tabletop_croquet.placing import put_back_facts
from referee.games.tabletop_croquet.state import (
    LAST_WICKET,
    STEPS,
    Judged,
    State,
    call_for,
    in_play,
    is_own,
    is_void,
    no_effect,
    place_name,
    seat_of,
    whose,
    why_void,
    with_coin,
    with_flick,
)

POSTS = ("left-endpost", "right-endpost")


def crossed(state: State, entry: LineCrossed) -> Judged:
    """A centre crossed a wicket's line: a step when it is the coin's next, in the right direction
    (TC-3, TC-4).
    """
    on, coin, place = str(entry.id), entry.coin, entry.line
    index = state.table.by_coin.get(coin)
    if index is None or state.flick is None:
        return no_effect(
            state,
            on,
            coin,
            f"A coin crosses {place_name(place)}, but nothing is being flicked or nobody plays it.",
            place=place,
        )
    name, now = state.table.seats[index].name, state.coins[index]
    sign = 1 if entry.direction == "outward" else -1
    state = with_flick(state, crossed=(*state.flick.crossed, (coin, place, sign)))
    if is_void(state, coin):
        return no_effect(state, on, coin, why_void(state, coin), place=place)
    if now.state == "rover":
        return _rover_crossed(state, on, index, place)
    if not in_play(now) or now.progress >= LAST_WICKET:
        return no_effect(state, on, coin, f"{name}'s coin has no wicket left to pass.", place=place)
    if coin in state.flick.fell:  # type: ignore[union-attr]
        return no_effect(
            state, on, coin, f"{name}'s coin is off the table.", place=place, rule="Fouls"
        )
    step = STEPS[now.progress]
    if step == (place, entry.direction):
        return _scored(state, on, index)
    if step.place == place:
        return no_effect(
            state,
            on,
            coin,
            f"{name}'s coin goes through {place_name(place)} the wrong way: it must be passed"
            f" {step.direction}.",
            place=place,
        )
    return no_effect(
        state,
        on,
        coin,
        f"{name}'s coin goes through {place_name(place)}, but its next step is"
        f" {place_name(step.place)}.",
        place=place,
    )


def _rover_crossed(state: State, on: str, index: int, place: str) -> Judged:
    seat = state.table.seats[index]
    if not is_own(state, seat.coin) or seat.coin in state.flick.fell:  # type: ignore[union-attr]
        return no_effect(
            state,
            on,
            seat.coin,
            f"{seat.name}'s rover earns nothing: it was not {seat.name}'s own flick of it.",
            place=place,
            rule="Team play",
        )
    if place in state.passed:
        return no_effect(
            state,
            on,
            seat.coin,
            f"{seat.name}'s rover has been through {place_name(place)} this turn already.",
            place=place,
            rule="Team play",
        )
    text = f"{seat.name}'s rover goes through {place_name(place)} and earns a flick."
    call = call_for(
        state, on, "wicket_scored", index, text, rule="Team play", place=place, flicks=1
    )
    return replace(state, passed=state.passed | {place}, flicks=state.flicks + 1), (call,)


def _scored(state: State, on: str, index: int) -> Judged:
    seat, before = state.table.seats[index], state.coins[index]
    place, own = STEPS[before.progress].place, is_own(state, seat.coin)
    progress = before.progress + 1
    earned = 1 if own and progress < len(STEPS) else 0
    choice = (
        "asked"
        if state.table.teams and progress == LAST_WICKET and not before.conceded
        else before.choice
    )
    entered = "playing" if before.state == "not_entered" else before.state
    state = with_coin(
        state, index, progress=progress, choice=choice, asked_on=on, fresh=False, state=entered
    )
    state = replace(state, flicks=state.flicks + earned, dead=frozenset() if own else state.dead)
    doing = "hits" if place in POSTS else "passes"
    if own:
        gain = f" and earns {flicks_in_words(earned)}" if earned else ""
        text = f"{seat.name} {doing} {place_name(place)}{gain}."
    else:
        text = (
            f"{seat.name}'s coin {doing} {place_name(place)}: it counts for {seat.name}, and earns"
            " nobody a flick."
        )
    name = "endpost_scored" if place in POSTS else "wicket_scored"
    call = call_for(state, on, name, index, text, place=place, flicks=earned)
    if progress < len(STEPS):
        return state, (call,)
    state, more = finished(state, on, index)
    return state, (call, *more)


def finished(state: State, on: str, index: int) -> Judged:
    """The coin has done the whole course: it has finished, or is poison (TC-24); the game may be
    won.
    """
    seat = state.table.seats[index]
    if state.table.poison and not state.coins[index].conceded:
        text = f"{seat.name} has done the whole course: the coin is poison from now on."
        return with_coin(state, index, state="poison"), (
            call_for(state, on, "poisoned", index, text, rule="Poison"),
        )
    state = with_coin(state, index, state="finished", progress=len(STEPS), choice="")
    call = call_for(
        state, on, "finished", index, f"{seat.name} has done the whole course.", rule="Winning"
    )
    side = [
        i
        for i, other in enumerate(state.table.seats)
        if i == index or (state.table.teams and other.team == seat.team)
    ]
    if any(state.coins[i].conceded or state.coins[i].state != "finished" for i in side):
        return state, (call,)
    state, more = won(state, on, tuple(side), "Team play" if state.table.teams else "Winning")
    return state, (call, *more)


def wins_void_flick(state: State, index: int) -> bool:
    """Whether the coin's finishing would win a void flick's match for the player who made it: all
    the others of that player's team have finished.
    """
    seats, flick = state.table.seats, state.flick
    if flick is None or not flick.void_by or not state.table.teams:
        return False
    side = [i for i, seat in enumerate(seats) if seat.team == seats[index].team]
    others = [state.coins[i] for i in side if i != index]
    mates = flick.void_by in [seats[i].name for i in side]
    return mates and all(coin.state == "finished" and not coin.conceded for coin in others)


def won(state: State, on: str, winners: tuple[int, ...], rule: str) -> Judged:
    """The game is won."""
    names = tuple(state.table.seats[i].name for i in winners)
    who = " and ".join(names)
    text = f"{who} {'win' if len(names) > 1 else 'wins'} the game."
    call = call_for(
        state,
        on,
        "game_won",
        winners[0],
        text,
        rule=rule,
        facts={"winner": list(names) if state.table.teams else names[0]},
    )
    return replace(state, over=True, winner=names), (call,)


def touched(state: State, entry: Contact, *, upheld: bool) -> Judged:
    """A coin touched another coin, an endpost, or a tile (which no rule asks about)."""
    if entry.with_ in POSTS:
        return _post(state, str(entry.id), entry.coin, entry.with_)
    if (
        entry.with_ in state.table.by_coin
        and entry.coin in state.table.by_coin
        and entry.coin != entry.with_
    ):
        return _hit(state, entry, upheld=upheld)
    return state, ()


def _post(state: State, on: str, coin: str, post: str) -> Judged:
    index = state.table.by_coin.get(coin)
    if index is None or state.flick is None:
        return no_effect(
            state,
            on,
            coin,
            f"A coin touches {place_name(post)}, but nothing is being flicked or nobody plays it.",
            place=post,
        )
    if is_void(state, coin):
        return no_effect(state, on, coin, why_void(state, coin), place=post)
    now, name = state.coins[index], state.table.seats[index].name
    if post == "left-endpost" and wins_void_flick(state, index):
        reason = f"{state.flick.void_by} had no right to this flick, which cannot win the match."
        return no_effect(state, on, coin, reason, place=post)
    if now.state == "rover":
        return _rover_post(state, on, index, post)
    if now.progress >= len(STEPS) or STEPS[now.progress].place != post or not in_play(now):
        return no_effect(
            state,
            on,
            coin,
            f"{name}'s coin hits {place_name(post)}, but that is not its next step.",
            place=post,
        )
    if coin in state.flick.fell:
        return no_effect(
            state, on, coin, f"{name}'s coin is off the table.", place=post, rule="Fouls"
        )
    if not is_own(state, coin) and not state.table.knocked_endposts_count:
        return no_effect(
            state,
            on,
            coin,
            f"{name}'s coin was knocked on to {place_name(post)}: in this match that does not"
            " count.",
            place=post,
        )
    return _scored(state, on, index)


def _rover_post(state: State, on: str, index: int, post: str) -> Judged:
    seat, flick = state.table.seats[index], state.flick
    assert flick is not None
    if post != "left-endpost":
        reason = (
            f"{seat.name}'s rover touches {place_name(post)}: only the left endpost matters to it."
        )
        return no_effect(state, on, seat.coin, reason, place=post, rule="Team play")
    if seat.coin in flick.fell:
        return no_effect(
            state, on, seat.coin, f"{seat.name}'s coin is off the table.", place=post, rule="Fouls"
        )
    flicked_out = flick.forced and flick.coin == seat.coin
    if not (is_own(state, seat.coin) or flicked_out or state.table.knocked_endposts_count):
        reason = (
            f"{seat.name}'s rover was knocked on to the left endpost: in this match that does not"
            " count."
        )
        return no_effect(state, on, seat.coin, reason, place=post, rule="Team play")
    text = f"{seat.name}'s rover hits the left endpost and has to leave the game."
    call = call_for(
        state, on, "endpost_scored", index, text, rule="Team play", place=post, flicks=0
    )
    state, more = finished(state, on, index)
    return state, (call, *more)


def _hit(state: State, entry: Contact, *, upheld: bool) -> Judged:
    on, coin, other = str(entry.id), entry.coin, entry.with_
    if state.flick is None:
        return no_effect(
            state, on, coin, "Two coins touch, but nothing is being flicked.", with_=other
        )
    touching = (
        state.flick.touching & {coin, other} if state.flick.coin in (coin, other) else frozenset()
    )
    again = bool(touching & state.flick.met)
    state = with_flick(state, met=state.flick.met | touching)
    if is_void(state, coin):
        return no_effect(state, on, coin, why_void(state, coin), with_=other)
    if not is_own(state, coin):
        reason = (
            f"{whose(state, coin)} touches {whose(state, other)}: only the coin that is being"
            " played can hit another."
        )
        return no_effect(state, on, coin, reason, with_=other)
    if touching and not (again and upheld):
        return _met(state, on, coin, other, again=again)
    return _struck(state, on, coin, other)


def _met(state: State, on: str, coin: str, other: str, *, again: bool) -> Judged:
    if not again:
        return no_effect(
            state,
            on,
            coin,
            f"{whose(state, other)} was touching when the flick was made: that is no hit.",
            rule="Fouls",
            with_=other,
        )
    text = (
        f"{whose(state, coin)} lay against {whose(state, other)} and seems to have met it again."
        " Did the two part and meet anew?"
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


def _struck(state: State, on: str, coin: str, other: str) -> Judged:
    flick, seat, index = state.flick, seat_of(state), state.table.by_coin[other]
    assert flick is not None
    why = _why_no_hit(state, coin, other)
    if why is not None:
        return no_effect(state, on, coin, why[0], with_=other, rule=why[1])
    if state.coins[index].state == "not_entered":
        state = with_coin(state, index, state="playing")
    state = with_coin(state, index, fresh=False)
    if state.coins[state.active].state == "poison" and not state.coins[index].conceded:
        return _killed(state, on, index)
    state = with_flick(
        replace(state, flicks=state.flicks + 2, dead=state.dead | {other}), hit=flick.hit | {other}
    )
    text = f"{seat.name} hits {whose(state, other)} and earns two flicks."
    rule = "Team play" if state.coins[state.active].state == "rover" else "Player turns"
    return state, (
        call_for(state, on, "hit_scored", state.active, text, rule=rule, with_=other, flicks=2),
    )


def _why_no_hit(state: State, coin: str, other: str) -> tuple[str, str] | None:
    """Why touching another coin earns nothing, and the section of the rules that says so; None
    where it is a hit.
    """
    flick, seat, owner = state.flick, seat_of(state), state.table.seats[state.table.by_coin[other]]
    assert flick is not None
    if not flick.hits:
        return (
            f"{seat.name} hits {whose(state, other)}, but this flick stands without any hit.",
            "Player turns",
        )
    if coin in flick.fell:
        return f"{seat.name}'s coin is off the table.", "Fouls"
    if not in_play(state.coins[state.table.by_coin[other]]):
        return f"{whose(state, other)} is out of the game: hitting it earns nothing.", "Winning"
    if state.table.teams and owner.team == seat.team:
        return (
            f"{seat.name} hits {whose(state, other)}, a coin of the same team: that earns nothing.",
            "Team play",
        )
    if other in state.dead and state.coins[state.active].state == "rover":
        return (
            (
                f"{seat.name} has hit {whose(state, other)} already this turn: a rover earns by"
                " each coin once."
            ),
            "Team play",
        )
    if other in state.dead:
        return (
            (
                f"{seat.name} hits {whose(state, other)} again, and has made no step of the course"
                " since: that earns nothing."
            ),
            "Player turns",
        )
    return None


def _killed(state: State, on: str, index: int) -> Judged:
    killer, victim = seat_of(state), state.table.seats[index]
    state = with_coin(replace(state, flicks=state.flicks + 2), index, state="killed", lift=True)
    text = f"{killer.name}'s poison coin kills {victim.name}'s coin and earns two flicks."
    call = call_for(state, on, "killed", index, text, rule="Poison", with_=killer.coin, flicks=2)
    left = last_left(state)
    if left is None:
        return state, (call,)
    state, more = won(state, on, left, "Poison")
    return state, (call, *more)


def last_left(state: State) -> tuple[int, ...] | None:
    """The players who have won because everybody else has conceded or been killed; None while there
    are others.
    """
    left = [i for i, coin in enumerate(state.coins) if not coin.conceded and coin.state != "killed"]
    sides = {
        state.table.seats[i].team if state.table.teams else state.table.seats[i].name for i in left
    }
    if len(sides) != 1:
        return None
    side = sides.pop()
    return tuple(
        i
        for i, seat in enumerate(state.table.seats)
        if (seat.team if state.table.teams else seat.name) == side
    )


def fell(state: State, entry: LeftTable) -> Judged:
    """A coin left the table: it goes back; the own coin in its own flick loses what is left of the
    turn (TC-14 to TC-16).
    """
    on, coin = str(entry.id), entry.coin
    index = state.table.by_coin.get(coin)
    if index is None or not in_play(state.coins[index]):
        gone = state if index is None else with_coin(state, index, lift=False, at_mm=None)
        return no_effect(
            gone,
            on,
            coin,
            f"{whose(state, coin)} leaves the table, but is not in play: it stays off.",
            rule="Fouls",
        )
    name, own = state.table.seats[index].name, is_own(state, coin)
    state = with_coin(state, index, exit_mm=plain_point(entry.at_mm), back=False, at_mm=None)
    lost = state.flicks if own else 0
    if state.flick is not None:
        state = with_flick(state, fell=state.flick.fell | {coin})
    if own:
        state = with_flick(replace(state, flicks=0, offer=None), hit=frozenset())
    penalty = f" and loses {flicks_in_words(lost)}" if lost else ""
    text = f"{name}'s coin leaves the table{penalty}; it goes back one coin width in from the edge."
    return state, (
        call_for(
            state,
            on,
            "off_table",
            index,
            text,
            rule="Fouls",
            flicks=-lost,
            facts=put_back_facts(state, index),
        ),
    )
