"""Is a claim as sure as it says? ``python -m benchmarks confidence``; fitted: ``python -m benchmarks.confidence fit``.

The protocol
------------
1. *Data*: random ADMGs of 5 to 8 variables in two studies that share half of them, linear, nonlinear and discrete
   (:mod:`weft.studies.simulate`), and, for the fit, a few of the larger discrete networks with hidden variables of
   ``populations.py``; 500, 1,000 and 3,000 rows. Evidence as :func:`weft.discover` gathers it, settings at their
   defaults.
2. *Claims*: those of :meth:`weft.SolutionSet.claims` that are surer than their opposites; for the fit, those that have
   a margin: the confidence goes by that only where no models are drawn (``draws.py`` fits the others). A claim is
   right if it holds in the true graph: edges in the true MAG over all variables that were measured, causes and common
   causes in the true model.
3. *Fit*: seeds from ``FIT_SEED`` up, which the weights of the statements were not fitted on; each source counts as one.
   For each kind of claim (:func:`weft.solutions.confidence.kind_of`) the log odds of being right are a slope times the
   margin, up to a cap: the two that make the claims most likely, with a small penalty on the slope, which is at most
   ``LARGEST_SLOPE``, and a cap of at most ``LARGEST_CAP``. (With a level besides, claims of a margin near 0 would be
   called 95 % sure: there are hardly any in the data, and a claim that is nearly tied with its opposite must be open.)
   For coverage: the quantile of what the truth costs, by the weights, that was enough in the share of runs asked for.
4. *Report*: seeds from ``REPORT_SEED`` up, and public networks (``public.py``), none of which anything was fitted to.
   The calibration error is that of ten bins of equal width from 0.5 to 1. *Coverage*: in how many runs the true MAG
   costs no more than what :mod:`weft.search.coverage` allows. *Yield*: right claims "X causes Y" that are said with
   95 % or more, beside the causes that all structures of least cost have, and those of FCI on each study alone
   (causal-learn, Fisher-z or chi-square at .01: X is a definite cause of Y if its PAG has a directed path).
   Runs whose least cost is not proven within the usual effort claim nothing; they are counted.
5. *Estimates* (:mod:`weft.search.estimates`) have curves of their own: ``python -m benchmarks.confidence estimates``
   fits them in the same way to problems on which every margin was estimated, whether it could be known or not: discrete
   tables of 5 to 8 variables and of the larger networks of ``populations.py``, and linear ones of 12 to 16, from
   ``FIT_SEED`` up; a claim that a walk found no denial of has the largest margin. These curves have a
   threshold as well, since a walk misses cheap denials. None is surer than that of exact margins, nor than the number
   of claims bears out. ``estimates-report`` reports on others.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize

from benchmarks.evidence import calibration_error, simulated
from benchmarks.populations import draw_population
from benchmarks.public import FOLDER, studies_of
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped, time_row
from weft.effort import USUAL, Effort
from weft.evidence.claims import Claim, Topic
from weft.evidence.file import parse_document, to_document
from weft.evidence.statements import Evidence
from weft.gathering import gather
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, split_into_studies
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.search.asp import AspSearch
from weft.search.consequences import Holds
from weft.search.coverage import TrueCost, level_of
from weft.search.margins import LARGEST
from weft.search.problem import Problem, claims_hold
from weft.search.repair import optimum, softened
from weft.search.repaired import RepairedSearch
from weft.settings import Settings as Gathering
from weft.solutions.confidence import Curve, confidence_of, kind_of
from weft.solutions.solution_set import solve
from weft.studies import Kind, Study, usable
from weft.studies.simulate import draw_studies

CURVES_FILE = Path(__file__).resolve().parents[1] / "src" / "weft" / "solutions" / "confidence.py"
LEVELS_FILE = CURVES_FILE.parents[1] / "search" / "coverage.py"
FIT_SEED, REPORT_SEED = 60_000, 70_000
LARGEST_CAP = math.log(0.985 / 0.015)
"""98.5 %: errors in common are not seen in margins."""
LARGEST_SLOPE, STEEPEST = 1.5, 6.0
"""Not much more than if every margin were the log odds of its claim; and the same beyond a threshold."""
FIT_EFFORT = 20_000
"""For each data set of the fit: many of the larger networks would not settle with five times as much either."""
COVERAGES = (0.5, 0.8, 0.9, 0.95)
FITTED_COVERAGES = (*COVERAGES, 0.99)
SURE = 0.95
GOAL_ERROR, GOAL_POINTS = 0.05, 5.0


@dataclass(frozen=True)
class Case:
    """A data set."""

    source: str
    """A way of the simulator, ``population`` and a way, or a public network."""
    rows: int
    seed: int
    studies: int = 2
    least: float = Gathering.independence_confidence
    """How sure a statement must be to be made."""

    def drawn(self) -> tuple[MixedGraph, list[Study]]:
        """The true graph and the tables."""
        if self.source.startswith("population"):
            return draw_population(self.seed, self.source.split()[1], self.rows)
        if self.source in ("linear", "nonlinear", "discrete"):
            return simulated(self.seed, self.source, self.rows)
        return studies_of(self.source, self.studies, self.rows, self.seed)

    @property
    def name(self) -> str:
        """Of a file."""
        usual = self.least == Gathering.independence_confidence
        statements = "" if usual else f"_{self.least:g}"
        return f"{self.source.replace(' ', '-')}_{self.rows}_{self.studies}_{self.seed}{statements}.json"


SIMULATED = ("linear", "nonlinear", "discrete")
ROWS = (500, 1000, 3000)
DRAWS = {"linear": 10, "nonlinear": 10, "discrete": 20, "population discrete": 5}
"""For the fit, of each number of rows; kernel tests take long."""


def fit_cases() -> list[Case]:
    """What the curves are fitted on."""
    return [
        Case(source, rows, FIT_SEED + 100 * place + seed)
        for source, draws in DRAWS.items()
        for place, rows in enumerate(ROWS)
        for seed in range(draws)
    ]


# -- one data set ------------------------------------------------------------------------------------------------------


class Said(NamedTuple):
    """A claim that is surer than its opposite."""

    kind: str
    margin: float
    confidence: float
    right: bool
    in_all: bool
    """Whether it holds in all structures of least cost."""


class Judged(NamedTuple):
    """What is claimed about a data set, and what the truth costs."""

    source: str
    rows: int
    said: tuple[Said, ...]
    settled: bool
    """Whether the least cost is proven."""
    least: float
    truth: float
    """The cost of the true MAG."""
    level: float
    """The quantile of what the truth costs, by the weights, that the true MAG is at; 0 if it is of least cost."""
    alone: tuple[int, int] | None
    """Causes that FCI finds in the studies alone: right, wrong; ``None`` where that was not asked."""
    seconds: float


def evidence_of(case: Case, folder: Path | None) -> Evidence:
    """What the tables say; kept in the folder, if there is one."""
    path = None if folder is None else folder / case.name
    if path is not None and path.exists():
        return parse_document(json.loads(path.read_text(encoding="utf-8")))
    evidence = gather(usable(case.drawn()[1])[0], Knowledge(), Gathering(independence_confidence=case.least)).evidence
    if path is not None:
        path.write_text(json.dumps(to_document(replace(evidence, tables=(), settings={}))), encoding="utf-8")
    return evidence


def read_judged(kept: Path) -> Judged:
    """What was kept of a data set, its claims as sure as they would be now."""
    fields = json.loads(kept.read_text(encoding="utf-8"))
    return Judged(**fields | {"said": tuple(Said(*one) for one in fields["said"])})


def judged(job: tuple[Case, str | None, bool, int]) -> Judged:
    """Gather, claim and judge; what was kept is taken from the folder."""
    case, folder, alone, effort = job
    kept = None if folder is None else Path(folder) / f"judged_{effort}_{case.name}"
    if kept is not None and kept.exists():
        return read_judged(kept)
    graph, studies = case.drawn()
    evidence = evidence_of(case, None if folder is None else Path(folder))
    start = time.perf_counter()
    solutions = solve(evidence, conflicts="repair", effort=effort)
    repair = solutions.repair()
    assert repair is not None
    mag = marginal_mag(graph, evidence.variables)
    found = solutions.claims() if repair.proven else ()
    said = tuple(
        Said(
            kind_of(one.claim),
            one.margin or 0.0,
            one.confidence or 0.5,
            claims_hold([one.claim], graph, mag),
            one.holds is Holds.ALL,
        )
        for one in found
        if (one.confidence or 0.5) > 0.5
    )
    seconds = time.perf_counter() - start
    least = repair.cost or 0.0
    others = fci_causes(studies, graph) if alone else None
    truth = true_cost(evidence, mag) if repair.proven else math.inf
    level = TrueCost.of(evidence.statements).level(truth, least)
    found_out = Judged(case.source, case.rows, said, repair.proven, least, truth, level, others, seconds)
    if kept is not None:
        kept.write_text(json.dumps(found_out._asdict()), encoding="utf-8")
    return found_out


def true_cost(evidence: Evidence, mag: MixedGraph) -> float:
    """The least cost of a model that has this MAG."""
    edges = ((x, y, mag.edge(x, y)) for x, y in combinations(mag.names, 2))
    claims = tuple(Claim(Topic.EDGE, x, y, edge is not None, edge or "o-o") for x, y, edge in edges)
    soft, scale = softened(Problem.of(evidence))
    found = optimum(replace(soft, claims=claims))
    return math.inf if found.cost is None else scale.weight(found.cost)


def fci_causes(studies: Sequence[Study], graph: MixedGraph) -> tuple[int, int] | None:
    """The right and wrong causes that FCI finds in each study alone; ``None`` if causal-learn is not there."""
    try:
        from causallearn.search.ConstraintBased.FCI import fci
    except ImportError:
        return None
    right: set[tuple[str, str]] = set()
    wrong: set[tuple[str, str]] = set()
    for study in studies:
        table = np.column_stack([column.values for column in study.columns])
        levels = any(column.kind is not Kind.CONTINUOUS for column in study.columns)
        found, _ = fci(table, "chisq" if levels else "fisherz", 0.01, show_progress=False, verbose=False)
        mag = marginal_mag(graph, [name for name in study.variables if name in graph.names])
        for x, y in _definite(found.graph, study.variables):
            holds = claims_hold([Claim(Topic.CAUSES, x, y)], graph, mag)
            (right if holds else wrong).add((x, y))
    return len(right), len(wrong - right)


def _definite(ends: Any, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Who has a directed path to whom in causal-learn's matrix of ends: -1 for a tail, 1 for an arrowhead."""
    size = len(names)
    reach = np.array([[ends[j, i] == 1 and ends[i, j] == -1 for j in range(size)] for i in range(size)])
    for k in range(size):
        reach |= np.outer(reach[:, k], reach[k])
    yield from ((names[i], names[j]) for i in range(size) for j in range(size) if reach[i, j])


