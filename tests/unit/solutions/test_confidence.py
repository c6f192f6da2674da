"""From the share of the draws, and from margins, to confidence: the curves."""

from __future__ import annotations

import math

import pytest

from tests.support.graphs import all_mags
from weft.evidence.claims import Claim, Topic, claims_about
from weft.search.margins import LARGEST
from weft.search.problem import claims_hold
from weft.solutions.confidence import CURVES, DRAWN, KNOTS, coherent, confidence_of, kind_of

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


@pytest.mark.parametrize("judged", [False, True])
@pytest.mark.parametrize("topic", sorted(DRAWN[False]))
def test_a_claim_is_surer_the_more_of_the_draws_have_it(topic: str, judged: bool) -> None:
    bend = DRAWN[judged][topic]
    values = [bend(k / 200) for k in range(201)]
    assert values == sorted(values)
    assert 0.01 < values[0] < 0.1
    assert 0.9 < values[-1] < 0.99
    assert values[0] == bend(KNOTS[0])


def test_where_directions_were_judged_a_share_makes_a_cause_less_sure() -> None:
    claim = Claim.parse("X causes Y")
    for share in (0.9, 0.95):
        judged, plain = (confidence_of(claim, 1.0, drawn=share, judged=one) for one in (True, False))
        assert 0.5 < judged < plain - 0.05


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_where_models_are_drawn_the_size_of_the_margin_is_no_matter(claim: Claim) -> None:
    for share in (0.0, 0.3, 0.5, 0.99):
        found = {confidence_of(claim, margin, drawn=share) for margin in (-2.0, 0.5, 2.0)}
        assert len(found) == 1
        assert found.pop() == pytest.approx(1 - confidence_of(claim.negated, 1.0, drawn=1 - share))


@pytest.mark.parametrize("claim", [one for one in CLAIMS if one.holds], ids=str)
def test_few_edges_alone_deny_nothing(claim: Claim) -> None:
    assert confidence_of(claim, 0.0, drawn=0.01) == 0.5
    assert confidence_of(claim.negated, 0.0, drawn=0.99) == 0.5
    assert confidence_of(claim, -1.0, drawn=0.01) < 0.1
    assert confidence_of(claim, 0.0, drawn=0.95) == confidence_of(claim, 1.0, drawn=0.95) > 0.8


def test_a_claim_is_at_least_as_sure_as_what_it_follows_from() -> None:
    """Against graphs: one claim follows from another if it holds in every ancestral graph in which that one holds."""
    graphs = all_mags(3, selection=True)
    x, y = graphs[0].names[:2]
    claims = [one for one in claims_about(x, y, selection=True) if one.topic is not Topic.CONFOUNDED]
    stated = [one for claim in claims for one in (claim, claim.negated)]
    holds = {one: [claims_hold([one], graph, graph) for graph in graphs] for one in stated}
    for premise in stated:
        sure = dict.fromkeys(claims, 0.5)
        positive = premise if premise.holds else premise.negated
        sure[positive] = 0.9 if premise.holds else 0.1
        found = coherent(sure)
        for other in stated:
            follows = all(yes for given, yes in zip(holds[premise], holds[other], strict=True) if given)
            how = found[other] if other.holds else 1 - found[other.negated]
            assert (how == pytest.approx(0.9)) == follows, f"{premise}: {other}"


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_nobody_may_give_up_is_certain_whatever_is_drawn(claim: Claim) -> None:
    assert confidence_of(claim, math.inf, drawn=0.5) == 1.0
    assert confidence_of(claim, -math.inf, drawn=0.5) == 0.0
