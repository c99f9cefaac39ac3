"""A clause of a rule: what must hold for a call, whether it held, and what was measured of it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Clause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One condition of a rule, `text` saying what must hold.

    `met` is None where it cannot be said (a question waits). `about` is what hangs on it: the call
    as a whole, the flicks it earns or loses, or a step of the course. `facts` are what it was
    judged by, as plain values with their units in their names.
    """

    text: str
    met: bool | None
    about: Literal["call", "flicks", "step"] = "call"
    facts: dict[str, Any] = {}
