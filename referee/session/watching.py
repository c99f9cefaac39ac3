"""`referee watch`: reads frames, writes a record, and serves the dashboard at the same time."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from calibration.store.piece_store import PieceSet
from calibration.table.surveyed_table import SurveyedTable
from referee.desk.feed import Feed
from referee.desk.ruling_desk import RulingDesk
from referee.domain.errors import InputError
from referee.library.archive import MatchFolder, open_folder
from referee.library.clips import ClipKeeper
from referee.session.castle_question import ask_castle
from referee.session.input_checks import (
    UnansweredError,
    check_names,
    check_overlay,
    check_resumed,
    check_size,
    check_table,
    surveyed,
)
from referee.session.live_rulings import LiveRulingDesk
from referee.session.live_view import LiveView
from referee.session.match_watch import MatchWatch, NamesUnsureError
from referee.session.progress import FrameProgress
from referee.session.recording.folder_lock import folder_lock
from referee.session.retaken_source import RetakenSource
from referee.session.seeing.checked_overlay import CheckedOverlay
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.session.seeing.overlay_drawing import OverlayDrawing
from referee.session.watch_options import WatchOptions
from referee.vision.overlay.video_overlay import OverlayWriter
from referee.vision.sources.address import without_password
from referee.vision.sources.frame import CameraMode
from referee.vision.sources.video import Source, open_source

#: The exit status when people must say first which castle is Moons', or which coin is which, but
#: nobody can be asked.
UNANSWERED: Final = 3
# Chosen: one wait for an answer lasts so long, so that the program notices an interruption.
LISTEN_S: Final = 0.5
# Chosen: new problems of a live source are reported once in this many frames, about every second.
NOTES_FRAMES: Final = 60
_NUMBER: Final = re.compile(r"\d+")


def watch(options: WatchOptions) -> int:
    """Referee a match from its source. Return the exit status. Raises InputError for inputs that
    cannot be used.
    """
    try:
        table, pieces = surveyed(options)
    except UnansweredError as unanswered:
        return _unanswered(unanswered)
    check_table(options, table)
    check_names(options, table)
    check_overlay(options)
    feed = Feed()
    with ExitStack() as stack:
        there = _held(options, stack)
        # With `overwrite`, the old match is deleted only after everything else has been checked.
        late = there and options.overwrite and not options.resume
        folder = None if late else _folder(options, there, stack)
        check_resumed(options)
        show = LiveView(feed, options.match, table, _shown_name(options.source), pieces)
        ruling_desk = LiveRulingDesk(show)
        if options.greeting:
            print(options.greeting, flush=True)
        if options.ui:
            serve_dashboard(options, feed, ruling_desk, stack)
        stack.push(show.failure)
        show.doing("setting_up", "Opening the video.")
        if table.castle_assumed is not None:
            try:
                with _opened(options) as seen:
                    table = ask_castle(options, table, show, seen)
            except UnansweredError as unanswered:
                return _unanswered(unanswered)
            check_names(options, table)
        source = stack.enter_context(_opened(options))
        check_size(options, table, source.properties)
        folder = folder or _folder(options, there, stack)
        return _referee(options, table, pieces, folder, ruling_desk, source, stack)


def _unanswered(unanswered: UnansweredError) -> int:
    """Print what people must say first, and return the exit status."""
    click_echo(str(unanswered))
    return UNANSWERED


def serve_dashboard(
    options: WatchOptions, feed: Feed, ruling_desk: RulingDesk, stack: ExitStack
) -> None:
    """Serve the dashboard until `stack` is closed, and open it if there is a browser. `ruling_desk`
    takes the rulings that people make on it.

    Raises InputError if the address or the port is not available.
    """
    from web_ui.opening import open_dashboard

    open_dashboard(options.hosting, feed, MatchFolder(options.out), ruling_desk, stack)


def _shown_name(source: str) -> str:
    """Return the name of a source for the dashboard: a file's name without folders, or an address
    without its password.
    """
    return without_password(source) if "://" in source else Path(source).name


def _opened(options: WatchOptions) -> Source:
    """Open the source. Raises InputError if there is no video."""
    usual = CameraMode()
    size_px = options.camera_px or (usual.width, usual.height)
    mode = CameraMode(*size_px, options.camera_fps or usual.fps)
    return open_source(options.source, options.realtime, threads=0, camera=mode)


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
        None
        if options.overlay is None
        else stack.enter_context(
            CheckedOverlay(OverlayWriter(options.overlay, properties), click_echo)
        )
    )
    with FrameProgress("Refereeing", properties.frames) as bar:
        run = MatchWatch(
            options,
            table,
            pieces,
            folder,
            ruling_desk,
            bar.say,
            EpisodeBuilder(
                table,
                table.view.camera.exposure_s or 0.0,
                properties.full_range,
                len(options.match.coins),
            ),
        )
        stack.callback(run.close)
        show.doing("setting_up", "Finding the coins.")
        taken = source
        run.live = "://" in options.source or options.source.isdecimal()
        if run.live and not options.once:
            taken = stack.enter_context(
                RetakenSource(source, lambda: _opened(options), run.wait_for_pictures)
            )
        try:
            _play(run, taken, bar, overlay)
        except NamesUnsureError as unsure:
            show.doing("failed", str(unsure))
            click_echo(str(unsure))
            return UNANSWERED
        for note in taken.notes:
            bar.say(note)
        bar.say(f"Recorded in {folder.path}")
        if taken.shortfall is not None:
            raise InputError(taken.shortfall)
        show.doing("finished", "The video has ended.", share=1.0)
    if options.ui and options.linger:
        _linger(run)
    return 0


class SourceNotes:
    """Reports the problems of a live source while it runs. A note that differs only in its count is
    not reported again.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._said: set[str] = set()

    def tell(self, notes: Iterable[str]) -> None:
        """Report the notes that are new."""
        for note in notes:
            kind = _NUMBER.sub("#", note)
            if kind not in self._said:
                self._said.add(kind)
                self._say(note)


