"""What players may declare in Croquet for piecepack."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.declaration import (
    Agreed,
    Concede,
    Declaration,
    Disaster,
    Pass,
    PiecepackCroquet,
    Shot,
    SpecialShot,
)
from referee.games.piecepack_croquet.disasters import ways_chosen
from referee.games.piecepack_croquet.lawn import (
    HOOP_AT,
    Point,
    beside,
    directions_of,
    leaves_a_hoop_sideways,
    neighbouring,
    number_of,
    on_lawn,
    sideways,
)
from referee.games.piecepack_croquet.rolling import rolled
from referee.games.piecepack_croquet.state import (
    Announced,
    Judged,
    Judging,
    State,
    Stroke,
    call_for,
    decider,
    of_coin,
    refused,
    seat_of,
    with_ball,
)
from referee.games.piecepack_croquet.turns import end_go, play, won

SAID: Final = {
    Shot: "A shot is announced",
    PiecepackCroquet: "A croquet is announced",
    SpecialShot: "A special shot is played",
    Disaster: "A choice is made",
}
WAITED_FOR: Final = {
    "place": "first the ball must be placed",
    "shot": "first a shot must be announced",
    "continuation": "first the continuation shot must be announced",
    "croquet": "first the croquet must be announced",
    "roll": "first the die must be rolled",
    "disaster": "first an opponent must decide",
}


def declared(state: State, entry: Declaration, judging: Judging) -> Judged:
    """Apply a declaration. One that the rules do not allow is an irregularity and changes
    nothing.
    """
    match entry:
        case Concede():
            return _concede(state, entry, judging)
        case Agreed():
            return after_the_end(state, judging) if state.over else _agreed(state, entry)
        case Pass():
            return _pass(state, entry, judging)
        case Shot():
            return _shot(state, entry, judging)
        case PiecepackCroquet():
            return _croquet(state, entry, judging)
        case SpecialShot():
            return _special_shot(state, entry, judging)
        case Disaster():
            return _disaster(state, entry, judging)
    return after_the_end(state, judging) if state.over else (state, ())


def after_the_end(state: State, judging: Judging) -> Judged:
    """Refuse an entry that comes after the end of the game."""
    text = "The game is over; what happens after it changes nothing."
    return refused(state, judging.on, "after_the_end", "Object", text)


def _pass(state: State, entry: Pass, judging: Judging) -> Judged:
    if judging.reasons.holds("passing_allowed", False):
        return state, ()
    if state.over:
        return after_the_end(state, judging)
    text = "Nobody may pass in this game: every shot must be played."
    player = entry.player or seat_of(state).player
    return refused(state, judging.on, "pass_not_allowed", "Play", text, player=player)


def _in_turn(
    state: State, entry: Shot | PiecepackCroquet | SpecialShot, judging: Judging, *awaited: str
) -> tuple[bool, bool]:
    """Return whether the player whose go it is made the declaration, and whether the game expects
    one of `awaited` now.
    """
    return _by_active_player(state, entry.player, judging), judging.reasons.holds(
        "awaited", state.expects in awaited, awaited[0], state.expects
    )


def _by_active_player(state: State, player: str | None, judging: Judging) -> bool:
    mine = player in (None, seat_of(state).player)
    return judging.reasons.holds("said_in_turn", mine, player)


def _not_now(
    state: State,
    entry: Shot | PiecepackCroquet | SpecialShot | Disaster,
    judging: Judging,
    may: str,
    *,
    said: bool,
) -> Judged:
    """Refuse a declaration that is not expected, or that comes from another player than `may`."""
    if state.over:
        return after_the_end(state, judging)
    if said:
        text, player = f"{SAID[type(entry)]}, but {WAITED_FOR[state.expects]}.", may
    else:
        text, player = (
            f"{entry.player} declares what only {may} may declare now.",
            str(entry.player),
        )
    return refused(state, judging.on, "declaration_not_allowed", "Play", text, player=player)


def _shot(state: State, entry: Shot, judging: Judging) -> Judged:
    said, awaited = _in_turn(state, entry, judging, "shot", "continuation")
    at, player = state.balls[state.active].at, seat_of(state).player
    if not awaited or at is None:
        return _not_now(state, entry, judging, player, said=said)
    steps = directions_of(at, entry.route)
    wrong = why_no_route(at, entry.route, steps, judging)
    if not said:
        return _not_now(state, entry, judging, player, said=said)
    if wrong is not None:
        text = f"This shot cannot be played: {wrong}."
        facts = {"start": list(at)}
        on = judging.on
        return refused(state, on, "illegal_route", "Movement", text, player=player, facts=facts)
    assert steps is not None
    announced = Announced(steps, entry.route)
    return replace(state, said=announced, expects="roll", roll="shot", struck=None, ran=False), ()


def why_no_route(
    at: Point, route: tuple[Point, ...], steps: tuple[int, ...] | None, judging: Judging
) -> str | None:
    """Return why the route may not be announced, in words; None if it may. `steps` are the
    directions of its steps; None if a step does not go to a neighbouring intersection.
    """
    holds = judging.reasons.holds
    near = holds("neighbouring_points", bool(steps), at, len(route))
    inside = holds("route_on_lawn", all(map(on_lawn, route)))
    narrow = not steps or holds("two_directions", neighbouring(steps), steps)
    straight = not steps or holds(
        "leaves_hoops_straight", not leaves_a_hoop_sideways(at, route, steps)
    )
    if near and inside and narrow and straight:
        return None
    if not route:
        return "the route has no step"
    if not inside:
        return "the route leaves the lawn"
    if not near:
        return "every step of a route must go to one of the eight neighbouring intersections"
    if not narrow:
        return "a route may use at most two directions, 45 degrees apart"
    return "a ball cannot leave a hoop sideways"


def _croquet(state: State, entry: PiecepackCroquet, judging: Judging) -> Judged:
    said, awaited = _in_turn(state, entry, judging, "croquet")
    ball, player = state.struck, seat_of(state).player
    if not awaited or ball is None:
        return _not_now(state, entry, judging, player, said=said)
    stroke = None if entry.stroke == "play-off" else _stroke(ball, entry)
    wrong = None if stroke is None else _why_no_croquet(state, stroke, judging)
    if not said:
        return _not_now(state, entry, judging, player, said=said)
    if stroke is None:
        return replace(state, kind="play-off", struck=None, expects="shot"), ()
    if wrong is not None:
        text = f"This croquet cannot be played: {wrong}."
        return refused(state, judging.on, "illegal_croquet", "Roquets", text, player=player)
    croquet = replace(state, said=stroke, kind="croquet", struck=None, ran=False)
    return replace(croquet, expects="roll", roll="croquet"), ()


def _stroke(ball: int, entry: PiecepackCroquet) -> Stroke:
    assert entry.direction is not None and entry.distance is not None
    follow = None if entry.follow_direction is None else number_of(entry.follow_direction)
    return Stroke(ball, number_of(entry.direction), entry.distance, follow)


def _why_no_croquet(state: State, stroke: Stroke, judging: Judging) -> str | None:
    """Return why the croquet may not be played, in words; None if it may."""
    holds, ways = judging.reasons.holds, (stroke.direction, stroke.follow)
    at = state.balls[stroke.ball].at
    aside = at in HOOP_AT and any(way is not None and sideways(way) for way in ways)
    free = holds("no_hoop_left_sideways", not aside, stroke.ball, at, stroke.direction)
    if stroke.follow is not None and not holds(
        "follows_beside", stroke.follow in beside(stroke.direction), stroke.follow
    ):
        return (
            "a follow-through must go in the croqueted ball's direction, or 45 degrees to either"
            " side"
        )
    return None if free else "a ball cannot leave a hoop sideways"


def _special_shot(state: State, entry: SpecialShot, judging: Judging) -> Judged:
    said, awaited = _in_turn(state, entry, judging, "roll")
    seat, ball = seat_of(state), state.balls[state.active]
    rank = of_coin(entry.coin)[1]
    wrong = _why_no_special_shot(state, entry.coin, judging)
    if not said or not awaited:
        return _not_now(state, entry, judging, seat.player, said=said)
    on = judging.on
    if wrong is not None:
        return refused(state, on, "no_special_shot", "Special shots", wrong, player=seat.player)
    left = tuple(other for other in ball.shots if other != rank)
    text = f"{seat.player} plays the special shot {entry.coin}."
    played = call_for(state, on, "special_shot", state.active, text, rule="Special shots")
    spent = with_ball(state, state.active, shots=left, spent=ball.spent | {rank})
    state, verdicts = rolled(spent, judging, rank)
    return state, (played, *verdicts)


def _why_no_special_shot(state: State, coin: str, judging: Judging) -> str | None:
    """Return why the special shot may not be played, in words; None if it may."""
    holds, seat, (owner, rank) = judging.reasons.holds, seat_of(state), of_coin(coin)
    shots, motion = state.balls[state.active].shots, state.moving
    others = state.roll == "peg" and motion is not None and motion.ball != state.active
    own = holds("own_special_shot", owner == state.active and rank != "null")
    unused = holds("unused_special_shot", rank in state.balls[owner].shots, shots)
    if not holds("own_ball_at_peg", not others) and own and unused:
        return "A special shot cannot decide whether another ball hits the peg."
    if not own:
        return f"{coin} is not a special shot of the {seat.pawn} ball."
    return None if unused else f"{seat.player} has used this special shot already."


def _disaster(state: State, entry: Disaster, judging: Judging) -> Judged:
    holds, player = judging.reasons.holds, entry.player
    if not holds("disaster_awaited", state.expects == "disaster", state.expects):
        said = _by_active_player(state, player, judging)
        return _not_now(state, entry, judging, seat_of(state).player, said=said)
    who = state.table.seats[decider(state)].player
    said = holds("decided_by_opponent", player in (None, who), who, player)
    motion, follow, wrong = ways_chosen(state, entry.choice)
    allowed = holds("choice_allowed", wrong is None)
    if not said:
        return _not_now(state, entry, judging, who, said=said)
    if not allowed:
        rule = "Hitting the ball" if isinstance(state.said, Announced) else "Roquets"
        return refused(state, judging.on, "illegal_choice", rule, str(wrong), player=who)
    return play(state, judging, motion, follow)


def _concede(state: State, entry: Concede, judging: Judging) -> Judged:
    on, name = str(entry.id), entry.player or seat_of(state).player
    mine = [i for i, seat in enumerate(state.table.seats) if seat.player == name]
    plays = not state.over and any(state.balls[i].plays for i in mine)
    if not judging.reasons.holds("still_plays", plays, name):
        if state.over:
            return after_the_end(state, judging)
        text = f"{name} is not in the game any more and cannot concede."
        return refused(state, on, "declaration_not_allowed", "Play", text, player=name)
    for i in mine:
        state = with_ball(state, i, conceded=True)
    text = (
        f"{name} concedes; {name}'s {'balls stay' if len(mine) > 1 else 'ball stays'} where"
        f" {'they are' if len(mine) > 1 else 'it is'}."
    )
    verdicts: tuple[Verdict, ...] = (call_for(state, on, "conceded", mine[0], text, rule="Play"),)
    left = {
        seat.team
        for seat, ball in zip(state.table.seats, state.balls, strict=True)
        if not ball.conceded
    }
    if len(left) == 1:
        state, more = won(state, on, left.pop(), "Play", "the other team has conceded")
    elif state.active in mine:
        state, more = end_go(state, on)
    else:
        more = ()
    return state, verdicts + more


def _agreed(state: State, entry: Agreed) -> Judged:
    names = (entry.winner,) if isinstance(entry.winner, str) else entry.winner or ()
    team = next((seat.team for seat in state.table.seats if seat.player in names), None)
    if team is not None:
        return won(state, str(entry.id), team, "Object", "the players have agreed on this")
    call = Call(
        on=str(entry.id), call="game_won", rule="Object", text="The players end the match level."
    )
    return replace(
        state,
        over=True,
        winner=(),
        expects="nothing",
        roll="",
        moving=None,
        following=None,
        said=None,
    ), (call,)
