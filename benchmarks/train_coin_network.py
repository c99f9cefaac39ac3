"""Trains the network that tells coins from the rest of a table by their look.

Usage: python -m benchmarks.train_coin_network FOLDER ... --out FILE.onnx [--minutes 25] [--seed 0]
           [--begin-with FILE.onnx [--share 0.7]] [--times 1.5]

FOLDER is a clip with its truth, or holds clips. Rendered tables with many coins teach the most in
the least time; clips with hands teach what a fingertip is, and printed cloths what print is. Needs
the packages of `pip install .[train]`, which nothing else does.

Every step takes ten squares from the samples, turned and mirrored, in other colours, brightness
and contrast, blurred and with noise; some get drawn coins. A coin's middle is right within
`MIDDLE_CELLS`, and places up to `NEAR_CELLS` from it count as neither. The weights are written as
ONNX, which OpenCV runs. With `--begin-with`, an earlier training goes on. `--share` then mixes the
new weights with the earlier ones, which keeps what those knew of coins without a mark. `--times`
multiplies the log odds: print makes the network less sure, while the numbers that rest on its log
odds were measured before it had seen any.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from benchmarks.arguments import Arguments
from benchmarks.coin_samples import Sample, samples_of
from referee.vision.coins.coin_network import COIN_CELLS, STRIDE, network_input

SIDE_CELLS = 160
SQUARES = 10
MIDDLE_CELLS, NEAR_CELLS = 1.9, 4.0
HIDDEN_CELLS = 16.0  # around a coin that moves or is partly hidden: nothing is learnt there
AT_A_COIN = 0.75  # of the squares hold a coin, if the sample has one
MANY_COINS = 20  # samples with so many coins are drawn more often
OF_MANY = 0.6  # of the squares are theirs
DRAWN = 0.3  # of the squares get drawn coins
MOST_WALL_CELLS = 2.6  # of a drawn coin's side wall
RIGHT_WEIGHT = 4.0  # of a right cell, because there are few
RATE = 2e-3

Floats = NDArray[np.float32]


def network() -> nn.Sequential:
    """Return the network before training: input (n, 3, rows, columns), output (n, 1, rows / 2,
    columns / 2), the log odds of a coin's middle.
    """
    layers = nn.Sequential(
        nn.Conv2d(3, 12, 5, STRIDE, 2),
        nn.ReLU(),
        nn.Conv2d(12, 20, 3, 1, 1),
        nn.ReLU(),
        nn.Conv2d(20, 28, 3, 1, 1),
        nn.ReLU(),
        nn.Conv2d(28, 28, 3, 1, 2, 2),
        nn.ReLU(),
        nn.Conv2d(28, 28, 3, 1, 2, 2),
        nn.ReLU(),
        nn.Conv2d(28, 1, 1),
    )
    nn.init.constant_(layers[-1].bias, -4.0)
    return layers


def recoloured(flat: NDArray[np.uint8], random: np.random.Generator) -> Floats:
    """Return a square in other colours, brightness, contrast, sharpness and noise."""
    light, colour = flat[..., 0].astype(np.float32), flat[..., 1:].astype(np.float32) - 128
    light = 255 * (light / 255) ** random.uniform(0.75, 1.35)
    light = light * np.exp(random.normal(0, 0.2)) + random.normal(0, 6)
    turn = random.uniform(-math.pi, math.pi) if random.random() < 0.5 else random.normal(0, 0.15)
    fade = np.exp(random.normal(0, 0.35)) if random.random() < 0.8 else random.uniform(0, 0.3)
    c, s = fade * math.cos(turn), fade * math.sin(turn)
    colour = colour @ np.array([[c, -s], [s, c]]) + 128 + random.normal(0, 6, 2)
    if random.random() < 0.06:
        light = 255 - light
    seen = np.concatenate((light[..., None], colour), axis=-1).astype(np.float32)
    if random.random() < 0.35:
        seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.3, 1.1))
    if random.random() < 0.15:
        k = random.uniform(0.5, 0.8)
        small = cv2.resize(seen, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        seen = cv2.resize(small, seen.shape[1::-1])
    if random.random() < 0.5:
        seen = seen + random.normal(0, random.uniform(0, 6), seen.shape) * (1, 0.6, 0.6)
    return np.clip(seen, 0, 255).astype(np.float32)


def with_plain_coins(
    flat: NDArray[np.uint8], open_: NDArray[np.uint8], coins: Floats, random: np.random.Generator
) -> tuple[NDArray[np.uint8], Floats]:
    """Return a square with up to three drawn coins where nothing lies, and all its coins: discs
    with a side wall, in any colour, some with a shadow and a mark. All rendered coins have rims and
    faces. From the drawn ones the network learns that a coin may have neither.
    """
    drawn, added = flat.astype(np.float32), list[tuple[float, float]]()
    lean = random.uniform(0, 2 * math.pi)
    wall = random.uniform(0, MOST_WALL_CELLS) if random.random() < 0.8 else 0.0
    radius = COIN_CELLS / 2 + random.normal(0, 0.12)
    for _ in range(random.integers(1, 4)):
        at = random.uniform(8, SIDE_CELLS - 8, 2)
        apart = [math.dist(at, coin[:2]) for coin in coins] + [math.dist(at, a) + 10 for a in added]
        if not open_[int(at[1]), int(at[0])] or min(apart, default=99.0) < 26:
            continue
        column, row = at.astype(int)
        around = drawn[max(0, row - 9) : row + 10, max(0, column - 9) : column + 10]
        face = np.median(around.reshape(-1, 3), axis=0)
        face[0] += random.choice((-1, 1)) * random.uniform(5, 70)
        face[1:] += random.normal(0, 9, 2)
        if random.random() < 0.3:
            face[0] = random.uniform(10, 245)
        if random.random() < 0.4:
            turn = random.uniform(0, 2 * math.pi)
            shade = disc(at + 2.5 * np.array((math.cos(turn), math.sin(turn))), radius)
            shade = cv2.GaussianBlur(shade, (0, 0), 1.5)
            drawn[..., 0] *= 1 - shade * random.uniform(0.1, 0.5)
        side = face * (random.uniform(0.45, 1.0), 1, 1)
        for share in np.linspace(1, 0, 7):
            foot = at + share * wall * np.array((math.cos(lean), math.sin(lean)))
            drawn = laid_over(drawn, disc(foot, radius), side if share > 0 else face)
        if random.random() < 0.5:
            mark = face + random.normal(0, 1, 3) * (50, 20, 20)
            drawn = laid_over(drawn, disc(at, random.uniform(1.5, 5)), mark)
        added.append((float(at[0]), float(at[1])))
    new = np.array([(x, y, 1.0) for x, y in added], np.float32).reshape(-1, 3)
    return np.clip(drawn, 0, 255).astype(np.uint8), np.concatenate((coins, new))


def disc(at: NDArray[np.float64], radius: float) -> Floats:
    """Return the share of each cell of a square that a disc covers, (side, side)."""
    cover = np.zeros((SIDE_CELLS, SIDE_CELLS), np.uint8)
    centre = (round(at[0] * 16), round(at[1] * 16))
    cv2.circle(cover, centre, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    return cover.astype(np.float32) / 255


def laid_over(under: Floats, cover: Floats, colour: NDArray[np.float64]) -> Floats:
    """Return a picture with something of one colour over it."""
    over = cover[..., None]
    return np.asarray(under * (1 - over) + over * colour, dtype=np.float32)


def square(sample: Sample, random: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Return a square of a sample as the network sees it (3, side, side), what is right there, and
    how much each cell counts (side / 2, side / 2).
    """
    lack = [max(0, SIDE_CELLS - n) for n in sample.open_.shape]
    border = (0, lack[0], 0, lack[1])
    flat = cv2.copyMakeBorder(sample.flat, *border, cv2.BORDER_REFLECT)
    open_ = cv2.copyMakeBorder(sample.open_, *border, cv2.BORDER_CONSTANT, value=0)
    most = np.array(open_.shape[::-1]) - SIDE_CELLS
    at = random.integers(0, most + 1)
    if len(sample.coins) and random.random() < AT_A_COIN:
        coin = sample.coins[random.integers(len(sample.coins))]
        at = np.clip(coin[:2] - random.uniform(20, SIDE_CELLS - 20, 2), 0, most).astype(int)
    cut = (slice(at[1], at[1] + SIDE_CELLS), slice(at[0], at[0] + SIDE_CELLS))
    flat, open_, coins = flat[cut], open_[cut], sample.coins - (*at, 0)
    for axis in (0, 1):
        if random.random() < 0.5:
            flat, open_ = np.flip(flat, 1 - axis), np.flip(open_, 1 - axis)
            coins[:, axis] = SIDE_CELLS - 1 - coins[:, axis]
    if random.random() < 0.5:
        flat, open_, coins = flat.swapaxes(0, 1), open_.T, coins[:, [1, 0, 2]]
    flat, open_ = np.ascontiguousarray(flat), np.ascontiguousarray(open_)
    if random.random() < DRAWN:
        flat, coins = with_plain_coins(flat, open_, coins, random)
    seen = network_input(recoloured(flat, random))
    return seen.transpose(2, 0, 1), *wanted(open_, coins)


