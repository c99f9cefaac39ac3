"""Puts into words the conditions that one entry had to meet."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from referee.domain.clause import Clause
from referee.domain.declaration import Declaration
from referee.domain.incident import AtRest, Incident
from referee.games import game_named

#: For each game, the module with `worded(state, entry, condition)`. That function puts into words
#: one of the conditions by which the game's `apply` decided the entry. `state` is the state just
#: before the entry.
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
    """Return the conditions the entry had to meet, in words, each with whether it was met.

    `state` is the state just before the entry. Some entries are judged only when all is at rest.
    Then `judged_at` gives the `at_rest` entry that judged them, and the state just before that one.
    """
    rules, words = game_named(game), import_module(EXPLAINED_BY[game])
    decided = rules.apply(state, entry, upheld=upheld, explain=True)[2]
    if judged_at is not None:
        state = judged_at[0]
        later = rules.apply(state, judged_at[1], explain=True)[2]
        decided = tuple(one for one in later if one.on == entry.id) or decided
    return tuple(words.worded(state, entry, one) for one in decided if one.on == entry.id)
