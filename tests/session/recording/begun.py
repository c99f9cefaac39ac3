"""The beginning of a bundled clip, and a run over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av

from tests.clips.bundled import CLIPS, learnt_pieces, options, true_table

CLIP = "demo"  # several flicks,
UNTIL_S = 13.6  # of which these tests need the first three


def begun_demo(path: Path) -> Path:
    """Write the clip up to `UNTIL_S` to this file, as it is encoded, and return the file."""
    with av.open(str(CLIPS / CLIP / "clip.mp4")) as whole, av.open(str(path), "w") as part:
        video = whole.streams.video[0]
        stream = part.add_stream_from_template(video)
        for packet in whole.demux(video):
            if packet.pts is None or float(packet.pts * packet.time_base) >= UNTIL_S:
                break
            packet.stream = stream
            part.mux(packet)
    return path


def asked_demo(folder: Path, **more: Any) -> Any:
    pieces = learnt_pieces(CLIP, folder / "pieces.yaml")
    source = str(begun_demo(folder / "clip.mp4"))
    return options(CLIP, true_table(CLIP), folder, pieces=pieces, source=source, **more)
