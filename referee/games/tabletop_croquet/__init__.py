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

from typing import Any

from msgspec.structs import replace

from referee.domain.call import Question, Verdict
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
    Surveyed,
    TileDisplaced,
    TileRestored,
    Unseen,
)
from referee.games.flicking import after_the_end, out_of_place, surveyed, to_restore, unseen
from referee.games.tabletop_croquet import scoring
from referee.games.tabletop_croquet.declaring import declared
from referee.games.tabletop_croquet.keeping import concerns_flick as concerns_flick
from referee.games.tabletop_croquet.keeping import entitled as entitled
from referee.games.tabletop_croquet.keeping import go_on as go_on
from referee.games.tabletop_croquet.keeping import void_flick as void_flick
from referee.games.tabletop_croquet.placing import (
    beside_facts,
    lying,
    placed,
    put_back_facts,
    start_facts,
)
from referee.games.tabletop_croquet.resting import gain, judge_held
from referee.games.tabletop_croquet.state import (
    STEPS,
    Judged,
    Offer,
    State,
    begin,
    in_play,
    is_own,
    place_name,
    seat_of,
    whose,
    with_flick,
)
from referee.games.tabletop_croquet.turns import flickable, flicked, may_force, rested, turn_began

#: The section of the rules that a doubt about an incident is told with.
DOUBTS = "Definitions"


def setup(entry: Setup) -> State:
    """The state before the first flick."""
    return begin(entry)


def opening(state: State) -> tuple[Verdict, ...]:
    """The calls with which a match begins, on `setup`."""
    return (turn_began(state, "setup"),)


def apply(state: State, entry: Incident | Declaration, *, upheld: bool = False) -> Judged:
    """What one incident or declaration does. `upheld`: a ruling lets it stand. Nothing raises for
    play the rules do not allow.
    """
    if state.over:
        told = after_the_end(entry, moving=state.flick is not None, rule="Winning")
        return replace(state, flick=None) if isinstance(entry, AtRest) else state, told
    if isinstance(entry, Said):
        return declared(state, entry)
    if (
        state.flick is not None
        and isinstance(entry, LineCrossed | Contact | LeftTable)
        and state.table.judged_at_rest
    ):
        return _hold(state, entry, upheld=upheld)
    return incident(state, entry, upheld=upheld)


def incident(state: State, entry: Incident, *, upheld: bool) -> Judged:
    """What one incident does at its own time."""
    match entry:
        case Flicked():
            return flicked(state, entry, upheld=upheld)
        case LineCrossed():
            return scoring.crossed(state, entry)
        case Contact():
            return scoring.touched(state, entry, upheld=upheld)
        case LeftTable():
            return scoring.fell(state, entry)
        case AtRest():
            return _at_rest(state, entry)
        case Placed():
            return placed(state, entry)
        case _:
            return _ground(state, entry, upheld=upheld)


def _ground(state: State, entry: Incident, *, upheld: bool) -> Judged:
    if isinstance(entry, Unseen):
        known = [
            name
            for name in entry.pieces
            if name in state.table.by_coin and in_play(state.coins[state.table.by_coin[name]])
        ]
        return state, (
            ()
            if upheld or state.flick is None
            else unseen(entry, {name: whose(state, name) for name in known}, DOUBTS)
        )
    return (
        replace(
            state,
            ground=surveyed(state.ground, entry, state.table.tile_mm),
            displaced=out_of_place(state.displaced, entry),
        ),
        (),
    )


def _at_rest(state: State, entry: AtRest) -> Judged:
    if state.flick is None:
        return lying(state, entry)
    calls: tuple[Verdict, ...] = ()
    if state.flick.held:
        state, calls = judge_held(state, incident)
    state, more = rested(state, entry)
    return state, calls + more


def _hold(state: State, entry: Incident, *, upheld: bool) -> Judged:
    assert state.flick is not None
    judged, verdicts = incident(state, entry, upheld=upheld)
    asked = tuple(verdict for verdict in verdicts if isinstance(verdict, Question))
    if asked:
        return state, asked
    met = state.flick.met if judged.flick is None else judged.flick.met
    return with_flick(state, held=(*state.flick.held, (entry, upheld)), met=met), ()


def standings(state: State) -> list[dict[str, Any]]:
    """Where each player stands, in order of play."""
    return [_standing(state, index) for index in range(len(state.coins))]


def _standing(state: State, index: int) -> dict[str, Any]:
    seat, coin = state.table.seats[index], state.coins[index]
    row: dict[str, Any] = {
        "player": seat.name,
        "coin": seat.coin,
        "progress": coin.progress,
        "next": STEPS[coin.progress].place if coin.progress < len(STEPS) else None,
        "state": coin.state,
        "dead_on": (
            [other.coin for other in state.table.seats if other.coin in state.dead]
            if index == state.active
            else []
        ),
    }
    if state.table.teams:
        row["team"] = seat.team
    if coin.conceded:
        row["conceded"] = True
    return row


def turn(state: State) -> dict[str, Any]:
    """Whose turn it is and what is expected: `before_flick` lists what must be done first,
    `options` what may be declared.
    """
    seat = seat_of(state)
    todo = _before_flick(state)
    expects = (
        "nothing"
        if state.over
        else "rest"
        if state.flick is not None
        else str(todo[0]["do"])
        if todo
        else "flick"
    )
    row: dict[str, Any] = {
        "player": seat.name,
        "coin": seat.coin,
        "flicks_left": state.flicks,
        "expects": expects,
    }
    row |= {"flick": flickable(state), "before_flick": todo}
    if state.offer is not None and state.flick is None:
        row["options"] = _options(state, state.offer)
    rovers = [other.coin for other in state.table.seats if may_force(state, other.coin)]
    if rovers:
        row["may_force"] = rovers
    return row