def run(cases: Sequence[Case], folder: Path | None = None, *, alone: bool = False, effort: int = USUAL) -> list[Judged]:
    """All of them, on two cores."""
    jobs = [(case, None if folder is None else str(folder), alone, effort) for case in cases]
    found = dict(Workers(2).run(judged, jobs))
    return [found[place] for place in range(len(cases))]


# -- the fit -----------------------------------------------------------------------------------------------------------


def fit(folder: Path | None) -> None:
    """Fit a curve to each kind of claim and write them into the product."""
    runs = run(fit_cases(), folder, effort=FIT_EFFORT)
    unsettled = sum(not one.settled for one in runs)
    print(f"{len(runs)} runs, {unsettled} not settled")
    curves = {kind: fitted(kind, runs) for kind in KINDS}
    lines = [f'        "{kind}": Curve({c.slope:.3g}, {c.cap:.3g}),' for kind, c in curves.items()]
    rewrite(CURVES_FILE, ["CURVES: Mapping[str, Curve] = MappingProxyType(", "    {", *lines, "    }", ")"])
    pairs = ", ".join(f"({asked:g}, {level:.2g})" for asked, level in fitted_levels(runs))
    rewrite(LEVELS_FILE, [f"LEVELS = ({pairs})"])


def rewrite(file: Path, lines: Sequence[str], what: str = "fitted") -> None:
    """Write what was fitted into a file of the product, between the two lines that say where."""
    text, block = file.read_text(encoding="utf-8"), "\n".join(lines)
    text = re.sub(rf"(?<=# {what}: begin\n).*?(?=\n# {what}: end)", lambda _: block, text, flags=re.DOTALL)
    file.write_text(text, encoding="utf-8")


