"""What cannot be walked: estimates and fair samples beside the truth, where it is known; large sets; and Protein.

By both means that have a guarantee: the sieve, which comes first in the product, and random cells, for the rest.
"""

from __future__ import annotations

import math
import resource
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, islice
from pathlib import Path

import numpy

from benchmarks.problems import Family
from benchmarks.settings import Settings
from benchmarks.table import Row, memory_row, skipped, time_row
from weft import SolutionSet, oracle, solve
from weft.effort import USUAL, Effort
from weft.evidence.claims import Claim, Topic
from weft.gathering import gather
from weft.graphs.mixed import MixedGraph
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.report.html import page
from weft.report.view import view_of
from weft.report.view import within as within_seconds
from weft.reproduce.protein import ALPHA
from weft.reproduce.protein import studies as protein_studies
from weft.search.counting import (
    CELL,
    FACTOR,
    HASHES,
    LARGEST,
    PROBABILITY,
    Cells,
    Drawing,
    Estimate,
    drawn,
    estimated,
)
from weft.search.how_many import FAIR_SAMPLE
from weft.search.sieve import Sieve
from weft.settings import Settings as TestSettings
from weft.solutions.structures import Structures, walked

FEWEST, MOST = 100, 1_000_000
"""The problems have at least and at most so many structures."""
EXHAUSTIVE = 3_000
"""Up to so many structures, draws are counted structure by structure."""
REFERENCE = 100
"""So often, chi-square is worked out for ideal cells."""
COMPARED = 100_000
"""Up to so many structures, the shares of all are known by one walk."""
LARGE, LARGE_SEED = Family(9, 2, 2, method="iod"), 2
"""28,325,728 structures, by an exact counter (pyganak 2.8)."""
LARGE_NUMBER = 28_325_728
TWIN, TWIN_SEED = Family(6, 2, 2, method="iod"), 270
"""36,729 structures, by a walk. Twice, with other names and nothing in between, it has that squared: 1.3e9."""
WIDE, WIDE_SEED = Family(7, 2, 2, method="iod"), 0
"""3,246 structures, by a walk; twice, 1.1e7."""
BY_STAGES, REPEATED, FEW = 20_000, 5, 32
"""Problems with so many structures at least are estimated edge by edge, so often each, until so few are left."""
FROM_CELLS = 2_000
"""So many are drawn from cells: more take long, since some problems have cells that are hard to list."""
PROTEIN = ("iod", "causal-iod")
"""The methods that are asked about the tables of ``weft reproduce protein``."""


def counting(settings: Settings) -> Iterator[Row]:
    """Walkable problems of 6 to 8 variables; then large ones, and Protein."""
    problems = list(_problems(len(settings.seeds(50))))
    yield from _estimates_rows("sieve", problems, lambda solutions: _sieve(solutions).sifted(1).number)
    yield _sifted_row([one for one in problems if one[1] <= EXHAUSTIVE][:10])
    yield from _claims_rows(
        "sieve", problems, lambda solutions, number: _sieve(solutions).sifted(3, FAIR_SAMPLE).graphs
    )
    yield from _estimates_rows("cells", problems, lambda solutions: estimated(_cells(solutions), seed=1))
    yield _structures_row([one for one in problems if one[1] <= EXHAUSTIVE][:10])
    yield from _claims_rows(
        "cells", problems, lambda solutions, number: drawn(_cells(solutions), FROM_CELLS, number, 3)
    )
    yield from _large()
    yield from _billion()
    yield from _protein()
    yield from _wide()
    yield from _met()


def _estimates_rows(
    means: str, problems: list[tuple[SolutionSet, int]], count: Callable[[SolutionSet], int | Estimate]
) -> Iterator[Row]:
    """How many estimates are within their factor, and what they take."""
    kept, spent = [], []
    for solutions, number in problems:
        start = time.process_time()
        found = count(solutions)
        spent.append(time.process_time() - start)
        value = found.value if isinstance(found, Estimate) else found
        kept.append(number / FACTOR <= value <= number * FACTOR)
    wanted = math.ceil(PROBABILITY * len(kept))
    sizes = sorted(number for _, number in problems)
    notes = (f"{sizes[0]:,} to {sizes[-1]:,} structures",)
    what = f"{means}: estimates within 1.2"
    yield Row(what, f">= {wanted}", str(sum(kept)), f"of {len(kept)}", sum(kept) >= wanted, notes)
    yield time_row(f"{means}: an estimate, processor time", spent)


