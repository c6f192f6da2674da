"""Random problems to compare engines on, and the answers of going over every MAG, from tables that are made once.

Everything is drawn from a ``random.Random``: one with a fixed seed, or one of hypothesis (:func:`chances`), which can
then shrink what it found. No generator gives up and tries again.

A *truth* is a latent-variable model over ``A``, ``B``, ... and perhaps ``P``, ``Q``, which no study measures.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import or_

from hypothesis import strategies as st

from tests.support.graphs import all_mags, graph_from, letters
from weft.evidence.claims import Claim, Topic
from weft.evidence.networks import from_networks
from weft.evidence.oracle import oracle
from weft.evidence.statements import (
    Apart,
    Collider,
    Connected,
    Dependent,
    Evidence,
    Noncollider,
    Relation,
    Separated,
    Statement,
)
from weft.graphs.ancestral import doublings, marginal_mag
from weft.graphs.criteria import Structure, is_confounded
from weft.graphs.equivalence import pag_of
from weft.graphs.mixed import EDGE_SYMBOLS, MixedGraph, bits
from weft.graphs.separation import ancestor_mask, connected_masks, has_inducing_path
from weft.search.kinds import Apartness, CauseOfNeither, CauseOfOne, Dependence
from weft.search.problem import Problem

LATENT = "PQ"
METHODS = ("iod", "iod-bcd", "causal-iod", "ion")
EDGES = ("->", "<-", "<->", "--")
CLAIMED_EDGES = ("->", "<-", "<->", "--", "o->", "<-o", "o-o", "o--")


def chances() -> st.SearchStrategy[random.Random]:
    """Sources of randomness that hypothesis controls."""
    return st.randoms(use_true_random=False)


# -- evidence from a truth ---------------------------------------------------------------------------------------------


def random_truth(
    chance: random.Random, size: int, *, latent: int = 0, selection: bool = False, sparse: bool = False
) -> MixedGraph:
    """A random model over ``size`` variables and some that are never measured; with ``--`` if ``selection``."""
    names = [*letters(size), *LATENT[:latent]]
    chance.shuffle(names)  # edges follow this order
    selected = chance.randint(0, min(3, len(names))) if selection else 0
    empty = chance.choice((4, 8)) if sparse else chance.choice((1, 2, 5))
    weights = (empty, 2, 1, chance.choice((0, 1)))
    symbols = {}
    for (i, x), (j, y) in itertools.combinations(enumerate(names), 2):
        if j < selected:
            symbols[x, y] = chance.choice(("", "--", "--"))
        elif i < selected:  # no arrowhead at a vertex that has an undirected edge
            symbols[x, y] = chance.choice(("", "->"))
        else:
            symbols[x, y] = chance.choices(("", "->", "<->", "-> & <->"), weights)[0]
    return graph_from(names, symbols)


def random_studies(chance: random.Random, size: int, number: int) -> dict[str, list[str]]:
    """So many studies that overlap and measure every variable between them, each at least two."""
    names = list(letters(size))
    studies: list[set[str]] = [set() for _ in range(number)]
    for name in names:
        for study in chance.sample(studies, chance.randint(1, max(1, number - chance.choice((0, 1))))):
            study.add(name)
    for index, study in enumerate(studies):
        before = set().union(*studies[:index])
        if index and not study & before:
            study.add(chance.choice(sorted(before)))
        while len(study) < 2:
            study.add(chance.choice([name for name in names if name not in study]))
    return {"abc"[index]: sorted(study) for index, study in enumerate(studies)}


def random_oracle(
    chance: random.Random, size: int, *, studies: int | None = None, selection: bool = False, sparse: bool = False
) -> tuple[MixedGraph, Evidence]:
    """A truth and all that perfect tests say of it."""
    number = chance.choice((1, 2, 2, 2, 3, 3)) if studies is None else studies
    truth = random_truth(chance, size, latent=chance.choice((0, 0, 1, 2)), selection=selection, sparse=sparse)
    return truth, oracle(truth, random_studies(chance, size, number))


def as_networks(truth: MixedGraph, evidence: Evidence) -> Evidence:
    """What ION is given instead: a PAG for each study."""
    mags = {study.name: marginal_mag(truth, study.variables) for study in evidence.studies}
    return from_networks({name: pag_of(mag, selection=mag.has_selection) for name, mag in mags.items()})


def perturbed(chance: random.Random, evidence: Evidence) -> Evidence:
    """The same studies with statements left out, weakened, exchanged and made up: they may contradict each other."""
    rates = {kind: chance.choice((0, 0, 0.2, 0.5)) for kind in ("drop", "flip", "regive", "vague", "wrong", "extra")}

    def happens(kind: str) -> bool:
        return chance.random() < rates[kind]

    kept = [_changed(chance, evidence, s, happens) for s in evidence.statements if not happens("drop")]
    for x, y in itertools.combinations(evidence.variables, 2):
        if happens("extra"):  # an expert speaks of any pair, and of some twice
            kept.append(Relation(x, y, random_structures(chance)))
    return evidence.with_statements(said_once([*kept, *_some_triples(evidence)]))


def _some_triples(evidence: Evidence) -> list[Statement]:
    """In one case of six; drawn aside, so that everything else is drawn as it would be without."""
    aside = random.Random(str(evidence.statements))
    triples = list(random_triples(aside, evidence))
    return aside.sample(triples, min(len(triples), aside.choice((0, 0, 0, 0, 0, 2))))


def random_triples(chance: random.Random, evidence: Evidence) -> Iterator[Statement]:
    """Something about every variable between two others that a study measured, right or wrong."""
    for study in evidence.studies:
        for x, y in itertools.combinations(study.variables, 2):
            for middle in sorted({*study.variables} - {x, y}):
                yield chance.choice((Noncollider, Collider))(x, y, middle, (study.name,))


def _changed(
    chance: random.Random, evidence: Evidence, statement: Statement, happens: Callable[[str], bool]
) -> Statement:
    if isinstance(statement, Relation):
        allowed = random_structures(chance) if happens("wrong") else statement.allowed
        allowed |= random_structures(chance) if happens("vague") else frozenset()
        return Relation(statement.x, statement.y, allowed)
    if happens("flip"):
        return opposite(chance, evidence, statement)
    if isinstance(statement, Separated | Dependent) and happens("regive"):
        given = random_set(chance, evidence, statement)
        return replace(statement, given=given | statement.given if chance.random() < 0.5 else given)
    return statement


def opposite(chance: random.Random, evidence: Evidence, statement: Statement) -> Statement:
    """A statement about the same pair that denies this one, or would if it were of the same study or set."""
    if isinstance(statement, Relation):
        return replace(statement, allowed=frozenset(Structure) - statement.allowed or statement.allowed)
    study, x, y = chance.choice(statement.studies), statement.x, statement.y
    if isinstance(statement, Noncollider | Collider):
        denied = Collider if isinstance(statement, Noncollider) else Noncollider
        return denied(x, y, statement.middle, statement.studies, statement.weight)
    if isinstance(statement, Connected):
        given = random_set(chance, evidence, statement)
        return chance.choice((Apart(study, x, y), Separated(x, y, given, (study,))))
    if isinstance(statement, Dependent):
        return Separated(x, y, statement.given, statement.studies)
    if isinstance(statement, Separated) and chance.random() < 0.5:
        return Dependent(x, y, statement.given, statement.studies)
    return Connected(study, x, y)


def random_set(
    chance: random.Random, evidence: Evidence, statement: Connected | Apart | Separated | Dependent
) -> frozenset[str]:
    """Variables that all the studies of a statement measured, the pair left out."""
    together = frozenset.intersection(*(frozenset(evidence.study(name).variables) for name in statement.studies))
    others = sorted(together - {statement.x, statement.y})
    return frozenset(chance.sample(others, chance.randint(0, len(others))))


def said_once(statements: Iterable[Statement]) -> list[Statement]:
    """The statements without those that repeat or deny an earlier one in the same study, as evidence may not."""
    first: dict[Hashable, Statement] = {}
    for statement in statements:
        first.setdefault(statement.said_once, statement)
    return list(first.values())


def random_structures(chance: random.Random) -> frozenset[Structure]:
    """One to five marginal structures, ``none`` as likely as any."""
    return frozenset(chance.sample(list(Structure), chance.choice((1, 1, 2, 2, 3, 5))))


def random_problem(chance: random.Random, size: int, method: str, *, selection: bool = False) -> Problem:
    """A problem from perfect or perturbed evidence."""
    truth, evidence = random_oracle(chance, size, selection=selection and chance.random() < 0.8)
    if method == "ion":
        evidence = as_networks(truth, evidence)
    if chance.random() < 0.6:
        evidence = perturbed(chance, evidence)
    return Problem.of(evidence, method, selection=selection)


def random_claim(chance: random.Random, names: Sequence[str]) -> Claim:
    """A claim of any kind about any two variables."""
    x, y = chance.sample(list(names), 2)
    holds = chance.random() < 0.6
    topic = chance.choice(list(Topic))
    return Claim(topic, x, y, holds, chance.choice(CLAIMED_EDGES)) if topic is Topic.EDGE else Claim(topic, x, y, holds)


def random_claims(chance: random.Random, names: Sequence[str]) -> tuple[Claim, ...]:
    """One to three claims."""
    return tuple(random_claim(chance, names) for _ in range(chance.choice((1, 1, 2, 3))))


# -- every MAG, with all that a problem can ask of it ------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """A consistent MAG, and which pairs are confounded in each latent-variable model of it that fits."""

    mag: MixedGraph
    causes: frozenset[tuple[int, int]]
    confounded: frozenset[frozenset[tuple[int, int]]]


@dataclass(frozen=True)
class _Entry:
    """A MAG with the answers to all questions about it."""

    mag: MixedGraph
    separated: frozenset[tuple[int, int, int]]
    """The (x, y, given) that it separates."""
    induced: frozenset[tuple[int, int, int]]
    """The (x, y, latent) between which it has an inducing path."""
    above: frozenset[tuple[int, int, int]]
    """The (x, y, z as bits) of which z has a directed path to x, to y, or to a vertex with an undirected edge."""
    edges: frozenset[tuple[int, int, str]]
    """The (x, y, edge read from x), for both orders of x and y."""
    causes: frozenset[tuple[int, int]]
    models: frozenset[frozenset[tuple[int, int]]]
    """For each of its latent-variable models the pairs that are confounded."""


@cache
def _catalogue(size: int, selection: bool) -> tuple[_Entry, ...]:
    return tuple(_entry(mag) for mag in all_mags(size, selection=selection))


def _entry(mag: MixedGraph) -> _Entry:
    pairs = list(itertools.combinations(range(mag.size), 2))
    questions = [(x, y, mask) for x, y in pairs for mask in range(1 << mag.size) if not mask & (1 << x | 1 << y)]
    edges = {(x, y): mag.edge(mag.names[x], mag.names[y]) for x, y in itertools.permutations(range(mag.size), 2)}
    above = [ancestor_mask(mag, 1 << y) & ~(1 << y) for y in range(mag.size)]
    return _Entry(
        mag,
        frozenset((x, y, given) for x, y, given in questions if not connected_masks(mag, x, given) >> y & 1),
        frozenset((x, y, latent) for x, y, latent in questions if has_inducing_path(mag, x, y, latent)),
        frozenset(
            (x, y, 1 << z)
            for x, y in pairs
            for z in range(mag.size)
            if z not in (x, y) and (1 << z) & (above[x] | above[y] | mag.selected | _above_any(above, mag.selected))
        ),
        frozenset((x, y, symbol) for (x, y), symbol in edges.items() if symbol),
        frozenset((x, y) for y in range(mag.size) for x in bits(above[y])),
        frozenset(frozenset(pair for pair in pairs if is_confounded(model, *pair)) for model in doublings(mag)),
    )


def _above_any(above: Sequence[int], vertices: int) -> int:
    return reduce(or_, (above[v] for v in bits(vertices)), 0)


def answers(problem: Problem, claims: Iterable[Claim] = ()) -> list[Answer]:
    """Every solution under the claims by going over every MAG (of at most four variables), with the models that fit."""
    assert problem.names == letters(len(problem.names)), "the tables know the variables A, B, C, D only"
    question = _Question(problem, tuple(claims) + problem.claims)
    found = (question.answer(entry) for entry in _catalogue(len(problem.names), problem.selection))
    return [answer for answer in found if answer]


class _Question:
    """A problem in the terms of the tables."""

    def __init__(self, problem: Problem, claims: tuple[Claim, ...]) -> None:
        index = {name: i for i, name in enumerate(problem.names)}
        self.separated = {(s.x, s.y, s.given) for s in problem.separations}
        self.connected = {(d.x, d.y, d.given) for d in problem.numbered(Dependence).values()}
        self.induced = {(c.x, c.y, c.latent) for c in problem.connections}
        self.not_induced = {(a.x, a.y, a.latent) for a in problem.numbered(Apartness).values()}
        self.above = {(t.x, t.y, t.middle) for t in problem.numbered(CauseOfOne).values()}
        self.not_above = {(t.x, t.y, t.middle) for t in problem.numbered(CauseOfNeither).values()}
        self.banned = {(o.x, o.y, symbol) for o in problem.orientations for symbol in EDGES if symbol not in o.allowed}
        self.relations = problem.relations
        self.claims = [(claim, index[claim.x], index[claim.y]) for claim in claims]

    def answer(self, entry: _Entry) -> Answer | None:
        if not (self.separated <= entry.separated and self.induced <= entry.induced):
            return None
        if not (self.connected.isdisjoint(entry.separated) and self.not_induced.isdisjoint(entry.induced)):
            return None
        if not (self.above <= entry.above and self.not_above.isdisjoint(entry.above)):
            return None
        if not self.banned.isdisjoint(entry.edges) or not all(_fits(entry, *claim) for claim in self.claims):
            return None
        models = frozenset(model for model in entry.models if self._allows(entry, model))
        return Answer(entry.mag, entry.causes, models) if models else None

    def _allows(self, entry: _Entry, model: frozenset[tuple[int, int]]) -> bool:
        return all(
            Structure.of(
                causes=(r.x, r.y) in entry.causes, caused=(r.y, r.x) in entry.causes, confounded=(r.x, r.y) in model
            )
            in r.allowed
            for r in self.relations
        ) and all(
            ((min(x, y), max(x, y)) in model) == claim.holds
            for claim, x, y in self.claims
            if claim.topic is Topic.CONFOUNDED
        )


def _fits(entry: _Entry, claim: Claim, x: int, y: int) -> bool:
    if claim.topic is Topic.CONFOUNDED:
        return True  # a matter of the model
    if claim.topic is Topic.CAUSES:
        return ((x, y) in entry.causes) == claim.holds
    fitting = [symbol for symbol in EDGES if claim.fits_edge(*EDGE_SYMBOLS[symbol])]
    return any((x, y, symbol) in entry.edges for symbol in fitting) == claim.holds


def shown(problem: Problem, claims: Iterable[Claim] = ()) -> str:
    """A problem in words, for the message of a test that failed."""
    return "; ".join([*_sentences(problem), *(f"suppose {claim}" for claim in claims)])


def _sentences(problem: Problem) -> Iterator[str]:
    yield f"variables {''.join(problem.names)}" + " with selection" * problem.selection
    for of_set in (*problem.separations, *problem.numbered(Dependence).values()):
        yield str(of_set.origin)
    for of_study in (*problem.connections, *problem.numbered(Apartness).values()):
        latent = "".join(problem.names[v] for v in bits(of_study.latent))
        yield f"{of_study.origin} (without {latent or 'none'})"
    for triple in (*problem.numbered(CauseOfOne).values(), *problem.numbered(CauseOfNeither).values()):
        yield str(triple.origin)
    for orientation in problem.orientations:
        yield f"an edge there agrees: {orientation.origin}"
    for relation in problem.relations:
        yield str(relation.origin)
