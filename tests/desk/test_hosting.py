"""Where the dashboard is served, and the addresses that people open."""

from __future__ import annotations

import socket
from collections.abc import Callable
from types import SimpleNamespace

import psutil
import pytest

from referee.desk.serving.hosting import Hosting, checked_host, checked_name
from referee.desk.serving.qr_code import svg, terminal_lines
from referee.domain.errors import InputError

#: The networks of a machine: one that is down, one of itself alone, a wire and a wireless one.
NETWORKS = {
    "docker0": (False, ["172.17.0.1"]),
    "lo": (True, ["127.0.0.1", "::1"]),
    "eth0": (True, ["192.168.0.7", "fe80::1%eth0", "2001:db8::7"]),
    "wlan0": (True, ["10.0.0.7", "169.254.3.4"]),
}


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> None:
    def address(text: str) -> SimpleNamespace:
        return SimpleNamespace(
            family=socket.AF_INET6 if ":" in text else socket.AF_INET, address=text
        )

    monkeypatch.setattr(
        psutil,
        "net_if_addrs",
        lambda: {name: [address(one) for one in of] for name, (_, of) in NETWORKS.items()},
    )
    monkeypatch.setattr(
        psutil,
        "net_if_stats",
        lambda: {name: SimpleNamespace(isup=up) for name, (up, _) in NETWORKS.items()},
    )


@pytest.mark.parametrize(
    ("hosting", "local", "network"),
    [
        (Hosting(), "http://127.0.0.1:8000/", []),
        (Hosting("::1"), "http://[::1]:8000/", []),
        (
            Hosting("0.0.0.0"),
            "http://127.0.0.1:8000/",
            ["http://192.168.0.7:8000/", "http://10.0.0.7:8000/"],
        ),
        (Hosting("::"), "http://[::1]:8000/", ["http://[2001:db8::7]:8000/"]),
        (Hosting("10.0.0.7"), "http://10.0.0.7:8000/", ["http://10.0.0.7:8000/"]),
        (
            Hosting("10.0.0.7", names=("board.local",)),
            "http://10.0.0.7:8000/",
            ["http://board.local:8000/", "http://10.0.0.7:8000/"],
        ),
    ],
)
@pytest.mark.usefixtures("networks")
def test_each_network_that_is_up_has_its_address(
    hosting: Hosting, local: str, network: list[str]
) -> None:
    assert hosting.local_url(8000) == local
    assert hosting.network_urls(8000) == network


@pytest.mark.parametrize(
    ("given", "host"),
    [("localhost", "127.0.0.1"), ("[::1]", "::1"), ("192.168.0.7", "192.168.0.7"), ("::", "::")],
)
def test_an_address_to_listen_at(given: str, host: str) -> None:
    assert checked_host(given) == host


@pytest.mark.parametrize(
    ("check", "given"),
    [
        (checked_host, "scoreboard.local"),
        (checked_host, "192.168.0.256"),
        (checked_host, ""),
        (checked_name, "http://board.local"),
        (checked_name, "board.local:80"),
        (checked_name, "-board"),
        (checked_name, "a" * 64),
        (checked_name, ""),
        (checked_name, "bürd"),
    ],
)
def test_what_is_no_address_or_name_is_refused_in_a_line(
    check: Callable[[str], str], given: str
) -> None:
    with pytest.raises(InputError) as refused:
        check(given)
    assert "\n" not in str(refused.value)


def test_names_are_compared_as_browsers_send_them() -> None:
    assert checked_name("Board.Local") == "board.local"


def test_a_code_in_the_terminal_and_on_the_page_is_a_square_with_an_empty_border() -> None:
    lines = terminal_lines("http://192.168.0.7:8000/")
    assert len({len(line) for line in lines}) == 1
    assert lines[0].strip("█") == ""  # the border is light, as the letters are
    assert b'viewBox="0 0 33 33"' in svg("http://192.168.0.7:8000/")  # 25 modules, 4 on each side
