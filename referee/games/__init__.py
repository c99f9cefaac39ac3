"""The rules of the games: they turn incidents and declarations into calls. They use no pixels, no
arrays and no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, Protocol, cast

import msgspec

from referee.domain.call import Question, Verdict
from referee.domain.clause import NO_REASONS, Condition, Reasons
from referee.domain.declaration import Declaration
from referee.domain.entry import Setup
from referee.domain.errors import InputError
from referee.domain.incident import Flicked, Incident


class Game(Protocol):
    """The functions that every game's module has. `state` is the game's own frozen, hashable state.

    A module may have more functions:

    - those of `KeepsTurns`. Without them, `then: keep` on a ruling changes nothing in the game.
    - `owner(state, coin)`: the player who is taken to have flicked a coin if the entry names no
      player. It is None for a coin that all players flick; such a flick belongs to the player whose
      turn it was.
    - in games with flicks, those of `KnowsCoins`, and in the others those of `KnowsPawns`.
    """

    #: The section of the game's rules that a question about a doubtful incident names.
    DOUBTS: str

    def setup(self, entry: Setup) -> Any:
        """Return the state before the first entry."""

    def opening(self, state: Any) -> tuple[Verdict, ...]:
        """Return the calls with which a match begins."""

    def apply(
        self,
        state: Any,
        entry: Incident | Declaration,
        *,
        upheld: bool = False,
        explain: bool = False,
    ) -> tuple[Any, tuple[Verdict, ...], tuple[Condition, ...]]:
        """Play one entry. `upheld` is True if a ruling lets the entry stand.

        Return the state after the entry, the verdicts, and the conditions by which the entry was
        decided. Without `explain` there are no conditions.
        """

    def standings(self, state: Any) -> list[dict[str, Any]]:
        """Return where each player stands."""

    def turn(self, state: Any) -> dict[str, Any]:
        """Return whose turn it is and what is expected."""

    def open_questions(self, state: Any) -> list[Question]:
        """Return the open questions: play goes on although they are not answered yet."""

    def is_over(self, state: Any) -> bool:
        """Return whether the match has ended."""

    def winner(self, state: Any) -> str | list[str] | None:
        """Return who won."""

    def players(self, state: Any) -> tuple[str, ...]:
        """Return the players' names in order of play."""

    def active_player(self, state: Any) -> str:
        """Return the player whose turn it is."""

    def outcome(self, state: Any) -> object:
        """Return the part of the state that matters when an incident is in doubt. The referee asks
        whether the incident happened only if this part differs between the two answers.
        """

    def favours(self, state: Any, entry: Incident) -> bool | None:
        """Return whether an incident is good for the player whose turn it is; None if it is
        neither good nor bad.
        """

    def describe(self, state: Any, entry: Incident) -> str:
        """Return an incident in words, for a question about it."""

    def indifferent(self, state: Any, entry: Incident) -> bool:
        """Return whether an incident of the current flick changes nothing, wherever it comes in the
        order of the flick's incidents.
        """


class Route(msgspec.Struct, frozen=True):
    """The route of the ball in turn, as far as a person has entered it.

    `route` are the points or spaces that the ball enters, in order, and `down` is where the ball is
    put down at the end of the route. `told` says in the rules' words what the ball passes and
    meets. `ready`: the rules allow the route without a further step. `left` is how many more steps
    the dice allow; None if no dice limit the route. `next` are the places to which one more step
    may lead.
    """

    route: tuple[tuple[int, int], ...]
    down: tuple[int, int]
    told: tuple[str, ...]
    ready: bool
    left: int | None
    next: tuple[tuple[int, int], ...]


