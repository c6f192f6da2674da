"""From pairs of columns to relations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import weft
from weft.errors import StudyError
from weft.evidence.cache import ResultCache
from weft.evidence.orientation.calibration import BASE
from weft.evidence.orientation.outcomes import Outcomes
from weft.evidence.orientation.protocol import STRUCTURES, Around, Assumptions, Judgement
from weft.evidence.relate import neighbours_of, relate, together
from weft.evidence.statements import Connected
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

    return [Study.of(table(6.0, 1.0), "a"), Study.of(table(6.0, 1.0, 1.0), "b")]


def test_direction_of_a_pair() -> None:
    related = relate(studies(), [("Y", "X")], orientation=ByVariance([]))
    narrow, wide = related.relations
    for relation in (narrow, wide):
        assert (relation.x, relation.y) == ("X", "Y")
        assert relation.provenance.source == "by-variance"
        assert relation.provenance.rows == 800
    assert narrow.allowed == {CAUSES, Structure.CAUSES_COMMON}
    assert wide.allowed == narrow.allowed | {COMMON}
    assert related.verdicts["X", "Y"].confidence == pytest.approx(36**2 / (1 + 36**2), abs=1e-3)  # of two studies


def test_relations_cost_what_the_outcomes_are_worth() -> None:
    related = relate(studies(), [("Y", "X")], orientation=ByVariance([]))
    outcomes = related.verdicts["X", "Y"].outcomes
    assert outcomes is not None

    def cost(structure: Structure) -> float:
        return sum(relation.weight or 0.0 for relation in related.relations if structure not in relation.allowed)

    assert cost(CAUSES) == 0
    assert cost(COMMON) == pytest.approx(np.log(outcomes.forward / outcomes.common))
    assert cost(CAUSED) == pytest.approx(np.log(outcomes.forward / outcomes.backward))


def test_an_undecided_pair_says_nothing() -> None:
    related = relate(studies(), [("Y", "Z"), ("X", "Y")], orientation=ByVariance([]))
    assert not related.verdicts["Y", "Z"].decided
    assert {(one.x, one.y) for one in related.relations} == {("X", "Y")}


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
    strict = relate(studies(), [("X", "Y")], orientation=ByVariance([]), least_confidence=0.9999)
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


@dataclass(frozen=True)
class Counting:
    """Sees its neighbours: the more there are of x, the surer it is that y causes x."""

    asked: list[tuple[tuple[str, ...], tuple[str, ...]]]
    name: ClassVar[str] = "counting"
    assumptions: ClassVar[Assumptions] = Assumptions(True, True, frozenset(Kind), "Causes are few.")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        return {}

    def refusal(self, x: Column, y: Column) -> str | None:
        return None

    def judge(self, x: Column, y: Column) -> Judgement:
        return self.judge_among(x, y, Around())

    def judge_among(self, x: Column, y: Column, around: Around) -> Judgement:
        sides = tuple(tuple(column.name for column in side) for side in (around.of_x, around.of_y))
        self.asked.append((sides[0], sides[1]))
        outcomes = Outcomes.of(len(around.of_y), 0.0, len(around.of_x))
        return Judgement(outcomes.log_odds, outcomes=outcomes)


CONNECTED = (Connected("b", "X", "Y"), Connected("b", "X", "Z"))


def test_a_method_may_see_the_neighbours_in_each_study() -> None:
    asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    relate(studies(), [("X", "Y")], orientation=Counting(asked), neighbours=neighbours_of(CONNECTED))
    assert sorted(asked) == [((), ()), (("Z",), ())]  # nothing is connected in study a


def test_what_a_method_saw_is_part_of_the_key() -> None:
    asked: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    with ResultCache(None) as cache:
        for connected in (CONNECTED, CONNECTED, CONNECTED[:1], ()):
            neighbours = neighbours_of(connected)
            relate(studies()[1:], [("X", "Y")], orientation=Counting(asked), neighbours=neighbours, cache=cache)
    assert asked == [(("Z",), ()), ((), ())]
    with ResultCache(None) as cache:  # whose neighbour it is counts too
        for names in ("XZ", "YZ"):
            neighbours = neighbours_of([Connected("b", *names)])
            relate(studies()[1:], [("X", "Y")], orientation=Counting(asked), neighbours=neighbours, cache=cache)
    assert asked[2:] == [(("Z",), ()), ((), ("Z",))]


def test_judgements_from_the_cache_have_their_outcomes() -> None:
    with ResultCache(None) as cache:
        first, again = (
            relate(
                studies()[1:], [("X", "Y")], orientation=Counting([]), neighbours=neighbours_of(CONNECTED), cache=cache
            )
            for _ in range(2)
        )
    assert again == first
    assert again.verdicts["X", "Y"].outcomes is not None


@pytest.mark.parametrize("method", ["auto", "gof", "lingam"])
def test_order_of_studies_and_columns_does_not_matter(method: str) -> None:
    rng = np.random.default_rng(5)
    x, z = rng.exponential(size=(2, 300))
    columns = {"X": x, "Z": z, "Y": x + z + rng.uniform(size=300), "W": rng.normal(size=300)}
    tables = [dict(list(columns.items())[:3]), columns]
    connected = [Connected(name, *pair) for name in "ab" for pair in ("XY", "YZ")]
    found = []
    for order, turn in ((1, 1), (-1, -1)):
        named = [Study.of(dict(list(table.items())[::turn]), name) for name, table in zip("ab", tables, strict=True)]
        neighbours = neighbours_of(connected[::order])
        found.append(relate(named[::order], [("X", "Y")], orientation=method, neighbours=neighbours).verdicts["X", "Y"])
    one, other = found
    assert one.outcomes == pytest.approx(other.outcomes)
    assert (one.allowed, one.rows) == (other.allowed, other.rows)


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


def test_what_several_samples_say_about_the_outcomes() -> None:
    base = [Judgement(BASE.log_odds, outcomes=BASE)] * 3
    assert together(base).outcomes == pytest.approx(BASE, abs=0.03)  # how common they are counts once
    sure = Outcomes(0.7, 0.2, 0.1)
    both = together([Judgement(sure.log_odds, outcomes=sure)] * 2).outcomes
    assert both is not None
    beyond = [(math.log(base), math.log(one) - math.log(base)) for base, one in zip(BASE, sure, strict=True)]
    assert both == pytest.approx(Outcomes.of(*(base + 1.5 * more for base, more in beyond)))  # not as two
    many = together([Judgement(sure.log_odds, outcomes=sure)] * 20).outcomes
    assert many is not None
    assert both.forward < many.forward < Outcomes.of(*(base + 3 * more for base, more in beyond)).forward
    unlike = together([Judgement(sure.log_odds, outcomes=sure), Judgement(-sure.log_odds, outcomes=sure.mirrored)])
    assert unlike.log_odds == pytest.approx(0)
    silent = together([Judgement(sure.log_odds, outcomes=sure), Judgement(0.0, reason="refused")])
    assert silent.outcomes == pytest.approx(sure, abs=0.03)


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
