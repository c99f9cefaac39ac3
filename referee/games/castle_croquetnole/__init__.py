"""Castle Croquetnole (Ron Hale-Evans after Lewis Carroll, version 0.3.3) for 4 players, each with a
castle, a knight and a guard.

Where the rules text and the description of the record leave a case open, this package decides:

- A coin that left a castle without crossing its gate still counts as inside it. If the coin is then
  played into that gate again, nothing changes. This holds for every castle.
- In round one a coin must be flicked before its play may be ended. Extra flicks may be given up in
  round one, too.
- A coin does nothing more in a flick after an illegal entry, after a fall, after it was made
  prisoner, or after it released a prisoner.
- A knight that is made prisoner while it is in turn loses its flicks. Then the guard has its one
  flick.
- A coin that had to be put somewhere and is flicked from another place plays on from there. If the
  coin is not flicked, every flick gets an irregularity until the coin is put in its place.
- For the option `too_close`, a guard that passes its own gate and a knight that is released are
  neither good nor bad for the player whose turn it is.
- A croquet gives its two flicks at once, whatever the player declares. Only the last declaration
  before the next flick counts.
- A coin may touch the flicked coin when the flick is made, and be seen to meet it again later in
  the flick. If it matters whether the two coins parted in between, the referee asks.
- The spot on the edge: the centre lies at most half a diameter in from where the coin left, and up
  to half a diameter to either side; with `inset`, one diameter further in. "In contact" allows a
  gap of a tenth of a coin width.
- After an illegal entry a coin goes back to within half a diameter of where it lay.
- It is an irregularity to flick a coin for the first time without placing it beside its tower. Play
  does not wait until the other coins are placed.
- A wrong flick that a ruling lets stand takes one of the active player's flicks, unless `player`
  says that somebody else made it. A wrong flick of the active player's own guard ends the knight's
  play.
- The castle, the guard and the prisoners of a player who has conceded stay as they are. The knight
  still makes steps when it is knocked, but cannot win.
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
from referee.games.castle_croquetnole.close_calls import describe as describe
from referee.games.castle_croquetnole.close_calls import favours as favours
from referee.games.castle_croquetnole.close_calls import indifferent as indifferent
from referee.games.castle_croquetnole.close_calls import outcome as outcome
from referee.games.castle_croquetnole.contacts import fell, touched
from referee.games.castle_croquetnole.crossing import crossed
from referee.games.castle_croquetnole.declaring import declared
from referee.games.castle_croquetnole.keeping import concerns_flick as concerns_flick
from referee.games.castle_croquetnole.keeping import entitled as entitled
from referee.games.castle_croquetnole.keeping import go_on as go_on
from referee.games.castle_croquetnole.keeping import void_flick as void_flick
from referee.games.castle_croquetnole.placing import lying, placed
from referee.games.castle_croquetnole.showing import active_player as active_player
from referee.games.castle_croquetnole.showing import is_over as is_over
from referee.games.castle_croquetnole.showing import off_table as off_table
from referee.games.castle_croquetnole.showing import on_table as on_table
from referee.games.castle_croquetnole.showing import open_questions as open_questions
from referee.games.castle_croquetnole.showing import owner as owner
from referee.games.castle_croquetnole.showing import players as players
from referee.games.castle_croquetnole.showing import standings as standings
from referee.games.castle_croquetnole.showing import turn as turn
from referee.games.castle_croquetnole.showing import winner as winner
from referee.games.castle_croquetnole.state import SCORING, WINNING, Judged, State, begin, is_away
from referee.games.castle_croquetnole.turns import flicked, rested, turn_began
from referee.games.castle_croquetnole.wording import whose
from referee.games.flicking import after_the_end, unseen
from referee.games.ground import out_of_place, surveyed

#: The section of the rules that a question about a doubtful incident names.
DOUBTS: Final = SCORING


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
    if state.over and not reasons.holds("game_goes_on", False):
        verdicts = after_the_end(entry, moving=state.flick is not None, rule=WINNING)
        return replace(state, flick=None) if isinstance(entry, AtRest) else state, verdicts
    if (rule := RULES.get(type(entry))) is not None:
        return rule(state, entry, reasons)
    if (rule := RULES_WITH_UPHELD.get(type(entry))) is not None:
        return rule(state, entry, reasons, upheld=upheld)
    if isinstance(entry, Said):
        return declared(state, entry, reasons)
    return _ground(state, entry, reasons, upheld=upheld)


def _at_rest(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    return (lying if state.flick is None else rested)(state, entry, reasons)


#: The rules for the kinds of incident that coins and hands cause. A table by type, because
#: `isinstance` is slow for structs.
RULES: Final[Mapping[type, Callable[..., Judged]]] = {
    AtRest: _at_rest,
    LeftTable: fell,
    LineCrossed: crossed,
    Placed: placed,
}
#: The rules for the kinds of incident that a ruling may let stand.
RULES_WITH_UPHELD: Final[Mapping[type, Callable[..., Judged]]] = {
    Contact: touched,
    Flicked: flicked,
}


def _ground(state: State, entry: Incident, reasons: Reasons, *, upheld: bool) -> Judged:
    if isinstance(entry, Unseen):
        if not reasons.holds("under_way", state.flick is not None):
            return state, ()
        hidden = {
            name: whose(state, name)
            for name in entry.pieces
            if name in state.table.by_coin and not is_away(state, name)
        }
        return state, unseen(entry, hidden, DOUBTS, reasons, upheld=upheld)
    return (
        replace(
            state,
            ground=surveyed(state.ground, entry, state.table.tile_mm),
            displaced=out_of_place(state.displaced, entry, reasons),
        ),
        (),
    )
