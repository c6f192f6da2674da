"""How often intervals of effects hold the truth: ``python -m benchmarks effects``.

Random linear models of ADMGs and DAGs with 4 to 8 variables, two or three studies that share some, 3,000 rows each,
noise that is Gaussian in half of them and skewed in the others. In the first part the structure is the true MAG, so
what is measured is the estimation: the interval of every effect that is identified in it against the true effect. Few
effects are composed, so more models are drawn for them, until there are enough. In the second part ``discover`` finds
the structures from tables of 4 or 5 variables, 500 to 3,000 rows each, with skewed noise, and what is measured is how
often what is said of each pair is true, beside how sure it was said to be. That an effect lies in a range is true if
there is an effect and it lies there: that there is none is another case.
Nothing was fitted or chosen on these seeds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from benchmarks.settings import Settings
from benchmarks.table import Row
from tests.support.linear import EXACT, Linear
from weft.discover import discover
from weft.effects.answer import Effects, effects_of
from weft.effects.identify import Adjusted, Composed, Identification, Setting, identify
from weft.graphs.adjustment import adjustment_set
from weft.graphs.ancestral import mag_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, random_dag, split_into_studies
from weft.solutions.effect_sizes import Sizes, tables_of
from weft.studies import Study

MODELS, FIRST_SEED, ROWS = 500, 7_000, 3_000
FIRST_COMPOSED, MOST_COMPOSED = 100_000, 600
"""The first seed of the models for composed effects, and how many intervals are enough of each kind."""
RUNS, FIRST_RUN, RUN_ROWS = 240, 820_000, (500, 1_000, 2_000, 3_000)
LOWEST, HIGHEST = 93.0, 97.0


def effects(settings: Settings) -> Iterator[Row]:
    """Coverage of the intervals, by how the effect was identified; and of what is said from data alone."""
    start = time.process_time()
    models = map(_drawn, range(FIRST_SEED, FIRST_SEED + (20 if settings.quick else MODELS)))
    yield _covered("adjusted", [hit for model in models for hit in model.intervals(_is_adjusted)])
    yield from _tried(range(FIRST_SEED, FIRST_SEED + (20 if settings.quick else MODELS)))
    enough = 20 if settings.quick else MOST_COMPOSED
    yield _covered("composed, never measured together", _composed(enough, together=False))
    yield _covered("composed, measured together", _composed(enough, together=True))
    yield Row("true structures, processor time", "", f"{time.process_time() - start:.0f} s")
    start = time.process_time()
    yield from _from_data(range(FIRST_RUN, FIRST_RUN + (4 if settings.quick else RUNS)))
    yield Row("from data, processor time", "", f"{time.process_time() - start:.0f} s")


def _covered(kind: str, hits: list[bool]) -> Row:
    share = 100 * sum(hits) / max(len(hits), 1)
    goal, reached = f"{LOWEST:.0f}-{HIGHEST:.0f} %", LOWEST <= share <= HIGHEST
    return Row(f"{kind}: hold the truth", goal, f"{share:.1f} %", "", reached, (f"of {len(hits):,} intervals",))


# -- the true structure ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A model and who measures what."""

    seed: int
    model: Linear
    split: tuple[tuple[str, ...], ...]
    rng: np.random.Generator

    def studies(self, rows: int, *, skewed: bool) -> dict[str, Study]:
        """A sample for each study."""
        found = {}
        for place, own in enumerate(self.split):
            values = self.model.draw(rows, self.rng, skewed=skewed)
            found[f"s{place}"] = Study.of({name: values[name] for name in own}, f"s{place}")
        return found

    def intervals(self, wanted: Callable[[Identification, bool], bool]) -> list[bool]:
        """For each effect that is identified as wanted, whether its interval holds the truth."""
        graph = mag_of(self.model.graph)
        setting = Setting({f"s{place}": frozenset(own) for place, own in enumerate(self.split)})
        pairs = [
            (x, y)
            for x, y in permutations(graph.names, 2)
            if wanted(identify(graph, x, y, setting), any({x, y} <= set(own) for own in self.split))
        ]
        studies = self.studies(ROWS, skewed=self.seed % 4 > 1) if pairs else {}
        return [self._holds(graph, x, y, studies, setting) for x, y in pairs]

    def _holds(self, graph: MixedGraph, x: str, y: str, studies: dict[str, Study], setting: Setting) -> bool:
        (case,) = effects_of([graph], x, y, studies, setting).cases
        assert case.low is not None
        assert case.high is not None
        return bool(case.low <= self.model.effects((x,), y)[0] <= case.high)


