"""Keys that are pressed on the page."""

from __future__ import annotations

from benchmarks.chromium import Page

#: What the browser must know of keys that are no letter: the code and the text they make.
CODES = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    " ": (32, " "),
    "Escape": (27, ""),
    "Backspace": (8, ""),
}
ARROWS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


def key(page: Page, name: str, *, shift: bool = False) -> None:
    """Press and release a key."""
    code, text = CODES.get(name, (ARROWS.get(name, ord(name[0])), name if len(name) == 1 else ""))
    for kind in ("keyDown", "keyUp"):
        page.send(
            "Input.dispatchKeyEvent",
            type=kind,
            key=name,
            windowsVirtualKeyCode=code,
            modifiers=8 if shift else 0,
            text=text if kind == "keyDown" else "",
        )


def keys(page: Page, *names: str) -> None:
    """Press several keys, one after the other."""
    for name in names:
        key(page, name)
