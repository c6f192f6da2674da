"""What a bootstrap share is worth: ``python -m benchmarks bootstrap``.

Random ADMGs of 5 to 8 variables in two studies of 1,000 rows that share half of them (seeds that nothing else uses).
Each data set is analysed ten times on half of its rows. A claim counts where it held in all structures of some run; it
is right if it holds in the true graph. The row says, by the share of runs, how many such claims are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from benchmarks.evidence import simulated
from benchmarks.settings import Settings
from benchmarks.table import Row
from weft.bootstrap import resampled
from weft.graphs.ancestral import marginal_mag
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.search.problem import claims_hold
from weft.settings import Question
from weft.settings import Settings as Gathering
from weft.studies import usable

SEED, ROWS, GRAPHS, RUNS = 90_000, 1000, 8, 10
TESTS = {"linear": "fisher-z", "discrete": "auto"}
"""By way; kernel tests would take an hour."""
BINS = (0.0, 0.5, 0.9, 1.0)


class Again(NamedTuple):
    """A claim that held in all structures in some of the runs."""

    share: float
    right: bool


def again(way: str, seed: int) -> list[Again]:
    """What became of the claims about one data set."""
    graph, studies = simulated(seed, way, ROWS)
    kept = usable(studies)[0]
    found = resampled(kept, Knowledge(), Gathering(independence=TESTS[way]), Question(), RUNS, SEED, workers=Workers(2))
    mag = marginal_mag(graph, sorted({name for study in kept for name in study.variables}))
    shares = {} if found is None else found.shares
    return [Again(one.all, claims_hold([claim], graph, mag)) for claim, one in shares.items() if one.all > 0]


def bootstrap(settings: Settings) -> Iterator[Row]:
    """How often claims are right, by the share of the runs that made them."""
    for way in TESTS:
        claims = [one for seed in settings.seeds(GRAPHS) for one in again(way, SEED + seed)]
        yield Row(f"{way}, {ROWS} rows, {RUNS} runs on half of them: right / all, by share of the runs")
        for low, high in pairwise(BINS):
            yield _row(f"  above {100 * low:.0f} to {100 * high:.0f} %", [c for c in claims if low < c.share <= high])


def _row(what: str, claims: Sequence[Again]) -> Row:
    right = sum(one.right for one in claims)
    return Row(what, "", f"{right} / {len(claims)}", values=tuple(float(one.right) for one in claims))
