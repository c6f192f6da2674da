"""How often is a claim right that holds in a share of the draws? Fitted: ``python -m benchmarks.draws fit``.

The protocol
------------
1. *Data*: random ADMGs of 5 to 8 variables and hidden causes (:mod:`weft.studies.simulate`), linear, nonlinear and
   discrete, and networks of ``populations.py`` of up to 18 (``large``: 40) measured variables with hidden ones behind
   them; 500 to 5,000 rows. Evidence as :func:`weft.discover` gathers it, settings at their defaults.
2. *Draws*: the shares of :mod:`weft.search.draws`, with the usual effort, of every claim about every pair. A claim is
   right if it holds in the true graph: edges in the true MAG over all variables that were measured, causes and common
   causes in the true model.
3. *Fit*: seeds from ``FIT_SEED`` up, which no weight of a statement was fitted on; each source counts as one, and in it
   each data set. Those in which directions of pairs were judged are fitted apart. For each topic the log odds of a
   claim rise with those of its share, on lines between ``KNOTS``: those that make the claims most likely, where a bend
   costs a little. Each side is capped by what the surest claims bear out, all sources together, where no
   source with :data:`MANY` of them may be worse by more than :data:`APART`; and by ``LARGEST_CAP``.
4. *Report*: ``report`` says how right claims were on seeds from ``REPORT_SEED`` up; ``python -m benchmarks confidence``
   and ``networks`` report on the whole way, with public networks.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from benchmarks.confidence import CURVES_FILE, FIT_SEED, LARGEST_CAP, REPORT_SEED, Case, evidence_of, rewrite
from benchmarks.evidence import calibration_error
from weft.effort import USUAL, Effort
from weft.graphs.ancestral import marginal_mag
from weft.parallel import Workers
from weft.search.asp import AspSearch
from weft.search.problem import Problem, claims_hold
from weft.search.repaired import RepairedSearch
from weft.solutions.confidence import DRAWN, KNOTS, Bends, kind_of, log_odds

Floats = NDArray[np.float64]
Rows = tuple[int, ...]

SOURCES: dict[str, tuple[int, Rows]] = {
    "linear": (20, (500, 1000, 3000)),
    "nonlinear": (10, (500, 1000, 3000)),
    "discrete": (30, (500, 1000, 3000)),
    "population discrete": (30, (500, 1000, 3000)),
    "population large": (10, (1000, 3000, 5000)),
    "population linear": (6, (1000, 3000)),
    "population mixed": (6, (1000, 3000)),
}
"""Of each source the draws of each number of rows; tests of numbers take long."""
TOPICS = ("causes", "adjacent", "edge", "confounded")
MANY, APART = 200, 0.05
"""A source with fewer of the surest claims, which come from few data sets then, does not tell how sure they may be; and
by how much less one may bear out."""
RIDGE = 1e-4
SURE = 0.95


class Told(NamedTuple):
    """A data set: of every claim its topic, the share of the draws in which it holds, and whether it does."""

    source: str
    rows: int
    variables: int
    judged: bool
    """Whether directions of pairs were judged."""
    claims: tuple[tuple[str, float, bool], ...]


def cases(first: int) -> list[Case]:
    """The data sets from a seed up; the largest first."""
    found = [
        Case(source, rows, first + 100 * place + seed)
        for source, (number, sizes) in SOURCES.items()
        for place, rows in enumerate(sizes)
        for seed in range(number)
    ]
    return sorted(found, key=lambda case: "large" not in case.source)


def told(job: tuple[Case, str]) -> Told:
    """Gather, draw, and judge every claim; what was kept is taken from the folder."""
    case, folder = job
    kept = Path(folder, f"drawn_{case.name}")
    if kept.exists():
        fields = json.loads(kept.read_text(encoding="utf-8"))
        return Told(**fields | {"claims": tuple(tuple(one) for one in fields["claims"])})
    graph, evidence = case.drawn()[0], evidence_of(case, Path(folder))
    mag = marginal_mag(graph, evidence.variables)
    problem = Problem.of(evidence)
    with Effort(USUAL).here():
        shares = RepairedSearch(problem, 0.0, AspSearch).drawn()
    claims = tuple((kind_of(one), round(share, 5), claims_hold([one], graph, mag)) for one, share in shares.items())
    found = Told(case.source, case.rows, len(evidence.variables), problem.judges_directions, claims)
    kept.write_text(json.dumps(found._asdict()), encoding="utf-8")
    return found


def runs(first: int, folder: Path) -> list[Told]:
    """All data sets from a seed up, on two cores."""
    jobs = [(case, str(folder)) for case in cases(first)]
    found = dict(Workers(2).run(told, jobs))
    return [found[place] for place in range(len(jobs))]


# -- the fit -----------------------------------------------------------------------------------------------------------


class Claims(NamedTuple):
    """The claims of one topic: the log odds of their shares, whether they hold, where they are from, their weight."""

    odds: Floats
    right: Floats
    sources: NDArray[np.str_]
    weights: Floats


def claims_of(topic: str, found: Sequence[Told]) -> Claims:
    """Those of a topic; each source counts as one, and in it each data set."""
    rows = [
        (one.source, share, right, place)
        for place, one in enumerate(found)
        for own, share, right in one.claims
        if own == topic
    ]
    sources = np.array([row[0] for row in rows])
    shares = np.clip([row[1] for row in rows], KNOTS[0], KNOTS[-1])
    sets = np.array([row[3] for row in rows])
    number = {name: len(set(sets[sources == name])) for name in set(sources)}
    weights = 1 / np.bincount(sets)[sets] / np.array([number[name] for name in sources]) / len(number)
    right = np.array([row[2] for row in rows], np.float64)
    return Claims(np.log(shares / (1 - shares)), right, sources, weights)


def fitted(topic: str, found: Sequence[Told]) -> Bends:
    """The log odds at the knots, rising and capped on both sides."""
    own = claims_of(topic, found)
    knots = np.array([log_odds(one) for one in KNOTS])
    places = np.arange(len(knots))
    hats = np.column_stack([np.interp(own.odds, knots, places == place) for place in places])

    def loss(rises: Floats) -> float:
        lines = np.cumsum(rises)
        odds, slopes = hats @ lines, rises[1:] / np.diff(knots)
        bent = np.diff(slopes)
        return float(own.weights @ (np.logaddexp(0, odds) - own.right * odds) + RIDGE * (bent @ bent))

    start = np.diff(knots, prepend=0.0)
    bounds = [(None, None), *[(0.0, None)] * (len(knots) - 1)]
    lines = np.cumsum(optimize.minimize(loss, start, method="L-BFGS-B", bounds=bounds).x)
    odds = hats @ lines
    lowest, highest = -borne_out(own._replace(odds=-odds, right=1 - own.right)), borne_out(own._replace(odds=odds))
    return Bends(tuple(float(f"{one:.3g}") for one in np.clip(lines, lowest, highest)))


def borne_out(claims: Claims) -> float:
    """How sure claims may be at most: what those that are as sure bear out, all sources alike, and nearly in each."""
    for cap in np.arange(LARGEST_CAP, 0.0, -0.05):
        sure, least = claims.odds >= cap, 1 / (1 + math.exp(-cap))
        weights = claims.weights[sure]
        if not sure.any() or weights @ claims.right[sure] < least * weights.sum():
            continue
        own = (claims.right[sure & (claims.sources == name)] for name in set(claims.sources))
        if all(len(one) < MANY or one.mean() >= least - APART for one in own):
            return float(cap)
    return 0.0


def fit(folder: Path) -> None:
    """Fit a line to each topic, with and without judgements of directions, and write them into the product."""
    found = runs(FIT_SEED, folder)
    lines = {
        judged: {topic: fitted(topic, [one for one in found if one.judged is judged]) for topic in TOPICS}
        for judged in (False, True)
    }
    block = ["DRAWN: Mapping[bool, Mapping[str, Bends]] = MappingProxyType(", "    {"]
    for judged, own in lines.items():
        shown = [f'"{topic}": Bends({one.odds}),' for topic, one in own.items()]
        block += [f"        {judged}: {{", *(f"            {line}" for line in shown), "        },"]
    rewrite(CURVES_FILE, [*block, "    }", ")"], "fitted to draws")
    show(found, lines)


# -- what it is worth --------------------------------------------------------------------------------------------------


def show(found: Sequence[Told], lines: Mapping[bool, Mapping[str, Bends]]) -> None:
    """Of each source and topic: how many claims are right, by how sure they are."""
    for judged, topic in product(lines, TOPICS):
        print(f"{topic}, directions {'judged' if judged else 'not judged'}: {lines[judged][topic]}")
        for source in SOURCES:
            said = [
                (lines[judged][topic](share), right)
                for one in found
                if one.source == source and one.judged is judged
                for own, share, right in one.claims
                if own == topic
            ]
            for word, claims in (("yes", said), ("no", [(1 - sure, not right) for sure, right in said])):
                stated = [one for one in claims if one[0] >= 0.5]
                if stated:
                    error = calibration_error([sure for sure, _ in stated], [right for _, right in stated])
                    cells = ", ".join(_cells(stated))
                    print(f"  {source:20} {word:3} {len(stated):6}  {cells}; calibration error {error:.3f}")


def _cells(said: Sequence[tuple[float, bool]]) -> Iterator[str]:
    for low, high in ((0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.01)):
        own = [right for sure, right in said if low <= sure < high]
        yield f"{100 * low:.0f} %: {sum(own)}/{len(own)}"


def report(folder: Path) -> None:
    """How right claims are on other seeds."""
    found = runs(REPORT_SEED, folder)
    show(found, DRAWN)
    said = [
        (sure, right) if sure >= 0.5 else (1 - sure, not right)
        for one in found
        for topic, share, right in one.claims
        for sure in [DRAWN[one.judged][topic](share)]
    ]
    sure = [right for how, right in said if how >= SURE]
    error = calibration_error([how for how, _ in said], [right for _, right in said])
    print(f"said with 95 % or more: {sum(sure)} right of {len(sure)}; calibration error {error:.3f} of {len(said)}")


WORK = {"fit": fit, "report": report}


def main() -> None:
    """Fit, or report on others."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.draws", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=tuple(WORK))
    parser.add_argument("--keep", type=Path, metavar="FOLDER", required=True, help="where to keep what was drawn")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    WORK[options.what](options.keep)


if __name__ == "__main__":
    main()
