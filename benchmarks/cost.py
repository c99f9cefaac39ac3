"""Measures the time that vision and tracking take per frame, compared with decoding the same
frames.

Usage: python -m benchmarks.cost CLIP TABLE [CLIP TABLE ...]

D is the CPU time of decoding the luminance of the same frames stored as MJPEG (quality 4), with
PyAV on one thread, measured in the same run. Decoding the clip itself is not counted. Decoding and
vision are run alternately, and the lowest time of a few runs counts, because a shared machine is
fast at one moment and slow at the next. Moving frames are those in which something moves. Smoothing
is the CPU time to turn one flick's sightings into paths, per coin that moved in it, for the slowest
flick of the clip. It has no limit here, because `benchmarks.live_latency` limits the whole delay.

If `pieces.yaml` and `match.yaml` lie beside TABLE (as `benchmarks.clips --keep` leaves them), coins
get their names as in a match; a "coin" that is only print on the table is then dropped. Without
these files, everything that was found counts as a coin.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import av
import numpy as np

from benchmarks.arguments import Arguments, existing_file
from calibration.store.piece_store import PieceSet, read_pieces
from calibration.store.store import read_table
from referee.domain.episode import Episode
from referee.domain.errors import InputError
from referee.session.match_file import Match, read_match
from referee.session.match_watch import LEAST_PATCHES
from referee.session.naming.coin_naming import name_coins, numbered, print_among
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.tracking.trajectory.smooth import smooth_episode
from referee.vision.sources.frame import VideoFrame
from referee.vision.sources.video import open_source

REPEATS = 6
DECODED_FRAMES = 120
MOVING_D, STILL_D = 1.0, 0.3  # the bars, in D, on average over the clips


def stored(frames: list[VideoFrame]) -> io.BytesIO:
    """Return the frames as a video in MJPEG, quality 4."""
    jpegs = io.BytesIO()
    with av.open(jpegs, "w", format="avi") as out:
        stream = out.add_stream("mjpeg", rate=30)
        stream.height, stream.width = frames[0].luma.shape
        stream.pix_fmt = "yuvj420p"
        stream.codec_context.qmin = stream.codec_context.qmax = 4
        for frame in frames:
            for packet in stream.encode(
                av.VideoFrame.from_ndarray(frame.bgr(), format="bgr24").reformat(format="yuvj420p")
            ):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)
    return jpegs


def decoding_s(jpegs: io.BytesIO) -> float:
    """Return the CPU seconds per frame of decoding the luminance of such a video."""
    jpegs.seek(0)
    with av.open(jpegs) as video:
        video.streams.video[0].codec_context.thread_count = 1
        begin = time.process_time()
        count = sum(
            np.frombuffer(picture.planes[0], np.uint8).size > 0 for picture in video.decode(video=0)
        )
        return (time.process_time() - begin) / count


def seeing_s(clip: Path, table: Path) -> tuple[list[float], list[float], float, list[Episode]]:
    """Return four things: the CPU seconds of each frame in which something moves, those of each
    other frame, those of starting (warm-up), and the flicks that were seen.
    """
    surveyed = read_table(table)
    builder = EpisodeBuilder(surveyed, surveyed.view.camera.exposure_s or 0.0)
    match_file, pieces_file = (table.with_name(n) for n in ("match.yaml", "pieces.yaml"))
    match = read_match(match_file) if match_file.is_file() else None
    pieces = read_pieces(pieces_file) if pieces_file.is_file() else None
    moving: list[float] = []
    still: list[float] = []
    starting, named = 0.0, False
    episodes: list[Episode] = []
    with open_source(str(clip)) as source:
        for frame in source:
            ready = builder.ready
            if ready and not named and _well_seen(builder):
                name_as_in_match(builder, match, pieces)
                named = True
            begin = time.process_time()
            ended = builder.take(frame)
            spent = time.process_time() - begin
            episodes += [ended] if ended is not None else []
            if not ready:
                starting += spent
            else:
                (
                    moving
                    if builder.observation is not None and builder.observation.changing
                    else still
                ).append(spent)
    ended = builder.finish()
    return moving, still, starting, episodes + ([ended] if ended is not None else [])


def _well_seen(builder: EpisodeBuilder) -> bool:
    """Return whether every coin's face was seen often enough for a match to name it."""
    faces = [builder.faces[n].patches for n in builder.known() if n in builder.faces]
    return bool(faces) and min(map(len, faces)) >= LEAST_PATCHES


