from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import norm

from weft.errors import StudyError
from weft.evidence.independence import kcit, kernels
from weft.evidence.independence.fisher_z import FisherZ
from weft.evidence.independence.kcit import Kcit, forget
from weft.evidence.independence.kcit_exact import KcitExact
from weft.evidence.independence.kernels import combined, normal_scores
from weft.evidence.independence.protocol import IndependenceTest, Result, run
from weft.studies import Column, Kind
from weft.studies.checks import unexplained

BOTH = pytest.mark.parametrize("test", [Kcit(), KcitExact()], ids=["kcit", "kcit-exact"])
Triple = tuple[Column, Column, list[Column]]


def column(name: str, values: np.ndarray, kind: Kind = Kind.CONTINUOUS) -> Column:
    levels = () if kind is Kind.CONTINUOUS else tuple(str(level) for level in range(int(np.nanmax(values)) + 1))
    return Column(name, kind, np.ascontiguousarray(values, dtype=float), levels)


def triple(rows: int, given: int, seed: int = 0, effect: float = 0.3) -> Triple:
    """Columns x and y that depend on the given ones, and y on x as well."""
    generator = np.random.default_rng([rows, given, seed])
    z = generator.standard_normal((rows, given))
    e, f = generator.standard_normal((2, rows))
    x = z.sum(axis=1) + e
    y = np.tanh(z.sum(axis=1)) + effect * e + f
    return column("x", x), column("y", y), [column(f"z{i}", z[:, i]) for i in range(given)]


def changed(columns: Triple, change: Callable[[np.ndarray], np.ndarray]) -> Triple:
    x, y, *given = (column(c.name, change(c.values)) for c in (columns[0], columns[1], *columns[2]))
    return x, y, given


class TestBoth:
    @BOTH
    def test_is_an_independence_test(self, test: IndependenceTest) -> None:
        assert isinstance(test, IndependenceTest)
        assert test.settings

    @BOTH
    @pytest.mark.parametrize("given", [0, 1, 2])
    def test_same_answer_whichever_way_round(self, test: IndependenceTest, given: int) -> None:
        x, y, z = triple(150, given)
        first = test.test(x, y, z)
        assert test.test(y, x, z[::-1]) == first
        assert 0 < first.p_value < 1

    @BOTH
    @pytest.mark.parametrize("given", [0, 1, 2])
    @pytest.mark.parametrize("decimals", [0, 1, 15])  # with ties and without
    def test_same_answer_for_any_order_of_rows(self, test: IndependenceTest, given: int, decimals: int) -> None:
        columns = changed(triple(150, given), lambda values: np.round(values, decimals))
        order = np.random.default_rng(1).permutation(150)
        before, after = test.test(*columns), test.test(*changed(columns, lambda values: values[order]))
        # kcit works on ranks, which are the same to the last bit; standard deviations round with the order of the sum.
        assert after.p_value == pytest.approx(before.p_value, rel=0 if test.name == "kcit" else 1e-6)

    @BOTH
    @pytest.mark.parametrize(("scale", "shift"), [(-1.0, 0.0), (1e-200, 0.0), (3e150, 1e150), (7.0, 1000.0)])
    def test_same_answer_in_other_units(self, test: IndependenceTest, scale: float, shift: float) -> None:
        columns = triple(120, 1)
        other = changed(columns, lambda values: scale * values + shift)
        assert test.test(*other).p_value == pytest.approx(test.test(*columns).p_value, rel=1e-5)

    @BOTH
    def test_strong_dependence_is_seen(self, test: IndependenceTest) -> None:
        for given in (0, 1, 2):
            assert test.test(*triple(300, given, effect=1.0)).p_value < 1e-4

    @BOTH
    def test_dependence_without_correlation_is_seen(self, test: IndependenceTest) -> None:
        generator = np.random.default_rng(0)
        x, e = generator.standard_normal((2, 300))
        assert test.test(column("x", x), column("y", x**2 + 0.5 * e)).p_value < 1e-6

    @BOTH
    def test_dependence_whose_sign_changes_with_the_given_is_seen(self, test: IndependenceTest) -> None:
        generator = np.random.default_rng(0)
        x, z, e = generator.standard_normal((3, 300))
        assert test.test(column("x", x), column("y", x * z + 0.5 * e), [column("z", z)]).p_value < 1e-6

    @BOTH
    def test_false_positives_under_an_easy_null(self, test: IndependenceTest) -> None:
        p_values = [test.test(*triple(100, given, seed, effect=0.0)).p_value for given in (0, 1) for seed in range(60)]
        # Without given columns x and y have no common cause: independent as well.
        assert np.mean(np.array(p_values) < 0.05) < 0.12
        assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.15)

    @BOTH
    def test_categorical_is_refused_by_name(self, test: IndependenceTest) -> None:
        x, y, _ = triple(50, 0)
        group = column("group", np.arange(50) % 3, Kind.CATEGORICAL)
        with pytest.raises(StudyError, match=r"'group' is categorical; use the test 'mixed'"):
            run(test, x, y, [group])

    @BOTH
    def test_ordinal_and_binary_are_numbers(self, test: IndependenceTest) -> None:
        x, *_ = triple(60, 0)
        level, answer = column("l", np.arange(60) % 4, Kind.ORDINAL), column("a", np.arange(60) % 2, Kind.BINARY)
        assert 0 <= run(test, x, level, [answer]).p_value <= 1

    @BOTH
    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_constant_column_is_refused_by_name(self, test: IndependenceTest, place: int) -> None:
        x, y, (z,) = triple(50, 1)
        columns = [x, y, z]
        columns[place] = column("flat", np.full(50, 2.5))
        with pytest.raises(StudyError, match=r"'flat' is constant"):
            run(test, columns[0], columns[1], columns[2:])
        with pytest.raises(StudyError, match=r"'flat' is constant"):
            test.test(columns[0], columns[1], columns[2:])

    @BOTH
    def test_twenty_rows_work_and_fewer_are_refused(self, test: IndependenceTest) -> None:
        assert 0 <= run(test, *triple(20, 2)).p_value <= 1
        with pytest.raises(StudyError, match="19 rows are too few"):
            run(test, *triple(19, 1))

    @BOTH
    def test_duplicated_rows_and_a_copy_among_the_given(self, test: IndependenceTest) -> None:
        columns = changed(triple(60, 1), lambda values: np.repeat(values, 3))
        assert 0 <= test.test(*columns).p_value <= 1
        x, y, (z,) = columns
        assert 0 <= test.test(x, y, [z, column("copy", z.values)]).p_value <= 1

    @BOTH
    def test_a_function_of_the_given_is_independent_of_everything(self, test: IndependenceTest) -> None:
        _, y, (z,) = triple(200, 1)
        assert test.test(column("x", 3 * z.values - 1), y, [z]).p_value > 0.05


