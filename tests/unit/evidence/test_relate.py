"""From pairs of columns to relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import weft
from weft.errors import StudyError
from weft.evidence.cache import ResultCache
from weft.evidence.orientation.protocol import STRUCTURES, Assumptions, Judgement
from weft.evidence.relate import relate, together
from weft.graphs.criteria import Structure
from weft.parallel import Workers
from weft.studies import Column, Kind, Study

CAUSES, CAUSED, COMMON = Structure.CAUSES, Structure.CAUSED, Structure.COMMON


@dataclass(frozen=True)
class ByVariance:
    """Takes the column with the larger variance for the cause; counts how often it was asked, in a list."""

    asked: list[tuple[str, str]]
    name: ClassVar[str] = "by-variance"
    assumptions: ClassVar[Assumptions] = Assumptions(False, True, frozenset(Kind), "The cause varies more.")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        return {}

    def refusal(self, x: Column, y: Column) -> str | None:
        return "no Q here" if "Q" in (x.name, y.name) else None

    def judge(self, x: Column, y: Column) -> Judgement:
        self.asked.append((x.name, y.name))
        return Judgement(float(np.log(x.values.var() / y.values.var())), reason="variances compared")


def studies(seed: int = 0, rows: int = 400) -> list[Study]:
    rng = np.random.default_rng(seed)

    def table(*scales: float) -> dict[str, np.ndarray]:
        return {name: scale * rng.standard_normal(rows) for name, scale in zip("XYZ", scales, strict=False)}

    return [Study.of(table(3.0, 1.0), "a"), Study.of(table(3.0, 1.0, 1.0), "b")]


def test_direction_of_a_pair() -> None:
    related = relate(studies(), [("Y", "X")], orientation=ByVariance([]))
    (relation,) = related.relations
    assert (relation.x, relation.y) == ("X", "Y")
    assert relation.allowed == {CAUSES, Structure.CAUSES_COMMON}
    assert relation.provenance.source == "by-variance"
    assert relation.provenance.rows == 800
    assert relation.weight == pytest.approx(2 * np.log(9), abs=0.6)  # of two studies


def test_an_undecided_pair_says_nothing() -> None:
    related = relate(studies(), [("Y", "Z"), ("X", "Y")], orientation=ByVariance([]))
    assert not related.verdicts["Y", "Z"].decided
    assert [(one.x, one.y) for one in related.relations] == [("X", "Y")]


@pytest.mark.parametrize("declared", [True, ["a"], ["a", "b"], False, []])
def test_declared_sufficiency(declared: bool | list[str]) -> None:
    related = relate(studies(), [("X", "Y"), ("X", "Z")], orientation=ByVariance([]), sufficient=declared)
    alone, both = {CAUSES}, {CAUSES, Structure.CAUSES_COMMON}
    allowed = {pair: verdict.allowed for pair, verdict in related.verdicts.items()}
    assert allowed["X", "Y"] == (alone if declared else both)
    assert allowed["X", "Z"] == (alone if declared is True or "b" in (declared or []) else both)


def test_a_study_that_is_not_there_cannot_be_declared() -> None:
    with pytest.raises(StudyError, match="there is no study 'c' to declare sufficient; there are 'a', 'b'"):
        relate(studies(), [("X", "Y")], orientation=ByVariance([]), sufficient=["c"])


def test_confidence_that_is_too_little() -> None:
    strict = relate(studies(), [("X", "Y")], orientation=ByVariance([]), least_confidence=0.999)
    assert strict.relations == ()
    with pytest.raises(StudyError, match=r"the least confidence is 1.0; give 0.5 or more"):
        relate(studies(), [("X", "Y")], orientation=ByVariance([]), least_confidence=1.0)


def test_nothing_is_judged_twice() -> None:
    asked: list[tuple[str, str]] = []
    with ResultCache(None) as cache:
        first = relate(studies(), [("X", "Y"), ("X", "Z")], orientation=ByVariance(asked), cache=cache)
        assert sorted(asked) == [("X", "Y"), ("X", "Y"), ("X", "Z")]
        again = relate(studies(), [("X", "Y"), ("X", "Z")], orientation=ByVariance(asked), cache=cache)
    assert len(asked) == 3
    assert again == first


def test_same_answer_for_any_number_of_workers() -> None:
    pairs = [("X", "Y"), ("X", "Z"), ("Y", "Z")]
    assert relate(studies(), pairs, orientation="lingam", workers=Workers(2)) == relate(
        studies(), pairs, orientation="lingam"
    )


def test_judgements_of_several_samples() -> None:
    excluding = Judgement(1.0, {CAUSES: 0.4}, frozenset({CAUSED}), 2.0, "one")
    other = Judgement(-3.0, {CAUSES: 0.2, COMMON: 0.5}, frozenset({COMMON}), 1.5, "two")
    both = together([excluding, other])
    assert both.log_odds == -2.0
    assert both.excluded == {CAUSED, COMMON}
    assert both.weight == 1.5
    assert both.scores[CAUSES] == pytest.approx(0.3)
    assert both.reason == "one; two"
    rest = Judgement(0.0, {}, frozenset(STRUCTURES) - {CAUSED}, 1.0)
    contradiction = together([excluding, rest])
    assert contradiction.excluded == frozenset()
    assert contradiction.reason == "the studies contradict each other"


def test_orient_is_about_arrays() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(-2, 2, 800)
    y = np.exp(x) + 0.3 * rng.standard_normal(800)
    verdict = weft.orient(x, y)
    assert verdict.forced == "->"
    assert verdict.allowed == {"->", "-> & <->"}
    assert 0.8 <= verdict.confidence <= 1
    mirrored = weft.orient(y, x, sufficient=True)
    assert mirrored.allowed == {CAUSED}
    assert (mirrored.forced, mirrored.confidence) == (CAUSED, verdict.confidence)
    with pytest.raises(weft.WeftError, match="'magic' is not the name of an orientation method; choose one of auto"):
        weft.orient(x, y, method="magic")
    with pytest.raises(weft.WeftError, match="'kcdc' has no setting 'colour'"):
        weft.orient(x, y, method="kcdc", colour=1)
    with pytest.raises(weft.WeftError, match="'y' has 10 values and 'x' has 800"):
        weft.orient(x, y[:10])
