"""Where the pages of a run are served: the address to listen at, and the addresses that people
open.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from referee.domain.errors import InputError

#: The names under which a browser on this machine reaches the pages.
LOCAL_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")

#: A host name: letters, digits and hyphens between dots (RFC 1123).
_NAME: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*", re.ASCII)
_LONGEST_NAME: Final = 253


@dataclass(frozen=True, slots=True)
class Hosting:
    """The address and port to listen at (port 0: any free one), further `names` of this machine in
    its network, and whether to open a `browser`.
    """

    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()
    browser: bool = True

    def local_url(self, port: int) -> str:
        """Return the address of the page for a browser on this machine."""
        return _url(_local(self.host), port)

    def network_urls(self, port: int) -> list[str]:
        """Return the addresses of the page for other devices: one for each network that this
        machine is in, and one for each name. Empty if only this machine is served.
        """
        at = ipaddress.ip_address(self.host)
        if at.is_loopback:
            return [_url(name, port) for name in self.names]
        own = _own_addresses(at.version) if at.is_unspecified else [self.host]
        return [_url(name, port) for name in (*self.names, *own)]


def checked_host(text: str) -> str:
    """Return an address to listen at, as text. Raises InputError if the text is not an IP
    address.
    """
    if text.lower() == "localhost":
        return "127.0.0.1"
    try:
        return str(ipaddress.ip_address(text.removeprefix("[").removesuffix("]")))
    except ValueError:
        raise InputError(
            f"--host {text}: should be an address of this machine, such as 192.168.0.7, or 0.0.0.0"
            " for every network that it is in"
        ) from None


def checked_name(text: str) -> str:
    """Return a name under which other devices reach this machine. Raises InputError if the text is
    not a host name.
    """
    name = text.lower()
    if len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
        raise InputError(f"--name {text}: should be a host name, such as scoreboard.local")
    return name


def _local(host: str) -> str:
    at = ipaddress.ip_address(host)
    if not at.is_unspecified:
        return host
    return "127.0.0.1" if at.version == 4 else "::1"


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_addresses(version: int) -> list[str]:
    """Return this machine's addresses in every active network. Addresses that only work with the
    name of a network interface are left out, because browsers do not accept them.
    """
    import socket  # both take a moment to load, and most runs serve only this machine

    import psutil

    family = socket.AF_INET if version == 4 else socket.AF_INET6
    up = {name for name, of in psutil.net_if_stats().items() if of.isup}
    found = [
        ipaddress.ip_address(one.address.partition("%")[0])
        for name, addresses in psutil.net_if_addrs().items()
        if name in up
        for one in addresses
        if one.family == family
    ]
    return [str(one) for one in found if not (one.is_loopback or one.is_link_local)]
