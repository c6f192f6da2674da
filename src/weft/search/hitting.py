"""The cheapest way to hit every one of some sets: what must be given up if of each set something must be.

The sets and costs are rules for clingo, which knows nothing of graphs here. A few dozen sets of a few statements each
take it some milliseconds; the answer is exact, and the same each time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

import clingo

from weft.search.engine import check_time
from weft.search.problem import StatementKey
from weft.search.program import has_ended, limited, stoppable, wait_for

Keys = frozenset[StatementKey]

RULES = """
{ off(S) : cost(S,_) }.
:- core(K), not off(S) : in(S,K).
:- off(S) : kept(S); kept(_).
:- most(L), #sum { C,S : cost(S,C), off(S) } > L.
:- most(_), not off(S) : cost(S,_), not known(S); off(S) : always(S).
#defined core/1.  #defined in/2.  #defined kept/1.  #defined most/1.  #defined known/1.  #defined always/1.
#show off/1.
"""
"""A set of statements hits every core, and keeps one of those of which one must be kept.

With ``most``: it costs at most so much, and gives up something that is not known, or keeps something always given up.
"""
CHEAPEST = ":~ off(S), cost(S,C). [C,S]"
OPTIMISATION = "--opt-strategy=usc,oll,disjoint,stratify"


class HittingSets:
    """Cores that were found so far, and the cheapest sets of statements that hit all of them.

    Parameters
    ----------
    costs
        The cost of each statement that may be given up.
    keeping_one_of
        If given: a set that has all of these is no answer.

    >>> hits = HittingSets({("a", 0): 3, ("a", 1): 2, ("a", 2): 2})
    >>> hits.add([("a", 0), ("a", 1)]), hits.add([("a", 0), ("a", 2)])
    (None, None)
    >>> sorted(hits.cheapest())
    [('a', 0)]
    >>> sorted(hits.another(4, always={("a", 0)}, known={("a", 0)}))
    [('a', 1), ('a', 2)]
    """

    def __init__(self, costs: Mapping[StatementKey, int], keeping_one_of: Collection[StatementKey] = ()) -> None:
        self.costs = costs
        self._keeping = frozenset(keeping_one_of)
        self.cores: list[Keys] = []

    def add(self, core: Iterable[StatementKey]) -> None:
        """Of these statements one at least must be given up."""
        self.cores.append(frozenset(core))

    def cheapest(self, deadline: float | None = None) -> Keys | None:
        """A set of least cost; ``None`` if none is an answer.

        Raises
        ------
        OutOfTime
            If the effort or the time does not suffice.
        """
        return self._solved(self._numbers(), [CHEAPEST], deadline, OPTIMISATION)

    def another(
        self,
        most: int,
        always: Collection[StatementKey],
        known: Collection[StatementKey],
        deadline: float | None = None,
    ) -> Keys | None:
        """A set that costs at most so much and has something not ``known``, or lacks something ``always`` given up.

        ``None`` if there is none; raises as :meth:`cheapest` does.
        """
        numbers = self._numbers(always)
        facts = [f"most({most})."]
        facts += [f"known({numbers[key]})." for key in sorted(known) if key in numbers]
        facts += [f"always({numbers[key]})." for key in sorted(always)]
        return self._solved(numbers, facts, deadline)

    def _numbers(self, others: Collection[StatementKey] = ()) -> dict[StatementKey, int]:
        """The statements that occur in a core, and others, in a fixed order: no more are worth giving up."""
        named = {key for core in self.cores for key in core}.union(others)
        return {key: number for number, key in enumerate(key for key in self.costs if key in named)}

    def _facts(self, numbers: Mapping[StatementKey, int]) -> Iterator[str]:
        yield from (f"cost({number},{self.costs[key]})." for key, number in numbers.items())
        for k, core in enumerate(self.cores):
            yield f"core({k})."
            yield from (f"in({numbers[key]},{k})." for key in sorted(core))
        if self._keeping <= numbers.keys():  # else one of them is kept in any case
            yield from (f"kept({numbers[key]})." for key in sorted(self._keeping))

    def _solved(
        self, numbers: Mapping[StatementKey, int], rules: Iterable[str], deadline: float | None, *options: str
    ) -> Keys | None:
        """What the solver answers: the last model, which is the best if it is asked for that."""
        keys, found = list(numbers), list[Keys]()
        control = clingo.Control(["--warn=none", *options])
        control.add("base", [], "\n".join([RULES, *self._facts(numbers), *rules]))
        control.ground([("base", [])])

        def on_model(model: clingo.Model) -> None:
            found.append(frozenset(keys[one.arguments[0].number] for one in model.symbols(shown=True)))

        while True:
            with (
                limited(control),
                stoppable(control),
                control.solve(on_model=on_model, async_=True) as handle,
            ):
                wait_for(handle, deadline)
                answer = handle.get()
            if has_ended(answer) or (found and not (options and numbers)):  # without costs any set is the cheapest
                return found[-1] if found else None
            check_time(deadline)
