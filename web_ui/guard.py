"""Refuses requests for other host names, requests from other sites, and anything but JSON.

The pages are meant for browsers on this machine. A page of another site in the same browser must
not be able to read them: the name in the Host header stops DNS rebinding. It also must not be able
to answer for a player: Origin and content type stop that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Flask, Response, abort, request

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


#: What a browser is told that asks for another host.
WRONG_HOST: Final = "This page is only served to a browser on the same machine."


def answers_for(host: str, port: str, names: Sequence[str]) -> bool:
    """Return whether a request with this Host header, on this port of the server, is answered.
    `names` are the host names for which the server answers.
    """
    return host.lower() in _hosts(names, port)


def protect(app: Flask, names: Sequence[str]) -> None:
    """Check every request to `app`, and put the protecting headers on every answer. `names` are the
    host names for which it answers.
    """

    @app.before_request
    def check() -> None:
        if not answers_for(request.host, request.environ.get("SERVER_PORT", ""), names):
            abort(403, WRONG_HOST)
        if request.method not in READING:
            _check_writing()

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def _hosts(names: Sequence[str], port: str) -> set[str]:
    hosts = {f"{name}:{port}" for name in names}
    return hosts | set(names) if port == "80" else hosts


def _check_writing() -> None:
    """Refuse what does not come from our own page. A browser always sends Origin with a POST."""
    if request.headers.get("Origin", "").lower() != f"{request.scheme}://{request.host}".lower():
        abort(403, "This was not sent from the page itself.")
    if request.mimetype != "application/json":
        abort(415, "Only JSON is accepted here.")
