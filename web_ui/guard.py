"""Refuses requests for other host names, requests from other sites, and anything but JSON.

A page of another site in the same browser must not be able to read the pages. The check of the
Host header prevents that (DNS rebinding). Such a page must not be able to answer for a player
either. The checks of Origin and of the content type prevent that. `web_ui.entrance` decides who may
answer at all.
"""

from __future__ import annotations

import ipaddress
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


#: The answer to a request for another host.
WRONG_HOST: Final = "This page is not served under this name. The option --name adds a name."


def answers_for(host: str, own: str, port: str, names: Sequence[str]) -> bool:
    """Return whether a request with this Host header is answered. It must be one of `names`, or the
    IP address `own` of this machine at which the connection came in, with the server's port.
    """
    allowed = {*names, *_as_host(own)}
    hosts = {f"{name}:{port}" for name in allowed}
    return host.lower() in (hosts | allowed if port == "80" else hosts)


def protect(app: Flask, names: Sequence[str]) -> None:
    """Check every request to `app`, and put the protecting headers on every answer. It answers for
    the host names in `names`, and for the address at which the request came in.
    """

    @app.before_request
    def check() -> None:
        own, port = (request.environ.get(name, "") for name in ("SERVER_NAME", "SERVER_PORT"))
        if not answers_for(request.host, own, port, names):
            abort(403, WRONG_HOST)
        if request.method not in READING:
            _check_writing()

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def _as_host(address: str) -> set[str]:
    """Return an IP address as a browser writes it; nothing for a name."""
    try:
        own = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return set()
    if isinstance(own, ipaddress.IPv4Address):
        return {str(own)}
    return {str(own.ipv4_mapped)} if own.ipv4_mapped else {f"[{own}]"}


def _check_writing() -> None:
    """Refuse what does not come from our own page. A browser always sends Origin with a POST."""
    if request.headers.get("Origin", "").lower() != f"{request.scheme}://{request.host}".lower():
        abort(403, "This was not sent from the page itself.")
    if request.mimetype != "application/json":
        abort(415, "Only JSON is accepted here.")
