from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from benchmarks.directions import Outcome, calibration_error, fit_coefficients, fit_curve, rewritten, surest_half
from benchmarks.pair_families import DIRECT, IDENTIFIABLE, UNIDENTIFIABLE, draw
from weft.evidence.orientation import calibration
from weft.evidence.orientation.auto import Auto, combined
from weft.evidence.orientation.protocol import BACKWARD, FORWARD, STRUCTURES, Verdict, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

SEEDS = range(9000, 9012)
TOLD = ("additive", "location-scale", "multiplicative", "periodic", "groups", "two-inputs")
"""Families in which almost every pair of 1000 rows tells its direction."""


def verdict(cause: np.ndarray, effect: np.ndarray) -> Verdict:
    return run(Auto(), Column("cause", Kind.CONTINUOUS, cause), Column("effect", Kind.CONTINUOUS, effect))


def verdicts(family: str, rows: int, seeds: Sequence[int] = SEEDS) -> list[Verdict]:
    return [verdict(*draw(family, seed, rows)) for seed in seeds]


def right(some: Sequence[Verdict]) -> int:
    return sum(one.forced is Structure.CAUSES for one in some)


class TestIdentifiable:
    @pytest.mark.parametrize("family", TOLD)
    def test_almost_always_right(self, family: str) -> None:
        assert right(verdicts(family, 1000)) >= 10

    def test_decisions_are_right(self) -> None:
        decided = [one for family in IDENTIFIABLE for one in verdicts(family, 500, range(9100, 9104)) if one.decided]
        assert len(decided) >= 0.5 * 4 * len(IDENTIFIABLE)
        assert sum(one.allowed == FORWARD for one in decided) >= 0.9 * len(decided)

    @pytest.mark.parametrize(
        ("table", "cause", "effect"),
        [(table, cause, effect) for table, (_, relations) in DIRECT.items() for cause, effect in relations],
    )
    def test_the_papers_equations(self, table: str, cause: str, effect: str) -> None:
        sampled = [DIRECT[table][0](np.random.default_rng([9200, run]), 1000) for run in range(10)]
        assert right([verdict(one[cause], one[effect]) for one in sampled]) >= 9


class TestUnidentifiable:
    @pytest.mark.parametrize("family", sorted(UNIDENTIFIABLE))
    def test_almost_always_undecided(self, family: str) -> None:
        undecided = [one for one in verdicts(family, 500) if not one.decided]
        assert len(undecided) >= 10
        assert all(one.allowed == frozenset(STRUCTURES) and one.weight == 0 for one in undecided)

    def test_the_same_column_twice(self) -> None:
        x = np.random.default_rng(0).normal(size=200)
        assert verdict(x, x).confidence == 0.5


class TestJudgement:
    def test_log_odds_are_the_weighted_components(self) -> None:
        cause, effect = draw("location-scale", 9300, 300)
        judgement = Auto().judge(Column("x", Kind.CONTINUOUS, cause), Column("y", Kind.CONTINUOUS, effect))
        total = sum(
            calibration.COEFFICIENTS[name] * float(judgement.diagnostic[name]) for name in calibration.COEFFICIENTS
        )
        assert judgement.log_odds == pytest.approx(calibration.LIMIT * math.tanh(total / calibration.LIMIT))
        assert sum(judgement.scores.values()) == pytest.approx(1)

    def test_no_component_counts_against_its_direction(self) -> None:
        assert all(value >= 0 for value in calibration.COEFFICIENTS.values())
        assert combined(dict.fromkeys(calibration.COEFFICIENTS, 0.0)) == 0

    def test_nobody_is_surer_than_the_limit(self) -> None:
        assert combined(dict.fromkeys(calibration.COEFFICIENTS, 1e6)) == calibration.LIMIT

    def test_backwards_is_found_backwards(self) -> None:
        cause, effect = draw("periodic", 9301, 800)
        assert verdict(effect, cause).allowed == BACKWARD

    def test_rounding_a_column_does_not_turn_the_verdict(self) -> None:
        turned = 0
        for seed in SEEDS:
            cause, effect = draw("location-scale", seed, 600)
            whole = verdict(cause, effect)
            for one, other in ((np.round(4 * cause), effect), (cause, np.round(4 * effect))):
                turned += whole.decided and verdict(one, other).forced is not whole.forced
        assert turned <= 2


class TestFitting:
    def test_coefficients_come_back_from_data_made_with_them(self) -> None:
        generator = np.random.default_rng(0)
        truth = np.array([1.5, 0.0])
        table = generator.normal(size=(20000, 2))
        odds = calibration.LIMIT * np.tanh(table @ truth / calibration.LIMIT)
        sign = np.where(generator.random(20000) < 1 / (1 + np.exp(-odds)), 1.0, -1.0)
        parts = np.array_split(table * sign[:, None], len(IDENTIFIABLE))
        found = fit_coefficients(dict(zip(IDENTIFIABLE, parts, strict=True)))
        assert found == pytest.approx(truth, abs=0.15)

    def test_a_score_that_says_nothing_gets_no_slope(self) -> None:
        scores = np.random.default_rng(1).normal(size=(5000, 1))
        slope, limit = fit_curve({"additive": scores})
        assert limit * math.tanh(slope / limit) < 0.1

    def test_rewriting_keeps_everything_else(self) -> None:
        text = "before\n# fitted: begin\nold\n# fitted: end\nafter\n"
        new = rewritten(text, {"gain": 1.23456}, {"anm": (0.5, 2.0)})
        assert new.startswith("before\n")
        assert new.endswith("# fitted: end\nafter\n")
        assert '"gain": 1.235' in new
        assert '"anm": Curve(0.5, 2)' in new

    def test_calibration_error_by_hand(self) -> None:
        three_quarters = [Outcome(math.log(4)), Outcome(math.log(4)), Outcome(math.log(4)), Outcome(-math.log(4))]
        assert calibration_error(three_quarters) == pytest.approx(0.05)
        assert [one.log_odds for one in surest_half([Outcome(1.0), Outcome(-3.0)])] == [-3.0]
