"""What had to hold for something done or said between two flicks of Tabletop Croquet to be in
order, and for a turn to be over.
"""

from __future__ import annotations

from referee.domain.clause import Clause
from referee.domain.declaration import AfterHit, Concede, Declaration, Leave, Pass, Rover
from referee.domain.geometry import Point, distance
from referee.domain.incident import Incident, Placed, TileDisplaced
from referee.games.flicking import (
    UNMOVED_MM,
    Strip,
    corner_depths,
    displacement,
    from_edge,
    plain_point,
)
from referee.games.tabletop_croquet.placing import (
    COIN_WIDTH_TOLERANCE,
    INSET_ASIDE,
    INSET_LEAST,
    INSET_MOST,
    INSET_SHOWN,
    goes_beside,
    may_be_lifted,
    start_gaps,
)
from referee.games.tabletop_croquet.state import State, in_play, seat_of, whose


def between(state: State, entry: Incident | Declaration) -> tuple[Clause, ...]:
    """The clauses for one entry; none for what no clause decides."""
    match entry:
        case Placed():
            return _placed(state, entry)
        case TileDisplaced():
            return (displacement(entry),)
        case AfterHit():
            return _after_hit(state, entry)
        case Rover() | Leave():
            return _rover_or_leave(state, entry)
        case Pass():
            return (
                Clause(text="No flick is owed.", met=False, facts={"flicks_left": state.flicks}),
            )
        case Concede():
            return _concede(state, entry)
    return ()


def turn_over(state: State) -> tuple[Clause, ...]:
    """Whether the turn ends when all is still; `state` is the one in which everything of the flick
    has been judged.
    """
    mine, name = state.coins[state.active], seat_of(state).name
    rows = [
        Clause(
            text=f"{name} has no flick left, so the turn is over.",
            met=state.flicks == 0,
            facts={"flicks_left": state.flicks},
        )
    ]
    if not in_play(mine) or mine.conceded:
        rows.append(
            Clause(
                text=f"{name} is out of the game, so the turn is over.",
                met=True,
                facts={"state": "conceded" if mine.conceded else mine.state},
            )
        )
    return tuple(rows)


def _placed(state: State, entry: Placed) -> tuple[Clause, ...]:
    index = state.table.by_coin.get(entry.coin)
    if index is None:
        return (Clause(text=f"Somebody plays the coin {entry.coin}.", met=False),)
    coin, sigma_mm = state.coins[index], entry.sigma_mm or 0.0
    if entry.at_mm is None:
        facts = {"state": coin.state}
        return (
            Clause(
                text="It has left the table, has not entered yet, or is out of the game.",
                met=may_be_lifted(coin),
                facts=facts,
            ),
        )
    at_mm = plain_point(entry.at_mm)
    if coin.exit_mm is not None:
        return _back(state, coin.exit_mm, at_mm, sigma_mm)
    if coin.fresh:
        return _start(state, at_mm)
    if goes_beside(state, index):
        return _beside(state, at_mm)
    moved_mm = None if coin.at_mm is None else round(distance(coin.at_mm, at_mm), 1)
    text = (
        f"It was put down where it lay, to {UNMOVED_MM:g} mm: coins are flicked from where they"
        " lie."
    )
    return (
        Clause(
            text=text,
            met=moved_mm is not None and moved_mm <= UNMOVED_MM,
            facts={"moved_mm": moved_mm},
        ),
    )


def _back(state: State, exit_mm: Point, at_mm: Point, sigma_mm: float) -> tuple[Clause, ...]:
    size, slack = state.table.coin_mm, 2 * sigma_mm + 1e-9
    depth_mm, aside_mm = from_edge(state.ground, exit_mm, at_mm)
    least, most, side = INSET_LEAST * size, INSET_MOST * size, INSET_ASIDE * size
    known = {"sigma_mm": sigma_mm} if sigma_mm else {}
    strip = Strip(least, most, INSET_SHOWN * size, side)
    depths = corner_depths(state.ground, exit_mm, at_mm, strip)
    if depths and all(least - slack <= depth <= most + slack for depth in depths):
        text = f"Near a corner its centre is {least:.1f} to {most:.1f} mm in from both edges."
        return (Clause(text=text, met=True, facts={"depths_mm": [round(d, 1) for d in depths]}),)
    rows = [
        Clause(
            text=f"Its centre is {least:.1f} to {most:.1f} mm in from where it left the table.",
            met=least - slack <= depth_mm <= most + slack,
            facts={"depth_mm": round(depth_mm, 1), **known},
        )
    ]
    if state.ground.edge_mm is not None:
        text = f"It is at most {side:.1f} mm to either side of there."
        rows.append(
            Clause(
                text=text,
                met=aside_mm <= side + slack,
                facts={"aside_mm": round(aside_mm, 1), **known},
            )
        )
    return tuple(rows)


