"""Gathers, while the coins lie still, what is needed to name them: patches of their faces, and the
picture that shows the unnamed coins best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.camera import TableView
from calibration.store.piece_store import FacePatch
from referee.domain.episode import STARTED_MM, CoinTrack, Rest
from referee.domain.geometry import Point, distance
from referee.domain.pieces import PieceSizes
from referee.session.seeing.opening import Opened
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.coins.inventory import plainly_a_coin
from referee.vision.faces.face_patch import FaceCutter, gather
from referee.vision.faces.identification import FaceEvidence
from referee.vision.image.disc import spot_at
from referee.vision.image.picture import Picture, Rect
from referee.vision.sources.frame import VideoFrame

# Tuned on our own clips, except where a comment gives another source for a number.

#: With this many patches a face is known as well as possible.
FACE_PATCHES: Final = 12
PATCH_EVERY_S: Final = 0.04  # between two patches of a face: neighbouring frames share their noise

#: How well a picture shows coins without a name, the most important first: nothing moves in it and
#: no hand is there; this many of the coins lie in full view; this much detail their faces show.
Rank = tuple[bool, int, float]


@dataclass(frozen=True)
class StillPicture:
    """A picture of coins at rest, and the camera's view in it. `convert` returns the picture in
    colour. It is called only when needed: it takes milliseconds, and most pictures are never shown.
    """

    convert: Callable[[], NDArray[np.uint8]]
    view: TableView
    rank: Rank

    @cached_property
    def bgr(self) -> NDArray[np.uint8]:
        """Return the picture in colour, uint8 (h, w, 3), blue first."""
        return self.convert()

    @property
    def size_px(self) -> tuple[int, int]:
        """Return the picture's width and height."""
        height, width = self.bgr.shape[:2]
        return (width, height)


