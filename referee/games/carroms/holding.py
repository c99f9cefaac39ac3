"""Lines of tiles that players hold down in Carroms, so that a bank shot does not knock them out of
place (CA-12).
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from referee.domain.call import Call, Irregularity
from referee.domain.clause import Reasons
from referee.domain.declaration import Hold
from referee.domain.incident import TileDisplaced
from referee.games.carroms.state import RULE, Judged, State, call_for, names, seat_of
from referee.games.flicking import refused
from referee.games.ground import is_displaced, with_displaced

#: How many lines of tiles the active player may hold down.
OWN_WALLS: Final = 1
#: How many lines of tiles the opponent may hold down.
OPPONENTS_WALLS: Final = 2
LINES: Final = {1: "one line", 2: "two lines"}
WALLS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}


def seat_index(state: State, name: str | None) -> int:
    """Return the index of the named player, or of the active player where no name is given."""
    return state.active if name is None else names(state).index(name)


def most_walls(state: State, index: int) -> int:
    """Return how many lines of tiles a player may hold down in this turn."""
    return OWN_WALLS if index == state.active else OPPONENTS_WALLS


def held_down(state: State, entry: Hold, reasons: Reasons) -> Judged:
    """Judge a declaration that a player holds lines of tiles down for the next flick. If the rules
    allow it, these lines replace the ones that this player held before.
    """
    index, walls = seat_index(state, entry.player), tuple(w for w in WALLS if w in entry.walls)
    name, most = state.table.seats[index].name, most_walls(state, index)
    still = reasons.holds("still", state.flick is None)
    few = reasons.holds("few_lines", len(walls) <= most)
    if not still:
        text = f"{name} holds tiles down while coins are still moving."
        return _refused(state, entry, text)
    if not few:
        text = f"{name} may hold down at most {LINES[most]} of tiles in this flick."
        return _refused(state, entry, text)
    holds = tuple(walls if i == index else held for i, held in enumerate(state.holds))
    return replace(state, holds=holds), (_holds(state, str(entry.id), index, walls),)


def _refused(state: State, entry: Hold, text: str) -> Judged:
    return state, refused(entry, seat_of(state).name, "declaration_not_allowed", RULE, text)


def _holds(state: State, on: str, index: int, walls: tuple[str, ...]) -> Call:
    lines = " and ".join(WALLS[wall] for wall in walls)
    what = (
        f"holds down the {lines} {'lines' if len(walls) > 1 else 'line'} of tiles"
        if walls
        else "holds down no tiles"
    )
    text = f"{state.table.seats[index].name} {what} for this flick."
    facts = {"walls": list(walls)}
    return call_for(state, on, "walls_held", index, text, coin=None, facts=facts)


def tile_displaced(state: State, entry: TileDisplaced, reasons: Reasons) -> Judged:
    """Note a tile that was moved far enough to be out of place. Return an irregularity if a coin
    moved the tile although a player held the tile's line down.
    """
    if not reasons.holds("displaced", is_displaced(entry)):
        return state, ()
    state = replace(state, displaced=with_displaced(state.displaced, entry))
    held_by = _holders(state, entry.tile) if state.flick is not None and entry.by == "coin" else []
    return state, (
        (_not_held(entry, held_by),) if reasons.fails("line_not_held", bool(held_by)) else ()
    )


def _holders(state: State, tile: str) -> list[str]:
    return [
        seat.name
        for seat, walls in zip(state.table.seats, state.holds, strict=True)
        if any(tile.startswith(f"wall-{wall.lower()}-") for wall in walls)
    ]


def _not_held(entry: TileDisplaced, held_by: list[str]) -> Irregularity:
    """Return the irregularity of a tile that moved although a player held its line down. The tile
    must be put back like any other tile.
    """
    text = (
        f"The tile {entry.tile} was knocked out of place although {' and '.join(held_by)} held its"
        " line down."
    )
    return Irregularity(
        on=str(entry.id),
        what="not_held",
        rule=RULE,
        text=text,
        player=held_by[0],
        facts={"tile": entry.tile},
    )
