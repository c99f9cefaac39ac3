"""The clauses of a game's rules that one entry had to meet, where the game's module can tell them
apart.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration
from referee.domain.incident import Incident

_MODULES = {
    "tabletop-croquet": "referee.games.tabletop_croquet.clauses",
    "castle-croquetnole": "referee.games.castle_croquetnole.clauses",
    "carroms": "referee.games.carroms.clauses",
    "piecepack-croquet": "referee.games.piecepack_croquet.clauses",
    "wickets-six": "referee.games.wickets.clauses",
    "wickets-nine": "referee.games.wickets.clauses",
}


def clauses_of(
    game: str, state: Any, entry: Incident | Declaration, *, upheld: bool, judged_in: Any = None
) -> tuple[Clause, ...]:
    """What had to hold for the entry to count, each with whether it held; empty where the game does
    not say.

    `state` is the one just before the entry, `judged_in` the one in which it was judged, where that
    was later (at rest).
    """
    if game not in _MODULES:
        return ()
    found: tuple[Clause, ...] = import_module(_MODULES[game]).clauses(
        state, entry, upheld=upheld, judged_in=judged_in
    )
    return found
