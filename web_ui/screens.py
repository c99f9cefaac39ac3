"""Two pages that only show the match: `/tv` for a screen at the table, and `/overlay`, a
transparent strip for a stream.

They receive no more than a viewer of the live page does: the same topics, and no secret.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue


def pages() -> Blueprint:
    """Return the blueprint of both pages. `/tv` is dark unless its address ends in `?light`."""
    screens = Blueprint("screens", __name__)

    @screens.get("/tv")
    def tv() -> ResponseReturnValue:
        return render_template("tv.html", dark="light" not in request.args)

    @screens.get("/overlay")
    def overlay() -> ResponseReturnValue:
        return render_template("overlay.html")

    return screens
