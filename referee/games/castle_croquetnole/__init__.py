"""Castle Croquetnole (Ron Hale-Evans after Lewis Carroll, version 0.3.3) for 4 players, each with a
castle, a knight and a guard.

Readings where the rules text and the match record's page are silent:

- Playing into the gate of a castle one counts as inside already (having gone round its side) has no
  effect, for any castle.
- In round one a coin must be flicked before its play may be ended; extra flicks may be given up
  there, too.
- After an illegal entry, a fall, being made prisoner or releasing a prisoner a coin does nothing
  more in that flick.
- A knight made prisoner while it is in turn loses its flicks; the guard then has its one flick.
- A coin that had to be put somewhere and is flicked from elsewhere plays on from there; another one
  is told at every flick until it is put right.
- A guard's way through its own gate and a release are neither plainly good nor plainly bad for the
  player whose turn it is (`too_close`).
- A croquet's two flicks are there at once, whatever is declared; what was declared last before the
  next flick holds.
- A coin that lay against the flicked one and is seen meeting it a second time in the flick is asked
  about, where it matters.
- The spot on the edge: the centre at most half a diameter in from where it left, and up to half a
  diameter to either side; with `inset` one diameter more. "In contact" allows a gap of a tenth of a
  coin width.
- An illegally played coin goes back within half a diameter of where it lay.
- A coin first flicked without having been placed beside its tower is an irregularity; the others'
  first placements are not waited for.
- A wrong flick that a ruling lets stand takes one of the active player's flicks, unless `player`
  says that somebody else made it; of the own guard it ends the knight's play.
- A conceded player's castle, guard and prisoners stay as they are; its knight makes steps when
  knocked but cannot win by them.
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
from referee.games.castle_croquetnole.contacts import fell, touched
from referee.games.castle_croquetnole.crossing import crossed
from referee.games.castle_croquetnole.declaring import declared
from referee.games.castle_croquetnole.doubts import describe, favours, indifferent, outcome
from referee.games.castle_croquetnole.keeping import concerns_flick, entitled, go_on, void_flick
from referee.games.castle_croquetnole.placing import lying, placed
from referee.games.castle_croquetnole.showing import (
    active_player,
    is_over,
    open_questions,
    owner,
    players,
    standings,
    turn,
    winner,
)
from referee.games.castle_croquetnole.state import SCORING, WINNING, Judged, State, begin
from referee.games.castle_croquetnole.turns import flicked, rested, turn_began
from referee.games.castle_croquetnole.wording import whose
from referee.games.flicking import after_the_end, out_of_place, surveyed, unseen

#: The section of the rules that a doubt about an incident is told with.
DOUBTS = SCORING

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
    if not explain:
        return *_judged(state, entry, UNHEARD, upheld=upheld), ()
    reasons = Reasons(str(entry.id))
    after, verdicts = _judged(state, entry, reasons, upheld=upheld)
    return after, verdicts, tuple(reasons.conditions)


def _judged(
    state: State, entry: Incident | Declaration, reasons: Reasons, *, upheld: bool
) -> Judged:
    if state.over and not reasons.holds("game_goes_on", False):
        told = after_the_end(entry, moving=state.flick is not None, rule=WINNING)
        return replace(state, flick=None) if isinstance(entry, AtRest) else state, told
    match entry:
        case Said():
            return declared(state, entry, reasons)
        case Flicked():
            return flicked(state, entry, reasons, upheld=upheld)
        case LineCrossed():
            return crossed(state, entry, reasons)
        case Contact():
            return touched(state, entry, reasons, upheld=upheld)
        case LeftTable():
            return fell(state, entry, reasons)
        case AtRest():
            settled = lying if state.flick is None else rested
            return settled(state, entry, reasons)
        case Placed():
            return placed(state, entry, reasons)
        case _:
            return _ground(state, entry, reasons, upheld=upheld)


def _ground(state: State, entry: Incident, reasons: Reasons, *, upheld: bool) -> Judged:
    if isinstance(entry, Unseen):
        hidden = {name: whose(state, name) for name in entry.pieces if name in state.table.by_coin}
        asked = reasons.holds("under_way", state.flick is not None) and not upheld
        return state, unseen(entry, hidden, DOUBTS) if asked else ()
    return (
        replace(
            state,
            ground=surveyed(state.ground, entry, state.table.tile_mm),
            displaced=out_of_place(state.displaced, entry, reasons),
        ),
        (),
    )
