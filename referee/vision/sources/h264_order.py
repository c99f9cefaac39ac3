"""Finds, from the frame numbers in H.264 packets, whether a picture that later pictures need is
missing.

After a lost packet, the decoder continues without an error: it predicts from a picture that is too
old. Until the next complete picture, all pictures look wrong where something moved. Source: ITU-T
H.264, 7.3.2.1.1 (sequence parameter set), 7.3.3 (slice header), 7.4.3 (`frame_num`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

# By definition: the codes of ITU-T H.264, except where a comment says otherwise.

_SLICE: Final = 1
_COMPLETE_PICTURE: Final = 5
_PARAMETERS: Final = 7
_OTHER_CHROMA: Final = frozenset({100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135})
_FULL_CHROMA: Final = 3  # 4:4:4
_START: Final = b"\x00\x00\x01"
_HEADER_BYTES: Final = 64  # Chosen: more than a slice header needs up to `frame_num`


class PictureOrder:
    """Follows the frame numbers of one stream. Pass every packet to `skips`, in decoding order."""

    def __init__(self, extradata: bytes | None) -> None:
        """Read the stream's parameters from `extradata`, where its container may store them."""
        self._length_bytes = 0
        self._number_bits: int | None = None
        self._colour_planes = False
        self._last: int | None = None
        extradata = extradata or b""
        if extradata[:1] == b"\x01" and len(extradata) > 8:
            self._length_bytes = (extradata[4] & 3) + 1
            size = int.from_bytes(extradata[6:8], "big")
            self._read_parameters(extradata[8 : 8 + size])
        else:
            self._units_read(extradata)

    def skips(self, packet: bytes) -> bool:
        """Return whether a picture is missing that the decoder may need to predict this packet's
        picture. Return False if the packet does not show whether one is missing.
        """
        unit = self._units_read(packet)
        if unit is None or self._number_bits is None:
            return False
        kind, needed = unit[0] & 31, unit[0] >> 5 & 3
        bits = _Bits(unit[1:_HEADER_BYTES])
        for _ in range(3):
            bits.unsigned()
        bits.fixed(2 if self._colour_planes else 0)
        number, last = bits.fixed(self._number_bits), self._last
        follows = last is None or (number - last) % (1 << self._number_bits) <= 1
        if needed or not follows:
            self._last = number
        return kind != _COMPLETE_PICTURE and not follows

    def _units_read(self, packet: bytes) -> bytes | None:
        """Read the parameters in a packet, and return its first slice; None if it has no slice."""
        for unit in self._units(packet):
            kind = unit[0] & 31
            if kind == _PARAMETERS:
                self._read_parameters(unit)
            elif kind in (_SLICE, _COMPLETE_PICTURE):
                return unit
        return None

    def _units(self, packet: bytes) -> Iterator[bytes]:
        if not self._length_bytes:
            yield from (u for u in packet.split(_START)[1:] if u)
            return
        at = 0
        while at + self._length_bytes < len(packet):
            begin = at + self._length_bytes
            at = begin + int.from_bytes(packet[at:begin], "big")
            yield packet[begin:at]

    def _read_parameters(self, unit: bytes) -> None:
        bits = _Bits(unit[1:])
        profile = bits.fixed(8)
        bits.fixed(16)
        bits.unsigned()
        self._colour_planes = False
        if profile in _OTHER_CHROMA:
            chroma = bits.unsigned()
            self._colour_planes = chroma == _FULL_CHROMA and bool(bits.fixed(1))
            bits.unsigned()
            bits.unsigned()
            bits.fixed(1)
            if bits.fixed(1):
                bits.pass_scaling_lists(12 if chroma == _FULL_CHROMA else 8)
        self._number_bits = bits.unsigned() + 4


class _Bits:
    """Reads the bits of an H.264 unit. Bits beyond its end are read as zeros."""

    def __init__(self, unit: bytes) -> None:
        plain = unit.replace(b"\x00\x00\x03", b"\x00\x00")
        self._left = 8 * len(plain)
        self._value = int.from_bytes(plain, "big")

    def fixed(self, count: int) -> int:
        self._left -= count
        shifted = self._value >> self._left if self._left >= 0 else self._value << -self._left
        return shifted & ((1 << count) - 1)

    def unsigned(self) -> int:
        """Read an unsigned Exp-Golomb code, ue(v)."""
        zeros = 0
        while self._left > 0 and not self.fixed(1):
            zeros += 1
        return (1 << zeros) - 1 + self.fixed(zeros)

    def signed(self) -> int:
        """Read a signed Exp-Golomb code, se(v)."""
        code = self.unsigned()
        return (code + 1) // 2 if code % 2 else -code // 2

    def pass_scaling_lists(self, count: int) -> None:
        for index in range(count):
            if self.fixed(1):
                last, following = 8, 8
                for _ in range(16 if index < 6 else 64):
                    if following:
                        following = (last + self.signed()) % 256
                    last = following or last
