"""What becomes of the play between a flick that is ruled on and the ruling (a ruling's `then`).

`rewind` takes it away and says what the table lacks to lie as it lay; `keep` lets every flick stay
with the player, and in the turn, in which it was played. Readings where the record format's page is
silent:

- The entry ruled on counts as it was ruled, also where it stands in the play that is taken away;
  names and surveys, which are no play, stay.
- A flick that is itself overturned never ended: the table goes back to how it lay before it. Of the
  start it is known only what was seen later.
- A coin lies where it should within half its own width; an entry of `restore` that is nowhere may
  also be put where the rules want it next.
- Whose a flick was of a coin that all players flick is whose turn it was when it first came with
  all at rest; rulings on rulings do not change that.
- A flick in its own turn, but of a coin that may not be flicked any more, is void too and takes no
  flick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.domain.call import Call, Irregularity
from referee.domain.declaration import Said
from referee.domain.entry import Ruling
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Flicked, LeftTable, Measured, Placed, Pocketed
from referee.games import Game, KeepsTurns
from referee.replay.alternatives import Step
from referee.replay.effective_entries import Item, Keep, Played, Rulings, added_id
from referee.replay.shots import Standing, end_of_shot, knows_pawns

#: A coin seen no farther than this from where it lay has not been moved.
UNMOVED_MM = 2.0
Restore = tuple[tuple[str, Point | None], ...]
NOT_KEPT = Keep()


class Reach(msgspec.Struct, frozen=True, gc=False):
    """How far a ruling's `then` reaches back: from its own `line` to behind the item `behind`
    (None: to the start), which stands with entry `host`.

    `entry` is what was ruled on, which itself counts as it was ruled; `played` says of the entries
    in between when they were played, as `Played`, and `flicks` whether any is a flick. In games
    without flicks it holds the states in which they were, `stood` is where the pawns stood when the
    ruling was made, `was` the state, and `ended` the state behind `behind` where the ruling itself
    says how a pawn was moved.
    """

    ruling: str
    entry: str
    rewinds: bool
    line: int
    behind: str | None
    host: int
    flicks: bool = False
    stood: Standing = ()
    was: Any = None
    played: Any = None
    ended: Any = None

    def keeps(self, item: Item) -> bool:
        """Whether an item of the play in between stays as it was played."""
        return not self.rewinds and item.line < self.line and item.id != self.entry

    def takes_away(self, item: Item) -> bool:
        """Whether an item of the play in between no longer counts."""
        return self.rewinds and item.line < self.line and item.id != self.entry


def how_kept(
    item: Item, covering: Iterable[Reach], now_called: Callable[[str], str]
) -> Keep | None:
    """How an item stays as it was played: as when the first of the rulings that reach over it was
    made. `now_called`: a player's name as it now is.
    """
    keeping = [
        reach
        for reach in covering
        if reach.keeps(item) and reach.played is not None and item.id in reach.played
    ]
    if not keeping:
        return None
    keeping.sort(key=lambda reach: reach.line)
    was = keeping[0].played[item.id]
    if isinstance(was, Played):
        return Keep(
            when=replace(was, player=now_called(was.player)),
            flicks=any(reach.flicks for reach in keeping),
        )
    return Keep(
        was=was, ended=next((reach.ended for reach in keeping if reach.ended is not None), None)
    )


def begins_behind(
    items: Sequence[Item],
    ruling: Ruling,
    rulings: Rulings,
    game: Game,
    states: Callable[[int], Any],
) -> str | None:
    """The id of the last item of the flick a ruling is about (the one its entry stands in, else the
    last before it); None for the start.

    `items` are those of the replay without the ruling, `states(i)` is the state before item i.
    """
    pawns = knows_pawns(game)
    end_of = _end_of_flick if pawns is None else partial(end_of_shot, pawns, states)
    if ruling.verdict != "added":
        about = rulings.entry_of(str(ruling.on))
        place = next((i for i in reversed(range(len(items))) if items[i].id == about), -1)
        return end_of(items, place)
    place = next((i for i in reversed(range(len(items))) if items[i].id == ruling.after), -1)
    while place + 1 < len(items) and items[place + 1].added:
        place += 1
    assert isinstance(ruling.replacement, Measured | Said)
    new = Item(added_id(ruling), 0, ruling.replacement)
    if pawns is not None:
        end_of = partial(end_of_shot, pawns, lambda i: states(i if i <= place + 1 else i - 1))
    return end_of([*items[: place + 1], new, *items[place + 1 :]], place + 1)


def _end_of_flick(items: Sequence[Item], place: int) -> str | None:
    start = next(
        (
            i
            for i in range(place, -1, -1)
            if isinstance(items[i].entry, Flicked) and (i == place or items[i].counts)
        ),
        None,
    )
    if start is None:
        return None
    for i in range(start + 1, len(items)):
        entry, there = items[i].entry, items[i].counts or items[start].gone or i == place
        if there and isinstance(entry, AtRest):
            return items[i].id
        if there and isinstance(entry, Flicked):
            return items[i - 1].id
    return items[-1].id


def lies(items: Iterable[Item]) -> tuple[dict[str, Point | None], bool]:
    """Where coins lie as far as seen (None: not on the table), and whether every other coin is
    known to be off it; `items` come latest first.
    """
    found: dict[str, Point | None] = {}
    for item in items:
        match item.entry:
            case Placed(coin=coin, at_mm=at_mm):
                found.setdefault(coin, at_mm)
            case LeftTable(coin=coin) | Pocketed(coin=coin):
                found.setdefault(coin, None)
            case AtRest(coins=coins):
                return {**coins, **found}, bool(coins)
    return found, False


def to_restore(items: Sequence[Item], end: int, reach: Reach) -> Restore:
    """What lies elsewhere than when the play taken away began; the first `end` items are all up to
    the ruling.
    """
    begin = next((i + 1 for i in range(end - 1, -1, -1) if items[i].id == reach.behind), 0)
    was, was_all = lies(items[i] for i in range(begin - 1, -1, -1) if items[i].counts)
    now, now_all = lies(
        items[i]
        for i in range(end - 1, -1, -1)
        if items[i].counts or items[i].gone or items[i].rewound
    )
    was_all = was_all or reach.behind is None
    found: list[tuple[str, Point | None]] = []
    for coin in sorted({*was, *now}):
        if (
            (coin in was or was_all)
            and (coin in now or now_all)
            and _differ(was.get(coin), now.get(coin))
        ):
            found.append((coin, was.get(coin)))
    return tuple(found)


def _differ(a: Point | None, b: Point | None) -> bool:
    if a is None or b is None:
        return a is not b
    return distance(a, b) > UNMOVED_MM


def left_to_restore(restore: Restore, step: Step, coin_mm: float) -> Restore:
    """What is left of `restore` behind one step."""
    entry = step.item.entry
    if not step.item.counts:
        return restore
    if isinstance(entry, AtRest) and entry.coins:
        slack_mm = coin_mm / 2 + 2 * (entry.sigma_mm or 0.0)
        return tuple(
            one for one in restore if not _lies_at(one[1], entry.coins.get(one[0]), slack_mm)
        )
    if isinstance(entry, Placed):
        slack_mm = coin_mm / 2 + 2 * (entry.sigma_mm or 0.0)
        wanted = not any(isinstance(verdict, Irregularity) for verdict in step.verdicts)
        return tuple(
            one
            for one in restore
            if one[0] != entry.coin
            or not (_lies_at(one[1], entry.at_mm, slack_mm) or (one[1] is None and wanted))
        )
    return restore


def _lies_at(wanted: Point | None, at_mm: Point | None, slack_mm: float) -> bool:
    if wanted is None or at_mm is None:
        return wanted is at_mm
    return distance(wanted, at_mm) <= slack_mm


def with_restore(step: Step, before: Restore, coin_mm: float) -> Step:
    """A step with what is left to restore behind it; a flick before all lies as it lay is an
    irregularity, a coin put where it lay is none.
    """
    left = left_to_restore(before, step, coin_mm)
    verdicts = step.verdicts
    if isinstance(step.item.entry, Flicked) and step.item.counts:
        verdicts = (*(_not_restored(step.item.id, coin) for coin, _ in before), *verdicts)
    elif isinstance(step.item.entry, Placed) and left != before:
        verdicts = tuple(
            verdict
            for verdict in verdicts
            if not (isinstance(verdict, Irregularity) and verdict.placement)
        )
    return replace(step, restore=left, verdicts=verdicts)


def _not_restored(on: str, coin: str) -> Irregularity:
    text = (
        f"A ruling took play back, and before this flick the coin {coin} was not put back where it"
        " lay then."
    )
    return Irregularity(
        on=on, what="not_restored", rule="Rulings", text=text, coin=coin, placement=True
    )


def begins_turn(step: Step) -> bool:
    """Whether a turn begins with this step."""
    return bool(step.verdicts) and "turn_began" in [
        verdict.call for verdict in step.verdicts if isinstance(verdict, Call)
    ]


def turn_at(steps: Sequence[Step], end: int) -> tuple[str, int]:
    """The entry that began the turn under way behind the first `end` steps, and the place of its
    step (-1: the setup).
    """
    for place in range(end - 1, -1, -1):
        if begins_turn(steps[place]):
            return steps[place].item.id, place
    return "setup", -1


class Kept(msgspec.Struct, frozen=True, gc=False):
    """What `keep` needs of the play so far: which of the turns as they were played is under way,
    which the last flick was in, how that was kept.
    """

    under_way: str | None
    last: str | None = None
    last_void: bool = False


def kept_so_far(steps: Sequence[Step]) -> Kept:
    """How far the turns as they were played have gone on."""
    _, begun = turn_at(steps, len(steps))
    last: Kept | None = None
    for place in range(len(steps) - 1, -1, -1):
        item = steps[place].item
        if not item.counts or not isinstance(item.entry, Flicked):
            continue
        keep = item.keep or NOT_KEPT
        turn = keep.when.turn if keep.when is not None else turn_at(steps, place)[0]
        if last is None:
            last = Kept(None, turn, keep.void)
        if place < begun:
            return last
        if not keep.late:
            return replace(last, under_way=turn)
    return last or Kept(None)


def looked_back_on(items: Sequence[Item], steps: Sequence[Step]) -> tuple[object, ...]:
    """What a later `then` looks back on from behind these items: the turn under way, how its flicks
    were kept, and where the coins lie.
    """
    counted = lies(item for item in reversed(items) if item.counts)
    seen = lies(item for item in reversed(items) if item.counts or item.gone or item.rewound)
    return turn_at(steps, len(steps))[0], kept_so_far(steps), counted, seen


def as_kept(items: Sequence[Item], state: Any, steps: Sequence[Step], game: KeepsTurns) -> Item:
    """The item after `steps`: a kept flick with how it is kept; a kept declaration with who made
    it, or void with the flick it is about.

    Where no flick was made in between, a declaration is the active player's, as ever.
    """
    item = items[len(steps)]
    if game.is_over(state) or item.keep is None or item.keep.when is None:
        return item
    keep, when = Keep(when=item.keep.when, flicks=item.keep.flicks), item.keep.when
    so_far, turn = kept_so_far(steps), when.turn
    if isinstance(item.entry, Said):
        over = so_far.last == turn and so_far.under_way != turn
        if game.concerns_flick(item.entry) and (over or so_far.last_void):
            return replace(item, keep=replace(keep, void=True))
        return (
            replace(item, entry=replace(item.entry, player=item.entry.player or when.player))
            if keep.flicks
            else item
        )
    if so_far.under_way == turn:
        return _in_turn(item, keep, state, 0, game)
    passes = (
        None
        if so_far.last == turn
        else _passes(item.id, state, when.player, game, at_least=int(so_far.under_way is not None))
    )
    return (
        replace(item, keep=replace(keep, void=True, late=True))
        if passes is None
        else _in_turn(item, keep, state, passes, game)
    )


def _in_turn(item: Item, keep: Keep, state: Any, passes: int, game: KeepsTurns) -> Item:
    for _ in range(passes):
        state, _verdicts = game.go_on(state, item.id)
    assert isinstance(item.entry, Flicked)
    return replace(
        item,
        keep=replace(
            keep, passes=passes, void=not item.upheld and not game.entitled(state, item.entry)
        ),
    )


def _passes(on: str, state: Any, player: str, game: KeepsTurns, *, at_least: int) -> int | None:
    """How many turns play has gone on from until it is the player's; None when the player has no
    turn any more.
    """
    for passes in range(len(game.players(state)) + 1):
        if passes >= at_least and game.active_player(state) == player:
            return passes
        state, _verdicts = game.go_on(state, on)
    return None
