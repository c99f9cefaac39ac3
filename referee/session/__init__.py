"""One match from camera to record: the only part of the referee that knows every stage."""

from referee.session.watching import watch

__all__ = ["watch"]
