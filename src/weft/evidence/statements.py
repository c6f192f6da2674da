"""What the studies say: statements about the unknown graph, each a frozen value that remembers where it came from.

Each kind of statement is a file of :mod:`weft.evidence.kinds`; here they are put together.

============== ============================================================== ========================================
statement      says                                                           holds in a MAG H exactly if
============== ============================================================== ========================================
`Connected`    no set of the study's other variables separates x and y        H has an inducing path between x and y
               (the paper's IP)                                               relative to what the study lacks
`Apart`        some set of the study's other variables separates x and y      H has no such path
`Separated`    x and y are independent given that set (the paper's Sepset)    the set m-separates x and y in H
`Dependent`    x and y are dependent given that set                           the set does not m-separate x and y in H
`Noncollider`  z, between x and y, causes one of the two                      z is an ancestor of x or of y in H
`Collider`     z, between x and y, causes neither                             it is not
`Relation`     the marginal causal structure of the pair is one of `allowed`  some latent-variable model of H has it
============== ============================================================== ========================================

`Connected` and `Apart` speak of a study, the others of the joint structure: where all that they name was measured
together, any study may find them. A set that separates a pair makes it apart in every study that measured
both and the set.

If all of this is true, one separating set per pair that is apart is enough: together with the connected pairs it pins
the Markov equivalence class of the study's marginal MAG.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_lowercase
from typing import Any, Literal, NamedTuple

from weft.errors import EvidenceError
from weft.evidence.kinds import (
    KINDS,
    NOWHERE,
    Apart,
    Collider,
    Connected,
    Dependent,
    Noncollider,
    Provenance,
    Relation,
    Separated,
    Statement,
    as_structure,
)
from weft.evidence.kinds.provenance import shown_pair
from weft.reading.names import too_many

__all__ = [
    "NOWHERE",
    "Apart",
    "Collider",
    "Connected",
    "Dependent",
    "Evidence",
    "Flaw",
    "FlawError",
    "Noncollider",
    "Provenance",
    "Relation",
    "Scope",
    "Separated",
    "Setting",
    "Statement",
    "as_structure",
    "flaws",
    "study_names",
]


@dataclass(frozen=True)
class Scope:
    """A study's name and the variables that it measured, sorted."""

    name: str
    variables: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(sorted(self.variables)))


Setting = str | int | float | bool | None


@dataclass(frozen=True)
class Table:
    """The table of data that a study's statements were found in."""

    name: str
    """The study's."""
    rows: int
    kinds: Mapping[str, str] = field(default_factory=dict)
    """The kind of each column, by name."""
    fingerprint: str = ""
    """SHA-256 of its content."""
    interventions: tuple[str, ...] = ()
    """The variables that were set by the experimenter. The statements speak of the process without that."""
    source: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The file that it was read from, and how (:class:`weft.studies.build.Recipe`)."""


@dataclass(frozen=True)
class Evidence:
    """Everything that is known: the studies and the statements.

    The variables are those of the studies. Checked on the way in: every statement speaks of variables that its studies
    measured (together, if it names a set), a pair is connected or apart in a study and never both, a set separates a
    pair or leaves it dependent and never both by the same studies, none of these is stated twice, and the studies hang
    together (each shares a variable with another, none stands apart).

    Statements are kept in one order, so that evidence is equal exactly if it says the same: study by study, then what
    names no study, and in each kind by kind and by pair. A statement that names several studies stands with the first
    of them. Two relations of one pair stay in the order they came in.

    >>> evidence = Evidence((Scope("a", ("X", "Y")),), (Connected("a", "X", "Y"),))
    >>> evidence.variables
    ('X', 'Y')
    """

    studies: tuple[Scope, ...]
    statements: tuple[Statement, ...] = field(default=())
    settings: Mapping[str, Setting] = field(default_factory=dict, compare=False)
    """How the statements were found, such as the test and its level; it changes nothing of what they say."""
    tables: tuple[Table, ...] = field(default=(), compare=False)
    """What they were found in, study by study; nothing if they do not come from tables."""
    warnings: tuple[str, ...] = field(default=(), compare=False)
    """What one should know before relying on them."""

    def __repr__(self) -> str:
        return (
            f"<Evidence: {len(self.studies)} studies, {len(self.variables)} variables, "
            f"{len(self.statements)} statements>"
        )

    def __post_init__(self) -> None:
        studies, statements = tuple(self.studies), tuple(self.statements)
        for flaw in flaws(studies, statements):
            raise FlawError(_message(flaw, studies, statements), flaw)
        object.__setattr__(self, "studies", studies)
        object.__setattr__(self, "settings", dict(self.settings))
        object.__setattr__(self, "statements", _in_order(studies, statements))

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The union of the studies' variables, sorted."""
        return tuple(sorted({v for study in self.studies for v in study.variables}))

    @cached_property
    def connected(self) -> tuple[Connected, ...]:
        """The connections."""
        return tuple(s for s in self.statements if isinstance(s, Connected))

    @cached_property
    def apart(self) -> tuple[Apart, ...]:
        """The connections denied."""
        return tuple(s for s in self.statements if isinstance(s, Apart))

    @cached_property
    def separated(self) -> tuple[Separated, ...]:
        """The separations."""
        return tuple(s for s in self.statements if isinstance(s, Separated))

    @cached_property
    def dependent(self) -> tuple[Dependent, ...]:
        """The separations denied."""
        return tuple(s for s in self.statements if isinstance(s, Dependent))

    @cached_property
    def noncolliders(self) -> tuple[Noncollider, ...]:
        """Variables that cause one of a pair."""
        return tuple(s for s in self.statements if isinstance(s, Noncollider))

    @cached_property
    def colliders(self) -> tuple[Collider, ...]:
        """Variables that cause neither of a pair."""
        return tuple(s for s in self.statements if isinstance(s, Collider))

    @cached_property
    def relations(self) -> tuple[Relation, ...]:
        """The relations."""
        return tuple(s for s in self.statements if isinstance(s, Relation))

    @cached_property
    def _scopes(self) -> dict[str, Scope]:
        return {study.name: study for study in self.studies}

    def study(self, name: str) -> Scope:
        """The study of that name."""
        try:
            return self._scopes[name]
        except KeyError:
            raise EvidenceError(f"there is no study {name!r}; there are {_listed(self._scopes)}") from None

    def with_statements(self, statements: Iterable[Statement]) -> Evidence:
        """The same studies with other statements."""
        return replace(self, statements=tuple(statements))


