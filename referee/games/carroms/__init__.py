"""Carroms as a piecepack flicking game (Mark A. Biggar, version 1.0) for two players.

Where the rules text and the description of the record leave a case open, this package decides:

- Distances to a wall are measured from the striker's centre, which must lie on the playing field.
  If no entry says where the striker lay for the break, the break counts as correct. If the camera
  saw the table without a striker on it, that is an irregularity.
- A player who pockets own coins earns one more flick, even for several coins in one flick. The
  `coin_pocketed` of the first of these coins gives the flick. If the striker leaves the board, that
  flick is lost.
- Everything must be still before the referee judges the flick as a whole. Then `game_won` is called
  on the black's `pocketed`, and `penalty` on the striker's. From then on the penalty coin must go
  back. The player may put down any other own pocketed coin in its place.
- If the black must go back too, it goes first: a penalty coin put back before the black is an
  irregularity and must be placed again. Coins that went over a wall may go back in any order. A
  coin in a wrong place is an irregularity at every flick until it is put right, falls, or is itself
  flicked.
- When the last `at_rest` did not say where the coins lie, a coin that goes back is in a wrong place
  only if it is too far from the centre wherever the other coins may lie.
- The rack is judged at the break, if the places of all thirteen coins were seen or entered
  (`rack`). A tile that is knocked out of place although its line was held down is an irregularity.
  It must be put back like any other tile.
- A wrong flick that a ruling lets stand earns, loses and wins nothing. Coins that fall into pockets
  stay there and count for their owners, the black goes back, and the player whose turn is next
  places a fallen striker. The flick uses up the turn unless `player` says that somebody else made
  it. A wrong flick that is made while coins still move joins the current flick.
- In a flick that a ruling made void, own coins and the black go back near the centre, and a striker
  off the board costs no penalty.
- A coin that a hand lifts off the board, or that leaves it between flicks, must go back to where it
  lay.
- If an incident is too close to call, an own coin or a live black in a pocket is good for the
  player whose turn it is. The striker off the board, an own coin over a wall, a black that is not
  live, and an opponent's coin in a pocket are bad. The referee also asks about an incident that
  only decides whether the striker must be placed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from referee.domain.call import Question, Verdict
from referee.domain.clause import NO_REASONS, Condition, Reasons
from referee.domain.declaration import Declaration, Said
from referee.domain.entry import Setup
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    Placed,
    Pocketed,
    Surveyed,
    TileDisplaced,
    Unseen,
)
from referee.domain.layout import course_from_layout
from referee.domain.pieces import STRIKER
from referee.games.carroms.board import board_of
from referee.games.carroms.declaring import declared
from referee.games.carroms.holding import tile_displaced
from referee.games.carroms.keeping import concerns_flick as concerns_flick
from referee.games.carroms.keeping import entitled as entitled
from referee.games.carroms.keeping import go_on as go_on
from referee.games.carroms.keeping import void_flick as void_flick
from referee.games.carroms.placing import lying, placed, to_place
from referee.games.carroms.pocketing import black_is_live, over_wall, pocketed
from referee.games.carroms.rack import rack_mm
from referee.games.carroms.state import (
    OWN_COINS,
    PLACE,
    RULE,
    Judged,
    State,
    all_down,
    begin,
    in_words,
    names,
    own_down,
    piece,
    pocket_in_words,
    seat_of,
)
from referee.games.carroms.state import off_table as off_table
from referee.games.carroms.state import on_table as on_table
from referee.games.carroms.state import owner_name as owner
from referee.games.carroms.turns import flicked, rested, turn_began
from referee.games.flicking import after_the_end, expected_next, rounded, unseen
from referee.games.ground import out_of_place, to_restore

#: The section of the rules that a question about a doubtful incident names.
DOUBTS: Final = RULE


def setup(entry: Setup) -> State:
    """Return the state before the break."""
    return begin(entry)


def opening(state: State) -> tuple[Verdict, ...]:
    """Return the calls with which a match begins; they belong to the entry `setup`."""
    return (turn_began(state, "setup"),)


def apply(
    state: State, entry: Incident | Declaration, *, upheld: bool = False, explain: bool = False
) -> tuple[State, tuple[Verdict, ...], tuple[Condition, ...]]:
    """Play one incident or declaration. With `explain`, also return the conditions that decided it.

    `upheld` is True if a ruling lets the entry stand. The function raises no error for play that
    the rules do not allow.
    """
    reasons = Reasons(str(entry.id)) if explain else NO_REASONS
    after, verdicts = _judged(state, entry, reasons, upheld=upheld)
    return after, verdicts, tuple(reasons.conditions)


def _judged(
    state: State, entry: Incident | Declaration, reasons: Reasons, *, upheld: bool
) -> Judged:
    if reasons.fails("game_goes_on", state.over):
        verdicts = after_the_end(entry, moving=state.flick is not None, rule=RULE)
        return replace(state, flick=None) if isinstance(entry, AtRest) else state, verdicts
    if (rule := RULES.get(type(entry))) is not None:
        return rule(state, entry, reasons)
    if type(entry) is Flicked:
        return flicked(state, entry, reasons, upheld=upheld)
    if isinstance(entry, Said):
        return declared(state, entry, reasons)
    return _ground(state, entry, reasons, upheld=upheld)


def _moved(state: State, entry: Contact | LeftTable | Pocketed, reasons: Reasons) -> Judged:
    if reasons.fails("leaves_board", type(entry) is Contact):
        return state, ()
    judge: Callable[..., Judged] = over_wall if type(entry) is LeftTable else pocketed
    return judge(state, entry, reasons)


def _at_rest(state: State, entry: AtRest, reasons: Reasons) -> Judged:
    return (lying if state.flick is None else rested)(state, entry, reasons)


#: The rules for the kinds of incident that coins and hands cause, apart from the flick itself. A
#: table by type, because `isinstance` is slow for structs.
RULES: Final[Mapping[type, Callable[..., Judged]]] = {
    AtRest: _at_rest,
    Contact: _moved,
    LeftTable: _moved,
    Placed: placed,
    Pocketed: _moved,
    TileDisplaced: tile_displaced,
}


def _ground(state: State, entry: Incident, reasons: Reasons, *, upheld: bool) -> Judged:
    if isinstance(entry, Unseen):
        if not reasons.holds("flick_under_way", state.flick is not None):
            return state, ()
        hidden = {
            coin: in_words(coin)
            for coin in entry.pieces
            if coin in PLACE and coin not in state.pile and not piece(state, coin).missing
        }
        return state, unseen(entry, hidden, DOUBTS, reasons, upheld=upheld)
    if isinstance(entry, Surveyed) and entry.layout is not None:
        state = replace(
            state, board=board_of(course_from_layout(entry.layout, state.table.tile_mm))
        )
    return replace(state, displaced=out_of_place(state.displaced, entry)), ()


def standings(state: State) -> list[dict[str, Any]]:
    """Return where each player stands, in order of play."""
    return [_standing(state, index) for index in range(len(state.table.seats))]


def _standing(state: State, index: int) -> dict[str, Any]:
    seat, down, flick = state.table.seats[index], len(own_down(state, index)), state.flick
    live = (
        black_is_live(state, flick)
        if flick is not None and flick.by == index
        else down == OWN_COINS
    )
    row: dict[str, Any] = {
        "player": seat.name,
        "coin": seat.coin,
        "pocketed": down,
        "left": OWN_COINS - down,
        "black_live": live,
    }
    if state.conceded == index:
        row["conceded"] = True
    return row


def turn(state: State) -> dict[str, Any]:
    """Return whose turn it is and what is expected. `before_flick` lists what must be done before
    the next flick, and `held` the lines of tiles held down. Before the break, `rack_mm` gives a
    place for each coin.
    """
    todo = _before_flick(state)
    row: dict[str, Any] = {
        "player": seat_of(state).name,
        "coin": STRIKER,
        "flicks_left": 1,
        "expects": expected_next(todo, over=state.over, flicking=state.flick is not None),
        "flick": STRIKER,
        "before_flick": todo,
    }
    if not state.broken and not state.over:
        row["rack_mm"] = {
            coin: rounded(at_mm)
            for coin, at_mm in rack_mm(state.board.centre_mm, state.table.coin_mm).items()
        }
    held = {
        seat.name: list(walls)
        for seat, walls in zip(state.table.seats, state.holds, strict=True)
        if walls
    }
    return row | {"held": held} if held else row


def _before_flick(state: State) -> list[dict[str, Any]]:
    return [] if state.over else to_place(state) + to_restore(state.displaced)


def open_questions(state: State) -> list[Question]:
    """Return no questions: in this game, play never goes on before a question is answered."""
    return []


def is_over(state: State) -> bool:
    """Return whether the match has ended."""
    return state.over


def winner(state: State) -> str | None:
    """Return the winner's name; None while there is no winner and when the match ends level."""
    return state.winner


