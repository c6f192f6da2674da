"""Three columns of the Wisconsin diagnostic data; the two studies share the diagnosis. No true graph is known.

The paper's way: the diagnosis as a number, 0 or 1, tests by HSIC, pairs judged by KCDC. weft's way: the diagnosis as
two levels, tests and orientation by default. Both times the pairs are declared not to be confounded, as the paper
argues.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.criteria import Structure
from weft.reproduce.outcome import Outcome, outcomes
from weft.reproduce.paper import METHODS, printed
from weft.reproduce.runner import Context, Experiment, Size
from weft.reproduce.sections import Block, Row, Section, Table, Text, row_of
from weft.reproduce.synthetic import LAMBDA, LAMBDAS, ORIENTING, fillings, prefers
from weft.reproduce.tables import shipped
from weft.reproduce.units import Done, Unit
from weft.solutions.solution_set import solve

if TYPE_CHECKING:
    from weft.studies import Study

TITLE = "Cancer"
PATIENCE = 60.0
STUDIES = (("Diagnosis", "Perimeter"), ("Diagnosis", "Texture"))
WAYS = {"kcdc": f"KCDC with lambda {LAMBDA:g}", "default": "weft's default tests and orientation"}


def units(size: Size) -> list[Unit]:
    """The two ways, and what IOD answers to whatever the tests could have said."""
    return [
        *(Unit("cancer", way, {"patience": PATIENCE, "lambda": LAMBDA}) for way in WAYS),
        Unit("cancer", "possible", {}),
    ]


def measure(unit: Unit, context: Context) -> dict[str, Any]:
    """The answers of one way."""
    return _possible() if unit.name == "possible" else _answered(unit.name)


def studies(*, as_number: bool) -> list[Study]:
    """The two studies, of all rows; no test uses columns that both have."""
    from weft.studies import Study

    names, *rows = shipped("wdbc")
    table: dict[str, list[Any]] = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    for name in ("Perimeter", "Texture"):
        table[name] = [float(value) for value in table[name]]
    if as_number:
        table["Diagnosis"] = [float(value == "malignant") for value in table["Diagnosis"]]
    kinds = {"Diagnosis": "continuous" if as_number else "binary"}
    return [Study.of({name: table[name] for name in one}, one[1], kinds) for one in STUDIES]


def _answered(way: str) -> dict[str, Any]:
    from weft.evidence.orientation.kcdc import Kcdc
    from weft.gathering import gather
    from weft.knowledge.knowledge import Knowledge
    from weft.settings import Settings

    settings = Settings(sufficient=True)
    if way == "kcdc":
        settings = replace(settings, independence="kcit", orientation=Kcdc(ridge=LAMBDA), least_confidence=0.5)
    tables = studies(as_number=way == "kcdc")
    evidence = gather(tables, Knowledge(), settings).evidence
    found = {"outcomes": [one.document() for one in outcomes(evidence, [], PATIENCE)]}
    directions = {f"{x} -> {y}": prefers(table, x, y) for table, (x, y) in zip(tables, STUDIES, strict=True)}
    return {**found, "statements": [str(one) for one in evidence.statements], "lambdas": directions}


def _possible() -> dict[str, Any]:
    """IOD's MAGs for whatever two tests can say, without and with undirected edges, and with circles filled in."""
    found = []
    for said in product((True, False), repeat=2):
        evidence = Evidence(
            tuple(Scope(one[1], one) for one in STUDIES),
            tuple(_said(variables, connected) for variables, connected in zip(STUDIES, said, strict=True)),
        )
        pags = solve(evidence, "iod", selection=True).pags()
        found.append(
            {
                "says": [str(one) for one in evidence.statements],
                "mags": solve(evidence, "iod").count(),
                "with selection": sum(len(entry.mags) for entry in pags),
                "filled": sum(1 for entry in pags for _ in fillings(entry.pag)),
            }
        )
    return {"possible": found, "directions": _every_direction()}


