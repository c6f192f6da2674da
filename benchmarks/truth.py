"""Is the true graph found? From drawn data to the answers: ``python -m benchmarks truth``.

The protocol
------------
1. *Data*: random ADMGs of 5 to 8 variables (mean degree 2, and half a bidirected edge per variable), split into two
   studies that share half of the variables; 500, 1000 or 3000 rows each, linear (with noise that is not Gaussian) or
   nonlinear (:mod:`weft.studies.simulate`). The same seeds, so the same graphs, for every number of rows.
2. *Evidence*: as :func:`weft.discover` gathers it, every setting at its default. The tests of a data set are made
   once; all methods and both choices of pairs share them.
3. *Answers*: conflicts repaired. The truth is *found* if the true MAG is among the answers, which is asked of the
   solver, whatever their number. They are counted up to ``COUNTED``; a median that stops there is "at least".
   Precision and recall are the means over the runs of those of the first ``SCORED`` answers of each; the solver's
   first ones are not a fair sample of all.
4. *Seeds*: what is reported is from ``REPORT_SEED`` up. Nothing was chosen on these. ``python -m benchmarks.truth``
   looks at the seeds from ``CHOICE_SEED`` up instead, at 3000 rows: which statements are wrong, which of them lose the
   truth, and what other settings would change. With ``--report`` it looks at the seeds of the report, to confirm.

No published figures of rIOD are comparable: what is published of it here are times and numbers of PAGs with perfect
tests, not how often data lead to the truth.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.settings import Settings
from benchmarks.table import Row
from weft.evidence.cache import ResultCache
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Evidence, Relation, Statement
from weft.evidence.weights import chained
from weft.gathering import gather
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, split_into_studies
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.search.coverage import chains
from weft.search.problem import Problem
from weft.settings import PAIRS
from weft.settings import Settings as Gathering
from weft.solutions.solution_set import SolutionSet, solve
from weft.studies import Study
from weft.studies.simulate import Way, draw_studies

SIZES = (5, 6, 7, 8)
WAYS: tuple[Way, ...] = ("nonlinear", "linear")
REPETITIONS = {500: 5, 1000: 5, 3000: 10}
"""By the number of rows, the seeds of each size and way: more where the goals are."""
CHOICE_SEED, REPORT_SEED = 1000, 5000
COUNTED, SCORED = 100_000, 2_000
KINDS = ("connected", "apart", "separated", "dependent", "noncollider", "collider", "relation")
PATIENCE = 30.0
"""Seconds that one question to the answers may take."""
GOALS = {"linear": 75, "nonlinear": 70}
"""Per cent of the runs in which the truth is to be found at 3000 rows."""
METHODS = {"iod": "IOD", "iod-bcd": "IOD+BCD", "causal-iod": "Causal IOD"}


@dataclass(frozen=True)
class Sample:
    """A data set."""

    variables: int
    way: Way
    rows: int
    seed: int

    def drawn(self) -> tuple[MixedGraph, list[Study]]:
        """The true ADMG and the studies."""
        rng = np.random.default_rng([self.seed, self.variables, WAYS.index(self.way)])
        graph = random_admg(self.variables, rng, mean_degree=2, mean_bidirected_degree=0.5)
        split = split_into_studies(graph.names, rng, studies=2, overlap=self.variables // 2)
        return graph, draw_studies(graph, split, self.rows, rng, self.way)


def samples(rows: int, seeds: Sequence[int]) -> list[Sample]:
    """The data sets with so many rows; the largest first, so that no worker is left alone with one at the end."""
    return [Sample(size, way, rows, seed) for size in reversed(SIZES) for way in WAYS for seed in seeds]


# -- what is found ---------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What became of one data set under one method."""

    found: bool
    answers: int
    complete: bool
    """Whether these are all."""
    precision: float
    recall: float
    given_up: bool
    """Whether something had to be."""
    seconds: float
    """For the repair, the count and the first answers, tests not included."""


class Run(NamedTuple):
    """Everything about one data set."""

    answers: Mapping[tuple[str, str], Answer]
    """By method and choice of pairs (which is no matter to IOD)."""
    tests: int
    seconds: float
    """For tests and directions."""


