"""What players may say in Croquet for piecepack."""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Call, Verdict
from referee.domain.declaration import (
    Agreed,
    Choice,
    Concede,
    Declaration,
    Disaster,
    Pass,
    PiecepackCroquet,
    Shot,
    SpecialShot,
)
from referee.games.piecepack_croquet.lawn import (
    HOOP_AT,
    IN_WORDS,
    beside,
    directions_of,
    number_of,
    sideways,
    why_no_route,
)
from referee.games.piecepack_croquet.rolling import rolled, straight
from referee.games.piecepack_croquet.state import (
    Announced,
    Judged,
    Motion,
    State,
    Stroke,
    call_for,
    decider,
    name_of,
    refused,
    seat_of,
    with_ball,
)
from referee.games.piecepack_croquet.turns import end_go, play, won

SAID = {
    Shot: "A shot is announced",
    PiecepackCroquet: "A croquet is announced",
    SpecialShot: "A special shot is played",
    Disaster: "A choice is made",
}
WAITED_FOR = {
    "place": "first the ball must be placed",
    "shot": "first a shot is to be announced",
    "continuation": "first the continuation shot is to be announced",
    "croquet": "first the croquet is to be announced",
    "roll": "first the die is to be rolled",
    "disaster": "first an opponent is to decide",
}


def declared(state: State, entry: Declaration) -> Judged:
    """A player says something; what the rules do not allow is an irregularity and not applied."""
    match entry:
        case Concede():
            return _concede(state, entry)
        case Agreed():
            return _agreed(state, entry)
        case Pass():
            player = entry.player or seat_of(state).player
            return refused(
                state,
                str(entry.id),
                "pass_not_allowed",
                "Play",
                "Nobody may pass in this game: every shot is played.",
                player=player,
            )
        case Shot() | PiecepackCroquet() | SpecialShot() | Disaster():
            return _in_turn(state, entry)
    return state, ()


def _in_turn(state: State, entry: Shot | PiecepackCroquet | SpecialShot | Disaster) -> Judged:
    may = seat_of(state).player
    if isinstance(entry, Disaster) and state.expects == "disaster":
        may = state.table.seats[decider(state)].player
    if entry.player not in (None, may):
        text = f"{entry.player} says what only {may} may say now."
        return refused(
            state, str(entry.id), "declaration_not_allowed", "Play", text, player=entry.player
        )
    expected = {
        Shot: ("shot", "continuation"),
        PiecepackCroquet: ("croquet",),
        SpecialShot: ("roll",),
        Disaster: ("disaster",),
    }[type(entry)]
    if state.expects not in expected:
        text = f"{SAID[type(entry)]}, but {WAITED_FOR[state.expects]}."
        return refused(state, str(entry.id), "declaration_not_allowed", "Play", text, player=may)
    match entry:
        case Shot():
            return _shot(state, entry)
        case PiecepackCroquet():
            return _croquet(state, entry)
        case SpecialShot():
            return _special_shot(state, entry)
        case Disaster():
            return _disaster(state, entry, may)


def _shot(state: State, entry: Shot) -> Judged:
    at = state.balls[state.active].at
    assert at is not None
    wrong = why_no_route(at, entry.route)
    if wrong is not None:
        text = f"This shot cannot be played: {wrong}."
        return refused(
            state,
            str(entry.id),
            "illegal_route",
            "Movement",
            text,
            player=seat_of(state).player,
            facts={"start": list(at)},
        )
    steps = directions_of(at, entry.route)
    assert steps is not None
    return (
        replace(
            state,
            said=Announced(steps, entry.route),
            expects="roll",
            roll="shot",
            struck=None,
            ran=False,
        ),
        (),
    )


def _croquet(state: State, entry: PiecepackCroquet) -> Judged:
    ball = state.struck
    assert ball is not None
    if entry.stroke == "play-off":
        return replace(state, kind="play-off", struck=None, expects="shot"), ()
    assert entry.direction is not None and entry.distance is not None
    direction = number_of(entry.direction)
    follow = None if entry.follow_direction is None else number_of(entry.follow_direction)
    wrong = None
    if follow is not None and follow not in beside(direction):
        wrong = (
            "a follow-through goes the same way as the croqueted ball, or 45 degrees to either side"
        )
    elif state.balls[ball].at in HOOP_AT and (
        sideways(direction) or (follow is not None and sideways(follow))
    ):
        wrong = "a ball cannot leave a hoop sideways"
    if wrong is not None:
        return refused(
            state,
            str(entry.id),
            "illegal_croquet",
            "Roquets",
            f"This croquet cannot be played: {wrong}.",
            player=seat_of(state).player,
        )
    stroke = Stroke(ball, direction, entry.distance, follow)
    return (
        replace(
            state,
            said=stroke,
            kind="croquet",
            struck=None,
            ran=False,
            expects="roll",
            roll="croquet",
        ),
        (),
    )


