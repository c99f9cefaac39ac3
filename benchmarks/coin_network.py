"""Measures how well the coin network tells coins from the rest of a table.

Usage: python -m benchmarks.coin_network FOLDER ... [--weights FILE.onnx ...]

FOLDER is a clip with its truth, or holds clips; the first sample of each clip is used (see
`coin_samples.py`). For each folder, and for all folders together, this prints the log odds that the
network gives to the coins in full view, and how many other places per table get log odds above some
values. It does so for the weights in use, or for each file of weights that `--weights` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import Arguments
from benchmarks.coin_samples import Sample, samples_of
from referee.vision.coins.coin_network import (
    COIN_CELLS,
    STRIDE,
    WEIGHTS,
    is_likeliest,
    network_input,
)

AT_COIN_CELLS = 3.0  # a coin's log odds are the highest so close to its middle
BESIDE_CELLS = 10.0  # what is so close to a coin belongs to it
SHARES = (0, 5, 25, 50)  # percentiles of the coins
LIMITS = (0, 4, 6.5)  # of the places that are no coin

Odds = NDArray[np.float64]


@dataclass(frozen=True)
class Told:
    """The log odds of the coins on some tables, and those of all other likely places."""

    tables: int
    coins: Odds
    others: Odds

    def __str__(self) -> str:
        coins = np.percentile(self.coins, SHARES) if len(self.coins) else np.full(4, np.nan)
        others = [float((self.others > limit).sum() / max(1, self.tables)) for limit in LIMITS]
        figures = (
            " ".join(f"{n:6.1f}" for n in coins) + "  " + " ".join(f"{n:6.2f}" for n in others)
        )
        return f"{self.tables:6} {len(self.coins):6}  {figures}"


def told_by(network: cv2.dnn.Net, sample: Sample) -> Told:
    """Return what a network says of one frame."""
    network.setInput(cv2.dnn.blobFromImage(network_input(sample.flat.astype(np.float32))))
    odds = np.asarray(network.forward()[0, 0], dtype=np.float64)
    rows, columns = STRIDE * np.indices(odds.shape)
    free = sample.open_[::STRIDE, ::STRIDE][: odds.shape[0], : odds.shape[1]].astype(bool)
    coins = []
    for x, y, plain in sample.coins.tolist():
        off = np.hypot(columns - x, rows - y)
        free &= off > BESIDE_CELLS
        if plain and (off < AT_COIN_CELLS).any():
            coins.append(float(odds[off < AT_COIN_CELLS].max()))
    peaks = is_likeliest(odds.astype(np.float32), COIN_CELLS / STRIDE)
    return Told(1, np.array(coins), odds[peaks & free])


def together(parts: Sequence[Told]) -> Told:
    """Return the results of several tables as one."""
    coins, others = ([getattr(p, name) for p in parts] for name in ("coins", "others"))
    joined = (np.concatenate(each) if each else np.zeros(0) for each in (coins, others))
    return Told(sum(p.tables for p in parts), *joined)


def first_samples(clips: Iterable[Path]) -> Iterator[Sample]:
    """Yield the first sample of each clip."""
    for clip in clips:
        yield from list(samples_of(clip))[:1]


def main() -> None:
    """Print the table."""
    parser = Arguments("coin_network", __doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--weights", nargs="+", type=Path, default=[WEIGHTS])
    options = parser.parse_args()
    clips = {folder: parser.clips([folder]) for folder in options.folders}
    print(f"{'':44} coins' log odds at (percentile)   others a table with more than")
    of_share = " ".join(f"{share:5}%" for share in SHARES)
    of_limit = " ".join(f"{limit:6}" for limit in LIMITS)
    print(f"{'folder':30} {'tables':>6} {'coins':>6}  {of_share}  {of_limit}")
    samples = {folder: list(first_samples(inside)) for folder, inside in clips.items()}
    for weights in options.weights:
        network = cv2.dnn.readNetFromONNX(str(weights))
        each = {f: together([told_by(network, s) for s in found]) for f, found in samples.items()}
        print(weights.stem)
        for folder, told in each.items():
            print(f"  {folder.name[:28]:28} {told}")
        print(f"  {'all':28} {together(list(each.values()))}", flush=True)


if __name__ == "__main__":
    main()
