"""What an expert or an experiment knows: read, checked, and turned into constraints.

=================== ==================================================================================================
module              what is in it
=================== ==================================================================================================
`items`             what can be said, what it means over latent-variable models, and how it is written
`knowledge`         :class:`Knowledge`: all that is known, as claims and relations for a search
`contradictions`    whether knowledge contradicts itself
`experiments`       what the statements of an experiment say about the undisturbed process
`files`             TOML and JSON
`tetrad`, `bnlearn` Tetrad's knowledge files; bnlearn's white and black lists
=================== ==================================================================================================

>>> knowledge = Knowledge.of("X causes Y", "tiers: Y < X")
>>> for item in knowledge.contradiction():
...     print(item)
X causes Y
tiers: Y < X
"""

from __future__ import annotations

from weft.knowledge.experiments import Change, Undisturbed, undisturbed
from weft.knowledge.items import Item, Kind, KnowledgeError
from weft.knowledge.knowledge import Constraint, Experiment, Knowledge

__all__ = [
    "Change",
    "Constraint",
    "Experiment",
    "Item",
    "Kind",
    "Knowledge",
    "KnowledgeError",
    "Undisturbed",
    "undisturbed",
]
