"""Draws an address as a QR code, for a terminal and for a page."""

from __future__ import annotations

import io
from typing import Final

import segno

#: The empty border, in modules, that a reader needs around a code (ISO/IEC 18004).
BORDER: Final = 4


def svg(address: str) -> bytes:
    """Return the code as an SVG picture, dark on white."""
    out = io.BytesIO()
    segno.make_qr(address).save(
        out, kind="svg", border=BORDER, dark="#000", light="#fff", omitsize=True
    )
    return out.getvalue()


def terminal_lines(address: str) -> list[str]:
    """Return the code as lines of half blocks, for white letters on black."""
    out = io.StringIO()
    segno.make_qr(address).terminal(out, border=BORDER // 2, compact=True)
    return out.getvalue().splitlines()
