"""The clauses of a game's rules that one entry had to meet, in words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration
from referee.domain.incident import AtRest, Incident
from referee.games import game_named

#: The modules in which `worded(state, entry, condition)` words one of the conditions by which a
#: game's `apply` decided, `state` being the one just before the entry.
EXPLAINED_BY: dict[str, str] = {
    "tabletop-croquet": "referee.games.tabletop_croquet.clause_words",
    "carroms": "referee.games.carroms.clause_words",
    "castle-croquetnole": "referee.games.castle_croquetnole.clause_words",
    "piecepack-croquet": "referee.games.piecepack_croquet.clause_words",
    "wickets-six": "referee.games.wickets.clause_words",
    "wickets-nine": "referee.games.wickets.clause_words",
}


def clauses_of(
    game: str,
    state: Any,
    entry: Incident | Declaration,
    *,
    upheld: bool,
    judged_at: tuple[Any, AtRest] | None = None,
) -> tuple[Clause, ...]:
    """What had to hold for the entry to count, each with whether it held.

    `state` is the one just before the entry. `judged_at` is given where the entry was judged later:
    the entry `at_rest` at which it was, and the state just before that.
    """
    rules, words = game_named(game), import_module(EXPLAINED_BY[game])
    decided = rules.apply(state, entry, upheld=upheld, explain=True)[2]
    if judged_at is not None:
        state = judged_at[0]
        later = rules.apply(state, judged_at[1], explain=True)[2]
        decided = tuple(one for one in later if one.on == entry.id) or decided
    return tuple(words.worded(state, entry, one) for one in decided if one.on == entry.id)
