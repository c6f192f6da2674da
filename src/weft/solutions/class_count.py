"""How many equivalence classes there are, by a fair sample of structures.

Each structure counts as 1 / s of a class, where s is the number of structures in its class: all of a class make up one.
So the number of classes is the number of structures times the mean of 1 / s, which a fair sample tells.
"""

from __future__ import annotations

from itertools import islice

from weft.graphs.equivalence import mags_of
from weft.search.counting import Estimate, NotKnown, part_of
from weft.solutions.structures import Structures

MOST_LISTED = 20_000
"""So many structures are listed to find the sizes of classes: about ten seconds."""


def estimated_classes(sample: Structures) -> Estimate | NotKnown:
    """About how many classes there are; the sample is drawn fairly from a set that holds whole classes only."""
    assert sample.total is not None, "it was drawn"
    left, mean = MOST_LISTED, 0.0
    for (pag, _), drawn in zip(sample.classes, sample.class_sizes, strict=True):
        size = sum(1 for _ in islice(mags_of(pag, selection=sample.planes == 3), left + 1))
        left -= size
        if left < 0:
            return NotKnown("the classes are too large to list")
        mean += drawn / size / sample.number
    found = part_of(sample.total, mean, sample.draws)
    return NotKnown("too few structures were drawn to tell") if found is None else found
