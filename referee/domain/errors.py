"""The one error that users see: bad input, said in one clear line."""

from __future__ import annotations


class InputError(Exception):
    """Something given to the program cannot be used. Its text is the whole line shown: file, line
    or field, and what is wrong.

    The commands print it and end with exit status 2.
    """


def one_line(text: str) -> str:
    r"""The text with everything that would break a line, or cannot be seen, written as an escape.

    >>> one_line("mo\nons")
    'mo\\nons'
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )
