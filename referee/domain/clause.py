"""The clauses of rules: what must hold for a call, whether it held, and how that is told."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec


class Condition(msgspec.Struct, frozen=True, gc=False):
    """One condition that the rules asked about the entry `on`, as a code of the game's own.

    `met` is None where it cannot be said (a question waits). `details` are the values that the
    game needs to put the condition into words later.
    """

    on: str
    code: str
    met: bool | None
    details: tuple[Any, ...] = ()


class Reasons:
    """Collects the conditions by which the rules decide one entry, in the order they are asked.

    A rule asks through `holds` and acts on the answer, so that what is decided and what is
    explained cannot differ. `UNHEARD` collects nothing: nobody wants an explanation.
    """

    __slots__ = ("conditions", "on")

    def __init__(self, on: str) -> None:
        """Collect what is decided about the entry with the id `on`."""
        self.on = on
        self.conditions: list[Condition] = []

    def holds(self, code: str, met: bool | None, *details: Any) -> bool:
        """Note a condition, and answer whether it is met (False where that cannot be said)."""
        self.conditions.append(Condition(self.on, code, met, details))
        return bool(met)

    def fails(self, code: str, failed: bool, *details: Any) -> bool:
        """Whether a condition is not met; it is noted only then (where all goes well, nobody needs
        to be told).
        """
        return failed and not self.holds(code, False, *details)

    def succeeds(self, code: str, met: bool, *details: Any) -> bool:
        """Whether a condition is met; it is noted only then."""
        return met and self.holds(code, True, *details)

    def about(self, on: str) -> Reasons:
        """Reasons for another entry, kept in the same list (what is judged when all is at rest).

        Earlier reasons about that entry are forgotten: it is judged anew.
        """
        self.conditions[:] = [one for one in self.conditions if one.on != on]
        other = Reasons(on)
        other.conditions = self.conditions
        return other


class _Unheard(Reasons):
    """Reasons that nobody asked for."""

    __slots__ = ()

    def holds(self, code: str, met: bool | None, *details: Any) -> bool:
        """Whether the condition is met; it is not noted."""
        return bool(met)

    def about(self, on: str) -> Reasons:
        """These."""
        return self


UNHEARD: Final = _Unheard("")


class Clause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One condition of a rule in words, `text` saying what must hold.

    `met` is None where it cannot be said (a question waits). `about` is what hangs on it: the call
    as a whole, the flicks it earns or loses, or a step of the course. `facts` are what it was
    judged by, as plain values with their units in their names.
    """

    text: str
    met: bool | None
    about: Literal["call", "flicks", "step"] = "call"
    facts: dict[str, Any] = {}
