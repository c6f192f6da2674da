"""From what tests showed to statements with weights: no more is said than was seen.

- A pair that some set seems to separate is `Apart` in that study, any other is `Connected`.
- The set is named (`Separated`) only if it has rivals, and these clearly do not separate the pair.
- Of a pair that is not connected, the tests given nothing and given the rivals are `Dependent` where that is plain: a
  collider follows where a pair is dependent given the variable in between, the opposite where it is so without it.
- A common neighbour that makes the difference, so that the pair is independent with it in the set and clearly dependent
  without it, or the other way round, is a `Noncollider` or a `Collider`: it causes one of the two, or neither. That
  holds far more often than that it is this very set which separates the pair: weak links that no test sees change the
  set, and not the direction. Where the set is named, its middles follow and are not stated beside it. Only tests that
  see dependence of any shape say so: effects that cancel each other out on a line deceive one that sees lines (of what
  fisher-z would have said with 90 % and more on simulated linear data, one in six was wrong; of kernel tests, none of
  80).

This is conservative inference in the form of statements. Separations and dependences are about the joint structure: a
test that pools several studies makes one statement.

A statement that is less sure than the confidence asked for is not made. Where that leaves a pair neither connected nor
apart, it is *undecided* in that study: a test at level alpha must come down on one side, and what is not known is
better left open. So is a pair for which the budget of tests ended too soon (:attr:`Skeleton.barely`). Without this rule
42 of 623 connections were wrong with a fifth of the usual budget, where 5 were to be expected from their weights.

A set of which no study gives a verdict (a sparse table, for one) does not separate the pair, and does not count as a
dependence. If that is so of every set, nothing is said about the pair in that study.

References
----------
Ramsey, Zhang and Spirtes, *Adjacency-faithfulness and conservative causal inference*, UAI 2006.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from weft.evidence.seen import Examined, Middle, Seen, dependence, middles, of_the_run, seen
from weft.evidence.skeleton import Query
from weft.evidence.statements import Apart, Collider, Connected, Dependent, Noncollider, Separated, Statement
from weft.evidence.tester import Tester
from weft.evidence.weights import Features, log_odds, nested, probability

_SEE_ANY_SHAPE = frozenset({"kcit", "kcit-exact", "mixed", "g-square", "chi-square"})


@dataclass(frozen=True)
class Stated:
    """What is said, and what is not."""

    statements: tuple[Statement, ...]
    undecided: tuple[Apart | Connected, ...]
    """The statements about pairs in studies that are not sure enough, with their weights."""
    pairs: int
    """The pairs of studies that were judged."""


def stated(examined: Sequence[Examined], tester: Tester, confidence: float) -> Stated:
    """The statements that are sure enough, and those about pairs in studies that are not.

    An `Apart` whose whole weight has gone into the `Separated` of its set (:func:`weft.evidence.weights.nested`) is not
    stated beside it: it follows.
    """
    run = of_the_run(examined)
    judged = [_judged(part, one, tester, confidence) for part in examined for one in seen(part, run)]
    separated = _separations(judged, tester, confidence)
    adjacencies = (_beside(one, separated.get(one.seen.query)) for one in judged if one.sure)
    dependent = (one for one in _dependences(judged, tester, run) if probability(one.weight) >= confidence)
    unnamed = (one for part in examined for one in middles(part, run) if one.query not in separated)
    triples = (one for one in _triples(unnamed, tester) if probability(one.weight) >= confidence)
    return Stated(
        (*(one for one in adjacencies if one.weight), *separated.values(), *dependent, *triples),
        tuple(one.statement for one in judged if not one.sure),
        len(judged),
    )


@dataclass(frozen=True)
class _Judged:
    """A pair in a study: what was seen, what that says, and whether it is sure enough to be said."""

    part: Examined
    seen: Seen
    statement: Apart | Connected
    """With its weight by itself."""
    sure: bool


def _judged(part: Examined, one: Seen, tester: Tester, confidence: float) -> _Judged:
    odds = log_odds("apart" if one.separable else "connected", one.adjacency)
    if one.pair in part.skeleton.barely:  # no constant was fitted to searches that had hardly begun
        odds = min(odds, 0.0)
    kind = Apart if one.separable else Connected
    told = tester.told(one.query)
    if one.pair in part.skeleton.unfinished:
        told = replace(told, source=f"{told.source}, not all sets tried")
    statement = kind(one.study, one.query.x, one.query.y, max(odds, 0.0), told)
    return _Judged(part, one, statement, odds > 0 and probability(odds) >= confidence)


def _separations(judged: Iterable[_Judged], tester: Tester, confidence: float) -> dict[Query, Separated]:
    """The sets that separate pairs which are apart; what two studies say about one of them, the less sure."""
    found: dict[Query, Separated] = {}
    for one in judged:
        query, weight = one.seen.query, naming_weight(one.seen, confidence) if one.sure else 0.0
        if weight > 0 and (query not in found or weight < (found[query].weight or 0.0)):
            found[query] = Separated(*_about(query, tester), weight, tester.told(query))
    return found


def naming_weight(one: Seen, confidence: float) -> float:
    """The weight with which the set that separates a pair is named; 0 if it is not sure enough."""
    if not one.separable or one.naming is None:
        return 0.0
    apart, named = log_odds("apart", one.adjacency), log_odds("separated", one.naming)
    return nested(max(apart, 0.0), named)[1] if min(probability(apart), probability(named)) >= confidence else 0.0


def _beside(one: _Judged, separated: Separated | None) -> Apart | Connected:
    """The statement about the pair, with the weight that is left beside that about its set."""
    if separated is None or one.seen.naming is None:
        return one.statement
    total = sum(nested(one.statement.weight or 0.0, log_odds("separated", one.seen.naming)))
    return replace(one.statement, weight=max(0.0, total - (separated.weight or 0.0)))


def _dependences(judged: Sequence[_Judged], tester: Tester, run: Features) -> Iterator[Dependent]:
    """The sets that leave pairs dependent, for pairs that are not said to be connected where these were measured."""
    connected = [one for one in judged if one.sure and isinstance(one.statement, Connected)]
    implied = {(one.seen.query.x, one.seen.query.y, frozenset(one.part.skeleton.names)) for one in connected}
    told: set[Query] = set()
    for one in judged:
        pair = one.seen.query.x, one.seen.query.y
        for query in {Query(*pair): None, **dict.fromkeys(one.seen.rivals)}:
            follows = any(pair == (x, y) and query.variables <= measured for x, y, measured in implied)
            if query in told or follows or not _is_dependent(one.part, query):
                continue
            told.add(query)
            odds = log_odds("dependent", dependence(one.part, query, run))
            yield Dependent(*_about(query, tester), max(odds, 0.0), tester.told(query))


def _triples(seen_between: Iterable[Middle], tester: Tester) -> Iterator[Noncollider | Collider]:
    """What is said of variables between pairs; what studies say about one triple, if they agree, the surest."""
    found: dict[tuple[str, str, str], Noncollider | Collider] = {}
    disputed: set[tuple[str, str, str]] = set()
    for one in seen_between:
        kind, query = Noncollider if one.is_given else Collider, one.query
        told = tester.told(query)
        if not _SEE_ANY_SHAPE.issuperset((told.source or "").split(", ")):
            continue
        odds = log_odds("noncollider" if one.is_given else "collider", one.features)
        triple, larger = (query.x, query.y, one.name), query if one.is_given else one.rival
        studies = tuple(part.study for part in tester.answers[larger].parts)
        said = kind(*triple, studies, max(odds, 0.0), told)
        before = found.setdefault(triple, said)
        if type(before) is not type(said):
            disputed.add(triple)
        elif (before.weight or 0.0) < (said.weight or 0.0):
            found[triple] = said
    return (said for triple, said in found.items() if triple not in disputed)


def _is_dependent(part: Examined, query: Query) -> bool:
    return query in part.answers and not part.answers[query].independent(part.alpha)


def _about(query: Query, tester: Tester) -> tuple[str, str, frozenset[str], tuple[str, ...]]:
    """What a statement about a set says: the pair, the set, and the studies that took part."""
    studies = tuple(part.study for part in tester.answers[query].parts)
    return query.x, query.y, frozenset(query.given), studies