class TestKcit:
    def test_sine_null_where_a_fixed_ridge_fails(self) -> None:
        def p_value(test: Kcit | KcitExact, seed: int) -> float:
            z, e, f = np.random.default_rng(seed).standard_normal((3, 250))
            x, y = np.sin(3 * z) + 0.3 * e, np.sin(3 * z) + 0.3 * f
            return test.test(column("x", x), column("y", y), [column("z", z)]).p_value

        ours, fixed = ([p_value(test, seed) < 0.05 for seed in range(20)] for test in (Kcit(), KcitExact()))
        assert np.mean(ours) < 0.2
        assert np.mean(fixed) > 0.4

    def test_increasing_functions_do_not_matter(self) -> None:
        columns = triple(100, 1)
        assert Kcit().test(*changed(columns, np.exp)) == Kcit().test(*columns)

    def test_a_hard_regression_is_flagged(self) -> None:
        generator = np.random.default_rng(0)
        z = generator.standard_normal((3, 200))
        noise = 0.3 * generator.standard_normal((2, 200))
        x, y = np.sin(2 * z.sum(axis=0)) + noise
        result = Kcit().test(column("x", x), column("y", y), [column(f"z{i}", z[i]) for i in range(3)])
        assert result.diagnostic["regression"] == "hard"
        easy = Kcit().test(*triple(500, 1))
        assert easy.diagnostic["regression"] == "fine"
        assert 0 < float(easy.diagnostic["gain_least"]) <= float(easy.diagnostic["gain_most"]) < 1

    def test_no_matrix_of_rows_times_rows(self) -> None:
        columns = triple(7466, 3)
        tracemalloc.start()
        Kcit().test(*columns)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200e6  # one such matrix alone takes 446 MB

    def test_rank_hardly_matters(self) -> None:
        columns = triple(300, 1, effect=0.2)
        full = Kcit(rank=300, tolerance=1e-9).test(*columns).p_value
        assert Kcit().test(*columns).p_value == pytest.approx(full, rel=0.05)

    @pytest.mark.parametrize("given", [1, 2, 4])
    def test_what_is_spared_with_many_rows_hardly_matters(self, given: int, monkeypatch: pytest.MonkeyPatch) -> None:
        """Fewer features and products, pivots from a part of the rows, and the shortest directions left out."""
        columns = triple(1200, given, effect=0.1)
        quick = Kcit().test(*columns)
        forget()
        for name, value in {"_AMONG": 10**9, "_MANY_ROWS": 10**9, "_NEGLECTED": 0.0}.items():
            monkeypatch.setattr(kcit, name, value)
        thorough = Kcit().test(*columns)
        forget()
        assert float(quick.diagnostic["rank"]) < float(thorough.diagnostic["rank"])
        assert np.log(quick.p_value) == pytest.approx(np.log(thorough.p_value), rel=0.1, abs=0.1)
        assert 1e-12 < quick.p_value < 0.9


