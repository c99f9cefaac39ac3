"""The conditions of Tabletop Croquet's rules in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from referee.domain.clause import Clause, Condition
from referee.domain.declaration import Declaration
from referee.domain.geometry import Point, distance
from referee.domain.incident import Incident, TileDisplaced
from referee.games.flicking import UNMOVED_MM, displacement_in_words
from referee.games.tabletop_croquet.falls import strip_of
from referee.games.tabletop_croquet.placing import COIN_WIDTH_TOLERANCE
from referee.games.tabletop_croquet.state import State, place_name, seat_of, whose

#: The text of a condition, and the facts it was judged by.
Words = tuple[str, dict[str, Any]]

#: Conditions whose text is always the same, and which were judged by nothing that can be shown.
FIXED: Final[Mapping[str, str]] = {
    "under_way": "A flick is under way.",
    "still": "Everything is still.",
    "may_win": "The flick is one that may win the match.",
    "may_hit": "The flick is one that may hit.",
    "stays_through": (
        "When all is at rest the coin is on the table and has not come back through."
    ),
    "knocked_counts": "Endposts count for coins that are knocked on to them.",
    "one_side_left": "Everybody else has conceded, or their coins are killed.",
}
#: The condition that only flicks hang on; the call hangs on the others.
OF_FLICKS: Final = "flicks_at_stake"


def worded(state: State, entry: Incident | Declaration, condition: Condition) -> Clause:
    """One condition in words; `state` is the one just before the entry, or just before the rest at
    which it was judged.
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
    return "The game still goes on.", {"winner": list(winner)}


def _somebodys(state: State, coin: str) -> Words:
    return f"Somebody plays the coin {coin}.", {}


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
    return f"It is {name} who flicks.", {"player": player or name}


def _answered(state: State, asked: list[str]) -> Words:
    text = "Nobody concerned still has to choose between rover and leaving."
    return text, {"asked": asked} if asked else {}


def _right_coin(state: State, coin: str, wanted: str) -> Words:
    text = f"It is {whose(state, wanted)} that is flicked, or a rover that may be forced out."
    return text, {"coin": coin, "to_flick": wanted}


def _no_flick_left(state: State, name: str, flicks: int) -> Words:
    return f"{name} has no flick left, so the turn is over.", {"flicks_left": flicks}


def _player_is_out(state: State, name: str, coin_is: str, conceded: bool) -> Words:
    text = f"{name} is out of the game, so the turn is over."
    return text, {"state": "conceded" if conceded else coin_is}


# Steps of the course.


def _rover(state: State, coin: str) -> Words:
    return f"{whose(state, coin)} is a rover.", {}


def _steps_left(state: State, progress: int, coin_is: str) -> Words:
    text = "It still has steps of this kind to make."
    return text, {"progress": progress, "state": coin_is}


def _next_step(state: State, place: str, wanted: str | None, progress: int) -> Words:
    name = place_name(place)
    text = f"{name[:1].upper()}{name[1:]} is its next step."
    return text, {"next": wanted, "progress": progress}


def _direction(state: State, direction: str, needed: str | None) -> Words:
    return f"It is crossed {needed}.", {"direction": direction, "needed": needed}


def _not_passed_yet(state: State, place: str, passed: frozenset[str]) -> Words:
    text = f"The rover has not been through {place_name(place)} this turn."
    return text, {"passed": sorted(passed)}


def _rovers_endpost(state: State, place: str) -> Words:
    return "A rover leaves the game by the left endpost.", {"place": place}


def _rover_leaves(state: State, forced: bool) -> Words:
    text = (
        "It is the rover's own flick, or one that forces it out, or knocked coins count at"
        " endposts."
    )
    return text, {"forced": forced}


def _course_done(state: State, coin: str) -> Words:
    return f"It was the last step of the course for {whose(state, coin)}.", {}


def _becomes_poison(state: State, coin: str) -> Words:
    text = f"The match is played with poison, and {whose(state, coin)} stays in the game."
    return text, {}


def _side_finished(state: State, names: tuple[str, ...]) -> Words:
    who = " and ".join(names)
    return f"{who} {'has' if len(names) == 1 else 'have'} finished, and not conceded.", {}


# Hits and falls.


def _touches_a_coin(state: State, other: str) -> Words:
    text = "It touches the coin of another player or an endpost: nothing else counts."
    return text, {"with": other}


def _met_anew(
    state: State, other: str, again: bool, touched: frozenset[str], touching: frozenset[str]
) -> Words:
    if not touched:
        text = f"{whose(state, other)} did not touch it when the flick was made."
        return text, {"touching": sorted(touching)}
    text = (
        f"{whose(state, other)} touched it when the flick was made: the two have parted and met"
        " anew."
    )
    return text, {"met_before_in_this_flick": again}


def _hit_in_play(state: State, coin: str, coin_is: str) -> Words:
    return f"{whose(state, coin)} is in play.", {"state": coin_is}


def _other_team(state: State, coin: str, team: str | None) -> Words:
    return f"{whose(state, coin)} is of another team.", {"teams": [seat_of(state).team, team]}


