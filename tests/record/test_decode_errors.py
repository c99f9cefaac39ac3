"""A key given twice and a number that is not finite are found in every JSON text, although the
search is fast.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.games.players import FieldError
from referee.record.decode_errors import check_json

#: Only a few strings, so that many keys appear twice. One is written in two ways, and some contain
#: the characters that mark a key.
STRINGS = st.sampled_from(
    ['""', '"a"', '"b"', '":"', '"a\':"', '"\\u0061"', '"a\\":"', '"\\u003a"', '"é"']
)
NUMBERS = st.sampled_from(["0", "-1.5", "2e10", "1e999", "-1e999", "9" * 400, "9" * 400 + ".0"])
BLANKS = st.sampled_from(["", " ", "\t"])


def composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return lists and objects of such texts. Objects are written key by key, so that keys may
    repeat.
    """
    lists = st.lists(inner, max_size=3).map(lambda parts: f"[{','.join(parts)}]")
    pairs = st.tuples(STRINGS, BLANKS, inner).map(lambda pair: f"{pair[0]}{pair[1]}:{pair[2]}")
    return lists | st.lists(pairs, max_size=4).map(lambda parts: "{" + ",".join(parts) + "}")


TEXTS = st.recursive(STRINGS | NUMBERS | st.sampled_from(["null", "true"]), composed)


def is_wrong(text: str) -> bool:
    """The simple check: it examines every object and every number."""
    found: list[bool] = []

    def keys_of(pairs: list[tuple[str, Any]]) -> None:
        found.append(len({key for key, _ in pairs}) < len(pairs))

    def number(digits: str) -> float:
        found.append(not math.isfinite(float(digits)))
        return 0.0

    json.loads(text, object_pairs_hook=keys_of, parse_float=number)
    return any(found)


@settings(max_examples=500)
@given(TEXTS)
def test_what_the_plain_check_finds_is_refused_and_nothing_else(text: str) -> None:
    try:
        check_json(text.encode())
    except FieldError as error:
        assert is_wrong(text), error
    else:
        assert not is_wrong(text)


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("depth", [0, 1, 5, 40])
def test_a_key_given_twice_is_found_at_any_depth(depth: int, times: int) -> None:
    text = '{"in":[' * depth + "{" + ",".join(['"mood":":"'] * times) + "}" + "]}" * depth
    if times == 1:
        check_json(text.encode())
        return
    with pytest.raises(FieldError) as refused:
        check_json(text.encode())
    assert str(refused.value) == f"{'in[0].' * depth}mood: is given twice"
