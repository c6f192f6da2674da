"""From margins to confidence: the curves."""

from __future__ import annotations

import math

import pytest

from weft.evidence.claims import Claim
from weft.search.margins import LARGEST
from weft.solutions.confidence import CURVES, confidence_of, kind_of

SAID = ("X causes Y", "X and Y are adjacent", "X -> Y", "X and Y are confounded")
CLAIMS = [one for text in SAID for one in (Claim.parse(text), Claim.parse(text).negated)]


@pytest.mark.parametrize("kind", sorted(CURVES))
def test_a_curve_rises_to_its_cap(kind: str) -> None:
    curve = CURVES[kind]
    values = [curve(k / 20) for k in range(200)]
    assert values == sorted(values)
    assert values[0] == 0.5
    assert 0.9 < values[-1] < 0.99


@pytest.mark.parametrize("kind", sorted(CURVES))
def test_margins_that_are_not_told_apart_are_equally_sure(kind: str) -> None:
    curve = CURVES[kind]
    assert curve(LARGEST) == pytest.approx(curve(100.0), abs=1e-3)


def test_a_claim_and_its_opposite() -> None:
    claim = Claim.parse("X causes Y")
    for margin in (0.0, 0.5, 2.0, 10.0):
        assert confidence_of(claim, margin) == pytest.approx(1 - confidence_of(claim.negated, -margin))
    assert confidence_of(claim, -math.inf) == 0.0


@pytest.mark.parametrize("kind", sorted(CURVES))
def test_an_estimate_is_never_surer_than_a_proof(kind: str) -> None:
    claim = next(one for one in CLAIMS if kind_of(one) == kind)
    for margin in (0.0, 0.5, 1.0, 2.0, 3.0, LARGEST):
        assert 0.5 <= confidence_of(claim, margin, estimated=True) <= confidence_of(claim, margin)
    assert confidence_of(claim, LARGEST, estimated=True) <= 0.961
