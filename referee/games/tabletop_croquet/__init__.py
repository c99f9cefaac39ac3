"""Tabletop Croquet (Mark A. Biggar, version 1.0) for 2 to 10 players, alone or in teams, with or
without poison.

Where the rules text and the description of the record leave a case open, this package decides:

- A coin has entered when it lies in the start region, or when it is first flicked, wherever it lies
  at that time. Until it is first flicked or hit, it may be put down again in another place. A coin
  that was put back may be moved to the right place until the next flick.
- After option 3 or 4 the player must flick the hit coin. It is a wrong flick if the player flicks
  the player's own coin first. The declaration is used up when the hit coin is flicked.
- A wrong flick that a ruling lets stand takes one of the active player's flicks, unless `player`
  says that somebody else made it.
- The coin of a player who has conceded still makes steps when it is knocked, but cannot win.
- For the option `too_close`, an opponent's step is bad for the player whose turn it is, and a
  team-mate's step is good.
- A coin put down within 2 mm of where it lay has not been moved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import NO_REASONS, Condition, Reasons
from referee.domain.declaration import Declaration, Said
from referee.domain.entry import Setup
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    Unseen,
)
from referee.games.flicking import after_the_end, unseen
from referee.games.ground import out_of_place, surveyed
from referee.games.tabletop_croquet.close_calls import describe as describe
from referee.games.tabletop_croquet.close_calls import favours as favours
from referee.games.tabletop_croquet.close_calls import indifferent as indifferent
from referee.games.tabletop_croquet.close_calls import outcome as outcome
from referee.games.tabletop_croquet.declaring import declared
from referee.games.tabletop_croquet.keeping import concerns_flick as concerns_flick
from referee.games.tabletop_croquet.keeping import entitled as entitled
from referee.games.tabletop_croquet.keeping import go_on as go_on
from referee.games.tabletop_croquet.keeping import void_flick as void_flick
from referee.games.tabletop_croquet.moving import moved
from referee.games.tabletop_croquet.placing import lying, placed
from referee.games.tabletop_croquet.resting import hold, judge_held
from referee.games.tabletop_croquet.showing import active_player as active_player
from referee.games.tabletop_croquet.showing import is_over as is_over
from referee.games.tabletop_croquet.showing import off_table as off_table
from referee.games.tabletop_croquet.showing import on_table as on_table
from referee.games.tabletop_croquet.showing import open_questions as open_questions
from referee.games.tabletop_croquet.showing import owner as owner
from referee.games.tabletop_croquet.showing import players as players
from referee.games.tabletop_croquet.showing import standings as standings
from referee.games.tabletop_croquet.showing import turn as turn
from referee.games.tabletop_croquet.showing import winner as winner
from referee.games.tabletop_croquet.state import Judged, Moving, State, begin, in_play, whose
from referee.games.tabletop_croquet.turns import flicked, rested, turn_began, turn_ended

#: The section of the rules that a question about a doubtful incident names.
DOUBTS: Final = "Definitions"


def setup(entry: Setup) -> State:
    """Return the state before the first flick."""
    return begin(entry)


def opening(state: State) -> tuple[Verdict, ...]:
    """Return the calls with which a match begins; they belong to the entry `setup`."""
    return (turn_began(state, "setup"),)


def apply(
    state: State, entry: Incident | Declaration, *, upheld: bool = False, explain: bool = False
) -> tuple[State, tuple[Verdict, ...], tuple[Condition, ...]]:
    """Play one incident or declaration. With `explain`, also return the conditions that decided it.

    `upheld` says that a ruling lets the entry stand. The function raises no error for play that the
    rules do not allow.
    """
    reasons = Reasons(str(entry.id)) if explain else NO_REASONS
    after, verdicts = _judged(state, entry, reasons, upheld=upheld)
    return after, verdicts, tuple(reasons.conditions)


def _judged(
    state: State, entry: Incident | Declaration, reasons: Reasons, *, upheld: bool
) -> Judged:
    if type(entry) is AtRest and state.flick is not None:
        return _at_rest(state, entry, reasons)
    if reasons.fails("game_goes_on", state.over, state.winner):
        return state, after_the_end(entry, moving=state.flick is not None, rule="Winning")
    if (rule := RULES.get(type(entry))) is not None:
        return rule(state, entry, reasons)
    if (rule := RULES_WITH_UPHELD.get(type(entry))) is not None:
        return rule(state, entry, reasons, upheld=upheld)
    if isinstance(entry, Said):
        return declared(state, entry, reasons)
    return _ground(state, entry, reasons, upheld=upheld)


def _moved(state: State, entry: Moving, reasons: Reasons, *, upheld: bool) -> Judged:
    at_rest = state.table.judged_at_rest and state.flick is not None
    return (hold if at_rest else moved)(state, entry, reasons, upheld=upheld)


#: The rules for what a hand puts down and what lies between flicks. A table by type, because
#: `isinstance` is slow for structs.
RULES: Final[Mapping[type, Callable[..., Judged]]] = {AtRest: lying, Placed: placed}
#: The rules for the kinds of incident that a ruling may let stand.
RULES_WITH_UPHELD: Final[Mapping[type, Callable[..., Judged]]] = {
    Contact: _moved,
    Flicked: flicked,
    LeftTable: _moved,
    LineCrossed: _moved,
}


def _ground(state: State, entry: Incident, reasons: Reasons, *, upheld: bool) -> Judged:
    if isinstance(entry, Unseen):
        if not reasons.holds("under_way", state.flick is not None):
            return state, ()
        by_coin = state.table.by_coin
        known = [name for name in entry.pieces if name in by_coin]
        hidden = {name: whose(state, name) for name in known if in_play(state.coins[by_coin[name]])}
        return state, unseen(entry, hidden, DOUBTS, reasons, upheld=upheld)
    ground = surveyed(state.ground, entry, state.table.tile_mm)
    displaced = out_of_place(state.displaced, entry, reasons)
    return replace(state, ground=ground, displaced=displaced), ()


def _at_rest(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """End a flick once all coins lie still: judge the incidents that were kept until then, and end
    the turn if it is over.
    """
    calls: tuple[Verdict, ...] = ()
    more: tuple[Verdict, ...] = ()
    if state.over:
        state = replace(state, flick=None)
    else:
        if state.flick is not None and state.flick.held:
            state, calls = judge_held(state, reasons)
        state, more = rested(state, entry, reasons)
    state, ended = turn_ended(state, str(entry.id), reasons)
    return state, (*calls, *more, *ended)