def wanted(open_: NDArray[np.uint8], coins: Floats) -> tuple[Floats, Floats]:
    """Return the output that would be right, and the weight of each of its cells."""
    counts = open_[::STRIDE, ::STRIDE].astype(np.float32)
    rows, columns = STRIDE * np.indices(counts.shape)
    right = np.zeros(counts.shape, np.float32)
    for x, y, plain in coins:
        off = np.hypot(columns - x, rows - y)
        if not plain:
            counts[off < HIDDEN_CELLS] = 0
            continue
        right[off < MIDDLE_CELLS] = 1
        counts[off < NEAR_CELLS] = right[off < NEAR_CELLS]
    return right, counts


def trained_before(weights: Path) -> nn.Sequential:
    """Return the network with the weights of an earlier training."""
    layers = network()
    kept = onnx.load(str(weights)).graph.initializer
    by_name = {
        w.name.removeprefix("f."): torch.from_numpy(onnx.numpy_helper.to_array(w).copy())
        for w in kept
    }
    layers.load_state_dict(by_name)
    return layers


def mixed(new: nn.Sequential, earlier: nn.Sequential, share: float) -> nn.Sequential:
    """Return the network with a `share` of the new weights, and the rest of the earlier ones."""
    old = earlier.state_dict()
    new.load_state_dict({n: share * w + (1 - share) * old[n] for n, w in new.state_dict().items()})
    return new


