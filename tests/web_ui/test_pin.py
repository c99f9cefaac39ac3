"""The PIN that is shown at the table, and how often a wrong one may be entered."""

from __future__ import annotations

import pytest

from tests.web_ui.devices import OTHER_PHONE, OUTSIDE, PHONE, Clock, Device, Room
from web_ui.access import SESSIONS, TRIES_EACH, TRIES_IN_ALL, WAIT_S, Access, PinRefusedError


def test_the_pin_opens_ruling_on_another_device(room: Room) -> None:
    phone = room.device()
    assert not phone.may_rule()
    assert phone.pin(f"{room.access.pin[:3]} {room.access.pin[3:]}").status_code == 204
    assert phone.may_rule()


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", OUTSIDE])
def test_who_enters_the_pin_on_the_machine_of_the_program_is_at_the_table(
    room: Room, address: str
) -> None:
    browser = room.device(address)
    browser.pin(room.access.pin)
    assert browser.get("/access").get_json()["pin"] == room.access.pin


def test_a_device_has_five_tries_and_then_waits_a_minute_for_a_new_pin(room: Room) -> None:
    phone, other, first = room.device(), room.device(OTHER_PHONE), room.access.pin
    assert [phone.pin(room.wrong).status_code for _ in range(TRIES_EACH - 1)] == [403] * 4
    assert room.access.pin == first
    assert phone.pin(room.wrong).status_code == 429
    assert room.access.pin != first
    assert phone.pin(room.access.pin).status_code == 429
    assert other.pin(room.access.pin).status_code == 204
    room.clock.now_s += WAIT_S - 0.1
    assert phone.pin(room.access.pin).status_code == 429
    room.clock.now_s += 0.2
    assert phone.pin(room.access.pin).status_code == 204


def test_all_devices_together_have_twenty_tries(room: Room) -> None:
    each = TRIES_EACH - 1  # so that none has to wait for its own
    devices = [room.device(f"192.168.0.{n}") for n in range(20, 20 + TRIES_IN_ALL // each)]
    codes = [one.pin(room.wrong).status_code for one in devices for _ in range(each)]
    assert codes == [403] * (TRIES_IN_ALL - 1) + [429]
    assert room.device("192.168.0.99").pin(room.access.pin).status_code == 429
    room.clock.now_s += WAIT_S
    assert room.device("192.168.0.99").pin(room.access.pin).status_code == 204


def test_a_new_pin_for_one_device_gives_all_together_no_more_tries(room: Room) -> None:
    for n in range(TRIES_IN_ALL // TRIES_EACH):
        codes = [room.device(f"10.0.0.{n}").pin(room.wrong).status_code for _ in range(TRIES_EACH)]
    assert codes[-1] == 429
    assert room.device("10.0.0.99").pin(room.access.pin).status_code == 429


def test_a_right_pin_gives_a_device_its_tries_back(room: Room) -> None:
    phone = room.device()
    for _ in range(2):
        assert {phone.pin(room.wrong).status_code for _ in range(TRIES_EACH - 1)} == {403}
        assert phone.pin(room.access.pin).status_code == 204


def test_a_device_with_many_addresses_of_ipv6_has_no_more_tries() -> None:
    access = Access(Clock())
    wrong = f"{(int(access.pin) + 1) % 1_000_000:06}"
    for n in range(TRIES_EACH):
        with pytest.raises(PinRefusedError) as refused:
            access.enter_pin(wrong, f"2001:db8::{n + 1:x}", at_table=False)
    assert refused.value.wait
    with pytest.raises(PinRefusedError):
        access.enter_pin(access.pin, "2001:db8::ffff", at_table=False)
    assert access.enter_pin(access.pin, "2001:db8:0:1::1", at_table=False)


def test_the_table_may_rule_while_others_must_wait_and_lets_them_try_again(
    room: Room, at_table: Device
) -> None:
    phone = room.device()
    for _ in range(TRIES_EACH):
        phone.pin(room.wrong)
    assert at_table.may_rule()
    at_table.post("/access/closed", {})
    assert phone.pin(room.access.pin).status_code == 204


@pytest.mark.parametrize("pin", ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "12345\u00b2"])
def test_what_is_no_pin_is_no_try(room: Room, pin: str) -> None:
    phone = room.device()
    assert {phone.pin(pin).status_code for _ in range(TRIES_EACH + 1)} == {400}
    assert phone.pin(room.access.pin).status_code == 204


@pytest.mark.parametrize("origin", ["http://table.example", "null"])
def test_another_site_cannot_enter_the_pin(room: Room, origin: str) -> None:
    phone = room.device()
    sent = phone.post("/access/pin", {"pin": room.access.pin}, Origin=origin)
    assert sent.status_code == 403
    assert not phone.may_rule()


def test_sessions_are_bounded() -> None:
    access = Access(Clock())
    for _ in range(SESSIONS):
        access.enter_pin(access.pin, PHONE, at_table=False)
    with pytest.raises(PinRefusedError, match="Too many"):
        access.enter_pin(access.pin, PHONE, at_table=False)
