"""Keeps a match on disk: the record, the paths of all flicks, and a clip of every flick."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

import msgspec

from referee.desk.answers import reply_to
from referee.desk.messages import QuestionAnswer
from referee.desk.record_log import RecordLog
from referee.detectors.count import TableCount, as_recorded, counted, lost_in
from referee.detectors.identity_switch import names_unknown
from referee.detectors.incidents import in_order, incidents_of
from referee.detectors.likeliest_flick import likeliest_flicks
from referee.domain.declaration import CastleCroquet
from referee.domain.entry import Entry, Fact, Setup
from referee.domain.episode import Episode
from referee.domain.incident import (
    TICK_S,
    AtRest,
    Contact,
    Flicked,
    Incident,
    Measured,
    Surveyed,
    Unseen,
)
from referee.domain.layout import Course
from referee.domain.path import Path
from referee.games.castle_croquetnole.guessing import with_croquets
from referee.library.archive import MatchFolder, PathPoint
from referee.library.clips import ClipKeeper
from referee.record.record_file import RecordFile, UnwritableError
from referee.replay.adjudication import summary
from referee.replay.fold import Fold, fold
from referee.session.naming.name_check import renamed_by, with_unsure_names, without_rests
from referee.session.recording.disk_room import Reserve, Troubles
from referee.session.recording.flick_clips import FlickClips
from referee.session.recording.flick_points import SurveySigma, no_survey_sigma, points_of_flick
from referee.session.recording.resuming import PLACES_MM, Part, Recorded
from referee.tracking.trajectory.smooth import smooth_episode
from referee.vision.faces.exchange import Exchange


class MatchRecorder:
    """Writes one match to its folder: what each flick brought, once all is still, and its clip."""

    def __init__(
        self,
        folder: MatchFolder,
        record: RecordFile,
        entries: Sequence[Entry],
        home: Course,
        coins: Iterable[str],
        survey_sigma_mm: SurveySigma = no_survey_sigma,
        part: Part | None = None,
    ) -> None:
        """Continue a record that holds `entries` (at least its setup). `home` is the course as it
        should be, and `survey_sigma_mm` gives the survey's error at a place. `part` is the part of
        the record that was made from this source before: the same entries come again, and are not
        written twice.

        Without `part`, times continue from the last recorded time. Another thread that reads the
        fold or writes must hold `lock` while it does so.
        """
        self.lock = threading.RLock()
        self.folder = folder
        self.record = record
        before, self.recorded = Recorded.of_part(entries, part)
        self.fold: Fold = fold(before)
        self.home = home
        self.survey_sigma_mm = survey_sigma_mm
        self.coins = frozenset(coins)
        lay = next((e.coins for e in reversed(before) if isinstance(e, AtRest)), {})
        self.count = TableCount(frozenset(lay), lost=lost_in(self.fold.effective_entries))
        self.flicks = sum(isinstance(e, Flicked) for e in before)
        self._log = RecordLog()
        self.written = False  # whether anything was added to the record
        self.troubles = Troubles()
        self.clips = FlickClips(folder, self.troubles)
        self.reserve = Reserve(folder.path)
        times_s = (e.t_s for e in before if isinstance(e, Measured) and e.t_s is not None)
        self.begun_s = max(times_s, default=0.0) if part is None else part.begun_s

    @classmethod
    def begin(
        cls,
        folder: MatchFolder,
        setup: Setup,
        home: Course,
        coins: Iterable[str],
        survey_sigma_mm: SurveySigma = no_survey_sigma,
    ) -> MatchRecorder:
        """Begin a new record with its setup. Raises InputError if it cannot be written."""
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
        part: Part | None = None,
    ) -> MatchRecorder:
        """Continue the folder's record. Raises InputError if it cannot be read."""
        record, entries = RecordFile.resume(folder.record)
        recorder = cls(folder, record, entries, home, coins, survey_sigma_mm, part)
        with suppress(OSError):  # remove the paths of a flick that was never recorded
            folder.put_paths(sum(isinstance(e, Flicked) for e in entries) + 1, ())
        return recorder

    def keep(
        self,
        episode: Episode,
        clips: ClipKeeper | None,
        exchange: Exchange | None = None,
        in_question: Mapping[str, float] = MappingProxyType({}),
    ) -> tuple[Incident, ...]:
        """Find and record what happened in an episode. Return the incidents as recorded.

        A question about an `exchange` of names comes first, because nobody knows when the names
        became wrong. Its coins, and those still `in_question` (see NameCheck), have no place of
        rest, and what they do is not certain. `troubles` gets a line if clips or paths cannot be
        saved. Raises UnwritableError if the record cannot be written; then try again later.
        """
        paths = smooth_episode(episode)
        found = [i for i in incidents_of(episode, paths, self.home) if self.of_match(i)]
        if exchange is not None:
            in_question = {**in_question, **dict.fromkeys(exchange.names, 1 - exchange.probability)}
        incidents = without_rests(with_unsure_names(found, in_question), in_question.keys())
        incidents = [*in_order(likeliest_flicks(incidents, paths))]
        incidents, count = counted(episode, incidents, self.count)
        if exchange is not None:
            first_s = incidents[0].t_s if incidents else episode.frames[-1].t_s
            incidents.insert(0, renamed_by(exchange, (first_s or 0.0) - TICK_S))
        incidents += names_unknown(episode, incidents, self.coins)
        flicks = sum(isinstance(i, Flicked) for i in incidents)
        clip, points = None, list[PathPoint]()
        if clips is not None and flicks:
            clip = self.clips.save(self.flicks + 1, episode, paths, clips, self.begun_s)
        if flicks:
            points = self._save_paths(episode, paths, incidents)
        recorded = self._append_with(clip, self._with_guesses(incidents))
        if clip is not None:
            self.clips.outline(clip, episode, paths, points, recorded, self.begun_s)
        self.count = as_recorded(count.not_lost(in_question.keys()), self.fold.effective_entries)
        self.flicks += flicks
        return recorded

    def _with_guesses(self, incidents: Sequence[Incident]) -> Sequence[Incident | CastleCroquet]:
        """Return the incidents, and add the croquets that the referee guesses from the moves of
        hands. If the record holds the incidents already, nothing is added.
        """
        if self.fold.setup.game != "castle-croquetnole" or self.recorded.is_ahead:
            return incidents
        said = [entry for entry in self.fold.entries if isinstance(entry, CastleCroquet)]
        state = self.fold.steps[-1].state if self.fold.steps else self.fold.begun
        return with_croquets(state, incidents, guessed=bool(said) and said[-1].guessed)

    def _append_with(
        self, clip: str | None, incidents: Sequence[Incident | CastleCroquet]
    ) -> tuple[Incident, ...]:
        """Record a flick with its clip. If there is no space for both, remove the clip."""

        def named(name: str | None) -> list[Incident | CastleCroquet]:
            return [
                self._as_recorded(i, None if isinstance(i, AtRest) else name) for i in incidents
            ]

        try:
            return self._append(*named(clip))
        except UnwritableError:
            if clip is not None:
                self.clips.drop(clip)
            self.reserve.release()
            return self._append(*named(None))

    def _save_paths(
        self, episode: Episode, paths: Sequence[Path], incidents: Sequence[Incident]
    ) -> list[PathPoint]:
        """Write the paths of a flick to `paths.csv`, and return the places written."""
        flick = self.flicks + 1
        own = [path for path in paths if path.coin in self.coins]
        points = points_of_flick(own, episode, flick, incidents, self.begun_s, self.survey_sigma_mm)
        try:
            self.folder.put_paths(flick, points)
        except OSError as error:
            self.troubles.met("paths", f"The paths cannot be saved ({error.strerror})")
        else:
            self.troubles.over("paths", "The paths are saved again")
        return points

    def record_alone(self, incident: Surveyed | Unseen) -> tuple[Incident, ...]:
        """Record what happened to the camera: it was moved, or gave no pictures."""
        return self._append_with(None, [incident])

    def record_places(
        self,
        coins: dict[str, tuple[float, float]],
        t_s: float,
        missing: Sequence[str] = (),
        unmeasured: frozenset[str] = frozenset(),
        unseen_from_s: float | None = None,
    ) -> None:
        """Record where the coins lie before the first flick. `missing` are coins that should also
        lie on the table but were not seen. In a continued record, coins that lay on the table at
        its end and are not seen count as missing, too. `unmeasured` are the tiles that could not be
        measured. Nobody saw the table from `unseen_from_s`, s in the match, until now.
        """
        known = {
            c: (round(x, PLACES_MM), round(y, PLACES_MM))
            for c, (x, y) in coins.items()
            if c in self.coins
        }
        places: list[Incident] = [AtRest(coins=known, t_s=round(t_s, 6))]
        gap: list[Incident] = []
        if unseen_from_s is not None:
            from_s, to_s = unseen_from_s - self.begun_s, round(t_s - TICK_S, 6)
            gap = [Unseen(pieces=tuple(sorted(self.coins)), from_s=from_s, to_s=to_s, t_s=to_s)]
        lost = sorted({*missing, *self.count.seen} - set(known))
        for pieces in (sorted(unmeasured), lost):
            if pieces:
                at_s = round(t_s + len(places) * TICK_S, 6)
                places.append(Unseen(pieces=tuple(pieces), from_s=at_s, to_s=at_s, t_s=at_s))
        self._append(*(self._as_recorded(place, None) for place in (*gap, *places)))
        away = self.count.lost.union(lost).difference(missing, known)
        self.count = TableCount(frozenset(known), frozenset(missing), unmeasured, away)

    def of_match(self, incident: Incident) -> bool:
        """Return whether an incident concerns coins of the match, not other coins on the table."""
        if isinstance(incident, Unseen):
            return any(not piece.startswith("?") for piece in incident.pieces)
        if isinstance(incident, Contact) and incident.with_.startswith("?"):
            return False
        coin = getattr(incident, "coin", None)
        return coin is None or coin in self.coins

    def _as_recorded(
        self, incident: Incident | CastleCroquet, clip: str | None
    ) -> Incident | CastleCroquet:
        """Return the incident with its clip, with the times of the match, and with only the coins
        of the match.
        """
        t_s = None if incident.t_s is None else round(incident.t_s + self.begun_s, 6)
        if isinstance(incident, CastleCroquet):
            return msgspec.structs.replace(incident, t_s=t_s)
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
                own,
                pieces=pieces,
                from_s=round(own.from_s + self.begun_s, 6),
                to_s=round(own.to_s + self.begun_s, 6),
            )
        return own

    def _append(self, *incidents: Incident | CastleCroquet) -> tuple[Incident, ...]:
        """Write all incidents of a flick together, so that nobody else writes in between. An
        incident that is recorded already is returned as it was recorded.
        """
        with self.lock:
            held = tuple(self.recorded.entries)
            known: list[Fact] = []
            new: list[Fact] = []
            found: list[Fact] = []
            for incident in incidents:
                if new or isinstance(incident, CastleCroquet):  # a guess is a new one
                    reached = None
                else:
                    reached = self.recorded.reach(incident)
                if reached is None:
                    new.append(incident)
                else:
                    known += reached
                    found += [e for e in reached if isinstance(e, Measured)][-1:]
            if new:
                known += self.recorded.rest()
                try:
                    written = self.record.append(*new, letter="i")
                except UnwritableError:
                    self.recorded.entries = deque(held)
                    raise
                known += written
                found += written[len(written) - len(new) :]
                self.written = True
                self.reserve.keep()
            self._go_on(known)
        return tuple(one for one in found if isinstance(one, Measured))

    def _go_on(self, new: Sequence[Fact]) -> None:
        self.fold.push_all(new)
        self.count = as_recorded(self.count, self.fold.effective_entries)

    def read_appended(self) -> bool:
        """Read what others have appended to the record. Return whether there was anything. Raises
        InputError for entries that cannot be read.
        """
        new = self.record.look()
        if self.recorded.is_ahead:
            self.recorded.entries.extend(new)
        else:
            self._go_on(new)
        return bool(new)

    def rule(self, answer: QuestionAnswer) -> bool:
        """Record a player's answer to the open question, as a ruling or as a declaration. Return
        False if the question is no longer open.
        """
        reply = reply_to(summary(self.fold).questions, answer, self.fold.entries)
        if reply is not None:
            self.write(reply)
        return reply is not None

    def write(self, decided: Fact) -> None:
        """Record a person's decision. Raises InputError if the record does not allow it."""
        self._go_on(self.record.append(decided, letter="r"))

    def log(self) -> RecordLog:
        """Return what pages show of the record, brought up to date."""
        return self._log.catch_up(self.fold, self.clips.begin_s)

    def close(self) -> None:
        """Close the record."""
        self.reserve.release()
        self.record.close()
