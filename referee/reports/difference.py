"""How two replays of one match differ: the standings, whose turn it is, and which calls are added
or removed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from referee.domain.call import Call, Irregularity, Question, plain
from referee.domain.entry import Entry, Ruling, Setup
from referee.replay.adjudication import Adjudication, summary
from referee.replay.fold import extend, fold
from referee.reports.wording.fields import changed_field, changed_value
from referee.reports.wording.pieces import said_in

AnyVerdict = TypeVar("AnyVerdict", Call, Irregularity, Question)
#: Irregularities: flicks that were played without a right to them, and flicks that were due but not
#: played.
ENTITLEMENT: Final = ("void_entitlement", "denied_entitlement")
#: The fields of the whole match that may change.
OF_MATCH: Final = ("status", "winner")
#: The fields of the turn that are reported in words; the others follow from them.
OF_TURN: Final = ("player", "coin", "pawn", "flicks_left", "expects", "roll", "restore")


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One value that differs. `of` is "match", "turn" or "standing". `player` and `pawn`
    name the owner of a standing. A missing value is None.
    """

    of: str
    field: str
    before: Any
    after: Any
    player: str | None = None
    pawn: str | None = None


class ChangeInWords(msgspec.Struct, frozen=True):
    """A change in words for players: whom or what it is about (`of`), which value (`what`), and the
    value `before` and `after`.
    """

    of: str
    what: str
    before: str
    after: str


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How two replays differ. `told` are the changes that players want to know, in words.
    `played_on` are flicks that a player made without a right to them, and flicks that were due but
    not played.
    """

    changes: tuple[Change, ...] = ()
    told: tuple[ChangeInWords, ...] = ()
    calls_gone: tuple[Call, ...] = ()
    calls_new: tuple[Call, ...] = ()
    irregularities_gone: tuple[Irregularity, ...] = ()
    irregularities_new: tuple[Irregularity, ...] = ()
    questions_gone: tuple[Question, ...] = ()
    questions_new: tuple[Question, ...] = ()
    played_on: tuple[Irregularity, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not any(getattr(self, name) for name in self.__struct_fields__)

    def as_json(self) -> dict[str, Any]:
        """Return the difference as plain values."""
        lists = {
            name: [plain(one) for one in getattr(self, name)]
            for name in self.__struct_fields__
            if name not in ("changes", "told")
        }
        return {
            "changes": msgspec.to_builtins(self.changes),
            "told": msgspec.to_builtins(self.told),
            **lists,
        }


def difference(
    before: Adjudication, after: Adjudication, played_on: Sequence[Irregularity] = ()
) -> Difference:
    """Return how `after` differs from `before`."""
    calls, odd, asked = (
        (getattr(before, name), getattr(after, name))
        for name in ("calls", "irregularities", "questions")
    )
    changes = (*_of_match(before, after), *_of_turn(before, after), *_of_standings(before, after))
    return Difference(
        changes=changes,
        told=_told(changes, after),
        calls_gone=_only_in(*calls),
        calls_new=_only_in(*reversed(calls)),
        irregularities_gone=_only_in(*odd),
        irregularities_new=_only_in(*reversed(odd)),
        questions_gone=_only_in(*asked),
        questions_new=_only_in(*reversed(asked)),
        played_on=tuple(played_on),
    )


def difference_by_ruling(entries: Sequence[Entry], ruling: Ruling) -> Difference:
    """Return the difference that a new ruling makes to a record. Raises InputError for a game whose
    rules are not known.
    """
    begun = fold(entries)
    given = ruling
    ruling, renamed = _with_names_of(begun.setup, given)
    before, after = summary(begun), summary(extend(begun, ruling))
    kept = after
    if ruling.then is None:
        kept = summary(extend(begun, msgspec.structs.replace(ruling, then="keep")))
    new = _only_in(kept.irregularities, before.irregularities)
    made = difference(before, after, [odd for odd in new if odd.what in ENTITLEMENT])
    if not renamed:
        return made
    changes = difference(before, summary(extend(begun, given))).changes
    return msgspec.structs.replace(made, changes=changes, told=(*renamed, *made.told))


def _with_names_of(setup: Setup, ruling: Ruling) -> tuple[Ruling, list[ChangeInWords]]:
    """Return a ruling on the setup with the players' present names, and one change for each player
    to whom the ruling gives another name. So people read one line for a new name, instead of each
    call that contains it.
    """
    other = ruling.replacement
    if not isinstance(other, Setup) or len(other.players) != len(setup.players):
        return ruling, []
    pairs = list(zip(setup.players, other.players, strict=True))
    renamed = [
        ChangeInWords(now.name, "name", was.name, now.name)
        for was, now in pairs
        if was.name != now.name
    ]
    players = tuple(msgspec.structs.replace(now, name=was.name) for was, now in pairs)
    kept = msgspec.structs.replace(other, players=players)
    return (msgspec.structs.replace(ruling, replacement=kept) if renamed else ruling), renamed


def _only_in(these: Sequence[AnyVerdict], others: Sequence[AnyVerdict]) -> tuple[AnyVerdict, ...]:
    left = Counter(map(_key, others))
    found = []
    for one in these:
        key = _key(one)
        if left[key]:
            left[key] -= 1
        else:
            found.append(one)
    return tuple(found)


def _key(verdict: Call | Irregularity | Question) -> bytes:
    return msgspec.json.encode(plain(verdict))


def _of_match(before: Adjudication, after: Adjudication) -> list[Change]:
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in OF_MATCH)
    return [
        Change(of="match", field=name, before=one, after=other)
        for name, one, other in pairs
        if one != other
    ]


def _of_turn(before: Adjudication, after: Adjudication) -> list[Change]:
    return [
        Change(of="turn", field=name, before=one, after=other)
        for name, one, other in _fields(before.turn, after.turn)
    ]


def _of_standings(before: Adjudication, after: Adjudication) -> list[Change]:
    then, now = ({_piece(row): row for row in one.standings} for one in (before, after))
    found = []
    for piece in dict.fromkeys((*then, *now)):
        old, new = then.get(piece, {}), now.get(piece, {})
        row = new or old
        player, pawn = str(row.get("player")), row.get("pawn")
        found += [
            Change(of="standing", player=player, pawn=pawn, field=name, before=one, after=other)
            for name, one, other in _fields(old, new)
        ]
    return found


def _piece(row: Mapping[str, Any]) -> str:
    """Return what identifies a standing in both replays: its piece, or its player if it has no
    piece. A piece serves even if its player gets another name.
    """
    return str(
        next(
            row[name] for name in ("pawn", "coin", "knight", "player") if row.get(name) is not None
        )
    )


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    names = dict.fromkeys((*before, *after))
    return [
        (name, before.get(name), after.get(name))
        for name in names
        if before.get(name) != after.get(name)
    ]


def _told(changes: Sequence[Change], after: Adjudication) -> tuple[ChangeInWords, ...]:
    said = said_in(after.game, after.standings)
    return tuple(
        _in_words(change, said)
        for change in changes
        if change.of != "turn" or change.field in OF_TURN
    )


def _in_words(change: Change, said: Callable[[str], str]) -> ChangeInWords:
    values = (
        changed_value(change.of, change.field, value, said)
        for value in (change.before, change.after)
    )
    return ChangeInWords(_of_whom(change), changed_field(change.of, change.field), *values)


def _of_whom(change: Change) -> str:
    """Return what a change is about in words: a player, with the ball if players have balls, "the
    turn" or "the match".
    """
    if change.player is None:
        return f"the {change.of}"
    return change.player if change.pawn is None else f"{change.player}'s {change.pawn} ball"
