"""A view as JSON for programs: what ``weft solve --format json`` prints.

======================== =============================================================================================
key                      holds
======================== =============================================================================================
``format``               ``weft-solutions/3``
``method``, ``engine``,  what was asked
``selection``,
``conflicts``, ``slack``
``assumed``              what was assumed
``consistent``           whether there is any structure; ``null`` if the time ran out before that was known
``mags``, ``pags``       how many MAGs were looked at, and how many Markov equivalence classes they are in
``complete``             whether these are all
``fair``                 whether shares are those of all: these are all, or were drawn fairly or met on random walks
``drawn_from``           if they were drawn: from how many (``mags``, ``exact``; if not exact, ``factor``,
                         ``probability``, ``walks`` if it is known by so many pairs of random walks that met, and the
                         same as ``text``); else ``null``
``more_than``            if there are too many to count: more than so many, 99 % sure; else ``null``
``worth``                if they were met on random walks: about so many independent draws tell as much; else ``null``
``certain``              the edges that every consistent MAG has
``possible``             the edges that at least one has
``settled``              whether the time was enough to make the two lists, and ``claims``, exact
``claims``               each claim about each pair, as a result file has them (:mod:`weft.solutions.result_file`)
``repair``               where statements may be given up: the ``cost`` (weight given up) of the best repair and its
                         lower ``bound``, whether it is ``proven`` to be the least and ``unique``, what is
                         ``given_up``, and the best ``other`` repair
``conflict``             if there is no structure: ``statements`` that cannot hold together, and whether they are
                         ``minimal`` (without any one of them the others can hold)
``graphs``               the MAGs (not with ``--count-only``)
======================== =============================================================================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from weft.report.view import View
from weft.solutions.documents import answer_document, claims_document, other_document, repair_document

FORMAT = "weft-solutions/3"
_QUESTION = ("method", "engine", "selection", "conflicts", "slack")


def document(view: View) -> dict[str, Any]:
    """Everything but the graphs."""
    found: dict[str, Any] = {"format": FORMAT} | {key: view.settings[key] for key in _QUESTION}
    found |= {"assumed": list(view.assumed)} | answer_document(view.summary, view.structures)
    found["claims"] = claims_document(view.summary.claims)
    found["repair"] = None if view.repair is None else repair_document(view.repair)
    if found["repair"] is not None:
        found["repair"]["other"] = None if view.other_repair is None else other_document(view.other_repair)
    conflict = view.conflict
    found["conflict"] = None
    if conflict is not None:
        found["conflict"] = {"statements": [str(one) for one in conflict.statements], "minimal": conflict.minimal}
    return found


def pieces(view: View, *, graphs: bool = True, ascii_only: bool = False) -> Iterator[str]:
    """The object as text, piece by piece: a key a line, and a claim or a graph a line."""

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)

    def listed(values: Iterable[Any]) -> Iterator[str]:
        margin = "\n  "
        for value in values:
            yield margin + text(value)
            margin = ",\n  "

    opening = "{"
    for key, value in document(view).items():
        yield f'{opening}"{key}": '
        yield from ("[", *listed(value), "]") if key == "claims" else (text(value),)
        opening = ",\n "
    if graphs:
        yield ',\n "graphs": ['
        yield from listed(str(graph) for graph in view.structures)
        yield "]"
    yield "}\n"