def fitted_levels(runs: Sequence[Judged]) -> Iterator[tuple[float, float]]:
    """For each coverage, the quantile that was enough in this share of the runs, each source counting as one."""
    settled = sorted((one for one in runs if one.settled), key=lambda one: one.level)
    number = Counter(one.source for one in settled)
    shares = np.cumsum([1 / (len(number) * number[one.source]) for one in settled])
    for asked in FITTED_COVERAGES:
        place = int(np.searchsorted(shares, min(1.0, asked * (1 + 1 / len(settled))) - 1e-9))
        yield asked, settled[min(place, len(settled) - 1)].level


KINDS = tuple(f"{sign}{what}" for what in ("causes", "adjacent", "edge", "confounded") for sign in ("", "not "))


def fitted(kind: str, runs: Sequence[Judged], most: float = 0.0) -> Curve:
    """The curve, of a threshold up to ``most``, under which the claims of a kind are likeliest; all sources alike."""
    own = [(one.source, said) for one in runs for said in one.said if said.kind == kind and said.margin > 0]
    if not own:
        return Curve(0.5, 0.5)
    margins = np.array([min(said.margin, LARGEST) for _, said in own])
    right = np.array([said.right for _, said in own], dtype=np.float64)
    names, place = np.unique([source for source, _ in own], return_inverse=True)
    weights = 1 / (np.bincount(place)[place] * len(names))

    def loss(parameters: np.ndarray) -> float:
        slope, cap, threshold = parameters
        odds = np.minimum(slope * np.maximum(margins - threshold, 0), cap)
        return float(weights @ (np.logaddexp(0, odds) - right * odds) + 1e-3 * slope**2)

    bounds = [(0.0, STEEPEST if most else LARGEST_SLOPE), (0.5, LARGEST_CAP), (0.0, most)]
    starts = [(1.0, cap, share * most) for cap in (1.5, 2.5, 3.5) for share in (0.0, 0.6, 0.8)]
    best = min((optimize.minimize(loss, start, bounds=bounds, method="L-BFGS-B") for start in starts), key=_value)
    _show(kind, margins, right)
    slope, cap, threshold = map(float, best.x)
    return Curve(slope, min(cap, slope * (LARGEST - threshold)), threshold)


