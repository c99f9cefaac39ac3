"""Writes a clip's folder: the video, the files that the owner of the table would have, and the
truth.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from referee.synthetic.pictures.film import Studio
from referee.synthetic.pictures.pieces_picture import photograph_pieces
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene import Scene
from referee.synthetic.truth import frame_truth, truth_of

_MJPEG_QUALITY: Final = "4"


@contextmanager
def video_writer(
    path: Path, size: tuple[int, int], fps: int, crf: int
) -> Iterator[Callable[[NDArray[np.uint8]], None]]:
    """Return a function that appends a picture (h, w, 3) BGR to a new video: H.264 for .mp4, MJPEG
    as webcams send it for .avi.
    """
    with av.open(str(path), "w") as container:
        mjpeg = path.suffix == ".avi"
        stream: Any = container.add_stream("mjpeg" if mjpeg else "libx264", rate=Fraction(fps))
        stream.width, stream.height, stream.pix_fmt = *size, "yuvj420p" if mjpeg else "yuv420p"
        stream.codec_context.thread_count = 1
        if mjpeg:
            stream.options = {"qmin": _MJPEG_QUALITY, "qmax": _MJPEG_QUALITY}
        else:
            stream.options = {"crf": str(crf), "preset": "medium", "threads": "1"}

        def append(picture: NDArray[np.uint8]) -> None:
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24").reformat(
                format=stream.pix_fmt
            )
            container.mux(stream.encode(frame))

        yield append
        container.mux(stream.encode(None))


def write_clip(
    scene: Scene,
    folder: Path,
    *,
    file: str = "scene.yaml",
    avi: bool = False,
    pieces_ext: str = ".png",
) -> dict[str, Any]:
    """Film a scene into a folder: clip.mp4 (or .avi), pieces.png, camera.yaml, match.yaml,
    truth.json. Returns the truth.

    Raises InputError when the scene's actions cannot be played.
    """
    timeline = play_scene(scene, file)
    folder.mkdir(parents=True, exist_ok=True)
    studio, frames = Studio(scene, timeline), []
    with video_writer(
        folder / ("clip.avi" if avi else "clip.mp4"), studio.size, scene.fps, scene.crf
    ) as append:
        for frame in studio.frames():
            append(frame.picture)
            frames.append(frame_truth(frame))
    truth = truth_of(scene, timeline, frames)
    (folder / "truth.json").write_text(_json_lines(truth), encoding="utf-8")
    (folder / "camera.yaml").write_text(
        yaml.safe_dump(camera_file(scene), sort_keys=False), encoding="utf-8"
    )
    (folder / "match.yaml").write_text(
        yaml.safe_dump(match_file(scene), sort_keys=False), encoding="utf-8"
    )
    cv2.imwrite(
        str(folder / f"pieces{pieces_ext}"),
        photograph_pieces(scene),
        [cv2.IMWRITE_JPEG_QUALITY, 90],
    )
    return truth


def _json_lines(truth: dict[str, Any]) -> str:
    """Write JSON with one frame, incident or tile per line, so that changes are easy to read."""
    parts = []
    for key, value in truth.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join(json.dumps(v, separators=(",", ":")) for v in value)
            parts.append(f'"{key}":[\n{rows}\n]')
        else:
            parts.append(f'"{key}":{json.dumps(value)}')
    return "{" + ",\n".join(parts) + "}\n"


def camera_file(scene: Scene) -> dict[str, Any]:
    """Return what camera.yaml holds for the scene's camera."""
    camera = scene.camera
    return {
        "width": camera.width,
        "height": camera.height,
        "fx_px": camera.fx_px,
        "fy_px": camera.fy_px,
        "cx_px": camera.cx_px,
        "cy_px": camera.cy_px,
        "distortion": list(camera.distortion),
        "exposure_s": camera.exposure_s,
    }


def _player(scene: Scene, name: str, coin: str) -> dict[str, Any]:
    waits = scene.game == "tabletop-croquet" and coin not in scene.coins
    return {"name": name, "coin": coin, **({"on_table": False} if waits else {})}


def match_file(scene: Scene) -> dict[str, Any]:
    """Return what match.yaml holds: the game, its players and options. In Castle Croquetnole, a
    player's `coin` is the knight; the guard is not listed.
    """
    return {
        "game": scene.game,
        "players": [_player(scene, name, coin) for name, coin in scene.players],
        "options": scene.options,
    }
