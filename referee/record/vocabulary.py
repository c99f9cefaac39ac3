"""The names that the entries of one record may use."""

from __future__ import annotations

from collections.abc import Iterable

from referee.domain.entry import Setup
from referee.games.players import SIDES, FieldError, pawns_of
from referee.games.words import option, words_of


class Vocabulary:
    """The names in the record's game, and the players, teams, tiles and ids that the record has so
    far.
    """

    def __init__(self, setup: Setup) -> None:
        """Start with the record's setup."""
        self.setup = setup
        self.words = words_of(setup.game)
        self.players: set[str] = set()
        self.tiles = set(self.words.tiles)
        self.ids: dict[str, type] = {"setup": Setup}
        self._teams: list[set[frozenset[str]]] = []
        self.add_players(setup)

    def add_players(self, setup: Setup) -> None:
        """Add the players of a setup: the record's first setup, or one that a ruling puts in its
        place.
        """
        self.players |= {player.name for player in setup.players}
        self._teams.append(_teams_of(setup))

    @property
    def teams_play(self) -> bool:
        """Whether teams, and not single players, win the match."""
        return bool(self._teams[-1])

    def is_team(self, names: tuple[str, ...]) -> bool:
        """Return whether these are the players of one team, each named once."""
        once = frozenset(names)
        return len(once) == len(names) and any(once in teams for teams in self._teams)

    def is_hit(self, name: str) -> bool:
        """Return whether a coin can hit something with this name: a coin, a place or a tile."""
        return name in self.words.coins or name in self.words.places or name in self.tiles

    def check(self, field: str, value: str, known: Iterable[str], noun: str) -> None:
        """Check that a value is one of the `known` values. `noun` says what kind of value it is.
        Raises FieldError.
        """
        if value not in known:
            raise FieldError(field, f"{value!r} is not a {noun} of {self.setup.game}")

    def check_coin(self, name: str, field: str = "coin") -> None:
        """Check that the game has this coin. Raises FieldError."""
        self.check(field, name, self.words.coins, "coin")

    def check_player(self, name: str | None) -> None:
        """Check that a player has this name. Raises FieldError."""
        if name is not None and name not in self.players:
            raise FieldError("player", f"{name!r} is not a player of this match")

    def check_id(self, field: str, name: str | None) -> None:
        """Check that an earlier entry has this id. Raises FieldError."""
        if name is not None and name not in self.ids:
            raise FieldError(field, f"there is no entry {name!r} before this one")


def _teams_of(setup: Setup) -> set[frozenset[str]]:
    """Return the teams, each as the set of its players' names; an empty set if players play
    alone.
    """
    if setup.game in SIDES:
        return {
            frozenset(p.name for p in setup.players if set(pawns_of(p)) & set(side))
            for side in SIDES[setup.game]
        }
    if setup.game != "wickets-nine" and not _option_teams(setup):
        return set()
    teams = {player.team for player in setup.players} - {None}
    return {frozenset(p.name for p in setup.players if p.team == team) for team in teams}


def _option_teams(setup: Setup) -> bool:
    has = "teams" in words_of(setup.game).options
    return has and bool(option(setup.options, setup.game, "teams"))
