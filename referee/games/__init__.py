"""The games' rules: incidents and declarations become calls. No pixels, no arrays, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from referee.domain.call import Question, Verdict
from referee.domain.clause import Condition
from referee.domain.declaration import Declaration
from referee.domain.entry import Setup
from referee.domain.errors import InputError
from referee.domain.incident import Flicked, Incident


class Game(Protocol):
    """What a game's module offers. `state` is the game's own frozen, hashable state.

    A module may offer more: the functions of `KeepsTurns`, without which a ruling's `then: keep`
    changes nothing in it; `owner(state, coin)`, the player who flicks a coin where nobody says so,
    None for one that all players flick (then whoever's turn it was keeps the flick); and, in games
    without flicks, the functions of `KnowsPawns`.
    """

    #: The section of the game's rules that a doubt about an incident is told with.
    DOUBTS: str

    def setup(self, entry: Setup) -> Any:
        """The state before the first entry."""

    def opening(self, state: Any) -> tuple[Verdict, ...]:
        """The calls with which a match begins."""

    def apply(
        self,
        state: Any,
        entry: Incident | Declaration,
        *,
        upheld: bool = False,
        explain: bool = False,
    ) -> tuple[Any, tuple[Verdict, ...], tuple[Condition, ...]]:
        """What one entry does; `upheld` when a ruling lets it stand.

        Returns the state behind it, the verdicts, and the conditions it was decided by: these only
        where `explain` asks for them.
        """

    def standings(self, state: Any) -> list[dict[str, Any]]:
        """Where each player stands."""

    def turn(self, state: Any) -> dict[str, Any]:
        """Whose turn it is and what is expected."""

    def open_questions(self, state: Any) -> list[Question]:
        """Questions that do not keep play from going on."""

    def is_over(self, state: Any) -> bool:
        """Whether the match has ended."""

    def winner(self, state: Any) -> str | list[str] | None:
        """Who won."""

    def players(self, state: Any) -> tuple[str, ...]:
        """The players' names in order of play."""

    def active_player(self, state: Any) -> str:
        """Whose turn it is."""

    def outcome(self, state: Any) -> object:
        """What a doubt must change to be worth asking about."""

    def favours(self, state: Any, entry: Incident) -> bool | None:
        """Whether an incident is good for the player whose turn it is."""

    def describe(self, state: Any, entry: Incident) -> str:
        """An incident in words, as part of a question."""

    def indifferent(self, state: Any, entry: Incident) -> bool:
        """Whether an incident of the flick under way changes nothing, whenever it came."""


class KeepsTurns(Game, Protocol):
    """A game in which flicks can stay with the player, and in the turn, in which they were played
    (`then: keep`).
    """

    def go_on(self, state: Any, on: str) -> tuple[Any, tuple[Verdict, ...]]:
        """The turn ends because play went on from it with the flick `on`: `denied_entitlement`
        (with `flicks`) where any were left; the next begins.
        """

    def entitled(self, state: Any, entry: Flicked) -> bool:
        """Whether turn and coin are right for this flick; whether everything is still, or something
        must be said first, is asked about as ever.
        """

    def void_flick(self, state: Any, entry: Flicked) -> tuple[Any, tuple[Verdict, ...]]:
        """A flick its player had no right to (`void_entitlement`): it takes no flick, and its coin
        is treated like a knocked one.
        """

    def concerns_flick(self, entry: Declaration) -> bool:
        """Whether a declaration is about a flick, and void with it."""


class KnowsPawns(Game, Protocol):
    """A game without flicks, which knows where every pawn must stand."""

    def begins_play(self, state: Any, entry: object) -> bool:
        """Whether an entry begins a shot or move (what `then: rewind` goes back to the end of),
        coming in this state.
        """

    def pawns(self, state: Any) -> dict[str, tuple[int, int] | None]:
        """Where each pawn stands; None for one that is not on the lawn or the board."""

    def take_back(self, state: Any, entries: Sequence[object]) -> Any:
        """The state behind a ruling that took these entries back, with what hands still have to
        undo but for the pawns.
        """

    def kept_state(
        self, state: Any, was: Any, ended: Any, entry: Incident | Declaration
    ) -> tuple[Any, tuple[Verdict, ...]]:
        """The state in which an entry is played that stays as it was played, and what is said of
        the right to it; see `play_kept`.
        """

    def play_kept(
        self, state: Any, was: Any, ended: Any, entry: Incident | Declaration
    ) -> tuple[Any, tuple[Verdict, ...]]:
        """What an entry does that a ruling lets stay as it was played (`then: keep`), which was in
        the state `was`.

        Where `ended` is a state, the ruling says itself how a pawn was moved: one that stands in
        `was` as it did in `ended` stands as it now reads.
        """

    def as_it_lies(self, state: Any, was: Any, ended: Any) -> Any:
        """The state with the pawns where play that stays has left them, which was the state `was`;
        `ended` as for `play_kept`.
        """


_MODULES = {
    "tabletop-croquet": "referee.games.tabletop_croquet",
    "castle-croquetnole": "referee.games.castle_croquetnole",
    "carroms": "referee.games.carroms",
    "piecepack-croquet": "referee.games.piecepack_croquet",
    "wickets-six": "referee.games.wickets",
    "wickets-nine": "referee.games.wickets",
}


def game_named(name: str) -> Game:
    """The rules of one game, imported when first asked for. Raises InputError for a game whose
    rules are not here yet.
    """
    if name not in _MODULES:
        raise InputError(f"the rules of {name} are not known to this version")
    return cast(Game, import_module(_MODULES[name]))
