"""Strict JSON: what is refused, with the line, and what is read as Python reads it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import WeftError
from weft.reading.json_text import decoded

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def refusal(text: str | bytes) -> str:
    with pytest.raises(WeftError) as caught:
        decoded(text, WeftError)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@given(VALUES, st.sampled_from([None, 1]))
def test_what_is_json_is_read(value: object, indent: int | None) -> None:
    assert decoded(json.dumps(value, indent=indent), WeftError) == value
    assert decoded(json.dumps(value, ensure_ascii=True).encode("utf-8-sig"), WeftError) == value


@given(VALUES, VALUES)
def test_a_repeated_key_is_found_wherever_it_stands(before: object, after: object) -> None:
    text = f'{{"before": {json.dumps(before)},\n "x": [{{"a\\u0062": 1,\n "ab": 2}}], "after": {json.dumps(after)}}}'
    assert refusal(text) == "line 3: the key 'ab' appears twice; keep one of the two"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty; JSON is expected"),
        ("\ufeff \n", "the file is empty; JSON is expected"),
        ('{"a": 1,\n}', "line 2, column 1: this is not JSON: "),
        ('["NaN",\n NaN]', "line 2: NaN is not a number in JSON; write a number, or leave it out"),
        ('{"a": "Infinity:",\n "b": [-Infinity]}', "line 2: -Infinity is not a number in JSON"),
        ("[\n" + "9" * 5000 + "]", "line 2: this JSON cannot be read: a number in it has too many digits"),
        ("[" * 100_000, "this JSON cannot be read: it is nested too deeply"),
        ('{"a":' * 100_000, "this JSON cannot be read: it is nested too deeply"),
        (b'{"a":\n"\xff"}', "line 2: not UTF-8 text (at byte 7); save the file as UTF-8"),
    ],
)
def test_what_is_refused(text: str | bytes, message: str) -> None:
    assert refusal(text).startswith(message)


def test_a_key_may_stand_in_two_objects() -> None:
    assert decoded('[{"a": 1}, {"a": {"a": 2}}]', WeftError) == [{"a": 1}, {"a": {"a": 2}}]


def test_a_long_number_with_a_fraction_is_read() -> None:
    assert decoded("[" + "9" * 5000 + "e-5000]", WeftError) == [1.0]


def test_the_repeated_one_of_many_keys() -> None:
    keys = [f"v{i}" for i in range(200_000)]
    text = "{" + ",\n".join(f'"{key}": 0' for key in [*keys, "v77"]) + "}"
    assert refusal(text) == "line 200001: the key 'v77' appears twice; keep one of the two"