def _not_hit_yet(state: State, coin: str, dead: frozenset[str]) -> Words:
    text = (
        f"{seat_of(state).name} has not hit {whose(state, coin)} already since the last step of"
        " the course or the turn's beginning."
    )
    return text, {"dead_on": [seat.coin for seat in state.table.seats if seat.coin in dead]}


def _kills(state: State, coin: str) -> Words:
    name = seat_of(state).name
    return f"{name}'s coin is poison, and kills {whose(state, coin)}.", {}


def _falling_in_play(state: State, coin: str, at_mm: Point) -> Words:
    return f"{whose(state, coin)} is in play.", {"at_mm": list(at_mm)}


# Coins put down and lifted.


def _may_be_lifted(state: State, coin_is: str) -> Words:
    text = "It has left the table, has not entered yet, or is out of the game."
    return text, {"state": coin_is}


def _unmoved(state: State, lay_mm: Point | None, at_mm: Point) -> Words:
    text = (
        f"It was put down where it lay, to {UNMOVED_MM:g} mm: coins are flicked from where they"
        " lie."
    )
    return text, {"moved_mm": None if lay_mm is None else round(distance(lay_mm, at_mm), 1)}


def _in_from_both_edges(state: State, coin: str, depths: tuple[float, ...]) -> Words:
    text = (
        f"Near a corner the centre of {whose(state, coin)} is {_strip(state)} mm in from both"
        " edges."
    )
    return text, {"depths_mm": [round(depth, 1) for depth in depths]}


def _in_from_edge(state: State, coin: str, depth_mm: float) -> Words:
    text = (
        f"The centre of {whose(state, coin)} is {_strip(state)} mm in from where it left the table."
    )
    return text, {"depth_mm": round(depth_mm, 1)}


def _strip(state: State) -> str:
    strip = strip_of(state)
    return f"{strip.least_mm:.1f} to {strip.most_mm:.1f}"


def _near_exit(state: State, coin: str, aside_mm: float) -> Words:
    text = f"It is at most {strip_of(state).aside_mm:.1f} mm to either side of there."
    return text, {"aside_mm": round(aside_mm, 1)}


def _near_endpost(state: State, coin: str, gap_mm: float) -> Words:
    text = (
        f"The centre of {whose(state, coin)} is within a tile width of the left endpost:"
        f" {state.table.tile_mm:.1f} mm."
    )
    return text, {"gap_mm": round(gap_mm, 1)}


def _before_endpost(state: State, coin: str, ahead_mm: float) -> Words:
    text = f"{whose(state, coin)} lies between the endpost and wicket 1."
    return text, {"ahead_mm": round(ahead_mm, 1)}


def _beside(state: State, coin: str, gap_mm: float | None) -> Words:
    most_mm = COIN_WIDTH_TOLERANCE * state.table.coin_mm
    text = (
        f"The gap to {whose(state, coin)} is at most one coin width, with a tenth of tolerance:"
        f" {most_mm:.1f} mm."
    )
    return text, {"gap_mm": None if gap_mm is None else round(gap_mm, 2)}


# Declarations.


def _says_so(state: State, name: str, player: str | None) -> Words:
    return f"It is {name} who says so.", {"player": player or name}


def _coin_was_hit(state: State, coin: str, hit: frozenset[str]) -> Words:
    name = seat_of(state).name
    text = f"{name} earned flicks by hitting {whose(state, coin)} in the last flick."
    return text, {"hit": sorted(hit)}


def _can_be_flicked(state: State, coin: str, coin_is: str) -> Words:
    return f"{whose(state, coin)} is still in play and can be flicked.", {"state": coin_is}


def _chooses(state: State, coin: str, progress: int, choice: str) -> Words:
    text = (
        f"{whose(state, coin)} has passed the last wicket, and what becomes of it has not been"
        " said."
    )
    said = {"said": choice} if choice in ("rover", "leave") else {}
    return text, {"progress": progress, **said}


def _no_flick_owed(state: State, flicks: int) -> Words:
    return "No flick is owed.", {"flicks_left": flicks}


def _still_in_game(state: State, name: str) -> Words:
    return f"{name} is still in the game.", {}


#: The text of the other conditions, by code, from their details.
WORDS: Final[Mapping[str, Callable[..., Words]]] = {
    "game_goes_on": _game_goes_on,
    "somebodys": _somebodys,
    "had_right": _had_right,
    "on_table": _on_table,
    "own_flick": _own_flick,
    "flicks_at_stake": _own_flick,
    "flicks_in_turn": _flicks_in_turn,
    "answered": _answered,
    "right_coin": _right_coin,
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
    "may_be_lifted": _may_be_lifted,
    "unmoved": _unmoved,
    "in_from_both_edges": _in_from_both_edges,
    "in_from_edge": _in_from_edge,
    "near_exit": _near_exit,
    "near_endpost": _near_endpost,
    "before_endpost": _before_endpost,
    "beside": _beside,
    "says_so": _says_so,
    "coin_was_hit": _coin_was_hit,
    "can_be_flicked": _can_be_flicked,
    "chooses": _chooses,
    "no_flick_owed": _no_flick_owed,
    "still_in_game": _still_in_game,
}
#: The conditions that the error of a measured place widens.
MEASURED: Final = frozenset({"in_from_edge", "near_exit", "in_from_both_edges"})
