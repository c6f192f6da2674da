"""Pairs with levels: how far their directions can be trusted; fitted (``python -m benchmarks.levels fit``), reported.

The protocol
------------
1. *Pairs*: those of a study that are connected in its true marginal MAG and whose dependence shows (p < ``ALPHA``), for
   that is what a search asks about; 500 to 5,000 rows. For ``discrete`` from the networks of ``populations.py`` and
   the simulator's (:mod:`weft.studies.simulate`); for ``mixed``, the pairs of a number and levels, from ``mixed`` and
   ``cut`` networks of ``populations.py``.
2. *Fit*: seeds from ``STUDY_SEED``, the pairs that are not left undecided beforehand; maximum likelihood with the
   penalty of ``outcomes.py``, each source counting alike. (No pair of the simulator's tables is nearly a function, so
   that ``discrete`` rests on the networks alone.)
3. *Report*: seeds from ``REPORT_SEED``, used for nothing else; for ``mixed`` from 41000, since those from 40000 showed
   that the curve of that time, without its cube, made too many wrong statements. Each pair of each study, by rows; and
   each pair once, as :mod:`weft.evidence.relate` puts its studies together, by the number of these.

Nothing was fitted to, or chosen on, public networks.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np
from scipy import optimize

from benchmarks.directions import CALIBRATION, as_table, rewritten
from benchmarks.evidence import simulated
from benchmarks.outcomes import REPORT_SEED, RIDGE, STUDY_SEED, Said, as_outcome, said_of, tally
from benchmarks.pair_families import FloatArray
from benchmarks.populations import draw_population
from weft.evidence.independence.registry import test_named
from weft.evidence.orientation.auto import Auto
from weft.evidence.orientation.calibration import COMMON_LIMIT, LEVELS_LIMIT, function_feature, ratio_feature
from weft.evidence.orientation.outcomes import LEAST
from weft.evidence.orientation.protocol import Judgement, judged, verdict_of
from weft.evidence.relate import together
from weft.graphs.ancestral import marginal_mag
from weft.graphs.criteria import Structure, structure_of
from weft.graphs.mixed import MixedGraph
from weft.studies import Kind, Study

ALPHA = 0.01
ROWS = (500, 1000, 2000, 5000)
SOURCES: Mapping[str, tuple[str, ...]] = {"discrete": ("population", "simulator"), "mixed": ("mixed", "cut")}
"""By the method that is judged."""


@dataclass(frozen=True)
class LevelPair:
    """A pair of a study, and what the method says about it."""

    source: str
    seed: int
    rows: int
    names: tuple[str, str]
    levels: tuple[int, int]
    truth: Structure
    judgement: Judgement


def drawn(source: str, seed: int) -> tuple[MixedGraph, list[Study]]:
    """A graph and studies."""
    rows = ROWS[seed % len(ROWS)]
    if source == "simulator":
        return simulated(seed, "discrete", rows)
    return draw_population(seed, "discrete" if source == "population" else source, rows)


def level_pairs(method: str, seeds: Iterable[int]) -> Iterator[LevelPair]:
    """The connected pairs that the method takes, study by study."""
    for source in SOURCES[method]:
        for seed in seeds:
            graph, studies = drawn(source, seed)
            for study in studies:
                yield from _of_study(method, source, seed, graph, study)


def _of_study(method: str, source: str, seed: int, graph: MixedGraph, study: Study) -> Iterator[LevelPair]:
    mag, test = marginal_mag(graph, study.variables), test_named("auto")
    for names in combinations(sorted(study.variables), 2):
        x, y = (study.column(name) for name in names)
        numbers = (x.kind, y.kind).count(Kind.CONTINUOUS)
        if numbers != (method == "mixed") or mag.edge(*names) is None or test.test(x, y).p_value >= ALPHA:
            continue
        levels = len(set(x.values.tolist())), len(set(y.values.tolist()))
        truth = structure_of(graph, *names)
        yield LevelPair(source, seed, len(x.values), names, levels, truth, judged(Auto(), x, y))


# ------------------------------------------------------------------------------------------------------------- fitting


def fit_functions(pairs: Sequence[LevelPair]) -> dict[str, float]:
    """The coefficients of :func:`weft.evidence.orientation.calibration.of_functions`."""
    told = _told(pairs)
    shares = [(one.judgement.scores[Structure.CAUSES], one.judgement.scores[Structure.CAUSED]) for one in told]
    odd = np.array([function_feature(*both) for both in shares])
    return dict(zip(("function", "bias"), _fitted(told, odd, np.ones((len(told), 1))), strict=True))


def fit_ratio(pairs: Sequence[LevelPair]) -> dict[str, float]:
    """The coefficients of :func:`weft.evidence.orientation.calibration.of_ratio`."""
    told = _told(pairs)
    sizes = np.abs([ratio_feature(float(one.judgement.diagnostic["compared"])) for one in told])
    odd = sizes * np.sign([one.judgement.log_odds for one in told])
    even = np.column_stack([np.ones(len(told)), sizes])
    return dict(zip(("ratio", "bias", "size"), _fitted(told, odd, even), strict=True))


def _told(pairs: Iterable[LevelPair]) -> list[LevelPair]:
    return [one for one in pairs if one.judgement.outcomes is not None]


def _fitted(pairs: Sequence[LevelPair], odd: FloatArray, even: FloatArray) -> list[float]:
    """The coefficient of the odd feature and those of the even ones, each source counting alike."""
    truth, counts = np.array([as_outcome(one.truth) for one in pairs]), Counter(one.source for one in pairs)
    weight = np.array([1 / (len(counts) * counts[one.source]) for one in pairs])

    def loss(coefficients: FloatArray) -> float:
        direction = LEVELS_LIMIT * np.tanh(coefficients[0] * odd / LEVELS_LIMIT)
        common = COMMON_LIMIT * np.tanh(even @ coefficients[1:] / COMMON_LIMIT)
        logarithms = np.column_stack([direction, common, -direction])
        shares = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
        chances = LEAST + (1 - 3 * LEAST) * shares / shares.sum(axis=1, keepdims=True)
        return -float(weight @ (truth * np.log(chances)).sum(axis=1)) + RIDGE * float(coefficients @ coefficients)

    bounds = [(0.0, None)] + [(None, None)] * even.shape[1]
    return [float(one) for one in optimize.minimize(loss, np.zeros(len(bounds)), method="L-BFGS-B", bounds=bounds).x]


def fit(method: str, seeds: Iterable[int]) -> None:
    """Fit, and write what was found to calibration.py."""
    pairs = list(level_pairs(method, seeds))
    name, found = ("LEVELS", fit_functions(pairs)) if method == "discrete" else ("MIXED", fit_ratio(pairs))
    text = rewritten(CALIBRATION.read_text(encoding="utf-8"), name, as_table(name, "", found))
    CALIBRATION.write_text(text, encoding="utf-8")
    print(f"{len(_told(pairs))} of {len(pairs)} pairs; written to {CALIBRATION}: {found}")


# ----------------------------------------------------------------------------------------------------------- reporting


def said(judgement: Judgement, truth: Structure) -> list[Said]:
    """What is stated about a pair, at the usual least confidence."""
    verdict = verdict_of(judgement, "auto", 0, sufficient=False)
    return [] if verdict.outcomes is None else said_of(verdict.outcomes, truth)


def report(method: str, seeds: Iterable[int]) -> Iterator[str]:
    """What is stated about pairs of each source: in one study; in all studies that measured them."""
    pairs = list(level_pairs(method, seeds))
    for source in SOURCES[method]:
        own = [one for one in pairs if one.source == source]
        for rows in ROWS:
            some = [one for one in own if one.rows == rows]
            yield f"{source}, {rows} rows: {tally((said(one.judgement, one.truth), one.truth) for one in some)}"
        yield f"{source}, all: {tally((said(one.judgement, one.truth), one.truth) for one in own)}"
        for count, some_of in _by_studies(own).items():
            found = [
                (said(together([one.judgement for one in same]), same[0].truth), same[0].truth) for same in some_of
            ]
            yield f"{source}, measured by {count}: {tally(found)}"


def _by_studies(pairs: Iterable[LevelPair]) -> dict[int, list[list[LevelPair]]]:
    """The pairs, each with what all of its studies say, by their number."""
    found: dict[int, list[list[LevelPair]]] = {}
    for _, same in groupby(sorted(pairs, key=_which), key=_which):
        every = list(same)
        found.setdefault(len(every), []).append(every)
    return dict(sorted(found.items()))


def _which(pair: LevelPair) -> tuple[int, tuple[str, str]]:
    return pair.seed, pair.names


def main() -> None:
    """Fit or report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.levels", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["fit", "report"])
    parser.add_argument("--method", choices=list(SOURCES), default="discrete")
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--from", dest="start", type=int)
    options = parser.parse_args()
    if options.what == "fit":
        fit(options.method, range(options.start or STUDY_SEED, (options.start or STUDY_SEED) + options.seeds))
        return
    for line in report(
        options.method, range(options.start or REPORT_SEED, (options.start or REPORT_SEED) + options.seeds)
    ):
        print(line, flush=True)


if __name__ == "__main__":
    main()
