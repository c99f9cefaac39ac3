"""The counts in the table of the code's structure, on functions and graphs written by hand."""

from __future__ import annotations

import ast

import pytest

from benchmarks.structure import Sized, body_lines, cyclic, row_of


@pytest.mark.parametrize(
    ("function", "lines"),
    [
        ("def f():\n    return 1", 1),
        ("def f():\n    '''One.\n\n    Two.\n    '''\n    a = 1\n\n    return a", 3),
        ("def f(\n    a,\n):\n    return a", 1),
        ("def f():\n    '''Nothing behind it.'''", 0),
        ("def f(): return 1", 1),
        ("def f():\n    return g(\n        1,\n    )", 3),
    ],
)
def test_a_body_is_what_stands_behind_signature_and_docstring(function: str, lines: int) -> None:
    (parsed,) = ast.parse(function).body
    assert isinstance(parsed, ast.FunctionDef)
    assert body_lines(parsed) == lines


def test_a_cycle_is_found_also_by_way_of_others() -> None:
    around = {"a": {"b": ""}, "b": {"c": ""}, "c": {"a": ""}, "d": {"a": ""}}
    assert cyclic(around) == {"a", "b", "c"}
    assert cyclic({"a": {"b": ""}, "b": {"c": ""}, "c": {}}) == set()


def test_a_row_has_the_median_the_95th_percentile_and_the_longest() -> None:
    sizes = [Sized(size, f"at {size}") for size in range(101)]
    assert row_of("files", sizes).split() == ["files", "101", "50", "95", "100", "at", "100"]
