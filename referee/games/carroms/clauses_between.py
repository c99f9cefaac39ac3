"""What had to hold for what happens between flicks in Carroms: hands, lines of tiles held down,
tiles out of place.
"""

from __future__ import annotations

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration, Hold, Pass
from referee.domain.geometry import Point, distance
from referee.domain.incident import Incident, Placed, TileDisplaced
from referee.games.carroms.board import wall_gap_mm
from referee.games.carroms.holding import holder, most_walls
from referee.games.carroms.placing import (
    black_waits,
    breaks_from,
    on_field,
    spot_clause,
    with_chosen,
)
from referee.games.carroms.state import PLACE, STRIKER, State, in_words, piece, sentence
from referee.games.flicking import UNMOVED_MM, displacement, plain_point


def between(state: State, entry: Incident | Declaration) -> tuple[Clause, ...]:
    """The clauses of an entry that is no incident of a flick; none for what no clause decides."""
    match entry:
        case Placed() if entry.coin in PLACE and entry.at_mm is not None:
            return _placed(
                with_chosen(state, entry.coin),
                entry.coin,
                plain_point(entry.at_mm),
                2 * (entry.sigma_mm or 0.0),
            )
        case Placed() if entry.coin in PLACE:
            return (
                Clause(
                    text=f"{sentence(in_words(entry.coin))} does not have to lie on the board.",
                    met=entry.coin in state.pile,
                ),
            )
        case TileDisplaced():
            return (displacement(entry),)
        case Hold():
            return _hold(state, entry)
        case Pass():
            return (Clause(text="A player may pass.", met=False),)
        case _:
            return ()


def _hold(state: State, entry: Hold) -> tuple[Clause, ...]:
    index = holder(state, entry.player)
    if index is None:
        return (Clause(text=f"{entry.player} plays in this match.", met=False),)
    name, most = state.table.seats[index].name, most_walls(state, index)
    which = "whose turn it is" if index == state.active else "the opponent"
    text = f"{name}, {which}, holds at most {'one line' if most == 1 else 'two lines'} of tiles."
    return (
        Clause(text="Everything is still.", met=state.flick is None),
        Clause(text=text, met=len(set(entry.walls)) <= most, facts={"walls": list(entry.walls)}),
    )


def _placed(state: State, coin: str, at_mm: Point, slack_mm: float) -> tuple[Clause, ...]:
    now, what = piece(state, coin), sentence(in_words(coin))
    if coin in state.pile:
        return (
            Clause(
                text=f"{what} has to go back on the board.", met=False, facts={"in_a_pocket": True}
            ),
        )
    if coin == STRIKER and now.owed:
        return (
            Clause(
                text="The striker is put on the board.",
                met=on_field(state, at_mm, slack_mm),
                facts={"at_mm": list(at_mm)},
            ),
        )
    if now.owed == "penalty":
        first = Clause(
            text="The black coin does not have to go back first.", met=not black_waits(state)
        )
        return first, spot_clause(state, coin, at_mm, slack_mm)
    if now.owed:
        return (spot_clause(state, coin, at_mm, slack_mm),)
    if not state.broken and state.flick is None:
        return (_break(state, at_mm),) if coin == STRIKER else ()
    return _moved(state, coin, at_mm)


def _break(state: State, at_mm: Point) -> Clause:
    facts = {
        "to_the_nearest_wall_mm": round(wall_gap_mm(state.board, at_mm), 2),
        "at_most_mm": state.table.tile_mm,
    }
    return Clause(
        text="The striker lies on the playing field, within one tile width of a wall.",
        met=breaks_from(state, at_mm),
        facts=facts,
    )


def _moved(state: State, coin: str, at_mm: Point) -> tuple[Clause, ...]:
    lay_mm = piece(state, coin).at_mm
    moved_mm = None if lay_mm is None else round(distance(lay_mm, at_mm), 2)
    lies = moved_mm is not None and moved_mm <= UNMOVED_MM
    text = f"{sentence(in_words(coin))} is not moved by hand: it lies where it lay."
    mending = Clause(
        text="A tile is out of place, and coins may make room for it.",
        met=bool(state.displaced) and state.flick is None,
    )
    return (
        Clause(text=text, met=lies, facts={"moved_mm": moved_mm, "at_most_mm": UNMOVED_MM}),
        mending,
    )
