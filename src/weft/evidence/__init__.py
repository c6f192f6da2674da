"""What is known about the unknown graph, and where it comes from.

============================ ==========================================================================================
module                       holds
============================ ==========================================================================================
:mod:`.statements`           what the studies say: `Connected`, `Apart`, `Separated`, `Dependent`,
                             `Noncollider`, `Collider`, `Relation`;
                             all of it: `Evidence`
:mod:`.kinds`                each kind of statement, one a file: how it is read, checked and worded
:mod:`.claims`               what one may assume of the answer, in words: ``not Z causes X``
:mod:`.oracle`               what perfect tests would say about a graph that is known
:mod:`.networks`             what the PAG of each study says: the input of ION
:mod:`.file`                 the evidence file ``weft-evidence/2``, read and written; version 1, read
:mod:`.independence`         tests of independence, one a file
:mod:`.collect`              part 1 of IOD: from tables to statements. :mod:`.skeleton` asks, :mod:`.pool` pools what
                             several studies answer, :mod:`.weights` weighs statements, :mod:`.cache` keeps results
:mod:`.orientation`          bivariate causal discovery, one method a file
:mod:`.relate`               from pairs of columns to relations
:mod:`.confounding`          how confounded a regression on many causes is
:mod:`.same_process`         whether the studies come from one process
============================ ==========================================================================================
"""

from weft.evidence.claims import Claim, Topic
from weft.evidence.file import dump, load, parse_document, to_document
from weft.evidence.networks import from_networks
from weft.evidence.oracle import oracle
from weft.evidence.statements import (
    Apart,
    Collider,
    Connected,
    Dependent,
    Evidence,
    Noncollider,
    Provenance,
    Relation,
    Scope,
    Separated,
    Statement,
)

__all__ = [
    "Apart",
    "Claim",
    "Collider",
    "Connected",
    "Dependent",
    "Evidence",
    "Noncollider",
    "Provenance",
    "Relation",
    "Scope",
    "Separated",
    "Statement",
    "Topic",
    "dump",
    "from_networks",
    "load",
    "oracle",
    "parse_document",
    "to_document",
]