def surer(layers: nn.Sequential, times: float) -> nn.Sequential:
    """Return the network with its log odds multiplied by `times`."""
    with torch.no_grad():
        for parameter in layers[-1].parameters():
            parameter.mul_(times)
    return layers


def train(
    layers: nn.Sequential, samples: Sequence[Sample], minutes: float, seed: int
) -> nn.Sequential:
    """Return the trained network. The learning rate falls to 0 towards the end."""
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    optimiser = torch.optim.AdamW(layers.parameters(), RATE, weight_decay=1e-4)
    many = [s for s in samples if len(s.coins) >= MANY_COINS] or samples
    few = [s for s in samples if len(s.coins) < MANY_COINS] or samples
    began, told, step, losses = time.monotonic(), 0.0, 0, list[float]()
    while (share := (time.monotonic() - began) / (60 * minutes)) < 1:
        step += 1
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, step / 50) * max(0.01, 1 - share)
        drawn = [many if random.random() < OF_MANY else few for _ in range(SQUARES)]
        squares = [square(pool[random.integers(len(pool))], random) for pool in drawn]
        seen, right, counts = (
            torch.from_numpy(np.stack(part)) for part in zip(*squares, strict=True)
        )
        each = functional.binary_cross_entropy_with_logits(
            layers(seen)[:, 0], right, reduction="none", pos_weight=torch.tensor(RIGHT_WEIGHT)
        )
        loss = (each * counts).sum() / (right * counts).sum().clamp(min=10)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
        if share * minutes - told > 1:
            print(f"{share * minutes:5.1f} min, step {step}: {np.mean(losses):.2f}", flush=True)
            told, losses = share * minutes, []
    return layers


def main() -> None:
    """Read the samples, train, and write the network."""
    parser = Arguments("train_coin_network", __doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--begin-with", type=Path, help="the weights of an earlier training")
    parser.add_argument("--share", type=float, default=1.0, help="of the new weights")
    parser.add_argument("--times", type=float, default=1.0, help="how much surer it is made")
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    samples = [s for folder in parser.clips(options.folders) for s in samples_of(folder)]
    print(f"{len(samples)} frames with {sum(len(s.coins) for s in samples)} coins")
    layers = trained_before(options.begin_with) if options.begin_with else network()
    layers = train(layers, samples, options.minutes, options.seed).eval()
    if options.begin_with:
        layers = mixed(layers, trained_before(options.begin_with), options.share)
    layers = surer(layers, options.times)
    torch.onnx.export(
        layers,
        (torch.zeros(1, 3, SIDE_CELLS, SIDE_CELLS),),
        str(options.out),
        input_names=["seen"],
        output_names=["log_odds"],
        dynamic_axes={"seen": {2: "rows", 3: "columns"}, "log_odds": {2: "rows", 3: "columns"}},
        opset_version=13,
        dynamo=False,
    )
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
