"""Who may rule: the browser that the run opened and whoever enters the PIN. All others may look."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from referee.desk.feed import Feed
from tests.web_ui.devices import NAMES, Device, Room
from tests.web_ui.scenes import naming
from web_ui.access import ENTRY_S
from web_ui.pages import create_app


def test_the_first_address_leads_to_a_clean_one_and_leaves_a_cookie_that_no_script_reads(
    room: Room,
) -> None:
    device = room.device("127.0.0.1")
    led = device.get(room.access.entry_path())
    assert (led.status_code, led.headers["Location"]) == (303, "/")
    name, _, rest = led.headers["Set-Cookie"].partition("=")
    assert name == "table-referee-80"
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(rest.split("; "))
    assert "Expires" not in rest and "Max-Age" not in rest
    assert device.may_rule()


def test_the_first_address_is_good_once(room: Room) -> None:
    path = room.access.entry_path()
    assert room.device().get(path).status_code == 303
    again = room.device()
    assert again.get(path).status_code == 403
    assert not again.may_rule()


def test_asking_for_the_headers_alone_does_not_use_the_first_address_up(room: Room) -> None:
    path, device = room.access.entry_path(), room.device()
    assert device.client.head(path).status_code == 405
    assert device.get(path).status_code == 303


def test_the_browser_that_came_in_may_open_its_first_address_again(
    room: Room, at_table: Device
) -> None:
    path = room.access.entry_path()
    assert [at_table.get(path).status_code for _ in range(2)] == [303, 303]
    assert at_table.may_rule()


@pytest.mark.parametrize(("later_s", "good"), [(ENTRY_S - 0.1, True), (ENTRY_S, False)])
def test_the_first_address_is_good_for_a_minute(room: Room, later_s: float, good: bool) -> None:
    assert ENTRY_S == 60
    path, device = room.access.entry_path(), room.device()
    room.clock.now_s += later_s
    assert device.get(path).status_code == (303 if good else 403)
    assert device.may_rule() is good


def test_a_program_on_the_same_machine_may_only_look_without_the_secret(room: Room) -> None:
    program = room.device("127.0.0.1")
    assert program.get("/").status_code == 200
    assert not program.may_rule()
    assert program.get("/access").get_json()["pin"] is None


@pytest.mark.parametrize(
    "to",
    [
        "/rulings",
        "/rulings/weighed",
        "/declarations",
        "/plays",
        "/plays/back",
        "/routes",
        "/answers/question",
        "/answers/naming",
        "/answers/missing",
        "/answers/castle",
        "/access/closed",
    ],
)
def test_without_a_session_nothing_can_be_sent_but_a_pin(room: Room, to: str) -> None:
    answer = room.device().post(to, {})
    assert answer.status_code == 403
    assert "PIN" in answer.get_json()["error"]


def test_an_invented_cookie_opens_nothing(room: Room) -> None:
    device = room.device()
    device.client.set_cookie("table-referee-80", "1")
    assert not device.may_rule()


def test_a_session_of_another_run_opens_nothing(room: Room, at_table: Device, feed: Feed) -> None:
    cookie = at_table.client.get_cookie("table-referee-80")
    assert cookie is not None
    anew = Room(feed).device("127.0.0.1")
    anew.client.set_cookie("table-referee-80", cookie.value)
    assert not anew.may_rule()


def test_only_the_table_sees_the_pin_and_closes_sessions(room: Room, at_table: Device) -> None:
    phone = room.device()
    phone.pin(room.access.pin)
    assert phone.get("/access").get_json()["pin"] is None
    assert phone.post("/access/closed", {}).status_code == 403
    assert phone.may_rule()
    assert at_table.get("/access").get_json()["pin"] == room.access.pin


def test_one_click_at_the_table_closes_all_other_sessions_and_makes_a_new_pin(
    room: Room, at_table: Device
) -> None:
    phone, old = room.device(), room.access.pin
    phone.pin(old)
    unused = room.access.entry_path()
    assert at_table.post("/access/closed", {}).status_code == 204
    assert not phone.may_rule()
    assert at_table.may_rule()
    assert room.access.pin != old
    assert phone.pin(old).status_code == 403
    assert room.device().get(unused).status_code == 403
    assert phone.pin(room.access.pin).status_code == 204


def test_the_pages_are_told_to_ask_again_when_sessions_were_closed(
    room: Room, at_table: Device
) -> None:
    assert "access" not in room.feed.snapshot()
    at_table.post("/access/closed", {})
    assert room.feed.snapshot()["access"] == {"changes": 1}


def test_the_pin_and_the_secrets_are_in_nothing_that_others_are_sent(
    room: Room, at_table: Device
) -> None:
    path = room.access.entry_path()
    at_table.post("/access/closed", {})
    cookie = at_table.client.get_cookie("table-referee-80")
    assert cookie is not None
    looker = room.device()
    sent = json.dumps(room.feed.snapshot()) + "".join(
        looker.get(to).get_data(as_text=True)
        for to in ("/", "/access", "/access/code/0", "/tv", "/overlay")
    )
    for secret in (room.access.pin, path.rpartition("/")[2], cookie.value):
        assert secret not in sent


def test_the_code_of_each_address_is_drawn_as_a_picture_that_the_policy_allows(room: Room) -> None:
    code = room.device().get("/access/code/0")
    assert (code.status_code, code.mimetype) == (200, "image/svg+xml")
    assert "<style" not in code.text and "style=" not in code.text and "<script" not in code.text
    assert room.device().get("/access/code/1").status_code == 404


def test_the_page_begins_with_what_the_device_may_do(room: Room, at_table: Device) -> None:
    assert 'data-may="rule"' in at_table.get("/").text
    assert 'data-may="look"' in room.device().get("/").text


def test_the_stream_of_the_tables_own_browser_is_known_by_its_cookie(
    room: Room, at_table: Device
) -> None:
    phone = room.device()
    phone.pin(room.access.pin)

    def knows(device: Device, port: int = 80) -> bool:
        cookie = device.client.get_cookie("table-referee-80")
        sent = b"" if cookie is None else f"table-referee-80={cookie.value}".encode()
        headers = [(b"host", b"localhost"), (b"cookie", b"a=b"), (b"cookie", sent)]
        return room.access.at_table({"headers": headers, "server": ("127.0.0.1", port)})

    assert knows(at_table)
    assert not knows(at_table, 81)
    assert not knows(phone)
    assert not knows(room.device())


def test_a_cookie_that_is_no_utf_8_only_looks(room: Room) -> None:
    headers = [(b"host", b"localhost"), (b"cookie", "table-referee-80=é".encode("latin1"))]
    assert not room.access.at_table({"headers": headers, "server": ("127.0.0.1", 80)})


def test_where_nobody_gave_access_nobody_may_rule(feed: Feed) -> None:
    client: FlaskClient = create_app(feed).test_client()
    feed.publish("naming", naming())
    sent = client.post("/answers/naming", json=NAMES, headers={"Origin": "http://localhost"})
    assert sent.status_code == 403
