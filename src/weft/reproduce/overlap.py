"""Random graphs of six variables, and two studies that share two, three or four of them; perfect tests.

The graphs are DAGs, all equally likely, from the Markov chain of Melancon and others that the paper names. As in the
paper, the shared variables are chosen before the graphs. The same graphs serve every overlap. The other variables are
dealt out in turn.

The paper's means are far smaller than those of graphs that are all equally likely, which are dense. So the same is also
asked of sparser and denser random graphs: a random order, and so many edges that follow it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from weft.evidence.oracle import oracle
from weft.graphs.mixed import MixedGraph
from weft.reproduce.figures import Spread, quartiles, shown, spread
from weft.reproduce.outcome import (
    Counted,
    NotFinished,
    Outcome,
    Partial,
    Rated,
    Truth,
    counted,
    outcomes,
    read_count,
)
from weft.reproduce.paper import METHODS, printed
from weft.reproduce.runner import Context, Experiment, Size
from weft.reproduce.sections import Block, Plot, Row, Section, Series, Table, Text, by_method, row_of_many
from weft.reproduce.units import Done, Unit
from weft.search.counting import Estimate, NotKnown
from weft.solutions.solution_set import solve

NAMES = ("X1", "X2", "X3", "X4", "X5", "X6")
OVERLAPS = (2, 3, 4)
TITLE = "Overlap"
EDGES = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
"""The numbers of edges of the graphs whose number is given."""


def units(size: Size) -> list[Unit]:
    """Every graph with every overlap, and so many of each number of edges; quick: fewer graphs and less patience."""
    common = {"seed": size.seed, "patience": size.of(full=120, quick=6)}
    likely = [
        Unit("overlap", f"{overlap}-{graph:02}", {**common, "overlap": overlap, "graph": graph})
        for overlap in OVERLAPS
        for graph in range(size.of(full=20, quick=8))
    ]
    dense = [
        Unit("overlap", f"{edges}-edges", {**common, "edges": edges, "graphs": size.of(full=20, quick=4)})
        for edges in EDGES
    ]
    return [*likely, *dense]


def studies(overlap: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The variables of the two studies.

    >>> studies(3)
    (('X1', 'X2', 'X3', 'X4', 'X6'), ('X1', 'X2', 'X3', 'X5'))
    """
    shared, others = NAMES[:overlap], NAMES[overlap:]
    return (*shared, *others[::2]), (*shared, *others[1::2])


def drawn(seed: int, number: int) -> MixedGraph:
    """One of the random graphs."""
    import numpy as np

    from weft.graphs.simulate import random_dag

    return random_dag(NAMES, np.random.default_rng([seed, number]))


def of_size(seed: int, number: int, edges: int) -> MixedGraph:
    """One of the random graphs with so many edges.

    >>> len(of_size(0, 1, 7).edges())
    7
    """
    import numpy as np

    from weft.graphs.simulate import random_dag

    return random_dag(NAMES, np.random.default_rng([seed, number, edges]), mean_degree=2 * edges / len(NAMES))


def measure(unit: Unit, context: Context) -> dict[str, Any]:
    """The answers of the three methods for one graph and one overlap, or how many there are for many graphs."""
    if "graphs" in unit.settings:
        return {str(overlap): _counts(unit, overlap) for overlap in OVERLAPS}
    graph = drawn(unit.number("seed"), unit.number("graph"))
    evidence = oracle(graph, studies(unit.number("overlap")))
    found = outcomes(evidence, [Truth("truth", graph)], unit.number("patience"))
    return {"graph": str(graph), "edges": len(graph.edges()), "outcomes": [one.document() for one in found]}


def _counts(unit: Unit, overlap: int) -> dict[str, list[Any]]:
    """By method, how many answers each graph has."""
    found: dict[str, list[Any]] = {method: [] for method in METHODS}
    for number in range(unit.number("graphs")):
        evidence = oracle(of_size(unit.number("seed"), number, unit.number("edges")), studies(overlap))
        for method, own in found.items():
            own.append(counted(solve(evidence, method, timeout=unit.number("patience"))))
    return found


# -- the section ----------------------------------------------------------------------------------------------------


def section(done: Sequence[Done]) -> Section:
    """Means as in the paper, medians and quartiles, and what the means hang on."""
    dense = [run for run in done if "graphs" in run.settings]
    done = [run for run in done if "graphs" not in run.settings]
    found = {
        overlap: by_method(run.result["outcomes"] for run in done if run.settings["overlap"] == overlap)
        for overlap in OVERLAPS
    }
    return Section("overlap", TITLE, tuple(_rows(found)), (*_blocks(done, found), *_density(dense)))


