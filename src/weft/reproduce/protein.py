"""The proteins of Sachs et al.: 7,466 rows, eleven variables, nine of them in both studies.

The appendix lists PIP3 twice in both of its sets of variables, and PIP2 never; the second PIP3 is taken for PIP2. Then
one study lacks PKA and the other p44/42. Each row goes to one of the two studies, so that no row is counted twice where
p-values are pooled.

There are several true graphs in the literature, and precision and recall are given for each:

18 edges
    As the package ``cdt`` has it. It has a directed cycle (plcg -> PIP2 -> PIP3 -> plcg), so that no MAG can be it; its
    edges can be compared all the same.
17 edges
    The network that Sachs et al. found, as the bnlearn repository has it.
20 edges
    These 17, and the three that Sachs et al. name as known and missed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from weft.evidence.statements import Apart, Connected, Evidence
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.reproduce.figures import shown
from weft.reproduce.outcome import Outcome, Truth, outcome
from weft.reproduce.paper import METHODS, printed
from weft.reproduce.runner import Context, Experiment, Size
from weft.reproduce.sections import Block, Row, Section, Table, Text, row_of
from weft.reproduce.synthetic import LAMBDA, ORIENTING, undecided
from weft.reproduce.tables import shipped
from weft.reproduce.units import Done, Unit
from weft.solutions.solution_set import solve

if TYPE_CHECKING:
    from weft.studies import Study

TITLE = "Protein"
ALPHA = 0.01
LACKING = ("PKA", "p44/42")
WAYS = {
    "independence": "tests alone",
    "kcdc": f"KCDC with lambda {LAMBDA:g}, no common causes",
    "default": "weft's default orientation",
}

_FROM_PKA_AND_PKC = (
    "PKC -> praf; PKC -> pmek; PKC -> pjnk; PKC -> P38; PKA -> praf; PKA -> pmek; PKA -> p44/42; PKA -> pakts473; "
    "PKA -> pjnk; PKA -> P38; praf -> pmek; pmek -> p44/42"
)
_SEVENTEEN = f"{_FROM_PKA_AND_PKC}; PKC -> PKA; p44/42 -> pakts473; plcg -> PIP2; plcg -> PIP3; PIP3 -> PIP2"
TRUTHS = (
    Truth(
        "18 edges",
        MixedGraph.parse(
            f"{_FROM_PKA_AND_PKC}; plcg -> PIP2; PIP3 -> plcg; PIP2 -> PIP3; PIP2 -> PKC; plcg -> PKC; PIP3 -> pakts473"
        ),
    ),
    Truth("17 edges", MixedGraph.parse(_SEVENTEEN)),
    Truth("20 edges", MixedGraph.parse(f"{_SEVENTEEN}; plcg -> PKC; PIP2 -> PKC; PIP3 -> pakts473")),
)
"""The true graphs; the first is the paper's, which says 18 edges by what it cites."""


def units(size: Size) -> list[Unit]:
    """The answers, and what becomes of pairs decided at level alpha; quick: few rows, small sets to condition on."""
    settings = {
        "rows": size.of(full=7466, quick=1500),
        "max_given": size.of(full=2, quick=1),
        "seed": size.seed,
        "patience": size.of(full=300, quick=15),
        "lambda": LAMBDA,
        "alpha": ALPHA,
    }
    return [Unit("protein", name, settings) for name in ("answers", "decided")]


def studies(rows: int, seed: int) -> list[Study]:
    """The two studies: so many rows in all, drawn at random, half of them each."""
    import numpy as np

    from weft.studies import Column, Kind, Study

    names, *table = shipped("sachs")
    values = np.array(table, dtype=float)
    halves = np.array_split(np.random.default_rng(seed).permutation(len(values))[:rows], 2)
    return [
        Study(
            f"without {lacking}",
            tuple(
                Column(name, Kind.CONTINUOUS, values[half, place])
                for place, name in enumerate(names)
                if name != lacking
            ),
        )
        for half, lacking in zip(halves, LACKING, strict=True)
    ]


def measure(unit: Unit, context: Context) -> dict[str, Any]:
    """What comes of one unit; all processes work on its tests."""
    return _answers(unit, context) if unit.name == "answers" else _decided(unit, context)


