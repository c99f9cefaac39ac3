import json
from collections.abc import Callable

import msgspec
import pytest
from flask.testing import FlaskClient

from referee.desk.feed import Feed
from referee.desk.messages import QuestionAnswer
from tests.web_ui.scenes import CASTLE, MISSING, naming
from web_ui.guard import answers_for

NAMES = {"1": "suns", "2": "arms", "3": "ace"}


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:80", "127.0.0.1", "127.0.0.1:80", "[::1]", "LOCALHOST"]
)
def test_this_machine_is_served(client: FlaskClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "table.example",
        "localhost.example",
        "127.0.0.1.example",
        "localhost:81",
        "192.168.0.7",
        "localhost@table.example",
    ],
)
@pytest.mark.parametrize("address", ["/", "/events", "/static/js/live.js"])
def test_other_names_are_refused(client: FlaskClient, host: str, address: str) -> None:
    assert client.get(address, headers={"Host": host}).status_code in (400, 403)


@pytest.mark.parametrize(
    ("own", "port", "host", "served"),
    [
        ("192.168.0.7", "8000", "192.168.0.7:8000", True),
        ("192.168.0.7", "8000", "192.168.0.7", False),
        ("192.168.0.7", "80", "192.168.0.7", True),
        ("192.168.0.7", "8000", "192.168.0.8:8000", False),
        ("::ffff:192.168.0.7", "8000", "192.168.0.7:8000", True),
        ("2001:db8::7", "8000", "[2001:db8::7]:8000", True),
        ("2001:db8::7", "8000", "2001:db8::7:8000", False),
        ("fe80::7%eth0", "8000", "[fe80::7]:8000", True),
        ("192.168.0.7", "8000", "board.local:8000", True),
        ("192.168.0.7", "8000", "board.local:8001", False),
        ("192.168.0.7", "8000", "other.local:8000", False),
        ("192.168.0.7", "8000", "0.0.0.0:8000", False),
        ("other.local", "8000", "other.local:8000", False),
        ("", "8000", ":8000", False),
    ],
)
def test_a_host_is_a_given_name_or_the_connections_own_address(
    own: str, port: str, host: str, served: bool
) -> None:
    assert answers_for(host, own, port, ("localhost", "board.local")) is served


def test_the_page_itself_may_answer(answer: Callable[..., int], feed: Feed) -> None:
    feed.publish("naming", naming())
    assert answer(NAMES) == 204
    assert feed.wait_for_answer("naming", 0) == NAMES


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"headers": {}}, 403),
        ({"headers": {"Origin": "http://table.example"}}, 403),
        ({"headers": {"Origin": "null"}}, 403),
        ({"headers": {"Origin": "http://localhost:81"}}, 403),
        ({"headers": {"Origin": "https://localhost"}}, 403),
        ({"data": {"1": "suns"}, "content_type": None}, 415),
        ({"data": json.dumps(NAMES), "content_type": "text/plain"}, 415),
        ({"data": '{"1": '}, 400),
        ({"data": json.dumps(NAMES) + " " * 100_000}, 413),
    ],
    ids=[
        "no origin",
        "other site",
        "null origin",
        "other port",
        "other scheme",
        "form",
        "plain text",
        "broken JSON",
        "too large",
    ],
)
def test_what_others_could_send_is_refused(
    answer: Callable[..., int], feed: Feed, changes: dict[str, object], status: int
) -> None:
    feed.publish("naming", naming())
    assert answer(NAMES, **changes) == status
    assert feed.wait_for_answer("naming", 0) is None


def test_what_is_too_long_is_refused_in_a_line(client: FlaskClient) -> None:
    sent = client.post(
        "/answers/naming",
        data=b" " * (64 * 1024 + 1),
        content_type="application/json",
        headers={"Origin": "http://localhost"},
    )
    assert (sent.status_code, sent.is_json) == (413, True)
    assert sent.json is not None and sent.json["error"] == "What was sent is longer than 64 kB."


@pytest.mark.parametrize(
    "names",
    [
        {"1": "suns", "2": "arms"},
        {**NAMES, "4": "moons"},
        {**NAMES, "3": "crowns"},
        {**NAMES, "3": "suns"},
        {**NAMES, "3": 7},
        {**NAMES, "3": ["ace"]},
        ["suns", "arms", "ace"],
        None,
    ],
    ids=[
        "one missing",
        "one too many",
        "no candidate",
        "the same twice",
        "a number",
        "a list as name",
        "a list",
        "null",
    ],
)
def test_an_answer_that_does_not_fit_is_refused(
    answer: Callable[..., int], feed: Feed, names: object
) -> None:
    feed.publish("naming", naming())
    assert answer(names) == 400
    assert feed.wait_for_answer("naming", 0) is None