def _value(found: Any) -> float:
    return float(found.fun)


def _show(kind: str, margins: np.ndarray, right: np.ndarray) -> None:
    cells = []
    for low, high in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 99)):
        own = right[(margins >= low) & (margins < high)]
        cells.append(f"{low}+: {own.mean():.3f} of {len(own)}" if len(own) else f"{low}+: none")
    print(f"{kind:15} {'; '.join(cells)}")


# -- estimates ---------------------------------------------------------------------------------------------------------

ESTIMATE_EFFORT = USUAL
LARGEST_ESTIMATED_CAP = math.log(0.96 / 0.04)
"""96 %: with more variables than here a walk misses more."""
ESTIMATE_DRAWS = {"discrete": 4, "population discrete": 30, "population large": 10, "larger linear": 4}
"""Of each number of rows."""


def estimate_cases(first: int) -> list[Case]:
    """What the curves of estimates are fitted on, or judged."""
    return [
        Case(source, rows, first + 100 * place + seed)
        for source, draws in ESTIMATE_DRAWS.items()
        for place, rows in enumerate((1000, 3000))
        for seed in range(draws)
    ]


def judged_estimates(job: tuple[Case, str | None]) -> Judged:
    """Gather, estimate every margin, and judge the claims whose margin is no more than estimated."""
    case, folder = job
    kept = None if folder is None else Path(folder) / f"estimated_{ESTIMATE_EFFORT}_{case.name}"
    if kept is not None and kept.exists():
        return read_judged(kept)
    if case.source == "larger linear":
        graph, evidence = larger_evidence(12 + 2 * (case.seed % 3), case.seed, case.rows)
    else:
        graph = case.drawn()[0]
        evidence = evidence_of(case, None if folder is None else Path(folder))
    search = RepairedSearch(Problem.of(evidence), 0.0, AspSearch)
    start = time.perf_counter()
    with Effort(ESTIMATE_EFFORT).here():
        repair = search.repair()
    with Effort(ESTIMATE_EFFORT).here():
        margins = search.estimated_margins(()) if repair.cost is not None else {}
    mag = marginal_mag(graph, evidence.variables)
    said = []
    for claim, margin in margins.items():
        stated = claim if margin.weight > 0 else claim.negated
        if margin.estimated and margin.weight:
            sure = confidence_of(stated, abs(margin.weight), estimated=True)
            right = claims_hold([stated], graph, mag)
            said.append(Said(kind_of(stated), abs(margin.weight), sure, right, False))
    seconds = time.perf_counter() - start
    found = Judged(case.source, case.rows, tuple(said), repair.proven, repair.cost or 0.0, 0.0, 0.0, None, seconds)
    if kept is not None:
        kept.write_text(json.dumps(found._asdict()), encoding="utf-8")
    return found