def _options(state: State, offer: Offer) -> dict[str, Any]:
    coins = [seat.coin for seat in state.table.seats if seat.coin in offer.coins]
    row: dict[str, Any] = {"coins": coins, "declared": offer.option, "on": offer.coin}
    if offer.option in (2, 4) and not offer.moved and offer.coin is not None:
        row["place"] = beside_facts(state, offer.coin)
    return row


def _before_flick(state: State) -> list[dict[str, Any]]:
    todo: list[dict[str, Any]] = []
    for index, coin in enumerate(state.coins):
        name = state.table.seats[index].coin
        if coin.owed and in_play(coin):
            todo.append({"do": "place", "coin": name, **put_back_facts(state, index)})
        elif coin.lift:
            todo.append({"do": "lift", "coin": name})
        elif index == state.active and coin.state == "not_entered":
            todo.append({"do": "place", "coin": name, **start_facts(state)})
    todo += to_restore(state.displaced)
    return todo + [
        {"do": "answer", "coin": question.coin}
        for question in open_questions(state)
        if question.player == seat_of(state).name
    ]


def open_questions(state: State) -> list[Question]:
    """Questions that wait for an answer while play goes on: whether a coin becomes a rover
    (TC-19).
    """
    found = []
    for index, coin in enumerate(state.coins):
        if coin.choice == "asked" and in_play(coin) and not coin.conceded and not state.over:
            seat = state.table.seats[index]
            found.append(
                Question(
                    on=coin.asked_on,
                    what="rover",
                    rule="Team play",
                    text=(
                        f"{seat.name} has passed the last wicket: rover, or on to the left endpost?"
                    ),
                    answers=("rover", "leave"),
                    coin=seat.coin,
                    player=seat.name,
                    open=True,
                )
            )
    return found


def is_over(state: State) -> bool:
    """Whether the match has ended."""
    return state.over


def winner(state: State) -> str | list[str] | None:
    """The winner: a name, where teams play a list of names; None while there is none and when it
    ends level.
    """
    if not state.winner:
        return None
    return list(state.winner) if state.table.teams else state.winner[0]


def players(state: State) -> tuple[str, ...]:
    """The players' names in order of play."""
    return tuple(seat.name for seat in state.table.seats)


def active_player(state: State) -> str:
    """Whose turn it is."""
    return seat_of(state).name


def owner(state: State, coin: str) -> str:
    """The coin's player, who flicks it where nobody says so; "" of a coin that nobody plays."""
    index = state.table.by_coin.get(coin)
    return "" if index is None else state.table.seats[index].name


def outcome(state: State) -> object:
    """What a doubt must change to be worth asking about: standings, turn and winner, in a form that
    compares. When the match is over the flicks that were left no longer matter.
    """
    coins = tuple((coin.progress, coin.state, coin.conceded) for coin in state.coins)
    if state.over:
        return coins, state.winner
    return coins, state.active, state.flicks, state.dead


def favours(state: State, entry: Incident) -> bool | None:
    """Whether an incident is plainly good for the player whose turn it is (True), plainly bad
    (False), or neither (None).
    """
    match entry:
        case LineCrossed() if state.table.judged_at_rest:
            steps = gain(state, entry, incident)
            return (steps > 0) == _same_side(state, entry.coin) if steps else None
        case LineCrossed() | Contact(with_="left-endpost" | "right-endpost"):
            return _same_side(state, entry.coin) if entry.coin in state.table.by_coin else None
        case Contact():
            return (
                True if is_own(state, entry.coin) and entry.with_ in state.table.by_coin else None
            )
        case LeftTable():
            return False if is_own(state, entry.coin) else None
        case _:
            return None


def _same_side(state: State, coin: str) -> bool:
    """Whether a coin is that of the player whose turn it is, or of a team-mate."""
    index = state.table.by_coin[coin]
    return index == state.active or (
        state.table.teams and seat_of(state).team == state.table.seats[index].team
    )


def describe(state: State, entry: Incident) -> str:
    """An incident in words, as part of a question."""
    match entry:
        case LineCrossed():
            return f"{whose(state, entry.coin)} crosses {place_name(entry.line)} {entry.direction}"
        case Contact():
            other = (
                whose(state, entry.with_)
                if entry.with_ in state.table.by_coin
                else place_name(entry.with_)
            )
            return f"{whose(state, entry.coin)} touches {other}"
        case LeftTable():
            return f"{whose(state, entry.coin)} leaves the table"
        case Flicked():
            return f"{whose(state, entry.coin)} is flicked"
        case _:
            return "what was seen"


def indifferent(state: State, entry: Incident) -> bool:
    """Whether an incident of the flick under way can change nothing, whenever in it it came;
    `state` is that at the flick's beginning.
    """
    if isinstance(entry, TileDisplaced | TileRestored | Surveyed):
        return True
    if not isinstance(entry, Contact) or entry.with_ in scoring.POSTS or state.flick is None:
        return False
    return not is_own(state, entry.coin) and not (
        entry.with_ == state.flick.coin and entry.coin in state.flick.touching
    )
