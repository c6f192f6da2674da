"""Names become tests, and arrays become questions."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from weft.errors import GraphError, StudyError
from weft.evidence.independence.api import independence
from weft.evidence.independence.auto import Auto
from weft.evidence.independence.fisher_z import FisherZ
from weft.evidence.independence.oracle import OracleTest, OracleVerdict
from weft.evidence.independence.protocol import Result
from weft.evidence.independence.registry import TESTS, test_named
from weft.evidence.orientation.api import orient
from weft.evidence.orientation.protocol import Judgement
from weft.evidence.orientation.reci import Reci
from weft.graphs.mixed import MixedGraph
from weft.studies import Column, Kind

X, Y, Z = np.random.default_rng(91).standard_normal((3, 60))
GROUP = np.random.default_rng(92).choice(["a", "b", "c"], 60)


def test_listing_the_names_does_not_load_numpy() -> None:
    program = "import sys; from weft.evidence.independence.registry import TESTS; print(*TESTS, 'numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout.split() == [*TESTS, "False"]


def test_linear_algebra_runs_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spread over threads, the small matrices of one question take ten times as long."""
    seen: list[int] = []

    def noted(self: FisherZ, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        seen.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        return Result(0.0, 1.0, len(x.values))

    def judged(self: Reci, x: Column, y: Column) -> Judgement:
        seen.extend(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas")
        return original(self, x, y)

    original = Reci.judge
    monkeypatch.setattr(FisherZ, "test", noted)
    monkeypatch.setattr(Reci, "judge", judged)
    with threadpool_limits(2):
        independence(X, Y, test="fisher-z")
        orient(X, X + Y, method="reci")
    assert len(seen) >= 2
    assert set(seen) == {1}


def test_unknown_name_lists_the_names() -> None:
    with pytest.raises(
        StudyError,
        match="'kci' is not the name of an independence test; choose one of auto, kcit, kcit-exact, fisher-z",
    ):
        test_named("kci")


def test_unknown_setting_lists_the_settings() -> None:
    with pytest.raises(StudyError, match="'g-square' has no setting 'spars'; it has sparse"):
        test_named("g-square", spars="moments")


def test_oracle_is_not_a_test_of_data() -> None:
    with pytest.raises(StudyError, match=r"needs a graph.*weft\.oracle"):
        test_named("oracle")


@pytest.mark.parametrize(
    ("kinds", "chosen"),
    [
        ("continuous continuous", "kcit"),
        ("continuous continuous continuous", "kcit"),
        ("binary ordinal categorical", "g-square"),
        ("continuous continuous binary", "mixed"),
        ("categorical categorical continuous", "mixed"),
    ],
)
def test_auto_picks_by_kinds(kinds: str, chosen: str) -> None:
    codes = np.arange(60) % 2
    columns = [
        Column(
            str(i),
            Kind(kind),
            X if kind == "continuous" else codes.astype(float),
            () if kind == "continuous" else ("a", "b"),
        )
        for i, kind in enumerate(kinds.split())
    ]
    assert Auto().choose(columns[0], columns[1], columns[2:]).name == chosen


def test_auto_says_which_test_it_was_and_all_settings() -> None:
    assert independence(X, GROUP, test="auto").diagnostic["test"] == "mixed"
    assert {key.split(".")[0] for key in Auto().settings} == {"kcit", "g-square", "mixed"}


@pytest.mark.parametrize(
    "given",
    [np.column_stack([Z, X + Z]), [Z, X + Z], [list(Z), list(X + Z)], (Z, X + Z)],
    ids=["array", "list of arrays", "list of lists", "tuple"],
)
def test_given_in_any_form(given: object) -> None:
    columns = [Column(name, Kind.CONTINUOUS, values) for name, values in (("x", X), ("y", Y), ("a", Z), ("b", X + Z))]
    # x is a function of z and x + z: leave it noisy by rounding y only.
    with pytest.raises(StudyError, match="'x' is a linear function of 'given1', 'given2'"):
        independence(X, Y, given, test="fisher-z")
    expected = FisherZ().test(columns[1], columns[0], columns[2:3])
    assert independence(Y, X, Z, test="fisher-z").p_value == pytest.approx(expected.p_value)
    assert independence(Y, X, list(Z), test="fisher-z").p_value == pytest.approx(expected.p_value)


def test_missing_values_and_kinds() -> None:
    holed = [None if i < 5 else value for i, value in enumerate(X)]
    assert independence(holed, Y, test="fisher-z").rows == 55
    assert independence(GROUP, [i % 3 for i in range(60)], test="g-square", kinds={"y": "categorical"}).rows == 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, Y[:3]), "'y' has 3 values and 'x' has 60"),
        ((X, 3), "'y' is int; give one value per row"),
        ((X, Y, Z[:4]), "'given1' has 4 values"),
        ((X, GROUP), "'y' is categorical"),
        ((X, Y, np.zeros((2, 2, 2))), "'given' has 3 dimensions"),
    ],
)
def test_bad_arrays_are_one_clear_line(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        independence(*arguments)  # type: ignore[arg-type]


def test_settings_go_with_a_name() -> None:
    with pytest.raises(StudyError, match="has its settings already"):
        independence(X, Y, test=FisherZ(), width=2)


def test_oracle_gives_verdicts() -> None:
    oracle = OracleTest(MixedGraph.parse("X -> Y <- Z; Y -> W"))
    assert oracle.test("X", "Z") == OracleVerdict(independent=True)
    assert oracle.test("X", "Z", ["W"]) == OracleVerdict(independent=False)
    with pytest.raises(GraphError, match="Q"):
        oracle.test("X", "Q")
