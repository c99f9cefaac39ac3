"""A match in Portable Piecepack Notation (PPN): one move for each time that all pieces lay still.

It is written for the R package `ppn`: a YAML header from `---` to `...` with `SetUp: None`, then
numbered moves. `cM@(x,y)` puts a piece down, `?cM-(x,y)` moves it, and `*?cM` takes it away. One
unit is half a tile, and no coordinate is negative. A coin shows a suit (`cM`: moons) or a rank
(`cf3`: a face with a 3). In a game with six coins of a suit, the rank on the lower face (`c2S`)
tells them apart. A comment stands between braces, with a space inside each: `{ like this }`. It
holds no braces and nothing that has a meaning in the notation. The tiles of the course or the lawn
are laid once, in the first move, as the setup gives them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import yaml

from referee.domain.call import Call
from referee.domain.entry import Setup, course_of, sizes_of
from referee.domain.geometry import Point
from referee.domain.incident import AtRest, Flicked, Moved, Placed
from referee.games import KnowsPawns
from referee.games.piecepack_croquet.lawn import HEIGHT, WIDTH
from referee.games.players import pawns_of
from referee.replay.fold import Fold
from referee.replay.rulings.items import Step
from referee.replay.rulings.shots import knows_pawns

SUITS: Final = {"moons": "M", "suns": "S", "crowns": "C", "arms": "A"}
RANKS: Final = {"null": "n", "ace": "a", "2": "2", "3": "3", "4": "4", "5": "5"}
PAWNS: Final = {
    "black": "pM",
    "red": "pS",
    "green": "pC",
    "blue": "pA",
    "yellow": "p,s4",
    "orange": "p,s5",
}
#: What a comment must not hold: braces end it, and the other signs mean something in a move.
NO_COMMENT: Final = re.compile(r"[{};\\`]+")
#: A name that needs no quotes, unless YAML itself gives it a meaning.
WORDS: Final = re.compile(r"[^\W\d_]+([ -][^\W\d_]+)*")
#: The calls about turns and flicks, which say nothing about the table.
TURN_CALLS: Final = ("turn_began", "turn_ended", "flick_began")
#: The games whose course is made of tiles on a table.
ON_TABLE: Final = ("tabletop-croquet", "castle-croquetnole", "carroms")
#: Game names as people write them.
TITLES: Final = {
    "tabletop-croquet": "Tabletop Croquet",
    "castle-croquetnole": "Castle Croquetnole",
    "carroms": "Carroms",
    "piecepack-croquet": "Croquet for piecepack",
    "wickets-six": "Six-wicket Wickets",
    "wickets-nine": "Nine-wicket Wickets",
}


@dataclass(frozen=True, slots=True)
class Rest:
    """The table while all pieces lie still: the place of every piece, in units of half a tile, and
    the calls since the last time that all pieces lay still.
    """

    pieces: Mapping[str, Point]
    calls: Sequence[str] = field(default_factory=tuple)


def piece_spec(piece: str) -> str:
    """Return a piece as PPN describes it. Raises KeyError for a piece that no game has.

    >>> piece_spec("moons"), piece_spec("3"), piece_spec("suns-2"), piece_spec("striker")
    ('cM', 'cf3', 'caS', 'cfn')
    >>> piece_spec("red")
    'pS'
    """
    if piece in SUITS:
        return f"c{SUITS[piece]}"
    if piece in RANKS:
        return f"cf{RANKS[piece]}"
    if piece == "striker":
        return "cfn"
    if piece in PAWNS:
        return PAWNS[piece]
    suit, _, which = piece.partition("-")
    return f"c{list(RANKS.values())[int(which) - 1]}{SUITS[suit]}"


def as_ppn(folded: Fold) -> str:
    """Return the match as one game of PPN. It ends where the replay ends: at the question, if one
    is not answered yet.
    """
    tiles, tables = _tiles(folded.setup), list(_tables(folded))
    shift = _shift(
        [at for table in tables for at in table.pieces.values()] + [at for at, _, _ in tiles]
    )
    lines = [
        "---",
        yaml.dump(
            _header(folded.setup),
            Dumper=_Careful,
            sort_keys=False,
            allow_unicode=True,
            width=10_000,
        ).rstrip("\n"),
        "...",
    ]
    before: Mapping[str, Point] = {}
    for number, table in enumerate(tables, start=1):
        moves = (
            [_laid(at, angle, shift) for at, angle, stack in tiles for _ in range(stack)]
            if number == 1
            else []
        )
        moves += _moves(before, table.pieces, shift)
        comment = _comment(table.calls)
        lines.append(" ".join([f"{number}.", *moves, *([comment] if comment else [])]))
        before = table.pieces
    return "\n".join(lines) + "\n"


class _Careful(yaml.SafeDumper):
    """Writes names in quotes unless they are plain words, because readers of YAML differ in what
    they read as a number.
    """


def _name(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style=None if WORDS.fullmatch(text) else '"'
    )


_Careful.add_representer(str, _name)


def _header(setup: Setup) -> dict[str, object]:
    players = {
        player.name: ", ".join([player.coin] if player.coin else pawns_of(player))
        for player in setup.players
    }
    return {"Event": TITLES[setup.game], "Players": players, "SetUp": "None"}


def _tiles(setup: Setup) -> list[tuple[Point, float, int]]:
    """Return the tiles of the course or the lawn: the place in half tiles, the rotation, and the
    height of the stack; empty if the board has no tiles.
    """
    if setup.game == "piecepack-croquet":
        return [
            ((float(x), float(y)), 0.0, 1) for y in range(1, HEIGHT, 2) for x in range(1, WIDTH, 2)
        ]
    if setup.game not in ON_TABLE:
        return []
    unit_mm = sizes_of(setup).tile_mm / 2
    return [
        ((tile.centre_mm[0] / unit_mm, tile.centre_mm[1] / unit_mm), tile.rotation_deg, tile.stack)
        for tile in course_of(setup).tiles.values()
    ]


def _tables(folded: Fold) -> Iterator[Rest]:
    """Yield the table every time that it lay still."""
    pawns = knows_pawns(folded.game)
    return _tables_of_coins(folded) if pawns is None else _tables_of_pawns(folded, pawns)


def _tables_of_pawns(folded: Fold, game: KnowsPawns) -> Iterator[Rest]:
    """Yield the table after every move of a pawn: to the place where the rules put it, or to
    another place where a hand put it.
    """
    lying: dict[str, Point] = {}
    calls: list[str] = []
    known = game.pawns(folded.begun)
    for step in folded.steps:
        before, now = dict(lying), game.pawns(step.state)
        calls += _said(step)
        if step.item.counts:
            _lay(lying, step, 1.0)
        for pawn, at in now.items():
            if at != known[pawn] and at is None:
                lying.pop(pawn, None)
            elif at != known[pawn] and at is not None:
                lying[pawn] = (float(at[0]), float(at[1]))
        known = now
        if lying != before:
            yield Rest(dict(lying), tuple(calls))
            calls = []


def _tables_of_coins(folded: Fold) -> Iterator[Rest]:
    """Yield the table each time that all pieces lay still after a flick; also before the next
    flick, if hands moved something in between.
    """
    unit_mm = sizes_of(folded.setup).tile_mm / 2
    lying: dict[str, Point] = {}
    calls: list[str] = []
    stale = False
    for step in folded.steps:
        if not step.item.counts:
            continue
        if isinstance(step.item.entry, Flicked) and stale:
            yield Rest(dict(lying), tuple(calls))
            calls, stale = [], False
        calls += _said(step)
        stale |= _lay(lying, step, unit_mm)
        if isinstance(step.item.entry, AtRest):
            yield Rest(dict(lying), tuple(calls))
            calls, stale = [], False
    if stale:
        yield Rest(dict(lying), tuple(calls))


def _said(step: Step) -> list[str]:
    return [
        verdict.text
        for verdict in step.verdicts
        if isinstance(verdict, Call) and verdict.call not in TURN_CALLS
    ]


def _lay(lying: dict[str, Point], step: Step, unit_mm: float) -> bool:
    """Note in `lying` where pieces lie after an entry. Return whether a hand put a piece down or
    took one away.
    """
    match step.item.entry:
        case AtRest(coins=coins) if coins:
            lying.clear()
            lying.update({coin: (at[0] / unit_mm, at[1] / unit_mm) for coin, at in coins.items()})
        case Placed(coin=coin, at_mm=None):
            return lying.pop(coin, None) is not None
        case Placed(coin=coin, at_mm=at) if at is not None:
            lying[coin] = (at[0] / unit_mm, at[1] / unit_mm)
            return True
        case Moved(pawn=pawn, to=None):
            lying.pop(pawn, None)
        case Moved(pawn=pawn, to=(x, y)):
            lying[pawn] = (float(x), float(y))
    return False


def _shift(places: Sequence[Point]) -> Point:
    """Return what to add to every place so that no coordinate is negative: whole units, so that
    grid points stay grid points.
    """
    least = [min((at[axis] for at in places), default=0.0) for axis in (0, 1)]
    return (float(max(0, math.ceil(-least[0]))), float(max(0, math.ceil(-least[1]))))


def _moves(before: Mapping[str, Point], now: Mapping[str, Point], shift: Point) -> list[str]:
    gone = [f"*?{piece_spec(piece)}" for piece in before if piece not in now]
    there = [
        (
            f"?{piece_spec(piece)}-{_place(at, shift)}"
            if piece in before
            else f"{piece_spec(piece)}@{_place(at, shift)}"
        )
        for piece, at in now.items()
        if piece not in before or _place(before[piece], shift) != _place(at, shift)
    ]
    return gone + there


def _laid(at: Point, angle: float, shift: Point) -> str:
    turned = "" if round(angle, 1) == 0 else f",a{_number(angle % 360)}"
    return f"t{turned}@{_place(at, shift)}"


def _place(at: Point, shift: Point) -> str:
    return f"({_number(at[0] + shift[0])},{_number(at[1] + shift[1])})"


def _number(value: float) -> str:
    """Return a number that is not negative, but for rounding, as text: three decimals at most,
    without an exponent or unneeded zeros.

    >>> _number(2.0), _number(0.12345), _number(-1e-9)
    ('2', '0.123', '0')
    """
    return f"{abs(round(value, 3)):.3f}".rstrip("0").rstrip(".")


def _comment(texts: Sequence[str]) -> str:
    words = NO_COMMENT.sub(" ", " ".join(texts).replace(";", ",")).split()
    return f"{{ {' '.join(words)} }}" if words else ""
