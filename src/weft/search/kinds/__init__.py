"""What the search makes of each kind of statement, one a file. Add a new one here, and its rules in ``consistency.lp``.

==================================== ======================= ==========================================================
constraint                           made from               says
==================================== ======================= ==========================================================
:class:`~.separated.Separation`      `Separated`             a set m-separates a pair
:class:`~.connected.Connection`      `Connected`             an inducing path joins it, relative to unmeasured vertices
:class:`~.oriented.Orientation`      `Relation` (iod-bcd)    if it has an edge, that is one of these
:class:`~.relation.PairRelation`     `Relation` (causal-iod) its marginal causal structure is one of these
==================================== ======================= ==========================================================

What a file holds is said by :class:`~.constraint.Constraint`.
"""

from __future__ import annotations

from weft.search.kinds.connected import Connection
from weft.search.kinds.constraint import Constraint
from weft.search.kinds.oriented import Orientation
from weft.search.kinds.relation import PairRelation
from weft.search.kinds.separated import Separation

KINDS: tuple[type[Constraint], ...] = (Separation, Connection, Orientation, PairRelation)
"""In the order in which a problem lists them."""

__all__ = ["KINDS", "Connection", "Constraint", "Orientation", "PairRelation", "Separation"]
