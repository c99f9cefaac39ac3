"""Clients that do nothing, send byte by byte or never read do not stop the page for others."""

import http.client
import itertools
import socket
import statistics
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from referee.desk.feed import Feed
from referee.desk.serving import connections
from referee.desk.serving import server as server_module
from referee.desk.serving.connections import GuardedConnection, Room, is_this_machine
from referee.desk.serving.server import Server, serve
from referee.desk.serving.wsgi_bridge import THREADS
from tests.web_ui.at_table import TableServer
from web_ui.pages import create_app

MANY = 3 * THREADS
WAIT_S = 20.0


class Endless:
    """Pages that answer `/endless` without end, and everything else with one word."""

    extensions: dict[str, Any] = {}  # noqa: RUF012 - as Flask has it

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain")])
        if environ["PATH_INFO"] == "/endless":
            return itertools.repeat(b"x" * 65536)
        return [b"word"]


@pytest.fixture
def endless() -> Iterator[Server]:
    server = serve(Endless())
    yield server
    server.close()


def opened(server: TableServer, sent: bytes, stack: ExitStack) -> socket.socket:
    client = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), WAIT_S))
    client.sendall(sent)
    return client


def fetched(server: TableServer, path: str = "/") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT_S)
    connection.request("GET", path)
    status = connection.getresponse().status
    connection.close()
    return status


def is_ended(client: socket.socket) -> bool:
    """Wait until the server has ended the connection; read what it had sent."""
    try:
        while client.recv(1 << 20):
            pass
    except ConnectionResetError:
        pass
    return True


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /answers/naming HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    ],
    ids=["nothing", "part of a line", "part of the headers", "part of the body"],
)
def test_a_request_that_does_not_arrive_in_time_ends_its_connection(
    server: TableServer, monkeypatch: pytest.MonkeyPatch, begun: bytes
) -> None:
    monkeypatch.setattr(GuardedConnection, "request_s", 0.2)
    with ExitStack() as stack:
        assert is_ended(opened(server, begun, stack))


def test_a_request_that_arrives_byte_by_byte_gets_no_more_time(
    server: TableServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GuardedConnection, "request_s", 0.5)
    with ExitStack() as stack:
        client = opened(server, b"GET / HTTP/1.1\r\nX: ", stack)
        client.settimeout(0.05)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            for _ in range(400):
                client.sendall(b"x")
                try:
                    assert client.recv(100) == b""
                    raise ConnectionResetError
                except TimeoutError:
                    pass


def test_bodies_that_do_not_arrive_hold_no_thread(server: TableServer) -> None:
    begun = b"POST /answers/naming HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
    with ExitStack() as stack:
        for _ in range(MANY):
            opened(server, begun, stack)
        assert fetched(server) == 200


ENDLESS = b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_an_answer_does_not_wait_until_its_beginning_is_acknowledged(endless: Server) -> None:
    """A client acknowledges what it gets after up to 40 ms. A page loads a hundred files."""
    connection = http.client.HTTPConnection("127.0.0.1", endless.port, timeout=WAIT_S)
    took_s = []
    for _ in range(60):
        begin_s = time.perf_counter()
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"word"
        took_s.append(time.perf_counter() - begin_s)
    connection.close()
    assert statistics.median(took_s) < 0.03


def test_clients_that_do_not_read_hold_no_thread(endless: Server) -> None:
    with ExitStack() as stack:
        for _ in range(MANY):
            opened(endless, ENDLESS, stack)
        assert fetched(endless) == 200


def test_a_client_that_does_not_read_is_disconnected(
    endless: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GuardedConnection, "unread_s", 0.2)
    with ExitStack() as stack:
        opened(endless, ENDLESS, stack)
        end_s = time.monotonic() + WAIT_S
        while not endless._connections():
            assert time.monotonic() < end_s
        while endless._connections():
            assert time.monotonic() < end_s
            time.sleep(0.02)


def test_three_hundred_idle_connections_do_not_stop_the_page(server: TableServer) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            opened(server, b"", stack)
        assert fetched(server) == 200


def test_one_connection_too_many_is_told_so_in_a_line(
    feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "MOST_OF_THIS_MACHINE", 3)
    server = serve(create_app(feed))
    try:
        with ExitStack() as stack:
            for _ in range(3):
                opened(server, b"", stack)
            refused = opened(server, b"", stack)
            told = b"".join(iter(lambda: refused.recv(1000), b""))
            assert told.startswith(b"HTTP/1.1 503 ")
            assert told.partition(b"\r\n\r\n")[2] == (
                b"Too many connections are open. Try again soon"
            )
        while fetched(server) == 503:  # it is soon noticed that the others have left
            pass
    finally:
        feed.close()
        server.close()


def test_each_address_has_its_own_room_and_this_machine_has_more() -> None:
    room = Room(most=6, most_of_one=2, most_of_this_machine=3)
    assert [room.enter("192.168.0.7") for _ in range(3)] == [True, True, False]
    assert [room.enter("127.0.0.1") for _ in range(4)] == [True, True, True, False]
    assert room.enter("192.168.0.8")
    assert not room.enter("192.168.0.9")  # six are inside
    room.leave("192.168.0.7")
    assert room.enter("192.168.0.9")


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.168.0.7", False),
        ("fe80::1%eth0", False),
        ("", False),
    ],
)
def test_what_this_machine_is(address: str, own: bool) -> None:
    assert is_this_machine(address) is own


def test_the_words_of_a_full_server_have_the_length_that_it_states() -> None:
    head, _, words = connections.FULL.partition(b"\r\n\r\n")
    assert b"content-length: %d\r\n" % len(words) in head + b"\r\n"
