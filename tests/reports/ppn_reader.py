"""A strict reader for the part of Portable Piecepack Notation that exports use. It finds the piece
of a move in the notation's own way.

A piece written `?c3` stands for every piece with these properties. If there is not exactly one, a
missing property gets its usual value. A coin without a suit shows its face and has the first suit.
A coin with a suit shows its back, and a missing rank is the first. Anything outside this part of
the grammar is an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import yaml

#: How the notation recognises a move's number, a comment, and the three kinds of moves.
NUMBER = re.compile(r"(?<!\S)[\w.]*\.+(?!\S)(?![^{]*\})")
COMMENT = re.compile(r"(?<!\S)\{[^}]*\}(?!\S)")
NUMERAL = r"(\d+(?:\.\d+)?)"
PUT = re.compile(rf"([^@?*-]+)@\({NUMERAL},{NUMERAL}\)")
MOVE = re.compile(rf"\?([^@*-]+)-\({NUMERAL},{NUMERAL}\)")
GONE = re.compile(r"\*\?([^@-]+)")
SPEC = re.compile(
    r"(?P<piece>[ctp])(?P<side>f)?(?P<rank>[na2345])?(?P<suit>[SMCA])?"
    r"(?:,s(?P<more>\d))?(?:,a(?P<angle>\d+(?:\.\d+)?))?"
)


class Piece(NamedTuple):
    """A piece as it is described; None for a property that is not given."""

    kind: str
    side: str | None
    suit: int | None
    rank: int | None


@dataclass(frozen=True, slots=True)
class Game:
    """One game: the header, where every piece except the tiles lies after each move, the tiles, and
    each move's comment.
    """

    header: dict[str, object]
    tables: list[dict[Piece, tuple[float, float]]]
    tiles: list[tuple[float, float]]
    comments: list[str]


def described(spec: str) -> Piece:
    match = SPEC.fullmatch(spec)
    assert match is not None, spec
    suit = (
        "SMCA".index(match["suit"]) + 1
        if match["suit"]
        else int(match["more"]) + 1
        if match["more"]
        else None
    )
    rank = "na2345".index(match["rank"]) + 1 if match["rank"] else None
    return Piece(match["piece"], "face" if match["side"] else None, suit, rank)


def complete(piece: Piece) -> Piece:
    usual = {"c": "face" if piece.suit is None else "back", "t": "back", "p": "face"}[piece.kind]
    return Piece(piece.kind, piece.side or usual, piece.suit or 1, piece.rank or 1)


def found(lying: list[Piece], spec: str) -> Piece:
    """Return the piece that a move is about. There must be exactly one."""
    wanted = described(spec)
    fitting = [
        piece
        for piece in lying
        if all(part is None or part == has for part, has in zip(wanted, piece, strict=True))
    ]
    if len(fitting) == 1:
        return fitting[0]
    (one,) = (piece for piece in lying if piece == complete(wanted))
    return one


def read(text: str) -> Game:
    """Read one game. Anything outside the grammar is an error."""
    assert text.endswith("\n") and "\r" not in text
    lines = text.splitlines()
    assert lines[0] == "---" and not any(
        line.startswith(("---", "...")) for line in lines[1 : lines.index("...")]
    )
    end = lines.index("...")
    header = yaml.safe_load("\n".join(lines[1:end]))
    movetext = " ".join(lines[end + 1 :])
    assert ";" not in movetext and "#" not in COMMENT.sub("", movetext)
    numbers = [match.group() for match in NUMBER.finditer(movetext)]
    assert numbers == [f"{n}." for n in range(1, len(numbers) + 1)]
    game = Game(header, [], [], [])
    lying: dict[Piece, tuple[float, float]] = {}
    for part in NUMBER.split(movetext)[1:]:
        said = COMMENT.findall(part)
        assert len(said) < 2 and not re.search(r"[{};\\]", "".join(said)[1:-1])
        game.comments.append("".join(said).strip("{} "))
        for token in COMMENT.sub("", part).split():
            play(token, lying, game.tiles)
        game.tables.append(dict(lying))
    return game


def play(
    token: str, lying: dict[Piece, tuple[float, float]], tiles: list[tuple[float, float]]
) -> None:
    """Make one move."""
    assert not re.search(r"[{}]", token), token
    if (put := PUT.fullmatch(token)) is not None:
        piece, at = complete(described(put[1])), (float(put[2]), float(put[3]))
        if piece.kind == "t":
            tiles.append(at)
            return
        assert piece not in lying, f"{token}: there is one already"
        lying[piece] = at
    elif (move := MOVE.fullmatch(token)) is not None:
        lying[found([*lying], move[1])] = (float(move[2]), float(move[3]))
    else:
        gone = GONE.fullmatch(token)
        assert gone is not None, token
        del lying[found([*lying], gone[1])]
