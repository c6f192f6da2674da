"""``weft demo``: the paper's motivating example and its Synthetic 1 and 2, beside the figures that the paper prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weft import __version__
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence
from weft.graphs.mixed import MixedGraph
from weft.report.text import findings, wrapped
from weft.search.problem import Problem, is_solution
from weft.solutions.solution_set import SolutionSet, solve

METHODS = {"iod": "IOD", "iod-bcd": "IOD+BCD", "causal-iod": "Causal IOD"}


@dataclass(frozen=True)
class Example:
    """One of the paper's examples."""

    title: str
    truth: str
    studies: tuple[tuple[str, ...], ...]
    printed: tuple[str, str, str]
    """The paper's numbers of consistent MAGs, for each of :data:`METHODS`."""
    remark: str
    """Where the paper's figures and ours differ, and why."""


EXAMPLES = (
    Example(
        "Motivating example",
        "Y -> X; Y <-> Z",
        (("X", "Y"), ("Y", "Z")),
        ("", "", ""),
        "The paper prints no counts. It rules out X -> Z and Z -> X, and so do we; X <-> Z stays possible, since "
        "it changes nothing that either study can see.",
    ),
    Example(
        "Synthetic 1",
        "X -> Y; Y -> Z",
        (("X", "Y"), ("Y", "Z")),
        ("63", "8", "1"),
        "63 and 8 are what one gets by filling the circles of the PAGs (for 63 with undirected edges too) without "
        "checking the independences again. X -> Z <- Y, for one, is among the 8, but makes X and Y independent, "
        "which the first study contradicts.",
    ),
    Example(
        "Synthetic 2",
        "Y -> X; Y -> Z; Z -> W; W -> V; S -> V",
        (("X", "Y", "Z"), ("S", "V", "W", "Z")),
        ("-", "169", "1"),
        "IOD was intractable there. The 1 misses edges between X and variables that no study measured together with "
        "it: they change no independence within a study and no pairwise relation. No split that shares only Z gives "
        "169 or 1.",
    ),
)


def lines() -> Iterator[str]:
    """The whole demonstration, line by line."""
    yield f"weft {__version__}: the paper's examples, from what perfect tests would find"
    yield "MAG: a causal structure. PAG: a class of MAGs with the same independences."
    for number, example in enumerate(EXAMPLES, 1):
        yield ""
        yield from _example(f"{number}. {example.title}", example)
    yield ""
    yield 'Try your own: weft oracle "X -> Y -> Z" --study X,Y --study Y,Z | weft solve -'


def _example(title: str, example: Example) -> Iterator[str]:
    evidence = oracle(example.truth, example.studies)
    answers = {method: solve(evidence, method) for method in METHODS}
    yield title
    yield "-" * len(title)
    yield f"True graph      {example.truth}"
    yield f"Studies         {'  '.join('{' + ', '.join(study) + '}' for study in example.studies)}"
    yield ""
    yield "                     MAGs    PAGs    MAGs in the paper"
    for (method, name), printed in zip(METHODS.items(), example.printed, strict=True):
        pags = answers[method].pags()
        mags = sum(len(entry.mags) for entry in pags)
        yield f"  {name:<15}{mags:>8,}{len(pags):>8,}    {printed:>17}".rstrip()
    yield ""
    yield from wrapped(example.remark, "Difference      ")
    yield ""
    yield "What Causal IOD leaves"
    yield from findings(answers["causal-iod"].summary())
    yield from _graphs(MixedGraph.parse(example.truth), evidence, answers["causal-iod"])


def _graphs(truth: MixedGraph, evidence: Evidence, solutions: SolutionSet) -> Iterator[str]:
    """The consistent graphs, each after a check of its own against the definition."""
    problem = Problem.of(evidence, solutions.method)
    graphs = sorted(solutions, key=lambda graph: (len(graph.edges()), str(graph)))
    passed = sum(is_solution(problem, graph) for graph in graphs)
    statements = len(evidence.statements)
    yield f"Structures      {passed} of {len(graphs)} meet all {statements} statements, checked one by one"
    for number, graph in enumerate(graphs, 1):
        yield f"  {number:>2}  {_compared(truth, graph)}"


def _compared(truth: MixedGraph, graph: MixedGraph) -> str:
    """A graph as the true one and what it has beyond that."""
    if graph == truth:
        return "the true graph"
    if missing := set(truth.edges()) - set(graph.edges()):
        raise AssertionError(f"{graph} lacks {missing}")
    return "the true graph and " + ", ".join(str(edge) for edge in graph.edges() if edge not in truth.edges())
