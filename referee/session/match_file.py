"""`match.yaml`: the game, the players with their coins, and the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from calibration.store.yaml_input import read_yaml
from referee.domain.entry import GameName, Player, Setup
from referee.domain.errors import InputError
from referee.domain.geometry import Point
from referee.domain.layout import Course
from referee.domain.pieces import COINS, GUARDS, PieceSizes
from referee.games.players import FieldError
from referee.games.words import words_of
from referee.record.setup_checks import check_setup

#: The games whose course can be surveyed, and that a camera can follow, today.
WATCHED: Final[tuple[GameName, ...]] = ("tabletop-croquet", "castle-croquetnole", "carroms")


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the game's name, the players in order of play, and the options that were given.
    `off_table` are the coins that do not lie on the table when play begins.
    """

    game: GameName
    players: tuple[Player, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    off_table: frozenset[str] = frozenset()

    @property
    def coins(self) -> tuple[str, ...]:
        """Return the coins of the match: the players' coins in order of play, in Castle Croquetnole
        followed by their guards; in Carroms all coins on the board.
        """
        known = words_of(self.game).coins
        if self.game == "carroms":
            return tuple(sorted(known))
        own = tuple(p.coin for p in self.players if p.coin is not None)
        if self.game == "castle-croquetnole":
            return (*own, *(coin for coin in COINS if coin in known and coin not in own))
        return own

    def ruled_faces(self, lying: Mapping[str, Point], coin_mm: float) -> tuple[dict[str, str], ...]:
        """Return the layouts of coins at these places that the rules allow when play begins. Each
        gives the face of every coin, by number. Empty if the rules do not prescribe where coins
        lie.
        """
        if self.game != "carroms":
            return ()
        from referee.games.carroms.rack import racked_faces  # other games start without its rules

        return racked_faces(lying, coin_mm)

    def setup(self, sizes: PieceSizes, course: Course, edge_mm: Sequence[Point] = ()) -> Setup:
        """Return the first entry of the record: the match, and the table with its sizes, its course
        as it lies and its outline (empty: not known).
        """
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


def read_match(path: Path) -> Match:
    """Read the match from a file. Raises InputError: `FILE: FIELD: what is wrong`."""
    return match_from(read_yaml(path), str(path))


def match_from(content: Any, file: str) -> Match:
    """Return the match that plain YAML values describe. Raises InputError, which names the `file`,
    if they are wrong.

    Only the fields are checked here. Whether these players may play this game with these options is
    checked later, as for a record's setup.
    """
    try:
        match = _match(content)
        check_setup(
            Setup(
                format="piecepack-match/1",
                game=match.game,
                players=match.players,
                options=dict(match.options),
            )
        )
    except FieldError as wrong:
        raise InputError(
            f"{file}: {wrong.field}: {wrong.what}" if wrong.field else f"{file}: {wrong.what}"
        ) from None
    return match


def _match(content: Any) -> Match:
    fields = _mapping(content, "", {"game", "players", "options"}, {"game", "players"})
    game = next((name for name in WATCHED if name == fields["game"]), None)
    if game is None:
        raise FieldError(
            "game", f"{fields['game']!r} is not a game that can be watched ({', '.join(WATCHED)})"
        )
    if not isinstance(fields["players"], list):
        raise FieldError(
            "players", "must be a list, with a line `- {name: Ann, coin: moons}` for each"
        )
    players = tuple(_player(entry, f"players[{i}]") for i, entry in enumerate(fields["players"]))
    options = fields.get("options")
    if options in (None, ""):
        options = {}
    if not isinstance(options, dict) or not all(isinstance(name, str) for name in options):
        raise FieldError("options", "must hold fields")
    _check_teams(game, players, options)
    off_table = frozenset(
        player.coin
        for player, entry in zip(players, fields["players"], strict=True)
        if player.coin is not None and not entry.get("on_table", True)
    )
    if off_table and game == "carroms":
        raise FieldError("players", "carroms has no on_table, because no player owns a single coin")
    if game == "castle-croquetnole":
        off_table |= {GUARDS[knight] for knight in off_table if knight in GUARDS}
    return Match(game, players, options, off_table)


def _check_teams(game: GameName, players: Sequence[Player], options: Mapping[str, Any]) -> None:
    """Check that no player has a team in a match without teams, in which teams have no effect."""
    number = next((i for i, player in enumerate(players) if player.team is not None), None)
    if number is not None and options.get("teams", False) is False:
        wrong = f"{game} is played without teams"
        if game == "tabletop-croquet":
            wrong = "teams need the option teams: true"
        raise FieldError(f"players[{number}].team", wrong)


def _mapping(value: Any, where: str, known: set[str], needed: set[str]) -> dict[str, Any]:
    """Return the value as a mapping, after checking that it has only `known` keys and all `needed`
    keys.
    """
    prefix = f"{where}." if where else ""
    if not isinstance(value, dict):
        raise FieldError(where, f"must hold the fields {', '.join(sorted(needed))}")
    for key in value:
        if key not in known:
            raise FieldError(f"{prefix}{key}", f"no such field (known: {', '.join(sorted(known))})")
    for key in sorted(needed):
        if key not in value:
            raise FieldError(f"{prefix}{key}", "is missing")
    return value


def _player(value: Any, where: str) -> Player:
    known = {"name", "coin", "team", "progress", "on_table"}
    fields = _mapping(value, where, known, {"name", "coin"})
    if not isinstance(fields.get("on_table", True), bool):
        raise FieldError(f"{where}.on_table", f"{fields['on_table']!r} should be true or false")
    progress = fields.get("progress")
    if "progress" in fields and (
        not isinstance(progress, int) or isinstance(progress, bool) or not 0 <= progress <= 15
    ):
        raise FieldError(f"{where}.progress", f"{progress!r} should be a whole number from 0 to 15")
    team = _text(fields["team"], f"{where}.team") if "team" in fields else None
    return Player(
        name=_text(fields["name"], f"{where}.name"),
        coin=_coin(fields["coin"], f"{where}.coin"),
        team=team,
        progress=progress,
    )


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise FieldError(where, f"{value} is not text; write it in quotes")
    if not value.strip():
        raise FieldError(where, "is empty")
    return value


def _coin(value: Any, where: str) -> str:
    """Return a coin's name. Unquoted `null` and `2` mean the coins with these names. Whether the
    coin belongs to the game is checked later.
    """
    if value is None:
        return "null"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _text(value, where)
