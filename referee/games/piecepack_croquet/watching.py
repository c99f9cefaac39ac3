"""Compares what is seen on the lawn with what the rules expect: pawns, special-shot coins and hoop
markers.

Only two things that are seen change the state: the active ball is placed, or the coin of a declared
special shot is turned over. Every other difference from what the rules expect gives an irregularity
that says how the piece should stand.
"""

from __future__ import annotations

from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.incident import CoinFlipped, CoinTurned, Moved
from referee.games.piecepack_croquet.lawn import Point, free_edge_points, free_starts, on_lawn
from referee.games.piecepack_croquet.state import (
    Ball,
    Judged,
    Judging,
    State,
    index_of,
    name_of,
    of_coin,
    refused,
    seat_of,
    taken,
    with_ball,
)

#: A marker turns by 45 degrees for each hoop. A marker that is off by half of that shows another
#: number of hoops.
MARKER_STEP_DEG: Final = 45.0


def places(state: State) -> tuple[Point, ...]:
    """Return where the active ball may be placed: on a start point, or where it left the lawn
    (DS-15).
    """
    ball = state.balls[state.active]
    if ball.state == "off_lawn" and ball.at is not None:
        return free_edge_points(ball.at, taken(state))
    return free_starts(taken(state))


def places_awaited_ball(state: State, entry: Moved) -> bool:
    """Return whether a move puts the expected ball on the lawn. Its `from` must be missing or
    null.
    """
    awaited = state.expects == "place" and index_of(entry.pawn) == state.active
    return awaited and entry.from_ in (None, UNSET) and entry.to is not None


def moved(state: State, entry: Moved, judging: Judging) -> Judged:
    """Judge a pawn that a hand moved. If it is the ball that waits to be placed, this places it.
    Any other pawn is only compared with where it must stand.
    """
    index = index_of(entry.pawn)
    if places_awaited_ball(state, entry):
        return _placed(state, entry, judging)
    ball = state.balls[index]
    stands = entry.to is UNSET or _stands_right(state, index, entry.to)
    if judging.reasons.holds("stands_as_it_must", stands, index, ball):
        return state, ()
    where = f"on {ball.at}" if ball.state == "in_play" and ball.at is not None else "off the lawn"
    now = "taken off the lawn" if entry.to is None else f"put on {entry.to}"
    at = list(ball.at) if ball.at is not None else None
    text = f"{name_of(state, index)} is {now}, but it should stand {where}."
    return state, (_odd(entry.id, "pawn_misplaced", "Play", text, entry.pawn, {"at": at}),)


def _odd(
    on: str | None, what: str, rule: str, text: str, coin: str, facts: dict[str, object]
) -> Irregularity:
    return Irregularity(
        on=str(on), what=what, rule=rule, text=text, coin=coin, facts=facts, placement=True
    )


def _placed(state: State, entry: Moved, judging: Judging) -> Judged:
    allowed, to = places(state), entry.to
    came_back = state.balls[state.active].state == "off_lawn"
    if judging.reasons.holds("placed_well", to in allowed, to, allowed, came_back):
        return replace(with_ball(state, state.active, state="in_play", at=to), expects="shot"), ()
    rule = "The boundary" if came_back else "The starting round"
    text = (
        f"{name_of(state, state.active)} may not be placed"
        f" {'on an unknown point' if to is UNSET else f'on {to}'}; it may be placed on"
        f" {' or '.join(map(str, allowed))}."
    )
    return refused(
        state,
        str(entry.id),
        "wrong_place",
        rule,
        text,
        player=seat_of(state).player,
        facts={"places": [list(at) for at in allowed]},
    )


def _stands_right(state: State, index: int, to: Point | None) -> bool:
    """Return whether a pawn may be where it was put. During a croquet the own pawn may be in the
    hand or next to the roqueted ball.
    """
    ball = state.balls[index]
    if ball.state != "in_play":
        return to is None or not on_lawn(to) or (ball.state == "off_lawn" and to == ball.at)
    picked_up = index == state.active and (
        state.expects == "croquet" or state.kind in ("croquet", "play-off")
    )
    if picked_up and ball.at is not None:
        return to is None or max(abs(to[0] - ball.at[0]), abs(to[1] - ball.at[1])) <= 1
    return to == ball.at


def coin_flipped(state: State, entry: CoinFlipped, judging: Judging) -> Judged:
    """Note a special-shot coin that was turned over. It may be turned over once for each special
    shot that was declared or taken back. Otherwise return an irregularity.
    """
    index, rank = of_coin(entry.coin)
    ball = state.balls[index]
    if judging.reasons.holds("flip_declared", rank in ball.spent, ball.spent):
        return with_ball(state, index, spent=ball.spent - {rank}), ()
    why = (
        "no special shot was declared with it"
        if rank in ball.shots or rank == "null"
        else "it has already been turned over for its special shot"
    )
    text = f"The coin {entry.coin} is turned over, but {why}."
    player = state.table.seats[index].player
    return state, (
        Irregularity(
            on=str(entry.id),
            what="special_shot_not_declared",
            rule="Special shots",
            text=text,
            coin=entry.coin,
            player=player,
        ),
    )


def coin_turned(state: State, entry: CoinTurned, judging: Judging) -> Judged:
    """Compare a hoop marker that was turned with the number of hoops that the ball of its colour
    has run (DS-13).
    """
    index, rank = of_coin(entry.coin)
    hoops, wanted = state.balls[index].hoops, marker_angle_deg(state.balls[index])
    marker = judging.reasons.holds("is_marker", rank == "null")
    shows = marker_shows(entry.angle_deg, wanted)
    right = judging.reasons.holds("marker_shows_hoops", shows, hoops, wanted)
    if not marker:
        text = f"The coin {entry.coin} is not a hoop marker and should not be turned."
        return state, (
            _odd(entry.id, "marker_wrong", "The hoops", text, entry.coin, {"angle_deg": None}),
        )
    if right:
        return state, ()
    text = (
        f"The marker {entry.coin} must stand at {wanted:.0f} degrees: {name_of(state, index)} has"
        f" run {hoops} hoop{'' if hoops == 1 else 's'}."
    )
    return state, (
        _odd(entry.id, "marker_wrong", "The hoops", text, entry.coin, {"angle_deg": wanted}),
    )


def marker_angle_deg(ball: Ball) -> float:
    """Return the angle at which a ball's hoop marker must stand, clockwise from up."""
    return MARKER_STEP_DEG * ball.hoops


def marker_shows(angle_deg: float, wanted_deg: float) -> bool:
    """Return whether a marker is nearer to the wanted angle than to the angles for one hoop more or
    one hoop less.
    """
    return abs((angle_deg - wanted_deg + 180) % 360 - 180) < MARKER_STEP_DEG / 2
