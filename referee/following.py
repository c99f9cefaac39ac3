"""A record that some program writes, shown on the dashboard as it grows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from referee.adjudication import summary
from referee.answers import ruling_on
from referee.entry import Entry, Setup, course_of, named, plain, sizes_of
from referee.errors import InputError
from referee.evidence import evidence_of
from referee.feed import Feed
from referee.fold import Fold
from referee.games.players import FieldError
from referee.incident import AtRest, LeftTable, Placed
from referee.record import decode_entry, line_of
from referee.record_check import Soundness

#: Games whose course can be drawn as tiles on a table.
DRAWN = ("tabletop-croquet", "castle-croquetnole", "carroms")


class Growing:
    """A record's file, read on from where the last look ended. Begins anew when the file was written anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begin()

    def _begin(self) -> None:
        self.fold: Fold | None = None
        self._soundness: Soundness | None = None
        self._read_bytes = 0
        self._lines = 0
        self._inode = -1

    @property
    def read_bytes(self) -> int:
        """How much of the file has been taken in."""
        return self._read_bytes

    def look(self) -> bool:
        """Take in what has come since the last look; whether anything has. Raises InputError for what cannot be read."""
        try:
            with self.path.open("rb") as file:
                now = os.fstat(file.fileno())
                if now.st_ino != self._inode or now.st_size < self._read_bytes:
                    self._begin()
                    self._inode = now.st_ino
                file.seek(self._read_bytes)
                fresh = file.read()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from error
        before = self._read_bytes
        for line in fresh.splitlines(keepends=True):
            if not line.endswith(b"\n") and not _is_whole(line):
                break
            self._take(line)
            self._read_bytes += len(line)
        return self._read_bytes > before

    def _take(self, line: bytes) -> None:
        self._lines += 1
        if not line.strip():
            if self._soundness is not None:
                self._soundness.skip_line()
            return
        try:
            self._add(decode_entry(line, None if self._soundness is None else self._soundness.setup.game))
        except FieldError as error:
            raise InputError(f"{self.path}: line {self._lines}: {error}") from error

    def _add(self, entry: Entry) -> None:
        if self._soundness is None or self.fold is None:
            if not isinstance(entry, Setup):
                raise FieldError("entry", "a record starts with its setup")
            self._soundness, self.fold = Soundness(entry), Fold(entry)
            for _ in range(self._lines - 1):
                self._soundness.skip_line()
            return
        self._soundness.add(entry)
        assert not isinstance(entry, Setup)  # a second setup has just been refused
        self.fold.push(named(entry, f"#{self._lines}"))


def _is_whole(line: bytes) -> bool:
    """Whether a line without an end is all there: what is being written is no JSON yet."""
    try:
        msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return True


class Following:
    """Shows a growing record on a feed, and writes the answers given there into it as rulings."""

    def __init__(self, path: Path, feed: Feed) -> None:
        self.record = Growing(path)
        self.feed = feed
        self._shown: Setup | None = None
        self._doing("Waiting for the match to begin.")

    def look(self) -> bool:
        """Show what has come since the last look; whether anything has. Raises InputError for what cannot be read."""
        changed = self.record.look()
        if changed and self.record.fold is not None:
            self._show(self.record.fold)
        return changed

    def listen(self, wait_s: float) -> bool:
        """Wait for an answer at most `wait_s` and write it into the record; whether one was written. Raises InputError."""
        answer = self.feed.wait_for_answer("standing", wait_s)
        folded = self.record.fold
        if answer is None or folded is None:
            return False
        ruling = ruling_on(summary(folded).questions, answer)
        if ruling is None:
            return False
        self._append(line_of(msgspec.structs.replace(ruling, id=self._free_id(folded))))
        return True

    def _free_id(self, folded: Fold) -> str:
        number = len(folded.entries) + 2
        while folded.has(f"r{number}"):
            number += 1
        return f"r{number}"

    def _append(self, line: bytes) -> None:
        path = self.record.path
        try:
            with path.open("rb+") as file:
                end = file.seek(0, os.SEEK_END)
                if end:
                    file.seek(end - 1)
                    line = line if file.read(1) == b"\n" else b"\n" + line
            with path.open("ab") as file:  # in one write at the end, wherever that is by now
                file.write(line)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from error

    def failed(self, text: str) -> None:
        """Say on the page why nothing more comes."""
        self._doing(text, phase="failed")

    def _doing(self, text: str, *, phase: str = "following", t_s: float | None = None) -> None:
        self.feed.publish("doing", {"phase": phase, "text": text, "t_s": t_s, "share": None, "source": self.record.path.name})

    def _show(self, folded: Fold) -> None:
        if folded.setup is not self._shown:
            self._shown = folded.setup
            self.feed.publish("match", match_topic(folded.setup))
            self.feed.publish("table", table_topic(folded.setup))
        times = [entry.t_s for entry in folded.entries if entry.t_s is not None]
        self.feed.publish("coins", coins_topic(folded, times[-1] if times else 0.0))
        self.feed.publish("evidence", evidence_of(folded.entries, {}))
        self.feed.publish("standing", summary(folded).as_json())
        self._doing("Following the record.", t_s=times[-1] if times else None)


def match_topic(setup: Setup) -> dict[str, Any]:
    """Who plays what, as the pages take it."""
    players = [{name: value for name, value in player.items() if name != "progress"} for player in plain(setup)["players"]]
    return {"game": setup.game, "players": players, "options": dict(setup.options), "tints": {}}


def table_topic(setup: Setup) -> dict[str, Any] | None:
    """The course from above, as the pages take it; None for a game that is not drawn."""
    if setup.game not in DRAWN:
        return None
    course, sizes = course_of(setup), sizes_of(setup)
    lines = {name: {"left_mm": line.left_mm, "right_mm": line.right_mm} for name, line in course.lines.items()}
    edge_mm = list(setup.table_edge_mm or ())
    return {"edge_mm": edge_mm, "sides": [], **course.as_layout(), "lines": lines, "tile_mm": sizes.tile_mm, "coin_mm": sizes.coin_mm}


def coins_topic(folded: Fold, t_s: float) -> dict[str, Any]:
    """Where the coins were last said to lie, as the pages take it."""
    coins: dict[str, dict[str, Any]] = {}
    for step in folded.steps:
        match step.item.entry:
            case _ if not step.item.counts:
                continue
            case AtRest(coins=lying) if lying:
                coins = {name: {"at_mm": at, "state": "rest"} for name, at in lying.items()}
            case Placed(coin=coin, at_mm=at):
                coins[coin] = {"at_mm": at, "state": "off_table" if at is None else "rest"}
            case LeftTable(coin=coin):
                coins[coin] = {"at_mm": None, "state": "off_table"}
    return {"t_s": t_s, "coins": coins, "hand": False}
