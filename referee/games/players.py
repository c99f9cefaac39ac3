"""Checks who may play each game: the number of players, their pieces and their teams. Every check
raises FieldError, which names the wrong field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.domain.entry import Player, Setup
from referee.domain.errors import InputError, one_line
from referee.games.words import BOARD_ORDER, SUITS, option, words_of

LAWN_ORDER: Final = ("black", "red", "blue", "green")
#: The games in which the pawns' colours decide who plays with whom.
SIDES: Final = {
    "piecepack-croquet": (("black", "blue"), ("red", "green")),
    "wickets-six": (("blue", "black"), ("red", "yellow")),
}


class FieldError(InputError):
    """One field of an entry is wrong. The code that reads the record puts the file and the line in
    front of this text.
    """

    def __init__(self, field: str, what: str) -> None:
        self.field = one_line(field)
        self.what = one_line(what)
        super().__init__(f"{self.field}: {self.what}")


def check_players(setup: Setup) -> None:
    """Check that these players may play this game with these options."""
    names = [player.name for player in setup.players]
    for i, player in enumerate(setup.players):
        if not player.name:
            raise FieldError(f"players[{i}].name", "is empty")
        if player.name in names[:i]:
            raise FieldError(f"players[{i}].name", f"there are two players called {player.name!r}")
        if player.progress is not None and setup.game != "tabletop-croquet":
            raise FieldError(f"players[{i}].progress", "belongs to Tabletop Croquet only")
    {
        "tabletop-croquet": _tabletop_croquet,
        "castle-croquetnole": _castle_croquetnole,
        "carroms": _carroms,
        "piecepack-croquet": _four_pawns,
        "wickets-six": _four_pawns,
        "wickets-nine": _wickets_nine,
    }[setup.game](setup)


def _number(players: Sequence[Player], least: int, most: int) -> None:
    if not least <= len(players) <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise FieldError(
            "players",
            f"{len(players)} player{'' if len(players) == 1 else 's'}, but this game is for"
            f" {allowed}",
        )


def _coins(setup: Setup, allowed: Sequence[str]) -> None:
    taken: set[str] = set()
    for i, player in enumerate(setup.players):
        if player.coin is None:
            raise FieldError(f"players[{i}].coin", "is missing")
        if player.coin not in allowed:
            raise FieldError(
                f"players[{i}].coin",
                f"{player.coin!r} is not a coin that a player of this game may have"
                f" ({', '.join(allowed)})",
            )
        if player.coin in taken:
            raise FieldError(f"players[{i}].coin", f"two players have the coin {player.coin!r}")
        taken.add(player.coin)


def _alternating(setup: Setup) -> None:
    teams = [player.team for player in setup.players]
    for i, team in enumerate(teams):
        if not team:
            raise FieldError(
                f"players[{i}].team", "is missing; in a match with teams every player needs one"
            )
    order = list(dict.fromkeys(teams))
    sizes = {teams.count(team) for team in order}
    if len(order) < 2 or len(sizes) > 1 or sizes == {1}:
        raise FieldError(
            "players",
            "there must be at least two teams, all of the same size, with two players or more",
        )
    for i, team in enumerate(teams):
        if team != order[i % len(order)]:
            raise FieldError(
                f"players[{i}].team", "list the players so that the teams take turns evenly"
            )


def _tabletop_croquet(setup: Setup) -> None:
    _number(setup.players, 2, 10)
    _coins(setup, sorted(words_of(setup.game).coins))
    if not option(setup.options, setup.game, "teams"):
        return
    if option(setup.options, setup.game, "poison"):
        raise FieldError("options.poison", "poison cannot be combined with teams")
    if len(setup.players) not in (4, 6, 8, 10):
        raise FieldError(
            "players", f"{len(setup.players)} players, but a match with teams needs 4, 6, 8 or 10"
        )
    _alternating(setup)


def _castle_croquetnole(setup: Setup) -> None:
    _number(setup.players, 4, 4)
    _coins(setup, SUITS)
    for i, (player, coin) in enumerate(zip(setup.players, SUITS, strict=True)):
        if player.coin != coin:
            raise FieldError(
                f"players[{i}].coin",
                f"is {player.coin!r}, but the knights stand in the order {', '.join(SUITS)}",
            )


def _carroms(setup: Setup) -> None:
    _number(setup.players, 2, 2)
    _coins(setup, ("suns", "arms"))


def pawns_of(player: Player) -> tuple[str, ...]:
    """Return the pawns that one player plays."""
    return (
        player.pawns
        if player.pawns is not None
        else (player.pawn,)
        if player.pawn is not None
        else ()
    )


def _pawns(setup: Setup) -> dict[str, int]:
    owners: dict[str, int] = {}
    allowed = words_of(setup.game).pawns
    for i, player in enumerate(setup.players):
        if player.pawn is not None and player.pawns is not None:
            raise FieldError(
                f"players[{i}].pawns",
                "is given together with `pawn`; a player has only one of the two",
            )
        if not pawns_of(player):
            raise FieldError(f"players[{i}].pawn", "is missing")
        for pawn in pawns_of(player):
            if pawn not in allowed:
                raise FieldError(f"players[{i}].pawn", f"{pawn!r} is not a pawn of this game")
            if pawn in owners:
                raise FieldError(f"players[{i}].pawn", f"the pawn {pawn!r} is given twice")
            owners[pawn] = i
    return owners


def _two_sides(setup: Setup, first: tuple[str, str], second: tuple[str, str]) -> None:
    owners = _pawns(setup)
    if set(owners) != {*first, *second}:
        raise FieldError(
            "players", f"the pawns must be {' and '.join(first)} against {' and '.join(second)}"
        )
    side_of = {pawn: side for side, pawns in enumerate((first, second)) for pawn in pawns}
    for player in setup.players:
        if len({side_of[pawn] for pawn in pawns_of(player)}) > 1:
            raise FieldError(
                "players",
                f"{player.name} has pawns of both sides; the sides are {' and '.join(first)}"
                " against"
                f" {' and '.join(second)}",
            )
    teams = [{setup.players[owners[pawn]].team for pawn in pawns} for pawns in (first, second)]
    if any(len(team) > 1 for team in teams) or (teams[0] == teams[1] and teams[0] != {None}):
        raise FieldError(
            "players",
            f"{' and '.join(first)} must be one team, and {' and '.join(second)} the other",
        )


def _four_pawns(setup: Setup) -> None:
    _number(setup.players, 2, 4)
    _two_sides(setup, *SIDES[setup.game])


def _wickets_nine(setup: Setup) -> None:
    """Check that the teams, or players with equally many balls, take turns evenly in the order of
    the colours.
    """
    _number(setup.players, 1, 6)
    owners = _pawns(setup)
    in_order = [setup.players[owners[pawn]] for pawn in BOARD_ORDER if pawn in owners]
    play_alone = all(player.team is None for player in in_order)
    sides = [player.name if play_alone else player.team for player in in_order]
    number = len(set(sides))
    if None in sides or (number < 2 and not play_alone):
        raise FieldError(
            "players", "there must be at least two teams, and every player must be in one"
        )
    if len(sides) % number or any(side != sides[i % number] for i, side in enumerate(sides)):
        raise FieldError(
            "players",
            f"the {'players' if play_alone else 'teams'} must have equally many balls, and take"
            f" turns evenly in the order {', '.join(BOARD_ORDER)}",
        )
