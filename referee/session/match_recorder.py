"""Keeps a match on disk: the record, the paths of all flicks, and a clip of every flick."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final

import msgspec

from referee.desk.answers import reply_to
from referee.desk.evidence import evidence_of
from referee.desk.messages import QuestionAnswer
from referee.desk.topics import Evidence
from referee.detectors.chance import TICK_S
from referee.detectors.count import TableCount, counted
from referee.detectors.incidents import incidents_of
from referee.domain.entry import Entry, Fact, Setup
from referee.domain.episode import Episode
from referee.domain.geometry import Point
from referee.domain.incident import (
    AtRest,
    Contact,
    Flicked,
    Incident,
    LeftTable,
    Measured,
    Surveyed,
    Unseen,
)
from referee.domain.layout import Course
from referee.domain.path import Path
from referee.library.archive import MatchFolder, PathPoint
from referee.library.clips import ClipKeeper
from referee.record.record_file import RecordFile
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, fold
from referee.session.name_check import renamed_by, without_rests
from referee.tracking.trajectory.smooth import smooth_episode
from referee.vision.faces.exchange import Exchange

# Chosen: nothing was measured for these, except where a comment says so.

CLIP_LEAD_S: Final = 0.7  # what a clip shows before the flick
CLIP_TAIL_S: Final = 0.4  # and after nothing moves any more
LYING_S: Final = 0.05  # a path's points continue for so long after its coin has stopped
# A wrong survey shifts places that lie close to each other in almost the same way. When they are
# compared, this share of the shift is left. Measured: over 23 clips whose truth is known.
NEIGHBOURS_SHARE: Final = 0.51
PLACES_MM: Final = 2  # decimals written for places and margins


#: The standard error of a survey at a place on the table, mm along one axis.
SurveySigma = Callable[[Point], float]


def no_survey_sigma(at_mm: Point) -> float:
    """Return the error of an exact survey."""
    return 0.0


class MatchRecorder:
    """Writes one match to its folder. When nothing moves any more, it records the flick's incidents
    with their clip.
    """

    def __init__(
        self,
        folder: MatchFolder,
        record: RecordFile,
        entries: Sequence[Entry],
        home: Course,
        coins: Iterable[str],
        survey_sigma_mm: SurveySigma = no_survey_sigma,
    ) -> None:
        """Continue a record that holds `entries` (at least its setup). `home` is the course as it
        should be, and `survey_sigma_mm` the survey's error at a place.

        Times continue from the last one recorded. Another thread that reads the fold or writes must
        hold `lock` meanwhile.
        """
        self.lock = threading.RLock()
        self.folder = folder
        self.record = record
        self.fold: Fold = fold(entries)
        self.home = home
        self.survey_sigma_mm = survey_sigma_mm
        self.coins = frozenset(coins)
        lay = next((e.coins for e in reversed(entries) if isinstance(e, AtRest)), {})
        self.count = TableCount(frozenset(lay))
        self.flicks = sum(isinstance(e, Flicked) for e in entries)
        self.clips_begin_s: dict[str, float] = {}
        self.begun_s = max(
            (e.t_s for e in entries if isinstance(e, Measured) and e.t_s is not None), default=0.0
        )

    @classmethod
    def begin(
        cls,
        folder: MatchFolder,
        setup: Setup,
        home: Course,
        coins: Iterable[str],
        survey_sigma_mm: SurveySigma = no_survey_sigma,
    ) -> MatchRecorder:
        """Begin a new record with its setup. Raises InputError where it cannot be written."""
        return cls(
            folder, RecordFile.create(folder.record, setup), (setup,), home, coins, survey_sigma_mm
        )

    @classmethod
    def resume(
        cls,
        folder: MatchFolder,
        home: Course,
        coins: Iterable[str],
        survey_sigma_mm: SurveySigma = no_survey_sigma,
    ) -> MatchRecorder:
        """Continue the folder's record. Raises InputError where it cannot be read."""
        record, entries = RecordFile.resume(folder.record)
        return cls(folder, record, entries, home, coins, survey_sigma_mm)

    def keep(
        self,
        episode: Episode,
        clips: ClipKeeper | None,
        exchange: Exchange | None = None,
        guessed: Set[str] = frozenset(),
    ) -> tuple[Incident, ...]:
        """Find and record what happened in an episode. Return the incidents as recorded.

        A question about an `exchange` of names stands before them, because nobody knows when in the
        episode the names went wrong. Coins whose names are `guessed` and asked about are unseen
        where they lie.
        """
        paths = smooth_episode(episode)
        incidents = [i for i in incidents_of(episode, paths, self.home) if self.of_match(i)]
        if exchange is not None:
            incidents = without_rests(incidents, guessed & exchange.names.keys())
        incidents, self.count = counted(episode, incidents, self.count)
        if exchange is not None:
            first_s = incidents[0].t_s if incidents else episode.frames[-1].t_s
            incidents.insert(0, renamed_by(exchange, (first_s or 0.0) - TICK_S))
        flicks = sum(isinstance(i, Flicked) for i in incidents)
        clip = self._save_clip(episode, paths, clips) if clips is not None and flicks else None
        recorded = self._append(
            *(self._as_recorded(i, clip if not isinstance(i, AtRest) else None) for i in incidents)
        )
        if flicks:
            self.flicks += 1
            own = [path for path in paths if path.coin in self.coins]
            left_s = {i.coin: i.t_s for i in incidents if isinstance(i, LeftTable)}
            self.folder.append_paths(
                p
                for path in own
                for p in points_of(
                    path,
                    episode,
                    self.flicks,
                    self.begun_s,
                    self.survey_sigma_mm,
                    left_s.get(path.coin),
                )
            )
            self.flicks += flicks - 1
        return recorded

    def record_survey(self, survey: Surveyed) -> Incident:
        """Record that the camera was moved, and that its view was measured again."""
        return self._append(self._as_recorded(survey, None))[0]

    def record_places(
        self,
        coins: dict[str, tuple[float, float]],
        t_s: float,
        missing: Sequence[str] = (),
        unmeasured: frozenset[str] = frozenset(),
    ) -> None:
        """Record where the coins lie before the first flick. `missing` are the coins that should
        lie on the table as well, but were not seen; in a continued record, so are those that lay
        there at its end. `unmeasured` are the tiles that could not be measured.
        """
        known = {
            c: (round(x, PLACES_MM), round(y, PLACES_MM))
            for c, (x, y) in coins.items()
            if c in self.coins
        }
        places: list[Incident] = [AtRest(coins=known, t_s=round(t_s, 6))]
        lost = sorted({*missing, *self.count.seen} - set(known))
        for pieces in (sorted(unmeasured), lost):
            if pieces:
                at_s = round(t_s + len(places) * TICK_S, 6)
                places.append(Unseen(pieces=tuple(pieces), from_s=at_s, to_s=at_s, t_s=at_s))
        self._append(*(self._as_recorded(place, None) for place in places))
        self.count = TableCount(frozenset(known), frozenset(missing), unmeasured)

    def of_match(self, incident: Incident) -> bool:
        """Return whether an incident concerns coins of the match, not other coins on the table."""
        if isinstance(incident, Unseen):
            return any(not piece.startswith("?") for piece in incident.pieces)
        if isinstance(incident, Contact) and incident.with_.startswith("?"):
            return False
        coin = getattr(incident, "coin", None)
        return coin is None or coin in self.coins

    def _as_recorded(self, incident: Incident, clip: str | None) -> Incident:
        """Return the incident with its clip, the match's own times and the match's coins only."""
        t_s = None if incident.t_s is None else round(incident.t_s + self.begun_s, 6)
        own = msgspec.structs.replace(incident, id=None, clip=clip, t_s=t_s)
        if isinstance(own, AtRest):
            own = msgspec.structs.replace(
                own, coins={c: xy for c, xy in own.coins.items() if c in self.coins}
            )
        if isinstance(own, Flicked):
            own = msgspec.structs.replace(
                own, touching=tuple(c for c in own.touching if c in self.coins)
            )
        if isinstance(own, Unseen):
            pieces = tuple(p for p in own.pieces if not p.startswith("?"))
            own = msgspec.structs.replace(
                own, pieces=pieces, from_s=own.from_s + self.begun_s, to_s=own.to_s + self.begun_s
            )
        return own

    def _append(self, *incidents: Incident) -> tuple[Incident, ...]:
        """Write all incidents of a flick together, so that nobody else writes in between."""
        with self.lock:
            new = self.record.append(*incidents, letter="i")
            self._go_on(new)
        return tuple(one for one in new[len(new) - len(incidents) :] if isinstance(one, Measured))

    def _go_on(self, new: Sequence[Fact]) -> None:
        for entry in new:
            self.fold.push(entry)

    def read_appended(self) -> bool:
        """Read what others have appended to the record. Return whether there was anything. Raises
        InputError for entries that cannot be read.
        """
        new = self.record.look()
        self._go_on(new)
        return bool(new)

    def _save_clip(self, episode: Episode, paths: Sequence[Path], clips: ClipKeeper) -> str | None:
        """Save the flick's clip. Return its name within the folder; None when its frames are not in
        memory any more.
        """
        runs = [r for p in paths for r in p.runs]
        begin = min((r.begin_s for r in runs), default=episode.frames[0].t_s)
        end = max((min(r.end_s, r.stop_s) for r in runs), default=episode.frames[-1].t_s)
        target = self.folder.clip(f"flick-{self.flicks + 1:04d}", clips.format.suffix)
        saved = clips.save(begin - CLIP_LEAD_S, end + CLIP_TAIL_S, target)
        if saved is None:
            return None
        name = f"{target.parent.name}/{target.name}"
        self.clips_begin_s[name] = round(saved.from_s + self.begun_s, 6)
        return name

    def rule(self, answer: QuestionAnswer) -> bool:
        """Record a player's answer to the open question, as a ruling or as a declaration. Return
        False when the question is no longer open.
        """
        reply = reply_to(summary(self.fold).questions, answer, self.fold.entries)
        if reply is None:
            return False
        self.write(reply)
        return True

    def write(self, decided: Fact) -> None:
        """Record a person's decision. Raises InputError where the record does not allow it."""
        self._go_on(self.record.append(decided, letter="r"))

    def evidence(self) -> dict[str, Evidence]:
        """Return what the calls rest on, for people who look again."""
        return evidence_of(self.fold.entries, self.clips_begin_s)

    def close(self) -> None:
        """Close the record."""
        self.record.close()