def _special_shot(state: State, entry: SpecialShot) -> Judged:
    seat, ball = seat_of(state), state.balls[state.active]
    suit, _, rank = entry.coin.partition("-")
    wrong = None
    if suit != seat.suit or rank == "null":
        wrong = f"{entry.coin} is no special shot of the {seat.pawn} ball."
    elif rank not in ball.shots:
        wrong = f"{seat.player} has used this special shot already."
    elif state.roll == "peg" and state.moving is not None and state.moving.ball != state.active:
        wrong = "No special shot decides whether another ball hits the peg."
    if wrong is not None:
        return refused(
            state, str(entry.id), "no_special_shot", "Special shots", wrong, player=seat.player
        )
    left = tuple(other for other in ball.shots if other != rank)
    on = str(entry.id)
    played = call_for(
        state,
        on,
        "special_shot",
        state.active,
        f"{seat.player} plays the special shot {entry.coin}.",
        rule="Special shots",
    )
    state, verdicts = rolled(
        with_ball(state, state.active, shots=left, spent=ball.spent | {rank}), on, rank
    )
    return state, (played, *verdicts)


def _disaster(state: State, entry: Disaster, who: str) -> Judged:
    said, choice, on = state.said, entry.choice, str(entry.id)
    if isinstance(said, Announced):
        motion = _own_way(state, said, choice)
        if motion is not None:
            return play(state, on, motion)
        text = _why_not_own_way(said, choice)
        return refused(state, on, "illegal_choice", "Hitting the ball", text, player=who)
    assert isinstance(said, Stroke)
    follow = _follow_way(state, said, choice)
    if follow is None and said.follow is not None:
        chosen = _chosen(choice.own_direction)
        text = (
            f"{name_of(state, state.active)} is sent {chosen}: it follows {IN_WORDS[said.follow]}"
            " or 45 degrees to either side."
        )
        return refused(state, on, "illegal_choice", "Roquets", text, player=who)
    if state.following is not None:
        return (
            play(state, on, follow)
            if choice.kind == "follow"
            else _wrong_kind(state, choice, on, who)
        )
    motion = _sent_way(said, choice)
    if motion is None or (said.follow is None and choice.own_direction is not None):
        return _wrong_kind(state, choice, on, who)
    return play(state, on, motion, follow)


def _wrong_kind(state: State, choice: Choice, on: str, who: str) -> Judged:
    sent = f"sent {_chosen(choice.direction)} by {choice.distance}"
    text = (
        f"The croqueted ball is {sent if choice.kind == 'ball' else 'not sent anywhere'}: it goes"
        " one step in the announced direction or 45 degrees to either side, or the full distance"
        " to either side."
    )
    if state.following is not None:
        text = "Only the direction of the follow-through is to be decided."
    return refused(state, on, "illegal_choice", "Roquets", text, player=who)


def _own_way(state: State, said: Announced, choice: Choice) -> Motion | None:
    if choice.kind == "stop" and choice.at in said.route:
        assert choice.at is not None
        return Motion(state.active, said.steps[: said.route.index(choice.at) + 1])
    if choice.kind == "straight" and choice.direction is not None:
        direction = number_of(choice.direction)
        return (
            straight(state.active, direction, len(said.steps))
            if direction in beside(said.steps[0])
            else None
        )
    return None


def _why_not_own_way(said: Announced, choice: Choice) -> str:
    """What is wrong with the way an opponent chose for a ball whose shot was announced."""
    first = IN_WORDS[said.steps[0]]
    if choice.kind == "stop":
        at = None if choice.at is None else list(choice.at)
        return f"{at} is no point of the announced route: the ball stops at one of its points."
    if choice.kind == "straight":
        way = _chosen(choice.direction)
        return f"The ball is sent straight {way}: it goes {first} or 45 degrees to either side."
    return (
        "A croqueted ball or a follow-through is chosen for, but a shot was announced: the ball"
        f" stops at a point of its route, or goes straight {first} or 45 degrees to either side."
    )


def _chosen(direction: str | None) -> str:
    return "no way" if direction is None else IN_WORDS[number_of(direction)]


def _sent_way(stroke: Stroke, choice: Choice) -> Motion | None:
    if choice.kind != "ball" or choice.direction is None:
        return None
    direction = number_of(choice.direction)
    full = choice.distance == stroke.distance and direction != stroke.direction
    if direction not in beside(stroke.direction) or not (choice.distance == 1 or full):
        return None
    return straight(stroke.ball, direction, choice.distance or 0)


def _follow_way(state: State, stroke: Stroke, choice: Choice) -> Motion | None:
    if (
        stroke.follow is None
        or choice.own_direction is None
        or choice.kind not in ("ball", "follow")
    ):
        return None
    direction = number_of(choice.own_direction)
    return (
        straight(state.active, direction, stroke.follow_distance)
        if direction in beside(stroke.follow)
        else None
    )


def _concede(state: State, entry: Concede) -> Judged:
    on, name = str(entry.id), entry.player or seat_of(state).player
    mine = [i for i, seat in enumerate(state.table.seats) if seat.player == name]
    if not any(state.balls[i].plays for i in mine):
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
        return won(state, str(entry.id), team, "Object", "the players have agreed so")
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