def players(state: State) -> tuple[str, ...]:
    """Return the players' names in order of play."""
    return names(state)


def active_player(state: State) -> str:
    """Return the player whose turn it is."""
    return seat_of(state).name


def outcome(state: State) -> object:
    """Return the standings, the turn and the winner, in a form that can be compared. The referee
    asks about a doubtful incident only if it changes these.

    When the match is over, the turn no longer counts.
    """
    down = tuple(
        (len(own_down(state, index)), all_down(state, index))
        for index in range(len(state.table.seats))
    )
    if state.over:
        return down, state.winner
    return down, state.active, piece(state, STRIKER).missing


def favours(state: State, entry: Incident) -> bool | None:
    """Return whether an incident is clearly good for the player whose turn it is (True), clearly
    bad (False), or neither (None).
    """
    match entry:
        case Pocketed(coin="striker") | LeftTable(coin="striker"):
            return False
        case Pocketed(coin="moons"):
            return (
                state.flick is not None
                and not state.flick.struck
                and black_is_live(state, state.flick)
            )
        case Pocketed():
            return owner(state, entry.coin) == active_player(state)
        case LeftTable():
            return False if owner(state, entry.coin) == active_player(state) else None
        case _:
            return None


def describe(state: State, entry: Incident) -> str:
    """Return an incident in words, for a question about it."""
    match entry:
        case Pocketed():
            return f"{in_words(entry.coin)} goes into {pocket_in_words(entry.pocket)}"
        case LeftTable():
            return f"{in_words(entry.coin)} goes over a wall"
        case Contact():
            return f"{in_words(entry.coin)} touches {in_words(entry.with_)}"
        case Flicked():
            return f"{in_words(entry.coin)} is flicked"
        case _:
            return "what was seen"


def indifferent(state: State, entry: Incident) -> bool:
    """Return whether an incident of the current flick changes nothing, wherever it comes in the
    order of the flick's incidents. Contacts and moved tiles never change anything in this game.
    """
    return not isinstance(entry, Pocketed | LeftTable) or entry.coin not in PLACE