def name_as_in_match(builder: EpisodeBuilder, match: Match | None, pieces: PieceSet | None) -> None:
    """Name the coins that lie on the table, and drop found "coins" that are print on the table."""
    known, coins = builder.known(), [*match.coins] if match else []
    names = dict(name_coins(known, builder.faces, pieces, coins, {}).names) if pieces else {}
    unowned = {n for n in known if n not in names} if names else set[str]()
    print_ = print_among(unowned, builder.tracker.coins, builder.faces)
    builder.tracker.forget(print_)
    rest = {n: n.replace("?", "coin ") for n in known if n not in names and n not in print_}
    builder.rename({**numbered(names, known, coins, frozenset()), **rest})
    builder.coins_in_match = len(builder.known())


def smoothing_s(episode: Episode) -> float:
    """Return the CPU seconds of smoothing one flick, per coin that moved in it; 0 when none did."""
    spent = []
    moved = 0
    for _ in range(REPEATS):
        begin = time.process_time()
        moved = sum(path.moved for path in smooth_episode(episode))
        spent.append(time.process_time() - begin)
    return min(spent) / moved if moved else 0.0


def bench(pairs: Sequence[tuple[Path, Path]]) -> int:
    """Print a line for each clip with its surveyed table, and their mean. Return 1 if the mean is
    above the limits, or if there is no clip.
    """
    print(
        f"{'clip':28} {'D ms':>6} {'moving D':>9} {'still D':>8} {'moving ms (p95)':>16}"
        f" {'still ms':>9} {'start ms':>9} {'smooth ms':>10}"
    )
    costs = [measured(clip, table) for clip, table in pairs]
    if not costs:
        return 1
    moving, still = np.mean(costs, axis=0).tolist()
    good = moving <= MOVING_D and still <= STILL_D
    figures = f"{moving:9.2f} {still:8.2f}{'' if good else '  SHORT'}"
    print(f"{f'mean of {len(costs)}':28} {'':6} {figures}")
    return 0 if good else 1


def measured(clip: Path, table: Path) -> tuple[float, float]:
    """Print one clip's line. Return the cost, in units of D, of frames in which something moves and
    of other frames.
    """
    with open_source(str(clip)) as source:
        jpegs = stored(list(islice(source, DECODED_FRAMES)))
    runs = [(decoding_s(jpegs), *seeing_s(clip, table)) for _ in range(REPEATS)]
    d, starting = min(run[0] for run in runs), min(run[3] for run in runs)
    moving, still = min((run[1] for run in runs), key=sum), min((run[2] for run in runs), key=sum)
    m, s = float(np.mean(moving or [0])), float(np.mean(still or [0]))
    p95 = float(np.percentile(moving or [0], 95))
    smoothing_ms = 1e3 * max(map(smoothing_s, runs[0][4]), default=0.0)
    figures = (
        f"{1e3 * d:6.2f} {m / d:9.2f} {s / d:8.2f} {1e3 * m:8.2f} ({1e3 * p95:5.1f}) {1e3 * s:9.2f}"
        f" {1e3 * starting:9.0f} {smoothing_ms:10.1f}"
    )
    print(f"{clip.parent.name:28} {figures}", flush=True)
    return m / d, s / d


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the clips and tables named in the arguments. Return the exit status."""
    parser = Arguments("cost", __doc__)
    parser.add_argument("names", type=existing_file, nargs="+", metavar="CLIP TABLE")
    names = parser.parse_args(arguments).names
    if len(names) % 2:
        parser.error(f"{names[-1]} has no table: each CLIP needs a TABLE behind it")
    try:
        for table in names[1::2]:
            read_table(table)
        return bench(list(zip(names[::2], names[1::2], strict=True)))
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    raise SystemExit(main())
