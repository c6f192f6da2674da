"""What experiments say about the undisturbed process, against all ADMGs of three variables and all shapes of four."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations

import pytest

from tests.support.graphs import all_admgs, letters, subsets
from tests.unit.knowledge.test_models import shapes
from weft.evidence.oracle import separations
from weft.evidence.statements import (
    NOWHERE,
    Apart,
    Connected,
    Dependent,
    Evidence,
    Relation,
    Scope,
    Separated,
    Statement,
    Table,
)
from weft.graphs.criteria import Structure, structure_of, without_incoming
from weft.graphs.mixed import Edge, MixedGraph
from weft.graphs.separation import ancestor_mask, inducing_path, m_separated
from weft.knowledge import Knowledge, KnowledgeError, undisturbed
from weft.knowledge.experiments import CAUSING, NOT_CAUSING


def mutilated(graph: MixedGraph, was_set: Iterable[str]) -> MixedGraph:
    for name in was_set:
        graph = without_incoming(graph, name)
    return graph


def held(graph: MixedGraph, constant: Iterable[str]) -> MixedGraph:
    """The graph in which some variables do not vary: they influence nothing."""
    constant = set(constant)
    return MixedGraph.build(graph.names, [Edge(*edge) for edge in graph.edges() if not {edge.x, edge.y} & constant])


def causes(graph: MixedGraph, x: str, y: str) -> bool:
    return bool(ancestor_mask(graph, graph.mask([y])) >> graph.index(x) & 1)


def holds(statement: Statement, graph: MixedGraph, measured: Iterable[str]) -> bool:
    if isinstance(statement, Relation):
        return structure_of(graph, statement.x, statement.y) in statement.allowed
    if isinstance(statement, Separated | Dependent):
        separated = m_separated(graph, statement.x, statement.y, statement.given)
        return separated == isinstance(statement, Separated)
    connected = inducing_path(graph, statement.x, statement.y, set(graph.names) - set(measured))
    return connected == isinstance(statement, Connected)


def studied(graph: MixedGraph, measured: tuple[str, ...]) -> Evidence:
    scope = Scope("s", measured)
    return Evidence((scope,), tuple(separations(graph, scope, NOWHERE)))


def designs(size: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Every choice of variables that were set and variables that were measured."""
    names = letters(size)
    for was_set in subsets(names):
        for measured in subsets(names):
            if was_set and len(measured) > 1:
                yield was_set, measured


def check_design(model: MixedGraph, was_set: tuple[str, ...], measured: tuple[str, ...]) -> int:
    """Check that all that is made of the study holds in the undisturbed model, and count it."""
    cut = mutilated(model, was_set)
    made = 0
    for graph in {cut, held(cut, set(was_set) - set(measured))}:  # varied but not recorded, or held
        evidence = studied(graph, measured)
        dependent = [
            pair for pair in combinations(measured, 2) if not m_separated(graph, *pair) and set(pair) & set(was_set)
        ]
        knowledge = Knowledge.of(randomised={"s": was_set})
        found = undisturbed(evidence, knowledge, {"s": dependent})
        for statement in found.evidence.statements:
            assert holds(statement, model, measured), (str(model), was_set, measured, str(statement))
            made += 1
        for x, y in found.never_causes:
            assert not causes(model, x, y)
        for x, y in combinations(measured, 2):
            judged = Relation(x, y, frozenset({structure_of(graph, x, y)}))
            kept = found.relation("s", judged)
            assert kept is None or structure_of(model, x, y) in kept.allowed
            assert kept is None or not {x, y} & set(was_set)
    return made


def test_all_that_is_made_of_an_experiment_is_sound_over_three_variables() -> None:
    made = sum(check_design(model, *design) for model in all_admgs(3) for design in designs(3))
    assert made > 5_000


def test_all_that_is_made_of_an_experiment_is_sound_over_four_variables() -> None:
    chance = random.Random(4)
    choices = list(designs(4))
    made = sum(check_design(model, *chance.choice(choices)) for model in shapes(4))
    assert made > 1_000


# -- nothing that is sound is dropped --------------------------------------------------------------------------------


@lru_cache
def everything(size: int) -> tuple[tuple[MixedGraph, dict[tuple[str, ...], MixedGraph]], ...]:
    return tuple(
        (model, {was_set: mutilated(model, was_set) for was_set in subsets(letters(size))}) for model in all_admgs(size)
    )


