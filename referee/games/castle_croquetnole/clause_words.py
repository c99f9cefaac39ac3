"""Puts the conditions of Castle Croquetnole's rules into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any, Final, NamedTuple

from referee.domain.clause import Clause, Condition
from referee.domain.declaration import Declaration
from referee.domain.geometry import distance
from referee.domain.incident import Incident
from referee.games.castle_croquetnole.places import croquet_gap_facts, fit_facts, start_gap_facts
from referee.games.castle_croquetnole.state import (
    State,
    Step,
    coin_of,
    in_turn,
    is_away,
    is_guard_on_duty,
    is_knight,
    next_step,
    owner_of,
    seat_of,
)
from referee.games.castle_croquetnole.turns import flickable
from referee.games.castle_croquetnole.wording import castle_name, its, its_castle, whose
from referee.games.flicking import UNMOVED_MM, plain_point
from referee.games.ground import displacement_in_words

Facts = dict[str, Any]

PLAYED: Final = "{coin} is the coin being played: it is in turn, and its own player flicked it."
ACTS: Final = (
    "In this flick {coin} has not left the table, entered illegally, been taken prisoner or freed"
    " a knight."
)
OFF_TOWER: Final = "{coin} does not have to sit on a tower."
ENTITLED: Final = "{void_by} had a right to this flick."
START: Final = (
    "starts beside its own tower, at most one coin width away from it (with 10 % tolerance)"
)
WAYS: Final = {"in": " inwards", "out": " outwards", None: ""}
#: The text of each condition by its code. `NAMES` fills in the names in braces.
TEXTS: Final[Mapping[str, str]] = {
    "acts": ACTS,
    "apart": "{other} did not touch {coin} when the flick was made{or_anew}.",
    "beside_guard": "The knight is put {beside} its guard.",
    "beside_tower": f"The coin {START}.",
    "came_in": "{coin} is inside {castle} and came in by its gate.",
    "coin_or_tower": "The coin touches a coin or a tower; touching another tile changes nothing.",
    "croquet_earned": "In its last flick the knight hit its own guard, which was off duty.",
    "croquet_moves": "A croquet that moves the knight has been declared.",
    "entitled": ENTITLED,
    "fall_played": f"{PLAYED} If so, the coin loses the flicks it has left.",
    "first_of_turn": "The guard has earned no flick by {doing} its castle yet this turn.",
    "flicks_in_turn": "{active} makes this flick.",
    "game_goes_on": "The game is not over.",
    "gives_up_turn": "It is {player}'s turn, and that turn ends now.",
    "guard_on_duty": "{coin} is on duty.",
    "guard_played": PLAYED,
    "guards_play": "This was the guard's play, so the turn is over.",
    "has_conceded": "{active} has conceded, so the turn is over.",
    "has_left": "{coin} has left the castle it was in{or_home}.",
    "illegal_entry": f"Illegal entry: {PLAYED}",
    "in_match": "{player} is still in the match.",
    "inside": "{coin} is inside {castle} and so can leave it.",
    "is_knight": "The coin is a knight: guards make no steps.",
    "knight_held": "The knight of the guard's owner is a prisoner on this tower.",
    "lies_where_it_lay": "Nobody moved {coin} by hand: it lies where it lay.",
    "lies_right": "The coin {spot}.",
    "loses_flicks": "{coin} is in turn and loses the flicks it has left.",
    "may_flick": "{active} may flick this coin now: the knight first, then the guard.",
    "may_lift": "{coin} may be lifted off the table.",
    "may_pass": "{in_turn} has been flicked this turn, or round one is over.",
    "may_step": ENTITLED,
    "next_step": "The next step of {coin} is {step}.",
    "no_flick_left": "{in_turn} has no flick left, so its play is over.",
    "not_sent": "Nothing else in this flick has decided where {coin} must be put.",
    "off_tower": OFF_TOWER,
    "one_left": "Only one player is still in the match and wins.",
    "outside": "{coin} does not count as inside {castle} yet.",
    "own_flick": PLAYED,
    "own_gate": "This is the guard's own gate. No other gate puts it on or off duty.",
    "own_gate_bonus": "A knight's own gate earns a flick like every other step (own_gate_bonus).",
    "placed_to_start": "{coin} was placed beside its tower before its first flick.",
    "prison_acts": f"Prisoner: {ACTS}",
    "prison_inside": "Prisoner: {coin} is inside {prison}.",
    "prison_off_tower": f"Prisoner: {OFF_TOWER}",
    "prison_on_duty": "Prisoner: {coin} is on duty.",
    "prisoner_here": "{coin} is a prisoner of this castle. The castle's guard goes out of it.",
    "put_back": "{coin} was put where it had to go before this flick.",
    "rest_agrees": "The place of {coin} agrees with what was seen of it in the flick.",
    "says_in_turn": "{active} makes this declaration.",
    "still": "Everything is still.",
    "strike_anew": "For a strike: {coin} has not struck {other} yet this turn{since}.",
    "strike_off_duty": "For a strike: neither coin is a guard on duty.",
    "strike_off_tower": f"For a strike: {OFF_TOWER}",
    "strike_own_guard": "For a strike: {other} is the knight's own guard, and so allows a croquet.",
    "strike_played": f"For a strike: {PLAYED}",
    "strike_right": "For a strike: the player had a right to this flick.",
    "tiles_put_back": "Every tile that was out of place has been put back.",
    "under_way": "A flick is under way.",
    "wins": "{owner} is still in the match, so the last step wins the game.",
}
#: Where a coin must be put, by the reason for which it must be moved.
SPOTS: Final[Mapping[str, str]] = {
    "start": START,
    "tower": "sits on top of the tower",
    "return": "goes back to where it lay before its flick",
    "exit": "goes back {back} where it left the table",
}
BESIDE: Final = {2: "at most one coin width from", 3: "in contact with", 4: "in contact with"}
#: The conditions that decide only a step of the course, and those that decide only the flicks that
#: are earned or lost. The others decide the whole call.
OF_STEPS: Final = frozenset({"came_in", "is_knight", "may_step", "next_step", "wins"})
OF_FLICKS: Final = frozenset(
    {"first_of_turn", "guard_played", "loses_flicks", "own_flick", "own_gate", "own_gate_bonus"}
) | {"fall_played"}


class Asked(NamedTuple):
    """What a condition is about: the state just before the entry, the entry, the coin, and the
    remaining details.

    The coin is the one that the entry is about, or another coin if the first detail names one.
    """

    state: State
    entry: Any
    coin: str
    details: tuple[Any, ...]


def worded(state: State, entry: Incident | Declaration, condition: Condition) -> Clause:
    """Return one condition in words. `state` is the state just before the entry."""
    code, details = condition.code, condition.details
    if code == "displaced":
        text, facts = displacement_in_words(entry)  # type: ignore[arg-type]
        return Clause(text=text, met=condition.met, facts=facts)
    named = bool(details) and details[0] in state.table.by_coin
    coin = details[0] if named else getattr(entry, "coin", "")
    asked = Asked(state, entry, coin, details[1:] if named else details)
    return Clause(
        text=_filled(TEXTS[code], asked),
        met=condition.met,
        about="step" if code in OF_STEPS else "flicks" if code in OF_FLICKS else "call",
        facts=FACTS[code](asked) if code in FACTS else {},
    )


def _filled(text: str, asked: Asked) -> str:
    names = [name for _, name, _, _ in Formatter().parse(text) if name]
    return text.format(**{name: NAMES[name](asked) for name in names})


def _player(asked: Asked) -> str:
    return asked.entry.player or seat_of(asked.state).name


def _castle(asked: Asked) -> str:
    place = getattr(asked.entry, "line", None) or asked.entry.with_
    return its_castle(asked.state, asked.coin, place.partition("-")[2])


def _step(asked: Asked) -> str:
    step: Step = asked.details[0]
    return its(asked.state, asked.coin, step.place) + WAYS[step.direction]


def _void_by(asked: Asked) -> str:
    assert asked.state.flick is not None
    return asked.state.flick.void_by


def _spot(asked: Asked) -> str:
    owed = coin_of(asked.state, asked.coin).owed
    assert owed is not None
    if owed.what == "return" and owed.at_mm is None:
        return "goes back to where it lay, but nobody saw where that was"
    back = (
        "one coin width in from the spot" if asked.state.table.inset else "to the spot on the edge"
    )
    return SPOTS[owed.what].format(back=back)


def _option(asked: Asked) -> int:
    assert asked.state.offer is not None and asked.state.offer.option is not None
    return asked.state.offer.option


#: For each name in braces in the texts, the function that gives its words.
NAMES: Final[Mapping[str, Callable[[Asked], str]]] = {
    "active": lambda asked: seat_of(asked.state).name,
    "beside": lambda asked: BESIDE[_option(asked)],
    "castle": _castle,
    "coin": lambda asked: whose(asked.state, asked.coin),
    "doing": lambda asked: {"out": "leaving", "in": "entering"}[asked.entry.direction],
    "in_turn": lambda asked: whose(asked.state, in_turn(asked.state)),
    "or_anew": lambda asked: (
        ", or a ruling says that the two parted and met again" if asked.details[0] else ""
    ),
    "or_home": lambda asked: ", or is a guard knocked into its own" if asked.details[0] else "",
    "other": lambda asked: whose(asked.state, asked.entry.with_),
    "owner": lambda asked: asked.state.table.seats[owner_of(asked.state, asked.coin)].name,
    "player": _player,
    "prison": lambda asked: castle_name(asked.state, asked.details[0]),
    "since": lambda asked: " since its last step" if is_knight(asked.state, asked.coin) else "",
    "spot": _spot,
    "step": _step,
    "void_by": _void_by,
}


def _inside(asked: Asked) -> Facts:
    return {"inside": coin_of(asked.state, asked.coin).inside or "wasteland"}


def _guard_inside(asked: Asked) -> Facts:
    return {"guard_inside": coin_of(asked.state, asked.coin).inside or "wasteland"}


def _flicks_in_turn(asked: Asked) -> Facts:
    return {"player": asked.entry.player} if asked.entry.player else {}


def _may_flick(asked: Asked) -> Facts:
    held = asked.state.sides[asked.state.active].prisoner_of
    facts: Facts = {"coin": asked.entry.coin, "may_be_flicked": flickable(asked.state)}
    return facts if held is None else facts | {"knight_is_prisoner_of": held}


def _off_tower(asked: Asked) -> Facts:
    if not is_away(asked.state, asked.coin):
        return {}
    held = asked.state.sides[owner_of(asked.state, asked.coin)].prisoner_of
    return {"waiting_on": f"tower-{asked.coin}"} if held is None else {"prisoner_of": held}


def _played(asked: Asked) -> Facts:
    flick, state = asked.state.flick, asked.state
    flicked = None if flick is None else flick.coin
    return {"turn_of": seat_of(state).name, "in_turn": in_turn(state), "flicked": flicked}


def _flicks_left(asked: Asked) -> Facts:
    return {"flicks_left": asked.state.flicks}


def _next_step(asked: Asked) -> Facts:
    index = owner_of(asked.state, asked.coin)
    due, progress = next_step(asked.state, index), asked.state.sides[index].progress
    facts: Facts = {"next": None if due is None else due.place, "progress": progress}
    if due is not None and due.direction is not None:
        facts["direction"] = due.direction
    return facts


def _prisoner_of(asked: Asked) -> Facts:
    return {"prisoner_of": asked.state.sides[owner_of(asked.state, asked.coin)].prisoner_of}


def _touching(asked: Asked) -> Facts:
    touching = () if asked.state.flick is None else asked.state.flick.touching
    return {"touching": sorted(touching)} if touching else {}


def _on_duty(asked: Asked) -> Facts:
    coins = (asked.entry.coin, asked.entry.with_)
    guards = [coin for coin in coins if is_guard_on_duty(asked.state, coin)]
    return {"on_duty": guards} if guards else {}


def _struck(asked: Asked) -> Facts:
    state = asked.state
    struck = [other for other in state.table.by_coin if (asked.coin, other) in state.struck]
    return {"struck": struck} if struck else {}


def _lies_right(asked: Asked) -> Facts:
    owed = coin_of(asked.state, asked.coin).owed
    return {} if owed is None else fit_facts(asked.state, owed, asked.details[0])


def _beside_tower(asked: Asked) -> Facts:
    knight = asked.state.table.seats[owner_of(asked.state, asked.coin)].knight
    return start_gap_facts(asked.state, knight, asked.details[0])


def _beside_guard(asked: Asked) -> Facts:
    return croquet_gap_facts(asked.state, plain_point(asked.entry.at_mm), _option(asked))


def _moved(asked: Asked) -> Facts:
    lay_mm, at_mm = coin_of(asked.state, asked.coin).at_mm, plain_point(asked.entry.at_mm)
    moved_mm = None if lay_mm is None else round(distance(lay_mm, at_mm), 2)
    return {"moved_mm": moved_mm, "at_most_mm": UNMOVED_MM}


def _may_pass(asked: Asked) -> Facts:
    opened = asked.state.sides[asked.state.active].opened
    return {"round_one": not opened, "flicked_this_turn": asked.state.played}


#: The facts that decided a condition, by its code.
FACTS: Final[Mapping[str, Callable[[Asked], Facts]]] = {
    "apart": _touching,
    "beside_guard": _beside_guard,
    "beside_tower": _beside_tower,
    "came_in": _inside,
    "coin_or_tower": lambda asked: {"with": asked.entry.with_},
    "croquet_moves": lambda asked: {
        "declared": None if asked.state.offer is None else asked.state.offer.option
    },
    "fall_played": lambda asked: _played(asked) | _flicks_left(asked),
    "first_of_turn": lambda asked: (
        {"had_for": sorted(asked.state.gates)} if asked.state.gates else {}
    ),
    "flicks_in_turn": _flicks_in_turn,
    "game_goes_on": lambda asked: {"winner": list(asked.state.winner)},
    "guard_on_duty": _guard_inside,
    "guard_played": _played,
    "has_left": _inside,
    "illegal_entry": _played,
    "inside": _inside,
    "knight_held": _prisoner_of,
    "lies_right": _lies_right,
    "lies_where_it_lay": _moved,
    "loses_flicks": _flicks_left,
    "may_flick": _may_flick,
    "may_pass": _may_pass,
    "next_step": _next_step,
    "no_flick_left": _flicks_left,
    "not_sent": lambda asked: {"at_mm": list(asked.entry.at_mm)},
    "off_tower": _off_tower,
    "outside": _inside,
    "own_flick": _played,
    "prison_inside": _inside,
    "prison_off_tower": _off_tower,
    "prison_on_duty": _guard_inside,
    "prisoner_here": _prisoner_of,
    "strike_anew": _struck,
    "strike_off_duty": _on_duty,
    "strike_off_tower": _off_tower,
    "strike_played": _played,
    "tiles_put_back": lambda asked: {
        "out_of_place": sorted(tile for tile, _ in asked.state.displaced)
    },
}