def _every_direction() -> list[dict[str, Any]]:
    """What the other methods answer to whatever can be learned of two connected pairs."""
    connected = tuple(_said(variables, True) for variables in STUDIES)
    scopes = tuple(Scope(one[1], one) for one in STUDIES)
    found = []
    for first, second in product(("->", "<-"), repeat=2):
        for sufficient in (True, False):
            relations = [
                Relation(*pair, frozenset(map(Structure, [way] if sufficient else [way, f"{way} & <->"])))
                for pair, way in zip(STUDIES, (first, second), strict=True)
            ]
            evidence = Evidence(scopes, (*connected, *relations))
            says = [f"{x} {way} {y}" for (x, y), way in zip(STUDIES, (first, second), strict=True)]
            counts = {method: solve(evidence, method).count() for method in ORIENTING}
            found.append({"says": says, "sufficient": sufficient, **counts})
    return found


def _said(variables: tuple[str, str], connected: bool) -> Statement:
    x, y = variables
    return Connected(y, x, y) if connected else Separated(x, y, frozenset(), (y,))


# -- the section ----------------------------------------------------------------------------------------------------


def section(done: Sequence[Done]) -> Section:
    """The rows of the table, what the tests said, and what else IOD could have answered."""
    return Section("cancer", TITLE, tuple(_rows(done)), tuple(_blocks(done)))


def _rows(done: Sequence[Done]) -> Iterator[Row]:
    for one in done[: len(WAYS)]:
        for outcome in map(Outcome.read, one.result["outcomes"]):
            yield row_of(TITLE, WAYS[one.unit.name], outcome, printed("cancer", outcome.method))


def _blocks(done: Sequence[Done]) -> Iterator[Block]:
    *ways, possible = done
    for one in ways:
        yield Text(f"{WAYS[one.unit.name]} says: {'; '.join(one.result['statements'])}.")
    cases = possible.result["possible"]
    fitting = [case for case in cases if 42 in (case["mags"], case["with selection"], case["filled"])]
    yield Text(
        f"*The paper's 42.* There are two tests, so IOD can be told {len(cases)} things. In {len(fitting)} of them is "
        "42 the number of MAGs, without or with undirected edges, or of graphs with the circles filled in. What IOD is "
        "told here, that both pairs are connected, is what it is told in Synthetic 1, where the paper prints 63."
    )
    yield Table(
        ("what the tests say", "MAGs", "with undirected edges", "circles filled in, as in Synthetic 1"),
        tuple(
            ("; ".join(case["says"]), *(f"{case[name]:,}" for name in ("mags", "with selection", "filled")))
            for case in cases
        ),
    )
    yield from _learned(possible.result["directions"])
    yield from _by_lambda(ways[0].result["lambdas"])


def _by_lambda(found: Mapping[str, Mapping[str, bool]]) -> Iterator[Block]:
    yield Text("*KCDC's lambda.* Which of the directions that leave six and six it takes, by its lambda:")
    rows = ((f"{ridge:g}", *("yes" if found[pair][f"{ridge:g}"] else "no" for pair in found)) for ridge in LAMBDAS)
    yield Table(("lambda", *found), tuple(rows))


def _learned(cases: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    fitting = sum(case["iod-bcd"] == case["causal-iod"] == 6 for case in cases)
    yield Text(
        f"*The paper's 6 and 6.* Of the {len(cases)} ways to judge the two pairs, {fitting} leave six MAGs by both "
        "methods:"
    )
    yield Table(
        ("directions", "common causes excluded", METHODS["iod-bcd"], METHODS["causal-iod"]),
        tuple(
            ("; ".join(one["says"]), "yes" if one["sufficient"] else "no", str(one["iod-bcd"]), str(one["causal-iod"]))
            for one in cases
        ),
    )


EXPERIMENT = Experiment("cancer", TITLE, units, measure, section)