class KeepsTurns(Game, Protocol):
    """A game in which a ruling with `then: keep` leaves each flick with the player who made it, in
    the turn in which it was played.
    """

    def go_on(
        self, state: Any, on: str, reasons: Reasons = NO_REASONS
    ) -> tuple[Any, tuple[Verdict, ...]]:
        """End the turn because play went on with the flick `on`, and begin the next turn.

        If the player had flicks left, the verdicts include `denied_entitlement`, with the number of
        these flicks in `flicks`.
        """

    def entitled(self, state: Any, entry: Flicked, reasons: Reasons = NO_REASONS) -> bool:
        """Return whether this flick's player has the turn and flicks the right coin.

        This function does not check whether everything lies still, or whether a declaration is
        missing. The rules check both when they play the flick.
        """

    def void_flick(
        self, state: Any, entry: Flicked, reasons: Reasons = NO_REASONS
    ) -> tuple[Any, tuple[Verdict, ...]]:
        """Play a flick that its player had no right to make (`void_entitlement`). It uses up no
        flick, and its coin counts as moved by another coin ("knocked").
        """

    def concerns_flick(self, entry: Declaration) -> bool:
        """Return whether a declaration is about a flick. Such a declaration is void if the flick is
        void.
        """


class KnowsCoins(Game, Protocol):
    """A game with flicks. Its rules know which coins are in play."""

    def on_table(self, state: Any) -> tuple[str, ...]:
        """Return the coins in play that lie on the table: those that can be flicked, hit and
        moved.
        """

    def off_table(self, state: Any) -> tuple[str, ...]:
        """Return the coins that are in play but not on the table, because they left it or have not
        entered. Hands may put them down. Coins that are out of the game are not among them.
        """


class KnowsPawns(Game, Protocol):
    """A game without flicks. Its rules know where every pawn must stand."""

    def begins_play(self, state: Any, entry: object) -> bool:
        """Return whether an entry that comes in this state begins a shot or move. A ruling with
        `then: rewind` goes back to the end of the shot or move that contains the entry ruled on.
        """

    def pawns(self, state: Any) -> dict[str, tuple[int, int] | None]:
        """Return where each pawn stands; None for a pawn that is not on the lawn or the board."""

    def take_back(self, state: Any, entries: Sequence[object]) -> Any:
        """Return the state after a ruling that takes these entries back. The state holds what hands
        must still undo, apart from moving pawns back.
        """

    def kept_state(
        self,
        state: Any,
        was: Any,
        ended: Any,
        entry: Incident | Declaration,
        reasons: Reasons = NO_REASONS,
    ) -> tuple[Any, tuple[Verdict, ...]]:
        """Return the state in which a kept entry is played, and the verdicts about the player's
        right to it. See `play_kept` for the parameters.
        """

    def play_kept(
        self, state: Any, was: Any, ended: Any, entry: Incident | Declaration
    ) -> tuple[Any, tuple[Verdict, ...]]:
        """Play an entry that a ruling keeps as it was played (`then: keep`). The entry was first
        played in the state `was`.

        `ended` is None unless the ruling itself moves a pawn. Then `ended` is the state right after
        the shot or move that was ruled on, as the record read before the ruling. A pawn that did
        not move between `ended` and `was` stands where the corrected record puts it. Every other
        pawn stands where it stood in `was`. Each game makes exceptions for some pawns.
        """

    def routes_to(
        self, state: Any, route: Sequence[tuple[int, int]], to: tuple[int, int] | None
    ) -> tuple[tuple[Route, ...], str]:
        """Return the routes of the ball in turn that begin with `route` and go on directly to the
        place `to`, at most two. Without `to`, return `route` itself.

        If the rules allow no such route, return none, and a text that says why.
        """

    def as_it_lies(self, state: Any, was: Any, ended: Any) -> Any:
        """Return the state with the pawns in the places where kept play left them. That play ended
        in the state `was`. For `ended` see `play_kept`.
        """


_MODULES: Final = {
    "tabletop-croquet": "referee.games.tabletop_croquet",
    "castle-croquetnole": "referee.games.castle_croquetnole",
    "carroms": "referee.games.carroms",
    "piecepack-croquet": "referee.games.piecepack_croquet",
    "wickets-six": "referee.games.wickets",
    "wickets-nine": "referee.games.wickets",
}


def game_named(name: str) -> Game:
    """Return the rules of one game, and import them at the first call. Raises InputError for a game
    that this version does not know.
    """
    if name not in _MODULES:
        raise InputError(f"the rules of {name} are not known to this version")
    return cast(Game, import_module(_MODULES[name]))
