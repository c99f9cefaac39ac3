"""What had to hold for an entry to count in Croquet for piecepack, clause by clause, and whether it
held.
"""

from __future__ import annotations

from typing import Any

from referee.domain.call import Irregularity
from referee.domain.clause import Clause
from referee.domain.declaration import (
    Choice,
    Concede,
    Declaration,
    Disaster,
    Pass,
    PiecepackCroquet,
    Shot,
    SpecialShot,
)
from referee.domain.incident import CoinFlipped, CoinTurned, Incident, Moved, Rolled
from referee.games.piecepack_croquet import lawn
from referee.games.piecepack_croquet.clauses_of_rolls import of_roll
from referee.games.piecepack_croquet.declaring import declared
from referee.games.piecepack_croquet.keeping import cannot_be_played
from referee.games.piecepack_croquet.state import (
    Announced,
    State,
    decider,
    index_of,
    name_of,
    of_coin,
    seat_of,
)
from referee.games.piecepack_croquet.watching import (
    marker_angle_deg,
    marker_shows,
    moved,
    places,
    places_awaited_ball,
)

AWAITED = {"place": "the placing of the ball", "nothing": "nothing, the game is over"}


def clauses(
    state: State, entry: Incident | Declaration, *, upheld: bool, judged_in: Any = None
) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides. Nothing is judged later than it
    happened, so `judged_in` is not asked.
    """
    right = Clause(text="Its player had a right to this shot, as the match now reads.", met=False)
    if state.void and cannot_be_played(state, entry):
        return (right,)
    rows = _clauses(state, entry)
    return (right, *rows) if rows and state.void else rows


def _clauses(state: State, entry: Incident | Declaration) -> tuple[Clause, ...]:
    match entry:
        case Rolled():
            return of_roll(state, str(entry.face))
        case Moved():
            return _moved(state, entry)
        case CoinFlipped() | CoinTurned():
            return _coin(state, entry)
        case Shot():
            return _in_turn(state, entry.player, "shot", "continuation") + _route(state, entry)
        case PiecepackCroquet():
            return _in_turn(state, entry.player, "croquet") + _croquet(state, entry)
        case SpecialShot():
            return _in_turn(state, entry.player, "roll") + _special_shot(state, entry)
        case Disaster():
            return _disaster(state, entry)
        case Pass():
            return (Clause(text="Passing is allowed in this game.", met=False),)
        case Concede():
            name = entry.player or seat_of(state).player
            plays = any(
                ball.plays
                for seat, ball in zip(state.table.seats, state.balls, strict=True)
                if seat.player == name
            )
            return (Clause(text=f"{name} is still in the game.", met=plays and not state.over),)
        case _:
            return ()


def _in_turn(state: State, player: str | None, *awaited: str) -> tuple[Clause, ...]:
    name = seat_of(state).player
    who = Clause(
        text=f"It was said by {name}, whose go it is.",
        met=player in (None, name),
        facts={} if player is None else {"player": player},
    )
    return who, Clause(
        text=f"A {awaited[0]} was awaited.",
        met=state.expects in awaited,
        facts={"awaited": AWAITED.get(state.expects, state.expects)},
    )


def _route(state: State, entry: Shot) -> tuple[Clause, ...]:
    at = state.balls[state.active].at
    if at is None or state.expects not in ("shot", "continuation"):
        return ()
    steps = lawn.directions_of(at, entry.route)
    facts = {"start": list(at), "difficulty": len(entry.route)}
    rows = [
        Clause(
            text="Every step of the route goes to one of the eight neighbouring points.",
            met=bool(steps),
            facts=facts,
        ),
        Clause(
            text="Every point of the route is on the lawn; its edge is.",
            met=all(map(lawn.on_lawn, entry.route)),
        ),
    ]
    if steps:
        ways = [lawn.NAMES[way] for way in dict.fromkeys(steps)]
        rows.append(
            Clause(
                text="It uses two directions at most, 45 degrees apart.",
                met=lawn.neighbouring(steps),
                facts={"directions": ways},
            )
        )
        rows.append(
            Clause(
                text="It leaves no hoop sideways.",
                met=not lawn.leaves_a_hoop_sideways(at, entry.route, steps),
            )
        )
    return tuple(rows)


def _croquet(state: State, entry: PiecepackCroquet) -> tuple[Clause, ...]:
    ball = state.struck
    if ball is None or state.expects != "croquet" or entry.direction is None:
        return ()
    facts: dict[str, Any] = {
        "ball": state.table.seats[ball].pawn,
        "at": list(state.balls[ball].at or ()),
        "direction": entry.direction,
    }
    ways = [
        lawn.number_of(way) for way in (entry.direction, entry.follow_direction) if way is not None
    ]
    on_hoop = state.balls[ball].at in lawn.HOOP_AT
    rows = [
        Clause(
            text="No ball leaves a hoop sideways.",
            met=not (on_hoop and any(map(lawn.sideways, ways))),
            facts=facts,
        )
    ]
    if len(ways) == 2:
        text = (
            "The follow-through goes the same way as the croqueted ball, or 45 degrees to either"
            " side."
        )
        rows.append(
            Clause(
                text=text,
                met=ways[1] in lawn.beside(ways[0]),
                facts={"follow_direction": entry.follow_direction},
            )
        )
    return tuple(rows)


def _special_shot(state: State, entry: SpecialShot) -> tuple[Clause, ...]:
    seat, ball = seat_of(state), state.balls[state.active]
    owner, rank = of_coin(entry.coin)
    others = state.roll == "peg" and state.moving is not None and state.moving.ball != state.active
    left = [f"{seat.suit}-{one}" for one in ball.shots]
    rows = (
        Clause(
            text=f"The coin is one of {seat.player}'s own for the {seat.pawn} ball, and no blank.",
            met=owner == state.active and rank != "null",
        ),
        Clause(
            text="It has not been used before.",
            met=rank in state.balls[owner].shots,
            facts={"left": left},
        ),
        Clause(text="The roll is not the one by which another ball hits the peg.", met=not others),
    )
    refused = any(isinstance(one, Irregularity) for one in declared(state, entry)[1])
    return rows if refused else rows + of_roll(state, rank)[1:]


def _disaster(state: State, entry: Disaster) -> tuple[Clause, ...]:
    awaited = state.expects == "disaster"
    asked = Clause(
        text="A decision about a disaster was awaited.",
        met=awaited,
        facts={"awaited": AWAITED.get(state.expects, state.expects)},
    )
    if not awaited:
        return (asked,)
    name = state.table.seats[decider(state)].player
    text = (
        f"It was decided by {name}, the nearest opponent before {seat_of(state).player} who is"
        " still in the game."
    )
    who = Clause(
        text=text,
        met=entry.player in (None, name),
        facts={} if entry.player is None else {"player": entry.player},
    )
    wrong = [
        one
        for one in declared(state, entry)[1]
        if isinstance(one, Irregularity) and one.what == "illegal_choice"
    ]
    return asked, who, Clause(text=_may_choose(state, entry.choice), met=not wrong)


def _may_choose(state: State, choice: Choice) -> str:
    if isinstance(state.said, Announced):
        return (
            "The ball goes to a point of the announced route, or its full distance straight in the"
            " first direction or 45 degrees to either side."
        )
    if state.following is not None:
        return "The own ball follows in its announced direction or 45 degrees to either side."
    return (
        "The croqueted ball goes one step in the announced direction or 45 degrees to either side,"
        " or the full distance to either side."
    )


def _moved(state: State, entry: Moved) -> tuple[Clause, ...]:
    index = index_of(entry.pawn)
    if places_awaited_ball(state, entry):
        allowed = places(state)
        came_back = state.balls[index].state == "off_lawn"
        text = (
            "It is put where it left the lawn, or on a free point beside that."
            if came_back
            else "It is put on a free start point."
        )
        return (
            Clause(
                text=text,
                met=entry.to in allowed,
                facts={"to": list(entry.to or ()), "places": [list(at) for at in allowed]},
            ),
        )
    ball = state.balls[index]
    stands = {
        "must_stand": (
            list(ball.at) if ball.state == "in_play" and ball.at is not None else "off the lawn"
        )
    }
    return (
        Clause(
            text=(
                f"{name_of(state, index)} is put where the rules want it; nothing else hangs on it."
            ),
            met=not moved(state, entry)[1],
            facts=stands,
        ),
    )


def _coin(state: State, entry: CoinFlipped | CoinTurned) -> tuple[Clause, ...]:
    index, rank = of_coin(entry.coin)
    ball = state.balls[index]
    if isinstance(entry, CoinFlipped):
        text = (
            "A special shot was declared with it, or taken back, and it has not been turned for"
            " that yet."
        )
        return (Clause(text=text, met=rank in ball.spent, facts={"declared": sorted(ball.spent)}),)
    wanted = marker_angle_deg(ball)
    right = marker_shows(entry.angle_deg, wanted)
    return (
        Clause(text="It is a hoop marker.", met=rank == "null"),
        Clause(
            text="It stands 45 degrees further clockwise for each hoop its ball has run.",
            met=right,
            facts={"hoops": ball.hoops, "wanted_deg": wanted},
        ),
    )
