"""The default method: right where a direction can be told, undecided where not; how its weights are fitted.

Covers ``auto.py``, ``combined.py`` and ``calibration.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.directions import (
    CALIBRATION,
    Outcome,
    as_table,
    calibration_error,
    chosen_strength,
    fit_coefficients,
    fit_curve,
    rewritten,
    surest_half,
)
from benchmarks.pair_families import DIRECT, IDENTIFIABLE, UNIDENTIFIABLE, draw
from tests.support.slow import slow
from weft.evidence.orientation import calibration
from weft.evidence.orientation.auto import Auto
from weft.evidence.orientation.combined import Combined
from weft.evidence.orientation.outcomes import BACKWARD, FORWARD
from weft.evidence.orientation.protocol import STRUCTURES, Verdict, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

SEEDS = range(9000, 9012)
TOLD = (
    "additive",
    "periodic",
    *(slow(family) for family in ("location-scale", "multiplicative", "groups", "two-inputs")),
)
"""Families in which almost every pair of 1000 rows tells its direction."""


def verdict(cause: np.ndarray, effect: np.ndarray) -> Verdict:
    return run(Auto(), Column("cause", Kind.CONTINUOUS, cause), Column("effect", Kind.CONTINUOUS, effect))


def verdicts(family: str, rows: int, seeds: Sequence[int] = SEEDS) -> list[Verdict]:
    return [verdict(*draw(family, seed, rows)) for seed in seeds]


def right(some: Sequence[Verdict]) -> int:
    return sum(one.forced is Structure.CAUSES for one in some)


class TestIdentifiable:
    @pytest.mark.parametrize("family", TOLD)
    def test_almost_always_right_on_exact_numbers(self, family: str) -> None:
        drawn = (IDENTIFIABLE[family](np.random.default_rng([9000, seed]), 1000) for seed in range(10))
        assert right([verdict(*pair) for pair in drawn]) >= 9

    def test_decisions_are_right(self) -> None:
        decided = [one for family in IDENTIFIABLE for one in verdicts(family, 500, range(9100, 9102)) if one.decided]
        assert len(decided) >= 0.3 * 2 * len(IDENTIFIABLE)
        assert sum(one.allowed >= FORWARD for one in decided) >= 0.85 * len(decided)

    @pytest.mark.parametrize(
        ("table", "cause", "effect"),
        [
            (table, cause, effect) if number == 0 else slow(table, cause, effect)
            for table, (_, relations) in DIRECT.items()
            for number, (cause, effect) in enumerate(relations)
        ],
    )
    def test_the_papers_equations(self, table: str, cause: str, effect: str) -> None:
        sampled = [DIRECT[table][0](np.random.default_rng([9200, run]), 1000) for run in range(8)]
        assert right([verdict(one[cause], one[effect]) for one in sampled]) >= 7


class TestUnidentifiable:
    @pytest.mark.parametrize(
        "family",
        [
            family if number < 2 else slow(family)
            for number, family in enumerate(sorted(UNIDENTIFIABLE.keys() - {"common-cause"}))
        ],
    )  # which a method of direction misses
    def test_almost_always_undecided(self, family: str) -> None:
        undecided = [one for one in verdicts(family, 500) if not one.decided]
        assert len(undecided) >= 10
        assert all(one.allowed == frozenset(STRUCTURES) and one.weight == 0 for one in undecided)

    def test_the_same_column_twice(self) -> None:
        x = np.random.default_rng(0).normal(size=200)
        assert verdict(x, x).confidence == 0.5


class TestJudgement:
    def test_log_odds_are_the_weighted_scores(self) -> None:
        cause, effect = draw("location-scale", 9300, 300)
        judgement = Combined().judge(Column("x", Kind.CONTINUOUS, cause), Column("y", Kind.CONTINUOUS, effect))
        total = sum(
            weight.coefficient * 2 * math.tanh(float(judgement.diagnostic[name]) / weight.size / 2)
            for name, weight in calibration.WEIGHTS.items()
        )
        odds = calibration.LIMIT * math.tanh(total / calibration.LIMIT)
        assert judgement.diagnostic["scores"] == pytest.approx(odds)
        fits = {name: value for name, value in judgement.diagnostic.items() if not isinstance(value, str)}
        assert judgement.outcomes == pytest.approx(calibration.three_way(fits, odds, calibration.COMBINED_ALONE))
        assert judgement.outcomes is not None
        assert judgement.log_odds == judgement.outcomes.log_odds
        assert sum(judgement.scores.values()) == pytest.approx(1)

    def test_no_score_counts_against_its_direction_or_outvotes_the_others(self) -> None:
        coefficients = [weight.coefficient for weight in calibration.WEIGHTS.values()]
        assert min(coefficients) >= 0
        assert max(coefficients) <= 0.4 * sum(coefficients)
        assert calibration.weighed({}) == 0

    def test_nobody_is_surer_than_the_limit(self) -> None:
        odds = calibration.weighed(dict.fromkeys(calibration.WEIGHTS, 1e9))
        assert 2 < odds <= calibration.LIMIT
        assert calibration.weighed(dict.fromkeys(calibration.WEIGHTS, -1e9)) == -odds

    def test_backwards_is_found_backwards(self) -> None:
        cause, effect = draw("periodic", 9301, 800)
        allowed = verdict(effect, cause).allowed
        assert allowed >= BACKWARD
        assert not allowed & FORWARD

    def test_rounding_a_column_does_not_turn_the_verdict(self) -> None:
        turned = 0
        for seed in SEEDS[:6]:
            cause, effect = draw("location-scale", seed, 600)
            whole = verdict(cause, effect)
            for one, other in ((np.round(4 * cause), effect), (cause, np.round(4 * effect))):
                turned += whole.decided and verdict(one, other).forced is not whole.forced
        assert turned <= 1


class TestDispatch:
    @pytest.mark.parametrize(
        ("kinds", "method"),
        [
            ((Kind.CONTINUOUS, Kind.CONTINUOUS), "combined"),
            ((Kind.CONTINUOUS, Kind.ORDINAL), "combined"),
            ((Kind.ORDINAL, Kind.ORDINAL), "combined"),
            ((Kind.ORDINAL, Kind.CATEGORICAL), "discrete"),
            ((Kind.BINARY, Kind.BINARY), "discrete"),
            ((Kind.CONTINUOUS, Kind.BINARY), "mixed"),
            ((Kind.CATEGORICAL, Kind.CONTINUOUS), "mixed"),
        ],
        ids=str,
    )
    def test_by_kinds(self, kinds: tuple[Kind, Kind], method: str) -> None:
        codes = np.random.default_rng(0).integers(0, 2, size=(2, 60)).astype(float)
        numbers = np.random.default_rng(1).normal(size=(2, 60))
        x, y = (
            Column(name, kind, number) if kind is Kind.CONTINUOUS else Column(name, kind, code, ("low", "high"))
            for name, kind, number, code in zip("xy", kinds, numbers, codes, strict=True)
        )
        assert Auto().choose(x, y).name == Auto().choose(y, x).name == method
        assert Auto().refusal(x, y) is None
        judgement = Auto().judge(x, y)
        assert judgement.diagnostic["method"] == method
        assert judgement.log_odds == Auto().choose(x, y).judge(x, y).log_odds

    def test_settings_are_those_of_the_methods(self) -> None:
        assert Auto().settings["combined.most_rows"] == Combined().most_rows
        assert Auto(numbers=Combined(500)).settings["combined.most_rows"] == 500


class TestFitting:
    @staticmethod
    def made(truth: np.ndarray) -> dict[str, np.ndarray]:
        """Scores of pairs whose direction follows the log odds of these coefficients."""
        generator = np.random.default_rng(0)
        table = generator.normal(size=(20000, len(truth)))
        odds = calibration.LIMIT * np.tanh(table @ truth / calibration.LIMIT)
        sign = np.where(generator.random(20000) < 1 / (1 + np.exp(-odds)), 1.0, -1.0)
        parts = np.array_split(table * sign[:, None], len(IDENTIFIABLE))
        return dict(zip(IDENTIFIABLE, parts, strict=True))

    def test_coefficients_come_back_from_data_made_with_them(self) -> None:
        truth = np.array([1.5, 0.0])
        assert fit_coefficients(self.made(truth), 0.0) == pytest.approx(truth, abs=0.15)

    def test_shrinkage_makes_coefficients_equal(self) -> None:
        one, other = fit_coefficients(self.made(np.array([1.5, 0.3])), 1e3)
        assert one == pytest.approx(other, abs=0.01)
        assert 0.3 < one < 1.5

    def test_the_largest_strength_that_is_about_as_good_is_taken(self) -> None:
        good = [60.0, 70.0, 80.0, 90.0, 95.0] * 6
        bad = [share - 40 for share in good]
        assert chosen_strength({0.1: good, 1.0: [share - 0.5 for share in good], 10.0: bad}) == 1.0

    def test_a_score_that_says_nothing_gets_no_slope(self) -> None:
        scores = np.random.default_rng(1).normal(size=(5000, 1))
        slope, limit = fit_curve({"additive": scores})
        assert limit * math.tanh(slope / limit) < 0.1

    def test_rewriting_keeps_everything_else(self) -> None:
        first, last = as_table("ONE", "Weight", {"gain": (1.0, 2.0)}), "OTHER = Share(1, 2)"
        text = f"ONE = 0\n# fitted: begin\n{first}\n{last}\n# fitted: end\nOTHER = 0\n"
        table = as_table("ONE", "Weight", {"gain": (1.23456, 0.4), "anm": (0.5, 2.0)})
        assert '"gain": Weight(1.235, 0.4),\n        "anm": Weight(0.5, 2),' in table
        assert rewritten(text, "ONE", table) == text.replace(first, table)
        assert rewritten(text, "OTHER", "OTHER = 3") == text.replace(last, "OTHER = 3")
        with pytest.raises(AssertionError, match="no constant THIRD"):
            rewritten(text, "THIRD", "THIRD = 1")

    def test_the_constants_are_there_to_be_rewritten(self) -> None:
        text = CALIBRATION.read_text(encoding="utf-8")
        for name in (
            "CURVES",
            "WEIGHTS",
            "COMBINED",
            "COMBINED_ALONE",
            "GOF",
            "GOF_ALONE",
            "LEVELS",
            "MIXED",
            "SHARE",
            "BASE",
        ):
            assert rewritten(text, name, f"{name} = 0").count(f"{name} = 0") == 1

    def test_calibration_error_by_hand(self) -> None:
        three_quarters = [Outcome(math.log(4)), Outcome(math.log(4)), Outcome(math.log(4)), Outcome(-math.log(4))]
        assert calibration_error(three_quarters) == pytest.approx(0.05)
        assert [one.log_odds for one in surest_half([Outcome(1.0), Outcome(-3.0)])] == [-3.0]
