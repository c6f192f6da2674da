"""All that is known beforehand, as one frozen value."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import product
from typing import Any

from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Provenance, Relation
from weft.graphs.criteria import Structure
from weft.knowledge.contradictions import UndecidedError, find_model, never_causes
from weft.knowledge.items import (
    Fact,
    Item,
    Kind,
    KnowledgeError,
    check_name,
    cut,
    listed,
    no_weight,
    parse_item,
    shown,
    starts,
    without_weight,
    words_of,
)
from weft.reading.names import Word, quote

_MOST_SPARE = 12
"""The most variables that are supposed to exist beside the named ones while the real ones are not known."""
_MOST_COMPARED = 60
"""The most characters of a name that are compared with other names, to find the one that was meant."""


@dataclass(frozen=True)
class Experiment:
    """A study in which some variables were set by the experimenter (randomised, or held)."""

    study: str
    variables: frozenset[str]
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_name(self.study, "study")
        object.__setattr__(self, "variables", frozenset(self.variables))
        for name in self.variables:
            check_name(name)
        if not self.variables:
            raise KnowledgeError(f"nothing was set in study {shown(self.study)}; leave it out if it was no experiment")

    def __str__(self) -> str:
        return f"randomised in {quote(self.study)}: {', '.join(map(quote, sorted(self.variables)))}"


@dataclass(frozen=True)
class Constraint:
    """A hard constraint, and the item that it came from."""

    item: Item
    says: Claim | Relation


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What is known, each item with where it was said. Make one with :meth:`of` or :meth:`read`.

    Items mean what :mod:`weft.knowledge.items` says they mean, and nothing more: to forbid a cause asks for no
    edge elsewhere. Before knowledge is used, :meth:`over` says which variables there are.

    An item without a weight is hard: it is in :attr:`constraints` (:attr:`claims`, :attr:`relations`). One with a
    weight is soft: it is in :attr:`soft_relations` and nowhere else. Knowledge is equal if it says the same, in
    whatever order.

    >>> knowledge = Knowledge.of("tiers: age < dose, outcome", "nothing causes age", randomised={"trial": ["dose"]})
    >>> for claim in knowledge.over(["age", "dose", "outcome"]).claims:
    ...     print(claim)
    dose does not cause age
    outcome does not cause age
    """

    items: tuple[Item, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    variables: tuple[str, ...] | None = None
    """All the variables there are, if that is known."""

    def __eq__(self, other: object) -> bool:
        return self._content == other._content if isinstance(other, Knowledge) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def _content(self) -> tuple[frozenset[Item], frozenset[Experiment], tuple[str, ...] | None]:
        return frozenset(self.items), frozenset(self.experiments), self.variables

    # -- making ------------------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, *statements: str | Item, **lists: Any) -> Knowledge:
        """Knowledge from sentences, and from lists by the keys of a knowledge file (:mod:`weft.knowledge.files`).

        >>> Knowledge.of(causes=[("X", "Y")], allowed={("X", "Z"): ["->", "none"]}) == Knowledge.of(
        ...     "X causes Y", "the structure of X and Z is none or ->"
        ... )
        True
        """
        from weft.knowledge.files import from_document

        items: list[Item] = []
        experiments: list[Experiment] = []
        for statement in statements:
            found = statement if isinstance(statement, Item) else parse(statement, f"{statement!r}")
            (items if isinstance(found, Item) else experiments).append(found)  # type: ignore[arg-type]
        return cls(tuple(items), _merged(experiments)) + from_document(lists, "")

    @classmethod
    def read(cls, path: str | os.PathLike[str], kind: str | None = None) -> Knowledge:
        """Knowledge from a file.

        Parameters
        ----------
        path
            The file.
        kind
            ``toml``, ``json``, ``tetrad``, ``whitelist`` or ``blacklist`` (bnlearn's). If it is not given, it is told
            by the name (``.toml``, ``.json``, ``.csv`` with ``whitelist`` or ``blacklist`` in the name) or, for Tetrad,
            by the first line, ``/knowledge``.
        """
        from weft.knowledge.files import read

        return read(path, kind)

    def __add__(self, other: Knowledge) -> Knowledge:
        """What both say; saying something twice is no mistake."""
        variables = self.variables if other.variables is None else other.variables
        items = tuple(dict.fromkeys((*self.items, *other.items)))
        return Knowledge(items, _merged((*self.experiments, *other.experiments)), variables)

    def over(self, variables: Iterable[str]) -> Knowledge:
        """The same knowledge, of these variables; raises if it names others."""
        variables = tuple(sorted(set(variables)))
        if wrong := self._unknown(variables):
            others = len({name for _, name in wrong}) - 1
            more = f" ({others:,} other name{'s are' if others > 1 else ' is'} unknown, too)" if others else ""
            raise KnowledgeError(_of_unknown(*wrong[0], variables) + more)
        return replace(self, variables=variables)

    # -- checking ----------------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that are named, sorted."""
        named = {name for item in self.items for name in item.names}
        return tuple(sorted(named.union(*(one.variables for one in self.experiments))))

    @cached_property
    def interventions(self) -> Mapping[str, frozenset[str]]:
        """For each study that was an experiment, the variables that were set in it."""
        return {one.study: one.variables for one in self.experiments}

    def check(self, variables: Iterable[str]) -> tuple[str, ...]:
        """One line for each name that is not among the variables, with the likeliest one meant.

        >>> Knowledge.of("incme causes health").check(["income", "health"])
        ("'incme causes health': there is no variable 'incme'; did you mean 'income'?",)
        """
        known = sorted(set(variables))
        return tuple(dict.fromkeys(_of_unknown(where, name, known) for where, name in self._unknown(known)))

    def _unknown(self, variables: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """The names that are not among the variables, each after where it was said."""
        known = frozenset(variables)
        said = [(place_of(item), item.names) for item in self.items]
        said += [(place_of(one), tuple(sorted(one.variables))) for one in self.experiments]
        return tuple(dict.fromkeys((where, name) for where, names in said for name in names if name not in known))

    @cached_property
    def _hard(self) -> tuple[Item, ...]:
        """The items without a weight."""
        return tuple(item for item in self.items if item.weight is None)

    def contradiction(self) -> tuple[Item, ...] | None:
        """Items that cannot hold together in any latent-variable model, none of them to spare; ``None`` if all can.

        Items with a weight may be given up and are left out. The variables are those of :meth:`over`; if they are not
        known, there may be any number beside the named ones. The search for a model is complete
        (:mod:`weft.knowledge.contradictions`). Should it not have come to an end after some seconds' worth of steps
        (20,000 for few variables), the answer is ``None`` too: what is left to find, the search for consistent graphs
        finds.
        """
        if self._possible(self._hard):
            return None
        core: list[Item] = []
        rest = list(self._hard)
        while self._possible(core):  # add the item that closes the contradiction, and forget all that come after it
            fewest, most = 0, len(rest)
            while fewest < most:
                middle = (fewest + most) // 2
                if self._possible([*core, *rest[:middle]]):
                    fewest = middle + 1
                else:
                    most = middle
            core.append(rest[most - 1])
            rest = rest[: most - 1]
        return tuple(item for item in self._hard if item in core)

    def _possible(self, items: Iterable[Item]) -> bool:
        """Whether some model has all the items, as far as is known."""
        items = list(items)
        names = list(self._world)
        wanted = 0
        if self.variables is None:
            joins = (Kind.NO_DIRECT, Kind.NOT_ADJACENT, Kind.CONFOUNDED, Kind.ALLOWED)
            wanted = 2 * sum(item.kind in joins for item in self._hard)
            taken = set(names)
            spare = (name for i in range(len(taken) + wanted) if (name := f"another {i}") not in taken)
            names += [name for name, _ in zip(spare, range(min(wanted, _MOST_SPARE)), strict=False)]
        try:
            found = find_model((fact for item in items for fact in item.facts(names)), names)
        except UndecidedError:
            return True
        return found is not None or (wanted > _MOST_SPARE and self._closure(items) is not None)

    @cached_property
    def _world(self) -> tuple[str, ...]:
        if self.variables is not None:
            return self.variables
        return tuple(sorted({name for item in self._hard for name in item.names}))

    def _closure(self, items: Iterable[Item]) -> frozenset[tuple[str, str]] | None:
        """Who cannot cause whom, as far as closure tells; ``None`` if it tells of a contradiction."""
        names = self._world
        facts = [fact for item in items for fact in item.facts(names)]
        if self.variables is None:  # there may be a variable between any two
            facts = [fact for fact in facts if fact.kind not in (Kind.NO_DIRECT, Kind.NOT_ADJACENT)]
        return never_causes(facts, names)

    @cached_property
    def never_causes(self) -> frozenset[tuple[str, str]]:
        """The (x, y) for which the knowledge excludes that x causes y, by closure."""
        return self._closure(self._hard) or frozenset()

    # -- using -------------------------------------------------------------------------------------------------------

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """Exactly what is known, as hard constraints; raises for an item that these cannot express.

        A MAG meets the constraints (all by one latent-variable model, as :mod:`weft.search.problem` has it) exactly if
        some latent-variable model with that MAG has every item. Two remarks:

        - ``direct edge X -> Y`` is the edge of the MAG: a model that has the edge makes X and Y adjacent and X an
          ancestor, and of a MAG with that edge the models that matter have it too.
        - ``no direct edge X -> Y`` is no statement about the MAG's edge, which may stand for an inducing path through
          other variables. It is expressed where the knowledge as a whole leaves no room for that: where X cannot cause
          Y by any chain of direct edges that are not forbidden (so in a black list that keeps all variables of
          one set from causing those of another), or where the pair is not adjacent. Else it is refused.
        """
        if self.variables is None:
            for item in self._hard:
                if item.kind in (Kind.ROOT, Kind.SINK):
                    text = "which variables there are is not known; use knowledge.over(variables)"
                    raise KnowledgeError(f"{place_of(item)}: {text}")
        found: dict[Claim | Relation, Item] = {}
        for item in self._hard:
            for fact in item.facts(self._world):
                for says in self._expressed(fact, item):
                    found.setdefault(says, item)
        return tuple(Constraint(item, says) for says, item in found.items())

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The constraints that are claims."""
        return tuple(one.says for one in self.constraints if isinstance(one.says, Claim))

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The constraints that are relations: sets of structures that no claims cut out. They are hard: no weight."""
        return tuple(one.says for one in self.constraints if isinstance(one.says, Relation))

    @cached_property
    def soft_relations(self) -> tuple[Relation, ...]:
        """What may be given up: each item with a weight, as a relation with that weight.

        The relation holds in a latent-variable model exactly if the item does. What is said twice of a pair is one
        relation, at the greater weight: that it was repeated makes it no likelier. (The log odds of opinions that do
        not depend on each other add up; say so by giving their sum.)

        >>> for relation in Knowledge.of("Y causes X (weight 2.5)").soft_relations:
        ...     print(relation, relation.weight)
        the structure of (X, Y) is <- or <- & <-> 2.5
        """
        found: dict[Relation, Relation] = {}
        for item in self.items:
            if item.weight is not None:
                x, y = item.names
                says = Relation(x, y, item.structures)
                if says not in found or item.weight > (found[says].weight or 0):
                    found[says] = replace(says, weight=item.weight, provenance=Provenance(item.origin or "knowledge"))
        return tuple(found.values())

    def _expressed(self, fact: Fact, item: Item) -> tuple[Claim | Relation, ...]:
        x, y = fact.x, fact.y
        if fact.kind is Kind.ALLOWED:
            by_claims = _as_claims(x, y, fact.allowed)
            source = Provenance(item.origin or "knowledge")
            return (Relation(x, y, fact.allowed, provenance=source),) if by_claims is None else by_claims
        if fact.kind is Kind.NO_DIRECT:
            return self._without_edge(fact, item)
        return (_CLAIMS[fact.kind](min(x, y), max(x, y)) if fact.kind in _SYMMETRIC else _CLAIMS[fact.kind](x, y),)

    def _without_edge(self, fact: Fact, item: Item) -> tuple[Claim, ...]:
        if (fact.x, fact.y) in self.never_causes:
            return (Claim(Topic.CAUSES, fact.x, fact.y, holds=False),)
        pair = {fact.x, fact.y}
        if any(other.kind is Kind.NOT_ADJACENT and set(other.names) == pair for other in self._hard):
            return ()
        x, y = cut(quote(fact.x)), cut(quote(fact.y))
        where = f"{cut(item.origin)}: " if item.origin and item.origin != repr(str(item)) else ""
        raise KnowledgeError(
            f"{where}'{cut(str(item))}' cannot be imposed exactly: {x} may cause {y} through other variables, and the "
            f"answer's edge {x} -> {y} may stand for that; say '{x} does not cause {y}' or '{x} and {y} are not "
            "adjacent' if one of these is true, else leave it out"
        )

    def to_document(self) -> dict[str, Any]:
        """The knowledge as the content of a knowledge file, for :func:`json.dumps`.

        >>> Knowledge.of("X causes Y").to_document()
        {'statements': ['X causes Y']}
        >>> Knowledge.of("X causes Y (weight 2.5)").to_document()
        {'statements': [], 'weighted': [{'statement': 'X causes Y', 'weight': 2.5}]}
        """
        allowed = [
            {"pair": list(item.names), "structures": [one.value for one in Structure if one in item.allowed]}
            for item in self._hard
            if item.kind is Kind.ALLOWED
        ]
        soft = [item for item in self.items if item.weight is not None]
        lists: dict[str, Any] = {
            "allowed": allowed,
            "weighted": [{"statement": item.sentence, "weight": item.weight} for item in soft],
            "randomised": {one.study: sorted(one.variables) for one in self.experiments},
        }
        statements = [str(item) for item in self._hard if item.kind is not Kind.ALLOWED]
        return {"statements": statements} | {key: value for key, value in lists.items() if value}


def parse(text: object, origin: str = "") -> Item | Experiment:
    """Read one sentence: an item, or ``randomised in trial: X, Y``."""
    if not isinstance(text, str):
        raise KnowledgeError(f"expected a sentence such as 'X causes Y', found {shown(text)}")
    words, weight = without_weight(words_of(text))
    if starts(words, "randomised", "in") and len(words) > 4 and words[3] == Word(":"):
        if weight is not None:
            raise no_weight("randomised in ...")
        return Experiment(words[2].text, frozenset(listed(words[4:], text)), origin)
    return parse_item(text, origin)


def place_of(said: Item | Experiment) -> str:
    """Where something was said, or what, if that is not known."""
    return cut(said.origin or f"'{said}'")


def _of_unknown(where: str, name: str, known: Iterable[str]) -> str:
    return f"{where}: there is no variable {shown(name)}; {suggestion(name, known)}"


def suggestion(name: str, known: Iterable[str]) -> str:
    r"""What may have been meant.

    >>> suggestion("Jos\u00e9", ["Jose\u0301"])
    "did you mean 'Jose\\u0301'? It looks the same and is coded otherwise"
    """
    known = list(known)
    for form in (str, _folded):
        forms = {form(one)[:_MOST_COMPARED]: one for one in reversed(known)}
        for close in get_close_matches(form(name)[:_MOST_COMPARED], forms, 1):
            meant = forms[close]
            if unicodedata.normalize("NFC", meant) == unicodedata.normalize("NFC", name):
                return f"did you mean {cut(ascii(meant))}? It looks the same and is coded otherwise"
            return f"did you mean {shown(meant)}?"
    listing = ", ".join(map(shown, known[:8])) + (", ..." if len(known) > 8 else "")
    return f"there are {listing}" if known else "there are none"


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().strip()


def _merged(experiments: Iterable[Experiment]) -> tuple[Experiment, ...]:
    """One experiment a study."""
    by_study: dict[str, Experiment] = {}
    for one in experiments:
        first = by_study.get(one.study)
        by_study[one.study] = one if first is None else replace(first, variables=first.variables | one.variables)
    return tuple(by_study.values())


_SYMMETRIC = (Kind.NOT_ADJACENT, Kind.CONFOUNDED, Kind.NOT_CONFOUNDED)
_CLAIMS = {
    Kind.CAUSES: lambda x, y: Claim(Topic.CAUSES, x, y),
    Kind.NOT_CAUSES: lambda x, y: Claim(Topic.CAUSES, x, y, holds=False),
    Kind.DIRECT: lambda x, y: Claim(Topic.EDGE, x, y, symbol="->"),
    Kind.NOT_ADJACENT: lambda x, y: Claim(Topic.EDGE, x, y, holds=False),
    Kind.CONFOUNDED: lambda x, y: Claim(Topic.CONFOUNDED, x, y),
    Kind.NOT_CONFOUNDED: lambda x, y: Claim(Topic.CONFOUNDED, x, y, holds=False),
}


def _as_claims(x: str, y: str, allowed: frozenset[Structure]) -> tuple[Claim, ...] | None:
    """The claims that cut out exactly the allowed structures; ``None`` if none do."""
    possible = [
        [(topic, a, b, holds) for holds in (None, True, False)]
        for topic, a, b in ((Topic.CAUSES, x, y), (Topic.CAUSES, y, x), (Topic.CONFOUNDED, min(x, y), max(x, y)))
    ]
    for causes, caused, confounded in product(*possible):
        chosen = {
            one
            for one in Structure
            if causes[3] in (None, one.causes)
            and caused[3] in (None, one.caused)
            and confounded[3] in (None, one.confounded)
        }
        if chosen == allowed:
            wanted = (causes, caused, confounded)
            return tuple(Claim(topic, a, b, holds) for topic, a, b, holds in wanted if holds is not None)
    return None