def _decided(unit: Unit, context: Context) -> dict[str, Any]:
    """What must be given up if each pair counts as apart or connected by its p-value alone, and all count alike."""
    from weft.evidence.cache import ResultCache
    from weft.evidence.collect import collect
    from weft.parallel import Workers

    with ResultCache(context.cache) as cache:
        found = collect(
            studies(unit.number("rows"), unit.number("seed")),
            independence="kcit",
            alpha=ALPHA,
            max_given=unit.number("max_given"),
            tests=None,
            workers=Workers(context.n_jobs),
            cache=cache,
            progress=context.progress,
        )
    every = [replace(one, weight=1.0) for one in (*found.evidence.statements, *found.undecided)]
    evidence = found.evidence.with_statements(every)
    repair = solve(evidence, "iod", timeout=float(unit.number("patience")), conflicts="repair").repair()
    assert repair is not None
    return {
        "statements": len(every),
        "undecided": {
            "apart": sum(isinstance(one, Apart) for one in found.undecided),
            "connected": sum(isinstance(one, Connected) for one in found.undecided),
        },
        "least": repair.bound,
        "proven": repair.proven,
        "given up": [str(one) for one in repair.given_up],
    }


def _answers(unit: Unit, context: Context) -> dict[str, Any]:
    """Gather the evidence once for each way to judge pairs, and answer."""
    from weft.evidence.cache import ResultCache
    from weft.evidence.orientation.kcdc import Kcdc
    from weft.gathering import gather
    from weft.knowledge.knowledge import Knowledge
    from weft.parallel import Workers
    from weft.settings import Settings

    workers = Workers(context.n_jobs)
    tables = studies(unit.number("rows"), unit.number("seed"))
    default = Settings(independence="kcit", alpha=ALPHA, max_given=unit.number("max_given"), tests=None)
    paper = replace(default, orientation=Kcdc(ridge=LAMBDA), least_confidence=0.5, sufficient=True)
    ways = {"independence": replace(default, method="iod"), "kcdc": paper, "default": default}
    with ResultCache(context.cache) as cache:
        evidence = {
            way: gather(tables, Knowledge(), settings, workers=workers, cache=cache, progress=context.progress).evidence
            for way, settings in ways.items()
        }
    patience = float(unit.number("patience"))
    asked = [(way, method) for way in ways for method in (("iod",) if way == "independence" else ORIENTING)]
    answers: dict[int, Outcome] = {}
    for place, answer in workers.run(_answered, [(evidence[way], method, patience) for way, method in asked]):
        answers[place] = answer
        context.progress("answers about proteins", len(answers), len(asked))
    result: dict[str, Any] = {way: [] for way in ways}
    for place, (way, _) in enumerate(asked):
        result[way].append(answers[place].document())
    return {**result, "tests": _against_truths(evidence["independence"]), "directions": _directions(evidence)}


def _answered(question: tuple[Evidence, str, float]) -> Outcome:
    evidence, method, patience = question
    return outcome(evidence, method, TRUTHS, patience)


def _against_truths(evidence: Evidence) -> dict[str, Any]:
    """What the tests say, and how much of each truth they leave."""
    connected = {(one.x, one.y) for one in evidence.connected}
    apart = {(one.x, one.y) for one in evidence.apart} | {(one.x, one.y) for one in evidence.separated}
    left = len(undecided(evidence))
    pairs = sum(math.comb(len(study.variables), 2) for study in evidence.studies)
    found: dict[str, Any] = {
        "connected": len(evidence.connected),
        "apart": pairs - left - len(evidence.connected),
        "undecided": left,
    }
    for truth in TRUTHS:
        edges = {(min(one.x, one.y), max(one.x, one.y)) for one in truth.graph.edges()}
        found[truth.name] = {
            "edges": len(edges),
            "connected": len(edges & connected),
            "apart": len(edges & apart),
            "others connected": len(connected - edges),
        }
    return found


def _directions(evidence: dict[str, Evidence]) -> dict[str, Any]:
    """For each way and truth, how many edges got the right and the wrong direction."""
    found: dict[str, Any] = {}
    for way in ("kcdc", "default"):
        said = {(one.x, one.y): Structure.CAUSES in one.allowed for one in evidence[way].relations}
        for truth in TRUTHS:
            edges = {(min(one.x, one.y), max(one.x, one.y)): one.x < one.y for one in truth.graph.edges()}
            judged = [pair for pair in said if pair in edges]
            right = sum(said[pair] == edges[pair] for pair in judged)
            found.setdefault(way, {})[truth.name] = {"right": right, "wrong": len(judged) - right}
    return found


