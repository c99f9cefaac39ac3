"""Puts the conditions of Tabletop Croquet's rules into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from referee.domain.clause import Clause, Condition
from referee.domain.declaration import Declaration
from referee.domain.geometry import Point
from referee.domain.incident import Incident, TileDisplaced
from referee.games.ground import Displaced, displacement_in_words
from referee.games.tabletop_croquet.placing_clause_words import MEASURED, PLACING, Words
from referee.games.tabletop_croquet.state import State, place_name, seat_of, whose

#: Conditions whose text is always the same and that have no facts to show.
FIXED: Final[Mapping[str, str]] = {
    "under_way": "A flick is under way.",
    "still": "Everything is still.",
    "may_win": "This flick may win the match.",
    "may_hit": "Contacts in this flick can be hits.",
    "stays_through": (
        "When all is at rest, the coin is on the table and has not come back through the wicket."
    ),
    "knocked_counts": "Endposts count for coins that are knocked against them.",
    "one_side_left": "All the others have conceded, or their coins are killed.",
}
#: The condition that decides only the flicks. The others decide the whole call.
OF_FLICKS: Final = "flicks_at_stake"


def worded(state: State, entry: Incident | Declaration, condition: Condition) -> Clause:
    """Return one condition in words. `state` is the state just before the entry. For an entry that
    was judged at rest, it is the state just before that `at_rest`.
    """
    code = condition.code
    if isinstance(entry, TileDisplaced) and code == "displaced":
        text, facts = displacement_in_words(entry)
    elif code in FIXED:
        text, facts = FIXED[code], {}
    else:
        text, facts = WORDS[code](state, *condition.details)
    sigma_mm = getattr(entry, "sigma_mm", None)
    if code in MEASURED and sigma_mm:
        facts = {**facts, "sigma_mm": sigma_mm}
    about: Literal["call", "flicks"] = "flicks" if code == OF_FLICKS else "call"
    return Clause(text=text, met=condition.met, about=about, facts=facts)


def _game_goes_on(state: State, winner: tuple[str, ...]) -> Words:
    return "The game is not over.", {"winner": list(winner)}


def _somebodys(state: State, coin: str) -> Words:
    return f"The coin {coin} belongs to a player.", {}


def _had_right(state: State, player: str) -> Words:
    return f"{player} had a right to this flick.", {}


def _on_table(state: State, coin: str) -> Words:
    return f"{whose(state, coin)} has not left the table in this flick.", {}


def _own_flick(state: State, coin: str) -> Words:
    name, flick = seat_of(state).name, state.flick
    text = f"It is {name}'s turn, and this is {name}'s own flick of {whose(state, coin)}."
    return text, {"turn_of": name, "flicked": None if flick is None else flick.coin}


# Flicks and turns.


def _flicks_in_turn(state: State, player: str | None) -> Words:
    name = seat_of(state).name
    return f"{name} makes this flick.", {"player": player or name}


def _answered(state: State, asked: list[str]) -> Words:
    text = "Nobody concerned still has to choose between rover and leaving."
    return text, {"asked": asked} if asked else {}


def _right_coin(state: State, coin: str, wanted: str) -> Words:
    text = f"The player flicks {whose(state, wanted)}, or a rover that may be forced out."
    return text, {"coin": coin, "to_flick": wanted}


def _put_back(state: State, coin: str) -> Words:
    return f"{whose(state, coin)}, which left the table, has been put back.", {}


def _lifted_off(state: State, coin: str) -> Words:
    return f"{whose(state, coin)}, which was killed, has been lifted off.", {}


def _placed_to_start(state: State, coin: str) -> Words:
    return f"{whose(state, coin)} has been placed beside the left endpost.", {}


def _tiles_put_back(state: State, displaced: Displaced) -> Words:
    text = "Every tile that was out of place has been put back."
    return text, {"out_of_place": sorted(tile for tile, _ in displaced)}


def _rest_agrees(state: State, coin: str) -> Words:
    return f"The place of {whose(state, coin)} agrees with what was seen of it in the flick.", {}


def _no_flick_left(state: State, name: str, flicks: int) -> Words:
    return f"{name} has no flick left, so the turn is over.", {"flicks_left": flicks}


def _player_is_out(state: State, name: str, coin_is: str, conceded: bool) -> Words:
    text = f"{name} is out of the game, so the turn is over."
    return text, {"state": "conceded" if conceded else coin_is}


# Steps of the course.


def _rover(state: State, coin: str) -> Words:
    return f"{whose(state, coin)} is a rover.", {}


def _steps_left(state: State, progress: int, coin_is: str) -> Words:
    text = "The coin still has a step of this kind to make."
    return text, {"progress": progress, "state": coin_is}


def _next_step(state: State, place: str, wanted: str | None, progress: int) -> Words:
    name = place_name(place)
    text = f"{name[:1].upper()}{name[1:]} is the coin's next step."
    return text, {"next": wanted, "progress": progress}


def _direction(state: State, direction: str, needed: str | None) -> Words:
    return f"The coin crosses the wicket {needed}.", {"direction": direction, "needed": needed}


def _not_passed_yet(state: State, place: str, passed: frozenset[str]) -> Words:
    text = f"The rover has not been through {place_name(place)} this turn."
    return text, {"passed": sorted(passed)}


def _rovers_endpost(state: State, place: str) -> Words:
    return "A rover leaves the game when it hits the left endpost.", {"place": place}


def _rover_leaves(state: State, forced: bool) -> Words:
    text = (
        "The rover's owner flicks it, or another player flicks it to force it out, or endposts"
        " count for knocked coins."
    )
    return text, {"forced": forced}


def _course_done(state: State, coin: str) -> Words:
    return f"It was the last step of the course for {whose(state, coin)}.", {}


def _becomes_poison(state: State, coin: str) -> Words:
    text = f"The match is played with poison, and {whose(state, coin)} stays in the game."
    return text, {}


def _side_finished(state: State, names: tuple[str, ...]) -> Words:
    who = " and ".join(names)
    return f"{who} {'has' if len(names) == 1 else 'have'} finished and not conceded.", {}


# Hits and falls.


def _touches_a_coin(state: State, other: str) -> Words:
    text = "The coin touches another player's coin or an endpost; nothing else counts."
    return text, {"with": other}


def _met_anew(
    state: State, other: str, again: bool, touched: frozenset[str], touching: frozenset[str]
) -> Words:
    if not touched:
        text = f"{whose(state, other)} did not touch the coin when the flick was made."
        return text, {"touching": sorted(touching)}
    text = (
        f"{whose(state, other)} touched the coin when the flick was made, and the two parted and"
        " met again."
    )
    return text, {"met_before_in_this_flick": again}


def _hit_in_play(state: State, coin: str, coin_is: str) -> Words:
    return f"{whose(state, coin)} is in play.", {"state": coin_is}


def _other_team(state: State, coin: str, team: str | None) -> Words:
    return f"{whose(state, coin)} belongs to another team.", {"teams": [seat_of(state).team, team]}


def _not_hit_yet(state: State, coin: str, dead: frozenset[str]) -> Words:
    text = (
        f"{seat_of(state).name} has not hit {whose(state, coin)} yet since the turn began or since"
        " the last step of the course."
    )
    return text, {"dead_on": [seat.coin for seat in state.table.seats if seat.coin in dead]}


def _kills(state: State, coin: str) -> Words:
    name = seat_of(state).name
    return f"{name}'s coin is poison and kills {whose(state, coin)}.", {}


def _falling_in_play(state: State, coin: str, at_mm: Point) -> Words:
    return f"{whose(state, coin)} is in play.", {"at_mm": list(at_mm)}


# Declarations.


def _says_so(state: State, name: str, player: str | None) -> Words:
    return f"{name} makes this declaration.", {"player": player or name}


def _coin_was_hit(state: State, coin: str, hit: frozenset[str]) -> Words:
    name = seat_of(state).name
    text = f"{name} earned flicks by hitting {whose(state, coin)} in the last flick."
    return text, {"hit": sorted(hit)}


def _can_be_flicked(state: State, coin: str, coin_is: str) -> Words:
    return f"{whose(state, coin)} is still in play and can be flicked.", {"state": coin_is}


def _chooses(state: State, coin: str, progress: int, choice: str) -> Words:
    text = (
        f"{whose(state, coin)} has passed the last wicket, and its owner has not yet chosen between"
        " rover and leaving."
    )
    said = {"said": choice} if choice in ("rover", "leave") else {}
    return text, {"progress": progress, **said}


def _no_flick_owed(state: State, flicks: int) -> Words:
    return "The player has no flick left to make.", {"flicks_left": flicks}


def _still_in_game(state: State, name: str) -> Words:
    return f"{name} is still in the game.", {}


#: For every other condition's code, the function that makes its text and facts from its details.
WORDS: Final[Mapping[str, Callable[..., Words]]] = {
    **PLACING,
    "game_goes_on": _game_goes_on,
    "somebodys": _somebodys,
    "had_right": _had_right,
    "on_table": _on_table,
    "own_flick": _own_flick,
    "flicks_at_stake": _own_flick,
    "flicks_in_turn": _flicks_in_turn,
    "answered": _answered,
    "right_coin": _right_coin,
    "put_back": _put_back,
    "lifted_off": _lifted_off,
    "placed_to_start": _placed_to_start,
    "tiles_put_back": _tiles_put_back,
    "rest_agrees": _rest_agrees,
    "no_flick_left": _no_flick_left,
    "player_is_out": _player_is_out,
    "rover": _rover,
    "steps_left": _steps_left,
    "next_step": _next_step,
    "direction": _direction,
    "not_passed_yet": _not_passed_yet,
    "rovers_endpost": _rovers_endpost,
    "rover_leaves": _rover_leaves,
    "course_done": _course_done,
    "becomes_poison": _becomes_poison,
    "side_finished": _side_finished,
    "touches_a_coin": _touches_a_coin,
    "met_anew": _met_anew,
    "hit_in_play": _hit_in_play,
    "other_team": _other_team,
    "not_hit_yet": _not_hit_yet,
    "kills": _kills,
    "falling_in_play": _falling_in_play,
    "says_so": _says_so,
    "coin_was_hit": _coin_was_hit,
    "can_be_flicked": _can_be_flicked,
    "chooses": _chooses,
    "no_flick_owed": _no_flick_owed,
    "still_in_game": _still_in_game,
}
