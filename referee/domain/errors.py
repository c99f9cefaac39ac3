"""The one error that users see: some input is wrong, and one clear line says what is wrong with
it.
"""

from __future__ import annotations

from typing import Final

#: Chosen: how deep the values of a file may be nested, many times deeper than any file needs.
MOST_NESTED: Final = 100


class InputError(Exception):
    """Something given to the program cannot be used. The text is the whole line that users see: the
    file, line or field, and what is wrong.

    The commands print it and end with exit status 2.
    """


def one_line(text: str) -> str:
    r"""Return the text with an escape in place of every character that breaks a line or cannot be
    seen.

    >>> one_line("mo\nons")
    'mo\\nons'
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )
