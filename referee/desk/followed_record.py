"""Shows a record on the dashboard while another program writes it, and appends to it what people
decide on the dashboard.
"""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from referee.desk.answers import reply_to
from referee.desk.entry_by_hand import hand_topic
from referee.desk.feed import Feed
from referee.desk.match_topics import record_topic, standing_topic
from referee.desk.page_topics.playing_area import ground_of
from referee.desk.page_topics.rest_positions import pawns_topic
from referee.desk.page_topics.table_state import TableState, table_state
from referee.desk.page_topics.topics import (
    CoinsTopic,
    DoingTopic,
    MatchTopic,
    Phase,
    Player,
    Topics,
)
from referee.desk.record_log import RecordLog
from referee.desk.record_tail import RecordTail
from referee.desk.ruling_desk import RulingDesk
from referee.domain.entry import Fact, Setup, plain
from referee.domain.errors import InputError
from referee.games.piecepack_croquet.state import GAME as LAWN
from referee.games.words import BOARD_GAMES
from referee.replay.adjudication import Adjudication, summary
from referee.replay.fold import Fold


class FollowedRecord(RulingDesk):
    """Shows a growing record on a feed, and appends the answers and rulings that people give
    through the feed.
    """

    def __init__(self, path: Path, feed: Feed) -> None:
        super().__init__()
        self.record = RecordTail(path)
        self.feed = feed
        self._log = RecordLog()
        self._shown_line: int | None = None
        self._doing("Waiting for the match to begin.")

    def look(self) -> bool:
        """Read and show what was added since the last look. Return whether anything was added.
        Raises InputError for entries that cannot be read.
        """
        with self.lock:
            changed = self.record.look()
            if self.record.fold is not None and (
                changed or self.record.unfinished_line != self._shown_line
            ):
                self._show(self.record.fold)
            return changed

    def listen(self, wait_s: float) -> bool:
        """Wait at most `wait_s` for an answer and append it; return whether one was appended.
        Raises InputError.
        """
        answer = self.feed.wait_for_answer("standing", wait_s)
        with self.lock:
            folded = self.record.fold
            if answer is None or folded is None:
                return False
            reply = reply_to(summary(folded).questions, answer, folded.entries)
            if reply is not None and not self.record.is_amid_line:
                self.record.append(reply)
                return True
        if reply is not None:  # the answer waits until another program has finished its line
            self.feed.answer("standing", answer)
            time.sleep(wait_s)
        return False

    @property
    def folded(self) -> Fold | None:
        """Return the match as far as it was read."""
        return self.record.fold

    def take_in(self) -> None:
        """Read what others have written, and show it."""
        self.look()

    def write(self, decided: Fact) -> None:
        """Append a ruling, a declaration or an incident. Raises InputError if the last line of the
        record is not complete.
        """
        if self.record.is_amid_line:
            raise InputError(
                "The record's last line is not complete: nothing can be written after it."
            )
        self.record.append(decided)

    def failed(self, text: str) -> None:
        """Show on the page why nothing more will come."""
        self._doing(text, phase="failed")

    def _doing(self, text: str, *, phase: Phase = "following", t_s: float | None = None) -> None:
        source = self.record.path.name
        topic = DoingTopic(phase=phase, text=text, t_s=t_s, share=None, source=source)
        self.feed.show(Topics(doing=topic))

    def _show(self, folded: Fold) -> None:
        adjudication = summary(folded)
        log = self._log.catch_up(folded, {})
        last_s = next((e.t_s for e in reversed(folded.entries) if e.t_s is not None), None)
        t_s = 0.0 if last_s is None else last_s
        self.feed.show(
            Topics(  # in one step: the pages judge new entries by all of these topics
                match=match_topic(folded.setup),
                table=ground_of(surveyed_setup(folded, log.table)),
                coins=self._lie(folded.setup, log.table, adjudication, t_s),
                evidence=log.evidence,
                rulings=log.rulings(folded),
                standing=standing_topic(adjudication),
                calls=list(adjudication.calls),
                irregularities=log.irregularities(adjudication.irregularities),
                hand=hand_topic(folded, log.table),
                record=record_topic(self.record.path, folded),
            )
        )
        line = self._shown_line = self.record.unfinished_line
        self._doing(
            (
                ""
                if line is None
                else f"The record's last line ({line}) is not complete, so it does not count yet."
            ),
            t_s=last_s,
        )

    def _lie(
        self, setup: Setup, table: TableState, adjudication: Adjudication, t_s: float
    ) -> CoinsTopic:
        if setup.game in (LAWN, *BOARD_GAMES):
            return pawns_topic(setup, adjudication.standings, t_s)
        return CoinsTopic(t_s=t_s, coins=table.lies, hand=False)


def match_topic(setup: Setup) -> MatchTopic:
    """Return the `match` topic: the game, who plays what, and the options."""
    players = msgspec.convert(plain(setup)["players"], list[Player])
    return MatchTopic(game=setup.game, players=players, options=dict(setup.options), tints={})


def surveyed_setup(folded: Fold, table: TableState | None = None) -> Setup:
    """Return the setup with the course and the table's edge as they were last surveyed. `table` is
    the table after all steps, if the caller has computed it already.
    """
    setup = folded.setup
    table = table_state(folded.steps) if table is None else table
    return msgspec.structs.replace(
        setup,
        layout=table.layout or setup.layout,
        table_edge_mm=table.table_edge_mm or setup.table_edge_mm,
    )
