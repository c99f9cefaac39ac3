"""Guesses a player's croquet from what hands do, so that nobody has to declare it first.

A knight that a hand puts beside its guard takes a croquet: a loose one (3) where the two touch,
otherwise the one within a coin width (2). If the guard is then flicked and the knight stays where
it is, a hand held the knight: a tight croquet (4), and the flick counts as one of the knight. A
guess never replaces what a player declared; if the two do not fit, the referee asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from msgspec.structs import replace

from referee.domain.declaration import CastleCroquet
from referee.domain.incident import Flicked, Incident, Placed
from referee.games.castle_croquetnole.places import beside_guard
from referee.games.castle_croquetnole.state import Seat, State, in_turn, seat_of

Option = Literal[1, 2, 3, 4, 5]
#: The croquets that hands show: the knight within a coin width of the guard, both touching and
#: flicked, and the knight held.
WITHIN: Final[Option] = 2
LOOSE: Final[Option] = 3
TIGHT: Final[Option] = 4
#: By definition: a declaration is written a microsecond before the incident from which it is
#: guessed.
BEFORE_S: Final = 1e-6
#: By definition: the probability if neither of two explanations is likelier. The referee asks.
ASKED: Final = 0.5


def with_croquets(
    state: State, incidents: Sequence[Incident], *, guessed: bool
) -> list[Incident | CastleCroquet]:
    """Return the incidents of an episode, with the declaration of a croquet in front of the
    incident that shows it. In a tight croquet, the flick of the guard is replaced by a flick of the
    knight.

    `state` is the state before the episode. `guessed` is True if the declaration in that state was
    only guessed.
    """
    if state.offer is None or state.flick is not None or in_turn(state) != seat_of(state).knight:
        return list(incidents)
    seat, declared = seat_of(state), state.offer.option
    found: list[Incident | CastleCroquet] = []
    for number, incident in enumerate(incidents):
        shown = _shown(state, incident, declared, guessed=guessed or declared is None)
        if shown is not None and shown != declared:
            t_s = None if incident.t_s is None else round(incident.t_s - BEFORE_S, 6)
            found.append(CastleCroquet(option=shown, guessed=True, t_s=t_s, player=seat.name))
            declared, guessed = shown, True
        if isinstance(incident, Flicked):
            tight = _of_guard(seat, incident)
            flick = _tight(seat, incident, sure=declared == TIGHT) if tight else incident
            return [*found, flick, *incidents[number + 1 :]]
        found.append(incident)
    return found


def _shown(
    state: State, incident: Incident, declared: Option | None, *, guessed: bool
) -> Option | None:
    """Return the croquet that an incident shows; None if it shows none, or if a player has already
    declared the croquet.
    """
    if not guessed:
        return None
    if isinstance(incident, Placed):
        return _placed(state, seat_of(state), incident)
    tight = isinstance(incident, Flicked) and _of_guard(seat_of(state), incident)
    return TIGHT if tight and declared == LOOSE else None


def _placed(state: State, seat: Seat, placed: Placed) -> Option | None:
    """Return the croquet for which a hand put the knight in this place; None if it is not sure."""
    at_mm = placed.at_mm
    if placed.coin != seat.knight or placed.probability is not None or at_mm is None:
        return None
    sigma_mm = placed.sigma_mm or 0.0
    return next((o for o in (LOOSE, WITHIN) if beside_guard(state, at_mm, o, sigma_mm)), None)


def _of_guard(seat: Seat, flick: Flicked) -> bool:
    """Return whether the guard was flicked while its knight touched it."""
    return flick.coin == seat.guard and seat.knight in flick.touching


def _tight(seat: Seat, flick: Flicked, *, sure: bool) -> Flicked:
    """Return the flick of a guard that touched its knight, while the knight lay still. If a tight
    croquet is `sure`, the result is a flick of the knight. Otherwise it is a flick about which the
    referee asks.
    """
    if not sure:
        return replace(flick, probability=min(ASKED, flick.probability or 1.0))
    others = tuple(coin for coin in flick.touching if coin != seat.knight)
    return replace(flick, coin=seat.knight, touching=(seat.guard, *others))
