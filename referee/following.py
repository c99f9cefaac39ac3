"""A record that some program writes, shown on the dashboard as it grows; what people decide there is appended to it."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import msgspec

from referee.adjudication import Adjudication, summary
from referee.answers import reply_to
from referee.comparing import ruling_makes
from referee.entry import Ruling, Setup, plain
from referee.errors import InputError
from referee.evidence import evidence_of
from referee.explaining import explain
from referee.feed import Feed
from referee.fold import Fold
from referee.ground import BOARDS, LAWN, ground_of
from referee.growing import Growing
from referee.incident import Surveyed
from referee.lying import coins_topic, pawns_topic
from referee.record import line_of, parse_record


class Following:
    """Shows a growing record on a feed, and writes into it what is answered and ruled there.

    `explain`, `weigh` and `rule` may be called from any thread while one looks and listens.
    """

    def __init__(self, path: Path, feed: Feed) -> None:
        self.record = Growing(path)
        self.feed = feed
        self._told_line: int | None = None
        self._lock = threading.RLock()
        self._doing("Waiting for the match to begin.")

    def look(self) -> bool:
        """Show what has come since the last look; whether anything has. Raises InputError for what cannot be read."""
        with self._lock:
            changed = self.record.look()
            if self.record.fold is not None and (changed or self.record.unfinished_line != self._told_line):
                self._show(self.record.fold)
            return changed

    def listen(self, wait_s: float) -> bool:
        """Wait for an answer at most `wait_s` and write it into the record; whether one was written. Raises InputError."""
        answer = self.feed.wait_for_answer("standing", wait_s)
        with self._lock:
            folded = self.record.fold
            if answer is None or folded is None:
                return False
            reply = reply_to(summary(folded).questions, answer, folded.entries)
            if reply is not None and not self.record.is_amid_line:
                self.record.append(reply)
                return True
        if reply is not None:  # somebody is writing a line: the answer waits until it is whole
            self.feed.answer("standing", answer)
            time.sleep(wait_s)
        return False

    def explain(self, on: str) -> dict[str, Any]:
        """Why the rules made of an entry what they made of it, as plain values. Raises InputError."""
        with self._lock:
            folded = self._known()
            why = explain([folded.first_setup, *folded.entries], on).as_json()
            return {name: why[name] for name in ("on", "state", "rulings", "clauses")}

    def weigh(self, ruling: Ruling) -> dict[str, Any]:
        """What a ruling would change, as plain values, beside `entries`: the number of entries it was weighed against. Raises InputError."""
        with self._lock:
            folded = self._known()
            ruling = self._sound(folded, ruling)
            return {"entries": len(folded.entries), **ruling_makes([folded.first_setup, *folded.entries], ruling).as_json()}

    def rule(self, ruling: Ruling, entries: int) -> None:
        """Append a ruling that was weighed against so many `entries`. Raises InputError where there are more by now, or it cannot stand."""
        with self._lock:
            self.look()
            folded = self._known()
            if len(folded.entries) != entries:
                raise InputError("The match has gone on meanwhile: see again what the ruling would change.")
            if self.record.is_amid_line:
                raise InputError("The record's last line is not whole: nothing can be written behind it.")
            self.record.append(ruling)

    def _known(self) -> Fold:
        if self.record.fold is None:
            raise InputError("The match has not begun.")
        return self.record.fold

    def _sound(self, folded: Fold, ruling: Ruling) -> Ruling:
        """The ruling with an id, where it can stand in the record. Raises InputError."""
        named = msgspec.structs.replace(ruling, id=self._free_id(folded))
        known = self.record.content
        parse_record(known + (b"" if known.endswith(b"\n") else b"\n") + line_of(named), self.record.path.name)
        return named

    def _free_id(self, folded: Fold) -> str:
        number = len(folded.entries) + 2
        while folded.has(f"r{number}"):
            number += 1
        return f"r{number}"

    def failed(self, text: str) -> None:
        """Say on the page why nothing more comes."""
        self._doing(text, phase="failed")

    def _doing(self, text: str, *, phase: str = "following", t_s: float | None = None) -> None:
        self.feed.publish("doing", {"phase": phase, "text": text, "t_s": t_s, "share": None, "source": self.record.path.name})

    def _show(self, folded: Fold) -> None:
        adjudication = summary(folded)
        times = [entry.t_s for entry in folded.entries if entry.t_s is not None]
        t_s = times[-1] if times else 0.0
        self.feed.publish("match", match_topic(folded.setup))
        self.feed.publish("table", ground_of(surveyed_setup(folded)))
        self.feed.publish("coins", self._lie(folded, adjudication, t_s))
        self.feed.publish("evidence", evidence_of(folded.entries, {}))
        self.feed.publish("rulings", rulings_topic(folded))
        self.feed.publish("standing", adjudication.as_json())
        line = self._told_line = self.record.unfinished_line
        self._doing("" if line is None else f"The record's last line ({line}) is not whole. It counts once it is.", t_s=times[-1] if times else None)

    def _lie(self, folded: Fold, adjudication: Adjudication, t_s: float) -> dict[str, Any]:
        if folded.setup.game in (LAWN, *BOARDS):
            return pawns_topic(folded.setup, adjudication.standings, t_s)
        return coins_topic(folded.steps, t_s)


def match_topic(setup: Setup) -> dict[str, Any]:
    """Who plays what, as the pages take it."""
    players = [{name: value for name, value in player.items() if name != "progress"} for player in plain(setup)["players"]]
    return {"game": setup.game, "players": players, "options": dict(setup.options), "tints": {}}


def surveyed_setup(folded: Fold) -> Setup:
    """The setup with the course and the table's edge as they were last surveyed."""
    setup = folded.setup
    for step in folded.steps:
        match step.item.entry:
            case Surveyed(layout=layout, table_edge_mm=edge_mm) if step.item.counts:
                setup = msgspec.structs.replace(setup, layout=layout or setup.layout, table_edge_mm=edge_mm or setup.table_edge_mm)
    return setup


def rulings_topic(folded: Fold) -> list[dict[str, Any]]:
    """The rulings of a record in their order, each with `holds`: whether no later one on it says that it does not."""
    made = [entry for entry in folded.entries if isinstance(entry, Ruling)]
    shown = ("id", "on", "after", "other", "verdict", "by", "reason", "then")
    return [{**{name: value for name, value in plain(ruling).items() if name in shown}, "holds": folded.rulings.in_force(ruling)} for ruling in made]