def points_of(
    path: Path,
    episode: Episode,
    flick: int,
    begun_s: float = 0.0,
    survey_sigma_mm: SurveySigma = no_survey_sigma,
    left_s: float | None = None,
) -> list[PathPoint]:
    """Return a moved coin's smoothed places, one for every frame from just before it moved until it
    lay still. `begun_s` is added to the times.

    For a coin that left the table at `left_s`, the first frame after that is the last. For a coin
    that was lost, the places end where it was last seen. A share of the survey's error
    there, `survey_sigma_mm`, is part of sigma.
    """
    if not path.runs:
        return []
    begin, end = path.runs[0].begin_s, _end_s(path, episode, left_s)
    seen = {s.frame for s in path.sightings}
    points = []
    for frame in episode.frames:
        at = path.position_at(frame.t_s)
        if at is not None and begin <= frame.t_s <= end:
            sigma_mm = math.hypot(path.sigma_at(frame.t_s), NEIGHBOURS_SHARE * survey_sigma_mm(at))
            points.append(
                PathPoint(
                    flick,
                    path.coin,
                    frame.t_s + begun_s,
                    at[0],
                    at[1],
                    sigma_mm,
                    frame.number in seen,
                )
            )
    return points


def _end_s(path: Path, episode: Episode, left_s: float | None) -> float:
    """Return until when a moved coin's place is known, s."""
    last = path.runs[-1]
    end = min(last.end_s, last.stop_s) + LYING_S
    if path.rest_after_mm is None:
        end = min(end, last.end_s)
    if left_s is None or left_s < last.begin_s:
        return end
    return min(end, next((frame.t_s for frame in episode.frames if frame.t_s >= left_s), end))
