"""How right is what tests say? ``python -m benchmarks evidence``; fitted: ``python -m benchmarks.evidence fit``.

The protocol
------------
1. *Fit*: the models of :mod:`weft.evidence.weights` are fitted on the data of ``populations.py`` and of the simulator
   (:mod:`weft.studies.simulate`), seeds from ``FIT_SEED`` up, 300 to 5,000 rows. Each source counts as one. Logistic
   regression with a small ridge, numbers and levels apart: `apart` on pairs that some set seems to separate,
   `connected` on the others, `separated` on pairs with rivals that are truly apart, `dependent` on all tests of pairs
   of the first kind, `noncollider` and `collider` on unshielded triples whose separating set is not named. Which
   features there are was chosen on every fourth seed, left out for that, by log loss.
2. *Choice*: ``independence_confidence`` was chosen on the same seeds, among .7, .8, .85 and .9, with constants that
   were fitted without them.
3. *Report*: simulated data from ``REPORT_SEED`` up, 16 graphs of each way and number of rows, and public networks
   (``statements.py``), none of which anything was fitted to or chosen on. A statement is right if it holds in the true
   graph (:meth:`Constraint.holds_in`). *Decided*: the share of pairs, study by study, of which it is said that they
   are connected, apart, or separated by a set. The calibration error is that of ten bins of equal width from 0.5 to
   1, by the probabilities of the statements: of those that are inside each other, by all their weights together.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from benchmarks.populations import draw_population
from benchmarks.settings import Settings
from benchmarks.table import Row
from benchmarks.truth import Said, statements
from weft.evidence.calibration import MODELS
from weft.evidence.collect import examine
from weft.evidence.independence.registry import test_named
from weft.evidence.seen import Examined, dependence, middles, of_the_run, seen
from weft.evidence.skeleton import Query
from weft.evidence.stating import naming_weight
from weft.evidence.tester import Tester
from weft.evidence.weights import INTERCEPT, LEVELS, NUMBERS, Features, probability
from weft.gathering import gather
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask, m_separated
from weft.graphs.simulate import random_admg, split_into_studies
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.settings import Settings as Gathering
from weft.studies import Study, usable
from weft.studies.simulate import WAYS, draw_studies

Floats = NDArray[np.float64]
CALIBRATION = Path(__file__).resolve().parents[1] / "src" / "weft" / "evidence" / "calibration.py"
FIT_SEED, REPORT_SEED = 20_000, 5_000
ALPHA = Gathering.alpha

TRIPLES = ("noncollider", "collider")
FEATURES: Mapping[str, tuple[str, ...]] = {
    "apart": (
        "evidence", "rows", "freedom", "size", "tried", "variables", "density", "dependent", "near", "neighbours",
        "strongest", "strength", "path", "larger",
    ),
    "connected": ("evidence", "tried", "answered", "variables", "rows", "freedom", "strength", "larger"),
    "separated": (
        "evidence", "size", "strongest", "rival", "open", "strength", "rows", "freedom", "dependent", "density",
        "variables", "larger",
    ),
    "dependent": ("evidence", "size", "rows", "strength"),
    **dict.fromkeys(TRIPLES, (
        "evidence", "size", "rival", "alike", "number", "weakest", "direct", "excess", "rows", "freedom", "strength",
        "density", "dependent", "variables", "larger", "near", "strongest", "neighbours", "path",
    )),
}  # fmt: skip
"""Of each model, what its odds depend on."""


@dataclass(frozen=True)
class Source:
    """Where data for the fit come from: how many draws, with which test, and the largest set to condition on."""

    name: str
    way: str
    draws: int
    test: str
    rows: tuple[int, ...]
    max_given: int | None = 3

    def drawn(self, seed: int) -> tuple[MixedGraph, list[Study]]:
        """A graph and studies."""
        rows = self.rows[seed % len(self.rows)]
        return DRAWN[self.name](seed, self.way, rows)


SOURCES = (
    Source("population", "discrete", 440, "auto", (500, 1000, 2000, 5000)),
    Source("simulator", "discrete", 400, "auto", (500, 1000, 3000), None),
    Source("population", "linear", 400, "fisher-z", (500, 1000, 2000, 5000)),
    Source("simulator", "linear", 300, "fisher-z", (500, 1000, 3000), None),
    Source("simulator", "linear", 120, "auto", (500, 1000, 3000), None),
    Source("simulator", "nonlinear", 52, "auto", (500, 1000, 3000), None),
    Source("population", "nonlinear", 32, "auto", (500, 1000, 2000), 2),
    Source("varied", "linear", 400, "fisher-z", (300, 600, 1000, 3000, 5000), None),
    Source("varied", "discrete", 400, "auto", (300, 600, 1000, 3000, 5000), None),
    Source("population", "large", 140, "auto", (500, 1000, 2000, 5000), 2),
)
"""Kernel tests take long: most data of numbers are linear, and tested by Fisher-z."""


def simulated(seed: int, way: str, rows: int) -> tuple[MixedGraph, list[Study]]:
    """A random ADMG of 5 to 8 variables in two studies that share half of them."""
    rng = np.random.default_rng([seed, list(WAYS).index(way), 99])
    size = int(rng.integers(5, 9))
    graph = random_admg(size, rng, mean_degree=2, mean_bidirected_degree=0.5)
    split = split_into_studies(graph.names, rng, studies=2, overlap=size // 2)
    return graph, draw_studies(graph, split, rows, rng, way)


def varied(seed: int, way: str, rows: int) -> tuple[MixedGraph, list[Study]]:
    """The same with 3 to 9 variables, and from few to many edges."""
    rng = np.random.default_rng([seed, list(WAYS).index(way), 98])
    size = int(rng.integers(3, 10))
    degree = rng.uniform(0.7, min(2.5, size - 1))
    graph = random_admg(size, rng, mean_degree=degree, mean_bidirected_degree=rng.uniform(0, 0.6))
    split = split_into_studies(graph.names, rng, studies=2, overlap=max(1, size // 2))
    return graph, draw_studies(graph, split, rows, rng, way)


DRAWN = {"population": draw_population, "simulator": simulated, "varied": varied}

# -- the fit ---------------------------------------------------------------------------------------------------------


class Example(NamedTuple):
    """A statement that could be made: of which model, what it depends on, and whether it is right."""

    model: str
    features: Features
    right: bool
    source: int
    seed: int


def examples(job: tuple[int, int]) -> list[Example]:
    """All that could be stated about one draw of a source."""
    source, seed = job
    graph, studies = SOURCES[source].drawn(seed)
    tester = Tester(studies, test_named(SOURCES[source].test), ALPHA)
    examined = examine(studies, tester, ALPHA, SOURCES[source].max_given)
    run = of_the_run(examined)
    return [
        Example(model, features, right, source, seed)
        for part in examined
        for model, features, right in _of_study(part, run, graph)
    ]


def _of_study(part: Examined, run: Features, graph: MixedGraph) -> Iterator[tuple[str, Features, bool]]:
    mag = marginal_mag(graph, part.skeleton.names)
    for one in seen(part, run):
        query = one.query
        apart = mag.edge(query.x, query.y) is None
        yield ("apart", one.adjacency, apart) if one.separable else ("connected", one.adjacency, not apart)
        if one.naming is not None and apart:
            yield "separated", one.naming, m_separated(graph, query.x, query.y, query.given)
        if one.separable:
            for other in {query, Query(query.x, query.y), *one.rivals, *part.answered(one.pair)} & part.answers.keys():
                yield "dependent", dependence(part, other, run), not m_separated(graph, other.x, other.y, other.given)
    named = {one.query for one in seen(part, run) if naming_weight(one, Gathering.independence_confidence)}
    for middle in (one for one in middles(part, run) if one.query not in named):
        pair = 1 << graph.index(middle.query.x) | 1 << graph.index(middle.query.y)
        causes = bool(ancestor_mask(graph, pair) >> graph.index(middle.name) & 1)
        yield ("noncollider", middle.features, causes) if middle.is_given else ("collider", middle.features, not causes)


def fit(path: Path | None, models: Sequence[str]) -> None:
    """Draw the data, fit models and write their constants into the product."""
    jobs = [(i, FIT_SEED + k) for i, source in enumerate(SOURCES) for k in range(source.draws)]
    found = _kept(path, jobs)
    _write({**MODELS, **{model: fitted_both(found, model) for model in models}})
    for model in models:
        _show(model, found)


def _kept(path: Path | None, jobs: Sequence[tuple[int, int]]) -> list[Example]:
    """The examples of all draws; those in the file are not drawn again."""
    known: dict[tuple[int, int], list[Example]] = {}
    if path is not None and path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            (source, seed), rows = json.loads(line)
            known[source, seed] = [Example(*row) for row in rows]
    waiting = [job for job in jobs if job not in known]
    for place, rows in Workers(2).run(examples, waiting):
        known[waiting[place]] = rows
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([waiting[place], rows]) + "\n")
    return [one for job in jobs for one in known[job]]


def fitted_both(found: Sequence[Example], model: str) -> dict[str, dict[str, float]]:
    """A model for pairs of numbers, and one for pairs with levels."""
    own = [one for one in found if one.model == model]
    return {
        kind: fitted([one for one in own if bool(one.features[LEVELS]) == (kind == LEVELS)], FEATURES[model])
        for kind in (NUMBERS, LEVELS)
    }


def fitted(found: Sequence[Example], names: Sequence[str], ridge: float = 1e-3) -> dict[str, float]:
    """The intercept and the coefficients; each source counts as one."""
    values, right, weights = _arrays(found, names)
    centre, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    design = np.column_stack([np.ones(len(values)), (values - centre) / spread])
    signs = np.where(right, 1.0, -1.0)

    def loss(beta: Floats) -> tuple[float, Floats]:
        margins = signs * (design @ beta)
        gradient = -design.T @ (weights * signs / (1 + np.exp(margins))) / len(signs)
        shrunk = np.concatenate([[0.0], beta[1:]])
        return float(
            np.mean(weights * np.logaddexp(0, -margins)) + ridge * (shrunk @ shrunk)
        ), gradient + 2 * ridge * shrunk

    beta = optimize.minimize(loss, np.zeros(design.shape[1]), jac=True).x
    slopes = beta[1:] / spread
    intercept = float(beta[0] - slopes @ centre)
    return {INTERCEPT: intercept} | dict(zip(names, map(float, slopes), strict=True))


def _arrays(found: Sequence[Example], names: Sequence[str]) -> tuple[Floats, NDArray[np.bool_], Floats]:
    values = np.array([[one.features[name] for name in names] for one in found])
    sources = np.array([one.source for one in found])
    counts = np.bincount(sources, minlength=len(SOURCES))
    weights = 1 / counts[sources]
    return values, np.array([one.right for one in found]), weights / weights.mean()


def _write(models: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    lines = ["MODELS: Mapping[str, Mapping[str, Mapping[str, float]]] = MappingProxyType(", "    {"]
    for model, kinds in models.items():
        lines.append(f'        "{model}": {{')
        for kind, coefficients in kinds.items():
            lines.append(f'            "{kind}": {{')
            lines += [f'                "{name}": {value:.4g},' for name, value in coefficients.items()]
            lines.append("            },")
        lines.append("        },")
    block = "\n".join([*lines, "    }", ")"])
    text = CALIBRATION.read_text(encoding="utf-8")
    text = re.sub(r"(?<=# fitted: begin\n).*?(?=\n# fitted: end)", lambda _: block, text, flags=re.DOTALL)
    CALIBRATION.write_text(text, encoding="utf-8")


def _show(model: str, found: Sequence[Example]) -> None:
    """How a fit without every fourth seed does on those."""
    models = fitted_both([one for one in found if one.seed % 4], model)
    held = [one for one in found if one.model == model and one.seed % 4 == 0]
    print(f"{model}; on every fourth seed, left out:")
    for i, source in enumerate(SOURCES):
        if own := [one for one in held if one.source == i]:
            odds = np.array([_odds(models[LEVELS if one.features[LEVELS] else NUMBERS], one) for one in own])
            right = np.array([one.right for one in own])
            print(f"  {source.name:11}{source.way:10}{source.test:9}{_quality(odds, right)}")


def _odds(coefficients: Mapping[str, float], one: Example) -> float:
    return sum(value * (1.0 if name == INTERCEPT else one.features[name]) for name, value in coefficients.items())


def _quality(odds: Floats, right: NDArray[np.bool_]) -> str:
    loss = float(np.mean(np.logaddexp(0, np.where(right, -odds, odds))))
    error = calibration_error(map(probability, np.abs(odds)), (odds > 0) == right)
    shares = []
    for least in (0.8, 0.9):
        sure = odds >= math.log(least / (1 - least))
        wrong = 100 * float((~right[sure]).mean()) if sure.any() else 0.0
        shares.append(f"{100 * float(sure.mean()):.0f} % above {least:g}, {wrong:.1f} % of them wrong")
    return f"{len(odds):6} right {right.mean():.3f} loss {loss:.3f} ece {error:.3f}; {'; '.join(shares)}"


def calibration_error(probabilities: Iterable[float], right: Iterable[bool], bins: int = 10) -> float:
    """The expected calibration error of statements with these probabilities, .5 or more."""
    sure = np.array(list(probabilities))
    flags = np.array(list(right), dtype=np.float64)
    places = np.minimum(((sure - 0.5) * 2 * bins).astype(int), bins - 1)
    cells = ((places == k) for k in range(bins))
    return float(sum(abs((sure[cell] - flags[cell]).sum()) for cell in cells) / max(len(sure), 1))


# -- the report ------------------------------------------------------------------------------------------------------

GRAPHS = 16
"""Of each way and number of rows."""
ROWS = (500, 1000, 3000)
GROUPS = {
    "pairs": ("connected", "apart"), "sets": ("separated", "dependent"), "triples": ("noncollider", "collider"),
    "relations": ("relation",),
}  # fmt: skip
"""The statements that are judged together."""
GOALS = {3000: (3, 5, 5, 6), 1000: (5, 8, 8, 8)}
"""Per cent of the statements of each group that may be wrong."""
LARGEST_ERROR = {500: 0.06, 1000: 0.06, 3000: 0.04}


class Told(NamedTuple):
    """What was stated about one data set, how many pairs of its studies there are, and how many are decided."""

    said: tuple[Said, ...]
    pairs: int
    decided: int


def told(graph: MixedGraph, studies: Sequence[Study]) -> Told:
    """Gather the evidence and judge it."""
    evidence = gather(usable(studies)[0], Knowledge(), Gathering()).evidence
    pairs = sum(math.comb(len(scope.variables), 2) for scope in evidence.studies)
    decided = {(one.study, one.x, one.y) for one in (*evidence.connected, *evidence.apart)}
    decided |= {(study, one.x, one.y) for one in evidence.separated for study in one.studies}
    return Told(tuple(said for _, said in statements(evidence, graph)), pairs, len(decided))


def _told(job: tuple[int, str, int]) -> Told:
    return told(*simulated(*job))


def evidence(settings: Settings) -> Iterator[Row]:
    """Wrong statements of each group, and their calibration, for each way and number of rows."""
    for way in WAYS:
        for rows in ROWS:
            yield from rows_of(f"{way}, {rows} rows", simulated_runs(way, rows, settings.seeds(GRAPHS)), rows)


def simulated_runs(way: str, rows: int, seeds: Iterable[int]) -> list[Told]:
    """What is stated about simulated data."""
    jobs = [(REPORT_SEED + seed, way, rows) for seed in seeds]
    found = dict(Workers(2).run(_told, jobs))
    return [found[place] for place in range(len(jobs))]


def rows_of(
    title: str, runs: Sequence[Told], rows: int, goals: Sequence[float] | None = None, error: float | None = None
) -> Iterator[Row]:
    """A row for each group of statements: how many are wrong, and by how much their probabilities mislead."""
    said = [one for run in runs for one in run.said]
    pairs = sum(run.pairs for run in runs)
    about_pairs = sum(one.kind in GROUPS["pairs"] for one in said)
    yield Row(
        title, notes=(f"{len(runs)} runs; decided: {100 * about_pairs / max(pairs, 1):.0f} % of {pairs:,} pairs",)
    )
    allowed: Sequence[float] = goals or GOALS.get(rows) or (math.inf,) * len(GROUPS)
    most = error or LARGEST_ERROR.get(rows, math.inf)
    for (group, kinds), goal in zip(GROUPS.items(), allowed, strict=True):
        own = [one for one in said if one.kind in kinds]
        if not own:
            yield Row(f"  {group}: none")
            continue
        wrong = 100 * statistics.mean(not one.right for one in own)
        by_kind = "; ".join(_by_kind(kind, own) for kind in kinds)
        miss = calibration_error([one.probability for one in own], [one.right for one in own])
        flags = tuple(float(not one.right) for one in own)
        shown = "" if math.isinf(goal) else f"<= {goal:g}"
        reached = None if math.isinf(goal) else wrong <= goal
        yield Row(f"  {group}: % wrong of {len(own):,}", shown, f"{wrong:.1f}", "", reached, (by_kind,), flags)
        limit = "" if math.isinf(most) else f"<= {most:g}"
        yield Row(f"  {group}: calibration error", limit, f"{miss:.3f}", "", None if math.isinf(most) else miss <= most)


def _by_kind(kind: str, said: Sequence[Said]) -> str:
    own = [one for one in said if one.kind == kind]
    cells = []
    for low, high in pairwise(BINS):
        cell = [one for one in own if low <= one.probability < high]
        if cell:
            cells.append(f"{100 * low:.0f} %: {sum(not one.right for one in cell)}/{len(cell)}")
    return f"{kind} {sum(not one.right for one in own)}/{len(own)} (wrong of all, from {', '.join(cells) or 'none'})"


BINS = (0.0, 0.8, 0.9, 0.95, math.inf)
"""Of probabilities."""


def main() -> None:
    """Fit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("fit",))
    parser.add_argument("--keep", type=Path, metavar="FILE", help="where to keep what was drawn")
    parser.add_argument("--models", nargs="+", choices=tuple(FEATURES), default=tuple(FEATURES), help="those to fit")
    options = parser.parse_args()
    fit(options.keep, options.models)


if __name__ == "__main__":
    main()
