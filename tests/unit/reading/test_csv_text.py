"""Records of CSV and their lines, long fields included."""

from __future__ import annotations

import csv

import pytest

from weft.errors import WeftError
from weft.reading.csv_text import likely_delimiter, records


def test_lines_are_those_that_records_start_on() -> None:
    text = 'a,b\n\n"two\nlines",c\r\nd,e\n'
    assert list(records(text, ",", WeftError)) == [(1, ["a", "b"]), (3, ["two\nlines", "c"]), (5, ["d", "e"])]


def test_a_long_field_is_read_and_pythons_limit_is_as_before() -> None:
    before = csv.field_size_limit()
    field = "x" * 140_000
    assert list(records(f'a,"{field}"\n', ",", WeftError)) == [(1, ["a", field])]
    assert csv.field_size_limit() == before
    reading = records("a\nb\n", ",", WeftError)
    next(reading)
    reading.close()  # type: ignore[attr-defined]
    assert csv.field_size_limit() == before


def test_a_quote_that_is_never_closed() -> None:
    text = 'a,b\n"c,d\n' + "e,f\n" * 60_000
    with pytest.raises(WeftError, match=r"^t\.csv: line 2: this is not CSV: a quote is opened and never closed"):
        list(records(text, ",", WeftError, "t.csv: "))


def test_the_delimiter_of_the_first_line() -> None:
    assert [likely_delimiter(text) for text in ("a,b;c", "\na;b\n,", "a\tb", "a", "")] == [",", ";", "\t", ",", ","]