def _rows(found: Mapping[int, Mapping[str, Sequence[Outcome]]]) -> Iterator[Row]:
    for overlap, methods in found.items():
        for method, some in methods.items():
            paper = printed("overlap", method, str(overlap))
            yield row_of_many(TITLE, f"{overlap} of 6 shared, mean of {len(some)}", some, paper)


def _blocks(done: Sequence[Done], found: Mapping[int, Mapping[str, Sequence[Outcome]]]) -> Iterator[Block]:
    edges = [int(run.result["edges"]) for run in done if run.settings["overlap"] == OVERLAPS[0]]
    yield Text(
        f"{len(edges)} DAGs, all DAGs on six variables equally likely; they have {min(edges)} to {max(edges)} edges, "
        f"{statistics.mean(edges):.1f} on average. The number of MAGs: the paper's mean, ours with a 95 % interval, "
        "and the median with the quartiles."
    )
    yield _spreads(found)
    yield from _why(done, found)
    yield _plot(done)


def _spreads(found: Mapping[int, Mapping[str, Sequence[Outcome]]]) -> Table:
    rows = []
    for overlap, methods in found.items():
        for method, some in methods.items():
            paper, ours = printed("overlap", method, str(overlap)), spread(one.mags for one in some)
            interval = f"[{ours.low:,.1f}, {ours.high:,.1f}]" if isinstance(ours, Spread) and not ours.bounded else ""
            mean = "" if paper is None or paper.mags is None else f"{paper.mags:,.1f}"
            rows.append(
                (str(overlap), METHODS[method], mean, f"{shown(ours, 1)} {interval}".strip(), quartiles(ours, 1))
            )
    return Table(("shared", "method", "paper: mean", "ours: mean [95 %]", "ours: median [quartiles]"), tuple(rows))


def _why(done: Sequence[Done], found: Mapping[int, Mapping[str, Sequence[Outcome]]]) -> Iterator[Block]:
    """How much of each mean comes from the largest graph, and how the count grows with the edges."""
    shares = []
    for overlap, methods in found.items():
        counts = [_least(one.mags) for one in methods["iod"]]
        shares.append(f"{100 * max(counts) / sum(counts):.0f} % with {overlap} shared")
    yield Text(
        "*The means.* Of the total of IOD's MAGs (those found in time), one single graph makes up "
        f"{', '.join(shares)}. Rank correlation of the number of edges and IOD's MAGs: {_correlations(done)}. IOD, by "
        "the number of edges: the median number of MAGs, and in brackets the mean precision and recall where the "
        "answers could be gone over in time:"
    )
    yield _by_edges(done)
    yield Text(_precisions(found))


def _correlations(done: Sequence[Done]) -> str:
    parts = []
    for overlap in OVERLAPS:
        runs = [run for run in done if run.settings["overlap"] == overlap]
        counts = [_least(one.mags) for one in by_method(run.result["outcomes"] for run in runs)["iod"]]
        edges = [int(run.result["edges"]) for run in runs]
        parts.append(f"{_rank_correlation(edges, counts)} with {overlap} shared")
    return ", ".join(parts)


def _rank_correlation(one: Sequence[int], other: Sequence[int]) -> str:
    """Spearman's, as text.

    >>> _rank_correlation([1, 2, 3], [2, 4, 9]), _rank_correlation([1, 1, 1], [2, 4, 9])
    ('1.00', 'none')
    """
    if len({*one}) == 1 or len({*other}) == 1:
        return "none"
    return f"{statistics.correlation(_ranks(one), _ranks(other)):.2f}"


def _ranks(values: Sequence[int]) -> list[float]:
    """The place of each value in their order; equal ones share the mean of their places."""
    ordered = sorted(values)
    return [ordered.index(one) + (ordered.count(one) - 1) / 2 for one in values]


def _least(count: Counted) -> int:
    """The count, about so many, or so many at least."""
    if isinstance(count, NotFinished):
        return count.at_least
    return count.value if isinstance(count, Estimate) else count if isinstance(count, int) else 0


