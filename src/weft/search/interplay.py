"""What statements about paths say together: it follows from the statements one by one.

Said in the base program, it spares the search to find it out, or lets it do without some of the statements' own rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from weft.graphs.mixed import bits
from weft.search.bounds import unshielded_triples
from weft.search.kinds import Apartness, Connection, Dependence, Separation
from weft.search.problem import Problem, StatementKey


def implied(problem: Problem) -> frozenset[StatementKey]:
    """The statements that another one says: a pair is apart in a study if a set of its variables separates it."""
    sets: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for s in problem.separations:
        sets[s.x, s.y].append(s.vertices)
    return frozenset(
        (Apartness.kind, k)
        for k, one in problem.numbered(Apartness).items()
        if any(not vertices & ~one.measured for vertices in sets[one.x, one.y])
    )


def noncolliders(problem: Problem) -> Iterator[str]:
    """The vertices that a study shows to be no colliders, from statements that cannot be given up."""
    for study in problem.studies:
        triples = unshielded_triples(problem, study)
        yield from (f"noncollider({x},{z},{y})." for x, z, y, given in triples if given)


def exclusions(problem: Problem) -> Iterator[str]:
    """What statements that may be given up exclude together, whatever the graph.

    A connection holds in every set of variables that its study measured. So it excludes every separation given such
    variables, and that the pair is apart in a study of such variables; and two of them, x - z - y, with a separation
    of x and y make z a collider or not. A cause that is apart from its effect in a study, or separated from it by
    variables of the study, acts through another variable of the study, from which no such set separates it. A set does
    not both separate a pair and leave it dependent.
    """
    separations, connections = problem.numbered(Separation), _connections(problem)
    if not problem.selection:
        yield "transitive."
        yield from _parted(problem)
    yield from _clashes(problem, connections)
    for k, s in separations.items() if not problem.selection else ():
        for z in range(len(problem.names)):
            name, named = "noncollider" if s.given >> z & 1 else "collider", s.vertices | 1 << z
            first = [i for i, measured in connections.get((s.x, z), ()) if not named & ~measured]
            second = [j for j, measured in connections.get((z, s.y), ()) if not named & ~measured]
            yield from (f"{name}({k},{i},{j},{s.x},{z},{s.y})." for i in first for j in second)


_Connections = Mapping[tuple[int, int], Sequence[tuple[int, int]]]


def _connections(problem: Problem) -> _Connections:
    """For each pair, in both orders, the numbers of its connections with what (bits) the study measured."""
    everything = (1 << len(problem.names)) - 1
    found: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for j, c in problem.numbered(Connection).items():
        found[c.x, c.y].append((j, everything & ~c.latent))
        found[c.y, c.x].append((j, everything & ~c.latent))
    return found


def _partings(problem: Problem) -> Iterator[tuple[str, Separation | Apartness]]:
    """What says that variables separate a pair, each by its name in the program."""
    yield from ((f"separated({k})", s) for k, s in problem.numbered(Separation).items())
    yield from ((f"apart({k})", s) for k, s in problem.numbered(Apartness).items())


def _parted(problem: Problem) -> Iterator[str]:
    for i, measured in enumerate(dict.fromkeys(problem.studies.values())):
        yield from (f"within({i},{v})." for v in bits(measured))
        for name, s in _partings(problem):
            if not s.scope & ~measured:
                yield f"parted({i},{name},{s.x},{s.y}). parted({i},{name},{s.y},{s.x})."


def _clashes(problem: Problem, connections: _Connections) -> Iterator[str]:
    for name, s in _partings(problem):
        for j, measured in connections.get((s.x, s.y), ()):
            if not s.scope & ~measured:
                yield f"clash({name},connected({j}))."
    dependences: defaultdict[tuple[int, int, int], list[int]] = defaultdict(list)
    for j, d in problem.numbered(Dependence).items():
        dependences[d.x, d.y, d.given].append(j)
    for k, s in problem.numbered(Separation).items():
        yield from (f"clash(separated({k}),dependent({j}))." for j in dependences.get((s.x, s.y, s.given), ()))
