"""One run of `referee watch`: takes frames, names the coins, and records what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from calibration.store.piece_store import PieceSet
from calibration.table.surveyed_table import SurveyedTable
from referee.detectors.identity_switch import identity_switches
from referee.domain.call import Call, Irregularity
from referee.domain.entry import Entry
from referee.domain.episode import Episode
from referee.domain.errors import InputError
from referee.domain.incident import Flicked, Incident, Measured, Unseen
from referee.games.words import option
from referee.library.archive import MatchFolder
from referee.library.clips import ClipKeeper
from referee.record.reading import recover_record
from referee.record.record_file import UnwritableError
from referee.replay.adjudication import peek, summary
from referee.session.begin_record import begin_record
from referee.session.camera_notes import CameraNotes
from referee.session.coin_questions import CoinQuestions
from referee.session.interrupts import undisturbed
from referee.session.live_rulings import LiveRulingDesk
from referee.session.live_view import LiveView
from referee.session.naming.coin_naming import (
    absent_of,
    moved_strangers,
    name_coins,
    numbered,
    print_among,
    renamed,
    unsure_line,
    untangled,
)
from referee.session.naming.given_places import named_by_place
from referee.session.naming.motion_names import exchange_by_motion
from referee.session.naming.name_check import NameCheck, mistakable
from referee.session.recording.clip_outlines import SeenViews
from referee.session.recording.match_recorder import MatchRecorder
from referee.session.recording.resuming import Part, Recorded, last_part
from referee.session.retaken_source import LOOK_S, RETRY_S
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.face_gathering import FACE_PATCHES
from referee.session.seeing.survey_check import survey_again
from referee.session.watch_options import WatchOptions
from referee.vision.faces.exchange import Exchange
from referee.vision.sources.frame import VideoFrame

# Chosen: nothing was measured for these, except where a comment says so.

EMPTY_TABLE_S: Final = 0.4  # after this long without any coin, the match begins without coins
#: The line that says what people can do if a coin is missing and nobody can be asked.
WHERE_MISSING: Final = (
    "Say where one lies with --name COIN=X,Y, or write on_table: false in the match's file"
)
GAP_S: Final = 1.0  # a live source without pictures for this long may have missed anything
RETRY_FRAMES: Final = 60  # frames between two attempts to write a record that cannot be written
LEAST_PATCHES: Final = 8  # coins are named once this many patches of each face are collected
PROVISIONAL_EVERY_S: Final = 0.1  # calls are computed this often while coins move


class NamesUnsureError(Exception):
    """Raised if names of coins are unsure and nobody can be asked. The text is for the user."""


@dataclass
class MatchWatch:
    """One run over one source."""

    options: WatchOptions
    table: SurveyedTable
    pieces: PieceSet | None
    folder: MatchFolder
    ruling_desk: LiveRulingDesk
    say: Callable[[str], None]
    builder: EpisodeBuilder
    recorder: MatchRecorder | None = None
    clips: ClipKeeper | None = None
    views: SeenViews = field(default_factory=SeenViews)
    waiting: list[Episode] = field(default_factory=list)
    exchanged: Exchange | None = None  # to be asked about with the waiting episode
    unowned: set[str] = field(default_factory=set)
    doubted: set[str] = field(default_factory=set)  # things that seemed to be nobody's for a time
    guessed: set[str] = field(default_factory=set)
    recorded: list[Incident] = field(default_factory=list)
    part: Part | None = None
    recorded_before: Recorded | None = None
    questions: CoinQuestions = field(init=False)
    name_check: NameCheck = field(init=False)
    _camera: CameraNotes = field(default_factory=CameraNotes)
    _last_provisional_s: float = -1.0
    _frames: int = 0
    begins: bool = True  # nothing that happened is recorded yet
    live: bool = False
    gap: Unseen | None = None  # when there were no pictures, until it is recorded
    _last_s: float | None = None  # the time of the last frame
    _waited: bool = False

    def __post_init__(self) -> None:
        """Prepare the questions about coins."""
        self.questions = CoinQuestions(
            self.options.match, self.pieces, self.builder, self.show, self.options.ui
        )
        match = self.options.match
        low, high = option(match.options, match.game, "too_close_band")
        self.name_check = NameCheck(self.pieces, match.coins, (float(low), float(high)))

    @property
    def show(self) -> LiveView:
        """Return the view on which this run is shown."""
        return self.ruling_desk.show

    def take(self, frame: VideoFrame) -> None:
        """Process one frame. Afterwards, `recorded` holds what could be recorded with it."""
        self._frames += 1
        self.recorded = []
        self._notice_gap(frame.t_s)
        if self.clips is not None:
            for packet in frame.packets:
                self.clips.add(packet)
        episode = self.builder.take(frame)
        if not self.builder.ready:
            return
        self.views.add(frame.t_s, self.builder.view_now)
        self._check_survey()
        self.take_answer(0.0)
        if episode is not None:
            self._take_episode(episode)
        if self.recorder is None:
            self._try_names(frame.t_s, final=self._coin_moves())
        if self.recorder is not None:
            self._name_newcomers(final=self._coin_moves())
            self._keep_waiting()
            waits_since_s = self.builder.steady_camera.lost_since_s(frame.t_s)
            self._say_notes(*self._camera.waits(waits_since_s, frame.t_s))
            names = self.name_check.believed(self.recorder.fold.entries)
            self.show.coins(self.builder, frame.t_s, self.recorder.flicks + 1, names)
            self._provisional(frame.t_s)

    def _take_episode(self, episode: Episode) -> None:
        """Add an episode to those that wait to be recorded. A thing that nobody owned may be a coin
        that was lost during this episode. The program then names each such thing by its face, once.
        """
        self.waiting.append(self._named_by_motion(episode))
        unowned, coins = self.unowned - self.doubted, self.builder.tracker.coins
        self.doubted |= moved_strangers(episode, unowned, self.options.match.coins, coins)
        self.unowned -= self.doubted & unowned

    def _check_survey(self) -> None:
        """Refuse a survey of another table than the picture shows. Such a survey would make every
        call wrong, and no call would look wrong.
        """
        if self.builder.unlike_survey is not None:
            raise InputError(
                f"{self.options.table}: {self.builder.unlike_survey}; {survey_again(self.table)}"
            )

    def _notice_gap(self, t_s: float) -> None:
        """Note a time without pictures in a live source: anything may have happened then."""
        before_s, self._last_s = self._last_s, t_s
        if not self.live or before_s is None or t_s - before_s < GAP_S:
            return
        if self._waited:
            self._waited = False
            self.say(f"Pictures came again after {t_s - before_s:.0f} s.")
            self.show.doing("watching", "Watching.", t_s)
        if self.recorder is None:
            return
        from_s = before_s if self.gap is None else self.gap.from_s
        coins = tuple(sorted(self.options.match.coins))
        self.gap = Unseen(pieces=coins, from_s=from_s, to_s=t_s, t_s=t_s)

    def wait_for_pictures(self, since_s: float, for_s: float, why: str) -> None:
        """Show that no pictures come, and take answers for a moment. `since_s` is the time of the
        last picture.
        """
        if not self._waited:
            self._waited = True
            self.say(f"{why}. No pictures; trying again every {RETRY_S:.0f} s until they come.")
        text = f"No pictures for {for_s:.0f} s ({why}). Trying again every {RETRY_S:.0f} s."
        self.show.doing("watching", text, since_s)
        self.take_answer(LOOK_S)

    def _record_gap(self) -> None:
        """Record a time without pictures, after the flick that this gap may have interrupted."""
        assert self.recorder is not None
        if self.gap is not None and not self._coin_moves():
            self.recorded += self.recorder.record_alone(self.gap)
            self.gap = None
            self.ruling_desk.tell()

    def finish(self) -> None:
        """Record what was seen of an unfinished flick, because the source has ended."""
        if not self.builder.ready:
            what = (
                "is a single picture, not a video"
                if self._frames == 1
                else "the video ended before the coins on the table were known"
            )
            raise InputError(f"{self.options.source}: {what}")
        episode = self.builder.finish()
        if episode is not None:
            self._take_episode(episode)
        if self.recorder is None:
            self._try_names(0.0, final=True)
        self._name_newcomers(final=True)
        self._keep_waiting(final=True)
        self.ruling_desk.flick_runs = False
        recorder = self.recorder
        if self.part is not None and self.folder.resumed and recorder and not recorder.written:
            self.say(f"{self.options.source} is recorded to its end: nothing is left to referee")

    def _coin_moves(self) -> bool:
        return any(c.sightings for c in self.builder.tracker.coins.values())

    def _try_names(self, t_s: float, *, final: bool) -> None:
        """Name the coins once their faces are known well enough. `final` says that play begins and
        naming cannot wait any longer.

        A match may begin without a coin on the table.
        """
        known, coins = self.builder.known(), self.options.match.coins
        if not known and t_s > self.builder.opened_s + EMPTY_TABLE_S:
            self._begin({})
            return
        patches = self.builder.gathered.fewest_patches(list(known))
        if not final and patches < LEAST_PATCHES:
            return
        lay = {**self.builder.opening, **known}  # a coin that people name may have moved since
        told, unseen_mm = named_by_place(lay, self.options.names_mm)
        free = [coin for coin in coins if coin not in unseen_mm]
        elsewhere, faces = self.questions.off_table, self.builder.faces
        lying = {number: rest.at_mm for number, rest in known.items()}
        ruled = self.options.match.ruled_faces(lying, self.table.sizes.coin_mm)
        naming = name_coins(known, faces, self.pieces, free, told, elsewhere, ruled)
        if naming.unsure and not final and patches < FACE_PATCHES:
            return
        if recorded_mm := self._recorded().opening()[0]:
            # the recorded places replace those given, also for coins that only people had placed
            told, unseen_mm = named_by_place(lay, recorded_mm)
            free = [coin for coin in coins if coin not in unseen_mm]
            naming = name_coins(known, faces, self.pieces, free, told, elsewhere, ruled)
        if naming.unsure and not self.options.ui:
            raise NamesUnsureError(unsure_line(naming, known, coins))
        naming = self.questions.ask_names(known, free, told, elsewhere, ruled)
        seen = [coin for coin in coins if coin not in unseen_mm]
        names = numbered(naming.names, known, seen, frozenset(told.values()))
        self._begin({**names, **self.questions.name_given_places(unseen_mm, names)})

    def _recorded(self) -> Recorded:
        """Return the entries that the record already holds from this source."""
        if self.recorded_before is None:
            entries: tuple[Entry, ...] = ()
            if self.folder.resumed:
                entries = recover_record(self.folder.record).entries
            seen = [rest.at_mm for rest in self.builder.opening.values()]
            opened_s = self.builder.opened_s
            self.part = last_part(self.folder, self.options.source, entries, opened_s, seen)
            _, self.recorded_before = Recorded.of_part(entries, self.part)
            self.begins = not any(isinstance(entry, Measured) for entry in entries)
            if self.recorded_before.is_ahead:
                until_s = self.recorded_before.until_s - (self.part.begun_s if self.part else 0.0)
                self.say(
                    f"Refereeing {self.options.source} again from its beginning; its first"
                    f" {until_s:.2f} s are recorded already"
                )
        return self.recorded_before

    def _begin(self, names: Mapping[str, str]) -> None:
        """Start to record, because all coins are named. Coins that belong to nobody keep their
        provisional names (such as `?3`).
        """
        missing: tuple[str, ...] = ()
        recorded = self._recorded()
        if self.begins:
            names, missing = self.questions.find_missing(names)
        elif recorded.is_ahead:
            missing = self.questions.missing(names, recorded.opening()[1])
        self._rename(names)
        tracker = self.builder.tracker
        tracker.forget(print_ := print_among(self.unowned, tracker.coins, self.builder.faces))
        if self.builder.analysis is not None:
            self.builder.analysis.forget_print(print_)
        self.unowned -= print_
        self.name_check.begin(self.builder.resting(), self.builder.faces)
        self.builder.gathered.shows_coin = self.name_check.shows_coin
        if picture := self.builder.last_picture():
            self.builder.measured.try_again(picture)
        course = self.waiting[0].course_before if self.waiting else self.builder.course
        self.recorder, unseen_from_s = begin_record(
            self.options, self.folder, course, self.table, self.part
        )
        self.recorder.clips.views = self.views
        opening = {names.get(coin, coin): r.at_mm for coin, r in self.builder.opening.items()}
        self.recorder.record_places(
            opening, self.builder.opened_s, missing, self.builder.measured.unmeasured, unseen_from_s
        )
        if missing:
            self.say(f"{self.questions.missing_words(missing)}. {WHERE_MISSING}")
        self._say_notes(*self.builder.measured.notes())
        self._show_course()
        self.show.doing("watching", "Watching.")
        self.ruling_desk.begin(self.recorder)

    def _show_course(self) -> None:
        troubles = () if self.recorder is None else self.recorder.troubles.lasting
        notes = [*self._camera.shown, *self.builder.measured.notes(), *troubles]
        self.show.course(self.builder.course, notes)

    def _say_notes(self, *notes: str) -> None:
        """Print new notes, and show the course with all notes that are still valid."""
        for line in notes:
            self.say(f"{line[0].upper()}{line[1:]}.")
        if notes:
            self._show_course()

    def _rename(self, names: Mapping[str, str]) -> None:
        """Rename the coins in the episode builder and in the episodes that wait to be recorded.
        Coins that then still have no name belong to nobody.
        """
        self.builder.rename(names)
        self.waiting = [renamed(episode, names) for episode in self.waiting]
        self.unowned |= {c for c in self.builder.known() if c.startswith("?")}

    def _name_newcomers(self, *, final: bool) -> None:
        """Name the coins that came onto the table during play, by their faces. Only names of coins
        that are not on the table are possible.
        """
        known = self.builder.known()
        new = [n for n in known if n.startswith("?") and n not in self.unowned]
        if not new or (not final and self.builder.gathered.fewest_patches(new) < LEAST_PATCHES):
            return
        absent, away = absent_of(self.options.match.coins, self.builder.tracker.coins)
        away |= not self.doubted.isdisjoint(new)
        lain, faces = {n: known[n] for n in new}, self.builder.faces
        naming = name_coins(lain, faces, self.pieces, absent, {}, absent, away=away)
        if naming.unsure and self.builder.gathered.fewest_patches(new) < FACE_PATCHES and not final:
            return
        assert self.recorder is not None
        if naming.unsure and (told := self.recorder.recorded.names_of(lain, absent)):
            naming = name_coins(lain, faces, self.pieces, absent, told, absent)
        if naming.unsure and self.options.ui:
            naming = self.questions.ask_names(lain, absent, {}, absent)
        self.guessed |= {naming.names[n] for n in naming.unsure if n in naming.names}
        self._rename(naming.names)

    def _keep_waiting(self, *, final: bool = False) -> None:
        """Record the waiting episodes, unless a coin on the table still needs a name. If the record
        cannot be written, the episodes go on waiting; with `final`, this raises InputError.
        """
        assert self.recorder is not None
        if any(n.startswith("?") and n not in self.unowned for n in self.builder.known()):
            return
        troubles = self.recorder.troubles
        if "record" in troubles.met_now and self._frames % RETRY_FRAMES and not final:
            return
        try:
            with undisturbed():
                self._record_waiting()
        except UnwritableError as error:
            if final:
                raise
            troubles.met(
                "record", f"{error}. The referee goes on, and writes it when there is room"
            )
        else:
            if self.recorded:
                troubles.check_room(self.folder.path)
            troubles.over("record", "The record is written again")
        self._say_notes(*troubles.take_unsaid())

    def _record_waiting(self) -> None:
        """Record the waiting episodes in order, and what happened to the camera."""
        assert self.recorder is not None
        if self.recorder.count.never_seen:
            self.guessed |= {coin for episode in self.waiting for coin in mistakable(episode)}
        for episode in self.waiting:
            self.guessed.update(*(switch.coins for switch in identity_switches(episode)))
        guessed = frozenset(self.guessed)
        exchange = self._disagreement() if self.waiting else None
        exchange, self.exchanged = exchange or self.exchanged, None
        if exchange is not None and self._put_right(exchange):
            exchange = None
        while self.waiting:
            ahead = self.recorder.recorded.is_ahead
            try:
                in_question = self.name_check.in_question(self.recorder.fold.entries)
                incidents = self.recorder.keep(self.waiting[0], self.clips, exchange, in_question)
            except UnwritableError:
                self.guessed |= guessed
                raise
            del self.waiting[0]
            if exchange is not None:
                self.name_check.ask(incidents, exchange)
            exchange = None
            if incidents:
                self.recorded += incidents
                if not ahead:
                    self._say_calls(incidents)
                self._show_course()
                self.ruling_desk.tell()
        while self.builder.bumps:
            since_s, survey = self.builder.bumps[0]
            self.recorded += self.recorder.record_alone(survey)
            del self.builder.bumps[0]
            self._say_notes(*self._camera.moved(survey.moved_px or 0.0, since_s))
            self.ruling_desk.tell()
        self._record_gap()

    def _named_by_motion(self, episode: Episode) -> Episode:
        """Return the episode with the names of two coins corrected, if motion and faces are sure.
        If an exchange is only possible, the program asks about it when it records the episode.
        """
        entries = self.recorder.fold.entries if self.recorder is not None else ()
        lying, faces = self.builder.resting(), self.builder.faces
        found = exchange_by_motion(
            episode, lambda names: self.name_check.exchange_log_odds(names, lying, faces, entries)
        )
        low, high = self.name_check.band
        if found is None or found.exchange.probability < low:
            return episode
        if found.exchange.probability >= high:
            self.builder.rename(found.exchange.names)
            return found.mended
        if not any(name.startswith("?") for name in found.exchange.names):
            self.exchanged = found.exchange
        return episode

    def _put_right(self, exchange: Exchange) -> bool:
        """Correct the names of coins that got each other's names in the one flick that waits to be
        recorded, if their faces leave no doubt. Return whether this was done.

        People are asked instead if names may have been wrong before, or more has happened since.
        """
        sure = exchange.probability >= self.name_check.band[1]
        if not sure or len(self.waiting) != 1 or self.name_check.asked or self._coin_moves():
            return False
        episode = untangled(self.waiting[0], exchange.names)
        if episode is None:
            return False
        self.builder.rename(exchange.names)
        self.waiting = [episode]
        return True

    def _disagreement(self) -> Exchange | None:
        """Return which names the faces of the coins at rest contradict, if any."""
        assert self.recorder is not None
        guessed, self.guessed = self.guessed, set()
        return self.name_check.disagreement(
            self.builder.resting(), self.builder.faces, guessed, self.recorder.fold.entries
        )

    def _say_calls(self, incidents: Sequence[Incident]) -> None:
        """Print the calls and questions that follow from the incidents just recorded."""
        assert self.recorder is not None
        ids = {i.id for i in incidents}
        with self.recorder.lock:
            outcome = summary(self.recorder.fold)
        verdicts: list[Call | Irregularity] = [*outcome.calls, *outcome.irregularities]
        for verdict in verdicts:
            if verdict.on in ids:
                self.say(f"{verdict.text} ({verdict.rule})")
        for question in outcome.questions:
            self.say(f"Question: {question.text}")

    def take_answer(self, timeout_s: float) -> None:
        """Wait at most `timeout_s` for a player's answer to an open question, and record it.

        This also reads the rulings that others have written to the record in the meantime.
        """
        answer = self.show.feed.wait_for_answer("standing", timeout_s)
        self.ruling_desk.take_in()
        if answer is not None:
            self.ruling_desk.answer(answer)

    def close(self) -> None:
        """Close the record, if there is one."""
        self.ruling_desk.end()

    def _provisional(self, t_s: float) -> None:
        """Show the provisional calls on what has been seen of a flick so far."""
        if not self._coin_moves():
            self.ruling_desk.flick_runs = bool(self.waiting)
        elif t_s - self._last_provisional_s >= PROVISIONAL_EVERY_S:
            assert self.recorder is not None
            self._last_provisional_s = t_s
            incidents = [i for i in self.builder.provisional() if self.recorder.of_match(i)]
            self.ruling_desk.flick_runs = bool(self.waiting) or any(
                isinstance(i, Flicked) for i in incidents
            )
            with self.recorder.lock:
                recorded = len(summary(self.recorder.fold).calls)
                self.show.provisional(
                    peek(self.recorder.fold, incidents).calls[recorded:] if incidents else (),
                    incidents,
                )
