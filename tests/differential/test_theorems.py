"""Soundness and completeness of the three methods, as theorems that are checked case by case.

A *case* is a latent-variable model (the truth), its variables split into studies, and a method. What perfect tests say
of the truth goes to the solver, and its answers are compared with every MAG there is, judged by textbook definitions
(``tests/support/textbook.py``: paths one by one), which share no code with the solver or with ``weft.graphs``:

- *sound*: each answer satisfies every statement;
- *complete*: no MAG that satisfies every statement is missing;
- the truth's own MAG, by d-separation in a DAG with all hidden variables made explicit, is among the answers.

A statement holds in a MAG if: some set separates x and y, and the MAG says so too; no set of the study's other
variables separates x and y in the MAG; some latent-variable model with this MAG has the stated structure of each pair.
With three variables these models are all ADMGs with that MAG; with more, those that add ``<->`` beside directed edges.

How many cases were checked is printed at the end of the run.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from tests.support import textbook
from tests.support.graphs import (
    all_admgs,
    all_mags,
    graph_from,
    letters,
    random_models,
    renamed,
    subsets,
    up_to_renaming,
)
from tests.support.problems import random_studies
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Scope, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.search.brute import Brute
from weft.search.problem import Problem
from weft.solutions.solution_set import solve

METHODS = ("iod", "iod-bcd", "causal-iod")
Pair = tuple[str, str]
Structures = Mapping[Pair, Structure]
Record = Callable[[str, object], None]


# -- every MAG, by the textbook ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A MAG, and what the textbook says of it."""

    mag: MixedGraph
    separated: frozenset[tuple[str, str, frozenset[str]]]
    models: tuple[Structures, ...]
    """For each latent-variable model with this MAG, the structure of every pair."""

    def satisfies(self, evidence: Evidence, method: str) -> bool:
        """Whether everything that the method takes from the evidence holds."""
        return (
            all((one.x, one.y, one.given) in self.separated for one in evidence.separated)
            and all(
                not self._separable(one.x, one.y, evidence.study(one.study).variables) for one in evidence.connected
            )
            and (method != "iod-bcd" or self._oriented(evidence))
            and (method != "causal-iod" or any(_fits(model, evidence) for model in self.models))
        )

    def _separable(self, x: str, y: str, variables: Sequence[str]) -> bool:
        others = [name for name in variables if name not in (x, y)]
        return any((x, y, frozenset(given)) in self.separated for given in subsets(others))

    def _oriented(self, evidence: Evidence) -> bool:
        """A pair that is connected in a study and judged has no edge, or one that its structure allows."""
        connected = {(one.x, one.y) for one in evidence.connected}
        judged = [one for one in evidence.relations if (one.x, one.y) in connected]
        edges = {(one.x, one.y): self.mag.edge(one.x, one.y) for one in judged}
        return all(
            edges[one.x, one.y] in (None, *(structure.value.split(" & ")[0] for structure in one.allowed))
            for one in judged
        )


def _fits(model: Structures, evidence: Evidence) -> bool:
    return all(model[one.x, one.y] in one.allowed for one in evidence.relations)


def separated(mag: MixedGraph) -> frozenset[tuple[str, str, frozenset[str]]]:
    """Every (x, y, given) with x < y that is m-separated."""
    found = set()
    for x, y in itertools.combinations(mag.names, 2):
        for given in subsets([name for name in mag.names if name not in (x, y)]):
            if textbook.m_separated(mag, x, y, given):
                found.add((x, y, frozenset(given)))
    return frozenset(found)


def structures(model: MixedGraph) -> dict[Pair, Structure]:
    """The marginal causal structure of each pair of a latent-variable model."""
    return {
        (x, y): Structure.of(
            causes=x in textbook.ancestors(model, {y}),
            caused=y in textbook.ancestors(model, {x}),
            confounded=textbook.trek(model, x, y),
        )
        for x, y in itertools.combinations(model.names, 2)
    }


def doubled(mag: MixedGraph) -> Iterator[MixedGraph]:
    """The MAG with ``<->`` beside some of its directed edges, wherever that joins no further pair."""
    directed = [edge for edge in mag.edges() if edge.symbol == "->"]
    apart = [pair for pair in itertools.combinations(mag.names, 2) if mag.edge(*pair) is None]
    for chosen in subsets(directed):
        extra = [Edge(edge.x, Mark.ARROW, Mark.ARROW, edge.y) for edge in chosen]
        model = MixedGraph.build(mag.names, [*mag.edges(), *extra])
        if not any(textbook.inducing_path(model, x, y, ()) for x, y in apart):
            yield model


def entry_of(mag: MixedGraph, models: Iterable[MixedGraph]) -> Entry:
    different = {tuple(structures(model).items()) for model in models}
    return Entry(mag, separated(mag), tuple(map(dict, different)))


