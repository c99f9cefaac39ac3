"""What the pages send, read as what it has to be; and what is wrong with it, said in one line."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from flask import Blueprint, jsonify, request
from flask.typing import ResponseReturnValue

from referee.domain.errors import InputError

LONGEST = 200
Sent = TypeVar("Sent", bound=msgspec.Struct)


def read_as(wanted: type[Sent], what: str) -> Sent:
    """What was sent with this request. Raises InputError, which calls it `what`, where it is
    something else.
    """
    try:
        return msgspec.json.decode(request.get_data(), type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"This is no {what}: {error}") from error


def check_length(*texts: str) -> None:
    """Refuse names and reasons that are too long. Raises InputError."""
    if any(len(text) > LONGEST for text in texts):
        raise InputError(f"Name and reason may have {LONGEST} characters.")


def tell_what_is_wrong(pages: Blueprint) -> None:
    """Answer every InputError of these pages with its line."""

    @pages.errorhandler(InputError)
    def refused(error: InputError) -> ResponseReturnValue:
        return jsonify(error=str(error)), 400
