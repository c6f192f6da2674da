"""Estimates against known values, and the refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.linear import Linear
from weft.effects.answer import effects_of
from weft.effects.estimate import FORMS, EffectError, Estimator, Form, pooled, regression
from weft.effects.identify import Adjusted, Composed, Leg, Setting
from weft.graphs.mixed import MixedGraph
from weft.studies import Column, Kind, Study

RNG = np.random.default_rng(8)
ROWS = 400
X = RNG.normal(size=ROWS)
Z = RNG.normal(size=ROWS)
RARE = (np.arange(ROWS) < 3).astype(int)
Y = 2 * X - Z + RNG.normal(size=ROWS) * (1 + X**2)


def made(**columns: Any) -> Study:
    return Study.of(columns, "a")


def test_errors_are_those_of_hc3() -> None:
    """By the textbook formula, with the inverse written out."""
    matrix = np.column_stack([np.ones(ROWS), X, Z])
    inverse = np.linalg.inv(matrix.T @ matrix)
    coefficients = inverse @ matrix.T @ Y
    residual = (Y - matrix @ coefficients) / (1 - np.einsum("ij,jk,ik->i", matrix, inverse, matrix))
    covariance = inverse @ (matrix.T * residual**2) @ matrix @ inverse
    (found,) = regression(made(x=X, y=Y, z=Z), Leg("a", ("x",), "y", ("z",)))
    assert found.value == pytest.approx(coefficients[1])
    assert found.error == pytest.approx(np.sqrt(covariance[1, 1]))


def test_a_product_has_the_error_of_the_delta_method() -> None:
    model = Linear(MixedGraph.parse("X -> M; M -> Y"), np.random.default_rng(0))
    first, second = (model.draw(ROWS, np.random.default_rng(seed)) for seed in (1, 2))
    studies = {"a": Study.of({k: first[k] for k in "XM"}, "a"), "b": Study.of({k: second[k] for k in "MY"}, "b")}
    how = Composed((Adjusted((Leg("a", ("X",), "M", ()),)),), Adjusted((Leg("b", ("M",), "Y", ()),)))
    found = Estimator(studies).effect(how)
    (a,), (b,) = regression(studies["a"], Leg("a", ("X",), "M", ())), regression(studies["b"], how.second.legs[0])
    assert found.value == pytest.approx(a.value * b.value)
    assert found.error == pytest.approx(np.hypot(a.value * b.error, b.value * a.error))


def test_studies_that_agree_and_that_do_not() -> None:
    def slope(value: float, name: str, seed: int) -> Any:
        rng = np.random.default_rng(seed)
        x = rng.normal(size=300)
        return regression(Study.of({"x": x, "y": value * x + rng.normal(size=300)}, name), Leg(name, ("x",), "y", ()))[
            0
        ]

    agreeing = pooled([slope(1, "a", 1), slope(1, "b", 2)])
    assert agreeing.disagreement > 0.01
    assert agreeing.error < slope(1, "a", 1).error
    apart = pooled([slope(1, "a", 1), slope(2, "b", 2)])
    assert apart.disagreement < 1e-6
    low, high = apart.interval()
    assert low < 1 < 2 < high  # neither is what all studies show


def test_levels_numbers_and_missing_values() -> None:
    group = np.where(RNG.random(ROWS) < 0.5, "treated", "control")
    site = RNG.choice(["n", "e", "s"], ROWS)
    risk = (RNG.random(ROWS) < 0.3 + 0.4 * (group == "treated")).astype(int)
    (found,) = regression(made(group=group, risk=risk, site=site), Leg("a", ("group",), "risk", ("site",)))
    plain = risk[group == "treated"].mean() - risk[group == "control"].mean()
    assert found.value == pytest.approx(plain, abs=0.02)
    holes = X.copy()
    holes[:50] = np.nan
    (less,) = regression(made(x=holes, y=Y, z=Z), Leg("a", ("x",), "y", ("z",)))
    assert less.rows == {"a": ROWS - 50}
    (same,) = regression(made(x=X[50:], y=Y[50:], z=Z[50:]), Leg("a", ("x",), "y", ("z",)))
    assert [less.value, less.error] == pytest.approx([same.value, same.error])


def test_a_curve_from_quartile_to_quartile() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 3, 4000)
    y = np.exp(x) + rng.normal(size=4000)
    (found,) = regression(made(x=x, y=y), Leg("a", ("x",), "y", ()), "spline")
    low, high = np.quantile(x, [0.25, 0.75])
    assert found.value == pytest.approx(np.exp(high) - np.exp(low), rel=0.05)


@pytest.mark.parametrize(
    ("columns", "part"),
    [
        ({"x": np.r_[np.zeros(ROWS - 1), np.nan], "y": Y, "z": Z}, "x is constant"),
        ({"x": X, "y": np.r_[np.ones(ROWS - 1), np.nan], "z": Z}, "y is constant"),
        ({"x": 2 * Z + 1, "y": Y, "z": Z}, "x cannot be told from z: they are collinear"),
        ({"x": RNG.choice(list("abc"), ROWS), "y": Y, "z": Z}, "x has 3 levels without an order"),
        (
            {"x": np.where(np.arange(ROWS) < 385, np.nan, X), "y": Y, "z": np.where(np.arange(ROWS) < 25, Z, np.nan)},
            "only 0",
        ),
        ({"x": X, "y": X.copy(), "z": Z}, "y follows from x, z without any error"),
        ({"x": X + 1e15, "y": Y, "z": Z}, "x has numbers too large or too small, or varies too little"),
        ({"x": X, "y": Y + 1e16, "z": Z}, "y has numbers too large or too small, or varies too little"),
        ({"x": X, "y": Y, "z": Z * 1e200}, "z has numbers too large or too small"),
        ({"x": X * 1e-300, "y": Y, "z": Z}, "x has numbers too large or too small"),
        ({"x": X, "y": RARE, "z": Z}, "y is the same in all but 3 of 400 rows, too few"),
        ({"x": RARE, "y": Y, "z": Z}, "x is the same in all but 3 of 400 rows, too few"),
        ({"x": np.r_[1e9, X[1:]], "y": Y, "z": Z}, "a single row makes up nearly all that varies in x"),
        ({"x": X, "y": Y, "z": np.r_[1e9, Z[1:]]}, "a single row makes up nearly all that varies in z"),
    ],
)
@pytest.mark.parametrize("form", ["linear", "spline"])
def test_what_has_no_meaning_is_refused_in_one_line(columns: dict[str, Any], part: str, form: Form) -> None:
    own = tuple(
        Study.of({name: values, "other": np.arange(ROWS) % 7}, "a").column(name)
        if isinstance(values[0], str) or (np.sum(~np.isnan(values)) >= 20 and np.nanmin(values) < np.nanmax(values))
        else Column(name, Kind.CONTINUOUS, values)
        for name, values in columns.items()
    )
    with pytest.raises(EffectError) as caught:
        regression(Study("a", own), Leg("a", ("x",), "y", ("z",)), form)
    assert part in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e140])
def test_tiny_and_huge_numbers(scale: float) -> None:
    (plain,) = regression(made(x=X, y=Y, z=Z), Leg("a", ("x",), "y", ("z",)))
    (found,) = regression(made(x=X * scale, y=Y, z=Z / scale), Leg("a", ("x",), "y", ("z",)))
    assert found.value * scale == pytest.approx(plain.value)
    assert found.error * scale == pytest.approx(plain.error)


@pytest.mark.parametrize("form", ["linear", "spline"])
def test_numbers_may_begin_anywhere(form: Form) -> None:
    """A time in milliseconds since 1970 has the effect that a time since yesterday has."""
    (plain,) = regression(made(x=X, y=Y, z=Z), Leg("a", ("x",), "y", ("z",)), form)
    (found,) = regression(made(x=X + 1e10, y=Y - 1e10, z=Z + 1e10), Leg("a", ("x",), "y", ("z",)), form)
    assert [found.value, found.error] == pytest.approx([plain.value, plain.error], rel=1e-3)


def test_what_is_composed_goes_from_quartile_to_quartile_as_well() -> None:
    rng = np.random.default_rng(6)
    i, x = rng.normal(size=ROWS), rng.normal(size=ROWS)
    m = 2 * (x + i) + rng.normal(size=ROWS)
    first = Study.of({"I": i, "X": x + i, "M": m}, "a")
    second = Study.of({"M": m, "Y": 3 * m + rng.normal(size=ROWS)}, "b")
    graph, setting = MixedGraph.parse("I -> X; X -> M; M -> Y"), Setting({"a": frozenset("IXM"), "b": frozenset("MY")})
    straight, curved = (
        effects_of([graph], "X", "Y", {"a": first, "b": second}, setting, form=form).cases[0] for form in FORMS
    )
    step = float(np.subtract(*np.quantile(x + i, [0.75, 0.25])))
    for one, other in ((straight.effect, curved.effect), (straight.low, curved.low), (straight.high, curved.high)):
        assert other == pytest.approx((one or 0) * step)
    group = Study.of({"I": i, "X": (x + i > 0).astype(int), "M": m}, "a")
    tables = {"a": group, "b": second}
    levels = [effects_of([graph], "X", "Y", tables, setting, form=form).cases[0].effect for form in FORMS]
    assert levels[0] == levels[1]


def test_a_curve_needs_quartiles_that_differ_and_levels_need_no_curve() -> None:
    mostly_zero = np.where(np.arange(ROWS) % 5 == 0, X, 0.0)
    with pytest.raises(EffectError, match="the lower and the upper quartile of x are the same"):
        regression(made(x=mostly_zero, y=Y), Leg("a", ("x",), "y", ()), "spline")
    fifth = (np.arange(ROWS) % 5 == 0).astype(int)
    straight, curved = (regression(made(x=fifth, y=Y), Leg("a", ("x",), "y", ()), form)[0] for form in FORMS)
    assert straight.value == curved.value == pytest.approx(Y[fifth == 1].mean() - Y[fifth == 0].mean())


def test_a_covariate_that_is_constant_changes_nothing() -> None:
    study = Study("a", (*made(x=X, y=Y).columns, Column("z", Kind.CONTINUOUS, np.full(ROWS, 7.0))))
    (plain,), (found,) = (regression(study, Leg("a", ("x",), "y", given)) for given in ((), ("z",)))
    assert (plain.value, plain.error) == (found.value, found.error)


def test_a_study_that_cannot_tell_is_left_out_and_named_if_none_can() -> None:
    graph, setting = MixedGraph.parse("I -> X; X -> Y"), Setting({"a": frozenset("IXY"), "b": frozenset("IXY")})
    constant = Column("X", Kind.CONTINUOUS, np.full(ROWS, 7.0))
    bad = Study("b", (*Study.of({"I": Z, "Y": Y}, "b").columns, constant))
    (case,) = effects_of([graph], "X", "Y", {"a": Study.of({"I": Z, "X": X, "Y": Y}, "a"), "b": bad}, setting).cases
    assert (case.kind, case.studies) == ("adjusted", ("a",))
    only = Setting({"b": frozenset("IXY")})
    (case,) = effects_of([graph], "X", "Y", {"b": bad}, only).cases
    assert (case.kind, case.reason) == (
        "not identified", "study 'b': X is constant in the 400 rows that have all values"
    )  # fmt: skip


def test_intervals_of_adjusted_and_composed_effects_cover_the_truth() -> None:
    """Two studies of a graph with a confounder and a mediator; the effect of X on Y was never measured in one."""
    graph = MixedGraph.parse("I -> X; C -> X; C -> M; X -> M; M -> Y")
    covered = {"M": 0, "Y": 0}
    runs = 150
    for seed in range(runs):
        rng = np.random.default_rng([41, seed])
        model = Linear(graph, rng)
        tables = {
            name: Study.of({k: v for k, v in model.draw(300, rng).items() if k in own}, name)
            for name, own in (("a", "ICXM"), ("b", "MY"))
        }
        setting = Setting({name: frozenset(one.variables) for name, one in tables.items()})
        for outcome in covered:
            (case,) = effects_of([graph], "X", outcome, tables, setting).cases
            assert case.kind == ("adjusted" if outcome == "M" else "composed")
            assert case.low is not None
            assert case.high is not None
            covered[outcome] += case.low <= model.effects(("X",), outcome)[0] <= case.high
    assert all(0.9 * runs <= one <= 0.99 * runs for one in covered.values()), covered