@cache
def every_mag(size: int) -> tuple[Entry, ...]:
    """Every MAG of three or four variables. One of each shape is judged, and the others by exchanging names."""
    if size == 3:
        by_mag: dict[MixedGraph, list[MixedGraph]] = {}
        for model in all_admgs(3):
            by_mag.setdefault(textbook.mag_by_definition(model, model.names), []).append(model)
        return tuple(entry_of(mag, models) for mag, models in by_mag.items())
    found: dict[MixedGraph, Entry] = {}
    for shape in up_to_renaming(all_mags(size)):
        entry = entry_of(shape, doubled(shape))
        for order in itertools.permutations(shape.names):
            names = dict(zip(shape.names, order, strict=True))
            mag = renamed(shape, names)
            if mag not in found:
                found[mag] = _exchanged(entry, mag, names)
    return tuple(found.values())


def _exchanged(entry: Entry, mag: MixedGraph, names: Mapping[str, str]) -> Entry:
    triples = ((names[x], names[y], frozenset(names[name] for name in given)) for x, y, given in entry.separated)
    ordered = frozenset((min(x, y), max(x, y), given) for x, y, given in triples)
    return Entry(mag, ordered, tuple(map(_turned(names), entry.models)))


def _turned(names: Mapping[str, str]) -> Callable[[Structures], Structures]:
    def turned(model: Structures) -> Structures:
        both = ((names[x], names[y], structure) for (x, y), structure in model.items())
        return {(min(x, y), max(x, y)): structure if x < y else structure.mirrored for x, y, structure in both}

    return turned


# -- splits ------------------------------------------------------------------------------------------------------------


def splits(names: Sequence[str]) -> list[dict[str, list[str]]]:
    """Every way to give the variables to two studies, none of them to have all, that share at least one."""
    found = []
    for places in itertools.product(("a", "b", "ab"), repeat=len(names)):
        studies = {study: [name for name, place in zip(names, places, strict=True) if study in place] for study in "ab"}
        shares_one, proper = "ab" in places, {"a", "b"} <= set(places)
        if shares_one and proper and studies["a"] < studies["b"]:  # each split once
            found.append(studies)
    return found


def test_splits() -> None:
    assert [len(splits(letters(size))) for size in (3, 4, 5)] == [3, 18, 75]


# -- the theorems ------------------------------------------------------------------------------------------------------


def check(truth: MixedGraph, studies: Mapping[str, Sequence[str]]) -> int:
    """The three methods on one truth and split, compared with every MAG; the number of cases."""
    evidence = oracle(truth, studies)
    true_mag = textbook.mag_by_definition(truth, truth.names)
    for method in METHODS:
        heeded = evidence.statements if method != "iod" else (*evidence.connected, *evidence.separated)
        answers = compared(method, evidence.studies, heeded)
        assert true_mag in answers, f"the truth is missing: {method}, {truth}, {dict(studies)}"
    return len(METHODS)


@cache
def compared(method: str, studies: tuple[Scope, ...], statements: tuple[Statement, ...]) -> frozenset[MixedGraph]:
    """The answers to what is said, compared with every MAG. Many truths say the same, which is solved once."""
    evidence = Evidence(studies, statements)
    answers = list(solve(evidence, method))
    wanted = {entry.mag for entry in every_mag(len(evidence.variables)) if entry.satisfies(evidence, method)}
    where = f"{method}: {'; '.join(map(str, statements))}"
    unsound, missing = set(answers) - wanted, wanted.difference(answers)
    assert not unsound, f"not sound: {sorted(map(str, unsound))[:3]} of {where}"
    assert not missing, f"not complete: {sorted(map(str, missing))[:3]} of {where}"
    assert len(answers) == len(wanted), f"repetitions: {where}"
    return frozenset(answers)


def test_the_list_of_mags_is_whole() -> None:
    assert len(every_mag(3)) == 56
    assert len(every_mag(4)) == 2492
    assert all(textbook.is_mag(entry.mag) for entry in every_mag(3))


def test_doubled_edges_are_models_enough() -> None:
    """With three variables: the models that double edges have the same structures of pairs as all ADMGs."""
    for entry in every_mag(3):
        few = {tuple(structures(model).items()) for model in doubled(entry.mag)}
        assert few == {tuple(model.items()) for model in entry.models}, str(entry.mag)


def test_every_model_of_three_variables(record_property: Record) -> None:
    cases = sum(check(truth, studies) for truth in all_admgs(3) for studies in splits(letters(3)))
    record_property("cases checked", cases)
    assert cases == 200 * 3 * len(METHODS)


def cases_of_four(count: int, seed: int) -> int:
    """Random models of four variables with every split into two studies, and some splits into three."""
    chance = random.Random(seed)
    cases = 0
    for truth in random_models(count, [4], seed):
        three = [random_studies(chance, 4, 3) for _ in range(2)]
        cases += sum(check(truth, studies) for studies in (*splits(truth.names), *three))
    return cases


