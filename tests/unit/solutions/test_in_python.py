"""How answers show themselves in Python: short, as text, as frames, in notebooks; and copies of them."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import weft
from weft.errors import WeftError
from weft.reading.frames import frame_of
from weft.report.as_csv import pairs_csv

EVIDENCE = weft.oracle("Y -> X; Y <-> Z", {"one": ["X", "Y"], "two": ["Y", "Z"]})
SOLUTIONS = weft.solve(EVIDENCE)


def test_every_repr_is_short() -> None:
    study = weft.Study.of({"x": range(50), "y": [i * i for i in range(50)]}, "a")
    values = (
        SOLUTIONS, EVIDENCE, study, SOLUTIONS.summary(), SOLUTIONS.structures, SOLUTIONS.claims(),
        SOLUTIONS.explain("Y causes X"), SOLUTIONS.suggest(), SOLUTIONS.suggest()[0], SOLUTIONS.claims()[0],
        SOLUTIONS.pairs(), SOLUTIONS.pairs()[0], SOLUTIONS.suggest_effect("Y", "X"),
        weft.solve(EVIDENCE, conflicts="repair").repair(),
    )  # fmt: skip
    for value in values:
        assert len(repr(value)) < 120
        assert "\n" not in repr(value)
    assert repr(SOLUTIONS) == "<SolutionSet: 3 variables, 2 studies, 4 statements, causal-iod>"


def test_what_is_printed_is_what_the_command_line_says() -> None:
    told = str(SOLUTIONS.explain("Y causes X"))
    assert told.startswith("It is certain that Y causes X")
    assert "\n  - " in told
    suggested = str(SOLUTIONS.suggest())
    assert suggested.startswith("2 structures were looked at")
    assert "measure X too in study 'two'" in suggested

    assert str(SOLUTIONS).startswith("Together the 2 studies show 1 causal effect, certain.")
    assert str(SOLUTIONS.structures) == "\n".join(map(str, SOLUTIONS))


def test_answers_are_sequences() -> None:
    for found in (
        SOLUTIONS.suggest(),
        SOLUTIONS.claims(),
        SOLUTIONS.pairs(),
        SOLUTIONS.structures,
        SOLUTIONS.summary(),
    ):
        every = list(found)
        assert len(found) == len(every) > 0
        assert (found[0], found[-1]) == (every[0], every[-1])
    assert SOLUTIONS.structures[:1] == [SOLUTIONS.structures[0]]
    with pytest.raises(IndexError):
        SOLUTIONS.structures[2]


def test_pairs_are_those_of_the_command_line() -> None:
    frame = SOLUTIONS.pairs().to_frame()
    lines = pairs_csv(SOLUTIONS.summary(margins=True)).splitlines()
    assert ",".join(frame.columns) == lines[0]
    assert frame["first_causes_second"].tolist() == ["none", "none", "none"]
    assert frame["second_causes_first_confidence"][0] == 1.0
    assert str(SOLUTIONS.pairs()).splitlines() == ["X, Y: X <- Y", "X, Z: no edge | X <-> Z", "Y, Z: Y <-> Z"]


def test_frames() -> None:
    claims = SOLUTIONS.claims()
    frame = claims.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["claim", "holds", "confidence", "margin", "exact", "share"]
    assert len(frame) == len(claims)
    assert list(SOLUTIONS.structures.to_frame()["structure"]) == [str(one) for one in SOLUTIONS.structures]
    assert SOLUTIONS.suggest().to_frame()["what"][0] == str(SOLUTIONS.suggest()[0])
    assert list(SOLUTIONS.summary().to_frame()["x"]) == ["X", "X", "Y"]


def test_a_frame_of_polars_where_there_is_no_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    import polars

    def without(*absent: str) -> object:
        def imported(name: str) -> object:
            if name in absent:
                raise ImportError(name)
            return {"pandas": pd, "polars": polars}[name]

        return imported

    monkeypatch.setattr("weft.reading.frames.import_module", without("pandas"))
    assert isinstance(frame_of([{"a": 1}], ["a"]), polars.DataFrame)
    monkeypatch.setattr("weft.reading.frames.import_module", without("pandas", "polars"))
    with pytest.raises(WeftError, match="needs pandas or polars"):
        frame_of([{"a": 1}], ["a"])


def test_notebooks_show_text_and_nothing_else() -> None:
    name = "<script>alert(1)</script>"
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    tables = [{name: x, "y": x + rng.normal(size=200)}, {"y": rng.normal(size=200), "z": rng.normal(size=200)}]
    solutions = weft.discover(tables, independence="fisher-z", method="iod")
    for value in (solutions, solutions.claims(), solutions.suggest(), solutions.explain("y causes z")):
        shown = value._repr_html_()
        assert "<script" not in shown
        assert shown.startswith(("<pre ", "<table>"))


def test_copies_and_pickles_give_the_same_answer() -> None:
    assumed = SOLUTIONS.assume("not X <-> Z")
    for other in (copy.copy(assumed), copy.deepcopy(assumed), pickle.loads(pickle.dumps(assumed))):
        assert list(other) == list(assumed)
        assert other.assumed == assumed.assumed
        assert [one.claim for one in other.claims(0.9)] == [one.claim for one in assumed.claims(0.9)]
    for value in (
        EVIDENCE,
        SOLUTIONS.claims(),
        SOLUTIONS.explain("Y causes X"),
        SOLUTIONS.suggest(),
        SOLUTIONS.structures,
    ):
        assert pickle.loads(pickle.dumps(value)) == value


def test_nobody_is_told_to_randomise_sex() -> None:
    evidence = weft.oracle("sex -> dose; dose -> pain", {"a": ["sex", "dose"], "b": ["dose", "pain"]})
    suggested = [str(one) for one in weft.solve(evidence, method="iod").suggest()]
    assert any("randomise dose" in one for one in suggested)
    assert not any("randomise sex" in one for one in suggested)
