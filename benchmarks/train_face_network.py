"""Trains the network that compares the face of a coin with the known faces of its set.

Usage: python -m benchmarks.train_face_network [FOLDER ...] --out FILE.onnx [--minutes 45]

FOLDER is a clip with `facts.yaml`, `truth.json` and a picture of its set, or holds clips; where
coins have other names than their faces, `faces.yaml` maps names to faces. Most of what the network
learns from is drawn: sets with symbols of any shape (`benchmarks/drawn_faces.py`). So it learns to
compare, not to know certain symbols. Needs the packages of `pip install .[train]`.

Each step takes several sets. The network is asked which of the set's faces each seen face shows, or
none: some seen faces lose their known one. The loss is the logarithm of the probability that it
gives the right answer, so that what it says is true odds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from benchmarks.arguments import Arguments
from benchmarks.drawn_faces import drawn_faces
from benchmarks.face_samples import SeenSet, rendered
from referee.vision.faces.face_network import AROUND, network_input
from referee.vision.faces.face_patch import RINGS, TURNS

SETS = 4  # in a step: one drawn for it, the others drawn before or rendered
SEEN = 12  # faces on tables in a set
KEPT_SETS = 300  # drawn before
OF_RENDERED = 0.4  # of the sets that are not new
STRANGERS = 0.15  # of the seen faces, whose known face is taken away
RATE = 3e-3
PLANES = 8  # of the network's input
WIDTHS = (24, 32, 32, 24)
TURNS_OUT, RINGS_OUT = TURNS // 2, RINGS // 2

Floats = NDArray[np.float32]
Inputs = tuple[Floats, Floats, NDArray[np.int64]]  # known, seen, the number of the known one


class Network(nn.Module):
    """Turns faces (n, 8, rings, around) into features (n, 24, rings / 2, turns / 2): once as seen
    faces, once as known ones.
    """

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.common = nn.Sequential(
            nn.Conv2d(PLANES, a, (3, 5), (1, 2), (1, 0)),
            nn.ReLU(),
            nn.Conv2d(a, b, 3, (2, 1), (1, 0)),
            nn.ReLU(),
            nn.Conv2d(b, c, 3, 1, (1, 0)),
            nn.ReLU(),
        )
        self.seen = nn.Conv2d(c, d, 3, 1, (1, 0))
        self.known = nn.Conv2d(c, d, 3, 1, (1, 0))

    def forward(self, faces: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the faces' features as seen faces, and as known ones."""
        common = self.common(faces)
        return self.as_seen(common), self.as_known(common)

    def as_seen(self, common: torch.Tensor) -> torch.Tensor:
        """Return the features of seen faces, from features that are computed alike for seen and
        known faces.
        """
        return self.seen(common)

    def as_known(self, common: torch.Tensor) -> torch.Tensor:
        """Return the features of known faces, scaled so that the product with a seen face's
        features is a mean.
        """
        return self.known(common) / (TURNS_OUT * RINGS_OUT)


def log_odds(seen: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    """Return the log odds, (seen, known), that each seen face shows each known face, as against
    showing none of them.
    """
    count, turns = known.shape[0], known.shape[3]
    turned = torch.stack([known.roll(turn, 3) for turn in range(turns)], 1)
    each = seen.flatten(1) @ turned.reshape(count * turns, -1).T
    return torch.logsumexp(each.view(len(seen), count, turns), 2) - math.log(turns)


def inputs_of(one: SeenSet) -> Inputs:
    """Return a set as the network sees it."""
    return (
        np.stack([network_input(face) for face in one.known]),
        np.stack([network_input(face) for _, face in one.seen]),
        np.array([number for number, _ in one.seen], dtype=np.int64),
    )


def loss_of(network: Network, sets: Sequence[Inputs], random: np.random.Generator) -> torch.Tensor:
    """Return the mean, over the seen faces, of the negative logarithm of the probability of the
    right answer.
    """
    faces = [*(known for known, _, _ in sets), *(seen for _, seen, _ in sets)]
    common = network.common(torch.from_numpy(np.concatenate(faces)))
    parts = common.split([len(part) for part in faces])
    losses = list[torch.Tensor]()
    for own, part, (_, _, numbers) in zip(parts, parts[len(sets) :], sets, strict=False):
        odds = log_odds(network.as_seen(part), network.as_known(own))
        odds = torch.cat((odds, torch.zeros(len(part), 1)), 1)
        right = numbers.copy()
        for row in np.flatnonzero(random.random(len(part)) < STRANGERS):
            odds[row, right[row]] = -torch.inf
            right[row] = len(own)
        losses.append(functional.cross_entropy(odds, torch.from_numpy(right), reduction="sum"))
    return torch.stack(losses).sum() / sum(len(seen) for _, seen, _ in sets)


def turned(one: Inputs, random: np.random.Generator) -> Inputs:
    """Return some of a set's seen faces, and its known faces, all turned and perhaps mirrored."""
    known, seen, numbers = one
    some = random.choice(len(seen), min(SEEN, len(seen)), replace=False)
    mirror = 1 - 2 * int(random.integers(2))

    def spun(faces: Floats) -> Floats:
        at = mirror * (np.arange(AROUND) + int(random.integers(TURNS))) % TURNS
        return np.ascontiguousarray(faces[..., at])

    return spun(known), spun(seen[some]), numbers[some]


def train(sets: Sequence[SeenSet], minutes: float, seed: int) -> Network:
    """Return the trained network. The learning rate falls to 0 towards the end."""
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    real, kept = [inputs_of(one) for one in sets], list[Inputs]()
    began, told, step, losses = time.monotonic(), 0.0, 0, list[float]()
    while (share := (time.monotonic() - began) / (60 * minutes)) < 1:
        step += 1
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, step / 50) * max(0.01, 1 - share)
        kept.append(inputs_of(SeenSet("drawn", *drawn_faces(random, SEEN))))
        kept = kept[-KEPT_SETS:]
        pools = [real if real and random.random() < OF_RENDERED else kept for _ in range(SETS - 1)]
        chosen = [kept[-1], *(pool[random.integers(len(pool))] for pool in pools)]
        loss = loss_of(network, [turned(one, random) for one in chosen], random)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        if share * minutes - told > 1:
            print(f"{share * minutes:5.1f} min, step {step}: {np.mean(losses):.3f}", flush=True)
            told, losses = share * minutes, []
    return network


def export(network: Network, path: Path) -> None:
    """Write the network as ONNX, which OpenCV runs."""
    torch.onnx.export(
        network.eval(),
        (torch.zeros(2, PLANES, RINGS, AROUND),),
        str(path),
        input_names=["faces"],
        output_names=["seen", "known"],
        dynamic_axes={name: {0: "faces"} for name in ("faces", "seen", "known")},
        opset_version=13,
        dynamo=False,
    )


def main() -> None:
    """Read the samples, train, and write the network."""
    parser = Arguments("train_face_network", __doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=45.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sets = [rendered(folder) for folder in parser.clips(options.folders)]
    print(f"{len(sets)} rendered sets with {sum(len(s.seen) for s in sets)} faces")
    export(train(sets, options.minutes, options.seed), options.out)
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
