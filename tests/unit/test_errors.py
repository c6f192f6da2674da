"""A message is made of parts, so that Python and the command line can word the same way out."""

from __future__ import annotations

import pickle
import shlex

import pytest

from weft.cli.failures import as_options
from weft.errors import Argument, StudyError, WeftError


def test_an_error_is_worded_by_who_shows_it() -> None:
    error = StudyError("a.csv: leave it out with ", Argument("drop", ["row id"]), ", or insist")
    assert str(error) == "a.csv: leave it out with drop=['row id'], or insist"
    assert error.worded(as_options) == "a.csv: leave it out with --drop 'row id', or insist"
    assert error.remedies == (Argument("drop", ["row id"]),)


def test_an_error_survives_a_trip_to_another_process() -> None:
    error = StudyError("say ", Argument("kinds", {"size": ["S", "M"]}))
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), back.remedies, str(back)) == (StudyError, error.remedies, str(error))


def test_what_looks_like_an_argument_in_a_name_is_left_alone() -> None:
    text = "a.csv: column \"drop=['x']\" is constant"
    assert WeftError(text).worded(as_options) == text


@pytest.mark.parametrize(
    ("argument", "python", "options"),
    [
        (Argument("drop", [""]), "drop=['']", "--drop ''"),
        (Argument("drop", ["a", "b c"]), "drop=['a', 'b c']", "--drop a --drop 'b c'"),
        (Argument("drop", ["it's [1], 'x'"]), "drop=[\"it's [1], 'x'\"]", "--drop 'it'\"'\"'s [1], '\"'\"'x'\"'\"''"),
        (Argument("missing"), "missing=", "--missing"),
        (Argument("max_given"), "max_given=", "--max-given"),
        (Argument("decimal", ","), "decimal=','", "--decimal ,"),
        (Argument("kinds", {"v": "binary"}), "kinds={'v': 'binary'}", "--kind v=binary"),
        (Argument("kinds", {"v": None}), "kinds={'v': ...}", "--kind v=KIND"),
        (Argument("kinds", {"v": ["S", "M"]}), "kinds={'v': ['S', 'M']}", "--kind 'v=S<M'"),
        (Argument("kinds", {"v": ["<1", "a=b"]}), "kinds={'v': ['<1', 'a=b']}", '--kind \'v="<1"<"a=b"\''),
        (Argument("drop", ["esc\x1b'"]), 'drop=["esc\\x1b\'"]', r"--drop $'esc\u001b\''"),
    ],
)
def test_arguments_in_both_languages(argument: Argument, python: str, options: str) -> None:
    assert str(argument) == python
    assert as_options(argument) == options
    assert "$'" in options or shlex.split(options)
