"""What the search makes of each kind of statement, one a file. Add a new one here, and its rules in ``consistency.lp``.

==================================== ======================= ==========================================================
constraint                           made from               says
==================================== ======================= ==========================================================
:class:`~.separated.Separation`      `Separated`             a set m-separates a pair
:class:`~.connected.Connection`      `Connected`             an inducing path joins it, relative to unmeasured vertices
:class:`~.apart.Apartness`           `Apart`                 none joins it
:class:`~.dependent.Dependence`      `Dependent`             a set leaves a pair connected
:class:`~.oriented.Orientation`      `Relation` (iod-bcd)    if it has an edge, that is one of these
:class:`~.relation.PairRelation`     `Relation` (causal-iod) its marginal causal structure is one of these
:class:`~.noncollider.CauseOfOne`    `Noncollider`           the vertex in the middle causes one of the pair
:class:`~.collider.CauseOfNeither`   `Collider`              it causes neither
==================================== ======================= ==========================================================

What a file holds is said by :class:`~.constraint.Constraint`. The first four speak of two kinds of paths
(:mod:`~.paths`), and so have two rules of ``consistency.lp`` in common; the last two share one (:mod:`~.triple`).
"""

from __future__ import annotations

from weft.search.kinds.apart import Apartness
from weft.search.kinds.collider import CauseOfNeither
from weft.search.kinds.connected import Connection
from weft.search.kinds.constraint import Constraint
from weft.search.kinds.dependent import Dependence
from weft.search.kinds.noncollider import CauseOfOne
from weft.search.kinds.oriented import Orientation
from weft.search.kinds.relation import PairRelation
from weft.search.kinds.separated import Separation

KINDS: tuple[type[Constraint], ...] = (
    Separation, Connection, Apartness, Dependence, CauseOfOne, CauseOfNeither, Orientation, PairRelation,
)  # fmt: skip
"""In the order in which a problem lists them."""

__all__ = [
    "KINDS",
    "Apartness",
    "CauseOfNeither",
    "CauseOfOne",
    "Connection",
    "Constraint",
    "Dependence",
    "Orientation",
    "PairRelation",
    "Separation",
]
