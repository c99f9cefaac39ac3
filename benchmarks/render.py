"""Measures how many frames a second the synthetic table films on one core.

Usage: python -m benchmarks.render [SCENE.yaml]
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.arguments import Arguments, existing_file
from referee.domain.errors import InputError
from referee.synthetic.clip import video_writer
from referee.synthetic.pictures.film import Studio
from referee.synthetic.scenario.actions import play_scene
from referee.synthetic.scenario.scene_file import read_scene

SCENE = Path(__file__).parent.parent / "fixtures" / "clips" / "pass-and-hit" / "scene.yaml"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Arguments("render", __doc__)
    parser.add_argument("scene", type=existing_file, nargs="?", default=SCENE)
    path = parser.parse_args(arguments).scene
    try:
        scene = read_scene(path)
    except InputError as error:
        parser.error(str(error))
    begin = time.process_time()
    studio = Studio(scene, play_scene(scene))
    ready = time.process_time()
    with (
        tempfile.TemporaryDirectory() as folder,
        video_writer(Path(folder) / "clip.mp4", studio.size, scene.fps, scene.crf) as append,
    ):
        spent = {True: [0.0, 0], False: [0.0, 0]}
        encoding = 0.0
        for number in range(scene.frames):
            start = time.process_time()
            frame = studio.frame(number)
            middle = time.process_time()
            append(frame.picture)
            encoding += time.process_time() - middle
            spent[frame.hand][0] += middle - start
            spent[frame.hand][1] += 1
    drawing = sum(s for s, _ in spent.values())
    print(
        f"{path.parent.name}: {scene.camera.width}x{scene.camera.height}, {scene.frames} frames;"
        f" made ready in {ready - begin:.2f} s of CPU time"
    )
    for hand, (seconds, count) in spent.items():
        if count:
            print(
                f"  {'with' if hand else 'without'} a hand: {count / seconds:.0f} frames a second"
                " of CPU time"
            )
    print(
        f"  drawing {scene.frames / drawing:.0f}, drawing and encoding"
        f" {scene.frames / (drawing + encoding):.0f} frames a second of CPU time"
    )


if __name__ == "__main__":
    main()