def weak_link(rows: int, given: int, correlation: float, seed: int) -> Triple:
    """Normal columns: x and y are the sum of the given ones and noise, and the noises are weakly correlated."""
    generator = np.random.default_rng([rows, given, seed, 77])
    z, (e, f) = generator.standard_normal((given, rows)), generator.standard_normal((2, rows))
    x, y = z.sum(axis=0) + e, z.sum(axis=0) + correlation / np.sqrt(1 - correlation**2) * e + f
    return column("x", x), column("y", y), [column(f"z{i}", z[i]) for i in range(given)]


def parts(result: Result) -> tuple[float, float, float]:
    linear, nonlinear, kernel = (float(result.diagnostic[name]) for name in ("linear", "nonlinear", "kernel"))
    return linear, nonlinear, kernel


@pytest.mark.parametrize("scale", [1.0, 1e200])
def test_some_rows_tell_whether_a_column_is_a_function_of_others(scale: float) -> None:
    generator = np.random.default_rng(0)
    held, own = generator.standard_normal((1000, 2)), np.zeros(1000)
    own[937] = scale  # a single row, which is not among those that are looked at first
    for share in (0.0, 1e-12, 1e-7, 1e-3, 1.0):
        for extra in (own, scale * generator.standard_normal(1000)):
            values = scale * held.sum(axis=1) + share * extra
            expected = unexplained(np.column_stack([values, held])) < 1e-9
            given = [column("z0", held[:, 0]), column("z1", held[:, 1])]
            told = kcit.no_freedom(column("x", values), column("y", generator.standard_normal(1000)), given)
            assert told == ("'x' is a function of 'z0', 'z1'" if expected else "")


