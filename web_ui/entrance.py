"""Opens sessions for people who may do more than look, and refuses what others must not send.

The first address of a run contains a secret. A browser that opens it gets a cookie and is sent on
to the page. In other browsers people enter the PIN. Only the browser at the table shows the PIN.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from typing import Final

from flask import Blueprint, Flask, Response, abort, render_template, request, url_for
from flask.typing import ResponseReturnValue

from referee.desk.feed import Feed
from referee.desk.messages import AccessShown, PinEntered, SessionsClosed
from referee.desk.page_topics.topics import AccessTopic, Topics
from referee.desk.serving.qr_code import svg
from web_ui.access import PIN_DIGITS, Access, PinRefusedError, Session, cookie_name
from web_ui.guard import READING
from web_ui.reading import answer_input_errors, problem, read_as, written

#: The one request that somebody who may only look may send.
PIN_ENDPOINT: Final = "entrance.enter_pin"

#: The addresses of the page for other devices; they are known once the server listens.
Addresses = Callable[[], Sequence[str]]


def require_session(app: Flask, access: Access) -> None:
    """Refuse every request to `app` that changes anything, unless it comes from a session."""

    @app.context_processor
    def may() -> dict[str, str]:
        """Return what this device may do, for the page's template."""
        return {"may": "rule" if session_of(access) else "look"}

    @app.before_request
    def check() -> ResponseReturnValue | None:
        if request.method in READING or request.endpoint == PIN_ENDPOINT or session_of(access):
            return None
        return problem("Enter the PIN shown at the table. Until then this device may look.", 403)


def session_of(access: Access) -> Session | None:
    """Return the session that this request belongs to."""
    return access.session(request.cookies, _port())


def pages(access: Access, feed: Feed, addresses: Addresses) -> Blueprint:
    """Return the blueprint for the first address, for the PIN, and for asking what a device may do.
    When the answer may have changed, `feed` makes the pages ask again.
    """
    entrance = Blueprint("entrance", __name__)
    answer_input_errors(entrance)
    _publish_changes(access, feed)
    _let_enter(entrance, access)

    @entrance.get("/access")
    def access_shown() -> ResponseReturnValue:
        """Answer what this device may do; at the table also the PIN."""
        session = session_of(access)
        return written(
            AccessShown(
                run=access.run,
                may="rule" if session else "look",
                pin=access.pin if session and session.at_table else None,
                addresses=list(addresses()),
            )
        )

    @entrance.get("/access/code/<int:number>")
    def code(number: int) -> ResponseReturnValue:
        """Answer the QR code of one of the addresses."""
        offered = addresses()
        if number >= len(offered):
            abort(404)
        headers = {"Cache-Control": "no-store"}
        return Response(svg(offered[number]), mimetype="image/svg+xml", headers=headers)

    @entrance.post("/access/closed")
    def close_sessions() -> ResponseReturnValue:
        """Close all sessions but this one, which must be at the table."""
        read_as(SessionsClosed, "request to close all sessions")
        session = session_of(access)
        if session is None or not session.at_table:
            return problem("Only the browser at the table can close all sessions.", 403)
        access.close_others(request.cookies[cookie_name(_port())])
        return "", 204

    return entrance


def _let_enter(entrance: Blueprint, access: Access) -> None:
    """Add the two ways to a session: the first address and the PIN."""

    @entrance.get("/enter/<secret>")
    def enter(secret: str) -> ResponseReturnValue:
        """Open the page for the browser that the program opened."""
        if request.method != "GET":  # asking for the headers alone must not use the secret up
            abort(405)
        token = access.enter(secret)
        if token is None and session_of(access) is None:
            return render_template("spent.html"), 403
        page = Response(status=303, headers={"Location": url_for("live.page")})
        return page if token is None else _with_cookie(page, token)

    @entrance.post("/access/pin")
    def enter_pin() -> ResponseReturnValue:
        """Open a session for a device on which the right PIN was entered."""
        entered: PinEntered = read_as(PinEntered, "PIN")
        pin = "".join(entered.pin.split())
        if len(pin) != PIN_DIGITS or not (pin.isascii() and pin.isdecimal()):
            return problem(f"A PIN has {PIN_DIGITS} digits.")
        try:
            token = access.enter_pin(pin, request.remote_addr or "", at_table=_on_this_machine())
        except PinRefusedError as refused:
            return problem(str(refused), 429 if refused.wait else 403)
        return _with_cookie(Response(status=204), token)


def _publish_changes(access: Access, feed: Feed) -> None:
    changes = 0

    def changed() -> None:
        nonlocal changes
        changes += 1
        feed.show(Topics(access=AccessTopic(changes=changes)))

    access.observe(changed)


def _with_cookie(response: Response, token: str) -> Response:
    """Add the session's cookie. It is valid until the browser closes or this run ends."""
    response.set_cookie(cookie_name(_port()), token, httponly=True, samesite="Strict")
    response.headers["Cache-Control"] = "no-store"
    return response


def _port() -> str:
    return str(request.environ.get("SERVER_PORT", ""))


def _on_this_machine() -> bool:
    """Return whether the request came from the machine on which the program runs."""
    try:
        sender = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return False
    mapped = getattr(sender, "ipv4_mapped", None)
    return (mapped or sender).is_loopback or str(sender) == request.environ.get("SERVER_NAME")