def measured(sample: Sample) -> Run:
    """Gather the evidence once, and answer by each method."""
    graph, studies = sample.drawn()
    with ResultCache(None) as cache:
        start = time.perf_counter()
        found = {pairs: gather(studies, Knowledge(), Gathering(pairs=pairs), cache=cache) for pairs in PAIRS}
        passed = time.perf_counter() - start
    answers: dict[tuple[str, str], Answer] = {
        (method, pairs): answered(found[pairs].evidence, method, graph)
        for method in METHODS
        for pairs in (PAIRS[:1] if method == "iod" else PAIRS)
    }
    return Run(answers, max(one.tests_made for one in found.values()), passed)


def answered(evidence: Evidence, method: str, graph: MixedGraph) -> Answer:
    """The answers, and whether the truth is one of them."""
    start = time.perf_counter()
    solutions = solve(evidence, method, limit=COUNTED, timeout=PATIENCE, conflicts="repair")
    repair = solutions.repair()
    assert repair is not None
    count, complete = _at_least(solutions), solutions.complete
    score = replace(solutions, limit=SCORED).score(graph)
    passed = time.perf_counter() - start
    found = contains(solutions, marginal_mag(graph, evidence.variables))
    return Answer(found, count, complete, score.precision, score.recall, bool(repair.cost), passed)


def _at_least(solutions: SolutionSet) -> int:
    """How many answers there are, up to the limit."""
    count = solutions.count()
    assert isinstance(count, int), "where there is a limit, nothing is estimated"
    return count


def contains(solutions: SolutionSet, mag: MixedGraph) -> bool:
    """Whether a MAG is one of the solutions, without going over them."""
    edges = ((x, y, mag.edge(x, y)) for x, y in combinations(mag.names, 2))
    claims = [Claim(Topic.EDGE, x, y, edge is not None, edge or "o-o") for x, y, edge in edges]
    return solutions.assume(*claims).consistent is True


def truth(settings: Settings) -> Iterator[Row]:
    """How often the truth is found, among how many answers, for each way and number of rows; then the goals."""
    every: dict[tuple[Way, int], list[Run]] = {}
    for rows, repetitions in REPETITIONS.items():
        chosen = samples(rows, [REPORT_SEED + seed for seed in settings.seeds(repetitions)])
        runs = dict(Workers(2).run(measured, chosen))
        for way in WAYS:
            every[way, rows] = [runs[place] for place, sample in enumerate(chosen) if sample.way == way]
            yield from _cell(f"{way}, {rows} rows", every[way, rows])
    yield from _goals({way: every[way, 3000] for way in WAYS})
    yield Row("rIOD: no published figures are comparable")


def _cell(title: str, runs: Sequence[Run]) -> Iterator[Row]:
    tests, seconds = (statistics.mean(values) for values in zip(*((r.tests, r.seconds) for r in runs), strict=True))
    note = f"{len(runs)} runs; tests and directions: {tests:.0f} tests, {seconds:.1f} s on average"
    yield Row(f"{title}: % found, answers", notes=(note,))
    for method, pairs in runs[0].answers:
        some = [run.answers[method, pairs] for run in runs]
        precision, recall = (statistics.mean(getattr(one, what) for one in some) for what in ("precision", "recall"))
        given_up, seconds = statistics.mean(one.given_up for one in some), statistics.mean(one.seconds for one in some)
        note = f"precision {precision:.2f}, recall {recall:.2f}, given up in {100 * given_up:.0f} %, {seconds:.1f} s"
        values = tuple(float(one.found) for one in some)
        what = METHODS[method] if method == "iod" else f"{METHODS[method]}, {pairs}"
        yield Row(f"  {what}", "", f"{found_share(some):.0f}", _shown(*median_count(some)), None, (note,), values)


def found_share(answers: Sequence[Answer]) -> float:
    """In how many runs the truth was found, in per cent."""
    return 100 * statistics.mean(one.found for one in answers)


