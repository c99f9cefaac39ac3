"""Makes the samples from which the coin network learns: frames of rendered clips as seen from
straight above, with the places of the coins.

A sample is one frame of a clip with its true table. The samples of a clip are its fifth frame (or
its last, if it is shorter) and, after that, every twelfth frame in which a hand is in sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.clip_folder import made_ready
from benchmarks.true_survey import true_survey
from calibration.store.store import read_camera
from referee.vision.alignment.motion import FramePicture
from referee.vision.coins.coin_network import COIN_CELLS, coins_alike
from referee.vision.coins.coin_search import PIXEL_MM, laid_flat, lay_floor
from referee.vision.sources.video import open_source

FIRST_FRAME = 4
EVERY_FRAMES = 12  # with a hand in sight: neighbouring frames show almost the same
IN_FULL_VIEW = 0.95  # of a coin's face


@dataclass(frozen=True, eq=False)
class Sample:
    """One frame as seen from straight above. `flat` (rows, columns, 3) holds its channels, and
    `open_` (rows, columns) says at which places the middle of a coin may lie. `coins` (n, 3) holds
    each coin's column, its row, and 1 if it lies still in full view, or else 0.
    """

    flat: NDArray[np.uint8]
    open_: NDArray[np.uint8]
    coins: NDArray[np.float32]


def samples_of(folder: Path) -> Iterator[Sample]:
    """Yield the samples of a clip of either layout. A clip of another course than Tabletop
    Croquet's has none.
    """
    with TemporaryDirectory() as work:
        clip = made_ready(folder, Path(work))
        camera = read_camera(clip.camera)
    truth = clip.truth
    left_mm = [t["centre_mm"] for t in truth["tiles"] if t["tile"] == "left-endpost"]
    if not left_mm:
        return
    turn = -1.0 if left_mm[0][0] > 0 else 1.0  # as the true table is turned
    table = true_survey(truth, camera, clip.sizes_mm)
    floor = lay_floor(table.view, table.sizes, table.edge_mm, table.course)
    cells = COIN_CELLS * PIXEL_MM / table.sizes.coin_mm
    first = min(FIRST_FRAME, len(truth["frames"]) - 1)
    with open_source(str(clip.video)) as source:
        for frame, true in zip(source, truth["frames"], strict=False):
            later = frame.number > first and (frame.number - first) % EVERY_FRAMES == 0
            if frame.number != first and not (later and true["hand"]):
                continue
            flat = laid_flat(FramePicture(frame), floor)
            if flat is None or (later and "camera_rotation" in true):
                continue
            seen = coins_alike(flat, table.sizes.coin_mm, PIXEL_MM)
            shape = seen.shape[1::-1]
            coins = [
                (
                    (turn * coin["mm"][0] - floor.x_mm[0] + 0.5) * cells - 0.5,
                    (turn * coin["mm"][1] - floor.y_mm[0] + 0.5) * cells - 0.5,
                    float(coin["state"] == "rest" and coin["visible"] > IN_FULL_VIEW),
                )
                for coin in true["coins"].values()
                if coin["mm"]
            ]
            yield Sample(
                np.clip(np.round(seen), 0, 255).astype(np.uint8),
                cv2.resize(floor.open_.astype(np.uint8), shape, interpolation=cv2.INTER_NEAREST),
                np.array(coins, dtype=np.float32).reshape(-1, 3),
            )
