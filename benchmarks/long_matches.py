"""Makes long matches of every game for the benchmarks, without chance: legal play, play with a foul
in every flick, and play with rulings.

They are played with the rules themselves, so that every entry except the fouls is one that the
rules expect. They never end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec.structs import replace

from referee.domain.declaration import (
    AfterHit,
    Choice,
    Continuation,
    Disaster,
    PiecepackCroquet,
    Said,
    Shot,
    WicketsCroquet,
)
from referee.domain.declaration import Pass as Passed
from referee.domain.entry import Entry, Player, Ruling, Setup
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Measured,
    Moved,
    Placed,
    Pocketed,
    Rolled,
)
from referee.games import Game
from referee.games.piecepack_croquet.lawn import HOOP_AT, NAMES, on_lawn, step
from referee.games.wickets.routes import routes
from referee.record.reading import lines_of, parse_record
from referee.replay.fold import Fold

How = Literal["plain", "fouls", "rulings"]
GAMES = (
    "tabletop-croquet",
    "castle-croquetnole",
    "carroms",
    "piecepack-croquet",
    "wickets-six",
    "wickets-nine",
)
PEOPLE = ("Ann", "Ben", "Cyd", "Dee")
PIECES: dict[str, tuple[str, ...]] = {
    "tabletop-croquet": ("moons", "suns", "arms", "crowns"),
    "castle-croquetnole": ("moons", "suns", "crowns", "arms"),
    "carroms": ("suns", "arms"),
    "piecepack-croquet": ("black", "red", "blue", "green"),
    "wickets-six": ("blue", "red", "black", "yellow"),
    "wickets-nine": ("blue", "red", "black", "yellow"),
}
#: A ball may get only this far in the grid games, so that no match ends.
MOST_HOOPS, MOST_POINTS = 3, 3
FAR_MM = 900.0
#: People rule when at least so many entries have been made since their last ruling.
LEAST_BETWEEN = 4
Play = Iterator[Incident | Said]


def setup_of(game: str) -> Setup:
    """Return a setup with as many players as possible. Carroms has two."""
    key = "pawn" if game.startswith(("piecepack", "wickets")) else "coin"
    teams = game in ("piecepack-croquet", "wickets-six")
    progress = 0 if game == "tabletop-croquet" else None
    pieces = PIECES[game]
    players = tuple(
        Player(
            name=PEOPLE[i],
            progress=progress,
            team="AB"[i % 2] if teams else None,
            **{key: pieces[i]},
        )  # type: ignore[arg-type]
        for i in range(len(pieces))
    )
    return Setup(format="piecepack-match/1", game=game, players=players)  # type: ignore[arg-type]


def lain(coins: tuple[str, ...], number: int, without: str = "") -> AtRest:
    """Return an `at_rest` with the coins' places, which differ a little each time."""
    spread_mm = 3.0 * 19.05
    return AtRest(
        coins={
            coin: (spread_mm * i - 170.0 + number % 7, 80.0 + number % 11)
            for i, coin in enumerate(coins)
            if coin != without
        }
    )


def tabletop_croquet(game: Game, state: Any, number: int, *, foul: bool) -> Play:
    """Play one flick: a coin hits another and continues, pushes one off, or passes a wicket out of
    order. Foul: a hand moves a coin, another coin is put in the wrong place.
    """
    coins, turn = PIECES["tabletop-croquet"], game.turn(state)
    own = turn["coin"]
    other = coins[(coins.index(own) + 1) % 4]
    yield Flicked(coin=own)
    if number % 3 == 0:
        yield Contact(coin=own, with_=other, probability=0.999, margin_mm=3.0, sigma_mm=0.3)
        yield lain(coins, number)
        if other not in turn.get("dead_on", ()):
            yield AfterHit(option=1, coin=other)
    elif number % 3 == 1:
        yield LeftTable(
            coin=other, at_mm=(600.0, 400.0), probability=0.999, margin_mm=9.0, sigma_mm=0.5
        )
        yield lain(coins, number, without=other)
        yield Placed(coin=other, at_mm=(600.0, 300.0 if foul else 376.0))
    else:
        yield LineCrossed(
            coin=own,
            line="wicket-9",
            direction="outward",
            probability=0.9999,
            margin_mm=5.0,
            sigma_mm=0.4,
        )
        yield lain(coins, number)
    if foul:
        yield Placed(coin=own, at_mm=(FAR_MM, float(number % 50)))


