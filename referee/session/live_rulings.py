"""Takes rulings while a match is being watched. It writes them through the match recorder and shows
their effect at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.desk.messages import QuestionAnswer
from referee.desk.ruling_desk import RulingDesk
from referee.domain.entry import Fact
from referee.domain.errors import InputError
from referee.replay.fold import Fold
from referee.session.live_view import LiveView
from referee.session.recording.match_recorder import MatchRecorder


class LiveRulingDesk(RulingDesk):
    """Explains and takes rulings on the match that a session records, from `begin` to `end`."""

    def __init__(self, show: LiveView) -> None:
        super().__init__()
        self.show = show
        self.recorder: MatchRecorder | None = None
        self.flick_runs = False

    def begin(self, recorder: MatchRecorder) -> None:
        """Start to take rulings on the match that this recorder writes."""
        recorder.lock = self.lock
        self.recorder = recorder
        self.tell()

    def end(self) -> None:
        """Stop taking rulings, because nobody watches the match any more."""
        with self.lock:
            if self.recorder is not None:
                self.recorder.close()
            self.recorder = None

    @property
    def folded(self) -> Fold | None:
        """Return the match as far as it has been recorded."""
        return None if self.recorder is None else self.recorder.fold

    def take_in(self) -> None:
        """Read what others have appended to the record, and show it."""
        with self.lock:
            if self.recorder is not None and self.recorder.read_appended():
                self.tell()

    def play(self, done: Mapping[str, Any], entries: int, *, anyway: bool = False) -> None:
        """Raise InputError: in a match that a camera watches, nobody enters by hand what
        happens.
        """
        raise InputError(
            "The camera sees what happens on the table. If it missed something, add that by a"
            " ruling."
        )

    def write(self, decided: Fact) -> None:
        """Append a ruling, a declaration or an incident, and show the match after it.

        Raises InputError while a flick is being played. The flick is recorded only when nothing
        moves any more, so it would come after the ruling in the record, although it was played
        before. The rules would then apply to the flick a ruling that the players did not know, and
        a rewind would not take the flick back.
        """
        if self.flick_runs:
            raise InputError(
                "A flick is being played. Wait until all coins lie still, look at the match again,"
                " and then decide."
            )
        assert self.recorder is not None  # `begin` was called: the record has entries
        self.recorder.write(decided)
        self.tell()

    def answer(self, answer: QuestionAnswer) -> None:
        """Record the answer to an open question, and show its effect. An answer to a question that
        is not open is ignored.
        """
        with self.lock:
            if self.recorder is not None and self.recorder.rule(answer):
                self.tell()

    def tell(self) -> None:
        """Show the present state of the match."""
        with self.lock:
            if self.recorder is not None:
                self.show.standing(
                    self.recorder.fold, self.recorder.log(), self.recorder.folder.record
                )
