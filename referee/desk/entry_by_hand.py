"""Supports matches that people enter by hand, without a camera: entering what happened on the
table, and correcting wrong entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import msgspec

from referee.desk.messages import RouteFound, RoutesFound
from referee.desk.page_topics.game_topics import Square
from referee.desk.page_topics.table_state import TableState, table_state
from referee.desk.page_topics.topics import Evidence, HandTopic, LastEntry, RulingMade
from referee.domain.declaration import Said
from referee.domain.entry import Fact, Ruling, plain
from referee.domain.errors import InputError
from referee.domain.incident import AtRest, Measured
from referee.games import KnowsCoins, KnowsPawns
from referee.replay.fold import Fold, extend
from referee.replay.rulings.items import Item

#: The kinds of incident of a flicking game that people may enter.
TABLE_KINDS: Final = (
    "flicked",
    "line_crossed",
    "contact",
    "left_table",
    "pocketed",
    "placed",
    "at_rest",
    "tile_displaced",
    "tile_restored",
)
#: The reason of a ruling that takes back what was entered or decided last.
MISTAKE: Final = "entered by mistake"


class NotAllowedError(InputError):
    """The entry can be read, but the rules do not allow it in the present state of the match."""


def hand_topic(folded: Fold, table: TableState | None = None) -> HandTopic:
    """Return the `hand` topic of the pages. `table` is the table after all steps, if the caller has
    computed it already.
    """
    last = last_to_take_back(folded)
    table = table_state(folded.steps) if table is None else table
    flicked = table.flicked
    on_table, off_table = _coins_in_play(folded)
    return HandTopic(
        flick=[msgspec.convert(plain(item.entry), Evidence) for item in _under_way(folded)],
        back=(
            None
            if last is None or isinstance(last, Ruling)
            else msgspec.convert(plain(last.entry) | {"on": last.id}, LastEntry)
        ),
        ruled=(
            msgspec.convert(plain(last) | {"holds": True}, RulingMade)
            if isinstance(last, Ruling)
            else None
        ),
        displaced=dict(table.displaced),
        down=sorted(table.down),
        on_table=list(on_table),
        off_table=list(off_table),
        camera=flicked is not None and (flicked.frames is not None or flicked.clip is not None),
    )


def last_to_take_back(folded: Fold) -> Item | Ruling | None:
    """Return the entry that people may take back: the last incident or declaration that counts, or
    a ruling that was made after it and is in force. None if there is neither.
    """
    last = next((step.item for step in reversed(folded.steps) if _is_fact(step.item)), None)
    since = folded.entries[0 if last is None else last.line + 1 :]
    ruled = (one for one in reversed(since) if isinstance(one, Ruling) and one.reason != MISTAKE)
    return next((one for one in ruled if folded.rulings.in_force(one)), last)


def rest_before(folded: Fold, new: Fact) -> AtRest | None:
    """Return the `at_rest` that must be written before the entry `new`; None if none is needed.

    It is needed if a ruling took back a flick that had not ended. Without it, `new` would belong to
    that flick, and would be taken back with it.
    """
    longer = extend(folded, new).steps[len(folded.steps) :]
    return AtRest(coins={}) if longer and longer[-1].item.fate.flick_is_gone else None


def routes_found(folded: Fold, route: Sequence[Square], to: Square | None) -> RoutesFound:
    """Return the routes that the ball in turn may take: those that begin with `route` and lead on
    to the place `to`. Without `to`, this is only `route` itself. Raises InputError for a game
    without pawns.
    """
    game = folded.game
    if not hasattr(game, "routes_to"):
        raise InputError("In this game no ball has a route.")
    found, why = cast(KnowsPawns, game).routes_to(folded.state, route, to)
    return RoutesFound(
        routes=[msgspec.convert(one, RouteFound, from_attributes=True) for one in found], why=why
    )


def _coins_in_play(folded: Fold) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return two lists of the coins in play: those on the table and those off it. Both are empty in
    a game without flicks.
    """
    if not hasattr(folded.game, "on_table"):
        return (), ()
    game = cast(KnowsCoins, folded.game)
    return game.on_table(folded.state), game.off_table(folded.state)


def _is_fact(item: Item) -> bool:
    return item.counts and isinstance(item.entry, Measured | Said)


def _under_way(folded: Fold) -> list[Item]:
    """Return the entries of the current flick so far; an empty list between flicks."""
    start = folded.steps[-1].flick_from if folded.steps else None
    return (
        [] if start is None else [step.item for step in folded.steps[start:] if _is_fact(step.item)]
    )
