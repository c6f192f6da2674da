"""What the statements of an experiment say about the undisturbed process.

In an experiment some variables I were *set* by the experimenter: randomised, each independently of everything else, or
held at a value. What influenced them before does so no longer: the study's graph G is the graph A of the undisturbed
process without the edges that have an arrowhead in I (a hard intervention). All statements elsewhere are about A. So
each statement of the study is kept, turned into another, or dropped:

====================== ======================================= =====================================================
statement of the study if                                      what it says of A
====================== ======================================= =====================================================
x, y connected         neither was set                         the same: edges were only taken away
x, y connected         x was set                               the same, and x causes y
x, y dependent         x was set                               x causes y
x, y separated given Z x was set, x causes nothing in Z but    x does not cause y
                       what was set, and no other variable
                       that was set may carry it
x, y separated given Z none of x, y, Z was set, and nothing    the same
                       that was set causes any of them
x, y apart             neither was set, and nothing that was   the same
                       set causes one of them
x, y dependent given Z not both were set                       the same
any                    both were set, or else                  nothing; it is dropped
====================== ======================================= =====================================================

Why: a path that connects x and y in G given Z does so in A, which has all its edges. Every vertex of an inducing path
is an ancestor of x or y. If nothing in I is, no such path of A meets I, and G has the same: a pair that is apart in G
is so in A. Every vertex of an m-connecting path given Z is an ancestor of x, y or Z. If nothing in I is, no such path
meets I, and G and A have the same. If some i in I may be an ancestor of y, then A may be ``x -> i -> y``; of a member z
of Z, then ``x -> i <- y; i -> z``; if i is in Z, then ``x -> i <- y``: the separation fails in A and holds in G. So the
rule keeps exactly what is sound. (Tested over all ADMGs of up to four variables.)

A separation or dependence that names several studies is taken study by study. What all the studies keep is kept; if
some do not, it stays with those that do.

Who of I causes y is told by the study itself: if i and y are independent there, i can cause y in A only through
another variable of I. Let S be the largest set of variables of I that are all independent of y, such that for no i in
S and j in I outside S both i may cause j and j may cause y. Then none of S causes y: on a directed path from i in S
to y the last vertex j in I causes y in G too, so it is not independent of y, not in S, and i causes j: a
contradiction. What other studies and knowledge exclude counts as well. (Independent given Z is as good as independent
if i causes no member of Z but those that were set: a directed path from i to y does not meet Z then, or is cut there.)

A pair that was judged by its two columns (:class:`~weft.evidence.statements.Relation`) is another matter, since a
relation does not say which study it came from: see :meth:`Undisturbed.relation`.

All this speaks of the population that was studied, and rests on independent settings: a dependence between two
variables that were both set shows that these were not, and is dropped; look at the design then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
from weft.graphs.criteria import Structure
from weft.knowledge.items import KnowledgeError, shown
from weft.knowledge.knowledge import Knowledge, place_of, suggestion
from weft.reading.names import quote

CAUSING = frozenset(one for one in Structure if one.causes)
NOT_CAUSING = frozenset(Structure) - CAUSING

Pairs = frozenset[tuple[str, str]]
Found = Connected | Apart | Separated | Dependent | Noncollider | Collider
"""What a study finds by its tests."""


@dataclass(frozen=True)
class Change:
    """A statement of an experiment, what became of it, and why."""

    statement: Statement | None
    """``None`` for a dependence that is no statement by itself."""
    became: tuple[Statement, ...]
    reason: str


@dataclass(frozen=True)
class Undisturbed:
    """Evidence in which every statement is about the undisturbed process."""

    evidence: Evidence
    changes: tuple[Change, ...]
    """What was turned into something else, added to, or dropped."""
    interventions: Mapping[str, frozenset[str]]
    never_causes: Pairs
    """The (i, y) for which it is excluded that i causes y."""

    def relation(self, study: str, relation: Relation) -> Relation | None:
        """What a relation that was judged from one study's data says about the undisturbed process.

        Nothing (``None``) if one of the pair was set there. Else what is there in the experiment is there without it,
        but causes and common causes that pass through a variable that was set were cut and may come on top: unless
        nothing that was set causes x or y.
        """
        was_set = self.interventions.get(study, frozenset())
        if relation.x in was_set or relation.y in was_set:
            return None
        to_x = any((i, relation.x) not in self.never_causes for i in was_set)
        to_y = any((i, relation.y) not in self.never_causes for i in was_set)
        allowed = frozenset(more for one in relation.allowed for more in _with_more(one, to_x, to_y))
        return None if allowed == frozenset(Structure) else replace(relation, allowed=allowed)


def _with_more(structure: Structure, to_x: bool, to_y: bool) -> Iterator[Structure]:
    """The structures that a pair may have once edges come back that lead to x, to y through what was set."""
    if structure.causes:  # what leads to x leads to y
        to_x &= to_y
    if structure.caused:
        to_y &= to_x
    for more in Structure:
        if (
            (more.causes == structure.causes or (more.causes and to_y))
            and (more.caused == structure.caused or (more.caused and to_x))
            and (more.confounded == structure.confounded or (more.confounded and (to_x or to_y)))
        ):
            yield more


def undisturbed(
    evidence: Evidence, knowledge: Knowledge, dependent: Mapping[str, Iterable[tuple[str, str]]] | None = None
) -> Undisturbed:
    """Turn the statements of experiments into statements about the undisturbed process (see the module's text).

    Parameters
    ----------
    evidence
        What the studies say, each by its own data: results of an experiment must not be pooled with others. Evidence
        that was gathered from tables (:func:`weft.gather`) is left as it is: its experiments were heeded then.
    knowledge
        Which studies were experiments, and what else is known.
    dependent
        For each study, pairs that were found dependent with nothing given. A connected pair need not be listed.

    Examples
    --------
    >>> from weft.evidence.oracle import oracle
    >>> found = undisturbed(oracle("X -> Y; Z", [["X", "Y", "Z"]]), Knowledge.of("randomised in a: X"))
    >>> for statement in found.evidence.statements:
    ...     print(statement)
    X and Y are connected in study 'a'
    the structure of (X, Y) is -> or -> & <->
    the structure of (X, Y) is ->
    the structure of (X, Z) is none or <- or <-> or <- & <->
    """
    found_dependent = {study: frozenset(map(frozenset, pairs)) for study, pairs in (dependent or {}).items()}
    check_experiments(knowledge, [study.name for study in evidence.studies])
    _check_dependent(evidence, found_dependent)
    interventions = knowledge.interventions
    if evidence.tables:  # evidence that was gathered from tables speaks of the undisturbed process already
        _check_gathered(evidence, knowledge)
        return Undisturbed(evidence, (), interventions, knowledge.never_causes)
    never = _never_causes(evidence, knowledge)
    kept: list[Statement] = []
    changes: list[Change] = []
    for statement in evidence.statements:
        if isinstance(statement, Relation) or interventions.keys().isdisjoint(statement.studies):
            kept.append(statement)
            continue
        change = _changed_by_study(statement, interventions, never)
        if change.became != (statement,):
            changes.append(change)
        kept += change.became
        if isinstance(statement, Connected) or (isinstance(statement, Dependent) and not statement.given):
            for study in statement.studies:
                found_dependent[study] = found_dependent.get(study, frozenset()) - {
                    frozenset((statement.x, statement.y))
                }
    for study in (one for one in interventions if one in found_dependent):
        pairs = sorted(map(sorted, found_dependent[study]))
        changes += [_effect(study, pair, interventions[study]) for pair in pairs]
    kept += [new for change in changes if change.statement is None for new in change.became]
    return Undisturbed(evidence.with_statements(dict.fromkeys(kept)), tuple(changes), interventions, never)


def check_experiments(knowledge: Knowledge, studies: Sequence[str]) -> None:
    """Refuse an experiment in a study that there is not."""
    for experiment in knowledge.experiments:
        if experiment.study not in studies:
            where, study = place_of(experiment), experiment.study
            raise KnowledgeError(f"{where}: there is no study {shown(study)}; {suggestion(study, studies)}")


def _check_gathered(evidence: Evidence, knowledge: Knowledge) -> None:
    """Refuse an experiment that was not known, or known otherwise, when the evidence was gathered."""
    were_set = {table.name: frozenset(table.interventions) for table in evidence.tables}
    for experiment in knowledge.experiments:
        now, then = knowledge.interventions[experiment.study], were_set.get(experiment.study, frozenset())
        if now != then:
            raise KnowledgeError(
                f"{place_of(experiment)}: the evidence was gathered as if {_listed(then)} was set in study "
                f"{shown(experiment.study)}; gather it again with this knowledge"
            )


def _listed(names: frozenset[str]) -> str:
    return ", ".join(map(shown, sorted(names))) or "nothing"


def _check_dependent(evidence: Evidence, dependent: Mapping[str, frozenset[frozenset[str]]]) -> None:
    measured = {study.name: frozenset(study.variables) for study in evidence.studies}
    for study, pairs in dependent.items():
        if study not in measured:
            raise KnowledgeError(f"dependent: there is no study {shown(study)}; {suggestion(study, measured)}")
        for pair in sorted(map(sorted, pairs)):
            for name in pair:
                if name not in measured[study]:
                    there = suggestion(name, sorted(measured[study]))
                    raise KnowledgeError(f"dependent: {shown(name)} is no variable of study {shown(study)}; {there}")
            if len(pair) != 2:
                said = f"expected two different variables, found {shown(tuple(pair))}"
                raise KnowledgeError(f"dependent: study {shown(study)}: {said}")


def _changed_by_study(statement: Found, interventions: Mapping[str, frozenset[str]], never: Pairs) -> Change:
    """What becomes of a statement: of each study's share in it, if several took part."""
    if isinstance(statement, Connected | Apart) or len(statement.studies) == 1:
        (study,) = statement.studies
        return _changed(statement, study, interventions[study], never)
    were_set = {name: interventions.get(name, frozenset()) for name in statement.studies}
    shares = {name: _changed(statement, name, was_set, never) for name, was_set in were_set.items()}
    keeping = tuple(name for name, share in shares.items() if statement in share.became)
    added = [one for share in shares.values() for one in share.became if one != statement]
    reasons = "; ".join(share.reason for share in shares.values() if share.reason)
    return Change(statement, (*([replace(statement, studies=keeping)] if keeping else ()), *added), reasons)


def _changed(statement: Found, study: str, was_set: frozenset[str], never: Pairs) -> Change:
    x, y = statement.x, statement.y
    if x in was_set and y in was_set:
        return Change(statement, (), f"both were set in study {shown(study)}: this speaks of the design only")
    if y in was_set:
        x, y = y, x
    reason = f"{shown(x)} was set in study {shown(study)}"
    if isinstance(statement, Noncollider):  # what causes something where edges are cut causes it without that, too
        return Change(statement, (statement,), "")
    if isinstance(statement, Connected | Dependent):
        if x not in was_set or (isinstance(statement, Dependent) and statement.given):
            return Change(statement, (statement,), "")
        effect = _relation(x, y, CAUSING, statement, study)
        return Change(statement, (statement, effect), f"{reason}: a dependence is an effect")
    if x in was_set:
        if isinstance(statement, Separated) and _shows_no_effect(x, y, statement.given, was_set, never):
            no_effect = _relation(x, y, NOT_CAUSING, statement, study)
            return Change(statement, (no_effect,), f"{reason}: no dependence, no effect")
        return Change(statement, (), f"{reason}: what influences it was cut there")
    speaks_of = statement.together
    causing = sorted(i for i in was_set if i in speaks_of or any((i, name) not in never for name in speaks_of))
    if not causing:
        return Change(statement, (statement,), "")
    reason = f"{shown(causing[0])} was set in study {shown(study)}"
    return Change(statement, (), f"{reason}: paths through it were cut there")


def _shows_no_effect(x: str, y: str, given: frozenset[str], was_set: frozenset[str], never: Pairs) -> bool:
    return (x, y) in never and all(z in was_set or (x, z) in never for z in given)


def _effect(study: str, pair: list[str], was_set: frozenset[str]) -> Change:
    """What a dependence says."""
    causes = [name for name in pair if name in was_set]
    if len(causes) != 1:
        both = " and ".join(map(shown, pair))
        return Change(None, (), f"a dependence of {both} in study {shown(study)} says nothing more")
    cause, effect = causes[0], next(name for name in pair if name not in was_set)
    found = _relation(cause, effect, CAUSING, Connected(study, cause, effect), study)
    return Change(None, (found,), f"{shown(cause)} was set in study {shown(study)}: a dependence is an effect")


def _relation(x: str, y: str, allowed: frozenset[Structure], statement: Found, study: str) -> Relation:
    source = statement.provenance.source
    said = f"{quote(x)} was set in study {study!r}" + (f", {source}" if source else "")
    return Relation(x, y, allowed, statement.weight, replace(statement.provenance, source=said))


def _never_causes(evidence: Evidence, knowledge: Knowledge) -> Pairs:
    """Who cannot cause whom, by knowledge and by the experiments, until nothing new follows."""
    never = set(knowledge.never_causes)
    separated = [
        (knowledge.interventions[study], study, x, y, s.given - knowledge.interventions[study])
        for s in evidence.separated
        for study in s.studies
        if study in knowledge.interventions
        for x, y in ((s.x, s.y), (s.y, s.x))
    ]
    before = -1
    while before != len(never):
        before = len(never)
        independent: dict[tuple[str, str], set[str]] = {}
        for was_set, study, x, y, given in separated:
            if x in was_set and y not in was_set and all((x, z) in never for z in given):
                independent.setdefault((study, y), set()).add(x)
        for (study, y), causes in independent.items():
            never |= {(i, y) for i in _without_effect(y, causes, knowledge.interventions[study], never)}
    return frozenset(never)


def _without_effect(y: str, independent: set[str], was_set: frozenset[str], never: set[tuple[str, str]]) -> set[str]:
    """The set S of the module's text."""
    chosen = set(independent)
    while carried := {
        i for i in chosen if any((i, j) not in never and (j, y) not in never for j in was_set - chosen)
    }:  # fmt: skip
        chosen -= carried
    return chosen
