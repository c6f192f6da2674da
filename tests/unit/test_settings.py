"""Every knob has one name and one default: in the settings, in Python's functions, on the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import click
import pytest

import weft
from weft.cli import main
from weft.errors import WeftError
from weft.evidence.collect import collect
from weft.evidence.independence.kcit import Kcit
from weft.evidence.orientation.protocol import LEAST_CONFIDENCE, LEAST_CONFIDENCE_IN_STUDIES
from weft.evidence.relate import relate
from weft.settings import PAIR_CONFIDENCE, Question, Settings

DEFAULTS = {one.name: one.default for one in fields(Settings)}
ASKED = {one.name: one.default for one in fields(Question)}


def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    return {name: one.default for name, one in inspect.signature(function).parameters.items()}


def options_of(command: str) -> dict[str, Any]:
    return {one.name or "": one.default for one in main.commands[command].params if isinstance(one, click.Option)}


def test_python_has_the_names_and_defaults_of_the_settings() -> None:
    assert {name: defaults_of(weft.discover).get(name) for name in DEFAULTS | ASKED} == DEFAULTS | ASKED
    where = [name for name in defaults_of(weft.discover) if name not in ASKED and name not in ("bootstrap", "seed")]
    assert list(defaults_of(weft.gather)) == where
    assert DEFAULTS.items() <= defaults_of(weft.gather).items()


@pytest.mark.parametrize(
    ("function", "of_its_own"), [(collect, set[str]()), (relate, {"pairs"}), (weft.orient, {"method"})]
)
def test_the_parts_have_them_too(function: Callable[..., Any], of_its_own: set[str]) -> None:
    """relate is handed pairs; weft.orient, about one pair, calls its method so, and is sooner confident."""
    shared = {
        name: value for name, value in defaults_of(function).items() if name in DEFAULTS and name not in of_its_own
    }
    assert len(shared) >= 2
    own = {"least_confidence": PAIR_CONFIDENCE} if function is weft.orient else {}
    assert shared.items() <= (DEFAULTS | own).items()


@pytest.mark.parametrize("command", ["discover", "evidence"])
def test_the_command_line_has_them_too(command: str) -> None:
    found = options_of(command)
    assert DEFAULTS.keys() <= found.keys()
    unset = {"sufficient": False, "max_given": None}  # options that are there or not
    assert {name: found[name] for name in DEFAULTS if name not in unset} == {
        name: value for name, value in DEFAULTS.items() if name not in unset
    }


def test_evidence_takes_what_discover_takes_to_gather() -> None:
    of_the_answer = {*ASKED, "report_file", "bootstrap", "seed"}
    assert [name for name in options_of("discover") if name not in of_the_answer] == list(options_of("evidence"))


def test_the_least_confidence_is_that_of_the_methods() -> None:
    assert Settings.least_confidence == LEAST_CONFIDENCE_IN_STUDIES
    assert PAIR_CONFIDENCE == LEAST_CONFIDENCE


def test_a_document_has_plain_values_and_the_settings_within() -> None:
    document = Settings(independence=Kcit(rank=20), orientation="lingam", sufficient=["b", "a"]).document()
    assert document["independence"] == "kcit"
    assert document["independence.rank"] == 20
    assert document["orientation"] == "lingam"
    assert document["sufficient"] == "a, b"
    assert Settings(sufficient=()).document()["sufficient"] is False
    assert document.keys() >= DEFAULTS.keys()


@pytest.mark.parametrize(
    ("method", "orients"), [("iod", False), ("ion", False), ("iod-bcd", True), ("causal-iod", True)]
)
def test_which_methods_use_relations(method: str, orients: bool) -> None:
    assert Settings(method=method).orients is orients


@pytest.mark.parametrize(
    "wrong", [{"slack": -1.0}, {"limit": 0}, {"timeout": 0.0}, {"slack": float("inf")}, {"timeout": float("nan")}]
)
def test_a_question_that_makes_no_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(WeftError):
        Question(**wrong)


@pytest.mark.parametrize(
    ("argument", "name", "near"),
    [
        ("method", "causaliod", "causal-iod"),
        ("independence", "fisherz", "fisher-z"),
        ("orientation", "lingm", "lingam"),
        ("pooling", "stoufer", "stouffer"),
        ("pairs", "conected", "connected"),
    ],
)
def test_what_may_be_meant(argument: str, name: str, near: str) -> None:
    with pytest.raises(WeftError, match=f"did you mean '{near}'"):
        Settings(**{argument: name})  # type: ignore[arg-type]
