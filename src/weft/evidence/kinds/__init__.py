"""The kinds of statements, one a file. Add a new one here.

A kind is a frozen value that remembers where it came from. It says of itself, by these members, all that the rest of
weft asks of a statement; what the search makes of it is in the file of the same name in :mod:`weft.search.kinds`.

=================== ================================================================================================
``kind``            its name
``listed``          the list of an evidence file that holds it, and ``of_study``: whether that stands in a study
``parts``           what it says beyond the pair: by the keys of the file, each a set of texts and how to check one
``of_parts``        makes one from what a file holds, and ``content`` gives it back
``said_once``       of statements of which this is equal there can be one only, whatever their kinds
``own_flaws``       what can be wrong with it beyond the pair and the weight, as (part, text)
``str(...)``        what it says, and ``sentence``: with the data behind it
=================== ================================================================================================
"""

from __future__ import annotations

from weft.evidence.kinds.connected import Connected
from weft.evidence.kinds.provenance import NOWHERE, Provenance
from weft.evidence.kinds.relation import Relation, as_structure
from weft.evidence.kinds.separated import Separated

Statement = Separated | Connected | Relation

KINDS: tuple[type[Connected] | type[Separated] | type[Relation], ...] = (Connected, Separated, Relation)
"""In the order in which evidence lists them."""

__all__ = ["KINDS", "NOWHERE", "Connected", "Provenance", "Relation", "Separated", "Statement", "as_structure"]
