"""Stores clips as other cameras would have: compressed more, darker, warmer, noisier, or out of
focus. What happens in them stays the same.

Usage: python -m benchmarks.refilmed OUT_FOLDER FOLDER ... [--only NAME,NAME]

Writes OUT_FOLDER/CLIP.NAME with the stored clip and its truth, for `python -m benchmarks.clips
OUT_FOLDER`. One of these may show a weakness of the referee that the original clip hides by chance.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import av
import cv2
import numpy as np
from av.video.stream import VideoStream
from numpy.typing import NDArray

from benchmarks.clip_folder import clip_file, clip_folders

Picture = NDArray[np.uint8]
NOISE = 4.0  # grey levels
LIGHT = np.float32(2.2)  # the power that converts stored values to light
SOFT_PX = 0.8
BESIDE = (
    "truth.json",
    "facts.yaml",
    "camera.yaml",
    "match.yaml",
    "scene.yaml",
    "pieces.png",
    "pieces.jpg",
)


def as_it_is(picture: Picture, number: int) -> Picture:
    """Return the picture unchanged."""
    return picture


def noisy(picture: Picture, number: int) -> Picture:
    """Add noise as in a dim room: every pixel of every frame is off by some grey levels."""
    off = np.random.default_rng(number).normal(0.0, NOISE, picture.shape)
    return np.asarray((picture + off).clip(0, 255), dtype=np.uint8)


def bent(power: float) -> Callable[[Picture, int], Picture]:
    """Return a change of exposure: brightness to a power, darker above 1."""
    table = (255 * (np.arange(256) / 255) ** power).astype(np.uint8)
    return lambda picture, number: np.asarray(table[picture], dtype=np.uint8)


def warm(picture: Picture, number: int) -> Picture:
    """Add the warm light of an evening that the camera did not correct."""
    return np.asarray((picture * np.array([0.8, 1.0, 1.15])).clip(0, 255), dtype=np.uint8)


def flickering(picture: Picture, number: int) -> Picture:
    """Add the flicker of a lamp whose mains frequency does not fit the camera."""
    return np.asarray((picture * (1 + 0.02 * np.sin(0.7 * number))).clip(0, 255), dtype=np.uint8)


def soft(picture: Picture, number: int) -> Picture:
    """Blur the picture as a lens a little out of focus does: in linear light, not in stored
    values.
    """
    light = ((np.arange(256) / np.float32(255)) ** LIGHT)[picture]
    return np.asarray(
        np.rint(255 * cv2.GaussianBlur(light, (0, 0), SOFT_PX) ** (1 / LIGHT)), dtype=np.uint8
    )


@dataclass(frozen=True)
class Storing:
    """How frames are changed and stored: with `codec` and its `options`, in a file with the ending
    `suffix`.
    """

    change: Callable[[Picture, int], Picture] = as_it_is
    codec: str = "libx264"
    suffix: str = "mp4"
    options: dict[str, str] = field(default_factory=lambda: {"crf": "20", "preset": "veryfast"})


def mjpeg(quality: int, change: Callable[[Picture, int], Picture] = as_it_is) -> Storing:
    """Return storing as webcams do it. `quality` is FFmpeg's, 2 (best) to 31."""
    return Storing(change, "mjpeg", "avi", {"qmin": str(quality), "qmax": str(quality)})


STORINGS = {
    "mjpeg": mjpeg(4),
    "squeezed": mjpeg(10),
    "warm": mjpeg(5, warm),
    "flickering": mjpeg(4, flickering),
    "dark": Storing(bent(1.5)),
    "bright": Storing(bent(0.75)),
    "noisy": Storing(noisy),
    "soft": Storing(soft),
}


def store(video: Path, path: Path, storing: Storing) -> None:
    """Store a video again. Raises OSError or av.FFmpegError."""
    with av.open(str(video)) as source, av.open(str(path), "w") as target:
        seen = source.streams.video[0]
        stream = target.add_stream(storing.codec, rate=seen.average_rate, options=storing.options)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = seen.width, seen.height
        stream.pix_fmt = "yuvj420p" if storing.codec == "mjpeg" else "yuv420p"
        for number, frame in enumerate(source.decode(seen)):
            changed = storing.change(
                np.asarray(frame.to_ndarray(format="bgr24"), dtype=np.uint8), number
            )
            target.mux(stream.encode(av.VideoFrame.from_ndarray(changed, format="bgr24")))
        target.mux(stream.encode())


def refilm(folder: Path, out: Path, names: Sequence[str]) -> Iterator[Path]:
    """Yield the folders of a clip stored again, each when it is done. Raises OSError or
    av.FFmpegError.
    """
    for name in names:
        work = out / f"{folder.name}.{name}"
        work.mkdir(parents=True, exist_ok=True)
        for beside in BESIDE:
            if (folder / beside).exists():
                shutil.copyfile(folder / beside, work / beside)
        store(clip_file(folder), work / f"clip.{STORINGS[name].suffix}", STORINGS[name])
        yield work


def main(arguments: Sequence[str] | None = None) -> int:
    """Store the clips named in the arguments again. Return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.refilmed",
        description="Clips as other cameras would have stored them.",
    )
    parser.add_argument("out", type=Path, metavar="OUT_FOLDER")
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="FOLDER", help="a clip, or a folder of clips"
    )
    parser.add_argument(
        "--only", default=",".join(STORINGS), help=f"which of {', '.join(STORINGS)} (default: all)"
    )
    options = parser.parse_args(arguments)
    names = options.only.split(",")
    unknown = [name for name in names if name not in STORINGS]
    if unknown:
        parser.error(f"--only: {unknown[0]}: no such way (known: {', '.join(STORINGS)})")
    try:
        for folder in clip_folders(options.folders):
            for work in refilm(folder, options.out, names):
                print(work, file=sys.stderr, flush=True)
    except (OSError, av.FFmpegError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
