"""Graphs with arrowheads, tails and circles, and what they say about causes and independences: pure mathematics.

================================================================== =====================================================
what                                                               where
================================================================== =====================================================
one value for DAGs, ADMGs, MAGs and PAGs; its text form            :mod:`weft.graphs.mixed`
m-separation; inducing paths                                       :mod:`weft.graphs.separation`
ancestors, descendants, anteriors; DAG, ADMG and MAG checks;       :mod:`weft.graphs.ancestral`
MAG of a model, marginal MAG, latent projection, doublings
marginal causal structure of a pair: by ancestors and treks, and   :mod:`weft.graphs.criteria`
by the five criteria of the paper's Table 1
Markov equivalence; the PAG of a MAG; the MAGs of a PAG            :mod:`weft.graphs.equivalence`
Zhang's orientation rules R1 to R10                                :mod:`weft.graphs.pag`
random DAGs (Melancon's chain), random ADMGs, splits into studies  :mod:`weft.graphs.simulate`
================================================================== =====================================================
"""

from __future__ import annotations

from weft.graphs.ancestral import (
    ancestors,
    anteriors,
    check_acyclic,
    descendants,
    directed_cycle,
    doublings,
    is_admg,
    is_ancestral,
    is_dag,
    is_mag,
    is_maximal,
    latent_projection,
    mag_of,
    marginal_mag,
)
from weft.graphs.criteria import (
    Structure,
    criterion_holds,
    literal_structure,
    mutilated_separations,
    structure_of,
    without_incoming,
    without_outgoing,
)
from weft.graphs.equivalence import MagClasses, is_pag, mag_in, mags_of, markov_equivalent, pag_of
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.graphs.pag import complete_orientation, complete_orientations
from weft.graphs.separation import inducing_path, m_separated
from weft.graphs.simulate import random_admg, random_dag, split_into_studies

__all__ = [
    "Edge",
    "MagClasses",
    "Mark",
    "MixedGraph",
    "Structure",
    "ancestors",
    "anteriors",
    "check_acyclic",
    "complete_orientation",
    "complete_orientations",
    "criterion_holds",
    "descendants",
    "directed_cycle",
    "doublings",
    "inducing_path",
    "is_admg",
    "is_ancestral",
    "is_dag",
    "is_mag",
    "is_maximal",
    "is_pag",
    "latent_projection",
    "literal_structure",
    "m_separated",
    "mag_in",
    "mag_of",
    "mags_of",
    "marginal_mag",
    "markov_equivalent",
    "mutilated_separations",
    "pag_of",
    "random_admg",
    "random_dag",
    "split_into_studies",
    "structure_of",
    "without_incoming",
    "without_outgoing",
]
