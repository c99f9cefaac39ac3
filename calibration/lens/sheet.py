"""Writes the board for measuring a lens as a PDF page at its true size. The page consists of
rectangles, so it prints sharply.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.lens.lens import BoardKind
from referee.domain.errors import InputError

# Chosen: limits, sizes and colours that nothing was measured for.

#: Paper sizes in landscape. By definition: ISO 216, and the sheet of 8.5 by 11 inches.
PAPERS_MM: Final = {"a4": (297.0, 210.0), "letter": (279.4, 215.9), "a3": (420.0, 297.0)}

Rectangle = tuple[float, float, float, float]

_POINTS_PER_MM: Final = 72.0 / 25.4
# the margin around the board; below the board it is twice as wide, for a line of text
_MARGIN_MM: Final = 8.0
# with smaller squares a marker's cells would be less than half a millimetre wide
_SMALLEST_MM: Final = 5.0


def fitting_square_mm(kind: BoardKind, paper: str) -> float:
    """Return the largest side of a square, in whole millimetres, with which the board fits on the
    paper. Raises InputError if not even 5 mm fit.
    """
    width, height = PAPERS_MM[paper]
    largest = float(
        int(min((width - 2 * _MARGIN_MM) / kind.across, (height - 3 * _MARGIN_MM) / kind.down))
    )
    if largest < _SMALLEST_MM:
        raise InputError(
            f"--squares: {kind.across}x{kind.down} squares are too many for {paper}: they would be"
            f" smaller than {_SMALLEST_MM:g} mm"
        )
    return largest


def _dark_rectangles(kind: BoardKind) -> list[Rectangle]:
    """Return the board's black parts as x, y, width, height in mm from its lower left corner.
    Neighbouring marker cells of a row are joined.
    """
    board = kind.board()
    cells = board.getDictionary().markerSize + 2
    across, down = kind.across, kind.down
    unit = 20 * cells
    drawn = np.asarray(
        board.generateImage((across * unit, down * unit), marginSize=0, borderBits=1),
        dtype=np.uint8,
    )
    square, marker = kind.square_mm, kind.marker_mm
    rectangles = []
    for row in range(down):
        for column in range(across):
            x, y = column * square, (down - 1 - row) * square
            block = drawn[row * unit : (row + 1) * unit, column * unit : (column + 1) * unit]
            if block.max() == 0:
                rectangles.append((x, y, square, square))
            else:
                rectangles += _marker(
                    block,
                    cells,
                    x + (square - marker) / 2,
                    y + (square - marker) / 2,
                    marker,
                    square,
                )
    return rectangles


def _marker(
    block: NDArray[np.uint8], cells: int, x: float, y: float, side: float, square: float
) -> list[Rectangle]:
    """Return rectangles that cover a marker's black cells: one for each unbroken run of black cells
    in a row. The marker's lower left corner is at `x`, `y`, and the marker is `side` wide, all in
    mm.

    A cell is black if the drawing `block` is dark in the middle of the cell. The drawing shows the
    marker and the white margin around it, which together fill a square `square` mm wide.
    """
    unit, cell = block.shape[0], side / cells
    first = (1 - side / square) / 2 * unit
    step = side / square * unit / cells
    found = []
    for row in range(cells):
        dark = [
            block[int(first + (row + 0.5) * step), int(first + (column + 0.5) * step)] < 128
            for column in range(cells)
        ]
        begin = 0
        while begin < cells:
            if not dark[begin]:
                begin += 1
                continue
            end = begin
            while end < cells and dark[end]:
                end += 1
            found.append(
                (x + begin * cell, y + (cells - 1 - row) * cell, (end - begin) * cell, cell)
            )
            begin = end
    return found


def board_pdf(kind: BoardKind, paper: str = "a4") -> bytes:
    """Make a one-page PDF of the board at its true size, in the middle of the paper. Raises
    InputError if the board does not fit or the paper is unknown.
    """
    if paper not in PAPERS_MM:
        raise InputError(f"--paper: {paper!r} is unknown ({', '.join(PAPERS_MM)})")
    width, height = PAPERS_MM[paper]
    wide, high = kind.across * kind.square_mm, kind.down * kind.square_mm
    if wide > width - _MARGIN_MM or high + _MARGIN_MM > height - _MARGIN_MM:
        raise InputError(
            f"--square-mm: {kind.across}x{kind.down} squares of {kind.square_mm:g} mm do not fit"
            f" {paper} (at most {fitting_square_mm(kind, paper):g})"
        )
    left, low = (width - wide) / 2, (height - high + _MARGIN_MM) / 2
    strokes = [f"{_POINTS_PER_MM:.8f} 0 0 {_POINTS_PER_MM:.8f} 0 0 cm", "0 g"]
    strokes += [
        f"{left + x:.4f} {low + y:.4f} {w:.4f} {h:.4f} re f"
        for x, y, w, h in _dark_rectangles(kind)
    ]
    board = (
        f"{kind.across}x{kind.down} squares of {kind.square_mm:g} mm, markers {kind.marker_mm:g}"
        f" mm, {kind.dictionary}"
    )
    words = f"{board}. Print at 100 %, measure a square, glue to something flat."
    strokes.append(f"BT /F1 3.2 Tf {left:.2f} {low - 6:.2f} Td ({words}) Tj ET")
    return _pdf("\n".join(strokes).encode("ascii"), width * _POINTS_PER_MM, height * _POINTS_PER_MM)


def _pdf(content: bytes, width_pt: float, height_pt: float) -> bytes:
    """Make a PDF with one page and one font (PDF 1.4 reference, 3.4: header, objects,
    cross-reference table, trailer).
    """
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width_pt:.3f} {height_pt:.3f}] /Contents 4 0"
        " R /Resources << /Font << /F1 5 0 R >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(
        b"%010d 00000 n \n" % place for place in places
    )
    return (
        out
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (len(objects) + 1, len(out))
    )