def fit_estimates(folder: Path | None) -> None:
    """Fit the curves of estimates and write them into the product."""
    runs = _estimate_runs(FIT_SEED, folder)
    curves = {kind: careful(fitted(kind, runs, LARGEST), kind, runs) for kind in KINDS}
    lines = [f'        "{kind}": Curve({c.slope:.3g}, {c.cap:.3g}, {c.threshold:.3g}),' for kind, c in curves.items()]
    block = ["ESTIMATED: Mapping[str, Curve] = MappingProxyType(", "    {", *lines, "    }", ")"]
    rewrite(CURVES_FILE, block, "fitted to estimates")


def report_estimates(folder: Path | None) -> None:
    """How often claims with estimated margins are right, on others."""
    said = [one for run in _estimate_runs(REPORT_SEED, folder) for one in run.said]
    sure = [one.right for one in said if one.confidence >= SURE]
    miss = calibration_error([one.confidence for one in said], [one.right for one in said])
    print(f"said with 95 % or more: {sum(sure)} right of {len(sure)}; calibration error {miss:.3f} of {len(said)}")
    print("; ".join(_by_kind(kind, said) for kind in KINDS))


def careful(curve: Curve, kind: str, runs: Sequence[Judged]) -> Curve:
    """No surer than claims of that margin bear out, as few as they are."""
    said = [said for one in runs for said in one.said if said.kind == kind]
    sure = curve(LARGEST)
    right = Counter(one.right for one in said if curve(min(one.margin, LARGEST)) >= sure)
    borne_out = max(0.5, math.log((right[True] + 1) / (right[False] + 1)))
    return curve._replace(cap=min(curve.cap, borne_out, LARGEST_ESTIMATED_CAP))


def _estimate_runs(first: int, folder: Path | None) -> list[Judged]:
    jobs = [(case, None if folder is None else str(folder)) for case in estimate_cases(first)]
    found = dict(Workers(2).run(judged_estimates, jobs))
    return [found[place] for place in range(len(jobs))]


# -- the report --------------------------------------------------------------------------------------------------------

GRAPHS = 8
NETWORKS = ("asia", "cancer", "sachs")


def confidence(settings: Settings) -> Iterator[Row]:
    """Calibration and coverage by source and rows, then the yield."""
    every: list[Judged] = []
    for source in SIMULATED:
        for rows in ROWS:
            cases = [Case(source, rows, REPORT_SEED + seed) for seed in settings.seeds(GRAPHS)]
            runs = run(cases, alone=rows == 3000)
            every += runs
            yield from calibration(f"{source}, {rows} rows", runs)
    for rows in ROWS:
        yield from coverage(f"simulated, {rows} rows", [one for one in every if one.rows == rows], rows)
    yield from yields([one for one in every if one.rows == 3000])
    yield from margin_times(settings)
    if not FOLDER.is_dir():
        yield skipped("public networks", f"{FOLDER} is not there")
        return
    for rows in (1000, 5000):
        cases = [Case(n, rows, seed, k) for n in NETWORKS for k in (2, 3) for seed in settings.seeds(3)]
        runs = run(cases)
        yield from calibration(f"{', '.join(NETWORKS)}, {rows} rows", runs)
        yield from coverage(f"{', '.join(NETWORKS)}, {rows} rows", runs, rows)


TIMED = ((11, 5, 10.0), (20, 3, 60.0))
"""Variables, data sets, seconds that all margins may take."""
TIMED_SEED = 80_000


def margin_times(settings: Settings) -> Iterator[Row]:
    """How long it takes to know all margins, once the least cost and its solutions are summed up."""
    for variables, number, goal in TIMED:
        values, notes = [], []
        for seed in settings.seeds(number):
            evidence = larger_evidence(variables, TIMED_SEED + seed)[1]
            solutions = solve(evidence, conflicts="repair")
            repair = solutions.repair()
            solutions.summary()
            start = time.perf_counter()
            found = solutions.claims()
            values.append(time.perf_counter() - start)
            rough = sum(one.estimated for one in found)
            short = sum(not one.exact and not one.estimated and abs(one.margin or 0.0) < LARGEST for one in found)
            proven = "proven" if repair is not None and repair.proven else "not proven"
            margins = f"{rough} margins estimated, {short} not known"
            notes.append(f"{len(evidence.statements)} statements, least cost {proven}, {margins}")
        yield time_row(f"all margins, {variables} variables", values, goal=goal, notes=tuple(notes))