class TestLinear:
    """The linear part beside the kernel statistic."""

    @pytest.mark.parametrize(("rows", "given", "correlation"), [(5000, 0, 0.038), (600, 1, 0.13), (300, 2, 0.2)])
    def test_weak_links_are_seen(self, rows: int, given: int, correlation: float) -> None:
        """Measured elsewhere (300 data sets of r = .038): of 53 that fisher-z sees at .01, 44; the kernel alone 31."""
        seen = {"new": 0, "kernel": 0, "fisher-z": 0}
        for seed in range(60):
            columns = weak_link(rows, given, correlation, seed)
            result = Kcit(glance=0).test(*columns)
            seen["new"] += result.p_value < 0.01
            seen["kernel"] += parts(result)[2] < 0.01
            seen["fisher-z"] += FisherZ().test(*columns).p_value < 0.01
        assert seen["fisher-z"] >= 25
        assert seen["new"] >= 2 / 3 * seen["fisher-z"]
        assert seen["new"] >= seen["kernel"] + 5

    @pytest.mark.parametrize("shape", ["normal", "far values", "rare values", "spread", "few rows"])
    def test_the_level_holds(self, shape: str) -> None:
        """300 independent pairs; of a true level of .05, 15 are expected, and 27 or more in 2 of 1,000 such counts."""
        p_values = []
        for seed in range(300):
            generator = np.random.default_rng([seed, 78])
            rows = 20 if shape == "few rows" else 120
            z, e, f = generator.standard_t(1 if shape == "far values" else 1e9, (3, rows))
            x, y, given = z + e, np.tanh(z) + f, [column("z", z)]
            if shape == "rare values":
                x, y, given = np.maximum(e - 1.3, 0), np.maximum(f - 1.3, 0), []
            if shape == "spread":
                x, y = z + np.exp(z / 2) * e, z**2 + (0.3 + np.abs(z)) * f
            p_values.append(Kcit().test(column("x", x), column("y", y), given).p_value)
        assert np.sum(np.array(p_values) < 0.05) < 27
        assert np.sum(np.array(p_values) < 0.01) < 10
        assert np.sum(np.array(p_values) < 0.5) > (30 if shape == "rare values" else 110)

    @pytest.mark.parametrize("decimals", [1, 15])  # with ties and without
    def test_by_hand(self, decimals: int) -> None:
        """The slow twin: matrices of rows x rows, and sums in loops."""
        columns = changed(triple(90, 1), lambda values: np.round(values, decimals))
        forget()
        question = kcit._question(*columns)
        order = np.argsort(question.z[0], kind="stable")
        candidates = kcit._new_smoothers(Kcit().rank, question.z[0][order][:, None])
        hats = [one.basis @ np.diag(one.shrinkage) @ one.basis.T + 1 / 90 for one in candidates]
        left, freedoms = [], []
        for column_of in (question.x, question.y):
            side = kcit._side(Kcit(), column_of[question.place.order_with(column_of)].tobytes(), question.place.z)
            flexible = [hat for hat in hats if np.trace(hat) - 1 > side.smoother.freedom - 1e-9]
            assert len(flexible) < len(hats)
            values = column_of[order]
            losses = [((values - hat @ values) / (1 - np.diag(hat))) ** 2 for hat in flexible]
            excess = [loss - min(losses, key=np.sum) for loss in losses]
            good = [hat for hat, e in zip(flexible, excess, strict=True) if e.sum() <= np.sqrt(90) * e.std()]
            hat = max(good, key=np.trace)
            left.append(values - hat @ values)
            freedoms.append(np.trace(hat) - 1)
        products = [a * b for a, b in zip(*left, strict=True)]
        spread = max(sum(r * r for r in products), sum(a * a for a in left[0]) * sum(b * b for b in left[1]) / 90)
        t = abs(sum(products)) / np.sqrt(spread * 90 / (89 - min(freedoms)))
        assert parts(Kcit().test(*columns))[0] == pytest.approx(2 * norm.sf(t), rel=1e-6)
        assert max(freedoms) > 1
        assert not kcit._NARROW._kept

    def test_a_narrower_kernel_where_the_narrowest_is_chosen(self) -> None:
        """A step of z is missed by a smooth regression, and what is missed of x and of y is a line between them."""
        z, e, f = np.random.default_rng(11).standard_normal((3, 1000))
        step = column("x", (z > 0) + 0.1 * e), column("y", (z > 0) + 0.1 * f), [column("z", z)]
        forget()
        Kcit().test(*step)
        (usual,) = kcit._SMOOTHERS._kept.values()
        one, other = kcit._SIDES._kept.values()
        assert min(one.line_freedom, other.line_freedom) > max(smoother.freedom for smoother in usual)
        forget()
        Kcit().test(*triple(1000, 1))
        assert not kcit._NARROW._kept  # a line of z needs none

    def test_without_given_columns_it_is_the_correlation_of_scores(self) -> None:
        x, y, _ = triple(100, 0, effect=0.2)
        one, other = normal_scores(x.values), normal_scores(y.values)
        products = one * other
        t = products.sum() / np.sqrt(max(np.sum(products**2), 99 * 99 / 100) * 100 / 99)
        assert parts(Kcit().test(x, y))[0] == pytest.approx(2 * norm.sf(abs(t)))

    def test_a_line_is_no_other_shape_and_no_other_shape_is_a_line(self) -> None:
        linear, nonlinear, kernel = parts(Kcit().test(*weak_link(2000, 0, 0.15, 0)))
        assert linear < kernel < 1e-3 < nonlinear
        x, e = np.random.default_rng(0).standard_normal((2, 300))
        linear, nonlinear, kernel = parts(Kcit().test(column("x", x), column("y", x**2 + 3 * e)))
        assert nonlinear < kernel < 0.01 < linear

    def test_weights(self) -> None:
        columns = triple(150, 1, effect=0.2)
        linear, nonlinear, kernel = parts(Kcit().test(*columns))
        for weights, expected in {(0.0, 1.0): kernel, (1.0, 0.0): linear, (0.0, 0.0): nonlinear}.items():
            assert Kcit(linear=weights[0], whole=weights[1]).test(*columns).p_value == expected
        assert Kcit().test(*columns).p_value == combined((linear, 0.4), (nonlinear, 1 - 0.4 - 0.2), (kernel, 0.2))
        assert {"linear", "whole"} <= Kcit().settings.keys()
        with pytest.raises(StudyError, match="weights linear and whole"):
            Kcit(linear=0.7, whole=0.4)
        with pytest.raises(StudyError, match="weights linear and whole"):
            Kcit(whole=-0.1)

    def test_two_values_each_have_nothing_but_a_line(self) -> None:
        generator = np.random.default_rng(2)
        x, y = (generator.random((2, 200)) < 0.3).astype(float)
        _, nonlinear, kernel = parts(Kcit().test(column("x", x), column("y", y)))
        assert nonlinear == kernel

    @pytest.mark.parametrize("given", [0, 1])
    def test_a_copy_is_as_dependent_as_can_be(self, given: int) -> None:
        x, _, z = triple(100, given)
        result = Kcit(plain=0).test(x, column("copy", x.values), z)
        assert result.p_value < 1e-6
        assert max(parts(result)) < 1e-4

    def test_a_function_of_the_given_has_no_part_at_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _, y, (z,) = triple(200, 1)
        monkeypatch.setattr(kcit, "_DETERMINED", 0.99)
        result = Kcit().test(column("x", 3 * z.values - 1), y, [z])
        assert result.diagnostic["regression"] == "determined"
        assert (result.p_value, *parts(result)) == (1.0, 1.0, 1.0, 1.0)

    def test_a_glance_sees_a_plain_line_and_leaves_a_weak_one_to_all_rows(self) -> None:
        assert Kcit().test(*weak_link(3300, 1, 0.35, 0)).rows == 825
        assert Kcit().test(*weak_link(3300, 1, 0.05, 0)).rows == 3300


