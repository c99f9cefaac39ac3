"""The words that each game's records may use: coins, pawns, lines, places, dice, options, and the
kinds of incident and declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from referee.domain import declaration as say
from referee.domain import incident as seen
from referee.domain.pieces import CARROMS_COINS, COINS

Faces = frozenset[str] | frozenset[int]
SUITS: Final = ("moons", "suns", "crowns", "arms")
#: The games that are played on a printed board.
BOARD_GAMES: Final = ("wickets-six", "wickets-nine")
BOARD_ORDER: Final = ("blue", "red", "black", "yellow", "green", "orange")
RANKS: Final = ("null", "ace", "2", "3", "4", "5")
EVERY_GAME: Final[tuple[type, ...]] = (seen.Unseen, seen.Renamed, seen.Surveyed)
FLICKED_GAME: Final = (
    seen.Flicked,
    seen.Contact,
    seen.LeftTable,
    seen.TileDisplaced,
    seen.TileRestored,
    seen.AtRest,
    seen.Placed,
)
SAID_ANYWHERE: Final[tuple[type, ...]] = (say.Pass, say.Concede, say.Agreed, say.Challenge)


@dataclass(frozen=True)
class Option:
    """An option of a game: its default and what it means. `fits` says whether a value is allowed,
    and `allowed` names the allowed values in words.

    `choices` lists all allowed values where there are only a few.
    """

    default: Any
    meaning: str
    fits: Callable[[Any], bool]
    allowed: str
    choices: tuple[Any, ...] = ()


def _yes_or_no(default: bool, meaning: str) -> Option:
    return Option(
        default, meaning, lambda value: isinstance(value, bool), "true or false", (True, False)
    )


def _one_of(default: str, meaning: str, *values: str) -> Option:
    return Option(
        default,
        meaning,
        lambda value: isinstance(value, str) and value in values,
        " or ".join(values),
        values,
    )


def _whole(value: Any, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_band(value: Any) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    if any(isinstance(end, bool) or not isinstance(end, int | float) for end in value):
        return False
    return bool(0 <= value[0] <= value[1] <= 1)


COMMON: Final[Mapping[str, Option]] = {
    "too_close": _one_of(
        "ask",
        "what the referee does if an incident is too close to call: it asks, or it decides for or"
        " against the player whose turn it is",
        "ask",
        "for-striker",
        "against-striker",
    ),
    "too_close_band": Option(
        (0.05, 0.95),
        "an incident with a probability from the first number to the second is too close to call",
        _is_band,
        "two numbers from 0 to 1, the smaller first",
    ),
    "challenges": Option(
        None,
        "how many challenges each player has; null sets no limit",
        lambda value: value is None or _whole(value),
        "null or a whole number",
    ),
    "challenge_kept_when_right": _yes_or_no(
        True, "a player whose challenge was right gets it back"
    ),
}


@dataclass(frozen=True)
class Words:
    """The names that a record of one game may use. `incidents` and `declarations` give the class of
    each kind. `places` are the things, besides coins, that a coin may touch in a `contact`.
    """

    coins: frozenset[str] = frozenset()
    pawns: frozenset[str] = frozenset()
    lines: frozenset[str] = frozenset()
    directions: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    pockets: frozenset[str] = frozenset()
    tiles: frozenset[str] = frozenset()
    dice: Mapping[str, Faces] = field(default_factory=dict)
    options: Mapping[str, Option] = field(default_factory=dict)
    incidents: Mapping[str, type] = field(default_factory=dict)
    declarations: Mapping[str, type] = field(default_factory=dict)


def _by_kind(*types: type) -> dict[str, type]:
    return {kind.__struct_config__.tag: kind for kind in types}  # type: ignore[attr-defined]


def _tabletop_croquet() -> Words:
    wickets = frozenset(f"wicket-{n}" for n in range(1, 10))
    posts = frozenset({"left-endpost", "right-endpost"})
    return Words(
        coins=frozenset(COINS),
        lines=wickets,
        directions=frozenset({"outward", "homeward"}),
        places=wickets | posts,
        tiles=posts | {f"{wicket}-{side}" for wicket in wickets for side in ("left", "right")},
        options={
            **COMMON,
            "teams": _yes_or_no(False, "the players play in teams"),
            "poison": _yes_or_no(
                False,
                "a coin that has finished the course becomes poison and kills coins it hits; the"
                " last coin in play wins",
            ),
            "wicket_credit": _one_of(
                "crossing",
                "a wicket counts at the crossing, or the referee judges it when all is at rest",
                "crossing",
                "rest",
            ),
            "knocked_endposts_count": _yes_or_no(
                True, "an endpost also counts for a coin that somebody else knocked against it"
            ),
        },
        incidents=_by_kind(*EVERY_GAME, *FLICKED_GAME, seen.LineCrossed),
        declarations=_by_kind(*SAID_ANYWHERE, say.AfterHit, say.Rover, say.Leave),
    )


def _castle_croquetnole() -> Words:
    gates = frozenset(f"{what}-{suit}" for what in ("gate", "door") for suit in SUITS)
    return Words(
        coins=frozenset(SUITS) | {"ace", "2", "3", "4"},
        lines=gates,
        directions=frozenset({"out", "in"}),
        places=gates | {f"tower-{suit}" for suit in SUITS},
        tiles=frozenset(f"door-{suit}-{side}" for suit in SUITS for side in ("left", "right"))
        | {f"gatepost-{corner}" for corner in ("sw", "nw", "ne", "se")},
        options={
            **COMMON,
            "own_gate_bonus": _yes_or_no(
                True, "a knight's own gate earns a flick, like every other step"
            ),
            "inset": _yes_or_no(
                False, "a coin that left the table goes back one coin width in from the edge"
            ),
        },
        incidents=_by_kind(*EVERY_GAME, *FLICKED_GAME, seen.LineCrossed),
        declarations=_by_kind(*SAID_ANYWHERE, say.CastleCroquet),
    )


def _carroms() -> Words:
    pockets = frozenset({"pocket-ne", "pocket-nw", "pocket-se", "pocket-sw"})
    return Words(
        coins=frozenset(CARROMS_COINS),
        places=pockets,
        pockets=pockets,
        tiles=frozenset(f"wall-{wall}-{number}" for wall in "nesw" for number in range(1, 7)),
        options={
            **COMMON,
            "black_same_flick": _yes_or_no(
                False, "the black also wins if the last own coin fell earlier in the same flick"
            ),
        },
        incidents=_by_kind(*EVERY_GAME, *FLICKED_GAME, seen.Pocketed),
        declarations=_by_kind(*SAID_ANYWHERE, say.Hold),
    )


def _piecepack_croquet() -> Words:
    return Words(
        coins=frozenset(f"{suit}-{rank}" for suit in SUITS for rank in RANKS),
        pawns=frozenset({"black", "red", "blue", "green"}),
        dice={"roll": frozenset(RANKS)},
        options={
            **COMMON,
            "min_knock_on": Option(
                0,
                "the least number of steps a ball moves when another ball ends its route on it",
                lambda value: _whole(value) and value <= 1,
                "0 or 1",
                (0, 1),
            ),
        },
        incidents=_by_kind(*EVERY_GAME, seen.Rolled, seen.Moved, seen.CoinFlipped, seen.CoinTurned),
        declarations=_by_kind(
            *SAID_ANYWHERE, say.PiecepackCroquet, say.Shot, say.SpecialShot, say.Disaster
        ),
    )


def _wickets(*pawns: str) -> Words:
    pips = frozenset(range(1, 7))
    return Words(
        pawns=frozenset(pawns),
        dice={"die-1": pips, "die-2": pips},
        options=COMMON,
        incidents=_by_kind(*EVERY_GAME, seen.Rolled, seen.Moved),
        declarations=_by_kind(*SAID_ANYWHERE, say.WicketsCroquet, say.Continuation),
    )


@cache
def words_of(game: str) -> Words:
    """Return the words of one game. Raises KeyError for an unknown game."""
    makers: dict[str, Callable[[], Words]] = {
        "tabletop-croquet": _tabletop_croquet,
        "castle-croquetnole": _castle_croquetnole,
        "carroms": _carroms,
        "piecepack-croquet": _piecepack_croquet,
        "wickets-six": lambda: _wickets(*BOARD_ORDER[:4]),
        "wickets-nine": lambda: _wickets(*BOARD_ORDER),
    }
    return makers[game]()


def option(options: Mapping[str, Any], game: str, name: str) -> Any:
    """Return the value of one option of a match: as given in the setup, or else the default."""
    return options.get(name, words_of(game).options[name].default)
