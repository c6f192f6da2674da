"""Statements about the variable between two others: what they mean, and what tests may conclude them from.

A study shows its marginal MAG. Where x - z - y is an unshielded triple there (x and y are apart, and both are connected
to z), z is a collider exactly if it causes neither of the two, whatever other variables the joint structure has.
"""

from __future__ import annotations

import itertools
import random

import pytest

from tests.support import textbook
from tests.support.graphs import all_mags, subsets
from weft import Collider, Evidence, Knowledge, MixedGraph, Noncollider, WeftError
from weft.evidence.file import parse_document, to_document
from weft.evidence.statements import Scope
from weft.graphs.ancestral import marginal_mag
from weft.knowledge.experiments import undisturbed
from weft.search.asp import Asp
from weft.search.brute import Brute
from weft.search.powerset import Powerset
from weft.search.problem import Problem


def constraints(names: tuple[str, ...], kind: type[Noncollider | Collider]) -> Problem:
    """All statements of a kind."""
    scope = (Scope("a", names),)
    triples = [(x, y, z) for x, y in itertools.combinations(names, 2) for z in names if z not in (x, y)]
    return Problem.of(Evidence(scope, tuple(kind(*triple) for triple in triples)), "iod")


@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
def test_in_a_studys_graph_they_say_whether_a_triple_is_a_collider(selection: bool) -> None:
    chance = random.Random(f"triples {selection}")
    mags = [*all_mags(3, selection=selection), *chance.sample(list(all_mags(4, selection=selection)), 400)]
    seen = {True: 0, False: 0}
    for mag in mags:
        causing, not_causing = (constraints(mag.names, kind) for kind in (Noncollider, Collider))
        for one, other in zip(causing.statements.values(), not_causing.statements.values(), strict=True):
            assert one.holds_in(mag, mag) is not other.holds_in(mag, mag)
            triple = one.origin
            assert isinstance(triple, Noncollider)
            for study in subsets(mag.names):
                if {triple.x, triple.y, triple.middle} <= {*study}:
                    verdict = collider(marginal_mag(mag, study), triple.x, triple.middle, triple.y)
                    if verdict is not None:
                        assert other.holds_in(mag, mag) is verdict, f"{other.origin} in {mag}, study {study}"
                        seen[verdict] += 1
    assert min(seen.values()) > 100


def collider(mag: MixedGraph, x: str, z: str, y: str) -> bool | None:
    """Whether arrowheads meet at z; ``None`` unless x - z - y is an unshielded triple."""
    if mag.edge(x, z) is None or mag.edge(y, z) is None or mag.edge(x, y) is not None:
        return None
    meet = str(mag.edge(x, z)).endswith(">") and str(mag.edge(y, z)).endswith(">")
    others = [name for name in mag.names if name not in (x, y)]
    separating = [given for given in subsets(others) if textbook.m_separated(mag, x, y, set(given))]
    assert separating
    assert all((z in given) is not meet for given in separating), "all separating sets have it, or none has"
    return meet


@pytest.mark.parametrize("engine", [Asp(), Brute(), Powerset()], ids=lambda one: one.name)
def test_a_chain_of_ancestors(engine: Asp | Brute | Powerset) -> None:
    """If Y causes X or Z, and not X, it causes Z."""
    scope = (Scope("a", ("X", "Y", "Z")), Scope("b", ("W", "X", "Y")))
    said = (Noncollider("X", "Z", "Y"), Collider("W", "X", "Y"))
    found = list(engine.graphs(Problem.of(Evidence(scope, said), "iod")))
    assert found
    assert all("Y" in textbook.ancestors(mag, "Z") for mag in found)
    assert any("X" in textbook.ancestors(mag, "Y") for mag in found)


def test_what_a_triple_must_name() -> None:
    scope = (Scope("a", ("X", "Y")), Scope("b", ("Y", "Z")))
    for middle, flaw in (("Q", "'Q' is not a variable"), ("X", "one of the pair"), ("", "name one variable")):
        with pytest.raises(WeftError, match=flaw):
            Evidence(scope, (Noncollider("X", "Y", middle),))
    with pytest.raises(WeftError, match="no study measured 'X', 'Y', 'Z' together"):
        Evidence(scope, (Noncollider("X", "Z", "Y"),))
    with pytest.raises(WeftError, match="stated too"):
        Evidence((Scope("a", ("X", "Y", "Z")),), (Noncollider("X", "Z", "Y"), Collider("X", "Z", "Y")))


def test_they_come_back_from_a_file() -> None:
    said = (Noncollider("X", "Z", "Y", ("a",), 2.5), Collider("X", "Y", "Z"))
    evidence = Evidence((Scope("a", ("X", "Y", "Z")),), said)
    document = to_document(evidence)
    assert document["noncolliders"] == [{"pair": ["X", "Z"], "middle": ["Y"], "studies": ["a"], "weight": 2.5}]
    assert document["colliders"] == [{"pair": ["X", "Y"], "middle": ["Z"]}]
    assert parse_document(document) == evidence
    document["colliders"][0]["middle"] = ["Z", "Y"]
    with pytest.raises(WeftError, match=r"colliders\[0\].middle: name one variable"):
        parse_document(document)
    plain = to_document(evidence.with_statements(()))
    assert not {"noncolliders", "colliders"} & plain.keys()


def test_what_an_experiment_leaves_of_them() -> None:
    """A cause that is seen where edges are cut is one without that, too; that there is none may be due to the cut."""
    study = (Scope("a", ("W", "X", "Y", "Z")),)
    said = (Noncollider("X", "Z", "Y", ("a",), 2.0), Collider("W", "X", "Z", ("a",), 2.0))
    found = undisturbed(Evidence(study, said), Knowledge.of("randomised in a: W")).evidence
    assert found.noncolliders == said[:1]
    assert found.colliders == ()