def _drawn(seed: int) -> Drawn:
    rng = np.random.default_rng(seed)
    size = 4 + seed % 5
    graph = random_admg(size, rng, mean_degree=1.8) if seed % 2 else random_dag(size, rng, mean_degree=2)
    model = Linear(graph, rng)
    return Drawn(seed, model, tuple(split_into_studies(graph.names, rng, studies=2 + seed % 2, overlap=2)), rng)


def _is_adjusted(how: Identification, together: bool) -> bool:
    return together and isinstance(how, Adjusted)


def _tried(seeds: Iterable[int]) -> Iterator[Row]:
    """Adjustment sets in the models (ADMGs) themselves and in their MAGs, against all sets that a study measured."""
    found = Counter(one for seed in seeds for one in _judged(_drawn(seed)))
    for where in ("model", "MAG"):
        total = sum(number for (own, _), number in found.items() if own == where)
        wrong = found[where, "wrong"]
        yield Row(f"adjustment sets, {where}: wrong", "0", f"{wrong}", "", wrong == 0, (f"of {total:,} asked for",))
    missed = found["model", "missed"]
    yield Row("adjustment sets, model: missed", "0", f"{missed}", "", missed == 0, ("all sets tried",))


def _judged(drawn: Drawn) -> Iterator[tuple[str, str]]:
    """For each study and pair in it: a set that shows the effect, one that does not, one that was missed, or none.

    A set for a MAG must do in the model. The model may have one where the MAG, which stands for others too, has none.
    """
    graph, mag = drawn.model.graph, mag_of(drawn.model.graph)
    for own in drawn.split:
        for x, y in permutations(own, 2):
            others = [name for name in own if name not in (x, y)]
            sets = [given for size in range(len(others) + 1) for given in combinations(others, size)]
            right = {frozenset(given) for given in sets if drawn.model.shows((x,), y, given)}
            for where, given in (
                ("model", adjustment_set(graph, [x], y, others, model=True)),
                ("MAG", adjustment_set(mag, [x], y, others)),
            ):
                if given is not None:
                    yield where, "right" if given in right else "wrong"
                else:
                    yield where, "missed" if right and where == "model" else "none"


def _composed(enough: int, *, together: bool) -> list[bool]:
    """Whether intervals of composed effects hold the truth, of as many models as it takes."""
    found: list[bool] = []
    seed = FIRST_COMPOSED
    while len(found) < enough:
        found += _drawn(seed).intervals(lambda how, both: isinstance(how, Composed) and both is together)
        seed += 1
    return found


# -- from data ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """Something that was said of a pair: how surely, and whether it is true."""

    sure: float
    true: bool


def _from_data(seeds: Iterable[int]) -> Iterator[Row]:
    ranges: list[Said] = []
    claimed: list[Said] = []
    zeros: list[Said] = []
    for found, truth in (one for seed in seeds for one in _found(seed)):
        zero, span = abs(truth) < EXACT, found.range
        sure = {one.kind: one.confidence or 0.0 for one in found.cases}.get("zero", 0.0)
        if span is not None and span.confidence is not None:
            said = Said(span.confidence, not zero and span.low <= truth <= span.high)
            ranges.append(said)
            claimed += [said] if sure < 0.5 else []
        zeros.append(Said(sure, zero))
    yield from _calibration("from data: the effect is in the range", ranges)
    yield from _calibration("from data: the same, where a cause is claimed", claimed)
    yield from _calibration("from data: there is no effect", zeros)


def _found(seed: int) -> Iterator[tuple[Effects, float]]:
    """What is said of each pair, and the true effect."""
    rng = np.random.default_rng(seed)
    size = 4 + seed % 2
    graph = random_admg(size, rng, mean_degree=1.6) if seed % 4 > 1 else random_dag(size, rng, mean_degree=1.8)
    split = tuple(split_into_studies(graph.names, rng, studies=2, overlap=2))
    drawn = Drawn(seed, Linear(graph, rng), split, rng)
    studies = list(drawn.studies(RUN_ROWS[seed // 4 % 4], skewed=True).values())
    solutions = discover(studies, independence="fisher-z", cache=None)
    sizes = Sizes(solutions, tables_of(solutions, studies))
    for x, y in permutations(graph.names, 2):
        yield sizes.of(x, y), float(drawn.model.effects((x,), y)[0])


def _calibration(what: str, said: list[Said]) -> Iterator[Row]:
    """How sure and how often true, over all and by how sure it was."""
    notes = []
    for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 1.01)):
        own = [one for one in said if low <= one.sure < high]
        if own:
            notes.append(
                f"{_mean(one.sure for one in own)} said, {_mean(one.true for one in own)} true, of {len(own):,}"
            )
    yield Row(what, _mean(one.sure for one in said), _mean(one.true for one in said), notes=tuple(notes))


def _mean(values: Iterable[float]) -> str:
    found = list(values)
    return f"{100 * sum(found) / max(len(found), 1):.1f} %"
