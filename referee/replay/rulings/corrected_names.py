"""Corrects the names of pieces that were taken for each other, and the names of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from referee.domain.declaration import Agreed
from referee.domain.entry import Fact, Player, Setup
from referee.domain.incident import AtRest, Contact, Flicked, Measured, Renamed, Unseen


class Names:
    """The exchanges of names (`renamed`) in force at one point of the record, in their order."""

    def __init__(self, exchanges: tuple[tuple[Mapping[str, str], str | None], ...] = ()) -> None:
        self._exchanges = exchanges

    def behind(self, name: str, entry: Fact, *, counts: bool) -> Names:
        """Return the names in force after the entry called `name`."""
        left = self._exchanges
        if left and any(until == name for _, until in left):
            left = tuple(exchange for exchange in left if exchange[1] != name)
        if counts and isinstance(entry, Renamed):
            left = (*left, (entry.coins, entry.until))
        return self if left is self._exchanges else Names(left) if left else NO_NAMES

    def true(self, name: str) -> str:
        """Return the true name of a piece that was seen under `name`."""
        for exchange, _ in self._exchanges:
            name = exchange.get(name, name)
        return name

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Names) and self._exchanges == other._exchanges)

    __hash__ = None  # type: ignore[assignment]

    def read(self, entry: Fact) -> Fact:
        """Return an incident of the record with true names. Declarations and rulings stay as they
        are.
        """
        if not self._exchanges or not isinstance(entry, Measured) or isinstance(entry, Renamed):
            return entry
        changes: dict[str, Any] = {}
        if hasattr(entry, "coin"):
            changes["coin"] = self.true(entry.coin)
        if hasattr(entry, "pawn"):
            changes["pawn"] = self.true(entry.pawn)
        match entry:
            case Flicked():
                changes["touching"] = tuple(self.true(name) for name in entry.touching)
            case Contact():
                changes["with_"] = self.true(entry.with_)
            case AtRest():
                changes["coins"] = {self.true(name): at for name, at in entry.coins.items()}
            case Unseen():
                changes["pieces"] = tuple(self.true(name) for name in entry.pieces)
        return replace(entry, **changes)


NO_NAMES: Final = Names()


def with_names_of(entry: Fact, setup: Setup, others: list[Setup]) -> Fact:
    """Return the entry with the players' names of the setup that is in force.

    A name from another setup of the record is replaced by that of the player with the same piece,
    or else in the same place.
    """
    names = {player.name for player in setup.players}
    said = getattr(entry, "player", None)
    changes: dict[str, Any] = {}
    if said is not None and said not in names:
        changes["player"] = _successor(said, setup, others)
    if isinstance(entry, Agreed) and isinstance(entry.winner, str) and entry.winner not in names:
        changes["winner"] = _successor(entry.winner, setup, others)
    if isinstance(entry, Agreed) and isinstance(entry.winner, tuple):
        changes["winner"] = tuple(
            name if name in names else _successor(name, setup, others) for name in entry.winner
        )
    return replace(entry, **changes) if changes else entry


def _successor(name: str, setup: Setup, others: list[Setup]) -> str:
    for other in others:
        for place, player in enumerate(other.players):
            if player.name == name:
                piece = _piece(player)
                same = [now.name for now in setup.players if _piece(now) == piece]
                return same[0] if same else setup.players[min(place, len(setup.players) - 1)].name
    return name


def _piece(player: Player) -> object:
    return player.coin, player.pawn, player.pawns
