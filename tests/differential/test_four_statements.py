"""The four statements about paths: what each means, by the textbook; and that two of them do if all tests are perfect.

`Apart` and `Dependent` deny `Connected` and `Separated`. An oracle states all four. What it says beyond the connections
and one separating set for each pair that is apart follows from these: no answer changes.
"""

from __future__ import annotations

import itertools
import random

import pytest

from tests.support import textbook
from tests.support.graphs import all_mags, subsets
from tests.support.problems import METHODS, as_networks, random_oracle
from weft import Apart, Connected, Dependent, Evidence, MixedGraph, Relation, Separated
from weft.evidence.statements import Scope
from weft.search.asp import Asp
from weft.search.brute import Brute
from weft.search.powerset import Powerset
from weft.search.problem import Problem

# -- meaning -----------------------------------------------------------------------------------------------------------


def questions(names: tuple[str, ...]) -> Evidence:
    """Each statement that can be made of the variables, with a study for each set of two or more of them."""
    studies = [Scope("".join(measured), measured) for measured in subsets(names) if len(measured) > 1]
    says: list[Connected | Separated] = []
    for x, y in itertools.combinations(names, 2):
        says += [Connected(study.name, x, y) for study in studies if {x, y} <= {*study.variables}]
        says += [Separated(x, y, frozenset(z)) for z in subsets([name for name in names if name not in (x, y)])]
    return Evidence(tuple(studies), tuple(says))


def denied(evidence: Evidence) -> Evidence:
    connected = (Apart(s.study, s.x, s.y) for s in evidence.connected)
    separated = (Dependent(s.x, s.y, s.given) for s in evidence.separated)
    return evidence.with_statements((*connected, *separated))


@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
def test_every_statement_means_what_the_textbook_says(selection: bool) -> None:
    """Over MAGs of three and four variables: by paths, and by trying every set that the study could give."""
    said, not_said = ([Problem.of(one, "iod") for one in pair] for pair in zip(*map(both, (3, 4)), strict=True))
    chance = random.Random(f"meaning {selection}")
    mags = [*all_mags(3, selection=selection), *chance.sample(list(all_mags(4, selection=selection)), 250)]
    for mag in mags:
        for constraint in said[mag.size - 3].statements.values():
            wanted = holds(mag, constraint.origin)
            assert constraint.holds_in(mag, mag) is wanted, f"{constraint.origin} in {mag}"
        for constraint in not_said[mag.size - 3].statements.values():
            wanted = holds(mag, constraint.origin)
            assert constraint.holds_in(mag, mag) is wanted, f"{constraint.origin} in {mag}"


def both(size: int) -> tuple[Evidence, Evidence]:
    evidence = questions(tuple("ABCD"[:size]))
    return evidence, denied(evidence)


def holds(mag: MixedGraph, statement: object) -> bool:
    """By the textbook: a study's statement both by inducing paths and by every set of its variables."""
    if isinstance(statement, Separated | Dependent):
        separated = textbook.m_separated(mag, statement.x, statement.y, statement.given)
        return separated is isinstance(statement, Separated)
    assert isinstance(statement, Connected | Apart)
    measured = statement.study  # it is called as its variables are
    others = [name for name in measured if name not in (statement.x, statement.y)]
    joined = textbook.inducing_path(mag, statement.x, statement.y, set(mag.names) - set(measured))
    by_sets = any(textbook.m_separated(mag, statement.x, statement.y, given) for given in subsets(others))
    assert joined is not by_sets
    return joined is isinstance(statement, Connected)


# -- an oracle's four are its two --------------------------------------------------------------------------------------


def of_two(evidence: Evidence) -> Evidence:
    """The evidence without what denies."""
    return evidence.with_statements(s for s in evidence.statements if isinstance(s, Connected | Separated | Relation))


@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
@pytest.mark.parametrize("method", METHODS)
def test_an_oracles_four_statements_leave_the_answer_as_it_is(method: str, selection: bool) -> None:
    chance = random.Random(f"four {method} {selection}")
    more = 0
    for size in (3,) * 8 + (4,) * 8 + (5,) * 2:
        studies = chance.choice((2, 3))
        truth, evidence = random_oracle(chance, size, studies=studies, selection=selection, sparse=size == 5)
        if method == "ion":
            evidence = as_networks(truth, evidence)
        four, two = (Problem.of(one, method, selection=selection) for one in (evidence, of_two(evidence)))
        more += len(four.statements) - len(two.statements)
        wanted = set(Asp().graphs(two))
        assert set(Asp().graphs(four)) == wanted
        if size < 5:
            assert set(Brute().graphs(two)) == set(Brute().graphs(four)) == wanted
    assert more > 30


# -- by name -----------------------------------------------------------------------------------------------------------

STUDY = (Scope("a", ("X", "Y", "Z")),)
ENDS = (Connected("a", "X", "Y"), Connected("a", "Y", "Z"), Apart("a", "X", "Z"))


@pytest.mark.parametrize("engine", [Asp(), Brute(), Powerset()], ids=lambda one: one.name)
def test_a_collider_and_a_chain_without_a_set_that_separates(engine: Asp | Brute | Powerset) -> None:
    """Conservative inference: apart, and dependent with or without the middle variable; else nothing follows."""

    def found(*says: Dependent) -> set[str]:
        return {str(mag) for mag in engine.graphs(Problem.of(Evidence(STUDY, (*ENDS, *says)), "iod"))}

    colliders = {"X -> Y; Z -> Y", "X -> Y; Y <-> Z", "X <-> Y; Z -> Y", "X <-> Y; Y <-> Z"}
    others = {"X -> Y; Y -> Z", "Y -> X; Z -> Y", "Y -> X; Y -> Z", "X <-> Y; Y -> Z", "Y -> X; Y <-> Z"}
    assert found() == colliders | others
    assert found(Dependent("X", "Z", frozenset("Y"))) == colliders
    assert found(Dependent("X", "Z", frozenset())) == others
    assert found(Dependent("X", "Z", frozenset()), Dependent("X", "Z", frozenset("Y"))) == set()