class TestRun:
    def test_rows_with_missing_values_are_left_out(self) -> None:
        x, y, (z,) = triple(100, 1)
        holes = [values.values.copy() for values in (x, y, z)]
        holes[0][3], holes[1][50], holes[2][[3, 70]] = np.nan, np.nan, np.nan
        whole = np.delete(np.arange(100), [3, 50, 70])
        x2, y2, z2 = (column(c.name, h) for c, h in zip((x, y, z), holes, strict=True))
        result = run(Kcit(), x2, y2, [z2])
        assert result.rows == 97
        assert result == Kcit().test(*changed((x, y, [z]), lambda values: values[whole]))

    def test_too_few_rows_left(self) -> None:
        x, y, _ = triple(30, 0)
        gone = x.values.copy()
        gone[3:] = np.nan
        with pytest.raises(StudyError, match=r"only 3 rows have values in all of 'x', 'y'"):
            run(Kcit(), column("x", gone), y)

    def test_constant_after_deletion(self) -> None:
        x, y, _ = triple(30, 0)
        flat = np.where(np.arange(30) < 25, 1.0, x.values)
        gap = np.where(np.arange(30) < 25, y.values, np.nan)
        with pytest.raises(StudyError, match=r"'x' is constant in the 25 rows"):
            run(Kcit(), column("x", flat), column("y", gap))

    def test_columns_must_fit(self) -> None:
        x, y, _ = triple(30, 0)
        with pytest.raises(StudyError, match="'x' appears twice"):
            run(Kcit(), x, y, [x])
        with pytest.raises(StudyError, match="'y' has 29 rows but 'x' has 30"):
            run(Kcit(), x, column("y", y.values[1:]))

    def test_missing_values_need_run(self) -> None:
        x, y, _ = triple(30, 0)
        values = x.values.copy()
        values[0] = np.nan
        with pytest.raises(StudyError, match="'x' has values that are missing"):
            Kcit().test(column("x", values), y)

    def test_result_does_not_change_with_its_source(self) -> None:
        source: dict[str, float | str] = {"rank": 1.0}
        result = Result(1.0, 0.5, 10, source)
        source["rank"] = 2.0
        assert result.diagnostic["rank"] == 1.0


class TestAgainstCausalLearn:
    @pytest.mark.parametrize("rows", [100, 250, 500])
    @pytest.mark.parametrize("given", [0, 1, 2])
    def test_equal_p_values(self, rows: int, given: int) -> None:
        kci = pytest.importorskip("causallearn.utils.KCI.KCI")
        for seed in range(2 if rows == 500 else 4):
            x, y, z = triple(rows, given, seed, effect=0.2)
            a, b = x.values[:, None], y.values[:, None]
            if given:
                theirs = kci.KCI_CInd().compute_pvalue(a, b, np.column_stack([c.values for c in z]))
            else:
                theirs = kci.KCI_UInd().compute_pvalue(a, b)
            ours = KcitExact().test(x, y, z)
            assert ours.p_value == pytest.approx(theirs[0], abs=1e-3)
            assert ours.statistic == pytest.approx(theirs[1], rel=1e-3)