def test_models_of_four_variables(record_property: Record) -> None:
    cases = cases_of_four(3, seed=4)
    record_property("cases checked", cases)
    assert cases == 3 * (18 + 2) * len(METHODS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 14))
def test_many_models_of_four_variables(seed: int, record_property: Record) -> None:
    cases = cases_of_four(100, seed)
    record_property("cases checked", cases)
    assert cases == 100 * (18 + 2) * len(METHODS)


# -- five variables ----------------------------------------------------------------------------------------------------


def sparse(chance: random.Random) -> MixedGraph:
    """A model of five variables with three to five edges, so that going over every MAG takes seconds."""
    names = list(letters(5))
    chance.shuffle(names)
    pairs = chance.sample(list(itertools.combinations(names, 2)), chance.choice((3, 4, 4, 5)))
    return graph_from(names, {pair: chance.choice(("->", "->", "<->", "-> & <->")) for pair in pairs})


@cache
def judged(mag: MixedGraph) -> Entry:
    """What the textbook says of a MAG of five variables."""
    return entry_of(mag, doubled(mag))


def check_five(truth: MixedGraph, studies: Mapping[str, Sequence[str]], most: int) -> int:
    """As :func:`check`: answers judged by the textbook, ``most`` of them, and compared with engine ``brute``.

    ``brute`` goes over every MAG of five variables in which separated pairs have no edge.
    """
    evidence = oracle(truth, studies)
    true_mag = textbook.mag_by_definition(truth, truth.names)
    for method in METHODS:
        where = f"{method}, {truth}, {dict(studies)}"
        answers = list(solve(evidence, method))
        assert true_mag in answers, f"the truth is missing: {where}"
        for mag in answers[:most]:
            assert judged(mag).satisfies(evidence, method), f"not sound: {mag} of {where}"
        wanted = set(Brute().graphs(Problem.of(evidence, method)))
        assert set(answers) == wanted, f"not complete: {where}"
        assert len(answers) == len(wanted), f"repetitions: {where}"
    return len(METHODS)


def cases_of_five(count: int, splits_of_each: int | None, seed: int, most: int) -> int:
    chance = random.Random(seed)
    cases = 0
    for _ in range(count):
        truth = sparse(chance)
        possible = [studies for studies in splits(truth.names) if _separated(truth, studies) >= 5]
        chosen = possible if splits_of_each is None else chance.sample(possible, min(splits_of_each, len(possible)))
        cases += sum(check_five(truth, studies, most) for studies in chosen)
    return cases


def _separated(truth: MixedGraph, studies: Mapping[str, Sequence[str]]) -> int:
    return len({(one.x, one.y) for one in oracle(truth, studies).separated})


def test_models_of_five_variables(record_property: Record) -> None:
    cases = cases_of_five(3, 2, seed=5, most=10)
    record_property("cases checked", cases)
    assert cases == 6 * len(METHODS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 24))
def test_many_models_of_five_variables(seed: int, record_property: Record) -> None:
    cases = cases_of_five(4, None, seed, most=50)
    record_property("cases checked", cases)
    assert cases > 80 * len(METHODS)


def nearby(mag: MixedGraph) -> Iterator[MixedGraph]:
    """The MAGs that differ from it in the edge of one pair."""
    edges = {(edge.x, edge.y): edge.symbol for edge in mag.edges()}
    for x, y in itertools.combinations(mag.names, 2):
        others = {pair: symbol for pair, symbol in edges.items() if set(pair) != {x, y}}
        for own in ({}, {(x, y): "->"}, {(y, x): "->"}, {(x, y): "<->"}):
            other = graph_from(mag.names, others | own)
            if other != mag and textbook.is_mag(other):
                yield other


def check_nearby(truth: MixedGraph, studies: Mapping[str, Sequence[str]], chance: random.Random) -> int:
    """Some answers are sound; none of the MAGs next to them is missing. Every MAG would be too many to go over."""
    evidence = oracle(truth, studies)
    true_mag = textbook.mag_by_definition(truth, truth.names)
    for method in METHODS:
        where = f"{method}, {truth}, {dict(studies)}"
        answers = list(solve(evidence, method))
        whole = set(answers)
        assert true_mag in whole, f"the truth is missing: {where}"
        assert len(answers) == len(whole), f"repetitions: {where}"
        for mag in chance.sample(answers, 1):
            assert judged(mag).satisfies(evidence, method), f"not sound: {mag} of {where}"
            for other in nearby(mag):
                assert judged(other).satisfies(evidence, method) == (other in whole), f"{other}, near {mag}: {where}"
    return len(METHODS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30, 34))
def test_every_split_of_models_of_five_variables(seed: int, record_property: Record) -> None:
    chance = random.Random(seed)
    (truth,) = random_models(1, [5], seed)
    cases = sum(check_nearby(truth, studies, chance) for studies in splits(truth.names))
    record_property("cases checked", cases)
    assert cases == 75 * len(METHODS)