def median_count(answers: Sequence[Answer]) -> tuple[int, bool]:
    """The (lower) median of the number of answers, and whether it is exact (else it is at least that)."""
    middle = sorted((one.answers, not one.complete) for one in answers)[(len(answers) - 1) // 2]
    return middle[0], not middle[1]


def _shown(count: int, exact: bool) -> str:
    return f"{'' if exact else '>='}{count:,}"


def _goals(runs: Mapping[Way, Sequence[Run]]) -> Iterator[Row]:
    """The goals at 3000 rows, with the pairs that :func:`weft.discover` takes."""
    pairs = Gathering().pairs
    for way, some in runs.items():
        found = [run.answers["causal-iod", pairs] for run in some]
        share, goal = found_share(found), GOALS[way]
        flags = tuple(float(one.found) for one in found)
        what = f"Causal IOD, {way}, 3000 rows: found, %"
        yield Row(what, f">= {goal}", f"{share:.0f}", "", share >= goal, (f"{len(flags)} runs",), flags)
    both = [run for some in runs.values() for run in some]
    causal, iod = ([run.answers[key] for run in both] for key in (("causal-iod", pairs), ("iod", PAIRS[0])))
    (ours, ours_exact), (theirs, theirs_exact) = median_count(causal), median_count(iod)
    kept = 10 * ours <= theirs
    reached = kept if ours_exact and (kept or theirs_exact) else False if theirs_exact else None
    ratio = f"{'' if theirs_exact else '< '}1/{theirs / max(ours, 1):.1f}" if ours_exact else "unknown"
    notes = (f"{_shown(ours, ours_exact)} and {_shown(theirs, theirs_exact)}",)
    yield Row("  its median count / IOD's", "<= 1/10", ratio, "", reached, notes, (float(ours), float(theirs)))


# -- where it is lost, and what other settings would change ----------------------------------------------------------


class Said(NamedTuple):
    """A statement, as far as its truth is concerned."""

    kind: str
    weight: float
    probability: float
    """That it is right, by itself; the weight speaks of what another statement leaves, if there is one around it."""
    right: bool


class Lost(NamedTuple):
    """The statements about a data set, and under which changes of the evidence Causal IOD finds the truth."""

    said: tuple[Said, ...]
    answers: Mapping[str, Answer]


Change = Callable[[Evidence], Evidence]


def statements(evidence: Evidence, graph: MixedGraph) -> Iterator[tuple[Statement, Said]]:
    """Every statement, and whether it is right."""
    mag = marginal_mag(graph, evidence.variables)
    sure = how_sure(evidence.statements)
    for (kind, _), one in Problem.of(evidence).statements.items():
        yield one.origin, Said(kind, one.origin.weight or 0.0, sure.get(one.origin, 0.5), one.holds_in(graph, mag))


def how_sure(statements: Iterable[Statement]) -> dict[Statement, float]:
    """The probability that the weights give each statement that has one, with those inside it and around it."""
    return {
        one: sure for chain in chains(statements) for one, sure in zip(chain, chained(map(_weight, chain)), strict=True)
    }


def _without_wrong(evidence: Evidence, graph: MixedGraph, kinds: Sequence[str]) -> Evidence:
    said = statements(evidence, graph)
    return evidence.with_statements(one for one, told in said if told.right or told.kind not in kinds)


def _reweighted(weight: Callable[[Statement], float]) -> Change:
    """Weights anew; a relation of weight 0 says nothing."""

    def changed(evidence: Evidence) -> Evidence:
        return evidence.with_statements(replace(one, weight=weight(one)) for one in evidence.statements)

    return changed


def _weight(one: Statement) -> float:
    return one.weight or 0.0


CHANGES: Mapping[str, Change] = {
    "as it is": lambda evidence: evidence,
    "all weights 1": _reweighted(lambda one: 1.0 if _weight(one) else 0.0),
    "relations at a tenth": _reweighted(lambda one: _weight(one) / (10 if isinstance(one, Relation) else 1)),
}


def examined(job: tuple[Sample, Gathering, str | None, bool]) -> Lost:
    """What is right and wrong about one data set; with changes of the evidence if they are asked for."""
    sample, gathering, path, changes = job
    graph, studies = sample.drawn()
    with ResultCache(path) as cache:
        evidence = gather(studies, Knowledge(), gathering, cache=cache).evidence
    changed = {name: change(evidence) for name, change in CHANGES.items() if changes or name == "as it is"}
    if changes:
        tests = KINDS[:-1]
        changed["without wrong relations"] = _without_wrong(evidence, graph, ("relation",))
        changed["without wrong tests"] = _without_wrong(evidence, graph, tests)
        changed["without either"] = _without_wrong(evidence, graph, (*tests, "relation"))
    answers = {name: _counted(one, graph, gathering.method) for name, one in changed.items()}
    if changes:
        answers |= {f"slack {s:g}": _counted(evidence, graph, gathering.method, s) for s in (1.0, 2.0)}
    return Lost(tuple(said for _, said in statements(evidence, graph)), answers)


def _counted(evidence: Evidence, graph: MixedGraph, method: str, slack: float = 0.0) -> Answer:
    """As :func:`answered`, without the score."""
    start = time.perf_counter()
    solutions = solve(evidence, method, limit=COUNTED, timeout=PATIENCE, conflicts="repair", slack=slack)
    repair, count = solutions.repair(), _at_least(solutions)
    found = contains(solutions, marginal_mag(graph, evidence.variables))
    passed = time.perf_counter() - start
    return Answer(found, count, solutions.complete, 0.0, 0.0, bool(repair and repair.cost), passed)


SETTINGS: Mapping[str, Gathering] = {
    "as it is": Gathering(),
    "pairs dependent": Gathering(pairs="dependent"),
    **{f"least confidence {c}": Gathering(least_confidence=c) for c in (0.8, 0.9, 0.93)},
    **{f"alpha {alpha}": Gathering(alpha=alpha) for alpha in (0.05, 0.001)},
}


def study(seeds: Sequence[int], rows: int, path: Path | None) -> Iterator[str]:
    """Lines: Causal IOD under other settings and other evidence; which statements are wrong; which lose the truth."""
    chosen, cache = samples(rows, seeds), None if path is None else str(path)
    yield f"{len(chosen)} data sets, {rows} rows, seeds {seeds[0]} to {seeds[-1]}"
    yield f"{'':40}{'found %':>8}{'nonlinear':>10}{'linear':>8}{'answers':>12}{'given up %':>12}"
    for name, gathering in SETTINGS.items():
        plain = name == "as it is"
        jobs = [(sample, gathering, cache, plain) for sample in chosen]
        found = dict(Workers(2).run(examined, jobs))
        runs = [found[place] for place in range(len(chosen))]
        for change in runs[0].answers:
            label = change if plain else name
            yield _line(label, chosen, [run.answers[change] for run in runs])
        yield from _wrong(runs, chosen) if plain else _wrong_in_short(runs)


def _line(label: str, chosen: Sequence[Sample], answers: Sequence[Answer]) -> str:
    by_way = [
        found_share([a for a, s in zip(answers, chosen, strict=True) if s.way == way])
        for way in ("nonlinear", "linear")
    ]
    given_up = 100 * statistics.mean(one.given_up for one in answers)
    shares = f"{found_share(answers):8.0f}{by_way[0]:10.0f}{by_way[1]:8.0f}"
    return f"{label:40}{shares}{_shown(*median_count(answers)):>12}{given_up:12.0f}"


_BINS = (0.0, 1e-9, 1.0, 2.0, 3.0, 4.0, np.inf)


def _wrong(runs: Sequence[Lost], chosen: Sequence[Sample]) -> Iterator[str]:
    """How many statements of each kind and weight are wrong, and what kinds are wrong where the truth is lost."""
    for way in WAYS:
        some = [run for run, sample in zip(runs, chosen, strict=True) if sample.way == way]
        yield f"  {way}: wrong / all, by weight (0, to 1, to 2, to 3, to 4, more)"
        for kind in KINDS:
            said = [one for run in some for one in run.said if one.kind == kind]
            cells = [[one for one in said if low <= one.weight < high] for low, high in pairwise(_BINS)]
            shown = "".join(f"{sum(not o.right for o in cell):>6}/{len(cell):<5}" for cell in cells)
            yield f"    {kind:12}{sum(not one.right for one in said):>5}/{len(said):<6}{shown}"
        for title, flag in (("found", True), ("lost", False)):
            kinds = Counter(
                " + ".join(sorted({one.kind for one in run.said if not one.right and one.weight})) or "nothing"
                for run in some
                if run.answers["as it is"].found == flag
            )
            yield f"    {title}, and wrong (with weight) is: {', '.join(f'{k} {n}' for k, n in kinds.most_common())}"


def _wrong_in_short(runs: Sequence[Lost]) -> Iterator[str]:
    counts = Counter((one.kind, one.right) for run in runs for one in run.said)
    parts = (f"{kind} {counts[kind, False]}/{counts[kind, False] + counts[kind, True]}" for kind in KINDS)
    yield f"    wrong / all: {', '.join(parts)}"


def main() -> None:
    """Look at where the truth is lost, and at other settings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.truth", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10, help="of each size and way")
    parser.add_argument("--rows", type=int, default=3000, help="of each study")
    parser.add_argument("--report", action="store_true", help="look at the seeds of the report, to confirm a choice")
    parser.add_argument("--cache", type=Path, help="a file that keeps the results of tests")
    options = parser.parse_args()
    first = REPORT_SEED if options.report else CHOICE_SEED
    for line in study(range(first, first + options.seeds), options.rows, options.cache):
        print(line, flush=True)


if __name__ == "__main__":
    main()