def castle_croquetnole(game: Game, state: Any, number: int, *, foul: bool) -> Play:
    """Play one flick: knights leave their castle and enter it again, guards hit others. Foul: the
    coin leaves the table and is put back in the wrong place.
    """
    turn = game.turn(state)
    row = next(
        row for row in game.standings(state) if turn["coin"] in (row["knight"], row["guard"])
    )
    coins, own, home = tuple(state.table.by_coin), turn["coin"], row["inside"] != "wasteland"
    for todo in turn["before_flick"]:
        yield Placed(
            coin=todo["coin"],
            at_mm=tuple(todo.get("back_mm") or todo.get("at_mm") or (0.0, -300.0)),
        )
    yield Flicked(coin=own)
    if own == row["knight"]:
        yield LineCrossed(
            coin=own,
            line=f"gate-{own}",
            direction="out" if home else "in",
            probability=0.999,
            margin_mm=5.0,
            sigma_mm=0.4,
        )
    else:
        yield Contact(
            coin=own,
            with_=coins[(coins.index(own) + 2) % 8],
            probability=0.999,
            margin_mm=5.0,
            sigma_mm=0.4,
        )
    if foul:
        yield LeftTable(coin=own, at_mm=(600.0, 400.0))
    yield lain(coins, number, without=own if foul else "")
    if foul:
        yield Placed(coin=own, at_mm=(FAR_MM, 0.0))


def carroms(game: Game, state: Any, number: int, *, foul: bool) -> Play:
    """Play one flick: the striker hits coins. Every fifth flick pockets one; the flick after that
    is a foul, for which the coin is put back. Foul: every flick is a foul.
    """
    turn, coins = (
        game.turn(state),
        tuple(f"{suit}-{k}" for suit in ("suns", "arms") for k in range(1, 7)),
    )
    row = next(row for row in game.standings(state) if row["player"] == turn["player"])
    up = [coin for coin in coins if coin.startswith(row["coin"]) and coin not in state.pile]
    yield Flicked(coin="striker")
    yield Contact(coin="striker", with_=up[0], probability=0.999, margin_mm=3.0, sigma_mm=0.3)
    gone: tuple[str, ...] = ()
    if foul or (number % 5 == 0 and len(up) > 3):
        gone = (up[0],)
        yield Pocketed(
            coin=up[0], pocket="pocket-ne", probability=0.999, margin_mm=9.0, sigma_mm=0.5
        )
    if foul or number % 5 == 1:
        gone = (*gone, "striker")
        yield Pocketed(
            coin="striker", pocket="pocket-sw", probability=0.999, margin_mm=9.0, sigma_mm=0.5
        )
    lies = tuple(
        coin for coin in ("moons", *coins, "striker") if coin not in state.pile and coin not in gone
    )
    yield lain(lies, number)


def owed_in_carroms(game: Game, state: Any) -> Play:
    """Put each coin that the rules want back, before the next flick, where it belongs."""
    for todo in game.turn(state)["before_flick"]:
        x_mm, y_mm = todo.get("back_mm", (0.0, -200.0))
        yield Placed(coin=todo["coin"], at_mm=(x_mm, y_mm))


def piecepack_croquet(game: Game, state: Any, number: int, *, foul: bool) -> Play:
    """Play whatever the rules expect, with short routes. Foul: a pawn is put in a wrong place
    first, and the die is rolled too early.
    """
    turn, dice = game.turn(state), random.Random(number)
    own = next(row for row in game.standings(state) if row["pawn"] == turn["pawn"])
    if foul and turn["expects"] != "roll":
        yield Moved(pawn=turn["pawn"], from_=(3, 3), to=(5, 5))
        yield Rolled(die="roll", face="2")
    match turn["expects"]:
        case "place":
            yield Moved(pawn=turn["pawn"], from_=None, to=tuple(dice.choice(turn["places"])))
        case "shot" | "continuation":
            yield Shot(route=_route(tuple(own["at"]), dice, may_score=own["hoops"] < MOST_HOOPS))
        case "croquet":
            yield PiecepackCroquet(
                stroke="stop-shot", direction=dice.choice(("n", "s")), distance=2
            )
        case "roll":
            yield Rolled(die="roll", face=dice.choice(("null", "ace", "2", "3", "4", "5")))
        case _:
            yield _decided(state, dice)


def _route(
    at: tuple[int, int], dice: random.Random, *, may_score: bool
) -> tuple[tuple[int, int], ...]:
    for _ in range(50):
        direction, route, here = dice.randrange(8), [], at
        for _ in range(dice.randrange(1, 5)):
            here = step(here, direction)
            route.append(here)
        if all(
            on_lawn(one) and one != (4, 6) and (may_score or one not in HOOP_AT) for one in route
        ):
            return tuple(route)
    return (step(at, 0 if at[1] < 6 else 4),)


def _decided(state: Any, dice: random.Random) -> Disaster:
    said = state.said
    if hasattr(said, "route"):
        return Disaster(choice=Choice(kind="stop", at=said.route[0]))
    return Disaster(choice=Choice(kind="ball", direction=NAMES[said.direction], distance=1))


