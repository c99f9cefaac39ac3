"""`match.yaml`: which game is played, by whom with which coins, and with which options."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeGuard

from referee.entry import GameName, Player, Setup
from referee.errors import InputError
from referee.geometry import Point
from referee.layout import Course
from referee.pieces import COINS, PieceSizes
from referee.yaml_input import read_yaml


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: the game's name, the players in order of play, and the options that were given."""

    game: GameName
    players: tuple[Player, ...]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def coins(self) -> tuple[str, ...]:
        """The players' coins in order of play."""
        return tuple(p.coin for p in self.players if p.coin is not None)

    def setup(self, sizes: PieceSizes, course: Course, edge_mm: Sequence[Point] = ()) -> Setup:
        """The record's first entry: the match, on a table with these sizes, this course as it lies and this outline (none: not known)."""
        return Setup(
            format="piecepack-match/1",
            game=self.game,
            players=self.players,
            options=dict(self.options),
            tile_mm=sizes.tile_mm,
            coin_mm=sizes.coin_mm,
            layout=course.as_layout(),
            table_edge_mm=tuple((round(x, 3), round(y, 3)) for x, y in edge_mm) or None,
        )


Check = Callable[[Any], bool]


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_band(value: Any) -> bool:
    """Two probabilities, the lower one first."""
    if not isinstance(value, list) or len(value) != 2 or any(isinstance(p, bool) or not isinstance(p, int | float) for p in value):
        return False
    low, high = float(value[0]), float(value[1])
    return 0 <= low <= high <= 1


def _one_of(*words: str) -> tuple[Check, str]:
    return (lambda value: value in words), " or ".join(f"`{w}`" for w in words)


_FLAG = (_is_flag, "`true` or `false`")
_COMMON_OPTIONS: Mapping[str, tuple[Check, str]] = {
    "too_close": _one_of("ask", "for-striker", "against-striker"),
    "too_close_band": (_is_band, "two numbers from 0 to 1, such as [0.05, 0.95]"),
    "challenges": (lambda value: value is None or _is_count(value), "a whole number, or null for no limit"),
    "challenge_kept_when_right": _FLAG,
}


@dataclass(frozen=True, slots=True)
class _Form:
    """What a game's match file may say: the coins, how many players from and to, the steps of the course, and the options."""

    coins: tuple[str, ...]
    fewest: int
    most: int
    steps: int
    options: Mapping[str, tuple[Check, str]]


_FORMS: Mapping[GameName, _Form] = {
    "tabletop-croquet": _Form(
        coins=COINS,
        fewest=2,
        most=10,
        steps=16,
        options={**_COMMON_OPTIONS, "teams": _FLAG, "poison": _FLAG, "wicket_credit": _one_of("crossing", "rest"), "knocked_endposts_count": _FLAG},
    ),
}


class _FieldError(Exception):
    """A field that cannot be used: `FIELD: what is wrong`."""


def read_match(path: Path) -> Match:
    """The match a file describes. Raises InputError: `FILE: FIELD: what is wrong`."""
    return match_from(read_yaml(path), str(path))


def match_from(content: Any, file: str) -> Match:
    """The match that plain YAML values describe; `file` is named in the InputError raised when they do not."""
    try:
        return _match(content)
    except _FieldError as wrong:
        raise InputError(f"{file}: {wrong}") from None


def _match(content: Any) -> Match:
    fields = _mapping(content, "", {"game", "players", "options"}, {"game", "players"})
    game = next((name for name in _FORMS if name == fields["game"]), None)
    if game is None:
        raise _FieldError(f"game: {fields['game']!r} is no game that can be watched ({', '.join(_FORMS)})")
    form = _FORMS[game]
    options = _options(fields.get("options"), form)
    return Match(game, _players(fields["players"], form, bool(options.get("teams"))), options)


def _mapping(value: Any, where: str, known: set[str], needed: set[str]) -> dict[str, Any]:
    """The value as a mapping with only known keys and all the needed ones."""
    prefix = f"{where}." if where else ""
    if not isinstance(value, dict):
        raise _FieldError(f"{where}: must hold fields ({', '.join(sorted(known))})" if where else f"must hold the fields {', '.join(sorted(needed))}")
    for key in value:
        if key not in known:
            raise _FieldError(f"{prefix}{key}: no such field (known: {', '.join(sorted(known))})")
    for key in sorted(needed):
        if key not in value:
            raise _FieldError(f"{prefix}{key}: is missing")
    return value


def _options(value: Any, form: _Form) -> dict[str, Any]:
    if value is None or value == "":
        return {}
    options = _mapping(value, "options", set(form.options), set())
    for name, given in options.items():
        check, wanted = form.options[name]
        if not check(given):
            raise _FieldError(f"options.{name}: {given!r} should be {wanted}")
    return options


def _players(value: Any, form: _Form, teams: bool) -> tuple[Player, ...]:
    if not isinstance(value, list):
        raise _FieldError("players: must be a list, a line `- {name: Ann, coin: moons}` for each")
    if not form.fewest <= len(value) <= form.most:
        raise _FieldError(f"players: {len(value)} given, {form.fewest} to {form.most} can play")
    players = tuple(_player(entry, f"players[{i}]", form, teams) for i, entry in enumerate(value))
    _all_different([p.name for p in players], "name")
    _all_different([p.coin or "" for p in players], "coin")
    return players


def _all_different(values: Sequence[str], what: str) -> None:
    for i, value in enumerate(values):
        if value in values[:i]:
            raise _FieldError(f"players[{i}].{what}: {value!r} is also players[{values.index(value)}]'s")


def _player(value: Any, where: str, form: _Form, teams: bool) -> Player:
    fields = _mapping(value, where, {"name", "coin", "team", "progress"}, {"name", "coin"} | ({"team"} if teams else set()))
    name = fields["name"]
    if not isinstance(name, str) or not name.strip():
        raise _FieldError(f"{where}.name: {name!r} is no text; write it in quotes")
    team = fields.get("team")
    if "team" in fields and not teams:
        raise _FieldError(f"{where}.team: only with `teams: true` among the options")
    if teams and (not isinstance(team, str) or not team.strip()):
        raise _FieldError(f"{where}.team: {team!r} is no text; write it in quotes")
    progress = fields.get("progress")
    if "progress" in fields and not (_is_count(progress) and progress < form.steps):
        raise _FieldError(f"{where}.progress: {progress!r} should be a whole number from 0 to {form.steps - 1}")
    return Player(name=name, coin=_coin(fields["coin"], f"{where}.coin", form), team=team, progress=progress)


def _coin(value: Any, where: str, form: _Form) -> str:
    """A coin's name; unquoted `null` and `2` are the coins of that name."""
    name = "null" if value is None else str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if name not in form.coins:
        raise _FieldError(f"{where}: {value!r} is no coin ({', '.join(form.coins)})")
    return str(name)