@dataclass
class FaceGathering:
    """Gathers `faces`, the evidence of each coin's face by name, and `still`, the best picture of
    the unnamed coins since something last moved (None if there is none yet).
    """

    view: TableView
    sizes: PieceSizes
    faces: dict[str, FaceEvidence] = field(default_factory=dict)
    still: StillPicture | None = None
    #: `NameCheck.shows_coin` (coin's name, coins on the table, face); None until names are known.
    shows_coin: Callable[[str, Set[str], FacePatch], bool] | None = None
    _cutter: FaceCutter = field(init=False)
    _gathered_s: float = -1.0

    def __post_init__(self) -> None:
        """Begin with no face."""
        self.look_from(self.view)

    def look_from(self, view: TableView) -> None:
        """Use another view of the faces from now on."""
        self.view = view
        self._cutter = FaceCutter(view, self.sizes)

    def open(self, opened: Opened, names: Sequence[str]) -> None:
        """Gather the faces of the coins that lay still in the first frames. `names` are their
        names, in the order of these coins.
        """
        for name, coin in zip(names, opened.coins, strict=True):
            self.faces[name] = FaceEvidence(plainly_a_coin(coin.rim), coin.rest)
            for number in coin.clear_in:
                part = self._cutter.cut(opened.pictures[number], coin.rest.at_mm)
                self.faces[name].add(part)
        for number, picture in enumerate(opened.pictures):
            clear = [coin.rest for coin in opened.coins if number in coin.clear_in]
            rank = (not opened.stirred, len(clear), self._detail(picture, clear))
            self._keep(picture, None, rank)

    def add(
        self, picture: Picture, frame: VideoFrame, lying: Mapping[str, Rest], *, calm: bool
    ) -> None:
        """Gather the faces of these coins, which lie still in full view, from a frame (also given
        as `picture`). `calm` says that nothing moves and no hand is there.

        Patches of a named coin from before it moved or was covered are dropped, because another
        coin may lie there now.
        """
        self.faces = {n: f for n, f in self.faces.items() if n in lying or n.startswith("?")}
        if frame.t_s - self._gathered_s < PATCH_EVERY_S:
            return
        self._gathered_s = frame.t_s
        unnamed = [name for name in lying if name.startswith("?")]
        if self.still is None or any(self._wants(name, FACE_PATCHES) for name in unnamed):
            shown = [lying[name] for name in unnamed]
            self._keep(picture, frame, (calm, len(shown), self._detail(picture, shown)))
        self.up_to(FACE_PATCHES, lying, picture, frame)

    def up_to(
        self, most: int, lying: Mapping[str, Rest], picture: Picture, frame: VideoFrame
    ) -> None:
        """Add a patch to the face of each coin that lies in full view in a frame and has fewer than
        `most` patches. Patches from another place are dropped: a coin that was thought to lie there
        may have been something else.
        """
        for name, rest in lying.items():
            if name in self.faces and not self.faces[name].lies_at(rest):
                del self.faces[name]
            if self._wants(name, most):
                part = self._cut(picture, frame, rest.at_mm)
                self.faces.setdefault(name, FaceEvidence(place=rest)).add(part)

    def fewest_patches(self, names: Iterable[str]) -> int:
        """Return the smallest number of patches that any of these coins' faces has; 0 for none."""
        return min((len(self.faces.get(n, FaceEvidence()).patches) for n in names), default=0)

    def lose_strangers(
        self, picture: Picture, frame: VideoFrame, coins: Iterable[TrackedCoin], covered: Set[str]
    ) -> list[str]:
        """Treat coins that came to rest in full view as lost if nothing like a face of the match is
        seen there: print on the table, or a shadow, was taken for them. Sightings at that place are
        dropped. Return the new coins among them.
        """
        coins = list(coins)
        lying = {coin.coin for coin in coins if coin.lies is not None}
        new = []
        for coin in coins:
            at, lay = coin.rest, coin.before
            if coin.state is not State.REST or at is None or coin.coin in covered:
                continue
            moved = lay is None or distance(at.at_mm, lay.at_mm) > STARTED_MM
            part = self._cut(picture, frame, at.at_mm) if moved else None
            if not self.shows_coin or not part or self.shows_coin(coin.coin, lying, part):
                continue
            coin.state, coin.rest, coin.left = State.HIDDEN, None, True
            coin.lost |= coin.seen_free
            coin.sightings = [s for s in coin.sightings if not at.is_at(s.at_mm, s.sigma_mm)]
            new += [coin.coin] if coin.coin.startswith("?") else []
        return new

    def _cut(self, picture: Picture, frame: VideoFrame, at_mm: Point) -> FacePatch | None:
        if not picture.has_colour:
            return gather(frame.bgr(), self.view, at_mm, self.sizes)
        return self._cutter.cut(picture, at_mm)

    def rename(self, names: Mapping[str, str]) -> None:
        """Give coins their names (`?1` to `suns`)."""
        self.faces = {names.get(name, name): face for name, face in self.faces.items()}

    def forget(self, names: Iterable[str]) -> None:
        """Forget the faces of coins that no longer lie where the faces were gathered."""
        for name in names:
            self.faces.pop(name, None)

    def note_moves(self, tracks: Iterable[CoinTrack]) -> None:
        """Forget the picture of where coins lay if one of them has moved since."""
        if any(track.sightings or track.before != track.after for track in tracks):
            self.still = None

    def _wants(self, name: str, most: int) -> bool:
        return name not in self.faces or len(self.faces[name].patches) < most

    def _detail(self, picture: Picture, lying: Sequence[Rest]) -> float:
        """Return how much neighbouring pixels on these coins differ, in grey levels, added up over
        the coins. It is less if the picture is blurred, bleached or dark.
        """
        height_mm, radius_mm = self.sizes.coin_thickness_mm, self.sizes.coin_mm / 2
        return sum(
            _steps(picture, spot_at(self.view, rest.at_mm, height_mm).rect(radius_mm))
            for rest in lying
        )

    def _keep(self, picture: Picture, frame: VideoFrame | None, rank: Rank) -> None:
        """Keep the picture if it is the best one so far."""
        if self.still is not None and rank <= self.still.rank:
            return
        convert = frame.bgr if frame is not None else partial(_in_colour, picture)
        self.still = StillPicture(convert, self.view, rank)


def _in_colour(picture: Picture) -> NDArray[np.uint8]:
    """Return a picture in colour, or in grey if the source had no colours."""
    whole = Rect(0, 0, picture.width, picture.height)
    bgr = picture.bgr(whole)
    return np.repeat(picture.luma_in(whole)[:, :, None], 3, axis=2) if bgr is None else bgr


def _steps(picture: Picture, rect: Rect) -> float:
    """Return by how many grey levels neighbouring pixels of a rectangle differ, on average; 0
    outside the picture.
    """
    part = rect.within(picture.width, picture.height)
    if part.empty:
        return 0.0
    grey = picture.luma_in(part).astype(np.int16)
    steps = (np.abs(np.diff(grey, axis=axis)) for axis in (0, 1))
    return float(sum(step.mean() for step in steps if step.size))
