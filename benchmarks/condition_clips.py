"""The conditions under which clips are refereed, and functions that make the worse clips."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import yaml
from av.video.stream import VideoStream

from benchmarks.clip_folder import clip_file
from benchmarks.lost_pictures import Order, as_filmed, some_lost, some_repeated, stalled
from benchmarks.worsened import (
    Change,
    Filmed,
    bands,
    blur,
    bump,
    colour_drift,
    drift,
    filmed,
    jump,
    noise,
    reduced,
    reduced_facts,
    refocus,
    shadow,
    unchanged,
    vibration,
)

TICKS = 90_000  # a second of an H.264 file
MOST, FOUR_OF_FIVE = 0.97, 0.8  # of the demanded incidents


BESIDE = (
    "truth.json",
    "facts.yaml",
    "camera.yaml",
    "match.yaml",
    "scene.yaml",
    "pieces.png",
    "pieces.jpg",
)


@dataclass(frozen=True)
class Storing:
    """How frames are stored: with `codec` and its `options`, in a file with the ending `suffix`."""

    codec: str = "libx264"
    suffix: str = "mp4"
    options: dict[str, str] = field(default_factory=dict)


def mjpeg(quality: int) -> Storing:
    """Return how webcams store frames: as MJPEG. `quality` is FFmpeg's number, from 2 (best) to 31
    (worst).
    """
    return Storing("mjpeg", "avi", {"qmin": str(quality), "qmax": str(quality)})


def h264(crf: int) -> Storing:
    """Return storing as H.264 at a constant quality: `crf` goes from 18 (no loss can be seen) to 51
    (worst).
    """
    return Storing(options={"crf": str(crf), "preset": "medium"})


@dataclass(frozen=True)
class Condition:
    """One way of making a clip worse. `share` is the required share of the demanded incidents that
    must be certain and right.
    """

    change: Callable[[Filmed], Change] = unchanged
    storing: Storing = field(default_factory=lambda: h264(18))
    order: Order = as_filmed
    size: float = 1.0
    share: float = MOST


CONDITIONS: dict[str, Condition] = {
    "clean": Condition(),
    "crf-26": Condition(storing=h264(26)),
    "crf-30": Condition(storing=h264(30), share=FOUR_OF_FIVE),
    "mjpeg": Condition(storing=mjpeg(5)),
    "half-size": Condition(size=0.5),
    "gain-drift": Condition(drift(0.20)),
    "light-jump": Condition(jump(0.15)),
    "bands": Condition(bands),
    "vibration-0.5": Condition(vibration(0.5)),
    "vibration-1": Condition(vibration(1.0)),
    "shadow-10": Condition(shadow(0.10)),
    "shadow-25": Condition(shadow(0.25), share=FOUR_OF_FIVE),
    "bump-2-before": Condition(bump(2.0, between=False)),
    "bump-2-between": Condition(bump(2.0, between=True)),
    "bump-7-before": Condition(bump(7.0, between=False), share=FOUR_OF_FIVE),
    "bump-7-between": Condition(bump(7.0, between=True), share=FOUR_OF_FIVE),
    "colour-drift": Condition(colour_drift(0.12)),
    "dropped": Condition(order=some_lost),
    "repeated": Condition(order=some_repeated),
    "stalled": Condition(order=stalled, share=FOUR_OF_FIVE),
    "blur": Condition(blur(1.5), share=FOUR_OF_FIVE),
    "noise": Condition(noise(8.0), share=FOUR_OF_FIVE),
    "refocus": Condition(refocus(for_good=False), share=FOUR_OF_FIVE),
    "refocus-for-good": Condition(refocus(for_good=True), share=FOUR_OF_FIVE),
}


def made(folder: Path, name: str, out: Path) -> Path:
    """Make the clip in `folder` worse and write it into `out`, unless it is there. Return `out`.
    Raises OSError, KeyError, ValueError or av.FFmpegError.
    """
    condition = CONDITIONS[name]
    path = out / f"clip.{condition.storing.suffix}"
    if path.exists():
        return out
    out.mkdir(parents=True, exist_ok=True)
    for beside in BESIDE:
        if (folder / beside).exists():
            shutil.copyfile(folder / beside, out / beside)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    facts = yaml.safe_load((folder / "facts.yaml").read_text(encoding="utf-8"))
    smaller = reduced_facts(facts, condition.size)
    (out / "facts.yaml").chmod(0o644)  # the folder it comes from may be read-only
    (out / "facts.yaml").write_text(yaml.safe_dump(smaller, sort_keys=False), encoding="utf-8")
    unfinished = path.with_stem("unfinished")
    store(clip_file(folder), unfinished, condition, filmed(truth, facts))
    unfinished.rename(path)
    return out


def store(video: Path, path: Path, condition: Condition, scene: Filmed) -> None:
    """Store a video after the condition has made it worse. Raises OSError or av.FFmpegError."""
    change = condition.change(scene)
    with av.open(str(video)) as source:
        times_s = [float(frame.time) for frame in source.decode(video=0)]
    shown = None
    with av.open(str(video)) as source, av.open(str(path), "w") as target:
        stream = opened(target, source.streams.video[0], condition)
        order = condition.order(scene, times_s)
        for number, (frame, show) in enumerate(zip(source.decode(video=0), order, strict=True)):
            if show is None:
                continue
            if show == number or shown is None:
                picture = np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8)
                shown = reduced(change(picture, times_s[number]), condition.size)
            stored = av.VideoFrame.from_ndarray(shown, format="bgr24")
            if condition.storing.codec != "mjpeg":
                stored.pts, stored.time_base = round(TICKS * times_s[number]), Fraction(1, TICKS)
            target.mux(stream.encode(stored))
        target.mux(stream.encode())


def opened(
    target: av.container.OutputContainer, seen: VideoStream, condition: Condition
) -> VideoStream:
    """Return the stream of `target` into which the worse pictures go."""
    storing = condition.storing
    stream = target.add_stream(storing.codec, rate=seen.average_rate, options=storing.options)
    assert isinstance(stream, VideoStream)
    stream.width, stream.height = (round(condition.size * n) for n in (seen.width, seen.height))
    stream.pix_fmt = "yuvj420p" if storing.codec == "mjpeg" else "yuv420p"
    if storing.codec != "mjpeg":
        stream.codec_context.time_base = Fraction(1, TICKS)
    return stream
