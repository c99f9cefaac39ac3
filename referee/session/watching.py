"""`referee watch`: reads frames, writes a record, and shows the dashboard meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Final

from calibration.store.piece_store import PieceSet
from calibration.table.surveyed_table import SurveyedTable
from referee.desk.feed import Feed
from referee.domain.call import Call, Irregularity
from referee.domain.episode import Episode
from referee.domain.errors import InputError
from referee.domain.incident import Flicked, Incident
from referee.games.words import option
from referee.library.archive import MatchFolder, open_folder
from referee.library.clips import ClipKeeper
from referee.replay.adjudication import peek, summary
from referee.session.camera_notes import CameraNotes
from referee.session.coin_naming import (
    missing_line,
    name_coins,
    named_by_place,
    renamed,
    unsure_line,
)
from referee.session.coin_questions import CoinQuestions
from referee.session.dashboard import serve_dashboard, shown_name
from referee.session.input_checks import (
    check_names,
    check_overlay,
    check_resumed,
    check_size,
    check_table,
    surveyed,
)
from referee.session.live_rulings import LiveRulingDesk
from referee.session.live_view import LiveView
from referee.session.match_recorder import MatchRecorder
from referee.session.name_check import NameCheck, mistakable
from referee.session.progress import FrameProgress
from referee.session.resuming import LeftOff, Part, begin_part, left_off, note
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.face_gathering import FACE_PATCHES
from referee.session.seeing.overlay_drawing import OverlayDrawing
from referee.session.watch_options import WatchOptions
from referee.vision.faces.exchange import Exchange
from referee.vision.overlay.video_overlay import OverlayWriter
from referee.vision.sources.frame import CameraMode, VideoFrame
from referee.vision.sources.video import Source, open_source

# Chosen: nothing was measured for these, except where a comment says so.

UNSURE_NAMES: Final = 3  # the exit status when a coin's name stays unsure and nobody can be asked
EMPTY_TABLE_S: Final = 0.4  # after so long without any coin, the match begins without coins
#: What people can do where a coin is missing and nobody can be asked.
WHERE_MISSING: Final = (
    "Say where one lies with --name COIN=X,Y, or write on_table: false in the match's file"
)
LEAST_PATCHES: Final = 8  # so many patches of each face before names are tried
# The wait for an answer is restarted after this time, so that an interruption is noticed.
LISTEN_S: Final = 0.5
PROVISIONAL_EVERY_S: Final = 0.1  # calls are computed so often while coins move


class NamesUnsureError(Exception):
    """Raised when it is not clear which coin is which and nobody can be asked. Its text is the
    whole line to show.
    """


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
    waiting: list[Episode] = field(default_factory=list)
    unowned: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    recorded: list[Incident] = field(default_factory=list)
    left_off: LeftOff | None = None
    part: Part | None = None
    questions: CoinQuestions = field(init=False)
    name_check: NameCheck = field(init=False)
    _camera: CameraNotes = field(default_factory=CameraNotes)
    _last_provisional_s: float = -1.0
    _frames: int = 0

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
        """Return the view on which the run is shown."""
        return self.ruling_desk.show

    def take(self, frame: VideoFrame) -> None:
        """Process one frame. Afterwards, `recorded` holds what could be recorded with it."""
        self._frames += 1
        self.recorded = []
        if self.clips is not None:
            for packet in frame.packets:
                self.clips.add(packet)
        episode = self.builder.take(frame)
        if not self.builder.ready:
            return
        self._check_survey()
        self.take_answer(0.0)
        if episode is not None:
            self.waiting.append(episode)
        if self.recorder is None:
            self._try_names(frame.t_s, final=self._coin_moves())
        if self.recorder is not None:
            self._name_newcomers(final=self._coin_moves())
            self._keep_waiting()
            waits_since_s = self.builder.steady_camera.waits_since_s(frame.t_s)
            self._say_notes(*self._camera.waits(waits_since_s, frame.t_s))
            if self.recorded and self.part is not None:
                note(self.folder, self.part, frame.t_s)
            names = self.name_check.believed(self.recorder.fold.entries)
            self.show.coins(self.builder, frame.t_s, self.recorder.flicks + 1, names)
            self._provisional(frame.t_s)

    def _check_survey(self) -> None:
        """Refuse a survey of another table than the one in the picture. Otherwise every call would
        be wrong, and none would look wrong.
        """
        if self.builder.unlike_survey is not None:
            raise InputError(
                f"{self.options.table}: {self.builder.unlike_survey}: was the camera or the table"
                " moved since the survey? survey it again"
            )

    def finish(self) -> None:
        """Close what is still open, as far as it was seen, because the source has ended."""
        if self.left_off is not None and not self._frames:
            self.say(f"{self.options.source} is recorded to its end: nothing is left to referee")
            return
        if not self.builder.ready:
            what = (
                "is a single picture, not a video"
                if self._frames == 1
                else "the video ended before the coins on the table were known"
            )
            raise InputError(f"{self.options.source}: {what}")
        episode = self.builder.finish()
        if episode is not None:
            self.waiting.append(episode)
        if self.recorder is None:
            self._try_names(0.0, final=True)
        self._name_newcomers(final=True)
        self._keep_waiting()
        self.ruling_desk.flick_runs = False

    def _coin_moves(self) -> bool:
        return any(c.sightings for c in self.builder.tracker.coins.values())

    def _fewest_patches(self, numbers: Sequence[str]) -> int:
        """Return how many patches there are of the least seen of these coins' faces."""
        return min(
            (len(self.builder.faces[n].patches) if n in self.builder.faces else 0 for n in numbers),
            default=0,
        )

    def _try_names(self, t_s: float, *, final: bool) -> None:
        """Name the coins once their faces are known well enough. `final` says that play begins and
        naming cannot wait any longer.

        A match may begin without a coin on the table.
        """
        known, coins = self.builder.known(), self.options.match.coins
        if not known and t_s > self.builder.opened_s + EMPTY_TABLE_S:
            self._begin({})
            return
        patches = self._fewest_patches(list(known))
        if not final and patches < LEAST_PATCHES:
            return
        recorded_mm = {} if self.left_off is None else self.left_off.names_mm(known.values())
        given_mm = {
            **self.options.names_mm,
            **recorded_mm,
        }  # in a resumed match, the recorded places replace those given for its beginning
        told, unseen_mm = named_by_place(known, given_mm)
        free = [coin for coin in coins if coin not in unseen_mm]
        elsewhere = self.questions.off_table
        naming = name_coins(known, self.builder.faces, self.pieces, free, told, elsewhere)
        if naming.unsure and not final and patches < FACE_PATCHES:
            return
        if naming.unsure and not self.options.ui:
            raise NamesUnsureError(unsure_line(naming, known, coins))
        naming = self.questions.ask_names(known, free, told, elsewhere)
        self._begin({**naming.names, **self.questions.lay_told(unseen_mm)})

    def _begin(self, names: Mapping[str, str]) -> None:
        """Start to record, because all coins are named. Coins that belong to nobody keep their
        provisional names (such as `?3`).
        """
        missing: tuple[str, ...] = ()
        if not self.folder.resumed:
            names, missing = self.questions.find_missing(names)
        self._rename(names)
        self.name_check.begin(self.builder.resting(), self.builder.faces)
        if (picture := self.builder.last_picture()) is not None:
            self.builder.measured.try_again(picture)
        self.recorder = self._recorder()
        if self.left_off is None:
            self.part = begin_part(self.folder, self.options.source, self.recorder.begun_s)
        else:
            self.part, self.recorder.begun_s = self.left_off.part, self.left_off.part.begun_s
        opening = {names.get(coin, coin): r.at_mm for coin, r in self.builder.opening.items()}
        self.recorder.record_places(
            opening, self.builder.opened_s, missing, self.builder.measured.unmeasured
        )
        if missing:
            expected = len(self.options.match.coins) - len(self.questions.off_table)
            self.say(f"{missing_line(missing, expected)}. {WHERE_MISSING}")
        self._say_notes(*self.builder.measured.notes())
        self._show_course()
        self.show.doing("watching", "Watching.")
        self.ruling_desk.begin(self.recorder)

    def _show_course(self) -> None:
        notes = [*self._camera.shown, *self.builder.measured.notes()]
        self.show.course(self.builder.course, notes)

    def _say_notes(self, *notes: str) -> None:
        """Print notes, and show the course with all notes that hold now."""
        for line in notes:
            self.say(f"{line[0].upper()}{line[1:]}.")
        if notes:
            self._show_course()

    def _recorder(self) -> MatchRecorder:
        """Return the recorder of this match, which begins or continues its record."""
        coins, course = self.options.match.coins, self.builder.course
        if self.folder.resumed:
            return MatchRecorder.resume(self.folder, course, coins, self.table.sigma_mm)
        setup = self.options.match.setup(self.table.sizes, course, self.table.edge_mm)
        return MatchRecorder.begin(self.folder, setup, course, coins, self.table.sigma_mm)

    def _rename(self, names: Mapping[str, str]) -> None:
        """Rename the coins in the episode builder and in the episodes that wait to be recorded.
        Coins that still have no name belong to nobody.
        """
        self.builder.rename(names)
        self.waiting = [renamed(episode, names) for episode in self.waiting]
        self.unowned |= {c for c in self.builder.known() if c.startswith("?")}

    def _name_newcomers(self, *, final: bool) -> None:
        """Name the coins that came onto the table since, by their faces. Only names that are not on
        the table are possible.
        """
        known = self.builder.known()
        new = [n for n in known if n.startswith("?") and n not in self.unowned]
        if not new or (not final and self._fewest_patches(new) < LEAST_PATCHES):
            return
        lying = self.builder.resting()
        absent = [c for c in self.options.match.coins if c not in lying]
        lain = {n: known[n] for n in new}
        naming = name_coins(lain, self.builder.faces, self.pieces, absent, {}, absent)
        if naming.unsure and self._fewest_patches(new) < FACE_PATCHES and not final:
            return
        if naming.unsure and self.options.ui:
            naming = self.questions.ask_names(lain, absent, {}, absent)
        self.guessed |= {naming.names[n] for n in naming.unsure if n in naming.names}
        self._rename(naming.names)

    def _keep_waiting(self) -> None:
        """Record the waiting episodes, unless a coin in one still needs a name."""
        assert self.recorder is not None
        if any(n.startswith("?") and n not in self.unowned for n in self.builder.known()):
            return
        if self.recorder.count.never_seen:
            self.guessed |= {coin for episode in self.waiting for coin in mistakable(episode)}
        guessed = frozenset(self.guessed)
        exchange = self._disagreement() if self.waiting else None
        for episode in self.waiting:
            incidents = self.recorder.keep(episode, self.clips, exchange, guessed)
            if exchange is not None and incidents[0].id is not None:
                self.name_check.asked[incidents[0].id] = exchange
            exchange = None
            if incidents:
                self.recorded += incidents
                self._say_calls(incidents)
                self._show_course()
                self.ruling_desk.tell()
        self.waiting = []
        for since_s, survey in self.builder.bumps:
            self.recorded.append(self.recorder.record_survey(survey))
            self._say_notes(*self._camera.moved(survey.moved_px or 0.0, since_s))
            self.ruling_desk.tell()
        self.builder.bumps.clear()

    def _disagreement(self) -> Exchange | None:
        """Return which names the faces of the coins at rest contradict, if any."""
        assert self.recorder is not None
        guessed, self.guessed = self.guessed, set()
        return self.name_check.disagreement(
            self.builder.resting(), self.builder.faces, guessed, self.recorder.fold.entries
        )

    def _say_calls(self, incidents: Sequence[Incident]) -> None:
        """Print what the rules make of what was just recorded."""
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

        This also reads the rulings that others have written to the record meanwhile.
        """
        answer = self.show.feed.wait_for_answer("standing", timeout_s)
        self.ruling_desk.take_in()
        if answer is not None:
            self.ruling_desk.answer(answer)

    def close(self) -> None:
        """Close the record, if there is one."""
        self.ruling_desk.end()

    def _provisional(self, t_s: float) -> None:
        """Show what the rules would make of what has been seen of a flick so far."""
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


def watch(options: WatchOptions) -> int:
    """Referee a match from its source. Return the exit status. Raises InputError for inputs that
    cannot be used.
    """
    table, pieces = surveyed(options)
    check_table(options, table)
    check_names(options, table)
    check_resumed(options)
    check_overlay(options)
    feed = Feed()
    with ExitStack() as stack:
        folder = None if options.overwrite else _folder(options, stack)
        show = LiveView(feed, options.match, table, shown_name(options.source), pieces)
        ruling_desk = LiveRulingDesk(show)
        if options.ui:
            serve_dashboard(options, feed, ruling_desk, stack)
        stack.push(show.failure)
        show.doing("setting_up", "Opening the video.")
        source = stack.enter_context(
            open_source(
                options.source,
                options.realtime,
                threads=0,
                camera=CameraMode(*options.camera_px, options.camera_fps),
            )
        )
        check_size(options, table, source.properties)
        # What is overwritten is deleted last, when everything else has been checked.
        return _referee(
            options, table, pieces, folder or _folder(options, stack), ruling_desk, source, stack
        )


def _referee(
    options: WatchOptions,
    table: SurveyedTable,
    pieces: PieceSet | None,
    folder: MatchFolder,
    ruling_desk: LiveRulingDesk,
    source: Source,
    stack: ExitStack,
) -> int:
    properties, show = source.properties, ruling_desk.show
    overlay = (
        stack.enter_context(OverlayWriter(options.overlay, properties))
        if options.overlay is not None
        else None
    )
    with FrameProgress("Refereeing", properties.frames) as bar:
        run = MatchWatch(
            options,
            table,
            pieces,
            folder,
            ruling_desk,
            bar.say,
            EpisodeBuilder(table, table.view.camera.exposure_s or 0.0, properties.full_range),
        )
        run.left_off = left_off(folder, options.source)
        if run.left_off is not None:
            bar.say(
                f"Continuing after {run.left_off.t_s:.2f} s of {options.source}, which are recorded"
                " already"
            )
        stack.callback(run.close)
        show.doing("setting_up", "Finding the coins.")
        try:
            _play(run, source, bar, overlay)
        except NamesUnsureError as unsure:
            show.doing("failed", str(unsure))
            click_echo(str(unsure))
            return UNSURE_NAMES
        for note in source.notes:
            bar.say(note)
        bar.say(f"Recorded in {folder.path}")
        if source.shortfall is not None:
            raise InputError(source.shortfall)
        show.doing("finished", "The video has ended.", share=1.0)
    if options.ui and options.linger:
        _linger(run)
    return 0


def _play(
    run: MatchWatch, source: Source, bar: FrameProgress, overlay: OverlayWriter | None
) -> None:
    """Process the source's frames to its end."""
    duration_s, drawing = source.properties.duration_s, OverlayDrawing()
    for frame in source:
        if run.clips is None and source.clip_format is not None:
            run.clips = ClipKeeper(source.clip_format)
        if run.left_off is None or frame.t_s > run.left_off.t_s:
            run.take(frame)
        bar.update(frame.number, frame.t_s)
        run.show.progress(frame.t_s, min(1.0, frame.t_s / duration_s) if duration_s else None)
        if overlay is not None:
            overlay.write(frame.bgr(), drawing.marks(run.builder, run.recorded), frame.t_s)
    run.finish()


def click_echo(line: str) -> None:
    """Print one line on standard error."""
    print(line, file=sys.stderr)


def _folder(options: WatchOptions, stack: ExitStack) -> MatchFolder:
    """Return the match's folder. A folder created for a match that then never began is removed
    again.
    """
    folder = open_folder(options.out, resume=options.resume, overwrite=options.overwrite)
    stack.callback(folder.remove_if_unused)
    return folder


def _linger(run: MatchWatch) -> None:
    """Keep serving the dashboard and taking answers until interrupted."""
    print("The dashboard stays open; end it with Ctrl-C.", flush=True)
    with suppress(KeyboardInterrupt):
        while True:
            run.take_answer(LISTEN_S)
    print("Ended.", flush=True)
