"""Stores a learnt set of pieces: its sizes and its coins' faces, in the file pieces.yaml.

```yaml
tile_mm: 50.8              # a missing size is the usual piecepack's
tile_thickness_mm: 6.35
coin_mm: 19.05
coin_thickness_mm: 3.2
faces:                     # one for each coin that was seen, by its name in the match record
  moons: {seen_px: 43.5, png: iVBORw0...}
```
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray

from calibration.store.decoder_errors import without_decoders_words
from calibration.store.picture_bounds import check_pixels
from calibration.store.yaml_fields import LARGEST, is_number, shown
from calibration.store.yaml_input import read_yaml
from referee.domain.errors import InputError
from referee.domain.pieces import COINS, SIZE_NAMES, PieceSizes

# Chosen: limits, sizes and colours that nothing was measured for.

#: A patch shows a square around the coin's centre. Half its side is this many coin radii, for the
#: whole face and a margin.
PATCH_REACH: Final = 1.15
#: The pixels along a stored patch's side.
STORED_PX: Final = 64

_SMALLEST_MM: Final = 0.5
_LARGEST_MM: Final = 500.0


@dataclass(frozen=True, eq=False)
class FacePatch:
    """A coin's top face, seen from straight above. Up in the patch is +y on the table, and a side
    of the patch is `2 PATCH_REACH` coin radii long.

    `bgr` is (n, n, 3) float32 in 0..255. `seen_px` is how many pixels wide the coin was in the
    original picture, which limits how sharp the patch can be.
    """

    bgr: NDArray[np.float32]
    seen_px: float


@dataclass(frozen=True, eq=False)
class PieceSet:
    """A set's sizes, and the top faces of its coins by name. `faces` may be empty: then only the
    sizes are known.
    """

    sizes: PieceSizes
    faces: Mapping[str, FacePatch] = field(default_factory=lambda: MappingProxyType({}))


def write_pieces(path: Path, pieces: PieceSet) -> None:
    """Write a set as pieces.yaml. Raises InputError if the file cannot be written."""
    plain: dict[str, Any] = {key: round(float(getattr(pieces.sizes, key)), 3) for key in SIZE_NAMES}
    plain["faces"] = {
        name: {"seen_px": round(float(face.seen_px), 2), "png": _png_text(face)}
        for name, face in pieces.faces.items()
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(plain, sort_keys=False, width=160), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def read_pieces(path: Path) -> PieceSet:
    """Read pieces.yaml. Raises InputError, `FILE: key: what is wrong`, for anything that is not a
    set of pieces.
    """
    plain = read_yaml(path)
    if not isinstance(plain, dict):
        raise InputError(
            f"{path}: is not a file of pieces: it must hold values with the keys"
            f" {', '.join(SIZE_NAMES)},"
            f" faces, not {shown(plain)}"
        )
    for key in plain:
        if key not in (*SIZE_NAMES, "faces"):
            raise InputError(f"{path}: {key}: unknown key (known: {', '.join(SIZE_NAMES)}, faces)")
    return PieceSet(_read_sizes(path, plain), _read_faces(path, plain.get("faces", {})))


def check_sizes(where: str, sizes: PieceSizes) -> None:
    """Raise InputError, `WHERE: key: what`, for a size that is not finite or that no set can
    have.
    """
    for key in SIZE_NAMES:
        size = float(getattr(sizes, key))
        if not (math.isfinite(size) and _SMALLEST_MM <= size <= _LARGEST_MM):
            raise InputError(
                f"{where}: {key}: {size:g} is not a possible size of a piece: it must be"
                f" {_SMALLEST_MM:g} to {_LARGEST_MM:g} mm"
            )
    if sizes.coin_mm >= sizes.tile_mm:
        raise InputError(
            f"{where}: coin_mm: a coin of {sizes.coin_mm:g} mm is not smaller than a tile of"
            f" {sizes.tile_mm:g} mm"
        )


def coin_name(written: object) -> str | None:
    """Return the coin that a YAML value names; None if it names no coin. An unquoted `null` or `2`
    is the coin "null" or "2".
    """
    name = "null" if written is None else str(written)
    return name if name in COINS and not isinstance(written, bool | float) else None


def _read_sizes(path: Path, plain: Mapping[str, Any]) -> PieceSizes:
    """Return the sizes in the file. A size that is missing is that of the usual piecepack."""
    given = {key: plain[key] for key in SIZE_NAMES if key in plain}
    for key, size in given.items():
        if not is_number(size):
            raise InputError(f"{path}: {key}: {shown(size)} is not a number of millimetres")
    sizes = PieceSizes(**{key: float(size) for key, size in given.items()})
    check_sizes(str(path), sizes)
    return sizes


def _read_faces(path: Path, plain: object) -> Mapping[str, FacePatch]:
    """Return the faces in the file, by coin."""
    if not isinstance(plain, dict):
        raise InputError(f"{path}: faces: must give for the name of each coin its seen_px and png")
    faces: dict[str, FacePatch] = {}
    for written, face in plain.items():
        name = coin_name(written)
        if name is None:
            raise InputError(f"{path}: faces.{written}: is not a coin ({', '.join(COINS)})")
        if name in faces:
            raise InputError(f"{path}: faces.{name}: is given twice")
        faces[name] = _read_face(f"{path}: faces.{name}", face)
    return MappingProxyType(faces)


def _read_face(where: str, plain: object) -> FacePatch:
    """Return one face. `where` begins the text of an error."""
    if not isinstance(plain, dict) or set(plain) != {"seen_px", "png"}:
        raise InputError(f"{where}: must have exactly the keys seen_px and png")
    seen_px = plain["seen_px"]
    if not is_number(seen_px) or not 0 < seen_px <= LARGEST:
        raise InputError(f"{where}.seen_px: {shown(seen_px)} is not a number of pixels")
    try:
        content = base64.b64decode(plain["png"], validate=True)
        check_pixels(content, f"{where}.png")
        packed = np.frombuffer(content, dtype=np.uint8)
        with without_decoders_words():
            picture = cv2.imdecode(packed, cv2.IMREAD_COLOR) if packed.size else None
    except (binascii.Error, TypeError, ValueError, cv2.error) as error:
        raise InputError(f"{where}.png: is not a picture in base64") from error
    if picture is None or picture.shape[:2] != (STORED_PX, STORED_PX):
        raise InputError(f"{where}.png: is not a picture of {STORED_PX} x {STORED_PX} pixels")
    return FacePatch(picture.astype(np.float32), float(seen_px))


def _png_text(face: FacePatch) -> str:
    """Return a patch as base64 text of a PNG. Raises ValueError for a patch whose size is not the
    stored one.
    """
    if face.bgr.shape != (STORED_PX, STORED_PX, 3):
        raise ValueError(
            f"a face of {STORED_PX} x {STORED_PX} pixels can be stored; this one has the shape"
            f" {face.bgr.shape}"
        )
    done, packed = cv2.imencode(".png", np.clip(np.rint(face.bgr), 0, 255).astype(np.uint8))
    if not done:
        raise ValueError("a face could not be encoded as PNG")
    return base64.b64encode(packed.tobytes()).decode("ascii")