def counterexample(
    statement: Statement, claim: Statement, was_set: tuple[str, ...], never: Iterable[tuple[str, str]], size: int
) -> bool:
    """Whether in some ADMG the statement holds in the experiment, the causes are excluded, and the claim fails."""
    names = letters(size)
    return any(
        holds(statement, cut[was_set], names)
        and not any(causes(model, x, y) for x, y in never)
        and not holds(claim, model, names)
        for model, cut in everything(size)
    )


def statements(size: int) -> Iterator[Connected | Apart | Separated | Dependent]:
    names = letters(size)
    for x, y in combinations(names, 2):
        yield Connected("s", x, y)
        yield Apart("s", x, y)
        for given in subsets([name for name in names if name not in (x, y)]):
            yield Separated(x, y, frozenset(given), ("s",))
            yield Dependent(x, y, frozenset(given), ("s",))


@pytest.mark.parametrize("was_set", [("A",), ("A", "B"), ("A", "B", "C")])
def test_what_is_dropped_is_unsound(was_set: tuple[str, ...]) -> None:
    """With every set of excluded causes that knowledge may hold: the rule keeps exactly what is sound."""
    names = letters(3)
    known = [(x, y) for x, y in permutations(names, 2) if x in was_set]
    dropped = kept = 0
    for never in subsets(known):
        knowledge = Knowledge.of(not_causes=never, randomised={"s": was_set}).over(names)
        for statement in statements(3):
            found = undisturbed(Evidence((Scope("s", names),), (statement,)), knowledge)
            if statement in found.evidence.statements:
                assert not counterexample(statement, statement, was_set, never, 3)
                kept += 1
            elif not {statement.x, statement.y} <= set(was_set):
                assert counterexample(statement, statement, was_set, never, 3), (never, str(statement))
                dropped += 1
            for x, y in ((statement.x, statement.y), (statement.y, statement.x)):
                if x in was_set and y not in was_set:
                    for allowed in (CAUSING, NOT_CAUSING):
                        claim = Relation(x, y, allowed)
                        said = any((r.x, r.y, r.allowed) == (claim.x, claim.y, claim.allowed)
                                   for r in found.evidence.relations)  # fmt: skip
                        known_already = allowed == NOT_CAUSING and (x, y) in knowledge.never_causes
                        sound = not counterexample(statement, claim, was_set, never, 3)
                        assert said <= sound
                        if isinstance(statement, Connected | Separated):  # of the others no relation is made
                            assert said or not sound or known_already or _says_nothing(statement, was_set, never)
    assert (dropped and kept) or len(was_set) == 3


def _says_nothing(statement: Statement, was_set: tuple[str, ...], never: Iterable[tuple[str, str]]) -> bool:
    """Whether no ADMG has the statement and the excluded causes at once, so that anything follows."""
    return not any(
        holds(statement, cut[was_set], model.names) and not any(causes(model, x, y) for x, y in never)
        for model, cut in everything(3)
    )


def test_a_relation_from_an_experiment_is_as_narrow_as_can_be() -> None:
    names = letters(3)
    for never in subsets([("C", "A"), ("C", "B")]):
        knowledge = Knowledge.of(not_causes=never, randomised={"s": ["C"]}).over(names)
        found = undisturbed(Evidence((Scope("s", names),)), knowledge)
        for structure in Structure:
            possible = {
                structure_of(model, "A", "B")
                for model, cut in everything(3)
                if structure_of(cut["C",], "A", "B") is structure and not any(causes(model, *pair) for pair in never)
            }
            made = found.relation("s", Relation("A", "B", frozenset({structure})))
            assert (frozenset(Structure) if made is None else made.allowed) == possible


# -- by name ---------------------------------------------------------------------------------------------------------


def test_separations_survive_where_the_treatment_has_no_part() -> None:
    evidence = studied(MixedGraph.parse("X; A -> B; B -> C"), ("A", "B", "C", "X"))
    found = undisturbed(evidence, Knowledge.of("randomised in s: X"))
    assert Separated("A", "C", frozenset("B"), ("s",)) in found.evidence.statements
    evidence = studied(MixedGraph.parse("X -> C; A -> B; B -> C"), ("A", "B", "C", "X"))
    found = undisturbed(evidence, Knowledge.of("randomised in s: X"))
    assert Separated("A", "C", frozenset("B"), ("s",)) not in found.evidence.statements
    assert {change.statement for change in found.changes} == {
        s
        for s in evidence.statements
        if ("X" in (s.x, s.y) and not isinstance(s, Dependent))
        or (isinstance(s, Separated | Apart) and "C" in (s.x, s.y))
    }
    assert Dependent("A", "C", frozenset(), ("s",)) in found.evidence.statements


