"""What had to hold for what happens between flicks in Castle Croquetnole: hands, declarations,
tiles, and the end of a flick.
"""

from __future__ import annotations

from referee.domain.clause import Clause
from referee.domain.declaration import CastleCroquet, Concede, Declaration, Pass
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Incident, Placed, TileDisplaced
from referee.games.castle_croquetnole.places import croquet_gap, place_wanted, start_gap
from referee.games.castle_croquetnole.state import (
    GUARD,
    State,
    coin_of,
    in_turn,
    may_move,
    owner_of,
    seat_of,
)
from referee.games.castle_croquetnole.turns import may_pass
from referee.games.castle_croquetnole.wording import whose
from referee.games.flicking import UNMOVED_MM, displacement, plain_point


def between(state: State, entry: Incident | Declaration) -> tuple[Clause, ...]:
    """The clauses of an entry that is no incident of a flick; none for what no clause decides."""
    match entry:
        case Placed():
            return _placed(state, entry)
        case AtRest():
            return _rest(state)
        case TileDisplaced():
            return (displacement(entry),)
        case CastleCroquet():
            earned = Clause(
                text="The knight hit its own guard, off duty, in its last flick.",
                met=state.offer is not None,
            )
            return *_said(state, entry.player), earned
        case Pass():
            return *_said(state, entry.player), _passing(state)
        case Concede():
            name = entry.player or seat_of(state).name
            out = any(
                seat.name == name and side.conceded
                for seat, side in zip(state.table.seats, state.sides, strict=True)
            )
            return (Clause(text=f"{name} is still in the match.", met=not out),)
        case _:
            return ()


def _said(state: State, player: str | None) -> tuple[Clause, ...]:
    name = seat_of(state).name
    return Clause(text=f"It is {name} who says so.", met=player in (None, name)), Clause(
        text="Everything is still.", met=state.flick is None
    )


def _passing(state: State) -> Clause:
    side = state.sides[state.active]
    facts = {"round_one": not side.opened, "flicked_this_turn": state.played}
    return Clause(
        text=f"{whose(state, in_turn(state))} has been flicked this turn, or round one is over.",
        met=may_pass(state),
        facts=facts,
    )


def _rest(state: State) -> tuple[Clause, ...]:
    if state.flick is None:
        return ()
    coin = whose(state, in_turn(state))
    return (
        Clause(
            text=f"{coin} has no flick left, so that its play is over.",
            met=state.flicks == 0,
            facts={"flicks_left": state.flicks},
        ),
        Clause(
            text="It was the guard's play, so that the turn is over with it.",
            met=state.role == GUARD and state.flicks == 0,
        ),
    )


def _placed(state: State, entry: Placed) -> tuple[Clause, ...]:
    now = coin_of(state, entry.coin)
    if entry.at_mm is None:
        return (
            Clause(
                text=f"{whose(state, entry.coin)} may be lifted off the table.",
                met=now.fresh or now.to_place is not None,
            ),
        )
    at_mm, sigma_mm = plain_point(entry.at_mm), entry.sigma_mm or 0.0
    if now.owed is not None:
        return (place_wanted(state, now.owed, at_mm, sigma_mm),)
    if now.fresh:
        return (
            start_gap(
                state, state.table.seats[owner_of(state, entry.coin)].knight, at_mm, sigma_mm
            ),
        )
    return _moved(state, entry.coin, now.at_mm, at_mm, sigma_mm)


def _moved(
    state: State, coin: str, lay_mm: Point | None, at_mm: Point, sigma_mm: float
) -> tuple[Clause, ...]:
    offer = state.offer
    if (
        offer is not None
        and offer.option in (2, 3, 4)
        and not offer.moved
        and coin == in_turn(state)
        and state.flick is None
    ):
        return (croquet_gap(state, at_mm, offer.option, sigma_mm),)
    moved_mm = None if lay_mm is None else round(distance(lay_mm, at_mm), 2)
    lies = Clause(
        text=f"{whose(state, coin)} is not moved by hand: it lies where it lay.",
        met=moved_mm is not None and moved_mm <= UNMOVED_MM,
        facts={"moved_mm": moved_mm, "at_most_mm": UNMOVED_MM},
    )
    croquet = Clause(
        text="A croquet that moves the knight has been declared.",
        met=False,
        facts={"declared": None if offer is None else offer.option},
    )
    return (lies, croquet) if coin == in_turn(state) and may_move(state, state.active) else (lies,)