def _problems(number: int) -> Iterator[tuple[SolutionSet, int]]:
    """Sets of solutions whose number is known, large and small ones in turn."""
    seed = 0
    while number:
        family = Family(6 + seed % 3, 2 + seed % 2, 2 + seed % 3, confounding=0.5 * (seed % 2), method="iod")
        solutions = solve(family.evidence(seed), ("iod", "causal-iod")[seed // 3 % 2], effort=None)
        count, whole = solutions._search.count((), MOST)
        seed += 1
        if whole and count >= FEWEST:
            number -= 1
            yield solutions, count


def _cells(solutions: SolutionSet) -> Cells:
    found = solutions._search.cells(solutions.supposed)
    assert found is not None
    return found


def _sieve(solutions: SolutionSet) -> Sieve:
    found = solutions._search.sieve(solutions.supposed)
    assert found is not None
    return found


def _sifted_row(problems: list[tuple[SolutionSet, int]]) -> Row:
    """Chi-square over structures, five draws for each on average."""
    values = []
    for solutions, number in problems:
        seen = Counter(_sieve(solutions).sifted(2, 5 * number).graphs)
        square = sum((seen[graph] - 5) ** 2 / 5 for graph in solutions)
        values.append((square - number + 1) / math.sqrt(2 * (number - 1)))
    return _normal_row("sieve: chi-square over structures, sd from its mean", values)


def _structures_row(problems: list[tuple[SolutionSet, int]]) -> Row:
    """Chi-square over structures, five draws for each on average, beside that of ideal cells.

    Draws come from cells, each at most once from a cell, so that the usual distribution of chi-square does not apply.
    """
    values = []
    for solutions, number in problems:
        seen = Counter(islice(Drawing(_cells(solutions), number, 2), 5 * number))
        square = sum((seen[graph] - 5) ** 2 / 5 for graph in solutions)
        ideal = [_ideal_square(number, numpy.random.default_rng([number, turn])) for turn in range(REFERENCE)]
        off, spread = square - statistics.fmean(ideal), statistics.stdev(ideal)
        values.append(off / spread if spread else 0.0 if not off else math.inf)  # few are one cell: each is drawn alike
    return _normal_row("cells: chi-square over structures, sd from its mean", values)


def _ideal_square(number: int, rng: numpy.random.Generator) -> float:
    """The same of so many things that are put into cells by chance alone."""
    cells, seen, left = 1 << max(0, round(math.log2(number / CELL))), numpy.zeros(number), 5 * number
    while True:
        own = rng.integers(cells, size=number)
        for _ in range(HASHES):
            there = numpy.flatnonzero(own == rng.integers(cells))
            drawn_here = rng.permutation(there)[:left] if len(there) <= LARGEST else there[:0]
            seen[drawn_here] += 1
            left -= len(drawn_here)
            if not left:
                return float(((seen - 5) ** 2 / 5).sum())


def _claims_rows(
    means: str,
    problems: list[tuple[SolutionSet, int]],
    draw: Callable[[SolutionSet, int], list[MixedGraph]],
) -> Iterator[Row]:
    """The share of each open edge among so many drawn: in standard errors and in points from the truth, at worst."""
    errors, points = [], []
    for solutions, number in [one for one in problems if EXHAUSTIVE < one[1] <= COMPARED][:10]:
        every = solutions.walked(None)
        sample = walked(draw(solutions, number), every.names, complete=False)
        off, worst = [0.0], 0.0
        for x, y in combinations(every.names, 2):
            for symbol in ("->", "<-", "<->"):
                claim = Claim(Topic.EDGE, x, y, symbol=symbol)
                truth, own = every.share(claim), sample.share(claim)
                off.append(100 * abs(own - truth))
                if 0.01 < truth < 0.99:
                    worst = max(worst, abs(own - truth) / math.sqrt(truth * (1 - truth) / sample.number))
        errors.append(worst)
        points.append(off)
    yield _normal_row(f"{means}: shares of claims, standard errors off", errors)
    every_one = [one for own in points for one in own]
    within = sum(one <= 2 for one in every_one) / len(every_one)
    note = f"{100 * within:.1f} % of {len(every_one)} shares are within 2 points"
    yield Row(
        f"{means}: shares of claims, points off, at worst",
        "< 2",
        "",
        f"{max(every_one):.1f}",
        max(every_one) < 2,
        (note,),
    )


def _large() -> Iterator[Row]:
    """Count, draw, and answer under a supposition, where the number is known by another program."""
    solutions = solve(LARGE.evidence(LARGE_SEED), LARGE.method)
    start = time.process_time()
    total = solutions.count()
    spent = time.process_time() - start
    known = isinstance(total, Estimate) and LARGE_NUMBER / FACTOR <= total.value <= LARGE_NUMBER * FACTOR
    yield Row("2.8e7 structures: within 1.2", "yes", "yes" if known else "no", "", known, (str(total),))
    yield time_row("2.8e7 structures: count", [spent], goal=60)
    start = time.process_time()
    sample = solutions.shown()
    yield time_row("2.8e7 structures: the sample", [time.process_time() - start], goal=60)
    view = view_of(within_seconds(solutions, 5.0), patience=0, details=False)
    start = time.process_time()
    size = len(page(view))
    yield time_row(
        "2.8e7 structures: write the page", [time.process_time() - start], goal=1, notes=(f"{size:,} bytes",)
    )
    claims = [Claim(Topic.EDGE, x, y) for x, y in combinations(sample.names, 2)]
    spent_each = []
    for claim in claims:
        start = time.process_time()
        solutions.fair_sample_with([claim])
        spent_each.append(time.process_time() - start)
    yield time_row("2.8e7 structures: about how many under a supposition", spent_each, goal=1)


def _billion() -> Iterator[Row]:
    """Two problems side by side: each pair of one of each is known to be independent, so that numbers multiply."""
    one, solutions = _twins(TWIN, TWIN_SEED)
    every = one.walked(None)
    yield from _count_rows("1.3e9 structures", solutions, every.number**2)
    start = time.perf_counter()
    view = view_of(within_seconds(solutions, 5.0), patience=0, details=False)
    yield time_row(
        f"1.3e9 structures: {FAIR_SAMPLE:,} drawn, and all that the page tells", [time.perf_counter() - start]
    )
    yield _shares_row("1.3e9 structures", every, solutions.shown(), "XY")
    yield from _opened(page(view))


def _twins(
    family: Family, seed: int, *, selection: bool = False, letters: str = "XY"
) -> tuple[SolutionSet, SolutionSet]:
    """A problem, and as many of it side by side as letters; variables of two of them are known to be independent."""
    graph, studies = family.drawn(seed)
    names = [[_twin_name(name, letter) for name in graph.names] for letter in letters]
    both = "; ".join(_twin_name(str(graph), letter) for letter in letters)
    apart = [[x, y] for one, other in combinations(names, 2) for x in one for y in other]
    split = [[_twin_name(name, letter) for name in study] for letter in letters for study in studies]
    one = solve(oracle(graph, studies), family.method, selection=selection, effort=None)
    return one, solve(oracle(both, [*split, *apart]), family.method, selection=selection)


def _twin_name(text: str, letter: str) -> str:
    return text.replace("X", letter)


def _count_rows(what: str, solutions: SolutionSet, number: int) -> Iterator[Row]:
    """Whether the number is told within its factor, and how long that takes."""
    start = time.perf_counter()
    total = solutions.count()
    spent = time.perf_counter() - start
    known = isinstance(total, Estimate) and number / total.factor <= total.value <= number * total.factor
    yield Row(f"{what}: within its factor", "yes", "yes" if known else "no", "", known, (f"{total}, of {number:,}",))
    yield time_row(f"{what}: count", [spent])


def _shares_row(what: str, every: Structures, sample: Structures, letters: str) -> Row:
    """How far the shares of edges among the drawn are from those of all structures of a problem, in each twin."""
    off = [
        100 * abs(sample.share(Claim(Topic.EDGE, _twin_name(x, letter), _twin_name(y, letter), symbol=symbol)) - truth)
        for x, y in combinations(every.names, 2)
        for symbol in ("->", "<-", "<->")
        for truth in [every.share(Claim(Topic.EDGE, x, y, symbol=symbol))]
        for letter in letters
    ]
    within = 100 * sum(one <= 2 for one in off) / len(off)
    note = f"{sample.basis}; {within:.1f} % of {len(off)} shares are within 2 points"
    return Row(f"{what}: shares, points off, at worst", "< 2", "", f"{max(off):.1f}", max(off) < 2, (note,))


def _met() -> Iterator[Row]:
    """More variables than the sieve takes, and more structures than cells: walks that meet."""
    _, solutions = _twins(LARGE, LARGE_SEED)
    yield from _count_rows("18 variables, 8.0e14 structures", solutions, LARGE_NUMBER**2)
    start = time.perf_counter()
    solutions.sample(1_000, 1)
    yield time_row("18 variables, 8.0e14 structures: 1,000 drawn", [time.perf_counter() - start], goal=60)
    one, solutions = _twins(TWIN, TWIN_SEED, letters="XYZ")
    every = one.walked(None)
    yield from _count_rows("18 variables, 5.0e13 structures", solutions, every.number**3)
    yield _shares_row("18 variables, 5.0e13 structures", every, solutions.shown(fairly=True), "XYZ")
    found = list(_off_by_walks(_problems(40)))
    kept = sum(abs(one) <= 1 for one in found)
    wanted = math.ceil(PROBABILITY * len(found))
    what = "walks that meet: estimates within their factor"
    yield Row(what, f">= {wanted}", str(kept), f"of {len(found)}", kept >= wanted)


def _off_by_walks(problems: Iterator[tuple[SolutionSet, int]]) -> Iterator[float]:
    """How far estimates are off, in terms of their factor's logarithm: edge by edge, down to some 16 structures."""
    for solutions, number in problems:
        walks = solutions._search.meeting(()) if number >= BY_STAGES else None
        if walks is not None:
            for seed in range(100, 100 + REPEATED):
                with Effort(USUAL).here():
                    few = partial(solutions._search.count, limit=FEW)
                    found = walks.estimated(walks.met(seed), few, seed, counted_bits=math.log2(FEW) - 1)
                yield math.log(found.value / number) / math.log(found.factor)


def _wide() -> Iterator[Row]:
    """As many variables as the sieve takes, without selection and with it."""
    one, solutions = _twins(WIDE, WIDE_SEED)
    yield from _count_rows("14 variables", solutions, len(one.walked(None)) ** 2)
    one, solutions = _twins(TWIN, TWIN_SEED, selection=True)
    yield from _count_rows("12 variables with selection", solutions, len(one.walked(None)) ** 2)
    yield memory_row("memory", [_memory()], goal=1024)


def _opened(text: str) -> Iterator[Row]:
    """How long Chromium takes to open a page, from its address to the first frame after everything has run."""
    what, program = "1.3e9 structures: the page opens in Chromium", shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        yield skipped(what, "it takes chromium and playwright")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder, "page.html")
        file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        spent = []
        for _ in range(3):
            tab = browser.new_page()
            start = time.perf_counter()
            tab.goto(file.as_uri(), wait_until="load")
            tab.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            spent.append(time.perf_counter() - start)
            tab.close()
        browser.close()
    yield time_row(what, spent, goal=1, notes=(f"{len(text):,} bytes",))


def _normal_row(what: str, values: list[float]) -> Row:
    worst = max(map(abs, values), default=math.nan)
    return Row(what, "< 4", f"{sorted(values)[len(values) // 2]:.1f}" if values else "", f"{worst:.1f}", worst < 4)


def _protein() -> Iterator[Row]:
    """The paper's largest sets, with two processes; seconds by the clock."""
    workers = Workers(2)
    for method in PROTEIN:
        settings = TestSettings(independence="kcit", alpha=ALPHA, max_given=2, tests=None, method=method)
        evidence = gather(protein_studies(7466, 0), Knowledge(), settings, workers=workers).evidence
        solutions = solve(evidence, method, conflicts="repair", n_jobs=2)
        solutions.repair()
        start = time.perf_counter()
        number = solutions.count()
        spent, found = time.perf_counter() - start, isinstance(number, Estimate)
        yield time_row(f"Protein, {method}: count", [spent if found else math.inf], goal=120, notes=(str(number),))
        factor = number.factor if isinstance(number, Estimate) else math.inf
        yield Row(f"Protein, {method}: factor", "<= 1.2", f"{factor:g}", "", factor <= FACTOR)
        start = time.perf_counter()
        sample = solutions.structures
        spent = time.perf_counter() - start
        yield time_row(f"Protein, {method}: the sample", [spent if sample.fair else math.inf], notes=(sample.basis,))
        start = time.perf_counter()
        drawn_anew = solutions.sample(1_000, 1)
        spent = time.perf_counter() - start
        yield time_row(f"Protein, {method}: 1,000 drawn", [spent if len(drawn_anew) == 1_000 else math.inf], goal=60)
    yield memory_row("memory so far", [_memory()], goal=1024)
    settings = TestSettings(independence="kcit", alpha=ALPHA, max_given=2, tests=None, method="iod")
    evidence = gather(protein_studies(7466, 0), Knowledge(), settings, workers=workers).evidence
    selected = solve(evidence, "iod", selection=True, conflicts="repair", n_jobs=2)
    start = time.perf_counter()
    number = selected.count()
    spent, found = time.perf_counter() - start, isinstance(number, Estimate)
    what = "Protein, iod with selection: count"
    yield time_row(what, [spent if found else math.inf], goal=120, notes=(str(number),))


def _memory() -> float:
    """The most that this process has held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