def larger_evidence(variables: int, seed: int, rows: int = 3000) -> tuple[MixedGraph, Evidence]:
    """A graph, and what fisher-z says of two studies that share half of their variables."""
    rng = np.random.default_rng([seed, variables])
    graph = random_admg(variables, rng, mean_degree=2, mean_bidirected_degree=0.5)
    split = split_into_studies(graph.names, rng, studies=2, overlap=variables // 2)
    studies = draw_studies(graph, split, rows, rng, way="linear")
    return graph, gather(studies, Knowledge(), Gathering(independence="fisher-z")).evidence


def calibration(title: str, runs: Sequence[Judged]) -> Iterator[Row]:
    """How often claims are right, by how sure they are."""
    said = [one for run in runs for one in run.said]
    sure = [one for one in said if one.confidence >= SURE]
    unsettled = sum(not one.settled for one in runs)
    seconds = statistics.median(one.seconds for one in runs)
    yield Row(
        title,
        notes=(f"{len(runs)} runs, {unsettled} not settled; {len(said):,} claims; {seconds:.1f} s for them (median)",),
    )
    if not said:
        return
    by_kind = "; ".join(_by_kind(kind, said) for kind in KINDS)
    if sure:
        share = 100 * statistics.mean(one.right for one in sure)
        flags = tuple(float(one.right) for one in sure)
        what = f"  said with 95 % or more: % right of {len(sure):,}"
        yield Row(what, ">= 95", f"{share:.1f}", "", share >= 95, (by_kind,), flags)
    else:
        yield Row("  said with 95 % or more: none", notes=(by_kind,))
    miss = calibration_error([one.confidence for one in said], [one.right for one in said])
    yield Row("  calibration error", f"<= {GOAL_ERROR:g}", f"{miss:.3f}", "", miss <= GOAL_ERROR)


def _by_kind(kind: str, said: Iterable[Said]) -> str:
    own = [one for one in said if one.kind == kind]
    return f"{kind} {sum(one.right for one in own)}/{len(own)}"


def coverage(title: str, runs: Sequence[Judged], rows: int) -> Iterator[Row]:
    """In how many runs the truth costs no more than is allowed."""
    settled = [one for one in runs if one.settled]
    yield Row(f"{title}: coverage", notes=(f"{len(settled)} runs that are settled",))
    for asked in COVERAGES:
        flags = tuple(float(one.level <= level_of(asked) + 1e-9) for one in settled)
        share = 100 * statistics.mean(flags)
        goal = f"{100 * asked:g} +- {GOAL_POINTS:g}" if rows >= 1000 else ""
        reached = abs(share - 100 * asked) <= GOAL_POINTS if rows >= 1000 else None
        yield Row(f"  {100 * asked:g} % asked", goal, f"{share:.0f}", "", reached, (), flags)


def yields(runs: Sequence[Judged]) -> Iterator[Row]:
    """How many right causes are claimed, beside what else claims them."""
    causes = [one for run in runs for one in run.said if one.kind == "causes"]
    sure, in_all = [one for one in causes if one.confidence >= SURE], [one for one in causes if one.in_all]
    best = at_precision(causes, 0.95)
    alone = [one.alone for one in runs if one.alone is not None]
    yield Row("3000 rows: right and wrong 'X causes Y'")
    yield Row("  said with 95 % or more", "", _right_wrong(sure), "")
    yield Row("  the most at 95 % precision, by confidence", "", f"{best[0]} / {best[1]}", "")
    yield Row("  in all structures of least cost", "", _right_wrong(in_all), "")
    if alone:
        right, wrong = (sum(values) for values in zip(*alone, strict=True))
        reached = best[0] >= 2 * right
        yield Row("  FCI on each study alone", "", f"{right} / {wrong}", f"x{best[0] / max(right, 1):.1f}", reached)
    else:
        yield skipped("  FCI on each study alone", "causal-learn is not installed")


def _right_wrong(said: Sequence[Said]) -> str:
    right = sum(one.right for one in said)
    return f"{right} / {len(said) - right}"


def at_precision(said: Sequence[Said], precision: float) -> tuple[int, int]:
    """The most right claims, and the wrong beside them, of those above some confidence of which this share is right."""
    best, right = (0, 0), 0
    for place, one in enumerate(sorted(said, key=lambda one: (-one.confidence, -one.margin)), 1):
        right += one.right
        if right >= precision * place:
            best = right, place - right
    return best


WORK = {"fit": fit, "estimates": fit_estimates, "estimates-report": report_estimates}


def main() -> None:
    """Fit, or report on what was kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.confidence", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=tuple(WORK))
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep the evidence that was gathered")
    options = parser.parse_args()
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    WORK[options.what](options.keep)


if __name__ == "__main__":
    main()
