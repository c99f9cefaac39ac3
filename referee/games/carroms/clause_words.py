"""Puts the conditions of Carroms' rules into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal

from referee.domain.clause import Clause, Condition
from referee.domain.declaration import Declaration, Hold
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Contact, Flicked, Incident, Placed
from referee.games.carroms.board import NEAR, nearest_free, wall_gap_mm
from referee.games.carroms.holding import LINES, most_walls, seat_index
from referee.games.carroms.placing import others_mm, with_chosen
from referee.games.carroms.state import (
    BLACK,
    OWN_COINS,
    State,
    in_words,
    own_down,
    piece,
    seat_of,
    sentence,
)
from referee.games.flicking import UNMOVED_MM, plain_point
from referee.games.ground import displacement_in_words

#: The text of a condition, and the facts that decided it.
Words = tuple[str, dict[str, Any]]

#: Conditions whose text is always the same.
FIXED: Final[Mapping[str, str]] = {
    "before_break": "The coins are still being racked for the break.",
    "black_is_back": "The black coin does not have to go back first.",
    "black_wins": "When it fell, the black coin could win, and the striker stayed on the board.",
    "ends_turn": "The coin is the striker, so the turn ends as soon as all is still.",
    "first_own_coin": "No other own coin had fallen in this flick.",
    "flick_under_way": "A flick is under way.",
    "line_not_held": "Nobody held the tile's line down.",
    "makes_room": "A tile is out of place, and coins may make room for it.",
    "may_pass": "A player may pass.",
    "placed_to_break": "The striker has been placed near a wall for the break.",
    "still": "Everything is still.",
    "takes_turn": "The flick uses up the turn.",
}
#: The conditions that decide only the flicks. For the black coin they decide the whole call.
OF_FLICKS: Final = frozenset(
    {"ends_turn", "entitled", "first_own_coin", "own_coin", "striker_on_board"}
)


def worded(state: State, entry: Incident | Declaration, condition: Condition) -> Clause:
    """Return one condition in words. `state` is the state just before the entry."""
    code = condition.code
    text, facts = (
        (FIXED[code], {}) if code in FIXED else WORDS[code](state, entry, *condition.details)
    )
    flicks = code in OF_FLICKS and getattr(entry, "coin", None) != BLACK
    about: Literal["call", "flicks"] = "flicks" if flicks else "call"
    return Clause(text=text, met=condition.met, about=about, facts=facts)


def _game_goes_on(state: State, entry: Incident) -> Words:
    return "The game is not over.", {"winner": state.winner}


def _leaves_board(state: State, entry: Contact) -> Words:
    text = "The coin goes into a pocket or over a wall: contacts change nothing in this game."
    return text, {"with": entry.with_}


def _own_turn(state: State, entry: Flicked) -> Words:
    name = seat_of(state).name
    return f"{name} makes this flick.", {"player": entry.player or name}


def _flicks_striker(state: State, entry: Flicked) -> Words:
    return "The flicked coin is the striker.", {"coin": entry.coin}


def _flicker(state: State) -> str:
    assert state.flick is not None
    return state.table.seats[state.flick.by].name


def _on_board(state: State, entry: Any) -> Words:
    return f"{sentence(in_words(entry.coin))} was on the board.", {}


def _entitled(state: State, entry: Incident) -> Words:
    return f"{_flicker(state)} had a right to the flick.", {}


def _own_coin(state: State, entry: Incident) -> Words:
    return f"The coin is one of {_flicker(state)}'s own coins.", {}


def _striker_on_board(state: State, entry: Incident) -> Words:
    assert state.flick is not None
    text, struck = "The striker has not left the board in this flick.", state.flick.struck
    left = {"pocketed": "is in a pocket", "over": "is over a wall"}
    return text, {"the_striker": left[struck]} if struck else {}


def _own_coins_down(state: State, entry: Incident) -> Words:
    assert state.flick is not None
    when = "before the black" if state.table.black_same_flick else "before the flick"
    left = OWN_COINS - len(own_down(state, state.flick.by))
    return f"All of {_flicker(state)}'s own coins were down {when}.", {"own_coins_left": left}


def _own_coin_fell(state: State, entry: Incident) -> Words:
    name = _flicker(state)
    return f"An own coin of {name} fell in this flick, so {name} flicks again.", {}


def _pays_penalty(state: State, entry: Incident) -> Words:
    name = _flicker(state)
    text = f"{name} had a right to the flick and has an own coin in a pocket that can go back."
    return text, {}


def _has_to_go_back(state: State, entry: Placed) -> Words:
    facts = {"in_a_pocket": True} if entry.coin in state.pile else {}
    return f"{sentence(in_words(entry.coin))} has to go back on the board.", facts


def _in_pocket(state: State, entry: Placed) -> Words:
    return f"{sentence(in_words(entry.coin))} is in a pocket.", {}


def _put_on_board(state: State, entry: Placed) -> Words:
    assert entry.at_mm is not None
    return "The striker is put on the board.", {"at_mm": list(plain_point(entry.at_mm))}


def _near_wall(state: State, entry: Placed | AtRest, at_mm: Point) -> Words:
    gap_mm = wall_gap_mm(state.board, at_mm)
    text = "The striker lies on the playing field, within one tile width of a wall."
    return text, {"to_the_nearest_wall_mm": round(gap_mm, 2), "at_most_mm": state.table.tile_mm}


def _near_centre(state: State, entry: Placed) -> Words:
    assert entry.at_mm is not None
    state, at_mm = with_chosen(state, entry.coin), plain_point(entry.at_mm)
    centre, size = state.board.centre_mm, state.table.coin_mm
    facts: dict[str, Any] = {"from_the_centre_mm": round(distance(at_mm, centre), 2)}
    if state.known:
        taken = others_mm(state, entry.coin)
        least_mm = distance(nearest_free(centre, taken, size), centre)
        gap_mm = min((distance(at_mm, other) - size for other in taken), default=None)
        facts["nearest_free_mm"] = round(least_mm, 2)
        facts["at_most_mm"] = round(least_mm + NEAR * size, 2)
        facts |= {} if gap_mm is None else {"gap_to_the_nearest_coin_mm": round(gap_mm, 2)}
    text = (
        "The coin lies on a free spot that is at most a quarter of a coin width farther from the"
        " centre than the nearest free spot."
    )
    return text, facts


def _lies_where_it_lay(state: State, entry: Placed) -> Words:
    assert entry.at_mm is not None
    lay_mm = piece(state, entry.coin).at_mm
    moved_mm = None if lay_mm is None else round(distance(lay_mm, plain_point(entry.at_mm)), 2)
    text = f"{sentence(in_words(entry.coin))} was not moved by hand: it lies where it lay."
    return text, {"moved_mm": moved_mm, "at_most_mm": UNMOVED_MM}


def _few_lines(state: State, entry: Hold) -> Words:
    index = seat_index(state, entry.player)
    name, most = state.table.seats[index].name, LINES[most_walls(state, index)]
    which = "whose turn it is" if index == state.active else "the opponent"
    return f"{name}, {which}, holds at most {most} of tiles.", {"walls": list(entry.walls)}


def _put_back(state: State, entry: Flicked, coin: str) -> Words:
    return f"{sentence(in_words(coin))} was put on the board before this flick.", {}


def _tiles_put_back(state: State, entry: Flicked) -> Words:
    text = "Every tile that was out of place has been put back."
    return text, {"out_of_place": sorted(tile for tile, _ in state.displaced)}


def _well_racked(state: State, entry: Flicked, faults: tuple[str, ...]) -> Words:
    return "The coins are racked as they should be for the break.", {"faults": list(faults)}


def _rest_agrees(state: State, entry: AtRest, coin: str) -> Words:
    text = f"The place of {in_words(coin)} agrees with what was seen of it in the flick."
    return text, {}


#: For every other condition's code, the function that makes its text and facts.
WORDS: Final[Mapping[str, Callable[..., Words]]] = {
    "displaced": lambda _, entry: displacement_in_words(entry),
    "entitled": _entitled,
    "few_lines": _few_lines,
    "flicks_striker": _flicks_striker,
    "game_goes_on": _game_goes_on,
    "has_to_go_back": _has_to_go_back,
    "in_pocket": _in_pocket,
    "leaves_board": _leaves_board,
    "lies_where_it_lay": _lies_where_it_lay,
    "near_centre": _near_centre,
    "near_wall": _near_wall,
    "on_board": _on_board,
    "own_coin": _own_coin,
    "own_coin_fell": _own_coin_fell,
    "own_coins_down": _own_coins_down,
    "own_turn": _own_turn,
    "pays_penalty": _pays_penalty,
    "put_back": _put_back,
    "put_on_board": _put_on_board,
    "rest_agrees": _rest_agrees,
    "striker_on_board": _striker_on_board,
    "tiles_put_back": _tiles_put_back,
    "well_racked": _well_racked,
}
