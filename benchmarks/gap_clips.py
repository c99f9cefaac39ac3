"""Videos that end or have gaps while coins slide, made from whole clips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

from benchmarks.condition_clips import Condition, store
from benchmarks.worsened import Filmed, Picture

SLIDES_MM_S = 20.0  # the speed from which on a coin slides
MISSING_S, GREY_FRAMES, GREY = 2.0, 3, 128


def sliding_frames(truth: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the frames in which a coin slides on the table."""
    return [
        number
        for number, frame in enumerate(truth["frames"])
        if any(
            coin["state"] == "sliding" and coin["speed_mm_s"] >= SLIDES_MM_S
            for coin in frame["coins"].values()
        )
    ]


def first_slide(truth: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the frames of the first slide, up to the first frame in which nothing
    moves.
    """
    frames = sliding_frames(truth)
    return [number for place, number in enumerate(frames) if number - place == frames[0]]


def copied(video: Path, path: Path, kept: Callable[[int], bool]) -> None:
    """Copy packets of a video unchanged: those for whose number `kept` returns True. Raises
    OSError, av.FFmpegError, or ValueError where pictures are not stored in the order of their
    times.
    """
    with av.open(str(video)) as source, av.open(str(path), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        last = None
        for number, packet in enumerate(source.demux(video=0)):
            if packet.pts is None:
                continue  # the end
            if last is not None and packet.pts < last:
                raise ValueError(f"{video}: pictures are not stored in the order of their times")
            last = packet.pts
            if kept(number):
                packet.stream = stream
                target.mux(packet)


#: Makes the video at the second path from the one at the first.
Making = Callable[[Path, Path, Filmed], None]


def cut_after(number: int) -> Making:
    """Return the function that makes a video which ends with frame `number`."""
    return lambda video, path, scene: copied(video, path, lambda n: n <= number)


def without(lost: Collection[int]) -> Making:
    """Return the function that makes a video without the packets `lost`."""
    return lambda video, path, scene: copied(video, path, lambda n: n not in lost)


def missing(from_s: float) -> Making:
    """Return the function that makes a video without the pictures of the `MISSING_S` seconds after
    `from_s`.
    """

    def order(scene: Filmed, times_s: Sequence[float]) -> list[int | None]:
        return [None if from_s <= t < from_s + MISSING_S else n for n, t in enumerate(times_s)]

    return lambda video, path, scene: store(video, path, Condition(order=order), scene)


def grey(from_s: float, to_s: float) -> Making:
    """Return the function that makes a video in which the lower halves of the pictures between two
    times are grey.
    """

    def change(picture: Picture, t_s: float) -> Picture:
        return half_grey(picture) if from_s <= t_s < to_s else picture

    condition = Condition(change=lambda scene: change)
    return lambda video, path, scene: store(video, path, condition, scene)


def half_grey(picture: Picture) -> Picture:
    """Return the picture with its lower half grey, as a decoder shows a part that did not
    arrive.
    """
    half = picture.copy()
    half[len(half) // 2 :] = GREY
    return half


@dataclass(frozen=True)
class Gap:
    """One way in which a video ends or has a gap. `from_s` is when the first picture is missing or
    damaged. If `end` is True, no pictures follow.
    """

    name: str
    from_s: float
    end: bool
    make: Making


def cuts(truth: Mapping[str, Any], every: int) -> list[Gap]:
    """Return a cut after every `every`th of the frames in which a coin slides."""
    frames = truth["frames"]
    return [
        Gap(f"cut-{number}", float(frames[number + 1]["t_s"]), True, cut_after(number))
        for number in sliding_frames(truth)[every - 1 :: every]
        if number + 1 < len(frames)
    ]


def gaps(truth: Mapping[str, Any]) -> list[Gap]:
    """Return the gaps in the middle of the first slide."""
    slide = first_slide(truth)
    middle = slide[len(slide) // 2]
    times_s = [float(frame["t_s"]) for frame in truth["frames"]]
    at_s = times_s[middle]
    until_s = times_s[min(middle + GREY_FRAMES, len(times_s) - 1)]
    return [
        Gap("missing", at_s, False, missing(at_s)),
        Gap("lost-1", at_s, False, without({middle})),
        Gap("lost-3", at_s, False, without(range(middle, middle + 3))),
        Gap("grey", at_s, False, grey(at_s, until_s)),
    ]
