"""Checks that an incident or a declaration can be read: that its coins, places, players and values
exist.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from referee.domain import declaration as say
from referee.domain import incident as seen
from referee.domain.declaration import Declaration, Said
from referee.domain.entry import Setup
from referee.domain.incident import Incident, Measured
from referee.games.players import FieldError
from referee.record.setup_checks import check_edge, check_layout
from referee.record.vocabulary import Vocabulary


def check_fact(entry: Incident | Declaration, known: Vocabulary) -> None:
    """Check that an incident or a declaration uses only names that the record knows, and only
    possible values. Raises FieldError.
    """
    if isinstance(entry, Said):
        known.check_player(entry.player)
    elif isinstance(entry, Measured):
        _frames(entry)
    check = _CHECKS.get(type(entry))
    if check is not None:
        check(entry, known)


def _frames(entry: Measured) -> None:
    if entry.frames is not None and not 0 <= entry.frames[0] <= entry.frames[1]:
        raise FieldError("frames", "must be the first frame and the last frame, in this order")


def _coin(entry: Any, known: Vocabulary) -> None:
    known.check_coin(entry.coin)


def _flicked(entry: seen.Flicked, known: Vocabulary) -> None:
    known.check_coin(entry.coin)
    known.check_player(entry.player)
    for i, name in enumerate(entry.touching):
        known.check_coin(name, f"touching[{i}]")


def _line_crossed(entry: seen.LineCrossed, known: Vocabulary) -> None:
    known.check_coin(entry.coin)
    known.check("line", entry.line, known.words.lines, "line")
    known.check("direction", entry.direction, known.words.directions, "direction")


def _pocketed(entry: seen.Pocketed, known: Vocabulary) -> None:
    known.check_coin(entry.coin)
    known.check("pocket", entry.pocket, known.words.pockets, "pocket")


def _at_rest(entry: seen.AtRest, known: Vocabulary) -> None:
    for name in entry.coins:
        known.check_coin(name, f"coins.{name}")


def _unseen(entry: seen.Unseen, known: Vocabulary) -> None:
    words = known.words
    pieces = words.coins | words.pawns | words.places | known.tiles | set(words.dice)
    for i, name in enumerate(entry.pieces):
        known.check(f"pieces[{i}]", name, pieces, "piece")
    if entry.from_s > entry.to_s:
        raise FieldError("to_s", "is earlier than from_s")


def _rolled(entry: seen.Rolled, known: Vocabulary) -> None:
    known.check("die", entry.die, known.words.dice, "die")
    if entry.face not in known.words.dice[entry.die]:
        raise FieldError("face", f"{entry.face!r} is not a face of {entry.die!r}")


def _moved(entry: seen.Moved, known: Vocabulary) -> None:
    known.check("pawn", entry.pawn, known.words.pawns, "pawn")


def _renamed(entry: seen.Renamed, known: Vocabulary) -> None:
    pieces = known.words.coins | known.words.pawns
    for name, true in entry.coins.items():
        known.check(f"coins.{name}", name, pieces, "coin")
        known.check(f"coins.{name}", true, pieces, "coin")
    if set(entry.coins) != set(entry.coins.values()):
        raise FieldError(
            "coins", "must exchange the names of these pieces, and give each name to one piece"
        )


def _surveyed(entry: seen.Surveyed, known: Vocabulary) -> None:
    first = known.setup
    check_layout(
        Setup(
            format=first.format,
            game=first.game,
            players=(),
            tile_mm=first.tile_mm,
            layout=entry.layout,
        )
    )
    check_edge(entry.table_edge_mm)


def _sent(entry: say.WicketsCroquet, known: Vocabulary) -> None:
    pawn = entry.pawn if entry.pawn is not None else entry.coin
    if pawn is None:
        raise FieldError("pawn", "is missing")
    known.check("pawn", pawn, known.words.pawns, "pawn")


#: The fields that belong to each croquet stroke of Croquet for piecepack.
STROKES: Final = {
    "play-off": (),
    "stop-shot": ("direction", "distance"),
    "follow-through": ("direction", "distance", "follow_direction"),
}


def _stroke(entry: say.PiecepackCroquet, known: Vocabulary) -> None:
    wanted = STROKES[entry.stroke]
    for name in STROKES["follow-through"]:
        given = getattr(entry, name) is not None
        if name in wanted and not given:
            raise FieldError(name, "is missing")
        if name not in wanted and given:
            raise FieldError(name, f"is not a field of a {entry.stroke}")
    if entry.distance is not None and entry.distance < 1:
        raise FieldError("distance", "must be 1 or more")


#: The fields that each kind of choice in a disaster must have.
CHOICES: Final = {
    "stop": ("at",),
    "straight": ("direction",),
    "ball": ("direction", "distance"),
    "follow": ("own_direction",),
}


def _choice(entry: say.Disaster, known: Vocabulary) -> None:
    for name in CHOICES[entry.choice.kind]:
        if getattr(entry.choice, name) is None:
            raise FieldError(f"choice.{name}", "is missing")


def _winner(entry: say.Agreed, known: Vocabulary) -> None:
    winner = entry.winner
    if isinstance(winner, str) and winner not in known.players:
        raise FieldError("winner", f"{winner!r} is not a player of this match")
    if isinstance(winner, str) and known.teams_play:
        raise FieldError("winner", "must be a list of all players of a team, because teams play")
    if isinstance(winner, tuple) and not known.is_team(winner):
        raise FieldError("winner", "these players are not a team of this match")


def _challenged(entry: say.Challenge, known: Vocabulary) -> None:
    known.check_id("on", entry.on)


_CHECKS: Final[dict[type, Callable[[Any, Vocabulary], None]]] = {
    seen.Flicked: _flicked,
    seen.LineCrossed: _line_crossed,
    seen.Contact: _coin,
    seen.LeftTable: _coin,
    seen.Pocketed: _pocketed,
    seen.AtRest: _at_rest,
    seen.Placed: _coin,
    seen.Unseen: _unseen,
    seen.Rolled: _rolled,
    seen.Moved: _moved,
    seen.CoinFlipped: _coin,
    seen.CoinTurned: _coin,
    seen.Renamed: _renamed,
    seen.Surveyed: _surveyed,
    say.AfterHit: _coin,
    say.Rover: _coin,
    say.Leave: _coin,
    say.SpecialShot: _coin,
    say.WicketsCroquet: _sent,
    say.PiecepackCroquet: _stroke,
    say.Disaster: _choice,
    say.Agreed: _winner,
    say.Challenge: _challenged,
}