def _play(
    run: MatchWatch, source: Source, bar: FrameProgress, overlay: CheckedOverlay | None
) -> None:
    """Process the source's frames to its end."""
    duration_s, drawing = source.properties.duration_s, OverlayDrawing()
    notes = SourceNotes(bar.say)
    for frame in source:
        if run.live and frame.number % NOTES_FRAMES == 0:
            notes.tell(source.notes)
        if source.clip_format is not None and (
            run.clips is None or run.clips.format is not source.clip_format
        ):
            run.clips = ClipKeeper(source.clip_format)
        run.take(frame)
        bar.update(frame.number, frame.t_s)
        run.show.progress(frame.t_s, min(1.0, frame.t_s / duration_s) if duration_s else None)
        if overlay is not None:
            overlay.write(frame.bgr(), drawing.marks(run.builder, run.recorded), frame.t_s)
    run.finish()
    if overlay is not None:
        overlay.close()


def click_echo(line: str) -> None:
    """Print one line on standard error."""
    print(line, file=sys.stderr)


def _held(options: WatchOptions, stack: ExitStack) -> bool:
    """Lock the match's folder if it exists, and return whether it exists. Raises InputError if
    another program referees into it.
    """
    there = options.out.is_dir()
    if there:
        stack.enter_context(folder_lock(options.out))
    return there


def _folder(options: WatchOptions, there: bool, stack: ExitStack) -> MatchFolder:
    """Return the match's folder, locked. If it was created for a match that then never began, it is
    removed again.
    """
    folder = open_folder(options.out, resume=options.resume, overwrite=options.overwrite)
    stack.callback(folder.remove_if_unused)
    if not there:
        stack.enter_context(folder_lock(options.out))
    return folder


def _linger(run: MatchWatch) -> None:
    """Keep serving the dashboard and taking answers until interrupted."""
    print("The dashboard stays open; end it with Ctrl-C.", flush=True)
    with suppress(KeyboardInterrupt):
        while True:
            run.take_answer(LISTEN_S)
    print("Ended.", flush=True)
