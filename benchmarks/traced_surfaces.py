"""Adds tables, wood and colours to a copy of the path tracer, so that scenes show what its own
artwork does not: cloths with dots, tartan, flowers and stripes, chips of stone, marble, denim,
bamboo, newsprint, tiles with grout, grey boards and leather.

Usage: python -m benchmarks.traced_surfaces TRACER

TRACER is the folder of the path tracer (its package is `tablesim`). The command copies this file
into the package and lets its artwork use it. `python -m benchmarks.traced_scenes TRACER OUT FIRST
LAST --surface dots tartan ... --style slate ... --palette mono ...` then draws such scenes.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Colour = tuple[int, int, int]
Drawn = tuple[NDArray[np.uint8], Image, dict[str, float]]

STOCKS: Final[Mapping[str, Colour]] = {
    "slate": (92, 96, 102), "olive": (128, 128, 84), "ebony": (58, 50, 46),
    "sky": (150, 182, 208), "brick": (168, 92, 72), "white": (244, 242, 238),
}  # fmt: skip
_BLACK: Final[Colour] = (40, 38, 36)
PALETTES: Final[Mapping[str, Mapping[str, Colour]]] = {
    "mono": dict.fromkeys(("sun", "moon", "crown", "arms", "rank"), _BLACK),
    "pastel": {"sun": (222, 138, 132), "moon": (120, 116, 132), "crown": (222, 196, 128),
               "arms": (136, 164, 204), "rank": (120, 112, 108)},
    "white": {"sun": (236, 226, 214), "moon": (236, 232, 226), "crown": (246, 232, 180),
              "arms": (208, 222, 240), "rank": (240, 236, 230)},
}  # fmt: skip
_CLOTH: Final = {"roughness": 0.9, "coat": 0.0, "sheen": 0.2}
_LARGEST_PX: Final = 4096


class Ground:
    """A surface to draw on: where each pixel lies, mm, and what chance decides about it."""

    def __init__(self, kind: str, size_mm: Sequence[float], seed: int, mm_px: float) -> None:
        self.rng = np.random.default_rng([seed, zlib.crc32(kind.encode())])
        mm = max(mm_px, max(size_mm) / _LARGEST_PX)
        self.shape = (int(size_mm[1] / mm), int(size_mm[0] / mm))
        self.mm = size_mm[0] / self.shape[1]
        across = np.arange(self.shape[1], dtype=np.float32) * self.mm
        down = np.arange(self.shape[0], dtype=np.float32) * self.mm
        self.x, self.y = (np.asarray(a, dtype=np.float32) for a in np.meshgrid(across, down))

    def colour(self, low: int, high: int) -> Image:
        return self.rng.integers(low, high, 3).astype(np.float32)

    def filled(self, colour: Image) -> Image:
        return np.ones((*self.shape, 3), dtype=np.float32) * colour

    def clouds(self, cells: int) -> Image:
        """Return soft noise (h, w, 1) with a standard deviation of about 1."""
        small = self.rng.standard_normal((max(2, cells * self.shape[0] // self.shape[1]), cells))
        large = cv2.resize(
            small.astype(np.float32), self.shape[::-1], interpolation=cv2.INTER_CUBIC
        )
        return np.asarray(large, dtype=np.float32)[..., None]

    def woven(self, image: Image) -> Image:
        weave = np.sin(self.x * 7.85) * np.sin(self.y * 7.85)  # threads of 0.8 mm
        return image * (1 + 0.05 * weave[..., None] + 0.03 * self.clouds(400))

    def stamped(
        self, pitch_mm: float, jitter: float, draw: Callable[[Any, float, float], None]
    ) -> Image:
        """Return a mask (h, w, 1) of a figure that is drawn again and again."""
        layer = np.zeros(self.shape, dtype=np.uint8)
        pitch = pitch_mm / self.mm
        for row in range(int(self.shape[0] / pitch) + 2):
            for column in range(int(self.shape[1] / pitch) + 2):
                x, y = self.rng.normal((column * pitch, row * pitch), jitter * pitch + 1e-9)
                draw(layer, float(x), float(y))
        return layer.astype(np.float32)[..., None] / 255


def _dots(on: Ground) -> Image:
    ground, ink, pitch = on.colour(40, 225), on.colour(30, 240), on.rng.uniform(24, 60)
    radius = on.rng.uniform(0.18, 0.34) * pitch / on.mm

    def dot(layer: Any, x: float, y: float) -> None:
        cv2.circle(layer, (int(x * 16), int(y * 16)), int(radius * 16), 255, -1, cv2.LINE_AA, 4)

    mask = on.stamped(pitch, 0.0, dot)
    return on.woven(ground * (1 - mask) + ink * mask)


def _tartan(on: Ground) -> Image:
    image, pitch = on.filled(on.colour(30, 200)), on.rng.uniform(50, 130)
    for _ in range(4):
        begin, wide, ink = (
            on.rng.uniform(0, pitch),
            on.rng.uniform(3, pitch / 3),
            on.colour(10, 245),
        )
        share = on.rng.uniform(0.3, 0.6)
        for way in (on.x, on.y):
            stripe = (((way - begin) % pitch) < wide).astype(np.float32)[..., None] * share
            image = image * (1 - stripe) + ink * stripe
    return on.woven(image)


def _stripes(on: Ground) -> Image:
    one, other, pitch = on.colour(40, 235), on.colour(30, 235), on.rng.uniform(10, 60)
    stripe = ((on.y % (2 * pitch)) < pitch * on.rng.uniform(0.3, 1.4)).astype(np.float32)[..., None]
    return on.woven(one * (1 - stripe) + other * stripe)


def _floral(on: Ground) -> Image:
    image = on.filled(on.colour(150, 235))
    for petals in (5, 6, 7):
        pitch, size = on.rng.uniform(50, 130), on.rng.uniform(0.14, 0.24)

        def flower(
            layer: Any, x: float, y: float, n: int = petals, r: float = size * pitch / on.mm
        ) -> None:
            turn = on.rng.uniform(0, 2 * math.pi)
            for k in range(n):
                way = turn + k * 2 * math.pi / n
                at = (x + r * math.cos(way), y + r * math.sin(way))
                cv2.ellipse(
                    layer, (at, (r * 1.3, r * 0.8), math.degrees(way)), 255, -1, cv2.LINE_AA
                )

        mask = on.stamped(pitch, 0.25, flower)
        image = image * (1 - mask) + on.colour(30, 220) * mask
    return on.woven(image)


def _chips(on: Ground) -> Image:
    image = on.filled(on.colour(150, 235))
    colours = on.rng.integers(30, 230, (5, 3))
    area_mm2 = on.shape[0] * on.shape[1] * on.mm**2
    for _ in range(int(area_mm2 / on.rng.uniform(60, 300))):
        middle = on.rng.uniform((0, 0), on.shape[::-1])
        radius = abs(on.rng.normal(3, 2.5)) / on.mm + 0.6
        ways = np.sort(on.rng.uniform(0, 2 * math.pi, 6))
        corners = middle + radius * np.column_stack((np.cos(ways), np.sin(ways)))
        colour = [float(v) for v in colours[on.rng.integers(5)]]
        cv2.fillPoly(image, [(corners * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return image * (1 + 0.02 * on.clouds(400))


def _marble(on: Ground) -> Image:
    light, vein = np.array((226, 224, 220)), np.array((92, 96, 104))
    bent = 2.2 * sum(on.clouds(6 * 2**k) * 0.6**k for k in range(5))
    wave = np.abs(np.sin(((on.x + 0.6 * on.y) / on.rng.uniform(90, 240))[..., None] + bent))
    return np.asarray(vein + (light - vein) * np.clip(2.2 * wave, 0, 1) ** 0.5, dtype=np.float32)


def _denim(on: Ground) -> Image:
    twill = np.sin((on.x + on.y) * 5.7)[..., None]  # threads of 1.1 mm
    return np.array((62, 82, 120)) * (1 + 0.16 * twill + 0.12 * on.clouds(500) + 0.1 * on.clouds(9))


def _bamboo(on: Ground) -> Image:
    pitch = on.rng.uniform(7, 14)
    slats = (on.y / pitch).astype(np.int64)
    tone = on.rng.uniform(0.78, 1.1, int(slats.max()) + 1)[slats] * (
        1 - 0.5 * ((on.y % pitch) < 0.8)
    )
    return np.array((206, 176, 112)) * tone[..., None] * (1 + 0.05 * on.clouds(300))


def _newsprint(on: Ground) -> Image:
    image, column, line = (
        on.filled(np.array((214, 208, 194))),
        on.rng.uniform(45, 70),
        on.rng.uniform(3.2, 4.4),
    )
    for left in np.arange(0.0, on.shape[1] * on.mm, column):
        top = on.rng.uniform(0, 20)
        while top < on.shape[0] * on.mm:
            photo = on.rng.random() < 0.04
            size = (
                on.rng.uniform(25, 70) if photo else line * (2.6 if on.rng.random() < 0.05 else 1.0)
            )
            begin = left
            while begin < left + column - 5:
                wide = column - 4 if photo else on.rng.uniform(1.2, 7) * size / line
                end = min(begin + wide, left + column - 4)
                rows = slice(
                    int(top / on.mm), int((top + size * (0.95 if photo else 0.55)) / on.mm)
                )
                image[rows, int(begin / on.mm) : int(end / on.mm)] = on.rng.uniform(40, 150)
                begin = end + 1.1 * size / line
            top += size
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), dtype=np.float32)


def _grout(on: Ground) -> Image:
    pitch = on.rng.uniform(40, 110)
    gap = (((on.x % pitch) < 3.0) | ((on.y % pitch) < 3.0)).astype(np.float32)[..., None]
    which = ((on.x / pitch).astype(np.int64) * 131 + (on.y / pitch).astype(np.int64) * 17) % 997
    tiles = on.colour(90, 225) * on.rng.uniform(0.9, 1.08, 997)[which][..., None]
    return tiles * (1 - gap) + np.array((150, 146, 140)) * gap


def _boards(on: Ground) -> Image:
    pitch = on.rng.uniform(60, 150)
    which = (on.x / pitch).astype(np.int64)
    tone = on.rng.uniform(0.8, 1.12, int(which.max()) + 1)[which]
    small = on.rng.standard_normal((max(2, on.shape[0] // 60), on.shape[1] // 2)).astype(np.float32)
    grain = cv2.resize(small, on.shape[::-1])
    seam = 1 - 0.5 * ((on.x % pitch) < 2.5)
    return np.array((150, 140, 126)) * (tone * (1 + 0.12 * grain) * seam)[..., None]


def _leather(on: Ground) -> Image:
    return np.array((96, 58, 40)) * (1 + 0.12 * on.clouds(400) + 0.1 * on.clouds(9))


SURFACES: Final[Mapping[str, tuple[Callable[[Ground], Image], Mapping[str, float]]]] = {
    "dots": (_dots, _CLOTH), "tartan": (_tartan, _CLOTH), "stripes": (_stripes, _CLOTH),
    "floral": (_floral, _CLOTH), "denim": (_denim, _CLOTH),
    "chips": (_chips, {"roughness": 0.25, "coat": 0.2}),
    "marble": (_marble, {"roughness": 0.12, "coat": 0.4}),
    "bamboo": (_bamboo, {"roughness": 0.5, "coat": 0.1}),
    "newsprint": (_newsprint, {"roughness": 0.8, "coat": 0.0}),
    "grout": (_grout, {"roughness": 0.2, "coat": 0.3}),
    "boards": (_boards, {"roughness": 0.6, "coat": 0.0}),
    "leather": (_leather, {"roughness": 0.35, "coat": 0.15}),
}  # fmt: skip


def extended(surface: Callable[..., Drawn]) -> Callable[..., Drawn]:
    """Return the tracer's function that draws a surface, which then knows those of this file."""

    def drawn(
        kind: str, size_mm: Sequence[float], *, seed: int = 0, mm_px: float = 0.45, tint: Any = None
    ) -> Drawn:
        if kind not in SURFACES:
            return surface(kind, size_mm, seed=seed, mm_px=mm_px, tint=tint)
        draw, finish = SURFACES[kind]
        on = Ground(kind, size_mm, seed, mm_px)
        image = np.clip(draw(on), 0, 255).astype(np.uint8)
        return image, np.full(on.shape, 0.5, dtype=np.float32), dict(finish)

    return drawn


def main(arguments: Sequence[str] | None = None) -> None:
    """Let the tracer in the folder that the arguments name draw the surfaces of this file."""
    from benchmarks.arguments import Arguments  # the copy in the tracer has no such package

    parser = Arguments("traced_surfaces", __doc__)
    parser.add_argument("tracer", type=Path)
    package = parser.parse_args(arguments).tracer / "tablesim"
    (package / "more_surfaces.py").write_text(Path(__file__).read_text(encoding="utf-8"), "utf-8")
    art = package / "art.py"
    text = art.read_text(encoding="utf-8")
    if "more_surfaces" not in text:
        lines = (
            "from . import more_surfaces  # noqa: E402",
            "surface = more_surfaces.extended(surface)",
            "STOCK.update(more_surfaces.STOCKS)",
            "PALETTES.update(more_surfaces.PALETTES)",
        )
        art.write_text(text + "\n\n" + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