def _in_order(studies: tuple[Scope, ...], statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    place = {study.name: i for i, study in enumerate(studies)}
    order = {kind: i for i, kind in enumerate(KINDS)}

    def key(statement: Statement) -> tuple[int, int, str, str, list[str], list[int]]:
        given = sorted(statement.together)
        places = sorted(place[name] for name in statement.studies) or [len(studies)]
        return places[0], order[type(statement)], statement.x, statement.y, given, places

    return tuple(sorted(statements, key=key))


# -- what can be wrong -----------------------------------------------------------------------------------------------


class Flaw(NamedTuple):
    """Something wrong with evidence, as data: a reader of files says where by line of the file, others by the name."""

    kind: Literal["evidence", "study", "statement"]
    position: int
    """Which of the studies or of the statements."""
    part: str
    """Which part of it: a field's name, as in the evidence file."""
    text: str
    earlier: int | None = None
    """The study or statement that stood there first, if the flaw is a repetition."""


class FlawError(EvidenceError):
    """Evidence was refused; :attr:`flaw` says why, as data."""

    def __init__(self, message: str, flaw: Flaw) -> None:
        super().__init__(message, flaw)
        self.flaw = flaw

    def __str__(self) -> str:
        return str(self.args[0])


def _message(flaw: Flaw, studies: tuple[Scope, ...], statements: tuple[Statement, ...]) -> str:
    if flaw.kind == "study":
        return f"study {studies[flaw.position].name!r}: {flaw.text}"
    return f"'{statements[flaw.position]}': {flaw.text}" if flaw.kind == "statement" else flaw.text


def flaws(studies: tuple[Scope, ...], statements: tuple[Statement, ...]) -> Iterator[Flaw]:
    """Everything that is wrong with studies and statements, the worst first; nothing if they make evidence.

    >>> studies = (Scope("a", ("X", "Y")),)
    >>> [flaw.text for flaw in flaws(studies, (Separated("X", "Y", frozenset("Q"), ("a",)),))]
    ["'Q' is not a variable of study 'a'"]
    """
    yield from _study_flaws(studies)
    yield from _statement_flaws(studies, statements)


def _study_flaws(studies: tuple[Scope, ...]) -> Iterator[Flaw]:
    if not studies:
        yield Flaw("evidence", 0, "studies", "there is no study; give at least one")
        return
    first: dict[str, int] = {}
    for index, study in enumerate(studies):
        if not study.name:
            yield Flaw("study", index, "name", "the name is empty; give the study one")
        elif study.name in first:
            text = f"another study is called {study.name!r} too; give each its own name"
            yield Flaw("study", index, "name", text, first[study.name])
        first.setdefault(study.name, index)
        for name, following in zip(study.variables, study.variables[1:], strict=False):
            if name == following:
                yield Flaw("study", index, "variables", f"{name!r} is listed twice")
        if "" in study.variables:
            yield Flaw("study", index, "variables", "a variable's name is empty; give it one")
        if len(study.variables) < 2:
            yield Flaw("study", index, "variables", "a study of fewer than two variables says nothing about a pair")
        if refusal := too_many(len(study.variables)):
            yield Flaw("study", index, "variables", refusal)
    if refusal := too_many(len({name for study in studies for name in study.variables})):
        yield Flaw("evidence", 0, "studies", refusal)
    yield from _apart(studies)


def _apart(studies: tuple[Scope, ...]) -> Iterator[Flaw]:
    """Find a study that no chain of common variables links to the first one: nothing would tie their answers."""
    measured_by: dict[str, list[int]] = {}
    for index, study in enumerate(studies):
        for name in study.variables:
            measured_by.setdefault(name, []).append(index)
    linked, waiting = {0}, [0]
    while waiting:
        for name in studies[waiting.pop()].variables:
            new = [index for index in measured_by.pop(name, ()) if index not in linked]
            linked.update(new)
            waiting.extend(new)
    for index in range(len(studies)):
        if index not in linked:
            text = (
                f"no variable is shared with study {studies[0].name!r} or with a study linked to it; "
                "studies must overlap (check the spelling of the variables, or solve the parts apart)"
            )
            yield Flaw("study", index, "variables", text)
            return


def _statement_flaws(studies: tuple[Scope, ...], statements: tuple[Statement, ...]) -> Iterator[Flaw]:
    scopes = {study.name: frozenset(study.variables) for study in studies}
    everything = frozenset().union(*scopes.values())
    first: dict[Hashable, int] = {}
    for index, statement in enumerate(statements):
        if unknown := [name for name in statement.studies if name not in scopes]:
            text = f"there is no study {unknown[0]!r}; there are {_listed(scopes)}"
            yield Flaw("statement", index, "studies" if statement.names_studies else "study", text)
            continue
        for study in statement.studies:
            yield from _own_flaws(index, statement, scopes[study], f"study {study!r}")
        if not statement.studies:
            yield from _own_flaws(index, statement, everything, "any study")
            if statement.together and not any(statement.together <= measured for measured in scopes.values()):
                text = f"no study measured {_listed(sorted(statement.together))} together"
                yield Flaw(
                    "statement", index, next(iter(statement.parts)) if len(statement.together) > 2 else "pair", text
                )
        if (earlier := first.setdefault(statement.said_once, index)) != index:
            yield Flaw("statement", index, "pair", _repetition(statements[earlier], statement), earlier)


def _own_flaws(index: int, statement: Statement, known: frozenset[str], where: str) -> Iterator[Flaw]:
    """What is wrong with a statement by itself, ``known`` being the variables that it may speak of."""
    x, y = statement.x, statement.y
    if x == y:
        yield Flaw("statement", index, "pair", f"{x!r} is paired with itself; a pair needs two different variables")
    for name in (x, y):
        if name not in known:
            yield Flaw("statement", index, "pair", f"{name!r} is not a variable of {where}")
    yield from (Flaw("statement", index, part, text) for part, text in statement.own_flaws(known, where))
    if statement.weight is not None and not (math.isfinite(statement.weight) and statement.weight >= 0):
        text = f"{statement.weight} is not a weight; give a finite number, 0 or more, or leave it out"
        yield Flaw("statement", index, "weight", text)
    if statement.provenance is not NOWHERE:
        yield from _provenance_flaws(index, statement.provenance)


def _provenance_flaws(index: int, provenance: Provenance) -> Iterator[Flaw]:
    if provenance.p_value is not None and not 0 <= provenance.p_value <= 1:
        yield Flaw("statement", index, "p_value", f"{provenance.p_value} is not a p-value; these lie between 0 and 1")
    if provenance.rows is not None and provenance.rows < 0:
        yield Flaw("statement", index, "rows", f"{provenance.rows} is not a number of rows; give 0 or more")


def _repetition(earlier: Statement, statement: Statement) -> str:
    if isinstance(statement, Relation):
        return f"this {statement.kind} is stated twice"
    if isinstance(statement, Noncollider | Collider):
        same = earlier.kind == statement.kind
        return f"this {statement.kind} is stated twice" if same else f"'{earlier}' is stated too; keep one of the two"
    pair, where = shown_pair(statement), statement.where
    if earlier.kind == statement.kind:
        return f"{pair} have a statement{where} already; keep one of the two"
    return f"{pair} are both {earlier.kind} and {statement.kind}{where}; a pair is one or the other"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)


def study_names(count: int) -> tuple[str, ...]:
    """Names for studies that came without: ``a`` to ``z``, then ``study27`` and so on.

    >>> study_names(3), study_names(28)[25:]
    (('a', 'b', 'c'), ('z', 'study27', 'study28'))
    """
    return tuple(ascii_lowercase[i] if i < len(ascii_lowercase) else f"study{i + 1}" for i in range(count))