def wickets(game: Game, state: Any, number: int, *, foul: bool) -> Play:
    """Play whatever the rules expect. Foul: an illegal move first, and a pass that is not
    allowed.
    """
    turn, dice = game.turn(state), random.Random(number)
    if foul and turn["expects"] in ("move", "croquet"):
        yield Moved(pawn=turn["pawn"], from_=(1, 1), to=(9, 9), path=((1, 2), (9, 9)))
        yield Passed()
    match turn["expects"]:
        case "roll":
            yield Rolled(die=turn["roll"][0], face=dice.randrange(1, 7))
        case "move":
            yield _strike(game, state, turn["pawn"], dice)
        case "croquet":
            yield WicketsCroquet(
                pawn=turn["roqueted"][0], direction=dice.choice(("n", "e", "s", "w"))
            )
        case _:
            yield (
                WicketsCroquet(pawn=turn["roqueted"][0], direction="e")
                if turn.get("roqueted") and dice.random() < 0.5
                else Continuation()
            )


def _strike(game: Game, state: Any, pawn: str, dice: random.Random) -> Incident | Said:
    ways, at = (
        sorted(routes(state), key=lambda path: (len(path), path)),
        state.balls[state.active].at,
    )
    dice.shuffle(ways)
    for path in ways:
        entry = Moved(id="?", pawn=pawn, from_=at, to=path[-1] if path else at, path=path)
        after = game.apply(state, entry)[0]
        if not game.is_over(after) and all(ball.points <= MOST_POINTS for ball in after.balls):
            return replace(entry, id=None)
    return Passed()


PLAYED: dict[str, Callable[..., Play]] = {
    "tabletop-croquet": tabletop_croquet,
    "castle-croquetnole": castle_croquetnole,
    "carroms": carroms,
    "piecepack-croquet": piecepack_croquet,
    "wickets-six": wickets,
    "wickets-nine": wickets,
}


def long_match(game: str, size: int, how: How) -> tuple[Entry, ...]:
    """Return a record of `size` entries, with times and frames, as read from a file. `how` is legal
    play, a foul in every flick, or rulings.
    """
    setup = setup_of(game)
    folded, entries = Fold(setup), list[Entry]([setup])

    def push(entry: Any) -> None:
        entries.append(timed(entry, len(entries)))
        folded.push(entries[-1])

    turn, ruled_at = 0, 0
    while len(entries) < size:
        begin = len(entries)
        for entry in PLAYED[game](folded.game, folded.state, turn, foul=how == "fouls"):
            push(entry)
        for entry in owed_in_carroms(folded.game, folded.state) if game == "carroms" else ():
            push(entry)
        if how == "rulings" and len(entries) >= ruled_at + LEAST_BETWEEN:
            for ruling in ruled(entries, begin, turn):
                push(ruling)
            ruled_at = len(entries)
        if folded.question is not None or folded.game.is_over(folded.state):
            raise RuntimeError(f"a long match of {game} stopped early: {folded.question}")
        turn += 1
    return parse_record(b"".join(lines_of(entries[:size])), "benchmark")


def timed(entry: Any, number: int) -> Any:
    """Return the entry with an id, a time and, where the camera saw it, its frames."""
    frames = {"frames": (number * 10, number * 10 + 1)} if isinstance(entry, Measured) else {}
    return replace(entry, id=entry.id or f"i{number}", t_s=number / 6, **frames)


def ruled(entries: list[Entry], begin: int, turn: int) -> list[Ruling]:
    """Return what people rule about the flick, shot or move that begins with entry `begin`. A wrong
    ruling is overturned at once.
    """
    seen = [
        entry
        for entry in entries[begin:]
        if isinstance(entry, Measured) and not isinstance(entry, Flicked | AtRest | Placed)
    ]
    if not seen:
        return []
    on, number = str(seen[0].id), len(entries)
    if turn % 4 == 1:
        over = Ruling(
            id=f"w{number}",
            on=on,
            verdict="overturned",
            by="Ann",
            then="rewind" if turn % 3 else None,
        )
        return [over, Ruling(id=f"v{number}", on=f"w{number}", verdict="overturned", by="Ben")]
    if turn % 4 == 2 and isinstance(seen[0], Contact | LineCrossed):
        missed = Contact(id=f"m{number}", coin=seen[0].coin, with_=seen[0].coin)
        added = Ruling(id=f"r{number}", after=on, verdict="added", replacement=missed, by="Ann")
        return [added, Ruling(id=f"b{number}", on=on, other=f"m{number}", verdict="before")]
    return [
        Ruling(
            id=f"r{number}",
            on=on,
            verdict="upheld",
            by="Ann",
            then="keep" if turn % 5 == 0 else None,
        )
    ]
