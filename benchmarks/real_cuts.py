"""Makes more videos of a real one whose truth is known: cut, turned, mirrored and encoded anew.

Usage: python -m benchmarks.real_cuts VIDEO OUT

VIDEO has NAME.truth.json and judge_flicks.py beside it. OUT gets each made video with its truth,
and the judge, for `python -m benchmarks.free_play OUT`. What is right on a video must be right on
each of these: people cut, turn and convert theirs, and a hand may be over the table from the first
picture on.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import Arguments, existing_file

Picture = NDArray[np.uint8]
Place = tuple[float, float]

STARTS_FRAMES: Final = (0, 8, 34, 50, 62, 100, 110, 145, 160, 196, 210)  # Chosen: all over it
PARTS_FRAMES: Final = ((50, 100), (105, 150), (150, 205), (205, 260))  # Chosen: one flick each
CLEAR_FRAMES: Final = 2  # Chosen: so long after the first picture a flick may count
ENDED_FRAMES: Final = 12  # Chosen: so long before the last picture one has ended
CRF: Final = "14"  # Chosen: hardly any loss; the pictures look as before


@dataclass(frozen=True)
class Variant:
    """One made video: its frames from `first` to before `end`, each picture changed by `turned`,
    and where that moves a place, px.
    """

    name: str
    first: int
    end: int
    turned: Callable[[Picture], Picture] = lambda picture: picture
    place: Callable[[Place], Place] = lambda place: place


def variants(frames: int, width: int, height: int) -> Iterator[Variant]:
    """Yield what is made of a video with so many frames of a size, px."""
    for first in STARTS_FRAMES:
        yield Variant(f"from-{first:03d}", first, frames)
    for first, end in PARTS_FRAMES:
        yield Variant(f"part-{first:03d}", first, end)
    yield Variant(
        "mirrored", 0, frames, lambda p: p[:, ::-1], lambda at: (width - 1 - at[0], at[1])
    )
    yield Variant(
        "upside-down",
        0,
        frames,
        lambda p: p[::-1, ::-1],
        lambda at: (width - 1 - at[0], height - 1 - at[1]),
    )


def truth_of(truth: dict[str, Any], variant: Variant) -> dict[str, Any]:
    """Return the truth of a variant: the marks of its frames, and the events that lie clearly
    within.
    """
    tracks = {
        coin: [
            [*variant.place((x, y)), *rest] for x, y, *rest in track[variant.first : variant.end]
        ]
        for coin, track in truth["tracks"].items()
    }
    return {**truth, "tracks": tracks, "events": list(_events(truth["events"], variant))}


def _events(events: Sequence[dict[str, Any]], variant: Variant) -> Iterator[dict[str, Any]]:
    for event in events:
        numbers = [event["first_moved_frame"]] if "first_moved_frame" in event else None
        numbers = numbers or event.get("between_frames")
        first, end = variant.first + CLEAR_FRAMES, variant.end - ENDED_FRAMES
        if not numbers or not first < numbers[0] < end:
            continue
        moved = [number - variant.first for number in numbers]
        if "first_moved_frame" in event:
            yield {**event, "first_moved_frame": moved[0]}
        else:
            yield {**event, "between_frames": moved}


def write(path: Path, pictures: Sequence[Picture], rate: Any) -> None:
    """Write pictures (h, w, 3) as a video."""
    height, width = (side // 2 * 2 for side in pictures[0].shape[:2])
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=rate, options={"crf": CRF})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for picture in pictures:
            even = np.ascontiguousarray(picture[:height, :width])
            for packet in stream.encode(av.VideoFrame.from_ndarray(even, format="bgr24")):
                out.mux(packet)
        for packet in stream.encode(None):
            out.mux(packet)


def main() -> int:
    """Make the videos. Return the exit status."""
    arguments = Arguments("real_cuts", __doc__)
    arguments.add_argument("video", type=existing_file)
    arguments.add_argument("out", type=Path)
    given = arguments.parse_args()
    truth = json.loads(given.video.with_suffix(".truth.json").read_text())
    with av.open(str(given.video)) as video:
        rate = video.streams.video[0].average_rate
        decoded = (frame.to_ndarray(format="bgr24") for frame in video.decode(video=0))
        frames = [np.asarray(picture, dtype=np.uint8) for picture in decoded]
    given.out.mkdir(parents=True, exist_ok=True)
    shutil.copy(given.video.parent / "judge_flicks.py", given.out)
    for variant in variants(len(frames), frames[0].shape[1], frames[0].shape[0]):
        pictures = [variant.turned(frame) for frame in frames[variant.first : variant.end]]
        write(given.out / f"{variant.name}.mp4", pictures, rate)
        told = given.out / f"{variant.name}.truth.json"
        told.write_text(json.dumps(truth_of(truth, variant)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
