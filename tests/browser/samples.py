"""Answers to make reports of: a real run on tables, and the awkward cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy
import pandas

import weft
from tests.support.waiting import LONG_WAIT
from weft.evidence.statements import Connected, Evidence, Provenance, Scope, Separated
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, split_into_studies
from weft.report.view import View, view_of
from weft.solutions.solution_set import SolutionSet
from weft.studies.simulate import draw_table

NASTY = (
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "'; alert(1); //",
    "a & b; c, d",
    "été naïve ☃",
)
LONG = "concentration_of_high_sensitivity_C_reactive_protein_at_visit"


@cache
def health() -> SolutionSet:
    """A real run: two tables of drawn rows that share two columns, and rows drawn anew three times."""
    graph = MixedGraph.parse("smoking -> tar; tar -> cough; age -> pressure; pressure -> stroke; age -> cough")
    table = draw_table(graph, 1000, numpy.random.default_rng(6))
    studies = {
        "clinic": ("age", "cough", "smoking", "tar"),
        "registry": ("age", "cough", "pressure", "stroke"),
    }
    frames = {
        name: {column: table[column][start : start + 500] for column in columns}
        for start, (name, columns) in zip((0, 500), studies.items(), strict=True)
    }
    tables = {name: pandas.DataFrame(columns) for name, columns in frames.items()}
    return weft.discover(
        tables,
        bootstrap=3,
        independence="fisher-z",
        sufficient=True,
        seed=1,
        least_confidence=0.5,  # says even what it is not sure of, so that something must be given up
        independence_confidence=0.5,
    )


@cache
def oracle() -> SolutionSet:
    """Independences alone: 38 structures."""
    return weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")


@cache
def selection() -> SolutionSet:
    """With undirected edges: 51 structures."""
    return weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod", selection=True)


@cache
def nasty() -> SolutionSet:
    """Names that are markup, and worse."""
    a, b, c, d, e = NASTY
    graph = MixedGraph.build(
        NASTY,
        [
            edge
            for x, y in ((a, b), (b, c), (c, d), (d, e))
            for edge in MixedGraph.parse("X -> Y").edges()
            for edge in [edge._replace(x=x, y=y)]
        ],
    )
    return weft.solve(weft.oracle(graph, {"<b>bold</b>": [a, b, c], "plain & simple": [c, d, e]}), "iod-bcd")


@cache
def long_names() -> SolutionSet:
    """Names of 60 characters."""
    names = [f"{LONG[:58]}_{i}" for i in range(5)]
    rng = numpy.random.default_rng(5)
    graph = random_admg(5, rng, mean_degree=2)
    renamed = MixedGraph(tuple(names), graph.marks, graph.doubled)
    return weft.solve(weft.oracle(renamed, split_into_studies(names, rng, studies=2, overlap=2)))


@cache
def repaired() -> SolutionSet:
    """Two studies that contradict each other."""
    studies = (Scope("a", ("X", "Y", "Z")), Scope("b", ("X", "Y", "W")))
    says = (
        Connected("a", "X", "Y", weight=1.5, provenance=Provenance("fisher-z", 0.004, 300)),
        Separated("X", "Y", frozenset(), ("b",), weight=3.0, provenance=Provenance("fisher-z", 0.6, 300)),
        Connected("a", "Y", "Z", weight=4.0, provenance=Provenance("fisher-z", 1e-9, 300)),
        Separated("X", "Z", frozenset({"Y"}), ("a",), weight=2.0, provenance=Provenance("fisher-z", 0.3, 300)),
        Connected("b", "X", "W", weight=4.0, provenance=Provenance("fisher-z", 1e-12, 300)),
        Connected("b", "W", "Y", weight=2.5, provenance=Provenance("fisher-z", 1e-5, 300)),
    )
    return weft.solve(Evidence(studies, says), "iod", conflicts="repair")


@cache
def tied() -> SolutionSet:
    """Two studies that contradict each other, one almost as weighty as the other."""
    studies = (Scope("a", ("X", "Y", "Z")), Scope("b", ("X", "Y")))
    says = (
        Connected("a", "X", "Y", weight=1.5, provenance=Provenance("fisher-z", 0.004, 300)),
        Separated("X", "Y", frozenset(), ("b",), weight=2.0, provenance=Provenance("fisher-z", 0.6, 300)),
        Connected("a", "Y", "Z", weight=4.0, provenance=Provenance("fisher-z", 1e-9, 300)),
    )
    return weft.solve(Evidence(studies, says), "iod", conflicts="repair")


@cache
def contradiction() -> SolutionSet:
    """No structure at all."""
    studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    return weft.solve(Evidence(studies, (Connected("a", "X", "Y"), Separated("X", "Y", frozenset(), ("b",)))))


@cache
def many() -> SolutionSet:
    """65,304 structures on eleven variables."""
    rng = numpy.random.default_rng(24)
    graph = random_admg(11, rng, mean_degree=2, mean_bidirected_degree=0)
    return weft.solve(weft.oracle(graph, split_into_studies(graph.names, rng, studies=2, overlap=3)), "causal-iod")


@cache
def fifty() -> SolutionSet:
    """Fifty variables."""
    rng = numpy.random.default_rng(2)
    graph = random_admg(50, rng, mean_degree=2, mean_bidirected_degree=0)
    return weft.solve(
        weft.oracle(graph, split_into_studies(graph.names, rng, studies=2, overlap=25)), "causal-iod", timeout=20
    )


SAMPLES: Mapping[str, Callable[[], SolutionSet]] = {
    "health": health,
    "oracle": oracle,
    "selection": selection,
    "nasty": nasty,
    "long_names": long_names,
    "repaired": repaired,
    "tied": tied,
    "contradiction": contradiction,
}


@cache
def view(name: str) -> View:
    """All that is shown of a sample, worked out to the end."""
    return view_of(SAMPLES[name](), patience=LONG_WAIT)
