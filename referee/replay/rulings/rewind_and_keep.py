"""What the `then` of a ruling does with the flicks made since the flick that was ruled on.

`rewind` takes these flicks away and says which coins must be put back. `keep` leaves each of these
flicks with the player who made it, in the turn in which it was played. Where the page on the record
format says nothing, these rules apply:

- The entry ruled on counts as the ruling decides, even inside the play that is taken away. Names
  and surveys stay, because they are not play.
- If a flick is itself overturned, its end does not count: the coins go back to where they lay
  before it. The coins' places before the first flick are known only from what was seen later.
- A coin counts as put back if it lies within half its own width of its place. A coin that belongs
  off the table may also lie where the rules want it next.
- If a coin is one that every player flicks, its flick belongs to the player whose turn it was when
  the flick was first played from rest. A ruling on a ruling does not change that.
- A kept flick is void, and uses up no flick, if its coin may not be flicked any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.domain.call import Irregularity
from referee.domain.declaration import Said
from referee.domain.geometry import Point, distance
from referee.domain.incident import AtRest, Flicked, LeftTable, Placed, Pocketed
from referee.games import KeepsTurns
from referee.games.flicking import UNMOVED_MM
from referee.replay.rulings.items import Fate, InTurn, Item, Places, Step
from referee.replay.rulings.ruling_scope import RulingScope, begin_of


def end_of_flick(items: Sequence[Item], place: int) -> str | None:
    """Return the id of the last item of the flick around item `place`, or of the last flick before
    it. Return None if there is none.
    """
    start = place
    while start >= 0 and not (
        type(items[start].entry) is Flicked and (start == place or items[start].fate.counts)
    ):
        start -= 1
    if start < 0:
        return None
    gone = items[start].fate is Fate.TAKEN_AWAY
    for i in range(start + 1, len(items)):
        if items[i].fate.counts or gone or i == place:
            if type(items[i].entry) is AtRest:
                return items[i].id
            if type(items[i].entry) is Flicked:
                return items[i - 1].id
    return items[-1].id


def where_coins_lie(items: Iterable[Item]) -> tuple[dict[str, Point | None], bool]:
    """Return where coins were last seen (None: off the table), and whether every other coin is
    known to be off the table.

    `items` come latest first.
    """
    found: dict[str, Point | None] = {}
    for item in items:
        entry = item.entry
        if type(entry) is AtRest:
            return {**entry.coins, **found}, bool(entry.coins)
        if type(entry) is Placed:
            found.setdefault(entry.coin, entry.at_mm)
        elif type(entry) is LeftTable or type(entry) is Pocketed:
            found.setdefault(entry.coin, None)
    return found, False


def coins_to_put_back(items: Sequence[Item], end: int, scope: RulingScope) -> Places:
    """Return the coins that moved since the play that a ruling takes away began, each with its
    place when that play began.

    The ruling stands at `end`.
    """
    begin = begin_of(scope, items, end)
    was, was_all = where_coins_lie(
        items[i] for i in range(begin - 1, -1, -1) if items[i].fate.counts
    )
    now, now_all = where_coins_lie(items[i] for i in range(end - 1, -1, -1) if _happened(items[i]))
    was_all = was_all or scope.behind is None
    return tuple(
        (coin, was.get(coin))
        for coin in sorted({*was, *now})
        if (coin in was or was_all)
        and (coin in now or now_all)
        and not _same_place(was.get(coin), now.get(coin), UNMOVED_MM)
    )


def _happened(item: Item) -> bool:
    """Return whether the coins moved as an item says, even if the item does not count."""
    return item.fate is not Fate.OVERTURNED


def _same_place(a: Point | None, b: Point | None, slack_mm: float) -> bool:
    if a is None or b is None:
        return a is b
    return distance(a, b) <= slack_mm


def with_coins_to_put_back(step: Step, before: Places, coin_mm: float) -> Step:
    """Return a step with the coins that must still be put back after it. `before` holds the coins
    that had to be put back before it.

    A flick in the meantime gets an irregularity for each coin that is not back. Putting a coin back
    where it lay is no irregularity.
    """
    if not step.item.fate.counts:
        return replace(step, restore=before)
    left = _left_to_put_back(step, before, coin_mm)
    verdicts = step.verdicts
    if isinstance(step.item.entry, Flicked):
        verdicts = (*(_not_put_back(step.item.id, coin) for coin, _ in before), *verdicts)
    elif isinstance(step.item.entry, Placed) and left != before:
        verdicts = tuple(
            one for one in verdicts if not (isinstance(one, Irregularity) and one.placement)
        )
    return replace(step, restore=left, verdicts=verdicts)


def _left_to_put_back(step: Step, before: Places, coin_mm: float) -> Places:
    entry = step.item.entry
    if not isinstance(entry, AtRest | Placed):
        return before
    slack_mm = coin_mm / 2 + 2 * (entry.sigma_mm or 0.0)
    if isinstance(entry, AtRest):
        seen = entry.coins
        return tuple(
            (coin, at)
            for coin, at in before
            if not (seen and _same_place(at, seen.get(coin), slack_mm))
        )
    wanted = not any(isinstance(verdict, Irregularity) for verdict in step.verdicts)
    return tuple(
        (coin, at)
        for coin, at in before
        if coin != entry.coin
        or not (_same_place(at, entry.at_mm, slack_mm) or (at is None and wanted))
    )


def _not_put_back(on: str, coin: str) -> Irregularity:
    text = (
        f"A ruling took play back, and before this flick the coin {coin} was not put back where it"
        " lay before that play."
    )
    return Irregularity(
        on=on, what="not_restored", rule="Rulings", text=text, coin=coin, placement=True
    )


class TurnsPlayed(msgspec.Struct, frozen=True, gc=False):
    """The current turn, the turn of the last flick, and what was passed since. Each flick counts in
    the turn in which it was made.

    `under_way` is the current turn. `last` is the turn of the last flick, and `last_void` says
    whether that flick was void. `passed` are the coins whose play was given up by a pass since that
    flick, in turns that have not begun yet.
    """

    under_way: str | None = None
    last: str | None = None
    last_void: bool = False
    passed: tuple[str, ...] = ()


def turns_played(steps: Sequence[Step]) -> TurnsPlayed:
    """Return which turns have been played up to the last of these steps."""
    found: TurnsPlayed | None = None
    passed: tuple[str, ...] = ()
    for place in range(len(steps) - 1, -1, -1):
        item = steps[place].item
        kept = item.as_played
        if found is None and item.fate is Fate.VOID and kept is not None and kept.when is not None:
            passed += (kept.when.ended,) if kept.when.ended else ()
        if type(item.entry) is not Flicked or not item.fate.counts:
            continue
        turn = steps[place - 1].turn if place else "setup"
        if kept is not None and kept.when is not None:
            turn = kept.when.turn
        if found is None:
            found = TurnsPlayed(None, turn, item.fate.void, passed)
        if steps[place].turn != steps[-1].turn:
            return found
        if item.fate is not Fate.TOO_LATE:
            return replace(found, under_way=turn)
    return found or TurnsPlayed(passed=passed)


def basis_of_later_then(items: Sequence[Item], steps: Sequence[Step]) -> tuple[object, ...]:
    """Return what the `then` of a later ruling reads from these items and steps: the turn under
    way, the turns played, and where the coins lie.
    """
    counted = where_coins_lie(item for item in reversed(items) if item.fate.counts)
    seen = where_coins_lie(item for item in reversed(items) if _happened(item))
    return steps[-1].turn if steps else "setup", turns_played(steps), counted, seen


def in_own_turn(item: Item, state: Any, steps: Sequence[Step], game: KeepsTurns) -> Item:
    """Return a kept item, which comes after `steps`, assigned to the turn in which it was played.

    A flick counts or is void. A declaration belongs to the player who made it, and is void if the
    flick it is about is void. If the ruling keeps no flick, a declaration belongs to the active
    player, as always. A pass ends the play that it ended when it was made. If that play is over
    already or has not begun yet, the pass is void.
    """
    kept, entry = item.as_played, item.entry
    if kept is None or kept.when is None or game.is_over(state):
        return item
    played, turn = turns_played(steps), kept.when.turn
    if isinstance(entry, Said):
        over = turn == played.last != played.under_way
        if game.concerns_flick(entry) and (over or played.last_void):
            return replace(item, fate=Fate.VOID)
        if kept.when.ended and not _still_to_end(kept.when, state, played, game):
            return replace(item, fate=Fate.VOID)
        return _said_by(item, kept.when.player) if kept.flicks else item
    if played.under_way == turn:
        return _entitled(item, state, 0, game, ())
    if played.last == turn:
        return replace(item, fate=Fate.TOO_LATE)
    at_least = int(played.under_way is not None)
    passes = _turns_to_pass(item.id, state, kept.when.player, game, at_least)
    if passes is None:
        return replace(item, fate=Fate.TOO_LATE)
    return _entitled(item, state, passes, game, played.passed)


def _still_to_end(when: InTurn, state: Any, played: TurnsPlayed, game: KeepsTurns) -> bool:
    """Return whether the play that a pass ended is the one under way."""
    own = game.active_player(state) == when.player and played.under_way in (None, when.turn)
    return own and game.turn(state)["coin"] == when.ended


def _said_by(item: Item, player: str) -> Item:
    entry = item.entry
    assert isinstance(entry, Said)
    return replace(item, entry=replace(entry, player=entry.player or player))


def _entitled(
    item: Item, state: Any, passes: int, game: KeepsTurns, given_up: tuple[str, ...]
) -> Item:
    assert isinstance(item.entry, Flicked)
    assert item.as_played is not None
    for _ in range(passes):
        state, _verdicts = game.go_on(state, item.id)
    stands = item.upheld or game.entitled(state, item.entry)
    as_played = replace(item.as_played, passes=passes, given_up=given_up)
    return replace(item, fate=Fate.KEPT if stands else Fate.VOID, as_played=as_played)


def _turns_to_pass(on: str, state: Any, player: str, game: KeepsTurns, at_least: int) -> int | None:
    """Return how many turns have to end until it is the player's turn. Return None if the player
    has no more turns.
    """
    for passes in range(len(game.players(state)) + 1):
        if passes >= at_least and game.active_player(state) == player:
            return passes
        state, _verdicts = game.go_on(state, on)
    return None
