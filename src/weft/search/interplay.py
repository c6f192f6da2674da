"""What separations and connections say together, as facts for the solver: it follows from the statements one by one.

Said in the base program, it spares the search to find it out, or lets it do without some of the statements' own rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from weft.graphs.mixed import bits
from weft.search.bounds import unshielded_triples
from weft.search.kinds import Connection, Separation
from weft.search.problem import Problem


def noncolliders(problem: Problem) -> Iterator[str]:
    """The vertices that a study shows to be no colliders, from statements that cannot be given up."""
    for study in problem.studies:
        triples = unshielded_triples(problem, study)
        yield from (f"noncollider({x},{z},{y})." for x, z, y, given in triples if given)


def exclusions(problem: Problem) -> Iterator[str]:
    """What statements that may be given up exclude together, whatever the graph.

    A connection holds in every set of variables that its study measured. So it excludes every separation given such
    variables; and two of them, x - z - y, with a separation of x and y make z a collider or not. A cause that is
    separated from its effect by variables of a study acts through another variable of the study, from which no such
    set separates it.
    """
    size = len(problem.names)
    separations = problem.numbered(Separation)
    connections: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for j, c in problem.numbered(Connection).items():
        measured = (1 << size) - 1 & ~c.latent
        connections[c.x, c.y].append((j, measured))
        connections[c.y, c.x].append((j, measured))
    if not problem.selection:
        yield "transitive."
        for i, measured in enumerate(dict.fromkeys(problem.studies.values())):
            yield from (f"within({i},{v})." for v in bits(measured))
            for k, s in separations.items():
                if not s.vertices & ~measured:
                    yield f"apart({i},{k},{s.x},{s.y}). apart({i},{k},{s.y},{s.x})."
    for k, s in separations.items():
        yield from (f"clash({k},{j})." for j, measured in connections[s.x, s.y] if not s.vertices & ~measured)
        for z in range(size) if not problem.selection else ():
            name, named = "noncollider" if s.given >> z & 1 else "collider", s.vertices | 1 << z
            first = [i for i, measured in connections.get((s.x, z), ()) if not named & ~measured]
            second = [j for j, measured in connections.get((z, s.y), ()) if not named & ~measured]
            yield from (f"{name}({k},{i},{j},{s.x},{z},{s.y})." for i in first for j in second)