def test_a_statement_of_several_studies_stays_with_those_that_keep_it() -> None:
    scopes = tuple(Scope(name, ("A", "B", "X")) for name in "abc")
    separated = Separated("A", "B", frozenset("X"), ("a", "b", "c"), 2.0)
    found = undisturbed(Evidence(scopes, (separated,)), Knowledge.of("randomised in b: X"))
    assert found.evidence.statements == (Separated("A", "B", frozenset("X"), ("a", "c"), 2.0),)
    assert [change.reason for change in found.changes] == ["'X' was set in study 'b': paths through it were cut there"]
    dependent = Dependent("A", "X", frozenset(), ("a", "b"), 2.0)
    found = undisturbed(Evidence(scopes, (dependent,)), Knowledge.of("randomised in b: X"))
    assert found.evidence.statements[0] == dependent
    assert [(one.x, one.y, one.allowed) for one in found.evidence.relations] == [
        ("A", "X", frozenset({Structure.CAUSED, Structure.CAUSED_COMMON}))
    ]


def test_weight_and_source_go_with_a_finding() -> None:
    evidence = Evidence((Scope("s", ("X", "Y")),), (Connected("s", "X", "Y", weight=2.5),))
    (relation,) = undisturbed(evidence, Knowledge.of("randomised in s: Y")).evidence.relations
    assert (relation.weight, relation.allowed) == (2.5, frozenset({Structure.CAUSED, Structure.CAUSED_COMMON}))
    assert relation.provenance.source == "Y was set in study 's'"


def test_two_variables_that_were_both_set_say_nothing() -> None:
    evidence = Evidence((Scope("s", ("X", "Y")),), (Connected("s", "X", "Y"),))
    found = undisturbed(evidence, Knowledge.of("randomised in s: X, Y"))
    assert found.evidence.statements == ()
    assert "design" in found.changes[0].reason


def test_other_studies_are_left_alone() -> None:
    scopes = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    evidence = Evidence(scopes, (Separated("X", "Y", frozenset(), ("a",)), Connected("b", "X", "Y")))
    found = undisturbed(evidence, Knowledge.of("randomised in b: X"))
    assert evidence.statements[0] in found.evidence.statements
    assert undisturbed(evidence, Knowledge()).evidence == evidence


def test_evidence_that_was_gathered_from_tables_is_left_as_it_is() -> None:
    """A separation that rests on another one would be lost, since that one is a relation by now."""
    evidence = studied(MixedGraph.parse("X; A -> B; B -> C"), ("A", "B", "C", "X"))
    knowledge = Knowledge.of("randomised in s: X")
    once = undisturbed(evidence, knowledge).evidence
    assert undisturbed(once, knowledge).evidence != once
    gathered = replace(once, tables=(Table("s", 100, interventions=("X",)),))
    assert undisturbed(gathered, knowledge).evidence == once
    assert undisturbed(gathered, Knowledge()).evidence == once


@pytest.mark.parametrize(
    ("then", "said"), [((), "as if nothing was set in study 's'"), (("X", "Y"), "as if 'X', 'Y' was set in study 's'")]
)
def test_an_experiment_that_was_not_known_when_evidence_was_gathered(then: tuple[str, ...], said: str) -> None:
    gathered = Evidence((Scope("s", ("X", "Y")),), tables=(Table("s", 100, interventions=then),))
    with pytest.raises(
        KnowledgeError, match=f"^'randomised in s: X': the evidence was gathered {said}; gather it again"
    ):
        undisturbed(gathered, Knowledge.of("randomised in s: X"))


def test_an_unknown_study_is_named() -> None:
    evidence = Evidence((Scope("trial", ("X", "Y")),))
    with pytest.raises(KnowledgeError, match=r"there is no study 'trail'; did you mean 'trial'\?"):
        undisturbed(evidence, Knowledge.of("randomised in trail: X"))
