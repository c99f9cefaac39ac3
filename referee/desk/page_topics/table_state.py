"""Follows what lies on the table from step to step of a record: coins, pockets, tiles and the
survey.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.desk.page_topics.playing_area import racked_mm
from referee.desk.page_topics.rest_positions import Lies, lies_after, unknown
from referee.desk.page_topics.topics import Lie
from referee.domain.entry import Setup
from referee.domain.incident import (
    AtRest,
    Flicked,
    Placed,
    Pocketed,
    Surveyed,
    TileDisplaced,
    TileRestored,
)
from referee.replay.rulings.items import Step


class TableState(msgspec.Struct, frozen=True):
    """The table after a step of the record. `lies` says where the coins lie. `down` are the coins
    that went into a pocket and were not put back. `displaced` are the tiles that were displaced,
    each with what displaced it. `racked` are the coins that, as far as is known, still lie where
    the rules put them before play. `flicked` is the last flick. `layout` and `table_edge_mm` come
    from the last survey.
    """

    lies: Lies = {}  # msgspec copies it
    racked: frozenset[str] = frozenset()
    down: frozenset[str] = frozenset()
    displaced: Mapping[str, TileDisplaced] = {}
    flicked: Flicked | None = None
    layout: Any = None
    table_edge_mm: Any = None


def opening_table(setup: Setup) -> TableState:
    """Return the table before play, with the coins where the rules put them."""
    lies = {coin: Lie(at_mm=at, state="rest") for coin, at in racked_mm(setup).items()}
    return TableState(lies=lies, racked=frozenset(lies))


def table_state(steps: Iterable[Step], opening: TableState | None = None) -> TableState:
    """Return the table after these steps, the first steps of a record. Before them, the table was
    as in `opening`, or empty if that is None.
    """
    state = opening or TableState()
    for step in steps:
        state = after_step(state, step)
    return state


def after_step(state: TableState, step: Step) -> TableState:
    """Return the table after one more step."""
    if not step.item.counts:
        return state
    entry = step.item.entry
    if isinstance(entry, Flicked) and state.racked:  # any of them may be hit
        state = replace(state, lies=unknown(state.lies, sorted(state.racked), "moved"))
    lies = lies_after(state.lies, entry)
    if lies is not state.lies:
        racked = frozenset(one for one in state.racked if lies.get(one) is state.lies[one])
        state = replace(state, lies=lies, racked=racked)
    return _after(state, entry)


def _after(state: TableState, entry: object) -> TableState:
    match entry:
        case Flicked():
            return replace(state, flicked=entry)
        case Pocketed(coin=coin):
            return replace(state, down=state.down | {coin})
        case Placed(coin=coin) if coin in state.down:
            return replace(state, down=state.down - {coin})
        case AtRest(coins=coins) if state.down & coins.keys():
            return replace(state, down=state.down - coins.keys())
        case TileDisplaced(tile=tile):
            return replace(state, displaced={**state.displaced, tile: entry})
        case TileRestored(tile=tile):
            left = {name: one for name, one in state.displaced.items() if name != tile}
            return replace(state, displaced=left)
        case Surveyed(layout=layout, table_edge_mm=edge_mm):
            return replace(
                state, layout=layout or state.layout, table_edge_mm=edge_mm or state.table_edge_mm
            )
    return state
