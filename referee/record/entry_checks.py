"""Whether what a record says can be read: names, ids and values that exist. What the rules make of
it is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from referee.domain import declaration as say
from referee.domain import incident as seen
from referee.domain.declaration import Declaration, Said
from referee.domain.entry import Entry, Ruling, Setup
from referee.domain.incident import Incident, Measured
from referee.games.players import SIDES, FieldError, pawns_of
from referee.games.words import Words, option, words_of
from referee.record.setup_checks import check_layout, check_setup


class LineError(FieldError):
    """One field of an earlier line is wrong."""

    def __init__(self, line: int, field: str, what: str) -> None:
        super().__init__(field, what)
        self.line = line


class Soundness:
    """What has been read of one record, so that each next entry can be checked against it."""

    def __init__(self, setup: Setup) -> None:
        """Start with the record's setup. Raises FieldError where it is wrong."""
        check_setup(setup)
        self.setup = setup
        self._words: Words = words_of(setup.game)
        self._players = {player.name for player in setup.players}
        self._teams = [self._teams_of(setup)]
        self._ids: dict[str, type] = {"setup": Setup}
        self._tiles: set[str] = set(self._words.tiles)
        self._met: list[tuple[int, str, str]] = []
        self._until: list[tuple[int, str]] = []
        self._lines = 1

    @property
    def lines(self) -> int:
        """How many lines have been read."""
        return self._lines

    def has(self, name: str) -> bool:
        """Whether an entry, or one that a ruling adds, has this id."""
        return name in self._ids

    def skip_line(self) -> None:
        """Count a line without an entry."""
        self._lines += 1

    def add(self, entry: Entry) -> None:
        """Check the next entry and remember what later ones may name. Raises FieldError; then
        nothing is remembered.
        """
        name = getattr(entry, "id", None) or f"#{self._lines + 1}"
        if isinstance(entry, Setup):
            raise FieldError("entry", "a second setup")
        self._check_new_id(name, entry)
        if isinstance(entry, Ruling):
            self._check_ruling(entry)
        else:
            self._check_fact(entry)
        self._lines += 1
        self._remember(name, entry)

    def assume(self, name: str | None, about: type) -> None:
        """Count a line whose entry is wrong, and let later ones name it all the same, so that one
        fault is told once.
        """
        self._lines += 1
        self._ids.setdefault(name or f"#{self._lines}", about)

    def finish(self) -> None:
        """Check what may be named before it stands in the record. Raises FieldError, with the line
        in `line`.
        """
        for error in self.unmet():
            raise error

    def unmet(self) -> Iterator[LineError]:
        """What was named and stands nowhere in the record, each with its line."""
        for line, name, field in self._met:
            if name not in self._tiles:
                yield LineError(line, field, f"{name!r} is no coin, place or tile of this record")
        for line, name in self._until:
            if name not in self._ids:
                yield LineError(line, "until", f"there is no entry {name!r}")

    def _check_new_id(self, name: str, entry: Incident | Declaration | Ruling) -> None:
        if entry.id == "":
            raise FieldError("id", "is empty")
        if name in self._ids:
            raise FieldError("id", f"{name!r} is the id of an earlier entry")

    def _remember(self, name: str, entry: Incident | Declaration | Ruling) -> None:
        self._ids[name] = type(entry)
        inner = entry.replacement if isinstance(entry, Ruling) else entry
        if (
            isinstance(entry, Ruling)
            and entry.verdict == "added"
            and isinstance(inner, Measured | Said)
        ):
            self._ids[inner.id or f"{name}+"] = type(inner)
        if isinstance(inner, Setup):
            self._players |= {player.name for player in inner.players}
            self._teams.append(self._teams_of(inner))
        elif isinstance(inner, seen.TileDisplaced | seen.TileRestored):
            self._tiles.add(inner.tile)
        elif isinstance(inner, seen.Contact) and not self._is_known_mark(inner.with_):
            self._met.append(
                (self._lines, inner.with_, "with" if inner is entry else "replacement.with")
            )
        elif isinstance(inner, seen.Renamed) and inner.until is not None:
            self._until.append((self._lines, inner.until))

    def _is_known_mark(self, name: str) -> bool:
        return name in self._words.coins or name in self._words.places or name in self._tiles

    @staticmethod
    def _teams_of(setup: Setup) -> set[frozenset[str]]:
        if setup.game == "tabletop-croquet" and not option(setup.options, setup.game, "teams"):
            return set()
        if setup.game in SIDES:
            return {
                frozenset(
                    player.name for player in setup.players if set(pawns_of(player)) & set(side)
                )
                for side in SIDES[setup.game]
            }
        teams = {player.team for player in setup.players} - {None}
        return {
            frozenset(player.name for player in setup.players if player.team == team)
            for team in teams
        }

    def _check_ruling(self, ruling: Ruling) -> None:
        for field, name in (("on", ruling.on), ("after", ruling.after), ("other", ruling.other)):
            if name is not None and name not in self._ids:
                raise FieldError(field, f"there is no entry {name!r} before this one")
        if ruling.verdict == "added":
            self._check_added(ruling)
            return
        if ruling.on is None:
            raise FieldError("on", "is missing")
        about = self._ids[ruling.on]
        if about is Ruling and ruling.verdict not in ("overturned", "upheld"):
            raise FieldError("verdict", "a ruling can only be overturned or upheld")
        if about is Setup and ruling.verdict != "replaced":
            raise FieldError("verdict", "the setup can only be replaced")
        if ruling.verdict == "replaced":
            self._check_replacement(ruling, about)
        if ruling.verdict == "before":
            self._check_before(ruling, about)

    def _check_added(self, ruling: Ruling) -> None:
        if ruling.after is None:
            raise FieldError("after", "is missing")
        if ruling.on is not None and ruling.on != ruling.after:
            raise FieldError("on", "must be missing or the same as `after`")
        if self._ids[ruling.after] is Ruling:
            raise FieldError("after", "nothing can be added behind a ruling")
        self._check_replacement(ruling, Measured)

    def _check_replacement(self, ruling: Ruling, about: type) -> None:
        new = ruling.replacement
        if new is None:
            raise FieldError("replacement", "is missing")
        if about is Setup:
            if not isinstance(new, Setup):
                raise FieldError("replacement", "must be a setup")
            if new.game != self.setup.game:
                raise FieldError(
                    "replacement.game", f"is {new.game!r}, but the match is of {self.setup.game}"
                )
            _within("replacement", check_setup, new)
            return
        if isinstance(new, Setup):
            raise FieldError("replacement", "must be an incident or a declaration")
        if (
            ruling.verdict == "added"
            and new.id is not None
            and (new.id in self._ids or new.id == ruling.id or new.id == "")
        ):
            raise FieldError("replacement.id", f"{new.id!r} is the id of an earlier entry")
        _within("replacement", self._check_fact, new)

    def _check_before(self, ruling: Ruling, about: type) -> None:
        if ruling.other is None:
            raise FieldError("other", "is missing")
        if not issubclass(about, Measured):
            raise FieldError("on", "must be an incident")
        if not issubclass(self._ids[ruling.other], Measured) or ruling.other == ruling.on:
            raise FieldError("other", "must be another incident")

    def _check_fact(self, entry: Incident | Declaration) -> None:
        if isinstance(entry, Said):
            self._check_declaration(entry)
        else:
            self._check_incident(entry)

    def _check_declaration(self, entry: Said) -> None:
        self._player(entry.player)
        if isinstance(entry, say.AfterHit | say.Rover | say.Leave | say.SpecialShot):
            self._one_of("coin", entry.coin, self._words.coins, "coin")
        elif isinstance(entry, say.WicketsCroquet):
            self._check_sent(entry)
        elif isinstance(entry, say.PiecepackCroquet):
            _check_stroke(entry)
        elif isinstance(entry, say.Disaster):
            _check_choice(entry.choice)
        elif isinstance(entry, say.Agreed):
            self._check_winner(entry.winner)
        elif (
            isinstance(entry, say.Challenge) and entry.on is not None and entry.on not in self._ids
        ):
            raise FieldError("on", f"there is no entry {entry.on!r} before this one")

    def _check_sent(self, entry: say.WicketsCroquet) -> None:
        pawn = entry.pawn if entry.pawn is not None else entry.coin
        if pawn is None:
            raise FieldError("pawn", "is missing")
        self._one_of("pawn", pawn, self._words.pawns, "pawn")

    def _check_winner(self, winner: str | tuple[str, ...] | None) -> None:
        if isinstance(winner, str) and winner not in self._players:
            raise FieldError("winner", f"{winner!r} is no player of this match")
        if isinstance(winner, tuple) and not any(
            frozenset(winner) in teams for teams in self._teams
        ):
            raise FieldError("winner", "these players are no team of this match")
        if isinstance(winner, str) and self._teams[-1]:
            raise FieldError("winner", "teams play: it must be a list of a team's players")

    def _player(self, name: str | None) -> None:
        if name is not None and name not in self._players:
            raise FieldError("player", f"{name!r} is no player of this match")

    def _one_of(self, field: str, value: str, known: Iterable[str], noun: str) -> None:
        if value not in known:
            raise FieldError(field, f"{value!r} is no {noun} of {self.setup.game}")

    def _check_incident(self, entry: Measured) -> None:
        if entry.frames is not None and not 0 <= entry.frames[0] <= entry.frames[1]:
            raise FieldError("frames", "must be the first frame and the last, in this order")
        check = _CHECKS.get(type(entry))
        if check is not None:
            check(self, entry)

    def coin(self, name: str, field: str = "coin") -> None:
        """Refuse a coin the game does not have. Raises FieldError."""
        self._one_of(field, name, self._words.coins, "coin")

    def _flicked(self, entry: seen.Flicked) -> None:
        self.coin(entry.coin)
        self._player(entry.player)
        for i, name in enumerate(entry.touching):
            self.coin(name, f"touching[{i}]")

    def _line_crossed(self, entry: seen.LineCrossed) -> None:
        self.coin(entry.coin)
        self._one_of("line", entry.line, self._words.lines, "line")
        self._one_of("direction", entry.direction, self._words.directions, "direction")

    def _with_coin(
        self,
        entry: seen.Contact | seen.LeftTable | seen.Placed | seen.CoinFlipped | seen.CoinTurned,
    ) -> None:
        self.coin(entry.coin)

    def _pocketed(self, entry: seen.Pocketed) -> None:
        self.coin(entry.coin)
        self._one_of("pocket", entry.pocket, self._words.pockets, "pocket")

    def _at_rest(self, entry: seen.AtRest) -> None:
        for name in entry.coins:
            self.coin(name, f"coins.{name}")

    def _pieces(self, entry: seen.Unseen) -> None:
        known = (
            self._words.coins
            | self._words.pawns
            | self._words.tiles
            | self._words.places
            | set(self._words.dice)
        )
        for i, name in enumerate(entry.pieces):
            self._one_of(f"pieces[{i}]", name, known, "piece")
        if entry.from_s > entry.to_s:
            raise FieldError("to_s", "is earlier than from_s")

    def _rolled(self, entry: seen.Rolled) -> None:
        self._one_of("die", entry.die, self._words.dice, "die")
        if entry.face not in self._words.dice[entry.die]:
            raise FieldError("face", f"{entry.face!r} is no face of {entry.die!r}")

    def _moved(self, entry: seen.Moved) -> None:
        self._one_of("pawn", entry.pawn, self._words.pawns, "pawn")

    def _renamed(self, entry: seen.Renamed) -> None:
        known = self._words.coins | self._words.pawns
        for name, true in entry.coins.items():
            self._one_of(f"coins.{name}", name, known, "coin")
            self._one_of(f"coins.{name}", true, known, "coin")
        if set(entry.coins) != set(entry.coins.values()):
            raise FieldError("coins", "must exchange names among themselves, each given once")

    def _surveyed(self, entry: seen.Surveyed) -> None:
        check_layout(
            Setup(
                format=self.setup.format,
                game=self.setup.game,
                players=(),
                tile_mm=self.setup.tile_mm,
                layout=entry.layout,
            )
        )
        if entry.table_edge_mm is not None and len(entry.table_edge_mm) < 3:
            raise FieldError("table_edge_mm", "an outline needs at least three corners")


