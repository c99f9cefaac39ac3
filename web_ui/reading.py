"""Reads what the pages send as the types of the contract, and says in one line what is wrong with
it; writes what they are answered.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from referee.desk.messages import Problem
from referee.domain.errors import InputError
from referee.record.decode_errors import check_json, decode_as

LONGEST = 200


def read_as(wanted: Any, what: str) -> Any:
    """What was sent with this request, as the type `wanted`. Raises InputError, which calls it
    `what`, where it is something else.
    """
    body = request.get_data()
    try:
        read = decode_as(body, wanted)
        check_json(body)
    except InputError as error:
        raise InputError(f"This is no {what}: {error}") from error
    return read


def check_length(*texts: str | None) -> None:
    """Refuse names and reasons that are too long. Raises InputError."""
    if any(text is not None and len(text) > LONGEST for text in texts):
        raise InputError(f"Name and reason may have {LONGEST} characters.")


def written(answer: msgspec.Struct, cache: str = "no-store") -> Response:
    """An answer as JSON. `cache` says how long a browser may keep it."""
    body = msgspec.json.encode(answer)
    return Response(body, mimetype="application/json", headers={"Cache-Control": cache})


def problem(text: str, status: int = 400, *, anyway: bool = False) -> ResponseReturnValue:
    """The answer that says what is wrong."""
    return written(Problem(error=text, anyway=anyway)), status


def tell_what_is_wrong(pages: Blueprint) -> None:
    """Answer every InputError of these pages with its line."""

    @pages.errorhandler(InputError)
    def refused(error: InputError) -> ResponseReturnValue:
        return problem(str(error))
