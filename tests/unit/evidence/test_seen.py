"""What is seen of a pair, against the same numbers worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from weft.evidence import tester as asking
from weft.evidence.calibration import MODELS
from weft.evidence.collect import examine
from weft.evidence.independence.fisher_z import FisherZ
from weft.evidence.independence.kcit import Kcit
from weft.evidence.independence.protocol import run
from weft.evidence.pool import Part, pool
from weft.evidence.seen import Examined, Seen, dependence, middles, of_the_run, seen
from weft.evidence.skeleton import Query, Skeleton
from weft.evidence.weights import INTERCEPT, LEVELS, NUMBERS
from weft.graphs.mixed import MixedGraph
from weft.studies import Column, Kind, Study
from weft.studies.simulate import draw_studies

ALPHA = 0.01
ROWS = 400


def chain(rows: int = ROWS, seed: int = 1) -> Study:
    """X -> Y -> Z, and W by itself."""
    rng = np.random.default_rng(seed)
    x, u, v, w = rng.standard_normal((4, rows))
    return Study.of({"X": x, "Y": x + u, "Z": x + u + v, "W": w}, "a")


def examined(study: Study, max_given: int | None = None) -> Examined:
    """Every query of up to two variables answered; Y separates X and Z, nothing W and the rest."""
    names = sorted(study.variables)
    skeleton = Skeleton.complete(names)
    answers = {}
    for x, y in combinations(names, 2):
        for size in range(3):
            for given in combinations([name for name in names if name not in (x, y)], size):
                result = run(FisherZ(), study.column(x), study.column(y), [study.column(name) for name in given])
                answers[Query(x, y, given)] = pool([Part.of("a", result)])
    for pair in combinations(range(len(names)), 2):
        x, y = names[pair[0]], names[pair[1]]
        given = ("Y",) if (x, y) == ("X", "Z") else ()
        skeleton.note(pair, {Query(x, y): float("W" in (x, y))})
        if given:
            skeleton.note(pair, {Query(x, y, given): 1.0})
    return Examined(study, skeleton, answers, ALPHA, max_given)


def by_names(part: Examined) -> dict[tuple[str, str], Seen]:
    return {(one.query.x, one.query.y): one for one in seen(part, of_the_run([part]))}


def test_what_is_said_of_a_pair_that_a_set_separates() -> None:
    part = examined(chain())
    one = by_names(part)["X", "Z"]
    p = {query: pooled.p_value or 0.0 for query, pooled in part.answers.items()}
    assert (one.separable, one.query, one.rivals) == (True, Query("X", "Z", ("Y",)), (Query("X", "Z"),))
    features = one.adjacency
    assert features["evidence"] == pytest.approx(-math.log10(p[one.query]))
    assert features["rows"] == pytest.approx(math.log10(ROWS))
    assert features["size"] == 1
    assert features["tried"] == pytest.approx(math.log(2))
    assert features["strongest"] == pytest.approx(math.sqrt(min(-math.log10(p[Query("X", "Z")]), 20)))
    assert features["variables"] == pytest.approx(math.log(4))
    assert features["larger"] == 0
    assert features["density"] == pytest.approx(math.log(2 / 6 + 0.05))
    assert features["dependent"] == pytest.approx(math.log(3 / 6 + 0.05))
    assert (features["neighbours"], features["path"], features[LEVELS]) == (1, 1, 0)
    assert one.naming is not None
    assert one.naming["rival"] == pytest.approx(math.sqrt(min(-math.log10(p[Query("X", "Z")]), 12)))
    assert one.naming["open"] == 0


def test_a_set_without_rivals_cannot_be_named() -> None:
    one = by_names(examined(chain()))["W", "X"]
    assert one.separable
    assert one.naming is None
    assert one.adjacency["path"] == 0


def test_the_limit_on_sets_holds_for_rivals() -> None:
    study = chain()
    part = examined(study)
    part.skeleton.separated[part.skeleton.names.index("X"), part.skeleton.names.index("Z")] = Query("X", "Z")
    assert by_names(part)["X", "Z"].rivals == (Query("X", "Z", ("Y",)),)
    assert by_names(Examined(study, part.skeleton, part.answers, ALPHA, 0))["X", "Z"].rivals == ()


def test_the_run_is_as_strong_as_its_dependences() -> None:
    strong, weak = examined(chain(rows=3000)), examined(chain(rows=30))
    values = [
        math.log10(math.log(part.answers[query].p_value or 1e-300) / math.log(ALPHA))
        for part in [strong]
        for query in (Query("X", "Y"), Query("Y", "Z"))
    ]
    assert of_the_run([strong])["strength"] == pytest.approx((sum(values) + 4 * 0.9) / 6)
    assert of_the_run([strong])["strength"] > of_the_run([weak])["strength"]
    assert of_the_run([])["strength"] == pytest.approx(0.9)


def test_freedom_counts_the_cells_of_tables() -> None:
    rng = np.random.default_rng(0)
    study = Study(
        "a",
        tuple(
            Column(name, Kind.CATEGORICAL, rng.integers(0, levels, 50).astype(float), tuple("pqrst"[:levels]))
            for name, levels in {"A": 2, "B": 3, "C": 4, "D": 5}.items()
        ),
    )
    part = Examined(study, Skeleton.complete(study.variables), {}, ALPHA)
    assert part.freedom(Query("A", "B")) == 2
    assert part.freedom(Query("B", "C", ("A", "D"))) == 2 * 3 * 2 * 5
    assert part.has_levels(Query("A", "B"))
    assert examined(chain()).freedom(Query("X", "Y", ("Z",))) == 1


@pytest.mark.parametrize(("number", "larger"), [(5, 1.0), (12, 1.0), (18, 18 / 12), (28, 28 / 12), (35, 28 / 12)])
def test_how_large_a_study_is_counts_up_to_what_was_fitted(number: int, larger: float) -> None:
    rng = np.random.default_rng(0)
    study = Study.of({f"V{i:02}": rng.standard_normal(50) for i in range(number)}, "a")
    skeleton = Skeleton.complete(study.variables)
    query = skeleton.query((0, 1), ())
    skeleton.note((0, 1), {query: 1.0})
    result = run(FisherZ(), study.column(query.x), study.column(query.y), [])
    part = Examined(study, skeleton, {query: pool([Part.of("a", result)])}, ALPHA)
    (one,) = seen(part, of_the_run([part]))
    assert one.adjacency["variables"] == pytest.approx(math.log(min(number, 12)))
    assert one.adjacency["larger"] == pytest.approx(math.log(larger))


def test_every_feature_that_has_a_constant_is_there() -> None:
    part = examined(chain())
    found, run_features = by_names(part), of_the_run([part])
    (between,) = middles(part, run_features)
    assert (between.name, between.query.given, between.rival.given, between.is_given) == ("Y", ("Y",), (), True)
    given = {
        "apart": found["X", "Z"].adjacency,
        "connected": found["X", "Y"].adjacency,
        "separated": found["X", "Z"].naming,
        "dependent": dependence(part, Query("X", "Z"), run_features),
        "noncollider": between.features,
        "collider": between.features,
    }
    assert given.keys() == MODELS.keys()
    for model, kinds in MODELS.items():
        features = given[model]
        assert features is not None
        for kind in (NUMBERS, LEVELS):
            assert kinds[kind].keys() - {INTERCEPT} <= features.keys()


def test_what_is_seen_of_the_variable_in_between() -> None:
    """What passes through the middle of a chain is weaker than either link."""
    part = examined(chain())
    (between,) = middles(part, of_the_run([part]))
    features = between.features
    assert features["excess"] == 0
    assert 0 < features["direct"] < features["weakest"]
    assert features["rival"] == features["direct"], "the rival of {Y} is the empty set"


def test_evidence_from_a_part_of_the_rows_counts_for_all_of_them() -> None:
    part = examined(chain(rows=100))
    few = {query: pool([Part("a", one.p_value, 25)]) for query, one in part.answers.items()}
    all_rows, some_rows = of_the_run([part])["strength"], of_the_run([replace(part, answers=few)])["strength"]
    connected = sum(not separable for _, _, separable in part.pairs())
    assert some_rows - all_rows == pytest.approx(math.log10(4) * connected / (connected + 4))


def test_rows_with_gaps_are_not_missed_by_a_test_that_cannot_use_them() -> None:
    study = chain()
    gaps = study.column("Y").values.copy()
    gaps[: ROWS // 2] = np.nan
    half = replace(study, columns=tuple(replace(one, values=gaps) if one.name == "Y" else one for one in study.columns))
    part = examined(half)
    plainly = [
        math.log10(-math.log10(part.p_value(query)) / 2) for _, query, separable in part.pairs() if not separable
    ]
    assert {one.rows for query, one in part.answers.items() if "Y" in query.variables} == {ROWS // 2}
    assert of_the_run([part])["strength"] == pytest.approx((sum(plainly) + 4 * 0.9) / (len(plainly) + 4))


@pytest.mark.parametrize("way", ["linear", "nonlinear"])
def test_a_first_look_at_some_rows_hardly_changes_how_strong_dependences_seem(way: str) -> None:
    graph = MixedGraph.parse("X -> Y; Y -> Z; Z -> W; U -> W")
    studies = draw_studies(graph, [["X", "Y", "Z", "W"], ["Y", "Z", "W", "U"]], 5_000, np.random.default_rng(3), way)

    def strength(test: Kcit) -> float:
        return of_the_run(examine(studies, asking.Tester(studies, test, ALPHA), ALPHA, 2))["strength"]

    assert strength(Kcit()) == pytest.approx(strength(Kcit(glance=0.0, plain=0.0)), abs=0.15)


def test_a_study_without_a_verdict_has_no_rows_to_look_at() -> None:
    part = examined(chain(rows=100))
    other = replace(part, study=Study.of({name: np.ones(900) for name in "WXYZ"}, "b"), skeleton=Skeleton.complete([]))
    assert of_the_run([part, other])["strength"] == of_the_run([part])["strength"]
