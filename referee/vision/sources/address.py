"""The address of a stream, as it may be shown."""

from __future__ import annotations

import re


def without_password(address: str) -> str:
    """Return the address without the user name and password before the `@`, so that it may be
    shown.
    """
    return re.sub(r"(?<=://)[^/@\s]*@", "", address)
