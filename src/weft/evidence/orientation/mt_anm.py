"""Additive noise after a transform of the effect: additive, multiplicative and post-nonlinear relations in one.

The model is h(effect) = f(cause) + e, e independent of the cause, for one h out of three:

    identity            additive noise
    log |y - origin|    multiplicative noise, of either sign: the origin is the mode of the effect, where a product of
                        factors that may vanish is densest, or the edge of the data if that is where the mode is
    normal scores       any increasing h after which the effect is about Gaussian (post-nonlinear)

A direction is as good as its best transform: the least of the HSIC ratios between cause and residual (see
:mod:`weft.evidence.orientation.dependence`). The score is the logarithm of the quotient of the two, backward over
forward. The origin moves with the data, so that shifting or rescaling a column changes nothing.

Scores
------
``->``, ``<-``: the p-value of the best transform, which is too large for having been chosen.

Diagnostic
----------
``score``; ``ratio_forward``, ``ratio_backward``; ``transform_forward``, ``transform_backward``: the best transform.

References
----------
Zhang & Hyvärinen, *On the identifiability of the post-nonlinear causal model*, UAI 2009.

Robertson & Cryer, *An iterative procedure for estimating the mode*, JASA 69 (1974); Bickel & Frühwirth, *On a fast,
robust estimator of the mode*, Comput. Statist. Data Anal. 50 (2006): the half-sample mode.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import (
    MOST_ROWS,
    fit_judgement,
    log_ratio,
    prepared,
)
from weft.evidence.orientation.noise_models import ADDITIVE, fitted_models, least_dependent
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.studies import Column


@dataclass(frozen=True)
class MtAnm(ForNumbers):
    """Additive noise models for several transforms of the effect.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "mt-anm"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="The effect, its logarithm or its normal scores are a function of the cause plus independent noise.",
    )
    most_rows: int = MOST_ROWS

    def judge(self, x: Column, y: Column) -> Judgement:
        """Find the best transform for each direction."""
        one, other = prepared(x, y, self.most_rows)
        (how, forward), (how_back, backward) = (
            least_dependent(fitted_models(cause, effect, ADDITIVE), ADDITIVE)
            for cause, effect in ((one, other), (other, one))
        )
        score = log_ratio(backward.ratio, forward.ratio)
        judgement = fit_judgement(log_odds(self.name, score), score, forward, backward)
        names = {"transform_forward": how.transform, "transform_backward": how_back.transform}
        return replace(judgement, diagnostic={**judgement.diagnostic, **names})
