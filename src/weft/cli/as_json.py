"""The answer of ``weft solve --format json``: one object, written as the solutions come, one graph a line.

======================== =============================================================================================
key                      holds
======================== =============================================================================================
``format``               ``weft-solutions/1``
``method``, ``engine``,  what was asked
``selection``, ``claims``
``certain``              the edges that every consistent MAG has
``possible``             the edges that at least one has
``settled``              whether the time was enough to make the two lists, and ``pairs``, exact
``pairs``                for each pair: in which MAGs it has which edge, and whether the first ``causes`` the second, is
                         ``caused`` by it, and is ``confounded`` with it: ``all``, ``some``, ``none`` or ``unknown``
``graphs``               the MAGs (not with ``--count-only``)
``mags``, ``pags``       how many MAGs were visited, and how many Markov equivalence classes they are in
``complete``             whether these are all
``consistent``           whether there is any; ``null`` if the time ran out before that was known
``conflict``             if there is none: ``statements`` that cannot hold together, the ``claims`` that were assumed,
                         and whether the statements are ``minimal`` (without any one of them the others can hold)
``repair``               with ``--repair``: the ``cost`` (weight given up) of the best repair and its lower ``bound``,
                         whether it is ``proven`` to be the least and ``unique``, and what is ``given_up``: each
                         statement with its ``weight``, ``source``, ``p_value``, and ``in`` which optimal structures
                         (``all``, ``some``; ``null`` if not known). A ``cost`` of ``null``: nothing was found
======================== =============================================================================================
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any

from weft.cli.answer import Answer
from weft.cli.progress import counted
from weft.search.conflicts import Conflict
from weft.solutions.documents import pair_document, repair_document

FORMAT = "weft-solutions/1"


def write(answer: Answer, out: IO[str], *, count_only: bool) -> None:
    """Write the object; memory does not grow with the number of graphs."""
    ascii_only = not (getattr(out, "encoding", None) or "utf-8").lower().startswith("utf")

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=ascii_only)

    def listed(values: Iterable[Any]) -> Iterator[str]:
        margin = "\n  "
        for value in values:
            yield margin + text(value)
            margin = ",\n  "

    opening = "{"
    for key, value in _head(answer).items():
        out.write(f'{opening}"{key}": {text(value)}')
        opening = ",\n "
    out.write(',\n "pairs": [')
    pairs = answer.summary.pairs if answer.summary.consistent is not False else ()
    out.writelines(listed(pair_document(pair, selection=answer.solutions.selection) for pair in pairs))
    out.write("]")
    # On a terminal the graphs themselves show that it goes on.
    graphs = counted(answer.graphs, "graphs", quiet=not count_only and sys.stdout.isatty())
    if count_only:
        for _ in graphs:
            pass
    else:
        out.write(',\n "graphs": [')
        out.writelines(listed(str(graph) for graph in graphs))
        out.write("]")
    for key, value in _tail(answer).items():
        out.write(f',\n "{key}": {text(value)}')
    out.write("}\n")


def _head(answer: Answer) -> dict[str, object]:
    solutions, summary = answer.solutions, answer.summary
    return {
        "format": FORMAT,
        "method": solutions.method,
        "engine": solutions.engine,
        "selection": solutions.selection,
        "claims": [str(claim) for claim in solutions.claims],
        "certain": summary.certain,
        "possible": summary.possible,
        "settled": summary.complete,
    }


def _tail(answer: Answer) -> dict[str, object]:
    census = answer.census
    tail: dict[str, object] = {
        "mags": census.mags,
        "pags": census.pags,
        "complete": census.complete,
        "consistent": answer.consistent,
    }
    if answer.consistent is False and (conflict := answer.conflict()):
        tail["conflict"] = _conflict(conflict, answer)
    if (repair := answer.repair()) is not None:
        tail["repair"] = repair_document(repair)
    return tail


def _conflict(conflict: Conflict, answer: Answer) -> dict[str, object]:
    return {
        "statements": [str(statement) for statement in conflict.statements],
        "claims": [str(claim) for claim in answer.solutions.claims],
        "minimal": conflict.minimal,
    }
