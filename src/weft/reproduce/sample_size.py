"""Seven variables, perfect tests of independence, and directions learned from 200 to 1000 rows.

The paper's figure of the graph is lost. What its text says of it: seven variables, the studies {y, x, t, z, u, v} and
{y, x, z, u, v, w}, IOD with perfect tests leaves 275 MAGs, and Causal IOD with the right directions one. The graph here
(:data:`TRUTH`) was chosen among random DAGs because it satisfies all of that, so that these two counts agree by
construction; the number of its edges is one of those that the printed precision and recall allow
(:func:`~weft.reproduce.paper.possible_true_edges`).

The equations are not printed either. Data are drawn as by ``weft simulate --tables`` (sums of functions of the causes,
plus or times noise; :mod:`weft.studies.simulate`), with new functions for each repetition. Pairs that are connected in
a study are judged; common causes are not excluded, since some of these pairs have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Relation
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.reproduce.figures import Spread, spread
from weft.reproduce.outcome import Outcome, Truth, outcomes
from weft.reproduce.paper import METHODS, possible_true_edges, printed
from weft.reproduce.runner import Context, Experiment, Size
from weft.reproduce.sections import Block, Plot, Row, Section, Series, Table, Text, by_method, row_of, row_of_many
from weft.reproduce.synthetic import LAMBDA, ORIENTING
from weft.reproduce.units import Done, Unit

TITLE = "Sample size"
TRUTH = MixedGraph.parse("t -> x; t -> y; u -> v; w -> u; x -> u; w -> x; y -> x; y -> z")
STUDIES = (("y", "x", "t", "z", "u", "v"), ("y", "x", "z", "u", "v", "w"))
ROWS = (200, 400, 600, 800, 1000)
PATIENCE = 60.0
WAYS = {"kcdc": f"KCDC with lambda {LAMBDA:g}", "default": "weft's default orientation"}


def units(size: Size) -> list[Unit]:
    """Perfect directions once, learned ones for each number of rows and repetition."""
    learned = [
        Unit("sample-size", f"{rows}-{number:02}", {"rows": rows, "seed": size.seed + number, "lambda": LAMBDA})
        for rows in ROWS
        for number in range(size.of(full=20, quick=4))
    ]
    return [Unit("sample-size", "oracle", {"graph": str(TRUTH)}), *learned]


def measure(unit: Unit, context: Context) -> dict[str, Any]:
    """The answers with perfect directions, or with learned ones."""
    return _perfect() if unit.name == "oracle" else _learned(unit.number("rows"), unit.number("seed"))


def independences() -> Evidence:
    """What perfect tests of independence say."""
    evidence = oracle(TRUTH, STUDIES)
    return evidence.with_statements(one for one in evidence.statements if not isinstance(one, Relation))


def _perfect() -> dict[str, Any]:
    found = outcomes(oracle(TRUTH, STUDIES), [Truth("truth", TRUTH)], PATIENCE)
    return {"outcomes": [one.document() for one in found]}


def _learned(rows: int, seed: int) -> dict[str, Any]:
    import numpy as np

    from weft.evidence.orientation.kcdc import Kcdc
    from weft.evidence.relate import relate
    from weft.studies.simulate import draw_studies

    studies = draw_studies(TRUTH, STUDIES, rows, np.random.default_rng([seed, rows]))
    tested = independences()
    pairs = {(one.x, one.y) for one in tested.connected}
    ways = {
        "kcdc": relate(studies, pairs, orientation=Kcdc(ridge=LAMBDA), least_confidence=0.5),
        "default": relate(studies, pairs),
    }
    result: dict[str, Any] = {}
    for name, related in ways.items():
        evidence = tested.with_statements((*tested.statements, *related.relations))
        found = outcomes(evidence, [Truth("truth", TRUTH)], PATIENCE, ORIENTING)
        result[name] = [one.document() for one in found]
        result[f"{name} directions"] = _directions(related.relations, pairs)
    return result


def _directions(relations: Sequence[Relation], pairs: set[tuple[str, str]]) -> dict[str, int]:
    """How many of the judged pairs that are edges of the truth got the right direction, the wrong one, or none."""
    edges = {(min(e.x, e.y), max(e.x, e.y)): e.x < e.y for e in TRUTH.edges()}
    # of two statements about a pair the narrower comes first: it has the last word
    said = {(one.x, one.y): Structure.CAUSES in one.allowed for one in reversed(relations)}
    judged = [pair for pair in pairs if pair in edges]
    right = sum(pair in said and said[pair] == edges[pair] for pair in judged)
    return {"right": right, "wrong": sum(pair in said for pair in judged) - right, "pairs": len(judged)}


# -- the section ----------------------------------------------------------------------------------------------------


def section(done: Sequence[Done]) -> Section:
    """The rows of the table, how good the directions were, and a plot."""
    perfect, *learned = done
    return Section("sample-size", TITLE, tuple(_rows(perfect, learned)), tuple(_blocks(perfect, learned)))


def _found(learned: Sequence[Done], rows: int, way: str) -> dict[str, list[Outcome]]:
    return by_method(one.result[way] for one in learned if one.settings["rows"] == rows)


def _rows(perfect: Done, learned: Sequence[Done]) -> Iterator[Row]:
    for one in map(Outcome.read, perfect.result["outcomes"]):
        yield row_of(TITLE, "perfect tests", one, printed("sample-size", one.method))
    for way, title in WAYS.items():
        for rows in ROWS:
            for method, some in _found(learned, rows, way).items():
                paper = printed("sample-size", method, str(rows))
                yield row_of_many(TITLE, f"{rows} rows, {title}", some, paper)


def _blocks(perfect: Done, learned: Sequence[Done]) -> Iterator[Block]:
    iod, *_, causal = map(Outcome.read, perfect.result["outcomes"])
    edges = possible_true_edges(2, 0.78, 0.88, variables=7)
    allowed = ", ".join(map(str, edges))
    yield Text(
        f"The paper's picture of the graph is lost. This one was chosen among random DAGs because with perfect "
        f"tests IOD leaves {iod.mags} MAGs, as the paper prints, and Causal IOD {causal.mags}, so that this agreement "
        f"says nothing: `{TRUTH}`. It has "
        f"{len(TRUTH.edges())} edges; the printed figures of 200 rows (2 MAGs, 0.78, 0.88) allow only {allowed}. IOD's "
        "precision and recall are not the printed ones, so it is not the paper's graph. The paper's table says 9/11 "
        "for the overlap of this experiment; its text says 5 of 7, and so do its lists of variables."
    )
    yield Text(
        "How many directions of the true edges that are connected in a study were right, wrong and left open, all "
        "repetitions together:"
    )
    yield _direction_table(learned)
    yield Text("Precision and recall of Causal IOD, with 95 % intervals of the means:")
    yield _interval_table(learned)
    yield _plot(iod, learned)


def _direction_table(learned: Sequence[Done]) -> Table:
    rows = []
    for way, title in WAYS.items():
        for number in ROWS:
            some = [one.result[f"{way} directions"] for one in learned if one.settings["rows"] == number]
            right, wrong, pairs = (sum(one[name] for one in some) for name in ("right", "wrong", "pairs"))
            rows.append((title, str(number), f"{right} of {pairs}", f"{wrong} of {pairs}", str(pairs - right - wrong)))
    return Table(("method", "rows", "right", "wrong", "left open"), tuple(rows))


def _scores(learned: Sequence[Done], rows: int, way: str) -> Mapping[str, Spread]:
    some = [one.scores[0] for one in _found(learned, rows, way)["causal-iod"]]
    spreads = {name: spread(getattr(one, name) for one in some) for name in ("precision", "recall")}
    return {name: one for name, one in spreads.items() if isinstance(one, Spread)}


def _interval_table(learned: Sequence[Done]) -> Table:
    rows = []
    for way, title in WAYS.items():
        for number in ROWS:
            cells = [
                f"{one.mean:.2f} [{one.low:.2f}, {one.high:.2f}]" for one in _scores(learned, number, way).values()
            ]
            rows.append((title, str(number), *cells))
    return Table(("method", "rows", "precision", "recall"), tuple(rows))


def _plot(iod: Outcome, learned: Sequence[Done]) -> Plot:
    x = tuple(map(float, ROWS))
    series = []
    for way, title in WAYS.items():
        scores = [_scores(learned, number, way)["precision"] for number in ROWS]
        mean, low, high = (tuple(getattr(one, name) for one in scores) for name in ("mean", "low", "high"))
        series.append(Series(f"{METHODS['causal-iod']}, {title}", x, mean, low, high))
    paper = tuple(line.precision for rows in ROWS if (line := printed("sample-size", "causal-iod", str(rows))))
    series.append(Series(f"{METHODS['causal-iod']}, the paper", x, tuple(one or 0.0 for one in paper)))
    level = iod.scores[0].precision
    if isinstance(level, float):
        series.append(Series("IOD, perfect tests", x, (level,) * len(x)))
    return Plot("sample-size", "Directions learned from few rows", "rows of each study", "precision", tuple(series))


EXPERIMENT = Experiment("sample-size", TITLE, units, measure, section)
