"""The kinds of statements, one a file. Add a new one here.

A kind is a frozen value that remembers where it came from. It says of itself, by these members, all that the rest of
weft asks of a statement; what the search makes of it is in the file of the same name in :mod:`weft.search.kinds`.

=================== ================================================================================================
``kind``            its name
``listed``          the list of an evidence file that holds it, and ``of_study``: whether that stands in a study
``names_studies``   whether it may name studies in the file, since it does not stand in one
``parts``           what it says beyond the pair: by the keys of the file, each a set of texts and how to check one
``of_parts``        makes one from what a file holds, and ``content`` gives it back
``studies``         the studies that it comes from; there may be none
``together``        the variables that one study, and each that it names, must have measured
``said_once``       of statements of which this is equal there can be one only, whatever their kinds
``own_flaws``       what can be wrong with it beyond the pair and the weight, as (part, text)
``str(...)``        what it says, and ``sentence``: with the data behind it
=================== ================================================================================================

Two are of adjacency, in a study: `Connected`, and `Apart`, which denies it. Two are of sets, in the joint structure:
`Separated`, and `Dependent`, which denies it. Two are of triples, in the
joint structure: `Noncollider`, and `Collider`, which denies it. What each two share is in :mod:`~.in_study`,
:mod:`~.given_set` and :mod:`~.triple`.
"""

from __future__ import annotations

from weft.evidence.kinds.apart import Apart
from weft.evidence.kinds.collider import Collider
from weft.evidence.kinds.connected import Connected
from weft.evidence.kinds.dependent import Dependent
from weft.evidence.kinds.noncollider import Noncollider
from weft.evidence.kinds.provenance import NOWHERE, Provenance, in_digits
from weft.evidence.kinds.relation import Relation, as_structure
from weft.evidence.kinds.separated import Separated

Statement = Connected | Apart | Separated | Dependent | Noncollider | Collider | Relation

KINDS: tuple[type[Statement], ...] = (Connected, Apart, Separated, Dependent, Noncollider, Collider, Relation)
"""In the order in which evidence lists them."""

__all__ = [
    "KINDS",
    "NOWHERE",
    "Apart",
    "Collider",
    "Connected",
    "Dependent",
    "Noncollider",
    "Provenance",
    "Relation",
    "Separated",
    "Statement",
    "as_structure",
    "in_digits",
]
