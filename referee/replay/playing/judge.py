"""Plays one entry by the rules of the game: applies it, leaves it out, or asks about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from referee.domain.call import Irregularity, Question, Verdict
from referee.domain.incident import (
    Contact,
    Flicked,
    LeftTable,
    LineCrossed,
    Measured,
    Pocketed,
    Renamed,
)
from referee.games import Game, KeepsTurns, KnowsPawns
from referee.replay.playing.ordering import order_unknown
from referee.replay.rulings.in_force import Rulings
from referee.replay.rulings.items import AsPlayed, Item
from referee.replay.rulings.too_close import TooClose

MOVING: Final = (LineCrossed, Contact, LeftTable, Pocketed)


def denies(verdict: Verdict, coins: Sequence[str]) -> bool:
    """Return whether a verdict says that one of these coins was denied flicks."""
    return isinstance(verdict, Irregularity) and verdict.coin in coins


def exchanged(entry: Renamed) -> list[str]:
    """Return the names in a `renamed` under which the camera saw another piece."""
    return [seen for seen, true in entry.coins.items() if seen != true]


@dataclass(frozen=True)
class Judge:
    """The rules of a game, with the probabilities that count as too close to call in this match."""

    game: Game
    too_close: TooClose

    def in_doubt(self, item: Item, earlier: Sequence[Item], rulings: Rulings) -> bool:
        """Return whether an item puts its flick in doubt.

        An item does if it is too close to call, if nobody knows whether it or an earlier item came
        first, or if a ruling has settled its order.
        """
        entry: Any = item.entry
        if type(entry) not in MOVING:
            return False
        if item.id in rulings.ordered or self.too_close.certainty(item) == "in doubt":
            return True
        if entry.t_s is None and entry.frames is None:
            return False
        for other in earlier:
            there = other.fate.counts and type(other.entry) in MOVING
            if there and order_unknown(other.entry, entry):  # type: ignore[arg-type]
                return True
        return False

    def play(
        self, state: Any, item: Item, choice: bool | None = None
    ) -> tuple[Any, tuple[Verdict, ...], Question | None]:
        """Play one item. Return the state after it, the verdicts, and a question that stops play.

        `choice` says whether an item in doubt happened. If `choice` is None, there is a question if
        the doubt makes a difference at once.
        """
        certainty = self.too_close.certainty(item)
        if choice is False or certainty == "left out":
            return state, (), None
        if certainty == "in doubt" and choice is None:
            return self._weighed(state, item)
        if certainty == "by favour" and not self._favoured(state, item):
            return state, (), None
        return self._applied(state, item, upheld=item.upheld or choice is True)

    def _applied(
        self, state: Any, item: Item, *, upheld: bool
    ) -> tuple[Any, tuple[Verdict, ...], Question | None]:
        entry: Any = item.entry
        if item.as_played is None:
            after, verdicts, _conditions = self.game.apply(state, entry, upheld=upheld)
        else:
            after, verdicts = self._apply_kept(state, item, item.as_played)
        for verdict in verdicts:
            if type(verdict) is Question:
                return state, tuple(one for one in verdicts if one is not verdict), verdict
        return after, verdicts, None

    def _weighed(self, state: Any, item: Item) -> tuple[Any, tuple[Verdict, ...], Question | None]:
        """Leave out an item in doubt. Ask whether it happened if that makes a difference."""
        if type(item.entry) is Renamed:
            matters = bool(exchanged(item.entry)) and not self.game.is_over(state)
            return state, (), self.whether_it_happened(state, item) if matters else None
        after, verdicts, asked = self._applied(state, item, upheld=item.upheld)
        if asked is not None:
            return state, verdicts, asked
        matters = self.game.outcome(after) != self.game.outcome(state)
        return state, (), self.whether_it_happened(state, item) if matters else None

    def _favoured(self, state: Any, item: Item) -> bool:
        good = self.game.favours(state, item.entry)  # type: ignore[arg-type]
        return good is not None and good == (self.too_close.setting == "for-striker")

    def _apply_kept(
        self, state: Any, item: Item, kept: AsPlayed
    ) -> tuple[Any, tuple[Verdict, ...]]:
        entry: Any = item.entry
        if kept.was is not None:
            pawns = cast(KnowsPawns, self.game)
            return pawns.play_kept(state, kept.was, kept.ended, entry)
        game, verdicts, more = cast(KeepsTurns, self.game), list[Verdict](), tuple[Verdict, ...]()
        for _ in range(kept.passes):
            state, more = game.go_on(state, item.id)
            verdicts += (one for one in more if not denies(one, kept.given_up))
        more = ()
        if not item.fate.void:
            state, more = game.apply(state, entry, upheld=item.upheld)[:2]
        elif isinstance(entry, Flicked):
            state, more = game.void_flick(state, entry)
        return state, (*verdicts, *more)

    def whether_it_happened(self, state: Any, item: Item) -> Question:
        """Return the question whether an incident happened."""
        entry = item.entry
        assert isinstance(entry, Measured)
        text = (
            f"Too close to call: {self.game.describe(state, entry)}, probability"
            f" {entry.probability:.2f}. Did it happen?"
        )
        if isinstance(entry, Renamed):
            names = " and ".join(exchanged(entry))
            text = f"Did the camera confuse {names}? The probability is {entry.probability:.2f}."
        return Question(
            on=item.id,
            what="too_close",
            rule=self.game.DOUBTS,
            text=text,
            answers=(
                "upheld",
                "overturned",
                *(("replaced",) if isinstance(entry, Flicked) else ()),
            ),
            coin=getattr(entry, "coin", None),
        )

    def which_first(self, state: Any, first: Item, second: Item) -> Question:
        """Return the question which of two incidents came first."""
        entries: tuple[Any, Any] = (first.entry, second.entry)
        one, two = (self.game.describe(state, entry) for entry in entries)
        text = f"Nobody can tell what came first: {one}, or {two}?"
        return Question(
            on=first.id,
            other=second.id,
            what="order",
            rule=self.game.DOUBTS,
            text=text,
            answers=("before",),
        )