# -- the section ----------------------------------------------------------------------------------------------------


def section(done: Sequence[Done]) -> Section:
    """The rows of the table, scores by each truth, and what the tests and directions were like."""
    run, decided = done
    return Section("protein", TITLE, tuple(_rows(run)), (*_blocks(run), *_alone(decided)))


def _outcomes(run: Done) -> Iterator[tuple[str, Outcome]]:
    for way in WAYS:
        for one in map(Outcome.read, run.result[way]):
            yield way, one


def _rows(run: Done) -> Iterator[Row]:
    for way, one in _outcomes(run):
        yield row_of(TITLE, WAYS[way], one, printed("protein", one.method))


def _blocks(run: Done) -> Iterator[Block]:
    rows, most = run.settings["rows"], run.settings["max_given"]
    yield Text(
        f"{rows:,} of the 7,466 rows, half of them in each study; sets of at most {most} variables to condition on. "
        "The appendix lists PIP3 twice and PIP2 never; the second PIP3 is taken for PIP2. In the table the truth "
        "has 18 edges (as the package cdt has it). That graph has a directed cycle, plcg -> PIP2 -> PIP3 -> plcg, so "
        "that it cannot be among the answers of any method; the others are acyclic."
    )
    yield _scores(run)
    yield from _evidence(run)
    yield from _given_up(run)


def _scores(run: Done) -> Table:
    rows = []
    for way, one in _outcomes(run):
        for score in one.scores:
            cells = (shown(score.precision), shown(score.recall), shown(score.found))
            rows.append((WAYS[way], METHODS[one.method], score.truth, *cells))
    return Table(("pairs judged by", "method", "truth", "P", "R", "truth among the answers"), tuple(rows))


def _evidence(run: Done) -> Iterator[Block]:
    tests, directions = run.result["tests"], run.result["directions"]
    yield Text(
        f"*Tests.* {tests['connected']} pairs of a study are connected, {tests['apart']} apart and "
        f"{tests['undecided']} undecided, which adds no statement, so that more structures fit. Against each truth, "
        "and how many of its edges got the right direction:"
    )
    head = ("truth", "its edges: connected", "apart", "other pairs connected")
    yield Table(
        (*head, "KCDC: right, wrong", "default: right, wrong"),
        tuple((*_tested(name, tests[name]), *_right_and_wrong(name, directions)) for name in directions["kcdc"]),
    )


def _alone(decided: Done) -> Iterator[Block]:
    found, undecided = decided.result, decided.result["undecided"]
    proof = "as few as possible" if found["proven"] else f"not proven to be the fewest; at least {found['least']:.0f}"
    yield Text(
        f"*Every pair decided.* Decided by tests at level {ALPHA:g} alone, {undecided['apart']} of the undecided "
        f"pairs are apart and {undecided['connected']} connected. Then the {found['statements']} "
        f"statements contradict each other: {len(found['given up'])} must be given up ({proof}), if all count alike."
        if found["given up"]
        else f"*Every pair decided.* At level {ALPHA:g} all {found['statements']} statements can hold together."
    )


def _tested(truth: str, tests: Mapping[str, int]) -> tuple[str, ...]:
    connected = f"{tests['connected']} of {tests['edges']}"
    return truth, connected, str(tests["apart"]), str(tests["others connected"])


def _right_and_wrong(truth: str, directions: Mapping[str, Any]) -> Iterator[str]:
    for way in ("kcdc", "default"):
        yield f"{directions[way][truth]['right']}, {directions[way][truth]['wrong']}"


def _given_up(run: Done) -> Iterator[Block]:
    for way, one in _outcomes(run):
        if one.repaired:
            proof = "the least possible" if one.proven else "not proven to be the least"
            cost = "no way out was found in time" if one.cost is None else f"a weight of {one.cost:.2f}, {proof}"
            some = "; ".join(one.given_up[:6]) + (" and others" if len(one.given_up) > 6 else "")
            yield Text(
                f"*Given up* by {METHODS[one.method]} ({WAYS[way]}): {cost}; {len(one.given_up)} statements ({some})."
            )


EXPERIMENT = Experiment("protein", TITLE, units, measure, section, wide=True)
