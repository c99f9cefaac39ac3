"""Takes rulings while a match is being watched: writes them through the match recorder and shows
their effect at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.desk.ruling_desk import RulingDesk
from referee.domain.entry import Fact
from referee.domain.errors import InputError
from referee.replay.fold import Fold
from referee.session.live_view import LiveView
from referee.session.match_recorder import MatchRecorder


class LiveRulingDesk(RulingDesk):
    """Explains and takes rulings on the match that a session records, from `begin` to `end`."""

    def __init__(self, show: LiveView) -> None:
        super().__init__()
        self.show = show
        self.keeper: MatchRecorder | None = None
        self.flick_runs = False

    def begin(self, keeper: MatchRecorder) -> None:
        """Start to take rulings on the match that this recorder keeps."""
        keeper.lock = self.lock
        self.keeper = keeper
        self.tell()

    def end(self) -> None:
        """Take no more rulings: nobody watches the match any more."""
        with self.lock:
            if self.keeper is not None:
                self.keeper.close()
            self.keeper = None

    @property
    def folded(self) -> Fold | None:
        """The match as far as it has been recorded."""
        return None if self.keeper is None else self.keeper.fold

    def take_in(self) -> None:
        """Read what others have appended to the record, and show it."""
        with self.lock:
            if self.keeper is not None and self.keeper.look():
                self.tell()

    def play(self, done: Mapping[str, Any], entries: int, *, anyway: bool = False) -> None:
        """Raise InputError: in a watched match the camera sees what happens on the table."""
        raise InputError(
            "The camera sees what happens on the table. What it missed is added by a ruling."
        )

    def write(self, decided: Fact) -> None:
        """Append a ruling, or what was said or done, and show what it makes of the match.

        Raises InputError while a flick is being played: that is recorded when all lies still,
        behind the ruling then, although it was played before; so it would be judged by what nobody
        knew of, and a rewind would not take it back.
        """
        if self.flick_runs:
            raise InputError(
                "A flick is being played: decide when all coins lie still, and see then again how"
                " the match stands."
            )
        assert self.keeper is not None  # there were entries
        self.keeper.write(decided)
        self.tell()

    def answer(self, answer: object) -> None:
        """Record the answer to an open question, and show its effect. An answer to no open question
        is ignored.
        """
        with self.lock:
            if self.keeper is not None and self.keeper.rule(answer):
                self.tell()

    def tell(self) -> None:
        """Show how the match stands."""
        with self.lock:
            if self.keeper is not None:
                self.show.standing(
                    self.keeper.fold, self.keeper.evidence(), self.keeper.folder.record
                )