def _within(field: str, check: Callable[[Any], None], value: object) -> None:
    try:
        check(value)
    except FieldError as error:
        raise FieldError(f"{field}.{error.field}", error.what) from error


def _check_stroke(entry: say.PiecepackCroquet) -> None:
    given = {
        "direction": entry.direction,
        "distance": entry.distance,
        "follow_direction": entry.follow_direction,
    }
    wanted = {
        "play-off": (),
        "stop-shot": ("direction", "distance"),
        "follow-through": ("direction", "distance", "follow_direction"),
    }[entry.stroke]
    for name, value in given.items():
        if name in wanted and value is None:
            raise FieldError(name, "is missing")
        if name not in wanted and value is not None:
            raise FieldError(name, f"does not belong to a {entry.stroke}")
    if entry.distance is not None and entry.distance < 1:
        raise FieldError("distance", "must be 1 or more")


def _check_choice(choice: say.Choice) -> None:
    wanted = {
        "stop": ("at",),
        "straight": ("direction",),
        "ball": ("direction", "distance"),
        "follow": ("own_direction",),
    }[choice.kind]
    for name in wanted:
        if getattr(choice, name) is None:
            raise FieldError(f"choice.{name}", "is missing")


_CHECKS: dict[type, Callable[[Soundness, Any], None]] = {
    seen.Flicked: Soundness._flicked,
    seen.LineCrossed: Soundness._line_crossed,
    seen.Contact: Soundness._with_coin,
    seen.LeftTable: Soundness._with_coin,
    seen.Pocketed: Soundness._pocketed,
    seen.AtRest: Soundness._at_rest,
    seen.Placed: Soundness._with_coin,
    seen.Unseen: Soundness._pieces,
    seen.Rolled: Soundness._rolled,
    seen.Moved: Soundness._moved,
    seen.CoinFlipped: Soundness._with_coin,
    seen.CoinTurned: Soundness._with_coin,
    seen.Renamed: Soundness._renamed,
    seen.Surveyed: Soundness._surveyed,
}
