"""A part of a problem over few of its variables.

A set of statements and claims has a solution over all variables just if it has one over the variables that it speaks of
(:func:`may_be_cut` says when; who says that a pair is apart in a study speaks of all its variables): hide the other
variables of a model, and it still has the statements (a connection holds all the more); add variables that nothing
joins to a model of the few, and it has them too. The solver settles such small problems at once; with all variables and
few statements it may wander for minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import bits
from weft.search.kinds.constraint import moved_set
from weft.search.problem import Problem


def may_be_cut(problem: Problem, claims: Sequence[Claim]) -> bool:
    """Whether variables that nothing speaks of may be left out.

    Not where it matters that an edge is absent or what it would be, since hiding variables adds edges. Nor was it
    looked into with selection.
    """
    absent = any(claim.topic is Topic.EDGE and not claim.holds for claim in claims)
    return all(one.cuttable for one in problem.statements.values()) and not (absent or problem.selection)


def cut_to(problem: Problem, vertices: int) -> Problem:
    """The question over some of the variables (bits), with the statements and claims that speak of these alone.

    If it has no solution the whole has none. Nothing is soft in it.
    """
    place = {old: new for new, old in enumerate(bits(vertices))}
    names = tuple(problem.names[v] for v in place)
    inside = {key: one for key, one in problem.statements.items() if not one.scope & ~vertices}
    return replace(
        problem,
        names=names,
        studies={name: moved_set(measured, place) for name, measured in problem.studies.items()},
        statements={key: one.moved(place) for key, one in inside.items()},
        claims=tuple(one for one in problem.claims if one.x in names and one.y in names),
        soft=None,
    )
