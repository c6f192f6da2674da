"""From several tables to every consistent causal structure: the paper's Algorithm 1, one call a stage.

The numbers in brackets are the lines of Algorithm 1 of Dhir and Lee, *Integrating overlapping datasets using bivariate
causal discovery* (AAAI 2020). Two things differ. Where the paper walks power sets and then goes through every MAG, the
solver gets the same conditions as constraints (``search/consistency.lp``). And since tests on finite data contradict
each other, what the data say may be given up where it must be, at the least total weight (``search/repair.py``).

:func:`gather` stops before the solver: ``solve(gather(studies), conflicts="repair")`` is ``discover(studies)``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from weft.settings import Question, Settings

if TYPE_CHECKING:  # a module that says how things hang together should not take a second to import
    from weft.bar import Told
    from weft.evidence.budget import Tests
    from weft.evidence.cache import Kept
    from weft.evidence.independence.protocol import IndependenceTest
    from weft.evidence.orientation.protocol import OrientationMethod
    from weft.evidence.statements import Evidence
    from weft.knowledge import Knowledge
    from weft.solutions.solution_set import SolutionSet


def discover(
    studies: Sequence[object] | Mapping[str, object] | str | PathLike[str],
    knowledge: Knowledge | None = None,
    *,
    method: str = Settings.method,
    independence: str | IndependenceTest = Settings.independence,
    alpha: float = Settings.alpha,
    pooling: Literal["fisher", "stouffer"] = Settings.pooling,
    max_given: int | None = Settings.max_given,
    tests: Tests = Settings.tests,
    independence_confidence: float = Settings.independence_confidence,
    orientation: str | OrientationMethod = Settings.orientation,
    pairs: Literal["connected", "dependent"] = Settings.pairs,
    sufficient: bool | Collection[str] = Settings.sufficient,
    least_confidence: float = Settings.least_confidence,
    selection: bool = Question.selection,
    slack: float = Question.slack,
    coverage: float | None = Question.coverage,
    limit: int | None = Question.limit,
    timeout: float | None = Question.timeout,
    effort: int | None = Question.effort,
    bootstrap: int = 0,
    seed: int = 0,
    n_jobs: int = -1,
    dask: Any = None,
    cache: Kept = "auto",
    progress: Told = "auto",
    warn: Callable[[str], object] | None = None,
) -> SolutionSet:
    """Find every causal structure that is consistent with several tables.

    Parameters
    ----------
    studies
        One table for each study: a :class:`~weft.studies.Study`, a path, a data frame, or a dictionary of columns; as
        a list, or by name. One table alone is enough: then the question is that of FCI. Or the path of a
        ``studies.toml`` (:mod:`weft.plan`), which describes the whole analysis; an argument other than its default
        goes before what it says.
    knowledge
        What is already known; it is certain, except for items with a weight. See :class:`weft.Knowledge`.
    method
        ``iod`` or ``ion`` (independences only), ``iod-bcd`` (and edges oriented by the relations of pairs) or
        ``causal-iod`` (and every relation of a pair).
    independence, alpha, pooling, max_given, tests, independence_confidence
        The test, its level, how to combine the p-values of several studies, the largest set to condition on, the most
        tests to make (``"auto"``: 25 for each pair of a study, on average; None: any number), and the probability of
        being right below which nothing is said about a pair in a study, or about a set.
    orientation, pairs, sufficient, least_confidence
        The method for pairs; which pairs it judges: those ``connected`` in a study, or all that are ``dependent`` (the
        paper's choice); what is declared to have no hidden common causes (everything, or the named studies); how
        confident a direction must be to count. ``connected`` is the default: on simulated data with 3,000 rows, 15 of
        133 directions of connected pairs were wrong, and 9 of 17 of the pairs that are dependent only through others.
    selection
        Whether undirected edges, which stand for selection variables, are allowed.
    slack
        How much more weight may be given up than the least that must be.
    coverage
        Instead of a slack: the probability with which the truth is to be among the structures, such as 0.9. By default
        they are those of least cost.
    limit, timeout, effort
        The most graphs to visit, and the most seconds and solver conflicts that one question to the solution set may
        take. The effort is counted, so that the same tables give the same answer on any machine; a timeout only stops.
    bootstrap, seed
        How many times to repeat the analysis on half of the rows, drawn at random, to see how sure the answer is.
    n_jobs, dask
        Where tests and bootstrap runs are made: in so many processes (-1: one for each core), or by a Dask client, or
        at its scheduler's address. There, or in as many threads, walks for claims are made; and parts of the answer are
        worked out side by side. The answer is the same.
    cache
        Where the results of tests are kept, so that none is made twice: a file, or ``"auto"`` for the one that the
        command line uses, too (in your cache folder, or where ``WEFT_CACHE`` says). None keeps nothing.
    progress
        Who is told how far it is: ``"auto"`` shows a bar on a terminal and in a notebook if it takes more than two
        seconds, None shows nothing; or a function of what is being done, how much of it is done, and about how much
        there is.
    warn
        Who is told, before the tests, what one should know about the tables; in any case it stands in
        ``solutions.origin.warnings``.

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
    arguments = locals()
    from weft.plan import plan_at

    if (plan := plan_at(studies)) is not None:
        return discover(**plan.applied(arguments))

    from weft.bar import check_progress, shown
    from weft.bootstrap import check_runs, resampled
    from weft.evidence.cache import opened
    from weft.gathering import as_studies, from_tables, informed
    from weft.parallel import Workers
    from weft.progress import usual_stages
    from weft.solutions.origin import Clock, origin_of
    from weft.solutions.solution_set import solve

    settings = Settings(
        method, independence, alpha, pooling, max_given, tests, independence_confidence, orientation, pairs, sufficient,
        least_confidence,
    )  # fmt: skip
    question = Question(selection, slack, coverage, limit, timeout, effort)
    check_progress(progress)
    tables, clock, workers = as_studies(studies), Clock(), Workers(n_jobs, dask)
    known = informed(tables, knowledge)
    check_runs(bootstrap, seed)

    with shown(progress, usual_stages(orients=settings.orients, runs=bootstrap)) as told, opened(cache) as results:
        # [1-3] Part 1 of IOD: what is separated and what is connected in each study; then the relations of pairs.
        with clock.stage("evidence"):
            evidence = from_tables(
                tables, known, settings, workers=workers, cache=results, progress=told, warn=warn
            ).evidence

        with clock.stage("bootstrap"):
            repeated = resampled(
                tables, known, settings, question, bootstrap, seed, workers=workers, cache=results, progress=told
            )
        evidence = _warned(evidence, () if results is None or results is cache else results.warnings)

    # [4-7] Part 2 of IOD, the criteria for each relation, and the answer: worked out when it is asked for.
    solutions = solve(
        evidence, method, selection=selection, limit=limit, timeout=timeout, effort=effort,
        knowledge=known, conflicts="repair", slack=slack, coverage=coverage,
    )  # fmt: skip
    return replace(solutions, origin=origin_of(evidence, clock), bootstrap=repeated, _workers=workers)


def gather(
    studies: Sequence[object] | Mapping[str, object] | str | PathLike[str],
    knowledge: Knowledge | None = None,
    *,
    method: str = Settings.method,
    independence: str | IndependenceTest = Settings.independence,
    alpha: float = Settings.alpha,
    pooling: Literal["fisher", "stouffer"] = Settings.pooling,
    max_given: int | None = Settings.max_given,
    tests: Tests = Settings.tests,
    independence_confidence: float = Settings.independence_confidence,
    orientation: str | OrientationMethod = Settings.orientation,
    pairs: Literal["connected", "dependent"] = Settings.pairs,
    sufficient: bool | Collection[str] = Settings.sufficient,
    least_confidence: float = Settings.least_confidence,
    n_jobs: int = -1,
    dask: Any = None,
    cache: Kept = "auto",
    progress: Told = "auto",
    warn: Callable[[str], object] | None = None,
) -> Evidence:
    """Find what several tables say: :func:`discover`, stopped before the solver.

    The parameters are those of :func:`discover`. The evidence remembers its ``tables``, ``settings`` and ``warnings``.

    - *Experiments* in the knowledge are heeded here, and the statements are about the undisturbed process.
    - Everything else that is known is checked, and is not in the evidence: give it to :func:`weft.solve`, too. The
      whole of the knowledge will do; what it says of the experiments is not counted twice.
    - The *method* decides whether pairs are judged (``iod`` and ``ion`` need no relations). Give the same to ``solve``.

    Examples
    --------
    >>> import numpy, weft
    >>> from weft.studies.simulate import draw_studies
    >>> graph = weft.MixedGraph.parse("X -> Y; Y -> Z")
    >>> tables = draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 300, numpy.random.default_rng(0), "linear")
    >>> evidence = weft.gather(tables, independence="fisher-z", orientation="lingam")
    >>> for statement in evidence.statements:
    ...     print(statement)
    X and Y are connected in study 'study1'
    Y and Z are connected in study 'study2'
    the structure of (X, Y) is -> or <-> or -> & <->
    the structure of (Y, Z) is -> or <-> or -> & <->
    >>> same = weft.discover(tables, independence="fisher-z", orientation="lingam")
    >>> set(weft.solve(evidence, conflicts="repair")) == set(same)
    True
    """
    arguments = locals()
    from weft.plan import plan_at

    if (plan := plan_at(studies)) is not None:
        return gather(**plan.applied(arguments))

    from weft.bar import check_progress, shown
    from weft.evidence.cache import opened
    from weft.gathering import as_studies, from_tables, informed
    from weft.parallel import Workers
    from weft.progress import usual_stages

    settings = Settings(
        method, independence, alpha, pooling, max_given, tests, independence_confidence, orientation, pairs, sufficient,
        least_confidence,
    )  # fmt: skip
    check_progress(progress)
    tables, workers = as_studies(studies), Workers(n_jobs, dask)
    known = informed(tables, knowledge)
    with shown(progress, usual_stages(orients=settings.orients)) as told, opened(cache) as results:
        found = from_tables(tables, known, settings, workers=workers, cache=results, progress=told, warn=warn)
        evidence = found.evidence
        return _warned(evidence, () if results is None or results is cache else results.warnings)


def _warned(evidence: Evidence, warnings: Sequence[str]) -> Evidence:
    """The evidence with what the cache had to say, if it was opened for this: one of the caller says it itself."""
    return replace(evidence, warnings=(*evidence.warnings, *warnings))