def test_a_missing_coin_gets_a_place_or_is_not_on_the_table(
    answer: Callable[..., int], feed: Feed
) -> None:
    feed.publish("missing", MISSING)
    assert answer({"suns": [120, -40.5], "ace": None}, "missing") == 204
    assert feed.wait_for_answer("missing", 0) == {"suns": (120.0, -40.5), "ace": None}


@pytest.mark.parametrize(
    "places",
    [
        {"suns": None},
        {"suns": None, "ace": None, "arms": None},
        {"suns": [1, 2], "ace": [1.2, 2]},
        {"suns": [1, 2, 3], "ace": None},
        {"suns": "there", "ace": None},
    ],
    ids=["one missing", "one too many", "in one place", "three numbers", "words"],
)
def test_a_place_that_cannot_be_is_refused(
    answer: Callable[..., int], feed: Feed, places: object
) -> None:
    feed.publish("missing", MISSING)
    assert answer(places, "missing") == 400
    assert feed.wait_for_answer("missing", 0) is None


@pytest.mark.parametrize(("side", "status"), [("far", 204), ("north", 400), (2, 400), (None, 400)])
def test_moons_castle_is_at_a_side_of_the_table(
    answer: Callable[..., int], feed: Feed, side: object, status: int
) -> None:
    assert answer(side, "castle") == 400  # nothing is asked
    feed.publish("castle", CASTLE)
    assert answer(side, "castle") == status
    assert feed.wait_for_answer("castle", 0) == ("far" if status == 204 else None)


def test_an_answer_nobody_asked_for_is_refused(answer: Callable[..., int]) -> None:
    assert answer(NAMES) == 400


def question(**more: object) -> dict[str, object]:
    asked = {
        "on": "i4",
        "what": "too_close",
        "answers": ["upheld", "overturned"],
        "rule": "Definitions",
        "text": "Did it happen?",
        **more,
    }
    return {"status": "question", "questions": [asked]}


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"on": "i4", "verdict": "upheld"}, 204),
        ({"on": "i4", "verdict": "overturned"}, 204),
        ({"on": "i5", "verdict": "upheld"}, 400),
        ({"on": "i4", "verdict": "replaced"}, 400),
        ({"on": "i4", "verdict": "before", "other": "i5"}, 400),
        ({"on": "i4", "verdict": "upheld", "other": "i5"}, 400),
        ({"on": "i4", "verdict": "upheld", "by": "Ann"}, 204),
        ({"on": "i4", "verdict": "upheld", "by": "A" * 201}, 400),
        ({"on": "i4", "verdict": "upheld", "reason": "no"}, 400),
        ({"on": "i4", "verdict": "upheld", "coin": "suns"}, 400),
        ({"on": 4, "verdict": "upheld"}, 400),
        (["i4", "upheld"], 400),
    ],
)
def test_only_what_is_asked_can_be_answered(
    answer: Callable[..., int], feed: Feed, given: object, status: int
) -> None:
    feed.publish("standing", question())
    assert answer(given, to="question") == status
    assert feed.wait_for_answer("standing", 0) == (
        msgspec.convert(given, QuestionAnswer) if status == 204 else None
    )


def test_which_came_first_is_answered_by_the_two_in_their_order(
    answer: Callable[..., int], feed: Feed
) -> None:
    feed.publish("standing", question(what="order", other="i5", answers=["before"]))
    assert answer({"on": "i5", "verdict": "before", "other": "i4"}, to="question") == 204
    assert answer({"on": "i4", "verdict": "before", "other": "i4"}, to="question") == 400


def test_before_there_is_a_match_nothing_is_asked(answer: Callable[..., int]) -> None:
    assert answer({"on": "i4", "verdict": "upheld"}, to="question") == 400


def test_several_coins_may_be_nobodys(answer: Callable[..., int], feed: Feed) -> None:
    feed.publish("naming", naming())
    assert answer({"1": "suns", "2": "nobody", "3": "nobody"}) == 204
    assert feed.wait_for_answer("naming", 0) == {"1": "suns", "2": "nobody", "3": "nobody"}