def _by_edges(done: Sequence[Done]) -> Table:
    rows = []
    for size in sorted({int(run.result["edges"]) for run in done}):
        some = [run for run in done if run.result["edges"] == size]
        cells = (_cell([run for run in some if run.settings["overlap"] == overlap]) for overlap in OVERLAPS)
        rows.append((str(size), str(len(some) // len(OVERLAPS)), *cells))
    return Table(("edges", "graphs", *(f"{overlap} shared" for overlap in OVERLAPS)), tuple(rows))


def _cell(runs: Sequence[Done]) -> str:
    found = by_method(run.result["outcomes"] for run in runs)["iod"]
    late = "at least " if any(isinstance(one.mags, NotFinished) for one in found) else ""
    rated = [(_rate(one.scores[0].precision), _rate(one.scores[0].recall)) for one in found]
    means = [statistics.fmean(own) for own in zip(*(one for one in rated if None not in one), strict=True)]
    shown_means = f" ({', '.join(f'{mean:.2f}' for mean in means)})" if means else ""
    return f"{late}{statistics.median(_least(one.mags) for one in found):,.0f}{shown_means}"


def _precisions(found: Mapping[int, Mapping[str, Sequence[Outcome]]]) -> str:
    """Whether any graph reaches the precision that the paper prints as a mean."""
    parts = []
    for overlap, methods in found.items():
        paper = printed("overlap", "iod", str(overlap))
        scores = [one.scores[0].precision for one in methods["iod"]]
        known = [value for one in scores if (value := _rate(one)) is not None]
        assert paper is not None
        assert paper.precision is not None
        reach = sum(one >= paper.precision for one in known)
        parts.append(
            f"{reach} of {len(known)} graphs reach the paper's mean of {paper.precision:.2f} with {overlap} shared"
        )
    return f"*IOD's precision.* {'; '.join(parts)}."


def _plot(done: Sequence[Done]) -> Plot:
    series = []
    for overlap in OVERLAPS:
        points = [
            (float(run.result["edges"]), float(_least(one.mags)))
            for run in done
            if run.settings["overlap"] == overlap
            for one in map(Outcome.read, run.result["outcomes"])
            if one.method == "iod" and isinstance(one.mags, int | Estimate)
        ]
        x, y = tuple(x for x, _ in points), tuple(y for _, y in points)
        series.append(Series(f"{overlap} shared", x, y))
    return Plot(
        "overlap", "IOD on random graphs", "edges of the true graph", "consistent MAGs", tuple(series), True, True
    )


def _rate(value: Rated) -> float | None:
    """A precision or recall, of all answers or of a fair sample; ``None`` if it is neither."""
    if isinstance(value, Partial):
        return value.value if value.fair else None
    return value if isinstance(value, float) else None


# -- denser and sparser graphs -----------------------------------------------------------------------------------------


def _density(runs: Sequence[Done]) -> Iterator[Block]:
    """At which number of edges our means come near the paper's."""
    if not runs:
        return
    means = {
        (overlap, method, run.unit.number("edges")): spread(map(read_count, run.result[str(overlap)][method]))
        for overlap in OVERLAPS
        for method in METHODS
        for run in runs
    }
    sizes = sorted({edges for _, _, edges in means})
    yield Text(
        f"*How dense were the paper's graphs?* Our mean number of MAGs over {runs[0].settings['graphs']} random graphs "
        "with a given number of edges (a random order of the variables, and edges chosen uniformly among those that "
        "follow it), beside the paper's mean; and the number of edges whose mean is nearest to the paper's, by ratio:"
    )
    rows = []
    for overlap, method in product(OVERLAPS, METHODS):
        paper = printed("overlap", method, str(overlap))
        target = None if paper is None else paper.mags
        own = [means[overlap, method, edges] for edges in sizes]
        nearest = "" if target is None else _nearest(target, dict(zip(sizes, own, strict=True)))
        mean = "" if target is None else f"{target:,.1f}"
        rows.append((str(overlap), METHODS[method], mean, *(shown(one, 1) for one in own), nearest))
    head = ("shared", "method", "paper: mean", *(f"{edges} edges" for edges in sizes), "nearest")
    yield Table(head, tuple(rows))


def _nearest(target: float, means: Mapping[int, Spread | NotKnown | NotFinished]) -> str:
    """The number of edges with the nearest mean, by ratio.

    >>> _nearest(10, {3: spread([4]), 5: spread([12, 12]), 7: spread([90])})
    '5 (12.0)'
    """
    known = {
        edges: one.mean for edges, one in means.items() if isinstance(one, Spread) and one.mean and not one.bounded
    }
    if not known:
        return "not known"
    best = min(known, key=lambda edges: abs(math.log(known[edges] / target)))
    return f"{best} ({known[best]:,.1f})"


EXPERIMENT = Experiment("overlap", TITLE, units, measure, section)
