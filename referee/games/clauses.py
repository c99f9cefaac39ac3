"""Puts into words the conditions that one entry had to meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, cast

from referee.domain.call import Irregularity
from referee.domain.clause import Clause, Condition, Reasons
from referee.domain.declaration import Declaration, Pass
from referee.domain.incident import AtRest, Flicked, Incident
from referee.games import KeepsTurns, KnowsPawns, game_named

#: The text of a condition, and the facts that decided it.
Words = tuple[str, dict[str, Any]]

#: For each game, the module with `worded(state, entry, condition)`. That function puts into words
#: one of the conditions by which the game's `apply` decided the entry. `state` is the state just
#: before the entry.
EXPLAINED_BY: Final[dict[str, str]] = {
    "tabletop-croquet": "referee.games.tabletop_croquet.clause_words",
    "carroms": "referee.games.carroms.clause_words",
    "castle-croquetnole": "referee.games.castle_croquetnole.clause_words",
    "piecepack-croquet": "referee.games.piecepack_croquet.clause_words",
    "wickets-six": "referee.games.wickets.clause_words",
    "wickets-nine": "referee.games.wickets.clause_words",
}


def _flicks_used_up(player: str, left: int) -> Words:
    text = f"{player} had used up every flick before play went on with this flick."
    return text, {"flicks_left": left}


def _turn_not_over(player: str) -> Words:
    return f"{player}'s turn was not over before this flick.", {}


def _flick_not_void() -> Words:
    return "The flick that the declaration is about is not void.", {}


def _still_to_end() -> Words:
    return "The play that this pass ended when it was made is the current play.", {}


def _hides_coin(coins: tuple[str, ...]) -> Words:
    return "A coin in play could not be seen.", {"unseen": list(coins)}


def _nothing_happened() -> Words:
    return "A ruling says that nothing happened to the unseen coins meanwhile.", {}


#: For each code of a condition that games share, the function that makes its text and facts from
#: its details.
SHARED: Final[Mapping[str, Callable[..., Words]]] = {
    "flick_not_void": _flick_not_void,
    "flicks_used_up": _flicks_used_up,
    "hides_coin": _hides_coin,
    "nothing_happened": _nothing_happened,
    "still_to_end": _still_to_end,
    "turn_not_over": _turn_not_over,
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

    `state` is the state just before the entry. Some entries are judged only once all pieces lie
    still. For these, `judged_at` gives the `at_rest` entry at which they were judged, and the state
    just before that entry.
    """
    rules = game_named(game)
    decided = rules.apply(state, entry, upheld=upheld, explain=True)[2]
    if judged_at is not None:
        state = judged_at[0]
        later = rules.apply(state, judged_at[1], explain=True)[2]
        decided = tuple(one for one in later if one.on == entry.id) or decided
    return _worded(game, state, entry, decided)


def clauses_of_kept_flick(
    game: str,
    state: Any,
    entry: Incident | Declaration,
    *,
    passes: int,
    given_up: Sequence[str],
    void: bool,
    upheld: bool,
) -> tuple[Clause, ...]:
    """Return the conditions of an entry that a ruling keeps as it was played (`then: keep`), in
    words, each with whether it was met.

    `passes` is the number of turns that end just before the entry because play went on; in these
    turns, players gave up the play of the coins in `given_up`. `void` is True if the entry's player
    had no right to it.
    """
    rules, on, reasons = cast(KeepsTurns, game_named(game)), str(entry.id), Reasons(str(entry.id))
    decided = reasons.conditions
    for _ in range(passes):
        noted = len(decided)
        state, told = rules.go_on(state, on, reasons)
        if any(isinstance(one, Irregularity) and one.coin in given_up for one in told):
            del decided[noted:]
    if not void:
        decided += rules.apply(state, entry, upheld=upheld, explain=True)[2]
    elif isinstance(entry, Flicked):
        if rules.entitled(state, entry, reasons):
            reasons.holds("turn_not_over", False, entry.player or rules.active_player(state))
        rules.void_flick(state, entry, reasons)
    else:
        reasons.holds("still_to_end" if isinstance(entry, Pass) else "flick_not_void", False)
    return _worded(game, state, entry, decided)


def clauses_of_kept_shot(
    game: str, state: Any, was: Any, ended: Any, entry: Incident | Declaration
) -> tuple[Clause, ...]:
    """Return the conditions of an entry of a game without flicks that a ruling keeps as it was
    played, in words. `KnowsPawns.play_kept` describes `was` and `ended`.
    """
    rules, reasons = cast(KnowsPawns, game_named(game)), Reasons(str(entry.id))
    state, _verdicts = rules.kept_state(state, was, ended, entry, reasons)
    decided = (*reasons.conditions, *rules.apply(state, entry, explain=True)[2])
    return _worded(game, state, entry, decided)


def _worded(
    game: str, state: Any, entry: Incident | Declaration, decided: Iterable[Condition]
) -> tuple[Clause, ...]:
    words = import_module(EXPLAINED_BY[game])
    return tuple(
        _in_words(one) if one.code in SHARED else words.worded(state, entry, one)
        for one in decided
        if one.on == entry.id
    )


def _in_words(condition: Condition) -> Clause:
    text, facts = SHARED[condition.code](*condition.details)
    return Clause(text=text, met=condition.met, facts=facts)
