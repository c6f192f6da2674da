"""Random graphs to try methods on, and random splits of their variables into overlapping studies.

- :func:`random_dag` draws from all labelled DAGs alike, by the Markov chain of Melancon, Dutour and Bousquet-Melou;
  such graphs are dense (about a quarter of all ordered pairs). With ``mean_degree`` it draws a sparse one instead.
- :func:`random_admg` adds bidirected edges, also beside directed ones.
- :func:`split_into_studies` shares some variables among all studies and deals out the rest.

Variables are given by name or by number; three variables are called ``X1``, ``X2``, ``X3``, ten ``X01`` to ``X10``.

References
----------
Melancon, Dutour and Bousquet-Melou, *Random generation of directed acyclic graphs*, Electronic Notes in Discrete
Mathematics 10 (2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from weft.errors import EvidenceError, GraphError
from weft.graphs.mixed import Edge, Mark, MixedGraph, bits
from weft.reading.names import quote, too_many

if TYPE_CHECKING:
    from numpy.random import Generator


def random_dag(
    variables: int | Iterable[str], rng: Generator, *, mean_degree: float | None = None, steps: int | None = None
) -> MixedGraph:
    """A random directed acyclic graph.

    Parameters
    ----------
    variables
        The names, or how many.
    rng
        The source of randomness.
    mean_degree
        If given, a random order of the variables and, among the edges that follow it, uniformly chosen ones: as many
        as bring the mean number of edges per variable nearest to this. If not, every DAG is equally likely.
    steps
        The length of the Markov chain, which starts without edges. The default is ``4 n^2 (1 + floor(log2 n))`` for
        n variables: the distance from uniform (total variation) is then below 1e-7 for up to five variables, by
        exact computation, and no bound is known beyond. A step takes time linear in the edges, so that a hundred
        variables take seconds and a thousand hours. Unused with ``mean_degree``.

    Examples
    --------
    >>> import numpy
    >>> random_dag(["X", "Y", "Z"], numpy.random.default_rng(1)).names
    ('X', 'Y', 'Z')
    >>> len(random_dag(20, numpy.random.default_rng(1), mean_degree=2).edges())
    20
    """
    names = _names(variables)
    if mean_degree is None:
        children = _melancon_chain(len(names), rng, _default_steps(len(names)) if steps is None else steps)
        pairs = [(names[a], names[b]) for a, mask in enumerate(children) for b in bits(mask)]
    else:
        order = [names[i] for i in rng.permutation(len(names))]
        pairs = _choose_pairs(order, mean_degree, rng, "mean_degree")
    return MixedGraph.build(names, (Edge(x, Mark.TAIL, Mark.ARROW, y) for x, y in pairs))


def random_admg(
    variables: int | Iterable[str],
    rng: Generator,
    *,
    mean_degree: float | None = None,
    mean_bidirected_degree: float | None = None,
    steps: int | None = None,
) -> MixedGraph:
    """A random ADMG: a random DAG (see :func:`random_dag`) and bidirected edges, beside directed ones too.

    With ``mean_bidirected_degree``, uniformly chosen pairs carry ``<->``, as many as bring the mean number of
    bidirected edges per variable nearest to this. Without, each pair does with probability one half; if
    ``mean_degree`` is not given either, every ADMG is equally likely.

    >>> import numpy
    >>> model = random_admg(4, numpy.random.default_rng(3), mean_degree=1, mean_bidirected_degree=1.5)
    >>> sorted(edge.symbol for edge in model.edges())
    ['->', '->', '<->', '<->', '<->']
    """
    dag = random_dag(variables, rng, mean_degree=mean_degree, steps=steps)
    if mean_bidirected_degree is None:
        pairs = [pair for pair in combinations(dag.names, 2) if rng.random() < 0.5]
    else:
        pairs = _choose_pairs(dag.names, mean_bidirected_degree, rng, "mean_bidirected_degree")
    bidirected = [Edge(x, Mark.ARROW, Mark.ARROW, y) for x, y in pairs]
    return MixedGraph.build(dag.names, [*dag.edges(), *bidirected])


def split_into_studies(
    names: Iterable[str], rng: Generator, *, studies: int = 2, overlap: int = 1
) -> tuple[tuple[str, ...], ...]:
    """The variables of each of several studies that share ``overlap`` variables.

    The shared ones are chosen at random and belong to every study; the others are dealt out at random, each to one
    study, so that the studies' sizes differ by at most one. Each study's names are sorted.

    >>> import numpy
    >>> first, second = split_into_studies("ABCDE", numpy.random.default_rng(0), studies=2, overlap=1)
    >>> len(first), len(second), len({*first} & {*second}), sorted({*first, *second})
    (3, 3, 1, ['A', 'B', 'C', 'D', 'E'])
    """
    names = _distinct(names, EvidenceError)
    _check_split(len(names), studies, overlap)
    dealt = [names[i] for i in rng.permutation(len(names))]
    shared, others = dealt[:overlap], dealt[overlap:]
    return tuple(tuple(sorted(shared + others[place::studies])) for place in range(studies))


def _check_split(size: int, studies: int, overlap: int) -> None:
    if studies < 1:
        raise EvidenceError(f"cannot split into {studies} studies; ask for at least one")
    if overlap > size:
        raise EvidenceError(f"{overlap} shared variables were asked for, but there are only {size}; share fewer")
    if overlap < (0 if studies == 1 else 1):
        raise EvidenceError(f"an overlap of {overlap} leaves the studies unconnected; share at least one variable")
    if (smallest := overlap + (size - overlap) // studies) < 2:
        raise EvidenceError(
            f"{studies} studies of {size} variables with an overlap of {overlap} leave one with {smallest}, and a "
            "study needs two; ask for fewer studies or a larger overlap"
        )


def _names(variables: int | Iterable[str]) -> tuple[str, ...]:
    if isinstance(variables, Iterable):
        return tuple(sorted(_distinct(variables, GraphError)))
    if variables < 0:
        raise GraphError(f"a graph cannot have {variables} variables; ask for none or more")
    if refusal := too_many(variables):
        raise GraphError(refusal)
    width = len(str(variables))
    return tuple(f"X{i:0{width}}" for i in range(1, variables + 1))


def _distinct(names: Iterable[str], error: type[GraphError] | type[EvidenceError]) -> tuple[str, ...]:
    names = tuple(names)
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise error(f"the variable {quote(name)} is listed twice; leave one out")
        seen.add(name)
    return names


def _default_steps(size: int) -> int:
    return 4 * size**2 * size.bit_length()


_BLOCK = 1 << 16


def _melancon_chain(size: int, rng: Generator, steps: int) -> list[int]:
    """Where the chain ends: for each vertex its children (as bits).

    A step picks an ordered pair (a, b): an edge a -> b is taken out if it is there, else put in unless that makes a
    cycle. Each step can be undone with the same probability, and every DAG leads to the one without edges: the
    limit is uniform. A step that would make a cycle stays where it is, so the chain has no period.
    """
    if steps < 0:
        raise GraphError(f"the Markov chain cannot make {steps} steps; ask for none or more")
    children = [0] * size
    if size < 2:
        return children
    for pair in _draws(size * (size - 1), steps, rng):
        a, other = divmod(pair, size - 1)
        b = other + (other >= a)
        if children[a] >> b & 1 or not _reaches(children, b, a):
            children[a] ^= 1 << b
    return children


def _draws(below: int, count: int, rng: Generator) -> Iterator[int]:
    """Uniform integers from 0 to ``below`` - 1, drawn in blocks: one by one is slow, all at once take much memory."""
    for start in range(0, count, _BLOCK):
        yield from rng.integers(below, size=min(_BLOCK, count - start)).tolist()


def _reaches(children: Sequence[int], start: int, end: int) -> bool:
    """Whether a directed path leads from vertex ``start`` to ``end``."""
    reached = frontier = 1 << start
    while frontier:
        following = 0
        for v in bits(frontier):
            following |= children[v]
        if following >> end & 1:
            return True
        frontier = following & ~reached
        reached |= frontier
    return False


def _choose_pairs(order: Sequence[str], mean_degree: float, rng: Generator, what: str) -> list[tuple[str, str]]:
    """Uniformly chosen pairs, each in the given order: on average a vertex is in ``mean_degree`` of them."""
    size = len(order)
    most = max(size - 1, 0)
    if not 0 <= mean_degree <= most:
        raise GraphError(f"{what} is {mean_degree}, but for {size} variables it must be between 0 and {most}")
    shuffled = rng.permutation(size * (size - 1) // 2)
    chosen = frozenset(shuffled[: round(mean_degree * size / 2)].tolist())
    return [pair for i, pair in enumerate(combinations(order, 2)) if i in chosen]
