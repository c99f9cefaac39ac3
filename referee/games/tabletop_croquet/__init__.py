"""Tabletop Croquet (Mark A. Biggar, version 1.0) for 2 to 10 players, alone or in teams, with or
without poison.

Readings where the rules text and the match record's page are silent:

- A coin has entered once it lies in the start region, or by its first flick wherever that was made
  from. Until its first flick or hit it may be put down anew; a coin that was put back may be put
  right until the next flick.
- After option 3 or 4 the hit coin is the one to flick; flicking the own one first is a wrong flick.
  Once the hit coin is flicked the hit's declaration is used up.
- A wrong flick that a ruling lets stand takes one of the active player's flicks, unless `player`
  says that somebody else made it.
- A conceded coin that is knocked round the course makes its steps but cannot win by them.
- An opponent's step is plainly bad for the player whose turn it is, a team-mate's good
  (`too_close`).
- A coin put down within 2 mm of where it lay has not been moved.
"""

from __future__ import annotations

from msgspec.structs import replace

from referee.domain.call import Verdict
from referee.domain.clause import UNHEARD, Condition, Reasons
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
from referee.games.flicking import after_the_end, out_of_place, surveyed, unseen
from referee.games.tabletop_croquet.declaring import declared
from referee.games.tabletop_croquet.doubts import describe, favours, indifferent, outcome
from referee.games.tabletop_croquet.keeping import concerns_flick, entitled, go_on, void_flick
from referee.games.tabletop_croquet.moving import moved
from referee.games.tabletop_croquet.placing import lying, placed
from referee.games.tabletop_croquet.resting import hold, judge_held
from referee.games.tabletop_croquet.showing import (
    active_player,
    is_over,
    open_questions,
    owner,
    players,
    standings,
    turn,
    winner,
)
from referee.games.tabletop_croquet.state import Judged, State, begin, in_play, whose
from referee.games.tabletop_croquet.turns import flicked, rested, turn_began, turn_ended

#: The section of the rules that a doubt about an incident is told with.
DOUBTS = "Definitions"

__all__ = [
    "DOUBTS",
    "active_player",
    "apply",
    "concerns_flick",
    "describe",
    "entitled",
    "favours",
    "go_on",
    "indifferent",
    "is_over",
    "open_questions",
    "opening",
    "outcome",
    "owner",
    "players",
    "setup",
    "standings",
    "turn",
    "void_flick",
    "winner",
]


def setup(entry: Setup) -> State:
    """The state before the first flick."""
    return begin(entry)


def opening(state: State) -> tuple[Verdict, ...]:
    """The calls with which a match begins, on `setup`."""
    return (turn_began(state, "setup"),)


def apply(
    state: State, entry: Incident | Declaration, *, upheld: bool = False, explain: bool = False
) -> tuple[State, tuple[Verdict, ...], tuple[Condition, ...]]:
    """What one incident or declaration does, and with `explain` the conditions it was decided by.

    `upheld`: a ruling lets it stand. Nothing raises for play the rules do not allow.
    """
    reasons = Reasons(str(entry.id)) if explain else UNHEARD
    after, verdicts = _judged(state, entry, reasons, upheld=upheld)
    return after, verdicts, tuple(reasons.conditions)


def _judged(
    state: State, entry: Incident | Declaration, reasons: Reasons, *, upheld: bool
) -> Judged:
    if isinstance(entry, AtRest) and state.flick is not None:
        return _at_rest(state, entry, reasons)
    if reasons.fails("game_goes_on", state.over, state.winner):
        return state, after_the_end(entry, moving=state.flick is not None, rule="Winning")
    match entry:
        case Said():
            return declared(state, entry, reasons)
        case Flicked():
            return flicked(state, entry, reasons, upheld=upheld)
        case LineCrossed() | Contact() | LeftTable():
            at_rest = state.table.judged_at_rest and state.flick is not None
            return (hold if at_rest else moved)(state, entry, reasons, upheld=upheld)
        case AtRest():
            return lying(state, entry, reasons)
        case Placed():
            return placed(state, entry, reasons)
        case _:
            return _ground(state, entry, reasons, upheld=upheld)


def _ground(state: State, entry: Incident, reasons: Reasons, *, upheld: bool) -> Judged:
    if isinstance(entry, Unseen):
        if upheld or state.flick is None:
            return state, ()
        by_coin = state.table.by_coin
        known = [name for name in entry.pieces if name in by_coin]
        hidden = {name: whose(state, name) for name in known if in_play(state.coins[by_coin[name]])}
        return state, unseen(entry, hidden, DOUBTS)
    ground = surveyed(state.ground, entry, state.table.tile_mm)
    displaced = out_of_place(state.displaced, entry, reasons)
    return replace(state, ground=ground, displaced=displaced), ()


def _at_rest(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    """All is still behind a flick: what was held back is judged, and the turn may end."""
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
