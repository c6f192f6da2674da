"""Wrong types and values that Python users pass: refused at once, by the name of the argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import WeftError
from weft.evidence.cache import ResultCache
from weft.reading.arguments import ArgumentError
from weft.studies import Study
from weft.studies.simulate import draw_studies

EVIDENCE = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])


def tables() -> list[Study]:
    graph = weft.MixedGraph.parse("X -> Y; Y -> Z")
    return draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 60, np.random.default_rng(0), "linear")


@pytest.mark.parametrize(
    ("argument", "value", "way_out"),
    [
        ("limit", 2.5, "give a whole number, or None for no limit"),
        ("limit", True, "give a whole number, or None for no limit"),
        ("timeout", "5", "give a number, or None for no limit"),
        ("slack", None, "give a number"),
        ("max_given", 1.5, "give a whole number, or None for no limit"),
        ("max_given", -1, "give 0 or more, or None for no limit"),
        ("alpha", "0.1", "give a number"),
        ("independence_confidence", None, "give a number"),
        ("least_confidence", "high", "give a number"),
        ("independence", 3, "give the name of a test, such as 'auto', or a test"),
        ("orientation", None, "give the name of a method, such as 'auto', or a method"),
        ("sufficient", 3, "give True, False or the names of studies"),
        ("sufficient", "study1", "give True, False or the names of studies in a list, such as ['study1']"),
        ("dask", 3, "give the address of a scheduler, or a dask.distributed.Client"),
        ("selection", "yes", "give True or False"),
        ("bootstrap", 2.5, "give a whole number"),
        ("seed", "x", "give a whole number"),
        ("n_jobs", "2", "give the number of processes, or -1 for one for each core"),
        ("cache", 3, "give the path of a file, a ResultCache, 'auto', or None to keep nothing"),
        ("knowledge", "A causes B", "give weft.Knowledge.of('X causes Y', ...) or weft.Knowledge.read(path)"),
        ("knowledge", ["A causes B"], "give weft.Knowledge.of('X causes Y', ...) or weft.Knowledge.read(path)"),
        ("progress", 3, "give a function of a label and two numbers, 'auto', or None"),
        ("studies", None, "give a list of tables, or a dictionary of tables by name"),
    ],
)
def test_discover(argument: str, value: object, way_out: str) -> None:
    arguments: dict[str, Any] = {"studies": tables(), "independence": "fisher-z", "method": "iod", argument: value}
    with pytest.raises(WeftError) as caught:
        weft.discover(**arguments)
    assert str(caught.value) == f"{argument} is {value!r}; {way_out}"


@pytest.mark.parametrize(
    ("argument", "value", "message"),
    [
        ("evidence", "x", "evidence is 'x'; give what weft.load_evidence, weft.oracle or weft.gather gives"),
        ("evidence", None, "evidence is None; give what"),
        ("limit", 2.5, "limit is 2.5; give a whole number"),
        ("timeout", "5", "timeout is '5'; give a number"),
        ("knowledge", "X causes Y", "knowledge is 'X causes Y'; give weft.Knowledge.of("),
        ("selection", "no", "selection is 'no'; give True or False"),
    ],
)
def test_solve(argument: str, value: object, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        weft.solve(**{"evidence": EVIDENCE, argument: value})  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)
    assert isinstance(caught.value, TypeError)


def test_assume() -> None:
    for claim in (None, 3):
        with pytest.raises(ArgumentError, match=rf"^claim is {claim}; give a text such as 'X causes Y', or a weft.Cla"):
            weft.solve(EVIDENCE).assume(claim)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: weft.solve(EVIDENCE, engine=[]), "there is no engine []; choose one of asp"),  # type: ignore[arg-type]
        (lambda: weft.solve(EVIDENCE, knowledge=[]), "knowledge is []; give weft.Knowledge.of("),  # type: ignore[arg-type]
        (lambda: solutions().score(None), "truth is None; give a weft.MixedGraph, or a text"),  # type: ignore[arg-type]
        (lambda: solutions().sample("3"), "n is '3'; give a whole number"),  # type: ignore[arg-type]
        (lambda: solutions().sample(2.5), "n is 2.5; give a whole number"),  # type: ignore[arg-type]
        (lambda: solutions().sample(-1), "n is -1; give a whole number that is not negative"),
        (lambda: solutions().sample(1, seed=None), "seed is None; give a whole number"),  # type: ignore[arg-type]
        (lambda: solutions().suggest(most="3"), "most is '3'; give a whole number"),  # type: ignore[arg-type]
        (lambda: solutions().suggest(seed=1.5), "seed is 1.5; give a whole number"),  # type: ignore[arg-type]
        (lambda: solutions().suggest(most=0), "most is 0; look at 1 solution at least"),
        (lambda: solutions().summary().finding(3), "claim is 3; give a text"),  # type: ignore[arg-type]
        (lambda: solutions().summary().holds(None), "claim is None; give a text"),  # type: ignore[arg-type]
        (lambda: solutions().plot("structure", number="a"), "number is 'a'; give a whole"),  # type: ignore[arg-type]
        (lambda: solutions().plot("sheet", number=2.5), "number is 2.5; give a whole number"),  # type: ignore[arg-type]
        (lambda: solutions().plot(path=3), "path is 3; give the path of a file"),  # type: ignore[arg-type]
        (lambda: solutions().plot(title=3), "title is 3; give a text, or None"),  # type: ignore[arg-type]
        (lambda: solutions().to_html(3), "path is 3; give the path of a file"),  # type: ignore[arg-type]
        (lambda: solutions().to_html("r.html", patience="s"), "patience is 's'; give a number"),  # type: ignore[arg-type]
        (lambda: solutions().save(None), "path is None; give the path of a file"),  # type: ignore[arg-type]
        (lambda: weft.dump_evidence("x", "e.json"), "evidence is 'x'; give what weft.oracle"),  # type: ignore[arg-type]
        (lambda: weft.dump_evidence(EVIDENCE, 3), "target is 3; give a path, or a text file"),  # type: ignore[arg-type]
    ],
)
def test_what_is_asked_of_an_answer(call: Callable[[], object], message: str) -> None:
    with pytest.raises(WeftError) as caught:
        call()
    assert str(caught.value).startswith(message)


def solutions() -> weft.SolutionSet:
    return weft.solve(EVIDENCE)


def test_oracle_and_texts() -> None:
    for call, message in (
        (lambda: weft.oracle(3, [["X"]]), "graph is 3; give a weft.MixedGraph"),  # type: ignore[arg-type]
        (lambda: weft.oracle("X -> Y", 3), "studies is 3; give a list"),  # type: ignore[arg-type]
        (lambda: weft.oracle("X -> Y", [3]), "study 'a' is 3; give a list"),  # type: ignore[list-item]
        (lambda: weft.MixedGraph.parse(3), "a graph's text is 3; give"),  # type: ignore[arg-type]
        (lambda: weft.Claim.parse(None), "a claim is None; give"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ArgumentError, match=f"^{message}"):
            call()


def test_a_path_for_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    first = weft.discover(tables(), independence="fisher-z", method="iod", cache=str(path))
    with ResultCache(path) as cache:
        assert len(cache) > 0
    assert weft.discover(tables(), independence="fisher-z", method="iod", cache=path).evidence == first.evidence
    spoiled = bytearray(path.read_bytes())
    spoiled[-4096:] = b"x" * 4096
    path.write_bytes(spoiled)
    again = weft.discover(tables(), independence="fisher-z", method="iod", cache=path)
    assert again.origin is not None
    assert any(str(path) in warning for warning in again.origin.warnings)
    path.write_bytes(b"this is no database, and long enough to be looked at as one: " * 40)
    with pytest.raises(weft.WeftError, match="is a file that weft did not make"):
        weft.discover(tables(), independence="fisher-z", method="iod", cache=path)


def test_a_long_value_is_cut() -> None:
    with pytest.raises(ArgumentError) as caught:
        weft.solve("x" * 10_000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_what_is_no_test_and_no_method() -> None:
    columns = [0.0, 1.0, 2.0], [0.0, 1.0, 2.0]
    with pytest.raises(ArgumentError, match="test is 3; give the name of a test, such as 'kcit', or a test"):
        weft.independence(*columns, test=3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="method is 5; give the name of a method, such as 'auto', or a method"):
        weft.orient(*columns, method=5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="knowledge"):
        weft.discover(tables(), knowledge=[])  # type: ignore[arg-type]
