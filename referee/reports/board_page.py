"""The board of Wickets on one page to print: the numbered spaces, the stakes, the start, and the
wickets with the order and direction in which they are passed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from referee.games.wickets.board import Board, Space

#: The size that fits on both A4 and letter paper with a margin.
WIDEST_MM: Final = 190.0
HIGHEST_MM: Final = 255.0
#: The room beside the board for the numbers of columns and rows.
NUMBERS_MM: Final = 6.0
ARROWS: Final = {"n": "▲", "s": "▼", "e": "▶", "w": "◀"}


def board_svg(board: Board, title: str) -> str:
    """Return the board as an SVG page in millimetres, as players see it: columns to the right, rows
    upwards.
    """
    side = space_mm(board)
    wide, high = board.cols * side + NUMBERS_MM + 1, board.rows * side + 2 * NUMBERS_MM
    size = f'width="{wide:.2f}mm" height="{high:.2f}mm" viewBox="0 0 {wide:.2f} {high:.2f}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif"'
        ' text-anchor="middle">'
    )
    words = (
        f'<text x="{wide / 2:.2f}" y="{NUMBERS_MM * 0.7:.2f}"'
        f' font-size="3.5">{escape(title)}</text>'
    )
    return (
        "\n".join(
            [
                head,
                words,
                *_spaces(board, side),
                *_places(board, side),
                *_numbers(board, side),
                "</svg>",
            ]
        )
        + "\n"
    )


def space_mm(board: Board) -> float:
    """Return the printed width of a space: the widest that fits on the page, in tenths of a
    millimetre.
    """
    return int(10 * min(WIDEST_MM / board.cols, HIGHEST_MM / board.rows)) / 10


def middle_mm(board: Board, space: Space, side: float) -> tuple[float, float]:
    """Return the middle of a space on the page, measured from the page's top left corner."""
    return NUMBERS_MM + (space[0] - 0.5) * side, NUMBERS_MM + (board.rows - space[1] + 0.5) * side


def _square(board: Board, space: Space, side: float, fill: str) -> str:
    x, y = middle_mm(board, space, side)
    return (
        f'<rect x="{x - side / 2:.2f}" y="{y - side / 2:.2f}" width="{side}" height="{side}"'
        f' fill="{fill}" stroke="#4a6" stroke-width="0.2"/>'
    )


def _spaces(board: Board, side: float) -> Iterator[str]:
    for row in range(1, board.rows + 1):
        for column in range(1, board.cols + 1):
            space = (column, row)
            yield _square(
                board,
                space,
                side,
                (
                    "#ffd84d"
                    if space in board.wickets
                    else "#d7b98e"
                    if space in board.stakes
                    else "#e8f5e4"
                ),
            )


def _text(x: float, y: float, size: float, words: str) -> str:
    return (
        f'<text x="{x:.2f}" y="{y + size * 0.35:.2f}" font-size="{size:.2f}">{escape(words)}</text>'
    )


def _places(board: Board, side: float) -> Iterator[str]:
    x, y = middle_mm(board, board.start, side)
    yield _text(x, y, side * 0.8, "★")
    for space in board.stakes:
        x, y = middle_mm(board, space, side)
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{side * 0.18:.2f}" fill="#7a4a1d"/>'
    yield from _wickets(board, side)
    for space, name in (*board.stakes.items(), *board.wickets.items()):
        x, y = middle_mm(board, space, side)
        yield _text(x, y + side * 0.64, side * 0.2, name.replace("-", " "))


def _wickets(board: Board, side: float) -> Iterator[str]:
    for space, name in board.wickets.items():
        x, y = middle_mm(board, space, side)
        passed = [
            (step.label or f"{number}.", step.heading or "n")
            for number, step in enumerate(board.course, start=1)
            if step.place == name
        ]
        upright = all(heading in "ns" for _, heading in passed)
        for end in (-0.46, 0.46):
            across, along = (end * side, 0.46 * side) if upright else (0.46 * side, end * side)
            lines = (
                (x + across, y - along, x + across, y + along)
                if upright
                else (x - across, y + along, x + across, y + along)
            )
            yield (
                '<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" stroke="#222"'
                ' stroke-width="0.8"/>'.format(*lines)
            )
        for place, (label, heading) in enumerate(passed):
            yield _text(
                x,
                y + (place - (len(passed) - 1) / 2) * side * 0.36,
                side * 0.32,
                f"{label} {ARROWS[heading]}",
            )


def _numbers(board: Board, side: float) -> Iterator[str]:
    for column in range(1, board.cols + 1):
        x, _ = middle_mm(board, (column, 1), side)
        yield _text(x, NUMBERS_MM + board.rows * side + NUMBERS_MM / 2, 2.6, str(column))
    for row in range(1, board.rows + 1):
        _, y = middle_mm(board, (1, row), side)
        yield _text(NUMBERS_MM / 2, y, 2.6, str(row))
