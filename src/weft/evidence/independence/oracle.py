"""The test that knows the answer: m-separation in a graph.

An oracle gives a verdict, not a number: there is no p-value that it could honestly report, so its answer is a type of
its own, which :func:`weft.evidence.pool.pool` takes beside p-values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import m_separated


@dataclass(frozen=True, slots=True)
class OracleVerdict:
    """Whether x and y are independent."""

    independent: bool


@dataclass(frozen=True)
class OracleTest:
    """Answers from a graph that is known. It asks for names, since it looks at no data.

    >>> oracle = OracleTest(MixedGraph.parse("X -> Y -> Z"))
    >>> oracle.test("X", "Z").independent, oracle.test("X", "Z", ["Y"]).independent
    (False, True)
    """

    graph: MixedGraph
    name: ClassVar[str] = "oracle"

    def test(self, x: str, y: str, given: Iterable[str] = ()) -> OracleVerdict:
        """Whether the given variables m-separate x and y."""
        return OracleVerdict(m_separated(self.graph, x, y, given))