class TestGlance:
    """A look at a part of many rows."""

    @staticmethod
    def columns(rows: int, effect: float) -> tuple[Column, Column, list[Column]]:
        z, e, f = np.random.default_rng(5).standard_normal((3, rows))
        arrays = {"x": z + e, "y": np.tanh(z) + f + effect * e, "z": z}
        x, y, given = (Column(name, Kind.CONTINUOUS, values) for name, values in arrays.items())
        return x, y, [given]

    def test_a_plain_dependence_needs_a_part_of_the_rows(self) -> None:
        result = Kcit().test(*self.columns(3300, 1.0))
        assert result.rows == 825
        assert 0 <= result.p_value <= 1e-6
        whole = Kcit(glance=0).test(*self.columns(3300, 1.0))
        assert whole.rows == 3300
        assert whole.p_value <= result.p_value

    def test_independence_takes_them_all(self) -> None:
        columns = self.columns(3300, 0.0)
        assert Kcit().test(*columns) == Kcit(glance=0).test(*columns)
        assert Kcit().test(*columns).rows == 3300

    def test_few_rows_are_all_looked_at(self) -> None:
        assert Kcit().test(*self.columns(3100, 1.0)).rows == 3100

    def test_what_tests_share_does_not_change_them(self) -> None:
        x, y, given = self.columns(400, 0.3)
        forget()
        alone = Kcit().test(x, y, given)
        w = Column("w", Kind.CONTINUOUS, x.values + np.random.default_rng(6).standard_normal(400))
        forget()
        Kcit().test(x, w, given)
        Kcit().test(w, y, given)
        assert Kcit().test(x, y, given) == alone


def dependences(rows: int, given: int, seed: int) -> Triple:
    """From none to plain ones, lines and others."""
    generator = np.random.default_rng([rows, given, seed, 79])
    z, (e, f) = np.round(generator.standard_normal((given, rows)), 1), generator.standard_normal((2, rows))
    line, other = generator.choice([0.0, 0.1, 1.0], 2)
    x, y = z.sum(axis=0) + e, np.tanh(z.sum(axis=0)) + line * e + other * e**2 + f
    return column("x", x), column("y", y), [column(f"z{i}", z[i]) for i in range(given)]