def _start(state: State, at_mm: Point) -> tuple[Clause, ...]:
    gaps = start_gaps(state, at_mm)
    if gaps is None:
        return ()
    tile_mm, (gap_mm, ahead_mm) = state.table.tile_mm, gaps
    near = f"Its centre is within a tile width of the left endpost: {tile_mm:.1f} mm."
    return (
        Clause(text=near, met=gap_mm <= tile_mm + 1e-9, facts={"gap_mm": round(gap_mm, 1)}),
        Clause(
            text="It lies between the endpost and wicket 1.",
            met=ahead_mm >= 0,
            facts={"ahead_mm": round(ahead_mm, 1)},
        ),
    )


def _beside(state: State, at_mm: Point) -> tuple[Clause, ...]:
    offer, size = state.offer, state.table.coin_mm
    assert offer is not None and offer.coin is not None
    beside = state.coins[state.table.by_coin[offer.coin]].at_mm
    most_mm = COIN_WIDTH_TOLERANCE * size
    text = (
        f"The gap to {whose(state, offer.coin)} is at most one coin width, with a tenth of"
        f" tolerance: {most_mm:.1f} mm."
    )
    if beside is None:
        return (Clause(text=text, met=True, facts={"gap_mm": None}),)
    gap_mm = distance(at_mm, beside) - size
    return (Clause(text=text, met=gap_mm <= most_mm + 1e-9, facts={"gap_mm": round(gap_mm, 2)}),)


def _after_hit(state: State, entry: AfterHit) -> tuple[Clause, ...]:
    name, offer = seat_of(state).name, state.offer
    hit = [] if offer is None else sorted(offer.coins)
    rows = [
        Clause(text="Everything is still.", met=state.flick is None),
        Clause(
            text=f"It is {name} who says so.",
            met=entry.player in (None, name),
            facts={"player": entry.player or name},
        ),
        Clause(
            text=f"{name} earned flicks by hitting {whose(state, entry.coin)} in the last flick.",
            met=entry.coin in hit,
            facts={"hit": hit},
        ),
    ]
    if entry.option in (3, 4) and entry.coin in hit:
        theirs = state.coins[state.table.by_coin[entry.coin]]
        rows.append(
            Clause(
                text=f"{whose(state, entry.coin)} is still in play and can be flicked.",
                met=in_play(theirs),
                facts={"state": theirs.state},
            )
        )
    return tuple(rows)


def _rover_or_leave(state: State, entry: Rover | Leave) -> tuple[Clause, ...]:
    index = state.table.by_coin.get(entry.coin)
    if index is None:
        return (Clause(text=f"Somebody plays the coin {entry.coin}.", met=False),)
    coin, name = state.coins[index], state.table.seats[index].name
    text = (
        f"{whose(state, entry.coin)} has passed the last wicket, and what becomes of it has not"
        " been said."
    )
    said = {"said": coin.choice} if coin.choice in ("rover", "leave") else {}
    return (
        Clause(
            text=text,
            met=coin.choice == "asked" and in_play(coin),
            facts={"progress": coin.progress, **said},
        ),
        Clause(
            text=f"It is {name} who says so.",
            met=entry.player in (None, name),
            facts={"player": entry.player or name},
        ),
    )


def _concede(state: State, entry: Concede) -> tuple[Clause, ...]:
    name = entry.player or seat_of(state).name
    coin = next(
        (
            coin
            for coin, seat in zip(state.coins, state.table.seats, strict=True)
            if seat.name == name
        ),
        None,
    )
    return (
        Clause(
            text=f"{name} is still in the game.",
            met=coin is not None and in_play(coin) and not coin.conceded,
        ),
    )
