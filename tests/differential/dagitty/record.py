"""What dagitty says of 200 MAGs: ``python -m tests.differential.dagitty.record dagitty-alg.js`` records it.

The file is ``r/inst/js/dagitty-alg.js`` of <https://github.com/jtextor/dagitty>; recorded with version 0.3-4 of its R
package. It needs Node.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from weft.effects.identify import causes
from weft.formats.dagitty import write_dagitty_mag
from weft.graphs.ancestral import mag_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, random_dag

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
MAGS = 200


def mags() -> list[MixedGraph]:
    """The graphs that are asked about, of 4 to 7 variables."""
    rng, found = np.random.default_rng(2018), dict[MixedGraph, None]()
    while len(found) < MAGS:
        size = 4 + len(found) % 4
        drawn = random_admg(size, rng, mean_degree=1.6) if len(found) % 2 else random_dag(size, rng, mean_degree=2)
        if any(drawn.children):
            found[mag_of(drawn)] = None
    return list(found)


def answers(library: str | Path, graphs: list[MixedGraph]) -> list[dict[str, Any]]:
    """For each graph all minimal adjustment sets of each pair of a cause and its effect."""
    asked = [(g, x, y) for g in graphs for x, y in permutations(g.names, 2) if causes(g, x, y)]
    questions = json.dumps([(write_dagitty_mag(g), x, y) for g, x, y in asked])
    said = subprocess.run(
        ["node", HERE / "ask.cjs", library], input=questions, capture_output=True, text=True, check=True
    )
    found: dict[MixedGraph, dict[str, Any]] = {}
    for (graph, x, y), sets in zip(asked, json.loads(said.stdout), strict=True):
        found.setdefault(graph, {"mag": str(graph), "pairs": []})["pairs"].append([x, y, sorted(sets)])
    return list(found.values())


def main() -> None:
    """Write the file."""
    lines = ",\n".join(json.dumps(one) for one in answers(sys.argv[1], mags()))
    RECORDED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