class TestPlain:
    """A plain dependence is decided before its p-value is worked out."""

    @pytest.mark.parametrize("rows", [300, 600, 2300])
    def test_a_bound_is_a_bound_and_all_else_is_as_it_was(self, rows: int) -> None:
        found = set()
        for seed in range(12):
            columns = dependences(rows, seed % 3, seed)
            quick, thorough = Kcit().test(*columns), Kcit(plain=0).test(*columns)
            assert {"linear", "nonlinear", "kernel"} <= thorough.diagnostic.keys()
            if "nonlinear" in quick.diagnostic:
                assert quick == thorough
                found.add("worked out")
            else:
                assert thorough.p_value <= quick.p_value <= 1e-12
                assert quick.rows == thorough.rows
                found.add("kernel" if "kernel" in quick.diagnostic else "line")
        assert found >= ({"worked out", "line"} if rows > 2000 else {"worked out"})
        assert rows > 2000 or len(found) == 1

    @pytest.mark.parametrize("given", [2, 3])
    def test_what_z_explains_is_no_line(self, given: int) -> None:
        """A regression of many parameters may take less of a smooth function than one of few: 4e-19 instead of .4."""
        rng = np.random.default_rng(5)
        z = rng.standard_normal((given, 5000))
        common = 2 * np.exp(z[0] / 1.5) + np.exp(z[1:] / 1.5).sum(axis=0)
        x, y = common + 0.5 * rng.standard_normal(5000), common + z[1] + rng.exponential(1, 5000)
        columns = column("x", x), column("y", y), [column(f"z{i}", z[i]) for i in range(given)]
        quick, thorough = Kcit().test(*columns), Kcit(glance=0, plain=0).test(*columns)
        assert quick.p_value == pytest.approx(thorough.p_value)
        assert quick.p_value > 1e-4

    def test_what_is_not_a_line_is_decided_by_the_kernel(self) -> None:
        z, e, f = np.random.default_rng(3).standard_normal((3, 2300))
        columns = column("x", z + e), column("y", z + e**2 + 0.2 * f), [column("z", z)]
        quick, thorough = Kcit().test(*columns), Kcit(plain=0).test(*columns)
        assert quick.diagnostic.keys() >= {"linear", "kernel"}
        assert "nonlinear" not in quick.diagnostic
        assert float(quick.diagnostic["linear"]) > 1e-6
        assert thorough.p_value <= quick.p_value <= 1e-12

    def test_the_null_is_not_worked_out_for_a_plain_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(*_: object) -> None:
            raise AssertionError

        for name in ("conditional_power_sums", "shared_power_sums", "inflation", "paired_power_sums"):
            monkeypatch.setattr(kcit, name, fails)
        forget()
        for given in (0, 1, 2):
            result = Kcit().test(*triple(2300, given, effect=1.0))
            assert result.p_value <= 1e-12
            assert result.statistic > 0
        with pytest.raises(AssertionError):
            Kcit().test(*triple(2300, 1, effect=0.0))

    @pytest.mark.parametrize("given", [1, 3])
    def test_what_tests_share_with_many_rows_decides_as_before(
        self, given: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The slow twin: double precision, the null from products of its own, every p-value worked out."""
        for seed in range(4):
            columns = dependences(2300, given, seed)
            forget()
            quick = Kcit(glance=0).test(*columns)
            with monkeypatch.context() as patched:
                patched.setattr(kcit, "_SHARED_ROWS", 10**9)
                patched.setattr(kernels, "_SINGLE", 10**9)
                forget()
                slow = Kcit(glance=0, plain=0).test(*columns)
            forget()
            assert (quick.p_value < 0.01) == (slow.p_value < 0.01)
            if "nonlinear" in quick.diagnostic:
                assert np.log(quick.p_value) == pytest.approx(np.log(slow.p_value), rel=0.03, abs=0.02)
            else:
                assert slow.p_value <= 1.05 * quick.p_value

    @pytest.mark.parametrize("effect", [0.0, 0.05])
    def test_a_set_that_comes_again_has_the_same_answer(self, effect: float, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its regressions are made again from their outlines."""
        columns = triple(2300, 2, effect=effect)
        forget()
        alone = Kcit().test(*columns)
        for recent in (kcit._SMOOTHERS, kcit._SIDES, kcit._LINES, kcit._TRIALS, kcit._NARROW):
            recent.clear()
        monkeypatch.setattr(kcit, "halved_low_rank", None)  # nothing is looked for anew
        assert len(kcit._OUTLINES._kept) == 1
        assert Kcit().test(*columns) == alone
        forget()

    def test_as_many_numbers_in_fewer_rows_are_another_set(self) -> None:
        values = np.random.default_rng(0).standard_normal(9200)
        forget()
        shapes = [
            (len(z), len(kcit._new_smoothers(150, z)[0].leverage)) for z in (values[:, None], values.reshape(-1, 2))
        ]
        assert shapes == [(9200, 9200), (4600, 4600)]
        forget()

    def test_whether_a_column_has_freedom_is_asked_of_each_column_and_set(self) -> None:
        x, y, (z, w) = triple(300, 2)
        copy = column("copy", 2 * z.values - w.values)
        for _ in range(2):
            assert Kcit().test(copy, y, [z, w]).undecided == "'copy' is a function of 'z0', 'z1'"
            assert not Kcit().test(x, y, [z, w]).undecided
            assert not Kcit().test(copy, y, [z]).undecided

    @pytest.mark.parametrize("decimals", [0, 15])
    def test_the_order_of_a_column_serves_its_mirror_image(self, decimals: int) -> None:
        """Signs follow from the pair, so that a column meets others both ways up, in the order that is kept."""
        columns = [
            Column(name, Kind.CONTINUOUS, np.round(values, decimals))
            for name, values in zip("abcd", np.random.default_rng(0).exponential(1.0, (4, 150)) - 1, strict=True)
        ]
        columns[1] = Column("b", Kind.CONTINUOUS, -columns[1].values)
        pairs = list(itertools.combinations(columns, 2))
        forget()
        together = [Kcit().test(*pair) for pair in pairs]
        assert together == [Kcit().test(*pair) for pair in reversed(pairs)][::-1]
        for pair, result in zip(pairs, together, strict=True):
            forget()
            assert Kcit().test(*pair) == result

    def test_columns_without_ties_share_their_features(self) -> None:
        forget()
        Kcit().test(*triple(300, 0, effect=0.0))
        assert len(kcit._CURVES._kept) <= 2
        alone = Kcit().test(*triple(300, 0, seed=1, effect=0.0))
        assert len(kcit._CURVES._kept) <= 2  # the sign apart, all scores are the same numbers
        forget()
        assert Kcit().test(*triple(300, 0, seed=1, effect=0.0)) == alone


class TestTies:
    """Rows with equal values of the given columns: their order is not settled by these, and yet pairs share sides."""

    @staticmethod
    def columns(rows: int, decimals: int = 1) -> dict[str, Column]:
        generator = np.random.default_rng(8)
        z = np.round(generator.standard_normal((rows, 2)), decimals)
        noise = generator.standard_normal((3, rows))
        arrays = {"p": z[:, 0], "q": z[:, 1], "x": z.sum(axis=1) + noise[0], "y": z[:, 0] ** 2 + noise[1]}
        arrays["w"] = arrays["x"] / 5 + z[:, 1] + noise[2]
        return {name: Column(name, Kind.CONTINUOUS, np.round(values, 2)) for name, values in arrays.items()}

    def test_each_side_is_made_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        columns, made = self.columns(300), list[bytes]()
        original = kcit._new_side

        def counted(test: Kcit, x: bytes, z: bytes) -> kcit.Side:
            made.append(x)
            return original(test, x, z)

        monkeypatch.setattr(kcit, "_new_side", counted)
        given = [columns["p"], columns["q"]]
        forget()
        shared = [Kcit().test(columns[a], columns[b], given) for a, b in ("xy", "wx", "wy")]
        assert len(made) == 3
        alone = []
        for a, b in ("xy", "wx", "wy"):
            forget()
            alone.append(Kcit().test(columns[b], columns[a], given[::-1]))
        assert alone == shared
        assert len({result.p_value for result in shared}) == 3

    @pytest.mark.parametrize("decimals", [0, 2, 15])
    def test_only_rows_with_equal_z_change_places(self, decimals: int) -> None:
        """The slow twin: all rows sorted."""
        columns = self.columns(300, decimals)
        question = kcit._question(columns["x"], columns["y"], [columns["p"], columns["q"]])
        place, x, y = question.place, question.x, question.y
        assert np.array_equal(place.order_with(x), np.lexsort((x, *question.z[::-1])))
        together = np.lexsort((y, x, *question.z[::-1]))
        ys = y[np.lexsort((y, *question.z[::-1]))]
        assert np.array_equal(ys[place.beside(x, y)], y[together])
        assert np.array_equal(np.sort(place.beside(x, y)), np.arange(300))

    def test_rows_stay_together(self) -> None:
        """With the rows of a side put in another order than the other's, dependence would be lost, or made."""
        columns = self.columns(300, decimals=0)
        dependent = columns["x"], Column("v", Kind.CONTINUOUS, columns["x"].values ** 3), [columns["p"]]
        assert Kcit().test(*dependent).p_value < 1e-12
        forget()
        generator, p_values = np.random.default_rng(9), []
        for _ in range(40):
            fresh = Column("a", Kind.CONTINUOUS, columns["p"].values + generator.standard_normal(300))
            p_values.append(Kcit().test(fresh, columns["y"], [columns["p"]]).p_value)
        assert np.mean(np.array(p_values) < 0.05) < 0.2
        assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.25)

    @pytest.mark.parametrize("given", ["p", "pq"])
    @pytest.mark.parametrize("decimals", [0, 2])  # groups too large for a part of them, and groups that are not
    def test_a_glance_is_the_same_for_any_order_of_rows(self, given: str, decimals: int) -> None:
        columns = self.columns(3300, decimals)
        order = np.random.default_rng(1).permutation(3300)
        moved = {name: Column(name, one.kind, one.values[order]) for name, one in columns.items()}
        first = Kcit().test(columns["w"], columns["x"], [columns[name] for name in given])
        forget()
        assert Kcit().test(moved["x"], moved["w"], [moved[name] for name in given[::-1]]) == first
        assert 600 < first.rows < 1050 or first.rows == 3300

    def test_a_glance_takes_the_same_rows_for_all_pairs(self) -> None:
        columns = self.columns(3300, 2)
        arrays = {name: one.values for name, one in columns.items()}
        z = (arrays["p"], arrays["q"])
        one = kcit.Question(arrays["w"], arrays["x"], z).part(4)
        other = kcit.Question(arrays["y"], arrays["x"], z).part(4)
        assert sorted(zip(*one.z, one.y, strict=True)) == sorted(zip(*other.z, other.y, strict=True))
        chosen = set(zip(*one.z, strict=True))
        assert sum(row in chosen for row in zip(*z, strict=True)) == one.rows  # all rows of a value, or none
        assert one.rows == pytest.approx(825, rel=0.25)
