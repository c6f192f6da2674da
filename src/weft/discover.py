"""From several tables to every consistent causal structure: the paper's Algorithm 1, one call a stage.

The numbers in brackets are the lines of Algorithm 1 of Dhir and Lee, *Integrating overlapping datasets using bivariate
causal discovery* (AAAI 2020). Two things differ. Where the paper walks power sets and then goes through every MAG, the
solver gets the same conditions as constraints (``search/consistency.lp``). And since tests on finite data contradict
each other, what the data say may be given up where it must be, at the least total weight (``search/repair.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:  # a module that says how things hang together should not take a second to import
    from weft.evidence.cache import ResultCache
    from weft.evidence.independence.protocol import IndependenceTest
    from weft.evidence.orientation.protocol import OrientationMethod
    from weft.knowledge import Knowledge
    from weft.solutions.solution_set import SolutionSet


def discover(
    studies: Sequence[object] | Mapping[str, object],
    knowledge: Knowledge | None = None,
    *,
    method: str = "causal-iod",
    independence: str | IndependenceTest = "auto",
    alpha: float = 0.01,
    pooling: Literal["fisher", "stouffer"] = "fisher",
    max_given: int | None = None,
    independence_confidence: float = 0.5,
    orientation: str | OrientationMethod = "auto",
    pairs: Literal["connected", "dependent"] = "connected",
    sufficient: bool | Collection[str] = False,
    least_confidence: float = 0.8,
    selection: bool = False,
    slack: float = 0.0,
    limit: int | None = None,
    timeout: float | None = None,
    bootstrap: int = 0,
    seed: int = 0,
    n_jobs: int = 1,
    dask: Any = None,
    cache: ResultCache | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> SolutionSet:
    """Find every causal structure that is consistent with several tables.

    Parameters
    ----------
    studies
        One table for each study: a :class:`~weft.studies.Study`, a path, a data frame, or a dictionary of columns; as
        a list, or by name.
    knowledge
        What is already known; it is certain, except for items with a weight. See :class:`weft.Knowledge`.
    method
        ``iod`` or ``ion`` (independences only), ``iod-bcd`` (and edges oriented by the relations of pairs) or
        ``causal-iod`` (and every relation of a pair).
    independence, alpha, pooling, max_given, independence_confidence
        The test, its level, how to combine the p-values of several studies, the largest set to condition on, and the
        probability of being separated, or connected, below which a pair is left undecided in a study.
    orientation, pairs, sufficient, least_confidence
        The method for pairs; which pairs it judges: those ``connected`` in a study, or all that are ``dependent`` (the
        paper's choice); what is declared to have no hidden common causes (everything, or the named studies); how
        confident a direction must be to count. ``connected`` is the default: on simulated data with 3,000 rows, 15 of
        133 directions of connected pairs were wrong, and 9 of 17 of the pairs that are dependent only through others.
    selection
        Whether undirected edges, which stand for selection variables, are allowed.
    slack
        How much more weight may be given up than the least that must be.
    limit, timeout
        The most graphs to visit, and the most seconds that one question to the solution set may take.
    bootstrap, seed
        How many times to repeat the analysis on resampled rows, to see how sure the answer is.
    n_jobs, dask, cache, progress
        Where tests run, where their results are kept, and what to call to report progress.

    Examples
    --------
    >>> import numpy, weft
    >>> from weft.studies.simulate import draw_studies
    >>> graph = weft.MixedGraph.parse("X -> Y; Y -> Z")
    >>> tables = draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 300, numpy.random.default_rng(0), "linear")
    >>> solutions = weft.discover(tables, independence="fisher-z", method="iod")
    >>> solutions.count(), solutions.repair().cost
    (38, 0.0)
    """
    from weft.bootstrap import check_runs, resampled
    from weft.evidence.skeleton import no_progress
    from weft.gather import Settings, as_studies, compared, gather, informed
    from weft.parallel import Workers
    from weft.solutions.origin import Clock, origin_of
    from weft.solutions.solution_set import solve

    settings = Settings(
        method, independence, alpha, pooling, max_given, independence_confidence, orientation, pairs, sufficient,
        least_confidence, selection, slack, limit, timeout,
    )  # fmt: skip
    tables, clock, workers, told = as_studies(studies), Clock(), Workers(n_jobs, dask), progress or no_progress
    known = informed(tables, knowledge)
    check_runs(bootstrap, seed)
    with clock.stage("checks"):
        warnings = compared(tables, known)

    # [1-3] Part 1 of IOD: what is separated and what is connected in each study; then the relations of pairs.
    with clock.stage("evidence"):
        gathered = gather(tables, known, settings, workers=workers, cache=cache, progress=told)

    # [4-7] Part 2 of IOD, the criteria for each relation, and the answer: worked out when it is asked for.
    solutions = solve(
        gathered.evidence, method, selection=selection, limit=limit, timeout=timeout,
        knowledge=replace(known, experiments=()), conflicts="repair", slack=slack,
    )  # fmt: skip

    with clock.stage("bootstrap"):
        sureness = resampled(tables, known, settings, bootstrap, seed, workers=workers, cache=cache, progress=told)
    notes = (*warnings, *gathered.warnings)
    origin = origin_of(tables, known.interventions, settings.document(), notes, clock)
    return replace(solutions, origin=origin, sureness=sureness)
